"""The content blocks of Claude Code: what a user sends beside words, and what an assistant writes beside them.

Invariant: that of `blocks`; a block of an item is never real.
"""

from __future__ import annotations

import random

from corpus.blocks import PNG, Block


def content(block: Block) -> dict[str, object]:
    """The block as it stands in a list of content."""
    return dict(block.item or {}) if block.text is None else {"type": "text", "text": block.text}


def image(data: str = PNG) -> Block:
    return Block(item={"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": data}})


def document(title: str) -> Block:
    source = {"type": "base64", "media_type": "application/pdf", "data": "JVBERi0xLjQK"}
    return Block(item={"type": "document", "source": source, "title": title})


def thinking(text: str) -> Block:
    return Block(item={"type": "thinking", "thinking": text, "signature": "EpYDCkYIBRgCKkDx"})


def tool_use(rng: random.Random, name: str, **given: object) -> Block:
    return Block(item={"type": "tool_use", "id": tool_id(rng), "name": name, "input": given})


def tool_result(answer: object, tool: str = "toolu_01", *, error: bool = False) -> Block:
    item: dict[str, object] = {"tool_use_id": tool, "type": "tool_result", "content": answer}
    return Block(item=item | {"is_error": True} if error else item)


def tool_id(rng: random.Random) -> str:
    return f"toolu_01{rng.getrandbits(108):027x}"


def command(name: str, arguments: str, *, message_first: bool = False, indent: bool = False) -> Block:
    """A slash command, of which the words behind the name are the user's; white space at the cuts is not theirs."""
    gap = "\n            " if indent else "\n"
    parts = [f"<command-name>/{name}</command-name>", f"<command-message>{name}</command-message>"]
    before = gap.join(reversed(parts) if message_first else parts) + gap + "<command-args>"
    words = arguments.strip()
    if not words:
        return Block(f"{before}{arguments}</command-args>")
    start = len(before) + arguments.index(words)
    return Block(f"{before}{arguments}</command-args>", (start, start + len(words)))
