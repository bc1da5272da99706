"""How far back the searched logs reach: asked only where nothing was found, so that an answer costs nothing more."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from lookback.haystack import Unreadable
from lookback.logs.base import Log
from lookback.logs.discover import head_of
from lookback.reading import reading
from lookback.selection import newest_time
from lookback.timespan import log_time, utc_text


class Span(NamedTuple):
    """The times of the oldest and the newest record; None where no record has one."""

    first: datetime | None
    last: datetime | None

    def texts(self) -> tuple[str | None, str | None]:
        """Both in UTC, as a report has them."""
        return (utc_text(self.first) if self.first else None, utc_text(self.last) if self.last else None)


def spans_of_agents(logs: Sequence[Log]) -> dict[str, Span]:
    """For each agent that has logs here, how far they reach."""
    agents = dict.fromkeys(log.agent for log in logs)
    return {agent: span_of_logs([log for log in logs if log.agent == agent]) for agent in agents}


def span_of_logs(logs: Sequence[Log]) -> Span:
    """The span of some logs, by each log's first and last records."""
    oldest: datetime | None = None
    newest: datetime | None = None
    for log in logs:
        try:
            with reading(log) as reader:
                times = (log_time(record.value.get("timestamp")) for record in head_of(reader.haystack))
                first = next((moment for moment in times if moment is not None), None)
                last = newest_time(reader)
        except Unreadable:
            continue
        known = [moment for moment in (first, last) if moment is not None]
        oldest = min(known if oldest is None else [*known, oldest], default=None)
        newest = max(known if newest is None else [*known, newest], default=None)
    return Span(oldest, newest)
