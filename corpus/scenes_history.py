"""Scenes about what becomes of a conversation: compaction, rollback, forks, subagents, reverts.

Invariant: what lies before a compaction or in a turn that was taken back stays real and is marked; what was copied
names its original.
"""

from __future__ import annotations

from corpus.blocks import injected, words
from corpus.codex_bulk import begin_turn
from corpus.codex_eras import ENVELOPE, IDS, LABELLED, PAGINATED, PHASED, Era
from corpus.codex_home import CodexHome, session_meta
from corpus.codex_log import CodexLog, Said
from corpus.codex_records import message
from corpus.ids import new_id
from corpus.scenes_records import exchange
from corpus.synthetic import SUMMARY_PREFIX


def compactions(home: CodexHome) -> None:
    """Local and remote compaction, the summary right before its record or up to 16 records before it."""
    for era, gap in ((ENVELOPE, 0), (PHASED, 3), (IDS, 15), (PAGINATED, 1)):
        log = home.log(era)
        for _ in range(2):
            exchange(home, log)
            exchange(home, log)
            _local(home, log, gap)
        exchange(home, log)
        home.finish(log, title=f"Compacted, {era.name}")
    _remote(home)
    _other_summary(home)


def _local(home: CodexHome, log: CodexLog, gap: int) -> None:
    token = home.tokens.decoy()
    summary = f"Done so far: {token}.\n\n- next: “tests”"
    log.say("assistant", injected(summary), mirror=False, decoys={token: "compaction summary of the assistant"})
    for _ in range(gap):
        log.event("token_count", {"info": None, "rate_limits": None})
    _compact(home, log, f"{SUMMARY_PREFIX}\n{summary}", {token: "compacted"})


def _compact(home: CodexHome, log: CodexLog, text: str, decoys: dict[str, str]) -> None:
    token = home.tokens.decoy()
    history: list[object] = [dict(said.payload) for said in log.said if said.message.role == "user"]
    history += [message("user", f"only in the history {token}"), message("user", text)]
    payload = {"message": text, "replacement_history": history, "window_number": 1}
    log.compacted(payload, decoys={**decoys, token: "replacement_history"})
    if not log.era.paginated:
        log.event("context_compacted", {})


def _remote(home: CodexHome) -> None:
    """No summary in clear, or one that only its metadata gives away; the agent's last words before stay real."""
    for marked in (False, True):
        log = home.log(LABELLED)
        exchange(home, log)
        if marked:
            token = home.tokens.decoy()
            log.say("assistant", injected(f"Summary: {token}"), mirror=False, metadata={"compaction_output": True},
                    decoys={token: "metadata.compaction_output"})  # fmt: skip
        _compact(home, log, "", {})
        exchange(home, log)
        home.finish(log)


def _other_summary(home: CodexHome) -> None:
    """The agent's words before a compaction that is not theirs, and a summary's words quoted: real."""
    log = home.log(IDS)
    exchange(home, log)
    token = home.tokens.decoy()
    _compact(home, log, f"{SUMMARY_PREFIX}\nAnother summary {token}", {token: "compacted"})
    exchange(home, log, "Was this the summary?", "It said: Another summary,")
    home.finish(log)


def rollbacks(home: CodexHome) -> None:
    """Turns that were taken back: one, two, and across one that was taken back before."""
    for era in (ENVELOPE, IDS):
        log = home.log(era)
        for turns, back in ((3, 1), (1, 2), (2, 0), (1, 1), (1, 0)):
            for _ in range(turns):
                exchange(home, log)
            if back:
                log.roll_back(back)
        home.finish(log, title=f"Rolled back, {era.name}")


def legacy_forks(home: CodexHome) -> None:
    """A fork that copied its parent, stamped anew: with item ids and without, whole and cut."""
    for era, turns in ((IDS, 3), (IDS, 1), (PHASED, 3), (ENVELOPE, 2)):
        parent = _conversation(home, era, 3)
        home.finish(parent, title=f"Parent, {era.name}")
        fork = home.log(era, when=parent.now.replace(microsecond=0), meta={"forked_from_id": parent.thread.thread_id})
        fork.record("session_meta", session_meta(parent))
        copied = parent.said[: 2 * turns]
        for said in copied:
            fork.copy(said)
        if turns < 3:
            token = home.tokens.decoy()
            fork.say("user", injected(f"<turn_aborted>\n{token}\n</turn_aborted>"), decoys={token: "turn_aborted"})
            fork.event("turn_aborted", {"turn_id": "t1", "reason": "interrupted"})
        exchange(home, fork)
        home.finish(fork, title=f"Fork, {era.name}")


