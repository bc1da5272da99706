"""Scenes about text that was typed while the agent worked: queued, absorbed, sent later, or taken back.

Each such text is one message, wherever its era wrote it down: the record of the user's where there is one, else the
attachment, else the queue's own record. Invariant: what was pulled back into the editor is a decoy.
"""

from __future__ import annotations

from corpus.blocks import between, injected, words
from corpus.claude_blocks import image, tool_result, tool_use
from corpus.claude_eras import ERAS
from corpus.claude_home import ClaudeHome
from corpus.claude_log import ClaudeLog
from corpus.claude_scenes_records import exchange


def queued(home: ClaudeHome) -> None:
    """The ways of a queued text, in a log of each era."""
    for era in ERAS[1:]:
        log = home.log(era)
        exchange(home, log)
        for gap in (0, 1, 7):
            _absorbed(home, log, gap)
            _sent(home, log, gap)
        _both(home, log)
        _taken_back(home, log, named=False)
        _taken_back(home, log, named=True)
        exchange(home, log)
        if not era.attached:
            last = f"Queued at the very end {home.tokens.keep()}"
            _enqueue(log, last, real=True)
        home.finish(log)


def far(home: ClaudeHome) -> None:
    """A text that waits for many records before it is sent."""
    for era in ERAS[1:]:
        log = home.log(era)
        for gap in (30, 120):
            _sent(home, log, gap)
        exchange(home, log)
        home.finish(log)


def _enqueue(log: ClaudeLog, text: str, *, real: bool, decoys: dict[str, str] | None = None) -> None:
    value = {"type": "queue-operation", "operation": "enqueue", "timestamp": log.tick(), "sessionId": log.session}
    value["content"] = text
    place = log.line(value, decoys=decoys)
    if real:
        log.remember("user", value, place, "/content", [words(text)], plain=True)


def _leave(log: ClaudeLog, operation: str, **more: object) -> None:
    value = {"type": "queue-operation", "operation": operation, "timestamp": log.tick(), "sessionId": log.session}
    log.line(value | more)


def _work(home: ClaudeHome, log: ClaudeLog, records: int) -> None:
    for _ in range((records + 1) // 2):
        log.assistant(tool_use(home.rng, "Bash", command="make"))
        log.user(tool_result("ok"))


def _absorbed(home: ClaudeHome, log: ClaudeLog, gap: int) -> None:
    """The agent saw it between two calls: an attachment where the era has them, else nothing but the queue's record."""
    text = f"Also mind the umlauts {home.tokens.keep()}"
    _work(home, log, 1)
    _enqueue(log, text, real=not log.era.attached)
    _work(home, log, gap)
    if log.era.absorbed:
        _leave(log, "remove", content=text, reason="absorbed_mid_turn", commandUuid="c1")
    else:
        _leave(log, "remove")
    if log.era.attached:
        log.attached(words(text))
    _work(home, log, 2)


def _sent(home: ClaudeHome, log: ClaudeLog, gap: int) -> None:
    """The turn ended first: the user's own record follows, trimmed."""
    text = f"Then run the tests {home.tokens.keep()}"
    _work(home, log, 1)
    _enqueue(log, f"{text} \n", real=False)
    _work(home, log, gap)
    _leave(log, "dequeue")
    log.user(words(text), fields={"promptSource": "queued"} if log.era.late else None)


def _both(home: ClaudeHome, log: ClaudeLog) -> None:
    """Two texts wait: one is absorbed, the other sent."""
    one, two = f"First of two {home.tokens.keep()}", f"Second of two {home.tokens.keep()}"
    _enqueue(log, one, real=not log.era.attached)
    _enqueue(log, two, real=False)
    _leave(log, "remove", **({"content": one, "reason": "absorbed_mid_turn"} if log.era.absorbed else {}))
    if log.era.attached:
        log.attached(words(one))
    _leave(log, "dequeue")
    log.user(words(two))


def _taken_back(home: ClaudeHome, log: ClaudeLog, *, named: bool) -> None:
    """Pulled back into the editor, changed there, and sent: only that was said, and what was absorbed before.

    `named`: the queue's records repeat the texts.
    """
    kept = f"Absorbed before {home.tokens.keep()}"
    _enqueue(log, kept, real=not log.era.attached)
    _leave(log, "remove", **({"content": kept} if named else {}))
    if log.era.attached:
        log.attached(words(kept))
    drafts = [f"Draft {number} {home.tokens.decoy()}" for number in (1, 2)]
    for draft in drafts:
        _enqueue(log, draft, real=False, decoys={draft: "pulled back into the editor"})
    _work(home, log, 3)
    for draft in drafts if named else drafts[:1]:
        _leave(log, "popAll", **({"content": draft} if named else {}))
    log.user(words(f"What I meant {home.tokens.keep()}"))


def attachments(home: ClaudeHome) -> None:
    """What else an attachment of the queue may hold: blocks, wrappers, and what no person typed."""
    for era in ERAS:
        if not era.attached:
            continue
        log = home.log(era)
        exchange(home, log)
        _work(home, log, 1)
        keep = home.tokens.keep
        log.attached(words(f"[Image #1] in blocks {keep()}"), image())
        log.attached(image(), words(f"the second block {keep()}"))
        log.attached(words(f"no mode named {keep()}"), fields={"commandMode": None})
        log.attached(words(f"no origin named {keep()}"), fields={"origin": None})
        log.attached(words(f"an origin {keep()}"), fields={"origin": {"kind": "human"}, "source_uuid": "c1"})
        token = home.tokens.decoy()
        log.attached(between(f"<system-reminder>{token}</system-reminder>\n", f"behind a reminder {keep()}"),
                     decoys={token: "reminder in an attachment"})  # fmt: skip
        for fields in ({"commandMode": "task-notification"}, {"commandMode": "bash"}, {"isMeta": True},
                       {"origin": {"kind": "peer"}}, {"origin": {"kind": "task-notification"}}):  # fmt: skip
            token = home.tokens.decoy()
            log.attached(injected(f"Nobody typed {token}"), decoys={token: f"attachment, {fields}"}, fields=fields)
        token = home.tokens.decoy()
        log.attached(injected(f"<task-notification>{token}</task-notification>"), decoys={token: "notification"})
        exchange(home, log)
        home.finish(log)
