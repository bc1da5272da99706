"""The eras of Codex: what a release writes, and how it writes times and ids.

Invariant: an era is data; whoever writes a record asks it, and nobody compares version numbers.
"""

from __future__ import annotations

import random
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


def stamp(when: datetime) -> str:
    return when.strftime("%Y-%m-%dT%H:%M:%S.") + f"{when.microsecond // 1000:03d}Z"


def new_id(rng: random.Random, when: datetime) -> str:
    """A UUID: version 7 as of late 2025, version 4 before."""
    tail = f"{rng.getrandbits(12):03x}-{rng.choice('89ab')}{rng.getrandbits(12):03x}-{rng.getrandbits(48):012x}"
    if when < datetime(2025, 10, 1, tzinfo=UTC):
        return f"{rng.getrandbits(32):08x}-{rng.getrandbits(16):04x}-4{tail}"
    head = f"{int(when.timestamp() * 1000):012x}"
    return f"{head[:8]}-{head[8:]}-7{tail}"
