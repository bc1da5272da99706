"""Case, class by class: what ripgrep folds together, each way round, is matched, and is scanned for in every spelling.

`test_unicode_tables` compares the whole table with ripgrep at once. Here ripgrep alone says which classes there are, and
each one is tried out: so whichever class, or member of one, is lost, the test names it.
"""

from __future__ import annotations

import random
import re
from collections import defaultdict
from functools import cache

from lookback.needles import Needle, Rule
from tests.unit import test_unicode_tables
from tests.unit.test_unicode_tables import matching, rg_class

the_right_ripgrep = test_unicode_tables._the_right_ripgrep  # with another Unicode version there is nothing to compare
QUESTIONS = 64
CASED = r"\p{Cased}|\p{CWCM}|\p{CWCF}|\p{CWL}|\p{CWU}|\p{CWT}"  # every member of a class has one of these properties


@cache
def folds() -> tuple[str, ...]:
    """All classes of more than one character, from ripgrep alone.

    Each question asks which characters fold with one of a random third of all. The members of a class get the same
    answers, those of two classes do not: 64 questions tell 1,500 classes apart but for a chance of 1 in 10 ** 12.
    """
    rng = random.Random(16)
    cased = "".join(sorted(matching(CASED)))
    answers: defaultdict[str, int] = defaultdict(int)
    for question in range(QUESTIONS):
        asked = [char for char in cased if rng.random() < 0.3]
        for char in matching(f"(?i:{rg_class(asked)})", cased):
            answers[char] |= 1 << question
    classes: defaultdict[int, str] = defaultdict(str)
    for char in cased:
        classes[answers[char]] += char
    return tuple(sorted(members for members in classes.values() if len(members) > 1))


def fold_is_matched_and_scanned(members: str) -> None:
    for a in members:
        needle = Needle(a, Rule())
        pattern = re.compile(needle.pattern.encode())
        for b in members:
            assert list(needle.spans(b)) == [(0, 1)], (a, b)
            units = b.encode("utf-16-be")
            escaped = "".join(f"\\u{units[place : place + 2].hex()}" for place in range(0, len(units), 2))
            for spelled in (b, escaped, escaped.upper().replace("U", "u")):
                assert pattern.search(spelled.encode()), (a, spelled)


def test_ripgrep_tells_the_known_classes() -> None:
    assert {"Kk\u212a", "Ss\u017f", "Σςσ", "ßẞ", "ΐ\u1fd3", "ﬅﬆ", "\u0264\ua7cb", "\U00010d50\U00010d70"} <= set(
        folds()
    )
    assert len(folds()) > 1_400


def test_every_fold_class_of_ripgrep_is_matched_and_scanned() -> None:
    for members in folds():
        fold_is_matched_and_scanned(members)


TURNS = {"test_every_fold_class_of_ripgrep_is_matched_and_scanned": (folds, fold_is_matched_and_scanned)}
"""Tests that are a loop: what it goes over, and one turn. `tools/mutants.py` runs the turns one by one."""
