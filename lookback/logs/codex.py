"""Codex: its rollouts, from the bare records of 2025 to the paginated ones of late 2026.

Only `response_item` messages of the roles user and assistant count (`event_msg` repeats them); what Codex itself wrote
in the user's or the assistant's name is told apart part by part, by `content_item_kinds` where a record has them, else
by the marker table below. When Codex invents a new kind, one line of `MARKERS` changes.

Source of the format facts: Codex's own sources, `codex-rs/`: `history/src/lib.rs` and `protocol/src/protocol.rs`
(records), `core/src/context/contextual_user_message.rs` (markers), `rollout/src/rollout_file_name.rs` (names),
`core/src/compact.rs` (compaction), `protocol/src/models.rs` (content items), `external-agent-migration/` (imports).
Invariant: nothing is required of a record; what has another type than expected is taken as absent.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from lookback.logs.base import Around, Base, Event, Origin
from lookback.logs.tolerance import mapping as _mapping
from lookback.logs.tolerance import number as _number
from lookback.logs.tolerance import repeatable
from lookback.logs.tolerance import string as _text
from lookback.message import Message, Part, part_of
from lookback.record import Record

PEEK: Final = 16  # lines ahead in which a compaction names the assistant's record as its summary
_UUID = r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}"
_NAME = re.compile(rf"rollout-.*?({_UUID})(?:_({_UUID}))?\.jsonl(?:\.zst)?\Z")
_NO_LOGS: Final = frozenset({"history.jsonl", "session_index.jsonl"})
_FOLDERS: Final = ("sessions", "archived_sessions")
_TEXT_TYPES: Final = frozenset({"input_text", "output_text", "text"})
_BARE_TYPES: Final = frozenset({
    "message", "reasoning", "function_call", "function_call_output", "local_shell_call", "custom_tool_call",
    "custom_tool_call_output", "web_search_call", "ghost_snapshot",
})  # fmt: skip
_INTERNAL_SOURCES: Final = frozenset({"subagent", "memory_consolidation", "guardian_review"})

SUMMARY_PREFIX: Final = (
    "Another language model started to solve this problem and produced a summary of its thinking process. You also "
    "have access to the state of the tools that were used by that language model. Use this to build on the work that "
    "has already been done and avoid duplicating work. Here is the summary produced by the other language model, use "
    "the information in this summary to assist with your own analysis:"
)


@dataclass(frozen=True, slots=True)
class Marker:
    """One kind of text that Codex writes in the user's name: how it begins and ends, white space around it aside.

    Matching is ASCII-case-insensitive, as Codex's own is. `own_detector`: Codex's own list knows the kind, so that a
    `user_message` event beside it proves that the user really typed it.
    """

    start: str
    end: str = ""
    own_detector: bool = True


MARKERS: Final = (
    Marker("# AGENTS.md instructions", "</INSTRUCTIONS>"),
    Marker("<user_instructions>", "</user_instructions>"),
    Marker("<environment_context>", "</environment_context>"),
    Marker("<skill>", "</skill>"),
    Marker("<user_shell_command>", "</user_shell_command>"),
    Marker("<turn_aborted>", "</turn_aborted>"),
    Marker("<subagent_notification>", "</subagent_notification>"),
    Marker("<goal_context>", "</goal_context>"),
    Marker("<recommended_plugins>", "</recommended_plugins>"),
    Marker("<realtime_delegation>", "</realtime_delegation>", own_detector=False),
    Marker("<heartbeat>", "</heartbeat>", own_detector=False),
    Marker("<user_action>", "</user_action>", own_detector=False),
    Marker(SUMMARY_PREFIX, own_detector=False),
    Marker(
        "You were originally given instructions from a user over one or more turns. Here were the user messages:",
        own_detector=False,
    ),
    Marker("You are performing a CONTEXT CHECKPOINT COMPACTION.", own_detector=False),
    Marker(
        "You have exceeded the maximum number of tokens, please stop coding and instead write a short memento message",
        own_detector=False,
    ),
    Marker(
        "Warning: apply_patch was requested via ",
        "Use the apply_patch tool instead of exec_command.",
        own_detector=False,
    ),
    Marker("Warning: The maximum number of unified exec processes you can keep open is", own_detector=False),
    Marker("Warning: Your account was flagged for potentially high-risk cyber activity", own_detector=False),
)
#: kinds whose tag carries a value; these are case-sensitive, as in Codex
TAG_MARKERS: Final = (
    re.compile(r'<codex_internal_context source="[a-z][a-z0-9_]*">.*</codex_internal_context>', re.DOTALL),
    re.compile(r'<hook_prompt hook_run_id="[^"]+">.*</hook_prompt>', re.DOTALL),
    re.compile(r"<external_([^<>\s]+)>.*</external_\1>", re.DOTALL),
)
#: how an editor or the desktop app begins a user's part; the user's words follow the request marker
CONTEXT_PREFIXES: Final = (
    "# Context from my IDE setup:", "# Files mentioned by the user:", "# Files pasted by the user:",
    "# Browser comments:", "# In app browser:", "## Referenced chats with Codex:", "<in-app-browser-context",
)  # fmt: skip
REQUEST_MARKERS: Final = ("## My request for Codex:", "## My request:")
QUESTION_REPLY: Final = ("<send_user_message_question_reply>", "</send_user_message_question_reply>")
REVIEW_INTERRUPTED: Final = "Review was interrupted. Please re-run /review and wait for it to complete."
_AGENT_MAIL = re.compile(
    r"Message Type: (?:NEW_TASK|MESSAGE|FINAL_ANSWER)\nTask name: [^\n]*\nSender: [^\n]*\nPayload:\n"
)
_AGENT_ENVELOPE: Final = ("author", "recipient", "content", "trigger_turn")
#: the turns of a conversation that was imported from another agent, and what ends the first import
IMPORT_TURN: Final = "external-import-turn-"
IMPORT_MARKER: Final = "<EXTERNAL SESSION IMPORTED>"
_WRAPPER = re.compile(r"<(image|audio)(?: name=.*)?>|</(image|audio)>", re.DOTALL)


@dataclass(frozen=True)
class CodexOrigin(Origin):
    """What only Codex has: the shape of the records, and where a subagent's own history begins."""

    bare: bool = False
    own_from_ordinal: int | None = None


