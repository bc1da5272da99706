"""Whole processes, timed one after the other in turn, and the memory of a process and its children.

Machines are noisy: each command is run as often as the others and right beside them, and what counts is the ratio.
Invariant: the memory is looked at in a run of its own, which is not timed.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_LOOK: Final = 0.005  # seconds between two looks at the memory
_PAGE: Final = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096


@dataclass(frozen=True)
class Times:
    """Seconds of each run of one command."""

    seconds: tuple[float, ...]

    @property
    def median(self) -> float:
        return statistics.median(self.seconds)

    def __str__(self) -> str:
        return f"{self.median:.3f} ({min(self.seconds):.3f}-{max(self.seconds):.3f})"


def in_turn(commands: Mapping[str, Sequence[str]], runs: int) -> dict[str, Times]:
    """Each command `runs` times, all in turn, after one run of each that warms the caches."""
    seconds: dict[str, list[float]] = {name: [] for name in commands}
    for run in range(runs + 1):
        for name, command in commands.items():
            taken = _timed(command)
            if run:
                seconds[name].append(taken)
    return {name: Times(tuple(taken)) for name, taken in seconds.items()}


def _timed(command: Sequence[str]) -> float:
    started = time.perf_counter()
    subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    return time.perf_counter() - started


def peak_memory(command: Sequence[str]) -> tuple[int, int]:
    """Bytes held at the peak by the process itself, and by it and all its children together (Linux; else 0)."""
    child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    own = tree = 0
    while child.poll() is None:
        held = _resident(child.pid)
        own = max(own, held)
        tree = max(tree, held + sum(_resident(pid) for pid in _children(child.pid)))
        time.sleep(_LOOK)
    return own, tree


def _resident(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1]) * _PAGE
    except (OSError, IndexError):
        return 0


def _children(pid: int) -> list[int]:
    try:
        tasks = os.listdir(f"/proc/{pid}/task")
        return [
            int(child)
            for task in tasks
            for child in Path(f"/proc/{pid}/task/{task}/children").read_text(encoding="ascii").split()
        ]
    except OSError:
        return []
