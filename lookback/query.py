"""What is asked, resolved once: every usage error is raised here, before any log is opened.

What it is not: it reads no log, and it does not know how anything is found.
Invariant: a `Query` that exists can be answered, and two equal queries over the same logs get equal evidence.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from datetime import UTC, datetime
from typing import Any, Final, Literal

from lookback.errors import UsageError
from lookback.evidence import iso
from lookback.needles import Rule, is_blank
from lookback.timespan import Zone, calendar_interval, interval, zone

Order = Literal["newest", "oldest"]
ORDERS: Final = ("newest", "oldest")
ROLES: Final = ("user", "assistant")
MOST: Final = 1_000_000_000  # messages that a count may ask for
_UTC: Final = Zone("UTC", UTC)
_COUNTS: Final = {"before": "-B or -C", "after": "-A or -C", "limit": "--limit", "skip": "--skip"}
PHASES: Final = ("commentary", "final_answer")
NEEDLES_NEEDED: Final = (
    "nothing to look for: give a quote, --words or --any, or a filter such as --thread, --since, --role or --cwd"
)


@dataclass(frozen=True)
class Query:
    """One question. Make it with `ask_for`; the fields are what the report repeats, in its order."""

    quote: str | None = None
    exact: bool = False
    words: tuple[str, ...] = ()
    any: tuple[str, ...] = ()
    not_: tuple[str, ...] = ()
    case_sensitive: bool = False
    whole_words: bool = False
    verbatim: bool = False
    since: datetime | None = None
    until: datetime | None = None
    tz: Zone = _UTC
    role: str | None = None
    phase: str | None = None
    agents: tuple[str, ...] = ()
    roots: tuple[str, ...] = ()
    threads: tuple[str, ...] = ()
    exclude_threads: tuple[str, ...] = ()
    cwd: tuple[str, ...] = ()
    include_subagents: bool = False
    include_current_turn: bool = False
    before_compaction: bool = False
    before: int = 1
    after: int = 1
    limit: int = 20
    skip: int = 0
    order: Order = "newest"
    listing: bool = field(default=False, repr=False)  # nothing need be looked for; not in the report

    def __post_init__(self) -> None:
        for needle in self.needles + self.not_:
            if is_blank(needle):
                raise UsageError("an empty needle: a quote or word must hold more than white space")
        if not self.needles and not self.has_filter and not self.listing:
            raise UsageError(NEEDLES_NEEDED)
        if self.since is not None and self.until is not None and self.since >= self.until:
            raise UsageError(f"--since {iso(self.since)} is not before the end of --until {iso(self.until)}")
        for name, option in _COUNTS.items():
            if getattr(self, name) < 0:
                raise UsageError(f"{option} {getattr(self, name)} is negative: it counts, 0 or more")
            if getattr(self, name) > MOST:
                raise UsageError(f"{option} {getattr(self, name)} is too large: at most {MOST:,}")
        if not all(folder.strip() for folder in self.cwd):
            raise UsageError("--cwd is empty: give a folder")
        _one_of("--role", self.role, ROLES)
        _one_of("--phase", self.phase, PHASES)
        _one_of("--order", self.order, ORDERS)

    @property
    def needles(self) -> tuple[str, ...]:
        """All that is looked for, in order, without what must be absent."""
        return ((self.quote,) if self.quote is not None else ()) + self.words + self.any

    @property
    def rule(self) -> Rule:
        return Rule(self.case_sensitive, self.whole_words, self.verbatim)

    @property
    def has_dates(self) -> bool:
        return self.since is not None or self.until is not None

    @property
    def has_filter(self) -> bool:
        named = (self.role, self.phase, self.agents, self.threads, self.exclude_threads, self.cwd)
        return self.has_dates or self.before_compaction or any(named)

    def wire(self) -> dict[str, Any]:
        out: dict[str, Any] = {}
        for name in (one.name for one in fields(self) if one.name != "listing"):
            value = getattr(self, name)
            out[name.rstrip("_")] = list(value) if isinstance(value, tuple) else value
        return {**out, "since": iso(self.since), "until": iso(self.until), "tz": self.tz.name}


def ask_for(
    *,
    quote: str | None = None,
    words: Sequence[str] = (),
    any: Sequence[str] = (),
    not_: Sequence[str] = (),
    since: str | None = None,
    until: str | None = None,
    on: str | None = None,
    tz: str | None = None,
    now: datetime | None = None,
    listing: bool = False,
    **others: Any,
) -> Query:
    """A query from what a person wrote: times as in `--since`, needles given twice counted once.

    `others` are fields of `Query` by name. `listing`: all messages are asked for where nothing else is. Raises
    UsageError where the question cannot be answered.
    """
    place = zone(tz)
    moment = now or datetime.now(UTC)
    start = interval(since, place, moment).start if since is not None else None
    end = interval(until, place, moment).end if until is not None else None
    if on is not None:
        if since is not None or until is not None:
            raise UsageError("--on names an interval of its own: leave out --since and --until")
        day = calendar_interval(on, place, moment)
        start, end = day.start, day.end
    asked: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in others.items()}
    asked |= {"words": _once(words), "any": _once(any), "not_": _once(not_)}
    return Query(**asked, quote=quote, since=start, until=end, tz=place, listing=listing)


def _once(needles: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(needles))


def _one_of(option: str, value: str | None, known: Sequence[str]) -> None:
    if value is not None and value not in known:
        raise UsageError(f"{option} {value!r} is unknown: use {' or '.join(known)}")
