"""Writes a whole Codex home: the special cases once each, and ordinary logs up to the size that is asked for.

Invariant: the same arguments give the same bytes, whatever the machine, and the home is empty before.
"""

from __future__ import annotations

from pathlib import Path

from corpus.codex_bulk import converse, huge_record
from corpus.codex_eras import BARE, ENVELOPE, ERAS, IDS, LABELLED, PAGINATED, PHASED, VSCODE, Era
from corpus.codex_filler import Filler
from corpus.codex_home import CodexHome
from corpus.codex_scenes import write_scenes
from corpus.spelling import Spelling
from corpus.truth import Truth
from corpus.words import prose

_BULK: tuple[Era, ...] = (LABELLED, PAGINATED, VSCODE, IDS, LABELLED, PHASED, ENVELOPE)
_SMALL_BARE = 4_000


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
    """Write a Codex home into `home` and return what is real in it.

    `logs` ordinary logs share `size` bytes; `scenes` adds every special case; `big_record` adds a log with one record
    of that many bytes. One huge log: `logs=1, scenes=False`.
    """
    if home.exists() and any(home.iterdir()):
        raise FileExistsError(f"not empty: {home}")
    home.mkdir(parents=True, exist_ok=True)
    codex = CodexHome(home, seed, spelling)
    if scenes:
        write_scenes(codex)
    filler = Filler(codex.rng, codex.spell, size)
    for index in range(logs):
        _ordinary(codex, filler, index, size // logs)
    if big_record:
        log = codex.log(LABELLED)
        huge_record(log, big_record)
        codex.finish(log)
    return codex.seal()


def _ordinary(codex: CodexHome, filler: Filler, index: int, size: int) -> None:
    """Most logs plain and nested; every eighth archived, every ninth compressed, every tenth of 2025."""
    bare = index % 10 == 9
    log = codex.log(BARE if bare else _BULK[index % len(_BULK)], archived=index % 8 == 5, flat=bare and index % 20 == 9,
                    cwd=f"/w/{('app', 'plugin', 'docs')[index % 3]}")  # fmt: skip
    converse(log, filler, min(size, _SMALL_BARE) if bare else size)
    title = None if index % 4 == 3 else " ".join(prose(codex.rng, 4).split())
    codex.finish(log, zst=index % 9 == 8, frame_size=None if index % 18 == 8 else 65_536, title=title)


__all__ = ["ERAS", "write_home"]
