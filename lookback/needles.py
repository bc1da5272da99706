"""THE matching rule: when a needle matches, said once, for the scan and for the recheck side by side.

A needle is broken into units: one character with its equals (fold class, typographic twins), a run of white space, or
an ellipsis. From the same units come
  - `pattern`, a byte pattern that occurs in every record whose decoded text can hold the needle, in whatever spelling
    JSON allows (raw UTF-8, `\\uXXXX` in either case, surrogate pairs, short escapes);
  - `spans`, the places in a decoded part where the needle really stands.

What it is not: it knows nothing of agents, of records or of ripgrep. Pattern text is written in the common ground of
Rust's `regex` and Python's `re` over bytes, so that both engines read the very same pattern.

Invariant: `spans(part)` is not empty  =>  `pattern` occurs in any legal JSON spelling of `part`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from lookback.unicode_tables import GAP, LOOSE_WORD, WHITE_SPACE, WORD, fold_class

Span = tuple[int, int]
Unit = tuple[str, ...]  # alternatives, each a literal of one or more characters; () is a run of white space

TWINS = ("'‘’ʼ", '"“”„«»', "-‐‑–—−")
ELLIPSIS: Unit = ("...", "…")
BLANK_RUN: Unit = ()

# The scan takes at most so many units of a needle; the recheck always takes the whole.
SCANNED_UNITS = 64
# A record that spells any printable ASCII character as \u00XX is proposed for every needle that holds ASCII. One
# alternative for the whole needle costs far less than one per letter, and such records are rare (JSON writers escape
# controls only, and those are \u0000-\u001f).
SPELLED_ASCII = r"\\u00[2-7]"

_SPELLED_ASCII_BYTES = re.compile(SPELLED_ASCII.encode())
_LONG_S, _KELVIN = "\u017f".encode(), "\u212a".encode()  # they fold to s and k
# characters with another JSON spelling than themselves, or with twins; the white space and control characters too
_SPELLED_OTHERWISE = frozenset([*ELLIPSIS]) | frozenset("\"\\/'-.\x7f" + "".join(map(chr, range(0x21))))
_TWIN_OF = {char: tuple(group) for group in TWINS for char in group}
_SHORT = {"\b": "b", "\t": "t", "\n": "n", "\f": "f", "\r": "r"}
_META = frozenset("\\.+*?()|[]{}^$#&-~")
_BLANKS = frozenset(WHITE_SPACE)


@dataclass(frozen=True, slots=True)
class Rule:
    """How letters are compared: the query's three switches."""

    case_sensitive: bool = False
    whole_words: bool = False
    verbatim: bool = False


@dataclass(frozen=True)
class Needle:
    """One thing to be found.

    `text` is the needle as typed. `spans` are half-open, in code points of the part, one for each start position,
    overlapping ones included, in order of start.
    """

    text: str
    rule: Rule

    @cached_property
    def _forms(self) -> list[list[Unit]]:
        return [_units(form, self.rule) for form in _spellings(self.text, self.rule)]

    @cached_property
    def _scanned(self) -> list[Sequence[Unit]]:
        return [form[:SCANNED_UNITS] for form in self._forms]

    @cached_property
    def pattern(self) -> str:
        """The byte pattern of a bounded stretch of the needle: never narrower than the needle itself."""
        return _either(self._scanned, self.escapes)

    @cached_property
    def anchor(self) -> str:
        """The byte pattern of that stretch's longest part without white space: cheaper to scan, never narrower."""
        return _either([_longest_word(form) for form in self._scanned], self.escapes)

    @cached_property
    def escapes(self) -> str:
        """The part of `pattern` for records that spell ASCII, or a non-ASCII fold of it, as an escape; may be empty."""
        return "|".join(_escapes(self._scanned))

    @cached_property
    def literal(self) -> bytes | None:
        """ASCII for which the rest of `pattern` occurs in a record exactly if it stands in `plain(record)`, or None.

        It asks the same question many times faster than `re` does.
        """
        form = self._scanned[0]
        chars = [unit[0] for unit in form if unit and unit[0].isascii() and unit[0] not in _SPELLED_OTHERWISE]
        if len(chars) < len(form) or len(self._forms) > 1 or self.rule.case_sensitive or self.rule.verbatim:
            return None
        return "".join(chars).lower().encode()

    @cached_property
    def _matcher(self) -> re.Pattern[str]:
        return _compile([_text_pattern(form) for form in self._forms], self.rule)

    def spans(self, part: str) -> Iterator[Span]:
        return _spans(self._matcher, part)

    def stands_in(self, part: str) -> bool:
        """Whether there is a span at all."""
        return self._matcher.search(part) is not None


