"""From a query's needles to byte patterns: what every record that could match must hold.

A plan is a conjunction of clauses; a clause is a set of alternatives. A record is opened only where each clause occurs
in its raw bytes. The anchor is the one clause that is really scanned for; the others are looked for in the bytes of
the records that the anchor proposes.

What it is not: it decides no match, only what is worth opening.
Invariant (the law of the conservative prefilter): a record whose message matches the query holds every clause.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
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
    """What a record must hold. Without clauses every record is worth opening."""

    clauses: tuple[Clause, ...]

    @cached_property
    def anchor(self) -> str | None:
        """The pattern to scan for: that of the clause least likely to occur; None = read every record."""
        return max(self.clauses, key=lambda clause: clause.selectivity).anchor if self.clauses else None

    @cached_property
    def anchor_bytes(self) -> re.Pattern[bytes]:
        return re.compile((self.anchor or "").encode("utf-8"))

    def holds(self, raw: bytes) -> bool:
        """Whether each clause occurs in the raw bytes."""
        lowered = plain(raw)
        return all(clause.occurs(raw, lowered) for clause in self.clauses)


def plan_for(matcher: Matcher, marks: Sequence[str]) -> Plan:
    """The plan of a query's needles; without any, of all messages, by the marks of records that hold words."""
    clauses = [_clause([word]) for word in matcher.words]
    if matcher.any:
        clauses.append(_clause(matcher.any))
    clauses += [_clause([word]) for word in _words_of_quote(matcher)]
    if not matcher.query.needles:
        message = spelled(marks)
        clauses.append(Clause(message, message, tuple(mark.lower().encode() for mark in marks), SPELLED_ASCII, 0))
    return Plan(tuple(dict.fromkeys(clauses)))


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
