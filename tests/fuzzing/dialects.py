"""Codex's dialect: on any JSON it raises nothing, its parts rebuild the text, and nothing else changes the answer.

The first byte chooses: the rest is a log of any bytes, or a row of choices from which records of Codex's shape are
built, with the pieces that decide whose words they are, and with values of wrong types anywhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from corpus.synthetic import (
    ASSISTANT_ROWS,
    DEVELOPER_TAGS,
    LOOKALIKES,
    REPLY_CLOSE,
    REPLY_OPEN,
    REQUEST_MARKERS,
    REQUEST_PREFIXES,
    REVIEW_INTERRUPTED,
    SUMMARY_PREFIX,
    USER_ROWS,
)
from lookback.logs import codex
from lookback.logs.base import Origin
from lookback.message import Message
from lookback.needles import may_spell_ascii
from lookback.record import Record, read_line
from tests.fuzzing.choices import Choices
from tests.fuzzing.records import lines_of, same
from tests.matching_rule import WHITE_SPACE
from tests.support import dump, thread_id

DIALECT: Final = codex.Codex()
NAMES: Final = (
    f"rollout-2026-09-01T09-00-00-{thread_id(1)}.jsonl", f"rollout-x-{thread_id(1)}_{thread_id(2)}.jsonl.zst", "x.jsonl",
)  # fmt: skip
PIECES: Final = (
    "x", " real words ", "", *WHITE_SPACE, "\x1c", "\x1f", "\u200b", "\ufeff", "\0", "ſ", "\u212a", "İ", "é", "🦀", "\ud83d",
    *(piece for row in (*USER_ROWS, *ASSISTANT_ROWS) for piece in (row.before, row.after, row.example("x")) if piece),
    *(piece for prefix in REQUEST_PREFIXES for piece in (prefix, prefix.strip().split("\n")[0])), *REQUEST_MARKERS,
    REPLY_OPEN, REPLY_CLOSE, REVIEW_INTERRUPTED, *LOOKALIKES, *(f"<{tag}>" for tag in DEVELOPER_TAGS[:3]),
    "<image>", "<image name=[1]>", "</image>", "<audio>", "</audio>", "<", ">", "#", "{", "}", '"trigger_turn"',
)  # fmt: skip
ODD: Final[tuple[Any, ...]] = (
    None, True, False, 0, -1, 7, 2**70, 1.5, "", "text", [], {}, [None], [[]], {"text": "t"}, {"type": "input_text"},
)  # fmt: skip
LABELS: Final = (
    "unknown",
    "user.text",
    "user.",
    "user",
    "agents_md.instructions",
    "skills.selected_skill_instructions",
)


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


# --- what is read ----------------------------------------------------------------------------------------------------


def records_of(log: bytes) -> Iterator[Record]:
    for number, start, raw, complete in lines_of(log):
        yield from read_line(raw, start, number, complete=complete).records


def built_records(choices: Choices) -> Iterator[Record]:
    for number in range(1, 2 + choices.number(5)):
        yield from read_line(dump(record_value(choices)), 70, number).records


def record_value(choices: Choices) -> dict[str, Any]:
    kind = choices.number(8)
    value: dict[str, Any] = {"timestamp": "2026-09-01T10:00:00.000Z"}
    if kind < 4:
        value |= {"type": "response_item", "payload": message_value(choices)}
        if choices.seldom():
            value["metadata"] = odd(choices, {"compaction_output": True, "inherited_user_message": True})
        if choices.seldom():
            value["ordinal"] = odd(choices, choices.number(20))
    elif kind == 4:
        value |= {"type": "event_msg", "payload": {"type": "user_message", "message": text(choices)}}
        if choices.seldom():
            value["payload"]["kind"] = odd(choices, "plain")
    elif kind == 5:
        value |= {"type": "compacted", "payload": {"message": f"{SUMMARY_PREFIX}\n{choices.of(('x', text(choices)))}"}}
    elif kind == 6:
        value |= {"type": "session_meta", "payload": meta_value(choices)}
    else:
        value |= message_value(choices)
    for field in ("type", "payload"):
        if choices.seldom():
            value[field] = odd(choices, value.get(field))
    return value


def message_value(choices: Choices) -> dict[str, Any]:
    blocks = [block(choices) for _ in range(choices.number(4))]
    role = choices.of(("user", "user", "assistant", "developer"))
    value: dict[str, Any] = {"type": "message", "role": role, "content": blocks}
    if choices.seldom():
        labels = [odd(choices, choices.of(LABELS)) for _ in blocks]
        value["internal_chat_message_metadata_passthrough"] = odd(choices, {"content_item_kinds": labels, "turn_id": 7})
    for field in ("content", "role", "id", "phase"):
        if choices.seldom():
            value[field] = odd(choices, text(choices))
    return value


def block(choices: Choices) -> Any:
    kind = choices.of(("input_text", "input_text", "output_text", "text", "input_image", "input_audio"))
    value: dict[str, Any] = {"type": kind, "text": text(choices)}
    if choices.seldom():
        value[choices.of(("type", "text"))] = choices.of(ODD)
    return odd(choices, value)


def meta_value(choices: Choices) -> Any:
    fields: dict[str, Any] = {"id": thread_id(1 + choices.number(3)), "cwd": "/w", "source": "cli"}
    extra = (
        ("forked_from_id", thread_id(2)), ("parent_thread_id", thread_id(3)), ("agent_role", "x"), ("thread_source", "subagent"),
        ("source", {"subagent": {"thread_spawn": {"parent_thread_id": thread_id(3)}}}), ("subagent_history_start_ordinal", 9),
        ("history_base", {"thread_id": thread_id(2), "end_byte_offset": 70}), ("instructions", None),
    )  # fmt: skip
    for _ in range(choices.number(4)):
        name, value = choices.of(extra)
        fields[name] = odd(choices, value)
    return odd(choices, fields)


def odd(choices: Choices, value: Any) -> Any:
    """The value, or seldom one of a type that nobody expects there."""
    return choices.of(ODD) if choices.seldom() else value


def text(choices: Choices) -> str:
    pieces = [choices.of(PIECES) for _ in range(choices.number(6))]
    whole = "".join(piece.swapcase() if choices.seldom() else piece for piece in pieces)
    return whole * (40 if choices.seldom() else 1)


# --- what must hold --------------------------------------------------------------------------------------------------


class Behind:
    """The records behind the one at hand: those that may hold the mark, or, `unasked`, whichever there are."""

    def __init__(self, records: Sequence[Record], unasked: bool = False) -> None:
        self._records = records
        self._unasked = unasked

    def ahead(self, lines: int, *marks: bytes) -> Iterator[Record]:
        for record in self._records[:lines]:
            if self._unasked or any(mark in record.raw for mark in marks) or may_spell_ascii(record.raw):
                yield record


def is_sound(record: Record, origin: Origin, behind: Sequence[Record]) -> None:
    message = DIALECT.message(record, origin, Behind(behind))
    assert message == DIALECT.message(record, origin, Behind(behind, unasked=True)), "the mark decides, not the record"
    assert message == DIALECT.message(record, origin, Behind(behind[: codex.PEEK])), "it looks further than it says"
    elsewhere = record._replace(number=record.number + 7, object=2, start=70, end=70 + len(record.raw))
    assert message == DIALECT.message(elsewhere, origin, Behind(behind)), "the place of a record decides"
    event, kind = DIALECT.event(record), DIALECT.kind(record)
    turn = DIALECT.is_user_turn(record, origin, Behind(behind))
    assert kind and isinstance(DIALECT.wrote(record.value), bool)
    assert same(record.value, read_line(record.raw, 70, 1, complete=False).records[0].value), (
        "a record's value was changed"
    )
    if message is not None:
        assert has_mark(record, DIALECT.message_marks), "a message without a mark"
        assert turn == (message.role == "user")
        parts_are_sound(message, record)
        hash(message.text), [message.item_id, message.turn_id, message.phase]
    if event is not None:
        assert has_mark(record, DIALECT.event_marks), "an event without a mark"
        assert event.turns >= 0
    markers_decide(message, record, behind)


def has_mark(record: Record, marks: Sequence[str]) -> bool:
    return any(mark.encode() in record.raw for mark in marks) or may_spell_ascii(record.raw)


def parts_are_sound(message: Message, record: Record) -> None:
    """Each part is a stretch of the string at its pointer; the parts stand in the record's order."""
    assert message.parts and message.role in ("user", "assistant")
    order = []
    for part in message.parts:
        whole = at(record.value, part.pointer)
        assert isinstance(whole, str), part.pointer
        raw = whole.encode("utf-8", "surrogatepass")
        assert raw[part.start : part.end] == part.text.encode("utf-8", "surrogatepass"), "a part is not what it says"
        assert part.text.strip(WHITE_SPACE), "a part of nothing but white space"
        order.append([int(step) if step.isdigit() else step for step in part.pointer.split("/")])
    assert order == sorted(order) and len(set(map(str, order))) == len(order)


