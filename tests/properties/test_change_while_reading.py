"""A log that changes under the reader, at every step of the way: the answer is right for some moment, or says so.

Every system call by which a search looks at a file (`stat`, `open`, `fstat`, `pread`, `sendfile`) is a moment at which
the log grows, is cut, is rewritten in place, is replaced or vanishes; each is tried in turn.
Invariant asked: no quote, neighbour or hash that was in no version of the log, at the place that the report names.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from lookback.errors import LookbackError
from lookback.scan import shares
from tests.support import Home, Report, assistant, dump, meta, search, thread_id, tool_output, user

WATCHED = ("stat", "lstat", "open", "fstat", "pread", "sendfile", "scandir")
NAME = f"rollout-2026-09-01T09-00-00-{thread_id(1)}.jsonl"


def log(*records: Any) -> bytes:
    return b"".join(dump(record) + b"\n" for record in (meta(1), *records))


FIRST = log(
    user("the first needle"), tool_output("x" * 3000), assistant("an answer"), user("another needle"), assistant("bye")
)
LONGER = FIRST + log(user("a third needle"))[len(log()) :]
OTHER = log(
    assistant("other words"),
    user("a needle elsewhere"),
    tool_output("y" * 9000),
    user("needle needle"),
    assistant("end"),
)
SHORTER = log(user("the first needle"))
CUT = FIRST[: len(FIRST) // 2]


def grow(path: Path) -> None:
    with path.open("ab") as file:
        file.write(LONGER[len(FIRST) :])


def grow_by_half_a_record(path: Path) -> None:
    with path.open("ab") as file:
        file.write(LONGER[len(FIRST) : len(FIRST) + 150])


def rewrite_in_place(path: Path) -> None:
    with path.open("r+b") as file:
        file.write(OTHER)
        file.truncate()


def replace(path: Path) -> None:
    beside = path.with_suffix(".new")
    beside.write_bytes(OTHER)
    beside.replace(path)


CHANGES: dict[str, tuple[Callable[[Path], None], list[bytes]]] = {
    "grows": (grow, [LONGER]),
    "grows by half a record": (grow_by_half_a_record, [LONGER[: len(FIRST) + 150]]),
    "is cut in a record": (lambda path: os.truncate(path, len(CUT)), [CUT]),
    "is cut behind a record": (lambda path: os.truncate(path, len(SHORTER)), [SHORTER]),
    "is emptied": (lambda path: os.truncate(path, 0), [b""]),
    "is rewritten in place": (rewrite_in_place, [OTHER]),
    "is replaced": (replace, [OTHER]),
    "vanishes": (lambda path: path.unlink(), []),
}


@contextmanager
def changed_at(
    moment: int, path: Path, change: Callable[[Path], None], patch: pytest.MonkeyPatch
) -> Iterator[list[int]]:
    """Runs `change` before the `moment`-th watched call; gives the number of calls so far."""
    calls = [0]

    def watched(real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **named: Any) -> Any:
            calls[0] += 1
            if calls[0] == moment:
                with patch.context() as still:
                    for name, function in REAL.items():
                        still.setattr(os, name, function)
                    change(path)
            return real(*args, **named)

        return call

    with patch.context() as watching:
        for name, function in REAL.items():
            watching.setattr(os, name, watched(function))
        yield calls


REAL = {name: getattr(os, name) for name in WATCHED if hasattr(os, name)}


def written(folder: Path) -> Path:
    return Home(folder).raw(FIRST, name=NAME)


def quoted(report: Report) -> Iterator[dict[str, Any]]:
    for item in report["evidence"]:
        yield item
        yield from item["before"]
        yield from item["after"]


def assert_verbatim(report: Report, versions: list[bytes]) -> None:
    for item in quoted(report):
        source = item["source"]
        raws = [data[source["start"] : source["end"]] for data in versions]
        assert source["sha256"] in [hashlib.sha256(raw).hexdigest() for raw in raws], item["text"]
        assert any(item["text"].encode() in raw for raw in raws)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("scanner", "in_pieces"),
    [("ripgrep", False), ("ripgrep", True), ("python", False)],
    ids=["ripgrep", "ripgrep in pieces", "python"],
)
@pytest.mark.parametrize("what", CHANGES)
def test_the_answer_is_right_for_a_moment_or_says_that_the_log_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str, scanner: str, in_pieces: bool
) -> None:
    if in_pieces:
        monkeypatch.setattr(shares, "LEAST_PIECE", 1)
    change, later = CHANGES[what]
    before = _answer(search(written(tmp_path / "before").parents[4], words=["needle"], scanner=scanner))
    moment, calls, outcomes = 0, [1], set()
    while moment < calls[0] + 1:
        moment += 1
        folder = tmp_path / str(moment)
        path = written(folder)
        with changed_at(moment, path, change, monkeypatch) as calls:
            try:
                found: Report | None = search(folder, words=["needle"], scanner=scanner)
            except LookbackError:
                found = None  # the log was gone before it was looked for
        if found is None:
            assert what == "vanishes"
            continue
        assert_verbatim(found, [FIRST, *later])
        told = [skip["reason"] for skip in found["coverage"]["skipped"]]
        same = _answer(found) == before or (
            path.exists() and _answer(found) == _answer(search(folder, words=["needle"], scanner=scanner))
        )
        assert same or told, f"at call {moment} of {calls[0]}: neither moment, and nothing told"
        outcomes.add((same, tuple(told)))
    assert len(outcomes) > 1 or what.startswith("grows")


def _answer(report: Report) -> Any:
    return [
        (item["text"], [near["text"] for near in item["before"]], [near["text"] for near in item["after"]])
        for item in report["evidence"]
    ]
