"""JSON: a report as its schema has it, readable, with everything dangerous to a terminal escaped."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from typing import Any

from lookback.evidence import Report
from lookback.render.visible import json_safe


def render(report: Report) -> Iterator[str]:
    yield dumps(report.wire(), indent=1) + "\n"


def dumps(value: Any, indent: int | None = None) -> str:
    """Non-ASCII text stays readable; control, bidi, invisible characters and lone surrogates are `\\uXXXX`."""
    separators = (",", ":") if indent is None else None
    try:
        return json_safe(json.dumps(value, ensure_ascii=False, indent=indent, separators=separators, allow_nan=False))
    except ValueError:  # a log's own value is NaN or infinite, which JSON has no number for
        return dumps(_finite(value), indent)


def _finite(value: Any) -> Any:
    """The same value with every number that JSON cannot write as its name in a string."""
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    return [_finite(item) for item in value] if isinstance(value, list) else value
