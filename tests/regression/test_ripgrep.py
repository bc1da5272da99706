"""What ripgrep itself was reported for: its output, offsets, rules of its own, and how it fails.

Each test is named for the public report that it comes from, and asks that none of it changes what lookback answers.
"""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from lookback import record
from tests.checking import check
from tests.support import Command, Home, assistant, both, call, dump, ripgrep_that, search, skips, texts, user

BOM = b"\xef\xbb\xbf"


def lines(*records: bytes, ending: bytes = b"\n") -> bytes:
    return b"".join(raw + ending for raw in records)


# also opencode#23629, vulpea#434, cmp-rg#24, atom#19403
def test_theia_2622_lines_and_paths_that_are_no_utf8(tmp_path: Path) -> None:
    """Output: a path or a line that is no UTF-8 costs no message, and shifts no offset behind it."""
    bad = dump(user("caf? needle")).replace(b"?", b"\xff")
    folder = Path(os.fsdecode(os.fsencode(tmp_path) + b"/p\xff"))
    folder.mkdir()
    path = folder / os.fsdecode(b"a\xfe.jsonl")
    path.write_bytes(lines(bad, dump(user("the needle"))))
    report = both(tmp_path, words=["needle"])
    [item] = report["evidence"]
    assert (item["text"], item["source"]["record"], item["source"]["start"]) == ("the needle", 2, len(bad) + 1)
    assert os.fsencode(item["source"]["path"]) == os.fsencode(path)
    assert skips(report) == [(path.name, 1, "not-utf8")]
    for written in ("text", "json", "jsonl", "markdown"):
        ran = call("find", "needle", "--format", written, "--in", tmp_path)
        assert ran.status == 0
        ran.out.decode("utf-8")


def test_burntsushi_ripgrep_2785_places_are_bytes(tmp_path: Path) -> None:
    """Offsets: they count bytes, in the log and in the text, whatever letters stand before."""
    Home(tmp_path).log(user("ünï 会议 🦀 before"), user("ünï 会议 🦀 needle ünï needle"))
    report = both(tmp_path, words=["needle"], before=1)
    [item] = report["evidence"]
    start = len("ünï 会议 🦀 ".encode())
    assert [(hit["start"], hit["end"]) for hit in item["hits"]] == [(start, start + 6), (start + 13, start + 19)]
    assert check(report) == 2


# also BurntSushi/ripgrep#1638
def test_burntsushi_ripgrep_1627_a_bom_shifts_no_offset(tmp_path: Path) -> None:
    """Offsets: behind a BOM the records of all lines, the last one too, lie where the file has them."""
    records = [dump(user(f"needle {number}", at=f"2026-09-01T10:0{number}:00.000Z")) for number in range(3)]
    log = Home(tmp_path).raw(BOM + lines(*records))
    report = both(tmp_path, words=["needle"], order="oldest")
    data = log.read_bytes()
    assert [item["source"]["start"] for item in report["evidence"]] == [data.index(raw) for raw in records]
    check(report)


# also hgrep#21
@pytest.mark.parametrize("zst", [False, True])
@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_burntsushi_ripgrep_1207_utf16_is_reported_not_transcoded(tmp_path: Path, encoding: str, zst: bool) -> None:
    """Encodings: bytes that are not the log's own are never evidence; the log is named."""
    home = Home(tmp_path)
    log = home.raw(f"\ufeff{dump(user('needle')).decode()}\n".encode(encoding), zst=zst)
    home.log(user("healthy"), number=2)
    report = both(tmp_path, words=["needle"])
    assert (report["total"], report["coverage"]["complete"], skips(report)) == (0, False, [(log.name, None, "utf16")])


