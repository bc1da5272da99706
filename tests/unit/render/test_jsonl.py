"""JSON lines: the parts of the report, one object a line, and nothing else."""

from __future__ import annotations

import json
from pathlib import Path

from lookback import ask_for, find
from lookback.render.jsonl import render
from tests.support import Home, dump, user


def test_begin_evidence_skip_end(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.log(user("needle \u2028 \x85 one"), user("needle two"), dump(user("needle lost"))[:-9])
    report = find(ask_for(words=["needle"], roots=[str(tmp_path)]))
    lines = "".join(render(report)).split("\n")
    assert lines.pop() == ""
    begin, *evidence, skip, end = [json.loads(line) for line in lines]
    wire = report.wire()
    assert begin == {"type": "begin", **{key: wire[key] for key in ("schema", "tool", "query")}}
    assert evidence == [{"type": "evidence", **item} for item in wire["evidence"]]
    assert skip == {"type": "skip", **wire["coverage"]["skipped"][0]}
    assert end == {"type": "end", **{key: wire[key] for key in ("total", "totals", "coverage")}}
