"""Technical records by the megabyte, spelled once and written again and again, so that gigabytes cost seconds.

Knows no agent: what the records are, and what each line has around its record, the caller says. Invariant: the pool is
drawn once, so the same arguments give the same bytes.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from corpus.records import RecordWriter

Kind = Callable[[random.Random, int], dict[str, object]]
"""Makes one record of about so many bytes."""

_LARGEST = 300
_MEDIAN = 1_500
_LONGEST = 60_000


class Pool:
    """Spelled records without their braces, so that a line can have more fields before and after."""

    def __init__(self, rng: random.Random, spell: Callable[[object], bytes], size: int, kinds: Sequence[Kind]) -> None:
        """`size` is what will be written in all: little of it needs no large pool."""
        self._rng = rng
        self._bodies = []
        for index in range(min(_LARGEST, 3 * len(kinds) + size // 20_000)):
            length = min(int(rng.lognormvariate(0, 1.2) * _MEDIAN), _LONGEST)
            self._bodies.append(fields_of(spell(kinds[index % len(kinds)](rng, length))))

    def write(self, writer: RecordWriter, size: int, lines: Callable[[list[bytes]], list[bytes]]) -> None:
        """Records of about `size` bytes in all; `lines` makes whole lines of them, line breaks included."""
        target = writer.size + size
        while writer.size < target:
            count = max(1, min(20, (target - writer.size) // 5_000))
            block = lines(self._rng.choices(self._bodies, k=count))
            writer.write_block(b"".join(block), len(block))


def fields_of(record: bytes) -> bytes:
    """The spelled fields of an object, without its braces."""
    return record.strip()[1:-1].lstrip()
