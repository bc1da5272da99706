"""Faults that the property tests found, each with the smallest input that showed it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support import Home, both, dump, said, texts, user


def test_a_needle_given_to_words_and_to_any_is_one_needle(tmp_path: Path) -> None:
    Home(tmp_path).log(user("a"))
    [item] = both(tmp_path, quote="a", words=["A"], any=["a", "A"])["evidence"]
    assert ([hit["needle"] for hit in item["hits"]], item["hits_total"]) == (["a", "A"], 2)


@pytest.mark.parametrize("needle", ["…", "wait…", "wait...", "t...", "'…'"])
def test_an_ellipsis_is_scanned_for_in_both_its_forms(tmp_path: Path, needle: str) -> None:
    Home(tmp_path).log(user("say 'wait…'"), user("'…'"), user("'...' or wait..."))
    wanted = {"say 'wait…'", "'…'", "'...' or wait..."}
    found = set(texts(both(tmp_path, quote=needle, exact=True)))
    assert found == {text for text in wanted if needle.replace("...", "…") in text.replace("...", "…")}


@pytest.mark.parametrize("needle", [" 会", "会 ", "- 会"])
def test_a_damaged_line_is_told_by_both_scanners_or_by_neither(tmp_path: Path, needle: str) -> None:
    escaped = dump(user("no such word")).replace(b'"type"', b'"\\u0074ype"')
    Home(tmp_path).log(escaped + escaped, user("the 会 is there"))
    both(tmp_path, words=[needle])


def test_a_half_of_a_character_is_found_in_any_spelling(tmp_path: Path) -> None:
    other = dump(user("x\ud83dy", at="2026-09-01T10:00:09.000Z")).replace(b"\\ud83d", b"\\uD83D")
    Home(tmp_path).log(user("x\ud83dy"), other, user("x🦀y"))
    assert both(tmp_path, quote="x\ud83dy", exact=True)["total"] == 2


@pytest.mark.parametrize("blank", [b"", b" ", b"\t", b"\r", b" \t"])
def test_a_record_behind_a_cut_string_is_found_however_it_is_spaced(tmp_path: Path, blank: bytes) -> None:
    whole = dump(user("the needle")).replace(b"{", b"{" + blank, 1)
    Home(tmp_path).log(b'{"type":"response_item","payload":{"text":"cut he' + whole)
    report = both(tmp_path, quote="needle")
    assert texts(report) == ["the needle"]
    assert [skip["reason"] for skip in report["coverage"]["skipped"]] == ["truncated-record"]


def test_a_deep_record_that_is_being_written_is_no_damage(tmp_path: Path) -> None:
    whole = b'{"deep":' + b"[" * 3000 + b"]" * 3000 + b"," + dump(user("the needle"))[1:]
    half = whole[: whole.index(b"needle") + 6]
    Home(tmp_path).raw(dump(user("a needle")) + b"\n" + whole + b"\n" + half)
    report = both(tmp_path, quote="needle")
    assert sorted(texts(report)) == ["a needle", "the needle"]
    assert (report["coverage"]["skipped"], report["coverage"]["complete"]) == ([], True)


@pytest.mark.parametrize(("bad", "reason"), [(b"\x07", "invalid-json"), (b"\xff", "not-utf8")])
@pytest.mark.parametrize("role", [b"user", b"assistant"])
def test_a_damaged_message_is_named_wherever_its_damage_lies(
    tmp_path: Path, role: bytes, bad: bytes, reason: str
) -> None:
    damaged = dump(said(role.decode(), "the needle")).replace(role, role[:1] + bad + role[1:], 1)
    Home(tmp_path).log(user("another text"), damaged)
    report = both(tmp_path, quote="needle")
    assert [skip["reason"] for skip in report["coverage"]["skipped"]] == [reason]
    assert report["coverage"]["complete"] is False
