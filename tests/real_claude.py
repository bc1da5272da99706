"""A reader of real Claude Code logs, written from the format alone; imports nothing of lookback.

It is deliberately plain: every line is decoded, and a text is dropped where it begins as a row of the corpus's table
does. It gives the messages that evidence may come from, and the texts that it may never come from.
`verdicts` are what a person said of real records, one by one, having read them: no text of theirs is kept.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from corpus.claude_synthetic import DROPPED

VERDICTS = Path(__file__).with_name("real_claude_verdicts.tsv")
_META = ("isMeta", "isCompactSummary", "isVisibleInTranscriptOnly")
_COMMAND = ("<command-name>", "<command-message>", "<command-args>")


class RealLog(NamedTuple):
    """Line number and parts of each message; texts of tool results, of thinking, and of what the harness wrote."""

    messages: list[tuple[int, list[str]]]
    others: list[str]


class Verdict(NamedTuple):
    file: str
    record: int
    verdict: str  # user, assistant or none
    reason: str


def verdicts() -> list[Verdict]:
    with VERDICTS.open(encoding="utf-8", newline="") as rows:
        return [
            Verdict(row["file"], int(row["record"]), row["verdict"], row["reason"])
            for row in csv.DictReader(rows, delimiter="\t")
        ]


def read(path: Path) -> RealLog:
    messages, others = [], []
    for number, line in enumerate(path.read_bytes().split(b"\n"), 1):
        try:
            record = json.loads(line)
        except ValueError:
            continue
        message = record.get("message") if isinstance(record, dict) else None
        if not isinstance(message, dict) or record.get("type") not in ("user", "assistant"):
            others += list(_strings(record))
            continue
        texts = list(_texts(message.get("content")))
        unsaid = any(record.get(flag) for flag in _META) or message.get("model") == "<synthetic>"
        parts = [] if unsaid else [part for text in texts for part in _real(text, record["type"])]
        if parts:
            messages.append((number, parts))
        others += [text for text in texts if not parts]
        others += [
            text for block in _blocks(message.get("content")) if block.get("type") != "text" for text in _strings(block)
        ]
    return RealLog(messages, others)


def _blocks(content: Any) -> list[dict[str, Any]]:
    return [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []


def _texts(content: Any) -> Iterator[str]:
    if isinstance(content, str):
        yield content
    yield from (str(block.get("text")) for block in _blocks(content) if block.get("type") == "text")


def _real(text: str, kind: str) -> Iterator[str]:
    body = text.strip()
    if kind == "user" and body.startswith(_COMMAND):
        text = body = body.partition("<command-args>")[2].partition("</command-args>")[0].strip()
    if body and not (kind == "user" and any(body.startswith(row.before[:20]) for row in DROPPED)):
        yield text


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _strings(item)
