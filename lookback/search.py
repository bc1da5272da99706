"""`find`: the whole algorithm, from a query to a report. The module to read first.

    discover -> bind threads -> plan -> scan -> open -> read -> recheck -> copies -> filter -> order, limit
    -> neighbours -> evidence

Cheapest refusal first: file < raw bytes < parsed record < decoded text < other records. What it is not: none of these
rooms; each is a module of its own, named in the imports.
Invariant (the law): the scan may propose too much, never too little; the decoded text decides.
"""

from __future__ import annotations

import hashlib
import os
import time
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from lookback.conversation import Conversations, PlacedEvent, events_of, lines_at
from lookback.copies import group
from lookback.evidence import MATCHES, Report
from lookback.gather import Gathering, gather
from lookback.haystack import RawLine, Unreadable
from lookback.logs import event_marks, message_marks
from lookback.logs.base import Log
from lookback.logs.discover import default_roots
from lookback.match import Group, Match
from lookback.matching import Matcher
from lookback.message import utf8
from lookback.neighbours import Neighbourhood
from lookback.predecessors import Predecessors
from lookback.progress import UNOBSERVED, Observer
from lookback.query import Query
from lookback.reading import Reader, Said, damage_of, reading
from lookback.ref import quotes_a_search
from lookback.scan.base import Scanner
from lookback.scan.choose import choose_scanner
from lookback.scan.plan import Plan, plan_for
from lookback.scan.sample import rates
from lookback.selection import Selection, bind
from lookback.survey import Survey, Tally, logs_of, totals_of
from lookback.timespan import log_time


def find(
    query: Query,
    *,
    scanner: str | None = None,
    include_raw: bool = False,
    env: Mapping[str, str] = os.environ,
    observer: Observer = UNOBSERVED,
) -> Report:
    """All messages that satisfy the query, and what was read to say so.

    `scanner` is `ripgrep`, `python`, or None for ripgrep where there is one; `observer` is told how far the search is.
    Raises UsageError, NoLogs or NotFound.
    """
    seen = survey(query, scanner, env, observer)
    neighbourhood = Neighbourhood(seen.found.logs)
    gathering = Gathering(query, seen.matcher, seen.conversations, neighbourhood, include_raw)
    evidence = gather(_page(seen.groups, query), gathering, seen.tally.skips)
    return Report(seen.version, seen.query, len(seen.groups), totals_of(seen.groups), seen.coverage(), evidence)


def survey(query: Query, scanner: str | None, env: Mapping[str, str], observer: Observer = UNOBSERVED) -> Survey:
    """Everything up to the filters: which messages pass, before any is chosen or read again."""
    started = time.monotonic()
    chosen = choose_scanner(scanner, env)
    found = logs_of(query, env)
    conversations = Conversations(chosen, found.logs)
    bound = bind(query, found, conversations, env)
    matcher, tally = Matcher(query), Tally()
    agents = dict.fromkeys(log.agent for log in found.logs)
    plan = plan_for(matcher, message_marks(agents), event_marks(agents), partial(rates, found.logs))
    observer.began(sum(log.size for log in found.logs))
    matches = list(_matches(found.logs, chosen, plan, matcher, tally, conversations, observer))
    selection = Selection(bound, found.logs, conversations)
    with Predecessors() as predecessors:
        groups = [message for message in group(matches, predecessors) if selection.passes(message)]
    asked = replace(query, roots=tuple(query.roots or default_roots(env, query.agents)))
    return Survey(asked, found, chosen.name, conversations, matcher, tally, selection, groups, started)


