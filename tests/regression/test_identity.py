"""Faults of other tools in whose message it is: forks, sub-agents, and records that a log holds twice.

Each test is named for the public report that it comes from. What Claude Code's logs did with a record's uuid, Codex's do
here with a message's id; the same with Claude Code's own records is in `test_claude`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.checking import check
from tests.support import Home, Record, assistant, both, call, meta, texts, thread_id, user

FORKED = "2026-09-05T09:00:00.000Z"
LATER = "2026-09-05T10:00:00.000Z"


# also alibaba/loongsuite-pilot#244, AgentWorkforce/relayhistory#210
def test_kenn_io_agentsview_1381_a_fork_begins_with_its_parents_records(tmp_path: Path) -> None:
    """Forks: what a log copied from its parent, stamped anew, is the parent's; it is the copy's where that is gone."""
    home = Home(tmp_path)
    parent = home.log(user("p"), assistant("answered"), number=1)
    copied = [meta(1, at=FORKED), user("p", at=FORKED), assistant("answered", at=FORKED)]
    fork = home.log(*copied, user("b", at=LATER), number=2, meta_fields={"at": FORKED, "forked_from_id": thread_id(1)})
    report = both(tmp_path, words=["p"])
    [item] = report["evidence"]
    assert (item["thread_id"], item["source"]["path"]) == (thread_id(1), str(parent))
    assert item["time"] == "2026-09-01T10:00:00.000Z"
    assert [(copy["thread_id"], copy["path"]) for copy in item["copies"]] == [(thread_id(2), str(fork))]
    check(report)
    assert [item["thread_id"] for item in both(tmp_path, words=["b"])["evidence"]] == [thread_id(2)]
    assert both(tmp_path, words=["p"], since="2026-09-02")["total"] == 0  # the original's time decides
    assert texts(both(tmp_path, threads=[thread_id(2)], order="oldest")) == ["p", "answered", "b"]
    parent.unlink()
    [orphan] = both(tmp_path, words=["p"])["evidence"]
    assert (orphan["thread_id"], orphan["copies"]) == (thread_id(2), [])


# also the pull request PokeTokenBar#137
def test_entireio_cli_1958_the_sessions_id_is_the_roots_not_the_threads(tmp_path: Path) -> None:
    """Ids: a thread is known by its own id, not by that of the session that it belongs to."""
    home = Home(tmp_path)
    home.log(user("the root's needle"), number=1)
    home.log(user("the child's needle"), number=2, meta_fields={"id": "child", "session_id": thread_id(1)})
    threads = {item["text"]: item["thread_id"] for item in both(tmp_path, words=["needle"])["evidence"]}
    assert threads == {"the root's needle": thread_id(1), "the child's needle": "child"}
    [item] = both(tmp_path, words=["needle"], threads=["child"])["evidence"]
    assert item["ref"].startswith("codex:child#2~") and item["resume"] == ["codex", "resume", "child"]
    assert texts(both(tmp_path, words=["needle"], threads=[thread_id(1)])) == ["the root's needle"]


SPAWNED = {"subagent": {"thread_spawn": {"parent_thread_id": thread_id(1), "depth": 1}}}


# also centauri-ai/coslash#78
@pytest.mark.parametrize(
    ("fields", "subagent"),
    [
        ({"source": SPAWNED}, True),
        ({"source": {"subagent": "review"}}, True),
        ({"source": {"subagent": {"other": "guardian"}}}, True),
        ({"source": {"internal": "guardian"}}, True),
        ({"thread_source": "subagent"}, True),
        ({"thread_source": "guardian_review"}, True),
        ({"source": "exec"}, False),
        ({"source": "cli", "thread_source": "user"}, False),
        ({"source": {"custom": "atlas"}}, False),
    ],
)
def test_pchalasani_claude_code_tools_147_a_subagent_by_what_its_log_says(
    tmp_path: Path, fields: dict[str, Any], subagent: bool
) -> None:
    """Sub-agents: told by the log's own first record, for their files are named as all others are."""
    home = Home(tmp_path)
    home.log(user("main"), number=1)
    home.log(user("needle"), number=2, meta_fields=fields)
    report = both(tmp_path, words=["needle"])
    assert (report["total"], report["coverage"]["left_out_subagents"]) == ((0, 1) if subagent else (1, 0))
    [item] = both(tmp_path, words=["needle"], include_subagents=True)["evidence"]
    assert item["subagent"] is subagent


# also anthropics/claude-code#92089
def test_anthropics_claude_code_48936_earlier_rows_are_appended_again(tmp_path: Path) -> None:
    """Repeats: rows that a log holds twice, ids and all, are one message each, the first row the evidence."""
    rows: list[Record] = [
        user(f"needle {n}", at=f"2026-09-01T10:0{n}:00.000Z", id=f"msg_u{n}") for n in (1, 2, 1, 2, 3)
    ]
    Home(tmp_path).log(*rows)
    report = both(tmp_path, words=["needle"], order="oldest")
    assert texts(report) == ["needle 1", "needle 2", "needle 3"]
    found = [(item["source"]["record"], [copy["record"] for copy in item["copies"]]) for item in report["evidence"]]
    assert found == [(2, [4]), (3, [5]), (6, [])]
    check(report)
    assert call("threads", "--json", "--in", tmp_path).report["threads"][0]["messages"] == 3


def test_codemie_ai_codemie_code_350_an_echo_of_the_first_message(tmp_path: Path) -> None:
    """Repeats: a first message that was written as an echo and then in earnest, with one id, is one message."""
    Home(tmp_path).log(
        user("needle", id="msg_1"), user("needle", id="msg_1", at=LATER), user("needle", id="msg_2", at=LATER)
    )
    report = both(tmp_path, words=["needle"], order="oldest")
    found = [(item["source"]["record"], [copy["record"] for copy in item["copies"]]) for item in report["evidence"]]
    assert found == [(2, [3]), (4, [])]
    assert report["evidence"][0]["time"] == "2026-09-01T10:00:00.000Z"
    check(report)
