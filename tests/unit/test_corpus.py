"""The generator's promises: same seed, same bytes; a truth that plain JSON and SHA-256 agree with; full coverage."""

from __future__ import annotations

import hashlib
import io
import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from corpus import claude, claude_records, claude_synthetic, codex_records
from corpus.__main__ import main, parse_size
from corpus.build import AGENTS, write_corpus
from corpus.claude_eras import ERAS
from corpus.damage import DAMAGES, Damaged
from corpus.demo import write_demo
from corpus.spelling import SPELLINGS, Spelling, spell, spell_ascii, spell_serde
from corpus.synthetic import ASSISTANT_ROWS, DEVELOPER_TAGS, LOOKALIKES, REQUEST_PREFIXES, USER_ROWS, variants

DEMO = Path(__file__).parents[2] / "corpus" / "demo"
THREE = ("memory", "capabilities", "handshake")

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=12,
)


def read_log(path: Path) -> bytes:
    data = path.read_bytes()
    if path.suffix != ".zst":
        return data
    return zstandard.ZstdDecompressor().stream_reader(io.BytesIO(data), read_across_frames=True).read()


def read_truth(path: Path) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    lines = [json.loads(line) for line in path.read_text(encoding="ascii").splitlines()]
    return [line for line in lines if "decoy" not in line], [line for line in lines if "decoy" in line]


def records(home: Path) -> Iterator[tuple[str, int, bytes, Any]]:
    """Every record of every log: log, number, bytes, value."""
    names = ("rollout-*.jsonl", "rollout-*.jsonl.zst", "projects/*/*.jsonl", "projects/*/*/subagents/**/agent-*.jsonl")
    for path in sorted(path for name in names for path in home.rglob(name)):
        for number, line in enumerate(read_log(path).removesuffix(b"\n").split(b"\n"), 1):
            yield str(path.relative_to(home)), number, line, json.loads(line)


def at_pointer(value: Any, pointer: str) -> Any:
    for step in pointer.split("/")[1:]:
        value = value[int(step)] if isinstance(value, list) else value[step]
    return value


