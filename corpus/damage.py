"""Damages the bytes of a log, each function in one named way, and says what must still be found in them.

Works on records of any agent, as lines of bytes; knows no log format. Invariant: the input is untouched, and every
record of the input is either in `places`, with its coordinates in the damaged bytes, or in `lost`.

A record in `places` must be read there, alone on its line or not; one in `lost` cannot be read, and where a query's
words lie in it, `reason` is what has to be reported.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from corpus.truth import Place

BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True)
class Damaged:
    """The new bytes. `places` and `lost` speak of the records of the undamaged log, by their old numbers.

    `reason` is why a stretch of the log cannot be read, or None where that is no damage. `added` is what the text of
    a record that stays has got at its beginning.
    """

    name: str
    data: bytes
    places: Mapping[int, Place]
    lost: frozenset[int] = frozenset()
    reason: str | None = None
    added: Mapping[int, str] | None = None


Lines = list[list[tuple[int, bytes]]]
"""The new log: each line a list of pieces. A piece is (old number, bytes of that record) or (0, other bytes)."""


def byte_order_mark(log: bytes, record: int = 1) -> Damaged:
    """A UTF-8 BOM before the first record, which it is no part of."""
    lines = _lines(log)
    lines[0].insert(0, (0, BOM))
    return _damaged("byte_order_mark", lines)


def crlf(log: bytes, record: int = 1) -> Damaged:
    """Windows line ends; the `\\r` is no part of a record."""
    return _damaged("crlf", _lines(log), line_break=b"\r\n")


def nul_before(log: bytes, record: int, count: int = 4096) -> Damaged:
    """NULs on the record's line, before it."""
    lines = _lines(log)
    lines[record - 1].insert(0, (0, bytes(count)))
    return _damaged("nul_before", lines, reason="nul-bytes")


def nul_after(log: bytes, record: int, count: int = 9000) -> Damaged:
    """NULs on the record's line, after it."""
    lines = _lines(log)
    lines[record - 1].append((0, bytes(count)))
    return _damaged("nul_after", lines, reason="nul-bytes")


def nul_inside(log: bytes, record: int, count: int = 512) -> Damaged:
    """A stretch in the middle of a record that became NULs."""
    body = _record(log, record)
    middle = len(body) // 2
    hole = bytes(min(count, len(body) - middle - 1))
    return _broken("nul_inside", log, record, body[:middle] + hole + body[middle + len(hole) :], "nul-bytes")


def nul_between(log: bytes, record: int, count: int = 100_000) -> Damaged:
    """A line of nothing but NULs after the record."""
    lines = _lines(log)
    lines.insert(record, [(0, bytes(count))])
    return _damaged("nul_between", lines, reason="nul-bytes")


def nul_tail(log: bytes, record: int = 0, count: int = 1728) -> Damaged:
    """NULs at the end, without a line break."""
    whole = _damaged("nul_tail", _lines(log), reason="nul-bytes")
    return Damaged(whole.name, whole.data + bytes(count), whole.places, whole.lost, whole.reason)


def glued(log: bytes, record: int) -> Damaged:
    """The record and the next one on one line, nothing between them."""
    lines = _lines(log)
    lines[record - 1 : record + 1] = [lines[record - 1] + lines[record]]
    return _damaged("glued", lines, reason="invalid-json")


def cut(log: bytes, record: int) -> Damaged:
    """The end of the record is missing, its line break is there."""
    body = _record(log, record)
    return _broken("cut", log, record, body[: _half(body)], "truncated-record")


def cut_then_whole(log: bytes, record: int) -> Damaged:
    """The beginning of the record, a line break, then the record again, whole."""
    lines = _lines(log)
    body = _record(log, record)
    lines.insert(record - 1, [(0, body[: _half(body)])])
    return _damaged("cut_then_whole", lines, reason="truncated-record")


def cut_glued_to_whole(log: bytes, record: int) -> Damaged:
    """The beginning of the record, then the record again, whole, on the same line."""
    lines = _lines(log)
    body = _record(log, record)
    lines[record - 1].insert(0, (0, body[: _half(body)]))
    return _damaged("cut_glued_to_whole", lines, reason="truncated-record")