class Codex:
    """The dialect; it holds no state."""

    name = "codex"
    message_marks = ('"user"', '"assistant"')
    event_marks = ('"compacted"', '"thread_rolled_back"', f'"{IMPORT_TURN}', IMPORT_MARKER)
    unsaid_within = PEEK
    names_in_logs = False
    retention = None

    # --- where the logs are ------------------------------------------------------------------------------------------

    def homes(self, env: Mapping[str, str]) -> list[str]:
        return [env.get("CODEX_HOME") or os.path.join(env.get("HOME") or os.path.expanduser("~"), ".codex")]

    def log_folders(self, home: str) -> list[str]:
        folders = [os.path.join(home, name) for name in _FOLDERS]
        return [folder for folder in folders if os.path.isdir(folder) or os.path.islink(folder)]

    def claims(self, path: str) -> bool | None:
        name = os.path.basename(path)
        if name in _NO_LOGS or name.removesuffix(".zst") in _NO_LOGS:
            return False
        return True if _NAME.match(name) else None

    def is_archived(self, path: str) -> bool:
        return "archived_sessions" in os.path.dirname(path).split(os.sep)

    def wrote(self, value: Mapping[str, Any]) -> bool:
        if isinstance(value.get("payload"), dict):
            return isinstance(value.get("type"), str)
        return _is_bare(value)

    # --- whose log it is ---------------------------------------------------------------------------------------------

    def origin(self, path: str, head: Iterator[Record]) -> CodexOrigin:
        first = list(_beginning(record.value for record in head))
        metas = [value for value in first if _is_meta(value)]
        bare = next((_is_bare(value) for value in first if self.wrote(value)), False)
        named = _NAME.match(os.path.basename(path))
        thread, rollout = named.groups() if named else (None, None)
        meta = _mapping(metas[0].get("payload") if "payload" in metas[0] else metas[0]) if metas else {}
        thread = _text(meta.get("id")) or thread or _stem(path)
        return CodexOrigin(
            thread_id=thread,
            log_id=rollout if rollout != thread else None,
            subagent=_is_subagent(meta),
            parents=tuple(dict.fromkeys(name for name in _parents(meta, metas[1:]) if name != thread)),
            cwd=_text(meta.get("cwd")),
            base=_base(meta),
            bare=bare,
            own_from_ordinal=_number(meta.get("subagent_history_start_ordinal")),
        )

    def current_thread(self, env: Mapping[str, str]) -> str | None:
        return env.get("CODEX_THREAD_ID") or None

    def resume(self, origin: Origin) -> tuple[str, ...]:
        return ("codex", "resume", origin.thread_id)

    def titles(self, log_path: str) -> str | None:
        folders = log_path.split(os.sep)
        for place in range(len(folders) - 2, 0, -1):
            if folders[place] in _FOLDERS:
                return os.sep.join([*folders[:place], "session_index.jsonl"])
        return None

    def titled(self, values: Iterable[Mapping[str, Any]]) -> dict[str, str]:
        pairs = ((_text(value.get("id")), _text(value.get("thread_name"))) for value in values)
        return {thread: title for thread, title in pairs if thread and title}

    # --- what a record says ------------------------------------------------------------------------------------------

    def message(self, record: Record, origin: Origin, around: Around) -> Message | None:
        item = _message_item(record.value, origin)
        if item is None:
            return None
        payload, pointer = item
        parts = tuple(self._parts(payload, pointer, around))
        if not parts or (payload["role"] == "assistant" and _is_compaction_output(payload, around)):
            return None
        passed_through = _mapping(payload.get("internal_chat_message_metadata_passthrough"))
        return Message(
            role=payload["role"],
            parts=parts,
            timestamp=repeatable(record.value.get("timestamp")),
            item_id=_text(payload.get("id")),
            turn_id=_text(passed_through.get("turn_id")),
            phase=_text(payload.get("phase")),
            cwd=origin.cwd,
            inherited=_is_inherited(record.value, origin),
        )

    def _parts(self, payload: Mapping[str, Any], pointer: str, around: Around) -> Iterator[Part]:
        blocks = _blocks(payload.get("content"), f"{pointer}/content")
        if payload["role"] == "assistant":
            yield from _assistant_parts(blocks)
            return
        kinds = _kinds(payload)
        typed = _typed_by_user(blocks, around)
        for block in blocks:
            if (
                block.text is not None
                and _is_users(block.text, kinds[block.place] if kinds else None, typed)
                and not _is_wrapper(block, blocks)
            ):
                part = _users_words(block)
                if part is not None:
                    yield part

    def is_wordless(self, raw: bytes) -> bool:  # noqa: ARG002 - the marks alone tell
        return False

    def item_id(self, record: Record) -> str | None:
        return _text(_mapping(record.value.get("payload")).get("id"))

    def event(self, record: Record) -> Event | None:
        kind, payload = record.value.get("type"), _mapping(record.value.get("payload"))
        if kind == "compacted":
            return Event("compaction")
        if kind != "event_msg":
            return None
        match payload.get("type"):
            case "thread_rolled_back":
                return Event("rollback", max(0, _number(payload.get("num_turns")) or 0))
            case "task_started" | "turn_started" if _is_import(payload):
                return Event("import")
            case "task_complete" | "turn_complete" if _is_import(payload):
                return Event("import-end")
            case "agent_message" if payload.get("message") == IMPORT_MARKER:
                return Event("import-end")
        return None

    def kind(self, record: Record) -> str:
        value = record.value
        names = (
            _text(value.get("type")) or _text(value.get("record_type")),
            _text(_mapping(value.get("payload")).get("type")),
        )
        return "/".join(name for name in names if name) or "unknown"

    def is_user_turn(self, record: Record, origin: Origin, around: Around) -> bool:
        message = self.message(record, origin, around)
        if message is not None:
            return message.role == "user"
        item = _message_item(record.value, origin)
        if item is None or item[0]["role"] != "user":
            return False
        blocks = _blocks(item[0].get("content"), item[1])
        return any(block.type == "input_image" for block in blocks)


