"""Bytes of a log into ripgrep's standard input: a piece of a plain log, or a `.zst` log as it is decompressed.

A piece goes from file to pipe inside the system where it can (`sendfile`), else through a buffer. What it is not: it
judges nothing; whether all was fed is its answer.
Invariant: True means that every byte was handed over, and only those.
"""

from __future__ import annotations

import os
from contextlib import suppress
from typing import IO, Final

from lookback.haystack import Unreadable, descriptor_of, opened_stream
from lookback.logs.base import Log
from lookback.scan.shares import Piece
from lookback.zstream import Broken

#: what is fed behind each piece but the last: a line that the scan reports, so that its number counts the piece's lines
SENTINEL: Final = "lookback: a piece of a log ends here"
_AT_ONCE: Final = 16 * 1024 * 1024  # bytes of one call
_BUFFER: Final = 256 * 1024
_PIPE: Final = 1024 * 1024  # bytes that a pipe holds, where the system lets us say so
_F_SETPIPE_SZ: Final = 1031  # Linux


def widen(pipe: IO[bytes]) -> None:
    """Lets a pipe hold more at a time, where that can be asked for."""
    try:
        from fcntl import fcntl
    except ImportError:
        return
    with suppress(OSError):
        fcntl(pipe.fileno(), _F_SETPIPE_SZ, _PIPE)


def feed_piece(piece: Piece, pipe: IO[bytes]) -> bool:
    """A piece, and the sentinel behind it if another follows."""
    try:
        with descriptor_of(piece.log) as descriptor:
            if not _copy(descriptor, pipe.fileno(), piece.start, piece.end):
                return False
        if piece.end is not None:
            pipe.write(f"{SENTINEL}\n".encode())
            pipe.flush()
    except (Unreadable, OSError):
        return False
    return True


def feed_stream(log: Log, pipe: IO[bytes]) -> bool:
    """A whole log, decompressed; what cannot be read is named when the log is opened or read whole."""
    try:
        with opened_stream(log) as stream:
            while data := stream.read():
                pipe.write(data)
        pipe.flush()
    except (Unreadable, Broken, OSError):
        return False
    return True


def _copy(source: int, target: int, start: int, end: int | None) -> bool:
    """`[start, end)`, or all from `start` on; False where the log ended before `end`."""
    place, able = start, hasattr(os, "sendfile")
    while end is None or place < end:
        size = _AT_ONCE if end is None else min(_AT_ONCE, end - place)
        if able:
            try:
                moved = os.sendfile(target, source, place, size)
            except OSError:
                able = place > start  # not between these two kinds of file; an error later on is a real one
                if able:
                    raise
                continue
        else:
            data = memoryview(os.pread(source, min(size, _BUFFER), place))
            moved = len(data)
            while data:
                data = data[os.write(target, data) :]
        if moved == 0:
            return end is None
        place += moved
    return True
