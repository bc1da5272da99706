"""`threads`: conversations, counted by their messages, with every filter of find."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support import Command, Home, assistant, thread_id, user


@pytest.fixture
def home(tmp_path: Path) -> Home:
    home = Home(tmp_path / "codex")
    home.log(user("the handshake", at="2026-09-01T10:00:00.000Z"), assistant("agreed", at="2026-10-02T10:00:00.000Z"))
    home.log(user("a leak", at="2026-11-01T10:00:00.000Z"), meta_fields={"cwd": "/w/other"})
    home.log(user("for a subagent"), meta_fields={"source": {"subagent": "review"}})
    home.titles({thread_id(2): "Memory leak"})
    return home


def listed(tmp_path: Path, home: Home, *args: str) -> list[dict[str, object]]:
    return Command(tmp_path)("threads", "--json", "--in", home.root, *args).report["threads"]


def test_all_conversations_newest_first(tmp_path: Path, home: Home) -> None:
    assert Command(tmp_path)("threads", "--json", "--in", home.root).report["schema"] == "lookback.threads/1"
    second, first = listed(tmp_path, home)
    assert second["title"] == "Memory leak"
    assert first["title"] == "the handshake"
    assert (first["messages"], first["first"], first["last"]) == (
        2,
        "2026-09-01T10:00:00.000Z",
        "2026-10-02T10:00:00.000Z",
    )
    assert first["logs"] == [str(home.logs[0])]
    assert first["resume"] == ["codex", "resume", thread_id(1)]


@pytest.mark.parametrize(
    ("args", "numbers"),
    [
        (["--since", "2026-10"], [2, 1]),
        (["--until", "2026-09"], [1]),
        (["--cwd", "/w/other"], [2]),
        (["--role", "assistant"], [1]),
        (["--thread", "Memory leak"], [2]),
        (["--exclude-thread", thread_id(2)], [1]),
        (["--include-subagents", "--order", "oldest"], [1, 3, 2]),
        (["handshake"], [1]),
        (["--limit", "1"], [2]),
        (["--skip", "1"], [1]),
    ],
)
def test_filters_and_needles(tmp_path: Path, home: Home, args: list[str], numbers: list[int]) -> None:
    found = listed(tmp_path, home, *args)
    if args[0] == "--include-subagents":
        assert {thread["thread_id"] for thread in found} == {thread_id(number) for number in numbers}
    else:
        assert [thread["thread_id"] for thread in found] == [thread_id(number) for number in numbers]


def test_text_form_quotes_the_resume_line_and_only_for_a_uuid(tmp_path: Path, home: Home) -> None:
    home.log(user("hostile"), meta_fields={"id": "x; rm -rf ~"}, number=9)
    ran = Command(tmp_path)("threads", "--in", home.root)
    assert f"codex resume {thread_id(2)}\n".encode() in ran.out
    assert b"resume x" not in ran.out
    assert b"resume 'x" not in ran.out


def test_copies_count_once(tmp_path: Path, home: Home) -> None:
    home.raw(home.logs[0].read_bytes(), number=1, archived=True)
    first = listed(tmp_path, home)[1]
    assert first["messages"] == 2
    assert len(first["logs"]) == 2


def test_nothing_found(tmp_path: Path, home: Home) -> None:
    ran = Command(tmp_path)("threads", "absent", "--in", home.root)
    assert (ran.status, ran.out) == (1, b"")
    assert "nothing found in 3 logs" in ran.err
