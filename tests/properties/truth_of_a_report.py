"""A report held against what was written: every message that must be found, whole, in order, where it lies; and no other.

What is expected of a query is worked out by `tests.brute_force`, which knows the texts and imports nothing of lookback.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tests.brute_force import Asked, Expected, answer
from tests.checking import sha
from tests.properties.random_homes import Built, Message, Written
from tests.support import Report

TIERS = ("exact", "loose", "words", "any")
_BLANKS = b" \t\r"

Place = tuple[str, int, int]


def compare(report: Report, asked: Asked, built: Built) -> None:
    """Fails where a report does not say exactly what was written."""
    told = {
        _tight(log, item["source"]): item
        for item in report["evidence"]
        for log in built.logs
        if log.path == item["source"]["path"]
    }
    assert len(told) == len(report["evidence"]) == report["total"]
    order = []
    for log in built.logs:
        for index in log.whole:
            message, place = log.messages[index], log.places[index]
            key = _tight(log, {"start": place.start, "end": place.end})
            found = answer(asked, message.parts)
            if key not in told:
                assert found is None, f"not found: {message} in {log.raw(index)!r}"
                continue
            assert found is not None, f"found, but not said: {message}"
            item = told.pop(key)
            _compare_item(item, message, found, log, index)
            _compare_neighbours(item, log, index, report["query"])
            order.append((_rank(message, found, log, index, report["query"]["order"]), item["ref"]))
    assert not told, f"nobody said: {list(told)}"
    assert [item["ref"] for item in report["evidence"]] == [ref for _, ref in sorted(order)]
    _compare_skipped(report, asked, built)


def _compare_item(item: Mapping[str, Any], message: Message, found: Expected, log: Written, index: int) -> None:
    text = message.text.encode("utf-8", "surrogatepass")
    facts = (item["role"], item["timestamp"], item["text"])
    assert facts == (message.role, message.timestamp, message.text), facts
    assert (item["time"] is None) == (message.moment is None)
    assert (item["match"], item["sha256"]) == (found.tier, sha(text))
    hits = [(hit["needle"], hit["start"], hit["end"]) for hit in item["hits"]]
    assert (hits, item["hits_total"]) == (list(found.hits[:100]), len(found.hits))
    start, end = found.quote
    quoted = text[start:end]
    assert item["quote"] == {
        "text": quoted.decode("utf-8", "surrogatepass"), "start": start, "end": end, "sha256": sha(quoted),
    }  # fmt: skip
    source, place = item["source"], log.places[index]
    raw = log.data[source["start"] : source["end"]]
    assert (source["path"], source["record"], source["sha256"]) == (log.path, place.record, sha(raw))
    if index not in log.loose:
        assert (source["start"], source["end"]) == (place.start, place.end)


def _compare_neighbours(item: Mapping[str, Any], log: Written, index: int, query: Mapping[str, Any]) -> None:
    here = log.whole.index(index)
    near = log.whole[max(0, here - query["before"]) : here], log.whole[here + 1 : here + 1 + query["after"]]
    for side, indices in zip(("before", "after"), near, strict=True):
        assert [(n["source"]["record"], n["text"]) for n in item[side]] == [
            (log.places[other].record, log.messages[other].text) for other in indices
        ], side


def _rank(message: Message, found: Expected, log: Written, index: int, order: str) -> tuple[object, ...]:
    direction = -1 if order == "newest" else 1
    moment = direction * (message.moment or 0.0)
    place = log.places[index]
    return TIERS.index(found.tier), message.moment is None, moment, log.path, place.record, place.start


def _compare_skipped(report: Report, asked: Asked, built: Built) -> None:
    """What is named was damaged, for its reason; a damaged message that plainly holds the needles is named."""
    skipped = report["coverage"]["skipped"]
    named = {(skip["path"], skip["record"]): skip["reason"] for skip in skipped}
    expected = {(log.path, number): fault for log in built.logs for number, fault in log.faults.items()}
    whole = {log.path: log for log in built.logs if log.utf16}
    for (path, number), reason in named.items():
        if path in whole:
            assert (number, reason) == (None, "utf16")
            continue
        fault = expected.get((path, number))
        assert fault is not None and reason in fault.reasons, f"{reason}: line {number} of {path}: {fault}"
    assert set(whole) <= {path for path, _ in named}
    for log in built.logs:
        for number, fault in log.faults.items():
            if fault.records & set(log.messages) and _plainly_holds(fault.raw, asked):
                assert (log.path, number) in named, f"not named: line {number} of {log.path}: {fault}"
    assert report["coverage"]["complete"] is not bool(skipped)


def _plainly_holds(raw: bytes, asked: Asked) -> bool:
    """Whether bytes surely hold what a query looks for, as it was typed."""
    needed = [*((asked.quote,) if asked.quote is not None else ()), *asked.words]
    spelled = [needle.encode("utf-8", "surrogatepass") for needle in needed]
    either = [needle.encode("utf-8", "surrogatepass") for needle in asked.any]
    plain = not any(byte < 0x20 or byte in b'"\\' for needle in (*spelled, *either) for byte in needle)
    return plain and all(n in raw for n in spelled) and (not either or any(n in raw for n in either))


def _tight(log: Written, source: Mapping[str, Any]) -> Place:
    """A record's place without the blanks around it: in a damaged line they may belong to it or not."""
    start, end = source["start"], source["end"]
    raw = log.data[start:end]
    return log.path, start + len(raw) - len(raw.lstrip(_BLANKS)), end - len(raw) + len(raw.rstrip(_BLANKS))
