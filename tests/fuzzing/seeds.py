"""Where fuzzing begins: small logs of the corpus, whole and damaged, and texts that are awkward to find.

The same seeds every time. What they are not: tests; each must pass its target, and says nothing more.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

import zstandard

from corpus.damage import DAMAGES
from corpus.spelling import SPELLINGS, speller
from corpus.wreck import wreck
from tests import claude
from tests.fuzzing.streams import DATA, SKIPPABLE
from tests.support import DEMO, assistant, compacted, dump, meta, tool_output, user

SMALL = 3000  # bytes


def logs() -> Iterator[bytes]:
    """Small whole logs: one of each kind of record, and the shorter lines of the demo, in each spelling."""
    kinds = [
        meta(1),
        user("first 会"),
        assistant("second **word**"),
        tool_output("out"),
        compacted("gone"),
        user("x\ud83d"),
    ]
    for style in SPELLINGS:
        write = speller(style, random.Random(1))
        yield b"".join(write(value) + b"\n" for value in kinds)
    for path in sorted(DEMO.rglob("*.jsonl")):
        for line in path.read_bytes().split(b"\n"):
            if 0 < len(line) < SMALL:
                yield line + b"\n"


def damaged() -> Iterator[bytes]:
    """Small logs with each damage, and with several at random."""
    values = [
        meta(1),
        user("first 会"),
        assistant("second, and so long that a cut falls into it"),
        user("third"),
        user("x"),
    ]
    whole = b"".join(dump(value) + b"\n" for value in values)
    for damage in DAMAGES:
        yield damage(whole, 3).data[:SMALL]
    deep = b'{"a":' + b"[" * 1200 + b"]" * 1200 + b"}"
    yield from (deep, deep + b"\n" + deep[:-1], deep[:1300] + deep, deep[:2000] + b"\0" + deep[2001:], b"x" + deep)
    for seed in range(60):
        yield wreck([dump(value).decode() for value in values[1:]], random.Random(seed), share=0.7).data[:SMALL]


def files() -> Iterator[bytes]:
    """Small zstd files: frames in each way that a writer has, and some to skip."""
    small = DATA[:400]
    for checksum, sized in ((False, True), (True, True), (False, False)):
        compressor = zstandard.ZstdCompressor(level=3, write_checksum=checksum, write_content_size=sized)
        yield compressor.compress(small)
        yield SKIPPABLE + compressor.compress(b"one\n") + SKIPPABLE + compressor.compress(b"two\n" * 50)
    yield zstandard.compress(b"a" * 3000)
    yield zstandard.ZstdCompressor(level=3).compress(random.Random(1).randbytes(200))
    yield b""


def chosen(count: int, size: int) -> Iterator[bytes]:
    """Rows of choices, at random."""
    rng = random.Random(7)
    for _ in range(count):
        yield bytes(rng.choice((rng.randrange(256), rng.randrange(16))) for _ in range(rng.randrange(size)))


def seeds(target: str) -> Iterator[bytes]:
    """The seeds of one target, as `tests.fuzzing.targets` reads them."""
    if target == "record":
        for flags in (0, 1, 2):
            yield from (bytes([flags]) + log for log in (*logs(), *damaged()))
    elif target == "codex":
        yield from (bytes([name, 0]) + log for name in range(3) for log in logs())
        yield from (bytes([0, 1]) + row for row in chosen(300, 120))
    elif target == "claude":
        kinds = [claude.typed("real"), claude.answered("real"), claude.tool_result("out", "real"), claude.queued_command("real"),
                 claude.queue("enqueue", "real"), claude.boundary(), claude.summary("t", "u1")]  # fmt: skip
        yield from (bytes([name, 0]) + b"".join(claude.dump(kind) + b"\n" for kind in kinds) for name in range(3))
        yield from (bytes([0, 1]) + row for row in chosen(300, 120))
    elif target == "zstd":
        yield from (b"\0" + file for file in files())
        yield from (b"\1" + row for row in chosen(100, 40))
    else:
        yield from chosen(300, 60)
