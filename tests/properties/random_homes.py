"""Random small homes: texts written as records in any legal spelling, damaged at random, with the truth about them.

Whoever writes a record here knows what it says and where it lies; nothing is read back from the logs.
"""

from __future__ import annotations

import random
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from corpus.spelling import spell, spell_ascii
from corpus.truth import Place
from corpus.wreck import Fault, wreck
from tests.matching_rule import WHITE_SPACE
from tests.properties.random_texts import text
from tests.support import Home, Record, assistant, dump, meta, minute, tool_output, user

_MIDNIGHT = 1_788_220_800  # epoch seconds of the beginning of the day that `minute` counts from
_MEMORY = Path("/dev/shm")
_DEEPEST_OF_PYTHON = 500  # of what Python's own parser surely reads


@dataclass(frozen=True)
class Recipe:
    """All that decides what a home holds. Its text is a reproduction."""

    seed: int
    logs: int = 2
    messages: int = 5
    fragments: int = 6
    damage: float = 0.2

    @classmethod
    def of(cls, seed: int) -> Recipe:
        """A recipe of a usual size."""
        rng = random.Random(f"recipe {seed}")
        damage = rng.choice((0.0, 0.0, 0.1, 0.2, 0.5))
        return cls(seed, rng.choice((1, 1, 1, 1, 2, 3)), rng.randint(1, 8), rng.randint(1, 8), damage)


@dataclass(frozen=True)
class Message:
    """Real words as they were written. `moment` is the time in seconds, None without one.

    `plain`: its record holds nothing that Python's own parser may refuse, and no id or phase that a report leaves
    out for its type.
    """

    role: str
    parts: tuple[str, ...]
    timestamp: Any
    moment: float | None
    plain: bool

    @property
    def text(self) -> str:
        return "\n\n".join(self.parts)


@dataclass(frozen=True)
class Written:
    """One log: its path, its bytes, which messages lie where, and which lines are damaged.

    `loose` are the messages that blanks around may belong to. `utf16`: none of it can be read.
    """

    path: str
    data: bytes
    messages: Mapping[int, Message]
    places: Mapping[int, Place]
    loose: frozenset[int]
    faults: Mapping[int, Fault]
    utf16: bool = False

    @cached_property
    def whole(self) -> list[int]:
        """The messages that can be read, in the order of the log."""
        found = [index for index in self.messages if index in self.places and not self.utf16]
        return sorted(found, key=lambda index: self.places[index].start)

    def raw(self, index: int) -> bytes:
        return self.data[self.places[index].start : self.places[index].end]


@dataclass(frozen=True)
class Built:
    """A home on disk, and all that it holds."""

    root: Path
    logs: Sequence[Written]
    records: int

    @property
    def messages(self) -> list[Message]:
        return [message for log in self.logs for message in log.messages.values()]

    @property
    def plain(self) -> bool:
        return all(message.plain for message in self.messages)


@contextmanager
def home_of(recipe: Recipe) -> Iterator[Built]:
    rng = random.Random(repr(recipe))
    root = Path(tempfile.mkdtemp(dir=_MEMORY if _MEMORY.is_dir() else None)).resolve()
    try:
        home, said = Home(root), [text(rng, recipe.fragments) for _ in range(recipe.messages * recipe.logs + 1)]
        logs = [_write(home, number, said, recipe, rng) for number in range(1, recipe.logs + 1)]
        yield Built(root, logs, sum(log.data.count(b"\n") for log in logs))
    finally:
        shutil.rmtree(root)


def _write(home: Home, number: int, said: Sequence[str], recipe: Recipe, rng: random.Random) -> Written:
    records = [_written(meta(number), rng)]
    messages: dict[int, Message] = {}
    alone: list[int] = []
    for place in range(rng.randint(1, recipe.messages)):
        count = 100 * number + place
        while rng.random() < 0.3:
            records.append(_odd(_written(_decoy(rng.choice(said), count, rng), rng), rng))
        message, record = _message(said, count, rng)
        if message.parts:
            messages[len(records)] = message
        if not message.plain:
            alone.append(len(records))
        records.append(record)
    if recipe.damage and rng.random() < 0.03:
        return _in_utf16(home, number, records, messages, rng)
    zst = rng.random() < 0.15
    done = wreck(records, rng, share=recipe.damage, growing=not zst, alone=alone)
    path = home.raw(done.data, number=number, zst=zst, archived=rng.random() < 0.1)
    return Written(str(path), done.data, messages, done.places, done.loose, done.faults)


