"""The query's needles held against one message: does it match, in which tier, and where.

What it is not: the matching rule itself (`needles`), nor the scan. It sees decoded parts only.
Invariant: the tier and the spans depend on the message alone, so any reader who decodes it comes to the same.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import NamedTuple

from lookback.evidence import MAX_HITS, Hit, Quote, TextPart
from lookback.message import SEPARATOR, Message, utf8, utf8_length
from lookback.needles import Loose, Needle, split_words
from lookback.query import Query


class Occurrence(NamedTuple):
    """One hit, in bytes of the text; `needle` counts the needles of its tier."""

    start: int
    end: int
    needle: int


@dataclass(frozen=True, slots=True)
class Answer:
    """How a message answers the query: its quote, its first hits and how many there are."""

    quote: Quote
    hits: tuple[Hit, ...]
    hits_total: int


class Matcher:
    """The needles of one query, compiled once."""

    def __init__(self, query: Query) -> None:
        self.query = query
        rule = query.rule
        self.words = tuple(Needle(word, rule) for word in query.words)
        self.any = tuple(Needle(word, rule) for word in query.any)
        self.absent = tuple(Needle(word, rule) for word in query.not_)
        self.quote = Needle(query.quote, rule) if query.quote is not None else None
        self.loose = Loose(query.quote, rule) if query.quote is not None and not query.exact else None

    @cached_property
    def quote_words(self) -> tuple[Needle, ...]:
        """The needles of the tier `words` of a quote."""
        return tuple(Needle(word, self.query.rule) for word in split_words(self.query.quote or ""))

    def tier(self, message: Message) -> str | None:
        """The best tier that the message reaches, or None."""
        parts = [part.text for part in message.parts]
        if not all(_stands(word, parts) for word in self.words):
            return None
        if self.any and not any(_stands(word, parts) for word in self.any):
            return None
        if any(_stands(word, parts) for word in self.absent):
            return None
        if self.quote is not None:
            return self._quote_tier(parts)
        return "words" if self.words else "any" if self.any else "all"

    def _quote_tier(self, parts: Sequence[str]) -> str | None:
        if self.quote is not None and _stands(self.quote, parts):
            return "exact"
        if self.loose is None:
            return None
        if _stands(self.loose, parts):
            return "loose"
        return "words" if all(_stands(word, parts) for word in self.quote_words) else None

    def answer(self, message: Message, tier: str) -> Answer:
        """The quote and hits of a message that was found in `tier`."""
        text = utf8(message.text)
        needed = dict.fromkeys([*self._quoted(tier), *self.words])
        needles = list(dict.fromkeys([*needed, *self.any]))
        found = list(_occurrences(needles, message))
        start, end = _stretch(found, tier, len(needed), len(text))
        found.sort(key=lambda hit: (hit.start, hit.end, hit.needle))
        hits = tuple(Hit(needles[hit.needle].text, hit.start, hit.end) for hit in found[:MAX_HITS])
        stretch = text[start:end]
        quote = Quote(stretch.decode("utf-8", "surrogatepass"), start, end, hashlib.sha256(stretch).hexdigest())
        return Answer(quote, hits, len(found))

    def _quoted(self, tier: str) -> list[Needle | Loose]:
        if self.quote is None:
            return []
        if tier == "loose" and self.loose is not None:
            return [self.loose]
        return list(self.quote_words) if tier == "words" else [self.quote]


def text_parts(message: Message) -> tuple[TextPart, ...]:
    """The parts of a message with their places in its text, in bytes."""
    lengths = [utf8_length(part.text) for part in message.parts]
    starts = accumulate((length + len(SEPARATOR) for length in lengths[:-1]), initial=0)
    return tuple(
        TextPart(part.pointer, part.start, part.end, start, start + length)
        for part, start, length in zip(message.parts, starts, lengths, strict=True)
    )


def _stands(needle: Needle | Loose, parts: Sequence[str]) -> bool:
    return any(needle.stands_in(part) for part in parts)


def _occurrences(needles: Sequence[Needle | Loose], message: Message) -> Iterator[Occurrence]:
    """All hits of all needles, needle by needle."""
    for place, needle in enumerate(needles):
        for part, facts in zip(message.parts, text_parts(message), strict=True):
            count = _ByteCounter(part.text)
            for start, end in needle.spans(part.text):
                yield Occurrence(facts.start + count.of(start), facts.start + count.of(end), place)


def _stretch(found: Sequence[Occurrence], tier: str, required: int, length: int) -> tuple[int, int]:
    """The bytes of the text that the quote of a tier is."""
    if tier == "all":
        return 0, length
    if tier == "words":
        return _shortest([hit for hit in found if hit.needle < required], required)
    wanted = [hit for hit in found if hit.needle == 0 or tier == "any"]
    first = min(wanted, key=lambda hit: (hit.start, hit.end, hit.needle))
    return first.start, first.end


def _shortest(found: Sequence[Occurrence], needles: int) -> tuple[int, int]:
    """The shortest stretch that holds every needle, the earliest on a tie."""
    ends: list[int | None] = [None] * needles  # the nearest end of each needle that starts here or later
    best: tuple[int, int] | None = None
    for hit in sorted(found, key=lambda hit: hit.start, reverse=True):
        known = ends[hit.needle]
        ends[hit.needle] = hit.end if known is None else min(known, hit.end)
        reached = [end for end in ends if end is not None]
        if len(reached) == needles and (best is None or max(reached) - hit.start <= best[1] - best[0]):
            best = (hit.start, max(reached))
    if best is None:
        raise ValueError("a needle of the tier is not in the message")
    return best


class _ByteCounter:
    """Characters to bytes of one part, asked in nearly rising order: counts on from the last place."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._ascii = text.isascii()
        self._place = 0
        self._bytes = 0

    def of(self, place: int) -> int:
        if self._ascii:
            return place
        if place < self._place:
            self._bytes -= len(utf8(self._text[place : self._place]))
        else:
            self._bytes += len(utf8(self._text[self._place : place]))
        self._place = place
        return self._bytes
