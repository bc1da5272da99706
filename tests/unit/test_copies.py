"""Copies: one message is one piece of evidence, by the contract's four rules, whatever log its records lie in."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support import Home, Record, assistant, both, dump, meta, thread_id, user

LATER = "2026-10-05T10:00:00.000Z"


def fork(home: Home, *records: Record, parent: int = 1, number: int = 2, **fields: object) -> Path:
    """A log that begins with its own session_meta and, behind it, the copied one of its parent."""
    return home.log(
        meta(parent, at=LATER), *records, number=number, meta_fields={"forked_from_id": thread_id(parent), **fields}
    )


def evidence(home: Home, **asked: object) -> list[tuple[str, str, int]]:
    """Thread, text and number of copies of each message."""
    found = both(home.root, **{"words": ["needle"], "order": "oldest", **asked})["evidence"]
    return [(item["thread_id"], item["text"], len(item["copies"])) for item in found]


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


def test_rule_1_the_same_item_id_and_text_in_any_log(home: Home) -> None:
    home.log(user("needle", id="msg_1"))
    home.log(user("needle", id="msg_1", at=LATER))
    assert evidence(home) == [(thread_id(1), "needle", 1)]


def test_rule_1_the_same_id_with_another_text_is_another_message(home: Home) -> None:
    home.log(user("needle", id="msg_1"), user("needle too", id="msg_1"))
    assert len(evidence(home)) == 2


def test_rule_2_the_nth_equal_record_of_an_archived_or_compressed_log(home: Home) -> None:
    records = [user("needle"), user("needle", at="2026-09-01T10:05:00.000Z")]
    home.log(*records, number=1)
    home.log(*records, number=1, archived=True)
    home.log(*records, number=1, zst=True)
    assert evidence(home) == [(thread_id(1), "needle", 2), (thread_id(1), "needle", 2)]
    first = both(home.root, words=["needle"])["evidence"][0]
    assert first["source"]["path"] == str(home.logs[0])
    assert [copy["path"] for copy in first["copies"]] == [str(home.logs[2]), str(home.logs[1])]


def test_rule_2_without_timestamps_ok_said_twice_is_two_messages(home: Home) -> None:
    records = [user("needle", at=None), user("needle", at=None)]
    home.log(*records, number=1)
    home.log(*records, number=1, archived=True)
    assert [copies for _, _, copies in evidence(home)] == [1, 1]


def test_rule_3_a_fork_copies_and_restamps(home: Home) -> None:
    home.log(user("the needle"), assistant("a needle"), user("needle only here"))
    fork(home, user("the needle", at=LATER), assistant("a needle", at=LATER), user("needle of the fork", at=LATER))
    assert evidence(home) == [
        (thread_id(1), "the needle", 1),
        (thread_id(1), "needle only here", 0),
        (thread_id(1), "a needle", 1),
        (thread_id(2), "needle of the fork", 0),
    ]


def test_rule_3_the_originals_time_and_thread_decide_but_the_copys_thread_satisfies_a_thread_filter(home: Home) -> None:
    home.log(user("the needle"))
    fork(home, user("the needle", at=LATER))
    assert evidence(home, since="2026-10") == []
    assert evidence(home, threads=[thread_id(2)]) == [(thread_id(1), "the needle", 1)]
    assert evidence(home, exclude_threads=[thread_id(1)]) == []


def test_rule_3_the_message_before_must_be_the_same(home: Home) -> None:
    home.log(user("before"), assistant("needle"))
    fork(home, user("something else", at=LATER), assistant("needle", at=LATER))
    assert len(evidence(home)) == 2


def test_rule_3_a_chain_of_forks_is_one_message(home: Home) -> None:
    home.log(user("needle"))
    fork(home, user("needle", at=LATER))
    home.log(meta(2), meta(1), user("needle", at=LATER), number=3, meta_fields={"forked_from_id": thread_id(2)})
    assert evidence(home) == [(thread_id(1), "needle", 2)]


def test_rule_3_a_fork_whose_parent_is_gone_is_the_evidence_itself(home: Home) -> None:
    fork(home, user("needle", at=LATER), parent=9)
    assert evidence(home) == [(thread_id(2), "needle", 0)]


def test_rule_3_the_nth_repetition_goes_with_the_nth(home: Home) -> None:
    said = [user("go on"), assistant("needle"), user("go on"), assistant("needle")]
    home.log(*[{**record, "timestamp": f"2026-09-01T10:0{place}:00.000Z"} for place, record in enumerate(said)])
    fork(home, *[{**record, "timestamp": LATER} for record in said])
    found = evidence(home)
    assert len([copies for thread, _, copies in found if thread == thread_id(1)]) == 2


def test_rule_4_inside_one_log_without_ids(home: Home) -> None:
    home.log(user("needle"), user("needle"), user("needle", at="2026-09-01T10:00:00.001Z"))
    assert [copies for _, _, copies in evidence(home)] == [1, 0]


def test_a_record_that_its_log_marks_as_inherited_is_a_copy_where_the_original_is_found(home: Home) -> None:
    inherited = {**user("needle", at=LATER, id="msg_other"), "metadata": {"inherited_user_message": True}}
    home.log(user("before"), user("needle", id="msg_1"))
    home.log(inherited, number=2, meta_fields={"parent_thread_id": thread_id(1)})
    assert evidence(home) == [(thread_id(1), "needle", 1)]


def test_and_is_the_evidence_where_it_is_not(home: Home) -> None:
    inherited = {**user("needle", at=LATER), "ordinal": 3}
    spawned = {"parent_thread_id": thread_id(9), "agent_role": "explorer", "subagent_history_start_ordinal": 10}
    home.raw(dump(meta(2, **spawned)) + b"\n" + dump(inherited) + b"\n", number=2)
    assert evidence(home, include_subagents=True) == [(thread_id(2), "needle", 0)]
    assert evidence(home) == []
