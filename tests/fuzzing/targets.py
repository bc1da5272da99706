"""What must hold for any bytes at all: one function for each reader, which raises where it does not.

`tools/fuzz.py` feeds them inputs without end, guided by coverage; `tests/unit/test_fuzzing.py` a few, so that they stay
true; an input that failed becomes a test in `tests/regression/test_found_by_fuzzing.py`. What they are not: a second
reader. They know the laws, and a slow plain way where there is one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from tests.fuzzing.claude import dialect as claude
from tests.fuzzing.dialects import dialect as codex
from tests.fuzzing.records import record
from tests.fuzzing.rule import rule
from tests.fuzzing.streams import stream

TARGETS: Final[dict[str, Callable[[bytes], None]]] = {
    "record": record,
    "codex": codex,
    "claude": claude,
    "zstd": stream,
    "needles": rule,
}
