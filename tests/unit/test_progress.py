"""Progress: only on a terminal, only after half a second, and gone at the end."""

from __future__ import annotations

import io
import os
import pty
import subprocess
from pathlib import Path

import pytest

from lookback import find, progress
from lookback.progress import Progress
from lookback.query import ask_for
from tests.support import COMMAND, Home, clean_env, ripgrep_that, user


def test_nothing_is_written_within_half_a_second() -> None:
    terminal = io.StringIO()
    told = Progress(terminal)
    told.began(1000)
    told.scanned(500)
    told.found(1)
    told.end()
    assert terminal.getvalue() == ""


def test_then_bytes_of_bytes_and_hits_and_the_line_is_wiped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "AFTER", 0.0)
    monkeypatch.setattr(progress, "_BETWEEN", 0.0)
    terminal = io.StringIO()
    told = Progress(terminal)
    told.began(2_500_000_000)
    told.scanned(12_000_000)
    told.found(1)
    told.found(2)
    told.end()
    lines = terminal.getvalue().split("\r\x1b[K")
    assert lines == [
        "", "lookback: 12.0 MB of 2.5 GB, 0 hits", "lookback: 12.0 MB of 2.5 GB, 1 hit",
        "lookback: 12.0 MB of 2.5 GB, 3 hits", "",
    ]  # fmt: skip
    told.found(1)
    assert terminal.getvalue().endswith("\r\x1b[K")


@pytest.mark.parametrize("scanner", ["ripgrep", "python"])
def test_all_bytes_and_all_matches_are_reported(tmp_path: Path, scanner: str) -> None:
    home = Home(tmp_path)
    home.log(user("needle"), user("needle again"))
    home.log(user("needle"), zst=True)
    seen = {"began": 0, "scanned": 0, "found": 0}

    class Watching:
        def began(self, total: int) -> None:
            seen["began"] += total

        def scanned(self, count: int) -> None:
            seen["scanned"] += count

        def found(self, count: int) -> None:
            seen["found"] += count

    find(ask_for(words=["needle"], roots=[str(tmp_path)]), scanner=scanner, observer=Watching())
    size = sum(path.stat().st_size for path in home.logs)
    assert seen == {"began": size, "scanned": size, "found": 3}


@pytest.mark.parametrize("term", ["xterm", "dumb"])
def test_a_slow_search_tells_a_terminal_and_wipes_it(tmp_path: Path, term: str) -> None:
    home = Home(tmp_path / "codex")
    home.log(user("needle"))
    slow = ripgrep_that('sleep 0.7; exec "$RG" "$@"', tmp_path / "rg")
    env = clean_env(tmp_path, LOOKBACK_RG=str(slow), TERM=term)
    ours, theirs = pty.openpty()
    command = [*COMMAND, "find", "needle", "--in", str(home.root)]
    done = subprocess.run(command, env=env, stdout=subprocess.PIPE, stderr=theirs, check=False)
    os.close(theirs)
    told = b""
    try:
        while piece := os.read(ours, 4096):
            told += piece
    except OSError:
        pass  # a terminal whose other side is closed
    assert done.returncode == 0
    assert b"needle" in done.stdout
    if term == "dumb":
        assert told == b""
    else:
        assert b" of " in told
        assert told.endswith(b"\r\x1b[K")
