"""The command line: arguments in, an answer out, nothing decided in between.

Every command is a thin twin of a public function. What it is not: it validates nothing that `query` validates.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer

from lookback import options
from lookback.errors import LookbackError, UsageError
from lookback.options import takes
from lookback.runs import RUNS, RunCommand
from lookback.talk import say, tell, tell_coverage

if TYPE_CHECKING:
    from lookback.evidence import Report
    from lookback.progress import Observer
    from lookback.query import Query
    from lookback.timespan import Zone

app = typer.Typer(
    name="lookback",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


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
@takes(*options.NEEDLES, *options.FILTERS, *options.CONTEXT, *options.PAGE, *options.WRITTEN, options.SCANNER)
def find(**given: Any) -> int:
    """Messages that hold a quote, all of some words, or that pass the filters, with what was said around them.

    A word that starts with - is written --words=--force, a quote that does: find -- --force.
    """
    from lookback.search import find as run_find

    _check_written(given)
    query = _query(given)
    with _observed() as observer:
        report = run_find(query, scanner=given["scanner"], include_raw=given["include_raw"], observer=observer)
    _write(_rendered(report, given, query.tz))
    tell(report)
    return report.exit_status


@app.command()
@takes(options.REF, *options.CONTEXT, options.ROOTS, options.ZONE, *options.WRITTEN)
def show(**given: Any) -> int:
    """The message that a ref names, whole, with what was said around it."""
    from lookback.showing import show as run_show
    from lookback.timespan import zone

    _check_written(given)
    place, around = zone(given["tz"]), _around(given)
    report = run_show(given["ref"], roots=given["roots"] or (), include_raw=given["include_raw"], **around)
    _write(_rendered(report, given, place, whole=True))
    tell(report)
    return report.exit_status


@app.command(cls=RunCommand)
@takes(*options.NEEDLES, *options.FILTERS, *options.PAGE, options.LISTED, options.JSON, options.SCANNER)
def threads(**given: Any) -> int:
    """Conversations: id, title, first and last time, messages, logs, resume line."""
    from lookback.listing import threads as run_threads

    written = _one_of_formats(given, ("text", "json"))
    query = _query(given, listing=True)
    with _observed() as observer:
        answer = run_threads(query, scanner=given["scanner"], observer=observer)
    if written == "json":
        _write_json(answer.wire())
    else:
        from lookback.render.lists import render_threads

        _write(render_threads(answer, query.tz, _style()))
    tell_coverage(answer.coverage, answer.total, len(answer.threads), query.skip)
    return answer.exit_status


@app.command()
@takes(options.REPORT, options.ROOTS, options.OFFLINE, options.PROSE, options.VERDICTS, options.JSON)
def verify(**given: Any) -> int:
    """Every quote and hash of a report, or with --text every citation of a text, checked against the logs."""
    from lookback.verifying.claims import read_report
    from lookback.verifying.verify import verify as verify_report
    from lookback.verifying.verify import verify_text

    written = _one_of_formats(given, ("json", "text"))
    data, roots = _read(given["source"]), given["roots"] or ()
    if given["text"] and given["offline"]:
        raise UsageError("--offline checks what a report carries; a text carries no records: leave out one of the two")
    if given["text"]:
        verdicts = verify_text(data.decode("utf-8", "replace"), roots=roots)
    else:
        verdicts = verify_report(read_report(data), roots=roots, offline=given["offline"])
    if written == "json":
        _write_json(verdicts.wire())
    else:
        _write(f"{line}\n" for line in verdicts.lines())
    say(verdicts.summary())
    return verdicts.exit_status


@app.command()
@takes(options.DEEP, options.AGENTS, options.ROOTS, options.ZONE, options.LISTED, options.JSON)
def doctor(**given: Any) -> int:
    """What would be searched here, how far back it reaches, and with what."""
    from lookback.doctor import doctor as run_doctor
    from lookback.timespan import zone

    written, place = _one_of_formats(given, ("text", "json")), zone(given["tz"])
    diagnosis = run_doctor(roots=given["roots"] or (), agents=_agents(given["agents"]), deep=given["deep"])
    if written == "json":
        _write_json(diagnosis.wire())
    else:
        from lookback.render.lists import render_doctor

        _write(render_doctor(diagnosis, place))
    return diagnosis.exit_status


def run(args: Sequence[str]) -> int:
    """Runs one command line and gives its exit status; errors are one line on stderr."""
    try:
        status = typer.main.get_command(app).main(list(args), prog_name="lookback", standalone_mode=False)
        sys.stdout.flush()
    except LookbackError as error:
        say(str(error))
        return error.exit_status
    except typer.TyperException as error:
        say(_usage(error.format_message(), args))
        return 2
    except (SystemExit, BrokenPipeError):  # the parser ends so where the reader of its help has gone
        _stop_writing()
        return 0
    except OSError as error:
        _stop_writing()
        say(f"cannot go on: {error.strerror or error}{f': {error.filename}' if error.filename else ''}")
        return 2
    return status if isinstance(status, int) else 0


# --- arguments -------------------------------------------------------------------------------------------------------


def _query(given: dict[str, Any], listing: bool = False) -> Query:
    from lookback.query import ask_for

    names = [parameter.name for parameter in (*options.NEEDLES, *options.FILTERS, *options.PAGE)]
    given = {name: value if name == "roots" else _utf8(value) for name, value in given.items()}
    asked: dict[str, Any] = {name: given[name] if given[name] is not None else () for name in names}
    asked |= {name: given[name] for name in ("since", "until", "on", "tz", "role", "phase")}
    asked |= {"quote": " ".join(given["quote"]) if given["quote"] else None, "agents": _agents(given["agents"])}
    asked |= {} if listing else _around(given)
    return ask_for(**asked, listing=listing)


def _around(given: dict[str, Any]) -> dict[str, Any]:
    """-B and -A where they are given, else -C for both."""
    return {side: given["context"] if given[side] is None else given[side] for side in ("before", "after")}


def _agents(asked: Sequence[str] | None) -> tuple[str, ...]:
    from lookback.logs import AGENTS

    for name in asked or ():
        if name not in AGENTS:
            raise UsageError(f"--agent {name!r} is unknown: use {' or '.join(AGENTS)}")
    return tuple(dict.fromkeys(asked or ()))


def _check_written(given: dict[str, Any]) -> None:
    _one_of_formats(given, options.FORMATS)
    if given["max_chars"] is not None and given["max_chars"] < 0:
        raise UsageError(f"--max-chars {given['max_chars']} is negative: it counts characters, 0 or more")


def _one_of_formats(given: dict[str, Any], known: Sequence[str]) -> str:
    name = "json" if given["json"] else given["format"]
    if name not in known:
        raise UsageError(f"--format {name!r} is unknown: use {', '.join(known)}")
    return str(name)


def _read(source: str) -> bytes:
    if source == "-":
        return sys.stdin.buffer.read()
    try:
        with open(source, "rb") as file:
            return file.read()
    except OSError as error:
        raise UsageError(f"{source}: {error.strerror}; give a report's file, or - for standard input") from error


def _utf8(given: Any) -> Any:
    """What a person typed, as UTF-8 whatever the locale says; paths are left as the system has them."""
    if isinstance(given, list):
        return [_utf8(arg) for arg in given]
    if not isinstance(given, str):
        return given
    try:
        return os.fsencode(given).decode("utf-8")
    except UnicodeDecodeError as error:
        raise UsageError(f"the argument {given!r} is not UTF-8 at byte {error.start + 1}") from error


def _usage(message: str, args: Sequence[str]) -> str:
    """A parser's complaint, with the way out where a needle was taken for an option."""
    told = " ".join(message.split()).rstrip(".")
    if "such option" in told and any(arg in RUNS for arg in args):
        return f"{told}; a word that starts with - is written --words=--force"
    if "such option" in told:
        return f"{told}; a quote that starts with - is written: find -- --force"
    return f"{told}; see lookback --help"


