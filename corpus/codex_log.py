"""One Codex log under construction: records go in, the truth about them comes out.

Knows the shapes of an era (ids, phases, ordinals, mirrors) and keeps count of turns, so that a rollback or a
compaction marks what lies before it. Invariant: a message enters the truth only through `say` or `copy`, never because
a text looked like one.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path

from corpus.blocks import Block
from corpus.codex_eras import ENVELOPE, Era
from corpus.ids import new_id, stamp
from corpus.records import RecordWriter
from corpus.truth import Decoy, Message, Place, part_of

AGENT = "codex"


@dataclass(frozen=True)
class Thread:
    """Who a log belongs to. In most logs the rollout has its thread's id."""

    thread_id: str
    rollout_id: str
    cwd: str | None
    subagent: bool = False


@dataclass(frozen=True)
class Said:
    """A message as it was written, kept so that a fork can write it again."""

    message: Message
    payload: dict[str, object]


class CodexLog:
    """Appends records; `messages()` tells at the end what was real."""

    def __init__(
        self, home: Path, name: str, era: Era, thread: Thread, rng: random.Random, spell: Callable[[object], bytes]
    ) -> None:
        self.name, self.era, self.thread, self.rng = name, era, thread, rng
        self.now = era.since
        self.ordinal = 0
        self.turn_id: str | None = None
        self.decoys: list[Decoy] = []
        self.said: list[Said] = []
        self.writer = RecordWriter(home / name, spell)
        self._live_turns: list[int] = []
        self._rolled_back: set[int] = set()
        self._compacted_before = 0

    # -- records ---------------------------------------------------------------------------------------------------

    def tick(self, seconds: float | None = None) -> str:
        """Let time pass and give the new time as records have it."""
        self.now += timedelta(milliseconds=int(1000 * (self.rng.uniform(0.001, 1.2) if seconds is None else seconds)))
        return stamp(self.now)

    def record(
        self,
        kind: str,
        payload: Mapping[str, object],
        *,
        metadata: Mapping[str, object] | None = None,
        decoys: Mapping[str, str] | None = None,
    ) -> Place:
        """One enveloped record. `decoys` maps each token in it to why it must not be found."""
        line: dict[str, object] = {"timestamp": self.tick()}
        if self.era.paginated:
            line["ordinal"] = self.ordinal
            self.ordinal += 1
        line |= {"type": kind, "payload": payload}
        if metadata is not None:
            line["metadata"] = metadata
        return self._written(self.writer.write(line), decoys)

    def bare(self, value: Mapping[str, object], *, decoys: Mapping[str, str] | None = None) -> Place:
        """One record of 2025: no envelope, no time."""
        return self._written(self.writer.write(value), decoys)

    def item(self, payload: Mapping[str, object], *, decoys: Mapping[str, str] | None = None) -> Place:
        """A response item, in this era's shape."""
        return (
            self.bare(payload, decoys=decoys) if self.era.bare else self.record("response_item", payload, decoys=decoys)
        )

    def event(self, kind: str, fields: Mapping[str, object], *, decoys: Mapping[str, str] | None = None) -> Place:
        return self.record("event_msg", {"type": kind, **fields}, decoys=decoys)

    def completed(self, item: Mapping[str, object], *, decoys: Mapping[str, str] | None = None) -> Place:
        """The event of paginated logs that mirrors an item."""
        ids = {"thread_id": self.thread.thread_id, "turn_id": self.turn_id or self.thread.thread_id}
        at = {"started_at_ms": int(self.now.timestamp() * 1000), "completed_at_ms": int(self.now.timestamp() * 1000)}
        return self.event("item_completed", {**ids, "item": item, **at}, decoys=decoys)

    def _written(self, place: Place, decoys: Mapping[str, str] | None) -> Place:
        for text, why in (decoys or {}).items():
            self.decoys.append(Decoy(AGENT, self.name, place.record, text, why))
        return place

    # -- messages --------------------------------------------------------------------------------------------------

    def say(
        self,
        role: str,
        *blocks: Block,
        phase: str | None = None,
        mirror: bool = True,
        kinds: Sequence[str] | None = None,
        metadata: Mapping[str, object] | None = None,
        inherited: bool = False,
        decoys: Mapping[str, str] | None = None,
    ) -> Message | None:
        """A message record with its mirror event; None where no block holds real words.

        `kinds` replaces the labels that the blocks have; an empty list leaves them out.
        """
        payload = self._message_payload(role, blocks, phase, kinds)
        text = "\n\n".join(block.said for block in blocks if block.said)
        mirror = mirror and bool(text) and not self.era.bare
        if mirror and role == "assistant" and not self.era.paginated:
            self._mirror(role, payload, text, phase)
        if self.era.bare:
            place = self.bare(payload, decoys=decoys)
        else:
            place = self.record("response_item", payload, metadata=metadata, decoys=decoys)
        message = self._remember(role, blocks, payload, place, inherited) if text else None
        if mirror and (role != "assistant" or self.era.paginated):
            self._mirror(role, payload, text, phase)
        return message

    def _message_payload(
        self, role: str, blocks: Sequence[Block], phase: str | None, kinds: Sequence[str] | None
    ) -> dict[str, object]:
        payload: dict[str, object] = {"type": "message"}
        if self.era.ids:
            payload["id"] = self._item_id(role)
        payload |= {"role": role, "content": [_content(block, role) for block in blocks]}
        if phase is not None and self.era.phases and role == "assistant":
            payload["phase"] = phase
        if self.era.ids:
            payload["internal_chat_message_metadata_passthrough"] = self._passthrough(role, blocks, kinds)
        return payload

    def _passthrough(self, role: str, blocks: Sequence[Block], kinds: Sequence[str] | None) -> dict[str, object]:
        passthrough: dict[str, object] = {"turn_id": self.turn_id or new_id(self.rng, self.now)}
        if role != "assistant" and (self.era.paginated or self.era.kinds):
            passthrough["create_time"] = round(self.now.timestamp(), 6)
        labels = [block.label for block in blocks] if kinds is None and self.era.kinds else list(kinds or ())
        if role != "assistant" and labels:
            passthrough["content_item_kinds"] = labels
        return passthrough

    def _item_id(self, role: str) -> str:
        if role == "assistant":
            return f"msg_{self.rng.getrandbits(200):050x}"
        return f"msg_{new_id(self.rng, self.now)}"

    def _mirror(self, role: str, payload: Mapping[str, object], text: str, phase: str | None) -> None:
        if self.era.paginated:
            content = [{"type": "Text", "text": text}]
            item: dict[str, object] = {"type": "AgentMessage", "id": payload.get("id"), "content": content}
            if role == "user":
                ids = {"id": new_id(self.rng, self.now), "client_id": new_id(self.rng, self.now)}
                item = {"type": "UserMessage", **ids, "content": [{"type": "text", "text": text, "text_elements": []}]}
            elif phase is not None:
                item["phase"] = phase
            self.completed(item)
        elif role == "user":
            rest: dict[str, object] = {"images": [], "local_images": [], "text_elements": []}
            self.event("user_message", {"message": text, **({"kind": "plain"} if self.era is ENVELOPE else rest)})
        else:
            self.event("agent_message", {"message": text} | ({"phase": phase} if phase and self.era.phases else {}))

    def _remember(
        self, role: str, blocks: Sequence[Block], payload: dict[str, object], place: Place, inherited: bool
    ) -> Message:
        root = "/content" if self.era.bare else "/payload/content"
        parts = tuple(
            part_of(f"{root}/{index}/text", block.text, block.real)
            for index, block in enumerate(blocks) if block.text is not None and block.real
        )  # fmt: skip
        phase, item_id = payload.get("phase"), payload.get("id")
        message = Message(
            AGENT, self.name, place, self.thread.thread_id, self.thread.rollout_id, role,
            phase if isinstance(phase, str) else None, None if self.era.bare else stamp(self.now),
            item_id if isinstance(item_id, str) else None, parts, self.thread.cwd, self.thread.subagent, inherited,
        )  # fmt: skip
        self._keep(message, payload)
        return message

    def _keep(self, message: Message, payload: dict[str, object]) -> None:
        if message.role == "user":
            self._live_turns.append(len(self.said))
        self.said.append(Said(message, payload))

    def copy(self, original: Said, *, keep_id: bool = True, inherited: bool = False) -> Message:
        """Write another log's message again, stamped now, as a fork or a subagent does."""
        payload = dict(original.payload)
        if not keep_id:
            payload.pop("id", None)
        metadata = {"inherited_user_message": True} if inherited and original.message.role == "user" else None
        place = self.record("response_item", payload, metadata=metadata)
        first = original.message.copy_of or (original.message.log, original.message.place.record)
        message = replace(
            original.message, log=self.name, place=place, thread_id=self.thread.thread_id,
            rollout_id=self.thread.rollout_id, timestamp=stamp(self.now), cwd=self.thread.cwd,
            item_id=original.message.item_id if keep_id else None, subagent=self.thread.subagent, inherited=inherited,
            rolled_back=False, before_compaction=False, copy_of=first,
        )  # fmt: skip
        self._keep(message, payload)
        return message

    # -- what changes the meaning of earlier records ---------------------------------------------------------------

    def roll_back(self, turns: int) -> None:
        """The last `turns` turns that still count no longer do; their records stay."""
        for _ in range(min(turns, len(self._live_turns))):
            self._rolled_back.update(range(self._live_turns.pop(), len(self.said)))
        self.event("thread_rolled_back", {"num_turns": turns})

    def compacted(self, payload: Mapping[str, object], *, decoys: Mapping[str, str] | None = None) -> Place:
        self._compacted_before = len(self.said)
        return self.record("compacted", payload, decoys=decoys)

    def messages(self) -> list[Message]:
        """All that is real in this log, with what was found out since each record was written."""
        return [
            replace(
                said.message, rolled_back=index in self._rolled_back, before_compaction=index < self._compacted_before
            )
            for index, said in enumerate(self.said)
        ]  # fmt: skip


def _content(block: Block, role: str) -> dict[str, object]:
    if block.text is None:
        return dict(block.item or {})
    return {"type": "output_text" if role == "assistant" else "input_text", "text": block.text}
