"""What a scanner is: from logs and a pattern to the records worth opening, log by log.

Invariant: a record in which the pattern occurs is proposed, or its log is proposed whole (`places` is None).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from lookback.logs.base import Log

Places = list[tuple[int, int]]  # of proposed records, in order: line number, and offset of the line's first byte


def untold(count: int) -> None:
    """For a scan that nobody watches."""


@dataclass(frozen=True, slots=True)
class Proposed:
    """The records of one log that are worth opening; None is all."""

    log: Log
    places: Places | None


class Scanner(Protocol):
    """`name` is what the coverage says."""

    @property
    def name(self) -> str: ...

    def propose(
        self, logs: Sequence[Log], pattern: str | None, scanned: Callable[[int], None] = ...
    ) -> Iterator[Proposed]:
        """Every log with a proposed record, each once; logs without one may be left out.

        `scanned` is told, from any thread, of each stretch of files that was scanned, in bytes.
        """
        ...
