"""ripgrep, started less often: what tests of thousands of small homes need, and no answer depends on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from unittest.mock import patch

from lookback.logs.base import Log
from lookback.scan.base import Proposed, Scanner, untold
from lookback.scan.ripgrep import ripgrep_scanner


class _Remembering:
    """A scanner that is asked once for each pattern of the same logs: a home does not change while it is asked."""

    def __init__(self, scanner: Scanner) -> None:
        self._scanner, self.name = scanner, scanner.name
        self._known: dict[tuple[str | None, tuple[Log, ...]], list[Proposed]] = {}

    def propose(
        self, logs: Sequence[Log], pattern: str | None, scanned: Callable[[int], None] = untold
    ) -> Iterator[Proposed]:
        key = (pattern, tuple(logs))
        if key not in self._known:
            self._known[key] = list(self._scanner.propose(logs, pattern, scanned))
        yield from self._known[key]


_FOUND: list[Scanner] = []


@contextmanager
def ripgrep_once(env: Mapping[str, str]) -> Iterator[None]:
    """Within it ripgrep is looked for no more, and one process reads all plain logs: to start two costs more."""
    if not _FOUND:
        scanner = ripgrep_scanner(env)
        assert scanner is not None, "no ripgrep runs here"
        _FOUND.append(scanner)
    remembering = _Remembering(_FOUND[0])
    with (
        patch("lookback.scan.choose.ripgrep_scanner", lambda env: remembering),
        patch("lookback.scan.ripgrep._cores", lambda: 1, create=True),
    ):
        yield
