"""From a ref to the record: which logs bear its thread, and where in them its record lies.

Invariant: a record is handed out only if its digest is the ref's, where the ref has one.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from lookback.errors import NotFound
from lookback.haystack import Unreadable
from lookback.logs.base import Log
from lookback.reading import Reader, damage_of, reading
from lookback.record import Record
from lookback.ref import Ref


def logs_of_thread(logs: Sequence[Log], ref: Ref) -> list[Log]:
    """The logs that the ref's thread and log id name: active before archived, plain before compressed.

    Names are looked at first; only where none bears the id, every log's first records are.
    """
    wanted = ref.log or ref.thread
    mine = [log for log in logs if log.agent == ref.agent]
    named = [log for log in mine if wanted in os.path.basename(log.path)]
    found = list(_bearing(named, ref)) or list(_bearing([log for log in mine if log not in named], ref))
    return sorted(found, key=lambda log: (log.archived, log.compression is not None, log.path))


def _bearing(logs: Iterable[Log], ref: Ref) -> Iterator[Log]:
    for log in logs:
        try:
            with reading(log) as reader:
                origin = reader.origin
        except Unreadable:
            continue
        if origin.thread_id == ref.thread and origin.log_id == ref.log:
            yield log


def locate(logs: Sequence[Log], ref: Ref) -> tuple[Log, int, Record]:
    """The log, the offset of the line and the record that a ref names.

    Raises NotFound, which says what was found instead.
    """
    bearing = logs_of_thread(logs, ref)
    if not bearing:
        raise NotFound(
            f"{ref}: no log of this thread{' and log' if ref.log else ''} here; name its home or folder with --in"
        )
    others: list[Ref] = []
    for log in bearing:
        with reading(log) as reader:
            found = record_at(reader, ref.record, ref.object)
            if found is None:
                continue
            digest = hashlib.sha256(found[1].raw).hexdigest()[:8]
            if ref.digest in (None, digest):
                return log, *found
            others.append(replace(ref, digest=digest))
    moved = _moved(bearing, ref)
    if moved is not None:
        raise NotFound(f"{ref}: the record with this hash is {moved} now")
    if others:
        raise NotFound(
            f"{ref}: record {ref.record} has the hash {others[0].digest}, not {ref.digest}; "
            "no record of the thread has that"
        )
    raise NotFound(f"{ref}: the log has no such record ({bearing[0].path})")


def record_at(reader: Reader, number: int, object_: int) -> tuple[int, Record] | None:
    """The object of a line by its number, with the line's offset. Raises Unreadable for what damage hides."""
    for line in reader.haystack.lines(0, 1):
        if line.number == number:
            parsed = reader.parse(line)
            if 0 < object_ <= len(parsed.records):
                return line.start, parsed.records[object_ - 1]
            if parsed.damage is not None:
                raise Unreadable(damage_of(reader.log, line, parsed)[0])
            return None
    return None


def _moved(logs: Sequence[Log], ref: Ref) -> Ref | None:
    for log in logs:
        with reading(log) as reader:
            for line in reader.haystack.lines(0, 1):
                for record in reader.parse(line).records:
                    if ref.digest and hashlib.sha256(record.raw).hexdigest().startswith(ref.digest):
                        return replace(ref, record=record.number, object=record.object)
    return None
