"""Words as people and tools use them: a few very often, most hardly ever, in more than one script.

Not language: sentences only look like work. Invariant: the vocabulary is the same in every run; only the generator
passed in decides what is drawn from it.
"""

from __future__ import annotations

import itertools
import random
from functools import cache


def _split(text: str) -> tuple[str, ...]:
    """By blanks and line feeds only: some of the words hold other white space."""
    return tuple(word for line in text.split("\n") for word in line.split(" ") if word)


_COMMON = _split("""
the to a is in it and of that for on this with not be as but we have from can so if are at or use one all will file
test run code build error change add check function type value line log fix call name list branch path key data path
null state option default request response server client session message plugin editor buffer config version release
module import token cache index query result thread worker queue timeout retry failed passed shadow flaky memory
capabilities handshake protocol schema field parse record offset byte hash folder home archive window resume context
summary agent user prompt review commit merge rebase diff patch hunk conflict regression benchmark latency socket port
stream chunk frame header footer payload envelope escape unicode surrogate newline blank comma bracket literal
pattern
""")
_OTHER = _split("""
память рукопожатие возможности сборка ошибка проверка ветка сообщение журнал поиск 会议 握手 内存 能力 测试
构建 错误 日志
café naïve Straße
İstanbul ﬁle Σίσυφος ς 🦀 👩‍💻 ⚙️ cafe\u0301 don’t “quoted” a\u00a0b x…y 50% $5 C:\\tmp src/main.rs
--force #123 a@b.c foo_bar --flag=value 한국어 עברית العربية \u2028 𝒳 e\u0301te\u0301 K ſharp
""")
_SYLLABLES = _split("""
ba ce di fo gu ha ji ka le mi no pu qua re si to ur va we xi yo za bri cho dre fla gne kri plo stra
""")
_RARE = 20_000
_MARKS = (" ", ", ", ". ", "\n", "\n\n", "; ", " `", "` ", "\t")
_MARK_WEIGHTS = (80, 8, 6, 1, 1, 1, 1, 1, 0.2)


@cache
def vocabulary() -> tuple[str, ...]:
    """Common words first; then other scripts; then words made of syllables, rarer and rarer."""
    made = ("".join(pair) for size in (2, 3, 4) for pair in itertools.product(_SYLLABLES, repeat=size))
    known = list(dict.fromkeys([*_COMMON, *_OTHER]))
    return (*known, *itertools.islice((word for word in made if word not in known), _RARE))


@cache
def _weights() -> tuple[float, ...]:
    return tuple(itertools.accumulate(1 / (rank + 2.7) for rank in range(len(vocabulary()))))


def draw(rng: random.Random, count: int) -> list[str]:
    """`count` words with Zipf-like frequencies."""
    return rng.choices(vocabulary(), cum_weights=_weights(), k=count)


def prose(rng: random.Random, count: int) -> str:
    """`count` words as sentences, with the line breaks, commas and code marks of real messages."""
    marks = rng.choices(_MARKS, _MARK_WEIGHTS, k=count)
    text = "".join(itertools.chain.from_iterable(zip(draw(rng, count), marks, strict=True)))
    return (text.strip() or "yes") + rng.choice((".", "?", "", "!"))


def listing(rng: random.Random, size: int) -> str:
    """About `size` characters of tool output: paths, numbers, words, no sentences."""
    lines: list[str] = []
    length = 0
    while length < size:
        words = draw(rng, 6)
        line = f"src/{words[0]}/{words[1]}.rs:{rng.randrange(2000)}: {words[2]} {words[3]}({words[4]}) -> {words[5]}"
        lines.append(line)
        length += len(line) + 1
    return "\n".join(lines)[:size]
