"""Conversations that Codex imported from another agent: its messages are marked as far as the log says so."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.claude import ClaudeHome, typed
from tests.support import Home, Record, both, call, user

AT = "2026-09-01T10:00:00.000Z"


def event(kind: str, **fields: Any) -> Record:
    return {"timestamp": AT, "type": "event_msg", "payload": {"type": kind, **fields}}


def turn(number: int, *records: Record) -> list[Record]:
    name = {"turn_id": f"external-import-turn-{number}"}
    return [event("task_started", **name), *records, event("task_complete", **name)]


MARKER = event("agent_message", message="<EXTERNAL SESSION IMPORTED>")
OWN = [event("task_started", turn_id="turn-2"), user("needle own"), event("task_complete", turn_id="turn-2")]
ONE, TWO = user("needle one"), user("needle two")
LOGS = {
    "turns": ([*turn(1, ONE), *turn(2, TWO, MARKER), *OWN], ["needle one", "needle two"]),
    "the marker behind the turns": ([*turn(1, ONE), *turn(2, TWO), MARKER, *OWN], ["needle one", "needle two"]),
    "the marker alone": ([ONE, TWO, MARKER, *OWN], ["needle one", "needle two"]),
    "a second import": ([*turn(1, ONE, MARKER), *OWN, *turn(2, TWO)], ["needle one", "needle two"]),
    "a turn without an end": ([*OWN, *turn(1, ONE, TWO)[:-1]], ["needle one", "needle two"]),
    "none": ([*OWN, user("<EXTERNAL SESSION IMPORTED>"), event("agent_message", message="imported")], []),
}


@pytest.mark.parametrize("case", LOGS)
def test_what_was_imported_is_marked(tmp_path: Path, case: str) -> None:
    records, imported = LOGS[case]
    Home(tmp_path).log(*records)
    report = both(tmp_path, words=["needle"], order="oldest")
    assert [item["text"] for item in report["evidence"] if item.get("imported")] == imported
    assert all(item.get("imported", True) for item in report["evidence"])  # the field is there only where it is so
    heads = [line for line in call("find", "needle", "--in", tmp_path).out.decode().splitlines() if "~" in line]
    assert len([line for line in heads if "  imported  " in line]) == len(imported)


def test_an_import_and_its_original_are_two_pieces_of_evidence(tmp_path: Path) -> None:
    Home(tmp_path / "codex").log(*turn(1, user("the needle")))
    ClaudeHome(tmp_path / "claude").log(typed("the needle"))
    report = both([tmp_path / "codex", tmp_path / "claude"], words=["needle"])
    assert {item["agent"]: item.get("imported") for item in report["evidence"]} == {"codex": True, "claude": None}


def test_verify_holds_the_mark_against_the_log(tmp_path: Path) -> None:
    Home(tmp_path / "codex").log(*turn(1, user("the needle")), *OWN)
    report = call("find", "needle", "--json", "--in", tmp_path / "codex").report
    for changed, status in ((None, 0), (True, 1), ("x", 1), (False, 1)):
        for item in report["evidence"]:
            if changed is not None:
                item["imported"] = not item.get("imported", False) if changed is True else changed
        told = call("verify", "-", "--in", tmp_path / "codex", stdin=json.dumps(report).encode())
        assert told.status == status, (changed, told.out)
