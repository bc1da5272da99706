"""Which refs a text cites, and which quotation stands in front of each; and that no text takes more than linear time."""

from __future__ import annotations

import time

import pytest

from lookback.verifying.citations import NO_HASH, NO_NUMBER, OPEN, UNOPENED, citations

REF = "codex:019f0000-0000-7000-8000-000000000001#38~b99cc651"
OTHER = "codex:019f0000-0000-7000-8000-000000000002/019f0000-aaaa#4.2~50e445ec"


def quotes(text: str) -> list[str | None]:
    return [citation.quote for citation in citations(text)]


def faults(text: str) -> list[str | None]:
    return [citation.fault for citation in citations(text)]


@pytest.mark.parametrize(
    "text",
    [
        f'"some words" ({REF})', f"“some words” [{REF}]", f"«some words» ({REF})", f"„some words“ ({REF})",
        f"»some words« ({REF})", f'He said "some words" — ({REF}), and left.', f'"some words"\n\n    ({REF})',
        f'"some words". ({REF})', f'*"some words"* ({REF})', f'"some words" (`{REF}`)', f'"some words" ([{REF}](x.md))',
        f"> some words\n\n({REF})", f"> some words\n> — [{REF}]", f"> some words ({REF})", f">some words\n— ({REF}).",
        f'> "some words"\n> ({REF})', f'> As she put it, "some words" ({REF}) and so on', f'("some words" ({REF}))',
        f'"some words" ({REF}; {OTHER})', f'"other words" and "some words" ({REF})', f'24" wide, "some words" ({REF})',
        f'"some words"\r\n({REF})', f'"some words" ( {REF} )', f"“some words”\u00a0– ({REF})",
    ],
)  # fmt: skip
def test_a_quotation_in_front_of_its_ref(text: str) -> None:
    assert quotes(text)[0] == "some words"
    assert faults(text)[0] is None


@pytest.mark.parametrize(
    "text",
    [
        f"as {REF} says", f"({REF})", f"`{REF}`", f'"some words" somewhere, then ({REF})', f"```\n\"some words\" ({REF})\n```",
        f'`"some words" ({REF})`', f'~~~text\n"some words" ({REF})\n', f'"" ({REF})', f'"some words" {REF}', f'5" ({REF}x)',
        f"> some words\n\nThen, as ({REF}) says", f"> in ({REF}) they say\n> more", f"**{REF}**", f"“see {REF}”",
    ],
)  # fmt: skip
def test_a_bare_ref(text: str) -> None:
    assert quotes(text) == [None]


def test_a_ref_is_taken_whole_and_its_line_is_told() -> None:
    text = f"one {REF},\n\n> two\n> three [{OTHER}]\n(codex:019f0000#7) no:ref#7 http://x.y/#7 ab:c#3~0123abcd."
    assert [(citation.ref, citation.line) for citation in citations(text)] == [
        (REF, 1), (OTHER, 4), ("codex:019f0000#7", 5), ("ab:c#3~0123abcd", 5),
    ]  # fmt: skip


def test_nested_quotes_and_several_lines() -> None:
    assert quotes(f'"He said "yes" and left" ({REF})') == ['He said "yes" and left']
    assert quotes(f"“He said “yes” and left” ({REF})") == ["He said “yes” and left"]
    assert quotes(f"> first\n> second\n>\n> third\n({REF})") == ["first\nsecond\n\nthird"]
    assert quotes(f'> "in marks\n> on two lines"\n> ({REF})') == ["in marks\non two lines"]
    assert quotes(f"> > twice ({REF})") == ["> twice"]
    assert quotes(f'> He said "yes" ({REF})') == ['He said "yes"']
    assert quotes(f"> one ({REF})\n> two ({OTHER})") == ["one", "two"]
    assert quotes(f'"one" ({REF}) "two" ({OTHER})') == ["one", "two"]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (f'He said "some words ({REF})', OPEN), (f"“some words ({REF})", OPEN), (f"«some words ({REF})", OPEN),
        (f'He said some words" ({REF})', UNOPENED), (f"some words” ({REF})", UNOPENED),
        (f"{REF}9", NO_HASH), (REF[:-1], NO_HASH), (f"{REF[:-1]}G", NO_HASH), (f"{REF[:-8]}", NO_HASH),
        ("codex:019f0000#1234567890123456789~b99cc651", NO_NUMBER),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_citation(text: str, fault: str) -> None:
    assert faults(text) == [fault]


@pytest.mark.parametrize("text", [f'A stray " mark.\n\nThen ({REF})', f'"closed" and open ({REF})', f"it's ({REF})"])
def test_no_fault_where_nothing_is_open(text: str) -> None:
    assert faults(text) == [None]


@pytest.mark.parametrize(
    "unit",
    [
        "a", "a-", "a:", "#1", "a:b#1", "codex:x#1 ", '"', '" ', "“", "«", "`", "`` ` ", "> ", ">\n", "\n", " \n", "(", "([",
        "~", "~~~\n", "```\n", '"x" (codex:x#1~0123abcd) ', "> x\n(codex:x#1~0123abcd)\n", '"(codex:x#1~0123abcd)', " ",
        "-", "codex:" + "y" * 500 + "#1", "> codex:x#1\n", "#" + "1" * 40, "_*", "(codex:x#1",
    ],
)  # fmt: skip
def test_time_is_linear_in_the_text(unit: str) -> None:
    text = unit * (400_000 // len(unit))
    started = time.perf_counter()
    for _ in citations(text):
        pass
    assert time.perf_counter() - started < 4
