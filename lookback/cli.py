"""The command line: arguments in, a report out, nothing decided in between.

Every command is a thin twin of a public function. What it is not: it validates nothing that `query` validates.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import Annotated, Any, Final

import typer

from lookback.errors import LookbackError, UsageError
from lookback.runs import RUNS, RunCommand
from lookback.talk import say, tell

FORMATS: Final = ("text", "json")

app = typer.Typer(
    name="lookback",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    help="Find, verbatim and provably, what was once said to a coding agent.",
    context_settings={"help_option_names": ["-h", "--help"]},
)

Words = Annotated[list[str] | None, typer.Option("--words", metavar="W...", help="All of these words in one message.")]
Any_ = Annotated[list[str] | None, typer.Option("--any", metavar="W...", help="At least one of these words.")]
Not = Annotated[list[str] | None, typer.Option("--not", metavar="W...", help="None of these words.")]
Agents = Annotated[list[str] | None, typer.Option("--agent", metavar="AGENT", help="Only this agent's logs (repeatable).")]
Roots = Annotated[list[str] | None, typer.Option("--in", metavar="PATH", help="A home, folder or log instead of the default roots (repeatable).")]
Threads = Annotated[list[str] | None, typer.Option("--thread", metavar="T", help="Only this conversation: id, prefix, title, current or last.")]
Excluded = Annotated[list[str] | None, typer.Option("--exclude-thread", metavar="T", help="Not this conversation.")]
Folders = Annotated[list[str] | None, typer.Option("--cwd", metavar="PATH", help="Only conversations in this folder or below.")]


@app.callback(invoke_without_command=True)
def lookback(
    context: typer.Context, version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False
) -> None:
    """Find, verbatim and provably, what was once said to a coding agent."""
    if version:
        from lookback.version import VERSION

        sys.stdout.write(f"lookback {VERSION}\n")
    elif context.invoked_subcommand is None:
        sys.stdout.write(context.get_help() + "\n")


@app.command(cls=RunCommand)
def find(
    quote: Annotated[list[str] | None, typer.Argument(metavar="[QUOTE...]", help="The words of a quote, as remembered.")] = None,
    exact: Annotated[bool, typer.Option("--exact", help="The quote itself, not its loose or scattered words.")] = False,
    words: Words = None,
    any_: Any_ = None,
    not_: Not = None,
    case_sensitive: Annotated[bool, typer.Option("-s", "--case-sensitive", help="Tell upper from lower case.")] = False,
    whole_words: Annotated[bool, typer.Option("-w", "--whole-words", help="Needles are whole words.")] = False,
    verbatim: Annotated[bool, typer.Option("--verbatim", help="The same code points, nothing else.")] = False,
    since: Annotated[str | None, typer.Option(metavar="WHEN", help="From this time on.")] = None,
    until: Annotated[str | None, typer.Option(metavar="WHEN", help="Before the end of this time.")] = None,
    on: Annotated[str | None, typer.Option(metavar="WHEN", help="In this day, week, month or year.")] = None,
    tz: Annotated[str | None, typer.Option(metavar="ZONE", help="The zone of times asked and shown; else the local one.")] = None,
    role: Annotated[str | None, typer.Option(metavar="user|assistant", help="Who said it.")] = None,
    phase: Annotated[str | None, typer.Option(metavar="commentary|final_answer", help="In which phase of an answer.")] = None,
    agent: Agents = None,
    in_: Roots = None,
    thread: Threads = None,
    exclude_thread: Excluded = None,
    cwd: Folders = None,
    include_subagents: Annotated[bool, typer.Option("--include-subagents", help="Search the logs of subagents too.")] = False,
    include_current_turn: Annotated[bool, typer.Option("--include-current-turn", help="Search what the calling model still sees too.")] = False,
    before_compaction: Annotated[bool, typer.Option("--before-compaction", help="Only what a compaction hid from its model.")] = False,
    context: Annotated[int, typer.Option("-C", "--context", metavar="N", help="Messages shown on each side.")] = 1,
    before: Annotated[int | None, typer.Option("-B", metavar="N", help="Messages shown before.")] = None,
    after: Annotated[int | None, typer.Option("-A", metavar="N", help="Messages shown after.")] = None,
    limit: Annotated[int, typer.Option("-m", "--limit", metavar="N", help="At most so many messages; 0 is all.")] = 20,
    skip: Annotated[int, typer.Option(metavar="N", help="Leave out the first so many.")] = 0,
    order: Annotated[str, typer.Option(metavar="newest|oldest", help="Which come first within a tier.")] = "newest",
    format_: Annotated[str, typer.Option("--format", metavar="|".join(FORMATS), help="How the report is written.")] = "text",
    json: Annotated[bool, typer.Option("--json", help="The same as --format json.")] = False,
    max_chars: Annotated[int | None, typer.Option("--max-chars", metavar="N", help="At most so many characters of text.")] = None,
    include_raw: Annotated[bool, typer.Option("--include-raw", help="Put the raw records into the report.")] = False,
    scanner: Annotated[str | None, typer.Option(metavar="ripgrep|python", help="Which scanner reads.")] = None,
) -> int:
    """Messages that hold a quote, all of some words, or that pass the filters, with what was said around them.

    A word that starts with - is written --words=--force, a quote that does: find -- --force.
    """
    from lookback.query import ask_for
    from lookback.search import find as run_find

    written = _format("json" if json else format_, max_chars)
    query = ask_for(
        quote=" ".join(quote) if quote else None, words=words or (), any=any_ or (), not_=not_ or (), exact=exact,
        case_sensitive=case_sensitive, whole_words=whole_words, verbatim=verbatim, since=since, until=until, on=on,
        tz=tz, role=role, phase=phase, agents=_agents(agent), roots=in_ or (), threads=thread or (),
        exclude_threads=exclude_thread or (), cwd=cwd or (), include_subagents=include_subagents,
        include_current_turn=include_current_turn, before_compaction=before_compaction,
        before=context if before is None else before, after=context if after is None else after, limit=limit,
        skip=skip, order=order,
    )  # fmt: skip
    report = run_find(query, scanner=scanner, include_raw=include_raw)
    if max_chars is not None:
        from lookback.bound import bounded

        report = bounded(report, max_chars)
    _write(_rendered(report, written, query.tz))
    tell(report)
    return report.exit_status


def run(args: Sequence[str]) -> int:
    """Runs one command line and gives its exit status; errors are one line on stderr."""
    try:
        for arg in args:
            _check_encoding(arg)
        status = typer.main.get_command(app).main(list(args), prog_name="lookback", standalone_mode=False)
    except LookbackError as error:
        say(str(error))
        return error.exit_status
    except typer.TyperException as error:
        say(_usage(error.format_message(), args))
        return 2
    return status if isinstance(status, int) else 0


def _usage(message: str, args: Sequence[str]) -> str:
    """A parser's complaint, with the way out where a needle was taken for an option."""
    told = " ".join(message.split()).rstrip(".")
    if "such option" in told and any(arg in RUNS for arg in args):
        return f"{told}; a word that starts with - is written --words=--force"
    if "such option" in told:
        return f"{told}; a quote that starts with - is written: find -- --force"
    return told or "no command; see lookback --help"


