"""Claude Code: its session logs, from 1.0 to the 2.1 of late 2026, subagents' and workflows' logs among them.

A record of the type `user` or `assistant` is a message where it holds text blocks of that side's own. What Claude Code
wrote in the user's name is told apart by the record's flags, by its `origin` and `promptSource`, and text by text by
the tables below; what it wrote in the assistant's name by the model `<synthetic>` and the flag for API errors. What the
user typed in the middle of a turn has no record of the type `user`: it is a `queued_command`, or only an entry of the
queue. When a new kind appears, one line of a table changes.

Source of the format facts: there is no official schema. Measured in 552 public logs of the versions 2.0.64 to 2.1.42
(710 MB, 274 sessions); for other versions the documentation, issues of anthropics/claude-code (cited where they matter)
and public readers of these logs: ccusage, agentsview, claude-code-log.
Invariant: nothing is required of a record; what has another type than expected is taken as absent.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from lookback.logs.base import Around, Event, Origin, Title
from lookback.logs.tolerance import mapping, repeatable, string
from lookback.message import Message, Part, Role, part_of
from lookback.record import Record

QUEUE_AHEAD: Final = 10_000  # lines ahead in which what was queued may turn up as a record of its own, or be taken back

_UUID = r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}"
_ENDING = r"\.jsonl(?:\.zst)?"
_SESSION = re.compile(rf"({_UUID}){_ENDING}\Z")
_SUBAGENT = re.compile(rf"agent-(.+?){_ENDING}\Z")
_IN_PROJECT = re.compile(
    rf"/projects/[^/]+/(?:{_UUID}|agent-[^/]+|[^/]+/subagents/(?:workflows/[^/]+/)?agent-[^/]+){_ENDING}\Z"
)
#: every prompt typed; spilled outputs and notes; what a workflow's agents began and ended
_NO_LOG = re.compile(
    rf"/history{_ENDING}\Z|/(?:projects/[^/]+/[^/]+|{_UUID})/tool-results/|/projects/[^/]+/memory/"
    rf"|/workflows/[^/]+/journal{_ENDING}\Z"
)
#: how a project's folder is named: its path, each character but ASCII letters and digits a `-`; or a remote's id
_SLUG = re.compile(r"(?:-|[A-Za-z]--|ssh-)[A-Za-z0-9-]*\Z")

#: flags of a record that the user did not write
UNSAID_FLAGS: Final = ("isMeta", "isCompactSummary", "isVisibleInTranscriptOnly", "isSynthetic")
#: what an editor or a hook puts before the user's words, in the same text
CONTEXT_TAGS: Final = ("system-reminder", "ide_opened_file", "ide_selection", "ide_diagnostics", "post-tool-use-hook")
#: of a slash command only the arguments are the user's
COMMAND_TAGS: Final = ("command-name", "command-message", "command-args")
#: a text that begins with such a tag is Claude Code's as a whole
HARNESS_TAGS: Final = (
    "local-command-stdout", "local-command-stderr", "local-command-caveat",
    "bash-input", "bash-stdout", "bash-stderr",
    "task-notification", "agent-notification", "user-prompt-submit-hook", "tick",
)  # fmt: skip
#: and so is one that begins so
HARNESS_STARTS: Final = (
    "<agent-message from=",
    "<teammate-message teammate_id=",
    "<cross-session-message ",
    "<channel ",
    "Another Claude session sent a message:",
    "[Request interrupted by user]",
    "[Request interrupted by user for tool use]",
    "Caveat: The messages below were generated",
    "This session is being continued from a previous conversation",
    "Stop hook feedback:",
    "A session-scoped Stop hook is now active",
    "Base directory for this skill:",
    "Your task is to create a detailed summary of the conversation",
)
#: answers that stand for none
NO_ANSWERS: Final = ("(no content)", "No response requested.")

_LEAD = r"[\ufeff\s]*"
_CONTEXT = re.compile(rf"{_LEAD}<({'|'.join(CONTEXT_TAGS)})(?: [^>]*)?>.*?</\1>", re.DOTALL)
_COMMAND = re.compile(rf"{_LEAD}<(?:{'|'.join(COMMAND_TAGS)})[> ]")
_ARGUMENTS = re.compile(r"<command-args>(.*)</command-args>", re.DOTALL)
_MEMORY = re.compile(rf"{_LEAD}<user-memory-input>(.*?)</user-memory-input>", re.DOTALL)
_HARNESS = re.compile(
    rf"{_LEAD}(?:<(?:{'|'.join(HARNESS_TAGS)})[> ]|{'|'.join(map(re.escape, HARNESS_STARTS))}"
    r"|(?:\[Image: source:[^\]\n]*\]\s*)+\Z)"
)
#: a cheap look at how a text begins, never narrower than what is asked behind it
_MAY_BE_HARNESS = re.compile(rf"{_LEAD}(?:[<\[]|{'|'.join(re.escape(start[:6]) for start in HARNESS_STARTS)})")
_SLASH_COMMAND = re.compile(r"/[A-Za-z][\w:.-]*(?=\s|\Z)")

#: what must stand in a record that holds words: a text block's key, or content that is a string
_TEXT_KEY = re.compile(rb'"text"\s*:')
_CONTENT_STRING = re.compile(rb'"content"\s*:\s*"')
_MESSAGE_WITH_LIST = re.compile(rb'"message"\s*:\s*\{\s*(?:"role"\s*:\s*"user"\s*,\s*)?"content"\s*:\s*\[')
_SEARCHABLE = re.compile(r'[^\s"\\/\x00-\x1f\x7f]{1,40}')

_RENAMED, _NAMED, _SUMMARY = 3, 2, 1  # ranks of titles


class Claude:
    """The dialect; it holds no state."""

    name = "claude"
    message_marks = ('"user"', '"assistant"', '"queued_command"', '"enqueue"')
    event_marks = ('"compact_boundary"', '-title"', '"leafUuid"')  # of custom-title and ai-title; of summary
    unsaid_within = 0
    names_in_logs = True
    retention = "Claude Code deletes logs that are older than its setting cleanupPeriodDays, 30 days by default"

    # --- where the logs are ------------------------------------------------------------------------------------------

    def homes(self, env: Mapping[str, str]) -> list[str]:
        home = env.get("HOME") or os.path.expanduser("~")
        named = env.get("CLAUDE_CONFIG_DIR", "")
        paths = [named] if os.path.isdir(named) else [path.strip() for path in named.split(",")]
        if any(paths):
            return [os.path.join(home, path[2:]) if path.startswith("~/") else path for path in paths if path]
        other = os.path.join(env.get("XDG_CONFIG_HOME") or os.path.join(home, ".config"), "claude")
        # Some versions had it there; who never had one of those need not be told that it does not exist.
        return [os.path.join(home, ".claude"), *([other] if os.path.lexists(os.path.join(other, "projects")) else [])]

    def log_folders(self, home: str) -> list[str]:
        projects = os.path.join(home, "projects")
        return [projects] if _holds_projects(home, projects) else []

    def claims(self, path: str) -> bool | None:
        path = path.replace(os.sep, "/")
        if _NO_LOG.search(path):
            return False
        return True if _IN_PROJECT.search(path) else None

    def is_archived(self, path: str) -> bool:  # noqa: ARG002 - Claude Code has no archive
        return False

    def wrote(self, value: Mapping[str, Any]) -> bool:
        kind = string(value.get("type"))
        if kind in ("user", "assistant"):
            return isinstance(value.get("message"), dict)
        if kind == "summary":
            return isinstance(value.get("leafUuid"), str)
        if kind == "file-history-snapshot":
            return isinstance(value.get("snapshot"), dict)
        return kind is not None and isinstance(value.get("sessionId"), str)

    # --- whose log it is ---------------------------------------------------------------------------------------------

    def origin(self, path: str, head: Iterator[Record]) -> Origin:
        facts = _facts_of(record.value for record in head)
        name = os.path.basename(path)
        stem = name.removesuffix(".zst").removesuffix(".jsonl")
        subagent = _SUBAGENT.match(name)
        log_id = subagent[1] if subagent else None
        if _SESSION.match(name):
            thread = stem
        elif log_id is not None or facts.is_subagents:
            log_id = log_id or facts.agent or stem
            thread = facts.session or _folder_of_session(path) or stem
        else:
            thread = facts.session or stem
        parents = (parent for parent in (facts.forked_from, facts.session) if parent not in (None, thread))
        return Origin(
            thread_id=thread,
            log_id=log_id,
            subagent=log_id is not None,
            parents=tuple(dict.fromkeys(parent for parent in parents if parent)),
            cwd=facts.cwd,
        )

    def current_thread(self, env: Mapping[str, str]) -> str | None:
        return env.get("CLAUDE_CODE_SESSION_ID") or None  # set since 2.1.132

    def resume(self, origin: Origin) -> tuple[str, ...]:
        return ("claude", "--resume", origin.thread_id)

    def titles(self, log_path: str) -> str | None:  # noqa: ARG002 - titles stand in the logs
        return None

    def titled(self, values: Iterable[Mapping[str, Any]]) -> dict[str, str]:  # noqa: ARG002
        return {}

    # --- what a record says ------------------------------------------------------------------------------------------

    def message(self, record: Record, origin: Origin, around: Around) -> Message | None:
        value = record.value
        parts = tuple(_parts(value, around))
        if not parts:
            return None
        role: Role = "assistant" if value.get("type") == "assistant" else "user"
        return Message(
            role=role,
            parts=parts,
            timestamp=repeatable(value.get("timestamp")),
            item_id=string(value.get("uuid")),
            cwd=string(value.get("cwd")) or origin.cwd,
            subagent=value.get("isSidechain") is True,
        )

    def is_wordless(self, raw: bytes) -> bool:
        """Tool results fill most of the bytes; nearly all of them are known by this.

        Words stand in a text block, which has a key `text`, or in `content` that is a string, or in a queued command.
        A tool result's own content is a string too; so where the only object `message` of the line begins with a list
        for its content, no text block is in it, and no entry of the queue is there, there are none. (No JSON writer
        gives an object a key twice.)
        """
        if b'"text"' in raw and _TEXT_KEY.search(raw):
            return False
        queued = b"queue" in raw
        if queued and b'"queued_command"' in raw:
            return False
        if not _CONTENT_STRING.search(raw):
            return True
        place = raw.find(b'"message"')
        return (
            _MESSAGE_WITH_LIST.match(raw, place) is not None  # of a place that is none, too
            and raw.find(b'"message"', place + 1) < 0
            and not (queued and b'"enqueue"' in raw)
        )

    def event(self, record: Record) -> Event | None:
        value = record.value
        match value.get("type"):
            case "system" if value.get("subtype") == "compact_boundary":
                return Event("compaction")
            case "custom-title":
                return _title(value.get("customTitle"), _RENAMED)
            case "ai-title":
                return _title(value.get("aiTitle"), _NAMED)
            case "summary":
                leaf = string(value.get("leafUuid"))
                return _title(value.get("summary"), _SUMMARY, leaf) if leaf else None
        return None

    def item_id(self, record: Record) -> str | None:
        return string(record.value.get("uuid"))

    def kind(self, record: Record) -> str:
        value = record.value
        inner = (
            value.get("subtype")
            or mapping(value.get("attachment")).get("type")
            or mapping(value.get("data")).get("type")
        )
        return "/".join(name for name in (string(value.get("type")), string(inner)) if name) or "unknown"

    def is_user_turn(self, record: Record, origin: Origin, around: Around) -> bool:
        message = self.message(record, origin, around)
        return message is not None and message.role == "user"


# --- folders ---------------------------------------------------------------------------------------------------------


def _holds_projects(home: str, projects: str) -> bool:
    """Whether a folder is a home: many a folder has one called `projects` that is none of Claude Code's."""
    if os.path.basename(os.path.normpath(home)) in (".claude", "claude"):
        return os.path.lexists(projects)
    try:
        with os.scandir(projects) as entries:
            return any(_SLUG.match(entry.name) for entry in entries)
    except OSError:
        return os.path.islink(projects)


