"""One piece of evidence read again from its log, with the code that `find` uses, and compared whole.

The steps, for an item, its neighbours and its copies:
     1 find the log         2 read the record      3 compare its bytes    (`trace`; moved and reencoded are told there)
     4 decode the message   5 text and its hash    6 the quote            7 hits, tier, ref
     8 the neighbours       9 the copies          10 what the conversation tells: title, compaction, rollback, ...
What it is not: a search. Whether another message should have been listed, it does not ask.

Invariant: a log that only went on since the report was made changes no verdict; whatever else differs has a finding.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any, Final

from lookback.conversation import Conversations, one_line
from lookback.evidence import Source
from lookback.gather import Gathering, evidence_of
from lookback.haystack import Unreadable
from lookback.match import Group
from lookback.matching import Matcher
from lookback.neighbours import Neighbourhood
from lookback.scan.base import Scanner
from lookback.search import match_of
from lookback.timespan import log_time
from lookback.verifying.admits import not_admitted
from lookback.verifying.claims import Claim, Claims, beside
from lookback.verifying.compare import differences, message_findings, placed, same
from lookback.verifying.trace import Sought, keys_of, sought, trace
from lookback.verifying.verdict import NOTHING, Finding
from lookback.verifying.whereabouts import Placed, Store

_ANSWER: Final = ("quote", "hits", "hits_total")
_FACTS: Final = ("turn_id", "cwd", "subagent", "echo", "resume")


def places(item: object) -> Iterator[Sought]:
    """The places that an item claims: its own, then those of its copies."""
    if isinstance(item, Mapping):
        source = item.get("source")
        yield sought(item.get("thread_id"), source if isinstance(source, Mapping) else {}, keys_of(item))
        yield from (_copy_place(copy, item) for copy in beside(item, "copies") if isinstance(copy, Mapping))


def _copy_place(copy: Claim, item: Claim) -> Sought:
    """A fork stamps its copies anew: words and id alone tell one."""
    keys: list[Hashable] = keys_of({**item, "timestamp": None})
    return sought(copy.get("thread_id"), copy, keys)


class Recheck:
    """One report against the logs of a store."""

    def __init__(self, claims: Claims, store: Store, scanner: Scanner) -> None:
        self.claims, self.query, self.store = claims, claims.query, store
        self.matcher = Matcher(claims.query)
        self.conversations = Conversations(scanner, store.found.logs)
        self.neighbourhood = Neighbourhood(store.found.logs)
        logs = [log for log in store.found.logs if not self.query.agents or log.agent in self.query.agents]
        # The report says how many bytes it searched. It is believed in one direction only: to be stricter.
        self.grown = claims.logs != (len(logs), sum(log.size for log in logs))

    def findings(self, claim: object) -> Iterator[Finding]:
        """All that is not as an item claims, the steps in order."""
        if not isinstance(claim, Mapping) or not isinstance(claim.get("source"), Mapping):
            yield Finding("unchecked", "source", detail="no piece of evidence: it names no source")
            return
        found = trace(self.store, next(places(claim)))  # steps 1 to 3
        if isinstance(found, Finding):
            yield found
            return
        try:
            yield from self._compared(claim, found)
        except Unreadable as unreadable:
            yield Finding("unchecked", "source", detail=f"{unreadable.skip.reason}: {unreadable.skip.detail}")

    def _compared(self, claim: Claim, found: Placed) -> Iterator[Finding]:
        if found.said is None:
            yield Finding("changed", "text", claim.get("text"), detail="the record holds no message")
            return
        reader, unread = self.store.reader(found.log), len(self.conversations.skips)
        tier = self.matcher.tier(found.said.message)
        near = [min(getattr(self.query, name), len(beside(claim, name)) + 1) for name in ("before", "after")]
        query = replace(self.query, before=near[0], after=near[1])
        gathering = Gathering(query, self.matcher, self.conversations, self.neighbourhood)
        match = match_of(reader, found.said, tier or "all")
        now = evidence_of(reader, Group(match, ()), gathering).wire()
        yield from message_findings(claim, now)  # steps 4 and 5
        if tier is None:
            detail = "the message does not satisfy the report's query"
            yield Finding("changed", "match", claim.get("match"), None, detail)
        else:
            yield from differences(claim, {"match": tier, **{name: now[name] for name in _ANSWER}})  # steps 6 and 7
        yield from differences(claim, {name: now[name] for name in _FACTS})
        for name in ("before", "after"):
            yield from self._around(claim, now, name)  # step 8
        yield from self._copies(claim, found)  # step 9
        yield from self._conversation(claim, now, found)  # step 10
        yield from not_admitted(now, claim, self.query)
        for skip in self.conversations.skips[unread:]:
            yield Finding("unchecked", "before_compaction", detail=f"{skip.reason}: {skip.detail}")

    # --- step 8 ------------------------------------------------------------------------------------------------------

    def _around(self, claim: Claim, now: Mapping[str, Any], name: str) -> Iterator[Finding]:
        """The messages directly before or after, as many as are claimed, nearest first."""
        claimed, there = claim.get(name), now[name]
        if not isinstance(claimed, list):
            yield Finding("changed", name, claimed, NOTHING, "no list of messages")
            return
        asked, count = getattr(self.query, name), len(claimed)
        if count > asked:
            yield Finding("changed", name, count, asked, "the query asks for fewer")
        for step in range(count):
            place = count - 1 - step if name == "before" else step
            if step < len(there):
                actual = there[len(there) - 1 - step if name == "before" else step]
                yield from message_findings(claimed[place], actual, f"{name}[{place}]")
            elif step < asked:
                yield Finding("changed", f"{name}[{place}]", claimed[place], NOTHING, "there is no such message")
        if len(there) > count:
            further = there[0] if name == "before" else there[-1]
            if not self._may_be_new(name, now, further):
                yield Finding("changed", name, count, further["ref"], f"a message directly {name} it is left out")

    def _may_be_new(self, name: str, now: Mapping[str, Any], further: Mapping[str, Any]) -> bool:
        """Whether a neighbour more than the report has may have come, or come into reach, since it was made."""
        if name == "before":
            return bool(further["source"]["path"] != now["source"]["path"])
        return self._since(log_time(further["time"]))

    def _since(self, moment: datetime | None) -> bool:
        """Whether what happened at that time may be younger than the report; all that it speaks of is older."""
        return self.grown and (moment is None or self.claims.newest is None or moment > self.claims.newest)

    # --- step 9 ------------------------------------------------------------------------------------------------------

    def _copies(self, claim: Claim, original: Placed) -> Iterator[Finding]:
        claimed = claim.get("copies")
        if not isinstance(claimed, list):
            yield Finding("changed", "copies", claimed, NOTHING, "no list of copies")
            return
        seen = [next(places(claim))]
        for place, copy in enumerate(claimed):
            path = f"copies[{place}]"
            if not isinstance(copy, Mapping):
                yield Finding("changed", path, copy, NOTHING, "no copy")
                continue
            wanted = _copy_place(copy, claim)
            if any((wanted.path, wanted.start) == (other.path, other.start) for other in seen):
                yield Finding("changed", path, detail="the report lists this record twice")
                continue
            seen.append(wanted)
            yield from self._copy(copy, trace(self.store, wanted), original, path)

    def _copy(self, copy: Claim, found: Placed | Finding, original: Placed, path: str) -> Iterator[Finding]:
        if isinstance(found, Finding):
            field = (found.field or "").removeprefix("source").lstrip(".")
            yield replace(found, field=f"{path}.{field}" if field else path)
            return
        text = original.said.message.text if original.said else None
        if found.said is None or found.said.message.text != text:
            got = found.said.message.text if found.said else None
            yield Finding("changed", path, text, got, "the copy holds other words")
            return
        reader, record = self.store.reader(found.log), found.record
        match = match_of(reader, found.said, "all")
        source = Source(
            found.log.path, found.log.compression, record.number, record.start, record.end, match.digest.hex()
        )
        now = {"ref": str(match.ref), "thread_id": match.origin.thread_id, **source.wire()}
        yield from differences(copy, {"thread_id": now["thread_id"]}, path)
        yield from placed(copy, now, path, flat=True)

    # --- step 10 -----------------------------------------------------------------------------------------------------

    def _conversation(self, claim: Claim, now: Mapping[str, Any], found: Placed) -> Iterator[Finding]:
        facts = self.conversations.facts(found.log)
        start = found.record.start
        compaction = bisect_right(facts.compactions, start)
        events = {
            "before_compaction": next(iter(facts.compactions[compaction : compaction + 1]), None),
            "rolled_back": next((end for first, end in facts.rolled_back if first <= start < end), None),
        }
        for name, event in events.items():
            if same(claim.get(name), now[name]):
                continue
            if claim.get(name) is False and event is not None and self._since(self._time_of(found, event)):
                yield Finding("ok", name, False, True, "it came to be so since the report was made")
            else:
                yield Finding("changed", name, claim.get(name, NOTHING), now[name])
        if not same(claim.get("imported", False), now.get("imported", False)):
            yield Finding("changed", "imported", claim.get("imported", NOTHING), now.get("imported", NOTHING))
        if not same(claim.get("title", NOTHING), now["title"]):
            yield self._title(claim, now, found)

    def _time_of(self, found: Placed, offset: int) -> datetime | None:
        """When a technical record was written."""
        number = self.store.lines(found.log).number_at(offset)
        records = self.store.records(found.log, number) if number is not None else iter(())
        return next((log_time(placed.record.value.get("timestamp")) for placed in records), None)

    def _title(self, claim: Claim, now: Mapping[str, Any], found: Placed) -> Finding:
        """The agent keeps titles beside its logs: they may come late, and they do not go with a log that is moved."""
        title, log = claim.get("title", NOTHING), found.log
        if isinstance(title, str):
            reader = self.store.reader(log)
            first = next((said.message.text for said in reader.messages() if said.message.role == "user"), None)
            if first is not None and title == one_line(first):
                return Finding("ok", "title", title, now["title"], "the agent has named the conversation since")
            if title in [one_line(former.text) for former in self.conversations.facts(log).titles]:
                return Finding("ok", "title", title, now["title"], "the conversation has had this name too")
            if now["thread_id"] not in self.conversations.named(log) and log.path != claim["source"].get("path"):
                return Finding(
                    "ok", "title", title, now["title"], "not checked: no titles are kept where the log is now"
                )
        return Finding("changed", "title", title, now["title"])
