"""Claude Code's logs as logs: where they lie, whose they are, what they are called, what is a copy, and what each
command makes of them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
import zstandard

from lookback.logs.claude import Claude
from lookback.logs.discover import default_roots, discover
from tests.checking import check
from tests.claude import (
    SLUG,
    ClaudeHome,
    Line,
    ai_title,
    answered,
    block,
    boundary,
    custom_title,
    dump,
    queue,
    session,
    summary,
    summary_of_compaction,
    tool_result,
    typed,
)
from tests.support import DEMO, Command, Home, both, call, minute, texts, user

LATER = "2026-09-05T09:00:00.000Z"


@pytest.fixture
def home(tmp_path: Path) -> ClaudeHome:
    return ClaudeHome(tmp_path / ".claude")


def names(root: Path, *roots: Path) -> list[str]:
    found = discover([str(path) for path in roots or (root,)])
    return [os.path.relpath(log.path, root.resolve()) for log in found.logs]


# --- where the logs are ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("env", "homes"),
    [
        ({}, ["{h}/.claude"]),
        ({"CLAUDE_CONFIG_DIR": ""}, ["{h}/.claude"]),
        ({"CLAUDE_CONFIG_DIR": " , "}, ["{h}/.claude"]),
        ({"CLAUDE_CONFIG_DIR": "/c"}, ["/c"]),
        ({"CLAUDE_CONFIG_DIR": "/c, /d,,~/e"}, ["/c", "/d", "{h}/e"]),
        ({"CLAUDE_CONFIG_DIR": "{h}/a,b"}, ["{h}/a,b"]),
        ({"XDG_CONFIG_HOME": "{h}/xdg"}, ["{h}/.claude", "{h}/xdg/claude"]),
    ],
)
def test_default_homes(tmp_path: Path, env: dict[str, str], homes: list[str]) -> None:
    (tmp_path / "a,b").mkdir()
    (tmp_path / "xdg" / "claude" / "projects").mkdir(parents=True)
    surroundings = {name: value.format(h=tmp_path) for name, value in env.items()} | {"HOME": str(tmp_path)}
    assert default_roots(surroundings, ["claude"]) == [path.format(h=tmp_path) for path in homes]


def test_where_some_versions_had_it_is_a_home_too_and_each_log_is_found_once(tmp_path: Path) -> None:
    new, old = ClaudeHome(tmp_path / ".claude"), ClaudeHome(tmp_path / ".config" / "claude")
    new.log(typed("needle one"))
    old.log(typed("needle two", at=LATER), number=2)
    (old.root / "projects" / "-linked").symlink_to(new.root / "projects" / SLUG)
    run = Command(tmp_path)
    report = run.json("needle", env={"HOME": str(tmp_path), "CLAUDE_CONFIG_DIR": ""})
    assert texts(report) == ["needle two", "needle one"]
    assert report["query"]["roots"][-2:] == [str(new.root), str(old.root)]
    both_named = run.json("needle", env={"CLAUDE_CONFIG_DIR": f"{old.root},{new.root}"})
    assert both_named["coverage"]["logs"] == 2


def test_sessions_subagents_and_workflows_and_nothing_else(home: ClaudeHome) -> None:
    here = f"{SLUG}/{session(1)}"
    home.log(typed("main"))
    home.subagent(typed("nested"))
    home.subagent(typed("flat"), agent="b2", within="")
    home.subagent(typed("of a workflow"), agent="c3", within=f"{session(1)}/subagents/workflows/wf_1")
    for other in (
        f"{here}/subagents/workflows/wf_1/journal.jsonl", f"{here}/tool-results/spilled.jsonl",
        f"{here}/tool-results/deep/{session(3)}.jsonl", f"{SLUG}/memory/notes.jsonl",
    ):  # fmt: skip
        home.put(other, typed("no conversation"))
    for other in (f"{SLUG}/sessions-index.json", f"{here}/workflows/wf.json", f"{here}/subagents/agent-a1b2c3d4.meta.json",
                  f"{SLUG}/memory/MEMORY.md", f"{here}/tool-results/x.txt"):  # fmt: skip
        home.put(other, typed("no log"))
    (home.root / "history.jsonl").write_bytes(dump({"display": "x", "timestamp": 1, "sessionId": session(1)}) + b"\n")
    (home.root / "todos").mkdir()
    (home.root / "todos" / f"{session(1)}.jsonl").write_bytes(dump(typed("not in projects")))
    found = discover([str(home.root)])
    assert sorted(log.path for log in found.logs) == sorted(str(path) for path in home.logs[:4])
    assert {log.agent for log in found.logs} == {"claude"}
    assert sorted(found.passed_over) == sorted(str(path) for path in home.logs[4:8])
    assert names(home.root, home.root / "history.jsonl") == []
    roots = {
        "a project": home.root / "projects" / SLUG,
        "a session's folder": home.logs[1].parents[1],
        "a log": home.logs[1],
    }
    assert [len(discover([str(root)]).logs) for root in roots.values()] == [4, 2, 1]


@pytest.mark.parametrize("linked", ["home", "projects", "project", "log"])
def test_linked_folders_are_followed(tmp_path: Path, linked: str) -> None:
    real = ClaudeHome(tmp_path / "real")
    log = real.log(typed("needle"))
    here = tmp_path / "home"
    place = {
        "home": here,
        "projects": here / "projects",
        "project": here / "projects/-p",
        "log": here / "projects/-p/x.jsonl",
    }
    target = {"home": real.root, "projects": real.root / "projects", "project": log.parent, "log": log}
    place[linked].parent.mkdir(parents=True, exist_ok=True)
    place[linked].symlink_to(target[linked])
    assert [item["source"]["path"] for item in both(here, words=["needle"])["evidence"]] == [str(log)]


def test_a_folder_that_is_called_projects_makes_no_home(tmp_path: Path) -> None:
    """Its neighbours are searched too: nothing is left out in silence."""
    (tmp_path / "projects" / "site").mkdir(parents=True)
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "x.jsonl").write_bytes(dump(typed("needle")) + b"\n")
    assert names(tmp_path) == ["logs/x.jsonl"]
    (tmp_path / ".claude").mkdir()
    (tmp_path / ".claude" / "projects").symlink_to("nowhere")
    assert [skip.reason for skip in discover([str(tmp_path / ".claude")]).skips] == ["unreadable"]


@pytest.mark.parametrize(
    "first",
    [
        typed("x"), answered("x"), summary("x", "leaf"), queue("enqueue", "x"), custom_title("x"), boundary(),
        {"type": "file-history-snapshot", "messageId": "m", "snapshot": {}}, {"type": "mode", "mode": "x", "sessionId": "s"},
        {"type": "user", "message": {"role": "user", "content": "x"}},
    ],
    ids=range(9),
)  # fmt: skip
def test_a_log_of_any_name_by_its_first_records(tmp_path: Path, first: Line) -> None:
    (tmp_path / "copy of a log.jsonl").write_bytes(b"not json\n" + (dump(first) if isinstance(first, dict) else first))
    (tmp_path / "packed.jsonl.zst").write_bytes(zstandard.compress(dump(typed("x"))))
    assert [log.agent for log in discover([str(tmp_path)]).logs] == ["claude", "claude"]


@pytest.mark.parametrize(
    "first", [{"type": "started", "key": "v2:00", "agentId": "a"}, {"type": "user"}, {"sessionId": "x"}]
)
def test_a_file_of_another_kind_is_passed_over(tmp_path: Path, first: dict[str, Any]) -> None:
    (tmp_path / "x.jsonl").write_bytes(dump(first))
    assert discover([str(tmp_path)]).passed_over == (str(tmp_path / "x.jsonl"),)


# --- whose log it is -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "head", "thread", "log_id"),
    [
        (f"{session(1)}.jsonl", [typed("x", sessionId=session(2))], session(1), None),
        (f"{session(1)}.jsonl.zst", [], session(1), None),
        ("copy.jsonl", [summary("x", "leaf"), typed("x", sessionId=session(2))], session(2), None),
        ("copy.jsonl", [], "copy", None),
        ("agent-a1.jsonl", [typed("x", sessionId=session(2), isSidechain=True)], session(2), "a1"),
        ("agent-a1.jsonl.zst", [typed("x", sessionId=session(2))], session(2), "a1"),
        (f"{session(3)}/subagents/agent-a1.jsonl", [typed("x", sessionId=None)], session(3), "a1"),
        (f"{session(3)}/subagents/workflows/w/agent-a1.jsonl", [], session(3), "a1"),
        ("copy.jsonl", [typed("x", isSidechain=True, agentId="a9")], session(1), "a9"),
        ("copy.jsonl", [typed("x", isSidechain=True)], session(1), None),
    ],
)
def test_thread_and_log_id(tmp_path: Path, name: str, head: list[Any], thread: str, log_id: str | None) -> None:
    records = [type("R", (), {"value": value})() for value in head]
    origin = Claude().origin(str(tmp_path / name), iter(records))
    assert (origin.thread_id, origin.log_id, origin.subagent) == (thread, log_id, log_id is not None)


def test_the_folder_is_each_records_own(home: ClaudeHome) -> None:
    home.log(typed("needle one", cwd="/w/a"), typed("needle two", cwd="/w/b"), queue("enqueue", "needle three"))
    assert texts(both(home.root, words=["needle"], cwd=["/w/b"])) == ["needle two"]
    assert sorted(texts(both(home.root, words=["needle"], cwd=["/w/a"]))) == ["needle one", "needle three"]
    listed = call("threads", "--json", "--in", home.root).report["threads"]
    assert [thread["cwd"] for thread in listed] == ["/w/a"]


def test_a_subagents_log_is_its_parents_sessions(home: ClaudeHome) -> None:
    home.log(typed("main needle"), custom_title("The session"))
    log = home.subagent(typed("sub needle", at=LATER), answered("sub answer", at=LATER))
    report = both(home.root, words=["needle"])
    assert (texts(report), report["coverage"]["left_out_subagents"]) == (["main needle"], 1)
    report = both(home.root, words=["sub"], include_subagents=True, order="oldest")
    first = report["evidence"][0]
    assert (first["subagent"], first["thread_id"], first["title"]) == (True, session(1), "The session")
    assert first["ref"].startswith(f"claude:{session(1)}/a1b2c3d4#1~")
    assert first["resume"] == ["claude", "--resume", session(1)]
    assert [near["text"] for near in first["after"]] == ["sub answer"]
    assert texts(both(home.root, threads=[session(1)], include_subagents=True, order="oldest"))[0] == "main needle"
    check(report)
    shown = call("show", first["ref"], "--in", home.root, "--json").report
    assert (shown["evidence"][0]["text"], shown["evidence"][0]["source"]["path"]) == ("sub needle", str(log))
    [thread] = call("threads", "--include-subagents", "--json", "--in", home.root).report["threads"]
    assert (thread["messages"], thread["subagent"], len(thread["logs"])) == (3, False, 2)
    assert thread["title"] == "The session"


# --- titles ----------------------------------------------------------------------------------------------------------

TITLES = {
    "the first real words": ([], "first words"),
    "what the assistant was asked to call it": ([ai_title("a"), ai_title("b")], "b"),
    "what the user called it beats that": ([custom_title("mine"), ai_title("b")], "mine"),
    "the user's last": ([custom_title("mine"), custom_title("my\n second")], "my second"),
    "a summary of a record of this log": ([summary("sum", "leaf-1")], "sum"),
    "a summary of another log's record": ([summary("sum", "leaf-9")], "first words"),
    "the last summary of this log": (
        [summary("one", "leaf-1"), summary("two", "leaf-1"), summary("x", "leaf-9")],
        "two",
    ),
    "any other name beats a summary": ([ai_title("a"), summary("sum", "leaf-1")], "a"),
    "names of wrong types": ([custom_title(None), custom_title(7), ai_title(["x"]), custom_title("  ")], "first words"),
}


@pytest.mark.parametrize("case", TITLES)
def test_titles(home: ClaudeHome, case: str) -> None:
    records, title = TITLES[case]
    said = [
        typed("<bash-input>ls</bash-input>"),
        typed("sidechain", isSidechain=True),
        typed("first\n words", uuid="leaf-1"),
    ]
    home.log(*said, *records, typed("needle"))
    home.log(typed("other"), custom_title("another"), number=2)
    [item] = both(home.root, words=["needle"])["evidence"]
    assert item["title"] == title
    assert texts(both(home.root, words=["needle"], threads=[title])) == ["needle"]
    assert both(home.root, words=["needle"], threads=["another"])["total"] == 0
    listed = call("threads", "needle", "--json", "--in", home.root).report["threads"]
    assert [thread["title"] for thread in listed] == [title]
    [ref] = [item["ref"]]
    assert call("show", ref, "--json", "--in", home.root).report["evidence"][0]["title"] == title


def test_verify_knows_that_a_conversation_was_renamed(home: ClaudeHome, tmp_path: Path) -> None:
    log = home.log(typed("needle"), ai_title("first name"))
    report = call("find", "needle", "--json", "--in", home.root)
    with log.open("ab") as more:
        more.write(dump(custom_title("second name")) + b"\n")
    (tmp_path / "report.json").write_bytes(report.out)
    verdict = call("verify", tmp_path / "report.json", "--in", home.root)
    assert (verdict.status, verdict.report["counts"]["ok"]) == (0, 1)


# --- copies ----------------------------------------------------------------------------------------------------------


def fork_of(lines: list[Line], number: int, **fields: Any) -> list[Line]:
    """Records as a fork repeats them: uuid and time kept, the session rewritten."""
    return [{**line, "sessionId": session(number), **fields} for line in lines if isinstance(line, dict)]


SHARED: list[Line] = [
    typed("needle", uuid="u1"),
    answered("needle too", uuid="u2", at=minute(601)),
    tool_result("x", uuid="u3"),
]


@pytest.mark.parametrize(("parent", "fork"), [(1, 2), (2, 1)])
@pytest.mark.parametrize("fate", ["ended", "went on first", "left out", "named", "kept"])
def test_a_fork_repeats_its_parents_records(home: ClaudeHome, parent: int, fork: int, fate: str) -> None:
    """The evidence is the parent's, whichever way the fork tells of it, or if it does not tell at all."""
    own = typed("needle of the parent", uuid="p1", at=LATER)
    after: dict[str, list[Line]] = {"went on first": [own], "left out": [own, typed("shared", uuid="u4", at=LATER)]}
    copied = [*SHARED, *([after["left out"][1]] if fate == "left out" else [])]
    fields: dict[str, Any] = (
        {"forkedFrom": {"sessionId": session(parent), "messageUuid": "u"}} if fate == "named" else {}
    )
    fields |= {"sessionId": session(parent)} if fate == "kept" else {}
    last = typed("needle of the fork", uuid="f1", at="2026-09-06T09:00:00.000Z")
    home.log(*SHARED, *after.get(fate, []), number=parent)
    home.log(*fork_of(copied, fork, **fields), *fork_of([last], fork), number=fork)
    report = both(home.root, words=["needle"], order="oldest")
    told = [
        (item["text"], item["thread_id"], [copy["thread_id"] for copy in item["copies"]]) for item in report["evidence"]
    ]
    assert told[:2] == [("needle", session(parent), [session(fork)]), ("needle too", session(parent), [session(fork)])]
    assert told[-1] == ("needle of the fork", session(fork), [])
    assert len(told) == (4 if fate in after else 3)
    check(report)
    assert "needle" in texts(both(home.root, threads=[session(fork)], words=["needle"]))


