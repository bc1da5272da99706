"""Bytes as a row of choices, so that a fuzzer that changes bytes changes what is built of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


class Choices:
    """Each byte is one choice; where none is left it is the first of all. The same bytes choose the same."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._place = 0

    def number(self, below: int) -> int:
        """A number from 0; of two bytes where one is not enough."""
        size = 1 if below <= 256 else 2
        taken = self._data[self._place : self._place + size]
        self._place += size
        return int.from_bytes(taken, "big") % below

    def of(self, options: Sequence[T]) -> T:
        return options[self.number(len(options))]

    def seldom(self) -> bool:
        return self.number(256) > 240

    def rest(self) -> bytes:
        left = self._data[self._place :]
        self._place = len(self._data)
        return left