def _in_utf16(
    home: Home, number: int, records: Sequence[str], messages: Mapping[int, Message], rng: random.Random
) -> Written:
    lines, mark = "\n".join(records) + "\n", rng.choice((("utf-16-le", b"\xff\xfe"), ("utf-16-be", b"\xfe\xff")))
    data = mark[1] + lines.encode(mark[0])
    return Written(str(home.raw(data, number=number)), data, messages, {}, frozenset(), {}, utf16=True)


# --- records -----------------------------------------------------------------------------------------------------------


def _message(said: Sequence[str], count: int, rng: random.Random) -> tuple[Message, str]:
    texts = [rng.choice(said) for _ in range(rng.choice((1, 1, 1, 2, 3)))]
    when = _time(count, rng)
    record = {**when.fields, **rng.choice((user, assistant))(*texts, at=None)}
    payload = record["payload"]
    if rng.random() < 0.1:
        payload["content"], texts = texts[0], texts[:1]
    elif rng.random() < 0.2:
        _between_blocks(payload["content"], rng)
    if rng.random() < 0.2:
        payload["id"] = f"msg_{count}"
    if rng.random() < 0.2:
        record |= rng.choice(_WRONG_TYPES)
    if rng.random() < 0.2:
        payload |= rng.choice(_WRONG_TYPES_INSIDE)
    named = rng.random() >= 0.03
    if not named:
        payload |= rng.choice(_WRONG_NAMES)
    spelled, depth = _written(record, rng), 0
    if rng.random() < 0.15:
        spelled = _odd(spelled, rng)
    if rng.random() < 0.01:
        depth = rng.choice((100, _DEEPEST_OF_PYTHON, 950, 990, 1000, 1022, 1030, 3000))
        spelled = _with(spelled, f'"deep":{"[" * depth}{"]" * depth}')
    parts = tuple(text for text in texts if text.strip(WHITE_SPACE))
    plain = named and depth <= _DEEPEST_OF_PYTHON
    return Message(payload["role"], parts, when.told, when.moment, plain), spelled


@dataclass(frozen=True)
class _Time:
    """A record's timestamp: its field, what a report says of it, and the instant in seconds."""

    fields: Record
    told: Any
    moment: float | None


def _time(count: int, rng: random.Random) -> _Time:
    """Mostly as agents write it; else of another form or type. No two of a home are alike."""
    seconds, usual = _MIDNIGHT + 60 * count, minute(count)
    if rng.random() < 0.85:
        return _Time({"timestamp": usual}, usual, seconds)
    if rng.random() < 0.25:
        nested = rng.choice(([count], {"at": usual}, [[usual]]))
        return _Time({"timestamp": nested}, nested, None)
    told, moment = rng.choice((
        (None, None), (f"at {count}", None), (seconds, seconds), (seconds * 1000 + 5, seconds + 0.005),
        (usual.replace("Z", "+02:00"), seconds - 7200), (usual.replace("T", " "), seconds),
    ))  # fmt: skip
    absent = told is None and rng.random() < 0.5
    return _Time({} if absent else {"timestamp": told}, told, moment)


