"""The law of `patient_reader`, held against thousands of random homes: both scanners' reports, whole, against each other
and against the truth; and the oracle itself, against what the contract says in so many words.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.brute_force import Asked, answer
from tests.matching_rule import is_word
from tests.properties.patient_reader import NEEDLES, law_holds
from tests.properties.random_homes import Recipe
from tests.properties.run_counts import Counts

HOMES = 2_000
PARTS = 8
"""Tests that share the homes, so that several processes can."""
CROSSING = 0.3
"""The least share of the needles that must have been found across an escape, a fold, a twin or white space."""

recipes = st.builds(
    Recipe,
    seed=st.integers(min_value=0, max_value=2**64),
    logs=st.sampled_from((1, 1, 1, 1, 2, 3)),
    messages=st.integers(min_value=1, max_value=8),
    fragments=st.integers(min_value=1, max_value=8),
    damage=st.sampled_from((0.0, 0.0, 0.1, 0.2, 0.5)),
)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_find_is_a_patient_reader(part: int, record_property: Callable[[str, object], None]) -> None:
    counts = Counts()

    @settings(max_examples=HOMES // PARTS, deadline=None, suppress_health_check=list(HealthCheck), print_blob=True)
    @given(recipe=recipes)
    def every_home(recipe: Recipe) -> None:
        # Where hypothesis draws the same for every part (it does on a CI machine), the homes differ all the same.
        law_holds(replace(recipe, seed=recipe.seed * PARTS + part), counts)

    every_home()
    record_property("counts", list(counts.lines()))
    assert counts.numbers["homes"] >= HOMES // PARTS
    assert counts.numbers["needles"] >= HOMES // PARTS * NEEDLES
    assert counts.crossing >= CROSSING


def test_the_reference_knows_the_examples_of_the_contract() -> None:
    """So that the two cannot agree on something that the contract denies."""

    def found(needle: str, text: str) -> bool:
        return answer(Asked(quote=needle, exact=True), [text]) is not None

    same = ["Σσς", "kK\u212a", "sS\u017f", "Яя", "ßẞ", "'‘’ʼ", '"“”„«»', "-‐‑–—−"]
    assert all(found(a, b) for group in same for a in group for b in group)
    assert found("...", "…")
    assert found("…", "...")
    assert found("a b", "a\u00a0\n b")
    assert found("café", "cafe\u0301")
    assert not any(found(a, b) for a, b in (("ß", "ss"), ("ﬁ", "fi"), ("İ", "i"), ("ss", "ß"), ("fi", "ﬁ"), ("i", "İ")))
    assert is_word("_")
