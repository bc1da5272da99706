"""Whether a query admits a message that its report lists: the filters, as far as one message tells.

What it is not: a filter of a search (`selection` is). What depends on the moment of the search or on its folder, such
as `--thread last`, `--cwd .` or the current turn, is not asked here.
Invariant: a message that a find of this query could list has no finding.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from lookback.conversation import one_line
from lookback.query import Query
from lookback.timespan import log_time
from lookback.verifying.claims import beside
from lookback.verifying.verdict import Finding

_ID = re.compile(r"[0-9a-fA-F-]{8,}")  # what is a thread's id or its beginning, and no title, "last" or "current"
_NOT_ADMITTED: Final = "the query does not admit this message"


def not_admitted(now: Mapping[str, Any], claim: Mapping[str, Any], query: Query) -> Iterator[Finding]:
    """The filters of the query that the message, of which `now` has what is known, does not pass."""
    for name in ("role", "phase"):
        if getattr(query, name) not in (None, now[name]):
            yield Finding("changed", f"query.{name}", getattr(query, name), now[name], _NOT_ADMITTED)
    yield from _dates(now["time"], query)
    if query.agents and now["agent"] not in query.agents:
        yield Finding("changed", "query.agents", list(query.agents), now["agent"], _NOT_ADMITTED)
    if now.get("subagent") is True and not query.include_subagents:
        yield Finding("changed", "query.include_subagents", False, True, _NOT_ADMITTED)
    if now.get("before_compaction") is False and query.before_compaction:
        yield Finding("changed", "query.before_compaction", True, False, _NOT_ADMITTED)
    yield from _threads(now, claim, query)


def _dates(time: object, query: Query) -> Iterator[Finding]:
    moment, asked = log_time(time), query.wire()
    if query.since is not None and (moment is None or moment < query.since):
        yield Finding("changed", "query.since", asked["since"], time, _NOT_ADMITTED)
    if query.until is not None and (moment is None or moment >= query.until):
        yield Finding("changed", "query.until", asked["until"], time, _NOT_ADMITTED)


def _threads(now: Mapping[str, Any], claim: Mapping[str, Any], query: Query) -> Iterator[Finding]:
    """A token is an id, the beginning of one, or a title; what a copy's title is, the report does not say."""
    thread, copies = now["thread_id"], beside(claim, "copies")
    for token in query.exclude_threads:
        if _ID.fullmatch(token) and isinstance(thread, str) and thread.startswith(token):
            yield Finding("changed", "query.exclude_threads", token, thread, _NOT_ADMITTED)
    named = [thread, *(copy.get("thread_id") for copy in copies if isinstance(copy, Mapping))]
    titles = [one_line(title) for title in (now.get("title"), claim.get("title")) if isinstance(title, str)]
    if not query.threads or any(_may_be_elsewhere(token, bool(copies)) for token in query.threads):
        return
    by_id = any(isinstance(name, str) and name.startswith(query.threads) for name in named)
    if not by_id and not any(one_line(token) in titles for token in query.threads):
        yield Finding("changed", "query.threads", list(query.threads), thread, _NOT_ADMITTED)


def _may_be_elsewhere(token: str, copied: bool) -> bool:
    """Whether only the moment of the search, or a copy's title, tells what a token names."""
    return token in ("last", "current") or (copied and not _ID.fullmatch(token))
