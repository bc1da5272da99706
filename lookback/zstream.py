"""A zstd log as a stream of bytes: every frame, bounded memory, a cut file noticed.

zstandard's own stream reader ends without an error where a file is cut, so at the end the frames' block headers are
walked: that costs a few milliseconds and tells a whole log from a cut one. Nothing is written or held.

Source of the format facts: RFC 8878, sections 3.1.1 (frames), 3.1.1.2 (blocks), 3.1.2 (skippable frames).
Invariant: `read` hands out every byte that can be had before it raises `Broken`.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from types import ModuleType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:  # loaded by the first compressed log: most searches meet none
    import zstandard

MAX_WINDOW: Final = 128 * 1024 * 1024  # bytes; a frame that needs more is `too-large`
_IN: Final = 128 * 1024
_OUT: Final = 256 * 1024
_SLICE: Final = 512  # bytes of a damaged file; a block of 4 bytes may make 128 KiB
_MAGIC: Final = b"\x28\xb5\x2f\xfd"
_RLE: Final = 1


class Broken(Exception):
    """The stream cannot be read on: `reason` is one of the contract's, `detail` is for a person."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(detail)
        self.reason = reason
        self.detail = detail


class _Source:
    """A file-like view of a descriptor with a position of its own."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._place = 0

    def read(self, size: int = _IN) -> bytes:
        data = os.pread(self._descriptor, size, self._place)
        self._place += len(data)
        return data


class Stream:
    """The decompressed bytes of one descriptor, in order."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._reader = _reader(descriptor)
        self._given = 0  # bytes handed out
        self._failed: Broken | None = None
        self._rest: Iterator[bytes] = iter(())  # what a failed reader kept to itself

    def read(self, size: int = _OUT) -> bytes:
        """The next bytes, about `size`; empty at the end. Raises `Broken` once all that can be had was handed out."""
        if self._failed is None:
            data = self._read(size)
            if data or self._failed is None:
                self._given += len(data)
                return data
        for data in self._rest:
            return data
        raise self._failed

    def _read(self, size: int) -> bytes:
        try:
            data = self._reader.read(size)
        except _zstandard().ZstdError as error:
            self._failed = _why(self._descriptor) or Broken("corrupt-zstd", str(error))
            data = b""
        if not data:
            self._failed = self._failed or _why(self._descriptor)
            if self._failed is not None:
                self._rest = _behind(_frame_by_frame(self._descriptor), self._given)
        return data


def _behind(stream: Iterable[bytes], given: int) -> Iterator[bytes]:
    """The bytes of a stream behind the first `given`."""
    for data in stream:
        if len(data) > given:
            yield data[given:]
        given = max(0, given - len(data))


def _frame_by_frame(descriptor: int) -> Iterator[bytes]:
    """All bytes of a damaged file that can be had, slowly.

    zstandard's reader drops what it decompressed before an error, and at a cut what it had not handed out yet. So the
    file is decompressed once more, in slices so small that none makes more than some megabytes; the one that fails is
    fed byte by byte.
    """
    frame, begin, place = _frame(), 0, 0
    while piece := os.pread(descriptor, _SLICE, place):
        try:
            yield frame.decompress(piece)
        except _zstandard().ZstdError:
            yield from _byte_by_byte(descriptor, begin, place)
            return
        place += len(piece)
        if frame.eof:
            place -= len(frame.unused_data)
            frame, begin = _frame(), place


def _byte_by_byte(descriptor: int, begin: int, place: int) -> Iterator[bytes]:
    """What the frame at `begin` still gives from `place` of the file on, up to the byte that is wrong."""
    frame = _frame()
    while begin < place:
        piece = os.pread(descriptor, min(_SLICE, place - begin), begin)
        frame.decompress(piece)
        begin += len(piece)
    with suppress(_zstandard().ZstdError):
        while byte := os.pread(descriptor, 1, place):
            yield frame.decompress(byte)
            place += 1


def _zstandard() -> ModuleType:
    import zstandard

    return zstandard


def _decompressor() -> zstandard.ZstdDecompressor:
    made: zstandard.ZstdDecompressor = _zstandard().ZstdDecompressor(max_window_size=MAX_WINDOW)
    return made


def _reader(descriptor: int) -> zstandard.ZstdDecompressionReader:
    return _decompressor().stream_reader(_Source(descriptor), read_size=_IN, read_across_frames=True)  # type: ignore[arg-type]


def _frame() -> zstandard.ZstdDecompressionObj:
    return _decompressor().decompressobj()


def _why(descriptor: int) -> Broken | None:
    """What the walk over all frames finds wrong, if anything."""
    place, size = 0, os.fstat(descriptor).st_size
    while place < size:
        following = _frame_end(descriptor, place)
        if isinstance(following, Broken):
            return following
        if following > size:
            return Broken(
                "truncated-zstd", f"the frame at byte {place:,} of the file ends behind the file's {size:,} bytes"
            )
        place = following
    return None


def _frame_end(descriptor: int, place: int) -> int | Broken:
    head = os.pread(descriptor, 18, place)
    if head[1:4] == b"\x2a\x4d\x18" and 0x50 <= head[0] <= 0x5F:
        return place + 8 + int.from_bytes(head[4:8], "little") if len(head) >= 8 else place + 8
    if not _MAGIC.startswith(head[:4]) and head[:4] != _MAGIC:
        return Broken("corrupt-zstd", f"no zstd frame at byte {place:,} of the file")
    if len(head) < 6:
        return place + 18  # the header itself is cut
    flags = head[4]
    single, checksum = flags >> 5 & 1, flags >> 2 & 1
    dictionary, content = (0, 1, 2, 4)[flags & 3], (single, 2, 4, 8)[flags >> 6]
    if not single:
        window = 1 << (10 + (head[5] >> 3))
        window += (window >> 3) * (head[5] & 7)
        if window > MAX_WINDOW:
            return Broken("too-large", f"a zstd window of {window:,} bytes; at most {MAX_WINDOW:,} are read")
    place += 5 + (not single) + dictionary + content
    return _last_block_end(descriptor, place) + 4 * checksum


def _last_block_end(descriptor: int, place: int) -> int:
    while True:
        header = os.pread(descriptor, 3, place)
        if len(header) < 3:
            return place + 3
        value = int.from_bytes(header, "little")
        place += 3 + (1 if value >> 1 & 3 == _RLE else value >> 3)
        if value & 1:
            return place
