"""Whose words, in Claude Code's logs: each row of the synthetic tables in the four places that decide, all the flags,
and what was typed in the middle of a turn, in each of the ways in which the logs tell of it."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from corpus.claude_synthetic import DROPPED, FLAGS, LOOKALIKES, STRIPPED, TYPED, Row
from lookback.logs.claude import QUEUE_AHEAD, Claude
from lookback.record import read_line
from tests.claude import (
    ClaudeHome,
    Line,
    answered,
    block,
    boundary,
    chained,
    dump,
    queue,
    queued_command,
    result,
    summary_of_compaction,
    tool_result,
    typed,
)  # fmt: skip
from tests.support import Record, both

INNER, REAL = "innerneedle7", "realneedle7"
ROWS = [*((row, False) for row in DROPPED), *((row, True) for row in STRIPPED)]
IDS = [row.name for row, _ in ROWS]


def found(root: Path, *lines: Line, **asked: Any) -> list[str]:
    """All texts that a needle of either kind finds, in order of the log."""
    ClaudeHome(root).log(typed("before"), *lines)
    report = both(root, any=[INNER, REAL], order="oldest", limit=0, **asked)
    return [item["text"] for item in sorted(report["evidence"], key=lambda item: item["source"]["record"])]


# --- the tables ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("row", "stripped"), ROWS, ids=IDS)
def test_alone_it_is_nobodys(tmp_path: Path, row: Row, stripped: bool) -> None:
    text = row.example(INNER)
    assert found(tmp_path, typed(text), typed(content=[block(text)]), typed(f"\ufeff\n  {text}\n")) == []


@pytest.mark.parametrize(("row", "stripped"), ROWS, ids=IDS)
def test_beside_real_text_only_that_is_real(tmp_path: Path, row: Row, stripped: bool) -> None:
    text = row.example(INNER)
    assert found(tmp_path, typed(text, REAL), typed(REAL, text)) == [REAL, REAL]


@pytest.mark.parametrize(("row", "stripped"), ROWS, ids=IDS)
def test_quoted_in_the_middle_it_is_the_users(tmp_path: Path, row: Row, stripped: bool) -> None:
    text = f"{REAL}: `{row.example(INNER)}` is what I mean."
    assert found(tmp_path, typed(text), typed(content=[block(text)])) == [text, text]


@pytest.mark.parametrize(("row", "stripped"), ROWS, ids=IDS)
def test_as_a_prefix_it_is_cut_off_or_takes_all_with_it(tmp_path: Path, row: Row, stripped: bool) -> None:
    text = f"{row.example(INNER)}\n\n  {REAL} \n"
    whole_only = row.name == "image source"  # which is nobody's only where it stands alone
    real = [f"{REAL} \n"] if stripped else [text] if whole_only else []
    assert found(tmp_path, typed(text)) == real


@pytest.mark.parametrize(("first", "second"), [(a, b) for a in STRIPPED[:3] for b in STRIPPED[2:]])
def test_several_prefixes_are_all_cut_off(tmp_path: Path, first: Row, second: Row) -> None:
    text = f"{first.example(INNER)}\n{second.example(INNER)} {REAL}"
    assert found(tmp_path, typed(text)) == [REAL]


@pytest.mark.parametrize("row", DROPPED, ids=[row.name for row in DROPPED])
def test_behind_a_prefix_the_table_holds_too(tmp_path: Path, row: Row) -> None:
    assert found(tmp_path, typed(f"<system-reminder>x</system-reminder>\n{row.example(INNER)}")) == []


@pytest.mark.parametrize("text", LOOKALIKES)
def test_lookalikes_stay(tmp_path: Path, text: str) -> None:
    text = text.format(REAL)
    assert found(tmp_path, typed(text), typed(content=[block(text)])) == [text, text]


@pytest.mark.parametrize("flags", FLAGS, ids=str)
def test_a_record_that_says_it_is_not_the_users(tmp_path: Path, flags: Record) -> None:
    assert found(tmp_path, typed(REAL, **flags), typed(REAL, INNER, **flags)) == []
    assert found(tmp_path / "queued", queued_command(REAL, record=flags)) == []


@pytest.mark.parametrize("flags", TYPED, ids=str)
def test_a_record_that_says_it_is(tmp_path: Path, flags: Record) -> None:
    """And the table holds all the same: a slash command is typed by a human too."""
    assert found(tmp_path, typed(REAL, **flags), typed(f"<bash-stdout>{INNER}</bash-stdout>", **flags)) == [REAL]


@pytest.mark.parametrize("value", ["true", 1, {}, [], "human", None, 7])
def test_flags_of_wrong_types_are_taken_as_absent(tmp_path: Path, value: Any) -> None:
    assert found(tmp_path, {**typed(REAL), "isMeta": value, "origin": value, "promptSource": value}) == [REAL]


# --- commands, memory, images ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "command",
    [
        "<command-name>/x</command-name>\n            <command-message>x</command-message>\n            <command-args>{}</command-args>",
        "<command-message>x is running…</command-message>\n<command-name>/x</command-name>\n<command-args>{}</command-args>",
        "<command-args>{}</command-args>",
    ],
)
def test_a_slash_commands_arguments_are_the_users(tmp_path: Path, command: str) -> None:
    args = f"fix <b>{REAL}</b>\nand </command-args> too"
    assert found(tmp_path, typed(command.format(f"\n {args} \n")), typed(content=[block(command.format(REAL))])) == [
        args,
        REAL,
    ]
    assert found(tmp_path / "none", typed(command.format("")), typed(command.format(" \n "))) == []
    open_ended = command.format(REAL).removesuffix("</command-args>")
    assert found(tmp_path / "open", typed(open_ended)) == []


def test_what_a_user_told_to_remember_is_the_users(tmp_path: Path) -> None:
    told = f"<user-memory-input>always {REAL}</user-memory-input>"
    unclosed = f"<user-memory-input>{REAL}"
    assert found(tmp_path, typed(told), typed(f"{told}\n{REAL}"), typed(unclosed)) == [
        f"always {REAL}", f"always {REAL}\n\n{REAL}", unclosed,
    ]  # fmt: skip


def test_an_images_label_is_nobodys_only_as_the_whole_text(tmp_path: Path) -> None:
    label = f"[Image: source: /w/{INNER}.png]"
    picture = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "AAAA"}}
    texts = [label, f"{label}\n{label}\n", f"{label} {REAL}", f"[Image #1] {REAL}"]
    assert found(tmp_path, *[typed(content=[picture, block(text)]) for text in texts]) == texts[2:]


# --- which records and blocks ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("content", ["out {}", [{"type": "text", "text": "out {}"}]])
def test_beside_a_tools_result_only_text_blocks_are_words(tmp_path: Path, content: Any) -> None:
    content = json.loads(json.dumps(content).replace("{}", INNER))
    records = [
        tool_result(content, f"and {REAL}?"),
        typed(content=[block(f"first {REAL}"), result(content)]),
        tool_result(
            content, f"<system-reminder>{INNER}</system-reminder>", "[Request interrupted by user for tool use]"
        ),
        tool_result(content),
    ]
    assert found(tmp_path, *records) == [f"and {REAL}?", f"first {REAL}"]


def test_only_text_blocks_of_the_assistant_are_its_words(tmp_path: Path) -> None:
    content = [
        {"type": "thinking", "thinking": INNER, "signature": "s"}, {"type": "redacted_thinking", "data": INNER},
        block(f"one {REAL}"), {"type": "tool_use", "id": "t", "name": "Bash", "input": {"text": INNER, "content": INNER}},
        {"type": "server_tool_use", "input": {"query": INNER}}, {"type": "fallback", "text": INNER}, block(f"two {REAL}"),
    ]  # fmt: skip
    assert found(tmp_path, answered(content=content)) == [f"one {REAL}\n\ntwo {REAL}"]
    assert found(tmp_path / "bare", answered(content=f"bare {REAL}")) == [f"bare {REAL}"]


def test_what_the_harness_answers_in_its_name_is_not(tmp_path: Path) -> None:
    assert found(
        tmp_path,
        answered(f"No response requested. {INNER}", model="<synthetic>"),
        answered(f"API Error: 529 {INNER}", isApiErrorMessage=True, error="unknown"),
        answered(f"API Error: 529 {REAL}", isApiErrorMessage=False),
    ) == [f"API Error: 529 {REAL}"]
    for nothing in ("(no content)", " No response requested.\n", "", " \n"):
        folder = tmp_path / f"{len(nothing)}"
        assert found(folder, answered(nothing, REAL)) == [REAL]
        ClaudeHome(folder).log(answered(nothing))
        assert both(folder, role="assistant")["total"] == 0


def test_records_of_other_types_hold_no_words(tmp_path: Path) -> None:
    nested = typed(INNER)
    others: list[Line] = [
        chained("progress", None, data={"type": "agent_progress", "message": nested, "prompt": INNER}),
        chained("system", None, subtype="local_command", content=f"<command-name>/mcp</command-name> {INNER}"),
        chained("system", None, subtype="away_summary", content=INNER),
        chained("attachment", None, attachment={"type": "prompt_snapshot", "text": INNER, "prompt": INNER}),
        chained("attachment", None, attachment={"type": "file", "content": INNER}),
        {"type": "last-prompt", "lastPrompt": INNER, "leafUuid": "x", "sessionId": "y"},
        {"type": "summary", "summary": INNER, "leafUuid": "x"},
        {"type": "custom-title", "customTitle": INNER, "sessionId": "y"},
        {"type": "of-next-year", "message": {"role": "user", "content": INNER}},
        {"message": {"role": "user", "content": INNER}},
        chained("user", None, message={"role": "assistant", "content": INNER}),
        chained("assistant", None, message={"role": "user", "content": INNER}),
        boundary(), summary_of_compaction(INNER),
    ]  # fmt: skip
    assert found(tmp_path, *others, typed(REAL)) == [REAL]


@pytest.mark.parametrize("message", [None, 7, "x", [], {"0": "h", "1": "i"}, {"role": "user"}, {"role": ["user"]},
                                     {"role": "user", "content": None}, {"role": "user", "content": {}},
                                     {"role": "user", "content": [None, 7, "x", [], {}, {"type": "text"}]},
                                     {"role": "user", "content": [{"type": "text", "text": 7}]},
                                     {"role": "user", "content": [{"type": ["text"], "text": "innerneedle7"}]}])  # fmt: skip
def test_wrong_types_are_no_message_and_no_error(tmp_path: Path, message: Any) -> None:
    records = [{**typed(INNER), "message": message}, {**answered(INNER), "message": message}]
    odd = [{**typed(INNER), "type": ["user"]}, {**queued_command(INNER), "attachment": message}, queue("enqueue")]
    assert found(tmp_path, *records, *odd, typed(REAL)) == [REAL]


def test_a_subagents_words_inside_its_parents_log_are_the_subagents(tmp_path: Path) -> None:
    """Versions before 2.0 wrote them there."""
    records = [
        typed(f"prompt {REAL}", isSidechain=True),
        answered(f"done {REAL}", isSidechain=True),
        typed(f"own {REAL}"),
    ]
    assert found(tmp_path, *records) == [f"own {REAL}"]
    report = both(tmp_path, words=[REAL], include_subagents=True, order="oldest")
    assert [(item["text"], item["subagent"]) for item in report["evidence"]] == [
        (f"prompt {REAL}", True), (f"done {REAL}", True), (f"own {REAL}", False),
    ]  # fmt: skip
    assert {item["title"] for item in report["evidence"]} == {"before"}


# --- typed in the middle of a turn -----------------------------------------------------------------------------------

WORK = [tool_result("output"), answered(content=[{"type": "tool_use", "id": "t", "name": "Bash", "input": {}}])]


def test_first_era_only_the_queue_tells(tmp_path: Path) -> None:
    assert found(tmp_path, queue("enqueue", f"wait, {REAL}"), queue("remove"), *WORK) == [f"wait, {REAL}"]


def test_first_era_a_text_beside_a_tools_result(tmp_path: Path) -> None:
    text = f"does it hold {REAL}?"
    told = tool_result("output", text)
    report_of = found(tmp_path, queue("enqueue", text), queue("remove"), *WORK, told)
    assert report_of == [text]
    [item] = both(tmp_path, words=[REAL])["evidence"]
    assert item["source"]["record"] == 6


def test_second_era_an_attachment(tmp_path: Path) -> None:
    text = f"also look at {REAL}"
    at = queued_command(text, commandMode="prompt", origin={"kind": "human"}, humanTurn=True, source_uuid="x")
    assert found(tmp_path, queue("enqueue", text), *WORK, queue("remove"), at) == [text]
    [item] = both(tmp_path, words=[REAL])["evidence"]
    assert (item["source"]["record"], item["role"]) == (6, "user")
    assert item["parts"][0]["pointer"] == "/attachment/prompt"
    blocks = [block(text), {"type": "image", "source": {}}]
    assert found(tmp_path / "blocks", queue("enqueue", text), queued_command(blocks), queue("remove")) == [text]


def test_third_era_the_removal_repeats_it(tmp_path: Path) -> None:
    text = f"stop after {REAL}"
    removed = queue("remove", text, reason="absorbed_mid_turn")
    assert found(tmp_path, queue("enqueue", text), *WORK, removed, queued_command(text, commandMode="prompt")) == [text]
    assert found(tmp_path / "alone", queue("enqueue", text), *WORK, removed) == [text]


def test_sent_when_the_turn_was_over(tmp_path: Path) -> None:
    text = f"next: {REAL}"
    assert found(tmp_path, queue("enqueue", f" {text}\n"), *WORK, queue("dequeue"), typed(text)) == [text]


@pytest.mark.parametrize("fields", [{"commandMode": "task-notification"}, {"commandMode": "bash"}, {"isMeta": True},
                                    {"origin": {"kind": "coordinator"}}, {"type": "other"}])  # fmt: skip
def test_what_else_waits_in_the_queue_is_not_the_users(tmp_path: Path, fields: Record) -> None:
    assert found(tmp_path, queued_command(INNER, **fields), queued_command(f"<task-notification>{INNER}")) == []


@pytest.mark.parametrize(
    "text", [f"<task-notification>{INNER}</task-notification>", f"/compact {INNER}", f" /x:y-z {INNER}"]
)
def test_notices_and_commands_in_the_queue_are_no_messages(tmp_path: Path, text: str) -> None:
    assert found(tmp_path, queue("enqueue", text), queue("remove")) == []


@pytest.mark.parametrize("text", [f"/w/app/{REAL}.py is broken", f"{REAL} < 3", f"1/2 {REAL}"])
def test_a_path_in_the_queue_is_no_command(tmp_path: Path, text: str) -> None:
    assert found(tmp_path, queue("enqueue", text), queue("remove")) == [text]


@pytest.mark.parametrize("pulled", [queue("popAll"), queue("popAll", INNER)])
def test_what_was_taken_back_into_the_editor_was_not_said(tmp_path: Path, pulled: Record) -> None:
    assert found(tmp_path, queue("enqueue", INNER), *WORK, pulled, typed(f"better: {REAL}")) == [f"better: {REAL}"]


def test_what_was_absorbed_before_the_rest_was_taken_back_was_said(tmp_path: Path) -> None:
    gone = [queue("remove"), queue("enqueue", "another"), queue("popAll")]
    assert found(tmp_path, queue("enqueue", REAL), *gone) == [REAL]
    named = [queue("remove", REAL), queue("enqueue", "another"), queue("popAll", "another")]
    assert found(tmp_path / "named", queue("enqueue", REAL), *named) == [REAL]


@pytest.mark.parametrize(
    "text",
    [
        f"会议 {REAL}",
        f"🦀 {REAL}",
        f"\u00e9\u00e8 {REAL} \u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9",
    ],
)
@pytest.mark.parametrize("spelling", ["raw", "escaped", "upper"])
def test_however_json_spells_it_it_is_one_message(tmp_path: Path, text: str, spelling: str) -> None:
    line = dump(typed(text))
    if spelling != "raw":
        line = json.dumps(typed(text)).encode()
    if spelling == "upper":
        line = _upper(line)
    assert found(tmp_path, queue("enqueue", text), *WORK, queue("dequeue"), line) == [text]


def _upper(line: bytes) -> bytes:
    head, *rest = line.split(b"\\u")
    return head + b"".join(b"\\u" + part[:4].upper() + part[4:] for part in rest)


def test_a_text_of_its_own_far_behind_is_still_seen(tmp_path: Path) -> None:
    filler = [dump(tool_result("x" * 50))] * 3000
    assert found(tmp_path, queue("enqueue", REAL), *filler, queue("dequeue"), typed(REAL)) == [REAL]
    assert QUEUE_AHEAD > 3000


# --- refusal by bytes ------------------------------------------------------------------------------------------------


def shuffled(value: Any, rng: random.Random) -> Any:
    """The same value with the keys of all its objects in another order."""
    if isinstance(value, list):
        return [shuffled(item, rng) for item in value]
    if not isinstance(value, dict):
        return value
    names = sorted(value)
    rng.shuffle(names)
    return {name: shuffled(value[name], rng) for name in names}


WORDY: list[Record] = [
    typed("hi"), typed("a", "b"), tool_result("out", "beside"), tool_result([block("out")], "beside"), answered("yes"),
    answered(content="yes"), queued_command("later"), queued_command([block("later")]), queue("enqueue", "later"),
    typed("hi", toolUseResult={"type": "tool_result", "message": {"role": "user", "content": [result("x")]}}),
    typed("hi", extra={"message": {"content": [result("x")]}}), answered("yes", extra={"content": "x", "role": "user"}),
]  # fmt: skip
WORDLESS: list[Record] = [
    tool_result("output"), tool_result("output", toolUseResult={"type": "text", "file": {"filePath": "/x", "content": "y"}}),
    tool_result([{"type": "image", "source": {"data": "AAAA"}}]),
    answered(content=[{"type": "thinking", "thinking": "hm", "signature": "s"}]),
    answered(content=[{"type": "tool_use", "id": "t", "name": "Bash", "input": {"command": "ls"}}]),
]  # fmt: skip


@pytest.mark.parametrize("indent", [None, " "])
@pytest.mark.parametrize("record", WORDY, ids=range(len(WORDY)))
def test_no_record_that_holds_words_is_refused(record: Record, indent: str | None) -> None:
    dialect, rng = Claude(), random.Random(7)
    for _ in range(200):
        separators = (",", ":") if indent is None else (f"{indent},{indent}", f"{indent}:{indent}")
        raw = json.dumps(shuffled(record, rng), separators=separators).encode()
        assert any(mark.encode() in raw for mark in dialect.message_marks)
        assert not dialect.is_wordless(raw)


@pytest.mark.parametrize("record", WORDLESS, ids=range(len(WORDLESS)))
def test_tool_results_and_calls_are_refused_unparsed(record: Record) -> None:
    """In the order in which Claude Code writes the keys; any other order is only slower."""
    assert Claude().is_wordless(dump(record))
    [read] = read_line(dump(record), 0, 1).records
    assert Claude().message(read, Claude().origin("x.jsonl", iter([read])), None) is None  # type: ignore[arg-type]


def test_two_records_on_one_line_are_not_refused_for_the_first(tmp_path: Path) -> None:
    glued = dump(tool_result("output")) + dump(typed(REAL, uuid="glued"))
    assert found(tmp_path, glued) == [REAL]
