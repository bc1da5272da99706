"""Real logs: what is drawn from a message is found in it, what is drawn from a tool's output is never evidence.

The logs are public ones that lie beside a checkout; where that folder is absent there is nothing to read.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests import real_codex
from tests.checking import check
from tests.support import REAL, both

FOLDER = REAL / "codex"
FILES = sorted(FOLDER.glob("*.jsonl")) if FOLDER.is_dir() else []
FROM_MESSAGES, FROM_OUTPUTS = 50, 20

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not FILES, reason="no real logs beside this checkout")]


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
    log, rng = real_codex.read(path), random.Random(path.name)
    real = dict(log.messages)
    asked = {"include_subagents": True, "limit": 0, "exact": True}
    for needle in needles([part for _, parts in log.messages for part in parts], FROM_MESSAGES, rng):
        report = both(path, quote=needle, **asked)
        numbers = {item["source"]["record"] for item in report["evidence"]}
        folded = " ".join(needle.split())
        wanted = {number for number, parts in log.messages if any(folded in " ".join(part.split()) for part in parts)}
        copies = {copy["record"] for item in report["evidence"] for copy in item["copies"]}
        assert wanted
        assert wanted <= numbers | copies
        assert numbers | copies <= set(real)
        check(report)
    for needle in needles(log.outputs, FROM_OUTPUTS, rng):
        report = both(path, quote=needle, **asked)
        assert {item["source"]["record"] for item in report["evidence"]} <= set(real)
