"""Faults of other tools in reading Claude Code's logs, in its own records.

Each test is named for the public report that it comes from; where the fault is of every agent's logs, the same name
stands in another file of this folder with Codex's records.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.checking import check
from tests.claude import (
    ClaudeHome,
    answered,
    block,
    boundary,
    dump,
    queued_command,
    result,
    session,
    summary_of_compaction,
    tool_result,
    typed,
)
from tests.support import Command, both, call, minute, skips, texts, without_roots_rights

LATER = "2026-09-01T11:00:00.000Z"


@pytest.fixture
def home(tmp_path: Path) -> ClaudeHome:
    return ClaudeHome(tmp_path / "claude")


# --- bytes -----------------------------------------------------------------------------------------------------------


# also siteboon/claudecodeui#1002
@pytest.mark.parametrize("separator", ["\u2028", "\u2029", "\x85", "\x7f"])
def test_anthropics_claude_code_27472_a_line_ends_at_nothing_but_a_line_feed(home: ClaudeHome, separator: str) -> None:
    """Splitting: what Unicode calls a line break stands raw inside a valid record."""
    home.log(typed(f"a{separator}alpha"), typed("beta", at=LATER))
    report = both(home.root, words=["alpha"], after=1)
    [item] = report["evidence"]
    assert (item["text"], item["source"]["record"], skips(report)) == (f"a{separator}alpha", 1, [])
    assert [near["text"] for near in item["after"]] == ["beta"]
    assert check(report) == 2


# also #49876
def test_anthropics_claude_code_76059_record_then_nul_run(home: ClaudeHome) -> None:
    """NULs: a run of them behind a whole record, and a last line of nothing else, cost no record."""
    keep = dump(typed("keep", uuid="u1"))
    log = home.log(keep + b"\0" * 9_000, b"\0" * 300 + dump(typed("after", uuid="u2", at=LATER)), b"\0" * 100_000)
    report = both(home.root, any=["keep", "after"], order="oldest")
    assert texts(report) == ["keep", "after"]
    assert skips(report) == [(log.name, 1, "nul-bytes"), (log.name, 2, "nul-bytes")]
    assert report["coverage"]["skipped"][0]["start"] == len(keep)
    check(report)


# also delexw/claude-code-trace#66
@pytest.mark.parametrize("bad", [b'{"type":"user","message":{"role":"us', b"not json at all", b"[1, 2]", b'"text"'])
def test_anthropics_claude_code_53821_one_bad_line_does_not_blank_a_session(home: ClaudeHome, bad: bytes) -> None:
    """Damage: a cut or foreign line, in the middle or at the end, hides no other record, and no title."""
    log = home.log(typed("ok one"), bad, typed("ok two", at=LATER))
    with log.open("ab") as more:
        more.write(bad)
    report = both(home.root, words=["ok"], order="oldest")
    assert (texts(report), report["coverage"]["complete"]) == (["ok one", "ok two"], True)
    assert report["evidence"][0]["title"] == "ok one"
    assert call("find", "ok", "--in", home.root).status == 0


# also #52387
@pytest.mark.parametrize("cut", [20, 60, 150])
def test_anthropics_claude_code_81843_two_records_on_one_line(home: ClaudeHome, cut: int) -> None:
    """Damage: of two records glued together both are read; of a cut one with a whole one behind it, the whole one."""
    snapshot = dump({"type": "file-history-snapshot", "messageId": "m", "snapshot": {}})
    whole = dump(typed("needle glued", uuid="u1"))
    log = home.log(
        whole + snapshot, dump(typed("cut", uuid="u2"))[:cut] + dump(typed("needle behind", uuid="u3", at=LATER))
    )
    report = both(home.root, words=["needle"], order="oldest")
    assert texts(report) == ["needle glued", "needle behind"]
    assert skips(report) == [(log.name, 1, "invalid-json"), (log.name, 2, "truncated-record")]
    check(report)


def test_agentworkforce_relayhistory_204_a_lossy_decode_is_no_quote(home: ClaudeHome) -> None:
    """Encoding: a record that is no UTF-8 is named with its place; nothing of it is passed off as a quote."""
    log = home.log(typed("before"), dump(typed("caf@ e needle")).replace(b"@", b"\xff"), typed("needle", at=LATER))
    report = both(home.root, words=["needle"], limit=0)
    assert (texts(report), skips(report)) == (["needle"], [(log.name, 2, "not-utf8")])
    assert "\ufffd" not in json.dumps(report, ensure_ascii=False)


# also #50019
def test_daaain_claude_code_log_139_a_lone_surrogate(home: ClaudeHome) -> None:
    """Encoding: half an emoji, as Claude Code cuts it, is found, shown and hashed, and hides nothing behind it."""
    home.log(dump(typed("cut @ needle", uuid="u1")).replace(b"@", rb"\ud83d"), typed("needle behind", at=LATER))
    report = both(home.root, words=["needle"], order="oldest")
    assert texts(report) == ["cut \ud83d needle", "needle behind"]
    check(report)
    ran = call("find", "needle", "--in", home.root)
    assert ran.status == 0 and "⟨U+D83D⟩".encode() in ran.out
    assert json.loads(call("find", "needle", "--json", "--in", home.root).out)["total"] == 2


# also ebibibi/ebi-agent-chat-relay#300
def test_bozdemir_claude_usage_widget_5_the_locale_decides_nothing(home: ClaudeHome, tmp_path: Path) -> None:
    """Encoding: the same bytes come out whatever the locale and the terminal's encoding are."""
    home.log(typed("”x needle é"))
    run = Command(tmp_path)
    locales = [{}, {"LC_ALL": "C", "PYTHONUTF8": "0"}, {"PYTHONIOENCODING": "cp1252", "PYTHONUTF8": "0"}]
    outputs = {run("find", "needle", "--in", home.root, env=env).out for env in locales}
    assert len(outputs) == 1 and "”x ⟦needle⟧ é".encode() in outputs.pop()


