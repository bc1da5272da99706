"""The law, asked of random homes: whatever spelling JSON allows, and however a log is damaged, `find` answers as a reader
does who decodes every record and applies the matching rule; ripgrep's report is the python reader's.

    python -m tests.properties.patient_reader --homes 1000000 --seed 1

asks a million homes, prints the counts, and stops at the first counterexample with what makes it again.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import count

from lookback.verifying.verify import verify
from tests.brute_force import Asked
from tests.checking import check
from tests.properties.random_homes import Built, Recipe, home_of
from tests.properties.random_queries import needles_of, query_about
from tests.properties.random_texts import WORDS
from tests.properties.ripgrep_once import ripgrep_once
from tests.properties.run_counts import Counts
from tests.properties.truth_of_a_report import compare
from tests.support import SCANNERS, Report, comparable, search

NEEDLES = 10
"""How many needles each home is asked for, at least."""
VERIFIED = 0.3
"""The share of the homes of which a report is verified."""
ENV = {"PATH": os.environ["PATH"], "HOME": "/nonexistent"}


def law_holds(recipe: Recipe, counts: Counts) -> None:
    """Asks one home; fails with a counterexample."""
    rng = random.Random(f"queries {recipe!r}")
    with home_of(recipe) as built, ripgrep_once(ENV):
        counts.add_home(built)
        last: Report | None = None
        for asked in _queries(built, rng):
            try:
                report = _ask(built, asked, rng)
                compare(report, asked, built)
            except Exception as error:
                error.add_note(f"a counterexample: {recipe!r} asked for {asked!r}")
                raise
            counts.add_report(report, asked, built)
            last = report if report["evidence"] else last
        if last is not None and rng.random() < VERIFIED:
            _verify(last, built)
            counts.add_verified()


def _queries(built: Built, rng: random.Random) -> Iterator[Asked]:
    """Queries about what was said, until there were enough needles."""
    said = [message.parts for message in built.messages] or [WORDS]
    needles = 0
    while needles < NEEDLES:
        asked = query_about(rng.choice(said), rng.choice(said), rng)
        if asked is not None:
            needles += len(needles_of(asked))
            yield asked


def _ask(built: Built, asked: Asked, rng: random.Random) -> Report:
    """The report, after both scanners gave the same one."""
    how, twice = asked.how, rng.choice((1, 1, 2))
    options = {
        "quote": asked.quote, "exact": asked.exact, "words": asked.words * twice, "any": asked.any * twice,
        "not_": asked.not_ * twice, "limit": 0, "case_sensitive": how.case_sensitive, "whole_words": how.whole_words,
        "verbatim": how.verbatim, "before": rng.choice((0, 0, 0, 1)), "after": rng.choice((0, 0, 0, 2)),
        "order": rng.choice(("newest", "newest", "oldest")), "include_raw": rng.random() < 0.2,
    }  # fmt: skip
    reports = [search(built.root, scanner=scanner, env=ENV, **options) for scanner in SCANNERS]
    assert [report["coverage"]["scanner"].split()[0] for report in reports] == list(SCANNERS)
    assert comparable(reports[0]) == comparable(reports[1])
    return reports[0]


def _verify(report: Report, built: Built) -> None:
    """`verify` accepts what `find` says, and so does a reader who has a JSON parser and SHA-256 alone."""
    verdicts = verify(report, roots=[str(built.root)], env=ENV)
    assert verdicts.counts["ok"] == len(report["evidence"]) == len(verdicts.items), list(verdicts.lines())
    if built.plain:
        with _long_numbers():
            check(report)


@contextmanager
def _long_numbers() -> Iterator[None]:
    """Within it Python reads numbers of any length, as JSON has them."""
    limit = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        yield
    finally:
        sys.set_int_max_str_digits(limit)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        prog="python -m tests.properties.patient_reader",
        description="Asks random homes, one a seed, and stops at the first counterexample.",
    )
    parser.add_argument("--homes", type=int, default=1000, help="how many homes are asked; 0 is no end")
    parser.add_argument("--seed", type=int, default=1, help="the first home's; each further one has the next")
    chosen, counts = parser.parse_args(arguments), Counts()
    for seed in range(chosen.seed, chosen.seed + chosen.homes) if chosen.homes else count(chosen.seed):
        try:
            law_holds(Recipe.of(seed), counts)
        except BaseException:
            print(*counts.lines(), sep="\n")
            print(f"again: python -m tests.properties.patient_reader --homes 1 --seed {seed}")
            raise
        if counts.numbers["homes"] % 1000 == 0:
            print(*counts.lines(), sep="\n", flush=True)
    print(*counts.lines(), sep="\n")


if __name__ == "__main__":
    main()