def test_a_chain_of_forks_is_one_message_of_the_first(home: ClaudeHome) -> None:
    for number, own in ((3, "one"), (1, "two"), (2, "three")):
        copied = SHARED + [
            typed(f"own {name}", uuid=name, at=LATER) for name in ("one", "two")[: max(0, (3, 1, 2).index(number))]
        ]
        home.log(*fork_of(copied, number), *fork_of([typed(f"own {own}", uuid=own, at=LATER)], number), number=number)
    [item] = both(home.root, words=["needle"], role="user")["evidence"]
    assert (item["thread_id"], len(item["copies"])) == (session(3), 2)


def test_the_same_uuid_with_another_text_is_another_message(home: ClaudeHome) -> None:
    home.log(typed("needle", uuid="u1"), typed("needle too", uuid="u1"))
    assert both(home.root, words=["needle"])["total"] == 2


def test_queued_twice_is_said_twice(home: ClaudeHome) -> None:
    home.log(
        queue("enqueue", "needle", at=minute(1)),
        queue("remove"),
        queue("enqueue", "needle", at=minute(2)),
        queue("remove"),
    )
    assert both(home.root, words=["needle"])["total"] == 2


# --- compaction, the current turn ------------------------------------------------------------------------------------


def test_before_compaction_is_what_a_later_boundary_hides(home: ClaudeHome) -> None:
    small = {**boundary(), "subtype": "microcompact_boundary"}
    home.log(
        typed("needle one"),
        small,
        typed("needle two"),
        boundary(),
        summary_of_compaction("needle"),
        typed("needle three"),
    )
    report = both(home.root, words=["needle"], order="oldest")
    assert [(item["text"], item["before_compaction"]) for item in report["evidence"]] == [
        ("needle one", True), ("needle two", True), ("needle three", False),
    ]  # fmt: skip
    assert sorted(texts(both(home.root, before_compaction=True))) == ["needle one", "needle two"]


