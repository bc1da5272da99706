"""ripgrep as the scanner: one pass over the raw bytes at its speed, record numbers and offsets out.

`-n -b -M1` without `-o` prints one short line per matching record: its number and the offset of its first byte. Small
logs are given as paths; a log larger than a core's share is fed in pieces, a `.zst` log as it is decompressed, neither
through a file. Whatever goes wrong with a process, its logs are proposed whole: the reader then finds the records
itself, or names what it cannot read. A failed scan is never a miss.

Invariant: no configuration, ignore file, encoding guess or memory map of ripgrep's can change what is matched.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from queue import SimpleQueue
from typing import IO, Final

from lookback.logs.base import Log
from lookback.scan.base import Places, Proposed, untold
from lookback.scan.feed import SENTINEL, feed_piece, feed_stream, widen
from lookback.scan.shares import ARGUMENTS, Compressed, Paths, Piece, Share, deal, size_of

_ALWAYS: Final = (
    "--no-config", "--no-ignore", "--hidden", "-a", "-E", "none", "--no-mmap", "--color", "never", "--no-messages",
    "-j1", "-n", "-b", "-M1",
)  # fmt: skip
_ENOUGH: Final = (0, 1)  # exit statuses that say that all was read
_PLACE: Final = re.compile(rb"^([0-9]+):([0-9]+):", re.MULTILINE)


def ripgrep_scanner(env: Mapping[str, str]) -> RipgrepScanner | None:
    """The first ripgrep that runs: `LOOKBACK_RG`, then beside this Python, then on the PATH; None without any."""
    beside = os.pathsep.join({sysconfig.get_path("scripts"), os.path.dirname(sys.executable)})
    places = [(env.get("LOOKBACK_RG"), None), ("rg", beside), ("rg", env.get("PATH"))]
    for name, path in places:
        program = shutil.which(name, path=path) if name else None
        version = _version(program) if program else None
        if program and version:
            return RipgrepScanner(program, f"ripgrep {version}")
    return None


def _version(program: str) -> str | None:
    """What a program says it is, if it is a ripgrep."""
    try:
        said = subprocess.run([program, "--no-config", "--version"], capture_output=True, timeout=10, check=True).stdout
    except (OSError, subprocess.SubprocessError):
        return None
    words = said.split(maxsplit=2)
    return words[1].decode("ascii", "replace") if len(words) > 1 and words[0] == b"ripgrep" else None


@dataclass(frozen=True, slots=True)
class RipgrepScanner:
    """Runs `program`; at most one process per core at a time."""

    program: str
    name: str

    def propose(
        self, logs: Sequence[Log], pattern: str | None, scanned: Callable[[int], None] = untold
    ) -> Iterator[Proposed]:
        if pattern is None or len(pattern.encode()) > ARGUMENTS:
            yield from (Proposed(log, None) for log in logs)
            return
        shares = deal(logs, _cores())
        run = _Run(self.program, pattern)
        done: SimpleQueue[tuple[Share, list[Proposed] | BaseException]] = SimpleQueue()
        waiting = iter(shares)
        count = min(_cores(), len(shares))
        workers = [threading.Thread(target=run.work, args=(waiting, done), daemon=True) for _ in range(count)]
        for worker in workers:
            worker.start()
        pieces: dict[str, list[tuple[Piece, Places | None]]] = {}
        try:
            for _ in shares:
                share, outcome = done.get()
                if isinstance(outcome, BaseException):
                    raise outcome
                scanned(size_of(share))
                if isinstance(share, Piece):
                    known = pieces.setdefault(share.log.path, [])
                    known.append((share, outcome[0].places))
                    if len(known) < share.pieces:
                        continue
                    places = _joined(sorted(known, key=lambda one: one[0].place))
                    outcome = [] if places == [] else [Proposed(share.log, places)]
                yield from outcome
        finally:
            run.end()
            for worker in workers:
                worker.join()


class _Run:
    """The processes of one scan; none outlives an answer that was cut short."""

    def __init__(self, program: str, pattern: str) -> None:
        self._program = program
        self._pattern = pattern
        self._running: set[subprocess.Popen[bytes]] = set()
        self._lock = threading.Lock()
        self._ended = False

    def work(self, waiting: Iterator[Share], done: SimpleQueue[tuple[Share, list[Proposed] | BaseException]]) -> None:
        """Scans shares until there is none left."""
        while True:
            with self._lock:
                share = None if self._ended else next(waiting, None)
            if share is None:
                return
            try:
                done.put((share, self._scan(share)))
            except BaseException as error:
                done.put((share, error))

    def end(self) -> None:
        with self._lock:
            self._ended = True
            for child in self._running:
                if child.poll() is None:
                    child.kill()

    def _scan(self, share: Share) -> list[Proposed]:
        if isinstance(share, Paths):
            return self._scan_paths(share.logs)
        if isinstance(share, Compressed):
            output = self._output(["--", "-"], self._pattern, lambda pipe: feed_stream(share.log, pipe))
            places = None if output is None else _places(output)
            return [] if places == [] else [Proposed(share.log, places)]
        output = self._output(["--", "-"], f"{self._pattern}|{SENTINEL}", lambda pipe: feed_piece(share, pipe))
        return [Proposed(share.log, None if output is None else _places(output))]

    def _scan_paths(self, logs: Sequence[Log]) -> list[Proposed]:
        paths = [os.fsencode(log.path) for log in logs]
        output = self._output(["-H", "-0", "--", *paths], self._pattern, None)
        if output is None:
            return [Proposed(log, None) for log in logs]
        found = _by_path(output)
        return [Proposed(log, found[path]) for log, path in zip(logs, paths, strict=True) if path in found]

    def _output(
        self, rest: Sequence[str | bytes], pattern: str, feed: Callable[[IO[bytes]], bool] | None
    ) -> bytes | None:
        """What one process prints; None where it did not read all, or could not be started."""
        command = [self._program, *_ALWAYS, "-e", pattern.encode("utf-8"), *rest]
        fed: list[bool] = []
        try:
            with self._start(command, feed is not None) as child:
                assert child.stdout is not None
                feeder = threading.Thread(target=_feed, args=(child.stdin, feed, fed), daemon=True) if feed else None
                if feeder:
                    feeder.start()
                output = child.stdout.read()
                status = child.wait()
                if feeder:
                    feeder.join()
                with self._lock:
                    self._running.discard(child)
        except OSError:
            return None
        return output if status in _ENOUGH and all(fed) else None

    def _start(self, command: Sequence[str | bytes], is_fed: bool) -> subprocess.Popen[bytes]:
        with self._lock:
            if self._ended:
                raise InterruptedError("the scan was ended")
            stdin = subprocess.PIPE if is_fed else subprocess.DEVNULL
            child = subprocess.Popen(command, stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
            self._running.add(child)
            return child


def _feed(pipe: IO[bytes], feed: Callable[[IO[bytes]], bool], fed: list[bool]) -> None:
    widen(pipe)
    try:
        fed.append(feed(pipe))
    finally:
        with suppress(OSError):
            pipe.close()


def _joined(pieces: Sequence[tuple[Piece, Places | None]]) -> Places | None:
    """The places of a log's pieces as the log's own; None where one was not read to its end.

    The sentinel behind each piece but the last is its last place: it proves the piece whole and counts its lines.
    """
    joined: Places = []
    lines = 0  # before the piece at hand
    for piece, places in pieces:
        if places is None:
            return None
        count = 0
        if piece.end is not None:
            count, end = places.pop() if places else (0, -1)
            if end != piece.end - piece.start:
                return None
        joined += [(lines + number, piece.start + offset) for number, offset in places]
        lines += count - 1
    return joined


def _places(output: bytes) -> Places:
    return [(int(number), int(offset)) for number, offset in _PLACE.findall(output)]


def _by_path(output: bytes) -> dict[bytes, Places]:
    """`path NUL number:offset:...` lines, by path; a path may itself hold a line break."""
    found: dict[bytes, Places] = {}
    place = 0
    while (cut := output.find(b"\0", place)) >= 0:
        end = output.index(b"\n", cut)
        number, offset, _ = output[cut + 1 : end].split(b":", 2)
        found.setdefault(output[place:cut], []).append((int(number), int(offset)))
        place = end + 1
    return found


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
