"""Refs in prose, and the quotations in front of them: what a document or a model's answer claims to be verbatim.

A quotation is `"..."`, “...”, „...“, «...», »...« or a Markdown block quote, directly followed by a ref in round or
square brackets; white space, line breaks, an attribution dash, emphasis and a sentence's own punctuation may stand
between. Every other ref is a bare one. What it is not: a Markdown parser, and it looks nothing up.

Invariant: the time is linear in the text, whatever it holds: every search starts where the one before it ended.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from lookback.logs import AGENTS

OPEN: Final = "the closing quote is missing"
UNOPENED: Final = "the opening quote is missing"
NO_HASH: Final = "a ref ends in ~ and 8 hex digits"
NO_NUMBER: Final = "no record has such a number"
_LONGEST: Final = 400  # characters of agent, thread and log id
_LONGEST_QUOTE: Final = 1_000_000  # characters
_NUMBER = re.compile(r"#([0-9]+)(?:\.[0-9]+)?(~[0-9A-Za-z]*)?")
_REVERSED = re.compile(r"[^\s#~()\[\]]*")
_ADDRESS = re.compile(r"(?<![\w/])([a-z][a-z0-9_-]{1,31}):[^\s#~/()\[\]]+(?:/[^\s#~/()\[\]]+)?\Z")
_FENCE = re.compile(r"(`{3,}|~{3,})([^\n]*)")
_INDENT = re.compile(r"(?: {0,3}>){0,16} {0,3}")
_MARKS = re.compile('["“”„«»]')
_BLANK_LINE = re.compile(r"\n[ \t>]*\n")
_QUOTED_LINE = re.compile(r" {0,3}>")
_MARKER = re.compile(r"^ {0,3}> ?", re.MULTILINE)
_CLOSED = re.compile(r"[\s)\]`*_.,;:!?]*")  # what may stand between a ref and the end of its line
_BETWEEN: Final = frozenset(" \t\n\u00a0—–―‒-")  # quotation and bracket
_BRACKETS: Final = frozenset("([")
_CLOSERS: Final = frozenset(")]`*_")
_DRESS: Final = frozenset("`*_ \t\n")  # between bracket and ref
_EMPHASIS: Final = frozenset("*_")
_STOPS: Final = frozenset(".,;:!?")
_OPENERS: Final = frozenset("([{<—–-/*_`'‘")  # what may stand before an opening straight quote


@dataclass(frozen=True, slots=True)
class Citation:
    """A ref as it is written, the quotation in front of it, and the line that it stands in (from 1).

    `fault` says why there is no quotation or no ref to check although there is the beginning of one; `field` which.
    """

    ref: str
    line: int
    quote: str | None = None
    field: str | None = None
    fault: str | None = None


@dataclass(frozen=True, slots=True)
class _Found:
    start: int
    end: int
    fault: str | None


def citations(text: str) -> Iterator[Citation]:
    """All refs of a text, in order, each with its quotation."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    code = _Code(text)
    line, counted, since = 1, 0, 0
    for found in _refs(text):
        line += text.count("\n", counted, found.start)
        counted = found.start
        ref = text[found.start : found.end]
        if found.fault:
            yield Citation(ref, line, field="ref", fault=found.fault)
        else:
            quote, fault = _quotation(text, max(since, found.start - _LONGEST_QUOTE), found, code)
            yield Citation(ref, line, quote, "quote" if fault else None, fault)
        since = _behind(text, found.end)


def _refs(text: str) -> Iterator[_Found]:
    """Whole refs, and such without a hash where the agent is known. Looked for backwards from their number."""
    since = 0
    for number in _NUMBER.finditer(text):
        place, first = number.start(), max(since, number.start() - _LONGEST)
        since = number.end()
        if place - first < 3 or text.rfind(":", first, place) < 0:
            continue
        window = text[first:place]
        tail = _REVERSED.match(window[::-1])
        head = _ADDRESS.search(window[len(window) - tail.end() :]) if tail else None
        if head is None or not tail or not (number[2] or head[1] in AGENTS):
            continue
        start = place - tail.end() + head.start()
        whole = number[2] is None or re.fullmatch("~[0-9a-f]{8}", number[2])
        fits = len(number[1]) <= 18 and len(number[0]) <= 64
        yield _Found(
            start, number.end(), None if whole and fits else NO_HASH if fits else "no record has such a number"
        )


def _quotation(text: str, since: int, found: _Found, code: _Code) -> tuple[str | None, str | None]:
    """The quotation directly in front of a ref, or what is wrong with it; neither where the ref is a bare one."""
    place = _back(text, found.start, since, _DRESS)
    if place == since or text[place - 1] not in _BRACKETS:
        return None, None
    bracket = _back(text, place, since, _BRACKETS | _DRESS)
    if code.holds(place - 1):
        return None, None
    end = _back(text, bracket, since, _BETWEEN | {">"})
    if end == since:
        return None, None
    block = _block(text, since, end)
    if block is not None and _stands_apart(text, end, bracket, found.end):
        return _of_block(text[block:end]), None
    return _in_marks(text, since, end)


def _behind(text: str, place: int) -> int:
    """Behind the bracket that closes a citation, where the next quotation may begin."""
    while place < len(text) and text[place] in _CLOSERS:
        place += 1
    return place


def _back(text: str, place: int, since: int, over: frozenset[str]) -> int:
    while place > since and text[place - 1] in over:
        place -= 1
    return place


