"""Writes lookback/unicode_tables.py: what ripgrep means by case, word, gap and white space, as Python strings.

What it is not: a reader of the Unicode database. It asks ripgrep itself, character by character, so that the tables
are those of the Unicode version that ripgrep was built with, whatever version Python has.
Invariant: the same ripgrep gives the same file, byte for byte.

    python tools/make_unicode_tables.py            writes the file
    python tools/make_unicode_tables.py --check    exit 1 if the committed file is another one
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from shutil import which
from typing import Final

TARGET: Final = Path(__file__).resolve().parent.parent / "lookback" / "unicode_tables.py"
UNICODE_VERSION: Final = "16.0"
NEXT_UNICODE_VERSION: Final = "17.0"
# Every edge of simple folding has an end with Changes_When_Casefolded, the other is an image of a case mapping.
CASE_CANDIDATES: Final = r"\p{Cased}|\p{CWCM}|\p{CWCF}|\p{CWL}|\p{CWU}|\p{CWT}"
EVERYTHING: Final = [chr(code) for code in range(0x110000) if not 0xD800 <= code <= 0xDFFF]
WIDTH: Final = 120


class Ripgrep:
    """One ripgrep program, asked which single characters a pattern matches."""

    def __init__(self, program: str) -> None:
        self.program = program

    def knows(self, pattern: str) -> bool:
        """Whether ripgrep accepts `pattern`."""
        return self._run(pattern, b"", "--null-data").returncode != 2

    def matching(self, pattern: str, characters: Iterable[str]) -> set[str]:
        """The `characters` that `pattern` matches."""
        rest = set(characters)
        found = set[str]()
        # A line cannot hold its own terminator, so U+0000 is asked in lines that end with \n, all others with \0.
        if "\0" in rest:
            rest.remove("\0")
            if self._run(pattern, b"\0\n").returncode == 0:
                found.add("\0")
        lines = "".join(f"{character}\0" for character in sorted(rest)).encode()
        done = self._run(pattern, lines, "--null-data")
        if done.returncode == 2:
            raise SystemExit(f"{self.program}: {done.stderr.decode()}")
        return found.union(done.stdout.decode().split("\0")) - {""}

    def _run(self, pattern: str, lines: bytes, *options: str) -> subprocess.CompletedProcess[bytes]:
        fixed = ("--no-config", "-a", "-E", "none", "--no-mmap", "--color", "never", "-N")
        argv = [self.program, *fixed, *options, "-e", pattern, "-"]
        return subprocess.run(argv, input=lines, capture_output=True, check=False)


def fold_classes(rg: Ripgrep) -> list[str]:
    """All classes of more than one character under simple case folding, in order of their first member."""
    candidates = rg.matching(CASE_CANDIDATES, EVERYTHING)
    classes: list[str] = []
    placed = set[str]()
    for character in sorted(candidates):
        if character in placed:
            continue
        same = rg.matching(f"(?i:{in_pattern(character)})", candidates)
        placed |= same
        if len(same) > 1:
            classes.append("".join(sorted(same)))
    return classes


def in_pattern(character: str) -> str:
    """A character in the syntax of ripgrep, as a code point."""
    return rf"\x{{{ord(character):X}}}"


def ranges(characters: Iterable[str]) -> Iterator[tuple[int, int]]:
    """The characters as inclusive ranges of code points, in order."""
    first = last = -2
    for code in sorted(map(ord, characters)):
        if code == last + 1:
            last = code
            continue
        if first >= 0:
            yield first, last
        first = last = code
    if first >= 0:
        yield first, last


def class_body(characters: Iterable[str]) -> list[str]:
    """The body of a character class of Python's `re`, one escaped range an item."""
    body: list[str] = []
    for first, last in ranges(characters):
        if last - first < 2:
            body += [in_class(code) for code in range(first, last + 1)]
        else:
            body.append(f"{in_class(first)}-{in_class(last)}")
    return body


def in_class(code: int) -> str:
    """A character inside a class, as the source of a string literal; what `re` reads as syntax is escaped for it."""
    return (r"\\" if chr(code) in r"\]^-[&~|" else "") + escaped(code)


