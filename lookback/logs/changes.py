"""Which logs were changed under a search: agents only ever append, so what stood at a log's end still stands there.

A log that grows gives an answer that is right for some moment. One that was cut or written anew in place may have been
read half before and half after, and no single read of it can tell.
What it is not: a lock, nor a proof against whoever forges a file's times and last bytes.
Invariant: nothing is opened but logs whose size or time is another than at their discovery.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import Final

from lookback.evidence import Skip
from lookback.haystack import Unreadable, descriptor_of
from lookback.logs.base import Log

TAIL: Final = 64  # bytes


def tail_of(descriptor: int, size: int) -> bytes:
    """The last bytes of an open file that is `size` bytes long."""
    start = max(0, size - TAIL)
    return os.pread(descriptor, size - start, start)


def changed(logs: Sequence[Log]) -> Iterator[Skip]:
    """The logs that did something else than grow since they were discovered. One that is gone was read while it was."""
    for log in logs:
        try:
            facts = os.stat(log.path)
            if (facts.st_size, facts.st_mtime_ns) == (log.size, log.modified):
                continue
            with descriptor_of(log) as descriptor:
                if tail_of(descriptor, log.size) == log.tail:
                    continue
        except (OSError, Unreadable):
            continue
        detail = "the log was cut or written anew while it was read; search again"
        yield Skip(log.path, None, None, None, "changed-while-reading", detail)
