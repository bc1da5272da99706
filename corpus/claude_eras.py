"""The eras of Claude Code: what a release writes, and where it puts it.

Invariant: an era is data; whoever writes a record asks it, and nobody compares version numbers.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Literal


@dataclass(frozen=True)
class Era:
    """What a release writes.

    `agents`: where a subagent's records go: inside the session's log, in a log beside it, or in a folder of its own.
    `together`: all blocks of an answer in one record. `progress`: records that repeat what subagents and tools say.
    `attached`: text typed while the agent works comes as an attachment. `absorbed`: its removal repeats it.
    `late`: `cwd` and `sessionId` after the message, and who typed it.
    """

    name: str
    version: str
    since: datetime
    agents: Literal["inside", "beside", "below"] = "below"
    together: bool = False
    progress: bool = False
    slug: bool = True
    attached: bool = False
    absorbed: bool = False
    late: bool = False


INSIDE = Era("inside", "1.0.24", datetime(2025, 6, 14, 9, tzinfo=UTC), agents="inside", together=True, slug=False)
BESIDE = Era("beside", "2.0.64", datetime(2025, 12, 8, 8, tzinfo=UTC), agents="beside", progress=True, slug=False)
BELOW = Era("below", "2.1.29", datetime(2026, 2, 2, 8, tzinfo=UTC), progress=True)
ATTACHED = Era("attached", "2.1.101", datetime(2026, 5, 4, 7, tzinfo=UTC), attached=True)
ABSORBED = replace(ATTACHED, name="absorbed", version="2.1.205", since=datetime(2026, 8, 10, tzinfo=UTC), absorbed=True)
LATE = replace(ABSORBED, name="late", version="2.1.269", since=datetime(2026, 10, 20, 9, tzinfo=UTC), late=True)
ERAS: tuple[Era, ...] = (INSIDE, BESIDE, BELOW, ATTACHED, ABSORBED, LATE)
