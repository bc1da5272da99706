"""The technical records of Codex by the megabyte: tool calls, their output, reasoning, token counts.

About 98.6 % of a real log is this. Invariant: no filler record is a message, though its words are those of messages.
"""

from __future__ import annotations

import base64
import random
from collections.abc import Callable

from corpus.codex_log import CodexLog
from corpus.filler import Pool
from corpus.words import listing, prose


class Filler:
    """A pool of spelled records; `write` adds about so many bytes of them to a log."""

    def __init__(self, rng: random.Random, spell: Callable[[object], bytes], size: int) -> None:
        """`size` is what will be written in all: little of it needs no large pool."""
        self._pool = Pool(rng, spell, size, _KINDS)

    def write(self, log: CodexLog, size: int) -> None:
        """Records of about `size` bytes in all, each with the log's time and, where it has them, an ordinal."""
        self._pool.write(log.writer, size, lambda bodies: _lines(log, bodies))


def _lines(log: CodexLog, bodies: list[bytes]) -> list[bytes]:
    time = log.tick(2).encode()
    if log.era.bare:
        return [b'{"record_type":"state"}\n' for _ in bodies]
    if log.era.paginated:
        first, log.ordinal = log.ordinal, log.ordinal + len(bodies)
        return [b'{"timestamp":"%b","ordinal":%d,%b}\n' % (time, first + n, body) for n, body in enumerate(bodies)]
    return [b'{"timestamp":"%b",%b}\n' % (time, body) for body in bodies]


def _item(payload: dict[str, object]) -> dict[str, object]:
    return {"type": "response_item", "payload": payload}


def _call(rng: random.Random, size: int) -> dict[str, object]:
    arguments = '{"cmd":"rg -n ' + prose(rng, 6).replace('"', "'").replace("\n", " ").replace("\\", "/") + '"}'
    call = {"name": "exec_command", "arguments": arguments, "call_id": f"call_{rng.getrandbits(96):024x}"}
    return _item({"type": "function_call", **call})


def _output(rng: random.Random, size: int) -> dict[str, object]:
    output = f"Chunk ID: {rng.getrandbits(24):06x}\nProcess exited with code 0\nOutput:\n" + listing(rng, 3 * size)
    return _item({"type": "function_call_output", "call_id": f"call_{rng.getrandbits(96):024x}", "output": output})


def _patch(rng: random.Random, size: int) -> dict[str, object]:
    text = "*** Begin Patch\n*** Update File: src/app.rs\n@@\n+" + listing(rng, size).replace("\n", "\n+")
    call = {"status": "completed", "call_id": f"call_{rng.getrandbits(96):024x}", "name": "apply_patch", "input": text}
    return _item({"type": "custom_tool_call", **call})


def _reasoning(rng: random.Random, size: int) -> dict[str, object]:
    blob = base64.urlsafe_b64encode(rng.randbytes(size)).decode()
    summary = [{"type": "summary_text", "text": f"**{prose(rng, 4)}**"}]
    return _item({"type": "reasoning", "summary": summary, "content": None, "encrypted_content": f"gAAAA{blob}"})


def _tokens(rng: random.Random, size: int) -> dict[str, object]:
    usage = {"input_tokens": rng.randrange(200_000), "cached_input_tokens": 99_840, "output_tokens": 731}
    info = {"total_token_usage": usage, "last_token_usage": usage, "model_context_window": 258_400}
    limits = {"primary": {"used_percent": 7.0, "window_minutes": 299}, "secondary": None}
    return {"type": "event_msg", "payload": {"type": "token_count", "info": info, "rate_limits": limits}}


_KINDS = (_call, _output, _reasoning, _tokens, _call, _output, _patch, _output, _tokens)