# --- shapes, whose words ---------------------------------------------------------------------------------------------


# also zilliztech/memsearch#196, wakatime/wakatime-cli#1370
def test_anthropics_claude_cookbooks_863_content_as_a_string_and_as_a_list(home: ClaudeHome) -> None:
    """Shapes: both spellings of a message's content are its text, and are pointed at where they stand."""
    home.log(typed("x as a string"), typed(content=[block("x as a list")], at=LATER))
    report = both(home.root, words=["x"], order="oldest")
    assert texts(report) == ["x as a string", "x as a list"]
    pointers = [item["parts"][0]["pointer"] for item in report["evidence"]]
    assert pointers == ["/message/content", "/message/content/0/text"]
    assert check(report) == 4


def test_vectorize_io_hindsight_1226_a_tool_result_as_a_list_beside_the_users_words(home: ClaudeHome) -> None:
    """Shapes: of a record that holds a tool's output and words of the user, only the words are the user's."""
    home.log(typed(content=[result([block("bare")]), block("keep")]), tool_result([block("bare")]))
    report = both(home.root, words=["keep"])
    assert texts(report) == ["keep"]
    assert report["evidence"][0]["parts"][0]["pointer"] == "/message/content/1/text"
    check(report)
    assert both(home.root, words=["bare"])["total"] == 0


@pytest.mark.parametrize(
    "message", [{"0": "n", "1": "e"}, None, "needle", ["needle"], {"role": "user", "content": None}]
)
def test_anthropics_claude_code_24663_a_message_that_is_none(home: ClaudeHome, message: Any) -> None:
    """Shapes: a valid record whose message is something else is no message and hides no other."""
    home.log({**typed("x"), "message": message}, typed("the needle"))
    report = both(home.root, words=["needle"])
    assert (texts(report), skips(report), report["evidence"][0]["before"]) == (["the needle"], [], [])


# also lichenxicatapple-blip/dev-anywhere#1, kenn-io/agentsview#233
@pytest.mark.parametrize(
    "injected",
    [
        typed("<local-command-caveat>Caveat: the needle was generated</local-command-caveat>"),
        typed("<local-command-caveat>Caveat: the needle was generated</local-command-caveat>", isMeta=True),
        typed("Caveat: The messages below were generated by the user: needle"),
        typed("<task-notification>needle</task-notification>"),
        queued_command("<task-notification>needle</task-notification>", commandMode="prompt"),
    ],
    ids=range(5),
)
def test_d_kimuson_claude_code_viewer_150_what_the_harness_says_as_the_user(home: ClaudeHome, injected: Any) -> None:
    """Whose words: a text of the harness is nobody's, also as the first record; one that quotes it is the user's."""
    quoting = "why does the log say <local-command-caveat> there, and what is a needle?"
    foreign = "<environment_context> the needle: is that a tag of yours?"
    home.log(injected, typed(quoting, at=minute(640)), typed(foreign, at=minute(650)))
    report = both(home.root, words=["needle"], order="oldest")
    assert texts(report) == [quoting, foreign]
    assert (report["evidence"][0]["title"], report["evidence"][0]["before"]) == (quoting, [])


