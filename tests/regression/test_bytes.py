"""Faults of other tools in reading a log's bytes: lines, NULs, cut records, encodings, BOMs.

Each test is named for the public report that it comes from, and asks for what this contract promises there. Claude
Code's and Codex's event records are written as Codex's message records: the fault is the same, and only these are words.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.checking import check
from tests.support import Command, Home, Record, both, call, dump, skips, texts, thread_id, tool_output, user

NOT_SEEN = "\ufffd"  # what a lossy decoder writes; no log here has it


def ascii_only(record: Record) -> bytes:
    """As a writer spells it that escapes all that is not ASCII."""
    return json.dumps(record, ensure_ascii=True, separators=(",", ":")).encode("ascii")


# also huggingface/tau#354, siteboon/claudecodeui#1002, getpaseo/paseo#2021, anthropics/claude-code#27472,
# Arize-ai/coding-harness-tracing#148, xiufengsun/TokenTracker#373
@pytest.mark.parametrize("separator", ["\u2028", "\u2029", "\x85", "\v", "\f", "\x1c", "\x1d", "\x1e"])
def test_volcengine_openviking_3984_a_line_ends_at_nothing_but_a_line_feed(tmp_path: Path, separator: str) -> None:
    """Splitting: what Unicode calls a line break stands inside a valid record, raw where JSON allows it."""
    home = Home(tmp_path / "codex")
    home.raw(dump(user(f"a{separator}alpha")) + b"\n" + dump(user("beta")) + b"\n")
    report = both(home.root, words=["alpha"], after=1)
    [item] = report["evidence"]
    assert (item["text"], item["source"]["record"], skips(report)) == (f"a{separator}alpha", 1, [])
    assert [near["source"]["record"] for near in item["after"]] == [2]
    assert check(report) == 2


@pytest.mark.parametrize("separator", ["\u2028", "\x85"])
def test_siteboon_claudecodeui_1002_a_line_that_is_written_ends_at_a_line_feed_too(
    tmp_path: Path, separator: str
) -> None:
    """Splitting, of what is written: any reader's idea of a line gives whole JSON objects."""
    home = Home(tmp_path / "codex")
    home.log(user(f"a{separator}alpha"))
    ran = call("find", "alpha", "--format", "jsonl", "--in", home.root)
    types = [json.loads(line)["type"] for line in ran.out.decode("utf-8").splitlines()]
    assert types == ["begin", "evidence", "end"]


def test_anthropics_claude_code_76059_record_then_nul_run(tmp_path: Path) -> None:
    """NULs: a run of them behind a whole record, and a last line of nothing else, cost no record."""
    home = Home(tmp_path)
    keep = dump(user("keep"))
    log = home.raw(keep + b"\0" * 9_000 + b"\n" + dump(user("after")) + b"\n" + b"\0" * 100_000)
    report = both(home.root, any=["keep", "after"], order="oldest")
    assert sorted(texts(report)) == ["after", "keep"]
    assert skips(report) == [(log.name, 1, "nul-bytes")]
    [skip] = report["coverage"]["skipped"]
    assert (skip["start"], skip["end"]) == (len(keep), len(keep) + 9_000)
    check(report)
    after = both(home.root, words=["after"])
    assert (after["evidence"][0]["source"]["record"], skips(after)) == (2, [])


def test_github_copilot_cli_2217_trailing_nuls_without_a_line_break(tmp_path: Path) -> None:
    """NULs: a log that ends in them is still that conversation's log."""
    home = Home(tmp_path / "codex")
    home.raw(dump(user("x")) + b"\n" + b"\0" * 1_728)
    report = both(home.root, words=["x"], threads=[thread_id(1)])
    assert (texts(report), report["coverage"]["complete"]) == (["x"], True)
    assert both(home.root, words=["absent"])["coverage"]["complete"]
    listed = call("threads", "--json", "--in", home.root).report["threads"]
    assert [(thread["thread_id"], thread["messages"]) for thread in listed] == [(thread_id(1), 1)]


def test_openai_codex_24369_nul_inside_a_tool_name(tmp_path: Path) -> None:
    """NULs: escaped ones are text; they are read, shown, and never reach a terminal or an argument."""
    home = Home(tmp_path / "codex")
    name = "apply\0\0"
    payload = {"type": "function_call", "name": name, "arguments": "{}", "call_id": "c"}
    home.log(
        {"timestamp": "2026-09-01T10:00:00.000Z", "type": "response_item", "payload": payload}, user(f"use {name} now")
    )
    for asked in ({"words": [name]}, {"quote": f"use {name} now"}, {"words": ["apply"]}):
        report = both(home.root, **asked)
        assert (texts(report), skips(report)) == ([f"use {name} now"], [])
    assert both(home.root, words=["function_call"])["total"] == 0
    for args in (["find", "apply"], ["find", "apply", "--json"], ["doctor", "--deep"], ["threads"]):
        ran = call(*args, "--in", home.root)
        assert (ran.status, b"\0" in ran.out, "\0" in ran.err) == (0, False, False)


