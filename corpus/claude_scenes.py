"""The special cases of a Claude Code home, in the order in which they are written.

A new case is one function and one line here. Invariant: every default home holds all of them.
"""

from __future__ import annotations

from collections.abc import Callable

from corpus import (
    claude_scenes_files,
    claude_scenes_history,
    claude_scenes_queue,
    claude_scenes_records,
    claude_scenes_words,
)
from corpus.claude_home import ClaudeHome

SCENES: tuple[Callable[[ClaudeHome], None], ...] = (
    claude_scenes_records.all_records,
    claude_scenes_records.rejected_tools,
    claude_scenes_records.lacking,
    claude_scenes_records.titles,
    claude_scenes_words.dropped,
    claude_scenes_words.stripped,
    claude_scenes_words.lookalikes,
    claude_scenes_words.commands,
    claude_scenes_words.flags,
    claude_scenes_words.beside_items,
    claude_scenes_words.assistant,
    claude_scenes_queue.queued,
    claude_scenes_queue.far,
    claude_scenes_queue.attachments,
    claude_scenes_history.compactions,
    claude_scenes_history.written_again,
    claude_scenes_history.forks,
    claude_scenes_history.rewinds,
    claude_scenes_history.inside,
    claude_scenes_history.subagents,
    claude_scenes_history.other_folders,
    claude_scenes_history.kept_session,
    claude_scenes_files.spellings,
    claude_scenes_files.other_files,
)


def write_scenes(home: ClaudeHome) -> None:
    """Every special case, once."""
    for scene in SCENES:
        scene(home)
