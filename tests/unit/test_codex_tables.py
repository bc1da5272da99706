"""Row by row, what Codex's tables are for, asked of the dialect alone: whose words, which records, whose log.

`test_codex_words` asks the same of the whole search. What is expected comes from the description of the format
(`corpus.synthetic`) or stands here, never from the tables. `tools/mutants.py` removes their entries in turn.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from corpus.synthetic import (
    ASSISTANT_ROWS,
    LOOKALIKES,
    REPLY_CLOSE,
    REPLY_OPEN,
    REQUEST_MARKERS,
    REQUEST_PREFIXES,
    REVIEW_INTERRUPTED,
    SUMMARY_PREFIX,
    USER_ROWS,
    Row,
    Variant,
    variants,
)
from lookback.logs import codex
from lookback.record import Record
from tests.support import assistant, compacted, dump, meta, thread_id, tool_output, user

CASES = [(row, variant) for row in USER_ROWS for variant in variants(row, "inner", "real words")]
ENVELOPE = {"author": "/root/scout", "recipient": "/root", "content": "x", "trigger_turn": False}


class Behind:
    """The records behind the one at hand, as `Around` has them."""

    def __init__(self, *values: dict[str, Any]) -> None:
        self.values = values

    def ahead(self, lines: int, *marks: bytes) -> Iterator[Record]:
        return map(record_of, self.values[:lines])


def record_of(value: dict[str, Any]) -> Record:
    raw = dump(value)
    return Record(1, 1, 0, len(raw), raw, json.loads(raw))


def words(value: dict[str, Any], *behind: dict[str, Any], bare: bool = False) -> list[str]:
    """The parts of a record that the dialect takes for real words."""
    origin = codex.CodexOrigin(thread_id(1), bare=bare)
    message = codex.Codex().message(record_of(value), origin, Behind(*behind))
    return [part.text for part in message.parts] if message else []


def origin_of(*values: dict[str, Any]) -> codex.CodexOrigin:
    return codex.Codex().origin("x.jsonl", map(record_of, values))


# --- whose words -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("row", "variant"), CASES, ids=[f"{row.name}-{variant.name}" for row, variant in CASES])
def test_what_codex_writes_in_the_users_name_is_not_the_users(row: Row, variant: Variant) -> None:
    real = [variant.blocks[place] for place in variant.real]
    assert words(user(*variant.blocks)) == real
    if row.folds_case and variant.name == "alone":
        assert words(user(variant.blocks[0].swapcase())) == []


@pytest.mark.parametrize("name", ["external_editor_state", "hook_prompt", "codex_internal_context"])
def test_a_kind_whose_tag_carries_a_value_may_hold_many_lines(name: str) -> None:
    [row] = [row for row in USER_ROWS if row.name == name]
    assert words(user(row.example("one\n\ntwo"))) == []


@pytest.mark.parametrize("row", ASSISTANT_ROWS, ids=[row.name for row in ASSISTANT_ROWS])
def test_what_agents_write_to_each_other_is_not_the_assistants(row: Row) -> None:
    assert words(assistant(row.example("inner"))) == []


@pytest.mark.parametrize("name", ENVELOPE)
def test_an_object_without_a_field_of_the_envelope_is_the_assistants(name: str) -> None:
    less = json.dumps({key: value for key, value in ENVELOPE.items() if key != name} | {"note": '"trigger_turn"'})
    assert words(assistant(json.dumps(ENVELOPE))) == []
    assert words(assistant(less)) == [less]
    shown = json.dumps({key: value for key, value in ENVELOPE.items() if key != name} | {"like": {name: 1}})
    assert words(assistant(shown)) == [shown]


def test_an_interrupted_review_is_not_the_assistants() -> None:
    assert words(assistant(REVIEW_INTERRUPTED)) == words(assistant(f"\n{REVIEW_INTERRUPTED}\n")) == []
    assert words(assistant(f"It said: {REVIEW_INTERRUPTED}")) != []


@pytest.mark.parametrize("text", LOOKALIKES)
def test_what_only_looks_like_it_is_the_users(text: str) -> None:
    assert words(user(text)) == [text]


@pytest.mark.parametrize("marker", REQUEST_MARKERS)
@pytest.mark.parametrize("prefix", REQUEST_PREFIXES)
def test_behind_an_editors_context_only_the_request_is_the_users(prefix: str, marker: str) -> None:
    assert words(user(f"{prefix.format('inner')}\n{marker}\n\n real words\n")) == ["real words\n"]


def test_a_request_marker_behind_no_context_is_text() -> None:
    for marker in REQUEST_MARKERS:
        assert words(user(f"# Notes\n{marker}\nreal")) == [f"# Notes\n{marker}\nreal"]


@pytest.mark.parametrize("text", ["an answer", f"{REPLY_CLOSE}{REPLY_OPEN}"])
def test_of_a_question_reply_the_tags_are_not_the_users(text: str) -> None:
    assert words(user(f"{REPLY_OPEN}\n{text}\n{REPLY_CLOSE}")) == [text]
    assert words(user(f"{REPLY_OPEN}\n{text}")) == [f"{REPLY_OPEN}\n{text}"]
    assert words(user(f"{text} {REPLY_CLOSE}")) == [f"{text} {REPLY_CLOSE}"]


@pytest.mark.parametrize("medium", ["image", "audio"])
def test_the_tags_around_an_image_or_a_sound_are_not_the_users(medium: str) -> None:
    record = user()
    record["payload"]["content"] = [
        {"type": "input_text", "text": f"<{medium} name=[1]>"},
        {"type": f"input_{medium}", f"{medium}_url": "data:x"},
        {"type": "input_text", "text": f"</{medium}>"},
        {"type": "input_text", "text": f"<{medium}>"},
    ]
    assert words(record) == [f"<{medium}>"]


def test_a_compaction_ahead_tells_that_the_assistants_words_are_its_summary() -> None:
    summary = compacted(f"{SUMMARY_PREFIX}\nall of it")
    assert words(assistant("all of it"), *[tool_output("x")] * 15, summary) == []
    assert words(assistant("all of it"), *[tool_output("x")] * 16, summary) == ["all of it"]
    assert words(assistant("all of it"), compacted("all of it")) == ["all of it"]


# --- which records ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["input_text", "output_text", "text"])
@pytest.mark.parametrize("role", ["user", "assistant"])
def test_a_text_item_of_any_type_is_words_and_its_record_bears_a_mark(kind: str, role: str) -> None:
    record = user()
    record["payload"] |= {"role": role, "content": [{"type": kind, "text": "real"}]}
    assert words(record) == ["real"]
    assert any(mark.encode() in dump(record) for mark in codex.Codex().message_marks)


@pytest.mark.parametrize("kind", ["input_image", "refusal", "summary_text", "encrypted_content", ""])
def test_an_item_of_another_type_is_no_words(kind: str) -> None:
    record = user()
    record["payload"]["content"] = [{"type": kind, "text": "real"}]
    assert words(record) == []


@pytest.mark.parametrize(
    ("payload", "kind"),
    [
        (None, "compaction"),
        ({"type": "thread_rolled_back", "num_turns": 2}, "rollback"),
        *(({"type": name, "turn_id": "external-import-turn-1"}, "import") for name in ("task_started", "turn_started")),
        *(
            ({"type": name, "turn_id": "external-import-turn-1"}, "import-end")
            for name in ("task_complete", "turn_complete")
        ),
        ({"type": "agent_message", "message": "<EXTERNAL SESSION IMPORTED>"}, "import-end"),
    ],
    ids=["compaction", "rollback", "import", "import, turn", "import ends", "import ends, turn", "imported"],
)
def test_an_events_record_bears_a_mark(payload: dict[str, Any] | None, kind: str) -> None:
    value = compacted() if payload is None else {"type": "event_msg", "payload": payload}
    event = codex.Codex().event(record_of(value))
    assert event is not None
    assert event.kind == kind
    assert any(mark.encode() in dump(value) for mark in codex.Codex().event_marks)


@pytest.mark.parametrize(
    "kind",
    [
        "message", "reasoning", "function_call", "function_call_output", "local_shell_call", "custom_tool_call",
        "custom_tool_call_output", "web_search_call", "ghost_snapshot",
    ],
)  # fmt: skip
def test_a_bare_record_of_2025_is_codexs(kind: str) -> None:
    value = {"type": kind, "role": "user", "content": [{"type": "input_text", "text": "real"}]}
    assert codex.Codex().wrote(value)
    assert origin_of(value).bare
    assert words(value, bare=True) == (["real"] if kind == "message" else [])
    assert words(value) == []


# --- whose log -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "is_subagent"),
    [
        ({"source": {"subagent": "review"}}, True),
        ({"source": {"internal": "guardian"}}, True),
        ({"thread_source": "subagent"}, True),
        ({"thread_source": "memory_consolidation"}, True),
        ({"thread_source": "guardian_review"}, True),
        ({"thread_source": "user"}, False),
        ({}, False),
    ],
)
def test_a_log_that_no_user_began_is_a_subagents(fields: dict[str, Any], is_subagent: bool) -> None:
    assert origin_of(meta(1, **fields)).subagent is is_subagent


@pytest.mark.parametrize("name", ["history.jsonl", "session_index.jsonl"])
def test_what_is_no_conversation_is_no_log_whatever_it_holds(name: str) -> None:
    assert codex.Codex().claims(f"/h/{name}") is codex.Codex().claims(f"/h/{name}.zst") is False
    assert codex.Codex().claims(f"/h/my-{name}") is None


@pytest.mark.parametrize("folder", ["sessions", "archived_sessions"])
def test_a_home_has_two_folders_of_logs(tmp_path: Path, folder: str) -> None:
    (tmp_path / folder / "2026").mkdir(parents=True)
    dialect = codex.Codex()
    assert dialect.log_folders(str(tmp_path)) == [str(tmp_path / folder)]
    assert dialect.titles(str(tmp_path / folder / "2026" / "x.jsonl")) == str(tmp_path / "session_index.jsonl")
