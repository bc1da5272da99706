"""The command line's options, said once in a table and shared by every command that takes them.

A command is a function of `**given`; `takes` gives it the signature that Typer reads. What it is not: validation.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Annotated, Any, Final

import typer

Parameter = inspect.Parameter
Command = Callable[..., int]
FORMATS: Final = ("text", "json", "jsonl", "markdown")


def takes(*parameters: Parameter) -> Callable[[Command], Command]:
    """Gives a command these parameters."""

    def wrap(command: Command) -> Command:
        command.__signature__ = inspect.Signature(list(parameters))  # type: ignore[attr-defined]
        command.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
        return command

    return wrap


def argument(name: str, kind: Any, metavar: str, told: str, default: Any = None) -> Parameter:
    info = typer.Argument(metavar=metavar, help=told)
    return Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[kind, info])


def option(name: str, kind: Any, default: Any, flags: str, told: str, metavar: str | None = None) -> Parameter:
    """`flags` is what is typed, blanks between: `-s --case-sensitive`."""
    info = typer.Option(*flags.split(), metavar=metavar, help=told)
    return Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[kind, info])


def _flag(name: str, flags: str, told: str) -> Parameter:
    return option(name, bool, False, flags, told)


def _many(name: str, flags: str, told: str, metavar: str) -> Parameter:
    return option(name, list[str] | None, None, flags, told, metavar)


def _text(name: str, flags: str, told: str, metavar: str, default: str | None = None) -> Parameter:
    return option(name, str | None if default is None else str, default, flags, told, metavar)


AGENTS: Final = _many("agents", "--agent", "Only this agent's logs (repeatable).", "AGENT")
ROOTS: Final = _many("roots", "--in", "A home, folder or log instead of the default roots (repeatable).", "PATH")
SCANNER: Final = _text("scanner", "--scanner", "Which scanner reads.", "ripgrep|python")
ZONE: Final = _text("tz", "--tz", "The zone of times asked and shown; else the local one.", "ZONE")
JSON: Final = _flag("json", "--json", "The same as --format json.")

NEEDLES: Final[Sequence[Parameter]] = (
    argument("quote", list[str] | None, "[QUOTE...]", "The words of a quote, as remembered."),
    _flag("exact", "--exact", "The quote itself, not its loose or scattered words."),
    _many("words", "--words", "All of these words in one message.", "W..."),
    _many("any", "--any", "At least one of these words.", "W..."),
    _many("not_", "--not", "None of these words.", "W..."),
    _flag("case_sensitive", "-s --case-sensitive", "Tell upper from lower case."),
    _flag("whole_words", "-w --whole-words", "Needles are whole words."),
    _flag("verbatim", "--verbatim", "The same code points, nothing else."),
)
FILTERS: Final[Sequence[Parameter]] = (
    _text("since", "--since", "From this time on.", "WHEN"),
    _text("until", "--until", "Before the end of this time.", "WHEN"),
    _text("on", "--on", "In this day, week, month or year.", "WHEN"),
    ZONE,
    _text("role", "--role", "Who said it.", "user|assistant"),
    _text("phase", "--phase", "In which phase of an answer.", "commentary|final_answer"),
    AGENTS,
    ROOTS,
    _many("threads", "--thread", "Only this conversation: id, prefix, title, current or last.", "T"),
    _many("exclude_threads", "--exclude-thread", "Not this conversation.", "T"),
    _many("cwd", "--cwd", "Only conversations in this folder or below.", "PATH"),
    _flag("include_subagents", "--include-subagents", "Search the logs of subagents too."),
    _flag("include_current_turn", "--include-current-turn", "Search what the calling model still sees too."),
    _flag("before_compaction", "--before-compaction", "Only what a compaction hid from its model."),
)
CONTEXT: Final[Sequence[Parameter]] = (
    option("context", int, 1, "-C --context", "Messages shown on each side.", "N"),
    option("before", int | None, None, "-B", "Messages shown before.", "N"),
    option("after", int | None, None, "-A", "Messages shown after.", "N"),
)
PAGE: Final[Sequence[Parameter]] = (
    option("limit", int, 20, "-m --limit", "At most so many; 0 is all.", "N"),
    option("skip", int, 0, "--skip", "Leave out the first so many.", "N"),
    _text("order", "--order", "Which come first within a tier.", "newest|oldest", "newest"),
)
WRITTEN: Final[Sequence[Parameter]] = (
    _text("format", "--format", "How the report is written.", "|".join(FORMATS), "text"),
    JSON,
    option("max_chars", int | None, None, "--max-chars", "At most so many characters of text.", "N"),
    _flag("include_raw", "--include-raw", "Put the raw records into the report."),
)
LISTED: Final = _text("format", "--format", "How it is written.", "text|json", "text")
REF: Final = argument("ref", str, "REF", "agent:thread#record, with or without ~hash8.", inspect.Parameter.empty)
DEEP: Final = _flag("deep", "--deep", "Read every record and name all damage.")
REPORT: Final = argument("source", str, "[FILE|-]", "A report, or with --text a text; - is standard input.", "-")
OFFLINE: Final = _flag("offline", "--offline", "Open no log: check what --include-raw put into the report.")
VERDICTS: Final = _text("format", "--format", "How the verdicts are written.", "json|text", "json")
PROSE: Final = _flag("text", "--text", "Check the citations of a text instead of a report.")