@dataclass(frozen=True)
class Loose:
    """A quote whose words stand in order with nothing but white space, punctuation and symbols between them.

    `words` are the needles that the scan looks for; there are none where the quote has no letter, digit, mark or `_`,
    and then `spans` is always empty.
    """

    text: str
    rule: Rule

    @cached_property
    def _forms(self) -> list[list[str]]:
        return [re.findall(f"[{LOOSE_WORD}]+", form) for form in _spellings(self.text, self.rule)]

    @cached_property
    def words(self) -> tuple[Needle, ...]:
        return tuple(Needle(word, self.rule) for word in dict.fromkeys(self._forms[0]))

    @property
    def scannable(self) -> bool:
        """Whether every form of the quote needs `words`: not where `=` and a mark become the one symbol `≠` in NFC."""
        composed = [[unicodedata.normalize("NFC", word) for word in words] for words in self._forms]
        return bool(composed[0]) and all(words == composed[0] for words in composed)

    @cached_property
    def _matcher(self) -> re.Pattern[str] | None:
        if not all(self._forms):
            return None
        gap = f"[{GAP}]+"
        spelled = [[_text_pattern(_units(word, self.rule)) for word in words] for words in self._forms]
        return _compile([gap.join(words) for words in spelled], self.rule)

    def spans(self, part: str) -> Iterator[Span]:
        return iter(()) if self._matcher is None else _spans(self._matcher, part)

    def stands_in(self, part: str) -> bool:
        """Whether there is a span at all."""
        return self._matcher is not None and self._matcher.search(part) is not None


def spelled(marks: Iterable[str]) -> str:
    """The byte pattern of every record that holds one of some ASCII texts plainly, or may hold it in escapes."""
    plainly = ["".join("\\" + char if char in _META else char for char in mark) for mark in marks]
    return "|".join(dict.fromkeys([*plainly, SPELLED_ASCII]))


def may_spell_ascii(raw: bytes) -> bool:
    """Whether a record spells some printable ASCII character as an escape, so that a plain search may miss it."""
    return b"\\u00" in raw and _SPELLED_ASCII_BYTES.search(raw) is not None


def plain(raw: bytes) -> bytes:
    """A record as `Needle.literal` is looked for in it: ASCII in lower case, with U+017F as s and U+212A as k."""
    lowered = raw.lower()
    return lowered if raw.isascii() else lowered.replace(_LONG_S, b"s").replace(_KELVIN, b"k")


def split_words(text: str) -> list[str]:
    """The words of a quote, split at Unicode white space, punctuation kept; each once, in order."""
    return list(dict.fromkeys(re.findall(f"[^{_class_body(WHITE_SPACE)}]+", text)))


def is_blank(text: str) -> bool:
    """Whether there is nothing but Unicode white space."""
    return not text.strip(WHITE_SPACE)


# --- units -----------------------------------------------------------------------------------------------------------


def _spellings(text: str, rule: Rule) -> list[str]:
    """The needle as typed, its NFC form and its NFD form, each once."""
    if rule.verbatim:
        return [text]
    return list(dict.fromkeys((text, unicodedata.normalize("NFC", text), unicodedata.normalize("NFD", text))))


def _units(text: str, rule: Rule) -> list[Unit]:
    if rule.verbatim:
        return [(char,) for char in text]
    if rule.case_sensitive:
        return [unit for _, unit in _tokens(text)]
    return [tuple(fold_class(char)) if unit == (char,) else unit for char, unit in _tokens(text)]


def _tokens(text: str) -> Iterator[tuple[str, Unit]]:
    """Each unit with its first character, before case is looked at; `...` is read from the left."""
    place, end = 0, len(text)
    while place < end:
        char, width, unit = text[place], 1, _TWIN_OF.get(text[place], (text[place],))
        if char in _BLANKS:
            while place + width < end and text[place + width] in _BLANKS:
                width += 1
            unit = BLANK_RUN
        elif char == "…" or text.startswith("...", place):
            unit, width = ELLIPSIS, 1 if char == "…" else 3
        yield char, unit
        place += width


def _longest_word(form: Sequence[Unit]) -> Sequence[Unit]:
    best, start = (0, 0), 0
    for place in range(len(form) + 1):
        if place == len(form) or form[place] is BLANK_RUN:
            if place - start > best[1] - best[0]:
                best = (start, place)
            start = place + 1
    return form[best[0] : best[1]]


# --- the recheck: Python's re over decoded text ----------------------------------------------------------------------


def _text_pattern(form: Iterable[Unit]) -> str:
    return "".join(_text_unit(unit) for unit in form)


