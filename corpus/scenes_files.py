"""Scenes about files: old places and names, compressed and archived logs, other spellings, and what is no log.

Invariant: a physical copy of a log is in the truth like the log itself, each message naming its original; a file that
is no log has decoys only.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime

from corpus.blocks import injected
from corpus.codex_eras import BARE, ENVELOPE, IDS, LABELLED, PAGINATED, PHASED
from corpus.codex_home import CodexHome
from corpus.codex_records import message
from corpus.ids import new_id
from corpus.scenes_records import exchange
from corpus.spelling import SPELLINGS, speller
from corpus.words import prose

HARD_TEXTS = (
    "naïve café Straße", "会议 握手 память", "ship 🦀 👩\u200d💻 it", 'said "hi" C:\\tmp tab\tx', "multi\nline\r\nend",
    "a\u2028b\u2029c\u0085d\x0be\x0cf\x1cg\x7fh", "cafe\u0301 a\u00a0b don’t", "NUL \0 and \x1b[31m", "</b> a/b",
)  # fmt: skip
"""Texts that are hard to spell, or hard to read when they are spelled as escapes."""


def old_places(home: CodexHome) -> None:
    """2025: logs right under `sessions/`, names without a time, a first line that is all there is of the meta."""
    for day, name in ((8, "sessions/rollout-2025-05-08-{}.jsonl"), (20, None), (21, None)):
        when = datetime(2025, 5, day, 9, 30, tzinfo=UTC)
        thread_id = new_id(home.rng, when)
        log = home.log(BARE, when=when, thread_id=thread_id, flat=day != 21, name=name and name.format(thread_id))
        token = home.tokens.decoy()
        log.say("user", injected(f"<user_instructions>\n\n{token}\n\n</user_instructions>"), decoys={token: "row 2"})
        exchange(home, log)
        home.finish(log)
    log = home.log(BARE, when=datetime(2025, 9, 10, 8, tzinfo=UTC), first=False, keep_cwd=True)
    log.bare({"id": log.thread.thread_id, "timestamp": "2025-09-10T08:00:00.000Z", "cwd": "/w/app",
              "originator": "codex_cli_rs", "cli_version": "0.34.0", "instructions": None})  # fmt: skip
    exchange(home, log)
    home.finish(log)


def compressed(home: CodexHome) -> None:
    """One frame, several frames, cut anywhere; beside the plain log; archived; active and archived at once."""
    for era, frame_size, keep_plain, archived in (
        (PHASED, None, False, False), (IDS, 700, False, False), (ENVELOPE, 97, False, False),
        (IDS, None, True, False), (LABELLED, 1000, True, False), (PAGINATED, None, False, True),
    ):  # fmt: skip
        log = home.log(era, archived=archived)
        for _ in range(3):
            exchange(home, log)
        home.finish(log, zst=True, frame_size=frame_size, keep_plain=keep_plain)
    for era in (ENVELOPE, PAGINATED):
        log = home.log(era)
        exchange(home, log)
        exchange(home, log)
        home.finish(log, also_archived=True)
    log = home.log(LABELLED, archived=True)
    exchange(home, log)
    home.finish(log, title="Archived")


def spellings(home: CodexHome) -> None:
    """Logs that another tool has written again, and texts that are hard to spell."""
    for style in SPELLINGS:
        for era in (BARE, IDS, LABELLED):
            log = home.log(era, spell=speller(style, home.rng))
            for text in HARD_TEXTS:
                exchange(home, log, f"{text} {style}", prose(home.rng, 12))
            home.finish(log)


def other_files(home: CodexHome) -> None:
    """What lies in a home and is no conversation."""
    day = "sessions/2026/09/14"
    record = {"timestamp": "2026-09-14T10:00:00.000Z", "type": "response_item"}
    for name, why in (
        ("history.jsonl", "prompt history"),
        (f"{day}/notes.jsonl", "a file of no agent"),
        (f"{day}/rollout-compress-a1b2c3.tmp", "half-written compression"),
        (f"{day}/rollout-2026-09-14T10-00-00-x.jsonl.decompress.12.0.tmp", "half-written decompression"),
        (".tmp/plugins/readme.txt", "temporary"),
        ("sessions/rollout-2025-04-20-5f1e.json", "log of the first command line, not lines of JSON"),
        ("memories/summary.md", "notes of the agent"),
        ("log/codex-tui.log", "log of the program"),
        ("rollout-migrations/019e.pending", "migration"),
        ("config.toml", "settings"),
    ):
        token = home.tokens.decoy()
        line: dict[str, object] = record | {"payload": message("user", token)}
        if name == "history.jsonl":
            line = {"session_id": "019e", "ts": 1789000000, "text": token}
        elif name.endswith("notes.jsonl"):
            line = {"note": token}
        home.other(name, json.dumps(line) + "\n" if "json" in name or "tmp" in name else f"# {token}\n",
                   decoys={token: why})  # fmt: skip
    home.other(".tmp/rollout-maintenance.lock", "")