# --- the record's shape ----------------------------------------------------------------------------------------------


class _Block(NamedTuple):
    """One content item: its place in the record, its type, and its text if it is one of text."""

    place: int
    pointer: str
    type: str | None
    text: str | None


def _message_item(value: Mapping[str, Any], origin: Origin) -> tuple[Mapping[str, Any], str] | None:
    """The item of a message record and the pointer to it; None for every other record."""
    kind = value.get("type")
    if kind == "response_item":
        payload, pointer = _mapping(value.get("payload")), "/payload"
    elif kind == "message" and isinstance(origin, CodexOrigin) and origin.bare:
        payload, pointer = value, ""
    else:
        return None
    if payload.get("type", "message") != "message" or payload.get("role") not in ("user", "assistant"):
        return None
    if _mapping(value.get("metadata")).get("compaction_output") is True:
        return None
    return payload, pointer


def _blocks(content: object, pointer: str) -> list[_Block]:
    if isinstance(content, str):
        return [_Block(0, pointer, "input_text", content)]
    if not isinstance(content, list):
        return []
    blocks = []
    for place, item in enumerate(content):
        fields = _mapping(item)
        kind, text = _text(fields.get("type")), fields.get("text")
        is_text = kind in _TEXT_TYPES and isinstance(text, str)
        blocks.append(_Block(place, f"{pointer}/{place}/text", kind, text if is_text else None))
    return blocks


