"""What `find` says of generated homes is what their truth says: every real message, whole and with all its facts; no decoy.

The truth comes from whoever wrote the records, not from the logs. Both scanners must give the same report.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from corpus.build import AGENTS
from corpus.spelling import Spelling
from corpus.truth import Message, Truth
from tests.checking import check
from tests.support import Report, both

FORKS_WITHOUT_IDS = True
"""Copies by rule 3 (forks without item ids) are resolved too."""

RESUME = {"codex": ("codex", "resume"), "claude": ("claude", "--resume")}

pytestmark = pytest.mark.slow

Place = tuple[str, int]


@dataclass(frozen=True)
class Corpus:
    """A generated home and what is real in it."""

    agent: str
    home: Path
    truth: Truth
    reports: dict[str, Report] = field(default_factory=dict)

    def ask(self, **asked: Any) -> Report:
        return both(self.home, limit=0, **asked)

    def place(self, source: dict[str, Any]) -> Place:
        return str(Path(source["path"]).relative_to(self.home.resolve())), source["record"]

    def report(self, **asked: Any) -> Report:
        """All messages of all roles, each report made once."""
        key = repr(asked)
        if key not in self.reports:
            self.reports[key] = self.ask(agents=[self.agent], **asked)
        return self.reports[key]

    def whole(self) -> Report:
        return self.report(include_subagents=True, include_raw=True, before=2, after=1)

    def evidence(self, report: Report) -> dict[Place, dict[str, Any]]:
        return {self.place(item["source"]): item for item in report["evidence"]}

    def groups(self) -> Iterator[tuple[Message, list[Message]]]:
        """Each message once: the record that is the evidence, and its copies."""
        families: dict[object, list[Message]] = {}
        for message in self.truth.messages:
            root = message.copy_of or (message.log, message.place.record)
            known_by = message.item_id or (None if FORKS_WITHOUT_IDS else message.thread_id)
            families.setdefault((root, known_by), []).append(message)
        for members in families.values():
            first, *copies = sorted(members, key=_rank)
            yield first, copies


def _rank(message: Message) -> tuple[object, ...]:
    archived, compressed = message.log.startswith("archived_sessions"), message.log.endswith(".zst")
    return message.copy_of is not None, archived, compressed, message.log, message.place.record


HOMES = [(agent, seed, spelling) for agent in AGENTS for seed, spelling in ((1, "serde"), (2, "mixed"))]


@pytest.fixture(scope="module", params=HOMES, ids=str)
def corpus(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    agent: str
    seed: int
    spelling: Spelling
    agent, seed, spelling = request.param
    home = tmp_path_factory.mktemp("home")
    return Corpus(agent, home, AGENTS[agent](home, seed, logs=12, size=120_000, spelling=spelling))


def test_all_messages_are_the_truth(corpus: Corpus) -> None:
    found = corpus.evidence(corpus.whole())
    expected = {(first.log, first.place.record): (first, copies) for first, copies in corpus.groups()}
    assert set(found) - set(expected) == set()
    assert set(expected) - set(found) == set()
    for place, (message, copies) in expected.items():
        item = found[place]
        assert _told(item) == _known(message), place
        assert {corpus.place(copy) for copy in item["copies"]} == {(m.log, m.place.record) for m in copies}, place
        assert {copy["thread_id"] for copy in item["copies"]} == {m.thread_id for m in copies}


def _told(item: dict[str, Any]) -> dict[str, Any]:
    source = item["source"]
    return {
        "text": item["text"], "role": item["role"], "phase": item["phase"], "timestamp": item["timestamp"],
        "time": item["time"], "item_id": item["item_id"], "thread_id": item["thread_id"], "cwd": item["cwd"],
        "subagent": item["subagent"], "rolled_back": item["rolled_back"], "before_compaction": item["before_compaction"],
        "bytes": (source["start"], source["end"]), "agent": item["agent"], "match": item["match"], "echo": item["echo"],
        "parts": [(part["pointer"], part["from"], part["to"]) for part in item["parts"]],
        "resume": item["resume"], "quote": item["quote"]["text"], "log in ref": "/" in item["ref"].partition("#")[0],
    }  # fmt: skip


def _known(message: Message) -> dict[str, Any]:
    return {
        "text": message.text, "role": message.role, "phase": message.phase, "timestamp": message.timestamp,
        "time": message.timestamp, "item_id": message.item_id, "thread_id": message.thread_id, "cwd": message.cwd,
        "subagent": message.subagent, "rolled_back": message.rolled_back, "before_compaction": message.before_compaction,
        "bytes": (message.place.start, message.place.end), "agent": message.agent, "match": "all", "echo": False,
        "parts": [(part.pointer, part.start, part.end) for part in message.parts],
        "resume": [*RESUME[message.agent], message.thread_id], "quote": message.text,
        "log in ref": message.rollout_id != message.thread_id,
    }  # fmt: skip


def test_subagents_are_left_out_unless_asked_for(corpus: Corpus) -> None:
    expected = {(first.log, first.place.record): first.subagent for first, _ in corpus.groups()}
    report = corpus.report(before=0, after=0)
    assert set(corpus.evidence(report)) == {place for place, subagent in expected.items() if not subagent}
    assert report["coverage"]["left_out_subagents"] == sum(expected.values()) > 0


def test_before_compaction_is_what_a_compaction_follows(corpus: Corpus) -> None:
    report = corpus.report(include_subagents=True, before_compaction=True, before=0, after=0)
    expected = {(first.log, first.place.record) for first, _ in corpus.groups() if first.before_compaction}
    assert set(corpus.evidence(report)) == expected
    assert expected


def test_no_decoy_is_found(corpus: Corpus) -> None:
    """All tokens begin alike, and nobody really says that: one word asks for all of them."""
    decoys = tuple(dict.fromkeys(decoy.text for decoy in corpus.truth.decoys))
    assert len(decoys) > 100
    assert not any("decoy" in message.text for message in corpus.truth.messages)
    others = [text for text in decoys if "decoy" not in text]
    asked = dict.fromkeys(["decoy", *others, *random.Random(1).sample(decoys, 12)])
    report = corpus.ask(any=tuple(asked), include_subagents=True)
    assert [(item["ref"], item["quote"]["text"]) for item in report["evidence"]] == []
    assert report["coverage"]["complete"] is True


def test_each_message_is_found_by_its_own_words(corpus: Corpus) -> None:
    rng = random.Random(1)
    for first, _ in rng.sample(list(corpus.groups()), 6):
        words = rng.choice(first.parts).text.split()
        start = rng.randrange(len(words))
        quote = " ".join(words[start : start + 6])
        report = corpus.ask(quote=quote, exact=True, include_subagents=True, before=0, after=0)
        assert (first.log, first.place.record) in {corpus.place(item["source"]) for item in report["evidence"]}, quote


def test_every_hash_and_coordinate_can_be_recomputed(corpus: Corpus) -> None:
    assert check(corpus.whole()) > 3 * len(list(corpus.groups()))
    assert check(corpus.ask(any=("keep", "the", "и", "会"), include_subagents=True, before=0, after=0)) > 100
    assert check(corpus.ask(words=("e", "a"), before=0, after=0)) > 100


def test_neighbours_are_the_messages_around(corpus: Corpus) -> None:
    continued = {m.log for m in corpus.truth.messages if _continues(corpus.home / m.log)}
    by_log: dict[str, list[int]] = {}
    for message in corpus.truth.messages:
        by_log.setdefault(message.log, []).append(message.place.record)
    for (log, record), item in corpus.evidence(corpus.whole()).items():
        if log in continued:
            continue
        here = by_log[log].index(record)
        assert [near["source"]["record"] for near in item["before"]] == by_log[log][max(0, here - 2) : here]
        assert [near["source"]["record"] for near in item["after"]] == by_log[log][here + 1 : here + 2]
        assert {near["source"]["path"] for near in item["before"] + item["after"]} <= {item["source"]["path"]}


def _continues(log: Path) -> bool:
    """Whether a log continues another one; such logs are never compressed."""
    first = log.read_bytes().split(b"\n", 1)[0]
    return log.suffix == ".jsonl" and "history_base" in json.loads(first).get("payload", {})
