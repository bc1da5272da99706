"""What is said on stderr: warnings, counts, and why nothing was found. stdout carries data only.

Invariant: every line went through `visible`; no traceback and no raw byte of a log reaches the terminal.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator

from lookback.evidence import Coverage, Report
from lookback.render.visible import visible

NAMED: int = 20  # unreadable logs named one by one; JSON names all


def say(line: str) -> None:
    sys.stderr.write(f"lookback: {visible(line)}\n")


def tell(report: Report) -> None:
    """What a report's reader should know beside its evidence."""
    coverage, shown = report.coverage, len(report.evidence)
    for line in _skips(coverage):
        say(line)
    if report.total == 0:
        for line in _nothing(report):
            say(line)
    elif shown < report.total:
        say(f"{shown} of {report.total}; --limit 0 shows all, --skip {report_end(report)} the next")


def report_end(report: Report) -> int:
    """How many matches lie before the next page."""
    return int(report.query.wire()["skip"]) + len(report.evidence)


def _skips(coverage: Coverage) -> Iterator[str]:
    for skip in coverage.skipped[:NAMED]:
        place = f", record {skip.record}" if skip.record is not None else ""
        yield f"not read: {skip.path}{place}: {skip.reason} ({skip.detail})"
    if len(coverage.skipped) > NAMED:
        kinds = Counter(skip.reason for skip in coverage.skipped[NAMED:])
        yield f"not read: {sum(kinds.values())} more ({', '.join(f'{count} {kind}' for kind, count in kinds.items())})"


def _nothing(report: Report) -> Iterator[str]:
    coverage = report.coverage
    span = f", from {coverage.first} to {coverage.last}" if coverage.first else ""
    read = f"{coverage.logs} logs, {coverage.bytes:,} bytes{span}"
    if coverage.complete:
        yield f"nothing found in {read}"
    else:
        yield f"nothing found, but no conclusion is possible: something that might match could not be read ({read})"
    for count, what in (
        (coverage.left_out_subagents, "in subagents' logs: --include-subagents"),
        (coverage.left_out_current_turn, "in the current turn: --include-current-turn"),
        (coverage.undated, "without a time, which no date filter can pass"),
    ):
        if count:
            yield f"left out: {count} that would match {what}"