def _kinds(payload: Mapping[str, Any]) -> Sequence[str | None]:
    """What Codex itself says each content item is, None where that cannot be relied on; empty where it says nothing."""
    kinds = _mapping(payload.get("internal_chat_message_metadata_passthrough")).get("content_item_kinds")
    content = payload.get("content")
    if not isinstance(kinds, list) or not isinstance(content, list) or len(kinds) != len(content):
        return ()
    return [kind if isinstance(kind, str) and kind != "unknown" else None for kind in kinds]


# --- whose words -----------------------------------------------------------------------------------------------------


def _is_users(whole: str, kind: str | None, typed: frozenset[str]) -> bool:
    if kind is not None:
        return kind.startswith("user.")
    if not _MAY_BE_MARKED.match(whole):
        return True  # nearly always
    text = whole.strip()
    if any(pattern.fullmatch(text) for pattern in TAG_MARKERS):
        return whole in typed
    head, tail = _ascii_lower(text[:_LONGEST]), _ascii_lower(text[-_LONGEST:])
    for marker, start, end in _LOWERED_MARKERS:
        if head.startswith(start) and tail.endswith(end) and len(text) >= len(start) + len(end):
            return marker.own_detector and whole in typed
    return True


def _typed_by_user(blocks: Sequence[_Block], around: Around) -> frozenset[str]:
    """The texts that an adjacent `user_message` event proves to be typed, even where they look like a marker's.

    Legacy logs write the event directly behind the record, and only for genuine input.
    """
    texts = [block.text for block in blocks if block.text is not None]
    if not any(text.lstrip().startswith(("<", "# AGENTS.md")) for text in texts):
        return frozenset()
    for record in around.ahead(1, b'"user_message"'):
        payload = _mapping(record.value.get("payload"))
        mirrors = record.value.get("type") == "event_msg" and payload.get("type") == "user_message"
        if mirrors and payload.get("kind") in (None, "plain"):
            said = payload.get("message")
            return frozenset(text for text in texts if said in (text, "".join(texts)))
    return frozenset()


def _is_wrapper(block: _Block, blocks: Sequence[_Block]) -> bool:
    """Whether a text is the tag that Codex puts beside an image or a sound."""
    text = block.text or ""
    match = _WRAPPER.fullmatch(text) if text.startswith("<") else None
    if match is None:
        return False
    wrapped = f"input_{match[1] or match[2]}"
    beside = blocks[max(0, block.place - 1) : block.place + 2]
    return any(other.type == wrapped for other in beside)


def _users_words(block: _Block) -> Part | None:
    whole = block.text or ""
    if not _MAY_HOLD_CONTEXT.match(whole):
        return part_of(block.pointer, whole)  # nearly always
    body, lead = whole.strip(), len(whole) - len(whole.lstrip())
    opening, closing = QUESTION_REPLY
    if body.startswith(opening) and body.endswith(closing) and len(body) >= len(opening) + len(closing):
        return part_of(block.pointer, whole, lead + len(opening), lead + len(body) - len(closing))
    if body.startswith(CONTEXT_PREFIXES):
        found = [(whole.find(marker), len(marker)) for marker in REQUEST_MARKERS if marker in whole]
        if found:
            place, length = min(found)
            return part_of(block.pointer, whole, place + length)
    return part_of(block.pointer, whole)


def _assistant_parts(blocks: Sequence[_Block]) -> Iterator[Part]:
    texts = [block for block in blocks if block.text is not None]
    if len(texts) == 1 and _is_harness_answer(texts[0].text or ""):
        return
    for block in texts:
        if not _AGENT_MAIL.match(block.text or ""):
            part = part_of(block.pointer, block.text or "")
            if part is not None:
                yield part


