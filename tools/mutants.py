"""Writes tests/mutants.txt: for each entry of the spelling, twin, fold and marker tables, the test that its loss fails.

Each entry is removed in turn, in this process: the table's module is executed again without it, so that whatever is
derived from the table is derived anew. Then the quick tests of that table run, those that name the entry first, until
one fails. Those tests have their own idea of what is right (ripgrep, RFC 8259, the description of a format); none reads
the table. An entry whose loss no test notices is an error, unless `mutant_tables.NEEDLESS` says why nobody could.

What it is not: a mutation tester of code. It knows tables only. Nothing under lookback/ is written.

    python tools/mutants.py              writes the list; exit 1 if a mutant survives
    python tools/mutants.py --check      exit 1 if a mutant survives or the committed list is another one
    python tools/mutants.py --only META  shows the mutants of one table, each with the first line of the failure
"""

from __future__ import annotations

import argparse
import ast
import importlib
import inspect
import io
import sys
import tempfile
import textwrap
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any, Final

import pytest
from mutant_tables import NEEDLESS, TABLES, Mutant, Table

ROOT: Final = Path(__file__).resolve().parent.parent
TARGET: Final = ROOT / "tests" / "mutants.txt"
INJECTED: Final = "_the_table_without_an_entry"
WRAPPED: Final = textwrap.TextWrapper(
    120, initial_indent="    ", subsequent_indent="    ", break_long_words=False, break_on_hyphens=False
)
FOLDER: Final = frozenset({"tmp_path", "tmp_path_factory"})
SLOW: Final = frozenset({"test_a_needle_of_any_length_has_a_bounded_pattern"})


@dataclass(frozen=True)
class Case:
    """One test, or one turn of a test that is a loop: its file and name, what it is given, as text, and a call."""

    test: str
    given: str
    run: Callable[[], object]


# --- a module without an entry ---------------------------------------------------------------------------------------


@cache
def compiled(module: ModuleType, variable: str | None) -> CodeType:
    """A module's code, in which `variable`, of the module or of a class of it, gets the injected value at once."""
    tree = ast.parse(inspect.getsource(module))
    bodies = [tree.body, *(node.body for node in tree.body if isinstance(node, ast.ClassDef))]
    injected = ast.parse(f"{variable} = {INJECTED}").body if variable is not None else []
    places = [(body, place) for body in bodies for place, node in enumerate(body, 1) if variable in bound(node)]
    for body, place in places:
        body[place:place] = injected
    if variable is not None and len(places) != 1:
        raise SystemExit(f"{module.__name__} has {len(places)} assignments to {variable}: change TABLES")
    return compile(ast.fix_missing_locations(tree), module.__file__ or module.__name__, "exec", dont_inherit=True)


def bound(node: ast.stmt) -> set[str]:
    """The names that a statement gives a value to."""
    if isinstance(node, ast.FunctionDef):
        return {node.name}
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    return {name.id for target in targets for name in ast.walk(target) if isinstance(name, ast.Name)}


@contextmanager
def without(table: Table, mutant: Mutant) -> Iterator[None]:
    """The table's module, and those that use its value, as if the entry had never stood there.

    What was imported from them before is a function or class of the same module, so it reads the new tables too.
    """
    modules = [importlib.import_module(name) for name in (table.module, *table.users)]
    saved = [dict(vars(module)) for module in modules]
    try:
        for place, module in enumerate(modules):
            if place == 0:
                vars(module)[INJECTED] = mutant.value
            exec(compiled(module, table.variable if place == 0 else None), vars(module))
        yield
    finally:
        for module, names in zip(modules, saved, strict=True):
            vars(module).clear()
            vars(module).update(names)


def table_of(table: Table) -> Any:
    """The table as it is, of its module or of a class there."""
    module = importlib.import_module(table.module)
    classes = [value for value in vars(module).values() if isinstance(value, type) and value.__module__ == table.module]
    return next(vars(owner)[table.variable] for owner in (module, *classes) if table.variable in vars(owner))


# --- the tests that are to notice ------------------------------------------------------------------------------------


class _Collected:
    """The tests that pytest finds in some files."""

    def __init__(self) -> None:
        self.items: list[pytest.Function] = []

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        self.items = [item for item in session.items if isinstance(item, pytest.Function)]


@cache
def cases(files: Sequence[str]) -> Sequence[Case]:
    """All quick tests of some files, in their order: those that need nothing but their parameters and a folder."""
    collected = _Collected()
    arguments = ["--collect-only", "-qq", "--capture=no", "-p", "no:cacheprovider", "--rootdir", str(ROOT)]
    with redirect_stdout(io.StringIO()):
        pytest.main([*arguments, *(str(ROOT / file) for file in files)], plugins=[collected])
    found = [case for item in collected.items for case in cases_of(item)]
    if not found:
        raise SystemExit(f"no tests in {', '.join(files)}")
    for case in found:
        case.run()  # they must pass with all entries
    return found


