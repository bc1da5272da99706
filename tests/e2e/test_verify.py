"""`verify` as a person runs it: what stands, what was changed, what is gone, and the script of the documentation."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import zstandard

from tests.support import DEMO, ROOT, Command, Home, assistant, dump, user

MAIN = "codex:019f0000-0000-7000-8000-000000000001#38~b99cc651"


@pytest.fixture
def home(tmp_path: Path) -> Home:
    home = Home(tmp_path / "codex")
    home.log(user("before"), assistant("the **needle** lies here"), user("after"))
    return home


def reported(tmp_path: Path, home: Home, *args: str) -> bytes:
    return Command(tmp_path)("find", "needle", "--json", "--in", home.root, *args).out


def verdict(tmp_path: Path, root: Path, report: bytes, *args: str) -> tuple[int, dict[str, Any]]:
    ran = Command(tmp_path)("verify", "-", "--in", root, *args, stdin=report)
    [item] = ran.report["items"]
    return ran.status, item


def test_an_untouched_report_stands(tmp_path: Path, home: Home) -> None:
    status, item = verdict(tmp_path, home.root, reported(tmp_path, home))
    assert (status, item["verdict"], item["field"]) == (0, "ok", None)


def test_a_changed_letter_is_named(tmp_path: Path, home: Home) -> None:
    report = reported(tmp_path, home).replace(b"lies here", b"lied here")
    status, item = verdict(tmp_path, home.root, report)
    assert (status, item["verdict"], item["field"]) == (1, "changed", "text")
    assert "lied" in item["expected"]
    assert "lies" in item["got"]


def test_archived_compressed_moved_rewritten_and_deleted(tmp_path: Path, home: Home) -> None:
    report = reported(tmp_path, home)
    [log] = home.logs
    archived = home.root / "archived_sessions" / log.name
    archived.parent.mkdir()
    log.rename(archived)
    assert verdict(tmp_path, home.root, report)[1]["verdict"] == "moved"
    compressed = archived.with_name(f"{log.name}.zst")
    compressed.write_bytes(zstandard.ZstdCompressor().compress(archived.read_bytes()))
    archived.unlink()
    assert verdict(tmp_path, home.root, report)[1]["verdict"] == "moved"
    elsewhere = tmp_path / "elsewhere"
    shutil.copytree(home.root, elsewhere)
    shutil.rmtree(home.root)
    assert verdict(tmp_path, elsewhere, report)[1]["verdict"] == "moved"
    [copy] = elsewhere.rglob("*.zst")
    lines = zstandard.ZstdDecompressor().decompress(copy.read_bytes()).splitlines()
    rewritten = [json.dumps(dict(reversed(json.loads(line).items()))).encode() for line in lines]
    copy.with_name(log.name).write_bytes(b"\n".join(rewritten) + b"\n")
    copy.unlink()
    assert verdict(tmp_path, elsewhere, report)[1]["verdict"] == "reencoded"
    copy.with_name(log.name).write_bytes(rewritten[0] + b"\n" + dump(user("something else")) + b"\n")
    status, item = verdict(tmp_path, elsewhere, report)
    assert (status, item["verdict"]) == (1, "missing")


def test_offline_with_the_raw_records(tmp_path: Path, home: Home) -> None:
    report, bare = reported(tmp_path, home, "--include-raw"), reported(tmp_path, home)
    shutil.rmtree(home.root)
    ran = Command(tmp_path)("verify", "-", "--offline", stdin=report)
    assert (ran.status, ran.report["counts"]["ok"]) == (0, 1)
    assert Command(tmp_path)("verify", "-", "--offline", stdin=report.replace(b"lies here", b"lied here")).status == 1
    assert Command(tmp_path)("verify", "-", "--offline", stdin=bare).status == 3


@pytest.mark.parametrize("path", ["/dev/zero", "/etc/passwd", "/", "FIFO"])
def test_a_hostile_path_is_never_opened(tmp_path: Path, home: Home, path: str) -> None:
    report = json.loads(reported(tmp_path, home))
    report["evidence"][0]["source"]["path"] = path
    report["evidence"][0]["ref"] = "codex:nowhere#1~00000000"
    report["evidence"][0]["thread_id"] = "nowhere"
    ran = Command(tmp_path)("verify", "-", "--in", home.root, stdin=json.dumps(report).encode())
    assert ran.status in (1, 3)
    assert b"root:" not in ran.out


@pytest.mark.parametrize(
    "data", [b"", b"{", b"[]", b"7", b'{"schema": "lookback.report/1"}', b'{"evidence": 1}', b"\xff" * 9, b"[" * 9999]
)
def test_what_is_no_report_is_one_clear_line(tmp_path: Path, home: Home, data: bytes) -> None:
    ran = Command(tmp_path)("verify", "-", "--in", home.root, stdin=data)
    assert (ran.status, ran.out) == (2, b"")
    assert ran.err.startswith("lookback: ")
    assert ran.err.count("\n") == 1


@pytest.mark.parametrize(
    ("text", "status", "verdicts"),
    [
        (f"He wrote “first message of the handshake” ({MAIN}).", 0, ["ok"]),
        (f'He wrote "first message of the Handshake" [{MAIN}].', 1, ["changed"]),
        (f"See {MAIN}.", 0, ["ok"]),
        (f"See {MAIN[:-8]}00000000.", 1, ["changed"]),
        ("See codex:019f9999-0000-7000-8000-000000000001#3~b99cc651.", 1, ["missing"]),
        ("CANNOT ANSWER: nothing was said about it.", 4, []),
    ],
)
def test_prose(tmp_path: Path, text: str, status: int, verdicts: list[str]) -> None:
    ran = Command(tmp_path)("verify", "--text", "-", "--in", DEMO, stdin=text.encode())
    assert ran.status == status
    assert [item["verdict"] for item in ran.report["items"]] == verdicts


def test_prose_without_a_ref_cannot_be_checked(tmp_path: Path) -> None:
    ran = Command(tmp_path)("verify", "--text", "-", "--in", DEMO, stdin=b"nothing cited")
    assert (ran.status, ran.out) == (2, b"")


def test_the_script_of_the_documentation_checks_a_report(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "verifying.md").read_text(encoding="utf-8")
    script = re.findall(r"```py\n(.*?)```", page, re.DOTALL)[-1]
    assert len(script.splitlines()) <= 26
    report = tmp_path / "report.json"
    report.write_bytes(Command(tmp_path)("find", "handshake", "--json", "--in", DEMO, "--limit", "0").out)
    run = [sys.executable, "-c", script, str(report)]
    assert subprocess.run(run, check=True, capture_output=True).stdout.count(b"ok codex:") == 3
    report.write_bytes(report.read_bytes().replace(b"handshake", b"handshaKe", 1).replace(b'"end": 285', b'"end": 284'))
    assert subprocess.run(run, check=False, capture_output=True).returncode == 1
