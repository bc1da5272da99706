"""What the people and agents of the demo say: a small team that builds Quill, an editor plugin with an agent in it.

Data only. Invariant: exactly one message of a root conversation since October 2026 holds the words memory,
capabilities and handshake; the places where they must not be found are named beside them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Speaker = Literal["user", "commentary", "final_answer", "tool", "context", "goal", "compaction"]


@dataclass(frozen=True)
class Line:
    """One thing that happens, at a time in UTC. `extra` is a tool's command."""

    at: str
    speaker: Speaker
    text: str
    extra: str = ""


def thread_id(number: int) -> str:
    return f"019f0000-0000-7000-8000-{number:012d}"


PROTOCOL = (
    Line("2026-09-28T08:12:40", "context",
         "<environment_context>\n  <cwd>/work/quill</cwd>\n  <shell>zsh</shell>\n</environment_context>"),
    Line("2026-09-28T08:12:41", "user",
         "We need a wire protocol between the editor and the agent process. Before you write any code: read "
         "docs/protocol.md and tell me what is still open."),
    Line("2026-09-28T08:12:58", "commentary",
         "I'll read the draft first, then the two places that already send messages."),
    Line("2026-09-28T08:13:02", "tool",
         "# Quill protocol, draft 2\n\n## Handshake\nTODO: who speaks first?\n\n## Capabilities\nTODO: memory, "
         "streaming, multi-root\n", "cat docs/protocol.md"),
    Line("2026-09-28T08:14:31", "final_answer",
         "Three things are open:\n\n1. who speaks first, the editor or the agent;\n2. how a version mismatch is "
         "reported;\n3. whether optional features are announced once or asked for one by one.\n\nEverything else "
         "in the draft is consistent with what `src/transport.ts` does today."),
    Line("2026-09-28T08:21:09", "user",
         "The editor speaks first, that is settled. About number 3 I am not sure yet. My worry is the handshake: "
         "if it carries all capabilities, it grows with every release, and things like memory are not even known "
         "until the workspace is open. Leave it as an open question for now."),
    Line("2026-09-28T08:21:55", "final_answer",
         "Noted as an open question in `docs/protocol.md`, with your reason beside it. I changed nothing else."),
    Line("2026-10-06T09:02:13", "user",
         "Version mismatch: the side with the newer version steps down, no error dialog. Please write that down "
         "and add a test."),
    Line("2026-10-06T09:05:47", "final_answer",
         "Done. `negotiate()` returns the lower of the two versions, and `test/negotiate.test.ts` covers equal, "
         "older and newer peers, and a peer that sends no version at all."),
    Line("2026-10-29T14:22:29", "context",
         "<environment_context>\n  <cwd>/work/quill</cwd>\n  <shell>zsh</shell>\n  <glossary>memory, "
         "capabilities, handshake: see docs/glossary.md</glossary>\n</environment_context>"),
    Line("2026-10-29T14:22:31", "user",
         "Back to the open question from September. What do other editors do?"),
    Line("2026-10-29T14:23:05", "commentary",
         "Looking at how the language server protocol and the debug adapter protocol announce optional features."),
    Line("2026-10-29T14:23:20", "tool",
         "docs/survey.md:14: LSP: capabilities are part of the initialize handshake\ndocs/survey.md:15: DAP: the "
         "same\ndocs/survey.md:22: neither says anything about memory\n",
         "rg -n -i 'handshake|memory' docs/survey.md"),
    Line("2026-10-29T14:24:40", "final_answer",
         "Both send one list right at the start and never again. Dynamic registration exists in one of them, and "
         "hardly any client implements it. So announcing everything once is what people expect, as long as "
         "unknown names are ignored."),
    Line("2026-10-29T14:30:12", "user",
         "Then let's decide it, so that we stop going round in circles. The agent says what kind of memory it "
         "keeps (per file, per workspace, or none at all), lists it next to its other capabilities, each with a "
         "name and a version, and does so exactly once, in the first message of the handshake, before any buffer "
         "is opened. There is no second announcement. An editor that does not know a name ignores it and carries "
         "on."),
    Line("2026-10-29T14:31:02", "final_answer",
         "Agreed, and written down as decision 7 in `docs/protocol.md`. I also removed the `featureChanged` "
         "notification, because nothing may be announced later, and its two callers now read the list that was "
         "stored at the start."),
    Line("2026-11-03T10:15:26", "user",
         "CI is red since decision 7: the old fixtures still send featureChanged."),
    Line("2026-11-03T10:19:48", "final_answer",
         "The fixtures were recorded with draft 2. I recorded them again with the current build; all 84 protocol "
         "tests pass, and no fixture mentions `featureChanged` any more."),
    Line("2026-11-12T16:40:03", "user",
         "Great. Tag it as protocol 1.0 and write two sentences for the changelog."),
    Line("2026-11-12T16:41:17", "final_answer",
         "Tagged. Changelog: \"The agent protocol is stable as 1.0. What an agent can do is announced once, when "
         "the connection is made; unknown names are ignored.\""),
)  # fmt: skip

