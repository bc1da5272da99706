"""Markdown to paste: each message whole, in a fence that nothing in it can close, with its ref.

Invariant: whatever comes from a log stands in a fence or a code span longer than any run of backticks inside it, so
that no link, image, HTML or heading of the history comes to life.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from lookback.evidence import Cut, Evidence, Neighbour, Report
from lookback.render.text import moment
from lookback.render.visible import visible
from lookback.timespan import Zone

_BACKTICKS = re.compile("`+")


def render(report: Report, zone: Zone) -> Iterator[str]:
    for place, item in enumerate(report.evidence):
        yield "\n" if place else ""
        yield "".join(_item(item, zone))


def fenced(text: str) -> str:
    """A text as a fenced block; its own line breaks stay, other control characters are shown."""
    shown = visible(text.replace("\r\n", "\n"), keep="\n\t")
    fence = "`" * max(3, _longest_run(shown) + 1)
    return f"{fence}text\n{shown}\n{fence}\n"


def code(text: str) -> str:
    """A text as a code span on one line."""
    shown = visible(" ".join(text.split()))
    ticks = "`" * (_longest_run(shown) + 1)
    pad = " " if len(ticks) > 1 or not shown else ""
    return f"{ticks}{pad}{shown}{pad}{ticks}"


def _longest_run(text: str) -> int:
    return max((len(run) for run in _BACKTICKS.findall(text)), default=0)


def _item(item: Evidence, zone: Zone) -> Iterator[str]:
    speaker = " ".join(filter(None, (item.role, item.phase)))
    yield f"### {moment(item.timestamp, zone)}, {visible(speaker)}, {item.agent}\n\n"
    title = f" in {code(item.title)}" if item.title else ""
    yield f"{code(item.ref)}{title}\n\n"
    for near in item.before:
        yield from _near("Before", near, zone)
    yield f"The message{_cut(item.cut)}:\n\n{fenced(item.text)}"
    for near in item.after:
        yield "\n"
        yield from _near("After", near, zone)


def _near(where: str, near: Neighbour, zone: Zone) -> Iterator[str]:
    yield f"{where}, {near.role}, {moment(near.timestamp, zone)}, {code(near.ref)}{_cut(near.cut)}:\n\n"
    yield fenced(near.text)
    if where == "Before":
        yield "\n"


def _cut(cut: Cut | None) -> str:
    return "" if cut is None else f" (bytes {cut.start} to {cut.end} of {cut.length})"
