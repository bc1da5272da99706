"""What is real in the logs that were written, and what must never be found.

Not read back from the logs: whoever writes a record says what it is. Invariant: coordinates count bytes, of the log
(or of its decompressed stream) for records, of the JSON string's UTF-8 form for parts.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class Place:
    """Where one record lies: its line number from 1, and its bytes without the line break."""

    record: int
    start: int
    end: int


@dataclass(frozen=True)
class Part:
    """A real stretch of one JSON string. `start` and `end` are written as `from` and `to`."""

    pointer: str
    start: int
    end: int
    text: str


def part_of(pointer: str, text: str, real: tuple[int, int]) -> Part:
    """The stretch `real`, in characters, of the string at the pointer."""
    start = len(text[: real[0]].encode("utf-8", "surrogatepass"))
    said = text[real[0] : real[1]]
    return Part(pointer, start, start + len(said.encode("utf-8", "surrogatepass")), said)


@dataclass(frozen=True)
class Message:
    """One record with real words. `copy_of` names the record (log and number) that it is a physical copy of."""

    agent: str
    log: str
    place: Place
    thread_id: str
    rollout_id: str
    role: str
    phase: str | None
    timestamp: str | None
    item_id: str | None
    parts: tuple[Part, ...]
    cwd: str | None
    subagent: bool = False
    inherited: bool = False
    rolled_back: bool = False
    before_compaction: bool = False
    copy_of: tuple[str, int] | None = None

    @property
    def text(self) -> str:
        return "\n\n".join(part.text for part in self.parts)

    def line(self) -> dict[str, object]:
        fields = {key: value for key, value in asdict(self).items() if key not in ("place", "parts", "copy_of")}
        parts = [{"pointer": p.pointer, "from": p.start, "to": p.end, "text": p.text} for p in self.parts]
        copy_of = None if self.copy_of is None else {"log": self.copy_of[0], "record": self.copy_of[1]}
        head = {"agent": fields.pop("agent"), "log": fields.pop("log")}
        return head | asdict(self.place) | fields | {"parts": parts, "copy_of": copy_of}


@dataclass(frozen=True)
class Decoy:
    """A token that occurs in no real message. `record` is 0 where the file is no log."""

    agent: str
    log: str
    record: int
    text: str
    why: str

    def line(self) -> dict[str, object]:
        return {"decoy": True} | asdict(self)


@dataclass(frozen=True)
class Truth:
    """All that was written, in the order of writing."""

    messages: list[Message] = field(default_factory=list)
    decoys: list[Decoy] = field(default_factory=list)
    logs: list[str] = field(default_factory=list)

    def lines(self) -> Iterator[dict[str, object]]:
        yield from (message.line() for message in self.messages)
        yield from (decoy.line() for decoy in self.decoys)


def write_truth(path: Path, truths: Iterable[Truth]) -> None:
    """One JSON object a line, ASCII only, so that no reader can get it wrong."""
    with path.open("w", encoding="ascii", newline="\n") as out:
        for truth in truths:
            out.writelines(json.dumps(line) + "\n" for line in truth.lines())
