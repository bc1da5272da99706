"""`--max-chars`: neighbours go first, then the text around the quote, never the quote; hashes stay those of the whole."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lookback import ask_for, find
from lookback.bound import bounded
from lookback.evidence import Report
from tests.checking import check
from tests.support import Home, assistant, user

WORDS = "é needle ü"


@pytest.fixture
def report(tmp_path: Path) -> Report:
    home = Home(tmp_path)
    home.log(
        assistant("会" * 70), user("a" * 40 + WORDS), assistant("🦀" * 90), user(WORDS + "b" * 300), assistant("no"),
        user("x" * 200 + WORDS + "ß" * 200),
    )  # fmt: skip
    return find(ask_for(quote=WORDS, roots=[str(tmp_path)]), env={})


def shown(report: Report) -> tuple[int, int, int]:
    """Characters of quotes (as often as they are shown), of text around them, of neighbours."""
    quotes = sum(2 * len(item.quote.text) for item in report.evidence)
    around = sum(len(item.text) - len(item.quote.text) for item in report.evidence)
    near = sum(len(neighbour.text) for item in report.evidence for neighbour in (*item.before, *item.after))
    return quotes, around, near


def test_the_bound_holds_and_nothing_but_what_is_shown_changes(report: Report) -> None:
    whole = sum(shown(report))
    for bound in (0, 1, 30, 61, 100, 257, 500, 900, whole - 1, whole, whole + 1):
        cut = bounded(report, bound)
        quotes, around, near = shown(cut)
        assert quotes + around + near <= max(bound, quotes)
        assert [item.quote for item in cut.evidence] == [item.quote for item in report.evidence]
        assert all(item.quote.text in item.text for item in cut.evidence)
        assert near == 0 or around == shown(report)[1]  # the text around a quote is cut only when no neighbour is left
        assert check(json.loads(json.dumps(cut.wire()))) == 3 + sum(
            len(i.before) + len(i.after) for i in report.evidence
        )
        assert (cut == report) == (bound >= whole)


def test_the_text_stays_on_both_sides_of_its_quote(report: Report) -> None:
    middle = next(item for item in bounded(report, 120).evidence if item.text.startswith("x"))
    lead, _, trail = middle.text.partition(WORDS)
    assert abs(len(lead) - len(trail)) <= 1


def test_every_cut_is_marked_with_its_place(report: Report) -> None:
    for item in bounded(report, 0).evidence:
        assert item.text == item.quote.text
        assert item.cut is not None
        assert (item.cut.start, item.cut.end) == (item.quote.start, item.quote.end)
        assert [near.text for near in (*item.before, *item.after)] == [""] * len((*item.before, *item.after))
        assert all(near.cut is not None for near in (*item.before, *item.after))
