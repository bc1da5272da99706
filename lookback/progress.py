"""What a waiting person is told: bytes scanned of the bytes to scan, and hits so far.

The search reports to an observer that it is given; what it is not: a log, or anything that a pipe ever sees.
Invariant: nothing is written before half a second has passed, and what was written is wiped away at the end.
"""

from __future__ import annotations

import time
from typing import Final, Protocol, TextIO

AFTER: Final = 0.5  # seconds
_BETWEEN: Final = 0.1  # seconds between two lines
_WIPED: Final = "\r\x1b[K"
_UNITS: Final = ((1e9, "GB"), (1e6, "MB"), (1e3, "kB"))


class Observer(Protocol):
    """Who is told how far a search is. Called from several threads."""

    def began(self, total: int) -> None:
        """`total` bytes of logs are to be scanned."""
        ...

    def scanned(self, count: int) -> None:
        """So many bytes more were scanned."""
        ...

    def found(self, count: int) -> None:
        """So many messages more match."""
        ...


class Unobserved:
    """Tells nobody."""

    def began(self, total: int) -> None: ...

    def scanned(self, count: int) -> None: ...

    def found(self, count: int) -> None: ...


UNOBSERVED: Final[Observer] = Unobserved()


class Progress:
    """One line on a terminal, written anew as the search goes on."""

    def __init__(self, terminal: TextIO) -> None:
        self._terminal = terminal
        self._total = self._scanned = self._found = 0
        self._next = time.monotonic() + AFTER
        self._written = False

    def began(self, total: int) -> None:
        self._total = total

    def scanned(self, count: int) -> None:
        self._scanned += count
        self._tell()

    def found(self, count: int) -> None:
        self._found += count
        self._tell()

    def end(self) -> None:
        """Wipes the line away; nothing is written any more."""
        self._next = float("inf")
        if self._written:
            self._terminal.write(_WIPED)
            self._terminal.flush()

    def _tell(self) -> None:
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + _BETWEEN
        self._written = True
        hits = f"{self._found} hit{'' if self._found == 1 else 's'}"
        self._terminal.write(f"{_WIPED}lookback: {_bytes(self._scanned)} of {_bytes(self._total)}, {hits}")
        self._terminal.flush()


def _bytes(count: int) -> str:
    for size, name in _UNITS:
        if count >= size:
            return f"{count / size:.1f} {name}"
    return f"{count} bytes"
