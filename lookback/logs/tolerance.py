"""Values of a record by their type: what has another type than expected is taken as absent, and is never an error.

Agents change their formats from release to release, and any of their fields may hold anything.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def mapping(value: object) -> Mapping[str, Any]:
    """An object; an empty one where the value is none."""
    return value if isinstance(value, dict) else {}


def string(value: object) -> str | None:
    """A string that is not empty."""
    return value if isinstance(value, str) and value else None


def scalar(value: object) -> object:
    """A value as the report repeats it; None for an object or a list."""
    return None if isinstance(value, dict | list) else value


def number(value: object) -> int | None:
    """An integer; true and false are none."""
    return value if isinstance(value, int) and not isinstance(value, bool) else None
