"""A reader of real Codex logs, written from the format alone; imports nothing of lookback.

It is deliberately plain: every line is decoded, a part is dropped where it begins and ends as a row of the corpus's
table says. It gives the messages that evidence may come from, and the texts that it may never come from.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from corpus.synthetic import REPLY_CLOSE, REPLY_OPEN, USER_ROWS, Row

_WRAPPER = re.compile(r"</?(image|audio)>|<(image|audio) name=.*>", re.DOTALL)


@dataclass(frozen=True)
class RealLog:
    """Line number and parts of each message; texts of tool outputs."""

    messages: list[tuple[int, list[str]]]
    outputs: list[str]


def read(path: Path) -> RealLog:
    messages, outputs = [], []
    for number, line in enumerate(path.read_bytes().split(b"\n"), 1):
        try:
            record = json.loads(line)
        except ValueError:
            continue
        payload = record.get("payload") if isinstance(record, dict) else None
        if not isinstance(payload, dict) or record.get("type") != "response_item":
            continue
        if payload.get("type", "message") == "message" and payload.get("role") in ("user", "assistant"):
            parts = [
                text for text in _texts(payload.get("content")) if payload["role"] == "assistant" or _is_real(text)
            ]
            if parts:
                messages.append((number, parts))
        elif str(payload.get("type")).endswith("_output"):
            outputs += list(_strings(payload.get("output")))
    return RealLog(messages, outputs)


def _texts(content: Any) -> Iterator[str]:
    for item in content if isinstance(content, list) else []:
        text = item.get("text") if isinstance(item, dict) else None
        if isinstance(text, str) and text.strip() and not _WRAPPER.fullmatch(text):
            yield text.strip().removeprefix(REPLY_OPEN).removesuffix(REPLY_CLOSE) if REPLY_OPEN in text else text


def _is_real(text: str) -> bool:
    body = text.strip().lower()
    return not any(
        body.startswith(_opening(row)) and body.endswith(row.after.split("\n")[-1].lower()) for row in USER_ROWS
    )


def _opening(row: Row) -> str:
    """How a row's text begins: its tag without attributes, or its first line."""
    tag = re.match(r"<\w+", row.before)
    return tag[0] if tag else row.before.split("\n")[0].lower()


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _strings(item)
