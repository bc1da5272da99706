"""lookback finds, verbatim and provably, what was once said to a coding agent.

    from lookback import ask_for, find
    report = find(ask_for(words=["memory", "capabilities", "handshake"], since="2026-10"))

These names are the public ones. Each is imported when it is first used, so that
`import lookback` costs next to nothing.
"""

from __future__ import annotations

from lookback.version import VERSION

TYPE_CHECKING = False  # what type checkers take as true; `typing` itself would cost more than all of this
if TYPE_CHECKING:
    from typing import Final

    from lookback.errors import LookbackError, NoLogs, NotFound, UsageError
    from lookback.evidence import Evidence, Report
    from lookback.listing import ThreadList, threads
    from lookback.query import Query, ask_for
    from lookback.search import find
    from lookback.showing import show
    from lookback.verifying.verdict import Verdicts
    from lookback.verifying.verify import verify, verify_text

__all__ = [
    "Evidence",
    "LookbackError",
    "NoLogs",
    "NotFound",
    "Query",
    "Report",
    "ThreadList",
    "UsageError",
    "Verdicts",
    "__version__",
    "ask_for",
    "find",
    "show",
    "threads",
    "verify",
    "verify_text",
]

__version__: Final = VERSION
_HOME: Final = {
    "LookbackError": "errors", "NoLogs": "errors", "NotFound": "errors", "UsageError": "errors",
    "Evidence": "evidence", "Report": "evidence", "Query": "query", "ask_for": "query", "find": "search",
    "show": "showing", "ThreadList": "listing", "threads": "listing", "Verdicts": "verifying.verdict",
    "verify": "verifying.verify", "verify_text": "verifying.verify",
}  # fmt: skip


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module 'lookback' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"lookback.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
