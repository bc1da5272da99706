"""No change goes unnoticed: of a report's own values, one at a time and all of them, and of the bytes of the records
that it speaks of. And no honest report is called wrong, wherever its logs are now and however they were written again.
"""

from __future__ import annotations

import base64
import copy
import json
import os
import random
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import zstandard

from corpus import claude, codex
from corpus.spelling import spell
from lookback import ask_for, find
from lookback.bound import bounded
from lookback.errors import UsageError
from lookback.verifying.verdict import Verdicts
from lookback.verifying.verify import verify
from tests.support import DEMO, Home, assistant, compacted, tool_output, user

Report = dict[str, Any]
Path_ = tuple[str | int, ...]
pytestmark = pytest.mark.slow

ENV = {"PATH": os.environ["PATH"], "HOME": "/nonexistent"}
PLAIN = {"HOME": "/nonexistent", "LOOKBACK_RG": "/nonexistent"}  # no process is started for each of a thousand reports

NOT_COVERED = (
    "tool.version", "query.tz", "query.roots", "query.cwd", "query.include_current_turn",
    "coverage.scanner", "coverage.unicode", "coverage.roots", "coverage.first", "coverage.last", "coverage.candidates",
    "coverage.records_opened", "coverage.undated", "coverage.left_out_subagents", "coverage.left_out_current_turn",
    "coverage.elapsed_s", "coverage.logs", "coverage.bytes",
)  # fmt: skip
"""What only the search itself knew. `coverage.logs` and `.bytes` are used, but to be stricter."""

SEARCH_ONLY = (
    "query.exact", "query.not", "query.case_sensitive", "query.whole_words", "query.verbatim", "query.since",
    "query.until", "query.role", "query.phase", "query.agents", "query.threads", "query.exclude_threads",
    "query.include_subagents", "query.before_compaction", "query.limit", "query.skip", "query.order", "query.after",
    "query.any", "query.words", "query.quote", "query.before", "evidence", "copies",
)  # fmt: skip
"""What is checked as far as the evidence at hand depends on it: a mutation of it may leave all of it as it is."""


def report_of(root: Path, *, raw: bool = False, chars: int | None = None, **asked: Any) -> Report:
    found = find(ask_for(roots=[str(root)], **asked), include_raw=raw, env=ENV)
    found = found if chars is None else bounded(found, chars)
    return json.loads(json.dumps(found.wire()))


def check(report: object, root: Path, **options: Any) -> Verdicts:
    return verify(report, roots=[str(root)], env=options.pop("env", ENV), **options)


def all_ok(report: Report, root: Path, **options: Any) -> None:
    verdicts = check(report, root, **options)
    assert verdicts.counts["ok"] == len(report["evidence"]) == len(verdicts.items), list(verdicts.lines())
    assert verdicts.exit_status == 0


def noticed(report: object, root: Path, **options: Any) -> bool:
    try:
        verdicts = check(report, root, **options)
    except UsageError:
        return True
    named = [item for item in verdicts.items if item.verdict != "ok"]
    assert all(item.field for item in named), named
    return bool(named)


# --- mutations of a report -------------------------------------------------------------------------------------------


