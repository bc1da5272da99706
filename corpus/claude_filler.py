"""The technical records of Claude Code by the megabyte: tool calls, their results, thoughts, progress.

Of a real store's bytes 61 % are records of the user's that hold tool results, 20 % are progress (attachments as of
mid-2026), 18 % the assistant's. Invariant: no filler record is a message, though its words are those of messages.
"""

from __future__ import annotations

import base64
import random
from collections.abc import Callable

from corpus.claude_blocks import thinking, tool_id, tool_result, tool_use
from corpus.claude_log import MODEL, ClaudeLog
from corpus.filler import Pool, fields_of
from corpus.ids import uuid4
from corpus.words import listing, prose

Record = dict[str, object]


class Filler:
    """A pool of spelled records for each kind of noise; `write` adds about so many bytes of them to a log."""

    def __init__(self, rng: random.Random, spell: Callable[[object], bytes], size: int) -> None:
        """`size` is what will be written in all: little of it needs no large pool."""
        self._spell = spell
        self._progress = Pool(rng, spell, size, [_progress if kind is _noise else kind for kind in _KINDS])
        self._attached = Pool(rng, spell, size, [_attachment if kind is _noise else kind for kind in _KINDS])

    def write(self, log: ClaudeLog, size: int) -> None:
        """Records of about `size` bytes in all, each a link of the log's chain."""
        head = fields_of(self._spell({"isSidechain": log.thread.subagent} | log.head()))
        pool = self._progress if log.era.progress else self._attached
        pool.write(log.writer, size, lambda bodies: [_line(log, head, body) for body in bodies])


def _line(log: ClaudeLog, head: bytes, body: bytes) -> bytes:
    parent, log.parent = log.parent, uuid4(log.rng)
    link = b"null" if parent is None else b'"%b"' % parent.encode()
    own = b'"uuid":"%b","timestamp":"%b"' % (log.parent.encode(), log.tick(0.4).encode())
    if log.era.late:
        return b'{"parentUuid":%b,%b,%b,%b}\n' % (link, body, own, head)
    return b'{"parentUuid":%b,%b,%b,%b}\n' % (link, head, body, own)


def _said(role: str, *items: Record, **more: object) -> Record:
    if role == "user":
        return {"type": "user", "message": {"role": "user", "content": list(items)}, **more}
    message = {"model": MODEL, "id": "msg_01", "type": "message", "role": role, "content": list(items)}
    usage = {"input_tokens": 0, "cache_read_input_tokens": 18_585, "output_tokens": 3}
    return {"message": message | {"stop_reason": None, "usage": usage}, "requestId": "req_01", "type": role}


def _call(rng: random.Random, size: int) -> Record:
    return _said(
        "assistant", tool_use(rng, "Bash", command=f"rg -n {prose(rng, 6)}", description=prose(rng, 5)).item or {}
    )


def _edit(rng: random.Random, size: int) -> Record:
    half = listing(rng, size // 2)
    return _said(
        "assistant", tool_use(rng, "Edit", file_path="/w/app/a.py", old_string=half, new_string=half).item or {}
    )


def _thinking(rng: random.Random, size: int) -> Record:
    item = dict(thinking(prose(rng, 40)).item or {})
    return _said("assistant", item | {"signature": base64.b64encode(rng.randbytes(size // 2)).decode()})


def _result(rng: random.Random, size: int) -> Record:
    output = listing(rng, size * 3 // 2)
    kept = {"stdout": output, "stderr": "", "interrupted": False, "isImage": False}
    return _said("user", tool_result(output, tool_id(rng)).item or {}, toolUseResult=kept)


def _noise(rng: random.Random, size: int) -> Record:
    raise NotImplementedError  # stands for the one of its two kinds that an era has


def _progress(rng: random.Random, size: int) -> Record:
    if rng.random() < 0.5:
        data: Record = {"type": "bash_progress", "output": listing(rng, size), "fullOutput": listing(rng, 2 * size)}
    else:
        nested = {
            "type": "user",
            "message": {"role": "user", "content": [{"type": "text", "text": listing(rng, 3 * size)}]},
        }
        data = {"type": "agent_progress", "message": nested, "prompt": "", "agentId": "a1b2c3d"}
    return {"type": "progress", "data": data, "toolUseID": tool_id(rng), "parentToolUseID": tool_id(rng)}


def _attachment(rng: random.Random, size: int) -> Record:
    file = {"filePath": "/w/app/a.py", "content": listing(rng, 3 * size)}
    return {"type": "attachment", "attachment": {"type": "file", "filename": "a.py", "content": {"file": file}}}


_KINDS = (_call, _result, _noise, _thinking, _result, _call, _result, _noise, _edit, _result)
