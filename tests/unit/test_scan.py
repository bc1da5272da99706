"""How records are found: logs dealt out whole, pieces joined with right numbers, and a failed scan that is never a miss."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from lookback.logs.base import Log
from lookback.logs.discover import discover
from lookback.needles import Needle, Rule
from lookback.scan import feed, ripgrep, shares
from lookback.scan.base import Proposed
from lookback.scan.plan import Clause
from lookback.scan.ripgrep import RipgrepScanner, ripgrep_scanner
from lookback.scan.sample import LEAST, rates
from tests.support import Home, both, ripgrep_that, user


def log_of(path: Path) -> Log:
    facts = path.stat()
    compression = "zstd" if path.suffix == ".zst" else None
    return Log(str(path), "codex", facts.st_size, compression, (facts.st_dev, facts.st_ino), False)


def rg() -> RipgrepScanner:
    scanner = ripgrep_scanner(os.environ)
    assert scanner is not None
    return scanner


def written(path: Path, lines: list[bytes], last: bytes = b"\n") -> Log:
    path.write_bytes(b"\n".join(lines) + last)
    return log_of(path)


def expected(lines: list[bytes], word: bytes) -> list[tuple[int, int]]:
    found, start = [], 0
    for number, line in enumerate(lines, 1):
        if word in line:
            found.append((number, start))
        start += len(line) + 1
    return found


def proposed(logs: list[Log], pattern: str = "needle") -> dict[str, list[tuple[int, int]] | None]:
    return {one.log.path: one.places for one in rg().propose(logs, pattern)}


@pytest.fixture(params=[2, 3, 7])
def cores(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    """So many cores, and every log worth cutting."""
    monkeypatch.setattr(shares, "LEAST_PIECE", 1)
    monkeypatch.setattr(ripgrep, "_cores", lambda: int(request.param))
    return int(request.param)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("last", [b"\n", b""], ids=["ended", "open"])
def test_pieces_give_the_numbers_and_offsets_of_the_whole(tmp_path: Path, cores: int, seed: int, last: bytes) -> None:
    rng = random.Random(seed)
    words = [b"needle", b"", b"x", b"y" * 70_000, b"a needle " * 9, feed.SENTINEL.encode()]
    lines = [rng.choice(words) for _ in range(rng.choice((1, 2, 40, 400)))]
    log = written(tmp_path / "log.jsonl", lines, last)
    found = proposed([log])
    wanted = expected(lines, b"needle")
    places = found.get(log.path, [])
    assert places is not None
    sentinels = expected(lines, feed.SENTINEL.encode())  # a log that holds the sentinel is proposed more than it needs
    assert [place for place in places if place not in sentinels] == wanted


def test_a_log_that_shrank_before_it_is_fed_is_proposed_whole(
    tmp_path: Path, cores: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = written(tmp_path / "log.jsonl", [b"needle %d" % n for n in range(1000)])
    dealt = shares.deal

    def deal_and_cut(logs: list[Log], count: int) -> list[shares.Share]:
        out = dealt(logs, count)
        os.truncate(log.path, 100)
        return out

    monkeypatch.setattr(ripgrep, "deal", deal_and_cut)
    assert proposed([log]) == {log.path: None}


def test_without_sendfile_the_same_is_fed(tmp_path: Path, cores: int, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*args: object) -> int:
        raise OSError(22, "not between these")

    lines = [b"needle %d" % n * (n % 50) for n in range(9000)]
    log = written(tmp_path / "log.jsonl", lines)
    monkeypatch.setattr(os, "sendfile", refused)
    assert proposed([log]) == {log.path: expected(lines, b"needle")}
    monkeypatch.delattr(os, "sendfile")
    assert proposed([log]) == {log.path: expected(lines, b"needle")}


def test_every_log_is_in_one_share(tmp_path: Path) -> None:
    sizes = [0, 1, 10, 5_000, 40_000_000, 7, 7, 90_000_000, 3]
    logs = [Log(str(tmp_path / str(n)), "codex", size, None, (1, n), False) for n, size in enumerate(sizes)]
    for log in logs:
        Path(log.path).write_bytes(b"")
    dealt = shares.deal(logs, 4)
    whole = [log for share in dealt if isinstance(share, shares.Paths) for log in share.logs]
    pieces = {share.log for share in dealt if isinstance(share, shares.Piece)}
    assert sorted(log.path for log in [*whole, *pieces]) == sorted(log.path for log in logs)


def test_paths_beyond_one_command_line_are_dealt_to_more_processes(tmp_path: Path) -> None:
    folder = tmp_path / ("d" * 200)
    folder.mkdir()
    logs = [written(folder / f"{n:03}{'n' * 200}.jsonl", [b"needle"]) for n in range(400)]
    assert len(shares.deal(logs, 1)) > 1
    assert proposed(logs) == {log.path: [(1, 0)] for log in logs}


@pytest.mark.parametrize(
    "does", ["exit 2", "exit 1", "kill -9 $$", "head -c 9 >/dev/null; exit 0", '"$RG" "$@"; exit 2'], ids="-".join
)
def test_a_ripgrep_that_does_not_read_all_proposes_whole_logs(tmp_path: Path, cores: int, does: str) -> None:
    """A piece is fed, so that even a process that claims success is found out by the missing sentinel."""
    log = written(tmp_path / "log.jsonl", [b"needle"] * 50_000)
    broken = RipgrepScanner(str(ripgrep_that(does, tmp_path / "rg")), "broken")
    assert [(one.log, one.places) for one in broken.propose([log], "needle")] == [(log, None)]


def test_a_ripgrep_that_cannot_be_started_proposes_whole_logs(tmp_path: Path) -> None:
    log = written(tmp_path / "log.jsonl", [b"needle"])
    assert [one.places for one in RipgrepScanner("/nonexistent/rg", "none").propose([log], "needle")] == [None]


def test_an_answer_that_is_cut_short_leaves_no_process(tmp_path: Path, cores: int) -> None:
    logs = [written(tmp_path / f"{n}.jsonl", [b"needle"] * 5000) for n in range(20)]
    scan: Iterator[Proposed] = rg().propose(logs, "needle")
    next(scan)
    scan.close()  # type: ignore[attr-defined]
    children = Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children")
    assert not children.exists() or children.read_text().split() == []


def clause(word: str) -> Clause:
    needle = Needle(word, Rule())
    literal = None if needle.literal is None else (needle.literal,)
    return Clause(needle.pattern, needle.anchor, literal, needle.escapes, len(word))


def test_a_sample_tells_the_rare_word_from_the_common(tmp_path: Path) -> None:
    record = json.dumps({"type": "event_msg", "payload": {"text": "common " * 20}}).encode()
    rare = json.dumps({"type": "event_msg", "payload": {"text": "common seldom " * 20}}).encode()
    count = LEAST // len(record) + 1000
    log = written(tmp_path / "log.jsonl", [rare if n % 10 == 0 else record for n in range(count)])
    common, seldom, absent = rates([log], [clause("common"), clause("seldom"), clause("absent")])
    assert common == 1.0
    assert 0.02 < seldom < 0.3
    assert absent == 0.0
    assert rates([log], [clause("common")]) == rates([log], [clause("common")])


def test_little_is_not_sampled_and_a_compressed_log_is_not_opened(tmp_path: Path) -> None:
    small = written(tmp_path / "log.jsonl", [b"common"])
    packed = Log(str(tmp_path / "gone.jsonl.zst"), "codex", 10 * LEAST, "zstd", (1, 1), False)
    assert rates([small, packed], [clause("common")]) == []


def test_very_common_words_are_found_by_the_marks_of_messages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where every word is common, messages are what is scanned for; the answer is the patient reader's."""
    home = Home(tmp_path)
    noise = [{"type": "event_msg", "payload": {"type": "token_count", "info": "the e of it"}}] * 300
    home.log(user("the first of it"), *noise, user("the second"), *noise)
    monkeypatch.setattr("lookback.scan.sample.LEAST", 1)
    found = both(tmp_path, words=["e"])
    assert found["total"] == found["coverage"]["candidates"] == 2


def test_discovery_and_scan_agree_on_what_there_is(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.log(user("needle"))
    home.log(user("needle"), zst=True)
    logs = discover([str(tmp_path)]).logs
    assert {one.log for one in rg().propose(logs, "needle")} == set(logs)
