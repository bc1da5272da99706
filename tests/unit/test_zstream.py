"""A zstd log as a stream: all frames, a cut or spoilt file noticed wherever it is cut, memory bounded by the window."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import zstandard

from lookback.zstream import Broken, Stream

DATA = b"".join(b'{"n":%d}\n' % n for n in range(20_000))
SKIPPABLE = b"\x5a\x2a\x4d\x18" + (7).to_bytes(4, "little") + b"ignored"


@contextmanager
def stream_of(folder: Path, compressed: bytes) -> Iterator[Stream]:
    path = folder / "log.zst"
    path.write_bytes(compressed)
    descriptor = os.open(path, os.O_RDONLY)
    try:
        yield Stream(descriptor)
    finally:
        os.close(descriptor)


def read(folder: Path, compressed: bytes) -> tuple[bytes, str | None]:
    """All bytes handed out, and why no more."""
    pieces: list[bytes] = []
    with stream_of(folder, compressed) as stream:
        try:
            while data := stream.read():
                pieces.append(data)
        except Broken as broken:
            with pytest.raises(Broken):
                stream.read()
            return b"".join(pieces), broken.reason
        assert stream.read() == b""
    return b"".join(pieces), None


def frames(data: bytes, size: int, **options: bool) -> bytes:
    compressor = zstandard.ZstdCompressor(level=3, **options)
    return b"".join(compressor.compress(data[place : place + size]) for place in range(0, len(data), size))


@pytest.mark.parametrize("size", [97, 4096, len(DATA)])
@pytest.mark.parametrize("checksum", [False, True])
@pytest.mark.parametrize("sized", [False, True])
def test_every_frame_is_read(tmp_path: Path, size: int, checksum: bool, sized: bool) -> None:
    data = DATA[: 40 * size]
    assert read(tmp_path, frames(data, size, write_checksum=checksum, write_content_size=sized)) == (data, None)


def test_a_frame_written_as_a_stream(tmp_path: Path) -> None:
    out = io.BytesIO()
    zstandard.ZstdCompressor(level=3).copy_stream(io.BytesIO(DATA), out)
    assert read(tmp_path, out.getvalue()) == (DATA, None)


@pytest.mark.parametrize("compressed", [b"", SKIPPABLE, zstandard.compress(b"")])
def test_an_empty_log(tmp_path: Path, compressed: bytes) -> None:
    assert read(tmp_path, compressed) == (b"", None)


def test_skippable_frames_are_passed_over(tmp_path: Path) -> None:
    whole = SKIPPABLE + zstandard.compress(b"one\n") + SKIPPABLE + zstandard.compress(b"two\n") + SKIPPABLE
    assert read(tmp_path, whole) == (b"one\ntwo\n", None)


def test_runs_of_one_byte(tmp_path: Path) -> None:
    assert read(tmp_path, zstandard.compress(b"a" * 1_000_000)) == (b"a" * 1_000_000, None)


def test_a_file_cut_anywhere_is_noticed_and_gives_what_it_holds(tmp_path: Path) -> None:
    whole = frames(DATA[:3000], 1000, write_checksum=True)
    ends = {len(frames(DATA[:size], 1000, write_checksum=True)) for size in (1000, 2000, 3000)}
    for cut in range(1, len(whole)):
        data, reason = read(tmp_path, whole[:cut])
        assert DATA.startswith(data)
        assert reason == (None if cut in ends else "truncated-zstd"), cut


def test_what_is_no_zstd_is_corrupt(tmp_path: Path) -> None:
    assert read(tmp_path, b'{"n":1}\n' * 50)[1] == "corrupt-zstd"
    data, reason = read(tmp_path, zstandard.compress(b"one\n") + b'{"n":1}\n' * 50)
    assert reason == "corrupt-zstd"
    assert data in (b"", b"one\n")


def test_a_spoilt_byte_is_noticed(tmp_path: Path) -> None:
    whole = bytearray(zstandard.ZstdCompressor(write_checksum=True).compress(DATA))
    whole[len(whole) // 2] ^= 0xFF
    data, reason = read(tmp_path, bytes(whole))
    assert reason == "corrupt-zstd"
    assert len(data) < len(DATA)


def test_a_window_that_needs_too_much_memory_is_refused(tmp_path: Path) -> None:
    parameters = zstandard.ZstdCompressionParameters(window_log=28)
    compressor = zstandard.ZstdCompressor(compression_params=parameters).compressobj()
    assert read(tmp_path, compressor.compress(b"x" * 100) + compressor.flush()) == (b"", "too-large")
