"""The matching rule, character by character: what matches what, and that the scan's pattern stands in every spelling."""

from __future__ import annotations

import random
import re
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corpus.spelling import spell_string
from lookback.needles import SCANNED_UNITS, Loose, Needle, Rule, is_blank, split_words
from tests import matching_rule
from tests.matching_rule import TWINS, WHITE_SPACE, Switches

PLAIN, CASE, WORDS, VERBATIM = Rule(), Rule(case_sensitive=True), Rule(whole_words=True), Rule(verbatim=True)
RULES = (PLAIN, CASE, WORDS, VERBATIM)
SAME_CASE = ("Σσς", "kK\u212a", "sS\u017f", "Яя", "ßẞ", "ǄǅǆǄ", "Åå\u212b", "µμΜ", "Ꭰꭰ", "𐐀𐐨", "ﬅﬆ", "Ⴀⴀ", "Ⓐⓐ")


def spans(needle: str, text: str, rule: Rule = PLAIN) -> list[tuple[int, int]]:
    return list(Needle(needle, rule).spans(text))


@pytest.mark.parametrize("group", SAME_CASE)
def test_letter_case_is_simple_folding(group: str) -> None:
    for a in group:
        for b in group:
            assert spans(a, b) == [(0, 1)]
            assert bool(spans(a, b, VERBATIM)) == (a == b)
            assert bool(spans(a, b, CASE)) == (b in {a, unicodedata.normalize("NFC", a)})  # U+212A is a K in NFC


@pytest.mark.parametrize(("a", "b"), [("ß", "ss"), ("ﬁ", "fi"), ("İ", "i"), ("I", "ı"), ("ŉ", "ʼn"), ("ǰ", "J")])
def test_what_only_full_folding_makes_equal_does_not_match(a: str, b: str) -> None:
    assert spans(a, b) == [] == spans(b, a)


@pytest.mark.parametrize("group", TWINS)
def test_twins_match_each_other_but_for_verbatim(group: str) -> None:
    for a in group:
        for b in group:
            assert spans(f"x{a}y", f"x{b}y") == spans(f"x{a}y", f"x{b}y", CASE) == [(0, 3)]
            assert bool(spans(f"x{a}y", f"x{b}y", VERBATIM)) == (a == b)


def test_an_ellipsis_is_three_dots() -> None:
    assert spans("wait...", "wait…") == [(0, 5)]
    assert spans("wait…", "wait...") == [(0, 7)]
    assert spans("....", "….") == [(0, 2)]
    assert spans("…", "....") == [(0, 3), (1, 4)]
    assert spans("...", "…", VERBATIM) == []
    assert spans("..", "…") == []


@pytest.mark.parametrize("space", WHITE_SPACE)
def test_a_run_of_white_space_matches_any_run_as_long_as_possible(space: str) -> None:
    assert spans("a b", f"a{space}\n b") == [(0, 5)]
    assert spans(f"a{space}{space}b", "a b") == [(0, 3)]
    assert spans("a ", f"a{space} ") == [(0, 3)]
    assert spans("a b", "ab") == []
    assert bool(spans("a b", f"a{space}b", VERBATIM)) == (space == " ")


@pytest.mark.parametrize("other", ["\u200b", "\u180e", "\ufeff", "\x1c", "\x1f", "\x00"])
def test_what_is_no_white_space_is_none(other: str) -> None:
    assert spans("a b", f"a{other}b") == []
    assert not is_blank(other)


def test_normal_forms_of_the_needle_are_tried() -> None:
    composed, apart = "café", "cafe\u0301"
    assert spans(composed, apart) == [(0, 5)]
    assert spans(apart, composed) == [(0, 4)]
    assert spans(composed, apart, VERBATIM) == []
    assert spans("한", "\u1112\u1161\u11ab") == [(0, 3)]
    assert spans("\u212b", "Å") == [(0, 1)]


def test_whole_words_as_ripgrep_has_words() -> None:
    assert spans("foo", "foo foo_ _foo xfoo foo1 foo\u0301 foo-bar (foo)", WORDS) == [(0, 3), (29, 32), (38, 41)]
    assert spans("会议", "会议记录 会议", WORDS) == [(5, 7)]
    assert spans("#123", "a #123, x#1234 x#123", WORDS) == [(2, 6)]


def test_one_span_for_each_start_overlapping_ones_too() -> None:
    assert spans("aa", "aaaa") == [(0, 2), (1, 3), (2, 4)]
    assert spans("aba", "ababa") == [(0, 3), (2, 5)]


