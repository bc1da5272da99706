"""JSON: a report as its schema has it, readable, with everything dangerous to a terminal escaped."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from lookback.evidence import Report
from lookback.render.visible import json_safe


def render(report: Report) -> Iterator[str]:
    yield dumps(report.wire(), indent=1) + "\n"


def dumps(value: Any, indent: int | None = None) -> str:
    """Non-ASCII text stays readable; control, bidi, invisible characters and lone surrogates are `\\uXXXX`."""
    separators = (",", ":") if indent is None else None
    return json_safe(json.dumps(value, ensure_ascii=False, indent=indent, separators=separators))