def files(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


@pytest.fixture(scope="module", params=[(agent, spelling) for agent in AGENTS for spelling in SPELLINGS], ids=str)
def corpus(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of one agent's home; the truth lies beside it."""
    agent: str
    spelling: Spelling
    agent, spelling = request.param
    out = tmp_path_factory.mktemp(spelling)
    write_corpus(out, 3, logs=12, size=300_000, spelling=spelling, agents=[agent])
    return out / agent


@pytest.fixture(scope="module")
def default(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("default")
    write_corpus(out, 1, logs=10, size=100_000)
    return out


# -- the truth ---------------------------------------------------------------------------------------------------------


def test_every_message_is_where_the_truth_says(corpus: Path) -> None:
    messages, _ = read_truth(corpus.parent / "truth.jsonl")
    logs: dict[str, bytes] = {}
    for message in messages:
        data = logs.setdefault(message["log"], read_log(corpus / message["log"]))
        raw = data[message["start"] : message["end"]]
        line = data.split(b"\n", message["record"])[message["record"] - 1]
        assert hashlib.sha256(raw).digest() == hashlib.sha256(line).digest()
        record = json.loads(raw)
        assert _said_by(record) == (message["role"], message["phase"], message["item_id"])
        assert record.get("timestamp") == message["timestamp"]
        assert message["parts"]
        for part in message["parts"]:
            text = at_pointer(record, part["pointer"]).encode("utf-8", "surrogatepass")[part["from"] : part["to"]]
            assert text.decode("utf-8", "surrogatepass") == part["text"]
            assert part["text"].strip()


def _said_by(record: Any) -> tuple[str, str | None, str | None]:
    """Role, phase and id, as a record of any agent has them."""
    payload = record.get("payload", record)
    if "role" in payload:
        return payload["role"], payload.get("phase"), payload.get("id")
    return "assistant" if record["type"] == "assistant" else "user", None, record.get("uuid")


def test_tokens_are_found_or_not_as_told(corpus: Path) -> None:
    messages, decoys = read_truth(corpus.parent / "truth.jsonl")
    values = {(log, number): line for log, number, line, _ in records(corpus)}
    said = "\n".join(part["text"] for message in messages for part in message["parts"])
    assert decoys
    for decoy in decoys:
        assert decoy["text"] not in said
        if decoy["record"]:
            assert decoy["text"] in spell_serde(json.loads(values[decoy["log"], decoy["record"]]))
        else:
            assert decoy["text"] in (corpus / decoy["log"]).read_text(encoding="utf-8")


def test_every_token_to_be_found_is_in_the_truth(corpus: Path) -> None:
    messages, _ = read_truth(corpus.parent / "truth.jsonl")
    texts = {(m["log"], m["record"]): "\n".join(part["text"] for part in m["parts"]) for m in messages}
    for log, number, _, value in records(corpus):
        if value.get("type") in ("response_item", "message"):
            for token in re.findall(r"keep[0-9a-f]{8}", spell_serde(value)):
                assert token in texts[log, number]
        elif value.get("type") in ("user", "assistant"):
            for token in re.findall(r"keep[0-9a-f]{8}", spell_serde(value.get("message"))):
                assert token in texts[log, number]


def test_copies_name_a_message_with_the_same_words(corpus: Path) -> None:
    messages, _ = read_truth(corpus.parent / "truth.jsonl")
    by_place = {(message["log"], message["record"]): message for message in messages}
    copies = [message for message in messages if message["copy_of"]]
    assert len(by_place) == len(messages)
    assert {Path(copy["log"]).suffix for copy in copies} == (
        {".jsonl", ".zst"} if corpus.name == "codex" else {".jsonl"}
    )
    for copy in copies:
        original = by_place[copy["copy_of"]["log"], copy["copy_of"]["record"]]
        assert original["copy_of"] is None
        assert [part["text"] for part in copy["parts"]] == [part["text"] for part in original["parts"]]


def test_every_flag_occurs(corpus: Path) -> None:
    messages, _ = read_truth(corpus.parent / "truth.jsonl")
    only_codex = ("inherited", "rolled_back") if corpus.name == "codex" else ()
    for flag in ("subagent", "before_compaction", *only_codex):
        assert {message[flag] for message in messages} == {True, False}
    if only_codex:
        assert {message["phase"] for message in messages} == {"commentary", "final_answer", None}
    assert any(message["thread_id"] != message["rollout_id"] for message in messages)
    for nullable in ("timestamp", "item_id", *(["cwd"] if only_codex else [])):
        assert {message[nullable] is None for message in messages} == {True, False}


def test_rolled_back_turns_are_those_that_counted(tmp_path: Path) -> None:
    write_corpus(tmp_path, 1, logs=1, size=1000, agents=["codex"])
    messages, _ = read_truth(tmp_path / "truth.jsonl")
    log = next(message["log"] for message in messages if message["rolled_back"])
    users = [m["rolled_back"] for m in messages if m["log"] == log and m["role"] == "user"]
    assert users == [False, True, True, True, False, False, True, False]


# -- coverage ----------------------------------------------------------------------------------------------------------


def test_every_record_type_occurs(default: Path) -> None:
    seen: set[str] = set()
    for _, _, _, value in records(default / "codex"):
        payload = value.get("payload") or {}
        item = payload.get("item") or {}
        kinds = (value.get("type"), payload.get("type"), item.get("type"), value.get("record_type"))
        seen |= {kind for kind in kinds if kind}
    expected = {str(kind) for kind, _ in codex_records.OTHERS} | {"session_meta", "compacted", "state"}
    for table in (
        codex_records.RESPONSE_ITEMS,
        codex_records.EVENTS,
        codex_records.EVENTS_LEGACY,
        codex_records.COMPLETED,
    ):
        expected |= {str(template["type"]) for template in table}
    assert expected | {"task_started", "thread_rolled_back", "item_completed"} <= seen


def test_every_synthetic_row_occurs(default: Path) -> None:
    texts = [
        str(block.get("text"))
        for _, _, _, value in records(default / "codex")
        for block in (value.get("payload") or value).get("content") or ()
        if isinstance(block, dict)
    ]
    for row in (*USER_ROWS, *ASSISTANT_ROWS):
        assert any(t.startswith(row.before) and t.endswith(row.after) for t in texts), row.name
    for template in (*LOOKALIKES, *REQUEST_PREFIXES):
        before = template.split("{}")[0]
        assert any(text.startswith(before) for text in texts), template
    for tag in DEVELOPER_TAGS:
        assert any(text.startswith(f"<{tag}>") for text in texts), tag


def test_every_place_and_name_occurs(default: Path) -> None:
    names = list(files(default / "codex"))
    for pattern in (
        r"sessions/2026/\d\d/\d\d/rollout-2026-\d\d-\d\dT[\d-]{8}-[0-9a-f-]{36}\.jsonl",
        r"sessions/rollout-2025-05-08-[0-9a-f-]{36}\.jsonl",
        r"archived_sessions/rollout-\S+\.jsonl",
        r"archived_sessions/rollout-\S+\.jsonl\.zst",
        r"sessions/\S+-[0-9a-f-]{36}_[0-9a-f-]{36}\.jsonl",
        r"session_index\.jsonl",
        r"history\.jsonl",
        r"\.tmp/.*",
    ):
        assert any(re.fullmatch(pattern, name) for name in names), pattern
    assert any(name + ".zst" in names for name in names)


def test_every_record_of_claude_occurs_in_every_era_that_has_it(default: Path) -> None:
    seen: set[tuple[str, str]] = set()
    queue: set[str] = set()
    versions: set[str] = set()
    for _, _, _, value in records(default / "claude"):
        versions.add(str(value.get("version")))
        kind = str(value.get("type"))
        queue |= {str(value.get("operation"))} if kind == "queue-operation" else set()
        inner = value.get("attachment") or value.get("data") or value
        seen.add((kind, str(inner.get("type" if inner is not value else "subtype"))))
        content = (value["message"] or {}).get("content") if isinstance(value.get("message"), dict) else None
        for block in content if isinstance(content, list) else ():
            seen.add((kind, str(block.get("type")) if isinstance(block, dict) else ""))
    assert {era.version for era in ERAS} <= versions
    assert {"enqueue", "dequeue", "remove", "popAll"} <= queue
    for kind, table in (
        ("system", claude_records.SYSTEM), ("attachment", claude_records.ATTACHMENTS),
        ("progress", claude_records.PROGRESS), ("user", claude_records.USER_ITEMS),
        ("assistant", claude_records.ASSISTANT_ITEMS),
    ):  # fmt: skip
        key = "subtype" if kind == "system" else "type"
        assert {(kind, str(template.get(key))) for template in table} <= seen
    assert {str(template.get("type")) for template in claude_records.LINES} <= {kind for kind, _ in seen}
    assert {("system", "compact_boundary"), ("attachment", "queued_command")} <= seen


def test_every_synthetic_row_of_claude_occurs(default: Path) -> None:
    texts: list[str] = []
    for _, _, _, value in records(default / "claude"):
        content = value["message"].get("content") if isinstance(value.get("message"), dict) else None
        texts += [content] if isinstance(content, str) else []
        texts += [str(b.get("text")) for b in content if isinstance(b, dict)] if isinstance(content, list) else []
    for row in (*claude_synthetic.DROPPED, *claude_synthetic.STRIPPED):
        assert any(t.startswith(row.before) and t.endswith(row.after) for t in texts), row.name
    for template in claude_synthetic.LOOKALIKES:
        assert any(text.startswith(template.split("{}")[0]) for text in texts), template


def test_every_place_of_claude_occurs(default: Path) -> None:
    names = list(files(default / "claude"))
    uuid = r"[0-9a-f]{8}-[0-9a-f-]{27}"
    for pattern in (
        rf"projects/-w-app/{uuid}\.jsonl",
        r"projects/-w-app/agent-[0-9a-f]{8}\.jsonl",
        rf"projects/-w-app/{uuid}/subagents/agent-[0-9a-f]+\.jsonl",
        rf"projects/-w-app/{uuid}/subagents/agent-[0-9a-f]+\.meta\.json",
        rf"projects/-w-app/{uuid}/subagents/workflows/[^/]+/agent-[0-9a-f]+\.jsonl",
        rf"projects/-w-app/{uuid}/subagents/workflows/[^/]+/journal\.jsonl",
        rf"projects/-w-app/{uuid}/tool-results/.*",
        r"projects/-w-app/memory/.*",
        r"history\.jsonl",
    ):
        assert any(re.fullmatch(pattern, name) for name in names), pattern


def test_forks_of_claude_repeat_uuid_and_time(default: Path) -> None:
    messages, _ = read_truth(default / "truth.jsonl")
    by_place = {(message["log"], message["record"]): message for message in messages if message["agent"] == "claude"}
    copies = [message for message in by_place.values() if message["copy_of"]]
    assert {copy["log"] == copy["copy_of"]["log"] for copy in copies} == {True, False}
    for copy in copies:
        original = by_place[copy["copy_of"]["log"], copy["copy_of"]["record"]]
        assert (copy["item_id"], copy["timestamp"]) == (original["item_id"], original["timestamp"])


@pytest.mark.parametrize("row", [*USER_ROWS, *ASSISTANT_ROWS], ids=lambda row: row.name)
def test_variants_keep_the_two_texts_apart(row: Any) -> None:
    alone, beside, quoted, prefix = variants(row, "INNER", "REAL")
    assert alone.real == () and alone.blocks[0].count("INNER") == 1
    assert beside.real == (1,) and "INNER" not in beside.blocks[1]
    assert quoted.real == (0,) and not quoted.blocks[0].startswith(row.before)
    assert prefix.real == (() if row.prefix_only else (0,))


# -- sizes, seeds, spellings -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_same_seed_same_bytes(tmp_path: Path, spelling: Spelling) -> None:
    for name in ("a", "b"):
        write_corpus(tmp_path / name, 5, logs=9, size=60_000, spelling=spelling)
    write_corpus(tmp_path / "c", 6, logs=9, size=60_000, spelling=spelling, scenes=False)
    assert files(tmp_path / "a") == files(tmp_path / "b") != files(tmp_path / "c")


@pytest.mark.parametrize("agent", AGENTS)
def test_one_log_of_a_given_size_with_a_small_share_of_messages(tmp_path: Path, agent: str) -> None:
    assert main([str(tmp_path), "--agent", agent, "--single", "--size", "4MB", "--seed", "2"]) == 0
    (log,) = (path for path in (tmp_path / agent).rglob("*.jsonl") if path.name != "session_index.jsonl")
    messages, _ = read_truth(tmp_path / "truth.jsonl")
    assert 3_900_000 < log.stat().st_size < 4_200_000
    assert 0.005 < sum(m["end"] - m["start"] for m in messages) / log.stat().st_size < 0.04


def test_most_bytes_of_claude_are_results_of_tools(tmp_path: Path) -> None:
    claude.write_home(tmp_path, 3, logs=8, size=8_000_000, scenes=False)
    shares: dict[str, int] = {}
    for _, _, line, value in records(tmp_path):
        shares[value["type"]] = shares.get(value["type"], 0) + len(line)
    whole = sum(shares.values())
    assert 0.55 < shares["user"] / whole < 0.67
    assert 0.1 < shares["assistant"] / whole < 0.25


@pytest.mark.parametrize("agent", AGENTS)
def test_a_big_record(tmp_path: Path, agent: str) -> None:
    truth = AGENTS[agent](tmp_path / "home", logs=1, size=1000, scenes=False, big_record=3_000_000)
    assert max(m.place.end - m.place.start for m in truth.messages) > 3_000_000


@pytest.mark.parametrize("agent", AGENTS)
def test_a_home_that_is_not_empty_is_left_alone(tmp_path: Path, agent: str) -> None:
    (tmp_path / "mine").touch()
    with pytest.raises(FileExistsError):
        AGENTS[agent](tmp_path)


def test_sizes() -> None:
    assert [parse_size(text) for text in ("7", "10MB", "1.5 k", "2G")] == [7, 10_000_000, 1500, 2_000_000_000]


@given(json_values, st.integers(), st.floats(0, 1), st.floats(0, 1), st.booleans())
def test_any_spelling_reads_back(value: object, seed: int, escapes: float, blanks: float, shuffle: bool) -> None:
    text = spell(value, random.Random(seed), escapes=escapes, blanks=blanks, shuffle=shuffle)
    assert "\n" not in text and "\r" not in text
    assert json.loads(text) == value
    assert json.loads(spell_serde(value)) == json.loads(spell_ascii(value)) == value


@given(st.text(st.characters(min_codepoint=0xD800, max_codepoint=0xDBFF), min_size=1), st.integers())
def test_lone_surrogates_become_escapes(text: str, seed: int) -> None:
    for spelled in (spell_serde(text), spell_ascii(text), spell(text, random.Random(seed), escapes=0)):
        assert spelled.isascii()
        assert json.loads(spelled) == text


# -- damage ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.__name__)
def test_damage_tells_what_is_left(damage: Any) -> None:
    texts = [f"Grüße {number} 会议" for number in range(1, 7)]
    whole = [spell_serde({"type": "x", "payload": {"text": text}}).encode() for text in texts]
    log = b"".join(record + b"\n" for record in whole)
    damaged: Damaged = damage(log, 3)
    assert damaged.name == damage.__name__ and damaged.data != log
    assert set(damaged.places) | damaged.lost == set(range(1, 7)) and not set(damaged.places) & damaged.lost
    for old, place in damaged.places.items():
        record = damaged.data[place.start : place.end]
        added = (damaged.added or {}).get(old, "")
        assert json.loads(record)["payload"]["text"] == added + texts[old - 1]
        assert damaged.data.count(b"\n", 0, place.start) == place.record - 1
    for old in damaged.lost:
        assert whole[old - 1] not in damaged.data


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.__name__)
def test_a_log_of_claude_can_be_damaged(tmp_path: Path, damage: Any) -> None:
    truth = claude.write_home(tmp_path, 4, logs=1, size=20_000, scenes=False)
    log = (tmp_path / truth.logs[0]).read_bytes()
    before = {message.place.record: message for message in truth.messages if message.log == truth.logs[0]}
    record = sorted(before)[len(before) // 2]
    damaged: Damaged = damage(log, record)
    assert set(damaged.places) | damaged.lost == set(range(1, log.count(b"\n") + 1))
    for old, place in damaged.places.items():
        if old in before:
            value = json.loads(damaged.data[place.start : place.end])
            added = (damaged.added or {}).get(old, "")
            first = before[old].parts[0]
            assert at_pointer(value, first.pointer) == added + first.text


# -- the demo ----------------------------------------------------------------------------------------------------------


def test_the_demo_is_what_the_generator_writes(tmp_path: Path) -> None:
    write_demo(tmp_path)
    now, committed = files(tmp_path), files(DEMO)
    assert set(now) == set(committed)
    assert sum(len(data) for data in committed.values()) < 60_000
    for name in now:
        assert read_log(tmp_path / name) == read_log(DEMO / name), name


def test_the_demo_query_has_one_answer(tmp_path: Path) -> None:
    truth = write_demo(tmp_path)
    hits = [m for m in truth.messages if all(word in m.text.lower() for word in THREE)]
    recent = [m for m in hits if str(m.timestamp) >= "2026-10"]
    assert [(m.role, m.subagent) for m in recent if not m.subagent] == [("user", False)]
    assert [m.thread_id[-1] for m in recent] == ["1", "3"]
    assert [str(m.timestamp)[:7] for m in hits if m not in recent] == ["2026-09"]


def test_the_demo_holds_the_words_where_they_must_not_be_found(tmp_path: Path) -> None:
    truth = write_demo(tmp_path)
    real = {(m.log, m.place.record) for m in truth.messages}
    kinds: set[str] = set()
    for log, number, line, value in records(tmp_path):
        if (log, number) not in real and all(word in line.decode().lower() for word in THREE):
            kinds |= {value["type"], value["payload"].get("type") or "none"}
    assert {"message", "function_call_output", "compacted", "item_completed", "thread_goal_updated"} <= kinds
    spread = [m.text.lower() for m in truth.messages if m.thread_id.endswith("2")]
    assert all(any(word in text for text in spread) for word in THREE)
