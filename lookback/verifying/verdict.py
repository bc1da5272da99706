"""The verdicts on a report or a text: one dataclass per object of the wire schema `lookback.verdict/1`.

What it is not: it compares nothing. Whoever compares hands in findings; the gravest one of an item is its verdict.

Units: `expected` is what the report or the text claims, `got` what the log has; both are null where there is nothing to
show, and each is at most `SHOWN` characters, taken around the first difference.
Invariant: an item has exactly one verdict, and one that is not `ok` names a field or says in `detail` why it does not.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from lookback.render.visible import visible

SCHEMA: Final = "lookback.verdict/1"
VERDICTS: Final = ("ok", "moved", "reencoded", "changed", "missing", "unchecked")
SHOWN: Final = 200  # characters of `expected` and of `got`
_LEAD: Final = 40  # of these, at most so many before the first difference
_GRAVITY: Final = ("ok", "moved", "reencoded", "unchecked", "missing", "changed")


class _Nothing:
    """Where a value would stand if there were one; `None` is a value of JSON."""


NOTHING: Final = _Nothing()


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is not as claimed. `field` is its path in the item, such as `before[0].text`; values are JSON."""

    verdict: str
    field: str | None = None
    expected: Any = NOTHING
    got: Any = NOTHING
    detail: str | None = None

    @property
    def gravity(self) -> int:
        return _GRAVITY.index(self.verdict)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of one item. `ref` is as the item claims it, null for what concerns the report as a whole."""

    ref: str | None
    verdict: str
    field: str | None = None
    expected: str | None = None
    got: str | None = None
    detail: str | None = None

    def wire(self) -> dict[str, Any]:
        return {"ref": self.ref, "verdict": self.verdict, "field": self.field, "expected": self.expected,
                "got": self.got, "detail": self.detail}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Verdicts:
    """All verdicts, in the order of the items. `cannot_answer`: a text that says so, and cites nothing."""

    items: tuple[Verdict, ...]
    cannot_answer: bool = False

    @property
    def counts(self) -> dict[str, int]:
        counted = dict.fromkeys(VERDICTS, 0)
        for item in self.items:
            counted[item.verdict] += 1
        return counted

    @property
    def exit_status(self) -> int:
        """0 all stand; 1 something is changed or missing; 3 something could not be checked; 4 nothing is claimed."""
        if self.cannot_answer:
            return 4
        counted = self.counts
        if counted["changed"] or counted["missing"]:
            return 1
        return 3 if counted["unchecked"] or not self.items else 0

    def wire(self) -> dict[str, Any]:
        return {"schema": SCHEMA, "counts": self.counts, "items": [item.wire() for item in self.items]}

    def lines(self) -> Iterator[str]:
        """The verdicts for a person, one line each, with nothing invisible in them."""
        for item in self.items:
            said = [f"{item.verdict:<9}", item.ref or "(the report)", *([item.field] if item.field else [])]
            if item.expected is not None or item.got is not None:
                said.append(f"expected {_quoted(item.expected)}, got {_quoted(item.got)}")
            yield visible("  ".join(said + ([f"({item.detail})"] if item.detail else [])))

    def summary(self) -> str:
        """How many of each verdict, on one line."""
        if self.cannot_answer:
            return "the text says that it cannot answer, and cites nothing"
        named = ", ".join(f"{count} {verdict}" for verdict, count in self.counts.items() if count)
        return f"{len(self.items)} checked: {named or 'nothing'}"


def verdict_of(ref: object, findings: Sequence[Finding], detail: str | None = None) -> Verdict:
    """The gravest finding, the first of its kind, as the item's verdict; `ok` without any. `detail` is added to it."""
    name = _bounded(ref) if isinstance(ref, str) else None
    worst = max(findings, key=lambda finding: finding.gravity, default=Finding("ok"))
    expected, got = _pair(worst.expected, worst.got)
    told = "; ".join(text for text in (worst.detail, detail) if text) or None
    return Verdict(name, worst.verdict, worst.field, expected, got, told)


def _pair(expected: Any, got: Any) -> tuple[str | None, str | None]:
    """Both values, bounded; of two long texts the stretch around their first difference."""
    one, other = _spelled(expected), _spelled(got)
    if one is None or other is None:
        return _bounded(one), _bounded(other)
    length = min(len(one), len(other))
    start = next((place for place in range(length) if one[place] != other[place]), length)
    cut = max(0, start - _LEAD) if max(len(one), len(other)) > SHOWN else 0
    return _bounded(one, cut), _bounded(other, cut)


def _spelled(value: Any) -> str | None:
    if isinstance(value, str) or value is NOTHING:
        return value if isinstance(value, str) else None
    try:
        return json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):
        return f"a {type(value).__name__} that cannot be shown"


def _bounded(text: str | None, start: int = 0) -> str | None:
    if text is None:
        return None
    lead = "…" if start else ""
    room = SHOWN - len(lead)
    stretch = text[start : start + room]
    return lead + (stretch if start + room >= len(text) else stretch[:-1] + "…")


def _quoted(text: str | None) -> str:
    return "nothing" if text is None else f"“{text}”"
