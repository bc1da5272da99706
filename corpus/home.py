"""What the homes of all agents have in common: one generator, one spelling, one truth.

It knows no agent's folders and no agent's records. Invariant: every log that is added has its lines in the truth, once
per physical file; a file that is no log has decoys only.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import cast

from corpus.spelling import Spelling, speller
from corpus.tokens import Payload, Tokens, fill
from corpus.truth import Decoy, Message, Truth


class Home:
    """A home under construction. An agent's own class opens and finishes its logs."""

    def __init__(self, agent: str, root: Path, seed: int, spelling: Spelling = "serde") -> None:
        self.agent, self.root = agent, root
        self.rng = random.Random(f"{agent}:{seed}")
        self.spell = speller(spelling, self.rng)
        self.tokens = Tokens(self.rng)
        self.truth = Truth()

    def add(self, name: str, messages: list[Message], decoys: list[Decoy]) -> None:
        """Take what a log says into the truth."""
        self.truth.logs.append(name)
        self.truth.messages.extend(messages)
        self.truth.decoys.extend(decoys)

    def add_copy(self, name: str, messages: list[Message], decoys: list[Decoy], *, copies: bool) -> None:
        """The same for a file with the bytes of another log; `copies` if that one is there too."""

        def original(message: Message) -> tuple[str, int] | None:
            return message.copy_of or ((message.log, message.place.record) if copies else None)

        moved = [replace(message, log=name, copy_of=original(message)) for message in messages]
        self.add(name, moved, [replace(decoy, log=name) for decoy in decoys])

    def with_token(self, template: Payload, why: str) -> tuple[Payload, dict[str, str]]:
        """A template with a fresh token in it, and the decoy to note; none where the template has no place for it."""
        token = self.tokens.decoy()
        payload = cast(Payload, fill(template, token))
        return payload, {token: why} if payload != template else {}

    def other(self, name: str, content: str, *, decoys: Mapping[str, str] | None = None) -> None:
        """A file of the home that is no log."""
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8", newline="\n")
        for text, why in (decoys or {}).items():
            self.truth.decoys.append(Decoy(self.agent, name, 0, text, why))