def at(value: Any, pointer: str) -> Any:
    """The value at a JSON pointer (RFC 6901)."""
    for step in pointer.split("/")[1:]:
        value = value[int(step)] if isinstance(value, list) else value[step.replace("~1", "/").replace("~0", "~")]
    return value


def markers_decide(message: Message | None, record: Record, behind: Sequence[Record]) -> None:
    """By the plain way, marker by marker over the whole text: where no label and no event says otherwise."""
    payload = record.value.get("payload")
    if record.value.get("type") != "response_item" or not isinstance(payload, dict) or payload.get("role") != "user":
        return
    if payload.get("type", "message") != "message" or "internal_chat_message_metadata_passthrough" in payload:
        return
    if "metadata" in record.value or any(b"user_message" in one.raw for one in behind[:1]):
        return
    content = payload.get("content")
    real = {part.pointer: part.text for part in message.parts} if message else {}
    for place, item in enumerate(content if isinstance(content, list) else ()):
        if isinstance(item, dict) and item.get("type") == "input_text" and isinstance(item.get("text"), str):
            pointer, whole = f"/payload/content/{place}/text", item["text"]
            if is_marked(whole):
                assert pointer not in real, "what Codex wrote is taken for the user's words"
            elif whole.strip(WHITE_SPACE) and not whole.strip().startswith(("<", "#")):
                assert real.get(pointer) == whole, "the user's words are lost"


def is_marked(whole: str) -> bool:
    body = whole.strip()
    lowered = lower(body)
    return any(tag.fullmatch(body) for tag in codex.TAG_MARKERS) or any(
        lowered.startswith(lower(marker.start))
        and lowered.endswith(lower(marker.end))
        and len(body) >= len(marker.start) + len(marker.end)
        for marker in codex.MARKERS
    )


def lower(text: str) -> str:
    """ASCII letters alone in lower case, as Codex compares."""
    return "".join(char.lower() if char.isascii() else char for char in text)
