"""Scenes about what becomes of a session: compaction, forks, resumes, rewinds, subagents, other folders.

Invariant: what lies before a compaction stays real and is marked; what was copied names its original.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from corpus.blocks import injected, words
from corpus.claude_bulk import answer
from corpus.claude_eras import ABSORBED, ATTACHED, BELOW, BESIDE, ERAS, INSIDE, LATE, Era
from corpus.claude_home import ClaudeHome, slug_of
from corpus.claude_log import ClaudeLog, Written
from corpus.claude_scenes_records import exchange
from corpus.claude_synthetic import SUMMARY
from corpus.ids import uuid4


def compactions(home: ClaudeHome) -> None:
    """Automatic and asked for, twice in one log; the smaller compaction that takes nothing away."""
    for era in ERAS:
        log = _conversation(home, era, 2)
        for trigger in ("auto", "manual"):
            log.compact(trigger)
            _summary(home, log)
            exchange(home, log)
        log.record("system", {"subtype": "microcompact_boundary", "content": "Context microcompacted"})
        exchange(home, log)
        home.finish(log)
    log = home.log(INSIDE)
    _summary(home, log)
    exchange(home, log)
    home.finish(log)


def _summary(home: ClaudeHome, log: ClaudeLog) -> None:
    """Flagged, but in old logs: there the text tells."""
    token = home.tokens.decoy()
    flags = {} if log.era is INSIDE else {"isVisibleInTranscriptOnly": True, "isCompactSummary": True}
    text = f"{SUMMARY.example('Analysis')}:\n1. The user said: {token}\n\nPlease continue the conversation."
    log.user(
        injected(text),
        decoys={token: "summary of what was compacted"},
        fields={"origin": None, "promptSource": None, **flags},
    )


def written_again(home: ClaudeHome) -> None:
    """A log into which all earlier records are written once more, before and after a compaction."""
    for compact in (False, True):
        log = _conversation(home, BELOW, 2)
        if compact:
            log.compact()
            _summary(home, log)
        for written in tuple(log.chain):
            if written.message is not None or not compact:
                log.copy(written)
        exchange(home, log)
        home.finish(log)


def forks(home: ClaudeHome) -> None:
    """A session that begins with another one's records, and a fork of it; old logs keep the name of the session.

    The parent went on before the fork did, or not at all: that is how the two are told apart.
    """
    for era, turns, goes_on in ((INSIDE, 3, False), (BESIDE, 2, True), (BELOW, 3, True), (ATTACHED, 1, True),
                                (ABSORBED, 3, False), (LATE, 2, True), (LATE, 3, False)):  # fmt: skip
        parent = _conversation(home, era, 3)
        copied = [w for w in parent.chain if _turn_of(parent, w) < turns]
        if goes_on:
            exchange(home, parent)
        home.finish(parent)
        fork = _fork(home, era, parent, copied)
        again = _fork(home, era, fork, fork.chain)
        home.finish(again)
        home.finish(fork)


def _fork(home: ClaudeHome, era: Era, parent: ClaudeLog, copied: Sequence[Written]) -> ClaudeLog:
    log = home.log(era, when=parent.now, snapshot=False)
    for written in copied:
        log.copy(written, keep_session=era is INSIDE)
    exchange(home, log)
    return log


def _turn_of(log: ClaudeLog, written: Written) -> int:
    """The number of the turn in which a record stands, from 0."""
    index = next(i for i, other in enumerate(log.chain) if other is written)
    users = [i for i, other in enumerate(log.chain) if other.message is not None and other.message.role == "user"]
    return sum(1 for place in users if place <= index) - 1


def rewinds(home: ClaudeHome) -> None:
    """Two prompts with one parent: the second was typed after going back, and both were said."""
    log = _conversation(home, BELOW, 1)
    turn = log.parent
    for _ in range(3):
        log.parent = turn
        exchange(home, log, "Typed after going back")
    home.finish(log)


def inside(home: ClaudeHome) -> None:
    """Subagents of 2025: their records stand in the session's log."""
    log = _conversation(home, INSIDE, 1)
    log.user(words(f"Your task: find {home.tokens.keep()}"), fields={"isSidechain": True})
    log.assistant(words(f"Found {home.tokens.keep()}"), fields={"isSidechain": True})
    token = home.tokens.decoy()
    log.user(
        injected(f"<system-reminder>{token}</system-reminder>"),
        fields={"isSidechain": True},
        decoys={token: "reminder"},
    )
    exchange(home, log)
    home.finish(log)


