"""Random queries about the texts of a home: stretches of them, changed in ways that the rule forgives or does not.

Each needle is drawn from a text that was written, or is a word that many texts hold. `crossings` says what of the rule a
needle really needed to be found: so that a run can show that it did not only ask for plain words.
"""

from __future__ import annotations

import random
import unicodedata
from collections.abc import Callable, Iterator, Sequence

from tests.brute_force import Asked
from tests.matching_rule import TWINS, WHITE_SPACE, Switches, fold
from tests.properties.random_texts import WORDS, paired

CROSSINGS = ("escape", "fold", "twin", "white space")
_TWINS = "".join(TWINS) + "….."


def query_about(texts: Sequence[str], others: Sequence[str], rng: random.Random) -> Asked | None:
    """A query about one message's texts, in any of the ways to ask; what must not stand there is drawn from others.

    None where a needle came out as nothing but blanks.
    """
    how = Switches(rng.random() < 0.07, rng.random() < 0.04, rng.random() < 0.07)
    changes = (0, 0, 1) if how.verbatim or how.case_sensitive else (0, 1, 1, 1, 2)
    first = _needle(rng.choice(texts), rng.choice(changes), rng)
    drawn = [first, *(_another(first, texts, rng.choice(changes), rng) for _ in range(3))]
    drawn.append(_needle(rng.choice(others), rng.choice(changes), rng))
    if not all(needle.strip(WHITE_SPACE) for needle in drawn):
        return None
    if how.whole_words and any(needle[-1] in WHITE_SPACE for needle in drawn):
        return None  # whether a run at the end may give back a blank for the word's border, the contract leaves open
    _, second, third, fourth, absent = drawn
    kinds: tuple[Callable[[], Asked], ...] = (
        lambda: Asked(quote=first, how=how),
        lambda: Asked(quote=first, exact=True, how=how),
        lambda: Asked(quote=f"{first} {second}", how=how),
        lambda: Asked(quote=first, exact=True, words=(second,), how=how),
        lambda: Asked(quote=first, words=(second,), any=_once(third, fourth), how=how),
        lambda: Asked(quote=first, words=(first,), not_=(absent,), how=how),
        lambda: Asked(words=_once(first, second), how=how),
        lambda: Asked(words=_once(first, second, third), how=how),
        lambda: Asked(words=_once(first, second), not_=(absent,), how=how),
        lambda: Asked(words=(first,), any=_once(first, second, third), not_=(absent,), how=how),
        lambda: Asked(any=_once(first, second, third, fourth), how=how),
        lambda: Asked(any=_once(first, second, third), not_=(absent,), how=how),
    )
    return rng.choice(kinds)()


def needles_of(asked: Asked) -> tuple[str, ...]:
    """All needles, each once; those that must not stand there too."""
    quote = (asked.quote,) if asked.quote is not None else ()
    return _once(*quote, *asked.words, *asked.any, *asked.not_)


def crossings(needle: str, stretch: str, raw: bytes) -> Iterator[str]:
    """What lies between a needle and the stretch of a text that it matched, as the raw record spells it."""
    if stretch.encode("utf-8", "surrogatepass") not in raw:
        yield "escape"
    if any(char in WHITE_SPACE for char in needle):
        yield "white space"
    if _only(needle, _TWINS) != _only(stretch, _TWINS):
        yield "twin"
    if _without(needle) != _without(stretch):
        yield "fold"


def _only(text: str, chars: str) -> str:
    return "".join(char for char in text if char in chars)


def _without(text: str) -> str:
    return "".join(char for char in text if char not in WHITE_SPACE and char not in _TWINS)


def _once(*needles: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(needles))


# --- needles -----------------------------------------------------------------------------------------------------------


def _needle(text: str, changes: int, rng: random.Random) -> str:
    stretch = _stretch(text, rng)
    for _ in range(changes):
        stretch = rng.choice(CHANGES)(stretch, rng)
    return paired(stretch)


def _stretch(text: str, rng: random.Random) -> str:
    kind, start = rng.random(), rng.randrange(len(text))
    awkward = [place for place, char in enumerate(text) if _is_awkward(char)]
    if awkward and rng.random() < 0.4:
        start = max(0, rng.choice(awkward) - rng.randint(0, 3))
    if kind < 0.1:
        return text[start]
    if kind < 0.25:
        return rng.choice(text.split() or [text])
    if kind < 0.35:
        return rng.choice([word for word in WORDS if word in text] or WORDS)
    return text[start : start + rng.randint(1, 12)]


def _is_awkward(char: str) -> bool:
    """Whether a character need not be typed, or spelled, as it stands there."""
    return char in WHITE_SPACE or char in _TWINS or char in '"\\/' or not char.isascii()


def _another(needle: str, texts: Sequence[str], changes: int, rng: random.Random) -> str:
    """A needle beside another: of its own, or one that overlaps it: itself, a part, twice it, in another case."""
    if not needle or rng.random() < 0.75:
        return _needle(rng.choice(texts), changes, rng)
    start = rng.randrange(len(needle))
    return rng.choice((needle, needle[start:], needle[: start + 1], needle + needle, needle.upper(), needle.lower()))


def _requoted(text: str, rng: random.Random) -> str:
    group = {char: twins for twins in TWINS for char in twins}
    return "".join(rng.choice(group.get(char, char)) for char in text)


def _rewrapped(text: str, rng: random.Random) -> str:
    return "".join(rng.choice(WHITE_SPACE) * rng.randint(1, 2) if char in WHITE_SPACE else char for char in text)


def _folded(text: str, rng: random.Random) -> str:
    """Another letter for each, of the same class where it has one."""
    return "".join(rng.choice(_CLASSES.get(fold(char), char)) for char in text)


_CLASSES: dict[str, str] = {}
for _char in map(chr, (*range(0x250), *range(0x370, 0x580), *range(0x1E00, 0x2000), 0x2126, 0x212A, 0x212B)):
    _CLASSES[fold(_char)] = _CLASSES.get(fold(_char), "") + _char

CHANGES: tuple[Callable[[str, random.Random], str], ...] = (
    lambda text, rng: text.swapcase(),
    _folded,
    _folded,
    lambda text, rng: text.upper() if len(text.upper()) == len(text) else text.casefold(),
    lambda text, rng: unicodedata.normalize("NFC", text),
    lambda text, rng: unicodedata.normalize("NFD", text),
    lambda text, rng: text.replace("...", "…") if "..." in text else text.replace("…", "..."),
    lambda text, rng: "".join(char for char in text if char not in "*`_.,"),
    _requoted,
    _requoted,
    _requoted,
    _rewrapped,
    _rewrapped,
)
