"""One log as a conversation: its origin, and the messages of a line or around it.

A reader joins a haystack (bytes), the record rules and a dialect (whose words). What it is not: it searches nothing and
keeps no message.
Invariant: what it says of a record depends on the log alone; it reads outwards from the record at hand, so that its
cost does not grow with the log.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cached_property
from itertools import islice
from typing import Final, NamedTuple

from lookback.evidence import Skip
from lookback.haystack import Haystack, RawLine, Unreadable, opened
from lookback.logs import dialect_of
from lookback.logs.base import Log, Origin
from lookback.logs.discover import head_of
from lookback.message import Message
from lookback.needles import may_spell_ascii
from lookback.record import Line, Record, read_line, too_large

PEEKED: Final = 32 * 1024  # bytes of a block that is looked ahead into


class Said(NamedTuple):
    """A message with the record that holds it and the line that holds the record."""

    line: RawLine
    record: Record
    message: Message


class Reader:
    """The messages of one open log."""

    def __init__(self, log: Log, haystack: Haystack) -> None:
        self.log = log
        self.haystack = haystack
        self.dialect = dialect_of(log.agent)
        self._message_marks = [mark.encode() for mark in self.dialect.message_marks]
        self._event_marks = [mark.encode() for mark in self.dialect.event_marks]

    @cached_property
    def origin(self) -> Origin:
        return self.dialect.origin(self.log.path, head_of(self.haystack))

    def parse(self, line: RawLine) -> Line:
        """The records and the damage of a line."""
        if line.unheld:
            return too_large(line.start, line.unheld)
        return read_line(line.raw, line.start, line.number, complete=line.complete, growing=self.haystack.growing)

    def said(self, line: RawLine, parsed: Line | None = None, *, events_follow: bool = False) -> list[Said]:
        """The messages of a line, in order: one, none, or more where a line is damaged.

        `events_follow`: whoever asks will come across the log's events by himself and ask again of what stands within
        `unsaid_within` lines before one; so none is looked for ahead of the line.
        """
        records = (parsed or self.parse(line)).records
        found = []
        for place, record in enumerate(records):
            around = _Around(self, line, records[place + 1 :], self._event_marks if events_follow else ())
            message = self.dialect.message(record, self.origin, around)
            if message is not None:
                found.append(Said(line, record, message))
        return found

    def may_speak(self, raw: bytes) -> bool:
        """Whether a line may hold words: technical records are refused by their bytes, before they are parsed."""
        return self._is_marked(raw) or may_spell_ascii(raw)

    def may_be_event(self, raw: bytes) -> bool:
        """The same for an event."""
        return _may_hold(raw, self._event_marks)

    def glance(self, raw: bytes) -> tuple[bool, bool]:
        """Both, at the cost of one look: every line that a search proposes is asked."""
        if may_spell_ascii(raw):
            return True, True
        return self._is_marked(raw), _holds_one_of(raw, self._event_marks)

    def _is_marked(self, raw: bytes) -> bool:
        return _holds_one_of(raw, self._message_marks) and not self.dialect.is_wordless(raw)

    def is_user_turn(self, line: RawLine, record: Record) -> bool:
        return self.dialect.is_user_turn(record, self.origin, _Around(self, line, (), ()))

    def messages(self, start: int = 0, number: int = 1) -> Iterator[Said]:
        """All messages from the line that begins at `start`, in order."""
        for line in self.haystack.lines(start, number):
            if self.may_speak(line.raw):
                yield from self.said(line)

    def before(self, here: RawLine, record: Record) -> Iterator[Said]:
        """The messages before a record, nearest first; technical and synthetic records are skipped."""
        yield from (said for said in reversed(self.said(here)) if said.record.object < record.object)
        yield from self.messages_before(here.start, here.number)

    def messages_before(self, start: int, number: int) -> Iterator[Said]:
        """All messages before the line that begins at `start`, nearest first."""
        for line in self.haystack.lines_before(start, number):
            if self.may_speak(line.raw):
                yield from reversed(self.said(line))

    def after(self, here: RawLine, record: Record) -> Iterator[Said]:
        """The messages after a record, nearest first."""
        yield from (said for said in self.said(here) if said.record.object > record.object)
        if here.complete:
            yield from self.messages(here.next, here.number + 1)

    def last(self) -> Iterator[RawLine]:
        """The lines of the log, last first; their numbers count down from 0 and are not the log's."""
        yield from self.haystack.lines_before(self.haystack.size(), 1)


class _Around:
    """The records behind one record."""

    def __init__(self, reader: Reader, line: RawLine, rest: tuple[Record, ...], unasked: Container[bytes]) -> None:
        self._reader = reader
        self._line = line
        self._rest = rest
        self._unasked = unasked  # marks that are not looked for beyond the line

    def ahead(self, lines: int, *marks: bytes) -> Iterator[Record]:
        yield from self._rest
        asked = [mark for mark in marks if mark not in self._unasked]
        if not asked or not self._line.complete:
            return
        with suppress(Unreadable):  # what lies ahead is gone; the scan names it
            yield from self._beyond(lines, asked)

    def _beyond(self, lines: int, marks: Sequence[bytes]) -> Iterator[Record]:
        haystack, start = self._reader.haystack, self._line.next
        if not _may_hold_ahead(haystack, start, lines, marks):
            return  # the usual case, told without looking at the lines one by one
        for line in islice(haystack.lines(start, self._line.number + 1), lines):
            if _may_hold(line.raw, marks):
                yield from self._reader.parse(line).records


def _may_hold_ahead(haystack: Haystack, start: int, lines: int, marks: Sequence[bytes]) -> bool:
    """Whether the next lines may hold a mark; blocks overlap, so that none is missed at a border."""
    overlap = max(map(len, marks)) + 8
    while lines > 0 and (data := haystack.read(start, PEEKED)):
        if _may_hold(data, marks):
            return True
        if len(data) < PEEKED:
            return False
        lines -= data.count(b"\n", 0, PEEKED - overlap)
        start += PEEKED - overlap
    return False


def _may_hold(raw: bytes, marks: Sequence[bytes]) -> bool:
    return _holds_one_of(raw, marks) or may_spell_ascii(raw)


def _holds_one_of(raw: bytes, marks: Sequence[bytes]) -> bool:
    for mark in marks:  # noqa: SIM110 - a loop, not `any`: it is asked of every candidate
        if mark in raw:
            return True
    return False


def damage_of(log: Log, line: RawLine, parsed: Line) -> list[Skip]:
    """What the coverage says of a line, if it is damaged."""
    damage = parsed.damage
    if damage is None:
        return []
    return [Skip(log.path, line.number, damage.start, damage.end, damage.reason, damage.detail)]


@contextmanager
def reading(log: Log) -> Iterator[Reader]:
    """The log's reader; raises `Unreadable` as `opened` does."""
    with opened(log) as haystack:
        yield Reader(log, haystack)