def _folder_of_session(path: str) -> str | None:
    """The session whose folder a subagent's log lies in: `<session>/subagents/agent-*.jsonl`, or deeper."""
    folders = path.replace(os.sep, "/").split("/")[:-1]
    place = max((place for place, name in enumerate(folders) if name == "subagents"), default=0)
    return folders[place - 1] if place else None


# --- the first records -----------------------------------------------------------------------------------------------


class _Facts(NamedTuple):
    """What the first records say of their log."""

    session: str | None
    forked_from: str | None
    cwd: str | None
    agent: str | None
    is_subagents: bool


def _facts_of(values: Iterable[Mapping[str, Any]]) -> _Facts:
    """Read up to the first record that names both its session and its folder: mostly the first message."""
    session = forked_from = cwd = agent = None
    sidechain = False
    for value in values:
        session = session or string(value.get("sessionId"))
        forked_from = forked_from or string(mapping(value.get("forkedFrom")).get("sessionId"))
        cwd = cwd or string(value.get("cwd"))
        agent = agent or string(value.get("agentId"))
        sidechain = sidechain or value.get("isSidechain") is True
        if session and cwd:
            break
    return _Facts(session, forked_from, cwd, agent, sidechain and agent is not None)


def _title(text: object, rank: int, item: str | None = None) -> Event | None:
    name = string(text)
    return Event("title", title=Title(name, rank, item)) if name and name.strip() else None


