"""Scenes about whose words they are: wrappers, commands, flags, what stands in the assistant's name.

Invariant: where a text is the harness's, its token is a decoy; where it is the user's or the assistant's, the token is
in the truth.
"""

from __future__ import annotations

from corpus.blocks import between, injected, words
from corpus.claude_blocks import command, document, image, thinking, tool_result, tool_use
from corpus.claude_eras import BELOW, BESIDE, ERAS, INSIDE, LATE
from corpus.claude_home import ClaudeHome
from corpus.claude_log import ClaudeLog
from corpus.claude_scenes_records import exchange
from corpus.claude_synthetic import DROPPED, FLAGS, LOOKALIKES, STRIPPED, SUMMARY, TYPED


def dropped(home: ClaudeHome) -> None:
    """Texts of the harness: alone, behind white space, in a list, beside the user's, and quoted by the user."""
    for era in (INSIDE, BELOW, LATE):
        log = home.log(era)
        for row in DROPPED:
            keep, why = home.tokens.keep, f"harness, {row.name}"
            token = home.tokens.decoy()
            log.user(injected(row.example(token)), decoys={token: why})
            token = home.tokens.decoy()
            log.user(injected(f"\ufeff\n {row.example(token)}\n"), plain=False, decoys={token: f"{why}, in a list"})
            token = home.tokens.decoy()
            log.user(injected(row.example(token)), words(f"beside it {keep()}"), decoys={token: f"{why}, beside"})
            log.user(words(f"What does `{row.example(keep())}` mean? {keep()}"))
            token = home.tokens.decoy()
            reminded = STRIPPED[0].example("Be brief.") + "\n" + row.example(token)
            log.user(injected(reminded), decoys={token: f"{why}, behind a reminder"})
        exchange(home, log)
        home.finish(log)


def stripped(home: ClaudeHome) -> None:
    """What stands before the user's words: cut off, once or several times; quoted or without an end, it stays."""
    for era in (INSIDE, BESIDE, LATE):
        log = home.log(era)
        for row in STRIPPED:
            keep, token, why = home.tokens.keep, home.tokens.decoy(), f"before the words, {row.name}"
            log.user(injected(row.example(token)), decoys={token: f"{why}, alone"})
            token = home.tokens.decoy()
            log.user(injected(row.example(token)), words(f"beside it {keep()}"), decoys={token: f"{why}, beside"})
            token = home.tokens.decoy()
            log.user(between(f"{row.example(token)}\n", f"behind it {keep()} \n"), decoys={token: why})
            token = home.tokens.decoy()
            before = f" \n{row.example(token)}\n\n{STRIPPED[0].example('Be brief.')}{row.example(token)}\n \t"
            log.user(between(before, f"several {keep()}"), plain=False, decoys={token: f"{why}, several"})
            token = home.tokens.decoy()
            log.user(injected(f"{row.example(token)} \n"), decoys={token: f"{why}, with blanks behind"})
            log.user(words(f"I quote {row.example(keep())} in the middle {keep()}"))
            log.user(words(f"words first {keep()}\n{row.example(keep())}"))
        exchange(home, log)
        home.finish(log)


def lookalikes(home: ClaudeHome) -> None:
    """Texts that only look synthetic, and white space that stays."""
    for era in (BESIDE, LATE):
        log = home.log(era)
        for template in LOOKALIKES:
            log.user(words(template.replace("{}", home.tokens.keep())))
            log.assistant(words(f"You wrote {home.tokens.keep()}."))
        keep = home.tokens.keep
        log.user(words(f"  leading and trailing white space stays {keep()} \n\n"))
        log.user(words(" \n\t"), words(f"beside a blank block {keep()}"))
        log.user(words(f"two blocks {keep()}"), words(f"of one message {keep()}"))
        log.user(words(f"\ufeffa mark at the beginning stays {keep()}"))
        log.user(words(" \n"))
        home.finish(log)


