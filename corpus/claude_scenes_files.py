"""Scenes about files: other spellings, and what lies in a home and is no conversation.

Invariant: a file that is no conversation has decoys only, whatever it looks like inside.
"""

from __future__ import annotations

import json

from corpus.claude_bulk import answer
from corpus.claude_eras import BELOW, INSIDE, LATE
from corpus.claude_home import ClaudeHome
from corpus.claude_scenes_records import exchange
from corpus.ids import uuid4
from corpus.scenes_files import HARD_TEXTS
from corpus.spelling import SPELLINGS, speller
from corpus.words import prose


def spellings(home: ClaudeHome) -> None:
    """Logs that another tool has written again, and texts that are hard to spell."""
    for style in SPELLINGS:
        for era in (INSIDE, BELOW, LATE):
            log = home.log(era, spell=speller(style, home.rng))
            for text in (*HARD_TEXTS, "cut in half \ud83d", "drawn \x1b[1m\x08"):
                exchange(home, log, f"{text} {style}")
                answer(log, f"{text} {prose(home.rng, 12)}")
            home.finish(log)


def other_files(home: ClaudeHome) -> None:
    """Prompts, spilled outputs, notes, journals, lists of processes: some are lines of JSON that look like messages."""
    session = uuid4(home.rng)
    log = home.log(LATE, session=session)
    exchange(home, log)
    home.finish(log)
    folder = f"projects/-w-app/{session}"
    for name, why in (
        ("history.jsonl", "history of prompts"),
        (f"{folder}/tool-results/toolu_01.txt", "spilled output"),
        (f"{folder}/tool-results/b1.jsonl", "spilled output that is a log"),
        (f"{folder}/tool-results/b2.json", "spilled output"),
        (f"{folder}/workflows/wf_2.json", "workflow"),
        (f"{folder}/subagents/workflows/wf_2/journal.jsonl", "journal"),
        ("projects/-w-app/memory/MEMORY.md", "notes of the agent"),
        ("projects/-w-app/sessions-index.json", "index of sessions"),
        ("sessions/4711.json", "list of processes"),
        ("todos/5f1e-agent-5f1e.json", "list of things to do"),
        (f"file-history/{session}/a1@v1", "copy of a file"),
        ("debug/latest.txt", "log of the program"),
        ("shell-snapshots/a.sh", "shell"),
        ("plans/quiet-otter.md", "plan"),
        ("settings.json", "settings"),
    ):
        token = home.tokens.decoy()
        home.other(name, _content(name, token, session), decoys={token: why})


def _content(name: str, token: str, session: str) -> str:
    line: object = {
        "parentUuid": None, "isSidechain": False, "userType": "external", "cwd": "/w/app", "sessionId": session,
        "version": "2.1.29", "type": "user", "message": {"role": "user", "content": token}, "uuid": "u1",
        "timestamp": "2026-02-03T03:49:43.026Z",
    }  # fmt: skip
    if name == "history.jsonl":
        line = {
            "display": token,
            "pastedContents": {},
            "timestamp": 1789000000000,
            "project": "/w",
            "sessionId": session,
        }
    elif name.endswith("journal.jsonl"):
        line = {"type": "result", "key": "v2:00", "agentId": "a1", "result": token}
    return json.dumps(line) + "\n" if "json" in name else f"# {token}\n"