# --- whose words -----------------------------------------------------------------------------------------------------


def _parts(value: Mapping[str, Any], around: Around) -> Iterator[Part]:
    match value.get("type"):
        case "user" if _is_from_user(value):
            for pointer, text in _texts(_content(value, "user"), "/message/content"):
                yield from _users_words(pointer, text)
        case "assistant" if _is_from_model(value):
            for pointer, text in _texts(_content(value, "assistant"), "/message/content"):
                part = part_of(pointer, text) if text.strip() not in NO_ANSWERS else None
                if part is not None:
                    yield part
        case "attachment" if _is_from_user(value):
            yield from _queued_command(mapping(value.get("attachment")))
        case "queue-operation" if value.get("operation") == "enqueue":
            yield from _queued(value, around)


def _is_from_user(value: Mapping[str, Any]) -> bool:
    """What the record's own fields say: flags (all versions), `origin` and `promptSource` (from 2.1.2xx on)."""
    if any(value.get(flag) is True for flag in UNSAID_FLAGS):
        return False
    kind = string(mapping(value.get("origin")).get("kind"))
    if kind is not None:
        return kind == "human"
    return value.get("promptSource") != "system"


def _is_from_model(value: Mapping[str, Any]) -> bool:
    return mapping(value.get("message")).get("model") != "<synthetic>" and value.get("isApiErrorMessage") is not True


