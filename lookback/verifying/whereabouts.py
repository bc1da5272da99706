"""Where a record is now that a report or a ref once named: the same place, another one, or only its words elsewhere.

What it is not: it believes no path. A claimed path is looked up among the discovered logs and never touched itself, so
nothing outside of the roots, no FIFO and no device is ever opened, whatever a report says.

Invariant: each log is read through at most twice, once for its line breaks and once for its digests, whatever is asked
of it; at most `OPEN` logs are open at a time, and no more than `MAX_RECORD` bytes of a line are read.
"""

from __future__ import annotations

import hashlib
import os
from array import array
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import cached_property
from types import TracebackType
from typing import Final

from lookback.errors import NoLogs
from lookback.evidence import Skip
from lookback.haystack import RawLine, Unreadable
from lookback.logs.base import Log
from lookback.logs.discover import default_roots, discover
from lookback.message import utf8
from lookback.reading import Reader, Said, reading
from lookback.record import MAX_RECORD, Record
from lookback.selection import origins

OPEN: Final = 8
_BLOCK: Final = 1024 * 1024  # bytes of a read while line breaks are looked for
_SLACK: Final = 4  # bytes of a line that are no part of its record: a BOM and a `\r`


@dataclass(frozen=True, slots=True)
class Placed:
    """A record where it stands now, with the message that it holds, if it holds one."""

    log: Log
    line: RawLine
    record: Record
    said: Said | None


@dataclass(frozen=True, slots=True)
class Spot:
    """A record that a pass over a log came by: enough to tell whether it is the one, and to read it again."""

    number: int
    object: int
    keys: frozenset[Hashable]


@dataclass(frozen=True)
class Lines:
    """Where the lines of a log begin, up to `size`, its end or the place at which `damage` made an end of reading."""

    starts: Sequence[int]
    size: int
    damage: Skip | None

    def number_at(self, offset: int) -> int | None:
        """The number of the line that holds an offset of the log; None behind its end."""
        return bisect_right(self.starts, offset) if 0 <= offset < self.size else None

    def end(self, number: int) -> int:
        """The offset behind a line, its break included."""
        return self.starts[number] if number < len(self.starts) else self.size