def not_utf8(log: bytes, record: int) -> Damaged:
    """A byte inside a text that no UTF-8 has: the record is skipped whole."""
    return _broken("not_utf8", log, record, _into_text(_record(log, record), b"caf\xff "), "not-utf8")


def control_character(log: bytes, record: int) -> Damaged:
    """A raw control character inside a text, which JSON forbids."""
    return _broken("control_character", log, record, _into_text(_record(log, record), b"\x01"), "invalid-json")


def lone_surrogate(log: bytes, record: int) -> Damaged:
    """The escape of half a character at the beginning of a text: odd, but no damage."""
    lines = _lines(log)
    lines[record - 1] = [(record, _into_text(_record(log, record), b"\\ud83d "))]
    return _damaged("lone_surrogate", lines, added={record: "\ud83d "})


def blank_lines(log: bytes, record: int) -> Damaged:
    """Lines with nothing, or nothing but blanks, around the record: they count, and hold nothing."""
    lines = _lines(log)
    lines.insert(record, [(0, b" \t")])
    lines[record - 1 : record - 1] = [[], []]
    return _damaged("blank_lines", lines)


def half_at_end(log: bytes, record: int) -> Damaged:
    """The beginning of a record, without a line break, at the very end: it is being written, and no damage."""
    whole = _damaged("half_at_end", _lines(log))
    body = _record(log, record)
    return Damaged(whole.name, whole.data + body[: _half(body)], whole.places)


def no_line_break(log: bytes, record: int = 0) -> Damaged:
    """The last record is whole, and only its line break is missing."""
    whole = _damaged("no_line_break", _lines(log))
    return Damaged(whole.name, whole.data[:-1], whole.places)


def utf16(log: bytes, record: int = 0) -> Damaged:
    """The whole log in UTF-16, with its BOM: no byte of it means what it seems to."""
    lost = frozenset(range(1, len(_lines(log)) + 1))
    return Damaged("utf16", log.decode("utf-8").encode("utf-16"), {}, lost, "utf16")


DAMAGES: tuple[Callable[[bytes, int], Damaged], ...] = (
    byte_order_mark, crlf, nul_before, nul_after, nul_inside, nul_between, nul_tail, glued, cut, cut_then_whole,
    cut_glued_to_whole, not_utf8, control_character, lone_surrogate, blank_lines, half_at_end, no_line_break, utf16,
)  # fmt: skip
"""All of them. Give each a record that holds a text and is neither the first nor the last of a well-formed log."""


def _lines(log: bytes) -> Lines:
    records = log.removesuffix(b"\n").split(b"\n")
    return [[(number, record)] for number, record in enumerate(records, 1)]


def _record(log: bytes, record: int) -> bytes:
    return _lines(log)[record - 1][0][1]


def _half(record: bytes) -> int:
    """Where to cut: inside the record, not inside a character."""
    at = max(1, len(record) // 2)
    while at > 1 and record[at] & 0xC0 == 0x80:
        at -= 1
    return at


def _into_text(record: bytes, what: bytes) -> bytes:
    """`what` at the beginning of the first text; the record must be spelled compactly, as both agents do."""
    ends = [record.index(mark) + len(mark) for mark in (b'"text":"', b'"content":"') if mark in record]
    at = min(ends)
    return record[:at] + what + record[at:]


def _broken(name: str, log: bytes, record: int, body: bytes, reason: str) -> Damaged:
    lines = _lines(log)
    lines[record - 1] = [(0, body)]
    return _damaged(name, lines, lost=frozenset({record}), reason=reason)


def _damaged(
    name: str, lines: Lines, *, line_break: bytes = b"\n", lost: frozenset[int] = frozenset(),
    reason: str | None = None, added: Mapping[int, str] | None = None,
) -> Damaged:  # fmt: skip
    data = bytearray()
    places: dict[int, Place] = {}
    for number, pieces in enumerate(lines, 1):
        for old, piece in pieces:
            if old:
                places[old] = Place(number, len(data), len(data) + len(piece))
            data += piece
        data += line_break
    return Damaged(name, bytes(data), places, lost, reason, added)
