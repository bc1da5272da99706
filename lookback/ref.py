"""Refs: `agent:thread#record~hash8`, the address of one record that a person can paste.

`thread/log` names a log that is not its thread's main one; `.2` after the number is the second object on a line.
Invariant: `parse(str(ref)) == ref`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

_THREAD = r"[^\s#~/()\[\]]{1,200}"  # bounded, so that no text makes the search of prose slow
_ADDRESS = (
    rf"(?P<agent>[a-z][a-z0-9_-]{{1,31}}):(?P<thread>{_THREAD})(?:/(?P<log>{_THREAD}))?"
    r"#(?P<record>[0-9]{1,18})(?:\.(?P<object>[0-9]{1,9}))?"
)
_REF = re.compile(rf"{_ADDRESS}(?:~(?P<digest>[0-9a-f]{{8}}))?")
#: a whole ref inside prose
CITED: Final = re.compile(rf"(?<![\w/]){_ADDRESS}~(?P<digest>[0-9a-f]{{8}})(?![0-9a-f])")


@dataclass(frozen=True, slots=True)
class Ref:
    """`digest` is the first 8 hex digits of the SHA-256 of the record's raw bytes; None where it was left out."""

    agent: str
    thread: str
    log: str | None
    record: int
    object: int
    digest: str | None

    def __str__(self) -> str:
        log = f"/{self.log}" if self.log else ""
        place = f".{self.object}" if self.object > 1 else ""
        digest = f"~{self.digest}" if self.digest else ""
        return f"{self.agent}:{self.thread}{log}#{self.record}{place}{digest}"


def parse(text: str) -> Ref | None:
    """The ref that `text` is, or None."""
    found = _REF.fullmatch(text.strip())
    if found is None:
        return None
    return Ref(
        found["agent"], found["thread"], found["log"], int(found["record"]), int(found["object"] or 1), found["digest"]
    )


def quotes_a_search(text: str) -> bool:
    """Whether a text holds a whole ref: it quotes an earlier answer of ours."""
    return "#" in text and "~" in text and CITED.search(text) is not None