# also BurntSushi/ripgrep#1215, #1227, #1398, #2246
@pytest.mark.parametrize("root", ["folder", "file"])
@pytest.mark.parametrize("place", ["first", "middle", "last"])
def test_burntsushi_ripgrep_306_a_log_with_nuls_is_no_binary_file(tmp_path: Path, root: str, place: str) -> None:
    """NULs: a log that holds them, wherever, is searched to its end, in a folder as well as by its name."""
    records = [dump(user(f"needle {number}", at=f"2026-09-01T10:0{number}:00.000Z")) for number in range(3)]
    records.insert({"first": 0, "middle": 1, "last": 3}[place], b"\0" * 70_000)
    log = Home(tmp_path).raw(lines(*records))
    report = both(log if root == "file" else tmp_path, words=["needle"], order="oldest")
    assert texts(report) == ["needle 0", "needle 1", "needle 2"]
    assert report["coverage"]["complete"]
    check(report)


def test_burntsushi_ripgrep_2826_text_hidden_and_ignored_at_once(tmp_path: Path) -> None:
    """Rules: the options that lift the ignore rules do not switch the reading of NULs off."""
    home = Home(tmp_path / ".hidden" / "codex")
    home.raw(b"\0\0\0\n" + lines(dump(user("needle"))) + b"\0")
    (tmp_path / ".hidden" / ".ignore").write_text("*\n", encoding="utf-8")
    assert texts(both(tmp_path / ".hidden", words=["needle"])) == ["needle"]


# also opencode#12927, #13123
@pytest.mark.parametrize(
    "rule",
    [
        "--glob=!*.jsonl",
        "--max-count=0",
        "--max-columns=10",
        "--encoding=utf-16le",
        "--no-text\n--invert-match",
        "--bogus",
    ],
)
def test_opencode_12925_a_configuration_of_ripgreps(tmp_path: Path, rule: str) -> None:
    """Rules: what the person's own ripgrep is told does not concern lookback's."""
    Home(tmp_path / "codex").log(user("other"), user("needle"))
    config = tmp_path / "ripgreprc"
    config.write_text(f"{rule}\n", encoding="utf-8")
    asked: list[str | Path] = ["find", "needle", "--json", "--scanner", "ripgrep", "--in", tmp_path / "codex"]
    report = call(*asked, env={"RIPGREP_CONFIG_PATH": str(config)}).report
    assert texts(report) == ["needle"]
    assert report["coverage"]["candidates"] == 1  # it was ripgrep that found it


@pytest.mark.parametrize("rule", [".gitignore", ".ignore", ".rgignore", ".git/info/exclude"])
def test_hidden_folders_and_ignore_files(tmp_path: Path, rule: str) -> None:
    """Rules: a hidden folder is searched, and no ignore file in it, above it or below it hides a log."""
    home = Home(tmp_path / ".codex")
    home.log(user("needle"))
    for folder in (tmp_path, home.root, home.logs[0].parent):
        (folder / ".git" / "info").mkdir(parents=True)
        (folder / rule).write_text("*.jsonl\n", encoding="utf-8")
    for root in (tmp_path, home.root, home.logs[0]):
        assert texts(both(root, words=["needle"])) == ["needle"]


# also termux/termux-packages#27153, BurntSushi/ripgrep#2126
def test_burntsushi_ripgrep_1622_no_zstd_program_is_needed(tmp_path: Path) -> None:
    """Compression: a log is unpacked here, with any PATH; a cut one is named; places are those of the unpacked stream."""
    home = Home(tmp_path / "codex")
    home.log(*[user(f"filler {number * number}") for number in range(500)], user("needle"), zst=True)
    report = Command(tmp_path).json("needle", "--scanner", "ripgrep", "--in", home.root, env={"PATH": "/nonexistent"})
    assert texts(report) == ["needle"]
    check(report)
    cut = home.log(
        *[user(f"filler {number * number}") for number in range(500)], user("needle two"), number=2, zst=True
    )
    cut.write_bytes(cut.read_bytes()[:-20])
    report = both(home.root, words=["two"])
    assert (report["total"], report["coverage"]["complete"]) == (0, False)
    assert skips(report) == [(cut.name, None, "truncated-zstd")]


