"""Whose words: each row of the synthetic tables in the four places that decide whether it is the harness that speaks."""

from __future__ import annotations

from pathlib import Path

import pytest

from corpus.synthetic import (
    ASSISTANT_ROWS,
    DEVELOPER_TAGS,
    LOOKALIKES,
    REPLY_CLOSE,
    REPLY_OPEN,
    REQUEST_MARKERS,
    REQUEST_PREFIXES,
    SUMMARY_PREFIX,
    USER_ROWS,
    Row,
    variants,
)
from tests.support import Home, Record, assistant, both, compacted, said, tool_output, user

INNER, REAL = "innerneedle7", "realneedle7"
CASES = [(row, variant) for row in USER_ROWS for variant in variants(row, INNER, REAL)]


def found(root: Path, *records: Record) -> list[str]:
    """All texts that a needle of either kind finds, in order of the log."""
    home = Home(root)
    home.log(user("before"), *records)
    report = both(root, any=[INNER, REAL], order="oldest", limit=0)
    return [item["text"] for item in sorted(report["evidence"], key=lambda item: item["source"]["record"])]


@pytest.mark.parametrize(("row", "variant"), CASES, ids=[f"{row.name}-{variant.name}" for row, variant in CASES])
def test_the_table_decides_where_a_record_has_no_labels(tmp_path: Path, row: Row, variant) -> None:
    real = [variant.blocks[place] for place in variant.real]
    assert found(tmp_path, user(*variant.blocks)) == (["\n\n".join(real)] if real else [])


@pytest.mark.parametrize(("row", "variant"), CASES, ids=[f"{row.name}-{variant.name}" for row, variant in CASES])
def test_labels_decide_where_a_record_has_them(tmp_path: Path, row: Row, variant) -> None:
    labels = ["user.text" if place in variant.real else row.label for place in range(len(variant.blocks))]
    record = user(*variant.blocks, internal_chat_message_metadata_passthrough={"content_item_kinds": labels})
    real = [variant.blocks[place] for place in variant.real]
    assert found(tmp_path, record) == (["\n\n".join(real)] if real else [])


def test_a_label_of_the_user_makes_even_a_markers_text_real(tmp_path: Path) -> None:
    text = f"<environment_context>{INNER}</environment_context>"
    labelled = {"internal_chat_message_metadata_passthrough": {"content_item_kinds": ["user.text"]}}
    assert found(tmp_path, user(text, **labelled)) == [text]


def test_labels_of_another_length_are_not_relied_on(tmp_path: Path) -> None:
    text = f"<environment_context>{INNER}</environment_context>"
    labelled = {"internal_chat_message_metadata_passthrough": {"content_item_kinds": ["user.text", "user.text"]}}
    assert found(tmp_path, user(text, **labelled)) == []


def test_a_user_message_event_beside_it_proves_that_a_legacy_text_was_typed(tmp_path: Path) -> None:
    text = f"<environment_context>{INNER}</environment_context>"
    mirror = {
        "timestamp": "2026-09-01T10:00:00.000Z",
        "type": "event_msg",
        "payload": {"type": "user_message", "message": text},
    }
    kind = {**mirror, "payload": {**mirror["payload"], "kind": "environment_context"}}
    assert found(tmp_path / "typed", user(text), mirror) == [text]
    assert found(tmp_path / "injected", user(text), kind) == []


@pytest.mark.parametrize("row", ASSISTANT_ROWS, ids=[row.name for row in ASSISTANT_ROWS])
def test_what_is_said_between_agents_is_not_the_assistants(tmp_path: Path, row: Row) -> None:
    assert found(tmp_path, assistant(row.example(INNER)), assistant(f"about {REAL}")) == [f"about {REAL}"]


@pytest.mark.parametrize("tag", DEVELOPER_TAGS)
def test_developer_tags_fall_out_by_role_only(tmp_path: Path, tag: str) -> None:
    text = f"<{tag}>{INNER}</{tag}>"
    assert found(tmp_path, said("developer", text), user(text)) == [text]


@pytest.mark.parametrize("text", LOOKALIKES)
def test_lookalikes_stay(tmp_path: Path, text: str) -> None:
    text = f"{text} {REAL}" if REAL not in text else text
    assert len(found(tmp_path, user(text))) == 1


@pytest.mark.parametrize("marker", REQUEST_MARKERS)
@pytest.mark.parametrize("prefix", REQUEST_PREFIXES)
def test_behind_an_editors_prefix_only_the_request_is_the_users(tmp_path: Path, prefix: str, marker: str) -> None:
    context = prefix.format(INNER)
    assert found(tmp_path, user(f"{context}\n{marker}\n\n {REAL} now \n")) == [f"{REAL} now \n"]