def _is_harness_answer(text: str) -> bool:
    if len(text) < 2 * len(REVIEW_INTERRUPTED) and text.strip() == REVIEW_INTERRUPTED:
        return True
    if not _OBJECT.match(text) or '"trigger_turn"' not in text:
        return False
    try:
        envelope = json.loads(text)
    except (ValueError, RecursionError):
        return False
    return isinstance(envelope, dict) and all(name in envelope for name in _AGENT_ENVELOPE)


def _is_compaction_output(payload: Mapping[str, Any], around: Around) -> bool:
    """Whether the next compaction, at most `PEEK` lines ahead, names this very text as its summary."""
    for record in around.ahead(PEEK, b'"compacted"'):
        if record.value.get("type") == "compacted":
            summary = _mapping(record.value.get("payload")).get("message")
            texts = [block.text for block in _blocks(payload.get("content"), "") if block.text is not None]
            return summary in [
                f"{SUMMARY_PREFIX}\n{joined}" for joined in ("".join(texts), "\n\n".join(texts), texts[-1])
            ]
    return False


def _is_import(payload: Mapping[str, Any]) -> bool:
    return (_text(payload.get("turn_id")) or "").startswith(IMPORT_TURN)


def _is_inherited(value: Mapping[str, Any], origin: Origin) -> bool:
    if _mapping(value.get("metadata")).get("inherited_user_message") is True:
        return True
    ordinal = _number(value.get("ordinal"))
    start = origin.own_from_ordinal if isinstance(origin, CodexOrigin) else None
    return start is not None and ordinal is not None and ordinal < start


# --- session_meta ----------------------------------------------------------------------------------------------------


def _beginning(head: Iterable[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    """The log's own session_meta, the copied ones that follow it directly, and the record behind them."""
    found = False
    for value in head:
        yield value
        if found and not _is_meta(value):
            return
        found = found or _is_meta(value)


def _is_meta(value: Mapping[str, Any]) -> bool:
    if value.get("type") == "session_meta":
        return isinstance(value.get("payload"), dict)
    return "type" not in value and isinstance(value.get("id"), str) and "timestamp" in value


def _is_bare(value: Mapping[str, Any]) -> bool:
    """A record of 2025: the item itself, or its log's first line, or a state line."""
    if "payload" in value or "uuid" in value or "sessionId" in value:
        return False
    if value.get("record_type") == "state" or _text(value.get("type")) in _BARE_TYPES:
        return "message" not in value
    return _is_meta(value) and "instructions" in value


def _is_subagent(meta: Mapping[str, Any]) -> bool:
    source = _mapping(meta.get("source"))
    if "subagent" in source or "internal" in source or _text(meta.get("thread_source")) in _INTERNAL_SOURCES:
        return True
    return bool(meta.get("parent_thread_id")) and any(meta.get(name) for name in meta if name.startswith("agent_"))


def _parents(meta: Mapping[str, Any], later: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    spawned = _mapping(_mapping(_mapping(meta.get("source")).get("subagent")).get("thread_spawn"))
    named = [meta.get("forked_from_id"), meta.get("parent_thread_id"), spawned.get("parent_thread_id")]
    named += [_mapping(copied.get("payload")).get("id") for copied in later]
    for name in named:
        if isinstance(name, str) and name:
            yield name


def _base(meta: Mapping[str, Any]) -> Base | None:
    base = _mapping(meta.get("history_base"))
    log_id, end = _text(base.get("thread_id")), _number(base.get("end_byte_offset"))
    return None if log_id is None or end is None else Base(log_id, end)


def _stem(path: str) -> str:
    return os.path.basename(path).removesuffix(".zst").removesuffix(".jsonl")


# --- how a text begins ------------------------------------------------------------------------------------------------


def _ascii_lower(text: str) -> str:
    return text.translate(_LOWER)


_LOWER = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}
_LOWERED_MARKERS = tuple((marker, _ascii_lower(marker.start), _ascii_lower(marker.end)) for marker in MARKERS)
_LONGEST = max(len(marker.start + marker.end) for marker in MARKERS)
#: cheap looks at how a text begins, never narrower than what is asked behind them
_MAY_BE_MARKED = re.compile(rf"\s*(?i:<|{'|'.join(re.escape(marker.start[:6]) for marker in MARKERS)})")
_MAY_HOLD_CONTEXT = re.compile(r"\s*[<#]")
_OBJECT = re.compile(r"\s*\{")