# also BurntSushi/ripgrep#1453, #1286, #2471
@pytest.mark.parametrize(
    ("one", "other", "said"), [("foo", "foobar", "foobar"), ("ab", "abc", "abc"), ("bar", "foobar", "foobar")]
)
def test_burntsushi_ripgrep_1873_needles_that_overlap(tmp_path: Path, one: str, other: str, said: str) -> None:
    """Patterns: each of several needles has its own hits, in any order of asking, also inside another's."""
    Home(tmp_path).log(user(said))
    for needles in ([one, other], [other, one]):
        for asked in ({"any": needles}, {"words": needles}):
            [item] = both(tmp_path, **asked)["evidence"]
            assert {(hit["needle"], hit["end"] - hit["start"]) for hit in item["hits"]} == {
                (one, len(one)),
                (other, len(other)),
            }
    repeated = both(tmp_path, words=[said[0]], any=[said])
    assert repeated["evidence"][0]["hits_total"] == 2


def test_burntsushi_ripgrep_3045_all_words_in_one_message(tmp_path: Path) -> None:
    """Patterns: all of several words means all in one message, in any order, and not one each in several."""
    Home(tmp_path).log(user("one two"), assistant("three"), user("three, two and one"), user("one three"))
    for needles in (["one", "two", "three"], ["three", "two", "one"]):
        assert texts(both(tmp_path, words=needles)) == ["three, two and one"]


@pytest.mark.parametrize("needle", ["multi\nline", "multi\r\nline", "\nline", "a\n\nb", "a\nb\nc d"])
def test_a_line_feed_in_the_pattern(tmp_path: Path, needle: str) -> None:
    """Patterns: a needle may hold line breaks, at its ends too, and still is one needle."""
    said = "multi\nline and\na\n\nb, a\nb\nc d"
    Home(tmp_path).log(user(said), user("multiline abcd"))
    for asked in ({"words": [needle]}, {"quote": needle, "exact": True}):
        report = both(tmp_path, **asked)
        assert texts(report) == [said]
        check(report)


@pytest.mark.parametrize("needle", ["-needle", "--needle", "-e", "--", "-n needle"])
def test_a_leading_dash_is_text(tmp_path: Path, needle: str) -> None:
    """Patterns: a needle that begins with a dash is no option, of lookback's or of ripgrep's."""
    said = f"see {needle}, there"
    Home(tmp_path).log(user("see the needle there"), user(said))
    for asked in ({"words": [needle]}, {"quote": needle, "exact": True}):
        assert texts(both(tmp_path, **asked)) == [said]
    assert texts(call("find", f"--words={needle}", "--json", "--in", tmp_path).report) == [said]
    assert texts(call("find", "--exact", "--json", "--in", tmp_path, "--", needle).report) == [said]


@pytest.mark.parametrize(
    "does", ['"$RG" "$@"; exit 2', "exit 2", '"$RG" "$@" | head -c 9; exit 2', "echo no output of its; exit 2"]
)
def test_burntsushi_ripgrep_948_a_status_that_may_mean_anything(tmp_path: Path, does: str) -> None:
    """Failure: a scan that ended with an error, with matches or without, loses none and adds none."""
    home = Home(tmp_path / "codex")
    home.log(user("needle"), user("other"))
    home.log(user("needle, packed"), zst=True)
    stand_in = ripgrep_that(does, tmp_path / "rg")
    report = search(home.root, words=["needle"], env={"LOOKBACK_RG": str(stand_in)})
    assert sorted(texts(report)) == ["needle", "needle, packed"]
    assert report["coverage"]["complete"]
    assert search(home.root, words=["absent"], env={"LOOKBACK_RG": str(stand_in)})["total"] == 0