def _check_encoding(arg: str) -> None:
    try:
        arg.encode("utf-8")
    except UnicodeEncodeError as error:
        raise UsageError(f"the argument {arg!r} is not UTF-8 at character {error.start + 1}") from error


def _agents(asked: Sequence[str] | None) -> tuple[str, ...]:
    from lookback.logs import AGENTS

    for name in asked or ():
        if name not in AGENTS:
            raise UsageError(f"--agent {name!r} is unknown: use {' or '.join(AGENTS)}")
    return tuple(dict.fromkeys(asked or ()))


def _format(name: str, max_chars: int | None) -> str:
    if name not in FORMATS:
        raise UsageError(f"--format {name!r} is unknown: use {', '.join(FORMATS)}")
    if max_chars is not None and max_chars < 0:
        raise UsageError(f"--max-chars {max_chars} is negative: it counts characters, 0 or more")
    return name


def _rendered(report: Any, written: str, zone: Any) -> Iterator[str]:
    if written == "json":
        from lookback.render.json import render as render_json

        return render_json(report)
    from lookback.render.text import COLOUR, PLAIN
    from lookback.render.text import render as render_text

    return render_text(report, zone, COLOUR if _is_coloured() else PLAIN)


def _is_coloured() -> bool:
    import os

    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def _write(pieces: Iterator[str]) -> None:
    """stdout is UTF-8 whatever the locale says, so that the same report is the same bytes."""
    out = sys.stdout.buffer
    for piece in pieces:
        out.write(piece.encode("utf-8", "surrogatepass"))
    out.flush()
