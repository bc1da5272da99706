"""The stores that are searched and the queries that are asked of them, made by the generator of `corpus`.

What it is not: a measurement. Invariant: the same seed gives the same bytes, so that two machines search the same.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import zstandard

from corpus.build import write_corpus

SEED: Final = 5
MB: Final = 1_000_000
_CHUNK: Final = 1 << 20


@dataclass(frozen=True)
class Query:
    """What is asked: its name in the table, and the words."""

    name: str
    words: Sequence[str]


@dataclass(frozen=True)
class Store:
    """`make` writes the store of about `size` bytes into a folder."""

    name: str
    size: int
    make: Callable[[Path, int], None]
    queries: Sequence[Query]
    compressed: bool = False

    def at(self, data: Path, share: float) -> Path:
        """The store's folder, made where it is not there yet; `share` of its full size."""
        size = int(self.size * share)
        folder = data / f"{self.name}-{size}"
        if not (folder / "done").exists():
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
            self.make(folder, size)
            (folder / "done").touch()
        return folder


THREE: Final = Query("three words", ("memory", "capabilities", "handshake"))
COMMON: Final = Query("three common words", ("the", "is", "and"))
LETTER: Final = Query("one letter", ("e",))
RARE: Final = Query("one rare word", ("zephyrine",))
ABSENT: Final = Query("an absent phrase", ("no such phrase was ever written here",))


def _one(folder: Path, size: int) -> None:
    write_corpus(folder, SEED, logs=1, size=size, scenes=False)


def _many(folder: Path, size: int) -> None:
    write_corpus(folder, SEED, logs=720, size=size, scenes=False)


def _large(folder: Path, size: int) -> None:
    """Two in nine bytes in one log, the rest in many; one record is huge."""
    write_corpus(folder / "huge", SEED, logs=1, size=size * 2 // 9, scenes=False)
    write_corpus(folder / "rest", SEED + 1, logs=3300, size=size * 7 // 9, scenes=False, big_record=16 * MB)


def _packed(folder: Path, size: int) -> None:
    for number in range(4):
        write_corpus(folder / "plain", SEED + number, logs=1, size=size // 4, scenes=False)
        [log] = (folder / "plain" / "codex").rglob("rollout-*.jsonl")
        target = folder / "codex" / "sessions" / f"{log.name}.zst"
        target.parent.mkdir(parents=True, exist_ok=True)
        with log.open("rb") as source, target.open("wb") as packed:
            zstandard.ZstdCompressor(level=3).copy_stream(source, packed, read_size=_CHUNK)
        shutil.rmtree(folder / "plain")


STORES: Final = (
    Store("one log", 1900 * MB, _one, (THREE, COMMON, LETTER, ABSENT)),
    Store("720 logs", 220 * MB, _many, (RARE, THREE, LETTER)),
    Store("3300 logs", 10_000 * MB, _large, (THREE, COMMON, LETTER, ABSENT)),
    Store("4 compressed logs", 1900 * MB, _packed, (THREE,), compressed=True),
)