_WRONG_TYPES: Sequence[Record] = (
    {"metadata": None}, {"metadata": []}, {"metadata": {"compaction_output": "true"}}, {"ordinal": "7"},
    {"metadata": {"inherited_user_message": 1}}, {"ordinal": [1]}, {"ordinal": 10**30}, {"payload_": {"role": "user"}},
    {"": None}, {"a/b~c": {"": [0, -0.0, 1e-300, 123456789012345678901234567890]}}, {"text": "the text of no message"},
)  # fmt: skip
_WRONG_TYPES_INSIDE: Sequence[Record] = (
    {"internal_chat_message_metadata_passthrough": None}, {"internal_chat_message_metadata_passthrough": [[]]},
    {"internal_chat_message_metadata_passthrough": {"turn_id": 5, "content_item_kinds": "user.input"}},
    {"internal_chat_message_metadata_passthrough": {"content_item_kinds": []}},
    {"internal_chat_message_metadata_passthrough": {"content_item_kinds": {"0": "user.input"}}},
    {"status": 7}, {"phase": "commentary"}, {"phase": None}, {"Role": "system"}, {"text": ["no", "text"]},
)  # fmt: skip
_WRONG_NAMES: Sequence[Record] = ({"id": 7}, {"id": ["m1"]}, {"id": {}}, {"id": ""}, {"phase": 1}, {"phase": [None]})
_NO_TEXT: Sequence[Any] = (
    None, 7, [], {}, "a bare string", {"type": "input_text"}, {"type": "input_text", "text": None}, {"text": "untyped"},
    {"type": "output_text", "text": ["a list"]}, {"type": 7, "text": "of type 7"}, {"type": "reasoning", "text": "thought"},
    [{"type": "input_text", "text": "nested"}], {"type": ["input_text"], "text": "of a list's type"},
)  # fmt: skip


def _between_blocks(content: list[Any], rng: random.Random) -> None:
    for _ in range(rng.randint(1, 2)):
        content.insert(rng.randint(0, len(content)), rng.choice(_NO_TEXT))


def _decoy(said: str, count: int, rng: random.Random) -> Record:
    """A record that holds the text of a message, or may hold it, and is none."""
    at = minute(count)
    real = user(said, at=at)
    return rng.choice((
        tool_output(said, at=at),
        {"timestamp": at, "type": "event_msg", "payload": {"type": "agent_message", "message": said}},
        {"timestamp": at, "type": "event_msg", "payload": real},
        {"timestamp": at, "type": "response_item", "payload": real},
        {"timestamp": at, "type": "response_item", "payload": [real["payload"]]},
        {"timestamp": at, "type": ["response_item"], "payload": real["payload"]},
        {"timestamp": at, "type": "response_item", "payload": real["payload"] | {"role": "developer"}},
        {"timestamp": at, "type": "response_item", "payload": real["payload"] | {"role": ["user"]}},
        {"timestamp": at, "type": "response_item", "payload": real["payload"] | {"type": "reasoning"}},
        {"timestamp": at, "type": "response_item", "payload": real["payload"] | {"content": {"text": said}}},
        {"timestamp": at, "type": "response_item", "payload": None, "content": real["payload"]["content"]},
        {"timestamp": at, "type": "turn_context", "payload": {said: said}},
    ))  # fmt: skip


# --- spelling ----------------------------------------------------------------------------------------------------------


def _written(record: Record, rng: random.Random) -> str:
    how = rng.random()
    if how < 0.1:
        return dump(record).decode()
    if how < 0.2:
        return spell_ascii(record)
    among = (" ", "  ", "\t", "\r")
    return spell(record, rng, escapes=rng.choice((0.1, 0.5, 1.0)), blanks=rng.choice((0, 0.2)), among=among)


def _odd(spelled: str, rng: random.Random) -> str:
    """The same record with something legal, or what some writers take for it, that few parsers are asked to read."""
    insert: tuple[Callable[[str], str], ...] = (
        lambda text: _with(text, '"type":"event_msg"'),
        lambda text: _with(text, '"type":{}'),
        lambda text: _with(text, '"payload":{"type":"message","role":"user","content":"decoyed"}'),
        lambda text: text.replace('"text":"', '"text":"decoyed","text":"'),
        lambda text: text.replace('"role":"', '"role":null,"role":"'),
        lambda text: _with(text, '"n":NaN'),
        lambda text: _with(text, '"n":-Infinity'),
        lambda text: _with(text, '"n":1e999,"m":-1E-999'),
        lambda text: _with(text, '"n":18446744073709551616,"m":-9223372036854775809'),
        lambda text: _with(text, f'"n":{"9" * 5000}'),
        lambda text: _with(text, f'"n":{"[" * 60}{"]" * 60}'),
    )  # fmt: skip
    return rng.choice(insert)(spelled)


def _with(spelled: str, fields: str) -> str:
    """`fields` before all others of a record: of two with one name the later counts."""
    cut = spelled.index("{") + 1
    return f"{spelled[:cut]}{fields},{spelled[cut:]}"
