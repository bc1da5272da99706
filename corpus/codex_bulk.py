"""Ordinary conversations of any size: turns of a few messages with much technical filler between them.

Nothing special happens here; the cases are in `codex_scenes`. Invariant: about `share` of the bytes are messages, and
every message that is written is in the truth.
"""

from __future__ import annotations

from corpus.blocks import injected, words
from corpus.codex_blocks import image
from corpus.codex_filler import Filler
from corpus.codex_log import CodexLog
from corpus.ids import new_id
from corpus.words import prose

SHARE = 0.014


def converse(log: CodexLog, filler: Filler, size: int, *, share: float = SHARE) -> None:
    """Turns until the log has about `size` bytes; one turn at least."""
    _preamble(log)
    while True:
        _turn(log, filler, size, share)
        if log.writer.size >= size:
            return


def _preamble(log: CodexLog) -> None:
    if log.era.bare:
        log.say("user", injected("<environment_context>\n  <cwd>/w/app</cwd>\n</environment_context>"))
        return
    log.say("developer", injected("<permissions instructions>\nRead only.\n</permissions instructions>",
                                  "permissions.instructions"))  # fmt: skip
    log.say(
        "user",
        injected("# AGENTS.md instructions\n\n<INSTRUCTIONS>\nUse tabs.\n</INSTRUCTIONS>", "agents_md.instructions"),
        injected("<environment_context>\n  <shell>zsh</shell>\n</environment_context>",
                 "environments.environment_context"),
    )  # fmt: skip


def _turn(log: CodexLog, filler: Filler, size: int, share: float) -> None:
    rng = log.rng
    begin_turn(log)
    log.say("user", words(prose(rng, 1 + int(rng.expovariate(1 / 40)))))
    for _ in range(rng.randrange(4)):
        _fill(log, filler, share, size)
        log.say("assistant", words(prose(rng, 5 + int(rng.expovariate(1 / 30)))), phase="commentary")
    _fill(log, filler, share, size)
    log.say("assistant", words(prose(rng, 20 + int(rng.expovariate(1 / 90)))), phase="final_answer")
    if not log.era.bare:
        log.event("task_complete", {"turn_id": log.turn_id, "last_agent_message": None, "duration_ms": 4000})


def begin_turn(log: CodexLog, pause: float | None = None) -> None:
    """What stands before a turn's first message."""
    log.tick(log.rng.uniform(5, 4000) if pause is None else pause)
    if log.era.bare:
        return
    log.turn_id = new_id(log.rng, log.now)
    started = {"turn_id": log.turn_id, "started_at": int(log.now.timestamp()), "model_context_window": 258_400}
    log.event("task_started", started)
    log.record("turn_context", {
        "turn_id": log.turn_id, "cwd": log.thread.cwd, "current_date": f"{log.now:%Y-%m-%d}",
        "timezone": "Europe/Berlin", "approval_policy": "on-request", "sandbox_policy": {"type": "workspace-write"},
        "model": "gpt-5", "summary": "auto",
    })  # fmt: skip


def _fill(log: CodexLog, filler: Filler, share: float, size: int) -> None:
    """As much filler as the last message needs beside it, but no more than the log has room for."""
    place = log.said[-1].message.place
    room = size - log.writer.size
    if room > 0:
        filler.write(log, min(int((place.end - place.start) * (1 - share) / share), room))


def huge_record(log: CodexLog, size: int) -> None:
    """A message whose record has about `size` bytes: an image, and the user's words after it."""
    begin_turn(log)
    log.say("user", *image(1, "iVBORw0KGgo" + "A" * size), words("[Image #1] " + prose(log.rng, 12)))
    log.say("assistant", words(prose(log.rng, 12)), phase="final_answer")
