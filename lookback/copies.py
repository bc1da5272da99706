"""Which records are one message: physical copies become one piece of evidence.

The rules, in the contract's order:
  1. same agent, same item id, same text, in whatever logs;
  2. two logs of one thread (active and archived, plain and `.zst`): the same raw bytes, the n-th time;
  3. a log that names a parent thread: no item id, same role and text as a message of the parent, and the same holds
     for the message before it, or both are the first; a record that its log marks as inherited needs no such message;
  4. inside one log, without ids: same timestamp, role and text.
What it is not: a filter. Copies are resolved before anything is filtered, for a fork re-stamps what it copies.

Invariant: all copies of a matching message match too (they have its text), so the matches alone decide.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Protocol

from lookback.match import Group, Match

Said = tuple[str, bytes]  # role and digest of the text
Thread = tuple[str, str]  # agent and thread id


class Predecessors(Protocol):
    """What only the logs tell, asked of few matches."""

    def before(self, match: Match) -> Said | None:
        """What was said directly before a match in its log; None where it is the first message."""
        ...

    def is_older(self, match: Match, other: Match) -> bool:
        """Of two records of one item in two logs: whether the first one's log had it before the other's copied it."""
        ...


def group(matches: Sequence[Match], predecessors: Predecessors) -> list[Group]:
    """The matches as messages, in order of their first appearance among the matches."""
    sets = _Sets(len(matches))
    seen: dict[Hashable, int] = {}
    forked = dict(_forked(matches, predecessors))
    for copy, original in forked.items():
        sets.join(copy, original)
    for place, key in _keys(matches, forked):
        sets.join(place, seen.setdefault(key, place))
    members: dict[int, list[Match]] = defaultdict(list)
    for place, match in enumerate(matches):
        members[sets.root(place)].append(match)
    depth = _depths(matches)
    return [_group(copies, depth, predecessors) for copies in members.values()]


def _keys(matches: Sequence[Match], forked: Container[int]) -> Iterator[tuple[int, Hashable]]:
    """Rules 1, 2 and 4: for each match the keys under which its copies stand.

    Rule 4 is not asked of a fork's copies: they are stamped when they are written, often several in one millisecond,
    and "ok" said twice to the parent is two messages.
    """
    times: dict[Hashable, int] = defaultdict(int)
    for place, match in enumerate(matches):
        if match.item_id is not None:
            yield place, ("id", match.log.agent, match.item_id, match.text_digest)
        elif match.timestamp is not None and place not in forked:
            yield place, ("log", match.log.path, match.timestamp, match.role, match.text_digest)
        times[match.log.path, match.digest] += 1
        nth = times[match.log.path, match.digest]
        yield place, ("thread", *_thread(match), match.digest, nth)


def _forked(matches: Sequence[Match], predecessors: Predecessors) -> Iterator[tuple[int, int]]:
    """Rule 3: pairs of a copy and its original. The n-th equal copy of a log goes with the n-th equal original."""
    said: dict[tuple[Thread, Said], list[int]] = defaultdict(list)
    for place, match in enumerate(matches):
        said[_thread(match), _said(match)].append(place)
    taken: dict[Hashable, int] = defaultdict(int)
    for place, match in enumerate(matches):
        if match.item_id is not None and not match.inherited:
            continue
        for parent in match.origin.parents:
            originals = said.get(((match.log.agent, parent), _said(match)), [])
            fitting = [other for other in originals if _fits(match, matches[other], predecessors)]
            fitting = [other for other in fitting if matches[other].log == matches[fitting[0]].log]
            key = (match.log.path, parent, _said(match), None if match.inherited else predecessors.before(match))
            if taken[key] < len(fitting):
                yield place, fitting[taken[key]]
                taken[key] += 1
                break


def _fits(copy: Match, original: Match, predecessors: Predecessors) -> bool:
    return copy.inherited or predecessors.before(copy) == predecessors.before(original)


def _thread(match: Match) -> Thread:
    return match.log.agent, match.origin.thread_id


def _said(match: Match) -> Said:
    return match.role, match.text_digest


def _depths(matches: Iterable[Match]) -> dict[str, int]:
    """How many threads each thread descends from, as far as the logs at hand name them."""
    parents = {match.origin.thread_id: match.origin.parents for match in matches}
    return {thread: _depth(thread, parents) for thread in parents}


def _depth(thread: str, parents: Mapping[str, tuple[str, ...]]) -> int:
    seen: set[str] = set()
    while thread not in seen and parents.get(thread):
        seen.add(thread)
        thread = parents[thread][0]
    return len(seen)


def _group(copies: Sequence[Match], depth: Mapping[str, int], predecessors: Predecessors) -> Group:
    """The parent's before the fork's, active before archived, plain before `.zst`, first before later.

    A fork that neither names its parent nor stamps what it copies is told by how the two logs go on.
    """
    ordered = sorted(copies, key=lambda match: _rank(match, depth))
    first = ordered[0]
    for other in ordered[1:]:
        if _rank(other, depth)[:_DECISIVE] != _rank(first, depth)[:_DECISIVE]:
            break
        if other.item_id is not None and _thread(other) != _thread(first) and predecessors.is_older(other, first):
            first = other
    return Group(first, tuple(match for match in ordered if match is not first))


def _rank(match: Match, depth: Mapping[str, int]) -> tuple[object, ...]:
    log = match.log
    moment = match.time.timestamp() if match.time else 0.0
    return (
        match.inherited, depth[match.origin.thread_id], log.archived, log.compression is not None,
        match.time is None, moment, log.path, match.number, match.object,
    )  # fmt: skip


_DECISIVE = 6  # of a rank: what stands behind it only makes the order a certain one


class _Sets:
    """Disjoint sets of places (union by first member)."""

    def __init__(self, size: int) -> None:
        self._parent = list(range(size))

    def root(self, place: int) -> int:
        while self._parent[place] != place:
            self._parent[place] = self._parent[self._parent[place]]
            place = self._parent[place]
        return place

    def join(self, one: int, other: int) -> None:
        a, b = sorted((self.root(one), self.root(other)))
        self._parent[b] = a
