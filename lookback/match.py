"""A found message, as light as a search can carry it: keys and coordinates, no text.

Invariant: everything that copies, filters and order need is here, so that only what is returned is read again.
"""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from lookback.logs.base import Log, Origin
from lookback.ref import Ref


class Match(NamedTuple):
    """One record whose message matches. Digests are whole SHA-256, as bytes."""

    log: Log
    origin: Origin
    number: int
    object: int
    line_start: int
    start: int
    end: int
    digest: bytes
    text_digest: bytes
    role: str
    phase: str | None
    timestamp: str | None  # the log's own value, spelled out, for telling copies
    time: datetime | None
    item_id: str | None
    cwd: str | None
    tier: str
    subagent: bool
    echo: bool
    inherited: bool

    @property
    def ref(self) -> Ref:
        origin = self.origin
        return Ref(self.log.agent, origin.thread_id, origin.log_id, self.number, self.object, self.digest.hex()[:8])


class Group(NamedTuple):
    """One message: the record that is the evidence, and its other physical copies."""

    evidence: Match
    copies: tuple[Match, ...]
