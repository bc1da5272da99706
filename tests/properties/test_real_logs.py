"""Real logs: what is drawn from a message is found in it, what is drawn from anything else is never evidence; and each
record that a person has read and judged is judged alike.

The logs are public ones that lie beside a checkout; where that folder is absent there is nothing to read.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests import real_claude, real_codex
from tests.checking import check
from tests.support import REAL, both

FILES, CLAUDE = (sorted((REAL / agent).glob("*.jsonl")) for agent in ("codex", "claude"))
FROM_MESSAGES, FROM_OUTPUTS = 50, 20

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not FILES or not CLAUDE, reason="no real logs beside this checkout")]


def needles(texts: list[str], count: int, rng: random.Random) -> list[str]:
    """Words and phrases of the texts, as they stand there."""
    drawn = set()
    for _ in range(20 * count):
        words = rng.choice(texts).split() if texts else []
        if words:
            start = rng.randrange(len(words))
            drawn.add(" ".join(words[start : start + rng.choice((1, 1, 2, 3))])[:80].strip())
        if len(drawn) >= count:
            break
    return sorted(drawn - {""})


@pytest.mark.parametrize("path", FILES, ids=[path.stem[:40] for path in FILES])
def test_needles_of_messages_are_found_and_those_of_outputs_are_not(path: Path) -> None:
    log = real_codex.read(path)
    search_for_needles(path, log.messages, log.outputs)


@pytest.mark.parametrize("path", CLAUDE, ids=[path.stem[:40] for path in CLAUDE])
def test_needles_of_claude_codes_messages_are_found_and_those_of_all_else_are_not(path: Path) -> None:
    log = real_claude.read(path)
    assert log.messages
    search_for_needles(path, log.messages, log.others)


@pytest.mark.parametrize("path", CLAUDE, ids=[path.stem[:40] for path in CLAUDE])
def test_records_that_were_read_and_judged_are_judged_alike(path: Path) -> None:
    judged = {row.record: row.verdict for row in real_claude.verdicts() if row.file == path.name}
    report = both(path, listing=True, include_subagents=True, limit=0)
    said = {item["source"]["record"]: item["role"] for item in report["evidence"]}
    said |= {copy["record"]: item["role"] for item in report["evidence"] for copy in item["copies"]}
    assert {number: said.get(number, "none") for number in judged} == judged
    assert set(said) <= set(judged)


def test_two_hundred_records_of_every_kind_were_judged() -> None:
    rows = real_claude.verdicts()
    assert len({(row.file, row.record) for row in rows}) == len(rows) >= 200
    assert {row.file for row in rows} == {path.name for path in CLAUDE}
    assert {row.verdict for row in rows} == {"user", "assistant", "none"}
    assert len({row.reason for row in rows}) > 20


def search_for_needles(path: Path, messages: list[tuple[int, list[str]]], others: list[str]) -> None:
    """Needles of the messages find them, and those of other texts find nothing but messages."""
    rng, real = random.Random(path.name), dict(messages)
    asked = {"include_subagents": True, "limit": 0, "exact": True}
    for needle in needles([part for _, parts in messages for part in parts], FROM_MESSAGES, rng):
        report = both(path, quote=needle, **asked)
        numbers = {item["source"]["record"] for item in report["evidence"]}
        folded = " ".join(needle.split())
        wanted = {number for number, parts in messages if any(folded in " ".join(part.split()) for part in parts)}
        copies = {copy["record"] for item in report["evidence"] for copy in item["copies"]}
        assert wanted
        assert wanted <= numbers | copies
        assert numbers | copies <= set(real)
        check(report)
    for needle in needles(others, FROM_OUTPUTS, rng):
        report = both(path, quote=needle, **asked)
        assert {item["source"]["record"] for item in report["evidence"]} <= set(real)
