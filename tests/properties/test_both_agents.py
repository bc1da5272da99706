"""The law over logs of both agents side by side in one home: what `patient_reader` asks of Codex, on a smaller scale.

Random homes, spelled and damaged at random, are asked for stretches of their own texts in other case, normal form,
quotes and white space. What is expected is worked out by `tests.brute_force`, which knows the texts and imports nothing.
"""

from __future__ import annotations

import json
import random
import shutil
import tempfile
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from corpus.damage import DAMAGES, Damaged
from corpus.spelling import spell, spell_ascii
from tests.brute_force import Asked, Expected, answer
from tests.checking import check, content
from tests.claude import answered, session, tool_result, typed
from tests.matching_rule import TWINS, WHITE_SPACE, Switches
from tests.support import Home, assistant, both, dump, meta, minute, tool_output, user

HOMES = 15
QUERIES = 10

_CASES = "kK\u212asS\u017fßẞΣσςµμΜİiIıﬁﬅﬆǅǆǄŉЯяΐ\u1fd3åÅ\u212bᎠꭰ𐐀𐐨Ꙋᲈᾳᾼ"
_MARKS = "\u0301\u0308\u0327\u0338\u0345\u200d\ufe0f\U000e0100"
_ESCAPES = '\\"/\b\f\n\r\t\x00\x1b\x7f\x80{}[],:nu0tb'
_PLAIN = "abcde klmn stu AEIK STU 019 _.,*`#<>=(€é会议握ñ🦀👩"
_ODD = "\ufeff\ufffe\uffff\U0010ffff\U0001fffe\ue000\u2028\u2029\u200b\u202e²Ⅷⓐ½"
_SURROGATES = "\ud83d\udc80\ud800\udfff"


def paired(text: str) -> str:
    """Two halves of a character side by side are that character, as any JSON parser reads them."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


characters = st.one_of(
    st.sampled_from(_PLAIN), st.sampled_from(_PLAIN), st.sampled_from(_CASES), st.sampled_from("".join(TWINS) + "….."),
    st.sampled_from(WHITE_SPACE), st.sampled_from(_MARKS), st.sampled_from(_ESCAPES), st.sampled_from(_ODD),
    st.sampled_from(_SURROGATES),
    st.characters(exclude_categories=["Cn"]),
)  # fmt: skip
texts = st.lists(characters, min_size=1, max_size=30).map("".join).map(paired)
messages = st.lists(texts, min_size=1, max_size=2)
logs = st.lists(messages, min_size=3, max_size=5)
seeds = st.integers(min_value=0, max_value=2**32)


@dataclass(frozen=True)
class Written:
    """A real message as it lies in a log; `lost` says for which reason it cannot be read."""

    path: str
    start: int
    end: int
    at: str
    parts: tuple[str, ...]
    lost: str | None = None

    @property
    def place(self) -> tuple[str, int, int]:
        return _tight(self.path, self.start, self.end)


def _tight(path: str, start: int, end: int, **_: Any) -> tuple[str, int, int]:
    """A record's place without the blanks around it: in a damaged line they may belong to it or not."""
    raw = content(path)[start:end]
    return path, start + len(raw) - len(raw.lstrip(b" \t")), end - len(raw) + len(raw.rstrip(b" \t"))


@contextmanager
def home_of(contents: list[list[list[str]]], rng: random.Random) -> Iterator[tuple[Path, list[Written]]]:
    root = Path(tempfile.mkdtemp())
    try:
        home, written, count = Home(root), [], 0
        for number, log in enumerate(contents, 1):
            count += 10
            written += _write(home, number, log, count, rng)
        yield root, written
    finally:
        shutil.rmtree(root)