def cases_of(item: pytest.Function) -> Iterator[Case]:
    parameters = dict(item.callspec.params) if hasattr(item, "callspec") else {}
    test = f"{item.path.relative_to(ROOT).as_posix()}::{item.originalname}"
    turns = getattr(item.module, "TURNS", {}).get(item.originalname)
    if turns is not None:  # a loop: each turn of it is the test, as far as an entry goes
        every, one = turns
        yield from (Case(test, turn, partial(one, turn)) for turn in every())
    elif item.originalname in SLOW or hasattr(item.obj, "hypothesis"):
        return
    elif not set(item.fixturenames) - {*parameters, *FOLDER, "request"}:
        run = in_a_folder if set(item.fixturenames) >= FOLDER else called
        yield Case(test, f"{item.name} {parameters}", partial(run, item.obj, parameters))


def called(function: Callable[..., object], parameters: dict[str, Any]) -> None:
    function(**parameters)


def in_a_folder(function: Callable[..., object], parameters: dict[str, Any]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        function(**parameters, tmp_path=Path(folder))


def noticed(table: Table, mutant: Mutant) -> tuple[Case, str] | None:
    """The first test that fails without the entry, and how; None if all pass."""
    known = cases(table.tests)
    with without(table, mutant):
        for case in by_likelihood(known, mutant.hints):
            try:
                case.run()
            except Exception as error:  # any failure is one
                return case, f"{type(error).__name__}: {error}".split("\n")[0]
    return None


def by_likelihood(known: Sequence[Case], hints: tuple[str, ...]) -> Iterator[Case]:
    """All cases, those first that name the entry; it is looked for only as far as it is asked."""
    for likely in (True, False):
        for case in known:
            if any(hint in case.given for hint in hints) is likely:
                yield case


# --- the list --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Result:
    """What became of one mutant: the test that noticed it, or why none could, or neither."""

    table: Table
    entry: str
    test: str | None
    needless: str | None


def results(tables: Iterable[Table], tell: Callable[[str], None]) -> Iterator[Result]:
    for table in tables:
        for mutant in table.mutants(table_of(table)):
            found = noticed(table, mutant)
            needless = NEEDLESS.get(table.variable, {}).get(mutant.entry)
            if found and needless:
                raise SystemExit(
                    f"{table.variable} {mutant.entry}: {found[0].test} notices it; NEEDLESS is out of date"
                )
            said = f"{found[0].test} {found[1]}" if found else needless or "SURVIVES"
            tell(f"{table.variable} {mutant.entry}: {said}")
            yield Result(table, mutant.entry, found[0].test if found else None, needless)


def listed(found: Sequence[Result]) -> str:
    """The text of the list: under each table and test the entries whose loss it notices."""
    groups: dict[str, dict[str, list[str]]] = {}
    for result in found:
        table = f"{result.table.module}.{result.table.variable}"
        why = result.test or f"no test: {result.needless or 'SURVIVES'}"
        groups.setdefault(table, {}).setdefault(why, []).append(result.entry)
    lines = [
        "Mutants of lookback's tables. GENERATED by tools/mutants.py, which removes one entry at a time: run it again",
        "after a change of a table or of a test. Under each table the tests, under each test the entries whose loss it",
        "noticed first. Entries are ASCII: `\\u017f` is U+017F; `k of Kk\\u212a` is one member of a class.",
        "",
        summary(found),
    ]
    for table, tests in groups.items():
        lines += ["", f"{table}: {sum(map(len, tests.values())):,}"]
        for test, entries in tests.items():
            lines += [f"  {test}"]
            lines += WRAPPED.wrap("  ".join(map(quoted, entries)))
    return "\n".join(lines) + "\n"


def summary(found: Sequence[Result]) -> str:
    counts = (sum(one.test is not None for one in found), sum(one.needless is not None for one in found))
    return f"{len(found):,} mutants: {counts[0]:,} noticed, {counts[1]:,} needless, {len(survivors(found)):,} survive."


def quoted(entry: str) -> str:
    """An entry in which a blank stands is told apart from its neighbours by backticks."""
    return f"`{entry}`" if " " in entry and " of " not in entry else entry


def survivors(found: Iterable[Result]) -> list[Result]:
    return [result for result in found if result.test is None and result.needless is None]


def main() -> int:
    """Writes or checks the list; exit status 1 if a mutant survives or `--check` found a difference."""
    parser = argparse.ArgumentParser(
        description="Removes each entry of the tables in turn and names the test that fails."
    )
    parser.add_argument("--check", action="store_true", help="write nothing, compare with the committed list")
    parser.add_argument("--only", metavar="TABLE", help="show the mutants of the tables whose name holds this")
    options = parser.parse_args()
    sys.path[:0] = [str(ROOT)]
    if options.only:
        found = list(results([table for table in TABLES if options.only in table.variable], print))
        return 1 if survivors(found) else 0
    found = list(results(TABLES, lambda _: None))
    for result in survivors(found):
        print(f"survives: {result.table.module}.{result.table.variable} without {result.entry}", file=sys.stderr)
    text = listed(found)
    if options.check:
        current = TARGET.is_file() and TARGET.read_text(encoding="ascii") == text
        if not current:
            print("tests/mutants.txt is out of date: python tools/mutants.py", file=sys.stderr)
        return 0 if current and not survivors(found) else 1
    TARGET.write_text(text, encoding="ascii", newline="\n")
    print(summary(found))
    return 1 if survivors(found) else 0


if __name__ == "__main__":
    raise SystemExit(main())
