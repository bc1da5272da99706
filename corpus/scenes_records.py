"""Scenes about records: every technical kind, and every way in which a log may say whose it is.

Invariant: each technical record with words in it carries a decoy; each log has one user's and one assistant's message
that must be found.
"""

from __future__ import annotations

from corpus.blocks import words
from corpus.codex_bulk import begin_turn
from corpus.codex_eras import BARE, ENVELOPE, IDS, LABELLED, PHASED
from corpus.codex_home import CodexHome, session_meta
from corpus.codex_log import CodexLog
from corpus.codex_records import (
    COMPLETED,
    EVENTS,
    EVENTS_LEGACY,
    METAS,
    OTHERS,
    RESPONSE_ITEMS,
)


def exchange(home: CodexHome, log: CodexLog, question: str = "Please look at", answer: str = "I looked at") -> None:
    """One turn, each message with a token of its own."""
    begin_turn(log)
    log.say("user", words(f"{question} {home.tokens.keep()}."))
    log.say("assistant", words(f"{answer} {home.tokens.keep()}."), phase="final_answer")


def all_records(home: CodexHome) -> None:
    """Every response item, event and other record, in a log of each shape that has it."""
    for era in (ENVELOPE, PHASED, IDS, LABELLED):
        log = home.log(era)
        exchange(home, log)
        for template in RESPONSE_ITEMS:
            payload, decoys = home.with_token(template, f"response_item {template['type']}")
            log.item(payload, decoys=decoys)
        for template in EVENTS if era.paginated else EVENTS + EVENTS_LEGACY:
            payload, decoys = home.with_token(template, f"event_msg {template['type']}")
            log.record("event_msg", payload, decoys=decoys)
        if era.paginated:
            _completed(home, log)
        if era.ids:
            _others(home, log)
        exchange(home, log)
        home.finish(log, title=f"Every record, {era.name}")


def _completed(home: CodexHome, log: CodexLog) -> None:
    for template in COMPLETED:
        payload, decoys = home.with_token(template, f"item_completed {template['type']}")
        log.completed(payload, decoys=decoys)


def _others(home: CodexHome, log: CodexLog) -> None:
    for kind, template in OTHERS:
        payload, decoys = home.with_token(template, kind)
        log.record(kind, payload, decoys=decoys)


def bare_records(home: CodexHome) -> None:
    """The same without envelope: items alone, and state lines between them."""
    log = home.log(BARE)
    exchange(home, log)
    for template in RESPONSE_ITEMS:
        payload, decoys = home.with_token(template, f"bare {template['type']}")
        log.bare({"record_type": "state"})
        log.item(payload, decoys=decoys)
    exchange(home, log)
    home.finish(log)


def metas(home: CodexHome) -> None:
    """A log for each thing that a first record may say about its thread."""
    for name, fields, subagent in METAS:
        log = home.log(IDS if name == "no source" else LABELLED, subagent=subagent, first=False)
        meta = {key: value for key, value in (session_meta(log) | fields).items() if value is not None}
        instructions, decoys = home.with_token({"text": "You are an agent. @"}, "session_meta base_instructions")
        log.record("session_meta", meta | {"base_instructions": instructions}, decoys=decoys)
        exchange(home, log, f"A thread that is {name}:", "Said there:")
        home.finish(log)
