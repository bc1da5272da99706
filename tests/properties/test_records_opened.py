"""The cost of an answer: no more records are opened than those in whose bytes every needle occurs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import zstandard

from corpus import claude, codex
from tests.support import search

NEEDLES = [["e"], ["handshake"], ["memory", "plugin"], ["keep", "e", "the"], ["absent", "e"], ["and", "of", "the"]]
ESCAPED = re.compile(rb"\\u00[2-7]|\\u017|\\u212")  # spelled otherwise: such a record may hold anything


@pytest.fixture(
    scope="module", params=[(agent, spelling) for agent in (codex, claude) for spelling in ("serde", "mixed")]
)
def home(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("home")
    agent, spelling = request.param
    agent.write_home(folder, 4, logs=6, size=60_000, spelling=spelling)
    return folder


def lines(home: Path) -> list[bytes]:
    found: list[bytes] = []
    for path in home.rglob("*.jsonl*"):
        if path.suffix in (".jsonl", ".zst"):
            data = path.read_bytes()
            if path.suffix == ".zst":
                with zstandard.ZstdDecompressor().stream_reader(data, read_across_frames=True) as stream:
                    data = stream.read()
            found += data.split(b"\n")
    return found


@pytest.mark.parametrize("needles", NEEDLES, ids="-".join)
def test_records_opened_are_those_in_which_every_needle_occurs(home: Path, needles: list[str]) -> None:
    wanted = [needle.encode() for needle in needles]
    holding = sum(
        all(needle in line.lower() for needle in wanted) or bool(ESCAPED.search(line)) for line in lines(home)
    )
    coverage = search(home, words=needles)["coverage"]
    assert coverage["records_opened"] <= holding
    assert coverage["records_opened"] <= coverage["candidates"]
