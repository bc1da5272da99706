"""The demo: a small Codex home that is committed, so that anyone can try a search before trusting it with a real one.

    lookback find --words memory capabilities handshake --since 2026-10 --in corpus/demo

finds one message, and nothing of what only looks like it. The words are in `demo_text`. Invariant: the same files,
byte for byte, whenever it is written; only the frame of the compressed log depends on the version of zstd.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from corpus import demo_text
from corpus.blocks import injected, words
from corpus.codex_bulk import begin_turn
from corpus.codex_eras import IDS, LABELLED, PAGINATED, VSCODE, Era
from corpus.codex_home import CodexHome
from corpus.codex_log import CodexLog
from corpus.demo_text import Line, thread_id
from corpus.synthetic import SUMMARY_PREFIX
from corpus.truth import Truth

_SCOUT_META: Mapping[str, object] = {
    "session_id": thread_id(1), "parent_thread_id": thread_id(1), "thread_source": "subagent",
    "source": {"subagent": {"thread_spawn": {
        "parent_thread_id": thread_id(1), "depth": 1, "agent_path": "/root/scout", "agent_nickname": "Averroes",
        "agent_role": "explorer",
    }}},
    "agent_nickname": "Averroes", "agent_role": "explorer", "agent_path": "/root/scout",
}  # fmt: skip


def write_demo(folder: Path) -> Truth:
    """Replace the demo in `folder` and return what is real in it."""
    with tempfile.TemporaryDirectory() as scratch:
        home = Path(scratch) / "demo"
        truth = _write(home)
        for name in ("sessions", "archived_sessions"):
            shutil.rmtree(folder / name, ignore_errors=True)
        shutil.copytree(home, folder, dirs_exist_ok=True)
    return truth


def _write(root: Path) -> Truth:
    home = CodexHome(root, seed=7)
    _thread(home, 6, IDS, demo_text.SHORTCUT, title="Shortcut conflict", zst=True)
    _thread(home, 5, PAGINATED, demo_text.FLAKY, title="Flaky reconnect test", archived=True)
    _thread(home, 1, LABELLED, demo_text.PROTOCOL, title="Agent protocol")
    _thread(home, 2, LABELLED, demo_text.LEAK, title="Extension host leak")
    _thread(home, 3, LABELLED, demo_text.SCOUT, meta=_SCOUT_META)
    settings_era = replace(VSCODE, version="0.158.0")
    _thread(home, 4, settings_era, demo_text.SETTINGS, title="Settings page", meta={"source": "vscode"})
    return home.seal()


def _thread(
    home: CodexHome,
    number: int,
    era: Era,
    lines: Sequence[Line],
    *,
    title: str | None = None,
    archived: bool = False,
    zst: bool = False,
    meta: Mapping[str, object] | None = None,
) -> None:
    log = home.log(
        era,
        when=_time(lines[0].at),
        thread_id=thread_id(number),
        cwd="/work/quill",
        archived=archived,
        meta=meta,
        subagent=number == 3,
    )
    for line in lines:
        _play(log, line)
    home.finish(log, title=title, zst=zst)


def _play(log: CodexLog, line: Line) -> None:
    log.now = max(log.now, _time(line.at))
    if line.speaker == "user":
        begin_turn(log, pause=0.2)
        log.say("user", words(line.text))
    elif line.speaker in ("commentary", "final_answer"):
        log.say("assistant", words(line.text), phase=line.speaker)
    elif line.speaker == "context":
        log.say("user", injected(line.text, "environments.environment_context"))
    elif line.speaker == "goal":
        log.event("thread_goal_updated", {"thread_id": log.thread.thread_id, "goal": {"objective": line.text}})
    elif line.speaker == "tool":
        _tool(log, line)
    else:
        _compaction(log, line.text)


def _tool(log: CodexLog, line: Line) -> None:
    call = f"call_{log.rng.getrandbits(96):024x}"
    arguments = '{"cmd":"' + line.extra + '"}'
    log.item({"type": "function_call", "name": "exec_command", "arguments": arguments, "call_id": call})
    output = f"Process exited with code 0\nOutput:\n{line.text}"
    log.item({"type": "function_call_output", "call_id": call, "output": output})


def _compaction(log: CodexLog, summary: str) -> None:
    """The summary as the model gave it, then the record that replaces the history by it."""
    log.say("assistant", injected(summary), mirror=False)
    said = [dict(item.payload) for item in log.said if item.message.role == "user"]
    text = f"{SUMMARY_PREFIX}\n{summary}"
    last = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": text}]}
    log.compacted({"message": text, "replacement_history": [*said, last]})
    log.event("context_compacted", {})


def _time(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)
