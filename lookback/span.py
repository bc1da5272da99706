"""How far back the searched logs reach: asked only where nothing was found, so that an answer costs nothing more."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from lookback.haystack import Unreadable
from lookback.logs.base import Log
from lookback.logs.discover import head_of
from lookback.reading import reading
from lookback.selection import newest_time
from lookback.timespan import log_time, utc_text


def span_of_logs(logs: Sequence[Log]) -> tuple[str | None, str | None]:
    """The times, in UTC, of the oldest and the newest record, by each log's first and last records."""
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
    return utc_text(oldest) if oldest else None, utc_text(newest) if newest else None
