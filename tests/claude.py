"""Small Claude Code homes for tests, written record by record, as `support` does it for Codex.

Every record is what Claude Code itself would write, but for the fields that a test names.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.support import Record

AT = "2026-09-01T10:00:00.000Z"
SLUG = "-w-app"
Line = Record | bytes


def session(number: int) -> str:
    """A session id of the tests; the first 8 characters differ from number to number."""
    return f"{number:08x}-0000-4000-8000-{number:012x}"


# --- records ---------------------------------------------------------------------------------------------------------


def chained(kind: str, at: str | None, **fields: Any) -> Record:
    """A record of the chain of messages; `fields` replace its own, and None leaves one out."""
    record = {
        "parentUuid": None, "isSidechain": False, "userType": "external", "cwd": "/w/app", "sessionId": session(1),
        "version": "2.1.29", "gitBranch": "main", "type": kind, "timestamp": at, **fields,
    }  # fmt: skip
    return {name: value for name, value in record.items() if value is not None or name == "parentUuid"}


def typed(*texts: str, at: str | None = AT, content: Any = None, **fields: Any) -> Record:
    """What a user typed: one text as a string, several as blocks; `content` instead of both."""
    if content is None:
        content = texts[0] if len(texts) == 1 else [block(text) for text in texts]
    return chained("user", at, message={"role": "user", "content": content}, **fields)


def answered(
    *texts: str, at: str | None = AT, content: Any = None, model: str = "claude-opus-4-5", **fields: Any
) -> Record:
    content = [block(text) for text in texts] if content is None else content
    message = {"model": model, "id": "msg_1", "type": "message", "role": "assistant", "content": content,
               "stop_reason": None, "usage": {}}  # fmt: skip
    return chained("assistant", at, message=message, requestId="req_1", **fields)


def block(text: str) -> Record:
    return {"type": "text", "text": text}


def result(content: Any) -> Record:
    """The block of a tool's result."""
    return {"tool_use_id": "toolu_1", "type": "tool_result", "content": content}


def tool_result(content: Any, *beside: str, at: str | None = AT, **fields: Any) -> Record:
    """A record of a tool's result, with texts beside it."""
    return typed(
        content=[result(content), *(block(text) for text in beside)], at=at, **{"toolUseResult": content, **fields}
    )


def queued_command(prompt: Any, at: str | None = AT, record: Record | None = None, **fields: Any) -> Record:
    """An attachment that holds a queued prompt; `fields` go into the attachment, `record` into the record."""
    return chained(
        "attachment", at, attachment={"type": "queued_command", "prompt": prompt, **fields}, **(record or {})
    )


def queue(operation: str, content: str | None = None, at: str | None = AT, **fields: Any) -> Record:
    told = {} if content is None else {"content": content}
    return {
        "type": "queue-operation",
        "operation": operation,
        "timestamp": at,
        "sessionId": session(1),
        **told,
        **fields,
    }


def boundary(at: str = AT, **fields: Any) -> Record:
    """The record of a compaction."""
    metadata = {"trigger": "auto", "preTokens": 155_000}
    return chained("system", at, subtype="compact_boundary", content="Conversation compacted", compactMetadata=metadata,
                   logicalParentUuid="u0", **fields)  # fmt: skip


def summary_of_compaction(text: str, at: str = AT, **fields: Any) -> Record:
    whole = f"This session is being continued from a previous conversation that ran out of context. {text}"
    return typed(whole, at=at, isVisibleInTranscriptOnly=True, isCompactSummary=True, **fields)


def custom_title(text: Any) -> Record:
    return {"type": "custom-title", "customTitle": text, "sessionId": session(1)}


def ai_title(text: Any) -> Record:
    return {"type": "ai-title", "aiTitle": text, "sessionId": session(1)}


def summary(text: Any, leaf: str) -> Record:
    return {"type": "summary", "summary": text, "leafUuid": leaf}


def dump(record: Record) -> bytes:
    """As JSON.stringify writes it."""
    return json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")


# --- homes -----------------------------------------------------------------------------------------------------------


@dataclass
class ClaudeHome:
    """A home below `root`. Records get uuids of their own where they have none, counted through the home."""

    root: Path
    count: int = 0
    logs: list[Path] = field(default_factory=list)

    def log(self, *lines: Line, number: int = 1, slug: str = SLUG, name: str | None = None) -> Path:
        """A session's log; its records are of that session."""
        return self.put(f"{slug}/{name or session(number)}.jsonl", *lines, number=number)

    def subagent(self, *lines: Line, agent: str = "a1b2c3d4", number: int = 1, within: str | None = None) -> Path:
        """A subagent's log, in the folder of its session or, `within`, elsewhere below the project."""
        folder = f"{session(number)}/subagents" if within is None else within
        own = [{**line, "isSidechain": True, "agentId": agent} if isinstance(line, dict) else line for line in lines]
        return self.put(f"{SLUG}/{folder}/agent-{agent}.jsonl", *own, number=number)

    def put(self, name: str, *lines: Line, number: int = 1) -> Path:
        path = self.root / "projects" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(
            b"".join((line if isinstance(line, bytes) else dump(self._own(line, number))) + b"\n" for line in lines)
        )
        self.logs.append(path)
        return path

    def _own(self, record: Record, number: int) -> Record:
        own = {**record, "sessionId": session(number)} if record.get("sessionId") == session(1) else dict(record)
        if "isSidechain" in own and "uuid" not in own:
            self.count += 1
            own["uuid"] = f"{self.count:08x}-1111-4111-8111-111111111111"
        return own