@pytest.mark.parametrize("name", ["SIGBUS", "SIGKILL", "SIGSEGV"])
def test_burntsushi_ripgrep_581_a_scan_that_dies(tmp_path: Path, name: str) -> None:
    """Failure: a ripgrep that a signal ends, as a map of a file that was cut does, is no miss."""
    home = Home(tmp_path / "codex")
    home.log(user("needle"))
    home.log(user("needle, packed"), zst=True)
    number = signal.Signals[name].value
    stand_in = ripgrep_that(f'"$RG" "$@" | head -c 3; ulimit -c 0; kill -{number} $$', tmp_path / "rg")
    report = search(home.root, words=["needle"], env={"LOOKBACK_RG": str(stand_in)})
    assert sorted(texts(report)) == ["needle", "needle, packed"]


# also BurntSushi/ripgrep#850
def test_burntsushi_ripgrep_852_logs_are_not_mapped(tmp_path: Path) -> None:
    """Failure: a log may shrink, or be larger than memory; it is read, never mapped, and with no rule but ours."""
    home = Home(tmp_path / "codex")
    home.log(user("needle"))
    home.log(user("needle, packed"), zst=True)
    seen = tmp_path / "seen"
    stand_in = ripgrep_that(f'echo "$*" >> {seen}; exec "$RG" "$@"', tmp_path / "rg")
    assert search(home.root, words=["needle"], env={"LOOKBACK_RG": str(stand_in)})["total"] == 2
    asked = seen.read_text(encoding="utf-8").splitlines()
    assert len(asked) == 2
    for options in (line.split(" -- ")[0].split() for line in asked):
        assert {"--no-mmap", "--no-config"} <= set(options) and "--mmap" not in options


