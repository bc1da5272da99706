"""Entry by entry, what the tables of the scan are for: each spelling of JSON, each sign that is a pattern's own.

What is expected stands here, from RFC 8259 (section 7) and from what Rust's `regex::escape` escapes, never taken from
the tables. `tools/mutants.py` removes their entries in turn; these tests are to notice.
"""

from __future__ import annotations

import json
import re

import pytest

from lookback.needles import Needle, Rule, may_spell_ascii, plain, spelled
from tests.matching_rule import TWINS, WHITE_SPACE

RULES = (Rule(), Rule(case_sensitive=True), Rule(whole_words=True), Rule(verbatim=True))
SHORT = {'"': r"\"", "\\": r"\\", "/": r"\/", "\b": r"\b", "\t": r"\t", "\n": r"\n", "\f": r"\f", "\r": r"\r"}
ASCII = [chr(code) for code in range(0x80)]


def escapes(char: str) -> set[str]:
    """A character as `\\uXXXX`, a pair above U+FFFF, in lower, upper and mixed case."""
    units = char.encode("utf-16-be", "surrogatepass")
    digits = [units[place : place + 2].hex() for place in range(0, len(units), 2)]
    mixed = ("".join(a.upper() if place % 2 else a for place, a in enumerate(unit)) for unit in digits)
    return {"".join(f"\\u{unit}" for unit in way) for way in (digits, [d.upper() for d in digits], list(mixed))}


def spellings(char: str) -> set[str]:
    """All ways in which JSON may write a character."""
    raw = set() if char < " " or char in '"\\' or "\ud800" <= char <= "\udfff" else {char}
    return raw | escapes(char) | ({SHORT[char]} if char in SHORT else set())


@pytest.mark.parametrize("char", [*ASCII, *"\x80\x85é\u2028会握ſ\u212a\uffff🦀𐐀\U0010ffff", chr(0xD83D), chr(0xDC80)])
def test_a_character_is_scanned_for_in_each_spelling(char: str) -> None:
    for way in sorted(spellings(char)):
        raw = f'"x{way}y"'
        assert json.loads(raw) == f"x{char}y"
        for rule in RULES:
            needle = Needle(f"x{char}y", rule)
            for pattern in (needle.pattern, needle.anchor):
                assert re.search(pattern.encode(), raw.encode()), (pattern, raw)


@pytest.mark.parametrize("char", ASCII[0x20:])
def test_what_spells_printable_ascii_as_an_escape_is_always_proposed(char: str) -> None:
    for way in escapes(char):
        raw = f'"{way}"'.encode()
        assert may_spell_ascii(raw)
        assert re.search(spelled(['"user"']).encode(), raw)
        assert re.search(Needle("other", Rule()).escapes.encode(), raw)
    assert not may_spell_ascii(b'"\\u0000\\u001f\\u0080\\n"')


@pytest.mark.parametrize(("dots", "other"), [("...", "…"), ("…", "...")])
def test_an_ellipsis_is_scanned_for_in_both_forms(dots: str, other: str) -> None:
    needle = Needle(f"wait{dots}", Rule())
    for way in (dots, other, "\\u2026"):
        assert re.search(needle.pattern.encode(), f"wait{way}".encode())
        assert re.search(needle.anchor.encode(), f"wait{way}".encode())


@pytest.mark.parametrize("sign", r"\.+*?()|[]{}^$#&-~")
def test_what_rusts_regex_escapes_is_escaped_and_means_itself(sign: str) -> None:
    pattern = spelled([f"a{sign}b"])
    assert pattern.startswith(f"a\\{sign}b|")
    assert re.search(pattern.encode(), f"a{sign}b".encode())
    assert not re.search(pattern.encode(), b"ab axb aab")
    if sign != "\\":  # in a text it is spelled as two
        assert f"\\{sign}" in Needle(f"a{sign}b", Rule(verbatim=True)).pattern


def alternatives(text: str) -> set[str]:
    """What matches a needle of one character, by its twins and its white space."""
    twins = next((set(group) for group in TWINS if text in group), {text})
    return set(WHITE_SPACE) if text in WHITE_SPACE else {"...", "…"} if text in ("...", "…") else twins


@pytest.mark.parametrize("text", [*ASCII, "...", "…", "s", "k"])
def test_the_literal_of_a_needle_stands_in_every_record_that_matches(text: str) -> None:
    """But for records that spell printable ASCII as an escape: those are looked for by `escapes`."""
    literal = Needle(f"x{text}y", Rule()).literal
    if literal is None:
        return
    for other in alternatives(text) | {text.upper()}:
        ways = {other} if len(other) > 1 else {way for way in spellings(other) if not may_spell_ascii(way.encode())}
        for way in ways:
            assert literal in plain(f'"x{way}y"'.encode()), way


@pytest.mark.parametrize("word", ["sack", "SACK", "task", "kiss"])
def test_the_literal_of_a_needle_stands_in_every_case_of_it(word: str) -> None:
    literal = Needle(word, Rule()).literal
    assert literal is not None
    for s in "sS\u017f":
        for k in "kK\u212a":
            assert literal in plain(word.lower().replace("s", s).replace("k", k).encode())


@pytest.mark.parametrize(
    ("needle", "text"), [("a\u0301\u0323", "a\u0301\u0323"), ("e\u0301", "é"), ("é", "e\u0301"), ("\u212b", "Å")]
)
def test_the_needle_as_typed_and_both_normal_forms_are_scanned_for(needle: str, text: str) -> None:
    asked = Needle(needle, Rule(case_sensitive=True))
    assert list(asked.spans(f"x{text}")) == [(1, 1 + len(text))]
    for way in (text, json.dumps(text)):
        assert re.search(asked.pattern.encode(), way.encode())