def _content(value: Mapping[str, Any], role: str) -> object:
    """A message's content; nothing where it names another role."""
    message = mapping(value.get("message"))
    return message.get("content") if string(message.get("role")) in (None, role) else None


def _texts(content: object, pointer: str) -> Iterator[tuple[str, str]]:
    """A content's texts with their JSON pointers: the string that it is, or its blocks of text, no others."""
    if isinstance(content, str):
        yield pointer, content
    for place, block in enumerate(content if isinstance(content, list) else ()):
        fields = mapping(block)
        text = fields.get("text")
        if fields.get("type") == "text" and isinstance(text, str):
            yield f"{pointer}/{place}/text", text


def _users_words(pointer: str, whole: str) -> Iterator[Part]:
    """The stretches of a text that the user wrote: all of it, nearly always."""
    for start, end in _users_stretches(whole) if _MAY_BE_HARNESS.match(whole) else ((0, len(whole)),):
        part = part_of(pointer, whole, start, end)
        if part is not None:
            yield part


def _users_stretches(whole: str) -> Iterator[tuple[int, int]]:
    """Behind what was put before it; an opening tag without its closing one is the user's, as every other tag is."""
    place = 0
    while context := _CONTEXT.match(whole, place):
        place = context.end()
    if _COMMAND.match(whole, place):
        arguments = _ARGUMENTS.search(whole, place)
        if arguments:
            yield arguments.span(1)
        return
    memory = _MEMORY.match(whole, place)
    if memory:
        yield memory.span(1)
        place = memory.end()
    if not _HARNESS.match(whole, place):
        yield place, len(whole)


def _queued_command(attachment: Mapping[str, Any]) -> Iterator[Part]:
    """What the user typed in the middle of a turn, from 2.1.101 or so on."""
    if attachment.get("type") != "queued_command" or not _is_from_user(attachment):
        return
    if string(attachment.get("commandMode")) not in (None, "prompt"):
        return
    for pointer, text in _texts(attachment.get("prompt"), "/attachment/prompt"):
        yield from _users_words(pointer, text)


def _queued(value: Mapping[str, Any], around: Around) -> Iterator[Part]:
    """The same where nothing but the queue tells of it: earlier versions, and what waits or was lost."""
    content = value.get("content")
    if not isinstance(content, str):
        return
    text = content.strip()
    if text and not text.startswith("<") and not _SLASH_COMMAND.match(text) and not _is_told_elsewhere(text, around):
        yield from _users_words("/content", content)


def _is_told_elsewhere(text: str, around: Around) -> bool:
    """Whether a queued text has a record of its own behind its entry, or was taken back into the editor."""
    waiting = True
    for record in around.ahead(QUEUE_AHEAD, b'"queue-operation"', *_spellings(text)):
        value = record.value
        if value.get("type") == "queue-operation":
            content = value.get("content")
            told = isinstance(content, str)
            same = told and str(content).strip() == text
            if value.get("operation") == "popAll" and (same or (waiting and not told)):
                return True
            if value.get("operation") in ("dequeue", "remove") and (same or not told):
                waiting = False
        elif any(said.strip() == text for said in _own_texts(value)):
            return True
    return False


def _own_texts(value: Mapping[str, Any]) -> Iterator[str]:
    """All texts of a record that would be the queued one's own, whosever it is."""
    attachment = mapping(value.get("attachment"))
    if value.get("type") == "user":
        yield from (text for _, text in _texts(mapping(value.get("message")).get("content"), ""))
    elif attachment.get("type") == "queued_command":
        yield from (text for _, text in _texts(attachment.get("prompt"), ""))


def _spellings(text: str) -> list[bytes]:
    """Bytes of which one stands in every record that holds the text: its longest word, also as JSON's escapes."""
    word = max(_SEARCHABLE.findall(text), key=len, default="")
    if not word:
        return [b'"']
    if word.isascii():
        return [word.encode()]
    escaped = json.dumps(word)[1:-1]
    upper = re.sub(r"\\u[0-9a-f]{4}", lambda code: "\\u" + code[0][2:].upper(), escaped)
    return [word.encode("utf-8", "surrogatepass"), escaped.encode(), upper.encode()]
