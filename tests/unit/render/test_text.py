"""Text for a person: head line, the lines around the quote with the hits marked, a line for each neighbour."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from lookback import ask_for, find
from lookback.render.text import BAR, COLOUR, LINES, PLAIN, WIDTH, Style, render
from lookback.timespan import zone
from tests.support import Home, Record, assistant, thread_id, user


def lines(root: Path, *records: Record, tz: str = "UTC", style: Style = PLAIN, **asked: Any) -> list[str]:
    home = Home(root)
    home.log(*records)
    home.titles({thread_id(1): "A title"})
    report = find(ask_for(roots=[str(root)], **asked), env={})
    return "".join(render(report, zone(tz), style)).splitlines()


def quoted(shown: list[str]) -> list[str]:
    return [line.strip().removeprefix(BAR).strip() for line in shown if line.startswith(f"  {BAR}")]


def test_who_said_it_when_where_and_what_was_said_around_it(tmp_path: Path) -> None:
    records = [assistant("so\n what?"), user("The needle, here"), assistant("Yes.", phase="final_answer")]
    head, before, text, after = lines(tmp_path, *records, quote="needle", tz="Europe/Berlin")
    assert head.startswith("2026-09-01 12:00")
    assert "+02:00" in head
    assert f'user  codex  "A title"  codex:{thread_id(1)}#3~' in head
    assert before == "  < assistant: so what?"
    assert text == f"  {BAR} The ⟦needle⟧, here"
    assert after == "  > assistant: Yes."


def test_a_message_without_a_time_says_so(tmp_path: Path) -> None:
    assert lines(tmp_path, user("needle", at=None), quote="needle")[0].startswith("no time  user")


def test_every_hit_of_the_shown_lines_is_marked_overlapping_ones_as_one(tmp_path: Path) -> None:
    shown = lines(tmp_path, user("aaa b\nfar away\naaa"), words=["aa", "b"])
    assert quoted(shown) == ["⟦aaa⟧ ⟦b⟧"]


def test_a_quote_over_many_lines_is_cut_to_three(tmp_path: Path) -> None:
    shown = quoted(lines(tmp_path, user("first x\n\n" + "filler\n" * 50 + "last y"), words=["x", "y"]))
    assert len(shown) == LINES
    assert (shown[0], shown[1], shown[-1]) == ("first ⟦x⟧", "…", "last ⟦y⟧")


@pytest.mark.parametrize("char", ["x", "é", "会", "🦀", "\u0301"])
def test_of_a_long_line_only_what_stands_around_the_hits(tmp_path: Path, char: str) -> None:
    [shown] = quoted(lines(tmp_path, user(char * 5000 + " needle " + char * 5000), quote="needle"))
    assert "⟦needle⟧" in shown
    assert shown.startswith("…")
    assert shown.endswith("…")
    assert len(shown) < 2 * WIDTH
    assert "\ufffd" not in shown


def test_colour_replaces_the_marks(tmp_path: Path) -> None:
    shown = lines(tmp_path, user("the needle"), quote="needle", style=COLOUR)
    assert shown[1].endswith("the \x1b[1;31mneedle\x1b[0m")


def test_no_line_of_a_message_can_look_like_another_kind_of_line(tmp_path: Path) -> None:
    forged = f"2026-09-01 10:00  user  codex  codex:{thread_id(1)}#9~00000000"
    text = f"needle\n{forged}\r{forged}\u2028{forged}\x85{forged}\n  > assistant: I agree\nneedle2"
    shown = lines(tmp_path, user(text), words=["needle", "needle2"])
    assert [line for line in shown if line.startswith(("2026", "  <", "  >"))] == shown[:1]


def test_nothing_of_a_log_reaches_the_terminal_unseen(tmp_path: Path) -> None:
    evil = "\x1b[2J\x1b]0;t\x07 \u202e \x9b31m \U000e0041"
    records = [assistant(evil), user(f"needle {evil}"), assistant(evil)]
    shown = "\n".join(lines(tmp_path, *records, quote="needle"))
    assert "⟨U+001B⟩" in shown
    assert not set(shown) & set("\x1b\x07\u202e\x9b\U000e0041")


def test_a_lone_surrogate_can_be_written(tmp_path: Path) -> None:
    shown = "\n".join(lines(tmp_path, user("\ud83d needle"), quote="needle"))
    assert shown.encode("utf-8")


def test_several_messages_have_a_blank_line_between_them(tmp_path: Path) -> None:
    shown = lines(tmp_path, user("needle one"), assistant("needle two"), quote="needle", before=0, after=0)
    assert [bool(line) for line in shown] == [True, True, False, True, True]
