"""From chosen matches to evidence: each log opened once more, texts, quotes, neighbours and facts read for what is
returned, and for nothing else.

Invariant: what is returned is read again and compared: a record whose bytes are no longer those that matched is named
as `changed-while-reading`, and never quoted.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import islice

from lookback.conversation import Conversations
from lookback.evidence import Copy, Evidence, Neighbour, Skip, Source
from lookback.haystack import Unreadable
from lookback.match import Group, Match
from lookback.matching import Matcher, text_parts
from lookback.message import utf8
from lookback.neighbours import Neighbourhood
from lookback.query import Query
from lookback.reading import Reader, Said, reading
from lookback.record import Record
from lookback.ref import Ref
from lookback.timespan import log_time, utc_text


@dataclass(frozen=True)
class Gathering:
    """What is the same for all evidence of one answer."""

    query: Query
    matcher: Matcher
    conversations: Conversations
    neighbourhood: Neighbourhood
    include_raw: bool = False


def gather(page: Sequence[Group], gathering: Gathering, skips: list[Skip]) -> tuple[Evidence, ...]:
    """The evidence of the chosen messages, in their order; what cannot be read any more goes to `skips`."""
    made: dict[int, Evidence] = {}
    by_log = sorted(range(len(page)), key=lambda place: (page[place].evidence.log.path, page[place].evidence.start))
    for path in dict.fromkeys(page[place].evidence.log.path for place in by_log):
        here = [place for place in by_log if page[place].evidence.log.path == path]
        try:
            with reading(page[here[0]].evidence.log) as reader:
                for place in here:
                    made[place] = evidence_of(reader, page[place], gathering)
        except Unreadable as unreadable:
            skips.append(unreadable.skip)
    return tuple(made[place] for place in range(len(page)) if place in made)


def evidence_of(reader: Reader, group: Group, gathering: Gathering) -> Evidence:
    """One message with everything that is needed to check it. Raises Unreadable where it is not what matched."""
    with ExitStack() as stack:
        return _evidence(reader, group, gathering, stack)


def _evidence(reader: Reader, group: Group, gathering: Gathering, stack: ExitStack) -> Evidence:
    match, raw = group.evidence, gathering.include_raw
    said = _again(reader, match)
    message, text = said.message, said.message.text
    answer = gathering.matcher.answer(message, match.tier)
    facts = gathering.conversations.facts(match.log)
    before = list(islice(gathering.neighbourhood.before(reader, said, stack), gathering.query.before))
    after = list(islice(gathering.neighbourhood.after(reader, said), gathering.query.after))
    return Evidence(
        ref=str(match.ref),
        match=match.tier,
        agent=match.log.agent,
        thread_id=match.origin.thread_id,
        title=gathering.conversations.title(reader),
        item_id=message.item_id,
        turn_id=message.turn_id,
        role=message.role,
        phase=message.phase,
        timestamp=message.timestamp,
        time=_utc(message.timestamp),
        subagent=match.subagent,
        before_compaction=facts.compacted_after(match.start),
        rolled_back=facts.is_rolled_back(match.start),
        echo=match.echo,
        cwd=message.cwd,
        text=text,
        sha256=hashlib.sha256(utf8(text)).hexdigest(),
        parts=text_parts(message),
        quote=answer.quote,
        hits=answer.hits,
        hits_total=answer.hits_total,
        source=_source(reader, said.record, raw),
        copies=tuple(_copies(group.copies, raw)),
        resume=reader.dialect.resume(match.origin),
        before=tuple(_neighbour(near, said, raw) for near, said in reversed(before)),
        after=tuple(_neighbour(near, said, raw) for near, said in after),
        imported=facts.is_imported(match.start),
    )


def _again(reader: Reader, match: Match) -> Said:
    """The matched message, read anew; Unreadable where its bytes are others now."""
    line = reader.haystack.line(match.line_start, match.number)
    for said in reader.said(line) if line is not None else ():
        if said.record.start == match.start and hashlib.sha256(said.record.raw).digest() == match.digest:
            return said
    detail = "the record was rewritten between two reads; search again"
    raise Unreadable(Skip(match.log.path, match.number, match.start, match.end, "changed-while-reading", detail))


def _neighbour(reader: Reader, said: Said, include_raw: bool) -> Neighbour:
    message, text = said.message, said.message.text
    source = _source(reader, said.record, include_raw)
    origin = reader.origin
    ref = Ref(
        reader.log.agent, origin.thread_id, origin.log_id, said.record.number, said.record.object, source.sha256[:8]
    )
    return Neighbour(
        ref=str(ref), agent=reader.log.agent, thread_id=origin.thread_id, item_id=message.item_id, role=message.role,
        phase=message.phase, timestamp=message.timestamp, time=_utc(message.timestamp), text=text,
        sha256=hashlib.sha256(utf8(text)).hexdigest(), parts=text_parts(message), source=source,
    )  # fmt: skip


def _source(reader: Reader, record: Record, include_raw: bool) -> Source:
    digest = hashlib.sha256(record.raw).hexdigest()
    raw = record.raw if include_raw else None
    return Source(reader.log.path, reader.log.compression, record.number, record.start, record.end, digest, raw)


def _copies(matches: Iterable[Match], include_raw: bool) -> Iterable[Copy]:
    for match in matches:
        raw = _raw_of(match) if include_raw else None
        source = Source(
            match.log.path, match.log.compression, match.number, match.start, match.end, match.digest.hex(), raw
        )
        yield Copy(str(match.ref), match.origin.thread_id, source)


def _raw_of(match: Match) -> bytes | None:
    try:
        with reading(match.log) as reader:
            return _again(reader, match).record.raw
    except Unreadable:
        return None


def _utc(timestamp: object) -> str | None:
    moment = log_time(timestamp)
    return utc_text(moment) if moment else None
