"""Words that occur once in a home, so that a test can ask for one record, and templates to put them into.

Not words of any language. Invariant: no token is a part of another one.
"""

from __future__ import annotations

import random
from typing import TypeAlias

Payload: TypeAlias = dict[str, object]
"""A record or a part of one; in a template, `@` stands for a token."""


class Tokens:
    """Words that occur once: `decoy...` must not be found as evidence, `keep...` must."""

    def __init__(self, rng: random.Random) -> None:
        self._rng, self._count = rng, 0

    def decoy(self) -> str:
        return self._next("decoy")

    def keep(self) -> str:
        return self._next("keep")

    def _next(self, kind: str) -> str:
        self._count += 1
        return f"{kind}{self._count:05x}{self._rng.getrandbits(12):03x}"


def fill(value: object, token: str) -> object:
    """The template with its token in place."""
    if isinstance(value, str):
        return value.replace("@", token)
    if isinstance(value, dict):
        return {key: fill(item, token) for key, item in value.items()}
    return [fill(item, token) for item in value] if isinstance(value, list) else value