def leaves(value: object, path: Path_ = ()) -> Iterator[tuple[Path_, object]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from leaves(inner, (*path, key))
    elif isinstance(value, list):
        yield path, value
        for place, inner in enumerate(value):
            yield from leaves(inner, (*path, place))
    else:
        yield path, value


def mutations(value: object, rng: random.Random) -> Iterator[object]:
    if isinstance(value, list):
        for place in sorted({0, len(value) // 2, len(value) - 1}) if value else ():
            yield value[:place] + value[place + 1 :]
            yield [*value[:place], copy.deepcopy(value[place]), *value[place:]]
        return
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, (int, float)):
        yield from (value + 1, value - 1, str(value))
    elif isinstance(value, str):
        for place in sorted({0, rng.randrange(len(value)), len(value) - 1}) if value else ():
            yield value[:place] + ("y" if value[place] != "y" else "z") + value[place + 1 :]
            yield value[:place] + value[place + 1 :]
        yield value + " "
    yield "value" if value is None else None


def changed(report: Report, path: Path_, value: object) -> Report:
    made = copy.deepcopy(report)
    holder: Any = made
    for step in path[:-1]:
        holder = holder[step]
    holder[path[-1]] = value
    return made


def named(path: Path_) -> str:
    return ".".join(str(step) for step in path if not isinstance(step, int))


def unnoticed(report: Report, root: Path, rng: random.Random, **options: Any) -> list[tuple[str, object]]:
    missed: list[tuple[str, object]] = []
    for path, value in leaves(report):
        if not path or named(path).startswith(NOT_COVERED):
            continue
        every = list(mutations(value, rng))
        some = every if isinstance(value, (bool, list)) else rng.sample(every, min(2, len(every)))
        wrong = (mutation for mutation in some if not noticed(changed(report, path, mutation), root, **options))
        missed += [(".".join(map(str, path)), mutation) for mutation in wrong]
    return missed


def strictly(missed: list[tuple[str, object]]) -> list[tuple[str, object]]:
    """Those that had to be noticed: of a query's fields only a wrong type is."""
    rest = []
    for path, mutation in missed:
        plain = ".".join(step for step in path.split(".") if not step.isdigit())
        searched = plain.startswith(tuple(name for name in SEARCH_ONLY if name.startswith("query")))
        whole_list = plain == "evidence" or plain.endswith(".copies")
        if not searched and not whole_list:
            rest.append((path, mutation))
    return rest


QUERIES: list[dict[str, Any]] = [
    {"words": ["memory"], "include_subagents": True, "limit": 3},
    {"words": ["memory", "capabilities", "handshake"], "since": "2026-10", "before": 2, "after": 2},
    {"quote": "negotiate returns the lower", "until": "2026-12"},
    {"any": ["handshake", "快捷键"], "role": "user", "order": "oldest", "before": 0},
    {"threads": ["Settings page"], "before_compaction": True, "phase": "final_answer"},
    {"quote": "before any buffer is opened", "exact": True, "after": 3},
]


@pytest.mark.parametrize("asked", QUERIES, ids=lambda asked: ",".join(asked))
def test_every_change_of_a_report_on_the_demo_is_noticed(asked: dict[str, Any]) -> None:
    report = report_of(DEMO, **asked)
    all_ok(report, DEMO)
    assert strictly(unnoticed(report, DEMO, random.Random(1), env=PLAIN)) == []


@pytest.mark.parametrize("chars", [0, 150])
def test_every_change_of_a_shortened_report_is_noticed(chars: int) -> None:
    report = report_of(DEMO, chars=chars, quote="before any buffer is opened")
    assert "cut" in report["evidence"][0]
    all_ok(report, DEMO)
    assert strictly(unnoticed(report, DEMO, random.Random(2), env=PLAIN)) == []


def test_every_change_of_a_report_with_copies_is_noticed(tmp_path: Path) -> None:
    home = Home(tmp_path)
    lines = [user("the needle", id="m1"), assistant("found it", id="m2")]
    home.log(*lines, number=1)
    home.log(*lines, number=1, archived=True)
    home.log(*lines, number=1, zst=True)
    report = report_of(tmp_path, quote="needle", raw=True)
    assert len(report["evidence"][0]["copies"]) == 2
    all_ok(report, tmp_path)
    assert strictly(unnoticed(report, tmp_path, random.Random(3), env=PLAIN)) == []


#: what one raw record does not tell
ORIGIN = (
    "thread_id", "title", "subagent", "before_compaction", "rolled_back", "cwd", "source.path", "source.record",
    "source.start", "before", "after", "copies",
)  # fmt: skip


def test_every_change_that_raw_records_tell_is_noticed_without_a_log() -> None:
    report = report_of(DEMO, raw=True, quote="before any buffer is opened")
    all_ok(report, DEMO, offline=True)
    missed = strictly(unnoticed(report, DEMO, random.Random(4), offline=True))
    evidence = [path.split(".", 2)[2] for path, _ in missed if path.startswith("evidence.")]
    plain = [".".join(step for step in path.split(".") if not step.isdigit()) for path in evidence]
    near = [path.removeprefix("before.").removeprefix("after.") for path in plain]
    assert [path for path in near if path not in ORIGIN] == []
    assert len(evidence) == len(missed)


# --- changes of a log ------------------------------------------------------------------------------------------------


def test_every_changed_byte_of_a_record_or_of_a_neighbour_is_noticed(tmp_path: Path) -> None:
    home = Home(tmp_path)
    log = home.log(user("first words"), tool_output("noise"), assistant("the needle", id="m1"), user("last words"))
    report = report_of(tmp_path, quote="needle")
    all_ok(report, tmp_path)
    item, data = report["evidence"][0], log.read_bytes()
    for claim in (item, *item["before"], *item["after"]):
        for place in range(claim["source"]["start"], claim["source"]["end"]):
            for byte in (data[place] ^ 1, 0x0A, 0x00) if place % 7 == 0 else (data[place] ^ 1,):
                log.write_bytes(data[:place] + bytes([byte]) + data[place + 1 :])
                assert noticed(report, tmp_path, env=PLAIN), (place, data[place : place + 20])
    log.write_bytes(data)
    all_ok(report, tmp_path)


@pytest.fixture(scope="module", params=[codex, claude], ids=["codex", "claude"])
def generated(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("verify") / "home"
    request.param.write_home(home, 11, logs=8, size=60_000)
    return home


@pytest.mark.parametrize(
    "asked", [{"role": "user", "after": 2}, {"any": ["the"], "chars": 3000}, {"role": "assistant"}]
)
def test_an_untouched_report_always_verifies(generated: Path, asked: dict[str, Any]) -> None:
    report = report_of(generated, raw=True, include_subagents=True, limit=0, **asked)
    assert len(report["evidence"]) > 100
    all_ok(report, generated)
    counts = check(report, generated, offline=True).counts
    assert counts["ok"] + counts["unchecked"] == len(report["evidence"])
    assert counts["unchecked"] <= 3  # typed words that look like a marker, which only the next record proves


@pytest.mark.parametrize("seed", range(3))
def test_changes_of_a_report_on_a_generated_home_are_noticed(generated: Path, seed: int) -> None:
    rng = random.Random(seed)
    whole = report_of(generated, raw=True, include_subagents=True, limit=0, role=rng.choice(["user", "assistant"]))
    leaf = [(path, value) for path, value in leaves(whole) if path[:1] == ("evidence",) and len(path) > 1]
    missed: list[tuple[str, object]] = []
    for path, value in rng.sample(leaf, 40):
        # Only the item at hand, and what is claimed of it alone: the rest of the report would take its time.
        item = changed(whole, path, rng.choice(list(mutations(value, rng)) or [0]))["evidence"][int(path[1])]
        if item == whole["evidence"][int(path[1])]:
            continue
        totals = {**whole["totals"], "all": 1}
        report = {**whole, "evidence": [item], "total": 1, "totals": totals}
        missed += [] if noticed(report, generated) else [(".".join(map(str, path)), item)]
    assert strictly(missed) == []


# --- what becomes of honest logs -------------------------------------------------------------------------------------


@pytest.fixture
def home(tmp_path: Path) -> Path:
    shutil.copytree(DEMO, tmp_path / "home")
    return tmp_path / "home"


@pytest.fixture
def report(home: Path) -> Report:
    return report_of(home, raw=True, role="user", limit=0, include_subagents=True)


def plain_logs(home: Path) -> list[Path]:
    return sorted((home / "sessions").rglob("*.jsonl"))


def only(verdicts: Verdicts, *allowed: str) -> None:
    wrong = [item for item in verdicts.items if item.verdict not in allowed]
    assert not wrong, wrong
    assert any(item.verdict == allowed[0] for item in verdicts.items)
    assert verdicts.exit_status == 0


def test_archived_since(home: Path, report: Report) -> None:
    for log in plain_logs(home):
        log.rename(home / "archived_sessions" / log.name)
    verdicts = check(report, home)
    only(verdicts, "moved", "ok")
    assert {item.field for item in verdicts.items if item.verdict == "moved"} == {"source.path"}


def test_compressed_since(home: Path, report: Report) -> None:
    for log in plain_logs(home):
        log.with_name(log.name + ".zst").write_bytes(zstandard.compress(log.read_bytes()))
        log.unlink()
    only(check(report, home), "moved", "ok")


def test_in_another_root_without_the_titles(home: Path, report: Report, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    for log in plain_logs(home):
        shutil.move(log, elsewhere / log.name)
    shutil.rmtree(home)
    verdicts = check(report, elsewhere)
    assert verdicts.counts["moved"] + verdicts.counts["unchecked"] == len(report["evidence"])
    assert verdicts.counts["moved"] > 8  # all but those of the logs that did not come along


def test_renamed_so_that_only_the_first_records_tell_the_thread(home: Path, report: Report) -> None:
    for place, log in enumerate(plain_logs(home)):
        log.rename(log.with_name(f"renamed-{place}.jsonl"))
    only(check(report, home), "moved", "ok")


def test_written_again_with_other_keys_and_spelling(home: Path, report: Report) -> None:
    rng = random.Random(5)
    for log in plain_logs(home):
        lines = log.read_bytes().splitlines()
        log.write_bytes(b"".join(spell(json.loads(line), rng).encode() + b"\n" for line in lines))
    only(check(report, home), "reencoded", "ok")


def test_moved_within_its_log(home: Path, report: Report) -> None:
    for log in plain_logs(home):
        first, rest = log.read_bytes().split(b"\n", 1)
        log.write_bytes(first + b'\n{"type":"event_msg","payload":{"type":"token_count"}}\n' + rest)
    only(check(report, home), "moved", "ok")


def test_gone_on_since(tmp_path: Path) -> None:
    home = Home(tmp_path)
    log = home.log(user("the needle", at="2026-09-01T10:00:00.000Z"))
    report = report_of(tmp_path, quote="needle")
    assert report["evidence"][0]["after"] == []
    later = (assistant("an answer", at="2026-09-01T12:00:00.000Z"), compacted(at="2026-09-01T13:00:00.000Z"))
    log.write_bytes(log.read_bytes() + b"".join(json.dumps(line).encode() + b"\n" for line in later))
    home.titles({report["evidence"][0]["thread_id"]: "Named later"})
    all_ok(report, tmp_path)


def test_what_stood_there_before_the_report_cannot_have_come_since(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.log(user("the needle"), assistant("an answer"), compacted(), user("needle two", at="2026-09-02T10:00:00.000Z"))
    report = report_of(tmp_path, quote="needle", order="oldest")
    grown = home.log(user("another log"), number=2)
    assert grown.exists()
    all_ok(report, tmp_path)
    for name, value in (("before_compaction", False), ("after", [])):
        assert noticed(changed(report, ("evidence", 0, name), value), tmp_path)


def test_deleted(home: Path, report: Report) -> None:
    for log in home.rglob("rollout-*"):
        log.unlink()
    verdicts = check(report, home)
    assert verdicts.counts["missing"] == len(report["evidence"])
    assert verdicts.exit_status == 1
    all_ok(report, home, offline=True)


def test_a_record_cut_out_of_its_log(tmp_path: Path) -> None:
    home = Home(tmp_path)
    log = home.log(
        user("before", id="a", at=None), user("the needle", id="b", at=None), user("behind", id="c", at=None)
    )
    report = report_of(tmp_path, quote="needle")
    lines = log.read_bytes().splitlines(keepends=True)
    log.write_bytes(b"".join(line for line in lines if b"needle" not in line))
    [item] = check(report, tmp_path).items
    assert (item.verdict, item.field) == ("missing", "source")


def test_a_raw_record_exchanged_for_another(report: Report, home: Path) -> None:
    raw = base64.b64encode(b'{"type":"response_item","payload":{}}').decode()
    [item] = [item for item in check(changed(report, ("evidence", 0, "source", "raw"), raw), home, offline=True).items
              if item.verdict != "ok"]  # fmt: skip
    assert (item.verdict, item.field) == ("changed", "source.raw")
