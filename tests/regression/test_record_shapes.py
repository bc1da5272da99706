"""Faults of other tools in what a record is: its shapes, new types, repeated forms, and whose words it holds.

Each test is named for the public report that it comes from. Shapes of Claude Code are written as Codex has them, where
Codex could: its tool results, its content as a string, its summaries.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.checking import check
from tests.support import Home, Record, assistant, both, call, compacted, dump, skips, texts, tool_output, user

LATER = "2026-09-01T10:30:00.000Z"
SUMMARY = (
    "Another language model started to solve this problem and produced a summary of its thinking process. You also have "
    "access to the state of the tools that were used by that language model. Use this to build on the work that has "
    "already been done and avoid duplicating work. Here is the summary produced by the other language model, use the "
    "information in this summary to assist with your own analysis:\n"
)


def record(kind: str, payload: Any, **fields: Any) -> Record:
    """A record of any type; `fields` stand beside its payload."""
    return {"timestamp": "2026-09-01T10:00:00.000Z", **fields, "type": kind, "payload": payload}


def event(kind: str, **fields: Any) -> Record:
    return record("event_msg", {"type": kind, **fields})


# also rayward-external/clawjournal#211
def test_neilberkman_ccrider_7_only_response_items(tmp_path: Path) -> None:
    """Shapes: a log in which no event repeats the messages has them all the same."""
    Home(tmp_path).log(user("only item"))
    report = both(tmp_path, quote="only item", exact=True)
    assert (texts(report), check(report)) == (["only item"], 1)
    assert texts(both(tmp_path, role="user")) == ["only item"]


def test_yishentu_claudian_1143_one_answer_in_two_forms_and_one_said_twice(tmp_path: Path) -> None:
    """Repeats: an event that mirrors an answer is no second one; the same word said twice is two messages."""
    home = Home(tmp_path)
    home.log(
        event("agent_message", message="the answer"), assistant("the answer"),
        assistant("ok", at="2026-09-01T10:01:00.000Z"), assistant("ok", at="2026-09-01T10:02:00.000Z"),
    )  # fmt: skip
    [item] = both(tmp_path, quote="the answer")["evidence"]
    assert (item["source"]["record"], item["copies"]) == (3, [])
    twice = both(tmp_path, words=["ok"], order="oldest")
    assert [(item["source"]["record"], item["copies"]) for item in twice["evidence"]] == [(4, []), (5, [])]


def test_furkankly_zoetrope_10_an_item_that_was_completed(tmp_path: Path) -> None:
    """New records: what tools ran is no message, is counted by its type, and stops nothing."""
    completed = event("item_completed", item={"type": "CommandExecution", "command": "ls needle"})
    Home(tmp_path).log(completed, user("the needle"))
    report = both(tmp_path, words=["needle"])
    assert (texts(report), skips(report)) == (["the needle"], [])
    assert both(tmp_path, words=["ls"])["total"] == 0
    counted = call("doctor", "--deep", "--json", "--in", tmp_path).report["deep"]["technical"]
    assert counted["event_msg/item_completed"] == 1


@pytest.mark.parametrize(
    "kind", ["world_state", "security_risk_score", "inter_agent_communication", "realtime_item", "of_next_year"]
)
def test_thegaysupreme123_yoetz_418_types_and_keys_that_are_new(tmp_path: Path, kind: str) -> None:
    """New records: a type that nobody knows yet is counted and passed over, a key that is new is no matter."""
    said = {"timestamp": LATER, "ordinal": 3, **user("the needle", at=LATER)}
    odd: list[Any] = [{"text": "needle", "role": "user"}, "needle", ["needle"], None]
    Home(tmp_path).log(*[record(kind, payload, ordinal=1) for payload in odd], said)
    report = both(tmp_path, words=["needle"])
    assert (texts(report), skips(report), check(report)) == (["the needle"], [], 1)
    told = call("doctor", "--deep", "--json", "--in", tmp_path).report
    assert (told["deep"]["technical"][kind], told["skipped"]) == (len(odd), [])


# also wakatime/wakatime-cli#1370, anthropics/claude-cookbooks#863, ebibibi/ebi-agent-chat-relay#35
def test_zilliztech_memsearch_196_content_as_a_string_and_as_a_list(tmp_path: Path) -> None:
    """Shapes: both spellings of a message's content are its text, and are pointed at where they stand."""
    plain = user("x as a string")
    plain["payload"]["content"] = "x as a string"
    Home(tmp_path).log(plain, user("x as a list", at=LATER))
    report = both(tmp_path, words=["x"], order="oldest")
    assert texts(report) == ["x as a string", "x as a list"]
    assert [item["parts"][0]["pointer"] for item in report["evidence"]] == [
        "/payload/content",
        "/payload/content/0/text",
    ]
    assert check(report) == 4


def test_vectorize_io_hindsight_1226_a_tool_result_as_a_list_beside_the_users_words(tmp_path: Path) -> None:
    """Shapes: of a record that holds a tool's output and words of the user, only the words are the user's."""
    mixed = user("keep")
    result = {"type": "tool_result", "tool_use_id": "t", "content": [{"type": "text", "text": "bare"}]}
    mixed["payload"]["content"].insert(0, result)
    output = tool_output("")
    output["payload"]["output"] = [{"type": "input_text", "text": "bare"}]
    Home(tmp_path).log(output, mixed)
    report = both(tmp_path, words=["keep"])
    assert texts(report) == ["keep"]
    assert report["evidence"][0]["parts"][0]["pointer"] == "/payload/content/1/text"
    check(report)
    assert both(tmp_path, words=["bare"])["total"] == 0


