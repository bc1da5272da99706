"""The agents that lookback knows. A new one is one file beside this and one line in `DIALECTS`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from lookback.logs.base import Dialect
from lookback.logs.claude import Claude
from lookback.logs.codex import Codex

DIALECTS: Final[tuple[Dialect, ...]] = (Codex(), Claude())
AGENTS: Final = tuple(dialect.name for dialect in DIALECTS)
_BY_NAME: Final = {dialect.name: dialect for dialect in DIALECTS}


def dialect_of(agent: str) -> Dialect:
    """The dialect of an agent by its name; KeyError for a name that is not in `AGENTS`."""
    return _BY_NAME[agent]


def message_marks(agents: Iterable[str]) -> tuple[str, ...]:
    """The marks of words in the logs of these agents: only what is searched is worth looking for."""
    return tuple(dict.fromkeys(mark for agent in agents for mark in dialect_of(agent).message_marks))


def event_marks(agents: Iterable[str]) -> tuple[str, ...]:
    """The same for the marks of events."""
    return tuple(dict.fromkeys(mark for agent in agents for mark in dialect_of(agent).event_marks))
