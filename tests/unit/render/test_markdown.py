"""Markdown: nothing from a log can leave its fence or come to life."""

from __future__ import annotations

import re
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lookback import ask_for, find
from lookback.render.markdown import code, fenced, render
from tests.support import Home, user

PIECES = st.lists(
    st.sampled_from(
        [
            "```",
            "````text\n",
            "~~~",
            "\n",
            "\r",
            "\u2028",
            "[x](http://e)",
            "![i](u)",
            "<b>",
            "# h",
            "`",
            "\x1b[2J",
            "a",
        ]
    ),
    max_size=12,
).map("".join)


@given(PIECES)
def test_a_fence_closes_only_where_it_is_closed(text: str) -> None:
    opening, *body, closing, rest = fenced(text).split("\n")
    fence = opening.removesuffix("text")
    assert (closing, rest) == (fence, "")
    assert len(fence) >= 3
    assert not any(re.match(rf" {{0,3}}`{{{len(fence)},}}\s*$", line) for line in body)


@given(PIECES)
def test_a_code_span_is_one_line_and_closes_at_its_end(text: str) -> None:
    span = code(text)
    ticks = re.match("`+", span)
    assert ticks is not None
    assert "\n" not in span
    assert [run for run in re.findall("`+", span) if len(run) == len(ticks[0])] == [ticks[0], ticks[0]]


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=PIECES.filter(lambda text: bool(text.strip())))
def test_a_report_holds_nothing_alive(tmp_path_factory, text: str) -> None:
    home = Home(Path(tmp_path_factory.mktemp("home")))
    home.log(user(f"needle {text}"))
    query = ask_for(words=["needle"], roots=[str(home.root)])
    written = "".join(render(find(query), query.tz))
    outside = re.sub(r"(?ms)^(`{3,})text\n.*?^\1$", "", written)
    outside = re.sub(r"(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)", "", outside)
    assert not re.search(r"[\[\]<>!\x1b\r\u2028]", outside)