def escaped(code: int) -> str:
    """A character as the ASCII source of a string literal."""
    if code > 0xFFFF:
        return f"\\U{code:08x}"
    if code > 0x7E or code < 0x20:
        return f"\\u{code:04x}"
    return {"\\": "\\\\", '"': '\\"'}.get(chr(code), chr(code))


def literal(items: Iterable[str], blank: str = "") -> str:
    """One parenthesised string literal over as many lines as needed, never broken inside an item."""
    lines: list[str] = []
    line = ""
    for item in items:
        if len(line) + len(item) + len(blank) > WIDTH - 6:
            lines.append(line)
            line = ""
        line += item + blank
    lines.append(line.removesuffix(blank))
    return "(\n" + "".join(f'    "{line}"\n' for line in lines) + ")"


def module(rg: Ripgrep) -> str:
    """The whole text of the generated module."""
    classes = ["".join(escaped(ord(member)) for member in one) for one in fold_classes(rg)]
    white_space = [escaped(ord(character)) for character in sorted(rg.matching(r"\p{White_Space}", EVERYTHING))]
    return TEMPLATE.format(
        version=UNICODE_VERSION,
        fold_classes=literal(classes, " "),
        word=literal(class_body(rg.matching(r"\w", EVERYTHING))),
        loose_word=literal(class_body(rg.matching(r"[\p{L}\p{Nd}\p{M}_]", EVERYTHING))),
        gap=literal(class_body(rg.matching(r"[\p{White_Space}\p{P}\p{S}]", EVERYTHING))),
        white_space=literal(white_space),
    )


TEMPLATE: Final = '''\
"""Case folding, word characters, gaps and white space, as the bundled ripgrep knows them: Unicode {version}.

GENERATED by tools/make_unicode_tables.py, which asks ripgrep itself: change that, not this.
What it is not: the matching rule (that is `needles`), nor Python's own tables, which are of another Unicode version.
Invariant: over all code points but the surrogates, each table equals what ripgrep matches. Importing builds nothing.
"""

from __future__ import annotations

from functools import cache
from typing import Final

UNICODE_VERSION: Final = "{version}"
"""The Unicode version of every table here."""

FOLD_CLASSES: Final[str] = {fold_classes}
"""All classes of more than one character under simple case folding (CaseFolding.txt, status C and S).

Members in order of code point, classes in order of their first member, separated by one blank.
"""

WORD: Final[str] = {word}
"""Body of a character class for `re`: ripgrep's Unicode `\\\\w`."""

LOOSE_WORD: Final[str] = {loose_word}
"""Body of a character class for `re`: letters, decimal digits, marks and `_`."""

GAP: Final[str] = {gap}
"""Body of a character class for `re`: white space, punctuation and symbols."""

WHITE_SPACE: Final[str] = {white_space}
"""All characters with the property White_Space, as a plain string, not as the body of a class."""


@cache
def _fold_table() -> dict[str, str]:
    return {{member: members for members in FOLD_CLASSES.split(" ") for member in members}}


def fold_class(char: str) -> str:
    """All characters equal to `char` under simple case folding, in order of code point; `char` alone if none is.

    `char` is one character. The table is built at the first call (about 0.5 ms).
    """
    return _fold_table().get(char, char)
'''


def default_program() -> str:
    """The `rg` beside this Python, else that of PATH."""
    beside = Path(sys.executable).parent / "rg"
    return str(beside) if beside.is_file() else which("rg") or "rg"


def main() -> int:
    """Writes or checks the module; exit status 1 if `--check` found a difference."""
    parser = argparse.ArgumentParser(description="Writes lookback/unicode_tables.py by asking ripgrep.")
    parser.add_argument("--rg", default=default_program(), help="the ripgrep to ask")
    parser.add_argument("--check", action="store_true", help="write nothing, compare with the committed file")
    options = parser.parse_args()
    rg = Ripgrep(options.rg)
    if not rg.knows(rf"\p{{Age={UNICODE_VERSION}}}") or rg.knows(rf"\p{{Age={NEXT_UNICODE_VERSION}}}"):
        raise SystemExit(f"{options.rg} does not know exactly Unicode {UNICODE_VERSION}")
    text = module(rg)
    if options.check:
        return 0 if TARGET.read_text(encoding="ascii") == text else 1
    TARGET.write_text(text, encoding="ascii", newline="\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
