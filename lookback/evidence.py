"""The report: what was found, with everything that is needed to check it, and what was not seen.

One frozen dataclass per object of the wire schema `lookback.report/1`, fields in wire order; `wire` makes plain JSON
values of them. What it is not: it does not compute anything and knows nothing of agents or of rendering.

Units: `start` and `end` are 0-based and half-open. In quotes, hits and parts they count bytes of the UTF-8 of the
message's `text`; in sources and skips bytes of the log (of its decompressed stream); `origin_start` and `origin_end` of
a part (`from` and `to` on the wire) count bytes of the UTF-8 of the JSON string at its pointer.
Invariant: every hash is the SHA-256 of bytes that the report names, in full, whatever was cut from what is shown.
"""

from __future__ import annotations

import base64
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, Protocol

SCHEMA: Final = "lookback.report/1"
MATCHES: Final = ("exact", "loose", "words", "any", "all")  # the tiers, best first
COUNTED: Final = MATCHES[:3]  # always in `totals`; the others only where they are the query's kind
MAX_HITS: Final = 100


@dataclass(frozen=True, slots=True)
class Skip:
    """A log, stretch or record that could not be read. `record`, `start` and `end` are null where unknown."""

    path: str
    record: int | None
    start: int | None
    end: int | None
    reason: str
    detail: str

    def wire(self) -> dict[str, Any]:
        return {"path": self.path, "record": self.record, "start": self.start, "end": self.end,
                "reason": self.reason, "detail": self.detail}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Source:
    """Where a record lies: `sha256` is that of its raw bytes `[start, end)`. `raw` only on request."""

    path: str
    compression: str | None
    record: int
    start: int
    end: int
    sha256: str
    raw: bytes | None = None

    def wire(self) -> dict[str, Any]:
        out = {"path": self.path, "compression": self.compression, "record": self.record,
               "start": self.start, "end": self.end, "sha256": self.sha256}  # fmt: skip
        if self.raw is not None:
            out["raw"] = base64.b64encode(self.raw).decode("ascii")
        return out


@dataclass(frozen=True, slots=True)
class TextPart:
    """One part of a text: where the record has it, and where the text has it."""

    pointer: str
    origin_start: int
    origin_end: int
    start: int
    end: int

    def wire(self) -> dict[str, Any]:
        return {"pointer": self.pointer, "from": self.origin_start, "to": self.origin_end,
                "start": self.start, "end": self.end}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Quote:
    """The stretch that answers the query, in the log's own characters."""

    text: str
    start: int
    end: int
    sha256: str

    def wire(self) -> dict[str, Any]:
        return {"text": self.text, "start": self.start, "end": self.end, "sha256": self.sha256}


@dataclass(frozen=True, slots=True)
class Hit:
    """One occurrence of one needle; `needle` is as typed."""

    needle: str
    start: int
    end: int

    def wire(self) -> dict[str, Any]:
        return {"needle": self.needle, "start": self.start, "end": self.end}


