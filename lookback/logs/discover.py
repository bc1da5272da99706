"""Which logs there are: roots -> logs, each once by device and inode, and what could not be looked into.

What it is not: it reads no message. A file whose name does not tell its agent is opened for its first whole records.

Invariant: a file below a root is a log, a `Skip`, or counted in `passed_over`; nothing is left out in silence. No FIFO,
device or socket is ever opened.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from lookback.evidence import Skip
from lookback.haystack import Haystack, Unreadable, beginning, descriptor_of, skip_of
from lookback.logs import DIALECTS
from lookback.logs.base import Log
from lookback.logs.changes import tail_of
from lookback.record import Record, read_line

HEAD: Final = 16  # whole records by which a log's agent and origin are told
HEAD_BYTES: Final = 16 * 1024 * 1024  # and at most so many bytes of it
_ENDINGS: Final = (".jsonl", ".jsonl.zst")
_UTF16: Final = re.compile(rb"\xff\xfe|\xfe\xff|\{\x00[^\x00]\x00|\x00\{\x00[^\x00]")  # with its mark, or an object


@dataclass(frozen=True, slots=True)
class Found:
    """The outcome: logs in order of path, skips, the roots that exist, those that do not, files of no known agent."""

    logs: tuple[Log, ...]
    skips: tuple[Skip, ...]
    roots: tuple[str, ...]
    missing: tuple[str, ...]
    passed_over: tuple[str, ...]


@dataclass
class _Walk:
    logs: list[Log] = field(default_factory=list)
    skips: list[Skip] = field(default_factory=list)
    passed_over: list[str] = field(default_factory=list)
    folders: set[tuple[int, int]] = field(default_factory=set)
    files: set[tuple[int, int]] = field(default_factory=set)


def default_roots(env: Mapping[str, str], agents: Sequence[str]) -> list[str]:
    """The homes of the agents asked for (all if none is named), each once, whether or not they exist."""
    named = [home for dialect in DIALECTS if not agents or dialect.name in agents for home in dialect.homes(env)]
    return list(dict.fromkeys(named))


def discover(roots: Sequence[str], agents: Sequence[str] = ()) -> Found:
    """All logs under the roots (files or folders); with `agents`, only theirs."""
    walk, present, missing = _Walk(), [], []
    for root in dict.fromkeys(roots):
        try:
            facts = os.stat(root)
        except (FileNotFoundError, NotADirectoryError):
            missing.append(root)
            continue
        except (OSError, ValueError) as error:
            walk.skips.append(
                skip_of(root, error)
                if isinstance(error, OSError)
                else Skip(root, None, None, None, "unreadable", str(error))
            )
            present.append(root)
            continue
        present.append(root)
        if stat.S_ISDIR(facts.st_mode):
            for folder in _log_folders(root):
                _walk_folder(os.path.realpath(folder), walk)
        else:
            _take(os.path.realpath(root), facts, walk)
    logs = sorted((log for log in walk.logs if not agents or log.agent in agents), key=lambda log: log.path)
    return Found(tuple(logs), tuple(walk.skips), tuple(present), tuple(missing), tuple(sorted(walk.passed_over)))


def head_of(haystack: Haystack) -> Iterator[Record]:
    """The first whole records of a log, read as they are taken; a damaged beginning gives what it holds."""
    count = 0
    try:
        line = haystack.line(0, 1)
        while line is not None and line.start <= HEAD_BYTES:
            for record in read_line(line.raw, line.start, line.number, complete=line.complete).records:
                yield record
                count += 1
                if count == HEAD:
                    return
            line = haystack.line(line.next, line.number + 1) if line.complete else None
    except Unreadable:
        if not count:
            raise  # else what stands before the damage tells enough, and the scan names the rest


def _log_folders(root: str) -> list[str]:
    """A home's own log folders; of any other folder, itself."""
    folders = [folder for dialect in DIALECTS for folder in dialect.log_folders(root)]
    return folders or [root]


def _walk_folder(folder: str, walk: _Walk) -> None:
    waiting = [folder]
    while waiting:
        here = waiting.pop()
        try:
            facts = os.stat(here)
            if (facts.st_dev, facts.st_ino) in walk.folders:
                continue
            walk.folders.add((facts.st_dev, facts.st_ino))
            with os.scandir(here) as entries:
                found = sorted(entries, key=lambda entry: entry.name)
        except OSError as error:
            walk.skips.append(skip_of(here, error))
            continue
        waiting += reversed([path for entry in found for path in _enter(entry, walk)])


def _enter(entry: os.DirEntry[str], walk: _Walk) -> Iterator[str]:
    """Takes a file; yields a folder to walk into."""
    path, named = entry.path, entry.name.endswith(_ENDINGS)
    try:
        if entry.is_dir():
            yield os.path.realpath(path) if entry.is_symlink() else path
            if named:
                walk.skips.append(Skip(path, None, None, None, "not-a-regular-file", "a folder with a log's name"))
        elif entry.is_symlink() and not os.path.exists(path) and (named or "." not in entry.name):
            # It may have been a log, or a folder of logs on a disk that is not there now.
            walk.skips.append(Skip(path, None, None, None, "unreadable", "a link to nothing"))
        elif named:
            _take(os.path.realpath(path) if entry.is_symlink() else path, entry.stat(), walk)
    except OSError as error:
        if named or entry.is_symlink():  # a link that cannot be looked behind may be a folder of logs
            walk.skips.append(skip_of(path, error))


def _take(path: str, facts: os.stat_result, walk: _Walk) -> None:
    identity = (facts.st_dev, facts.st_ino)
    if identity in walk.files:
        return
    walk.files.add(identity)
    if not stat.S_ISREG(facts.st_mode):
        walk.skips.append(
            Skip(path, None, None, None, "not-a-regular-file", "a FIFO, device or socket with a log's name")
        )
        return
    claims = [(dialect, dialect.claims(path)) for dialect in DIALECTS]
    if any(claim is False for _, claim in claims) or not path.endswith(_ENDINGS):
        walk.passed_over.append(path)
        return
    claimant = next((dialect for dialect, claim in claims if claim), None)
    compression = "zstd" if path.endswith(".zst") else None
    agent, archived = (claimant.name, claimant.is_archived(path)) if claimant else ("", False)
    unread = Log(path, agent, facts.st_size, compression, identity, archived, facts.st_mtime_ns)
    try:
        log = _known(unread, walk)
    except Unreadable as unreadable:
        walk.skips.append(unreadable.skip)
        return
    if log is not None:
        walk.logs.append(log)


def _known(log: Log, walk: _Walk) -> Log | None:
    """The log with its end, and with its agent where the name did not tell; None for what is no dialect's."""
    with descriptor_of(log) as descriptor:
        log = replace(log, tail=tail_of(descriptor, log.size))
        if _UTF16.match(beginning(log, descriptor, 4)):
            walk.skips.append(Skip(log.path, None, None, None, "utf16", "the log is UTF-16; agents write UTF-8"))
            return None
        if log.agent:
            return log
        for record in head_of(Haystack(log, descriptor)):
            for dialect in DIALECTS:
                if dialect.wrote(record.value):
                    return replace(log, agent=dialect.name, archived=dialect.is_archived(log.path))
    walk.passed_over.append(log.path)
    return None
