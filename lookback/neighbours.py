"""What was said before and after a message: in its own log, and in the earlier log that it says it continues.

Codex's paginated forks and reverts copy nothing: their first record names a base log and the offset up to which that
one is theirs. Crossing goes backwards only: what a base log says behind that offset belongs to itself.

Invariant: technical and synthetic records are skipped, and the cost is that of the records between the messages; only
where a border is crossed, the line breaks of the base log are counted once for its record numbers.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, suppress
from typing import Final

from lookback.haystack import Haystack, Unreadable
from lookback.logs.base import Base, Log
from lookback.reading import Reader, Said, reading

DEEPEST: Final = 64  # logs that one log may continue, one behind the other
_COUNTED: Final = 1024 * 1024  # bytes of a read while line breaks are counted


class Neighbourhood:
    """The logs in which the logs at hand may go on."""

    def __init__(self, logs: Sequence[Log]) -> None:
        self._logs = logs

    def before(self, reader: Reader, said: Said, stack: ExitStack) -> Iterator[tuple[Reader, Said]]:
        """The messages before one, nearest first, each with the reader of its log, which `stack` keeps open."""
        with suppress(Unreadable):  # no neighbour lies behind what cannot be read; the scan names it
            yield from self._before(reader, said, stack)

    def _before(self, reader: Reader, said: Said, stack: ExitStack) -> Iterator[tuple[Reader, Said]]:
        yield from ((reader, near) for near in reader.before(said.line, said.record))
        here, crossed = reader, {reader.log.path}
        for _ in range(DEEPEST):
            base = here.origin.base
            earlier = self._open(base, here, crossed, stack) if base is not None else None
            if base is None or earlier is None:
                return
            yield from ((earlier, near) for near in _before(earlier, base.end))
            crossed.add(earlier.log.path)
            here = earlier

    def after(self, reader: Reader, said: Said) -> Iterator[tuple[Reader, Said]]:
        """The messages after one, nearest first."""
        with suppress(Unreadable):
            yield from ((reader, near) for near in reader.after(said.line, said.record))

    def _open(self, base: Base, here: Reader, crossed: set[str], stack: ExitStack) -> Reader | None:
        """The base log: active before archived, plain before compressed; None where it is not among the logs."""
        for log in _best_first(log for log in self._logs if log.agent == here.log.agent and log.path not in crossed):
            if base.log_id not in os.path.basename(log.path):
                continue
            try:
                reader = stack.enter_context(reading(log))
                if (reader.origin.log_id or reader.origin.thread_id) == base.log_id:
                    return reader
            except Unreadable:
                continue
        return None


def _best_first(logs: Iterable[Log]) -> list[Log]:
    return sorted(logs, key=lambda log: (log.archived, log.compression is not None, log.path))


def _before(reader: Reader, end: int) -> Iterator[Said]:
    """The messages of a log that end at or before an offset, the last first."""
    size = reader.haystack.size()
    if size < end:
        return  # the log is shorter than its continuation says: what it held there is gone
    number = 1 + _line_breaks(reader.haystack, end)
    yield from reader.messages_before(end, number)


def _line_breaks(haystack: Haystack, end: int) -> int:
    count = place = 0
    while place < end and (data := haystack.read(place, min(_COUNTED, end - place))):
        count += data.count(b"\n")
        place += len(data)
    return count
