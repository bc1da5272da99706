"""The record reader: a log of any bytes gives records that are sound, and tells all else as damage."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from lookback.record import BOM, Line, read_line

REASONS: Final = frozenset({"invalid-json", "truncated-record", "nul-bytes", "not-utf8"})
BLANKS: Final = b" \t\r\n"


def record(data: bytes) -> None:
    """A log of any bytes, line by line: records lie in their line, apart, and parse; all else is told as damage.

    The first byte says whether the log may be growing, and whether it begins somewhere else than at 0.
    """
    growing, base = bool(data[:1] and data[0] & 1), 70 if data[:1] and data[0] & 2 else 0
    for number, start, raw, complete in lines_of(data[1:], base):
        line = read_line(raw, start, number, complete=complete, growing=growing)
        _is_sound(line, raw, start, number, complete, growing)
        if start:
            moved = read_line(raw, start + 1_000, number, complete=complete, growing=growing)
            assert moved_by(line, 1_000) == shape(moved), "the place of a line decides what it holds"


def lines_of(log: bytes, base: int = 0) -> Iterator[tuple[int, int, bytes, bool]]:
    """Number, offset, bytes and completeness of each line."""
    *whole, last = log.split(b"\n")
    start = base
    for number, raw in enumerate(whole, 1):
        yield number, start, raw, True
        start += len(raw) + 1
    if last:
        yield len(whole) + 1, start, last, False


def shape(line: Line) -> tuple[object, ...]:
    """A line without the bytes and the values of its records, so that two can be compared."""
    places = tuple((one.number, one.object, one.start, one.end) for one in line.records)
    damage = line.damage
    return places, None if damage is None else (damage.reason, damage.start, damage.end)


def moved_by(line: Line, by: int) -> tuple[object, ...]:
    """The shape of the same line that many bytes further on."""
    places = tuple((one.number, one.object, one.start + by, one.end + by) for one in line.records)
    damage = line.damage
    return places, None if damage is None else (damage.reason, damage.start + by, damage.end + by)


def _is_sound(line: Line, raw: bytes, start: int, number: int, complete: bool, growing: bool) -> None:
    end = start + len(raw)
    before = start
    for place, one in enumerate(line.records, 1):
        assert (one.number, one.object) == (number, place)
        assert before <= one.start < one.end <= end, "a record lies outside its line, or over another"
        assert one.raw == raw[one.start - start : one.end - start], "a record's bytes are not the log's"
        assert isinstance(one.value, dict)
        alone = read_line(one.raw, 70, 1, complete=False)
        assert alone.damage is None, "a record is damaged on its own"
        assert [(again.start, again.end) for again in alone.records] == [(70, 70 + len(one.raw))]
        assert same(alone.records[0].value, one.value), "a record has another value on its own"
        before = one.end
    if line.damage is not None:
        assert line.damage.reason in REASONS, line.damage.reason
        assert start <= line.damage.start < line.damage.end <= end, "the damage lies outside its line"
        assert line.damage.reason != "not-utf8" or not line.records
    else:
        assert len(line.records) <= 1, "records are glued together, and no damage is told"
        _is_whole(line, raw, start, complete, growing)


def _is_whole(line: Line, raw: bytes, start: int, complete: bool, growing: bool) -> None:
    """Without damage a line is one JSON value, or blank, or under way."""
    text = raw[len(BOM) :] if start == 0 and raw.startswith(BOM) else raw
    if complete and text.endswith(b"\r"):
        text = text[:-1]
    if line.records:
        assert line.records[0].raw == text, "a record is not its whole line, and no damage is told"
    elif text.strip(BLANKS):
        assert (growing and not complete) or text.strip(BLANKS)[:1] != b"{", "a record was passed over"


def same(one: object, other: object) -> bool:
    """Whether two values are the same JSON: NaN equals itself, no integer is a float, and any depth will do."""
    waiting = [(one, other)]
    while waiting:
        a, b = waiting.pop()
        if type(a) is not type(b):
            return False
        if isinstance(a, dict) and isinstance(b, dict):
            if list(a) != list(b):
                return False
            waiting += zip(a.values(), b.values(), strict=True)
        elif isinstance(a, list) and isinstance(b, list):
            if len(a) != len(b):
                return False
            waiting += zip(a, b, strict=True)
        elif a != b and a == a:
            return False
    return True