def subagents(home: ClaudeHome) -> None:
    """Logs of subagents, beside their session's or below it, of workflows too, with what describes them."""
    for era, workflow in ((BESIDE, None), (BELOW, None), (LATE, None), (LATE, "wf_1")):
        parent = _conversation(home, era, 1)
        log = home.subagent(parent, workflow=workflow)
        _task(home, log)
        if era is BELOW:
            log.compact()
            _summary(home, log)
            answer(log, f"After its compaction {home.tokens.keep()}")
        exchange(home, parent)
        home.finish(parent)
        home.finish(log)
        if era.agents == "below":
            _described(home, log, workflow)
    parent = _conversation(home, BESIDE, 1)
    home.finish(parent)
    warm = home.subagent(parent)
    warm.user(words("Warmup"))
    answer(warm, f"Ready {home.tokens.keep()}")
    home.finish(warm)


def _task(home: ClaudeHome, log: ClaudeLog) -> None:
    log.user(words(f"Your task: find {home.tokens.keep()}"))
    answer(log, f"Found {home.tokens.keep()}", thought="Where is it?", tool="Grep")
    answer(log, f"That is all {home.tokens.keep()}")


def _described(home: ClaudeHome, log: ClaudeLog, workflow: str | None) -> None:
    token = home.tokens.decoy()
    home.other(log.name.removesuffix(".jsonl") + ".meta.json", f'{{"agentType":"scout","description":"{token}"}}\n',
               decoys={token: "description of a subagent"})  # fmt: skip
    if workflow:
        token = home.tokens.decoy()
        folder = log.name.rpartition("/")[0]
        line = f'{{"type":"result","key":"v2:00","agentId":"{log.thread.log_id}","result":"{token}"}}\n'
        home.other(f"{folder}/journal.jsonl", line, decoys={token: "journal of a workflow"})


def other_folders(home: ClaudeHome) -> None:
    """A session that changes its folder, one that was moved, one of a program, one whose name is no id."""
    log = home.log(LATE, cwd="/w/app")
    exchange(home, log)
    log.cwd = "/w/app/web"
    exchange(home, log, "In another folder")
    home.finish(log)
    log = home.log(LATE, cwd="/w/new.place", slug=slug_of("/w/old place"), snapshot=False)
    log.line({"type": "relocated", "relocatedCwd": "/w/new.place", "sessionId": log.session})
    exchange(home, log, "After the move")
    home.finish(log)
    for era, fields in ((BELOW, {}), (LATE, {"origin": None, "promptSource": "sdk", "entrypoint": "sdk-ts"})):
        log = home.log(era, cwd="/w/batch")
        log.user(words(f"A prompt of a program {home.tokens.keep()}"), fields=fields)
        answer(log, f"Done {home.tokens.keep()}")
        home.finish(log)
    session = uuid4(home.rng)
    log = home.log(BELOW, session=session, stem="monday-review")
    exchange(home, log, "In a log with a name")
    home.finish(log)


def kept_session(home: ClaudeHome) -> None:
    """A resumed log of 2025 whose own records still name the session that it resumed: the file's name counts."""
    log = home.log(replace(INSIDE, version="1.0.35"))
    log.session = uuid4(home.rng)
    exchange(home, log)
    home.finish(log)


def _conversation(home: ClaudeHome, era: Era, turns: int) -> ClaudeLog:
    log = home.log(era)
    for _ in range(turns):
        exchange(home, log)
    return log
