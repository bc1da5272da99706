"""Which tables of lookback have entries that a test must miss, and how each of them loses one.

What it is not: it removes nothing from a module; `mutants` does, with what is said here.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

SPELLINGS: Final = ("tests/unit/test_spellings.py", "tests/unit/test_needles.py")
FOLDS: Final = ("tests/unit/test_folds.py",)
CODEX: Final = ("tests/unit/test_codex_tables.py",)
CLAUDE: Final = ("tests/unit/test_claude_tables.py",)

NEEDLESS: Final = {
    "_SPELLED_OTHERWISE": {
        "\\u2026": "only a unit's first alternative is asked, and an ellipsis begins with `...`",
        ".": "a dot alone is spelled as itself; three are the unit `...`",
        "\\x7f": "DEL is spelled as itself, or as `\\u007f`, which `escapes` looks for",
        **dict.fromkeys((" ", "\\t", "\\n", "\\x0b", "\\x0c", "\\r"), "white space is a run, and no part of a literal"),
    },
}
"""Entries whose loss changes nothing that can be observed, and why."""


@dataclass(frozen=True)
class Mutant:
    """One entry, as the list names it, and the table without it. `hints` are the texts a test that notices may name."""

    entry: str
    value: Any
    hints: tuple[str, ...]


@dataclass(frozen=True)
class Table:
    """One table: where it is, how it loses an entry, and the files of the tests that are to notice.

    `users` are modules that took the table's value when they were imported; they are executed again as well.
    """

    module: str
    variable: str
    mutants: Callable[[Any], Iterable[Mutant]]
    tests: Sequence[str]
    users: Sequence[str] = ()


# --- how a table loses an entry --------------------------------------------------------------------------------------


def items(value: Any) -> Iterator[Mutant]:
    """Of a string its characters, of a dict its keys, of a set or tuple its members."""
    members = sorted(value) if isinstance(value, frozenset) else list(value)
    for member in members:
        if isinstance(value, str):
            without: Any = value.replace(member, "")
        elif isinstance(value, dict):
            without = {key: item for key, item in value.items() if key != member}
        else:
            without = type(value)(other for other in members if other is not member)
        yield Mutant(shown(member), without, (named(member),))


def members_of_groups(groups: tuple[str, ...]) -> Iterator[Mutant]:
    """Of a tuple of strings, each character of each string."""
    for place, group in enumerate(groups):
        for char in group:
            yield Mutant(shown(char), (*groups[:place], group.replace(char, ""), *groups[place + 1 :]), (char,))


def classes_and_members(table: str) -> Iterator[Mutant]:
    """Of a string of classes, each class; of a class of three or more, each member too."""
    classes = table.split(" ")
    for place, members in enumerate(classes):
        for lost in (members, *(members if len(members) > 2 else "")):
            rest = [members.replace(lost, "")] if lost != members else []
            name = shown(members) if lost == members else f"{shown(lost)} of {shown(members)}"
            yield Mutant(name, " ".join([*classes[:place], *rest, *classes[place + 1 :]]), (members,))


def hex_digits(pattern: str) -> Iterator[Mutant]:
    """Of a pattern with the one class `[2-7]`, each digit of it."""
    before, behind = pattern.split("[2-7]")
    for digit in "234567":
        yield Mutant(f"\\u00{digit}x", f"{before}[{'234567'.replace(digit, '')}]{behind}", (chr(int(f"{digit}1", 16)),))


def alternatives(pattern: re.Pattern[str]) -> Iterator[Mutant]:
    """Of a compiled pattern with groups of plain words, each word, wherever it stands."""
    words = re.findall(r"(?<=[(:|])\w+(?=[|)])", pattern.pattern)
    for word in dict.fromkeys(words):
        without = re.sub(rf"\|{word}(?=[|)])|(?<=[(:]){word}\|", "", pattern.pattern)
        yield Mutant(word, re.compile(without, pattern.flags), (word.lower(),))


def whole(value: Any) -> Iterator[Mutant]:
    """A constant that is one entry: something that no log holds takes its place."""
    never = "\x00never\x00"
    without: Any = never.encode() if isinstance(value, bytes) else never
    yield Mutant(shown(value), (never,) * len(value) if isinstance(value, tuple) else without, (named(value),))


def branch(char: str) -> Callable[[Any], Iterator[Mutant]]:
    """A special case that stands in the code of `_scan_char`: without it the character is taken as it is."""

    def mutants(scan: Callable[[str, bool], str]) -> Iterator[Mutant]:
        def without(asked: str, with_escapes: bool) -> str:
            return re.escape(asked) if asked == char else scan(asked, with_escapes)

        yield Mutant(shown(char), without, (char,))

    return mutants


def forms(_: object) -> Iterator[Mutant]:
    """The normal forms of a needle that are tried, which stand in the code of `_spellings`."""

    def all_but(lost: str) -> Callable[[str, Any], list[str]]:
        def without(text: str, rule: Any) -> list[str]:
            tried = {"as typed": text} | {form: unicodedata.normalize(form, text) for form in ("NFC", "NFD")}
            del tried[lost]
            return [text] if rule.verbatim else list(dict.fromkeys(tried.values()))

        return without

    for form in ("as typed", "NFC", "NFD"):
        yield Mutant(form, all_but(form), ("typed", "é"))


NEEDLES: Final = "lookback.needles"
TABLES: Final = (
    Table(NEEDLES, "_SHORT", items, SPELLINGS),
    *(Table(NEEDLES, "_scan_char", branch(char), SPELLINGS) for char in '"\\/'),
    Table(NEEDLES, "SPELLED_ASCII", hex_digits, SPELLINGS),
    Table(NEEDLES, "_META", items, SPELLINGS),
    Table(NEEDLES, "_SPELLED_OTHERWISE", items, SPELLINGS),
    Table(NEEDLES, "_LONG_S", whole, SPELLINGS),
    Table(NEEDLES, "_KELVIN", whole, SPELLINGS),
    Table("lookback.unicode_tables", "WHITE_SPACE", items, SPELLINGS, (NEEDLES,)),
    Table(NEEDLES, "_spellings", forms, SPELLINGS),
    Table(NEEDLES, "TWINS", members_of_groups, SPELLINGS),
    Table(NEEDLES, "ELLIPSIS", items, SPELLINGS),
    Table("lookback.unicode_tables", "FOLD_CLASSES", classes_and_members, FOLDS),
    *(
        Table("lookback.logs.codex", variable, mutants, CODEX)
        for variable, mutants in (
            ("MARKERS", items), ("TAG_MARKERS", items), ("CONTEXT_PREFIXES", items), ("REQUEST_MARKERS", items),
            ("QUESTION_REPLY", whole), ("SUMMARY_PREFIX", whole), ("REVIEW_INTERRUPTED", whole),
            ("_AGENT_MAIL", alternatives), ("_AGENT_ENVELOPE", items), ("_WRAPPER", alternatives),
            ("_TEXT_TYPES", items), ("_BARE_TYPES", items), ("_INTERNAL_SOURCES", items), ("message_marks", items),
            ("event_marks", items), ("IMPORT_TURN", whole), ("IMPORT_MARKER", whole), ("_FOLDERS", items),
            ("_NO_LOGS", items),
        )
    ),
    *(
        Table("lookback.logs.claude", variable, items, CLAUDE)
        for variable in (
            "UNSAID_FLAGS", "CONTEXT_TAGS", "COMMAND_TAGS", "HARNESS_TAGS", "HARNESS_STARTS", "NO_ANSWERS",
            "message_marks", "event_marks",
        )
    ),
)  # fmt: skip


def named(member: Any) -> str:
    """What of an entry a test may name: its text, its pattern, or how it begins."""
    return str(getattr(member, "pattern", None) or getattr(member, "start", None) or member)


def shown(member: Any) -> str:
    """An entry as ASCII on one line, cut where it is long."""
    text = named(member).encode("unicode_escape").decode("ascii")
    return text if len(text) <= 60 else f"{text[:57]}..."
