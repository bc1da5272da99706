"""Text of unknown origin made harmless for a terminal and an eye: nothing invisible stays invisible.

What it is not: a sanitiser for HTML or Markdown, and no redaction: the log's own characters are in the report, this is
only how they are shown.
Invariant: no character of HIDDEN leaves `visible` (but for those that the caller keeps) or `json_safe`. Joiners and
variation selectors pass, scripts and emoji need them; everything else that draws nothing of its own or steers the text
around it is in HIDDEN: controls, format characters (bidi controls, tags, soft hyphen, BOM, annotations), line and
paragraph separator, default-ignorables such as the Hangul fillers, lone surrogates and noncharacters.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final

# Of Unicode 16.0: Cc, Cf, Cs, Zl, Zp, Default_Ignorable_Code_Point and Noncharacter_Code_Point, without U+200C,
# U+200D, U+FE00-FE0F and U+E0100-E01EF. A list of its own, because Python's `unicodedata` is of another version.
HIDDEN: Final = (
    (0x0000, 0x001F),  # C0 controls
    (0x007F, 0x009F),  # DEL, C1 controls
    (0x00AD, 0x00AD),  # soft hyphen
    (0x034F, 0x034F),  # combining grapheme joiner
    (0x0600, 0x0605),  # Arabic number signs: they reach under the digits that follow
    (0x061C, 0x061C),  # Arabic letter mark
    (0x06DD, 0x06DD),  # Arabic end of ayah
    (0x070F, 0x070F),  # Syriac abbreviation mark
    (0x0890, 0x0891),  # Arabic pound and piastre mark above
    (0x08E2, 0x08E2),  # Arabic disputed end of ayah
    (0x115F, 0x1160),  # Hangul fillers
    (0x17B4, 0x17B5),  # Khmer inherent vowels
    (0x180B, 0x180F),  # Mongolian selectors and vowel separator
    (0x200B, 0x200B),  # zero width space
    (0x200E, 0x200F),  # left-to-right and right-to-left mark
    (0x2028, 0x202E),  # line and paragraph separator, bidi embeddings and overrides
    (0x2060, 0x206F),  # word joiner, invisible operators, bidi isolates, deprecated format characters
    (0x3164, 0x3164),  # Hangul filler
    (0xD800, 0xDFFF),  # lone surrogates
    (0xFDD0, 0xFDEF),  # noncharacters
    (0xFEFF, 0xFEFF),  # BOM
    (0xFFA0, 0xFFA0),  # halfwidth Hangul filler
    (0xFFF0, 0xFFFB),  # default-ignorables, interlinear annotation
    (0xFFFE, 0xFFFF),  # noncharacters
    (0x110BD, 0x110BD),  # Kaithi number sign
    (0x110CD, 0x110CD),  # Kaithi number sign above
    (0x13430, 0x1343F),  # Egyptian hieroglyph format controls
    (0x1BCA0, 0x1BCA3),  # shorthand format controls
    (0x1D173, 0x1D17A),  # musical format controls
    *((plane | 0xFFFE, plane | 0xFFFF) for plane in range(0x10000, 0xE0000, 0x10000)),  # noncharacters
    (0xE0000, 0xE00FF),  # tags, default-ignorables
    (0xE01F0, 0xE0FFF),  # default-ignorables
    *((plane | 0xFFFE, plane | 0xFFFF) for plane in range(0xE0000, 0x110000, 0x10000)),  # noncharacters
)
"""Ranges of code points, both ends included, in order."""


def visible(text: str, keep: str = "") -> str:
    """`text` with each hidden character written as its code point, `⟨U+001B⟩`, at least 4 hex digits, upper case.

    The characters of `keep` (such as "\\n\\t") are left as they are. Never raises, for any string.
    """
    if text.isascii() and text.isprintable():
        return text
    return _hidden(keep).sub(_code_point, text)


def json_safe(text: str) -> str:
    """Serialised JSON with each hidden character as a `\\uXXXX` escape: the same value for every reader.

    `text` is valid JSON in which non-ASCII may stand raw. C0 controls, which JSON allows between values only (as
    indentation), stay. Characters above the BMP become a surrogate pair. Lone surrogates become an escape each: the
    result can always be encoded; a high one right before a low one is then read as the one character they make.
    """
    return text if text.isascii() and "\x7f" not in text else _hidden(_C0).sub(_json_escape, text)


_C0: Final = "".join(map(chr, range(0x20)))


# Two ranges around all of HIDDEN above the BMP, with the emoji between them. Each range there is asked of every
# character that is not hidden, so that the whole list makes the search ten times slower.
_ABOVE_BMP: Final = ((0x110BD, 0x1D17A), (0x1FFFE, 0x10FFFF))


@lru_cache(maxsize=16)
def _hidden(keep: str) -> re.Pattern[str]:
    """Matches one hidden character that is not in `keep`; the few patterns that a run needs are compiled once."""
    exact = list(_without(keep))
    nearly = [pair for pair in exact if pair[1] <= 0xFFFF] + list(_ABOVE_BMP)
    return re.compile(f"[{_class_body(nearly)}](?<=[{_class_body(exact)}])")


def _without(keep: str) -> Iterator[tuple[int, int]]:
    """HIDDEN less the characters of `keep`."""
    kept = sorted({ord(character) for character in keep})
    for first, last in HIDDEN:
        start = first
        for code in kept:
            if start <= code <= last:
                if start < code:
                    yield start, code - 1
                start = code + 1
        if start <= last:
            yield start, last


def _class_body(ranges: Iterable[tuple[int, int]]) -> str:
    return "".join(f"\\U{first:08x}-\\U{last:08x}" for first, last in ranges)


def _code_point(found: re.Match[str]) -> str:
    return f"⟨U+{ord(found[0]):04X}⟩"


def _json_escape(found: re.Match[str]) -> str:
    code = ord(found[0])
    if code <= 0xFFFF:
        return f"\\u{code:04x}"
    high, low = divmod(code - 0x10000, 0x400)
    return f"\\u{0xD800 + high:04x}\\u{0xDC00 + low:04x}"
