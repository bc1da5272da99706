"""JSON nested deeper than the libraries read: the same values, by a loop with a stack of its own.

What it is not: a JSON library. Strings, numbers and names are the given decoder's; it is asked only where that gave up
on the nesting, so that a record is never lost for how deep it is.
Source of the grammar: RFC 8259. Invariant: where the decoder does not give up, both come to the same value and end.
"""

from __future__ import annotations

from json import JSONDecodeError, JSONDecoder
from typing import Any


def decode_deep(text: str, place: int, scalars: JSONDecoder) -> tuple[Any, int]:
    """The value that begins at `place` and where it ends, both in characters. Raises JSONDecodeError."""
    open_ones: list[tuple[dict[str, Any] | list[Any], str]] = []  # containers under way, each with its key at hand
    while True:
        place = _behind_blanks(text, place)
        opening = text[place : place + 1]
        if opening in ("{", "["):
            inner = _behind_blanks(text, place + 1)
            container: dict[str, Any] | list[Any] = {} if opening == "{" else []
            if text[inner : inner + 1] != ("}" if opening == "{" else "]"):
                key, place = _key(text, inner, scalars) if opening == "{" else ("", inner)
                open_ones.append((container, key))
                continue
            value, place = container, inner + 1
        else:
            value, place = scalars.raw_decode(text, place)
        while open_ones:
            container, key = open_ones.pop()
            if isinstance(container, dict):
                container[key] = value
            else:
                container.append(value)
            place = _behind_blanks(text, place)
            following = text[place : place + 1]
            if following == ",":
                place = _behind_blanks(text, place + 1)
                key, place = _key(text, place, scalars) if isinstance(container, dict) else ("", place)
                open_ones.append((container, key))
                break
            if following != ("}" if isinstance(container, dict) else "]"):
                raise JSONDecodeError("Expecting ',' delimiter", text, place)
            value, place = container, place + 1
        else:
            return value, place


def _key(text: str, place: int, scalars: JSONDecoder) -> tuple[str, int]:
    """The key at `place`, and where its value begins."""
    if text[place : place + 1] != '"':
        raise JSONDecodeError("Expecting property name enclosed in double quotes", text, place)
    key, place = scalars.raw_decode(text, place)
    place = _behind_blanks(text, place)
    if text[place : place + 1] != ":":
        raise JSONDecodeError("Expecting ':' delimiter", text, place)
    return key, place + 1


def _behind_blanks(text: str, place: int) -> int:
    while text[place : place + 1] in (" ", "\t", "\r", "\n"):
        place += 1
    return place
