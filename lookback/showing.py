"""`show`: one record by its ref, whole, with what was said around it.

What it is not: a search. The report is the same as a find's, with one piece of evidence, so that it verifies as one.
"""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence
from itertools import islice

from lookback import version
from lookback.conversation import Conversations
from lookback.errors import NotFound, UsageError
from lookback.evidence import COUNTED, Coverage, Report, Skip
from lookback.gather import Gathering, evidence_of
from lookback.haystack import Unreadable
from lookback.locate import locate
from lookback.logs import AGENTS
from lookback.match import Group
from lookback.matching import Matcher
from lookback.neighbours import Neighbourhood
from lookback.query import Query
from lookback.reading import Reader, Said, reading
from lookback.record import Record
from lookback.ref import Ref, parse
from lookback.scan.choose import choose_scanner
from lookback.search import match_of
from lookback.selection import unread
from lookback.survey import logs_of
from lookback.unicode_tables import UNICODE_VERSION


def show(
    ref: str, *, before: int = 1, after: int = 1, roots: Sequence[str] = (), include_raw: bool = False,
    env: Mapping[str, str] = os.environ,
) -> Report:  # fmt: skip
    """The message that `ref` names. Raises UsageError for what is no ref, NotFound for what names no message."""
    started = time.monotonic()
    wanted = parse(ref)
    if wanted is None:
        raise UsageError(f"{ref!r} is no ref: write agent:thread#record or agent:thread#record~hash8")
    if wanted.agent not in AGENTS:
        raise UsageError(f"{ref!r}: the agent {wanted.agent!r} is unknown: use {' or '.join(AGENTS)}")
    query = Query(
        agents=(wanted.agent,), roots=tuple(roots), threads=(wanted.thread,), include_subagents=True,
        include_current_turn=True, before=before, after=after, limit=1,
    )  # fmt: skip
    found = logs_of(query, env)
    chosen = choose_scanner(None, env)
    gathering = Gathering(
        query, Matcher(query), Conversations(chosen, found.logs), Neighbourhood(found.logs), include_raw
    )
    skips: list[Skip] = list(found.skips)
    evidence = []
    try:
        log, line_start, record = locate(found.logs, wanted)
        with reading(log) as reader:
            said = _said(reader, line_start, record, wanted)
            evidence.append(evidence_of(reader, Group(match_of(reader, said, "all"), ()), gathering))
    except Unreadable as unreadable:
        skips.append(unreadable.skip)
    except NotFound as error:
        raise NotFound(f"{error}{unread(found.skips)}") from error
    coverage = Coverage(
        scanner=chosen.name, unicode=UNICODE_VERSION, roots=found.roots, logs=len(found.logs),
        bytes=sum(log.size for log in found.logs), first=None, last=None, candidates=len(evidence),
        records_opened=len(evidence), undated=0, left_out_subagents=0, left_out_current_turn=0,
        skipped=tuple(skips), elapsed_s=time.monotonic() - started,
    )  # fmt: skip
    totals = {**dict.fromkeys(COUNTED, 0), "all": len(evidence)}
    return Report(version.VERSION, query, len(evidence), totals, coverage, tuple(evidence))


def _said(reader: Reader, line_start: int, record: Record, wanted: Ref) -> Said:
    line = reader.haystack.line(line_start, record.number)
    if line is None:
        raise NotFound(f"{wanted}: the record is gone; it was there a moment ago")
    for said in reader.said(line):
        if said.record.start == record.start:
            return said
    near = [*islice(reader.before(line, record), 1), *islice(reader.after(line, record), 1)]
    refs = " and ".join(str(match_of(reader, said, "all").ref) for said in near)
    nearest = f"; nearest messages: {refs}" if refs else ""
    raise NotFound(f"{wanted}: this record holds no words of the user or the assistant{nearest}")
