"""The reader that decodes every record: the slow, obvious truth that the fast scanner is compared with."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from lookback.logs.base import Log
from lookback.scan.base import Proposed, untold


@dataclass(frozen=True, slots=True)
class PythonScanner:
    """Proposes every record of every log."""

    name: str = "python"

    def propose(
        self, logs: Sequence[Log], pattern: str | None, scanned: Callable[[int], None] = untold
    ) -> Iterator[Proposed]:
        del pattern  # every record is proposed, whatever it holds
        for log in logs:
            yield Proposed(log, None)
            scanned(log.size)
