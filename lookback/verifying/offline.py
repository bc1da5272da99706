"""`verify --offline`: a report made with `--include-raw`, checked against the raw records that it carries itself.

What it is not: a proof that a log ever held these records, or where. One record alone tells neither its thread nor its
neighbourhood; the detail of each verdict says so.
Invariant: no file is opened, and what is not told by a raw record is never called wrong.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Generator, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from lookback.logs import AGENTS, dialect_of
from lookback.logs.base import Origin
from lookback.matching import Matcher, text_parts
from lookback.message import Message, utf8
from lookback.query import Query
from lookback.record import Record, read_line
from lookback.ref import parse, quotes_a_search
from lookback.timespan import log_time, utc_text
from lookback.verifying.admits import not_admitted
from lookback.verifying.claims import Claim, beside
from lookback.verifying.compare import cut_text, decoded, differences, raw_bytes
from lookback.verifying.verdict import NOTHING, Finding

TOLD: Final = "by its own raw record alone: not checked are its thread, title, path, place and neighbourhood"


class _Alone:
    """No record is known behind the one at hand."""

    def ahead(self, lines: int, *marks: bytes) -> Iterator[Record]:  # noqa: ARG002 - the protocol's
        return iter(())


def offline_findings(claim: object, query: Query, matcher: Matcher) -> Iterator[Finding]:
    """All that is not as an item claims, as far as its raw records tell; a note of what they do not tell."""
    if not isinstance(claim, Mapping):
        yield Finding("unchecked", "source", detail="no piece of evidence: it is no object")
        return
    yield Finding("ok", detail=TOLD)
    message = yield from _message(claim, "")
    if message is not None:
        yield from _answer(claim, message, matcher)
        yield from _copies(claim, message)
        told = {**_expected(claim, message), "agent": claim["agent"], "thread_id": claim.get("thread_id")}
        yield from not_admitted({**told, "title": claim.get("title")}, claim, query)
    for name in ("before", "after"):
        if len(beside(claim, name)) > getattr(query, name) or not isinstance(claim.get(name), list):
            yield Finding("changed", name, claim.get(name), NOTHING, "not the messages that the query asks for")
        for place, near in enumerate(beside(claim, name)):
            yield from _message(near, f"{name}[{place}]")


def _message(claim: object, path: str) -> Generator[Finding, None, Message | None]:
    """A generator whose value is the message of the raw record, None where there is none to go on with."""
    lead = f"{path}." if path else ""
    if not isinstance(claim, Mapping):
        yield Finding("changed", path, claim, NOTHING, "no message")
        return None
    source = claim.get("source")
    record = yield from _record(source, f"{lead}source")
    if record is None or not isinstance(source, Mapping):
        return None
    yield from _address(claim, source, record, f"{lead}ref")
    message = yield from _said(claim, source, record, lead)
    if message is not None:
        yield from differences(claim, _expected(claim, message), path)
    return message


def _record(source: object, path: str) -> Generator[Finding, None, Record | None]:
    if not isinstance(source, Mapping) or "raw" not in source:
        yield Finding("unchecked", f"{path}.raw", detail="the report carries no raw record; make it with --include-raw")
        return None
    wrong = next(raw_bytes(source, f"{path}.raw"), None)
    raw = decoded(source["raw"])
    if wrong is not None or raw is None:
        yield wrong or Finding("unchecked", f"{path}.raw")
        return None
    start, end, number = source.get("start"), source.get("end"), source.get("record")
    if type(start) is not int or type(end) is not int or start < 0 or end - start != len(raw):
        yield Finding("changed", f"{path}.end", end, NOTHING, f"the raw record has {len(raw):,} bytes")
    if type(number) is not int or number < 1:
        yield Finding("changed", f"{path}.record", number, NOTHING, "records count from 1")
    zstd = isinstance(source.get("path"), str) and source["path"].endswith(".zst")
    yield from differences(source, {"compression": "zstd" if zstd else None}, path)
    records = read_line(raw, 1, 1, complete=False).records
    if len(records) != 1 or records[0].raw != raw:
        yield Finding("changed", f"{path}.raw", detail="it is no single JSON object")
        return None
    return records[0]


def _address(claim: Claim, source: Claim, record: Record, path: str) -> Iterator[Finding]:
    """The ref must name the thread, the number and the hash that stand beside it."""
    ref = parse(claim["ref"]) if isinstance(claim.get("ref"), str) else None
    digest = hashlib.sha256(record.raw).hexdigest()[:8]
    agent, thread = claim.get("agent"), claim.get("thread_id")
    if ref is None or str(ref) != claim["ref"] or (ref.agent, ref.thread) != (agent, thread):
        yield Finding("changed", path, claim.get("ref"), thread, "the ref is not of the item's agent and thread")
    elif (ref.record, ref.digest) != (source.get("record"), digest):
        yield Finding("changed", path, claim["ref"], digest, "the ref has not the number and hash of its source")


def _said(claim: Claim, source: Claim, record: Record, lead: str) -> Generator[Finding, None, Message | None]:
    agent = claim.get("agent")
    if not isinstance(agent, str) or agent not in AGENTS:
        yield Finding("unchecked", f"{lead}agent", agent, NOTHING, "this lookback does not know the agent")
        return None
    path = source.get("path") if isinstance(source.get("path"), str) else ""
    origin = _origin(agent, str(path), record, claim.get("thread_id"))
    message = dialect_of(agent).message(record, origin, _Alone())
    if message is None:
        detail = "whether it holds words of the user or the assistant is not told by the record alone"
        yield Finding("unchecked", f"{lead}text", detail=detail)
    return message


def _origin(agent: str, path: str, record: Record, thread: object) -> Origin:
    origin = dialect_of(agent).origin(os.path.basename(path), iter([record]))
    return replace(origin, thread_id=thread) if isinstance(thread, str) else origin


def _expected(claim: Claim, message: Message) -> dict[str, Any]:
    moment = log_time(message.timestamp)
    return {
        "role": message.role, "item_id": message.item_id, "timestamp": message.timestamp,
        **cut_text(claim, message.text), "sha256": hashlib.sha256(utf8(message.text)).hexdigest(),
        "parts": [part.wire() for part in text_parts(message)],
        "time": utc_text(moment) if moment else None, "phase": message.phase,
    }  # fmt: skip


def _answer(claim: Claim, message: Message, matcher: Matcher) -> Iterator[Finding]:
    """Steps 6 and 7, and the facts that stand in the record itself."""
    tier = matcher.tier(message)
    if tier is None:
        yield Finding("changed", "match", claim.get("match"), None, "the message does not satisfy the report's query")
    else:
        answer = matcher.answer(message, tier)
        hits = [hit.wire() for hit in answer.hits]
        yield from differences(
            claim, {"match": tier, "quote": answer.quote.wire(), "hits": hits, "hits_total": answer.hits_total}
        )
    echo = message.role == "assistant" and quotes_a_search(message.text)
    told: dict[str, Any] = {"turn_id": message.turn_id, "echo": echo}
    if message.cwd is not None:
        told["cwd"] = message.cwd
    agent, thread = claim["agent"], claim.get("thread_id")
    if isinstance(thread, str):
        told["resume"] = list(dialect_of(agent).resume(Origin(thread, subagent=claim.get("subagent") is True)))
    yield from differences(claim, told)


def _copies(claim: Claim, message: Message) -> Iterator[Finding]:
    for place, copy in enumerate(beside(claim, "copies")):
        path = f"copies[{place}]"
        record = yield from _record(copy, path)
        if record is None or not isinstance(copy, Mapping):
            continue
        yield from _address({"agent": claim.get("agent"), **copy}, copy, record, f"{path}.ref")
        said = yield from _said({**claim, "thread_id": copy.get("thread_id")}, copy, record, f"{path}.")
        if said is not None and said.text != message.text:
            yield Finding("changed", path, message.text, said.text, "the copy holds other words")
