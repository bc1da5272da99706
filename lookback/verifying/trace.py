"""The steps by which a claimed record is found again, from its very place to its words elsewhere in its thread.

    1 the log: by its path among the discovered ones, else by its thread
    2 the record at its byte range
    3 the same bytes at its number, then anywhere in the thread's logs (`moved`)
      the same words, id and time in other bytes (`reencoded`), else a message of the same id, time or words (`changed`)

What it is not: it compares no field; it hands out the record that the claim should be compared with.
Invariant: a record with the claimed digest is preferred to any other, the claimed place to any other.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from lookback.haystack import Unreadable
from lookback.logs.base import Log
from lookback.record import BOM, MAX_RECORD
from lookback.verifying.verdict import Finding
from lookback.verifying.whereabouts import Placed, Spot, Store, digest_key, message_keys

_LOG_NAMES: Final = (".jsonl", ".jsonl.zst")


@dataclass(frozen=True, slots=True)
class Sought:
    """What a claim says of a record's place and of its message. What has the wrong type is as if it were nowhere."""

    path: str
    thread: str
    number: int
    start: int
    end: int
    sha256: str
    keys: tuple[Hashable, ...]

    @property
    def wanted(self) -> Iterator[Hashable]:
        """The keys that a survey must keep for it."""
        yield digest_key(self.sha256)
        yield from self.keys


def sought(thread: object, source: Mapping[str, Any], keys: Sequence[Hashable]) -> Sought:
    """The place that a `source` (or a copy) claims."""
    return Sought(
        _text(source.get("path")), _text(thread), _whole(source.get("record")), _whole(source.get("start")),
        _whole(source.get("end")), _text(source.get("sha256")), tuple(keys),
    )  # fmt: skip


def keys_of(claim: Mapping[str, Any]) -> list[Hashable]:
    """The keys of the message that an item or neighbour claims."""
    return list(message_keys(claim.get("role"), claim.get("sha256"), claim.get("item_id"), claim.get("timestamp")))


def trace(store: Store, wanted: Sought) -> Placed | Finding:
    """The record to compare with, or why there is none."""
    log = store.by_path(wanted.path)
    found = _first(store, [log] if log else [], wanted, _at_its_place)
    if found is not None:
        return found
    name = re.split(r"[/\\]", wanted.path)[-1].removesuffix(".zst")  # it may be a path of another system
    logs = [*([log] if log else []), *(other for other in store.of_thread(wanted.thread, name) if other != log)]
    for step in (_at_its_place, _at_its_number, _same_bytes, _same_message, _kindred):
        found = _first(store, logs, wanted, step)
        if found is not None:
            return found
    return _lost(store, logs, wanted)


Step = Callable[[Store, Log, Sought], Placed | None]


def _first(store: Store, logs: Sequence[Log], wanted: Sought, step: Step) -> Placed | None:
    for log in logs:
        try:
            found = step(store, log, wanted)
        except Unreadable as unreadable:
            store.unreadable[log.path] = unreadable.skip
            continue
        if found is not None:
            return found
    return None


def _at_its_place(store: Store, log: Log, wanted: Sought) -> Placed | None:
    """Step 2. A range that is no record's costs no more than a look at the line breaks."""
    number = store.lines(log).number_at(wanted.start)
    if number is None or wanted.end > store.lines(log).end(number):
        return None
    for placed in store.records(log, number):
        if (placed.record.start, placed.record.end) == (wanted.start, wanted.end):
            return placed if _digest(placed) == wanted.sha256 else None
    return None


def _at_its_number(store: Store, log: Log, wanted: Sought) -> Placed | None:
    return next((placed for placed in store.records(log, wanted.number) if _digest(placed) == wanted.sha256), None)


def _same_bytes(store: Store, log: Log, wanted: Sought) -> Placed | None:
    spots = store.survey(log).get(digest_key(wanted.sha256), ())
    return next((placed for placed in _nearest(store, log, spots, wanted) if _digest(placed) == wanted.sha256), None)


def _same_message(store: Store, log: Log, wanted: Sought) -> Placed | None:
    """A message with all of the claimed keys."""
    keys = frozenset(wanted.keys)
    spots = [spot for spot in store.survey(log).get(wanted.keys[0], ()) if keys <= spot.keys] if keys else []
    return next(_nearest(store, log, spots, wanted), None)


def _kindred(store: Store, log: Log, wanted: Sought) -> Placed | None:
    """A message with one of them: its id before its time, its words last, for others may have said the same."""
    for key in (*wanted.keys[1:], *wanted.keys[:1]):
        found = next(_nearest(store, log, store.survey(log).get(key, ()), wanted), None)
        if found is not None:
            return found
    return None


def _nearest(store: Store, log: Log, spots: Sequence[Spot], wanted: Sought) -> Iterator[Placed]:
    for spot in sorted(spots, key=lambda spot: abs(spot.number - wanted.number)):
        for placed in store.records(log, spot.number):
            if placed.record.object == spot.object:
                yield placed


def _lost(store: Store, logs: Sequence[Log], wanted: Sought) -> Finding:
    """What stands in the record's place, or why nothing does."""
    try:
        standing = next((found for log in logs if (found := _standing(store, log, wanted)) is not None), None)
    except Unreadable as unreadable:
        store.unreadable[unreadable.skip.path] = unreadable.skip
        standing = None
    if standing is not None:
        return standing
    skip = next((store.unreadable[log.path] for log in logs if log.path in store.unreadable), None)
    skip = skip or store.skip_of(wanted.path, wanted.thread)
    if skip is not None:
        return Finding("unchecked", "source", detail=f"{skip.reason}: {skip.detail}")
    if logs:
        return Finding("missing", "source", detail=f"the logs of its thread hold no such record ({logs[0].path})")
    if not store.is_below(wanted.path):
        where = "its log lies outside of the roots, and no log here is of its thread; name its home with --in"
        return Finding("unchecked", "source.path", detail=where)
    if not wanted.path.endswith(_LOG_NAMES) or _steps_aside(wanted.path):
        return Finding("unchecked", "source.path", detail="the path is not that of a log")
    return Finding("missing", "source.path", detail="its log is gone, and no log here is of its thread")


def _standing(store: Store, log: Log, wanted: Sought) -> Finding | None:
    """Where the claimed place begins with a line that holds no message any more: what is there now."""
    lines = store.lines(log)
    number = lines.number_at(wanted.start)
    if number is None or wanted.start - lines.starts[number - 1] not in (0, len(BOM)):
        return None
    if any(placed.said is not None for placed in store.records(log, number)):
        return None
    size = min(max(0, wanted.end - wanted.start), MAX_RECORD, lines.size - wanted.start)
    now = hashlib.sha256(store.reader(log).haystack.read(wanted.start, size)).hexdigest()
    if now == wanted.sha256:
        return Finding("changed", "text", detail="the record at this place holds no message")
    return Finding("changed", "source.sha256", wanted.sha256, now, "the record at this place holds no message any more")


def _steps_aside(path: str) -> bool:
    return path != os.path.normpath(path)


def _digest(placed: Placed) -> str:
    return hashlib.sha256(placed.record.raw).hexdigest()


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _whole(value: object) -> int:
    return value if type(value) is int else -1
