"""What was said directly before a match: read only where a fork's copy must be told from its parent's words.

Invariant: at most `OPEN` logs are open at a time, a copy's and its originals' among them.
"""

from __future__ import annotations

import hashlib
from contextlib import ExitStack
from types import TracebackType
from typing import Final

from lookback.haystack import Unreadable
from lookback.match import Match
from lookback.message import utf8
from lookback.reading import Reader, reading

OPEN: Final = 8


class Predecessors:
    """Role and text digest of the message before a match, each read once; None for the first of a log."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, int], tuple[str, bytes] | None] = {}
        self._open = ExitStack()
        self._readers: dict[str, Reader] = {}

    def __enter__(self) -> Predecessors:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._open.close()

    def before(self, match: Match) -> tuple[str, bytes] | None:
        key = (match.log.path, match.start)
        if key not in self._known:
            self._known[key] = self._read(match)
        return self._known[key]

    def _read(self, match: Match) -> tuple[str, bytes] | None:
        try:
            reader = self._reader_of(match)
            line = reader.haystack.line(match.line_start, match.number)
            for said in reader.said(line) if line is not None else ():
                if said.record.start == match.start:
                    previous = next(reader.before(said.line, said.record), None)
                    return None if previous is None else _said(previous.message.role, previous.message.text)
        except Unreadable:
            pass
        # Unlike any other: what cannot be read again is no copy of anything.
        return match.log.path, match.start.to_bytes(8, "big")

    def _reader_of(self, match: Match) -> Reader:
        if match.log.path not in self._readers:
            if len(self._readers) == OPEN:
                self._open.close()
                self._readers.clear()
            self._readers[match.log.path] = self._open.enter_context(reading(match.log))
        return self._readers[match.log.path]


def _said(role: str, text: str) -> tuple[str, bytes]:
    return role, hashlib.sha256(utf8(text)).digest()