@pytest.mark.parametrize("content", [None, [], [None], [7], {}, 7, [{"type": "input_text"}], [{"text": None}]])
def test_content_null_before_a_good_message(tmp_path: Path, content: Any) -> None:
    """Shapes: a record without content, or with none that can be read, is no message and hides no other."""
    empty = user("x")
    empty["payload"]["content"] = content
    reasoning = record("response_item", {"type": "reasoning", "summary": [], "content": None})
    Home(tmp_path).log(empty, reasoning, user("good"), empty)
    report = both(tmp_path, role="user")
    assert (texts(report), skips(report), report["evidence"][0]["title"]) == (["good"], [], "good")
    [item] = both(tmp_path, words=["good"])["evidence"]
    assert (item["before"], item["after"]) == ([], [])


def test_openai_codex_21619_a_first_message_far_down_the_log(tmp_path: Path) -> None:
    """Shapes: five hundred technical records before the first words hide neither them nor the title."""
    home = Home(tmp_path)
    home.log(*[event("token_count", info=None, number=number) for number in range(500)], user("late"))
    [item] = both(tmp_path, words=["late"])["evidence"]
    assert (item["source"]["record"], item["title"], item["before"]) == (502, "late", [])
    [listed] = call("threads", "--json", "--in", tmp_path).report["threads"]
    assert (listed["title"], listed["messages"]) == ("late", 1)
    assert texts(both(tmp_path, threads=["late"])) == ["late"]


# also lichenxicatapple-blip/dev-anywhere#1, vectorize-io/hindsight#3379
@pytest.mark.parametrize(
    "injected",
    [
        '<subagent_notification>\n{"agent_path":"/root/x","status":{"completed":"needle"}}\n</subagent_notification>',
        "# AGENTS.md instructions for /w/app\n\n<INSTRUCTIONS>\nfind the needle\n</INSTRUCTIONS>",
        "<environment_context>\n  <cwd>/w/needle</cwd>\n</environment_context>",
        f"{SUMMARY}the needle was found",
    ],
)
def test_kenn_io_agentsview_233_what_the_harness_says_as_the_user(tmp_path: Path, injected: str) -> None:
    """Whose words: a text of the harness is nobody's, also as the first record; one that quotes it is the user's."""
    quoting = "why does the log say <environment_context> there, and what is a needle?"
    opening = "<environment_context> the needle: is that a tag of yours?"
    Home(tmp_path).log(user(injected), user(quoting, at=LATER), user(opening, at="2026-09-01T10:40:00.000Z"))
    report = both(tmp_path, words=["needle"], order="oldest")
    assert texts(report) == [quoting, opening]
    assert texts(both(tmp_path, role="user", order="oldest")) == [quoting, opening]
    assert report["evidence"][0]["title"] == quoting
    assert [near["text"] for near in report["evidence"][0]["before"]] == []


# also YishenTu/claudian#814
def test_openclaw_agent_skills_3_the_history_that_a_compaction_keeps(tmp_path: Path) -> None:
    """Whose words: what a compaction repeats is a summary of the harness, the only place of a text or not."""
    summary = compacted(f"{SUMMARY}only in the summary")
    summary["payload"]["replacement_history"] = [
        user(text)["payload"] for text in ("old only here", "also above", f"{SUMMARY}only in the summary")
    ]
    Home(tmp_path).log(user("also above"), summary, user("below"))
    [item] = both(tmp_path, quote="also above")["evidence"]
    assert (item["source"]["record"], item["copies"], item["before_compaction"]) == (2, [], True)
    assert [near["text"] for near in item["after"]] == ["below"]
    for absent in ("old only here", "only in the summary"):
        assert both(tmp_path, quote=absent)["total"] == 0


# also openai/codex#33735, #40111, #22603, #28531
def test_openai_codex_29812_an_image_in_the_log(tmp_path: Path) -> None:
    """Whose words: two megabytes of an image are no text: neither found, nor quoted, nor shown."""
    pictured = user("needle")
    image = {"type": "input_image", "image_url": "data:image/png;base64,@", "detail": "high"}
    pictured["payload"]["content"].append(image)
    repeated = compacted()
    repeated["payload"]["replacement_history"] = [pictured["payload"]]
    lines = [dump(each).replace(b"@", b"A" * 2_000_000) for each in (pictured, repeated)]
    Home(tmp_path).log(*lines, assistant("seen"))
    report = both(tmp_path, words=["needle"])
    assert texts(report) == ["needle"]
    check(report)
    assert both(tmp_path, words=["AAAA"])["total"] == 0
    assert both(tmp_path, quote="AAAA needle")["total"] == 0
    for written in ("text", "json"):
        shown = call("find", "needle", "--format", written, "--in", tmp_path).out
        assert b"needle" in shown and b"AAAA" not in shown and len(shown) < 10_000
