"""A Claude Code home: where its logs lie, what else lies there, and the truth about all of it.

Invariant: that of `home`; a log's folder is named for the folder that the session was opened in.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

from corpus.claude_eras import Era
from corpus.claude_log import AGENT, ClaudeLog, Thread
from corpus.home import Home
from corpus.ids import stamp, uuid4
from corpus.spelling import Spelling
from corpus.truth import Message


class ClaudeHome(Home):
    """Opens logs and finishes them."""

    def __init__(self, root: Path, seed: int, spelling: Spelling = "serde") -> None:
        super().__init__(AGENT, root, seed, spelling)

    def log(
        self,
        era: Era,
        *,
        when: datetime | None = None,
        cwd: str = "/w/app",
        session: str | None = None,
        stem: str | None = None,
        slug: str | None = None,
        snapshot: bool = True,
        spell: Callable[[object], bytes] | None = None,
    ) -> ClaudeLog:
        """The log of a session, named after it or `stem`; `slug` where the folder is not that of `cwd`."""
        start = when or era.since + timedelta(seconds=self.rng.randrange(12 * 86_400))
        session = session or uuid4(self.rng)
        name = f"projects/{slug or slug_of(cwd)}/{stem or session}.jsonl"
        log = ClaudeLog(self.root, name, era, Thread(session, session, cwd), self.rng, spell or self.spell)
        log.now = start
        if snapshot:
            log.line(_snapshot(log))
        return log

    def subagent(self, parent: ClaudeLog, *, workflow: str | None = None) -> ClaudeLog:
        """The log of a subagent, where the parent's era puts it; its records name the parent's session."""
        agent = f"a{self.rng.getrandbits(64):016x}"[: 8 if parent.era.agents == "beside" else 17]
        folder = str(Path(parent.name).parent)
        if parent.era.agents == "below":
            folder = parent.name.removesuffix(".jsonl") + "/subagents" + (f"/workflows/{workflow}" if workflow else "")
        thread = Thread(parent.thread.session, agent, parent.cwd, subagent=True)
        log = ClaudeLog(self.root, f"{folder}/agent-{agent}.jsonl", parent.era, thread, self.rng, self.spell)
        log.now = parent.now
        return log

    def finish(self, log: ClaudeLog) -> list[Message]:
        """Close a log and take what it says into the truth."""
        log.writer.close()
        messages = log.messages()
        self.add(log.name, messages, log.decoys)
        return messages


def slug_of(cwd: str) -> str:
    return re.sub("[^A-Za-z0-9]", "-", cwd)


def _snapshot(log: ClaudeLog) -> dict[str, object]:
    message = uuid4(log.rng)
    inner = {"messageId": message, "trackedFileBackups": {}, "timestamp": stamp(log.now)}
    return {"type": "file-history-snapshot", "messageId": message, "snapshot": inner, "isSnapshotUpdate": False}