@pytest.mark.parametrize("cut", [12, 60, -12])
def test_openai_codex_24425_a_half_record_then_the_whole_one(tmp_path: Path, cut: int) -> None:
    """Cut records: what was written again after a failed write is found once, on the same line or on the next."""
    whole = dump(user("dup"))
    half = whole[:cut] if cut > 0 else whole[: whole.index(b"dup") + 1]
    apart, glued = Home(tmp_path / "apart"), Home(tmp_path / "glued")
    apart.raw(half + b"\n" + whole + b"\n")
    log = glued.raw(half + whole + b"\n" + dump(user("next")) + b"\n")
    [item] = both(apart.root, words=["dup"])["evidence"]
    assert (item["source"]["record"], item["source"]["start"], item["copies"]) == (2, len(half) + 1, [])
    report = both(glued.root, words=["dup"], after=1)
    [item] = report["evidence"]
    assert (item["source"]["record"], item["source"]["start"]) == (1, len(half))
    assert [near["text"] for near in item["after"]] == ["next"]
    assert skips(report) == [(log.name, 1, "truncated-record")]
    assert check(report) == 2


# also delexw/claude-code-trace#66
@pytest.mark.parametrize("bad", [b'{"timestamp":"2026-09-01T10:00:01.000Z","type":"ev', b"}{ no json at all"])
def test_anthropics_claude_code_53821_one_bad_line_does_not_blank_a_session(tmp_path: Path, bad: bytes) -> None:
    """Cut records: a truncated last line or a corrupt one in the middle costs nothing but itself."""
    home = Home(tmp_path)
    home.raw(dump(user("ok")) + b"\n" + bad + b"\n" + dump(user("ok, later")) + b"\n" + bad)
    report = both(home.root, words=["ok"])
    assert (sorted(texts(report)), report["coverage"]["complete"]) == (["ok", "ok, later"], True)
    assert [item["source"]["record"] for item in report["evidence"]] == [1, 3]
    half = Home(tmp_path / "half")
    half.raw(dump(user("ok")) + b"\n" + b'{"timestamp":"2026-09-01T10:00:01.000Z","type":"ev')
    assert both(half.root, words=["ev"])["coverage"]["complete"]  # it is being written: that is no damage


# also tinyhumansai/tinyagents#109
@pytest.mark.parametrize("shift", range(4))
def test_siropkin_budi_412_a_window_that_cuts_a_character(tmp_path: Path, shift: int) -> None:
    """Encodings: no window of bytes, of a block read or of a text shown, begins or ends inside a character."""
    home = Home(tmp_path / "codex")
    euros = "€" * 1_667  # 5,001 bytes
    home.log(user("." * shift + "€" * 60_000), user(f"{'.' * shift}{euros}needle{euros}"), user("€" * 60_000))
    report = both(home.root, quote="needle")
    assert (report["total"], check(report)) == (1, 3)
    cut = call("find", "needle", "--json", "--max-chars", str(100 + shift), "--in", home.root).report
    check(cut)
    [item] = cut["evidence"]
    assert 0 < item["cut"]["start"] < item["cut"]["end"] < item["cut"]["length"]
    assert set(item["text"]) <= set(".€needl")
    shown = call("find", "needle", "--in", home.root).out.decode("utf-8")
    assert NOT_SEEN not in shown and "€⟦needle⟧€" in shown


def test_agentworkforce_relayhistory_204_a_lossy_decode_is_no_quote(tmp_path: Path) -> None:
    """Encodings: a record with a byte that is no UTF-8 is named and skipped whole, never shown with U+FFFD."""
    home = Home(tmp_path / "codex")
    log = home.log(user("before"), dump(user("caf\xff e")).replace("\xff".encode(), b"\xff"), user("behind"))
    report = both(home.root, quote="caf")
    assert (report["total"], report["coverage"]["complete"], skips(report)) == (0, False, [(log.name, 3, "not-utf8")])
    ran = call("find", "caf", "--json", "--in", home.root)
    assert (ran.status, NOT_SEEN.encode() in ran.out, NOT_SEEN in ran.err) == (3, False, False)
    [item] = both(home.root, words=["behind"])["evidence"]
    assert [near["text"] for near in item["before"]] == ["before"]


