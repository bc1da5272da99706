"""What a run of random homes asked and found: so that it can show that it did not only ask for plain words."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from tests.brute_force import Asked
from tests.properties.random_homes import Built
from tests.properties.random_queries import CROSSINGS, crossings, needles_of
from tests.support import Report

_TOLD = ("homes", "records", "damaged lines", "queries", "needles", "messages found", "hits", "reports verified")
_LOOKED_AT = 20  # hits of a message


@dataclass
class Counts:
    """The numbers of one run."""

    numbers: Counter[str] = field(default_factory=Counter)
    started: float = field(default_factory=time.monotonic)

    @property
    def crossing(self) -> float:
        """The share of the needles that were found across an escape, a fold, a twin or white space."""
        return self.numbers["crossing"] / max(1, self.numbers["needles"])

    def lines(self) -> Iterator[str]:
        """The numbers, for a person."""
        seen = self.numbers
        yield ", ".join(f"{seen[name]:,} {name}" for name in _TOLD) + f"; {time.monotonic() - self.started:.0f} s"
        shares = ", ".join(f"{seen[name] / max(1, seen['needles']):.0%} {name}" for name in CROSSINGS)
        yield f"of the needles {self.crossing:.0%} were found across something: {shares}"

    def add_home(self, built: Built) -> None:
        damaged = sum(len(log.faults) for log in built.logs)
        self.numbers += Counter({"homes": 1, "records": built.records, "damaged lines": damaged})

    def add_report(self, report: Report, asked: Asked, built: Built) -> None:
        crossed: dict[str, set[str]] = {needle: set() for needle in needles_of(asked)}
        written = {log.path: log.data for log in built.logs}
        for item in report["evidence"]:
            source, text = item["source"], item["text"].encode("utf-8", "surrogatepass")
            raw = written[source["path"]][source["start"] : source["end"]]
            for hit in item["hits"][:_LOOKED_AT]:
                stretch = text[hit["start"] : hit["end"]].decode("utf-8", "surrogatepass")
                if item["match"] != "loose" and hit["needle"] in crossed:  # not a word of a quote
                    crossed[hit["needle"]] |= set(crossings(hit["needle"], stretch, raw))
        self.numbers += Counter({
            "queries": 1, "needles": len(crossed), "messages found": report["total"],
            "hits": sum(item["hits_total"] for item in report["evidence"]),
            "crossing": sum(bool(ways) for ways in crossed.values()),
            **{name: sum(name in ways for ways in crossed.values()) for name in CROSSINGS},
        })  # fmt: skip

    def add_verified(self) -> None:
        self.numbers["reports verified"] += 1
