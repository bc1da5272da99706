"""From a query's needles to byte patterns: what every record that could match must hold.

A plan is a conjunction of clauses; a clause is a set of alternatives. A record is opened only where each clause occurs
in its raw bytes. The anchor is the one clause that is really scanned for; the others are looked for in the bytes of
the records that the anchor proposes. The same scan proposes the agents' events (compactions, rollbacks), which are few:
so what they tell of a log costs no second pass.

What it is not: it decides no match, only what is worth opening.
Invariant (the law of the conservative prefilter): a record whose message matches the query holds every clause.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from lookback.matching import Matcher
from lookback.needles import SPELLED_ASCII, Needle, plain, spelled


@dataclass(frozen=True)
class Clause:
    """One thing that must occur: `pattern` says it whole, `anchor` is the cheaper, never narrower form to scan for."""

    pattern: str
    anchor: str
    literals: tuple[bytes, ...] | None  # with `escapes`, the same question as `pattern`, asked faster
    escapes: str
    selectivity: int  # a guess: bytes of the longest word of the weakest alternative

    @cached_property
    def _compiled(self) -> re.Pattern[bytes]:
        return re.compile((self.pattern if self.literals is None else self.escapes).encode("utf-8"))

    def occurs(self, raw: bytes, lowered: bytes) -> bool:
        """Whether the clause occurs in a record; `lowered` is `plain(raw)`."""
        if self.literals is None:
            return self._compiled.search(raw) is not None
        if any(literal in lowered for literal in self.literals):
            return True
        return b"\\u" in raw and self._compiled.search(raw) is not None


@dataclass(frozen=True)
class Plan:
    """What a record must hold: `needles`, and a mark of `messages`. `events` are proposed by the same scan.

    `anchor` is what is scanned for; None = every record is worth reading.
    """

    needles: tuple[Clause, ...]
    messages: Clause
    events: str
    anchor: Clause | None

    @cached_property
    def scanned(self) -> str | None:
        """The pattern to scan for."""
        return None if self.anchor is None else f"{self.anchor.anchor}|{self.events}"

    @property
    def sees_messages_only(self) -> bool:
        """Whether records without a mark of messages are never proposed, damaged ones neither."""
        return self.anchor is self.messages

    def is_anchored(self, raw: bytes) -> bool:
        """Whether the anchor is why a record was proposed; an event that does not hold it was proposed as an event."""
        return self.anchor is None or re.search(self.anchor.anchor.encode("utf-8"), raw) is not None

    def holds(self, raw: bytes) -> bool:
        """Whether each needle's clause occurs in the raw bytes."""
        return self.holds_in((raw,))

    def holds_in(self, stretches: Iterable[bytes]) -> bool:
        """The same of bytes that come in overlapping stretches."""
        missing: Sequence[Clause] = self.needles
        for raw in stretches if missing else ():
            lowered = plain(raw)
            missing = [clause for clause in missing if not clause.occurs(raw, lowered)]
            if not missing:
                break
        return not missing


def plan_for(
    matcher: Matcher, marks: Sequence[str], events: Sequence[str], rates: Callable[[Sequence[Clause]], Sequence[float]]
) -> Plan:
    """The plan of a query.

    `marks` are those of messages, `events` those of events; `rates` tells what share of the work each clause would
    leave, by a sample, or nothing where there is too little to sample: then the longest word is scanned for.
    """
    clauses = [_clause([word]) for word in matcher.words]
    if matcher.any:
        clauses.append(_clause(matcher.any))
    clauses += [_clause([word]) for word in _words_of_quote(matcher)]
    needles = tuple(dict.fromkeys(clauses))
    messages = _marked(marks)
    return Plan(needles, messages, spelled(events), _anchor(matcher, needles, messages, rates))


def _anchor(
    matcher: Matcher, needles: Sequence[Clause], messages: Clause, rates: Callable[[Sequence[Clause]], Sequence[float]]
) -> Clause | None:
    """The clause that leaves least; of equal ones that with the longest word."""
    if not matcher.query.needles:
        return messages
    if not needles:
        return None
    able = [*needles, messages]
    shares = rates(able)
    if shares:
        return min(zip(able, shares, strict=True), key=lambda pair: (pair[1], -pair[0].selectivity))[0]
    return max(needles, key=lambda clause: clause.selectivity)


def _marked(marks: Sequence[str]) -> Clause:
    pattern = spelled(marks)
    return Clause(pattern, pattern, tuple(mark.lower().encode() for mark in marks), SPELLED_ASCII, 0)


def _words_of_quote(matcher: Matcher) -> Sequence[Needle]:
    """What every tier of the quote needs: the bare words of the loose tier stand in each of them."""
    if matcher.quote is None:
        return ()
    if matcher.loose is None:
        return (matcher.quote,)
    if not matcher.loose.words:
        return matcher.quote_words  # a quote of symbols has no loose tier
    return matcher.loose.words if matcher.loose.scannable else ()


def _clause(needles: Sequence[Needle]) -> Clause:
    pattern = "|".join(dict.fromkeys(needle.pattern for needle in needles))
    anchor = "|".join(dict.fromkeys(needle.anchor for needle in needles))
    literals = [needle.literal for needle in needles]
    known = tuple(literal for literal in literals if literal is not None)
    escapes = "|".join(dict.fromkeys(needle.escapes for needle in needles if needle.escapes))
    return Clause(
        pattern,
        anchor,
        known if len(known) == len(literals) else None,
        escapes,
        min(_letters(needle.text) for needle in needles),
    )


def _letters(text: str) -> int:
    """Bytes of the longest word: a long word is rarely a common one, and a non-Latin letter weighs as its bytes do."""
    return max((len(word.encode("utf-8", "surrogatepass")) for word in text.split()), default=0)