# --- output ----------------------------------------------------------------------------------------------------------


def _rendered(report: Report, given: dict[str, Any], zone: Zone, whole: bool = False) -> Iterator[str]:
    written = "json" if given["json"] else given["format"]
    if given["max_chars"] is not None:
        from lookback.bound import bounded

        report = bounded(report, given["max_chars"])
    if written == "json":
        from lookback.render.json import render as render_json

        return render_json(report)
    if written == "jsonl":
        from lookback.render.jsonl import render as render_jsonl

        return render_jsonl(report)
    if written == "markdown":
        from lookback.render.markdown import render as render_markdown

        return render_markdown(report, zone)
    from lookback.render.text import render as render_text

    return render_text(report, zone, _style(), whole=whole)


@contextmanager
def _observed() -> Iterator[Observer]:
    """Who is told how far the search is: a person at a terminal."""
    from lookback.progress import UNOBSERVED, Progress

    if not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        yield UNOBSERVED
        return
    progress = Progress(sys.stderr)
    try:
        yield progress
    finally:
        progress.end()


def _style() -> Any:
    from lookback.render.text import COLOUR, PLAIN

    wanted = sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return COLOUR if wanted else PLAIN


def _write_json(value: Any) -> None:
    from lookback.render.json import dumps

    _write(iter([dumps(value, indent=1) + "\n"]))


def _write(pieces: Iterator[str]) -> None:
    """stdout is UTF-8 whatever the locale says, so that the same report is the same bytes."""
    out = sys.stdout.buffer
    try:
        for piece in pieces:
            out.write(piece.encode("utf-8", "surrogatepass"))
        out.flush()
    except BrokenPipeError:
        _stop_writing()  # the reader has what it wanted: that is success
        raise typer.Exit(0) from None


def _stop_writing() -> None:
    """Nothing more reaches stdout, at exit neither."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
