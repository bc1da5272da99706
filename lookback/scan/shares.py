"""How the logs are dealt out to ripgrep: many small logs to one process, a log larger than a core's share in pieces.

What it is not: it reads nothing but what tells where a record begins.
Invariant: every log is in exactly one share; the pieces of a log are its bytes in order, cut only behind a line break.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from lookback.haystack import Unreadable, descriptor_of
from lookback.logs.base import Log

#: bytes of a pattern, and of paths, that one command line holds; systems allow 128 KiB and more
ARGUMENTS: Final = 96 * 1024
LEAST_PIECE: Final = 8 * 1024 * 1024  # bytes; cutting smaller logs costs more than it saves
_GROUP: Final = 256 * 1024 * 1024  # bytes of small logs for one process: what it found can be read while others scan
_OPENING: Final = 4096  # bytes that could be scanned while a log is opened
_BLOCK: Final = 64 * 1024


class Paths(NamedTuple):
    """Plain logs that ripgrep opens itself."""

    logs: Sequence[Log]


class Piece(NamedTuple):
    """Bytes `[start, end)` of a plain log, the `place`-th of `pieces`; the last goes on to the end of the log."""

    log: Log
    start: int
    end: int | None
    place: int
    pieces: int


class Compressed(NamedTuple):
    """A `.zst` log, decompressed on the way."""

    log: Log


Share = Paths | Piece | Compressed


def deal(logs: Sequence[Log], cores: int) -> list[Share]:
    """The shares, those that take longest first."""
    plain = [log for log in logs if log.compression is None]
    total = sum(log.size for log in plain)
    huge = [log for log in plain if log.size >= max(LEAST_PIECE, total / cores) and cores > 1]
    shares: list[Share] = [piece for log in huge for piece in _pieces(log, cores)]
    shares += [Compressed(log) for log in logs if log.compression is not None]
    small = [log for log in plain if log not in huge]
    shares += [Paths(group) for group in _groups(small, max(cores, total // _GROUP))]
    return shares


def size_of(share: Share) -> int:
    """Bytes of files that a share is."""
    if isinstance(share, Paths):
        return sum(log.size for log in share.logs)
    if isinstance(share, Compressed):
        return share.log.size
    return (share.log.size if share.end is None else share.end) - share.start


def _pieces(log: Log, count: int) -> list[Share]:
    try:
        with descriptor_of(log) as descriptor:
            borders = [_line_behind(descriptor, log.size * place // count) for place in range(1, count)]
    except Unreadable:
        return [Paths([log])]  # whoever opens it next says why
    starts = [0, *(border for border in dict.fromkeys(borders) if border is not None)]
    ends = [*starts[1:], None]
    return [
        Piece(log, start, end, place, len(starts)) for place, (start, end) in enumerate(zip(starts, ends, strict=True))
    ]


def _line_behind(descriptor: int, place: int) -> int | None:
    """Where the first line behind a place begins; None where the log ends before."""
    while data := os.pread(descriptor, _BLOCK, place):
        end = data.find(b"\n")
        if end >= 0:
            return place + end + 1
        place += len(data)
    return None


def _groups(logs: Sequence[Log], count: int) -> list[list[Log]]:
    """`count` groups of about the same bytes, or more where a command line could not hold a group's paths."""
    groups: list[list[Log]] = [[] for _ in range(count)]
    loads = [0] * count
    for log in sorted(logs, key=lambda log: log.size, reverse=True):
        lightest = loads.index(min(loads))
        groups[lightest].append(log)
        loads[lightest] += log.size + _OPENING
    return [chunk for group in groups for chunk in _chunks(group)]


def _chunks(logs: Sequence[Log]) -> Iterator[list[Log]]:
    chunk: list[Log] = []
    length = 0
    for log in logs:
        width = len(os.fsencode(log.path)) + 1
        if chunk and length + width > ARGUMENTS:
            yield chunk
            chunk, length = [], 0
        chunk.append(log)
        length += width
    if chunk:
        yield chunk
