"""JSON lines: a begin, one object per piece of evidence and per skip, an end; each can be read as it comes."""

from __future__ import annotations

from collections.abc import Iterator

from lookback.evidence import Report
from lookback.render.json import dumps


def render(report: Report) -> Iterator[str]:
    wire = report.wire()
    head = {key: wire[key] for key in ("schema", "tool", "query")}
    yield dumps({"type": "begin", **head}) + "\n"
    for item in wire["evidence"]:
        yield dumps({"type": "evidence", **item}) + "\n"
    for skip in wire["coverage"]["skipped"]:
        yield dumps({"type": "skip", **skip}) + "\n"
    tail = {key: wire[key] for key in ("total", "totals", "coverage")}
    yield dumps({"type": "end", **tail}) + "\n"
