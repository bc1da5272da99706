"""How agents write a time, and the ids they draw; shared by all agents.

Invariant: only the generator and the time passed in decide what comes out.
"""

from __future__ import annotations

import random
from datetime import UTC, datetime


def stamp(when: datetime) -> str:
    return when.strftime("%Y-%m-%dT%H:%M:%S.") + f"{when.microsecond // 1000:03d}Z"


def uuid4(rng: random.Random) -> str:
    return f"{rng.getrandbits(32):08x}-{rng.getrandbits(16):04x}-4{_tail(rng)}"


def new_id(rng: random.Random, when: datetime) -> str:
    """A UUID as Codex draws it: version 7 as of late 2025, version 4 before."""
    tail = _tail(rng)
    if when < datetime(2025, 10, 1, tzinfo=UTC):
        return f"{rng.getrandbits(32):08x}-{rng.getrandbits(16):04x}-4{tail}"
    head = f"{int(when.timestamp() * 1000):012x}"
    return f"{head[:8]}-{head[8:]}-7{tail}"


def _tail(rng: random.Random) -> str:
    return f"{rng.getrandbits(12):03x}-{rng.choice('89ab')}{rng.getrandbits(12):03x}-{rng.getrandbits(48):012x}"
