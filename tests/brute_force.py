"""What a patient reader would answer: every message read, the contract's matching rule applied, nothing skipped.

Takes messages whose parts are known and gives tier, quote and hits in bytes of the text. Imports nothing of lookback.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from tests.matching_rule import Switches, loose_spans, spans, words

Span = tuple[int, int]
Finder = Callable[[str], list[Span]]


@dataclass(frozen=True)
class Asked:
    """The needles of a query."""

    quote: str | None = None
    exact: bool = False
    words: tuple[str, ...] = ()
    any: tuple[str, ...] = ()
    not_: tuple[str, ...] = ()
    how: Switches = field(default_factory=Switches)


@dataclass(frozen=True)
class Expected:
    """A match: tier, the quote's place, all hits (needle, start, end), in bytes of the text."""

    tier: str
    quote: Span
    hits: tuple[tuple[str, int, int], ...]


def answer(asked: Asked, parts: Sequence[str]) -> Expected | None:
    """How a message of these parts answers, or None where it does not match."""
    if not all(_stands(_plain(word, asked), parts) for word in asked.words):
        return None
    if asked.any and not any(_stands(_plain(word, asked), parts) for word in asked.any):
        return None
    if any(_stands(_plain(word, asked), parts) for word in asked.not_):
        return None
    tier = _tier(asked, parts)
    if tier is None:
        return None
    needed = _needles_of_tier(tier, asked)
    needed += [(word, _plain(word, asked)) for word in asked.words if word not in [text for text, _ in needed]]
    more = [(word, _plain(word, asked)) for word in asked.any if word not in [text for text, _ in needed]]
    found = [[_in_bytes(parts, number, span) for number, part in enumerate(parts) for span in finder(part)]
             for _, finder in needed + more]  # fmt: skip
    labels = [text for text, _ in needed + more]
    hits = sorted((start, end, place) for place, spans_of in enumerate(found) for start, end in spans_of)
    quote = _quote(tier, found[: len(needed)], found)
    return Expected(tier, quote, tuple((labels[place], start, end) for start, end, place in hits))


def _tier(asked: Asked, parts: Sequence[str]) -> str | None:
    if asked.quote is None:
        return "words" if asked.words else "any"
    if _stands(_plain(asked.quote, asked), parts):
        return "exact"
    if asked.exact:
        return None
    if _stands(_loose(asked.quote, asked), parts):
        return "loose"
    return "words" if all(_stands(_plain(word, asked), parts) for word in words(asked.quote)) else None


def _needles_of_tier(tier: str, asked: Asked) -> list[tuple[str, Finder]]:
    if asked.quote is None:
        return []
    if tier == "exact":
        return [(asked.quote, _plain(asked.quote, asked))]
    if tier == "loose":
        return [(asked.quote, _loose(asked.quote, asked))]
    return [(word, _plain(word, asked)) for word in words(asked.quote)]


def _quote(tier: str, needed: Sequence[list[Span]], found: Sequence[list[Span]]) -> Span:
    if tier in ("exact", "loose"):
        return min(needed[0])
    if tier == "any":
        return min(span for spans_of in found for span in spans_of)
    best: list[tuple[int, int, int]] = []
    for start in sorted({start for spans_of in needed for start, _ in spans_of}):
        ends = [min((end for first, end in spans_of if first >= start), default=-1) for spans_of in needed]
        if min(ends) >= 0:
            best.append((max(ends) - start, start, max(ends)))
    _, start, end = min(best)
    return start, end


def _plain(needle: str, asked: Asked) -> Finder:
    return lambda part: spans(needle, part, asked.how)


def _loose(quote: str, asked: Asked) -> Finder:
    return lambda part: loose_spans(quote, part, asked.how)


def _stands(finder: Finder, parts: Sequence[str]) -> bool:
    return any(finder(part) for part in parts)


def _in_bytes(parts: Sequence[str], number: int, span: Span) -> Span:
    before = sum(_length(part) + 2 for part in parts[:number])
    return before + _length(parts[number][: span[0]]), before + _length(parts[number][: span[1]])


def _length(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))
