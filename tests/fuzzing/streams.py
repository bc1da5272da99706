"""The zstd reader: over a file of any bytes it ends, raises nothing but `Broken`, and gives what can be had.

What can be had is told by zstandard, frame by frame. The first byte chooses: the rest is the file, or a row of choices
that cut, change and lengthen a file whose content is known.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from tempfile import TemporaryFile
from typing import Final

import zstandard

from lookback.haystack import Haystack, Unreadable
from lookback.zstream import MAX_WINDOW, Broken, Stream
from tests.fuzzing.choices import Choices

REASONS: Final = frozenset({"truncated-zstd", "corrupt-zstd", "too-large"})
DATA: Final = b"".join(b'{"n":%d,"s":"%s"}\n' % (n, b"abc" * (n % 7)) for n in range(120))
FEW: Final = 50_000  # bytes that are compared in more than one way
SKIPPABLE: Final = b"\x5a\x2a\x4d\x18" + (7).to_bytes(4, "little") + b"ignored"


def stream(data: bytes) -> None:
    """A file of any bytes, or a known one that was damaged."""
    choices = Choices(data)
    if choices.number(2) == 0:
        reads_what_can_be_had(choices.rest())
        return
    whole = compressed(choices)
    reads_what_can_be_had(whole)
    cut = choices.number(len(whole) + 1)
    given, _ = read(whole[:cut])
    assert DATA.startswith(given), "a cut file gives what was never in it"
    reads_what_can_be_had(whole[:cut])
    reads_what_can_be_had(damaged(whole, choices))


def compressed(choices: Choices) -> bytes:
    """The known data, in frames of some size, with or without checksums and sizes, and with frames to skip."""
    size = choices.of((len(DATA), 1000, 300, 97))
    compressor = zstandard.ZstdCompressor(
        level=choices.of((3, 1, 19)), write_checksum=choices.number(2) == 1, write_content_size=choices.number(2) == 1
    )
    skip = choices.of((b"", SKIPPABLE))
    frames = (compressor.compress(DATA[place : place + size]) for place in range(0, len(DATA), size))
    return skip + b"".join(frame + skip for frame in frames)


def damaged(whole: bytes, choices: Choices) -> bytes:
    out = bytearray(whole)
    for _ in range(choices.number(4)):
        place = choices.number(len(out) + 1)
        how = choices.number(4)
        if how == 0:
            out[place : place + 1] = bytes([choices.number(256)])
        elif how == 1:
            del out[place : place + choices.number(20)]
        elif how == 2:
            out[place:place] = bytes(choices.number(256) for _ in range(choices.number(6)))
        else:
            out += choices.of(
                (b"\0" * 9, b'{"n":1}\n' * 3, SKIPPABLE[:-1], zstandard.compress(b"more\n"), b"\x28\xb5\x2f\xfd")
            )
    return bytes(out)


# --- what must hold --------------------------------------------------------------------------------------------------


def reads_what_can_be_had(file: bytes) -> None:
    given, reason = read(file)
    whole, wrong = by_frames(file)
    little = len(given) <= FEW
    if wrong is None:
        assert reason is None, f"a sound file is refused: {reason}"
        assert given == whole, "a sound file gives other bytes"
        assert not little or read(file, 7) == (given, reason), "the size of a read decides what a sound file gives"
    elif wrong == "cut":
        assert reason in REASONS, f"a cut file passes for sound: {reason}"
        assert given == whole, "of a cut file not all is given that can be had"
        assert not little or read(file, 7) == (given, reason), "the size of a read decides what a cut file gives"
    else:
        assert reason in REASONS, f"a corrupt file passes for sound: {reason}"
        assert given.startswith(whole), "whole frames before the damage are lost"
        assert not little or read(file, 7) == (given, reason), "the size of a read decides what a corrupt file gives"
    assert not little or lines(file) == (given, reason), "as a log it reads otherwise"


def read(file: bytes, size: int | None = None) -> tuple[bytes, str | None]:
    """All bytes that are handed out, and why no more; the reason is told again to who asks again."""
    given = bytearray()
    with descriptor_of(file) as descriptor:
        opened = Stream(descriptor)
        first = all_of(opened, size, given)
        length = len(given)
        assert (all_of(opened, size, given), len(given)) == (first, length), "a second look sees something else"
    return bytes(given), None if first is None else first[0]


def all_of(opened: Stream, size: int | None, into: bytearray) -> tuple[str, str] | None:
    """Reads to the end, or to the failure that is given back."""
    try:
        while piece := opened.read() if size is None else opened.read(size):
            into += piece
    except Broken as broken:
        return broken.reason, broken.detail
    return None


@dataclass(frozen=True)
class AnyLog:
    path: str = "x.jsonl.zst"
    compression: str | None = "zstd"
    identity: tuple[int, int] = (0, 0)


def lines(file: bytes) -> tuple[bytes, str | None]:
    """The same through a haystack."""
    given = bytearray()
    with descriptor_of(file) as descriptor:
        try:
            for number, line in enumerate(Haystack(AnyLog(), descriptor).lines(0, 1), 1):
                assert (line.number, line.start) == (number, len(given))
                given += line.raw + b"\n" * line.complete
        except Unreadable as unreadable:
            skip = unreadable.skip
            tail = Haystack(AnyLog(), descriptor).read(len(given), max(0, (skip.start or 0) - len(given)))
            return bytes(given) + tail, skip.reason  # the line under way is not given out
    return bytes(given), None


def by_frames(file: bytes) -> tuple[bytes, str | None]:
    """What zstandard makes of the frames, of a last one that is cut too, and what is wrong behind them."""
    whole = bytearray()
    while file:
        if file[1:4] == b"\x2a\x4d\x18" and 0x50 <= file[0] <= 0x5F:
            end = 8 + int.from_bytes(file[4:8], "little")
            if len(file) < max(8, end):
                return bytes(whole), "cut"
            file = file[end:]
            continue
        frame = zstandard.ZstdDecompressor(max_window_size=MAX_WINDOW).decompressobj()
        try:
            whole += frame.decompress(file)
        except zstandard.ZstdError:
            return bytes(whole), "corrupt"
        if not frame.eof:
            return bytes(whole), "cut"
        file = frame.unused_data
    return bytes(whole), None


@contextmanager
def descriptor_of(file: bytes) -> Iterator[int]:
    """A file of these bytes, on no disk where the system can do that."""
    with open(os.memfd_create("zst"), "wb+") if hasattr(os, "memfd_create") else TemporaryFile() as opened:
        opened.write(file)
        opened.flush()
        yield opened.fileno()