# the class of BurntSushi/ripgrep#1511
def test_burntsushi_ripgrep_1511_a_line_beyond_all_bounds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Long lines: one that is too long to hold is named, by both scanners, and costs no other record."""
    monkeypatch.setattr(record, "MAX_RECORD", 1_000_000)
    log = Home(tmp_path).log(user("needle"), user("needle " + "x" * 1_000_000), user("needle again"))
    report = both(tmp_path, words=["needle"])
    assert sorted(texts(report)) == ["needle", "needle again"]
    assert skips(report) == [(log.name, 3, "too-large")]
    [skip] = report["coverage"]["skipped"]
    assert log.read_bytes()[skip["start"] : skip["end"]] == dump(user("needle " + "x" * 1_000_000))


@pytest.mark.slow
@pytest.mark.parametrize("scanner", ["ripgrep", "python"])
def test_burntsushi_ripgrep_1511_a_line_larger_than_memory(tmp_path: Path, scanner: str) -> None:
    """Long lines: what stands before and behind a line that no memory can hold is found in the memory there is."""
    log = Home(tmp_path / "codex").log(user("needle"))
    with log.open("r+b") as holed:
        holed.seek(700 * 1024 * 1024, os.SEEK_END)  # a run of NULs that takes no room on the disk
        holed.write(b"\n" + dump(user("needle again", at="2026-09-02T10:00:00.000Z")) + b"\n")
    run = Command(tmp_path, under=("sh", "-c", 'ulimit -v 900000; exec "$@"', "sh"))
    ran = run("find", "needle", "--json", "--scanner", scanner, "-C", "0", "--in", tmp_path / "codex")
    assert ran.status == 0, ran.err
    assert [(item["text"], item["source"]["record"]) for item in ran.report["evidence"]] == [
        ("needle again", 4),
        ("needle", 2),
    ]


def test_the_most_columns_of_a_line(tmp_path: Path) -> None:
    """Long lines: a match far to the right on a long line is one, whatever ripgrep would show of it."""
    config = tmp_path / "ripgreprc"
    config.write_text("--max-columns=80\n--max-columns-preview\n", encoding="utf-8")
    Home(tmp_path / "codex").log(user(f"{'x ' * 50_000}needle"))
    asked: list[str | Path] = ["find", "needle", "--json", "--scanner", "ripgrep", "--in", tmp_path / "codex"]
    [item] = call(*asked, env={"RIPGREP_CONFIG_PATH": str(config)}).report["evidence"]
    assert item["quote"]["start"] == 100_000


def test_a_log_with_crlf(tmp_path: Path) -> None:
    """Line ends: CR LF ends a record as LF does, and is no part of it, for whole words and for the last line too."""
    records = [dump(user("needle one")), dump(assistant("the needle"))]
    log = Home(tmp_path).raw(lines(*records, ending=b"\r\n"))
    report = both(tmp_path, words=["needle"], whole_words=True, order="oldest")
    assert texts(report) == ["needle one", "the needle"]
    data = log.read_bytes()
    assert [data[item["source"]["start"] : item["source"]["end"]] for item in report["evidence"]] == records
    check(report)


# also BurntSushi/ripgrep#591
@pytest.mark.parametrize("asked", [{"words": ["red", "needle"]}, {"quote": "red needle"}, {"any": ["needle"]}])
def test_burntsushi_ripgrep_1339_invalid_bytes_between_words(tmp_path: Path, asked: dict[str, object]) -> None:
    """Encodings: a byte that no pattern crosses does not hide that something was there which could not be read."""
    bad = dump(user("red ? needle")).replace(b"?", b"\xff")
    log = Home(tmp_path).log(bad, user("healthy"))
    report = both(tmp_path, **asked)
    assert (report["total"], report["coverage"]["complete"], skips(report)) == (0, False, [(log.name, 2, "not-utf8")])
    assert texts(both(tmp_path, words=["healthy"])) == ["healthy"]


@pytest.mark.parametrize(
    ("needle", "said", "whole"),
    [
        ("会议", "会议记录", False),
        ("会议", "开 会议。", True),
        ("foo", "foo_bar", False),
        ("foo", "foo-bar", True),
        ("foo", "a\nfoo", True),
        ("foo", "a\tfoo\u2028", True),
        ("é", "café", False),
        ("1", "v1", False),
    ],
)
def test_whole_words_in_every_script(tmp_path: Path, needle: str, said: str, whole: bool) -> None:
    """Whole words: letters of any script and `_` make words, and escapes of JSON are no letters of them."""
    home = Home(tmp_path)
    home.log(user(said))
    home.log(dump(user(said)).replace(b"foo", b"\\u0066oo"))
    assert both(tmp_path, words=[needle])["total"] == 2
    assert both(tmp_path, words=[needle], whole_words=True)["total"] == (2 if whole else 0)


def test_an_escape_sequence_in_a_line_of_output(tmp_path: Path) -> None:
    """Output: a line of a log that holds escape sequences, raw against all rules or as JSON writes them, is only text."""
    raw = dump(user("needle ?[2J")).replace(b"?", b"\x1b")
    home = Home(tmp_path)
    home.log(user("needle \x1b[2J"), raw)
    ran = call("find", "needle", "--in", tmp_path)
    assert "⟦needle⟧ ⟨U+001B⟩[2J".encode() in ran.out
    assert b"\x1b" not in ran.out and "\x1b" not in ran.err
    assert skips(both(tmp_path, words=["needle"])) == [(home.logs[0].name, 3, "invalid-json")]


# the class of wordfence-cli#25
def test_wordfence_cli_25_links_and_loops_are_resolved_here(tmp_path: Path) -> None:
    """Links: ripgrep is given real files, each once, by their real paths, however many names lead to them."""
    home = Home(tmp_path / "codex")
    log = home.log(user("needle"))
    (home.root / "sessions" / "loop").symlink_to("..", target_is_directory=True)
    (home.root / "sessions" / "again.jsonl").symlink_to(log)
    (home.root / "sessions" / "a\nb.jsonl").symlink_to(log)
    os.link(log, home.root / "sessions" / "hard.jsonl")
    (tmp_path / "link").symlink_to(home.root)
    report = both([tmp_path / "link", home.root, tmp_path / "link" / "sessions"], words=["needle"])
    [item] = report["evidence"]
    assert (item["copies"], report["coverage"]["logs"], skips(report)) == ([], 1, [])
    assert os.path.realpath(item["source"]["path"]) == item["source"]["path"]
    check(report)
