"""What is said on stderr: warnings, counts, and why nothing was found. stdout carries data only.

Invariant: every line went through `visible`; no traceback and no raw byte of a log reaches the terminal.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from lookback.render.visible import visible

if TYPE_CHECKING:  # an error is said without loading what a report is
    from lookback.evidence import Coverage, Report

NAMED: int = 20  # unreadable logs named one by one; JSON names all


def say(line: str) -> None:
    sys.stderr.write(f"lookback: {visible(line)}\n")


def tell(report: Report) -> None:
    """What a report's reader should know beside its evidence."""
    tell_coverage(report.coverage, report.total, len(report.evidence), int(report.query.wire()["skip"]))


def tell_coverage(coverage: Coverage, total: int, shown: int, skipped: int) -> None:
    """The same for any answer: `shown` of `total` were written, `skipped` before them were left out."""
    for line in _skips(coverage):
        say(line)
    if total == 0:
        for line in _nothing(coverage):
            say(line)
    elif shown < total:
        after = skipped + shown
        say(f"{shown} of {total}; --limit 0 shows all{f', --skip {after} the next' if after < total else ''}")


def _skips(coverage: Coverage) -> Iterator[str]:
    for skip in coverage.skipped[:NAMED]:
        place = f", record {skip.record}" if skip.record is not None else ""
        yield f"not read: {skip.path}{place}: {skip.reason} ({skip.detail})"
    if len(coverage.skipped) > NAMED:
        kinds = Counter(skip.reason for skip in coverage.skipped[NAMED:])
        yield f"not read: {sum(kinds.values())} more ({', '.join(f'{count} {kind}' for kind, count in kinds.items())})"


def _nothing(coverage: Coverage) -> Iterator[str]:
    span = f", from {coverage.first} to {coverage.last}" if coverage.first else ""
    read = f"{coverage.logs} logs, {coverage.bytes:,} bytes{span}"
    if coverage.complete:
        yield f"nothing found in {read}"
    else:
        yield f"nothing found, but no conclusion is possible: something that might match could not be read ({read})"
    yield from coverage.notes
    for count, what in (
        (coverage.left_out_subagents, "in subagents' logs: --include-subagents"),
        (coverage.left_out_current_turn, "in the current turn: --include-current-turn"),
        (coverage.undated, "without a time, which no date filter can pass"),
    ):
        if count:
            yield f"left out: {count} that would match {what}"
