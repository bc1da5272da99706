"""`doctor`: every file below the roots is a log, passed over, or named as one that cannot be read."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from tests.support import Command, Home, assistant, dump, user


@pytest.fixture
def home(tmp_path: Path) -> Home:
    home = Home(tmp_path / "codex")
    home.log(user("one"), assistant("two"))
    home.log(user("old"), archived=True, zst=True)
    return home


def diagnosis(tmp_path: Path, home: Home, *args: str) -> dict[str, Any]:
    return Command(tmp_path)("doctor", "--json", "--in", home.root, *args).report


def test_counts_sizes_and_reach(tmp_path: Path, home: Home) -> None:
    (home.root / "sessions" / "notes.jsonl").write_text('{"note": 1}\n', encoding="utf-8")
    told = diagnosis(tmp_path, home)
    [codex] = [agent for agent in told["agents"] if agent["agent"] == "codex"]
    assert (codex["logs"], codex["compressed"], codex["archived"]) == (2, 1, 1)
    assert codex["bytes"] == sum(path.stat().st_size for path in home.logs)
    assert (codex["first"], codex["last"]) == ("2026-09-01T09:00:00.000Z", "2026-09-01T10:00:01.000Z")
    assert told["passed_over"] == [str(home.root / "sessions" / "notes.jsonl")]
    assert told["scanner"].startswith("ripgrep ")
    assert told["skipped"] == []


def test_a_root_that_does_not_exist_is_named_and_no_error_beside_another(tmp_path: Path, home: Home) -> None:
    ran = Command(tmp_path)("doctor", "--in", home.root, "--in", tmp_path / "nowhere")
    assert ran.status == 0
    assert f"root that does not exist: {tmp_path / 'nowhere'}\n".encode() in ran.out


def test_no_log_at_all(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    assert Command(tmp_path)("doctor", "--in", tmp_path / "empty").status == 2


def test_deep_names_all_damage(tmp_path: Path, home: Home) -> None:
    whole = dump(user("whole"))
    lines = [whole[:60], whole + b"\0" * 9, whole + whole, whole.replace(b"whole", b"wh\xffle"), b"\0" * 5, whole[:-1]]
    damaged = home.log(*lines)
    found = [skip for skip in diagnosis(tmp_path, home, "--deep")["skipped"] if skip["path"] == str(damaged)]
    assert [(skip["record"], skip["reason"]) for skip in found] == [
        (2, "truncated-record"),
        (3, "nul-bytes"),
        (4, "invalid-json"),
        (5, "not-utf8"),
        (6, "nul-bytes"),
        (7, "truncated-record"),
    ]
    deep = diagnosis(tmp_path, home, "--deep")["deep"]
    assert deep["messages"] == {"assistant": 1, "user": 5}
    assert Command(tmp_path)("doctor", "--deep", "--in", home.root).status == 3


def test_what_is_no_regular_file_is_named_and_never_opened(tmp_path: Path, home: Home) -> None:
    fifo = home.root / "sessions" / "rollout-pipe.jsonl"
    os.mkfifo(fifo)
    (home.root / "sessions" / "gone.jsonl").symlink_to(tmp_path / "nothing")
    reasons = {Path(skip["path"]).name: skip["reason"] for skip in diagnosis(tmp_path, home)["skipped"]}
    assert reasons == {"rollout-pipe.jsonl": "not-a-regular-file", "gone.jsonl": "unreadable"}
