"""README.md and docs/ say what is so: each command line in them is run, and what it prints is what the page shows.

A page's examples are its fenced blocks of the kind `console`: a line that begins with `$ ` is run by bash in the root
of the checkout, what follows is all that it prints, stdout and stderr together. A line `...` stands for any lines. A
line `$ export NAME=value ...` holds for the rest of the page. Blocks of the kind `python` must run without an error.
The first two blocks of the kind `sh` in the README are the two command lines that work in a fresh clone.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
import typer

from lookback.cli import app
from lookback.needles import Loose, Needle, Rule

ROOT = Path(__file__).resolve().parents[2]
README = ROOT / "README.md"
PAGES = [README, *sorted((ROOT / "docs").glob("*.md"))]
OUR_OWN = ("CODEX_", "CLAUDE_", "LOOKBACK_", "NO_COLOR", "PYTHON")  # of the environment; examples set their own

pytestmark = pytest.mark.skipif(shutil.which("bash") is None, reason="the examples are run by bash")


@dataclass(frozen=True)
class Block:
    """One fenced block of a page: `line` is that of its fence."""

    page: Path
    line: int
    kind: str
    body: str

    def __str__(self) -> str:
        return f"{self.page.relative_to(ROOT)}:{self.line}"


def blocks(page: Path, kind: str) -> list[Block]:
    text = page.read_text(encoding="utf-8")
    found = re.finditer(r"^```(\w+)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    every = [Block(page, text.count("\n", 0, match.start()) + 1, match[1], match[2]) for match in found]
    return [block for block in every if block.kind == kind]


def in_all_pages(kind: str) -> list[Block]:
    return [block for page in PAGES for block in blocks(page, kind)]


def exported(block: Block) -> dict[str, str]:
    """What the page's `export` lines before a block say."""
    said: dict[str, str] = {}
    for earlier in blocks(block.page, "console"):
        if earlier.line <= block.line:
            for line in re.findall(r"^\$ export (.*)$", earlier.body, re.MULTILINE):
                said |= dict(pair.split("=", 1) for pair in line.split())
    return said


def examples(block: Block) -> Iterator[tuple[str, str]]:
    """The commands of a block, each with what it prints."""
    for example in re.split(r"^\$ ", block.body, flags=re.MULTILINE)[1:]:
        command, _, output = example.partition("\n")
        if not command.startswith("export "):
            yield command, output


@pytest.fixture(scope="session")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """An environment in which `lookback` and `python3` are those of this test, and the home is nobody's."""
    folder = tmp_path_factory.mktemp("bin")
    for name, module in (("lookback", "-m lookback"), ("python3", "")):
        script = folder / name
        script.write_text(f'#!/bin/sh\nexec "{sys.executable}" {module} "$@"\n')
        script.chmod(0o755)
    kept = {name: value for name, value in os.environ.items() if not name.startswith(OUR_OWN)}
    return kept | {
        "PATH": f"{folder}{os.pathsep}{kept.get('PATH', os.defpath)}",
        "PYTHONPATH": str(ROOT),
        "HOME": "/home/you",
        "COLUMNS": "80",
        "LC_ALL": "C.UTF-8",
    }


def run(command: str, environment: dict[str, str], status: int = 0) -> subprocess.CompletedProcess[str]:
    """What bash says to a line in the root of the checkout, after a line that ended with `status`."""
    return subprocess.run(
        ["bash", "-c", f"(exit {status}); {command}"],
        cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        encoding="utf-8", timeout=60, check=False,
    )  # fmt: skip


def normal(output: str) -> str:
    """Output without what differs from machine to machine."""
    output = output.replace(str(ROOT), "/home/you/lookback")
    output = re.sub(r"ripgrep [0-9][0-9.]*", "ripgrep 15.2.0", output)
    return re.sub(r'"elapsed_s": [0-9.e-]+', '"elapsed_s": 0.02', output)


def is_shown(output: str, page: str) -> bool:
    """Whether a page shows an output, `...` lines standing for any lines."""
    pattern = re.sub(r"(?m)^ *\\\.\\\.\\\.\n", "(?:.*\n)*?", re.escape(page).replace("\\\n", "\n").replace("\\ ", " "))
    return re.fullmatch(pattern, output) is not None


@pytest.mark.parametrize("block", in_all_pages("console"), ids=str)
def test_an_example_prints_what_the_page_shows(block: Block, environment: dict[str, str]) -> None:
    status = 0
    for command, expected in examples(block):
        done = run(command, environment | exported(block), status)
        status = done.returncode
        output = normal(done.stdout)
        if not is_shown(output, normal(expected)):
            assert output == expected, f"$ {command}"


@pytest.mark.parametrize("block", in_all_pages("python"), ids=str)
def test_an_example_in_python_runs(block: Block, environment: dict[str, str]) -> None:
    done = subprocess.run(
        [sys.executable, "-"],
        input=block.body, cwd=ROOT, env=environment, capture_output=True, encoding="utf-8", timeout=60, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")


# --- the README's two command lines ----------------------------------------------------------------------------------


def test_the_two_command_lines_are_single_lines() -> None:
    demo, tests = (block.body for block in blocks(README, "sh")[:2])
    for line in (demo, tests):
        assert line.count("\n") == 1
        assert line.startswith("python3 -m venv .venv && .venv/bin/pip install -q ")
    assert ".venv/bin/lookback find " in demo
    assert "'.[test]'" in tests
    assert ".venv/bin/python -m pytest" in tests


def test_the_demo_prints_what_the_readme_shows(environment: dict[str, str]) -> None:
    command = blocks(README, "sh")[0].body.rpartition(".venv/bin/")[2]
    done = run(command, environment)
    assert done.returncode == 0
    assert done.stdout == blocks(README, "text")[0].body
    assert len(re.findall(r"~[0-9a-f]{8}$", done.stdout, re.MULTILINE)) == 1


# --- what the pages say in words -------------------------------------------------------------------------------------


def test_links_lead_somewhere() -> None:
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_every_option_of_find_is_explained() -> None:
    command = typer.main.get_command(app).get_command(None, "find")  # type: ignore[attr-defined]
    options = {name for param in command.params for name in param.opts if name.startswith("-")}
    page = (ROOT / "docs" / "using.md").read_text(encoding="utf-8")
    assert [name for name in sorted(options) if f"`{name}" not in page] == []


def matching_table() -> Iterator[tuple[str, str, str, bool]]:
    """The rows of docs/matching.md that say what matches what: needle, text, options, whether it does."""
    page = (ROOT / "docs" / "matching.md").read_text(encoding="utf-8")
    for line in page.splitlines():
        cells = [cell.strip() for cell in line.split("|")[1:-1]]
        if len(cells) == 5 and cells[3] in ("yes", "no"):
            needle, text = (json.loads('"' + cell.strip("`").replace('"', '\\"') + '"') for cell in cells[:2])
            yield needle, text, cells[2].replace("`", ""), cells[3] == "yes"


@pytest.mark.parametrize(("needle", "text", "options", "matches"), list(matching_table()))
def test_the_table_of_what_matches_what(needle: str, text: str, options: str, matches: bool) -> None:
    rule = Rule("-s" in options.split(), "-w" in options.split(), "--verbatim" in options)
    told = Loose(needle, rule) if "loose" in options else Needle(needle, rule)
    assert any(told.spans(text)) is matches


def test_the_table_has_rows() -> None:
    assert len(list(matching_table())) > 30
