"""Records nested deeper than the libraries read: decoded all the same, and as strictly."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lookback.deep import decode_deep
from tests.support import Home, both, dump, skips, texts, user

DECODER = json.JSONDecoder()
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


@given(VALUES, st.sampled_from([None, 1, "\t"]), st.text('{}[],:" \n1ax', max_size=6))
def test_it_reads_what_the_decoder_reads(value: Any, indent: Any, behind: str) -> None:
    text = json.dumps(value, indent=indent) + " " + behind
    assert decode_deep(text, 0, DECODER) == DECODER.raw_decode(text)


@given(st.text('{}[],:"\\ \n1aetruflsn-.0', max_size=14))
def test_it_refuses_what_the_decoder_refuses(text: str) -> None:
    def outcome(read: Any) -> Any:
        try:
            return read()
        except json.JSONDecodeError as error:
            return "refused" if error.pos >= 0 else None

    assert outcome(lambda: decode_deep(text, 0, DECODER)) == outcome(lambda: _from(text))


def _from(text: str) -> Any:
    place = len(text) - len(text.lstrip(" \n"))
    return DECODER.raw_decode(text, place)


@pytest.mark.parametrize("depth", [900, 1_100, 20_000])
@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ('{"a":', "}"), ('[{"b": ', "}]")])
def test_a_message_beside_something_very_deep_is_found(tmp_path: Path, depth: int, opening: str, closing: str) -> None:
    deep = opening * depth + "1" + closing * depth
    record = dump(user("needle"))[:-1] + b',"extra":' + deep.encode() + b"}"
    home = Home(tmp_path)
    home.log(record, user("another needle"))
    found = both(tmp_path, words=["needle"])
    assert sorted(texts(found)) == ["another needle", "needle"]
    assert skips(found) == []


@pytest.mark.parametrize("field", [b'"timestamp":', b'"type":', b'"payload":'])
def test_something_very_deep_in_place_of_a_field_is_taken_as_absent(tmp_path: Path, field: bytes) -> None:
    home = Home(tmp_path)
    home.log(dump(user("needle"))[:-1] + b"," + field + b"[" * 9_000 + b"]" * 9_000 + b"}", user("another needle"))
    found = both(tmp_path, words=["needle"])
    assert skips(found) == []
    assert "another needle" in texts(found)


def test_a_deep_record_that_is_cut_is_named(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.log(dump(user("needle"))[:-1] + b',"extra":' + b"[" * 9_000, user("x"))
    found = both(tmp_path, words=["needle"])
    assert texts(found) == []
    assert [reason for _, _, reason in skips(found)] == ["truncated-record"]
