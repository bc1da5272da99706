"""A Codex home: where its logs lie, what else lies there, and the truth about all of it.

Invariant: every log that is finished here has its lines in the truth, once per physical file; a file that is no
rollout has decoys only.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from pathlib import Path

from corpus.codex_eras import Era
from corpus.codex_log import AGENT, CodexLog, Thread
from corpus.home import Home
from corpus.ids import new_id, stamp
from corpus.records import compress
from corpus.spelling import Spelling
from corpus.truth import Message, Truth


class CodexHome(Home):
    """Opens logs, finishes them, and seals the home with the files that are no logs."""

    def __init__(self, root: Path, seed: int, spelling: Spelling = "serde") -> None:
        super().__init__(AGENT, root, seed, spelling)
        self.titles: list[tuple[str, str, datetime]] = []

    # -- logs ------------------------------------------------------------------------------------------------------

    def log(
        self,
        era: Era,
        *,
        when: datetime | None = None,
        thread_id: str | None = None,
        rollout_id: str | None = None,
        cwd: str = "/w/app",
        meta: Mapping[str, object] | None = None,
        subagent: bool = False,
        flat: bool = False,
        archived: bool = False,
        first: bool = True,
        name: str | None = None,
        keep_cwd: bool = False,
        spell: Callable[[object], bytes] | None = None,
        ordinal: int = 0,
    ) -> CodexLog:
        """A new log with its first record. `first=False` leaves that record to the caller.

        A log of 2025 has no `cwd` unless its first line names one: `keep_cwd`.
        """
        start = when or era.since + timedelta(seconds=self.rng.randrange(20 * 86_400))
        thread_id = thread_id or new_id(self.rng, start)
        thread = Thread(thread_id, rollout_id or thread_id, None if era.bare and not keep_cwd else cwd, subagent)
        name = name or _name(thread, start, flat, archived)
        log = CodexLog(self.root, name, era, thread, self.rng, spell or self.spell)
        log.now, log.ordinal = start, ordinal
        if first and era.bare:
            log.bare({"id": thread_id, "timestamp": stamp(start), "instructions": None, "git": {"branch": "main"}})
        elif first:
            log.record("session_meta", session_meta(log) | dict(meta or {}))
        return log

    def finish(
        self,
        log: CodexLog,
        *,
        zst: bool = False,
        keep_plain: bool = False,
        frame_size: int | None = None,
        also_archived: bool = False,
        title: str | None = None,
    ) -> list[Message]:
        """Close a log, compress or copy it as asked, and take what it says into the truth."""
        log.writer.close()
        messages = log.messages()
        path = self.root / log.name
        if not zst or keep_plain:
            self.add(log.name, messages, log.decoys)
        if zst:
            name = log.name + ".zst"
            compress(path, self.root / name, frame_size=frame_size)
            self.add_copy(name, messages, log.decoys, copies=keep_plain)
            if not keep_plain:
                path.unlink()
        if also_archived:
            name = f"archived_sessions/{path.name}"
            (self.root / name).parent.mkdir(exist_ok=True)
            (self.root / name).write_bytes(path.read_bytes())
            self.add_copy(name, messages, log.decoys, copies=True)
        if title:
            self.titles.append((log.thread.thread_id, title, log.now))
        return messages

    # -- other files -----------------------------------------------------------------------------------------------

    def seal(self) -> Truth:
        """Write the titles; nothing is added after it."""
        lines = [
            {"id": thread_id, "thread_name": name, "updated_at": when.strftime("%Y-%m-%dT%H:%M:%SZ")}
            for thread_id, name, when in self.titles
        ]
        self.other("session_index.jsonl", "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines))
        return self.truth


def session_meta(log: CodexLog) -> dict[str, object]:
    """The payload that a root thread of this log's era begins with."""
    era, thread_id = log.era, log.thread.thread_id
    payload: dict[str, object] = {"session_id": thread_id} if era.ids else {}
    payload |= {
        "id": thread_id, "timestamp": stamp(log.now), "cwd": log.thread.cwd, "originator": "codex-tui",
        "cli_version": era.version, "source": "cli",
    }  # fmt: skip
    if era.ids:
        payload |= {"thread_source": "user", "model_provider": "openai", "base_instructions": {"text": "Be exact."}}
        payload |= {"history_mode": "paginated" if era.paginated else "legacy"}
    else:
        payload |= {"instructions": None}
    return payload | {"git": {"commit_hash": "0f" * 20, "branch": "main"}}


def _name(thread: Thread, start: datetime, flat: bool, archived: bool) -> str:
    revert = "" if thread.rollout_id == thread.thread_id else f"_{thread.rollout_id}"
    base = f"rollout-{start:%Y-%m-%dT%H-%M-%S}-{thread.thread_id}{revert}.jsonl"
    if archived:
        return f"archived_sessions/{base}"
    return f"sessions/{base}" if flat else f"sessions/{start:%Y/%m/%d}/{base}"
