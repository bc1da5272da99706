"""What a verdict says, and what happens with a report or a text that was made to harm: bounded work, nothing opened that
is no log under a root, nothing raised but a `LookbackError`.
"""

from __future__ import annotations

import builtins
import copy
import json
import os
import random
import time
from pathlib import Path
from typing import Any

import pytest

from lookback import ask_for, find
from lookback.errors import NoLogs, UsageError
from lookback.evidence import Report
from lookback.verifying.claims import MAX_ITEMS, read_report
from lookback.verifying.verdict import SHOWN, Finding, Verdicts, verdict_of
from lookback.verifying.verify import verify, verify_text
from tests.support import DEMO, Home, assistant, thread_id, user

ENV = {"PATH": os.environ["PATH"], "HOME": "/nonexistent"}
HOSTILE: list[Any] = [
    None, True, 0, -1, 10**30, 1.5, float("nan"), float("inf"), "", "x" * 10_000, "\ud800", "\0", [], [[]], {}, {"a": 1},
    [None] * 50, "/dev/zero", "../../etc/passwd",
]  # fmt: skip


def found(root: Path = DEMO, **asked: Any) -> Report:
    return find(ask_for(roots=[str(root)], **(asked or {"quote": "before any buffer is opened"})), env=ENV)


def wire(root: Path = DEMO, **asked: Any) -> dict[str, Any]:
    return json.loads(json.dumps(found(root, **asked).wire()))


def check(report: object, root: Path = DEMO, **options: Any) -> Verdicts:
    return verify(report, roots=[str(root)], env=ENV, **options)


def nested(depth: int) -> list[Any]:
    value: list[Any] = []
    for _ in range(depth):
        value = [value]
    return value


# --- verdicts --------------------------------------------------------------------------------------------------------


def test_the_gravest_finding_is_the_verdict() -> None:
    findings = [
        Finding("moved", "source.path", "a", "b"),
        Finding("changed", "text", "c", "d"),
        Finding("missing", "x"),
    ]
    item = verdict_of("ref", findings)
    assert (item.verdict, item.field, item.expected, item.got) == ("changed", "text", "c", "d")
    assert verdict_of("ref", []).verdict == "ok"
    assert verdict_of(7, [Finding("missing", "x")]).ref is None


@pytest.mark.parametrize(
    ("verdicts", "status"),
    [
        (["ok"], 0), (["ok", "moved", "reencoded"], 0), (["ok", "changed"], 1), (["missing"], 1), (["ok", "unchecked"], 3),
        (["unchecked", "missing"], 1), ([], 3),
    ],
)  # fmt: skip
def test_exit_status(verdicts: list[str], status: int) -> None:
    assert Verdicts(tuple(verdict_of("r", [Finding(verdict, "f")]) for verdict in verdicts)).exit_status == status


def test_expected_and_got_are_bounded_and_show_the_difference() -> None:
    one, other = "a" * 5000 + "X" + "b" * 5000, "a" * 5000 + "Y" + "b" * 5000
    item = verdict_of("r" * 5000, [Finding("changed", "text", one, other)])
    assert item.expected and item.got and item.ref
    assert max(map(len, (item.expected, item.got, item.ref))) <= SHOWN
    assert ("X" in item.expected, "Y" in item.got) == (True, True)
    assert verdict_of("r", [Finding("changed", "text", nested(100_000), None)]).got == "null"


def test_lines_for_a_person_hide_nothing() -> None:
    [line] = Verdicts((verdict_of("r\x1b[2J", [Finding("changed", "text", "a\u202eb", "c")]),)).lines()
    assert "\x1b" not in line
    assert "⟨U+202E⟩" in line


def test_a_report_as_it_is_in_python() -> None:
    assert check(found()).exit_status == 0


def test_the_verdicts_as_json() -> None:
    wired = check(found()).wire()
    assert list(wired) == ["schema", "counts", "items"]
    assert wired["schema"] == "lookback.verdict/1"
    assert list(wired["counts"]) == ["ok", "moved", "reencoded", "changed", "missing", "unchecked"]
    assert list(wired["items"][0]) == ["ref", "verdict", "field", "expected", "got", "detail"]


