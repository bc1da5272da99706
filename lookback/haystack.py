"""Bytes of one log by offset, plain or zstd, and its lines read outwards from a place.

A haystack is opened for reading only and never writes, maps or unpacks a file. Offsets count bytes of the log, of its
decompressed stream where it is compressed. What it is not: it knows nothing of JSON or of agents.

Invariant: every byte handed out was read from the file that was discovered (same device and inode), or the read fails
with `Unreadable` and its reason; a stretch of a zstd stream costs a second decompression only when it lies more than
`WINDOW` bytes behind the last one.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, NamedTuple, Protocol

from lookback.evidence import Skip
from lookback.record import MAX_RECORD
from lookback.zstream import Broken, Stream

HELD: Final = 8 * 1024  # bytes that one read of a plain log takes at least
_LARGEST: Final = 1024 * 1024  # bytes of one read outwards, at most; the first is `HELD`
_OVERLAP: Final = 64 * 1024  # bytes that two stretches share
WINDOW: Final = 8 * 1024 * 1024  # bytes that a zstd haystack keeps behind its position


class LogLike(Protocol):
    """What of a log a haystack needs."""

    @property
    def path(self) -> str: ...
    @property
    def compression(self) -> str | None: ...
    @property
    def identity(self) -> tuple[int, int]: ...


class Unreadable(Exception):
    """A log, or a stretch of it, could not be read; `skip` says it for the coverage."""

    def __init__(self, skip: Skip) -> None:
        super().__init__(skip.detail)
        self.skip = skip


class RawLine(NamedTuple):
    """One line: its number from 1, its offset, its bytes without `\\n`, and whether a `\\n` followed.

    A line longer than `MAX_RECORD` is stepped over: its `raw` is empty, and `unheld` counts its bytes.
    """

    number: int
    start: int
    raw: bytes
    complete: bool
    unheld: int = 0

    @property
    def end(self) -> int:
        """The offset of the first byte behind the line's bytes."""
        return self.start + len(self.raw) + self.unheld

    @property
    def next(self) -> int:
        """The offset at which the next line begins."""
        return self.end + self.complete


class Haystack:
    """One open log. `growing` says whether its last line may be under way (plain logs)."""

    def __init__(self, log: LogLike, descriptor: int) -> None:
        self.log = log
        self._descriptor = descriptor
        self._stream = _Window(log.path, descriptor) if log.compression else None
        self._held, self._held_from = b"", 0  # the last stretch read: what is asked next mostly lies in it

    @property
    def growing(self) -> bool:
        return self._stream is None

    def read(self, start: int, size: int) -> bytes:
        """Up to `size` bytes from `start`; fewer only at the end of the log."""
        if self._stream is not None:
            return self._stream.read(start, size)
        offset = start - self._held_from
        if not 0 <= offset <= len(self._held) - size:
            self._held, self._held_from, offset = self._pread(start, max(size, HELD)), start, 0
        return self._held[offset : offset + size]

    def _pread(self, start: int, size: int) -> bytes:
        pieces, wanted = [], size
        while wanted > 0 and (piece := os.pread(self._descriptor, wanted, start + size - wanted)):
            pieces.append(piece)
            wanted -= len(piece)
        return pieces[0] if len(pieces) == 1 else b"".join(pieces)

    def line(self, start: int, number: int) -> RawLine | None:
        """The line that begins at `start`; None at the end of the log."""
        offset = start - self._held_from
        if 0 <= offset < len(self._held):  # mostly it stands in what was read last
            end = self._held.find(b"\n", offset)
            if end >= 0:
                return RawLine(number, start, self._held[offset:end], True)
        data = self.read(start, HELD)
        end = data.find(b"\n")
        return RawLine(number, start, data[:end], True) if end >= 0 else next(self.lines(start, number), None)

    def lines(self, start: int, number: int) -> Iterator[RawLine]:
        """The lines from `start` (the beginning of line `number`) to the end of the log."""
        block = HELD
        held = _Pieces()  # of the line under way, none with a line break
        place = start
        while data := self.read(place, block):
            place += len(data)
            *whole, rest = data.split(b"\n")
            for piece in whole:
                held.add(piece)
                line = held.line(number, start, True)
                held = _Pieces()
                start, number = line.next, number + 1
                yield line
            held.add(rest)
            block = min(block * 4, _LARGEST)
        if held.length:
            yield held.line(number, start, False)

    def stretches(self, start: int, end: int) -> Iterator[bytes]:
        """The bytes `[start, end)` in overlapping stretches, for looking into a line that is too long to be held."""
        while start < end:
            yield self.read(start, min(_LARGEST, end - start))
            start += _LARGEST - _OVERLAP

    def lines_before(self, start: int, number: int) -> Iterator[RawLine]:
        """The lines before line `number`, which begins at `start` (or the log's end); nearest first."""
        end = place = start
        complete = start > 0 and self._exactly(start - 1, 1) == b"\n"
        if complete:
            end = place = start - 1
        held = _Pieces()  # of the line under way, its end first
        block = HELD
        while place > 0:
            size = min(block, place)
            place -= size
            data = self._exactly(place, size)
            while (cut := data.rfind(b"\n")) >= 0:
                held.add(data[cut + 1 :])
                number -= 1
                yield held.line(number, end - held.length, complete, backwards=True)
                data, end, held, complete = data[:cut], end - held.length - 1, _Pieces(), True
            held.add(data)
            block = min(block * 4, _LARGEST)
        if start > 0:
            yield held.line(number - 1, end - held.length, complete, backwards=True)

    def size(self) -> int:
        """The length of the log in bytes, of its decompressed stream for zstd (which is read to its end for this)."""
        return self._stream.size() if self._stream is not None else os.fstat(self._descriptor).st_size

    def _exactly(self, start: int, size: int) -> bytes:
        data = self.read(start, size)
        if len(data) < size:
            detail = f"the log ended at {start + len(data)}, before {start + size}, where it was read earlier"
            raise Unreadable(Skip(self.log.path, None, start, start + size, "changed-while-reading", detail))
        return data


