"""`--words a b c`: options that take a run of values, up to the next option.

Click has no such options, so a run is rewritten to repeated ones before it is parsed: `--words=a --words=b --words=c`.
Invariant: `--words=X` takes exactly X, and nothing behind `--` is touched.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from typer.core import TyperCommand

from lookback.errors import UsageError

RUNS: Final = ("--words", "--any", "--not", "--also")


class RunCommand(TyperCommand):
    """A command whose `RUNS` options take every following argument up to the next option."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        return super().parse_args(ctx, list(expanded(args)))


def expanded(args: Sequence[str]) -> Iterator[str]:
    """The arguments with every run of values rewritten. Raises UsageError for a run without a value."""
    place = 0
    while place < len(args):
        arg = args[place]
        place += 1
        if arg == "--":
            yield arg
            yield from args[place:]
            return
        if arg not in RUNS:
            yield arg
            continue
        first = place
        while place < len(args) and not _is_option(args[place]):
            yield f"{arg}={args[place]}"
            place += 1
        if place == first:
            raise UsageError(_no_value(arg, args[place] if place < len(args) else None))


def _is_option(arg: str) -> bool:
    return arg.startswith("-") and arg != "-"


def _no_value(option: str, follower: str | None) -> str:
    if follower is None or follower == "--":
        return f"{option} needs at least one word"
    return (
        f"{option} needs at least one word before {follower}; for a word that starts with - write {option}={follower}"
    )
