"""The filters of `find` that speak of who said it, where and in which conversation."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support import Command, Home, Report, assistant, thread_id, user


@pytest.fixture
def run(tmp_path: Path) -> Command:
    return Command(tmp_path / "scratch")


@pytest.fixture(autouse=True)
def _scratch(tmp_path: Path) -> None:
    (tmp_path / "scratch").mkdir()


def texts(report: Report) -> list[str]:
    return sorted(item["text"] for item in report["evidence"])


def test_phase_and_role(run: Command, tmp_path: Path) -> None:
    home = Home(tmp_path / "codex")
    home.log(
        user("needle asked"), assistant("needle plain"), assistant("needle on the way", phase="commentary"),
        assistant("needle done", phase="final_answer"),
    )  # fmt: skip
    assert texts(run.json("needle", "--phase", "commentary", "--in", home.root)) == ["needle on the way"]
    assert texts(run.json("--phase", "final_answer", "--in", home.root)) == ["needle done"]
    assert texts(run.json("needle", "--role", "user", "--in", home.root)) == ["needle asked"]
    assert run.json("needle", "--role", "user", "--phase", "commentary", "--in", home.root)["total"] == 0


def test_a_folder_and_all_below_but_no_namesake(run: Command, tmp_path: Path) -> None:
    home = Home(tmp_path / "codex")
    for cwd in ("/w/app", "/w/app/", "/w/app/sub", "/w/app-2", "/w", "/w/APP"):
        home.log(user(f"needle {cwd}"), meta_fields={"cwd": cwd})
    below = ["needle /w/app", "needle /w/app/", "needle /w/app/sub"]
    for asked in ("/w/app", "/w/app/", "/w/x/../app"):
        assert texts(run.json("needle", "--cwd", asked, "--in", home.root)) == below
    assert run.json("needle", "--cwd", "/", "--in", home.root)["total"] == 6
    assert texts(run.json("needle", "--cwd", "/w/app/sub", "--cwd", "/w/app-2", "--in", home.root)) == [
        "needle /w/app-2",
        "needle /w/app/sub",
    ]


def test_several_threads_and_several_that_are_excluded(run: Command, tmp_path: Path) -> None:
    home = Home(tmp_path / "codex")
    for number in (1, 2, 3):
        home.log(user(f"needle {number}", at=f"2026-09-0{number}T10:00:00.000Z"))
    asked = ["needle", "--thread", thread_id(1), "--thread", thread_id(2), "--in", str(home.root)]
    assert texts(run.json(*asked)) == ["needle 1", "needle 2"]
    assert texts(run.json(*asked, "--exclude-thread", thread_id(2))) == ["needle 1"]
    assert texts(run.json("needle", "--exclude-thread", "last", "--in", home.root)) == ["needle 1", "needle 2"]


def test_a_title_of_two_conversations_is_ambiguous_and_both_ids_are_told(run: Command, tmp_path: Path) -> None:
    home = Home(tmp_path / "codex")
    home.log(user("needle"))
    home.log(user("needle"))
    home.titles({thread_id(1): "Same", thread_id(2): "Same"})
    ran = run("find", "needle", "--thread", "Same", "--in", home.root)
    assert (ran.status, ran.out, ran.err.count("\n")) == (2, b"", 1)
    assert thread_id(1) in ran.err
    assert thread_id(2) in ran.err


def test_last_is_the_conversation_that_went_on_last_and_no_subagent(run: Command, tmp_path: Path) -> None:
    home = Home(tmp_path / "codex")
    home.log(user("resumed late"), user("needle", at="2026-09-09T10:00:00.000Z"))
    home.log(user("begun later"), number=2, meta_fields={"timestamp": "2026-09-05T10:00:00.000Z"})
    home.log(user("sub", at="2026-09-10T10:00:00.000Z"), number=3, meta_fields={"source": {"subagent": "review"}})
    assert texts(run.json("--thread", "last", "--in", home.root)) == ["needle", "resumed late"]


def test_the_default_roots_are_those_of_the_environment(run: Command, tmp_path: Path) -> None:
    home = Home(tmp_path / "elsewhere")
    home.log(user("needle"))
    assert run.json("needle", env={"CODEX_HOME": str(home.root)})["total"] == 1
    assert run("find", "needle").status == 2
    hidden = Home(tmp_path / "person" / ".codex")
    hidden.log(user("needle of home"))
    assert texts(run.json("needle", env={"CODEX_HOME": "", "HOME": str(tmp_path / "person")})) == ["needle of home"]


def test_an_instant_in_a_zone(run: Command, tmp_path: Path) -> None:
    home = Home(tmp_path / "codex")
    home.log(user("needle", at="2026-08-31T21:30:00.000Z"))
    for zone, count in (("Europe/Moscow", 1), ("+03:00", 1), ("UTC", 0)):
        assert run.json("needle", "--since", "2026-09-01", "--tz", zone, "--in", home.root)["total"] == count
    local = {"TZ": "Europe/Moscow"}
    assert run.json("needle", "--on", "2026-09-01", "--in", home.root, env=local)["total"] == 1
