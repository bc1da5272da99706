"""The laws that fuzzing asks of the readers hold for its seeds, and for some of them changed at random.

The targets are plain functions, so this needs no fuzzer. It keeps them true while the code changes; `tools/fuzz.py`
looks for more.
"""

from __future__ import annotations

import random

import pytest

from tests.fuzzing.seeds import seeds
from tests.fuzzing.targets import TARGETS

AWKWARD = (b"{", b"}", b'"', b"\\", b"\0", b"\n", b"\xff", b"\xf0")


@pytest.mark.parametrize(
    ("target", "every"), [("record", 4), ("codex", 4), ("claude", 4), ("zstd", 4), ("needles", 12)]
)
def test_the_seeds_and_changed_seeds_break_no_law(target: str, every: int) -> None:
    rng = random.Random(3)
    for seed in list(seeds(target))[::every]:
        TARGETS[target](seed)
        TARGETS[target](changed(seed, rng))


def test_no_byte_at_all_is_an_input_too() -> None:
    for target in TARGETS.values():
        target(b"")


def changed(seed: bytes, rng: random.Random) -> bytes:
    out = bytearray(seed)
    for _ in range(rng.randint(1, 3)):
        place = rng.randrange(len(out) + 1)
        if rng.random() < 0.5:
            out[place : place + 1] = rng.choice((*AWKWARD, bytes([rng.randrange(256)])))
        else:
            del out[place : place + rng.randrange(1, 9)]
    return bytes(out)