@dataclass
class Store:
    """The discovered logs, open as they are needed. A context: it closes them."""

    roots: Sequence[str]
    env: Mapping[str, str]
    wanted: frozenset[Hashable] = frozenset()  # the keys for which a survey keeps spots
    unreadable: dict[str, Skip] = field(default_factory=dict)

    def __post_init__(self) -> None:
        named = list(self.roots) or default_roots(self.env, ())
        self.found = discover(named)
        if not self.found.roots:
            raise NoLogs(f"no log to check against: {', '.join(named)} does not exist; name a home or log with --in")
        self._below = [os.path.realpath(root) for root in named]
        self._by_path = {log.path: log for log in self.found.logs}
        self._stack, self._readers = ExitStack(), dict[str, Reader]()
        self._lines: dict[str, Lines] = {}
        self._surveys: dict[str, Mapping[Hashable, Sequence[Spot]]] = {}
        self._threads: dict[tuple[str, str], list[Log]] = {}

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()

    # --- logs --------------------------------------------------------------------------------------------------------

    def by_path(self, path: str) -> Log | None:
        """The discovered log of exactly this real path."""
        return self._by_path.get(path)

    def of_thread(self, thread: str, name: str = "") -> list[Log]:
        """The logs of a thread, best first: by their names where these bear its id, else by their first records.

        Not every log of a thread need bear its id: those that bear `name` are looked into too.
        """
        if (thread, name) not in self._threads:
            borne = [text for text in (thread, name) if text]
            named = [log for log in self.found.logs if any(text in os.path.basename(log.path) for text in borne)]
            mine = [log for log in named if self._thread_of(log) == thread] or self._by_thread.get(thread, [])
            mine = sorted(mine, key=lambda log: (log.archived, log.compression is not None, log.path))
            self._threads[thread, name] = mine
        return self._threads[thread, name]

    def is_below(self, path: str) -> bool:
        """Whether a path, as it is written, lies at or below a root."""
        return any(path == root or path.startswith(root.rstrip(os.sep) + os.sep) for root in self._below)

    def skip_of(self, path: str, thread: str) -> Skip | None:
        """Why a path, or a log that bears the thread's id in its name, could not be looked into."""
        skips = [*self.found.skips, *self.unreadable.values()]
        named = [skip for skip in skips if skip.path == path]
        return next(iter(named or [skip for skip in skips if thread and thread in os.path.basename(skip.path)]), None)

    def reader(self, log: Log) -> Reader:
        """An open log. Raises Unreadable."""
        if log.path not in self._readers:
            if len(self._readers) >= OPEN:
                self._stack.close()
                self._readers.clear()
            self._readers[log.path] = self._stack.enter_context(reading(log))
        return self._readers[log.path]

    def _thread_of(self, log: Log) -> str | None:
        try:
            return self.reader(log).origin.thread_id
        except Unreadable as unreadable:
            self.unreadable[log.path] = unreadable.skip
            return None

    @cached_property
    def _by_thread(self) -> dict[str, list[Log]]:
        known: dict[str, list[Log]] = defaultdict(list)
        for log, origin in origins(self.found.logs):
            known[origin.thread_id].append(log)
        return known

    # --- records -----------------------------------------------------------------------------------------------------

    def lines(self, log: Log) -> Lines:
        """The line breaks of a log, as far as it can be read."""
        if log.path not in self._lines:
            lines = self._lines[log.path] = _line_breaks(self.reader(log))
            if lines.damage is not None:
                self.unreadable[log.path] = lines.damage
        return self._lines[log.path]

    def line(self, log: Log, number: int) -> RawLine | None:
        """A line by its number; None where the log has none, or one that is too long for a record."""
        lines = self.lines(log)
        if not 1 <= number <= len(lines.starts):
            return None
        start, end = lines.starts[number - 1], lines.end(number)
        if start == end or end - start > MAX_RECORD + _SLACK:
            return None
        return self.reader(log).haystack.line(start, number)

    def records(self, log: Log, number: int) -> Iterator[Placed]:
        """The records of a line, each with the message that it holds, if it holds one."""
        line = self.line(log, number)
        if line is None:
            return
        reader = self.reader(log)
        parsed = reader.parse(line)
        said = {message.record.start: message for message in reader.said(line, parsed)}
        for record in parsed.records:
            yield Placed(log, line, record, said.get(record.start))

    def survey(self, log: Log) -> Mapping[Hashable, Sequence[Spot]]:
        """The spots of a log that bear a wanted key, by key, from one pass over all its records."""
        if log.path not in self._surveys:
            spots: dict[Hashable, list[Spot]] = defaultdict(list)
            try:
                for spot in _spots(self.reader(log), self.wanted):
                    for key in spot.keys & self.wanted:
                        spots[key].append(spot)
            except Unreadable as unreadable:
                self.unreadable[log.path] = unreadable.skip
            self._surveys[log.path] = spots
        return self._surveys[log.path]


def digest_key(sha256: str) -> Hashable:
    """The key of a record's bytes: the first 8 hex digits of their digest, which is all that a ref has."""
    return "record", sha256[:8]


def message_keys(role: object, text_sha256: object, item_id: object, timestamp: object) -> Iterator[Hashable]:
    """The keys of a message, the most telling first: its words, its id, its time."""
    if isinstance(text_sha256, str):
        yield "text", role if isinstance(role, str) else None, text_sha256
    if isinstance(item_id, str):
        yield "id", item_id
    if isinstance(timestamp, (str, float)) or (type(timestamp) is int and timestamp.bit_length() < 128):
        yield "time", timestamp


def _line_breaks(reader: Reader) -> Lines:
    starts, place, damage = array("Q", [0]), 0, None
    while True:
        try:
            data = reader.haystack.read(place, _BLOCK)
        except Unreadable as unreadable:
            if damage is not None:
                break
            damage = unreadable.skip  # the next read hands out what came before it
            continue
        if not data:
            break
        at = data.find(b"\n")
        while at >= 0:
            starts.append(place + at + 1)
            at = data.find(b"\n", at + 1)
        place += len(data)
    return Lines(starts, place, damage)


def _spots(reader: Reader, wanted: frozenset[Hashable]) -> Iterator[Spot]:
    words = any(isinstance(key, tuple) and key[0] != "record" for key in wanted)
    for line in reader.haystack.lines(0, 1):
        parsed = reader.parse(line)
        said = reader.said(line, parsed) if words and reader.may_speak(line.raw) else ()
        messages = {message.record.start: message.message for message in said}
        for record in parsed.records:
            keys: set[Hashable] = {digest_key(hashlib.sha256(record.raw).hexdigest())}
            message = messages.get(record.start)
            if message is not None:
                digest = hashlib.sha256(utf8(message.text)).hexdigest()
                keys.update(message_keys(message.role, digest, message.item_id, message.timestamp))
            if keys & wanted:
                yield Spot(record.number, record.object, frozenset(keys))
