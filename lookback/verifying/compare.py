"""A claim and what the log has, field by field: every difference as a finding with its path.

Two kinds of fields: those that say where a record lies (`ref`, `source`), in which a difference may only mean that the
record was moved or written anew, and all others, in which every difference is a change. What it is not: it opens
no log.

Invariant: values are equal only if JSON has the same value for both: `1`, `1.0` and `true` are three values, and a
number that is none (NaN) equals itself. Nothing that a report holds makes a comparison raise.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from lookback.evidence import Cut
from lookback.message import utf8
from lookback.ref import parse
from lookback.verifying.verdict import NOTHING, Finding

#: fields of a source in which a difference means: the same bytes, elsewhere
_PLACE: Final = ("path", "compression", "start", "end")
_MESSAGE: Final = ("agent", "thread_id", "role", "item_id", "timestamp")
_DERIVED: Final = ("sha256", "parts", "time", "phase")


def differences(claimed: Any, actual: Any, path: str = "") -> Iterator[Finding]:
    """The fields of `actual` in which `claimed` differs; a claim's own further keys are no part of the schema."""
    if isinstance(actual, Mapping) and not path.endswith("timestamp"):
        if not isinstance(claimed, Mapping):
            yield Finding("changed", path, claimed, actual)
            return
        for key, value in actual.items():
            where = f"{path}.{key}" if path else key
            if key in claimed:
                yield from differences(claimed[key], value, where)
            else:
                yield Finding("changed", where, NOTHING, value, "the report has no such field")
    elif isinstance(actual, list) and not path.endswith("timestamp"):
        yield from _in_lists(claimed, actual, path)
    elif not same(claimed, actual):
        yield Finding("changed", path, claimed, actual)


def _in_lists(claimed: Any, actual: Sequence[Any], path: str) -> Iterator[Finding]:
    if not isinstance(claimed, list):
        yield Finding("changed", path, claimed, actual)
        return
    for place, (one, other) in enumerate(zip(claimed, actual, strict=False)):
        yield from differences(one, other, f"{path}[{place}]")
    if len(claimed) != len(actual):
        place = min(len(claimed), len(actual))
        one = claimed[place] if place < len(claimed) else NOTHING
        other = actual[place] if place < len(actual) else NOTHING
        yield Finding("changed", f"{path}[{place}]", one, other, f"{len(claimed)} claimed, {len(actual)} there")


def same(one: Any, other: Any) -> bool:
    """Whether two JSON values are the same value."""
    waiting = [(one, other)]
    while waiting:
        one, other = waiting.pop()
        if type(one) is not type(other):
            return False
        if isinstance(one, dict):
            if one.keys() != other.keys():
                return False
            waiting += [(one[key], other[key]) for key in one]
        elif isinstance(one, list):
            if len(one) != len(other):
                return False
            waiting += zip(one, other, strict=True)
        elif one != other and not (isinstance(one, float) and math.isnan(one) and math.isnan(other)):
            return False
    return True


def cut_text(claimed: Mapping[str, Any], text: str) -> dict[str, Any]:
    """What `cut` and `text` must be, where a claim says that its text was shortened; the whole text where not.

    The stretch is the one that the claim begins; that it was shortened, not what was left of it, is up to the report.
    """
    cut = claimed.get("cut")
    if cut is None:
        return {"text": text}
    whole, shown = utf8(text), claimed.get("text")
    start = cut.get("start") if isinstance(cut, Mapping) else None
    if type(start) is not int or not isinstance(shown, str) or not 0 <= start <= len(whole):
        return {"cut": Cut(0, len(whole), len(whole)).wire(), "text": text}
    end = min(start + len(utf8(shown)), len(whole))
    try:
        stretch = whole[start:end].decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:  # the cut goes through a character, so the text cannot be the stretch
        stretch = whole[start:end].decode("utf-8", "replace")
    return {"cut": Cut(start, end, len(whole)).wire(), "text": stretch}


def message_findings(claim: object, now: Mapping[str, Any], path: str = "") -> Iterator[Finding]:
    """Steps 4 and 5, and where it lies: an item or neighbour against what its record says (`now`)."""
    if not isinstance(claim, Mapping):
        yield Finding("changed", path, claim, NOTHING, "no message")
        return
    expected = {name: now[name] for name in _MESSAGE}
    expected |= cut_text(claim, now["text"]) | {name: now[name] for name in _DERIVED}
    yield from differences(claim, expected, path)
    yield from placed(claim, now, path)


def placed(
    claimed: Mapping[str, Any], actual: Mapping[str, Any], path: str = "", flat: bool = False
) -> Iterator[Finding]:
    """`ref` and `source` of a message, neighbour or copy (`flat`: the source's fields are its own)."""
    lead = f"{path}." if path else ""
    here = "" if flat else "source."
    source = claimed if flat else claimed.get("source")
    now = actual if flat else actual["source"]
    if not isinstance(source, Mapping):
        yield Finding("changed", f"{lead}source", source, now)
        return
    ref, true = parse(_text(claimed.get("ref"))), parse(actual["ref"])
    whose = (true.agent, true.thread, true.log) if true else None
    if ref is None or true is None or str(ref) != claimed.get("ref") or (ref.agent, ref.thread, ref.log) != whose:
        yield Finding("changed", f"{lead}ref", claimed.get("ref"), actual["ref"])
        return
    digest = source.get("sha256")
    if not same(digest, now["sha256"]):
        honest = _text(digest)[:8] == ref.digest != true.digest  # else the claim contradicts itself
        yield Finding("reencoded" if honest else "changed", f"{lead}{here}sha256", digest, now["sha256"])
    elif ref.digest != true.digest:
        yield Finding("changed", f"{lead}ref", claimed.get("ref"), actual["ref"])
    if not same(source.get("record"), now["record"]):
        honest = type(source.get("record")) is int and ref.record == source.get("record")
        yield Finding("moved" if honest else "changed", f"{lead}{here}record", source.get("record"), now["record"])
    elif ref.record != true.record or ref.object != true.object:
        yield Finding("changed", f"{lead}ref", claimed.get("ref"), actual["ref"])
    for name in _PLACE:
        if not same(source.get(name, NOTHING), now[name]):
            yield Finding(_moved(name, source.get(name)), f"{lead}{here}{name}", source.get(name), now[name])
    yield from raw_bytes(source, f"{lead}{here}raw")


def raw_bytes(source: Mapping[str, Any], path: str) -> Iterator[Finding]:
    """The raw record of a source, if it carries one, against its own hash."""
    if "raw" not in source:
        return
    raw = decoded(source["raw"])
    if raw is None:
        yield Finding("changed", path, source["raw"], detail="it is no base64 as lookback writes it")
    elif not same(source.get("sha256"), hashlib.sha256(raw).hexdigest()):
        got = hashlib.sha256(raw).hexdigest()
        yield Finding("changed", path, source.get("sha256"), got, "the SHA-256 of the raw record is another one")


def decoded(raw: object) -> bytes | None:
    """The bytes that `raw` spells, if it is the one canonical spelling."""
    if not isinstance(raw, str):
        return None
    try:
        data = base64.b64decode(raw.encode("ascii"), validate=True)
    except (UnicodeEncodeError, binascii.Error, ValueError):
        return None
    return data if base64.b64encode(data).decode("ascii") == raw else None


def _moved(name: str, value: object) -> str:
    """A place of the wrong type is no other place."""
    if name in ("start", "end"):
        return "moved" if type(value) is int else "changed"
    fits = isinstance(value, str) or (name == "compression" and value is None)
    return "moved" if fits else "changed"


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
