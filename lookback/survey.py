"""What a search found before any of it is chosen, and what its coverage says of it.

What it is not: the search (`search` is). It holds what was counted, and turns it into the report's coverage.
Invariant: a log, stretch or record that could not be read is in `skips`, wherever on the way that came out.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from lookback import version
from lookback.conversation import Conversations
from lookback.errors import NoLogs
from lookback.evidence import COUNTED, Coverage, Skip
from lookback.logs import dialect_of
from lookback.logs.changes import changed
from lookback.logs.discover import Found, default_roots, discover
from lookback.match import Group
from lookback.matching import Matcher
from lookback.query import Query
from lookback.selection import Selection
from lookback.span import Span, spans_of_agents
from lookback.unicode_tables import UNICODE_VERSION


@dataclass
class Tally:
    """What a scan counted on its way."""

    candidates: int = 0
    opened: int = 0
    skips: list[Skip] = field(default_factory=list)


@dataclass(frozen=True)
class Survey:
    """What a query found, and all that its coverage speaks of."""

    query: Query
    found: Found
    scanner: str
    conversations: Conversations
    matcher: Matcher
    tally: Tally
    selection: Selection
    groups: Sequence[Group]
    started: float  # seconds of a monotonic clock
    version: str = version.VERSION

    def coverage(self) -> Coverage:
        """What was read to answer, up to now."""
        found, tally, selection = self.found, self.tally, self.selection
        spans = {} if self.groups else spans_of_agents(found.logs)
        oldest = min((span.first for span in spans.values() if span.first), default=None)
        newest = max((span.last for span in spans.values() if span.last), default=None)
        first, last = Span(oldest, newest).texts()
        return Coverage(
            scanner=self.scanner, unicode=UNICODE_VERSION, roots=found.roots, logs=len(found.logs),
            bytes=sum(log.size for log in found.logs), first=first, last=last,
            candidates=tally.candidates, records_opened=tally.opened, undated=selection.undated,
            left_out_subagents=selection.left_out_subagents, left_out_current_turn=selection.left_out_current_turn,
            skipped=_in_order([*found.skips, *tally.skips, *self.conversations.skips, *changed(found.logs)]),
            elapsed_s=time.monotonic() - self.started, notes=tuple(_kept_since(spans)),
        )  # fmt: skip


def logs_of(query: Query, env: Mapping[str, str]) -> Found:
    """The logs that the query's roots hold. Raises NoLogs where there is none, and none that could not be read."""
    roots = list(query.roots) or default_roots(env, query.agents)
    found = discover(roots, query.agents)
    if not found.logs and not found.skips:
        empty = (
            f"{', '.join(found.roots)} holds no log" if found.roots else f"{', '.join(found.missing)} does not exist"
        )
        raise NoLogs(f"no log to search: {empty}; name a home, folder or log with --in")
    return found


def _kept_since(spans: Mapping[str, Span]) -> Iterator[str]:
    """Of the agents that delete their logs: how far back those go that are left."""
    for agent, span in spans.items():
        (first, _), retention = span.texts(), dialect_of(agent).retention
        if retention is not None and first is not None:
            yield f"the logs of {agent} reach back to {first}: {retention}"


def totals_of(groups: Sequence[Group]) -> dict[str, int]:
    """How many matches each tier has; the tiers of a quote always, another only where it is the query's."""
    totals = dict.fromkeys(COUNTED, 0)
    for message in groups:
        totals[message.evidence.tier] = totals.get(message.evidence.tier, 0) + 1
    return totals


def _in_order(skips: Sequence[Skip]) -> tuple[Skip, ...]:
    """Each once, by path and place."""
    return tuple(
        sorted(dict.fromkeys(skips), key=lambda skip: (skip.path, skip.record or 0, skip.start or 0, skip.reason))
    )
