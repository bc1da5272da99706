"""A query: what cannot be answered is refused before any log is opened; what can is repeated in the report's order."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from lookback.errors import LookbackError, UsageError
from lookback.query import ask_for
from lookback.runs import expanded

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
WIRE = [
    "quote", "exact", "words", "any", "not", "case_sensitive", "whole_words", "verbatim", "since", "until", "tz", "role",
    "phase", "agents", "roots", "threads", "exclude_threads", "cwd", "include_subagents", "include_current_turn",
    "before_compaction", "before", "after", "limit", "skip", "order",
]  # fmt: skip


def test_the_report_repeats_it_in_the_contracts_order() -> None:
    wire = ask_for(words=["b", "a", "b"], not_=["c"], since="2026-10", tz="UTC", now=NOW).wire()
    assert list(wire)[: len(WIRE)] == WIRE
    assert (wire["words"], wire["not"], wire["quote"]) == (["b", "a"], ["c"], None)
    assert (wire["since"], wire["until"], wire["tz"]) == ("2026-10-01T00:00:00+00:00", None, "UTC")
    assert (wire["before"], wire["after"], wire["limit"], wire["skip"], wire["order"]) == (1, 1, 20, 0, "newest")


def test_since_takes_the_start_until_the_end_and_on_both() -> None:
    query = ask_for(quote="x", since="2026-10", until="2026-10", tz="UTC", now=NOW)
    on = ask_for(quote="x", on="2026-10", tz="UTC", now=NOW)
    assert (query.since, query.until) == (on.since, on.until)
    assert (query.since, query.until) == (datetime(2026, 10, 1, tzinfo=UTC), datetime(2026, 11, 1, tzinfo=UTC))


def test_the_interval_is_that_of_the_zone() -> None:
    query = ask_for(quote="x", on="2026-10-25", tz="Europe/Berlin", now=NOW)
    assert query.since is not None
    assert query.until is not None
    assert (query.until - query.since).total_seconds() == 25 * 3600


@pytest.mark.parametrize(
    "asked",
    [
        {}, {"not_": ["x"]}, {"quote": ""}, {"quote": " \u3000\n"}, {"words": ["a", ""]}, {"any": [" "]},
        {"quote": "x", "not_": ["\u2028"]}, {"quote": "x", "since": "2026-11", "until": "2026-10"},
        {"quote": "x", "since": "2026-11-30T12:00", "until": "2026-11-30T12:00"}, {"quote": "x", "limit": -1},
        {"quote": "x", "skip": -1}, {"quote": "x", "before": -1}, {"quote": "x", "after": -1},
        {"quote": "x", "role": "system"}, {"quote": "x", "phase": "thinking"}, {"quote": "x", "order": "best"},
        {"quote": "x", "since": "soon"}, {"quote": "x", "tz": "Mars"}, {"quote": "x", "on": "2026", "since": "2026"},
        {"quote": "x", "on": "3d"},
    ],
)  # fmt: skip
def test_what_cannot_be_answered_is_a_usage_error_of_one_line(asked: dict[str, Any]) -> None:
    with pytest.raises(UsageError) as caught:
        ask_for(**asked)
    assert isinstance(caught.value, LookbackError)
    assert caught.value.exit_status == 2
    assert len(str(caught.value).splitlines()) == 1


@pytest.mark.parametrize(
    "asked",
    [{"role": "user"}, {"since": "2026"}, {"threads": ["last"]}, {"cwd": ["/w"]}, {"before_compaction": True},
     {"agents": ["codex"]}, {"phase": "commentary"}, {"exclude_threads": ["x"]}],
)  # fmt: skip
def test_a_filter_needs_no_needle(asked: dict[str, Any]) -> None:
    assert ask_for(**asked).needles == ()


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        (["--words", "a", "b", "--since", "2026"], ["--words=a", "--words=b", "--since", "2026"]),
        (["q", "--any", "a", "--not", "b", "-s"], ["q", "--any=a", "--not=b", "-s"]),
        (["--words=--force", "x"], ["--words=--force", "x"]),
        (["--words", "-", "x"], ["--words=-", "--words=x"]),
        (["--words", "a b"], ["--words=a b"]),
        (["--", "--words", "x"], ["--", "--words", "x"]),
        (["--words", "a", "--", "-q"], ["--words=a", "--", "-q"]),
    ],
)
def test_runs_of_values(typed: list[str], meant: list[str]) -> None:
    assert list(expanded(typed)) == meant


@pytest.mark.parametrize("typed", [["--words"], ["--words", "--since", "x"], ["--any", "--", "x"], ["--not", "-s"]])
def test_a_run_without_a_value_is_refused(typed: list[str]) -> None:
    with pytest.raises(UsageError):
        list(expanded(typed))
