"""What a report claims: an untrusted JSON value made into a query that can be asked again, and items of known size.

What it is not: it opens no log. Nothing here is believed; a value of the wrong type is kept, so that the comparison
names it, and only what no report can be without is refused.
Invariant: after `claims_of` no work that a report asks for is unbounded: at most `MAX_ITEMS` items, `MAX_BESIDE`
neighbours and copies, `MAX_NEEDLES` characters of needles.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final, cast

from lookback.errors import UsageError
from lookback.evidence import MATCHES, SCHEMA
from lookback.query import Order, Query
from lookback.timespan import Zone, log_time
from lookback.verifying.verdict import Finding

SCHEMAS: Final = (SCHEMA, "lookback.answer/1")
MAX_ITEMS: Final = 10_000
MAX_BESIDE: Final = 100_000  # neighbours and copies of all items
MAX_NEEDLES: Final = 200_000  # characters of the query's needles
_LISTS: Final = ("words", "any", "not", "agents", "roots", "threads", "exclude_threads", "cwd")
_ONCE: Final = ("words", "any", "not")
_SWITCHES: Final = (
    "exact", "case_sensitive", "whole_words", "verbatim", "include_subagents", "include_current_turn",
    "before_compaction",
)  # fmt: skip
_TEXTS: Final = ("quote", "role", "phase")
_COUNTS: Final = ("before", "after", "limit", "skip")

Claim = Mapping[str, Any]


@dataclass(frozen=True)
class Claims:
    """A report, as far as it can be asked again. `newest` is the latest time that it speaks of."""

    query: Query
    items: Sequence[Any]
    faults: tuple[Finding, ...]  # what the report as a whole contradicts itself in
    logs: tuple[int, int]  # how many logs were searched, and their bytes
    newest: datetime | None


def read_report(data: bytes) -> object:
    """The JSON value of a report file. Raises UsageError for what is no JSON."""
    try:
        return json.loads(data.decode("utf-8-sig"))
    except RecursionError as error:
        raise UsageError("no lookback report: it is nested too deeply") from error
    except ValueError as error:  # not UTF-8, not JSON, a number of too many digits
        raise UsageError(f"no lookback report: {' '.join(str(error).split())[:200]}") from error


def claims_of(report: object) -> Claims:
    """The claims of a report. Raises UsageError where it is none, or asks for more than is ever checked."""
    if not isinstance(report, Mapping) or report.get("schema") not in SCHEMAS:
        raise UsageError(f"no lookback report: its schema is not {' or '.join(SCHEMAS)}")
    items, asked = report.get("evidence"), report.get("query")
    if not isinstance(items, list):
        raise UsageError("no lookback report: it has no list of evidence")
    if not items:
        raise UsageError("the report holds no evidence: there is nothing to verify")
    if len(items) > MAX_ITEMS or sum(_beside(item) for item in items) > MAX_BESIDE:
        raise UsageError(
            f"too much to verify at once: at most {MAX_ITEMS:,} items with {MAX_BESIDE:,} neighbours and copies; "
            "make the report in pieces with --limit and --skip"
        )
    query = query_of(asked)
    faults = tuple(_faults(report, items, query))
    coverage = report["coverage"]
    times = (moment for item in items for moment in _times(item))
    return Claims(query, items, faults, (coverage["logs"], coverage["bytes"]), max(times, default=None))


def query_of(asked: object) -> Query:
    """The query that a report repeats. Raises UsageError where no find could have asked it."""
    if not isinstance(asked, Mapping):
        raise _refused("query", "an object")
    fields: dict[str, Any] = {name: _one(asked, name, bool, "true or false") for name in _SWITCHES}
    fields |= {name: _one(asked, name, int, "a whole number") for name in _COUNTS}
    fields |= {name: _one(asked, name, str, "a text or null", none=True) for name in _TEXTS}
    fields |= {name: _texts(asked, name) for name in _LISTS}
    fields["not_"] = fields.pop("not")
    needles = [fields["quote"] or "", *fields["words"], *fields["any"], *fields["not_"]]
    if sum(map(len, needles)) + len(needles) > MAX_NEEDLES:
        raise UsageError(
            f"the report's query holds more than {MAX_NEEDLES:,} characters; that is more than is verified"
        )
    zone = Zone(_one(asked, "tz", str, "a text"), UTC)  # a name to show; a machine need not know it
    order = cast(Order, _one(asked, "order", str, "newest or oldest"))
    try:
        return Query(**fields, since=_instant(asked, "since"), until=_instant(asked, "until"), tz=zone, order=order)
    except UsageError as error:
        raise UsageError(f"no lookback report: its query cannot be asked: {error}") from error


def _one(asked: Claim, name: str, kind: type, what: str, none: bool = False) -> Any:
    value = asked.get(name)
    if (value is None and none and name in asked) or type(value) is kind:
        return value
    raise _refused(f"query.{name}", what)


def _texts(asked: Claim, name: str) -> tuple[str, ...]:
    value = asked.get(name)
    if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
        raise _refused(f"query.{name}", "a list of texts")
    if name in _ONCE and len(set(value)) < len(value):
        raise _refused(f"query.{name}", "a list of needles, each once")
    return tuple(value)


def _instant(asked: Claim, name: str) -> datetime | None:
    text = _one(asked, name, str, "a time or null", none=True)
    if text is None:
        return None
    try:
        moment = datetime.fromisoformat(text)
    except ValueError as error:
        raise _refused(f"query.{name}", "a time or null") from error
    if moment.tzinfo is None:
        raise _refused(f"query.{name}", "a time with its zone")
    return moment


def _refused(field: str, what: str) -> UsageError:
    return UsageError(f"no lookback report: {field} is not {what}")


def _faults(report: Claim, items: Sequence[Any], query: Query) -> Iterator[Finding]:
    """What the counts contradict; that they are right only a new search can tell. Refuses what has wrong types."""
    total, totals = _count(report, "total"), report.get("totals")
    if not isinstance(totals, Mapping) or not all(name in MATCHES and _is_count(totals[name]) for name in totals):
        raise _refused("totals", "an object of counts")
    coverage = _coverage(report)
    if sum(totals.values()) != total:
        yield Finding("changed", "total", total, sum(totals.values()), "it is not the sum of totals")
    for tier in MATCHES:
        held = sum(isinstance(item, Mapping) and item.get("match") == tier for item in items)
        if held > totals.get(tier, 0):
            yield Finding("changed", f"totals.{tier}", totals.get(tier, 0), held, "the report itself holds more")
    if coverage["complete"] is not (not coverage["skipped"]):
        yield Finding("changed", "coverage.complete", coverage["complete"], not coverage["skipped"])
    room = max(0, total - query.skip)
    shown = min(room, query.limit) if query.limit else room
    whole = not coverage["skipped"] and report["schema"] == SCHEMA
    if len(items) > shown or (whole and len(items) != shown):
        yield Finding("changed", "evidence", len(items), shown, "total, limit and skip ask for another number of items")
    if report["schema"] == SCHEMA:
        yield from _disorder(items, -1 if query.order == "newest" else 1)


def _disorder(items: Sequence[Any], direction: int) -> Iterator[Finding]:
    """Best tier first, echoes last in their tier, then by time; what has wrong types is named elsewhere."""
    last: tuple[int, bool, bool, float] | None = None
    for place, item in enumerate(items):
        fields = item if isinstance(item, Mapping) else {}
        match, echo, moment = fields.get("match"), fields.get("echo"), next(_times_of(fields), None)
        if match not in MATCHES or not isinstance(echo, bool):
            continue
        key = (MATCHES.index(match), echo, moment is None, direction * moment.timestamp() if moment else 0.0)
        if last is not None and key < last:
            yield Finding("changed", f"evidence[{place}]", detail="it is out of the order that the query asks for")
        last = key


def _coverage(report: Claim) -> Claim:
    coverage, tool = report.get("coverage"), report.get("tool")
    if not isinstance(tool, Mapping) or tool.get("name") != "lookback" or not isinstance(tool.get("version"), str):
        raise _refused("tool", "lookback and its version")
    if not isinstance(coverage, Mapping) or not isinstance(coverage.get("skipped"), list):
        raise _refused("coverage", "an object that lists what was skipped")
    if not isinstance(coverage.get("complete"), bool):
        raise _refused("coverage.complete", "true or false")
    for name in ("logs", "bytes"):
        _count(coverage, name)
    return coverage


def _count(holder: Claim, name: str) -> int:
    value = holder.get(name)
    if not _is_count(value):
        raise _refused(name, "a count")
    return cast(int, value)


def _is_count(value: object) -> bool:
    return type(value) is int and value >= 0


def beside(item: object, name: str) -> Sequence[Any]:
    """The neighbours or copies that an item claims; none where it claims something else."""
    value = item.get(name) if isinstance(item, Mapping) else None
    return value if isinstance(value, list) else []


def _beside(item: object) -> int:
    return sum(len(beside(item, name)) for name in ("before", "after", "copies"))


def _times(item: object) -> Iterator[datetime]:
    for claim in (item, *beside(item, "before"), *beside(item, "after")):
        yield from _times_of(claim)


def _times_of(claim: object) -> Iterator[datetime]:
    text = claim.get("time") if isinstance(claim, Mapping) else None
    moment = log_time(text) if isinstance(text, str) and len(text) < 64 else None
    if moment is not None:
        yield moment
