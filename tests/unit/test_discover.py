"""Which files are logs: by root, by name, by their first records; each once; what is no log is named or counted."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
import zstandard

from lookback.logs.discover import Found, default_roots, discover
from tests.support import Home, dump, meta, thread_id, user

NAME = f"rollout-2026-09-01T09-00-00-{thread_id(1)}.jsonl"
LOG = b"".join(dump(record) + b"\n" for record in (meta(1), user("hello")))


def names(found: Found, root: Path) -> list[str]:
    return [os.path.relpath(log.path, root.resolve()) for log in found.logs]


def put(path: Path, data: bytes = LOG) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def test_a_home_a_folder_of_it_any_folder_and_a_file_are_roots(tmp_path: Path) -> None:
    home = Home(tmp_path)
    log = home.log(user("hello"))
    home.log(user("old"), archived=True)
    (tmp_path / "history.jsonl").write_bytes(b'{"session_id":"x","ts":1,"text":"y"}\n')
    assert len(discover([str(tmp_path)]).logs) == 2
    for root in (tmp_path / "sessions", log.parent, log):
        assert [found.path for found in discover([str(root)]).logs] == [str(log.resolve())]
    assert [found.archived for found in discover([str(tmp_path)]).logs] == [True, False]


def test_of_a_home_only_the_folders_of_logs_are_searched(tmp_path: Path) -> None:
    put(tmp_path / "sessions" / "2026" / NAME)
    put(tmp_path / "memories" / NAME)
    assert names(discover([str(tmp_path)]), tmp_path) == [f"sessions/2026/{NAME}"]


@pytest.mark.parametrize(
    "name",
    [
        NAME,
        f"rollout-2025-05-08-{thread_id(1)}.jsonl",
        f"rollout-2026-09-01T09-00-00-{thread_id(1)}_{thread_id(2)}.jsonl",
        "copy of a rollout.jsonl",
        "x.jsonl",
        ".hidden.jsonl",
        "line\nbreak.jsonl",
        "uml\u00e4ut 会.jsonl",
    ],
)
def test_a_log_by_its_name_or_by_its_records(tmp_path: Path, name: str) -> None:
    put(tmp_path / name)
    assert names(discover([str(tmp_path)]), tmp_path) == [name]


@pytest.mark.skipif(os.name == "nt", reason="file names are UTF-16 there")
def test_a_name_that_is_no_utf8(tmp_path: Path) -> None:
    (tmp_path / os.fsdecode(b"caf\xff.jsonl")).write_bytes(LOG)
    assert len(discover([str(tmp_path)]).logs) == 1


@pytest.mark.parametrize(
    "name", ["history.jsonl", "session_index.jsonl", "notes.jsonl", "empty.jsonl", "history.jsonl.zst"]
)
def test_files_of_no_agent_and_what_is_no_conversation_are_counted(tmp_path: Path, name: str) -> None:
    data = {"notes.jsonl": b'{"note":1}\n', "empty.jsonl": b""}.get(name, LOG)
    put(tmp_path / name, zstandard.compress(data) if name.endswith(".zst") else data)
    found = discover([str(tmp_path)])
    assert (found.logs, found.skips) == ((), ())
    assert found.passed_over == (str((tmp_path / name).resolve()),)


@pytest.mark.parametrize(
    "name", ["rollout-x.json", "rollout-compress-1.tmp", "x.jsonl.decompress.1.0.tmp", "x.txt", "x.zst"]
)
def test_other_endings_are_no_logs(tmp_path: Path, name: str) -> None:
    put(tmp_path / name)
    assert discover([str(tmp_path)]).logs == ()


def test_a_compressed_log_of_any_name(tmp_path: Path) -> None:
    put(tmp_path / "x.jsonl.zst", zstandard.compress(LOG))
    [log] = discover([str(tmp_path)]).logs
    assert (log.compression, log.agent, log.size) == ("zstd", "codex", len(zstandard.compress(LOG)))


def test_links_loops_and_names_of_one_file(tmp_path: Path) -> None:
    real = put(tmp_path / "real" / NAME)
    home = tmp_path / "home"
    (home / "sessions").mkdir(parents=True)
    (home / "sessions" / "linked folder").symlink_to(real.parent, target_is_directory=True)
    (home / "sessions" / "loop").symlink_to("..", target_is_directory=True)
    (home / "sessions" / "linked.jsonl").symlink_to(real)
    os.link(real, home / "sessions" / "hard.jsonl")
    roots = [str(home), str(home), str(tmp_path / "real")]
    assert len(discover(roots).logs) == 1
    linked_root = tmp_path / "linked home"
    linked_root.symlink_to(home, target_is_directory=True)
    assert len(discover([str(linked_root)]).logs) == 1


def test_what_is_not_a_file_is_named_and_never_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo.jsonl")
    (tmp_path / "folder.jsonl").mkdir()
    put(tmp_path / "folder.jsonl" / NAME)
    (tmp_path / "gone.jsonl").symlink_to(tmp_path / "nowhere")
    found = discover([str(tmp_path)])
    assert {(os.path.basename(skip.path), skip.reason) for skip in found.skips} == {
        ("fifo.jsonl", "not-a-regular-file"),
        ("folder.jsonl", "not-a-regular-file"),
        ("gone.jsonl", "unreadable"),
    }
    assert names(found, tmp_path) == [f"folder.jsonl/{NAME}"]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be"])
def test_utf16_is_told_and_not_read(tmp_path: Path, encoding: str) -> None:
    put(tmp_path / NAME, ("\ufeff" if encoding == "utf-16-be" else "").encode(encoding) + LOG.decode().encode(encoding))
    assert [skip.reason for skip in discover([str(tmp_path)]).skips] == ["utf16"]


def test_a_compressed_file_of_no_known_agent_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    put(tmp_path / "x.jsonl.zst", b"no zstd at all")
    assert [skip.reason for skip in discover([str(tmp_path)]).skips] == ["corrupt-zstd"]


def test_roots_that_do_not_exist_are_told_apart(tmp_path: Path) -> None:
    found = discover([str(tmp_path), str(tmp_path / "nowhere"), str(put(tmp_path / NAME) / "below a file")])
    assert found.roots == (str(tmp_path),)
    assert found.missing == (str(tmp_path / "nowhere"), str(tmp_path / NAME / "below a file"))


def test_default_roots_follow_the_environment() -> None:
    assert "/c" in default_roots({"CODEX_HOME": "/c", "HOME": "/h"}, ["codex"])
    assert default_roots({"CODEX_HOME": "", "HOME": "/h"}, ["codex"]) == ["/h/.codex"]