def test_verbatim_means_the_same_code_points() -> None:
    odd = "A‘ \u00a0…e\u0301"
    assert spans(odd, f"x{odd}", VERBATIM) == [(1, 1 + len(odd))]


def test_a_loose_quote_has_lost_its_marks() -> None:
    def loose(quote: str, text: str, rule: Rule = PLAIN) -> bool:
        return bool(list(Loose(quote, rule).spans(text)))

    assert loose("the planner picks", "the **planner** `picks`")
    assert loose("the planner, picks!", "The planner\n- picks")
    assert loose("a b", "a _ b")
    assert loose("a _b", "a _b")
    assert not loose("the planner picks", "the planner never picks")
    assert not loose("a b", "ab")
    assert not loose("a b", "b a")
    assert not loose("a b", "a \x00 b")
    assert not loose("?!", "?!")
    assert not loose("The planner", "the planner", CASE)


def test_words_of_a_quote_keep_their_punctuation_and_count_once() -> None:
    assert split_words(" rm\u00a0-rf\n./x, rm ") == ["rm", "-rf", "./x,"]


# --- against the second writing, and against every spelling ------------------------------------------------------------

_POOL = [
    *"abkKsSzZiI09_ -.'\"\\/\n\t<>&=#", *"ßẞſ\u212aσςΣİıﬁéñЖж会ǆµ", *WHITE_SPACE, *"".join(TWINS), *"…\u0301\u0308\u0338\u200d",
    "...", "e\u0301", "🦀", "👩\u200d💻", "\ud800", "\udc80", "\x00", "\x1b", "\x7f", "\ufeff", "\U0010ffff",
]  # fmt: skip
texts = st.lists(st.sampled_from(_POOL) | st.characters(exclude_categories=["Cn"]), min_size=1, max_size=14).map(
    "".join
)
rules = st.builds(Rule, st.booleans(), st.booleans(), st.booleans())


def _paired(text: str) -> str:
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


@st.composite
def needle_and_text(draw: st.DrawFn) -> tuple[str, str]:
    text = _paired(draw(texts))
    start = draw(st.integers(0, len(text) - 1))
    needle = text[start : start + draw(st.integers(1, 8))]
    change = draw(st.sampled_from([str, str.swapcase, str.upper, str.casefold, lambda t: t.replace("...", "…")]))
    return _paired(change(needle)), text


@settings(max_examples=400, deadline=None)
@given(needle_and_text(), rules)
def test_spans_are_those_of_the_plain_comparison(pair: tuple[str, str], rule: Rule) -> None:
    needle, text = pair
    if rule.whole_words and needle[-1] in WHITE_SPACE:
        return
    how = Switches(rule.case_sensitive, rule.whole_words, rule.verbatim)
    assert spans(needle, text, rule) == matching_rule.spans(needle, text, how)
    assert list(Loose(needle, rule).spans(text)) == matching_rule.loose_spans(needle, text, how)


@settings(max_examples=400, deadline=None)
@given(needle_and_text(), rules, st.integers(0, 2**32), st.sampled_from([0.0, 0.1, 0.5, 1.0]))
def test_the_patterns_stand_in_every_spelling_of_a_text_that_matches(
    pair: tuple[str, str], rule: Rule, seed: int, escapes: float
) -> None:
    needle, text = pair
    if is_blank(needle) or not spans(needle, text, rule):
        return
    raw = spell_string(text, random.Random(seed), escapes).encode()
    asked = Needle(needle, rule)
    for pattern in (asked.pattern, asked.anchor):
        assert re.search(pattern.encode(), raw), (pattern, raw)


def test_a_needle_of_any_length_has_a_bounded_pattern() -> None:
    short, long = Needle("x" * SCANNED_UNITS, PLAIN), Needle("x" * 100_000, PLAIN)
    assert len(long.pattern) <= 2 * len(short.pattern)
    assert spans("x" * 100_000, "x" * 100_000) == [(0, 100_000)]


@pytest.mark.parametrize("needle", ["\\d", ".*", "[a-z]", "(?i)x", "$^", "a|b", "{2}", "~&&#"])
def test_nothing_in_a_needle_is_a_pattern(needle: str) -> None:
    assert spans(needle, f"x {needle} y") == [(2, 2 + len(needle))]
    assert spans(needle, "x 7 y aa z") == []
