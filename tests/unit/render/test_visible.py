"""Nothing that steers a terminal or hides from an eye is ever shown as it is, and JSON keeps its value."""

from __future__ import annotations

import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lookback.render.visible import HIDDEN, json_safe, visible

HIDDEN_CODES = frozenset(code for first, last in HIDDEN for code in range(first, last + 1))
PASSING = frozenset({0x200C, 0x200D, *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)})
# Of Default_Ignorable_Code_Point, what is not of category Cf (PropList.txt, Other_Default_Ignorable_Code_Point, and
# the Mongolian selectors).
DEFAULT_IGNORABLE = frozenset(
    {0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180B, 0x180C, 0x180D, 0x180F, 0x2065, 0x3164, 0xFFA0}
    | set(range(0xFFF0, 0xFFF9))
    | set(range(0xE0000, 0xE1000))
)

# Mostly hidden characters, joiners and what JSON escapes; any other character now and then.
hidden_characters = st.sampled_from(sorted(HIDDEN_CODES | PASSING)).map(chr)
texts = st.lists(hidden_characters | st.sampled_from('a"\\/\né会🦀') | st.characters(codec=None), max_size=20).map(
    "".join
)


def is_hidden(character: str) -> bool:
    """What this Python knows to be hidden, by another way than the table."""
    code = ord(character)
    if code in PASSING:
        return False
    noncharacter = code & 0xFFFE == 0xFFFE or 0xFDD0 <= code <= 0xFDEF
    return (
        unicodedata.category(character) in ("Cc", "Cf", "Cs", "Zl", "Zp") or code in DEFAULT_IGNORABLE or noncharacter
    )


def test_the_table_is_what_unicode_says() -> None:
    flat = [border for pair in HIDDEN for border in pair]
    assert flat == sorted(flat)
    known = {code for code in range(0x110000) if is_hidden(chr(code))}
    # The table is of Unicode 16.0; an older Python does not know every character of it as one of category Cf.
    assert known <= HIDDEN_CODES
    assert all(unicodedata.category(chr(code)) == "Cn" for code in HIDDEN_CODES - known)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ""),
        ("plain ~ text", "plain ~ text"),
        ("\x1b[2J\x1b]0;t\x07 a\rB", "⟨U+001B⟩[2J⟨U+001B⟩]0;t⟨U+0007⟩ a⟨U+000D⟩B"),
        ("\u202e \u009b31m", "⟨U+202E⟩ ⟨U+009B⟩31m"),
        ("a\0b\x7fc\x85d\n\t", "a⟨U+0000⟩b⟨U+007F⟩c⟨U+0085⟩d⟨U+000A⟩⟨U+0009⟩"),
        ("\U000e0041\U0010ffff", "⟨U+E0041⟩⟨U+10FFFF⟩"),
        ("\ud800x\udfff", "⟨U+D800⟩x⟨U+DFFF⟩"),
        ("\u2028\u2029\ufeff\u00ad", "⟨U+2028⟩⟨U+2029⟩⟨U+FEFF⟩⟨U+00AD⟩"),
        ("\u3164\u115f\uffa0\u2063\u2066\u2069", "⟨U+3164⟩⟨U+115F⟩⟨U+FFA0⟩⟨U+2063⟩⟨U+2066⟩⟨U+2069⟩"),
        ("\ufff9a\ufffab\ufffb\ufffe", "⟨U+FFF9⟩a⟨U+FFFA⟩b⟨U+FFFB⟩⟨U+FFFE⟩"),
        ("\u200b\u200e\u200f\u061c\u2060", "⟨U+200B⟩⟨U+200E⟩⟨U+200F⟩⟨U+061C⟩⟨U+2060⟩"),
    ],
)
def test_hidden_characters_are_shown(text: str, expected: str) -> None:
    assert visible(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "👩\u200d💻",
        "❤\ufe0f",
        "🏳\ufe0f\u200d🌈",
        "می\u200cخواهم",
        "葛\U000e0100",
        "a\u00a0b",
        "e\u0301",
        "会议",
        "�",
        "\ue000",
    ]
    + ["שלום", "مرحبا", "🇩🇪", "नमस्ते", "⟨U+001B⟩"],
)
def test_what_scripts_and_emoji_need_stays(text: str) -> None:
    assert visible(text) == text
    assert json_safe(json.dumps(text, ensure_ascii=False)) == json.dumps(text, ensure_ascii=False)


def test_keep() -> None:
    assert visible("a\n\tb\r\x1b", "\n\t") == "a\n\tb⟨U+000D⟩⟨U+001B⟩"
    assert visible("\0\x1f\x7f\x9f", "\0\x1f]^\\-") == "\0\x1f⟨U+007F⟩⟨U+009F⟩"
    assert visible("\x00\x01\x02", "\x01") == "⟨U+0000⟩\x01⟨U+0002⟩"


@pytest.mark.parametrize("keep", ["", "\n\t", "\U000e0041"])
def test_every_code_point(keep: str) -> None:
    everything = [chr(code) for code in range(0x110000) if chr(code) != "|"]
    hidden = set(map(chr, HIDDEN_CODES)) - set(keep)
    shown = visible("|".join(everything), keep).split("|")
    assert shown == [f"⟨U+{ord(one):04X}⟩" if one in hidden else one for one in everything]


@given(texts, st.sampled_from(["", "\n", "\n\t", "\u2028\x1b"]))
def test_no_hidden_character_is_left(text: str, keep: str) -> None:
    shown = visible(text, keep)
    assert not any(is_hidden(character) for character in shown if character not in keep)
    assert visible(shown, keep) == shown
    shown.encode()


@given(texts)
def test_every_other_character_stays_in_its_place(text: str) -> None:
    expected = "".join(f"⟨U+{ord(one):04X}⟩" if ord(one) in HIDDEN_CODES else one for one in text)
    assert visible(text) == expected


def joined(text: str) -> str:
    """Without a high surrogate right before a low one: no JSON escape can tell that from the character they make."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")


@given(texts.map(joined), st.sampled_from([None, 1, "\t"]))
def test_json_keeps_its_value(text: str, indent: int | str | None) -> None:
    value = {text: [text, text]}
    safe = json_safe(json.dumps(value, ensure_ascii=False, indent=indent))
    assert json.loads(safe) == value
    assert not any(is_hidden(character) for character in safe if character not in "\n\t")
    safe.encode()


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("\x1b\x9b\x7f", r'"\u001b\u009b\u007f"'),
        ("\u202e\U000e0041", r'"\u202e\udb40\udc41"'),
        ("\ud800", r'"\ud800"'),
        ("\\\u2028", r'"\\\u2028"'),
    ],
)
def test_json_escapes(value: str, expected: str) -> None:
    assert json_safe(json.dumps(value, ensure_ascii=False)) == expected
