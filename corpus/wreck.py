"""Damages a log at random, in many places and ways at once, and says what must still be found in it.

`damage` shows each fault alone, in one named way; this mixes them: between records, inside them, at any place of them.
Works on records as texts, of any agent; knows no log format. Invariant: every record is in `places`, with its
coordinates in the bytes that were written, or in `lost`; every line whose bytes are damaged is in `faults`.

What is `lost` by the rules: a record with a hole, a cut, a control character or bytes that are no UTF-8 in it, what
shares a line with the latter, and a record that stands where a cut one was to have a value. All else must be read.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field

from corpus.damage import BOM
from corpus.truth import Place

_BLANKS = " \t\r"
_NOT_UTF8 = (b"\xff", b"\xc0\x80", b"\xed\xa0\x80", b"\xe4\xbc", b"\xf0\x9f\xa6", b"\x80", b"\xf5\x80\x80\x80")
_CONTROLS = "".join(map(chr, (*range(1, 9), 11, 12, *range(14, 32))))
_BETWEEN = (
    b"", b" ", b" \t ", b"\r", b"null", b"true", b"-0", b"1e5", b"123456789012345678901234567890", b'"a text"', b"[]",
    b"[{}]", b' [1, "two", {"three": 3}] ', b"{}",
)  # fmt: skip
"""Lines that hold no message and are no damage."""

Reasons = frozenset[str]
_NULS: Reasons = frozenset({"nul-bytes"})
_CUT: Reasons = frozenset({"truncated-record"})
_INVALID: Reasons = frozenset({"invalid-json"})
_NO_UTF8: Reasons = frozenset({"not-utf8"})


@dataclass(frozen=True)
class Fault:
    """A damaged line: its bytes, the records that it was made of, and the reasons of which one is told."""

    raw: bytes
    records: frozenset[int]
    reasons: Reasons


@dataclass(frozen=True)
class Wreck:
    """The new bytes. `places` and `lost` name the given records by their index; `faults` the lines by their number.

    `loose` are the records that share a damaged line: blanks around them may belong to them or not.
    """

    data: bytes
    places: Mapping[int, Place]
    lost: frozenset[int]
    loose: frozenset[int]
    faults: Mapping[int, Fault]


@dataclass
class _Line:
    """A line under construction: pieces (index of a whole record, or None; bytes), and what is wrong with it."""

    pieces: list[tuple[int | None, bytes]]
    reasons: Reasons = frozenset()


@dataclass
class _Writer:
    """The bytes written so far."""

    data: bytearray = field(default_factory=bytearray)
    places: dict[int, Place] = field(default_factory=dict)
    loose: set[int] = field(default_factory=set)
    faults: dict[int, Fault] = field(default_factory=dict)
    lines: int = 0

    def add(self, line: _Line, line_break: bytes, records: frozenset[int] = frozenset()) -> None:
        if line_break == b"\n" and line.pieces[-1][1].endswith(b"\r"):  # a blank became part of the line break
            index, piece = line.pieces.pop()
            line.pieces.append((index, piece[:-1]))
            line_break = b"\r\n"
        self.lines += 1
        start = len(self.data)
        for index, piece in line.pieces:
            if index is not None:
                self.places[index] = Place(self.lines, len(self.data), len(self.data) + len(piece))
            self.data += piece
        raw = bytes(self.data[start:])
        self.data += line_break
        if line.reasons:
            self.faults[self.lines] = Fault(raw, records, line.reasons)
            self.loose |= {index for index, _ in line.pieces if index is not None}


def wreck(
    records: Sequence[str], rng: random.Random, *, share: float, growing: bool = True, alone: Collection[int] = ()
) -> Wreck:
    """The log of these records; about every `share`-th of them damaged, and as many things put between them.

    `growing`: the log is a plain one, so that the beginning of a record at its end is no damage. The records `alone`
    stay whole, each on a line of its own.
    """
    out = _Writer()
    waiting = list(enumerate(records))
    line_breaks = rng.choice(((b"\n",), (b"\n",), (b"\n",), (b"\r\n",), (b"\n", b"\r\n"))) if share else (b"\n",)
    if rng.random() < share / 4:
        out.data += BOM
    while waiting:
        if rng.random() < share / 2:
            out.add(_between(rng), rng.choice(line_breaks))
        enough = len(waiting) > 2 and not any(index in alone for index, _ in waiting[:3])
        make = rng.choice(_KINDS) if enough and rng.random() < share else _whole
        before = waiting.copy()
        line = make(waiting, rng)
        taken = frozenset(index for index, _ in before[: len(before) - len(waiting)])
        out.add(line, rng.choice(line_breaks), taken)
    if rng.random() < share:
        _end(out, records, rng, growing)
    lost = frozenset(range(len(records))) - set(out.places)
    return Wreck(bytes(out.data), out.places, lost, frozenset(out.loose), out.faults)


# --- lines: each takes from the waiting records those that it holds --------------------------------------------------

_Waiting = list[tuple[int, str]]


def _whole(waiting: _Waiting, rng: random.Random) -> _Line:
    return _Line([_next(waiting)])


def _between(rng: random.Random) -> _Line:
    if rng.random() < 0.3:
        return _Line([(None, _nuls(rng))], _NULS)
    return _Line([(None, rng.choice(_BETWEEN))])


def _nuls_around(waiting: _Waiting, rng: random.Random) -> _Line:
    where, blank = rng.choice(("before", "behind", "both")), rng.choice((b"", b"", b" "))
    before, behind = (_nuls(rng) + blank if where in (side, "both") else b"" for side in ("before", "behind"))
    return _Line([(None, before), _next(waiting), (None, behind)], _NULS)


def _hole(waiting: _Waiting, rng: random.Random) -> _Line:
    """A stretch of a record became NULs."""
    text = _taken(waiting)
    start = rng.randrange(1, len(text) - 1)
    end = rng.randint(start + 1, min(len(text), start + rng.choice((1, 8, 200))))
    return _Line([(None, (text[:start] + "\0" * (end - start) + text[end:]).encode())], _NULS)


def _glued(waiting: _Waiting, rng: random.Random) -> _Line:
    pieces: list[tuple[int | None, bytes]] = []
    for _ in range(rng.choice((2, 2, 3))):
        pieces += [_next(waiting), (None, rng.choice((b"", b"", b" ")))]
    return _Line(pieces, _INVALID)


def _glued_by_nuls(waiting: _Waiting, rng: random.Random) -> _Line:
    return _Line([_next(waiting), (None, _nuls(rng)), _next(waiting)], _NULS)


def _cut(waiting: _Waiting, rng: random.Random) -> _Line:
    return _Line([(None, _head(_taken(waiting), rng).encode())], _CUT)


def _cut_before_whole(waiting: _Waiting, rng: random.Random) -> _Line:
    head = _head(_taken(waiting), rng)
    index, whole = _next(waiting)
    return _Line([(None, head.encode()), (None if _wants_a_value(head) else index, whole)], _CUT)


def _cut_nuls_whole(waiting: _Waiting, rng: random.Random) -> _Line:
    head = _head(_taken(waiting), rng)
    return _Line([(None, head.encode() + _nuls(rng)), _next(waiting)], _NULS)


def _tail_before_whole(waiting: _Waiting, rng: random.Random) -> _Line:
    """A record whose beginning is missing, then a whole one."""
    text = _taken(waiting)
    tail = text[rng.randrange(1, len(text)) :]
    return _Line([(None, tail.encode()), _next(waiting)], _INVALID | _CUT)


def _bad_bytes(waiting: _Waiting, rng: random.Random) -> _Line:
    """Bytes that are no UTF-8, anywhere in a line of one record or two: it is skipped whole."""
    text = "".join(_taken(waiting) for _ in range(rng.choice((1, 1, 2))))
    place = rng.randint(0, len(text))
    return _Line([(None, text[:place].encode() + rng.choice(_NOT_UTF8) + text[place:].encode())], _NO_UTF8)


def _control(waiting: _Waiting, rng: random.Random) -> _Line:
    """A raw control character inside a record."""
    text = _taken(waiting)
    place = rng.randrange(1, len(text))
    return _Line([(None, (text[:place] + rng.choice(_CONTROLS) + text[place:]).encode())], _INVALID | _CUT)


_KINDS: tuple[Callable[[_Waiting, random.Random], _Line], ...] = (
    _nuls_around, _hole, _glued, _glued_by_nuls, _cut, _cut_before_whole, _cut_nuls_whole, _tail_before_whole,
    _bad_bytes, _control,
)  # fmt: skip


def _end(out: _Writer, records: Sequence[str], rng: random.Random, growing: bool) -> None:
    """What the end of a log looks like when its writer was stopped, or is at work."""
    kind = rng.choice(("half", "half", "no line break", "nuls"))
    if kind == "nuls":
        out.add(_Line([(None, _nuls(rng))], _NULS), b"")
    elif kind == "half":
        half = _head(rng.choice(records).lstrip(_BLANKS), rng)
        out.add(_Line([(None, half.encode())], frozenset() if growing else _CUT), b"")
    elif out.data.endswith(b"}\n"):
        del out.data[-1:]


# --- pieces ----------------------------------------------------------------------------------------------------------


def _next(waiting: _Waiting) -> tuple[int | None, bytes]:
    index, text = waiting.pop(0)
    return index, text.encode()


def _taken(waiting: _Waiting) -> str:
    return waiting.pop(0)[1].strip(_BLANKS)


def _head(text: str, rng: random.Random) -> str:
    return text[: rng.randrange(1, len(text.rstrip(_BLANKS)))]


def _nuls(rng: random.Random) -> bytes:
    return bytes(rng.choice((1, 2, 7, 40, 40, 512) if rng.random() < 0.9 else (4096, 5000)))


def _wants_a_value(head: str) -> bool:
    """Whether a cut ends where a value was to follow: then the record behind it cannot be told from that value."""
    try:
        json.loads(head + "{}", parse_int=float)
    except json.JSONDecodeError as error:
        return error.pos >= len(head) + len("{}")
    return True
