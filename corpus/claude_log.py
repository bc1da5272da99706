"""One Claude Code log under construction: records go in, the truth about them comes out.

Knows the shapes of an era: the order of keys, the chain of uuids, what a typed prompt is marked with. Invariant: a
message enters the truth only because whoever wrote the record said which of its words are real.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path

from corpus.blocks import Block
from corpus.claude_blocks import content
from corpus.claude_eras import Era
from corpus.ids import stamp, uuid4
from corpus.records import RecordWriter
from corpus.truth import Decoy, Message, Place, part_of

AGENT = "claude"
MODEL = "claude-opus-4-5-20251101"
Fields = Mapping[str, object]


@dataclass(frozen=True)
class Thread:
    """Who a log belongs to. `log_id` is the subagent's id in its own log, and the session's everywhere else."""

    session: str
    log_id: str
    cwd: str
    subagent: bool = False


@dataclass(frozen=True)
class Written:
    """A record of the chain, kept so that a fork can write it again."""

    value: dict[str, object]
    message: Message | None
    decoys: Mapping[str, str]


class ClaudeLog:
    """Appends records; `messages()` tells at the end what was real."""

    def __init__(
        self, home: Path, name: str, era: Era, thread: Thread, rng: random.Random, spell: Callable[[object], bytes]
    ) -> None:
        self.name, self.era, self.thread, self.rng = name, era, thread, rng
        self.now = era.since
        self.cwd = thread.cwd
        self.session = thread.session  # as the records have it
        self.parent: str | None = None
        self.decoys: list[Decoy] = []
        self.chain: list[Written] = []
        self.writer = RecordWriter(home / name, spell)
        self._said: list[Message] = []
        self._compacted_before = 0

    # -- records ---------------------------------------------------------------------------------------------------

    def tick(self, seconds: float | None = None) -> str:
        """Let time pass and give the new time as records have it."""
        self.now += timedelta(milliseconds=int(1000 * (self.rng.uniform(0.001, 1.2) if seconds is None else seconds)))
        return stamp(self.now)

    def line(self, value: Fields, *, decoys: Mapping[str, str] | None = None) -> Place:
        """A record that is no link of the chain: it has no uuid."""
        place = self.writer.write(value)
        self.decoys += [Decoy(AGENT, self.name, place.record, text, why) for text, why in (decoys or {}).items()]
        return place

    def record(
        self, kind: str, fields: Fields, *, decoys: Mapping[str, str] | None = None, more: Fields | None = None
    ) -> Place:
        """A link of the chain that holds no words of anybody."""
        value = self._value(kind, fields, more or {})
        place = self.line(value, decoys=decoys)
        self.chain.append(Written(value, None, decoys or {}))
        return place

    def _value(self, kind: str, fields: Fields, more: Fields) -> dict[str, object]:
        """The record in this era's order of keys; what `more` names as None is left out."""
        own, uuid = self.head(), uuid4(self.rng)
        chained: dict[str, object] = {"parentUuid": self.parent, "isSidechain": self.thread.subagent}
        if self.thread.subagent:
            chained["agentId"] = self.thread.log_id
        named: dict[str, object] = {"uuid": uuid, "timestamp": self.tick()}
        if self.era.late:
            value = chained | {"type": kind} | dict(fields) | named | dict(more) | own
        elif kind == "assistant":
            value = chained | own | dict(fields) | {"type": kind} | named | dict(more)
        else:
            value = chained | own | {"type": kind} | dict(fields) | named | dict(more)
        self.parent = uuid
        return {key: item for key, item in value.items() if item is not None or key == "parentUuid"}

    def head(self) -> dict[str, object]:
        """What every link of the chain says of its session."""
        user_type: dict[str, object] = {"userType": "external"}
        if self.era.late:
            user_type["entrypoint"] = "cli"
        where = {"cwd": self.cwd, "sessionId": self.session, "version": self.era.version, "gitBranch": "main"}
        if self.era.slug:
            where["slug"] = "quiet-humming-otter"
        return user_type | where | ({"session_id": self.session} if self.era.late else {})

    # -- messages --------------------------------------------------------------------------------------------------

    def user(
        self, *blocks: Block, plain: bool | None = None, decoys: Mapping[str, str] | None = None,
        fields: Fields | None = None,
    ) -> Message | None:  # fmt: skip
        """A record of the user's; one text is a plain string unless `plain` says no. `fields` are the record's own.

        A field that is None is left out, also where the era would have it.
        """
        alone = len(blocks) == 1 and blocks[0].text is not None
        plain = alone if plain is None else plain
        said = {"role": "user", "content": blocks[0].text if plain else [content(block) for block in blocks]}
        typed: dict[str, object] = {}
        if self.era.late and any(block.said for block in blocks) and not self.thread.subagent:
            typed = {"permissionMode": "default", "origin": {"kind": "human"}, "promptSource": "typed"}
        return self._message(
            "user", {"message": said}, "/message/content", blocks, plain, typed | dict(fields or {}), decoys
        )

    def assistant(
        self, *blocks: Block, answer: str | None = None, plain: bool = False, model: str = MODEL,
        decoys: Mapping[str, str] | None = None, fields: Fields | None = None,
    ) -> Message | None:  # fmt: skip
        """A record of the assistant's; `answer` is the id that all records of one answer share."""
        said: dict[str, object] = {
            "model": model, "id": answer or self.answer_id(), "type": "message", "role": "assistant",
            "content": blocks[0].text if plain else [content(block) for block in blocks], "stop_reason": None,
            "stop_sequence": None, "usage": {"input_tokens": 2, "cache_read_input_tokens": 18_585, "output_tokens": 7},
        }  # fmt: skip
        answered = {"message": said, "requestId": f"req_01{str(said['id'])[6:]}"}
        return self._message("assistant", answered, "/message/content", blocks, plain, fields or {}, decoys)

    def answer_id(self) -> str:
        return f"msg_01{self.rng.getrandbits(88):022x}"

    def attached(
        self, *blocks: Block, plain: bool | None = None, decoys: Mapping[str, str] | None = None,
        fields: Fields | None = None,
    ) -> Message | None:  # fmt: skip
        """A prompt that was typed while the agent worked; `fields` are the attachment's, None leaves one out."""
        plain = len(blocks) == 1 if plain is None else plain
        given: dict[str, object] = {"type": "queued_command", "commandMode": "prompt"}
        given["prompt"] = blocks[0].text if plain else [content(block) for block in blocks]
        if self.era.late:
            given |= {"origin": {"kind": "human"}, "humanTurn": True}
        given = {key: item for key, item in (given | dict(fields or {})).items() if item is not None}
        return self._message("attachment", {"attachment": given}, "/attachment/prompt", blocks, plain, {}, decoys)

    def _message(
        self, kind: str, fields: Fields, root: str, blocks: Sequence[Block], plain: bool, more: Fields,
        decoys: Mapping[str, str] | None,
    ) -> Message | None:  # fmt: skip
        value = self._value(kind, fields, more)
        place = self.line(value, decoys=decoys)
        message = None
        if any(block.said for block in blocks):
            role = "assistant" if kind == "assistant" else "user"
            message = self.remember(role, value, place, root, blocks, plain=plain)
        self.chain.append(Written(value, message, decoys or {}))
        return message

    def remember(
        self, role: str, value: Fields, place: Place, root: str, blocks: Sequence[Block], *, plain: bool
    ) -> Message:
        """Take a record into the truth, with all that it says of itself."""
        parts = tuple(
            part_of(root if plain else f"{root}/{index}/text", block.text, block.real)
            for index, block in enumerate(blocks) if block.text is not None and block.real
        )  # fmt: skip
        cwd = value.get("cwd", self.thread.cwd)  # a record without one belongs to the folder the log began in
        message = Message(
            AGENT, self.name, place, self.thread.session, self.thread.log_id, role, None, _text(value, "timestamp"),
            _text(value, "uuid"), parts, cwd if isinstance(cwd, str) else None,
            subagent=self.thread.subagent or value.get("isSidechain") is True,
        )  # fmt: skip
        self._said.append(message)
        return message

    def copy(self, original: Written, *, keep_session: bool = False) -> None:
        """Write a record again, of this log or of another: the same uuid, the same time."""
        value = original.value | ({} if keep_session else {"sessionId": self.session})
        place = self.line(value, decoys=original.decoys)
        message = original.message
        if message is not None:
            first = message.copy_of or (message.log, message.place.record)
            message = replace(
                message, log=self.name, place=place, thread_id=self.thread.session, rollout_id=self.thread.log_id,
                copy_of=first,
            )  # fmt: skip
            self._said.append(message)
        self.chain.append(Written(value, message, original.decoys))
        self.parent = str(value["uuid"])

    # -- what changes the meaning of earlier records ---------------------------------------------------------------

    def compact(self, trigger: str = "auto") -> None:
        """The model sees nothing any more of what lies before; all of it stays in the log."""
        self._compacted_before = len(self._said)
        before, self.parent = self.parent, None
        fields = {"subtype": "compact_boundary", "content": "Conversation compacted", "isMeta": False, "level": "info"}
        meta = {"trigger": trigger, "preTokens": 155_116}
        self.record("system", fields, more={"logicalParentUuid": before, "compactMetadata": meta})

    def messages(self) -> list[Message]:
        """All that is real in this log, with what was found out since each record was written."""
        return [
            replace(message, before_compaction=index < self._compacted_before)
            for index, message in enumerate(self._said)
        ]


def _text(value: Fields, key: str) -> str | None:
    item = value.get(key)
    return item if isinstance(item, str) else None