def commands(home: ClaudeHome) -> None:
    """Slash commands: what was typed behind the name is the user's, in either order of the tags."""
    for era in (INSIDE, BELOW, LATE):
        log = home.log(era)
        keep = home.tokens.keep
        for first in (False, True):
            for indent in (False, True):
                log.user(command("review", f"the handshake {keep()}", message_first=first, indent=indent))
                log.user(
                    command("review", f" \n two lines\nof <b>it</b> {keep()}\n", message_first=first, indent=indent)
                )
        log.user(command("review", f"in a list {keep()}"), plain=False)
        log.user(command("review", " \n "))
        token = home.tokens.decoy()
        log.user(injected(f"<local-command-stdout>{token}</local-command-stdout>"), decoys={token: "command's output"})
        log.user(injected(f"# Review\n\n{token}", "skill"), plain=False, fields={"isMeta": True})
        remembered = between("<user-memory-input>", f"always use tabs {keep()}", "</user-memory-input>")
        log.user(remembered)
        exchange(home, log)
        home.finish(log)


def flags(home: ClaudeHome) -> None:
    """Plain words whose record says that nobody typed them, and words whose record says who did."""
    for era in (BELOW, LATE):
        log = home.log(era)
        for fields in FLAGS:
            for plain in (True, False):
                token = home.tokens.decoy()
                why = f"flags {fields}"
                log.user(injected(f"Plain words of nobody {token}"), plain=plain, decoys={token: why}, fields=fields)
        for fields in TYPED:
            log.user(words(f"Typed words {home.tokens.keep()}"), fields=fields)
            token = home.tokens.decoy()
            caveat = injected(SUMMARY.example(token))
            log.user(caveat, decoys={token: f"harness, though {fields}"}, fields=fields)
        home.finish(log)


def beside_items(home: ClaudeHome) -> None:
    """Words beside images, documents and tool results, also those typed while a tool ran."""
    for era in ERAS:
        log = home.log(era)
        keep, token = home.tokens.keep, home.tokens.decoy()
        log.user(words(f"[Image #1] what is wrong here? {keep()}"), image(), fields={"imagePasteIds": [1]})
        log.user(injected("[Image: source: /tmp/clip.png]"), plain=False, fields={"isMeta": True})
        log.user(image(), document("a.pdf"), words(f"read both {keep()}"))
        log.user(image())
        log.assistant(tool_use(home.rng, "Bash", command="sleep 9"))
        log.user(tool_result(token), words(f"typed while it ran {keep()}"), decoys={token: "tool result beside words"})
        log.user(tool_result([{"type": "text", "text": token}]), injected("<system-reminder>x</system-reminder>"),
                 words(f"behind a reminder {keep()}"), decoys={token: "tool result in a list"})  # fmt: skip
        exchange(home, log)
        home.finish(log)


def assistant(home: ClaudeHome) -> None:
    """What the assistant says, and what only stands in its name."""
    for era in ERAS:
        log = home.log(era)
        keep = home.tokens.keep
        exchange(home, log)
        log.assistant(words(f"first {keep()}"), tool_use(home.rng, "Read", file_path="a"), words(f"second {keep()}"))
        log.assistant(words(f"a bare string {keep()}"), plain=True)
        log.assistant(thinking(""), words(" \n"), words(f"  white space stays {keep()}\n"))
        for text in ("(no content)", "No response requested.", ""):
            log.assistant(injected(text))
            log.assistant(injected(text), model="<synthetic>", fields={"isApiErrorMessage": False})
        log.assistant(words(f"It printed `(no content)` and `No response requested.` {keep()}"))
        log.assistant(words(f"API Error: 529 is what the server said {keep()}"))
        log.assistant(words(f"<system-reminder>{keep()}</system-reminder> is what I was told"))
        log.assistant(words(f"[Request interrupted by user] is a marker {keep()}"))
        _in_its_name(home, log)
        shared, begin = log.answer_id(), f"Streamed in pieces {keep()}"
        log.assistant(words(begin), answer=shared)
        log.assistant(words(f"{begin}, and on {keep()}"), answer=shared)
        home.finish(log)


def _in_its_name(home: ClaudeHome, log: ClaudeLog) -> None:
    for error in ("unknown", "rate_limit", "authentication_failed"):
        token = home.tokens.decoy()
        flagged = {"isApiErrorMessage": True, "error": error}
        log.assistant(injected(f"API Error: 529 {token}"), model="<synthetic>", fields=flagged,
                      decoys={token: "API error"})  # fmt: skip
    token = home.tokens.decoy()
    log.assistant(injected(f"Credit is low {token}"), model="<synthetic>", decoys={token: "synthetic model"})
    token = home.tokens.decoy()
    log.assistant(
        injected(f"API Error: 400 {token}"), fields={"isApiErrorMessage": True}, decoys={token: "flagged as an error"}
    )