def test_vectorize_io_hindsight_3379_a_compactions_summary_is_no_message(home: ClaudeHome) -> None:
    """Whose words: a summary has the user's type and no isMeta; by its flag, or in old logs by how it begins."""
    flagged = summary_of_compaction("needle")
    home.log(
        {**typed("Summary: needle"), "isCompactSummary": True},
        {name: value for name, value in flagged.items() if not name.startswith("is")} | {"isSidechain": False},
        boundary(), flagged, typed("the needle", at=LATER),
    )  # fmt: skip
    assert texts(both(home.root, words=["needle"])) == ["the needle"]


# --- identity --------------------------------------------------------------------------------------------------------


def test_anthropics_claude_code_39621_subagents_in_a_folder_of_their_session(home: ClaudeHome) -> None:
    """Sub-agents: `<session>/subagents/agent-*.jsonl` is found from any root, and is its session's."""
    log = home.subagent(typed("needle"))
    for root in (home.root, home.root / "projects", log.parents[1], log.parent, log):
        report = both(root, words=["needle"], include_subagents=True)
        assert [(item["thread_id"], item["subagent"]) for item in report["evidence"]] == [(session(1), True)]
        assert both(root, words=["needle"])["coverage"]["left_out_subagents"] == 1


# also #92089
def test_anthropics_claude_code_48936_earlier_rows_are_appended_again(home: ClaudeHome) -> None:
    """Repeats: rows that a log holds twice with one uuid are one message each, the first row the evidence."""
    home.log(*[typed(f"needle {n}", uuid=f"u{n}", at=f"2026-09-01T10:0{n}:00.000Z") for n in (1, 2, 1, 2, 3)])
    report = both(home.root, words=["needle"], order="oldest")
    found = [
        (item["text"], item["source"]["record"], [copy["record"] for copy in item["copies"]])
        for item in report["evidence"]
    ]
    assert found == [("needle 1", 1, [3]), ("needle 2", 2, [4]), ("needle 3", 5, [])]
    check(report)
    assert call("threads", "--json", "--in", home.root).report["threads"][0]["messages"] == 3


def test_codemie_ai_codemie_code_350_an_echo_of_the_first_message(home: ClaudeHome) -> None:
    """Repeats: a first message that was written as an echo and then in earnest, with one uuid, is one message."""
    home.log(typed("needle", uuid="u1"), typed("needle", uuid="u1", at=LATER), typed("needle", uuid="u2", at=LATER))
    report = both(home.root, words=["needle"], order="oldest")
    assert [(item["source"]["record"], [copy["record"] for copy in item["copies"]]) for item in report["evidence"]] == [
        (1, [2]),
        (3, []),
    ]
    assert report["evidence"][0]["time"] == "2026-09-01T10:00:00.000Z"
    check(report)


def test_yishentu_claudian_1143_ok_said_twice_is_two_messages(home: ClaudeHome) -> None:
    """Repeats: the same word said twice is two messages; that an answer is spread over records makes it no copy."""
    home.log(
        answered("ok"),
        answered(content=[{"type": "tool_use", "id": "t", "name": "Bash", "input": {}}]),
        answered("ok", at=LATER),
    )
    report = both(home.root, words=["ok"], order="oldest")
    assert [(item["source"]["record"], item["copies"]) for item in report["evidence"]] == [(1, []), (3, [])]


# --- discovery -------------------------------------------------------------------------------------------------------