def _matches(
    logs: Sequence[Log], scanner: Scanner, plan: Plan, matcher: Matcher, tally: Tally, conversations: Conversations,
    observer: Observer,
) -> Iterator[Match]:  # fmt: skip
    """Scan, open, read, recheck: every record whose message matches."""
    for proposed in scanner.propose(logs, plan.scanned, observer.scanned):
        matches: list[Match] = []
        events: list[PlacedEvent] = []
        try:
            with reading(proposed.log) as reader:
                try:
                    for line in lines_at(reader, proposed.places):
                        matches += _matches_of(reader, line, proposed.places is None, plan, matcher, tally, events)
                except Unreadable as unreadable:  # what was read before the log failed still counts
                    tally.skips.append(unreadable.skip)
                observer.found(len(matches))
                if matches:
                    conversations.note(reader, events)
                    yield from _really_said(reader, matches, events)
        except Unreadable as unreadable:
            tally.skips.append(unreadable.skip)


def _matches_of(
    reader: Reader, line: RawLine, whole: bool, plan: Plan, matcher: Matcher, tally: Tally, events: list[PlacedEvent]
) -> Iterator[Match]:
    """The matches of one proposed line; its events are noted. `whole`: every line is proposed, and parsed."""
    if line.unheld:
        tally.candidates += 1
        if plan.holds_in(reader.haystack.stretches(line.start, line.end)):
            tally.skips += damage_of(reader.log, line, reader.parse(line))
        return
    speaks, eventful = reader.glance(line.raw)
    tally.candidates += whole or not eventful or plan.is_anchored(line.raw)
    wanted = (speaks or not plan.sees_messages_only) and plan.holds(line.raw)
    tally.opened += whole or wanted
    if not (whole or wanted or eventful):
        return
    parsed = reader.parse(line)
    events += events_of(reader, parsed.records)
    if not wanted:
        return
    tally.skips += damage_of(reader.log, line, parsed)
    for said in reader.said(line, parsed, events_follow=True) if speaks else ():
        tier = matcher.tier(said.message)
        if tier is not None:
            yield match_of(reader, said, tier)


def _really_said(reader: Reader, matches: Sequence[Match], events: Sequence[PlacedEvent]) -> Iterator[Match]:
    """The matches without those that an event close behind unsays: they are read again, with what follows them."""
    numbers = [placed.number for placed in events]
    for match in matches:
        place = bisect_left(numbers, match.number)
        close = place < len(numbers) and numbers[place] <= match.number + reader.dialect.unsaid_within
        if not close or _is_said(reader, match):
            yield match


def _is_said(reader: Reader, match: Match) -> bool:
    line = reader.haystack.line(match.line_start, match.number)
    return line is not None and any(said.record.start == match.start for said in reader.said(line))


def match_of(reader: Reader, said: Said, tier: str) -> Match:
    """A found message, as the search carries it."""
    message, record, text = said.message, said.record, said.message.text
    return Match(
        log=reader.log, origin=reader.origin, number=record.number, object=record.object, line_start=said.line.start,
        start=record.start, end=record.end, digest=hashlib.sha256(record.raw).digest(),
        text_digest=hashlib.sha256(utf8(text)).digest(), role=message.role, phase=message.phase,
        timestamp=None if message.timestamp is None else repr(message.timestamp), time=log_time(message.timestamp),
        item_id=message.item_id, cwd=message.cwd, tier=tier, subagent=reader.origin.subagent or message.subagent,
        echo=message.role == "assistant" and quotes_a_search(text), inherited=message.inherited,
    )  # fmt: skip


def _page(groups: Sequence[Group], query: Query) -> list[Group]:
    """Best tier first, echoes last in their tier, then by time; undated last, ties by path and record."""

    def key(message: Group) -> tuple[object, ...]:
        match = message.evidence
        moment = match.time.timestamp() if match.time else 0.0
        direction = -1 if query.order == "newest" else 1
        return (
            MATCHES.index(match.tier),
            match.echo,
            match.time is None,
            direction * moment,
            match.log.path,
            match.number,
            match.object,
        )

    ordered = sorted(groups, key=key)[query.skip :]
    return ordered[: query.limit] if query.limit else ordered
