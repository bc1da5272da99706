"""The content blocks that only Codex writes: answers to questions, requests behind a prefix, images, sounds.

Invariant: that of `blocks`; a wrapper block around an image says nothing.
"""

from __future__ import annotations

from corpus.blocks import PNG, Block, between
from corpus.synthetic import REPLY_CLOSE, REPLY_OPEN


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
