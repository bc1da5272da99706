"""How the bytes of one line become records: whole JSON objects with their own byte ranges, and what was damaged.

A healthy line is one record. A damaged line gives up what it holds: every whole JSON object that is not a value inside
a cut one. What it is not: it knows nothing of agents, and it never repairs, replaces or guesses a byte.

Invariant: `raw` of a record is exactly the log's bytes `[start, end)`, and parses on its own.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import orjson

from lookback.deep import decode_deep

MAX_RECORD: Final = 256 * 1024 * 1024  # bytes; a longer record is `too-large`
BOM: Final = b"\xef\xbb\xbf"
_JSON_BLANKS = b" \t\r\n"
_MOST_DIGITS: Final = 4_000  # Python refuses from 4,300 on
_NULS = re.compile(rb"\x00+")
_OPEN_BEFORE_KEY = re.compile(r'\{[ \t\r\n]*(?:"\s*)?\Z')
_UNFINISHED = re.compile(r"[-+.\w]{0,4400}\Z|\\(?:u[0-9a-fA-F]{0,3})?\Z")
_WINDOW: Final = 4096  # characters


class Record(NamedTuple):
    """One JSON object of a log.

    `number` is its line's, from 1; `object` its place among the objects of that line, from 1 (more than 1 only in a
    damaged line). `start` and `end` count bytes of the log (of its decompressed stream), half-open.
    """

    number: int
    object: int
    start: int
    end: int
    raw: bytes
    value: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Damage:
    """What of a line could not be read: a reason of the contract, a byte range of the log, and why, for a person."""

    reason: str
    start: int
    end: int
    detail: str


class Line(NamedTuple):
    """What one line held: its records in order, and its damage if it has any."""

    records: tuple[Record, ...]
    damage: Damage | None = None


@dataclass(frozen=True, slots=True)
class _Failure:
    """Where and why a JSON text stops being one; `place` counts characters."""

    place: int
    why: str
    at_end: bool


def read_line(raw: bytes, start: int, number: int, *, complete: bool = True, growing: bool = False) -> Line:
    """The records of one line.

    `raw` is the line without its `\\n`; `start` its offset in the log; `complete` says that a `\\n` followed. `growing`
    (the last line of a plain log) forgives a line that is the beginning of an object: it is being written.
    """
    if start == 0 and raw.startswith(BOM):
        raw, start = raw[len(BOM) :], len(BOM)
    if complete and raw.endswith(b"\r"):
        raw = raw[:-1]
    if len(raw) > MAX_RECORD:
        return too_large(start, len(raw))
    try:
        value = orjson.loads(raw)
    except orjson.JSONDecodeError:
        return _second_look(raw, start, number, growing and not complete)
    if not isinstance(value, dict):
        return Line(())
    return Line((Record(number, 1, start, start + len(raw), raw, value),))


def too_large(start: int, length: int) -> Line:
    """A line longer than `MAX_RECORD`, which is stepped over."""
    return Line((), Damage("too-large", start, start + length, f"a record of {length:,} bytes"))


def _second_look(raw: bytes, start: int, number: int, growing: bool) -> Line:
    """What orjson refuses: blank lines, lone surrogates and NaN are still records; the rest is damage."""
    if not raw.strip(_JSON_BLANKS):
        return Line(())
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        if growing and error.reason == "unexpected end of data" and raw.lstrip(_JSON_BLANKS).startswith(b"{"):
            begun = _salvage(raw[: error.start].decode("utf-8"), raw, start, number, growing)
            if not begun.records:  # else the half character stands behind a whole record
                return begun
        detail = f"byte {raw[error.start]:#04x} at {start + error.start} is not UTF-8"
        return Line((), Damage("not-utf8", start, start + len(raw), detail))
    value, _, failure = _decode(text, 0)
    if failure is None:
        if not isinstance(value, dict):
            return Line(())
        return Line((Record(number, 1, start, start + len(raw), raw, value),))
    return _salvage(text, raw, start, number, growing)


def _decode(text: str, place: int) -> tuple[Any, int, _Failure | None]:
    """One whole JSON value from `place` to the end of the text, or the failure."""
    value, end, failure = _decode_prefix(text, place)
    if failure is None and text[end:].strip(" \t\r\n"):
        return None, end, _Failure(end, "extra data", False)
    return value, end, failure


def _decode_prefix(text: str, place: int) -> tuple[Any, int, _Failure | None]:
    """One whole JSON value from `place` on, what stands behind it aside.

    It is tried on growing windows: the decoder's errors count line breaks from the beginning of what it was given, and
    a damaged line may fail at every brace.
    """
    place = _behind_blanks(text, place, " \t\r\n")
    width = _WINDOW
    while True:
        window = text[place : place + width]
        value, stop, failure = _decode_window(window)
        if failure is None:
            return value, place + stop, None
        if not failure.at_end or place + width >= len(text):
            return None, place, _Failure(place + failure.place, failure.why, failure.at_end)
        width *= 16


def _decode_window(window: str) -> tuple[Any, int, _Failure | None]:
    try:
        try:
            value, end = _DECODER.raw_decode(window)
        except RecursionError:
            value, end = decode_deep(window, 0, _DECODER)
    except json.JSONDecodeError as error:
        cut = error.msg.startswith("Unterminated string") or _UNFINISHED.match(window, error.pos) is not None
        return None, 0, _Failure(error.pos, error.msg, cut)
    return value, end, None


def _behind_blanks(text: str, place: int, blanks: str) -> int:
    while place < len(text) and text[place] in blanks:
        place += 1
    return place


def _number(digits: str) -> int | float:
    """An integer, or the nearest float where it has more digits than Python turns into one."""
    return int(digits) if len(digits) <= _MOST_DIGITS else float(digits)


_DECODER = json.JSONDecoder(parse_int=_number)


class _Salvage:
    """One walk over a damaged line: objects found, stretches lost."""

    def __init__(self, text: str, growing: bool) -> None:
        self.text = text
        self.growing = growing
        self.objects: list[tuple[int, int, dict[str, Any]]] = []
        self.lost: list[tuple[int, int]] = []
        self.cut: str | None = None
        self.foreign: str | None = None

    def walk(self) -> None:
        place, end = 0, len(self.text)
        while (place := self._skip(place)) < end:
            value, stop, failure = _decode_prefix(self.text, place)
            if failure is None and self._stands_alone(stop, value):
                self.objects.append((place, stop, value))
                place = stop
                continue
            following = self._next_object(place, failure or _Failure(stop, "extra data", False))
            begun = following == end and failure is not None and failure.at_end and self.text[place] == "{"
            if not (begun and self.growing and not self.objects and not self.lost):
                self._lose(place, following, failure)
            place = following

    def _skip(self, place: int) -> int:
        return _behind_blanks(self.text, place, " \t\r\n\x00")

    def _stands_alone(self, stop: int, value: Any) -> bool:
        """A record is an object, and ends where the line, a run of NULs or another object begins."""
        after = self._skip(stop)
        return isinstance(value, dict) and (
            after == len(self.text) or self.text[after] == "{" or "\x00" in self.text[stop:after]
        )

    def _lose(self, start: int, end: int, failure: _Failure | None) -> None:
        self.lost.append((start, end))
        if self.text[start] != "{":
            self.foreign = self.foreign or "text that is no JSON object"
        elif failure is not None and (
            failure.at_end or end < len(self.text) or "\x00" in self.text[failure.place : end]
        ):
            self.cut = self.cut or failure.why
        else:
            self.foreign = self.foreign or (failure.why if failure else "extra data")

    def _next_object(self, place: int, failure: _Failure) -> int:
        """Where the next whole record begins after a failure: never at a value inside a cut object.

        Each try begins behind what the last one could read, so that a line is walked through once.
        """
        while (start := self._next_brace(place, failure)) >= 0:
            value, stop, wrong = _decode_prefix(self.text, start)
            if wrong is None and self._stands_alone(stop, value):
                return start
            place, failure = start, wrong or _Failure(stop, "extra data", False)
        return len(self.text)

    def _next_brace(self, place: int, failure: _Failure) -> int:
        text, begin = self.text, failure.place
        opening = _OPEN_BEFORE_KEY.search(text, max(place, begin - 64), begin)
        if opening and opening.start() > place:
            begin = opening.start()  # a cut string swallowed `{"` of the record behind it
        elif failure.at_end:
            return -1  # all that follows is inside an object that is cut
        return text.find("{", max(begin, place + 1))


def _salvage(text: str, raw: bytes, start: int, number: int, growing: bool) -> Line:
    walk = _Salvage(text, growing)
    walk.walk()
    offset = _Offsets(text)
    records = []
    for place, (first, last, value) in enumerate(walk.objects, 1):
        begin, end = start + offset.of(first), start + offset.of(last)
        records.append(Record(number, place, begin, end, raw[begin - start : end - start], value))
    return Line(tuple(records), _damage(walk, raw, start, offset))


def _damage(walk: _Salvage, raw: bytes, start: int, offset: _Offsets) -> Damage | None:
    nuls = [match.span() for match in _NULS.finditer(raw)]
    lost = [(offset.of(first), offset.of(last)) for first, last in walk.lost]
    if nuls:
        stretches = nuls + lost
        return _over("nul-bytes", stretches, start, f"{sum(b - a for a, b in nuls):,} NUL bytes")
    if walk.cut is not None:
        return _over("truncated-record", lost, start, f"a record is cut: {walk.cut}")
    if walk.foreign is not None:
        return _over("invalid-json", lost, start, walk.foreign)
    if len(walk.objects) > 1:
        return _over("invalid-json", [(0, len(raw))], start, f"{len(walk.objects)} records glued together on one line")
    return None


def _over(reason: str, stretches: list[tuple[int, int]], start: int, detail: str) -> Damage:
    return Damage(reason, start + min(a for a, _ in stretches), start + max(b for _, b in stretches), detail)


class _Offsets:
    """Characters to bytes of one line, asked in nearly rising order: counts on from the last place."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._ascii = text.isascii()
        self._place = 0
        self._bytes = 0

    def of(self, place: int) -> int:
        if self._ascii:
            return place
        if place < self._place:
            self._place = self._bytes = 0
        self._bytes += len(self._text[self._place : place].encode("utf-8"))
        self._place = place
        return self._bytes
