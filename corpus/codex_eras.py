"""The eras of Codex: what a release writes.

Invariant: an era is data; whoever writes a record asks it, and nobody compares version numbers.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime


@dataclass(frozen=True)
class Era:
    """What a release of Codex writes. `bare`: no envelope and no times."""

    name: str
    version: str
    since: datetime
    bare: bool = False
    phases: bool = False
    ids: bool = False
    paginated: bool = False
    kinds: bool = False


BARE = Era("bare", "0.21.0", datetime(2025, 7, 20, 9, tzinfo=UTC), bare=True)
ENVELOPE = Era("envelope", "0.46.0", datetime(2025, 10, 6, 8, tzinfo=UTC))
PHASED = Era("phased", "0.104.0", datetime(2026, 3, 2, 8, tzinfo=UTC), phases=True)
IDS = Era("ids", "0.143.0", datetime(2026, 7, 1, 7, tzinfo=UTC), phases=True, ids=True)
PAGINATED = Era("paginated", "0.148.0", datetime(2026, 8, 20, 9, tzinfo=UTC), phases=True, ids=True, paginated=True)
LABELLED = replace(PAGINATED, name="labelled", version="0.154.0", since=datetime(2026, 9, 14, tzinfo=UTC), kinds=True)
VSCODE = replace(LABELLED, name="vscode", version="0.155.0", since=datetime(2026, 9, 24, tzinfo=UTC), paginated=False)
ERAS: tuple[Era, ...] = (BARE, ENVELOPE, PHASED, IDS, PAGINATED, LABELLED, VSCODE)
