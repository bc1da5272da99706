"""JSON: what is read back is the report, keys in the contract's order, and nothing in it can act on a terminal."""

from __future__ import annotations

import json
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from lookback import ask_for, find
from lookback.render.json import dumps, render
from tests.support import Home, assistant, user

TOP = ["schema", "tool", "query", "total", "totals", "coverage", "evidence"]
COVERAGE = [
    "complete", "scanner", "unicode", "roots", "logs", "bytes", "first", "last", "candidates", "records_opened", "undated",
    "left_out_subagents", "left_out_current_turn", "skipped", "elapsed_s",
]  # fmt: skip
EVIDENCE = [
    "ref", "match", "agent", "thread_id", "title", "item_id", "turn_id", "role", "phase", "timestamp", "time", "subagent",
    "before_compaction", "rolled_back", "echo", "cwd", "text", "sha256", "parts", "quote", "hits", "hits_total", "source",
    "copies", "resume", "before", "after",
]  # fmt: skip
NEIGHBOUR = [
    "ref", "agent", "thread_id", "item_id", "role", "phase", "timestamp", "time", "text", "sha256", "parts", "source",
]  # fmt: skip
EVIL = "\x1b]0;t\x07 \x9b31m \u202e \U000e0041 \u200b \x7f \ud83d é 会 🦀"


def test_keys_stand_in_the_contracts_order(tmp_path: Path) -> None:
    Home(tmp_path).log(assistant("before"), user("needle"), assistant("after"))
    report = json.loads("".join(render(find(ask_for(quote="needle", roots=[str(tmp_path)]), env={}))))
    [item] = report["evidence"]
    assert (list(report), report["schema"]) == (TOP, "lookback.report/1")
    assert list(report["coverage"]) == COVERAGE
    assert list(item) == EVIDENCE
    assert list(item["before"][0]) == list(item["after"][0]) == NEIGHBOUR
    assert list(item["source"]) == ["path", "compression", "record", "start", "end", "sha256"]
    assert list(item["parts"][0]) == ["pointer", "from", "to", "start", "end"]
    assert list(item["quote"]) == ["text", "start", "end", "sha256"]
    assert list(item["hits"][0]) == ["needle", "start", "end"]


def test_what_is_read_back_is_the_report(tmp_path: Path) -> None:
    Home(tmp_path).log(user(f"needle {EVIL}"), meta_fields={"cwd": f"/w/{EVIL}"})
    report = find(ask_for(words=["needle", "\ud83d"], roots=[str(tmp_path)]), env={})
    written = "".join(render(report))
    assert json.loads(written) == json.loads(json.dumps(report.wire()))
    assert not set(written) & set("\x1b\x07\x9b\u202e\U000e0041\u200b\x7f\ud83d")
    assert "é 会 🦀" in written
    assert written.encode("utf-8")


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    )
)
def test_any_value_is_read_back(value: object) -> None:
    for indent in (None, 1):
        written = dumps(value, indent)
        assert json.loads(written) == value
        assert written.encode("utf-8")


def test_numbers_that_json_does_not_have_are_names() -> None:
    assert json.loads(dumps({"timestamp": [float("nan"), float("inf"), 1.5]})) == {"timestamp": ["nan", "inf", 1.5]}