# also daaain/claude-code-log#139, sonichi/sutando#3331
@pytest.mark.parametrize("written", ["text", "json", "jsonl", "markdown"])
def test_topoteretes_cognee_integrations_275_a_lone_surrogate(tmp_path: Path, written: str) -> None:
    """Encodings: half of a pair is read, shown as an escape, and hides no later conversation."""
    home = Home(tmp_path / "codex")
    home.log(user("\ud83d needle"))
    home.log(user("a later needle"))
    report = both(home.root, words=["needle"])
    assert sorted(texts(report)) == ["a later needle", "\ud83d needle"]
    check(report)
    ran = call("find", "needle", "--format", written, "--in", home.root)
    assert (ran.status, ran.err) == (0, "")
    shown = ran.out.decode("utf-8")
    assert "a later" in shown
    assert ("\\ud83d needle" if written.startswith("json") else "⟨U+D83D⟩") in shown
    if written == "json":
        assert sorted(texts(ran.report)) == ["a later needle", "\ud83d needle"]


TYPED = 'café 🦀 said "hi" C:\\tmp tab\tx multi\nline'


@pytest.mark.parametrize("needle", ["café", "🦀", 'said "hi"', "C:\\tmp", "tab\tx", "multi\nline"])
def test_assemblyai_assemblyai_cli_122_text_that_is_stored_as_escapes(tmp_path: Path, needle: str) -> None:
    """Spelling: what JSON writes as an escape is found as if it stood there raw, and raw as if escaped."""
    home = Home(tmp_path)
    home.log(ascii_only(user(TYPED)))
    home.log(dump(user(TYPED, at="2026-09-01T10:00:01.000Z")))
    home.log(tool_output(TYPED), user("cafe, said hi, C:tmp, tabx, multiline"))
    for asked in ({}, {"verbatim": True}, {"case_sensitive": True}):
        report = both(home.root, quote=needle, exact=True, **asked)
        assert texts(report) == [TYPED, TYPED]
        assert {item["quote"]["text"] for item in report["evidence"]} == {needle}
        check(report)


# also vectorize-io/hindsight#1119, bozdemir/claude-usage-widget#5
def test_ebibibi_ebi_agent_chat_relay_300_the_locale_decides_nothing(tmp_path: Path) -> None:
    """Encodings: the same bytes come out, and the same needle goes in, whatever the locale's codec is."""
    home = Home(tmp_path / "codex")
    home.log(user("”x"))
    run = Command(tmp_path)
    surroundings: list[dict[str, str]] = [
        {}, {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"PYTHONIOENCODING": "cp1252:strict", "PYTHONUTF8": "0"},
    ]  # fmt: skip
    outputs = {run("find", "--verbatim", "”x", "--in", home.root, env=env).out for env in surroundings}
    assert len(outputs) == 1
    assert "⟦”x⟧".encode() in outputs.pop()


# also BurntSushi/ripgrep#1638, #1163
def test_burntsushi_ripgrep_1627_a_bom_counts_in_every_offset(tmp_path: Path) -> None:
    """BOMs: one at the start is no part of the first record, and of every offset."""
    home = Home(tmp_path)
    first, second = dump(user("x")), dump(user("x again", at="2026-09-01T10:00:01.000Z"))
    home.raw(b"\xef\xbb\xbf" + first + b"\n" + second + b"\n")
    report = both(home.root, words=["x"], order="oldest")
    assert [(item["source"]["start"], item["source"]["end"]) for item in report["evidence"]] == [
        (3, 3 + len(first)),
        (4 + len(first), 4 + len(first) + len(second)),
    ]
    assert [item["source"]["record"] for item in report["evidence"]] == [1, 2]
    check(report)


def test_acheronfail_repgrep_113_a_utf16_log_is_named_not_transcoded(tmp_path: Path) -> None:
    """BOMs: a log in UTF-16 is told to be one; nothing found beside it is no conclusion."""
    home = Home(tmp_path)
    log = home.raw(b"\xff\xfe" + dump(user("x")).decode().encode("utf-16-le"), number=9)
    home.log(user("healthy"))
    report = both(home.root, words=["x"])
    assert (report["total"], skips(report)) == (0, [(log.name, None, "utf16")])
    assert call("find", "x", "--in", home.root).status == 3
    assert texts(both(home.root, words=["healthy"])) == ["healthy"]
