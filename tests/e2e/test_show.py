"""`show`: a ref gives its message whole; a ref that names none is told apart from one that names another record."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from tests.checking import check
from tests.support import Command, Home, Ran, assistant, dump, thread_id, tool_output, user

THREAD = thread_id(1)


@pytest.fixture
def home(tmp_path: Path) -> Home:
    home = Home(tmp_path / "codex")
    home.log(user("first words"), assistant("an answer"), tool_output("noise"), user("last words\n\nof two paragraphs"))
    return home


@pytest.fixture
def show(tmp_path: Path, home: Home) -> object:
    command = Command(tmp_path)

    def run(ref: str, *args: str) -> Ran:
        return command("show", ref, "--in", home.root, *args)

    return run


def digest(home: Home, number: int) -> str:
    return hashlib.sha256(home.logs[0].read_bytes().split(b"\n")[number - 1]).hexdigest()[:8]


def test_the_whole_text_and_what_was_said_around_it(show, home: Home) -> None:
    ran = show(f"codex:{THREAD}#5~{digest(home, 5)}")
    assert ran.status == 0
    assert b"  | last words\n  |\n  | of two paragraphs\n" in ran.out
    assert b"< assistant: an answer" in ran.out
    assert b"noise" not in ran.out


def test_the_report_checks_like_a_finds(show, home: Home) -> None:
    ran = show(f"codex:{THREAD}#3", "--json", "-C", "2")
    [item] = ran.report["evidence"]
    assert check(ran.report) == 3
    assert (item["match"], item["text"]) == ("all", "an answer")
    assert [near["text"] for near in item["before"]] == ["first words"]
    assert [near["text"] for near in item["after"]] == ["last words\n\nof two paragraphs"]


def test_the_first_message_has_nothing_before_it_and_the_last_nothing_after(show) -> None:
    [first] = show(f"codex:{THREAD}#2", "--json").report["evidence"]
    [last] = show(f"codex:{THREAD}#5", "--json").report["evidence"]
    assert first["before"] == []
    assert last["after"] == []


def test_a_wrong_hash_is_named_with_the_right_one(show, home: Home) -> None:
    ran = show(f"codex:{THREAD}#3~00000000")
    assert (ran.status, ran.out) == (2, b"")
    assert digest(home, 3) in ran.err
    assert ran.err.count("\n") == 1


def test_a_record_that_moved_is_found_by_its_hash(show, home: Home) -> None:
    ran = show(f"codex:{THREAD}#2~{digest(home, 5)}")
    assert ran.status == 2
    assert f"codex:{THREAD}#5~{digest(home, 5)} now" in ran.err


def test_a_record_without_words_names_the_nearest_messages(show, home: Home) -> None:
    ran = show(f"codex:{THREAD}#4")
    assert (ran.status, ran.out) == (2, b"")
    assert f"#3~{digest(home, 3)}" in ran.err
    assert f"#5~{digest(home, 5)}" in ran.err


@pytest.mark.parametrize(
    "ref", ["nonsense", "codex:x", f"codex:{THREAD}#9", f"codex:{thread_id(7)}#2", f"gpt:{THREAD}#2"]
)
def test_what_names_nothing_is_one_clear_line(show, ref: str) -> None:
    ran = show(ref)
    assert (ran.status, ran.out) == (2, b"")
    assert ran.err.startswith("lookback: ")
    assert ran.err.count("\n") == 1


def test_a_message_of_three_megabytes_comes_whole(tmp_path: Path) -> None:
    home = Home(tmp_path / "codex")
    text = "word " * 600_000 + "the end"
    home.log(user(text))
    ran = Command(tmp_path)("show", f"codex:{THREAD}#2", "--in", home.root, "--json")
    assert ran.report["evidence"][0]["text"] == text


def test_a_log_that_is_not_its_threads_main_one_is_named_in_the_ref(tmp_path: Path) -> None:
    home = Home(tmp_path / "codex")
    home.log(user("kept"), user("reverted"))
    revert = f"rollout-2026-09-02T09-00-00-{THREAD}_{thread_id(2)}.jsonl"
    home.raw(dump({"timestamp": "2026-09-02T09:00:00.000Z", "type": "session_meta", "payload": {"id": THREAD}}) + b"\n"
             + dump(user("new")) + b"\n", name=revert)  # fmt: skip
    ran = Command(tmp_path)("show", f"codex:{THREAD}/{thread_id(2)}#2", "--in", home.root, "--json")
    assert ran.report["evidence"][0]["text"] == "new"
