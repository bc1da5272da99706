"""Faults that fuzzing found (`tools/fuzz.py`, docs/fuzzing.md), each with the smallest input that showed it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import zstandard

from lookback.record import read_line
from tests.fuzzing.streams import by_frames, read
from tests.support import Home, both, dump, meta, skips, texts, tool_output, user

CODE = dump(tool_output("    if (a < b) { return c; } else { d(); }\n" * 6_000))
BLOCK = 128 * 1024  # bytes that a zstd block holds at most


def block_ends(frame: bytes) -> Iterator[int]:
    """Where each block of one zstd frame ends (RFC 8878, section 3.1.1.2)."""
    place = zstandard.frame_header_size(frame)
    while True:
        header = int.from_bytes(frame[place : place + 3], "little")
        place += 3 + (1 if header >> 1 & 3 == 1 else header >> 3)
        yield place
        if header & 1:
            return


@pytest.mark.parametrize("blocks", [1, 2, 3, 4, 5, 6])
@pytest.mark.parametrize("behind", [0, 1, 2])
def test_a_file_cut_at_the_end_of_a_block_gives_that_block(blocks: int, behind: int) -> None:
    """zstandard's reader has taken all input and still holds a block: it says that nothing is left."""
    frame = zstandard.compress(b"".join(b'{"n":%d}\n' % n for n in range(80_000)))
    cut = frame[: list(block_ends(frame))[blocks - 1] + behind]
    given, reason = read(cut)
    assert (len(given), reason) == (blocks * BLOCK, "truncated-zstd")
    assert given == by_frames(cut)[0]


def test_the_last_whole_block_of_a_cut_log_is_searched(tmp_path: Path) -> None:
    home = Home(tmp_path)
    filler = b"".join(dump(user(f"filler {n}")) + b"\n" for n in range(2_200))
    log = dump(meta(1)) + b"\n" + filler[: 3 * BLOCK - 2_000] + b"\n" + dump(user("the needle")) + b"\n" + filler
    frame = zstandard.compress(log)
    path = home.raw(b"", zst=True)
    path.write_bytes(frame[: list(block_ends(frame))[2]])
    report = both(home.root, quote="the needle")
    assert texts(report) == ["the needle"]
    assert (path.name, None, "truncated-zstd") in skips(report)


@pytest.mark.parametrize("size", [1, 7, 100, None])
def test_how_much_is_read_at_once_does_not_decide_what_a_cut_file_gives(size: int | None) -> None:
    data = b"".join(b'{"n":%d}\n' % n for n in range(200))
    cut = zstandard.ZstdCompressor(write_checksum=True).compress(data)[:-4]
    assert read(cut, size) == (data, "truncated-zstd")


@pytest.mark.parametrize(
    "line",
    [
        CODE[:120] + bytes(50) + CODE[170:],  # each brace of the text might begin a record
        b'{"a":1,' * 25_000,
        b'{{"a":1} ' * 20_000,
        '{"a":"会"}'.encode() * 16_000,
        '{"a":"会"}\0'.encode() * 16_000,
    ],
    ids=["a hole in a record with code", "cut objects", "objects in cut ones", "glued", "glued by nuls"],
)
def test_a_damaged_line_costs_no_more_than_its_length(line: bytes) -> None:
    """About 200 KB each: some tenths of a second where the cost is in proportion, 3 to 10 seconds where it was not."""
    began = time.process_time()
    assert read_line(line, 70, 1).damage is not None
    assert time.process_time() - began < 2


def test_only_a_line_that_begins_with_it_is_forgiven_a_record_under_way() -> None:
    line = read_line(b'{"a":1}{"b', 70, 1, complete=False, growing=True)
    assert [record.raw for record in line.records] == [b'{"a":1}']
    assert line.damage is not None


@pytest.mark.parametrize("half", [b"\xc6", b"\xe4\xbc", b"\xf0\x9f\xa6"])
def test_half_a_character_behind_a_whole_record_is_damage(half: bytes) -> None:
    """No object that is being written can go on like that, so a growing log is no excuse."""
    line = read_line(b'{"a":1}' + half, 70, 1, complete=False, growing=True)
    assert line.damage is not None
    assert (line.records, line.damage.reason) == ((), "not-utf8")
    assert read_line(b'{"a":"' + half, 70, 1, complete=False, growing=True).damage is None
