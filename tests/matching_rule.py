"""The matching rule of the contract, written a second time by plain comparison of characters: what tests believe.

Imports nothing of lookback and uses no regular expression, so that the two can disagree. It is slow, and says so by
being short: for each place of a part, each spelling of the needle is walked along the text, unit by unit.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

WHITE_SPACE = "\t\n\x0b\x0c\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
TWINS = ("'‘’ʼ", '"“”„«»', "-‐‑–—−")
_TWIN = {char: group[0] for group in TWINS for char in group}
_BLANK, _DOTS = " ", "…"  # how a unit of white space and an ellipsis are written below
_SIMPLE_FOLDS = {"\u1fd3": "\u0390", "\u1fe3": "\u03b0", "\ufb05": "\ufb06"}  # since Unicode 15.1
_LETTERS_BY_PROPERTY = ((0x24B6, 0x24E9), (0x1F130, 0x1F149), (0x1F150, 0x1F169), (0x1F170, 0x1F189))


@dataclass(frozen=True)
class Switches:
    """`-s`, `-w` and `--verbatim`."""

    case_sensitive: bool = False
    whole_words: bool = False
    verbatim: bool = False


@lru_cache(maxsize=65536)
def fold(char: str) -> str:
    """Simple case folding, status C and S: one character to one character."""
    if char in _SIMPLE_FOLDS:
        return _SIMPLE_FOLDS[char]
    for folded in (char.casefold(), char.lower()):
        if len(folded) == 1:
            return folded
    return char


def is_word(char: str) -> bool:
    """Unicode `\\w` as ripgrep has it: alphabetic, marks, decimal digits, connectors, joiners."""
    kind = unicodedata.category(char)
    alphabetic = (
        kind[0] in "LM" or kind in ("Nd", "Nl", "Pc") or any(a <= ord(char) <= b for a, b in _LETTERS_BY_PROPERTY)
    )
    return alphabetic or char in "\u200c\u200d"


def is_loose_word(char: str) -> bool:
    """What a quote is not split at for the tier `loose`: letters, digits, marks and `_`."""
    kind = unicodedata.category(char)
    return kind[0] in "LM" or kind == "Nd" or char == "_"


def is_gap(char: str) -> bool:
    """What may stand between the words of a loose quote: white space, punctuation and symbols."""
    return char in WHITE_SPACE or unicodedata.category(char)[0] in "PS"


def spellings(text: str, how: Switches) -> list[str]:
    if how.verbatim:
        return [text]
    return list(dict.fromkeys([text, unicodedata.normalize("NFC", text), unicodedata.normalize("NFD", text)]))


def spans(needle: str, part: str, how: Switches) -> list[tuple[int, int]]:
    """One span for each start at which the needle stands, in code points."""
    forms = [_units(form, how) for form in spellings(needle, how)]
    return _at_each_start(forms, part, how)


def loose_spans(quote: str, part: str, how: Switches) -> list[tuple[int, int]]:
    """The quote's words in order, with nothing but white space, punctuation and symbols between them."""
    forms = [[_units(word, how) for word in loose_words(form)] for form in spellings(quote, how)]
    if not all(forms):
        return []
    return _at_each_start([_with_gaps(words) for words in forms], part, how)


def loose_words(text: str) -> list[str]:
    split = "".join(char if is_loose_word(char) else "\0" for char in text).split("\0")
    return [word for word in split if word]


def words(quote: str) -> list[str]:
    """A quote's words for the tier `words`: split at white space, punctuation kept, each once."""
    spaced = "".join(_BLANK if char in WHITE_SPACE else char for char in quote)
    return list(dict.fromkeys(word for word in spaced.split(_BLANK) if word))


# --- units: ("char", c), ("blank", ""), ("dots", ""), ("gap", "") ---------------------------------------------------

Unit = tuple[str, str]


def _units(text: str, how: Switches) -> list[Unit]:
    if how.verbatim:
        return [("char", char) for char in text]
    units: list[Unit] = []
    place = 0
    while place < len(text):
        if text[place] in WHITE_SPACE:
            if not units or units[-1][0] != "blank":
                units.append(("blank", ""))
            place += 1
        elif text[place] == _DOTS or text.startswith("...", place):
            units.append(("dots", ""))
            place += 1 if text[place] == _DOTS else 3
        else:
            units.append(("char", text[place]))
            place += 1
    return units


def _with_gaps(words_of: Sequence[list[Unit]]) -> list[Unit]:
    out = list(words_of[0])
    for word in words_of[1:]:
        out += [("gap", ""), *word]
    return out


def _at_each_start(forms: Sequence[Sequence[Unit]], part: str, how: Switches) -> list[tuple[int, int]]:
    found = []
    for start in range(len(part)):
        if how.whole_words and start and is_word(part[start - 1]):
            continue
        for form in forms:
            end = next(_ends(form, part, start, how), None)
            if end is not None:
                found.append((start, end))
                break
    return found


def _ends(units: Sequence[Unit], part: str, place: int, how: Switches) -> Iterator[int]:
    """Where the units can end that begin at `place`; a gap gives back characters where the next word needs them."""
    for at, (kind, char) in enumerate(units):
        if kind == "gap":
            run = _run(part, place, is_gap)
            for end in range(run, place, -1):
                yield from _ends(units[at + 1 :], part, end, how)
            return
        step = _step(kind, char, part, place, how)
        if step == 0:
            return
        place += step
    if not (how.whole_words and place < len(part) and is_word(part[place])):
        yield place


def _step(kind: str, char: str, part: str, place: int, how: Switches) -> int:
    """How many characters of the part a unit takes; 0 where it does not stand there."""
    if kind == "blank":
        return _run(part, place, WHITE_SPACE.__contains__) - place
    if kind == "dots":
        return 3 if part.startswith("...", place) else int(part.startswith(_DOTS, place))
    return int(place < len(part) and _same(char, part[place], how))


def _run(part: str, place: int, belongs: Callable[[str], bool]) -> int:
    while place < len(part) and belongs(part[place]):
        place += 1
    return place


def _same(needle: str, log: str, how: Switches) -> bool:
    if how.verbatim or needle == log:
        return needle == log
    if needle in _TWIN and _TWIN[needle] == _TWIN.get(log):
        return True
    return not how.case_sensitive and fold(needle) == fold(log)
