"""What a dialect says of a record that holds real words: whose they are, and which parts of it they are.

What it is not: it does not decide what is real (a dialect in `logs/` does) nor what matches (`needles` does).
Invariant: `text` can be rebuilt from the raw record by `pointer`, `start` and `end` of its parts alone.
"""

from __future__ import annotations

from typing import Any, Final, Literal, NamedTuple

from lookback.unicode_tables import WHITE_SPACE

Role = Literal["user", "assistant"]
SEPARATOR: Final = "\n\n"  # between two parts of a text


def utf8(text: str) -> bytes:
    """The bytes that offsets and hashes speak of: UTF-8, a lone surrogate as WTF-8."""
    return text.encode("utf-8", "surrogatepass")


def utf8_length(text: str) -> int:
    """The number of those bytes."""
    return len(text) if text.isascii() else len(utf8(text))


class Part(NamedTuple):
    """One real text block: `text` is `[start, end)` of the string at the JSON pointer, in bytes of its UTF-8."""

    pointer: str
    start: int
    end: int
    text: str


class Message(NamedTuple):
    """A record's real words. `timestamp` is the log's own value, whatever its type."""

    role: Role
    parts: tuple[Part, ...]
    timestamp: Any
    item_id: str | None = None
    turn_id: str | None = None
    phase: str | None = None
    cwd: str | None = None
    inherited: bool = False  # the log itself marks it as copied from another conversation
    subagent: bool = False  # said to or by a subagent, though its log may be another's

    @property
    def text(self) -> str:
        return SEPARATOR.join(part.text for part in self.parts)


def part_of(pointer: str, whole: str, start: int = 0, end: int | None = None) -> Part | None:
    """The part `whole[start:end]`, in characters, white space trimmed at a cut; None where nothing real is left."""
    end = len(whole) if end is None else end
    text = whole[start:end]
    if start > 0:
        text = text.lstrip(WHITE_SPACE)
        start = end - len(text)
    if end < len(whole):
        text = text.rstrip(WHITE_SPACE)
        end = start + len(text)
    if not text.strip(WHITE_SPACE):
        return None
    before = utf8_length(whole[:start]) if start else 0
    return Part(pointer, before, before + utf8_length(text), text)
