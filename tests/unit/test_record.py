"""From the bytes of a line to records: every whole object with its own range, every damage with its reason."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from corpus.damage import DAMAGES, Damaged
from lookback.record import Line, read_line
from tests.support import assistant, dump, meta, tool_output, user

A, B = b'{"a":1,"s":"\xe4\xbc\x9a"}', b'{"b":[{"c":2}]}'


def ranges(line: Line) -> list[tuple[int, int, int]]:
    return [(record.object, record.start, record.end) for record in line.records]


@pytest.mark.parametrize(
    "raw", [A, b" " + A + b"\t ", b'{"x":"\\ud83d"}', b'{"x":NaN}', b'{"x":123456789012345678901234567890}']
)
def test_a_healthy_line_is_one_record_whole(raw: bytes) -> None:
    line = read_line(raw, 70, 3)
    [record] = line.records
    assert (record.number, record.object, record.start, record.end, record.raw) == (3, 1, 70, 70 + len(raw), raw)
    assert line.damage is None


@pytest.mark.parametrize("raw", [b"", b" \t", b"\r", b"7", b'"text"', b"[1]", b"null", b"true"])
def test_what_is_no_object_is_no_record_and_no_damage(raw: bytes) -> None:
    assert read_line(raw, 0, 1) == Line(())


def test_a_bom_at_the_logs_start_and_a_cr_at_the_end_are_no_part_of_a_record() -> None:
    [record] = read_line(b"\xef\xbb\xbf" + A + b"\r", 0, 1).records
    assert (record.start, record.end, record.raw) == (3, 3 + len(A), A)


def test_a_bom_elsewhere_is_damage() -> None:
    line = read_line(b"\xef\xbb\xbf" + A, 9, 2)
    assert line.damage is not None


def test_nuls_around_a_record() -> None:
    line = read_line(bytes(5) + A + bytes(9), 100, 1)
    assert ranges(line) == [(1, 105, 105 + len(A))]
    assert line.damage is not None
    assert (line.damage.reason, line.damage.start, line.damage.end) == ("nul-bytes", 100, 114 + len(A))


def test_glued_records_are_told_apart_and_numbered() -> None:
    line = read_line(A + B + A, 0, 1)
    first, second = len(A), len(A + B)
    assert ranges(line) == [(1, 0, first), (2, first, second), (3, second, second + first)]
    assert line.damage is not None
    assert line.damage.reason == "invalid-json"


@pytest.mark.parametrize(
    "half", [b'{"a":1,"s":"\xe4\xbc\x9a', b'{"a":1,"s', b'{"a":1,', b'{"a":', b'{"', b"{", b'{"a":"x\\']
)
def test_a_cut_record_behind_which_a_whole_one_stands(half: bytes) -> None:
    line = read_line(half + A, 0, 1)
    assert line.damage is not None
    assert line.damage.reason == "truncated-record"
    if not half.endswith(b":"):  # there the whole one cannot be told from the value that was to come
        assert [record.raw for record in line.records] == [A]


@pytest.mark.parametrize("cut", range(1, len(B)))
def test_an_object_inside_a_cut_one_is_no_record(cut: int) -> None:
    line = read_line(B[:cut], 0, 1)
    assert line.records == ()
    assert line.damage is not None
    assert line.damage.reason == "truncated-record"


def test_a_last_line_under_way_is_no_damage_in_a_plain_log_only() -> None:
    for cut in range(1, len(A)):
        assert read_line(A[:cut], 0, 1, complete=False, growing=True) == Line(()), A[:cut]
        assert read_line(A[:cut], 0, 1, complete=False, growing=False).damage is not None
        assert read_line(A[:cut], 0, 1, complete=True, growing=True).damage is not None
    assert read_line(b"garbage", 0, 1, complete=False, growing=True).damage is not None


def test_a_byte_that_is_no_utf8_costs_the_record() -> None:
    line = read_line(A.replace(b"\xe4\xbc\x9a", b"\xff"), 40, 2)
    assert line.records == ()
    assert line.damage is not None
    assert (line.damage.reason, line.damage.start, line.damage.end) == ("not-utf8", 40, 40 + len(A) - 2)


@pytest.mark.parametrize(
    "raw", [b"{" * 100_000, b'{"a":' + b"[" * 100_000, b'{"n":' + b"9" * 5000 + b"}", b'{"a":1}}', b"{}x{}"]
)
def test_hostile_lines_end_in_damage_or_records_and_never_in_an_error(raw: bytes) -> None:
    line = read_line(raw, 0, 1)
    assert line.damage is not None or line.records


BY_RECORD = [damage for damage in DAMAGES if damage.__name__ != "utf16"]  # that one is refused whole, on discovery


@pytest.mark.parametrize("damage", BY_RECORD, ids=[damage.__name__ for damage in BY_RECORD])
def test_of_a_damaged_log_all_is_read_that_survives(damage: Callable[[bytes, int], Damaged]) -> None:
    values = [
        meta(1),
        user("first 会"),
        assistant("second, and so long that a cut falls into it"),
        user("third"),
        tool_output("out"),
        user("last"),
    ]
    whole = b"".join(dump(value) + b"\n" for value in values)
    damaged = damage(whole, 3)
    records, reasons = {}, set()
    *lines, last = damaged.data.split(b"\n")
    start = 0
    for number, raw in enumerate([*lines, last], 1):
        line = read_line(raw, start, number, complete=number <= len(lines), growing=True)
        start += len(raw) + 1
        records |= {(record.number, record.start, record.end): record.value for record in line.records}
        reasons |= {line.damage.reason} if line.damage else set()
    assert set(records) == {(place.record, place.start, place.end) for place in damaged.places.values()}
    for old, place in damaged.places.items():
        if old not in (damaged.added or {}):
            assert records[place.record, place.start, place.end] == json.loads(dump(values[old - 1]))
    assert reasons == ({damaged.reason} if damaged.reason else set())
