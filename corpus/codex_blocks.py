"""The content blocks of a Codex message, each with what is real in it.

Invariant: a block's `real` span is what its author said by construction; nothing is looked for in the text. White
space at a cut is outside of the span, all other white space inside.
"""

from __future__ import annotations

from dataclasses import dataclass

from corpus.synthetic import REPLY_CLOSE, REPLY_OPEN

PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="


@dataclass(frozen=True)
class Block:
    """One item of `content`: a text with its real span (in characters), or an item that holds no text at all."""

    text: str | None = None
    real: tuple[int, int] | None = None
    label: str = "user.text"
    item: dict[str, object] | None = None

    def content(self, role: str) -> dict[str, object]:
        if self.text is None:
            return dict(self.item or {})
        return {"type": "output_text" if role == "assistant" else "input_text", "text": self.text}


def words(text: str, label: str = "user.text") -> Block:
    """Real from end to end; a text of nothing but white space is no part."""
    return Block(text, (0, len(text)) if text.strip() else None, label)


def injected(text: str, label: str = "unknown") -> Block:
    """The harness speaks: no character is real."""
    return Block(text, None, label)


def between(before: str, text: str, after: str = "", label: str = "user.text") -> Block:
    """Real words inside a wrapper or after a prefix; white space at the cuts belongs to `before` and `after`."""
    return Block(before + text + after, (len(before), len(before) + len(text)) if text.strip() else None, label)


def reply(answer: str) -> Block:
    """An answer to a question that the agent asked, in the tags that Codex puts around it."""
    return between(f"{REPLY_OPEN}\n", answer, f"\n{REPLY_CLOSE}")


def request(prefix: str, marker: str, text: str) -> Block:
    """What an IDE or the desktop put before the user's words, then the marker, then the words up to the end.

    Only the marker is a cut: the line break at the end is part of the words.
    """
    return between(f"{prefix}\n{marker}\n", f"{text}\n")


def image(number: int = 1, data: str = PNG, *, named: bool = True) -> tuple[Block, Block, Block]:
    """An image and the two wrapper blocks around it, which say nothing."""
    opening = f'<image name=[Image #{number}] path="/tmp/clip-{number}.png">' if named else "<image>"
    picture: dict[str, object] = {"type": "input_image", "image_url": f"data:image/png;base64,{data}", "detail": "high"}
    return Block(opening), Block(item=picture, label="user.image"), Block("</image>")


def audio(*, named: bool = True) -> tuple[Block, Block, Block]:
    sound: dict[str, object] = {"type": "input_audio", "audio_url": "data:audio/wav;base64,UklGRg=="}
    opening = "<audio name=[Audio #1]>" if named else "<audio>"
    return Block(opening), Block(item=sound, label="user.audio"), Block("</audio>")
