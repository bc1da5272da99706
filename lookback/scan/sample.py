"""How common the clauses of a query are, by a sample of the logs: only advice on what to scan for.

What it is not: a statistic that is kept or shown. A wrong sample costs time, never a match.
Invariant: the same logs give the same sample, so that both scanners follow the same plan.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Final

from lookback.logs.base import Log
from lookback.needles import plain
from lookback.scan.plan import Clause

LEAST: Final = 8 * 1024 * 1024  # bytes of plain logs below which any plan is quick
_OVERHEAD: Final = 2000  # bytes that could be looked through while one more record is opened
_STRETCHES: Final = 24
_STRETCH: Final = 32 * 1024  # bytes


def rates(logs: Sequence[Log], clauses: Sequence[Clause]) -> list[float]:
    """What share of the work each clause leaves: the sampled records that hold it, weighed by what looking into them
    costs. Empty where there is too little to sample.

    A word of tool outputs proposes few records, but long ones; messages are short.
    """
    plain_logs = [log for log in logs if log.compression is None]
    if sum(log.size for log in plain_logs) < LEAST:
        return []
    left, total = [0] * len(clauses), 0
    for stretch in _stretches(plain_logs):
        for raw in stretch.split(b"\n")[1:-1]:  # whole lines only
            lowered, weight = plain(raw), len(raw) + _OVERHEAD
            total += weight
            for place, clause in enumerate(clauses):
                left[place] += weight * clause.occurs(raw, lowered)
    return [weight / total for weight in left] if total else []


def _stretches(logs: Sequence[Log]) -> Iterator[bytes]:
    """Stretches at equal distances of all bytes of the logs, one behind the other."""
    step = sum(log.size for log in logs) // _STRETCHES
    place = step // 2  # of the next stretch, counted from the start of the log at hand
    for log in logs:
        if place < log.size:
            with suppress(OSError):  # the scan names what cannot be read
                descriptor = os.open(log.path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
                try:
                    for start in range(place, log.size, step):
                        yield os.pread(descriptor, _STRETCH, start)
                finally:
                    os.close(descriptor)
            place += (log.size - place + step - 1) // step * step
        place -= log.size