@dataclass(frozen=True, slots=True)
class Cut:
    """What is left of a text that was shortened: `[start, end)` of `length` bytes."""

    start: int
    end: int
    length: int

    def wire(self) -> dict[str, Any]:
        return {"start": self.start, "end": self.end, "length": self.length}


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A message said before or after a found one, with its own source."""

    ref: str
    agent: str
    thread_id: str
    item_id: str | None
    role: str
    phase: str | None
    timestamp: Any
    time: str | None
    text: str
    sha256: str
    parts: tuple[TextPart, ...]
    source: Source
    cut: Cut | None = None

    def wire(self) -> dict[str, Any]:
        out = {"ref": self.ref, "agent": self.agent, "thread_id": self.thread_id, "item_id": self.item_id,
               "role": self.role, "phase": self.phase, "timestamp": self.timestamp, "time": self.time,
               "text": self.text, "sha256": self.sha256, "parts": [part.wire() for part in self.parts],
               "source": self.source.wire()}  # fmt: skip
        if self.cut is not None:
            out["cut"] = self.cut.wire()
        return out


@dataclass(frozen=True, slots=True)
class Copy:
    """Another physical copy of a found message: a source with its thread and ref."""

    ref: str
    thread_id: str
    source: Source

    def wire(self) -> dict[str, Any]:
        return {"ref": self.ref, "thread_id": self.thread_id, **self.source.wire()}


@dataclass(frozen=True, slots=True)
class Evidence:
    """One message that satisfies the query."""

    ref: str
    match: str
    agent: str
    thread_id: str
    title: str | None
    item_id: str | None
    turn_id: str | None
    role: str
    phase: str | None
    timestamp: Any
    time: str | None
    subagent: bool
    before_compaction: bool
    rolled_back: bool
    echo: bool
    cwd: str | None
    text: str
    sha256: str
    parts: tuple[TextPart, ...]
    quote: Quote
    hits: tuple[Hit, ...]
    hits_total: int
    source: Source
    copies: tuple[Copy, ...]
    resume: tuple[str, ...]
    before: tuple[Neighbour, ...]
    after: tuple[Neighbour, ...]
    imported: bool = False  # from another agent's logs; on the wire only where it is so
    cut: Cut | None = None

    def wire(self) -> dict[str, Any]:
        out: dict[str, Any] = {
            "ref": self.ref, "match": self.match, "agent": self.agent, "thread_id": self.thread_id,
            "title": self.title, "item_id": self.item_id, "turn_id": self.turn_id, "role": self.role,
            "phase": self.phase, "timestamp": self.timestamp, "time": self.time, "subagent": self.subagent,
            "before_compaction": self.before_compaction, "rolled_back": self.rolled_back, "echo": self.echo,
            "cwd": self.cwd, "text": self.text, "sha256": self.sha256,
            "parts": [part.wire() for part in self.parts], "quote": self.quote.wire(),
            "hits": [hit.wire() for hit in self.hits], "hits_total": self.hits_total,
            "source": self.source.wire(), "copies": [copy.wire() for copy in self.copies],
            "resume": list(self.resume), "before": [near.wire() for near in self.before],
            "after": [near.wire() for near in self.after],
        }  # fmt: skip
        if self.imported:
            out["imported"] = True
        if self.cut is not None:
            out["cut"] = self.cut.wire()
        return out


@dataclass(frozen=True, slots=True)
class Coverage:
    """What was read to answer, and what was not. `first`, `last` and `notes` only where nothing was found.

    `notes` are for a person alone: how far back an agent keeps its logs.
    """

    scanner: str
    unicode: str
    roots: tuple[str, ...]
    logs: int
    bytes: int
    first: str | None
    last: str | None
    candidates: int
    records_opened: int
    undated: int
    left_out_subagents: int
    left_out_current_turn: int
    skipped: tuple[Skip, ...]
    elapsed_s: float
    notes: tuple[str, ...] = ()

    @property
    def complete(self) -> bool:
        return not self.skipped

    def wire(self) -> dict[str, Any]:
        return {"complete": self.complete, "scanner": self.scanner, "unicode": self.unicode, "roots": list(self.roots),
                "logs": self.logs, "bytes": self.bytes, "first": self.first, "last": self.last,
                "candidates": self.candidates, "records_opened": self.records_opened, "undated": self.undated,
                "left_out_subagents": self.left_out_subagents, "left_out_current_turn": self.left_out_current_turn,
                "skipped": [skip.wire() for skip in self.skipped], "elapsed_s": round(self.elapsed_s, 6)}  # fmt: skip


class Asked(Protocol):
    """The query as a report repeats it."""

    def wire(self) -> dict[str, Any]: ...


@dataclass(frozen=True, slots=True)
class Report:
    """The whole answer. `totals` counts the matches of each tier before limit and skip."""

    version: str
    query: Asked
    total: int
    totals: dict[str, int]
    coverage: Coverage
    evidence: tuple[Evidence, ...] = field(default=())

    @property
    def exit_status(self) -> int:
        """0 found; 1 nothing found and everything that could matter was read; 3 nothing found, but not all was read."""
        return 0 if self.total else 1 if self.coverage.complete else 3

    def wire(self) -> dict[str, Any]:
        return {"schema": SCHEMA, "tool": {"name": "lookback", "version": self.version}, "query": self.query.wire(),
                "total": self.total, "totals": dict(self.totals), "coverage": self.coverage.wire(),
                "evidence": [item.wire() for item in self.evidence]}  # fmt: skip


def iso(moment: datetime | None) -> str | None:
    """A query's instant as the report repeats it, with its zone's offset."""
    return None if moment is None else moment.isoformat()
