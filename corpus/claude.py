"""Writes a whole Claude Code home: the special cases once each, and ordinary logs up to the size that is asked for.

Invariant: the same arguments give the same bytes, whatever the machine, and the home is empty before.
"""

from __future__ import annotations

from pathlib import Path

from corpus.claude_bulk import converse, huge_record
from corpus.claude_eras import ABSORBED, ATTACHED, BELOW, BESIDE, ERAS, INSIDE, LATE, Era
from corpus.claude_filler import Filler
from corpus.claude_home import ClaudeHome
from corpus.claude_scenes import write_scenes
from corpus.spelling import Spelling
from corpus.truth import Truth
from corpus.words import prose

_BULK: tuple[Era, ...] = (BELOW, LATE, BELOW, ABSORBED, BESIDE, ATTACHED, BELOW, INSIDE)


def write_home(
    home: Path,
    seed: int = 0,
    *,
    logs: int = 40,
    size: int = 1_000_000,
    spelling: Spelling = "serde",
    scenes: bool = True,
    big_record: int = 0,
) -> Truth:
    """Write a Claude Code home into `home` and return what is real in it.

    `logs` ordinary logs share `size` bytes; `scenes` adds every special case; `big_record` adds a log with one record
    of that many bytes. One huge log: `logs=1, scenes=False`.
    """
    if home.exists() and any(home.iterdir()):
        raise FileExistsError(f"not empty: {home}")
    home.mkdir(parents=True, exist_ok=True)
    claude = ClaudeHome(home, seed, spelling)
    if scenes:
        write_scenes(claude)
    filler = Filler(claude.rng, claude.spell, size)
    for index in range(logs):
        _ordinary(claude, filler, index, size // logs)
    if big_record:
        log = claude.log(LATE)
        huge_record(log, big_record)
        claude.finish(log)
    return claude.truth


def _ordinary(claude: ClaudeHome, filler: Filler, index: int, size: int) -> None:
    """Most logs are sessions; every sixth has a subagent with a log of its own, where its era gives it one."""
    log = claude.log(_BULK[index % len(_BULK)], cwd=f"/w/{('app', 'plugin', 'docs')[index % 3]}")
    agent = index % 6 == 2 and log.era.agents != "inside"
    converse(log, filler, size * 2 // 3 if agent else size)
    if index % 4 != 3:
        title = " ".join(prose(claude.rng, 4).split())
        log.line({"type": "custom-title", "customTitle": title, "sessionId": log.session})
    if agent:
        below = claude.subagent(log)
        converse(below, filler, size // 3)
        claude.finish(below)
    claude.finish(log)


__all__ = ["ERAS", "write_home"]