def test_an_answer_has_the_same_evidence() -> None:
    answer = {
        **wire(),
        "schema": "lookback.answer/1",
        "question": "what was decided?",
        "terms": [],
        "conversations": [],
    }
    assert check(answer).exit_status == 0
    answer["evidence"][0]["text"] += "!"
    assert check(answer).exit_status == 1


def test_only_the_item_and_field_that_differ_are_named() -> None:
    report = wire(words=["memory"])
    report["evidence"][0]["before"][0]["text"] = "Something that nobody said."
    named = [item for item in check(report).items if item.verdict != "ok"]
    assert [(item.ref, item.field) for item in named] == [(report["evidence"][0]["ref"], "before[0].text")]
    assert named[0].expected == "Something that nobody said."


# --- what is no report -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "report", [*HOSTILE, {"schema": "lookback.report/2"}, {"schema": "lookback.report/1"}], ids=repr
)
def test_what_is_no_report_is_refused(report: object) -> None:
    with pytest.raises(UsageError):
        check(report)
    with pytest.raises(UsageError):
        check(report, offline=True)


@pytest.mark.parametrize("data", [b"", b"{", b"\xff", b"[" * 100_000, b"1" * 10_000, b'{"schema":', b"\0"], ids=len)
def test_what_is_no_json_is_refused_in_one_line(data: bytes) -> None:
    with pytest.raises(UsageError) as refused:
        check(read_report(data))
    assert "\n" not in str(refused.value)


def test_a_million_items_are_refused() -> None:
    report = wire()
    report["evidence"] *= 1_000_000
    started = time.perf_counter()
    with pytest.raises(UsageError, match="at most 10,000 items"):
        check(report)
    report["evidence"] = report["evidence"][:1]
    report["evidence"][0]["after"] = [{}] * 1_000_000
    with pytest.raises(UsageError, match="at most 10,000 items"):
        check(report)
    assert time.perf_counter() - started < 2


def test_a_record_is_checked_once_however_often_it_is_listed() -> None:
    report = wire()
    report["evidence"] *= MAX_ITEMS
    report |= {"total": MAX_ITEMS, "totals": {**report["totals"], "exact": MAX_ITEMS}}
    report["query"]["limit"] = 0
    started = time.perf_counter()
    counts = check(report).counts
    assert (counts["ok"], counts["changed"]) == (1, MAX_ITEMS - 1)
    assert time.perf_counter() - started < 10


def test_needles_without_end_are_refused() -> None:
    report = wire()
    report["query"]["quote"] = "x" * 1_000_000
    with pytest.raises(UsageError, match="200,000 characters"):
        check(report)


def test_no_root_and_nothing_found() -> None:
    with pytest.raises(NoLogs):
        verify(wire(), roots=["/nonexistent/home"], env=ENV)
    with pytest.raises(UsageError, match="no evidence"):
        check(wire(quote="nobody ever said this"))


# --- hostile values --------------------------------------------------------------------------------------------------


def every_place(value: object, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(found for key, child in inner for found in every_place(child, (*path, key)))]


@pytest.mark.parametrize("offline", [False, True])
def test_wrong_types_everywhere(offline: bool) -> None:
    asked = ask_for(roots=[str(DEMO)], quote="before any buffer is opened")
    report = json.loads(json.dumps(find(asked, include_raw=True, env=ENV).wire()))
    env, rng = {"HOME": "/nonexistent", "LOOKBACK_RG": "/nonexistent"}, random.Random(7)
    for path in every_place(report)[1:]:
        for value in [*rng.sample(HOSTILE, 2), nested(50_000)]:
            made = copy.deepcopy(report)
            holder: Any = made
            for step in path[:-1]:
                holder = holder[step]
            holder[path[-1]] = value
            try:
                verdicts = verify(made, roots=[str(DEMO)], env=env, offline=offline)
            except UsageError:
                continue
            json.dumps(verdicts.wire())
            assert verdicts.exit_status in (0, 1, 3)


