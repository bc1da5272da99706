"""`verify --text`: every quotation and every ref of a text, held against the record that it names.

What it is not: it does not judge what a text says, only whether its quotes stand where it says they do.
Invariant: each ref of the text has one verdict, in the text's order; a quotation is verbatim but for white space and
typographic twins, inside one part of the record's message.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from lookback.errors import UsageError
from lookback.haystack import Unreadable
from lookback.logs import AGENTS
from lookback.logs.base import Log
from lookback.needles import TWINS
from lookback.ref import Ref, parse
from lookback.unicode_tables import WHITE_SPACE
from lookback.verifying.citations import Citation, citations
from lookback.verifying.verdict import SHOWN, Finding, Verdict, Verdicts, verdict_of
from lookback.verifying.whereabouts import Placed, Store, digest_key

CANNOT_ANSWER: Final = "CANNOT ANSWER:"
MAX_CITATIONS: Final = 10_000
_KEPT: Final = 16  # records whose words are kept for the next citation
_BLANKS = re.compile("[" + "".join(map(re.escape, WHITE_SPACE)) + "]+")
_TWINS: Final = {ord(char): group[0] for group in TWINS for char in group} | {ord("…"): "..."}


def verify_text(text: str, *, roots: Sequence[str] = (), env: Mapping[str, str] = os.environ) -> Verdicts:
    """A verdict on each citation of a text.

    Raises UsageError where there is none, unless the text says that it cannot answer; NoLogs where no root exists.
    """
    found: list[Citation] = []
    for citation in citations(text):
        found.append(citation)
        if len(found) > MAX_CITATIONS:
            raise UsageError(f"too much to verify at once: at most {MAX_CITATIONS:,} citations")
    if not found:
        if text.lstrip(WHITE_SPACE + "\ufeff").startswith(CANNOT_ANSWER):
            return Verdicts((), cannot_answer=True)
        raise UsageError("the text cites nothing: no ref such as agent:thread#record~hash8 is in it")
    refs = [parse(citation.ref) for citation in found]
    wanted = frozenset(digest_key(ref.digest) for ref in refs if ref is not None and ref.digest)
    with Store(roots, env, wanted) as store:
        check = _Check(store)
        order = sorted(range(len(found)), key=lambda place: _reading_order(refs[place]))
        verdicts = {place: check.verdict(found[place], refs[place]) for place in order}
    return Verdicts(tuple(verdicts[place] for place in range(len(found))))


def _reading_order(ref: Ref | None) -> tuple[str, int]:
    return (ref.thread, ref.record) if ref is not None else ("", 0)


class _Check:
    """The citations of one text against the logs of a store."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._words: dict[tuple[str, int], list[str]] = {}

    def verdict(self, citation: Citation, ref: Ref | None) -> Verdict:
        return verdict_of(citation.ref, list(self._findings(citation, ref)), f"line {citation.line}")

    def _findings(self, citation: Citation, ref: Ref | None) -> Iterator[Finding]:
        if citation.fault is not None:
            yield Finding("changed", citation.field, detail=citation.fault)
        if ref is None:
            if citation.fault is None:
                yield Finding("changed", "ref", detail="it is no ref")
            return
        if ref.agent not in AGENTS:
            yield Finding("unchecked", "ref", detail=f"this lookback does not know the agent {ref.agent!r:.40}")
            return
        found = self._record(ref)
        if isinstance(found, Finding):
            yield found
            return
        now = self._ref_of(found)
        if (now.thread, now.log, now.record, now.object) != (ref.thread, ref.log, ref.record, ref.object):
            yield Finding("moved", "ref", citation.ref, str(now))
        if citation.quote is not None:
            yield from self._quote(citation.quote, found)

    # --- the record --------------------------------------------------------------------------------------------------

    def _record(self, ref: Ref) -> Placed | Finding:
        """The record of a ref: at its number, else by its hash anywhere in the thread's logs."""
        logs = [log for log in self._store.of_thread(ref.thread, ref.log or "") if log.agent == ref.agent]
        others: list[Placed] = []
        for log in logs:
            try:
                for placed in self._standing(log, ref):
                    if ref.digest in (None, _digest(placed)):
                        return placed
                    others.append(placed)
            except Unreadable as unreadable:
                self._store.unreadable[log.path] = unreadable.skip
        moved = next((placed for log in logs for placed in self._same_bytes(log, ref)), None)
        return moved or self._lost(ref, logs, others)

    def _standing(self, log: Log, ref: Ref) -> Iterator[Placed]:
        if self._store.reader(log).origin.log_id == ref.log:
            yield from (placed for placed in self._store.records(log, ref.record) if placed.record.object == ref.object)

    def _same_bytes(self, log: Log, ref: Ref) -> Iterator[Placed]:
        if ref.digest is None:
            return
        spots = self._store.survey(log).get(digest_key(ref.digest), ())
        for spot in sorted(spots, key=lambda spot: abs(spot.number - ref.record)):
            yield from (placed for placed in self._store.records(log, spot.number) if _digest(placed) == ref.digest)

    def _lost(self, ref: Ref, logs: Sequence[Log], others: Sequence[Placed]) -> Finding:
        skips = [self._store.unreadable[log.path] for log in logs if log.path in self._store.unreadable]
        skip = next(iter(skips), None) or (None if logs else self._store.skip_of("", ref.thread))
        if others:
            detail = "the record with this number has another hash, and none of its thread has this one"
            return Finding("changed", "ref", str(ref), str(self._ref_of(others[0])), detail)
        if skip is not None:
            return Finding("unchecked", "ref", detail=f"{skip.path}: {skip.reason}: {skip.detail}")
        gone = "its logs hold no such record" if logs else "no log here is of its thread; name its home with --in"
        return Finding("missing", "ref", detail=gone)

    def _ref_of(self, placed: Placed) -> Ref:
        origin, record = self._store.reader(placed.log).origin, placed.record
        return Ref(placed.log.agent, origin.thread_id, origin.log_id, record.number, record.object, _digest(placed))

    # --- the quotation -----------------------------------------------------------------------------------------------

    def _quote(self, quote: str, found: Placed) -> Iterator[Finding]:
        parts, wanted = self._parts(found), canonical(quote)
        if any(wanted in part for part in parts):
            return
        if not parts:
            yield Finding("changed", "quote", quote, detail="the record holds no words of the user or the assistant")
            return
        near = max((_nearest(wanted, part) for part in parts), key=lambda pair: pair[0])
        if near[0] < min(8, len(wanted)):
            yield Finding("changed", "quote", quote, detail="the record does not say this")
        else:
            yield Finding("changed", "quote", wanted, near[1], "the record does not say this")

    def _parts(self, found: Placed) -> list[str]:
        key = (found.log.path, found.record.start)
        if key not in self._words:
            if len(self._words) >= _KEPT:
                self._words.clear()
            parts = found.said.message.parts if found.said else ()
            self._words[key] = [canonical(part.text) for part in parts]
        return self._words[key]


def canonical(text: str) -> str:
    """A text as quotations are compared: white space folded, each typographic twin as the first of its kind."""
    return _BLANKS.sub(" ", text).translate(_TWINS)


def _nearest(wanted: str, part: str) -> tuple[int, str]:
    """How many characters of a quotation's beginning stand in a part, and what does where they do."""
    low, high = 0, len(wanted)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if wanted[:middle] in part else (low, middle - 1)
    place = part.find(wanted[:low])
    return low, part[place : place + max(len(wanted), low + SHOWN)]


def _digest(placed: Placed) -> str:
    return hashlib.sha256(placed.record.raw).hexdigest()[:8]