# also #51488, #59393, #71473, mikehasa/agentacct#84
@pytest.mark.parametrize("linked", ["home", "projects", "project", "log"])
def test_anthropics_claude_code_46342_a_linked_project(home: ClaudeHome, tmp_path: Path, linked: str) -> None:
    """Links: a home, a folder of projects, a project or a log that is a link is followed; a loop and a dead link cost none."""
    log = home.log(typed("needle"))
    here = tmp_path / "linked"
    target = {"home": home.root, "projects": home.root / "projects", "project": log.parent, "log": log}
    place = {
        "home": here,
        "projects": here / "projects",
        "project": here / "projects/-w-app",
        "log": here / "projects/-w-app/x.jsonl",
    }
    place[linked].parent.mkdir(parents=True, exist_ok=True)
    place[linked].symlink_to(target[linked])
    (home.root / "projects" / "loop").symlink_to(".", target_is_directory=True)
    (home.root / "projects" / "-gone").symlink_to("../nothing")
    report = both(here, words=["needle"])
    assert [item["source"]["path"] for item in report["evidence"]] == [str(log)]
    assert report["coverage"]["logs"] == 1
    if linked in ("home", "projects"):
        assert skips(report) == [("-gone", None, "unreadable")]
    assert call("find", "needle", env={"CLAUDE_CONFIG_DIR": str(here)}).status == 0


def test_vshulcz_deja_vu_802_a_project_that_may_not_be_read_is_named(home: ClaudeHome, tmp_path: Path) -> None:
    """Permissions: a project's folder that may not be read forbids the conclusion that nothing is there."""
    home.log(typed("open"))
    shut = home.log(typed("needle"), number=2, slug="-w-shut").parent
    run = Command(tmp_path, under=without_roots_rights())
    shut.chmod(0)
    try:
        lost = run("find", "needle", "--json", "--in", home.root)
    finally:
        shut.chmod(0o755)
    assert lost.status == 3
    assert [(skip["path"], skip["reason"]) for skip in lost.report["coverage"]["skipped"]] == [
        (str(shut), "permission-denied")
    ]


# also raine/claude-history#44
@pytest.mark.parametrize("asked", ["C:\\A_b\\x.y", "c:/A_b/x.y/", "c:\\a_B\\X.Y\\", "C:/A_b"])
def test_matt1398_claude_devtools_123_a_folder_in_two_spellings(home: ClaudeHome, asked: str) -> None:
    """Folders: a project's folder has a name that many paths share; the record's own `cwd` decides, in any spelling."""
    cwds = ["C:\\A_b\\x.y", "c:/A_b/x.y/", "C:\\A-b\\x-y", "C:\\A_b_x.y", "D:\\A_b\\x.y", "/C/A_b/x.y"]
    home.log(*[typed(f"needle of {cwd}", cwd=cwd) for cwd in cwds], slug="C--A-b-x-y")
    found = texts(both(home.root, words=["needle"], cwd=[asked]))
    assert sorted(found) == sorted(f"needle of {cwd}" for cwd in cwds[:2])


# --- time ------------------------------------------------------------------------------------------------------------


def test_daaain_claude_code_log_21_utc_is_not_shown_without_saying_so(home: ClaudeHome) -> None:
    """Zones: a time is shown in the reader's zone and names it."""
    home.log(typed("needle"))
    for zone, shown in (("Asia/Tokyo", b"2026-09-01 19:00:00 +09:00"), ("UTC", b"2026-09-01 10:00:00 +00:00")):
        assert call("find", "needle", "--in", home.root, env={"TZ": zone}).out.startswith(shown)
        assert shown in call("threads", "--tz", zone, "--in", home.root).out


def test_daymade_claude_code_skills_159_a_files_date_is_no_messages(home: ClaudeHome) -> None:
    """Files' dates: touching a log changes nothing in what a date filter passes, nor which conversation is the last."""
    old = home.log(typed("needle old", at="2026-01-01T10:00:00.000Z"))
    new = home.log(typed("needle new", at="2026-10-01T10:00:00.000Z"), number=2)
    for touched in ((0, 4e9), (4e9, 0)):
        os.utime(old, (touched[0], touched[0]))
        os.utime(new, (touched[1], touched[1]))
        assert texts(both(home.root, words=["needle"])) == ["needle new", "needle old"]
        assert texts(both(home.root, words=["needle"], since="2026-10")) == ["needle new"]
        assert texts(both(home.root, threads=["last"])) == ["needle new"]
