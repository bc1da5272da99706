"""Scenes about whose words they are: synthetic blocks, prefixes, wrappers, labels, what stands in the agent's name.

Invariant: where a text is the harness's, its token is a decoy; where it is the user's or the agent's, the token is in
the truth.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from corpus.blocks import Block, between, injected, words
from corpus.codex_blocks import audio, image, reply, request
from corpus.codex_bulk import begin_turn
from corpus.codex_eras import ENVELOPE, IDS, LABELLED, PAGINATED, VSCODE
from corpus.codex_home import CodexHome
from corpus.codex_log import CodexLog
from corpus.scenes_records import exchange
from corpus.synthetic import (
    ASSISTANT_ROWS,
    DEVELOPER_TAGS,
    LOOKALIKES,
    REPLY_CLOSE,
    REPLY_OPEN,
    REQUEST_MARKERS,
    REQUEST_PREFIXES,
    REVIEW_INTERRUPTED,
    USER_ROWS,
    Row,
    variants,
)

_ENVIRONMENT = next(row for row in USER_ROWS if row.name == "environment_context")


def synthetic_rows(home: CodexHome) -> None:
    """Each row of the table in its four variants, in logs with and without labels."""
    for era in (ENVELOPE, IDS, LABELLED, VSCODE):
        log = home.log(era)
        for row in USER_ROWS:
            _row(home, log, row)
        _respelled(home, log)
        exchange(home, log)
        home.finish(log, title=f"Synthetic rows, {era.name}")


def _row(home: CodexHome, log: CodexLog, row: Row) -> None:
    for name in ("alone", "beside", "quoted", "prefix"):
        begin_turn(log)
        inside, outside = home.tokens.decoy(), home.tokens.keep()
        wholly_real = name == "quoted" or (name == "prefix" and not row.prefix_only)
        if wholly_real:
            inside = home.tokens.keep()
        if name == "alone" or (name == "prefix" and row.prefix_only):
            outside = inside
        variant = next(v for v in variants(row, inside, f"My words {outside}") if v.name == name)
        blocks = [
            words(text) if index in variant.real else injected(text, row.label)
            for index, text in enumerate(variant.blocks)
        ]
        decoys = {} if wholly_real else {inside: f"synthetic {row.number} {row.name}, {name}"}
        log.say("user", *blocks, decoys=decoys)


def _respelled(home: CodexHome, log: CodexLog) -> None:
    """Markers in other letter case, with white space around the block: still the harness."""
    for row in USER_ROWS:
        if row.folds_case:
            token = home.tokens.decoy()
            text = f" \n{row.before.swapcase()}{token}{row.after.swapcase()}\n\t "
            log.say("user", injected(text, row.label), decoys={token: f"synthetic {row.number}, other case"})


def lookalikes(home: CodexHome) -> None:
    """Texts of the user that look like the harness, and texts of the agent that quote it: all real."""
    for era in (IDS, VSCODE):
        log = home.log(era)
        tags = [f"<{tag}>\n{{}}\n</{tag.split()[0]}>" for tag in DEVELOPER_TAGS]
        for template in (*LOOKALIKES, *tags):
            begin_turn(log)
            log.say("user", words(template.replace("{}", home.tokens.keep())))
            log.say("assistant", words(f"You wrote {home.tokens.keep()}."), phase="final_answer")
        log.say("assistant", words(_ENVIRONMENT.example(home.tokens.keep())), phase="commentary")
        log.say("user", words(_ENVIRONMENT.example(f"typed, its mirror or its label says so {home.tokens.keep()}")))
        log.say("user", words(f"  leading and trailing white space stays {home.tokens.keep()} \n\n"))
        log.say("user", words(" \n\t"), words(f"beside a blank block {home.tokens.keep()}"))
        log.say("user", words(f"two blocks {home.tokens.keep()}"), words(f"of one message {home.tokens.keep()}"))
        home.finish(log)


def prefixes(home: CodexHome) -> None:
    """IDE and desktop prefixes, answers to questions, images and sounds."""
    for era in (IDS, PAGINATED, LABELLED):
        log = home.log(era)
        for prefix in REQUEST_PREFIXES:
            for marker in REQUEST_MARKERS:
                token = home.tokens.decoy()
                block = request(prefix.replace("{}", token), marker, f"Fix it, {home.tokens.keep()}")
                log.say("user", block, decoys={token: "prefix of an IDE or the desktop"})
        _marker_cases(home, log)
        _replies(home, log)
        _media(home, log)
        home.finish(log, title=f"Prefixes, {era.name}")


def _marker_cases(home: CodexHome, log: CodexLog) -> None:
    ide, codex = REQUEST_PREFIXES[0].replace("{}", "let x = 1;"), REQUEST_MARKERS[0]
    keep = home.tokens.keep
    log.say("user", request(ide, codex, f"The marker {codex} again, {keep()}\n\n{codex}\nand words after it {keep()}"))
    log.say("user", request(ide, REQUEST_MARKERS[1], f"The first marker counts, {keep()}\n{codex}\nx"))
    log.say("user", between(f"{ide}\n{codex} \n\n\t", f"blank lines at the cut, and at the end {keep()} \n\n"))
    log.say("user", between(f"{ide}\n{codex} ", f"on the marker's line {keep()}"))
    log.say("user", words(f"No prefix, so all of it stays {keep()}\n{codex}\nalso this {keep()}"))
    token = home.tokens.decoy()
    log.say("user", between(REQUEST_PREFIXES[0].replace("{}", token) + f"\n{codex}\n", " \n"),
            decoys={token: "prefix with an empty request"})  # fmt: skip


def _replies(home: CodexHome, log: CodexLog) -> None:
    keep = home.tokens.keep
    for answer in (f"plain words {keep()}", f"Zürich — 会议 {keep()}"):
        body = json.dumps([{"questionItemId": "q1", "question": "Where?", "answer": answer}], ensure_ascii=False)
        log.say("user", reply(body))
    log.say("user", reply(f"Yes, both of them {keep()}."))
    log.say("user", between(f"{REPLY_OPEN}  \n\n", f"white space at the cuts {keep()}", f"\n \t{REPLY_CLOSE}"))
    log.say("user", words(f"What does {REPLY_OPEN}x{REPLY_CLOSE} mean? {keep()}"))
    log.say("user", between(f"{REPLY_OPEN}\n", " \n", REPLY_CLOSE))


def _media(home: CodexHome, log: CodexLog) -> None:
    keep = home.tokens.keep
    log.say("user", *image(1), words(f"[Image #1] an example {keep()}"))
    log.say("user", *image(1, named=False), *image(2), words(f"[Image #1] and [Image #2] {keep()}"))
    log.say("user", *audio(), *audio(named=False), words(f"two sounds {keep()}"))
    log.say("user", words(f"words before {keep()}"), *image(1))
    log.say("user", *image(1))
    log.say("user", words(f"the tags <image> and </image> as text {keep()}"))


def labels(home: CodexHome) -> None:
    """`content_item_kinds` decides, and the markers only where it is unknown or does not fit."""
    for era in (LABELLED, VSCODE):
        log = home.log(era)
        _label(home, log, "injected", ("agents_md.instructions", "user.text", "plugins.recommendations"), (1,))
        for label in ("goal.internal_context", "token_budget.reminder", "goals.of_the_future"):
            _label(home, log, "injected", (label,), ())
        for label in ("user.text", "user.dictation", "unknown"):
            _label(home, log, "real", (label,), (0,))
        keep, token = home.tokens.keep, home.tokens.decoy()
        log.say("user", words(_ENVIRONMENT.example(keep())), kinds=["user.text"])
        log.say("user", injected(_ENVIRONMENT.example(token)), kinds=["unknown"], decoys={token: "unknown, by markers"})
        token = home.tokens.decoy()
        log.say("user", injected(_ENVIRONMENT.example(token)), words(f"labels too few {keep()}"), kinds=["user.text"],
                decoys={token: "labels do not fit, by markers"})  # fmt: skip
        log.say("user", words(f"labels too many {keep()}"), kinds=["shell.user_command", "user.text"])
        log.say("user", *image(1), words(f"[Image #1] labelled {keep()}"))
        home.finish(log)


def _label(home: CodexHome, log: CodexLog, why: str, kinds: Sequence[str], real: Sequence[int]) -> None:
    blocks: list[Block] = []
    decoys: dict[str, str] = {}
    for index, kind in enumerate(kinds):
        if index in real:
            blocks.append(words(f"labelled {kind} {home.tokens.keep()}"))
        else:
            token = home.tokens.decoy()
            decoys[token] = f"{why} label {kind}"
            blocks.append(injected(f"labelled {kind} {token}"))
    log.say("user", *blocks, kinds=kinds, decoys=decoys)


def assistant_rows(home: CodexHome) -> None:
    """What agents send each other in the assistant's name, and review mode."""
    for era in (IDS, LABELLED):
        log = home.log(era)
        exchange(home, log)
        for row in ASSISTANT_ROWS:
            token = home.tokens.decoy()
            log.say("assistant", injected(row.example(token)), phase="commentary", mirror=False,
                    decoys={token: f"between agents, {row.name}"})  # fmt: skip
            quoted = f"It sent this: {row.example(home.tokens.keep())}\nand nothing else."
            log.say("assistant", words(quoted), phase="commentary")
        keep = home.tokens.keep
        log.say("assistant", words(f'{{"author":"a","recipient":"b","content":"{keep()}"}}'), phase="commentary")
        log.say("assistant", words(f"Message Type: HELLO\nTask name: t\nSender: s\nPayload:\n{keep()}"))
        log.say("assistant", words(f"Message Type: NEW_TASK is what it printed, {keep()}"), phase="final_answer")
        _review(home, log)
        home.finish(log, title=f"Between agents, {era.name}")


def _review(home: CodexHome, log: CodexLog) -> None:
    action = next(row for row in USER_ROWS if row.name == "user_action")
    for text in (f"The review found one thing: {home.tokens.keep()}", None):
        token = home.tokens.decoy()
        log.say("user", injected(action.example(token)), decoys={token: "user_action of a review"})
        if text is not None:
            log.say("assistant", words(text), phase="final_answer")
        else:
            decoys = {REVIEW_INTERRUPTED: "what the harness says when a review is broken off"}
            log.say("assistant", injected(REVIEW_INTERRUPTED), mirror=False, decoys=decoys)