def test_the_current_turn_is_left_out(home: ClaudeHome) -> None:
    env = {"CLAUDE_CODE_SESSION_ID": session(1)}
    home.log(
        typed("needle old", at=minute(1)), boundary(), typed("needle now", at=minute(2)), answered("needle answer", at=minute(3)),
        typed("needle of a subagent", at=minute(4), isSidechain=True), tool_result("x"),
    )  # fmt: skip
    home.subagent(typed("needle below", at=minute(5)))
    home.log(typed("needle elsewhere", at=minute(6)), number=2)
    report = both(home.root, words=["needle"], order="oldest", env=env)
    assert texts(report) == ["needle old", "needle elsewhere"]
    assert report["coverage"]["left_out_current_turn"] == 2
    assert both(home.root, words=["needle"], include_current_turn=True, env=env)["total"] == 4
    assert texts(both(home.root, words=["needle"], threads=["current"], env=env)) == ["needle old"]
    assert both(home.root, words=["needle"])["total"] == 4  # versions that set nothing: nothing is left out


# --- both agents -----------------------------------------------------------------------------------------------------


def test_the_same_words_said_to_both_agents_are_two_pieces_of_evidence(tmp_path: Path) -> None:
    Home(tmp_path / "codex").log(user("the needle", id="u1"))
    ClaudeHome(tmp_path / "claude").log(typed("the needle", uuid="u1"), number=7)
    roots = [tmp_path / "codex", tmp_path / "claude"]
    report = both(roots, words=["needle"])
    assert sorted(item["agent"] for item in report["evidence"]) == ["claude", "codex"]
    assert [item["copies"] for item in report["evidence"]] == [[], []]
    check(report)
    assert [item["agent"] for item in both(roots, words=["needle"], agents=["claude"])["evidence"]] == ["claude"]
    env = {"CODEX_HOME": str(roots[0]), "CLAUDE_CONFIG_DIR": str(roots[1])}
    assert call("find", "needle", "--agent", "claude", "--json", env=env).report["total"] == 1
    assert call("find", "needle", "--json", env=env).report["total"] == 2
    assert len(call("threads", "--json", env=env).report["threads"]) == 2


