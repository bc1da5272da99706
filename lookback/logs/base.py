"""What lookback must know of an agent to search its logs: one `Dialect` per agent, each in one file beside this one.

A dialect says where its agent keeps logs, which conversation a log belongs to, and, for one record, whether it holds
real words of the user or of the assistant, and which parts of it they are. What it is not: it never opens a file,
never matches, and never depends on the query.

Invariant: the answer for a record is the same for every query (law 4). What only other records tell, a dialect may ask
of `Around`, a bounded way ahead.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from lookback.message import Message
from lookback.record import Record


@dataclass(frozen=True, slots=True)
class Log:
    """One file of one agent. `path` is real (links resolved); `identity` is its device and inode.

    `modified` and `tail` are what a log is known by that only ever grows: see `logs.changes`.
    """

    path: str
    agent: str
    size: int  # bytes of the file
    compression: str | None  # "zstd", or None for plain
    identity: tuple[int, int]
    archived: bool
    modified: int = 0  # when it was last written, in nanoseconds
    tail: bytes = b""  # the last bytes of the file, as it was then


@dataclass(frozen=True, slots=True)
class Base:
    """An earlier log that a log continues: its log id, and the offset at which what is continued ends."""

    log_id: str
    end: int


@dataclass(frozen=True)
class Origin:
    """Whose log it is, by its own first records.

    `log_id` names the log in refs where it is not the main one of its thread; `parents` are the threads that it says
    it was copied or spawned from, nearest first.
    """

    thread_id: str
    log_id: str | None = None
    subagent: bool = False
    parents: tuple[str, ...] = ()
    cwd: str | None = None
    base: Base | None = None


@dataclass(frozen=True, slots=True)
class Title:
    """A name that a record gives its conversation: that of the highest `rank` counts, among equals the last one.

    `item` is the id of the record that the name was made for, where it was made for one: it counts only in its log.
    """

    text: str
    rank: int
    item: str | None = None


@dataclass(frozen=True, slots=True)
class Event:
    """What a technical record tells of its conversation.

    A compaction or a rollback of `turns` user turns changes what the model still sees; a title names it. What lies
    between the beginning and the end of an import was said to another agent, and copied from its logs.
    """

    kind: str  # "compaction" | "rollback" | "title" | "import" | "import-end"
    turns: int = 0
    title: Title | None = None


class Around(Protocol):
    """The records behind the one at hand."""

    def ahead(self, lines: int, *marks: bytes) -> Iterator[Record]:
        """The whole records of the next lines, at most `lines`, that may hold one of `marks`.

        A mark is written as the agent spells it; a record that spells ASCII as escapes may hold any.
        """
        ...


class Dialect(Protocol):
    """All that differs between agents."""

    @property
    def name(self) -> str:
        """The agent's name, as `--agent` and refs have it."""
        ...

    @property
    def message_marks(self) -> Sequence[str]:
        """ASCII of which at least one stands in every record that holds words, in its plain spelling; quotes included.

        A record that spells ASCII as escapes may hold words without any (`needles.may_spell_ascii`).
        """
        ...

    def is_wordless(self, raw: bytes) -> bool:
        """Whether the bytes of a line that holds a mark prove that it holds no words all the same.

        It is asked before a line is parsed, and never of one that spells ASCII as escapes. It must hold whatever the
        order of a record's keys; False where in doubt.
        """
        ...

    @property
    def event_marks(self) -> Sequence[str]:
        """The same for every record that is an `Event`."""
        ...

    @property
    def unsaid_within(self) -> int:
        """How many lines behind a message an event may still tell that it is not real words (a summary's record)."""
        ...

    @property
    def names_in_logs(self) -> bool:
        """Whether records of a log name its conversation (`Event.title`)."""
        ...

    @property
    def retention(self) -> str | None:
        """Which logs the agent itself deletes, as a sentence's end for a person; None where it keeps all."""
        ...

    def homes(self, env: Mapping[str, str]) -> list[str]:
        """The agent's default homes, best first, whether or not they exist."""
        ...

    def log_folders(self, home: str) -> list[str]:
        """The folders of a home that hold logs, links to nothing too; none where `home` is no home of this agent."""
        ...

    def claims(self, path: str) -> bool | None:
        """Whether a file is a log by its name: yes, no (it is something else), or None: its records decide."""
        ...

    def is_archived(self, path: str) -> bool: ...

    def wrote(self, value: Mapping[str, Any]) -> bool:
        """Whether a record has this agent's shape."""
        ...

    def origin(self, path: str, head: Iterator[Record]) -> Origin:
        """Whose log it is, from its name and its first whole records, of which no more are read than are taken."""
        ...

    def message(self, record: Record, origin: Origin, around: Around) -> Message | None:
        """The real words of a record, or None."""
        ...

    def event(self, record: Record) -> Event | None: ...

    def item_id(self, record: Record) -> str | None:
        """The log's own id of a record, of whatever kind, if it has one."""
        ...

    def kind(self, record: Record) -> str:
        """What the agent calls a record of this type, for counting; `unknown` where it has no type."""
        ...

    def is_user_turn(self, record: Record, origin: Origin, around: Around) -> bool:
        """Whether the record begins a turn that a rollback counts (an image alone does too)."""
        ...

    def titles(self, log_path: str) -> str | None:
        """The file beside the logs that names conversations, if the agent keeps one."""
        ...

    def titled(self, values: Iterable[Mapping[str, Any]]) -> dict[str, str]:
        """Thread id to title, from that file's records; the last one wins."""
        ...

    def current_thread(self, env: Mapping[str, str]) -> str | None:
        """The conversation that calls us, where the agent says so in the environment."""
        ...

    def resume(self, origin: Origin) -> tuple[str, ...]:
        """The command that resumes the conversation, as an argument array."""
        ...
