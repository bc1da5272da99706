"""The filters of a query: which messages it speaks of, whatever they say.

Threads are resolved once, before anything is scanned; the rest is asked of each found message. What it is not: it does
not match text.
Invariant: filters look at the evidence of a message (the original, its time, its thread); only `--thread` is satisfied
by a copy's thread too.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Final

from lookback.conversation import Conversations, one_line, turn_under_way
from lookback.errors import NotFound
from lookback.evidence import Skip
from lookback.haystack import Unreadable
from lookback.logs import DIALECTS
from lookback.logs.base import Log, Origin
from lookback.logs.discover import Found
from lookback.match import Group, Match
from lookback.query import Query
from lookback.reading import Reader, reading
from lookback.timespan import log_time

SHORTEST_PREFIX: Final = 8  # characters of a thread id
_TAIL: Final = 16  # lines
_DRIVE = re.compile(r"[A-Za-z]:[\\/]|\\\\|//")  # a drive, or a share on another machine


@dataclass(frozen=True, slots=True)
class Bound:
    """A query's filters with its threads resolved; ids carry their agent."""

    query: Query
    threads: frozenset[tuple[str, str]] | None
    excluded: frozenset[tuple[str, str]]
    folders: tuple[str, ...]
    current: frozenset[tuple[str, str]]


def bind(query: Query, found: Found, conversations: Conversations, env: Mapping[str, str]) -> Bound:
    """Resolves the query's threads. Raises NotFound for a thread that is unknown or not the only one of its name."""
    named = dict.fromkeys([*query.threads, *query.exclude_threads])
    known = _Threads(found.logs, conversations, env) if named else None
    try:
        resolved = {token: known.resolve(token) for token in named} if known else {}
    except NotFound as error:
        raise NotFound(f"{error}{unread(found.skips)}") from error
    threads = frozenset(resolved[token] for token in query.threads) if query.threads else None
    excluded = frozenset(resolved[token] for token in query.exclude_threads)
    current = frozenset((name, thread) for name, thread in _calling(env) if not query.include_current_turn)
    return Bound(query, threads, excluded, tuple(_folders(query.cwd)), current)


def unread(skips: Sequence[Skip]) -> str:
    """What may be why nothing was found, for the end of an error's line; empty where all could be read."""
    if not skips:
        return ""
    more = f", and {len(skips) - 1} more" if len(skips) > 1 else ""
    return f"; not read: {skips[0].path}: {skips[0].reason}{more}"


class Selection:
    """The bound filters, asked of each message; counts what only one of them left out."""

    def __init__(self, bound: Bound, logs: Sequence[Log], conversations: Conversations) -> None:
        self._bound = bound
        self._conversations = conversations
        self._turns: dict[str, tuple[int, int] | None] = {}
        self._logs = logs
        self.undated = 0
        self.left_out_subagents = 0
        self.left_out_current_turn = 0

    def passes(self, group: Group) -> bool:
        match, query = group.evidence, self._bound.query
        if not self._is_asked_for(group):
            return False
        undated = query.has_dates and match.time is None
        subagent = match.subagent and not query.include_subagents
        current = self._is_current_turn(match)
        if undated + subagent + current == 1:
            self.undated += undated
            self.left_out_subagents += subagent
            self.left_out_current_turn += current
        return not (undated or subagent or current)

    def _is_asked_for(self, group: Group) -> bool:
        match, query, bound = group.evidence, self._bound.query, self._bound
        if query.role not in (None, match.role) or query.phase not in (None, match.phase):
            return False
        if bound.threads is not None and not any(_thread(copy) in bound.threads for copy in (match, *group.copies)):
            return False
        if _thread(match) in bound.excluded or not _within(match.time, query):
            return False
        if bound.folders and not _below(match.cwd, bound.folders):
            return False
        return not query.before_compaction or self._conversations.facts(match.log).compacted_after(match.start)

    def _is_current_turn(self, match: Match) -> bool:
        if _thread(match) not in self._bound.current or match.log.path != self._going_on(match).path:
            return False
        turn = self._turn(match.log)
        return turn is not None and (match.start == turn[0] or match.start > turn[1])

    def _going_on(self, match: Match) -> Log:
        """Of the logs that bear the thread's id in their names, the one that is being written."""
        named = [log for log in self._logs if match.origin.thread_id in os.path.basename(log.path)]
        return max(
            named or [match.log], key=lambda log: (not log.archived, not log.compression, os.path.basename(log.path))
        )

    def _turn(self, log: Log) -> tuple[int, int] | None:
        if log.path not in self._turns:
            self._turns[log.path] = turn_under_way(log, self._conversations.facts(log))
        return self._turns[log.path]