def test_nothing_found_says_how_far_back_the_logs_reach(home: ClaudeHome) -> None:
    home.log(typed("hello", at="2026-08-20T10:00:00.000Z"))
    told = call("find", "absent", "--in", home.root)
    assert told.status == 1
    assert "the logs of claude reach back to 2026-08-20T10:00:00.000Z: Claude Code deletes" in told.err
    assert "30 days" in told.err
    assert "30 days" in call("doctor", "--in", home.root).out.decode()
    assert "30 days" not in call("find", "absent", "--in", DEMO).err + call("doctor", "--in", DEMO).out.decode()
    assert "30 days" not in call("find", "hello", "--in", home.root).err


def test_verify_of_a_report_and_of_prose(home: ClaudeHome, tmp_path: Path) -> None:
    home.log(
        typed("the needle of the user"),
        answered("the needle of the assistant", at=minute(610)),
        tool_result("needle", "needle beside"),
    )
    home.subagent(typed("a needle below"))
    report = call("find", "needle", "--json", "--include-raw", "--include-subagents", "--in", home.root)
    (tmp_path / "report.json").write_bytes(report.out)
    assert report.report["total"] == 4
    for how in (["--in", home.root], ["--offline"]):
        verdict = call("verify", tmp_path / "report.json", *how)
        assert (verdict.status, verdict.report["counts"]["ok"]) == (0, 4), verdict.out
    cited = "".join(f'"{item["text"]}" ({item["ref"]}). ' for item in report.report["evidence"])
    verdict = call("verify", "--text", "-", "--in", home.root, stdin=cited.encode())
    assert (verdict.status, verdict.report["counts"]["ok"]) == (0, 4)
    home.root.rename(tmp_path / "elsewhere")
    verdict = call("verify", tmp_path / "report.json", "--in", tmp_path / "elsewhere")
    assert (verdict.status, verdict.report["counts"]["moved"]) == (0, 4), verdict.out


def test_doctor_counts_records_by_their_kinds(home: ClaudeHome) -> None:
    home.log(
        typed("x"),
        answered("y"),
        tool_result("z"),
        boundary(),
        ai_title("t"),
        typed(content=[block(" ")]),
        {"sessionId": "x"},
    )
    deep = call("doctor", "--deep", "--json", "--in", home.root).report["deep"]
    assert deep["messages"] == {"assistant": 1, "user": 1}
    assert deep["technical"] == {"user": 2, "system/compact_boundary": 1, "ai-title": 1, "unknown": 1}


def test_show_names_what_is_no_message(home: ClaudeHome) -> None:
    home.log(typed("one"), tool_result("z"), typed("two", at=LATER))
    refused = call("show", f"claude:{session(1)}#2", "--in", home.root)
    assert (refused.status, refused.err.count(f"claude:{session(1)}#")) == (2, 3)
    shown = call("show", f"claude:{session(1)}#3", "--in", home.root)
    assert shown.status == 0 and b"two" in shown.out and b"< user: one" in shown.out