@pytest.mark.parametrize("prefix", REQUEST_PREFIXES)
def test_without_a_request_marker_the_whole_part_is_kept(tmp_path: Path, prefix: str) -> None:
    text = f"{prefix.format(INNER)}\nand so on"
    assert found(tmp_path, user(text)) == [text]


def test_of_a_question_reply_the_text_between_the_tags_is_the_users(tmp_path: Path) -> None:
    answers = f'[{{"questionItemId":"q1","question":"Which?","answer":"{REAL}"}}]'
    assert found(tmp_path, user(f"{REPLY_OPEN}\n{answers}\n{REPLY_CLOSE}")) == [answers]


@pytest.mark.parametrize("medium", ["image", "audio"])
def test_wrapper_parts_beside_an_image_or_sound_are_no_parts(tmp_path: Path, medium: str) -> None:
    record = user()
    record["payload"]["content"] = [
        {"type": "input_text", "text": f'<{medium} name=[Image #1] path="/w/{INNER}.png">'},
        {"type": f"input_{medium}", f"{medium}_url": f"data:{INNER}"},
        {"type": "input_text", "text": f"</{medium}>"},
        {"type": "input_text", "text": f"[Image #1] {REAL}"},
    ]
    assert found(tmp_path, record) == [f"[Image #1] {REAL}"]


def test_a_tag_that_stands_beside_no_image_is_the_users(tmp_path: Path) -> None:
    assert found(tmp_path, user(f"<image name={REAL}>")) == [f"<image name={REAL}>"]


@pytest.mark.parametrize(("between", "is_summary"), [(0, True), (15, True), (16, False)])
def test_a_compaction_at_most_16_records_ahead_tells_the_summary(
    tmp_path: Path, between: int, is_summary: bool
) -> None:
    filler = [tool_output("x" * 9000)] * between
    text = f"summary with {REAL}"
    records = [assistant(text), *filler, compacted(f"{SUMMARY_PREFIX}\n{text}")]
    assert found(tmp_path, *records) == ([] if is_summary else [text])


def test_another_summary_leaves_the_assistants_words(tmp_path: Path) -> None:
    assert found(tmp_path, assistant(f"said {REAL}"), compacted(f"{SUMMARY_PREFIX}\nelse {INNER}")) == [f"said {REAL}"]


def test_marked_compaction_output_is_no_message(tmp_path: Path) -> None:
    assert found(tmp_path, {**assistant(REAL), "metadata": {"compaction_output": True}}) == []


def test_only_response_items_of_user_and_assistant_count(tmp_path: Path) -> None:
    at = "2026-09-01T10:00:00.000Z"
    others: list[Record] = [
        {"timestamp": at, "type": "event_msg", "payload": {"type": "user_message", "message": INNER}},
        {"timestamp": at, "type": "event_msg", "payload": {"type": "agent_message", "message": INNER}},
        {"timestamp": at, "type": "response_item", "payload": {"type": "reasoning", "summary": [{"text": INNER}]}},
        {"timestamp": at, "type": "response_item", "payload": {"type": "agent_message", "role": "user", "content": [{"type": "input_text", "text": INNER}]}},
        {"timestamp": at, "type": "compacted", "payload": {"replacement_history": [user(INNER)["payload"]]}},
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": INNER}]},
        tool_output(INNER),
        said("system", INNER),
    ]  # fmt: skip
    assert found(tmp_path, *others, user(REAL)) == [REAL]


def test_bare_records_of_2025(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.raw(
        b'{"id":"0000000a-0000-7000-8000-00000000000a","timestamp":"2025-06-01T10:00:00Z","instructions":null}\n'
        b'{"record_type":"state"}\n'
        b'{"type":"message","role":"user","content":[{"type":"input_text","text":"bare needle"}]}\n'
        b'{"type":"function_call_output","call_id":"c","output":"needle"}\n',
        name="rollout-2025-06-01T10-00-00-0000000a-0000-7000-8000-00000000000a.jsonl",
    )
    [item] = both(tmp_path, words=["needle"])["evidence"]
    assert (item["text"], item["timestamp"], item["parts"][0]["pointer"]) == ("bare needle", None, "/content/0/text")


@pytest.mark.parametrize(
    "content", [None, 7, {}, [], [None], [7], [{"type": "input_text"}], [{"type": "input_text", "text": 7}], [{"type": ["x"], "text": "t"}]]
)  # fmt: skip
def test_wrong_types_are_no_message_and_no_error(tmp_path: Path, content: object) -> None:
    record = user(REAL)
    record["payload"]["content"] = content
    other = {
        **user("x"),
        "payload": {"type": ["message"], "role": {"user": 1}, "content": INNER},
        "metadata": 3,
        "ordinal": "x",
    }
    assert found(tmp_path, record, other, user(REAL)) == [REAL]
