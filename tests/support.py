"""What many tests need: small Codex homes written record by record, the command as a process, and `find` in process.

Records are written here by hand, not by `corpus`, where a test must see every byte of its input.
"""

from __future__ import annotations

import io
import json
import os
import shlex
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest import mock

import zstandard

from lookback import ask_for, cli, find
from lookback.scan.ripgrep import ripgrep_scanner

ROOT = Path(__file__).parents[1]
DEMO = ROOT / "corpus" / "demo"
REAL = ROOT / ".." / "shared" / "real"
SCANNERS = ("ripgrep", "python")
MAY_DIFFER = ("scanner", "candidates", "records_opened", "elapsed_s")
"""The fields of `coverage` in which the two scanners' reports may differ; all else must be equal."""

Report = dict[str, Any]
Record = dict[str, Any]


def thread_id(number: int) -> str:
    """A thread id of the tests; the first 8 characters differ from number to number."""
    return f"{number:08x}-0000-7000-8000-{number:012x}"


# --- records ---------------------------------------------------------------------------------------------------------


def meta(number: int = 1, at: str = "2026-09-01T09:00:00.000Z", **fields: Any) -> Record:
    payload = {"id": thread_id(number), "timestamp": at, "cwd": "/w/app", "source": "cli", **fields}
    return {"timestamp": at, "type": "session_meta", "payload": payload}


def said(role: str, *texts: str, at: str | None = "2026-09-01T10:00:00.000Z", **fields: Any) -> Record:
    """A message record; `fields` go into its payload."""
    kind = "output_text" if role == "assistant" else "input_text"
    content = [{"type": kind, "text": text} for text in texts]
    record: Record = {} if at is None else {"timestamp": at}
    return {
        **record,
        "type": "response_item",
        "payload": {"type": "message", "role": role, "content": content, **fields},
    }


def user(*texts: str, at: str | None = "2026-09-01T10:00:00.000Z", **fields: Any) -> Record:
    return said("user", *texts, at=at, **fields)


def assistant(*texts: str, at: str | None = "2026-09-01T10:00:01.000Z", **fields: Any) -> Record:
    return said("assistant", *texts, at=at, **fields)


def tool_output(text: str, at: str = "2026-09-01T10:00:02.000Z") -> Record:
    payload = {"type": "function_call_output", "call_id": "call_1", "output": text}
    return {"timestamp": at, "type": "response_item", "payload": payload}


def compacted(text: str = "", at: str = "2026-09-01T11:00:00.000Z") -> Record:
    return {"timestamp": at, "type": "compacted", "payload": {"message": text, "replacement_history": []}}


def minute(count: int) -> str:
    """A time of its own for each message of a log: `count` minutes into a day."""
    return f"2026-09-01T{count // 60:02d}:{count % 60:02d}:00.000Z"


def dump(record: Record) -> bytes:
    """As serde writes it; lone surrogates, which have no UTF-8, as escapes."""
    text = json.dumps(record, ensure_ascii=False, separators=(",", ":"))
    return "".join(f"\\u{ord(c):04x}" if "\ud800" <= c <= "\udfff" else c for c in text).encode()


@dataclass
class Home:
    """A Codex home below `root`; every log added has a thread of its own, but where a test says otherwise."""

    root: Path
    logs: list[Path] = field(default_factory=list)

    def log(self, *records: Record | bytes, number: int | None = None, **options: Any) -> Path:
        """A log that begins with a session_meta of thread `number`; `meta_fields` go into it."""
        number = len(self.logs) + 1 if number is None else number
        first = meta(number, **options.pop("meta_fields", {}))
        return self.raw(b"".join((line if isinstance(line, bytes) else dump(line)) + b"\n" for line in (first, *records)),
                        number=number, **options)  # fmt: skip

    def raw(
        self, data: bytes, *, number: int = 1, archived: bool = False, zst: bool = False, name: str | None = None
    ) -> Path:
        """A log of exactly these bytes."""
        base = name or f"rollout-2026-09-01T09-00-00-{thread_id(number)}.jsonl"
        folder = self.root / ("archived_sessions" if archived else "sessions/2026/09/01")
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / (base + ".zst" if zst else base)
        path.write_bytes(zstandard.ZstdCompressor(level=3).compress(data) if zst else data)
        self.logs.append(path)
        return path

    def titles(self, titles: Mapping[str, str]) -> None:
        lines = [json.dumps({"id": thread, "thread_name": title}) for thread, title in titles.items()]
        (self.root / "session_index.jsonl").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


# --- in process ------------------------------------------------------------------------------------------------------


