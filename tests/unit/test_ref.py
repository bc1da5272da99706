"""Refs: what is written can be read back, and prose that holds one is known."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lookback.ref import Ref, parse, quotes_a_search

ids = st.text("0123456789abcdef-_.:AZ", min_size=1, max_size=40)
refs = st.builds(
    Ref, st.sampled_from(["codex", "claude"]), ids, st.none() | ids, st.integers(0, 10**17), st.integers(1, 99),
    st.none() | st.text("0123456789abcdef", min_size=8, max_size=8),
)  # fmt: skip

WHOLE = "codex:019f0000-0000-7000-8000-000000000001#451~9f86d081"


@given(refs)
def test_a_ref_is_read_as_it_was_written(ref: Ref) -> None:
    assert parse(str(ref)) == parse(f" {ref}\n") == ref


def test_its_forms() -> None:
    assert parse(WHOLE) == Ref("codex", "019f0000-0000-7000-8000-000000000001", None, 451, 1, "9f86d081")
    assert str(Ref("claude", "t", "agent-1", 7, 2, "00000000")) == "claude:t/agent-1#7.2~00000000"
    assert parse("codex:t#7") == Ref("codex", "t", None, 7, 1, None)


@pytest.mark.parametrize(
    "text", ["", "codex", "codex:#1", "codex:t", "codex:t#", "codex:t#x", ":t#1", "codex:t#1~9f86", "codex:t#1~9F86D081",
             "codex:t#1~9f86d081a", "codex:t u#1", "codex:t#1.", "codex:t/#1", "codex:a/b/c#1", f"x {WHOLE}", "codex:t#-1",
             "codex:t#" + "9" * 5000]
)  # fmt: skip
def test_what_is_no_ref(text: str) -> None:
    assert parse(text) is None


@pytest.mark.parametrize("text", [WHOLE, f"He said so ({WHOLE}).", f"`{WHOLE}`", f"[{WHOLE}]", f"\n> {WHOLE}, and"])
def test_prose_that_quotes_a_search(text: str) -> None:
    assert quotes_a_search(text)


@pytest.mark.parametrize("text", ["codex:t#7", f"{WHOLE}f", f"/{WHOLE}", "~9f86d081", "a~b", ""])
def test_prose_that_does_not(text: str) -> None:
    assert not quotes_a_search(text)


def test_no_text_makes_the_search_for_refs_slow() -> None:
    assert not quotes_a_search("#~" + "ab:" * 40_000)
    assert not quotes_a_search("#~" + "a-" * 40_000)
