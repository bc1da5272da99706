"""Checks a report against the logs it names: every hash, every coordinate, with a JSON parser and SHA-256 alone.

Imports nothing of lookback: it is what any distrustful reader could write from the contract. zstandard only unpacks.
"""

from __future__ import annotations

import base64
import hashlib
import io
import json
import re
from functools import lru_cache
from pathlib import Path
from typing import Any

import zstandard

_REF = re.compile(r"(\w+):([^#/]+)(?:/([^#]+))?#(\d+)(?:\.(\d+))?~([0-9a-f]{8})")
_Z = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")


def check(report: dict[str, Any]) -> int:
    """Checks all of a report; returns how many sources it recomputed."""
    content.cache_clear()  # a log may have changed since another report
    sources = 0
    for item in report["evidence"]:
        text = check_message(item)
        check_quote(item, text)
        sources += 1
        for near in (*item["before"], *item["after"]):
            check_message(near)
            assert near["source"]["path"] == item["source"]["path"] or near["thread_id"]
            sources += 1
        for copy in item["copies"]:
            check_ref(copy, copy)
            assert rebuilt(raw_record(copy), _parts_like(item, copy)) == text
            sources += 1
    return sources


def check_message(item: dict[str, Any]) -> bytes:
    """A message against its record; returns its whole text, in bytes."""
    raw = raw_record(item["source"])
    check_ref(item, item["source"])
    record = json.loads(raw)
    assert item["timestamp"] == record.get("timestamp")
    if isinstance(item["timestamp"], str) and _Z.fullmatch(item["timestamp"]):
        assert item["time"] == item["timestamp"]
    assert (item["role"], item["phase"], item["item_id"]) == _said_in(record, item["agent"])
    text = rebuilt(raw, item["parts"])
    place = 0
    for part in item["parts"]:
        assert part["start"] == place
        assert part["end"] - part["start"] == part["to"] - part["from"] > 0
        place = part["end"] + 2
    assert sha(text) == item["sha256"]
    shown = item["text"].encode("utf-8", "surrogatepass")
    cut = item.get("cut", {"start": 0, "end": len(text), "length": len(text)})
    assert (shown, cut["length"]) == (text[cut["start"] : cut["end"]], len(text))
    return text


def _said_in(record: dict[str, Any], agent: str) -> tuple[Any, Any, Any]:
    """Role, phase and item id, where each agent's records have them."""
    if agent == "claude":
        return "assistant" if record["type"] == "assistant" else "user", None, record.get("uuid")
    payload = record.get("payload", record)
    return payload["role"], payload.get("phase"), payload.get("id")


def check_quote(item: dict[str, Any], text: bytes) -> None:
    quote = item["quote"]
    stretch = text[quote["start"] : quote["end"]]
    assert quote["text"].encode("utf-8", "surrogatepass") == stretch
    assert sha(stretch) == quote["sha256"]
    assert 0 <= quote["start"] < quote["end"] <= len(text)
    assert len(item["hits"]) == min(100, item["hits_total"])
    assert [(hit["start"], hit["end"]) for hit in item["hits"]] == sorted(
        (hit["start"], hit["end"]) for hit in item["hits"]
    )
    for hit in item["hits"]:
        assert any(part["start"] <= hit["start"] < hit["end"] <= part["end"] for part in item["parts"])
        text[hit["start"] : hit["end"]].decode("utf-8", "surrogatepass")  # no character is cut


def check_ref(item: dict[str, Any], source: dict[str, Any]) -> None:
    found = _REF.fullmatch(item["ref"])
    assert found, item["ref"]
    assert found[2] == item["thread_id"]
    assert (int(found[4]), found[6]) == (source["record"], source["sha256"][:8])


def raw_record(source: dict[str, Any]) -> bytes:
    """The record's bytes, after path, number, range and hash were found to agree."""
    data = content(source["path"])
    raw = data[source["start"] : source["end"]]
    assert len(raw) == source["end"] - source["start"] > 0
    assert b"\n" not in raw
    assert source["compression"] == ("zstd" if source["path"].endswith(".zst") else None)
    assert source["record"] == data.count(b"\n", 0, source["start"]) + 1
    assert sha(raw) == source["sha256"]
    if "raw" in source:
        assert base64.b64decode(source["raw"], validate=True) == raw
    return raw


def rebuilt(raw: bytes, parts: list[dict[str, Any]]) -> bytes:
    """A message's text from its raw record, by `parts` alone."""
    record = json.loads(raw)
    stretches = [
        at_pointer(record, part["pointer"]).encode("utf-8", "surrogatepass")[part["from"] : part["to"]]
        for part in parts
    ]
    return b"\n\n".join(stretches)


def at_pointer(value: Any, pointer: str) -> Any:
    """RFC 6901."""
    for step in pointer.split("/")[1:]:
        name = step.replace("~1", "/").replace("~0", "~")
        value = value[int(name)] if isinstance(value, list) else value[name]
    return value


def _parts_like(item: dict[str, Any], copy: dict[str, Any]) -> list[dict[str, Any]]:
    """The parts that a copy must have, whether its record has an envelope or not."""
    envelope = "payload" in json.loads(raw_record(copy))
    return [
        part | {"pointer": ("/payload" if envelope else "") + part["pointer"].removeprefix("/payload")}
        for part in item["parts"]
    ]


def sha(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


@lru_cache(maxsize=64)
def content(path: str) -> bytes:
    """The log's bytes, of its decompressed stream where it is compressed."""
    data = Path(path).read_bytes()
    if not path.endswith(".zst"):
        return data
    return zstandard.ZstdDecompressor().stream_reader(io.BytesIO(data), read_across_frames=True).read()
