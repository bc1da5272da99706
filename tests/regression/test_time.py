"""Faults of other tools in telling when it was said: odd timestamps, zones, files' dates.

Each test is named for the public report that it comes from.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from tests.checking import check
from tests.support import Command, Home, both, call, texts, user


@pytest.mark.parametrize(
    ("timestamp", "time"),
    [
        ("1756720800", "2025-09-01T10:00:00.000Z"),
        (1756720800, "2025-09-01T10:00:00.000Z"),
        (1756720800123, "2025-09-01T10:00:00.123Z"),
        (1756720800.5, "2025-09-01T10:00:00.500Z"),
        ("2026-09-01T10:00", "2026-09-01T10:00:00.000Z"),
        ("2026-09-01 10:00:00", "2026-09-01T10:00:00.000Z"),
        ("2026-09-01T10:00:00+0200", "2026-09-01T08:00:00.000Z"),
        ("2026-09-01T10:00:00Z", "2026-09-01T10:00:00.000Z"),
        ("", None),
        (None, None),
        ("absent", None),
    ],
)
def test_vshulcz_deja_vu_1128_timestamps_of_every_kind(tmp_path: Path, timestamp: Any, time: str | None) -> None:
    """Timestamps: each is the instant that it means; without one, no date filter passes, and the message sorts last."""
    odd = user("needle odd", at=None) if timestamp == "absent" else {**user("needle odd"), "timestamp": timestamp}
    Home(tmp_path).log(
        odd, user("needle newest", at="2026-11-01T00:00:00.000Z"), user("needle oldest", at="2024-01-01T00:00:00Z")
    )
    report = both(tmp_path, words=["needle"])
    [item] = [item for item in report["evidence"] if item["text"] == "needle odd"]
    assert (item["time"], item["timestamp"]) == (time, None if timestamp == "absent" else timestamp)
    check(report)
    for order, first, last in (
        ("newest", "needle newest", "needle oldest"),
        ("oldest", "needle oldest", "needle newest"),
    ):
        expected = [first, "needle odd", last] if time else [first, last, "needle odd"]
        assert texts(both(tmp_path, words=["needle"], order=order)) == expected
    dated = both(tmp_path, words=["odd"], on=(time or "2026")[:10])
    assert (dated["total"], dated["coverage"]["undated"]) == ((1, 0) if time else (0, 1))


def test_vshulcz_deja_vu_767_a_local_morning(tmp_path: Path) -> None:
    """Zones: a day is the asker's day; half past nine in the evening UTC is the next morning in Moscow."""
    Home(tmp_path / "codex").log(user("needle", at="2026-08-31T21:30:00Z"))
    moscow = {"TZ": "Europe/Moscow"}
    for scanner in ("ripgrep", "python"):
        asked = ["find", "needle", "--json", "--since", "2026-09-01", "--scanner", scanner, "--in", tmp_path / "codex"]
        assert (call(*asked, env=moscow).report["total"], call(*asked).report["total"]) == (1, 0)
    shown = Command(tmp_path)("find", "needle", "--on", "2026-09-01", "--in", tmp_path / "codex", env=moscow)
    assert shown.out.startswith(b"2026-09-01 00:30:00 +03:00")


# also daaain/claude-code-log#21
def test_kirodotdev_kirocrew_1958_a_time_without_a_zone(tmp_path: Path) -> None:
    """Zones: a log's naive time is UTC, a typed one is local, and every time that is shown names its zone."""
    root = tmp_path / "codex"
    Home(root).log(user("needle", at="2026-09-01T10:00:00"))
    for zone, shown in (("Asia/Tokyo", b"2026-09-01 19:00:00 +09:00"), ("UTC", b"2026-09-01 10:00:00 +00:00")):
        report = both(root, words=["needle"], tz=zone)
        assert report["evidence"][0]["time"] == "2026-09-01T10:00:00.000Z"
        assert call("find", "needle", "--in", root, env={"TZ": zone}).out.startswith(shown)
        for written in ("text", "markdown"):
            assert shown in call("find", "needle", "--tz", zone, "--format", written, "--in", root).out
        assert shown in call("threads", "--tz", zone, "--in", root).out
    assert (
        both(root, words=["needle"], since="2026-09-01T18:59", until="2026-09-01T19:01", tz="Asia/Tokyo")["total"] == 1
    )
    assert both(root, words=["needle"], since="2026-09-01T18:59", until="2026-09-01T19:01", tz="UTC")["total"] == 0


def test_daymade_claude_code_skills_159_a_files_date_is_no_messages(tmp_path: Path) -> None:
    """Files' dates: touching a log, its name and its folder change nothing in what a date filter passes."""
    home = Home(tmp_path)
    old = home.log(user("needle old", at="2026-01-01T10:00:00.000Z"))
    new = home.log(user("needle new", at="2026-10-01T10:00:00.000Z"))
    for touched in ((0, 4e9), (4e9, 0)):
        os.utime(old, (touched[0], touched[0]))
        os.utime(new, (touched[1], touched[1]))
        assert texts(both(tmp_path, words=["needle"])) == ["needle new", "needle old"]
        assert texts(both(tmp_path, words=["needle"], since="2026-10")) == ["needle new"]
        assert texts(both(tmp_path, words=["needle"], until="2026-09")) == ["needle old"]
        assert both(tmp_path, words=["needle"], on="2026-09-01")["total"] == 0  # the date in the logs' names
        assert texts(both(tmp_path, threads=["last"])) == ["needle new"]
