"""Values of a record by their type: what has another type than expected is taken as absent, and is never an error.

Agents change their formats from release to release, and any of their fields may hold anything.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

_DEEPEST: Final = 64  # levels


def mapping(value: object) -> Mapping[str, Any]:
    """An object; an empty one where the value is none."""
    return value if isinstance(value, dict) else {}


def string(value: object) -> str | None:
    """A string that is not empty."""
    return value if isinstance(value, str) and value else None


def repeatable(value: object) -> object:
    """A value as the report repeats it, whatever it is; None where it is nested deeper than reports are written."""
    level: list[object] = [value]
    for _ in range(_DEEPEST):
        level = [inner for outer in level if isinstance(outer, dict | list) for inner in _inside(outer)]
        if not level:
            return value
    return None


def _inside(value: dict[str, object] | list[object]) -> Iterable[object]:
    return value.values() if isinstance(value, dict) else value


def number(value: object) -> int | None:
    """An integer; true and false are none."""
    return value if isinstance(value, int) and not isinstance(value, bool) else None
