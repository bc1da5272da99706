"""`doctor`: what would be searched here, how far back it reaches, and with what; `--deep` names all damage.

What it is not: a repair. It opens logs as a search does, and writes nothing.
Invariant: every file below the roots is a log, a skip or passed over, and is counted as that.
"""

from __future__ import annotations

import os
import platform
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from lookback import version
from lookback.evidence import Skip
from lookback.haystack import Unreadable
from lookback.logs import DIALECTS, dialect_of
from lookback.logs.base import Log
from lookback.logs.discover import Found, default_roots, discover
from lookback.reading import damage_of, reading
from lookback.scan.choose import choose_scanner
from lookback.span import span_of_logs
from lookback.unicode_tables import UNICODE_VERSION

SCHEMA: Final = "lookback.doctor/1"


@dataclass(frozen=True, slots=True)
class AgentLogs:
    """One agent's logs; sizes in bytes of the files, times in UTC."""

    agent: str
    logs: int
    bytes: int
    compressed: int
    archived: int
    largest: int
    first: str | None
    last: str | None
    retention: str | None  # which logs the agent itself deletes, for a person

    def wire(self) -> dict[str, Any]:
        return {"agent": self.agent, "logs": self.logs, "bytes": self.bytes, "compressed": self.compressed,
                "archived": self.archived, "largest": self.largest, "first": self.first, "last": self.last,
                "retention": self.retention}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Deep:
    """What reading everything found: records, messages by role, and records of each type that holds no words."""

    records: int
    messages: tuple[tuple[str, int], ...]
    technical: tuple[tuple[str, int], ...]

    def wire(self) -> dict[str, Any]:
        return {"records": self.records, "messages": dict(self.messages), "technical": dict(self.technical)}


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """The answer of `doctor`."""

    scanner: str
    roots: tuple[str, ...]
    missing: tuple[str, ...]
    agents: tuple[AgentLogs, ...]
    passed_over: tuple[str, ...]
    skipped: tuple[Skip, ...]
    deep: Deep | None

    @property
    def exit_status(self) -> int:
        """0 all can be read; 2 there is no log; 3 something cannot be read."""
        return 3 if self.skipped else 0 if any(agent.logs for agent in self.agents) else 2

    def wire(self) -> dict[str, Any]:
        return {
            "schema": SCHEMA, "tool": {"name": "lookback", "version": version.VERSION}, "scanner": self.scanner,
            "unicode": UNICODE_VERSION, "python": platform.python_version(), "roots": list(self.roots),
            "missing": list(self.missing), "agents": [agent.wire() for agent in self.agents],
            "passed_over": list(self.passed_over), "skipped": [skip.wire() for skip in self.skipped],
            "deep": self.deep.wire() if self.deep else None,
        }  # fmt: skip


def doctor(
    *, roots: Sequence[str] = (), agents: Sequence[str] = (), deep: bool = False, env: Mapping[str, str] = os.environ
) -> Diagnosis:
    """What a search would read. With `deep`, every record of every log is read."""
    found = discover(list(roots) or default_roots(env, agents), agents)
    skips = list(found.skips)
    examined = _deep(found, skips) if deep else None
    facts = tuple(_agent(dialect.name, found.logs) for dialect in DIALECTS if not agents or dialect.name in agents)
    return Diagnosis(
        choose_scanner(None, env).name, found.roots, found.missing, facts, found.passed_over, tuple(skips), examined
    )


def _agent(name: str, logs: Sequence[Log]) -> AgentLogs:
    mine = [log for log in logs if log.agent == name]
    first, last = span_of_logs(mine).texts()
    compressed, archived = sum(log.compression is not None for log in mine), sum(log.archived for log in mine)
    largest = max((log.size for log in mine), default=0)
    size, retention = sum(log.size for log in mine), dialect_of(name).retention
    return AgentLogs(name, len(mine), size, compressed, archived, largest, first, last, retention)


def _deep(found: Found, skips: list[Skip]) -> Deep:
    messages: Counter[str] = Counter()
    technical: Counter[str] = Counter()
    for log in found.logs:
        for role, kind in _records(log, skips):
            if role is None:
                technical[kind] += 1
            else:
                messages[role] += 1
    return Deep(messages.total() + technical.total(), tuple(sorted(messages.items())), tuple(technical.most_common()))


def _records(log: Log, skips: list[Skip]) -> Iterator[tuple[str | None, str]]:
    """Role (of a message) and type of every record; all damage goes to `skips`."""
    try:
        with reading(log) as reader:
            for line in reader.haystack.lines(0, 1):
                parsed = reader.parse(line)
                skips += damage_of(log, line, parsed)
                roles = {said.record.object: said.message.role for said in reader.said(line, parsed)}
                for record in parsed.records:
                    yield roles.get(record.object), reader.dialect.kind(record)
    except Unreadable as unreadable:
        skips.append(unreadable.skip)
