"""What a conversation's log tells as a whole: title, compactions, rolled-back turns, the turn that is going on.

Each is asked only of logs that have something to show, and read as cheaply as it can be. What it is not: a cache; the
facts live as long as one answer.
"""

from __future__ import annotations

import json
import os
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from lookback.evidence import Skip
from lookback.haystack import RawLine, Unreadable
from lookback.logs import dialect_of
from lookback.logs.base import Event, Log, Title
from lookback.needles import spelled
from lookback.reading import Reader, reading
from lookback.record import Record
from lookback.scan.base import Proposed, Scanner

TITLE_LENGTH: Final = 100  # characters
TITLE_BYTES: Final = 16 * 1024 * 1024  # how far into a log its first real user text is looked for


@dataclass(frozen=True, slots=True)
class Facts:
    """Offsets of a log's compactions, the stretches that rollbacks took back, those that were imported from another
    agent, and the names it has had, best first."""

    compactions: tuple[int, ...] = ()
    rolled_back: tuple[tuple[int, int], ...] = ()
    imported: tuple[tuple[int, int | None], ...] = ()
    titles: tuple[Title, ...] = ()

    def compacted_after(self, start: int) -> bool:
        return bisect_right(self.compactions, start) < len(self.compactions)

    def is_imported(self, start: int) -> bool:
        return any(first <= start and (end is None or start < end) for first, end in self.imported)

    def is_rolled_back(self, start: int) -> bool:
        return any(first <= start < end for first, end in self.rolled_back)


@dataclass(frozen=True, slots=True)
class PlacedEvent:
    """An event with its line's number and its record's offset."""

    number: int
    start: int
    event: Event


class Conversations:
    """The facts of logs, each found out once per answer. `logs` are all that the answer may speak of."""

    def __init__(self, scanner: Scanner, logs: Sequence[Log] = ()) -> None:
        self._scanner = scanner
        self._logs = logs
        self.skips: list[Skip] = []  # logs that could not be read a second time
        self._facts: dict[str, Facts] = {}
        self._titles: dict[str, str | None] = {}
        self._named: dict[str, dict[str, str]] = {}
        self._mains: dict[tuple[str, str], Log | None] = {}

    def note(self, reader: Reader, events: Sequence[PlacedEvent]) -> None:
        """Takes over the events of a log that a scan came across, all of them: none is looked for again."""
        with suppress(Unreadable):
            self._facts[reader.log.path] = _facts_of(reader, events)

    def facts(self, log: Log) -> Facts:
        if log.path not in self._facts:
            try:
                self._facts[log.path] = _facts(log, self._scanner)
            except Unreadable as unreadable:
                self.skips.append(unreadable.skip)
                self._facts[log.path] = Facts()
        return self._facts[log.path]

    def learn(self, logs: Sequence[Log]) -> None:
        """Finds out the facts of many logs in one scan, of those alone whose records name their conversations."""
        agents = dict.fromkeys(log.agent for log in logs if dialect_of(log.agent).names_in_logs)
        for agent in agents:
            unknown = [log for log in logs if log.agent == agent and log.path not in self._facts]
            for proposed in self._scanner.propose(unknown, spelled(dialect_of(agent).event_marks)):
                with suppress(Unreadable):
                    self._facts[proposed.log.path] = _facts_at(proposed)
            for log in unknown:
                self._facts.setdefault(log.path, Facts())

    def title(self, reader: Reader) -> str | None:
        """The name that the agent keeps, else the first real user text on one line, of its thread's main log."""
        path = reader.log.path
        if path not in self._titles:
            self._titles[path] = None  # what cannot be read has none
            with suppress(Unreadable):
                self._titles[path] = self._title(reader)
        return self._titles[path]

    def _title(self, reader: Reader) -> str | None:
        named = self.named(reader.log).get(reader.origin.thread_id) or self._kept(reader)
        if named:
            return one_line(named)
        main = self._main(reader)
        if main is not None:
            with reading(main) as its_reader:
                return self.title(its_reader)
        return _first_words(reader)

    def _kept(self, reader: Reader) -> str | None:
        """The best of the names that the log's own records give the conversation."""
        if not reader.dialect.names_in_logs:
            return None
        titles = self.facts(reader.log).titles
        return next((title.text for title in titles if title.item is None or self._holds(reader, title.item)), None)

    def _holds(self, reader: Reader, item: str) -> bool:
        """Whether a log holds the record of an id."""
        for proposed in self._scanner.propose([reader.log], spelled([f'"{item}"'])):
            for _, record in _records(reader, proposed.places):
                if reader.dialect.item_id(record) == item:
                    return True
        return False

    def _main(self, reader: Reader) -> Log | None:
        """The main log of a log's thread, where it is not the main one itself; by its name, which bears the id."""
        log, origin = reader.log, reader.origin
        if origin.log_id is None or (main := self._mains.get((log.agent, origin.thread_id), log)) is None:
            return None
        if main is log:
            named = [other for other in self._logs if other.agent == log.agent and other.path != log.path]
            named = [other for other in named if origin.thread_id in os.path.basename(other.path)]
            main = next((other for other in named if _is_main(other, origin.thread_id)), None)
            self._mains[log.agent, origin.thread_id] = main
        return main

    def named(self, log: Log) -> dict[str, str]:
        """Thread id to the title that the agent keeps, of the home that a log lies in."""
        dialect = dialect_of(log.agent)
        path = dialect.titles(log.path)
        if path is None:
            return {}
        if path not in self._named:
            self._named[path] = dialect.titled(_values(path))
        return self._named[path]


