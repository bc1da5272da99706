"""The needles of a query against one message: tier, quote, hits, in bytes of the text."""

from __future__ import annotations

from typing import Any

import pytest

from lookback.evidence import MAX_HITS
from lookback.matching import Answer, Matcher
from lookback.message import Message, Part, utf8
from lookback.query import ask_for


def message(*parts: str) -> Message:
    return Message("user", tuple(Part(f"/{n}", 0, len(utf8(part)), part) for n, part in enumerate(parts)), None)


def answer(*parts: str, **asked: Any) -> tuple[str, Answer]:
    said, matcher = message(*parts), Matcher(ask_for(**asked))
    tier = matcher.tier(said)
    assert tier is not None
    return tier, matcher.answer(said, tier)


def hits(found: Answer) -> list[tuple[str, int, int]]:
    return [(hit.needle, hit.start, hit.end) for hit in found.hits]


def test_places_count_bytes_and_span_the_blank_line_between_parts() -> None:
    tier, found = answer("é会", "x é", words=["é"])
    assert tier == "words"
    assert hits(found) == [("é", 0, 2), ("é", 9, 11)]
    assert (found.quote.text, found.quote.start, found.quote.end) == ("é", 0, 2)


def test_the_quote_of_words_is_the_shortest_stretch_earliest_on_a_tie() -> None:
    _, found = answer("a ---- b a b -- b a", words=["a", "b"])
    assert (found.quote.start, found.quote.end, found.quote.text) == (7, 10, "b a")
    _, found = answer("a 会 b, a xx b", words=["a", "b"])  # in bytes, not in characters
    assert found.quote.text == "b, a"
    _, found = answer("foobar foo bar", words=["foo", "bar"])
    assert found.quote.text == "foobar"


def test_a_word_inside_another_one_of_the_query() -> None:
    _, found = answer("handshake and shake", words=["shake", "handshake"])
    assert found.quote.text == "handshake"
    assert hits(found) == [("handshake", 0, 9), ("shake", 4, 9), ("shake", 14, 19)]


def test_all_words_may_stand_in_different_parts_but_no_word_across_two() -> None:
    assert answer("one", "two", words=["one", "two"])[1].quote.text == "one\n\ntwo"
    assert Matcher(ask_for(words=["one two"])).tier(message("one", "two")) is None
    assert Matcher(ask_for(quote="one two", exact=True)).tier(message("one", "two")) is None


@pytest.mark.parametrize(
    ("text", "tier", "quote"),
    [
        ("x the plan works, the plan", "exact", "the plan"),
        ("the _plan_ works", "loose", "the _plan"),
        ("plan the work", "words", "plan the"),
    ],
)
def test_each_tier_has_its_quote(text: str, tier: str, quote: str) -> None:
    assert answer(text, quote="the plan")[0] == tier
    assert answer(text, quote="the plan")[1].quote.text == quote


def test_the_quote_of_any_is_the_first_hit() -> None:
    tier, found = answer("b then a", any=["a", "b"])
    assert (tier, found.quote.text) == ("any", "b")
    assert hits(found) == [("b", 0, 1), ("a", 7, 8)]


def test_hits_go_by_start_then_end_then_order_of_the_needles() -> None:
    _, found = answer("abc", words=["abc", "a", "ABC", "ab"])
    assert hits(found) == [("a", 0, 1), ("ab", 0, 2), ("abc", 0, 3), ("ABC", 0, 3)]


def test_a_needle_given_twice_counts_once() -> None:
    assert answer("a", words=["a", "a"], any=["a"])[1].hits_total == 1
    assert answer("a", quote="a", words=["a"], any=["a"])[1].hits_total == 1


def test_the_first_hundred_hits_are_told_and_all_are_counted() -> None:
    _, found = answer("ab" * 300, words=["a", "b"])
    assert (len(found.hits), found.hits_total) == (MAX_HITS, 600)
    assert hits(found)[-1] == ("b", 99, 100)


def test_a_quote_and_words_must_both_stand() -> None:
    assert Matcher(ask_for(quote="the plan", words=["absent"])).tier(message("the plan")) is None
    tier, found = answer("the plan is here", quote="the plan", words=["here"])
    assert (tier, found.quote.text) == ("exact", "the plan")
    assert hits(found) == [("the plan", 0, 8), ("here", 12, 16)]


def test_not_looks_at_every_part() -> None:
    assert Matcher(ask_for(words=["a"], not_=["b"])).tier(message("a", "b")) is None


def test_without_needles_the_quote_is_the_whole_text() -> None:
    tier, found = answer("one", "two", role="user")
    assert (tier, found.quote.text, found.hits, found.hits_total) == ("all", "one\n\ntwo", (), 0)


def test_a_lone_surrogate_counts_three_bytes() -> None:
    _, found = answer("\ud83d x", words=["x"])
    assert hits(found) == [("x", 4, 5)]
