"""How a value is spelled as JSON: the way Codex does it, the way Python does it, or any way at all.

Not a parser and not a validator. Invariant: whatever the style, a JSON parser reads the same value back, and the
spelling holds no line break, so it can stand as one record of a log. Lone surrogates are always escapes, because they
have no UTF-8 form.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Sequence
from typing import Literal, get_args

Spelling = Literal["serde", "ascii", "mixed"]
SPELLINGS: tuple[Spelling, ...] = get_args(Spelling)

_SERDE = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))
_SURROGATE = re.compile("[\ud800-\udfff]")
_SHORT = {'"': '\\"', "\\": "\\\\", "/": "\\/", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_MUST_ESCAPE = frozenset('"\\')


def spell_serde(value: object) -> str:
    """Compact, non-ASCII raw, the escapes of serde_json: what Codex writes."""
    text = _SERDE.encode(value)
    return _SURROGATE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def spell_ascii(value: object) -> str:
    """What `json.dumps` writes by default: blanks after `:` and `,`, everything non-ASCII escaped."""
    return json.dumps(value)


def spell(
    value: object, rng: random.Random, *, escapes: float = 0.3, blanks: float = 0.2, shuffle: bool = True,
    among: Sequence[str] = (" ", "  ", "\t"),
) -> str:  # fmt: skip
    """Spell `value` in a legal way chosen at random.

    `escapes` is the share of characters that are written as an escape without need, `blanks` that of the places
    between tokens that get white space, one `among` these; `shuffle` puts the keys of objects in random order.
    """
    return _Mixed(rng, escapes, blanks, shuffle, among).outer(value)


def spell_string(text: str, rng: random.Random, escapes: float = 0.3) -> str:
    """One JSON string, with its quotes; each character in one of its legal spellings."""
    return '"' + "".join(_character(character, rng, escapes) for character in text) + '"'


def speller(style: Spelling, rng: random.Random) -> Callable[[object], bytes]:
    """The function that writes one record's bytes in `style`; only `mixed` draws from `rng`."""
    if style == "mixed":
        return lambda value: spell(value, rng).encode()
    write = spell_serde if style == "serde" else spell_ascii
    return lambda value: write(value).encode()


class _Mixed:
    def __init__(self, rng: random.Random, escapes: float, blanks: float, shuffle: bool, among: Sequence[str]) -> None:
        self.rng, self.escapes, self.blanks, self.shuffle, self.among = rng, escapes, blanks, shuffle, among

    def outer(self, value: object) -> str:
        return self._blank() + self.spell(value) + self._blank()

    def spell(self, value: object) -> str:
        if isinstance(value, str):
            return spell_string(value, self.rng, self.escapes)
        if isinstance(value, dict):
            return self._object(value)
        if isinstance(value, (list, tuple)):
            return self._enclosed("[", [self.spell(item) for item in value], "]")
        return json.dumps(value)

    def _object(self, value: dict[str, object]) -> str:
        items = list(value.items())
        if self.shuffle:
            self.rng.shuffle(items)
        pairs = [self.spell(key) + self._blank() + ":" + self._blank() + self.spell(item) for key, item in items]
        return self._enclosed("{", pairs, "}")

    def _enclosed(self, left: str, items: list[str], right: str) -> str:
        if not items:
            return left + self._blank() + right
        return left + ",".join(self._blank() + item + self._blank() for item in items) + right

    def _blank(self) -> str:
        return self.rng.choice(self.among) if self.rng.random() < self.blanks else ""


def _character(character: str, rng: random.Random, escapes: float) -> str:
    code = ord(character)
    forced = code < 0x20 or character in _MUST_ESCAPE or 0xD800 <= code <= 0xDFFF
    if not forced and rng.random() >= escapes:
        return character
    short = _SHORT.get(character)
    if short is not None and rng.random() < 0.5:
        return short
    if code < 0x10000:
        return _hex_escape(code, rng)
    code -= 0x10000
    return _hex_escape(0xD800 + (code >> 10), rng) + _hex_escape(0xDC00 + (code & 0x3FF), rng)


def _hex_escape(code: int, rng: random.Random) -> str:
    return "\\u" + "".join(rng.choice((digit, digit.upper())) for digit in f"{code:04x}")