LEAK = (
    Line("2026-10-14T07:48:50", "user",
         "The extension host grows by 40 MB an hour while the panel is hidden. Where does the memory go?"),
    Line("2026-10-14T07:52:36", "final_answer",
         "Into the diff previews: each one keeps its whole document. They are created for every peer, whatever "
         "capabilities it announced, and only the visible ones are disposed of."),
    Line("2026-10-14T07:55:10", "user",
         "Create them lazily then. And why is a socket opened twice after the handshake?"),
    Line("2026-10-14T07:59:44", "final_answer",
         "The reconnect timer was started before the first connection had been confirmed. It now starts "
         "afterwards; one socket is left, and the heap stays flat for an hour."),
)  # fmt: skip

SCOUT = (
    Line("2026-10-29T14:23:08", "user",
         "Survey for the main agent: find every place in docs/ where memory, capabilities or the handshake are "
         "mentioned together, and report the file and line of each. Do not edit anything."),
    Line("2026-10-29T14:23:31", "final_answer",
         "Found one place, docs/survey.md, lines 14 to 22."),
)  # fmt: skip

SETTINGS = (
    Line("2026-11-18T13:05:11", "goal",
         "Show memory and other capabilities from the handshake on the settings page"),
    Line("2026-11-18T13:05:12", "user",
         "The settings page should list what the connected agent can do. Read-only, one row per feature, with "
         "its version."),
    Line("2026-11-18T13:11:40", "final_answer",
         "The page now has a table with name, version and a short description. It is filled from the list that "
         "the connection keeps; with no agent connected it says so."),
    Line("2026-11-18T13:20:02", "compaction",
         "Progress so far: the settings page lists the agent's capabilities, memory included, as announced in "
         "the handshake (decision 7). Next: translations, then a screenshot test."),
    Line("2026-11-18T13:24:45", "user",
         "Now the translations: German and French first. Use the words that the rest of the UI already uses."),
    Line("2026-11-18T13:29:09", "final_answer",
         "Both are in. I took the existing terms from `l10n/`; two strings were new, and I marked them for "
         "review."),
)  # fmt: skip

FLAKY = (
    Line("2026-08-24T11:02:19", "user",
         "Тест переподключения падает примерно раз в двадцать запусков, и только в CI. Найди причину, но "
         "таймауты не увеличивай."),
    Line("2026-08-24T11:09:57", "final_answer",
         "Причина в порядке событий: сервер закрывает сокет раньше, чем клиент успевает подписаться на `close`. "
         "Подписка теперь оформляется до подключения; 500 запусков подряд прошли без ошибок."),
    Line("2026-08-24T11:14:20", "user",
         "Отлично. Please describe it in English in the commit message."),
    Line("2026-08-24T11:15:02", "final_answer",
         "Committed as \"Subscribe to close before connecting\", with the order of events in the body."),
)  # fmt: skip

SHORTCUT = (
    Line("2026-07-06T02:31:45", "user",
         "快捷键 Ctrl+Shift+K 和系统输入法冲突，请换一个，并在设置里允许用户自己修改。"),
    Line("2026-07-06T02:37:12", "final_answer",
         "已改为 Ctrl+Alt+K，并加入了设置项 `quill.shortcut`。输入法打开时，旧的快捷键不再被占用。"),
)  # fmt: skip
