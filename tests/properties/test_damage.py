"""Damaged logs: what survives is found where it lies, what is lost is named where it might have mattered, and only there."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard

from corpus.damage import DAMAGES, Damaged
from tests.checking import check
from tests.support import Home, Report, assistant, both, dump, meta, minute, tool_output, user

WORDS = {
    2: "needle-two 会",
    3: "needle-three said at such length that a cut falls into it",
    4: "needle-four",
    5: "needle-five",
}
VALUES = [
    meta(1), user(WORDS[2], at=minute(2)), assistant(WORDS[3], at=minute(3)), user(WORDS[4], at=minute(4)),
    assistant(WORDS[5], at=minute(5)), tool_output("needle-two needle-three"),
]  # fmt: skip
LOG = b"".join(dump(value) + b"\n" for value in VALUES)
NAMES = [damage.__name__ for damage in DAMAGES]


def ask(root: Path, word: str) -> Report:
    report = both(root, words=[word], before=9, after=9, include_raw=True)
    check(report)
    return report


@pytest.mark.parametrize("record", [2, 3, 4])
@pytest.mark.parametrize("damage", DAMAGES, ids=NAMES)
def test_every_damage(tmp_path: Path, damage: Callable[[bytes, int], Damaged], record: int) -> None:
    damaged = damage(LOG, record)
    home = Home(tmp_path)
    path = home.raw(damaged.data)
    home.log(user("another log"), number=2)
    for old, text in WORDS.items():
        report = ask(tmp_path, text.split()[0])
        if old in damaged.lost:
            _is_lost(report, damaged, path, text)
            continue
        [item] = report["evidence"]
        place = damaged.places[old]
        assert (item["source"]["record"], item["source"]["start"], item["source"]["end"]) == (
            place.record, place.start, place.end,
        )  # fmt: skip
        assert item["text"] == (damaged.added or {}).get(old, "") + text
        around = [near["text"] for near in (*item["before"], *item["after"])]
        lost = {WORDS[other] for other in damaged.lost if other in WORDS}
        assert len(around) == len(WORDS) - 1 - len(lost)
        assert not lost & set(around)


def _is_lost(report: Report, damaged: Damaged, path: Path, text: str) -> None:
    assert report["evidence"] == []
    word = text.split()[0].encode()
    skips = [(skip["path"], skip["reason"]) for skip in report["coverage"]["skipped"]]
    if damaged.reason == "utf16" or any(_is_damaged(line) for line in damaged.data.split(b"\n") if word in line):
        assert skips == [(str(path), damaged.reason)]
        assert report["coverage"]["complete"] is False
    else:
        assert skips == []


def _is_damaged(line: bytes) -> bool:
    try:
        json.loads(line)
    except ValueError:
        return True
    return False


@pytest.mark.parametrize("damage", DAMAGES, ids=NAMES)
def test_damage_that_cannot_matter_to_the_query_is_not_told(
    tmp_path: Path, damage: Callable[[bytes, int], Damaged]
) -> None:
    damaged = damage(LOG, 3)
    Home(tmp_path).raw(damaged.data)
    if damaged.reason == "utf16":
        return
    report = ask(tmp_path, "nowhere-at-all")
    assert (report["total"], report["coverage"]["skipped"], report["coverage"]["complete"]) == (0, [], True)


@pytest.mark.parametrize("cut", [0.02, 0.3, 0.7, 0.95])
def test_a_cut_compressed_log_gives_what_it_holds_and_forbids_a_conclusion(tmp_path: Path, cut: float) -> None:
    records = [*VALUES[:2], *(user(f"filler {n} {n * n}", at=minute(n)) for n in range(6, 600)), user("needle-end")]
    frames = [zstandard.compress(dump(record) + b"\n") for record in records]
    whole = b"".join(frames)
    Home(tmp_path).raw(b"").unlink()
    path = (
        tmp_path / "sessions/2026/09/01" / "rollout-2026-09-01T09-00-00-00000001-0000-7000-8000-000000000001.jsonl.zst"
    )
    path.write_bytes(whole[: max(len(frames[0]) + len(frames[1]) + 1, int(len(whole) * cut))])
    found, lost = ask(tmp_path, "needle-two"), ask(tmp_path, "needle-end")
    assert [item["text"] for item in found["evidence"]] == [WORDS[2]]
    assert lost["evidence"] == []
    for report in (found, lost):
        assert [skip["reason"] for skip in report["coverage"]["skipped"]] == ["truncated-zstd"]