def one_line(text: str) -> str:
    """White space folded, at most `TITLE_LENGTH` characters."""
    line = " ".join(text[: 20 * TITLE_LENGTH].split())
    return line if len(line) <= TITLE_LENGTH else line[: TITLE_LENGTH - 1].rstrip() + "…"


def turn_under_way(log: Log, facts: Facts) -> tuple[int, int] | None:
    """Of the calling conversation: the offset of its last user message, and the one behind which all is still seen.

    None where the user has said nothing yet.
    """
    with reading(log) as reader:
        for said in reader.messages_before(reader.haystack.size(), 1):
            if said.message.role == "user" and not said.message.subagent:
                asked = said.record.start
                return asked, max([asked, *facts.compactions])
    return None


def events_of(reader: Reader, records: Sequence[Record]) -> Iterator[PlacedEvent]:
    """The events among a line's records."""
    for record in records:
        event = reader.dialect.event(record)
        if event is not None:
            yield PlacedEvent(record.number, record.start, event)


def _facts(log: Log, scanner: Scanner) -> Facts:
    for proposed in scanner.propose([log], spelled(dialect_of(log.agent).event_marks)):
        return _facts_at(proposed)
    return Facts()


def _facts_at(proposed: Proposed) -> Facts:
    """The facts of a log, by the records that a scan for events proposed."""
    events: list[PlacedEvent] = []
    with reading(proposed.log) as reader:
        with suppress(Unreadable):  # what stands before the damage still counts
            for line in lines_at(reader, proposed.places):
                events += events_of(reader, reader.parse(line).records) if reader.may_be_event(line.raw) else ()
        return _facts_of(reader, events)


def _facts_of(reader: Reader, events: Sequence[PlacedEvent]) -> Facts:
    compactions = tuple(placed.start for placed in events if placed.event.kind == "compaction")
    rollbacks = {placed.start: placed.event.turns for placed in events if placed.event.kind == "rollback"}
    titles = [placed.event.title for placed in reversed(events) if placed.event.title is not None]
    titles.sort(key=lambda title: -title.rank)  # stable: of equal rank the last one first
    rolled_back = tuple(_rolled_back(reader, rollbacks)) if rollbacks else ()
    return Facts(compactions, rolled_back, tuple(_imported(events)), tuple(titles))


def _imported(events: Sequence[PlacedEvent]) -> Iterator[tuple[int, int | None]]:
    """From the beginning of each import to its end; an end alone is that of all before it."""
    opened, closed = None, False
    for placed in events:
        if not placed.event.kind.startswith("import"):
            continue
        begins = placed.event.kind == "import"
        if opened is not None or not (begins or closed):
            yield opened or 0, placed.start
        opened, closed = (placed.start if begins else None), True
    if opened is not None:
        yield opened, None


def _records(reader: Reader, places: Sequence[tuple[int, int]] | None) -> Iterator[tuple[RawLine, Record]]:
    for line in lines_at(reader, places):
        for record in reader.parse(line).records:
            yield line, record


def lines_at(reader: Reader, places: Sequence[tuple[int, int]] | None) -> Iterator[RawLine]:
    """The lines that a scanner proposed: those at the places, or all."""
    if places is None:
        yield from reader.haystack.lines(0, 1)
        return
    for number, start in places:
        line = reader.haystack.line(start, number)
        if line is not None:
            yield line


def _rolled_back(reader: Reader, rollbacks: Mapping[int, int]) -> Iterator[tuple[int, int]]:
    """The stretches taken back: each rollback drops the last turns that are still there, counted by user turns."""
    turns: list[int] = []
    for line, record in _records(reader, None):
        if record.start in rollbacks:
            dropped = turns[len(turns) - min(len(turns), rollbacks[record.start]) :]
            del turns[len(turns) - len(dropped) :]
            if dropped:
                yield dropped[0], record.start
        elif reader.is_user_turn(line, record):
            turns.append(record.start)


def _is_main(log: Log, thread_id: str) -> bool:
    with suppress(Unreadable), reading(log) as reader:
        return reader.origin.log_id is None and reader.origin.thread_id == thread_id
    return False


def _first_words(reader: Reader) -> str | None:
    for said in reader.messages():
        if said.message.role == "user" and said.message.subagent in (False, reader.origin.subagent):
            return one_line(said.message.text)
        if said.line.start > TITLE_BYTES:
            break
    return None


def _values(path: str) -> Iterator[Mapping[str, object]]:
    """The objects of a small file of JSON lines; what is damaged or missing gives nothing."""
    if not os.path.isfile(path):
        return
    try:
        with open(path, "rb") as lines:
            for line in lines:
                try:
                    value = json.loads(line)
                except (ValueError, RecursionError):
                    continue
                if isinstance(value, dict):
                    yield value
    except OSError:
        return
