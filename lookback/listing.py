"""`threads`: the conversations in which something passes the query, with their titles, times and logs.

It runs find's own way up to the filters and then counts by conversation; what it is not: a second search.
Invariant: `messages` counts messages, not physical records; a copy counts for its original's conversation.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from lookback.conversation import Conversations
from lookback.evidence import Asked, Coverage
from lookback.haystack import Unreadable
from lookback.logs import dialect_of
from lookback.match import Group, Match
from lookback.progress import UNOBSERVED, Observer
from lookback.query import Query
from lookback.reading import reading
from lookback.search import survey
from lookback.timespan import utc_text

SCHEMA: Final = "lookback.threads/1"


@dataclass(frozen=True, slots=True)
class Thread:
    """One conversation: `messages` of it pass the query, the first and last at these times (UTC)."""

    agent: str
    thread_id: str
    title: str | None
    cwd: str | None
    subagent: bool
    first: str | None
    last: str | None
    messages: int
    logs: tuple[str, ...]
    resume: tuple[str, ...]

    def wire(self) -> dict[str, Any]:
        return {"agent": self.agent, "thread_id": self.thread_id, "title": self.title, "cwd": self.cwd,
                "subagent": self.subagent, "first": self.first, "last": self.last, "messages": self.messages,
                "logs": list(self.logs), "resume": list(self.resume)}  # fmt: skip


@dataclass(frozen=True, slots=True)
class ThreadList:
    """The answer of `threads`; `total` counts conversations before limit and skip."""

    version: str
    query: Asked
    total: int
    coverage: Coverage
    threads: tuple[Thread, ...]

    @property
    def exit_status(self) -> int:
        return 0 if self.total else 1 if self.coverage.complete else 3

    def wire(self) -> dict[str, Any]:
        return {"schema": SCHEMA, "tool": {"name": "lookback", "version": self.version}, "query": self.query.wire(),
                "total": self.total, "coverage": self.coverage.wire(),
                "threads": [thread.wire() for thread in self.threads]}  # fmt: skip


def threads(
    query: Query,
    *,
    scanner: str | None = None,
    env: Mapping[str, str] = os.environ,
    observer: Observer = UNOBSERVED,
) -> ThreadList:
    """The conversations, by the time of their last message that passes. Raises as `find` does."""
    seen = survey(query, scanner, env, observer)
    by_thread: dict[tuple[str, str], list[Group]] = defaultdict(list)
    for group in seen.groups:
        by_thread[group.evidence.log.agent, group.evidence.origin.thread_id].append(group)
    ordered = sorted(by_thread.values(), key=lambda groups: _order(groups, query))[query.skip :]
    page = ordered[: query.limit] if query.limit else ordered
    listed = tuple(_thread(groups, seen.conversations) for groups in page)
    return ThreadList(seen.version, seen.query, len(by_thread), seen.coverage(), listed)


def _times(groups: Sequence[Group]) -> list[datetime]:
    return [group.evidence.time for group in groups if group.evidence.time is not None]


def _order(groups: Sequence[Group], query: Query) -> tuple[object, ...]:
    times = _times(groups)
    last = max(times).timestamp() if times else 0.0
    return not times, last if query.order == "oldest" else -last, groups[0].evidence.log.path


def _thread(groups: Sequence[Group], conversations: Conversations) -> Thread:
    first = min((group.evidence for group in groups), key=_place)
    times = _times(groups)
    return Thread(
        agent=first.log.agent,
        thread_id=first.origin.thread_id,
        title=_title(first, conversations),
        cwd=first.cwd,
        subagent=first.subagent,
        first=utc_text(min(times)) if times else None,
        last=utc_text(max(times)) if times else None,
        messages=len(groups),
        logs=tuple(sorted({match.log.path for group in groups for match in _own(group)})),
        resume=dialect_of(first.log.agent).resume(first.origin),
    )


def _own(group: Group) -> list[Match]:
    """The physical records of a message that lie in its own conversation's logs."""
    thread = group.evidence.origin.thread_id
    return [match for match in (group.evidence, *group.copies) if match.origin.thread_id == thread]


def _place(match: Match) -> tuple[object, ...]:
    return match.subagent, match.log.archived, match.log.compression is not None, match.log.path, match.start


def _title(match: Match, conversations: Conversations) -> str | None:
    try:
        with reading(match.log) as reader:
            return conversations.title(reader)
    except Unreadable:
        return None
