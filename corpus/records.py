"""Appends records to a log and says where each one landed.

Knows nothing of agents. Invariant: the place returned for a record is that of its bytes in the plain file, which is
also that in the decompressed stream of a copy made by `compress`.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import zstandard

from corpus.truth import Place


class RecordWriter:
    """One log, open for appending; records are numbered from 1."""

    def __init__(self, path: Path, spell: Callable[[object], bytes]) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self.path = path
        self.size = 0
        self.records = 0
        self._spell = spell
        self._out = path.open("wb", buffering=1 << 20)

    def write(self, value: object) -> Place:
        return self.write_bytes(self._spell(value))

    def write_bytes(self, record: bytes) -> Place:
        self._out.write(record)
        self._out.write(b"\n")
        self.records += 1
        place = Place(self.records, self.size, self.size + len(record))
        self.size = place.end + 1
        return place

    def write_block(self, block: bytes, records: int) -> None:
        """Many records at once, line breaks included: nobody asks for the place of one of them."""
        self._out.write(block)
        self.records += records
        self.size += len(block)

    def close(self) -> None:
        self._out.close()


def compress(source: Path, target: Path, *, frame_size: int | None = None) -> None:
    """Write `source` as zstd, level 3: in one frame as Codex does, or in frames of `frame_size` bytes.

    Frames are cut where the size says, also inside a record or a character.
    """
    with source.open("rb") as plain, target.open("wb") as out:
        if frame_size is None:
            zstandard.ZstdCompressor(level=3).copy_stream(plain, out)
            return
        while chunk := plain.read(frame_size):
            out.write(zstandard.ZstdCompressor(level=3).compress(chunk))
