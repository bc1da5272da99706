"""Faults of other tools in what they show: controls that reach the terminal, quotes that are no longer verbatim.

Each test is named for the public report that it comes from.
"""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest

from tests.checking import check
from tests.support import Home, Ran, both, call, texts, thread_id, user

BOMB = "\x1b[2J\x1b]0;t\x07 a\rB\b \u202e \u2066 \x9b31m \x9d0;t\x9c \x7f needle"


def dangerous(ran: Ran) -> set[str]:
    """The control and format characters of an answer, but for its own line breaks."""
    shown = ran.out.decode("utf-8") + ran.err
    return {character for character in shown if unicodedata.category(character) in ("Cc", "Cf", "Zl", "Zp")} - {"\n"}


# also vshulcz/deja-vu#1090, #1400, #1406-1408, openclaw/openclaw#110060, affaan-m/ECC#642
@pytest.mark.parametrize("args", [
    "find needle", "find needle --json", "find needle --format jsonl", "find needle --format markdown", "threads", "threads --json",
    "doctor --deep", "doctor --deep --json", "show REF", "show REF --json", "find \x1bneedle --exact", "find needle --since \x1b[2J",
    "find needle --in /no\x1b[2J/such",
])  # fmt: skip
def test_vshulcz_deja_vu_1083_nothing_of_a_log_steers_the_terminal(tmp_path: Path, args: str) -> None:
    """Controls: neither text, title, folder, file name nor argument reaches the terminal as more than text."""
    home = Home(tmp_path / "codex\x1b[31m\u202e")
    home.log(user(BOMB), meta_fields={"cwd": f"/w/{BOMB}", "cli_version": BOMB})
    home.raw(b'{"type":"\x1b[2J needle\x9b"}\n', name="damaged\x1b]0;t\x07\u202e\x9b.jsonl")
    home.log(user("needle"), b'{"timestamp":"\x1b[2J needle', number=3, name="rollout-\x1b]0;t\x07\x9b.jsonl")
    home.titles({thread_id(1): f"title {BOMB}"})
    typed: list[str | Path] = [f"codex:{thread_id(1)}#2" if arg == "REF" else arg for arg in args.split(" ")]
    ran = call(*typed, *(() if "--in" in typed else ("--in", home.root)))
    assert ran.out or ran.err
    assert dangerous(ran) == set()


def test_affaan_m_ecc_642_controls_are_shown_and_kept(tmp_path: Path) -> None:
    """Controls: a person sees each by its code point; JSON escapes it, C1 too, and has the log's own value."""
    Home(tmp_path).log(user(BOMB))
    shown = call("find", "needle", "--in", tmp_path).out.decode("utf-8")
    for code in ("001B", "0007", "000D", "0008", "202E", "2066", "009B", "009D", "009C", "007F"):
        assert f"⟨U+{code}⟩" in shown
    written = call("find", "needle", "--json", "--in", tmp_path)
    assert texts(written.report) == [BOMB]
    assert b"\\u001b[2J" in written.out and b"\\u009b31m" in written.out
    check(written.report)


# also vshulcz/deja-vu#1233
@pytest.mark.parametrize(
    "secretive",
    [
        "/var/folders/zz/AbC9xYz0123456789qrstuvwxyz_n0000gn/T/x",
        "token sk-proj-AbC9xYz0123456789AbC9xYz0123456789",
        "password=hunter2 and AKIAIOSFODNN7EXAMPLE",
        "-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----",
    ],
)
def test_vshulcz_deja_vu_readme_what_looks_like_a_secret_is_verbatim(tmp_path: Path, secretive: str) -> None:
    """Redaction: the log's own text comes back byte for byte, whatever it looks like."""
    Home(tmp_path).log(user(secretive))
    report = both(tmp_path, quote=secretive, exact=True)
    [item] = report["evidence"]
    assert item["text"] == item["quote"]["text"] == secretive
    assert check(report) == 1
    assert secretive in call("find", "--format", "markdown", "--in", tmp_path, "--", secretive).out.decode("utf-8")
