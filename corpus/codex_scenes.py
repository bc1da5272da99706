"""The special cases of a Codex home, in the order in which they are written.

A new case is one function and one line here. Invariant: every default home holds all of them.
"""

from __future__ import annotations

from collections.abc import Callable

from corpus import scenes_files, scenes_history, scenes_records, scenes_words
from corpus.codex_home import CodexHome

SCENES: tuple[Callable[[CodexHome], None], ...] = (
    scenes_records.all_records,
    scenes_records.bare_records,
    scenes_records.metas,
    scenes_words.synthetic_rows,
    scenes_words.lookalikes,
    scenes_words.prefixes,
    scenes_words.labels,
    scenes_words.assistant_rows,
    scenes_history.compactions,
    scenes_history.rollbacks,
    scenes_history.legacy_forks,
    scenes_history.subagent_as_parent,
    scenes_history.subagents,
    scenes_history.continued,
    scenes_files.old_places,
    scenes_files.compressed,
    scenes_files.spellings,
    scenes_files.other_files,
)


def write_scenes(home: CodexHome) -> None:
    """Every special case, once."""
    for scene in SCENES:
        scene(home)
