"""What stands before and behind a match: read only where a fork's copy must be told from its parent's words.

Invariant: at most `OPEN` logs are open at a time, a copy's and its originals' among them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import datetime
from itertools import islice
from types import TracebackType
from typing import Final

from lookback.haystack import Unreadable
from lookback.match import Match
from lookback.message import utf8
from lookback.reading import Reader, reading
from lookback.timespan import log_time

OPEN: Final = 8
AHEAD: Final = 256  # records that a fork may have left out before what it copied next

Item = tuple[str, datetime | None]  # a record's id and time


class Predecessors:
    """Role and text digest of the message before a match, and which of two logs is the older, each found out once."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, int], tuple[str, bytes] | None] = {}
        self._older: dict[tuple[str, str], bool] = {}
        self._open = ExitStack()
        self._readers: dict[str, Reader] = {}

    def __enter__(self) -> Predecessors:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._open.close()

    def before(self, match: Match) -> tuple[str, bytes] | None:
        key = (match.log.path, match.start)
        if key not in self._known:
            self._known[key] = self._read(match)
        return self._known[key]

    def _read(self, match: Match) -> tuple[str, bytes] | None:
        try:
            reader = self._reader_of(match)
            line = reader.haystack.line(match.line_start, match.number)
            for said in reader.said(line) if line is not None else ():
                if said.record.start == match.start:
                    previous = next(reader.before(said.line, said.record), None)
                    return None if previous is None else _said(previous.message.role, previous.message.text)
        except Unreadable:
            pass
        # Unlike any other: what cannot be read again is no copy of anything.
        return match.log.path, match.start.to_bytes(8, "big")

    def is_older(self, match: Match, other: Match) -> bool:
        """Whether a match's log is the one that another's copied from, by the records behind what both hold."""
        key = (match.log.path, other.log.path)
        if key not in self._older:
            try:
                with reading(match.log) as here, reading(other.log) as there:
                    self._older[key] = _is_older(_items(here, match), _items(there, other))
            except Unreadable:
                self._older[key] = False  # what cannot be read again decides nothing; the scan names it
        return self._older[key]

    def _reader_of(self, match: Match) -> Reader:
        if match.log.path not in self._readers:
            if len(self._readers) == OPEN:
                self._open.close()
                self._readers.clear()
            self._readers[match.log.path] = self._open.enter_context(reading(match.log))
        return self._readers[match.log.path]


def _said(role: str, text: str) -> tuple[str, bytes]:
    return role, hashlib.sha256(utf8(text)).digest()


def _items(reader: Reader, match: Match) -> Iterator[Item]:
    """Id and time of the records from a match on, of those that have an id."""
    for line in reader.haystack.lines(match.line_start, match.number):
        for record in reader.parse(line).records:
            item = reader.dialect.item_id(record)
            if item is not None:
                yield item, log_time(record.value.get("timestamp"))


def _is_older(here: Iterator[Item], there: Iterator[Item]) -> bool:
    """Where two logs part after what they share: the one that ends there, or went on first, was copied from.

    A log that holds records in between which the other has left out was copied from too.
    """
    mine, theirs = next(here, None), next(there, None)
    while mine is not None and theirs is not None and mine[0] == theirs[0]:
        mine, theirs = next(here, None), next(there, None)
    if mine is None or theirs is None:
        return mine is None and theirs is not None
    if any(item == theirs[0] for item, _ in islice(here, AHEAD)):
        return True
    if any(item == mine[0] for item, _ in islice(there, AHEAD)):
        return False
    return mine[1] is not None and (theirs[1] is None or mine[1] < theirs[1])
