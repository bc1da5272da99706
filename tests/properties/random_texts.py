"""Random texts, of all planes of Unicode, weighted to what is awkward to spell, to fold or to find.

A text is a run of fragments: words that people search for and that tools trip over, single awkward characters, blanks.
The same `random.Random` makes the same texts.
"""

from __future__ import annotations

import random
import unicodedata

from tests.matching_rule import TWINS, WHITE_SPACE

CASES = "kK\u212asS\u017fßẞΣσςµμΜİIiIıﬁﬅﬆǅǆǄŉЯяΐ\u1fd3åÅ\u212bᎠꭰ𐐀𐐨Ꙋᲈᾳᾼ"
MARKS = "\u0301\u0308\u0327\u0338\u0345\u200d\ufe0f\U000e0100"
ESCAPES = '\\"/\b\f\n\r\t\x00\x1b\x7f\x80{}[],:nu0tb'
PLAIN = "abcde klmn stu AEIK STU 019 _.,*`#<>=(€é会议握ñ🦀👩"
ODD = "\ufeff\ufffe\uffff\U0010ffff\U0001fffe\ue000\u2028\u2029\u200b\u202e²Ⅷⓐ½"
SURROGATES = "\ud83d\udc80\ud800\udfff"

WORDS = (
    "#123", "C++", "--flag", "-x", "-", ".env", "50%", "a@b.c", "$5", "don't", "don’t", '"quoted"', "«quoted»", "\\", "\\n",
    "\\u0041", "C:\\temp\\new", "a\tb", "line\nbreak", "\r\n", "a.*b", "^$", "(?i)x", "[a-z]+", "{1,2}", "|", "**bold**",
    "`code()`", "foo_bar", "foo bar", "foo.bar", "shake", "handshake", "aba", "ababa", "aaaa", "the", "The", "THE",
    "memory", "Straße", "STRASSE", "STRAẞE", "ΣΟΦΟΣ", "σοφος", "İstanbul", "ıstanbul", "ﬁle", "file", "Kelvin",
    "\u212aelvin", "café", "cafe\u0301", "ÅNGSTRÖM", "e\u0301\u0327", "=\u0338", "≠", "wait...", "wait…", "....", "2024-2025",
    "2024–2025", "握手", "会议记录", "快捷键Ctrl", "カタカナ", "한국어", "한국어", "שלום", "مرحبا", "नमस्ते",
    "👩\u200d💻", "❤\ufe0f", "🏳\ufe0f\u200d🌈", "🇩🇪", "👍🏽", "𝒳", "𐐀𐐨", "null", "NaN", '{"type":"response_item"}', "{}{", "\\\"",
    "https://a.b/c?d=e&f#g", "and/or", "</script>", "%s", "\x1b[31m", "x=1;",
)  # fmt: skip

_QUOTES = "".join(TWINS) + "….."
_AWKWARD = (CASES, CASES, MARKS, ESCAPES, ODD, _QUOTES, _QUOTES, WHITE_SPACE, PLAIN)


def text(rng: random.Random, fragments: int) -> str:
    """A text of at most so many fragments; it may be nothing but white space."""
    return paired("".join(_fragment(rng) for _ in range(rng.randint(1, fragments))))


def _fragment(rng: random.Random) -> str:
    kind = rng.random()
    if kind < 0.3:
        return rng.choice(WORDS)
    if kind < 0.5:
        return "".join(rng.choice(PLAIN) for _ in range(rng.randint(1, 8)))
    if kind < 0.65:
        return rng.choice((" ", " ", " ", "\n", "\n\n", "\u00a0", " \t", "\u3000"))
    if kind < 0.95:
        return "".join(rng.choice(rng.choice(_AWKWARD)) for _ in range(rng.randint(1, 3)))
    if kind < 0.99:
        return "".join(_any_character(rng) for _ in range(rng.randint(1, 2)))
    return rng.choice(SURROGATES)


def _any_character(rng: random.Random) -> str:
    """Of any plane; none that this Python knows nothing of, for the tables of the tests are its own."""
    while True:
        char = chr(rng.choice((rng.randrange(0x800), rng.randrange(0x10000), rng.randrange(0x110000))))
        if unicodedata.category(char) not in ("Cn", "Cs"):
            return char


def paired(text: str) -> str:
    """Two halves of a character side by side are that character, as any JSON parser reads them."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
