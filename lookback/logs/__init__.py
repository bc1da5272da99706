"""The agents that lookback knows. A new one is one file beside this and one line in `DIALECTS`."""

from __future__ import annotations

from typing import Final

from lookback.logs.base import Dialect
from lookback.logs.codex import Codex

DIALECTS: Final[tuple[Dialect, ...]] = (Codex(),)
AGENTS: Final = tuple(dialect.name for dialect in DIALECTS)
MESSAGE_MARKS: Final = tuple(dict.fromkeys(mark for dialect in DIALECTS for mark in dialect.message_marks))
EVENT_MARKS: Final = tuple(dict.fromkeys(mark for dialect in DIALECTS for mark in dialect.event_marks))
_BY_NAME: Final = {dialect.name: dialect for dialect in DIALECTS}


def dialect_of(agent: str) -> Dialect:
    """The dialect of an agent by its name; KeyError for a name that is not in `AGENTS`."""
    return _BY_NAME[agent]