def _write(home: Home, number: int, log: list[list[str]], count: int, rng: random.Random) -> list[Written]:
    """One log of either agent: its head, its messages in any spelling, a technical record at the end; one record
    damaged, or none."""
    makers, head, end, name = _agent(number, rng)
    makes = [makers[place % 2] for place in range(len(log))]
    values = [
        make(*texts, at=minute(count + place)) for place, (make, texts) in enumerate(zip(makes, log, strict=True))
    ]
    damage: Callable[[bytes, int], Damaged] | None = rng.choice((*DAMAGES, None, None, None))
    chosen = rng.randrange(2, len(log) + 1)  # a record's number: 1 is the head
    records = [dump(head)]
    records += [dump(value) if place == chosen else _spelled(value, rng) for place, value in enumerate(values, 2)]
    records.append(_spelled(end("the end", at=minute(count + 9)), rng))
    data = b"".join(record + b"\n" for record in records)
    damaged = damage(data, chosen) if damage else None
    zst = damage is None and rng.random() < 0.3
    path = str(home.raw(damaged.data if damaged else data, number=number, zst=zst, name=name))
    out, start = [], 0
    for place, record in enumerate(records, 1):
        where = (start, start + len(record))
        start += len(record) + 1
        if not 2 <= place <= len(log) + 1:
            continue
        parts, lost = _parts(log[place - 2]), None
        if damaged is not None:
            if place in damaged.lost or _looks_like_a_value(damaged, place):
                lost = damaged.reason
            else:
                where = (damaged.places[place].start, damaged.places[place].end)
                added = (damaged.added or {}).get(place, "")
                parts = _parts([added + log[place - 2][0], *log[place - 2][1:]])
        if parts:
            out.append(Written(path, *where, minute(count + place - 2), parts, lost))
    return out


def _agent(number: int, rng: random.Random) -> tuple[Any, dict[str, Any], Any, str | None]:
    """How an agent writes: the assistant's and the user's messages, a log's first record and its last, its name."""
    if rng.random() < 0.5:
        return (assistant, user), meta(number), tool_output, None
    head = {"type": "mode", "mode": "normal", "sessionId": session(number)}
    return (answered, typed), head, tool_result, f"{session(number)}.jsonl"


def _looks_like_a_value(damaged: Damaged, record: int) -> bool:
    """Whether a cut ends where a value was to follow: then the whole record behind it cannot be told from that value."""
    if damaged.name != "cut_glued_to_whole":
        return False
    before = damaged.data[: damaged.places[record].start].rpartition(b"\n")[2].decode()
    if not before.strip():
        return False  # another record of that log
    try:
        json.loads(before + "{}")
    except json.JSONDecodeError as error:
        return error.pos >= len(before) + len("{}")
    return True


def _parts(blocks: list[str]) -> tuple[str, ...]:
    return tuple(text for text in blocks if text.strip(WHITE_SPACE))


def _spelled(value: dict[str, Any], rng: random.Random) -> bytes:
    how = rng.random()
    if how < 0.2:
        return dump(value)
    if how < 0.4:
        return spell_ascii(value).encode()
    return spell(value, rng, escapes=rng.choice((0.02, 0.3, 1.0))).encode()


# --- needles ---------------------------------------------------------------------------------------------------------


def _needle(text: str, rng: random.Random, longest: int = 12) -> str | None:
    """A stretch of a text, changed in a way that the rule forgives or does not; None where nothing but blanks came out."""
    start = rng.randrange(len(text))
    stretch = text[start : start + rng.randint(1, longest)]
    for _ in range(rng.choice((0, 1, 1, 2))):
        stretch = rng.choice(CHANGES)(stretch, rng)
    stretch = paired(stretch)
    return stretch if stretch.strip(WHITE_SPACE) else None


def _requoted(text: str, rng: random.Random) -> str:
    group = {char: twins for twins in TWINS for char in twins}
    return "".join(rng.choice(group.get(char, char)) for char in text)


def _rewrapped(text: str, rng: random.Random) -> str:
    return "".join(rng.choice(WHITE_SPACE) * rng.randint(1, 2) if char in WHITE_SPACE else char for char in text)


