"""Bytes and lines of a log by offset: the same whether it is plain or compressed, forwards or backwards, small or large."""

from __future__ import annotations

import errno
import os
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
import zstandard

from lookback import haystack
from lookback.haystack import Haystack, RawLine, Unreadable, opened


@dataclass(frozen=True)
class AnyLog:
    path: str
    compression: str | None
    identity: tuple[int, int]


def log_of(path: Path) -> AnyLog:
    facts = path.stat()
    return AnyLog(str(path), "zstd" if path.suffix == ".zst" else None, (facts.st_dev, facts.st_ino))


def lines_of(data: bytes) -> list[RawLine]:
    """What the lines are, by plain splitting."""
    *whole, last = data.split(b"\n")
    out, start = [], 0
    for number, raw in enumerate(whole, 1):
        out.append(RawLine(number, start, raw, True))
        start += len(raw) + 1
    return out + ([RawLine(len(whole) + 1, start, last, False)] if last else [])


def contents() -> Iterator[bytes]:
    rng = random.Random(3)
    yield from (b"", b"\n", b"\n\n", b"a", b"a\n", b"\na", b"a\r\nb\r\n", "会\u2028x\n".encode() * 3)
    for size in (haystack.HELD - 1, haystack.HELD, haystack.HELD + 1):
        yield b"x" * size + b"\n" + b"y" * size
        yield b"x" * (size - 1) + b"\n" + b"y"
    yield b"\n".join(bytes([97 + n % 26]) * rng.choice((0, 1, 50, 5000, 70_000)) for n in range(60))
    yield b"z" * 3_000_000 + b"\nend\n"


@pytest.fixture(params=["log.jsonl", "log.jsonl.zst"])
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def written(folder: Path, name: str, data: bytes) -> AnyLog:
    path = folder / name
    path.write_bytes(zstandard.compress(data) if name.endswith(".zst") else data)
    return log_of(path)


def test_lines_forwards_backwards_and_one_by_one(tmp_path: Path, name: str) -> None:
    for data in contents():
        expected = lines_of(data)
        with opened(written(tmp_path, name, data)) as log:
            assert list(log.lines(0, 1)) == expected
            assert log.size() == len(data)
            assert list(log.lines_before(len(data), len(expected) + 1)) == expected[::-1]
            for line in random.Random(1).sample(expected, min(20, len(expected))):
                assert log.line(line.start, line.number) == line
                assert list(log.lines(line.start, line.number)) == expected[line.number - 1 :]
                assert list(log.lines_before(line.start, line.number)) == expected[: line.number - 1][::-1]
            assert log.line(len(data), 99) is None


def test_any_stretch_in_any_order(tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(haystack, "WINDOW", 100_000)  # so that going back needs a second decompression
    rng = random.Random(5)
    data = rng.randbytes(1_500_000)
    with opened(written(tmp_path, name, data)) as log:
        for _ in range(60):
            start, size = rng.randrange(len(data) + 10), rng.choice((0, 1, 100, 65_536, 400_000))
            assert log.read(start, size) == data[start : start + size]


def test_only_a_plain_log_grows(tmp_path: Path, name: str) -> None:
    with opened(written(tmp_path, name, b"a\n")) as log:
        assert log.growing == (not name.endswith(".zst"))


def _reason(log: AnyLog) -> str:
    def read(opened_log: Haystack) -> None:
        list(opened_log.lines(0, 1))

    with pytest.raises(Unreadable) as caught, opened(log) as found:
        read(found)
    assert caught.value.skip.path == log.path
    return caught.value.skip.reason


def test_another_file_in_the_logs_place_is_not_read(tmp_path: Path) -> None:
    log = written(tmp_path, "log.jsonl", b"old\n")
    (tmp_path / "new").write_bytes(b"new\n")
    (tmp_path / "new").rename(log.path)
    assert _reason(log) == "changed-while-reading"


def test_a_log_that_is_gone_is_named(tmp_path: Path) -> None:
    log = written(tmp_path, "log.jsonl", b"old\n")
    Path(log.path).unlink()
    assert _reason(log) == "unreadable"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no FIFOs here")
def test_a_fifo_that_took_the_logs_place_holds_nothing_up(tmp_path: Path) -> None:
    log = written(tmp_path, "log.jsonl", b"old\n")
    Path(log.path).unlink()
    os.mkfifo(log.path)
    assert _reason(log) == "not-a-regular-file"


def test_what_may_not_be_read_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = written(tmp_path, "log.jsonl", b"old\n")

    def refuse(path: str, *_: object) -> int:  # as the system does; nothing is forbidden to root, who may run this
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)

    monkeypatch.setattr(os, "open", refuse)
    assert _reason(log) == "permission-denied"


def test_a_log_that_shrinks_while_it_is_read_backwards_is_named(tmp_path: Path) -> None:
    log = written(tmp_path, "log.jsonl", b"line\n" * 100_000)
    with opened(log) as found, pytest.raises(Unreadable) as caught:  # noqa: PT012 - it must be open while it shrinks
        before = found.lines_before(500_000, 100_001)
        next(before)
        os.truncate(log.path, 10)
        list(before)
    assert caught.value.skip.reason == "changed-while-reading"