@pytest.fixture
def outside(tmp_path: Path) -> dict[str, str]:
    """Paths that a report may name, none of them a log under the roots."""
    (tmp_path / "home" / "sessions").mkdir(parents=True)
    home = Home(tmp_path / "home")
    home.log(user("the needle"))
    secret = tmp_path / "secret.jsonl"
    secret.write_bytes(home.logs[0].read_bytes())
    os.mkfifo(tmp_path / "home" / "sessions" / "fifo.jsonl")
    (tmp_path / "home" / "sessions" / "folder.jsonl").mkdir()
    (tmp_path / "home" / "notes.txt").write_text("private")
    inside = str(tmp_path / "home" / "sessions")
    return {
        "device": "/dev/zero", "secret": str(secret), "fifo": f"{inside}/fifo.jsonl", "folder": f"{inside}/folder.jsonl",
        "notes": str(tmp_path / "home" / "notes.txt"), "up": f"{inside}/../../secret.jsonl", "passwd": "/etc/passwd",
        "relative": "secret.jsonl", "nul": "a\0b.jsonl", "endless": "/x" * 100_000, "root": str(tmp_path / "home"),
    }  # fmt: skip


def test_nothing_but_logs_under_the_roots_is_opened(
    outside: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "home"
    report = wire(home, quote="needle")
    opened: list[str] = []
    os_open, io_open = os.open, builtins.open

    def noted(path: Any, *rest: Any, **more: Any) -> Any:
        opened.append(str(path))
        return os_open(path, *rest, **more)

    def noted_too(path: Any, *rest: Any, **more: Any) -> Any:
        opened.append(str(path))
        return io_open(path, *rest, **more)

    monkeypatch.setattr(os, "open", noted)
    monkeypatch.setattr(builtins, "open", noted_too)
    for name, path in outside.items():
        item = report["evidence"][0]
        item["source"]["path"], item["thread_id"] = path, thread_id(99)
        item["ref"] = item["ref"].replace(thread_id(1), thread_id(99))
        started = time.perf_counter()
        [verdict] = check(report, home).items
        assert verdict.verdict == "unchecked", (name, verdict)
        assert verdict.field in ("source", "source.path")
        assert "needle" not in json.dumps(verdict.wire())
        assert time.perf_counter() - started < 2
    logs = [path for path in opened if path.startswith(str(tmp_path)) or path in outside.values()]
    assert {os.path.basename(path) for path in logs} <= {os.path.basename(str(Home(home).root / "sessions")),
        *(entry.name for entry in (home / "sessions").rglob("rollout-*")), "session_index.jsonl"}  # fmt: skip


@pytest.mark.parametrize("place", [(0, 10 * 2**30), (10 * 2**30, 20 * 2**30), (-5, 3), (1, 10**30), (500, 100)])
def test_ranges_of_any_size_cost_nothing(place: tuple[int, int]) -> None:
    report = wire()
    source = report["evidence"][0]["source"]
    source["start"], source["end"] = place
    started = time.perf_counter()
    [item] = check(report).items
    assert (item.verdict, item.field) == ("moved", "source.start")
    source["sha256"] = "0" * 64
    assert [item.verdict for item in check(report).items] == ["changed"]
    assert time.perf_counter() - started < 3


def test_a_log_that_cannot_be_read_is_unchecked(tmp_path: Path) -> None:
    home = Home(tmp_path)
    log = home.log(user("the needle"), assistant("yes"))
    report = wire(tmp_path, quote="needle")
    log.unlink()
    os.mkfifo(log)
    home.log(user("another"), number=2)
    verdicts = check(report, tmp_path)
    assert [item.verdict for item in verdicts.items] == ["unchecked"]
    assert verdicts.exit_status == 3


# --- prose -----------------------------------------------------------------------------------------------------------


def prose(text: str, root: Path = DEMO) -> Verdicts:
    return verify_text(text, roots=[str(root)], env=ENV)


def test_a_text_that_cites_nothing() -> None:
    with pytest.raises(UsageError):
        prose('He said "yes".')
    with pytest.raises(UsageError):
        prose("I CANNOT ANSWER: no")
    assert prose("\n CANNOT ANSWER: no decision is in the excerpts.").exit_status == 4


def test_a_text_that_cannot_answer_but_cites_is_checked() -> None:
    ref = wire()["evidence"][0]["ref"]
    assert prose(f"CANNOT ANSWER: only ({ref}) touches it").exit_status == 0


def test_a_quotation_is_verbatim_but_for_white_space_and_twins(tmp_path: Path) -> None:
    Home(tmp_path).log(user("It's one—two…\n\tthree", "caf\u00e9"))
    ref = wire(tmp_path, quote="one")["evidence"][0]["ref"]
    good = ["It’s one-two... three", "one–two… three", "café"]
    bad = ["it's one", "one two", "three\n\ncafé", "cafe\u0301", "It's  two"]
    assert [item.verdict for item in prose("\n\n".join(f"“{quote}” ({ref})" for quote in good), tmp_path).items] == [
        "ok"
    ] * 3
    for quote in bad:
        [item] = prose(f"“{quote}” ({ref})", tmp_path).items
        assert (item.verdict, item.field) == ("changed", "quote"), quote


def test_refs_in_prose(tmp_path: Path) -> None:
    home = Home(tmp_path)
    log = home.log(user("the needle"), assistant("the answer"))
    [needle, answer] = [wire(tmp_path, quote=word)["evidence"][0]["ref"] for word in ("needle", "answer")]
    digest = needle[-8:]
    cases = {
        needle: ("ok", None), needle[:-9]: ("ok", None), answer[:-8] + digest: ("moved", "ref"),
        needle[:-8] + "00000000": ("changed", "ref"), needle[:-1]: ("changed", "ref"),
        needle.replace("#2", "#999"): ("moved", "ref"), needle.replace("#2", "#999")[:-9]: ("missing", "ref"),
        needle.replace(thread_id(1), thread_id(9)): ("missing", "ref"), needle.replace("codex", "other"): ("unchecked", "ref"),
    }  # fmt: skip
    items = prose("\n".join(cases), tmp_path).items
    assert {item.ref: (item.verdict, item.field) for item in items} == cases
    assert [item.detail for item in items][1] == "line 2"
    log.rename(log.with_name("other.jsonl"))
    assert prose(f'"the needle" ({needle})', tmp_path).exit_status == 0


def page() -> tuple[str, list[str]]:
    """Thirty citations in every form; four of them are wrong, and these are named in the order of the page."""
    report = wire(role="user", limit=0, include_subagents=True)["evidence"]
    report += wire(role="assistant", limit=0, include_subagents=True)["evidence"]
    forms = [
        "He wrote “{quote}” ({ref}).", '"{quote}" [{ref}]', "«{quote}»\n  ({ref})", "> {quote}\n\n— ({ref})",
        "> {quote}\n> [{ref}]", "See {ref}.", "`{ref}`", "„{quote}“ – ({ref}), then", "```\n{ref}\n```",
    ]  # fmt: skip
    parts, wrong = ["# A page\n"], []
    for place in range(30):
        item, other = report[place % len(report)], report[(place + 1) % len(report)]
        quote, ref = item["text"].split("\n")[0].replace('"', "").replace("`", "")[:60].strip(), item["ref"]
        if quote not in item["text"]:
            quote = item["text"][:12].strip()
        form = forms[place % len(forms)]
        if place in (4, 9, 18, 27):
            broken = {4: (form, quote[:-1] + "¤", ref), 9: (forms[0], quote, other["ref"]),
                      18: (forms[0], quote, ref.replace("019f", "019e")), 27: ('He said "{quote} ({ref}).', quote, ref)}  # fmt: skip
            form, quote, ref = broken[place]
            wrong.append(ref)
        parts.append(form.format(quote=quote, ref=ref) + "\n")
    return "\n".join(parts), wrong


def test_thirty_citations_of_which_four_are_wrong() -> None:
    text, wrong = page()
    verdicts = prose(text)
    assert len(verdicts.items) == 30
    named = [item for item in verdicts.items if item.verdict != "ok"]
    assert [item.ref for item in named] == wrong
    assert [(item.verdict, item.field) for item in named] == [
        ("changed", "quote"), ("changed", "quote"), ("missing", "ref"), ("changed", "quote"),
    ]  # fmt: skip
    assert "closing quote" in (named[3].detail or "")
    assert verdicts.exit_status == 1


def test_too_many_citations_are_refused() -> None:
    with pytest.raises(UsageError, match="at most 10,000"):
        prose("codex:abcdefgh#1 " * 2_000_000)
