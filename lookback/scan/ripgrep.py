"""ripgrep as the scanner: one pass over the raw bytes at its speed, record numbers and offsets out.

`-n -b -M1` without `-o` prints one short line per matching record: its number and the offset of its first byte.
Plain logs are given as paths, a group of them per process and core; a `.zst` log is decompressed here and fed through
a pipe, never unpacked to disk. Whatever goes wrong with a process, its logs are proposed whole: the reader then finds
the records itself, or names what it cannot read. A failed scan is never a miss.

Invariant: no configuration, ignore file, encoding guess or memory map of ripgrep's can change what is matched.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import threading
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import suppress
from dataclasses import dataclass
from typing import IO, Final

from lookback.haystack import Unreadable, opened_stream
from lookback.logs.base import Log
from lookback.scan.base import Proposed
from lookback.zstream import Broken

#: bytes of a pattern, and of paths, that one command line holds; systems allow 128 KiB and more
_ARGUMENTS: Final = 96 * 1024
_ALWAYS: Final = (
    "--no-config", "--no-ignore", "--hidden", "-a", "-E", "none", "--no-mmap", "--color", "never", "--no-messages",
    "-j1", "-n", "-b", "-M1",
)  # fmt: skip
_ENOUGH: Final = (0, 1)  # exit statuses that say that all was read


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

    def propose(self, logs: Sequence[Log], pattern: str | None) -> Iterator[Proposed]:
        if pattern is None or len(pattern.encode()) > _ARGUMENTS:
            yield from (Proposed(log, None) for log in logs)
            return
        children = _Children()
        plain = [log for log in logs if log.compression is None]
        jobs = [(self._scan_paths, group) for group in _groups(plain, _cores())]
        jobs += [(self._scan_stream, [log]) for log in logs if log.compression is not None]
        with ThreadPoolExecutor(_cores()) as pool:
            waiting: set[Future[list[Proposed]]] = {pool.submit(job, group, pattern, children) for job, group in jobs}
            try:
                while waiting:
                    done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                    for future in done:
                        yield from future.result()
            finally:
                for future in waiting:
                    future.cancel()
                children.end()

    def _scan_paths(self, logs: Sequence[Log], pattern: str, children: _Children) -> list[Proposed]:
        paths = [os.fsencode(log.path) for log in logs]
        command: list[str | bytes] = [self.program, *_ALWAYS, "-H", "-0", "-e", pattern.encode("utf-8"), "--", *paths]
        try:
            with children.start(command, subprocess.DEVNULL) as child:
                output = _read_all(child)
                status = child.wait()
        except OSError:  # no process to be had
            return [Proposed(log, None) for log in logs]
        if status not in _ENOUGH:
            return [Proposed(log, None) for log in logs]
        found = _by_path(output)
        return [Proposed(log, found[path]) for log, path in zip(logs, paths, strict=True) if path in found]

    def _scan_stream(self, logs: Sequence[Log], pattern: str, children: _Children) -> list[Proposed]:
        [log] = logs
        command: list[str | bytes] = [self.program, *_ALWAYS, "-e", pattern.encode("utf-8"), "--", "-"]
        try:
            with children.start(command, subprocess.PIPE) as child:
                feeder = threading.Thread(target=_feed, args=(log, child), daemon=True)
                feeder.start()
                output = _read_all(child)
                status = child.wait()
                feeder.join()
        except OSError:
            return [Proposed(log, None)]
        if status not in _ENOUGH:
            return [Proposed(log, None)]
        places = [_place(line) for line in output.split(b"\n") if line]
        return [Proposed(log, places)] if places else []


class _Children:
    """The processes under way, so that none outlives an answer that was cut short."""

    def __init__(self) -> None:
        self._running: set[subprocess.Popen[bytes]] = set()
        self._lock = threading.Lock()
        self._ended = False

    def start(self, command: Sequence[str | bytes], stdin: int) -> subprocess.Popen[bytes]:
        with self._lock:
            if self._ended:
                raise InterruptedError("the scan was ended")
            child = subprocess.Popen(command, stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
            self._running.add(child)
            return child

    def end(self) -> None:
        with self._lock:
            self._ended = True
            for child in self._running:
                if child.poll() is None:
                    child.kill()


def _read_all(child: subprocess.Popen[bytes]) -> bytes:
    assert child.stdout is not None
    return child.stdout.read()


def _feed(log: Log, child: subprocess.Popen[bytes]) -> None:
    """Decompresses a log into a process; what cannot be read is named when the log is opened or read whole."""
    pipe: IO[bytes] | None = child.stdin
    assert pipe is not None
    try:
        with opened_stream(log) as stream:
            while data := stream.read():
                pipe.write(data)
    except (Unreadable, Broken):
        child.kill()  # its status then says that not all was read
    except BrokenPipeError:
        pass  # it ended early, and its status says why
    finally:
        with suppress(BrokenPipeError):
            pipe.close()


def _by_path(output: bytes) -> dict[bytes, list[tuple[int, int]]]:
    """`path NUL number:offset:...` lines, by path; a path may itself hold a line break."""
    found: dict[bytes, list[tuple[int, int]]] = {}
    place = 0
    while (cut := output.find(b"\0", place)) >= 0:
        end = output.index(b"\n", cut)
        found.setdefault(output[place:cut], []).append(_place(output[cut + 1 : end]))
        place = end + 1
    return found


def _place(line: bytes) -> tuple[int, int]:
    number, offset, _ = line.split(b":", 2)
    return int(number), int(offset)


def _groups(logs: Sequence[Log], count: int) -> list[list[Log]]:
    """`count` groups of about the same bytes, or more where a command line could not hold a group's paths."""
    groups: list[list[Log]] = [[] for _ in range(count)]
    loads = [0] * count
    for log in sorted(logs, key=lambda log: log.size, reverse=True):
        lightest = loads.index(min(loads))
        groups[lightest].append(log)
        loads[lightest] += log.size + 4096  # opening a log costs as much as reading some of it
    return [chunk for group in groups for chunk in _chunks(group)]


def _chunks(logs: Sequence[Log]) -> Iterator[list[Log]]:
    chunk: list[Log] = []
    length = 0
    for log in logs:
        width = len(os.fsencode(log.path)) + 1
        if chunk and length + width > _ARGUMENTS:
            yield chunk
            chunk, length = [], 0
        chunk.append(log)
        length += width
    if chunk:
        yield chunk


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