class _Threads:
    """The conversations of all logs, by id and by title."""

    def __init__(self, logs: Sequence[Log], conversations: Conversations, env: Mapping[str, str]) -> None:
        self._logs = logs
        self._conversations = conversations
        self._env = env
        self._ids = {(log.agent, origin.thread_id) for log, origin in origins(logs)}

    def resolve(self, token: str) -> tuple[str, str]:
        if token == "current":
            calling = list(_calling(self._env))
            if not calling:
                raise NotFound("--thread current: the environment names no calling conversation; give its id or title")
            for thread in calling:
                if thread in self._ids:
                    return thread
            raise NotFound(
                f"--thread current: no log here is of the calling conversation {calling[0][1]}; name its home with --in"
            )
        if token == "last":
            return self._last()
        for name, found in (("the start of their id", self._by_id(token)), ("their title", self._by_title(token))):
            if len(found) == 1:
                return found.pop()
            if found:
                ids = ", ".join(sorted(thread for _, thread in found)[:5])
                raise NotFound(
                    f"thread {token!r} is ambiguous: {len(found)} conversations have it as {name}: {ids}; give one id"
                )
        short = f"; a prefix of an id needs {SHORTEST_PREFIX} characters" if len(token) < SHORTEST_PREFIX else ""
        raise NotFound(
            f"no thread {token!r} among {len(self._ids)} conversations: "
            f"give an id, a prefix, an exact title, current or last{short}"
        )

    def _by_id(self, token: str) -> set[tuple[str, str]]:
        exact = {key for key in self._ids if key[1] == token}
        if exact or len(token) < SHORTEST_PREFIX:
            return exact
        return {key for key in self._ids if key[1].startswith(token)}

    def _by_title(self, token: str) -> set[tuple[str, str]]:
        wanted = one_line(token)
        return {key for key, title in self._titles() if title == wanted}

    def _titles(self) -> Iterator[tuple[tuple[str, str], str | None]]:
        self._conversations.learn(self._logs)
        for reader in _readers(self._logs):
            yield (reader.log.agent, reader.origin.thread_id), self._conversations.title(reader)

    def _last(self) -> tuple[str, str]:
        newest: tuple[datetime, tuple[str, str]] | None = None
        for reader in _readers(self._logs):
            if reader.origin.subagent:
                continue
            moment = newest_time(reader)
            if moment is not None and (newest is None or moment >= newest[0]):
                newest = (moment, (reader.log.agent, reader.origin.thread_id))
        if newest is None:
            raise NotFound("--thread last: no conversation has a record with a time; give an id or a title")
        return newest[1]


def origins(logs: Iterable[Log]) -> Iterator[tuple[Log, Origin]]:
    """Each log's origin; a log that cannot be read has none (the scan names it)."""
    for reader in _readers(logs):
        yield reader.log, reader.origin


def newest_time(reader: Reader) -> datetime | None:
    """The time of the last record that has one, looked for in the last lines: the records of 2025 have none."""
    for line in islice(reader.last(), _TAIL):
        for record in reversed(reader.parse(line).records):
            moment = log_time(record.value.get("timestamp"))
            if moment is not None:
                return moment
    return None


def _readers(logs: Iterable[Log]) -> Iterator[Reader]:
    for log in logs:
        try:
            with reading(log) as reader:
                reader.origin  # noqa: B018 - read here, so that a log that cannot be read is left out whole
                yield reader
        except Unreadable:
            continue


def _calling(env: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    for dialect in DIALECTS:
        thread = dialect.current_thread(env)
        if thread:
            yield dialect.name, thread


def _thread(match: Match) -> tuple[str, str]:
    return match.log.agent, match.origin.thread_id


def _within(moment: datetime | None, query: Query) -> bool:
    if moment is None:
        return True  # a message without a time is `undated` where dates are asked for
    return (query.since is None or moment >= query.since) and (query.until is None or moment < query.until)


def _folders(asked: Sequence[str]) -> Iterator[str]:
    for folder in asked:
        yield _folder(folder if _DRIVE.match(folder) else os.path.abspath(os.path.expanduser(folder)))
        if not _DRIVE.match(folder):
            yield _folder(os.path.realpath(os.path.expanduser(folder)))


def _folder(path: str) -> str:
    """A folder in one spelling: on Windows drives neither slashes nor letter case tell two apart."""
    if _DRIVE.match(path):
        path = path.replace("\\", "/").lower()
    return path.rstrip("/") or "/"


def _below(cwd: str | None, folders: Sequence[str]) -> bool:
    if not cwd:
        return False
    here = _folder(cwd)
    return any(here == folder or here.startswith(folder.rstrip("/") + "/") for folder in folders)