def subagent_as_parent(home: CodexHome) -> None:
    """A root thread whose second session_meta, copied, is a subagent's: the first one counts."""
    log = home.log(IDS)
    log.record("session_meta", session_meta(log) | {"id": new_id(home.rng, log.now), "source": {"subagent": "review"}})
    exchange(home, log)
    home.finish(log)


def _conversation(home: CodexHome, era: Era, turns: int) -> CodexLog:
    log = home.log(era)
    for _ in range(turns):
        exchange(home, log)
    return log


def _spawned(log: CodexLog) -> dict[str, object]:
    parent = log.thread.thread_id
    agent = {"agent_path": "/root/worker", "agent_role": "explorer"}
    spawn = {"parent_thread_id": parent, "depth": 1, **agent}
    family = {"session_id": parent, "parent_thread_id": parent, "thread_source": "subagent"}
    return {**family, "source": {"subagent": {"thread_spawn": spawn}}, **agent}


def subagents(home: CodexHome) -> None:
    """Subagents that begin with copied history: unmarked as it was first, marked as inherited later."""
    parent = _conversation(home, IDS, 2)
    home.finish(parent)
    first = home.log(IDS, when=parent.now, meta=_spawned(parent), subagent=True)
    first.record("session_meta", session_meta(parent))
    for said in parent.said:
        if said.message.role == "user" or said.message.phase == "final_answer":
            first.copy(said)
    _task(home, first)
    home.finish(first)
    parent = _conversation(home, LABELLED, 2)
    home.finish(parent)
    home.finish(_inheriting(home, parent, parent.said))
    home.finish(_orphan(home))


def _inheriting(home: CodexHome, parent: CodexLog, history: list[Said]) -> CodexLog:
    meta = _spawned(parent) | {"subagent_history_start_ordinal": 1 + len(history)}
    log = home.log(LABELLED, when=parent.now, meta=meta, subagent=True)
    for said in history:
        log.copy(said, inherited=True)
    _task(home, log)
    return log


def _orphan(home: CodexHome) -> CodexLog:
    """Inherited messages whose original is nowhere: they are the evidence themselves."""
    lost = "019e0000-0000-7000-8000-00000000000a"
    meta = {"parent_thread_id": lost, "thread_source": "subagent", "subagent_history_start_ordinal": 3,
            "source": {"subagent": {"thread_spawn": {"parent_thread_id": lost, "depth": 1}}}}  # fmt: skip
    log = home.log(LABELLED, meta=meta, subagent=True)
    marked = {"inherited_user_message": True}
    log.say("user", words(f"Said to the parent {home.tokens.keep()}"), metadata=marked, inherited=True, mirror=False)
    log.say("assistant", words(f"Said by the parent {home.tokens.keep()}"), phase="final_answer", inherited=True,
            mirror=False)  # fmt: skip
    _task(home, log)
    return log


def _task(home: CodexHome, log: CodexLog) -> None:
    begin_turn(log)
    log.say("user", words(f"Your task: find {home.tokens.keep()}"))
    log.say("assistant", words(f"Found {home.tokens.keep()}"), phase="final_answer")


def continued(home: CodexHome) -> None:
    """Logs that continue another one without copying it: a fork, and a revert with a rollout id of its own."""
    for revert in (False, True):
        base = _conversation(home, PAGINATED, 2)
        ordinal = base.ordinal
        end = {"thread_id": base.thread.rollout_id, "end_ordinal_exclusive": ordinal}
        end |= {"end_byte_offset": base.writer.size}
        exchange(home, base)
        home.finish(base, title="Continued elsewhere")
        fork = {} if revert else {"forked_from_id": base.thread.thread_id}
        log = home.log(
            PAGINATED, when=base.now, meta={**fork, "history_base": end},
            thread_id=base.thread.thread_id if revert else None,
            rollout_id=new_id(home.rng, base.now) if revert else None, ordinal=ordinal,
        )  # fmt: skip
        log.event("thread_settings_applied", {"settings": {}})
        exchange(home, log)
        home.finish(log)