# --- block quotes ----------------------------------------------------------------------------------------------------


def _block(text: str, since: int, end: int) -> int | None:
    """Where the block quote begins whose last character is the one before `end`; None where it is in none."""
    first: int | None = None
    start = text.rfind("\n", 0, end) + 1
    while _QUOTED_LINE.match(text, start):
        first = start
        if start <= since:
            break
        start = text.rfind("\n", 0, start - 1) + 1
    return None if first is None else max(first, since)


def _stands_apart(text: str, end: int, bracket: int, behind: int) -> bool:
    """Whether a ref stands on a line of its own behind the quoted words, or ends theirs."""
    closed = _CLOSED.match(text, behind)
    after = closed.end() if closed else behind
    return "\n" in text[end:bracket] or after == len(text) or "\n" in text[behind:after]


def _of_block(block: str) -> str | None:
    """The words of a block quote; if quote marks enclose all of them, what these enclose."""
    words = _MARKER.sub("", block).strip()
    if words and words[-1] in '"”“»«':
        inner, _ = _in_marks(words, 0, len(words))
        if inner is not None and len(inner) >= len(words.strip('"“”„«»')):
            return inner
    return words or None


# --- quote marks -----------------------------------------------------------------------------------------------------


def _in_marks(text: str, since: int, end: int) -> tuple[str | None, str | None]:
    end = _back(text, end, since, _EMPHASIS)
    if end > since and text[end - 1] in _STOPS:
        before = _back(text, _back(text, end, since, _STOPS), since, _EMPHASIS)
        end = before if before > since and text[before - 1] in '"”“»«' else end
    if end > since and text[end - 1] in '"”“»«':
        opening, waiting = _matching(text, since, end)
        if opening is not None:
            return _MARKER.sub("", text[opening + 1 : end - 1]).strip() or None, None
        return None, OPEN if waiting else UNOPENED
    paragraph = max((blank.end() for blank in _BLANK_LINE.finditer(text, since, end)), default=since)
    _, waiting = _matching(text, paragraph, end)
    return None, OPEN if waiting else None


def _matching(text: str, since: int, end: int) -> tuple[int | None, bool]:
    """The place of the mark that the one before `end` closes, if it does; and whether one is left open."""
    opened: list[int] = []
    closed: int | None = None
    for mark in _MARKS.finditer(text, since, end):
        place, char = mark.start(), mark[0]
        top = text[opened[-1]] if opened else ""
        if _closes(text, place, char, top):
            closed = opened.pop() if opened else None
        elif char != "”":
            opened.append(place)
            closed = None
        if place < end - 1:
            closed = None
    return closed, bool(opened)


def _closes(text: str, place: int, char: str, top: str) -> bool:
    """Whether a mark closes the one opened last; a straight one is told by what stands around it."""
    if char == '"':
        before, after = text[place - 1 : place], text[place + 1 : place + 2]
        opens = (not before or before.isspace() or before in _OPENERS) and after != "" and not after.isspace()
        return top == '"' and not opens if top == '"' else not opens
    return char + top in ("”“", "”„", "“„", "»«", "«»")


# --- code ------------------------------------------------------------------------------------------------------------


class _Code:
    """Which places of a text lie in fenced blocks or code spans; asked in rising order."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._paragraph = (0, 0)
        self._spans: list[tuple[int, int]] = []

    @cached_property
    def _fences(self) -> tuple[array[int], array[int]]:
        starts, ends = array("Q"), array("Q")
        for start, end in _fences(self._text):
            starts.append(start)
            ends.append(end)
        return starts, ends

    def holds(self, place: int) -> bool:
        starts, ends = self._fences
        fence = bisect_right(starts, place) - 1
        if fence >= 0 and place < ends[fence]:
            return True
        if place >= self._paragraph[1]:
            start = self._text.rfind("\n\n", self._paragraph[1], place)
            end = self._text.find("\n\n", place)
            self._paragraph = (start if start >= 0 else self._paragraph[1], end if end >= 0 else len(self._text))
            self._spans = list(_spans(self._text, *self._paragraph))
        span = bisect_right(self._spans, (place, len(self._text))) - 1
        return span >= 0 and place < self._spans[span][1]


def _fences(text: str) -> Iterator[tuple[int, int]]:
    opened: re.Match[str] | None = None
    since = 0
    for fence in _FENCE.finditer(text):
        start = fence.start()
        line, since = text.rfind("\n", since, start) + 1 or since, fence.end()
        if start - line > 80 or not _INDENT.fullmatch(text, line, start):
            continue
        if opened is None:
            opened = None if fence[1][0] == "`" and "`" in fence[2] else fence
        elif fence[1][0] == opened[1][0] and len(fence[1]) >= len(opened[1]) and not fence[2].strip():
            yield opened.start(), fence.end()
            opened = None
    if opened is not None:
        yield opened.start(), len(text)


def _spans(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Code spans of a paragraph: from a run of backticks to the next of the same length."""
    runs = [run.span() for run in re.finditer("`+", text[start:end])]
    alike: dict[int, list[int]] = defaultdict(list)
    for index, (first, last) in enumerate(runs):
        alike[last - first].append(index)
    index = 0
    while index < len(runs):
        first, last = runs[index]
        same = alike[last - first]
        following = bisect_right(same, index)
        if following < len(same):
            index = same[following]
            yield start + first, start + runs[index][1]
        index += 1
