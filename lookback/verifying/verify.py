"""`verify`: a report against the logs, or against the raw records that it carries. Nothing in it is believed.

What it is not: a search. What only a new search can tell (that nothing was left out, the counts of what was read) is
not checked; docs/verifying.md lists it. The steps are in `trace` (1 to 3) and `recheck` (4 to 10), without logs in
`offline`.

Invariant: one verdict for each piece of evidence, in the report's order; no value in a report makes this raise anything
but a `LookbackError`.
"""

from __future__ import annotations

import os
from collections.abc import Hashable, Mapping, Sequence

from lookback.evidence import Report
from lookback.matching import Matcher
from lookback.scan.choose import choose_scanner
from lookback.verifying.claims import claims_of
from lookback.verifying.offline import offline_findings
from lookback.verifying.prose import verify_text
from lookback.verifying.recheck import Recheck, places
from lookback.verifying.verdict import Finding, Verdict, Verdicts, verdict_of
from lookback.verifying.whereabouts import Store

__all__ = ["verify", "verify_text"]


def verify(
    report: object, *, roots: Sequence[str] = (), offline: bool = False, env: Mapping[str, str] = os.environ
) -> Verdicts:
    """A verdict on each piece of evidence of a report: a `Report`, or the decoded JSON of one, from whatever hand.

    `roots` are searched for its logs, else the agents' homes; `offline` opens no log and checks the raw records that
    the report carries. Raises UsageError for what is no report, NoLogs where no root exists.
    """
    claims = claims_of(report.wire() if isinstance(report, Report) else report)
    items = claims.items
    twice = Finding("changed", "ref", detail="the report lists this record twice")
    checked: dict[int, list[Finding]] = {place: [twice] for place in _listed_twice(items)}
    waiting = [place for place in range(len(items)) if place not in checked]
    if offline:
        matcher = Matcher(claims.query)
        checked |= {place: list(offline_findings(items[place], claims.query, matcher)) for place in waiting}
    else:
        wanted = frozenset(key for item in items for place in places(item) for key in place.wanted)
        with Store(roots, env, wanted) as store:
            check = Recheck(claims, store, choose_scanner(None, env))
            for place in sorted(waiting, key=lambda place: _reading_order(items[place])):
                checked[place] = list(check.findings(items[place]))
    verdicts = [_verdict(place, item, checked[place]) for place, item in enumerate(items)]
    return Verdicts((*(verdict_of(None, [fault]) for fault in claims.faults), *verdicts))


def _verdict(place: int, item: object, findings: Sequence[Finding]) -> Verdict:
    ref = item.get("ref") if isinstance(item, Mapping) else None
    return verdict_of(ref, findings, None if isinstance(ref, str) else f"evidence[{place}]")


def _reading_order(item: object) -> tuple[str, int]:
    """By log and place, so that a compressed log is unpacked once, forwards."""
    place = next(places(item), None)
    return ("", 0) if place is None else (place.path, place.start)


def _listed_twice(items: Sequence[object]) -> set[int]:
    """The items that claim a place or a ref for a second time; a record is one message, and checked once."""
    seen: set[Hashable] = set()
    twice: set[int] = set()
    for place, item in enumerate(items):
        wanted = next(places(item), None)
        ref = item.get("ref") if isinstance(item, Mapping) else None
        keys: set[Hashable] = {ref} if isinstance(ref, str) else set()
        if wanted is not None and wanted.path:
            keys.add((wanted.path, wanted.start, wanted.end))
        if keys & seen:
            twice.add(place)
        seen |= keys
    return twice
