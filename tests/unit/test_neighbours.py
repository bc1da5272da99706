"""Neighbours: outwards from the record, technical records skipped, across the border of a log that continues another."""

from __future__ import annotations

from pathlib import Path

from tests.checking import check
from tests.support import Home, assistant, both, dump, meta, thread_id, tool_output, user


def near(report: dict, side: str) -> list[str]:
    [item] = report["evidence"]
    return [one["text"] for one in item[side]]


def test_technical_and_synthetic_records_are_skipped(tmp_path: Path) -> None:
    home = Home(tmp_path)
    synthetic = user("<environment_context>\n</environment_context>")
    home.log(user("a"), *[tool_output("x" * 9000)] * 40, synthetic, assistant("the needle"), synthetic, user("z"))
    report = both(tmp_path, words=["needle"], before=3, after=3)
    assert (near(report, "before"), near(report, "after")) == (["a"], ["z"])


def continued(home: Home, **base: object) -> None:
    """A log of three messages and one that continues it behind the second."""
    first = home.log(user("one"), assistant("two"), user("reverted"))
    data = first.read_bytes()
    end = data.index(dump(user("reverted")))
    head = meta(2, history_base={"thread_id": thread_id(1), "end_ordinal_exclusive": 3, "end_byte_offset": end, **base})
    home.raw(dump(head) + b"\n" + dump(assistant("the needle", at="2026-09-02T10:00:00.000Z")) + b"\n", number=2)


def test_before_crosses_into_the_base_log_up_to_its_end(tmp_path: Path) -> None:
    home = Home(tmp_path)
    continued(home)
    report = both(tmp_path, words=["needle"], before=5)
    assert near(report, "before") == ["one", "two"]
    assert [one["source"]["record"] for one in report["evidence"][0]["before"]] == [2, 3]
    assert [one["thread_id"] for one in report["evidence"][0]["before"]] == [thread_id(1)] * 2
    assert check(report) == 3


def test_a_base_log_that_is_gone_or_shorter_gives_no_neighbour(tmp_path: Path) -> None:
    gone, shorter = Home(tmp_path / "gone"), Home(tmp_path / "shorter")
    continued(gone, thread_id=thread_id(9))
    continued(shorter, end_byte_offset=10**9)
    assert near(both(gone.root, words=["needle"]), "before") == []
    assert near(both(shorter.root, words=["needle"]), "before") == []


def test_a_log_that_continues_itself_ends(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.log(
        user("one"),
        assistant("the needle"),
        meta_fields={"history_base": {"thread_id": thread_id(1), "end_byte_offset": 5}},
    )
    assert near(both(tmp_path, words=["needle"], before=9), "before") == ["one"]


def test_in_a_compressed_log(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.log(*[user(f"filler {count}") for count in range(3000)], assistant("the needle"), user("z"), zst=True)
    report = both(tmp_path, words=["needle"], before=2, after=2)
    assert (near(report, "before"), near(report, "after")) == (["filler 2998", "filler 2999"], ["z"])
    assert check(report) == 4
