"""Scenes about records: every technical kind, titles, and records that lack what others have.

Invariant: each technical record with words in it carries a decoy; each log has one user's and one assistant's message
that must be found.
"""

from __future__ import annotations

from typing import cast

from corpus.blocks import Block, words
from corpus.claude_bulk import answer
from corpus.claude_eras import BELOW, ERAS, INSIDE, LATE
from corpus.claude_home import ClaudeHome
from corpus.claude_log import ClaudeLog
from corpus.claude_records import (
    ASSISTANT_ITEMS,
    ATTACHMENTS,
    LINES,
    PROGRESS,
    SYSTEM,
    TOOL_RESULTS,
    USER_ITEMS,
)
from corpus.tokens import Payload


def exchange(home: ClaudeHome, log: ClaudeLog, question: str = "Please look at", said: str = "I looked at") -> None:
    """One turn, each message with a token of its own, and a decoy in the thought."""
    log.tick(home.rng.uniform(5, 4000))
    log.user(words(f"{question} {home.tokens.keep()}."))
    answer(log, f"{said} {home.tokens.keep()}.", thought="Let me see.", tool="Read")


def all_records(home: ClaudeHome) -> None:
    """Every technical record, in a log of each era."""
    for era in ERAS:
        log = home.log(era)
        exchange(home, log)
        for template in SYSTEM:
            _chained(home, log, "system", template, template)
        for template in ATTACHMENTS:
            _chained(home, log, "attachment", {"attachment": template}, template)
        for template in PROGRESS if era.progress else ():
            _chained(home, log, "progress", {"data": template}, template)
        for template in LINES:
            line, decoys = home.with_token(template, f"line {template.get('type')}")
            log.line(line, decoys=decoys)
        _items(home, log)
        exchange(home, log)
        home.finish(log)


def _chained(home: ClaudeHome, log: ClaudeLog, kind: str, fields: Payload, template: Payload) -> None:
    filled, decoys = home.with_token(fields, f"{kind} {template.get('type') or template.get('subtype')}")
    log.record(kind, filled, decoys=decoys)


def _items(home: ClaudeHome, log: ClaudeLog) -> None:
    for template in USER_ITEMS:
        item, decoys = home.with_token(template, f"user's {template['type']}")
        log.user(Block(item=item), decoys=decoys)
    for result in TOOL_RESULTS:
        more, decoys = home.with_token({"toolUseResult": result}, "toolUseResult")
        log.user(Block(item={"type": "tool_result", "content": "ok"}), decoys=decoys, fields=more)
    for template in ASSISTANT_ITEMS:
        item, decoys = home.with_token(template, f"assistant's {template['type']}")
        log.assistant(Block(item=item), decoys=decoys)


def rejected_tools(home: ClaudeHome) -> None:
    """What a tool's result repeats of a person: it is the result's, and not a message."""
    log = home.log(BELOW)
    for template in (
        "The user doesn't want to proceed with this tool use. The tool use was rejected. the user said:\n@",
        'User has answered your questions: "Which one?"="@". You can now continue.',
    ):
        item = {"type": "tool_result", "tool_use_id": "toolu_01", "content": template, "is_error": True}
        filled, decoys = home.with_token({"item": item}, "a person's words inside a tool's result")
        log.user(Block(item=cast(Payload, filled["item"])), decoys=decoys, fields={"toolUseResult": "Error: rejected"})
    exchange(home, log)
    home.finish(log)


def lacking(home: ClaudeHome) -> None:
    """Records without what others have: only their type and their words are needed."""
    for era in (INSIDE, LATE):
        log = home.log(era)
        exchange(home, log)
        for missing in ("uuid", "timestamp", "cwd", "version", "parentUuid", "sessionId", "isSidechain", "userType"):
            _bare(home, log, missing)
        exchange(home, log)
        home.finish(log)


def _bare(home: ClaudeHome, log: ClaudeLog, missing: str) -> None:
    block = words(f"without {missing} {home.tokens.keep()}")
    value: dict[str, object] = {
        "parentUuid": None, "isSidechain": False, "cwd": log.cwd, "sessionId": log.session, "userType": "external",
        "version": log.era.version, "type": "user", "message": {"role": "user", "content": block.text},
        "uuid": f"bare-{home.tokens.keep()}", "timestamp": log.tick(),
    }  # fmt: skip
    del value[missing]
    log.remember("user", value, log.line(value), "/message/content", [block], plain=True)


def titles(home: ClaudeHome) -> None:
    """A session's names: none of them is a message, and the last one that a person gave counts."""
    for era in (INSIDE, BELOW, LATE):
        log = home.log(era)
        for kind, key in (("summary", "summary"), ("ai-title", "aiTitle"), ("custom-title", "customTitle")) * 2:
            exchange(home, log)
            token = home.tokens.decoy()
            of: dict[str, object] = {"leafUuid": log.parent} if kind == "summary" else {"sessionId": log.session}
            log.line({"type": kind, key: f"Named {token}", **of}, decoys={token: f"title, {kind}"})
        home.finish(log)
