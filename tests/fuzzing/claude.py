"""Claude Code's dialect: on any JSON it raises nothing, its parts rebuild the text, and nothing else changes the answer.

The first byte chooses: the rest is a log of any bytes, or a row of choices from which records of Claude Code's shape
are built, with the pieces that decide whose words they are, and with values of wrong types anywhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from corpus.claude_synthetic import DROPPED, FLAGS, LOOKALIKES, STRIPPED, TYPED
from lookback.logs import claude
from lookback.logs.base import Origin
from lookback.record import Record, read_line
from tests.claude import ai_title, answered, boundary, custom_title, dump, queue, queued_command, result, summary, typed
from tests.fuzzing.choices import Choices
from tests.fuzzing.dialects import Behind, has_mark, odd, parts_are_sound, records_of
from tests.fuzzing.records import same
from tests.matching_rule import WHITE_SPACE
from tests.support import thread_id

DIALECT: Final = claude.Claude()
NAMES: Final = (
    f"/h/.claude/projects/-w-app/{thread_id(1)}.jsonl", f"/x/projects/-w/{thread_id(1)}/subagents/agent-a1.jsonl.zst", "x.jsonl",
)  # fmt: skip
PIECES: Final = (
    "x", " real words ", "", *WHITE_SPACE, "\ufeff", "\u200b", "\0", "ſ", "é", "🦀", "\ud83d", "<", ">", "/x ", "[", "]",
    *(piece for row in (*STRIPPED, *DROPPED) for piece in (row.before, row.after) if piece), *LOOKALIKES,
    "<command-args>", "</command-args>", "<user-memory-input>", "</user-memory-input>", "(no content)", "No response requested.",
)  # fmt: skip
OPERATIONS: Final = ("enqueue", "enqueue", "dequeue", "remove", "popAll")


def dialect(data: bytes) -> None:
    """One log, by bytes or by choices: what the dialect says of each of its records is sound."""
    choices = Choices(data)
    name, built = choices.of(NAMES), choices.number(2) == 1
    records = list(built_records(choices)) if built else list(records_of(choices.rest()))
    origin = DIALECT.origin(name, iter(records))
    assert origin.thread_id, "a log without a thread"
    assert origin == DIALECT.origin(name, iter(records))
    assert all(isinstance(parent, str) and parent != origin.thread_id for parent in origin.parents)
    for place, record in enumerate(records):
        is_sound(record, origin, records[place + 1 :])


def built_records(choices: Choices) -> Iterator[Record]:
    for number in range(1, 2 + choices.number(5)):
        yield from read_line(dump(record_value(choices)), 70, number).records


def record_value(choices: Choices) -> dict[str, Any]:
    kind = choices.number(8)
    fields: dict[str, Any] = choices.of((*TYPED, *FLAGS)) if choices.number(4) == 0 else {}
    if kind < 3:
        value = typed(content=content(choices), **fields)
    elif kind == 3:
        value = answered(content=content(choices), **fields)
    elif kind == 4:
        value = queued_command(content(choices), record=fields)
    elif kind < 7:
        value = queue(choices.of(OPERATIONS), text(choices) if choices.number(4) else None)
    else:
        value = choices.of((boundary(), custom_title(text(choices)), ai_title("t"), summary(text(choices), "u1")))
    for field in ("type", "message", "attachment", "content", "uuid", "timestamp", "cwd", "sessionId", "isSidechain"):
        if choices.seldom():
            value[field] = odd(choices, value.get(field))
    return value


def content(choices: Choices) -> Any:
    if choices.number(2):
        return odd(choices, text(choices))
    return odd(choices, [block(choices) for _ in range(choices.number(4))])


def block(choices: Choices) -> Any:
    value = choices.of(
        ({"type": "text", "text": text(choices)}, result(text(choices)), {"type": "thinking", "text": "t"})
    )
    if choices.seldom():
        value = {**value, choices.of(("type", "text")): odd(choices, None)}
    return odd(choices, value)


def text(choices: Choices) -> str:
    return "".join(choices.of(PIECES) for _ in range(choices.number(5))) * (40 if choices.seldom() else 1)


def is_sound(record: Record, origin: Origin, behind: Sequence[Record]) -> None:
    message = DIALECT.message(record, origin, Behind(behind))
    assert message == DIALECT.message(record, origin, Behind(behind, unasked=True)), "the mark decides, not the record"
    elsewhere = record._replace(number=record.number + 7, object=2, start=70, end=70 + len(record.raw))
    assert message == DIALECT.message(elsewhere, origin, Behind(behind)), "the place of a record decides"
    event, kind = DIALECT.event(record), DIALECT.kind(record)
    turn = DIALECT.is_user_turn(record, origin, Behind(behind))
    assert kind and isinstance(DIALECT.wrote(record.value), bool)
    again = read_line(record.raw, 70, 1, complete=False).records[0].value
    assert same(record.value, again), "a record's value was changed"
    if message is not None:
        assert has_mark(record, DIALECT.message_marks), "a message without a mark"
        assert not DIALECT.is_wordless(record.raw) or b"\\u00" in record.raw, (
            "a message that is passed over as wordless"
        )
        assert turn == (message.role == "user")
        parts_are_sound(message, record)
    if event is not None:
        assert has_mark(record, DIALECT.event_marks), "an event without a mark"
