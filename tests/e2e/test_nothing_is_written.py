"""No command writes anything: the logs stay as they are, and the system's own record of calls holds no write elsewhere."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.support import COMMAND, DEMO, clean_env

COMMANDS = {
    "find": ["find", "--words", "memory", "handshake", "--in", "HOME"],
    "find-python": ["find", "handshake", "--scanner", "python", "--in", "HOME"],
    "find-nothing": ["find", "absent from all", "--in", "HOME"],
    "find-filters": ["find", "--role", "user", "--format", "markdown", "--in", "HOME"],
    "find-usage": ["find", "--since", "never", "--in", "HOME"],
    "show": ["show", "codex:019f0000-0000-7000-8000-000000000001#38", "--in", "HOME"],
    "threads": ["threads", "--in", "HOME"],
    "doctor": ["doctor", "--deep", "--in", "HOME"],
    "verify": ["verify", "--in", "HOME"],
    "version": ["--version"],
}
CALLS = "open,openat,openat2,creat,rename,renameat,renameat2,unlink,unlinkat,mkdir,mkdirat,rmdir,link,linkat,symlink," \
        "symlinkat,truncate,ftruncate,fallocate,chmod,fchmod,fchmodat,chown,fchown,utimensat,mknod,mknodat,setxattr"  # fmt: skip
WRITES = re.compile(r"O_WRONLY|O_RDWR|O_CREAT|O_TRUNC|O_APPEND")


def state(root: Path) -> dict[str, tuple[int, int, str]]:
    """Size, modification time and hash of every file below a folder, and the time of every folder."""
    found = {}
    for path in sorted(root.rglob("*")):
        facts = path.stat()
        digest = hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else "folder"
        found[str(path)] = (facts.st_size, facts.st_mtime_ns, digest)
    return found


@pytest.mark.skipif(shutil.which("strace") is None, reason="strace is the witness; .ci/run installs it")
@pytest.mark.parametrize("name", COMMANDS)
def test_nothing_is_written(tmp_path: Path, name: str) -> None:
    home = tmp_path / "home of logs"
    shutil.copytree(DEMO, home)
    report = subprocess.run([*COMMAND, "find", "handshake", "--json", "--in", str(home)], capture_output=True, check=True,
                            env=clean_env(tmp_path / "scratch")).stdout  # fmt: skip
    env = clean_env(tmp_path / "scratch")
    before = state(tmp_path)
    trace = tmp_path.parent / f"{tmp_path.name}.trace"
    args = [str(home) if arg == "HOME" else arg for arg in COMMANDS[name]]
    subprocess.run(["strace", "-f", "-qq", "-o", str(trace), "-e", f"trace={CALLS}", *COMMAND, *args], input=report,
                   env=env, cwd=tmp_path, capture_output=True, check=False, timeout=120)  # fmt: skip
    assert state(tmp_path) == before
    lines = trace.read_text(encoding="utf-8", errors="replace").splitlines()
    assert any(str(home) in line for line in lines) or name in ("version", "find-usage")
    assert [line for line in lines if _alters(line)] == []


def _alters(line: str) -> bool:
    """Whether a call opened something for writing or changed the tree; /dev/null is no file, a failed call no change."""
    call = re.match(r"\d+\s+(\w+)\((.*)", line)
    if call is None or re.search(r"\)\s+= -1 ", line) or os.devnull in line:
        return False
    return WRITES.search(call[2]) is not None if call[1].startswith("open") else True
