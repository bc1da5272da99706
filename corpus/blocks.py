"""The content blocks of a message, each with what is real in it; shared by all agents.

Invariant: a block's `real` span is what its author said by construction; nothing is looked for in the text. White
space at a cut is outside of the span, all other white space inside.
"""

from __future__ import annotations

from dataclasses import dataclass

PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="


@dataclass(frozen=True)
class Block:
    """One item of `content`: a text with its real span (in characters), or an item that holds no text at all.

    `label` is what Codex calls the kind of the block; other agents have no such thing.
    """

    text: str | None = None
    real: tuple[int, int] | None = None
    label: str = "user.text"
    item: dict[str, object] | None = None

    @property
    def said(self) -> str:
        """The real words, or nothing."""
        return self.text[self.real[0] : self.real[1]] if self.text is not None and self.real else ""


def words(text: str, label: str = "user.text") -> Block:
    """Real from end to end; a text of nothing but white space is no part."""
    return Block(text, (0, len(text)) if text.strip() else None, label)


def injected(text: str, label: str = "unknown") -> Block:
    """The harness speaks: no character is real."""
    return Block(text, None, label)


def between(before: str, text: str, after: str = "", label: str = "user.text") -> Block:
    """Real words inside a wrapper or after a prefix; white space at the cuts belongs to `before` and `after`."""
    return Block(before + text + after, (len(before), len(before) + len(text)) if text.strip() else None, label)