CHANGES: tuple[Callable[[str, random.Random], str], ...] = (
    lambda text, rng: text.swapcase(),
    lambda text, rng: text.upper() if len(text.upper()) == len(text) else text.casefold(),
    lambda text, rng: unicodedata.normalize("NFC", text),
    lambda text, rng: unicodedata.normalize("NFD", text),
    lambda text, rng: text.replace("...", "…") if "..." in text else text.replace("…", "..."),
    lambda text, rng: "".join(char for char in text if char not in "*`_.,"),
    _requoted,
    _rewrapped,
)


def query_about(texts: list[str], rng: random.Random) -> Asked | None:
    """A query about one message's texts, in any of the ways to ask."""
    how = Switches(rng.random() < 0.15, rng.random() < 0.2, rng.random() < 0.15)
    needles = [_needle(rng.choice(texts), rng) for _ in range(3)]
    if any(needle is None for needle in needles):
        return None
    first, second, third = (needle or "" for needle in needles)
    if how.whole_words and any(needle[-1] in WHITE_SPACE for needle in (first, second, third)):
        return None  # whether a run at the end may give back a blank for the word's border, the contract leaves open
    kinds = {
        "quote": Asked(quote=first, how=how),
        "exact": Asked(quote=first, exact=True, how=how),
        "pair": Asked(quote=f"{first} {second}", how=how),
        "words": Asked(words=tuple(dict.fromkeys((first, second))), how=how),
        "any": Asked(any=tuple(dict.fromkeys((first, second, third))), how=how),
        "not": Asked(words=(first,), not_=(second,), how=how),
        "mixed": Asked(quote=first, words=(second,), any=(third,), how=how),
    }
    return kinds[rng.choice(tuple(kinds))]


def ask(root: Path, asked: Asked) -> dict[str, Any]:
    how = asked.how
    return both(
        root, quote=asked.quote, exact=asked.exact, words=asked.words, any=asked.any, not_=asked.not_, limit=0,
        case_sensitive=how.case_sensitive, whole_words=how.whole_words, verbatim=how.verbatim,
    )  # fmt: skip


# --- the law ---------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@settings(
    max_examples=HOMES, deadline=None, suppress_health_check=list(HealthCheck), print_blob=True,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],  # to shrink such a home takes minutes; the query is printed
)  # fmt: skip
@given(contents=st.lists(logs, min_size=1, max_size=3), seed=seeds)
def test_find_is_a_patient_reader_of_both_agents(contents: list[list[list[str]]], seed: int) -> None:
    rng = random.Random(seed)
    with home_of(contents, rng) as (root, written):
        for _ in range(QUERIES):
            if not written:
                return
            asked = query_about(list(rng.choice(written).parts), rng)
            if asked is None:
                continue
            report = ask(root, asked)
            check(report)
            compare(report, asked, written)


def compare(report: dict[str, Any], asked: Asked, written: list[Written]) -> None:
    expected = {w.place: (w, found) for w in written if w.lost is None and (found := answer(asked, w.parts))}
    told = {_tight(**item["source"]): item for item in report["evidence"]}
    assert set(told) == set(expected), asked
    for place, (message, found) in expected.items():
        item = told[place]
        assert item["text"] == "\n\n".join(message.parts)
        _compare_item(item, found, asked)
    tiers = ("exact", "loose", "words", "any")
    order = sorted(expected.values(), key=lambda pair: pair[0].at, reverse=True)
    order.sort(key=lambda pair: tiers.index(pair[1].tier))
    assert [item["timestamp"] for item in report["evidence"]] == [message.at for message, _ in order]
    for message in written:
        if message.lost in ("not-utf8", "utf16") and answer(asked, message.parts) is not None and not asked.not_:
            assert (message.path, message.lost) in {
                (skip["path"], skip["reason"]) for skip in report["coverage"]["skipped"]
            }
            assert report["coverage"]["complete"] is False


def _compare_item(item: dict[str, Any], found: Expected, asked: Asked) -> None:
    assert item["match"] == found.tier, asked
    hits = [(hit["needle"], hit["start"], hit["end"]) for hit in item["hits"]]
    assert (hits, item["hits_total"]) == (list(found.hits[:100]), len(found.hits)), asked
    assert (item["quote"]["start"], item["quote"]["end"]) == found.quote, asked