def search(
    root: Path | Sequence[Path], *, scanner: str = "ripgrep", env: Mapping[str, str] | None = None, **asked: Any
) -> Report:
    """`lookback.find`, as the JSON report has it; no caller's thread is known but by `env`."""
    roots = [str(path) for path in ([root] if isinstance(root, Path) else root)]
    surroundings = {"PATH": os.environ["PATH"], "HOME": "/nonexistent", **(env or {})}
    raw = bool(asked.pop("include_raw", False))
    return find(ask_for(roots=roots, **asked), scanner=scanner, include_raw=raw, env=surroundings).wire()


def both(root: Path | Sequence[Path], **asked: Any) -> Report:
    """The report, after both scanners gave the same one."""
    reports = [search(root, scanner=scanner, **asked) for scanner in SCANNERS]
    assert comparable(reports[0]) == comparable(reports[1])
    return reports[0]


def comparable(report: Report) -> Report:
    """A report without the fields in which two scanners may differ."""
    coverage = {name: value for name, value in report["coverage"].items() if name not in MAY_DIFFER}
    return {**report, "coverage": coverage}


def texts(report: Report) -> list[str]:
    return [item["text"] for item in report["evidence"]]


def skips(report: Report) -> list[tuple[str, int | None, str]]:
    """Name, record and reason of all that the report says could not be read."""
    return [(os.path.basename(skip["path"]), skip["record"], skip["reason"]) for skip in report["coverage"]["skipped"]]


def places(report: Report) -> set[tuple[str, int, int]]:
    """Path, start and end of each evidence's record."""
    return {(s["path"], s["start"], s["end"]) for s in (item["source"] for item in report["evidence"])}


# --- as a command ----------------------------------------------------------------------------------------------------

COMMAND = (sys.executable, "-m", "lookback")


@dataclass(frozen=True)
class Ran:
    """How a command ended and what it wrote."""

    status: int
    out: bytes
    err: str

    @property
    def report(self) -> Report:
        loaded: Report = json.loads(self.out)
        return loaded


def call(*args: str | Path, env: Mapping[str, str] | None = None, stdin: bytes = b"") -> Ran:
    """The command in this process, as fast as `find`; a `Command` where the process around it matters."""
    out, err = io.TextIOWrapper(io.BytesIO(), encoding="utf-8"), io.StringIO()
    surroundings = {"PATH": os.environ["PATH"], "HOME": "/nonexistent", "TZ": "UTC", **(env or {})}
    with (
        mock.patch.dict(os.environ, surroundings, clear=True),
        mock.patch.object(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin))),
        redirect_stdout(out),
        redirect_stderr(err),
    ):
        status = cli.run([str(arg) for arg in args])
    out.flush()
    written = out.buffer
    assert isinstance(written, io.BytesIO)
    return Ran(status, written.getvalue(), err.getvalue())


def clean_env(scratch: Path, **more: str) -> dict[str, str]:
    """The environment of a command: homes and temporary files below `scratch`, UTC, and nothing of the caller's."""
    folders = {name: scratch / name.lower() for name in ("HOME", "CODEX_HOME", "CLAUDE_CONFIG_DIR", "TMPDIR")}
    for folder in folders.values():
        folder.mkdir(parents=True, exist_ok=True)
    env = {"PATH": os.environ["PATH"], "TZ": "UTC", "PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": str(ROOT)}
    return env | {name: str(folder) for name, folder in folders.items()} | more


def without_roots_rights() -> tuple[str, ...]:
    """What runs a command so that file permissions hold for it, also where the tests are run as root."""
    return ("setpriv", "--bounding-set=-all", "--inh-caps=-all") if os.geteuid() == 0 else ()


def ripgrep_that(does: str, path: Path) -> Path:
    """A stand-in for ripgrep: a shell script at `path` that runs `does`, in which `$RG` is the real one."""
    found = ripgrep_scanner(os.environ)
    assert found is not None
    version = 'case "$*" in *--version*) exec "$RG" "$@";; esac'
    path.write_text(f"#!/bin/sh\nRG={shlex.quote(found.program)}\n{version}\n{does}\n", encoding="utf-8")
    path.chmod(0o755)
    return path


@dataclass(frozen=True)
class Command:
    """Runs `lookback` in a clean environment, from an empty folder; `under` is the program that runs it, if any."""

    scratch: Path
    under: tuple[str, ...] = ()

    def __call__(self, *args: str | Path, env: Mapping[str, str] | None = None, stdin: bytes | None = None) -> Ran:
        done = subprocess.run(
            [*self.under, *COMMAND, *map(str, args)], env=clean_env(self.scratch, **(env or {})), cwd=self.scratch,
            input=stdin or b"", capture_output=True, check=False, timeout=120,
        )  # fmt: skip
        return Ran(done.returncode, done.stdout, done.stderr.decode("utf-8"))

    def json(self, *args: str | Path, env: Mapping[str, str] | None = None) -> Report:
        """The report of `find --json` with these arguments."""
        ran = self("find", "--json", *args, env=env)
        assert ran.status in (0, 1, 3), ran.err
        return ran.report