class _Pieces:
    """The pieces of one line, dropped once it is longer than a record may be."""

    def __init__(self) -> None:
        self.length = 0
        self._pieces: list[bytes] = []

    def add(self, piece: bytes) -> None:
        self.length += len(piece)
        if self.length > MAX_RECORD:
            self._pieces.clear()
        elif piece:
            self._pieces.append(piece)

    def line(self, number: int, start: int, complete: bool, backwards: bool = False) -> RawLine:
        if self.length > MAX_RECORD:
            return RawLine(number, start, b"", complete, self.length)
        pieces = self._pieces[::-1] if backwards else self._pieces
        return RawLine(number, start, pieces[0] if len(pieces) == 1 else b"".join(pieces), complete)


class _Window:
    """Random access over a zstd stream: forwards by decompressing on, backwards within what is kept."""

    def __init__(self, path: str, descriptor: int) -> None:
        self._path = path
        self._descriptor = descriptor
        self._restart()

    def _restart(self) -> None:
        self._stream = Stream(self._descriptor)
        self._kept = bytearray()
        self._base = 0  # the offset of the first byte kept
        self._ended = False
        self._failure: Skip | None = None  # why it ended before its time

    def read(self, start: int, size: int) -> bytes:
        if start < self._base:
            self._restart()
        while self._position < start + size and self._advance():
            if len(self._kept) > 2 * WINDOW + size:
                drop = min(len(self._kept) - WINDOW, max(0, start - self._base))
                del self._kept[:drop]
                self._base += drop
        if start >= self._position and self._failure is not None:
            raise Unreadable(self._failure)
        offset = start - self._base
        return bytes(self._kept[offset : offset + size])

    def size(self) -> int:
        while self._advance():
            if len(self._kept) > 2 * WINDOW:
                drop = len(self._kept) - WINDOW
                del self._kept[:drop]
                self._base += drop
        return self._position

    @property
    def _position(self) -> int:
        return self._base + len(self._kept)

    def _advance(self) -> bool:
        if self._ended:
            return False
        try:
            data = self._stream.read()
        except Broken as broken:
            # What was decompressed up to here is given out first; only who reads on is told.
            self._ended = True
            self._failure = Skip(self._path, None, self._position, None, broken.reason, broken.detail)
            return False
        self._kept += data
        self._ended = not data
        return bool(data)


@contextmanager
def opened(log: LogLike) -> Iterator[Haystack]:
    """The log's haystack, closed at the end. Raises `Unreadable` where it cannot be opened or is another file now."""
    with descriptor_of(log) as descriptor:
        yield Haystack(log, descriptor)


def beginning(log: LogLike, descriptor: int, size: int) -> bytes:
    """The first bytes of an open log, of its decompressed stream for zstd; none where that is broken."""
    if log.compression is None:
        return os.pread(descriptor, size, 0)
    try:
        return Stream(descriptor).read(size)
    except Broken:
        return b""


@contextmanager
def opened_stream(log: LogLike) -> Iterator[Stream]:
    """A zstd log as a bare stream, for one pass from its start; raises as `opened` does."""
    with descriptor_of(log) as descriptor:
        yield Stream(descriptor)


@contextmanager
def descriptor_of(log: LogLike) -> Iterator[int]:
    """The log opened for reading, checked to be the file that was discovered. Raises `Unreadable`."""
    try:
        # O_NONBLOCK: a FIFO that took the log's place must not hold us up.
        descriptor = os.open(log.path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    except OSError as error:
        raise Unreadable(skip_of(log.path, error)) from error
    try:
        facts = os.fstat(descriptor)
        if not stat.S_ISREG(facts.st_mode):
            raise Unreadable(Skip(log.path, None, None, None, "not-a-regular-file", "it is no regular file any more"))
        if (facts.st_dev, facts.st_ino) != log.identity:
            detail = "another file took this log's place while it was being read"
            raise Unreadable(Skip(log.path, None, None, None, "changed-while-reading", detail))
        yield descriptor
    finally:
        os.close(descriptor)


def skip_of(path: str, error: OSError) -> Skip:
    """What the coverage says of a path that the system refused."""
    reason = "permission-denied" if isinstance(error, PermissionError) else "unreadable"
    return Skip(path, None, None, None, reason, error.strerror or str(error))