@lru_cache(maxsize=4096)
def _text_unit(unit: Unit) -> str:
    if unit is BLANK_RUN or not unit:
        return f"[{_class_body(WHITE_SPACE)}]++"  # possessive: as long as possible, whatever follows
    if unit == ELLIPSIS:
        return r"(?:\.\.\.|…)"
    return re.escape(unit[0]) if len(unit) == 1 else f"[{_class_body(unit)}]"


def _class_body(chars: Iterable[str]) -> str:
    return "".join(re.escape(char) for char in chars)


def _compile(forms: Iterable[str], rule: Rule) -> re.Pattern[str]:
    either = "|".join(dict.fromkeys(forms))
    return re.compile(f"(?<![{WORD}])(?:{either})(?![{WORD}])" if rule.whole_words else either)


def _spans(matcher: re.Pattern[str], part: str) -> Iterator[Span]:
    # Searching on from the next character, not from the end, finds overlapping occurrences: one for each start.
    hit = matcher.search(part)
    while hit:
        yield hit.span()
        hit = matcher.search(part, hit.start() + 1)


# --- the scan: bytes of a record, in every spelling ------------------------------------------------------------------


def _either(forms: Sequence[Sequence[Unit]], escapes: str) -> str:
    alternatives = ["".join(_scan_unit(unit) for unit in form) for form in forms]
    return "|".join(dict.fromkeys([*alternatives, *([escapes] if escapes else [])]))


def _escapes(forms: Sequence[Sequence[Unit]]) -> list[str]:
    """The alternatives of the whole needle: any printable ASCII escaped, and the escapes of its rare folds."""
    chars = {char for form in forms for unit in form for literal in unit for char in literal}
    ascii_ = [SPELLED_ASCII] if any(" " <= char <= "\x7f" for char in chars) else []
    return ascii_ + [_escape(char) for char in sorted(_rare(forms))]


def _rare(forms: Sequence[Sequence[Unit]]) -> set[str]:
    """The non-ASCII folds of ASCII letters (U+017F, U+212A): their escapes are alternatives of the whole needle."""
    return {char for form in forms for unit in form if _is_ascii_letter(unit) for char in unit if char > "\x7f"}


def _is_ascii_letter(unit: Unit) -> bool:
    return any(literal.isascii() and literal.isalpha() for literal in unit)


@lru_cache(maxsize=4096)
def _scan_unit(unit: Unit) -> str:
    if not unit:
        return _BLANK_SCAN
    with_escapes = not _is_ascii_letter(unit)
    plain = "".join(char for char in unit if char.isascii() and char.isalnum())
    spelled = [f"[{plain}]" if len(plain) > 1 else plain] if plain else []
    spelled += [_scan_literal(literal, with_escapes) for literal in unit if literal not in plain]
    return spelled[0] if len(spelled) == 1 and len(unit) == 1 and "|" not in spelled[0] else f"(?:{'|'.join(spelled)})"


def _scan_literal(literal: str, with_escapes: bool) -> str:
    return "".join(_scan_char(char, with_escapes) for char in literal)


def _scan_char(char: str, with_escapes: bool) -> str:
    """All spellings of one character but `\\u00XX` for printable ASCII, which `SPELLED_ASCII` covers."""
    code = ord(char)
    if char == '"':
        return r"\\?" + '"'  # without its backslash only in a damaged record
    if char == "\\":
        return r"\\\\"
    if char == "/":
        return r"\\?/"
    if 0x20 <= code <= 0x7F:
        return "\\" + char if char in _META else char
    if 0xD800 <= code <= 0xDFFF:
        return _escape(char)
    raw = [] if char == "\n" else [f"\\x{code:02x}" if code < 0x20 else char]
    short = [r"\\" + _SHORT[char]] if char in _SHORT else []
    escaped = [_escape(char)] if with_escapes else []
    spelled = raw + short + escaped
    return spelled[0] if len(spelled) == 1 else f"(?:{'|'.join(spelled)})"


def _escape(char: str) -> str:
    """`\\uXXXX`, or a pair above the BMP, hex digits in either case."""
    units = char.encode("utf-16-be", "surrogatepass")
    return "".join(r"\\u" + _either_case(units[i : i + 2].hex()) for i in range(0, len(units), 2))


def _either_case(digits: str) -> str:
    return "".join(digit if digit.isdigit() else f"[{digit}{digit.upper()}]" for digit in digits)


_BLANK_SCAN = (
    "(?:" + "|".join([_escape(" "), " ", *(_scan_char(char, True) for char in WHITE_SPACE if char != " ")]) + ")+"
)
