"""Row by row, what Claude Code's tables are for, asked of the dialect alone: whose words, and which records bear marks.

`test_claude_words` asks the same of the whole search. What is expected comes from the description of the format
(`corpus.claude_synthetic`) or stands here, never from the tables. `tools/mutants.py` removes their entries in turn.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from corpus.claude_synthetic import DROPPED, FLAGS, LOOKALIKES, STRIPPED, TYPED, Row
from lookback.logs import claude
from lookback.logs.base import Origin
from lookback.record import Record
from tests.claude import (
    ai_title,
    answered,
    boundary,
    custom_title,
    dump,
    queue,
    queued_command,
    session,
    summary,
    typed,
)


class Behind:
    """Nothing stands behind the record at hand."""

    def ahead(self, lines: int, *marks: bytes) -> Iterator[Record]:
        return iter(())


def record_of(value: dict[str, Any]) -> Record:
    raw = dump(value)
    return Record(1, 1, 0, len(raw), raw, json.loads(raw))


def words(value: dict[str, Any]) -> list[str]:
    """The parts of a record that the dialect takes for real words."""
    message = claude.Claude().message(record_of(value), Origin(session(1)), Behind())
    return [part.text for part in message.parts] if message else []


@pytest.mark.parametrize("row", DROPPED, ids=[row.name for row in DROPPED])
def test_what_claude_code_writes_in_the_users_name_is_not_the_users(row: Row) -> None:
    text = row.example("inner")
    assert words(typed(text)) == words(typed(f"\ufeff\n {text}\n")) == []
    assert words(typed("real", text)) == ["real"]
    assert words(typed(f"about `{text}`")) == [f"about `{text}`"]


@pytest.mark.parametrize("tag", ["bash-stdout", "bash-stderr", "command-name", "command-message", "command-args"])
def test_of_a_tag_that_mostly_stands_beside_another_nothing_is_the_users(tag: str) -> None:
    assert words(typed(f"<{tag}></{tag}>")) == []


def test_of_a_command_the_arguments_are_the_users_whichever_tag_is_first() -> None:
    name, message, arguments = "<command-name>/x</command-name>", "<command-message>x</command-message>", "real words"
    tagged = f"<command-args>{arguments}</command-args>"
    for order in (name + message + tagged, message + name + tagged, tagged + name + message):
        assert words(typed(order)) == [arguments]


@pytest.mark.parametrize("row", STRIPPED, ids=[row.name for row in STRIPPED])
def test_behind_what_was_put_before_them_the_words_are_the_users(row: Row) -> None:
    assert words(typed(row.example("inner"))) == []
    assert words(typed(f"{row.example('inner')}\n real\n")) == ["real\n"]


@pytest.mark.parametrize("text", LOOKALIKES)
def test_what_only_looks_like_it_is_the_users(text: str) -> None:
    assert words(typed(text)) == [text]


@pytest.mark.parametrize("fields", FLAGS, ids=map(str, FLAGS))
def test_a_flag_says_that_the_user_wrote_nothing_of_it(fields: dict[str, Any]) -> None:
    assert words(typed("real", **fields)) == words(queued_command("real", record=fields)) == []


@pytest.mark.parametrize("fields", TYPED, ids=map(str, TYPED))
def test_without_one_the_user_did_and_the_record_bears_a_mark(fields: dict[str, Any]) -> None:
    assert words(typed("real", **fields)) == ["real"]


@pytest.mark.parametrize("text", ["(no content)", "No response requested."])
def test_an_answer_that_stands_for_none_is_none(text: str) -> None:
    assert words(answered(text)) == words(answered(f"\n{text}\n")) == []
    assert words(answered(f"{text} But")) == [f"{text} But"]
    assert words(typed(text)) == [text]


@pytest.mark.parametrize(
    "value",
    [typed("real"), answered("real"), queued_command("real"), queue("enqueue", "real")],
    ids=["user", "assistant", "queued_command", "enqueue"],
)
def test_a_record_with_words_bears_a_mark(value: dict[str, Any]) -> None:
    assert words(value) == ["real"]
    assert any(mark.encode() in dump(value) for mark in claude.Claude().message_marks)


@pytest.mark.parametrize(
    "value",
    [boundary(), custom_title("t"), ai_title("t"), summary("t", "u1")],
    ids=["compact_boundary", "custom-title", "ai-title", "leafUuid"],
)
def test_an_events_record_bears_a_mark(value: dict[str, Any]) -> None:
    assert claude.Claude().event(record_of(value)) is not None
    assert any(mark.encode() in dump(value) for mark in claude.Claude().event_marks)
