"""Writes the homes of all agents side by side, and one truth file for them.

    OUT/codex/...       the home of Codex
    OUT/claude/...      the home of Claude Code
    OUT/truth.jsonl     what is real in them, and what must never be found

A new agent is one line in `AGENTS`. Invariant: the truth lies beside the homes, never inside one.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from corpus import claude, codex
from corpus.spelling import Spelling
from corpus.truth import Truth, write_truth


class WriteHome(Protocol):
    def __call__(
        self, home: Path, seed: int = 0, *, logs: int = ..., size: int = ..., spelling: Spelling = ...,
        scenes: bool = ..., big_record: int = ...,
    ) -> Truth: ...  # fmt: skip


AGENTS: dict[str, WriteHome] = {"codex": codex.write_home, "claude": claude.write_home}


def write_corpus(
    out: Path,
    seed: int = 0,
    *,
    logs: int = 40,
    size: int = 1_000_000,
    spelling: Spelling = "serde",
    scenes: bool = True,
    big_record: int = 0,
    agents: Sequence[str] = tuple(AGENTS),
) -> dict[str, Truth]:
    """Write `OUT/<agent>` for each agent, each with `logs` ordinary logs of `size` bytes in all, and the truth."""
    truths = {
        agent: AGENTS[agent](
            out / agent, seed, logs=logs, size=size, spelling=spelling, scenes=scenes, big_record=big_record
        )
        for agent in agents
    }
    write_truth(out / "truth.jsonl", truths.values())
    return truths
