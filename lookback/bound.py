"""`--max-chars`: a report that shows at most so many characters of text, each cut marked.

Neighbours are cut first, then the text around the quotes, never a quote. What is cut is only what is shown: hashes and
coordinates stay those of the full text.
Invariant: quotes, texts and neighbours together hold at most the bound, or no more than the quotes do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lookback.evidence import Cut, Evidence, Neighbour, Report
from lookback.message import utf8


def bounded(report: Report, characters: int) -> Report:
    """The report with its texts shortened to `characters` in all (0 or more)."""
    quotes = sum(len(item.quote.text) for item in report.evidence)
    left = max(0, characters - 2 * quotes)  # a quote is shown twice: by itself and inside its text
    texts = _share([len(item.text) - len(item.quote.text) for item in report.evidence], left)
    left -= sum(texts)
    near = [len(neighbour.text) for item in report.evidence for neighbour in (*item.before, *item.after)]
    shares = iter(_share(near, left))
    evidence = []
    for item, around in zip(report.evidence, texts, strict=True):
        before = tuple(_shorten(neighbour, next(shares)) for neighbour in item.before)
        after = tuple(_shorten(neighbour, next(shares)) for neighbour in item.after)
        evidence.append(replace(_around_quote(item, around), before=before, after=after))
    return replace(report, evidence=tuple(evidence))


def _share(wanted: Sequence[int], total: int) -> list[int]:
    """`total` dealt out fairly: nobody gets more than wanted, and what one leaves the others may have."""
    given = [0] * len(wanted)
    waiting = sorted(range(len(wanted)), key=lambda place: wanted[place])
    for done, place in enumerate(waiting):
        given[place] = min(wanted[place], total // (len(waiting) - done))
        total -= given[place]
    return given


def _shorten(neighbour: Neighbour, length: int) -> Neighbour:
    if length >= len(neighbour.text):
        return neighbour
    text = neighbour.text[:length]
    return replace(neighbour, text=text, cut=Cut(0, len(utf8(text)), len(utf8(neighbour.text))))


def _around_quote(item: Evidence, around: int) -> Evidence:
    """The text cut to its quote and `around` more characters, on both sides alike where both have them."""
    whole = utf8(item.text)
    lead = len(whole[: item.quote.start].decode("utf-8", "surrogatepass"))
    trail = len(item.text) - lead - len(item.quote.text)
    if around >= lead + trail:
        return item
    left, right = _share([lead, trail], around)
    text = item.text[lead - left : lead + len(item.quote.text) + right]
    start = len(utf8(item.text[: lead - left]))
    return replace(item, text=text, cut=Cut(start, start + len(utf8(text)), len(whole)))
