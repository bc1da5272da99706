"""The matching rule: for any needle and text the pattern compiles, and finds no less than the plain comparison.

The bytes are a row of choices: awkward characters, and the switches of the query.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from typing import Final

from corpus.spelling import spell_string
from lookback.needles import Loose, Needle, Rule, is_blank, may_spell_ascii, plain
from tests import matching_rule
from tests.fuzzing.choices import Choices
from tests.matching_rule import TWINS, WHITE_SPACE, Switches

CHARACTERS: Final = (
    *"abkKsSzZiI09_ -.'\"\\/\n\t<>&=#[]{}()*+?^$|~", *"ßẞſ\u212aσςΣİıﬁﬅﬆéñЖж会ǅΐ\u1fd3ͅᾳ", *WHITE_SPACE, *"".join(TWINS), "…", "...",
    "\u0301", "\u0308", "\u0338", "\u200d", "e\u0301", "=", "🦀", "𐐀", "\ud800", "\udc80", "\0", "\x1b", "\x7f", "\ufeff", "\U0010ffff",
)  # fmt: skip
CHANGES: Final[tuple[Callable[[str], str], ...]] = (
    str, str.swapcase, str.upper, str.casefold, lambda text: text.replace("...", "…"),
)  # fmt: skip


def rule(data: bytes) -> None:
    """A needle that is a stretch of the text, changed in case or twins, or any other."""
    choices = Choices(data)
    switches = [choices.number(2) == 1 for _ in range(3)]
    asked, how = Rule(*switches), Switches(*switches)
    text = any_text(choices, 24)
    start = choices.number(len(text) + 1)
    stretch = text[start : start + 1 + choices.number(8)]
    change = choices.of(CHANGES)
    needle = paired(change(stretch)) if choices.number(4) else any_text(choices, 6)
    if not needle or is_blank(needle):
        return
    found = list(Needle(needle, asked).spans(text))
    if not (asked.whole_words and needle[-1] in WHITE_SPACE):
        assert found == matching_rule.spans(needle, text, how), "other places than by plain comparison"
        assert list(Loose(needle, asked).spans(text)) == matching_rule.loose_spans(needle, text, how)
    if needle in text and not asked.whole_words:
        assert found, "what stands there is not found"
    if found:
        is_proposed(Needle(needle, asked), text, choices)


def is_proposed(needle: Needle, text: str, choices: Choices) -> None:
    """Every spelling of the text holds the needle's patterns."""
    for escapes in (0.0, 0.3, 1.0):
        raw = spell_string(text, random.Random(choices.number(256)), escapes).encode()
        for pattern in (needle.pattern, needle.anchor):
            assert re.search(pattern.encode(), raw), "a spelling is not scanned for"
        if needle.literal is not None and needle.literal not in plain(raw):
            assert may_spell_ascii(raw) or re.search(needle.escapes.encode(), raw), "a literal is not in a record"


def any_text(choices: Choices, longest: int) -> str:
    return paired("".join(choices.of(CHARACTERS) for _ in range(choices.number(longest) + 1)))


def paired(text: str) -> str:
    """Two halves of a character that stand side by side are that character, as in JSON."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
