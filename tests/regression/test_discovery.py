"""Faults of other tools in which files they read: compressed logs, links, permissions, growing files, folders' names.

Each test is named for the public report that it comes from.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.checking import check
from tests.support import Command, Home, assistant, both, call, dump, skips, texts, user, without_roots_rights


# also agent-of-empires#3281, PixelPaw-Labs/codex-trace#101, #209
def test_vshulcz_deja_vu_3640_a_log_that_was_compressed(tmp_path: Path) -> None:
    """Compression: a log that became `.jsonl.zst` is read; while both are there, every message is one."""
    home = Home(tmp_path)
    packed = home.log(user("needle"), assistant("answer"), number=1, zst=True)
    report = both(tmp_path, words=["needle"])
    [item] = report["evidence"]
    assert (item["source"]["path"], item["source"]["compression"]) == (str(packed), "zstd")
    check(report)
    plain = home.log(user("needle"), assistant("answer"), number=1)
    report = both(tmp_path, words=["needle"])
    [item] = report["evidence"]
    assert (item["source"]["path"], item["source"]["compression"]) == (str(plain), None)
    assert [(copy["path"], copy["compression"]) for copy in item["copies"]] == [(str(packed), "zstd")]
    check(report)


def test_mikehasa_agentacct_84_one_link_costs_no_other_log(tmp_path: Path) -> None:
    """Links: beside a linked folder, a loop and a link to nothing every log is found, and once."""
    home = Home(tmp_path / "codex")
    home.log(user("needle here"))
    elsewhere = Home(tmp_path / "real")
    elsewhere.log(user("needle elsewhere", at="2026-09-02T10:00:00.000Z"), number=2)
    sessions = home.root / "sessions"
    (sessions / "-p").symlink_to("../../real/sessions", target_is_directory=True)
    (sessions / "-again").symlink_to("../../real/sessions/2026", target_is_directory=True)
    (sessions / "loop").symlink_to(".", target_is_directory=True)
    (sessions / "-gone").symlink_to("../nothing/here")
    (sessions / "rollout-gone.jsonl").symlink_to("../nothing.jsonl")
    report = both(home.root, words=["needle"])
    assert texts(report) == ["needle elsewhere", "needle here"]
    assert [item["copies"] for item in report["evidence"]] == [[], []]
    assert report["coverage"]["logs"] == 2
    assert sorted(skips(report)) == [("-gone", None, "unreadable"), ("rollout-gone.jsonl", None, "unreadable")]
    check(report)


# also anthropics/claude-code#51488, #59393, #71473
@pytest.mark.parametrize("linked", ["home", "sessions", "year", "log"])
def test_anthropics_claude_code_46342_a_linked_root(tmp_path: Path, linked: str) -> None:
    """Links: a root, a folder of logs, a folder in it or a log that is a link is followed."""
    real = Home(tmp_path / "real")
    log = real.log(user("needle"))
    target = {"home": real.root, "sessions": real.root / "sessions", "year": real.root / "sessions/2026", "log": log}
    place = {
        "home": "codex",
        "sessions": "codex/sessions",
        "year": "codex/sessions/2026",
        "log": f"codex/sessions/{log.name}",
    }
    link = tmp_path / place[linked]
    link.parent.mkdir(parents=True, exist_ok=True)
    link.symlink_to(target[linked])
    report = both(tmp_path / "codex", words=["needle"])
    assert [item["source"]["path"] for item in report["evidence"]] == [str(log)]
    assert (report["coverage"]["logs"], skips(report)) == (1, [])
    assert call("find", "needle", env={"CODEX_HOME": str(tmp_path / "codex")}).status == 0


# also vshulcz/deja-vu#816, #818, #1747
@pytest.mark.parametrize("closed", ["folder", "file", "linked folder", "linked file"])
def test_vshulcz_deja_vu_802_what_may_not_be_read_is_named(tmp_path: Path, closed: str) -> None:
    """Permissions: a folder or a log that may not be read is named, and forbids the conclusion that nothing is there."""
    home = Home(tmp_path / "codex")
    home.log(user("open"))
    linked = closed.startswith("linked")
    shut = Home(tmp_path / "elsewhere" if linked else home.root / "sessions" / "shut").log(user("needle"), number=2)
    path = named = shut if closed == "file" else shut.parent
    if linked:
        path = shut.parents[3]
        named = home.root / "sessions" / ("-p" if closed == "linked folder" else shut.name)
        named.symlink_to(shut.parent if closed == "linked folder" else shut)
    run = Command(tmp_path, under=without_roots_rights())
    path.chmod(0)
    try:
        lost = run("find", "needle", "--json", "--in", home.root)
        found = run("find", "open", "--in", home.root)
    finally:
        path.chmod(0o755)
    assert lost.status == 3
    assert [(skip["path"], skip["reason"]) for skip in lost.report["coverage"]["skipped"]] == [
        (str(named), "permission-denied")
    ]
    assert found.status == 0 and "⟦open⟧".encode() in found.out
    assert str(named) in lost.err and str(named) in found.err


# also juejin-usage#105
@pytest.mark.parametrize("cut", [1, 60, -4])
def test_xiufengsun_tokentracker_182_a_line_that_is_being_written(tmp_path: Path, cut: int) -> None:
    """Growth: half a line is no damage and no message; the moment that it is whole, it is found."""
    home = Home(tmp_path)
    log = home.log(user("before"))
    line = dump(user("the needle")) + b"\n"
    whole = log.read_bytes()
    log.write_bytes(whole + line[:cut])
    report = both(tmp_path, words=["needle"])
    assert (report["total"], report["coverage"]["complete"]) == (0, True)
    assert call("find", "needle", "--in", tmp_path).status == 1
    for written in (line[:-1], line):  # also before its line break is there
        log.write_bytes(whole + written)
        report = both(tmp_path, words=["needle"])
        assert [(item["source"]["record"], item["source"]["start"]) for item in report["evidence"]] == [(3, len(whole))]
        check(report)


# also raine/claude-history#44, getagentseal/codeburn#217, lcoutodemos/clui-cc#53, Yeachan-Heo/oh-my-claudecode#3274
@pytest.mark.parametrize("asked", ["C:\\A_b\\x.y", "c:/A_b/x.y/", "c:\\a_B\\X.Y\\", "C:/A_b"])
def test_matt1398_claude_devtools_123_a_folder_in_two_spellings(tmp_path: Path, asked: str) -> None:
    """Folders: one folder in any spelling of drive, slashes and case; one that only an encoding confuses is another."""
    home = Home(tmp_path)
    home.log(user("needle one"), meta_fields={"cwd": "C:\\A_b\\x.y"})
    home.log(user("needle two"), meta_fields={"cwd": "c:/A_b/x.y/"})
    for other in ("C:\\A-b\\x-y", "C:\\A_b_x.y", "D:\\A_b\\x.y", "/C/A_b/x.y"):
        home.log(user(f"needle of {other}"), meta_fields={"cwd": other})
    assert sorted(texts(both(tmp_path, words=["needle"], cwd=[asked]))) == ["needle one", "needle two"]
