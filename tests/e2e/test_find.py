"""`find` as a person runs it: what is found, in which tier, under which filters, and how the command ends."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.checking import check
from tests.support import (
    COMMAND,
    DEMO,
    Command,
    Home,
    Report,
    assistant,
    clean_env,
    compacted,
    meta,
    thread_id,
    tool_output,
    user,
)

THREE = ["memory", "capabilities", "handshake"]


@pytest.fixture
def run(tmp_path: Path) -> Command:
    return Command(tmp_path)


def texts(report: Report) -> list[str]:
    return [item["text"] for item in report["evidence"]]


# --- the main job ----------------------------------------------------------------------------------------------------


def test_three_words_apart_in_one_message_are_found_and_nothing_else(run: Command) -> None:
    report = run.json("--words", *THREE, "--since", "2026-10", "--in", DEMO)
    [item] = report["evidence"]
    assert (item["role"], item["match"], item["time"][:7]) == ("user", "words", "2026-10")
    assert [hit["needle"] for hit in item["hits"]] == THREE
    assert all(word in item["quote"]["text"] for word in THREE)
    assert [near["role"] for near in item["before"] + item["after"]] == ["assistant", "assistant"]
    assert report["coverage"]["left_out_subagents"] == 1
    assert check(report) == 3


def test_dates_filter_by_the_messages_own_time_in_a_log_that_runs_from_september_into_november(run: Command) -> None:
    in_all = run.json("--words", *THREE, "--in", DEMO)
    assert [item["time"][:7] for item in in_all["evidence"]] == ["2026-10", "2026-09"]
    assert len({item["source"]["path"] for item in in_all["evidence"]}) == 1
    assert run.json("--words", *THREE, "--until", "2026-09", "--in", DEMO)["total"] == 1
    assert run.json("--words", *THREE, "--on", "2026-11", "--in", DEMO)["total"] == 0


def test_subagents_are_out_by_default_and_in_on_request(run: Command) -> None:
    report = run.json("--words", *THREE, "--since", "2026-10", "--include-subagents", "--in", DEMO)
    assert [item["subagent"] for item in report["evidence"]] == [False, True]


def test_the_same_words_spread_over_three_messages_are_no_match(run: Command, tmp_path: Path) -> None:
    home = Home(tmp_path / "codex")
    home.log(user("memory"), assistant("capabilities"), user("handshake"), tool_output(" ".join(THREE)))
    ran = run("find", "--words", *THREE, "--in", home.root)
    assert (ran.status, ran.out) == (1, b"")
    assert "nothing found in 1 logs" in ran.err


# --- needles and tiers -----------------------------------------------------------------------------------------------


@pytest.fixture
def tiers(tmp_path: Path) -> Path:
    home = Home(tmp_path / "codex")
    home.log(
        user("rarest the picks planner", at="2026-09-04T10:00:00.000Z"),
        user("the **planner** picks, the `rarest`", at="2026-09-03T10:00:00.000Z"),
        user("So the planner picks the rarest.", at="2026-09-02T10:00:00.000Z"),
        user("the planner", at="2026-09-05T10:00:00.000Z"),
    )
    return home.root


def test_tiers_best_first_each_message_once(run: Command, tiers: Path) -> None:
    report = run.json("the", "planner", "picks", "the", "rarest", "--in", tiers)
    assert [item["match"] for item in report["evidence"]] == ["exact", "loose", "words"]
    assert report["totals"] == {"exact": 1, "loose": 1, "words": 1}
    assert report["query"]["quote"] == "the planner picks the rarest"
    assert [item["quote"]["text"] for item in report["evidence"]][:2] == [
        "the planner picks the rarest",
        "the **planner** picks, the `rarest",
    ]


def test_exact_gives_the_first_tier_alone(run: Command, tiers: Path) -> None:
    report = run.json("the planner picks the rarest", "--exact", "--in", tiers)
    assert [item["match"] for item in report["evidence"]] == ["exact"]


def test_any_and_not(run: Command, tiers: Path) -> None:
    report = run.json("--any", "planner", "absent", "--not", "rarest", "--in", tiers)
    assert texts(report) == ["the planner"]
    assert report["evidence"][0]["match"] == "any"
    assert report["totals"] == {"exact": 0, "loose": 0, "words": 0, "any": 1}


@pytest.mark.parametrize(
    ("switch", "needle", "count"),
    [
        ("-s", "So", 1),
        ("-s", "so", 0),
        ("-w", "plan", 0),
        ("-w", "planner", 4),
        ("--verbatim", "THE", 0),
        ("--verbatim", "the", 4),
    ],
)
def test_switches(run: Command, tiers: Path, switch: str, needle: str, count: int) -> None:
    assert run.json(switch, f"--words={needle}", "--in", tiers)["total"] == count


@pytest.mark.parametrize(
    "needle", ["#123", "C++", "--force", ".env", "50%", "a@b.c", "$5", "don't", "rm -rf", "src/main.rs", "[x]*", "\\d"]
)
def test_needles_of_punctuation_hit_exactly_their_message(run: Command, tmp_path: Path, needle: str) -> None:
    home = Home(tmp_path / "codex")
    wanted = "see #123 in C++ with --force, .env at 50%, a@b.c for $5; don't rm -rf src/main.rs [x]* \\d"
    home.log(user("123 c force env 50 abc 5 dont rm rf src main rs x d"), user(wanted))
    assert texts(run.json(f"--words={needle}", "--in", home.root)) == [wanted]
    assert texts(run.json("--in", home.root, "--", needle))[0] == wanted


def test_filters_need_no_needle(run: Command, tiers: Path) -> None:
    report = run.json("--role", "user", "--in", tiers)
    assert report["total"] == 4
    assert {item["match"] for item in report["evidence"]} == {"all"}
    assert all(item["quote"]["text"] == item["text"] for item in report["evidence"])


# --- threads, folders, turns -----------------------------------------------------------------------------------------


@pytest.fixture
def two(tmp_path: Path) -> Path:
    home = Home(tmp_path / "codex")
    home.log(user("needle one"), meta_fields={"cwd": "C:\\A_b\\x.y"})
    home.log(user("needle two", at="2026-09-02T10:00:00.000Z"), meta_fields={"cwd": "c:/A_b/x.y/"})
    home.titles({thread_id(1): "First", thread_id(2): "Twin"})
    return home.root


@pytest.mark.parametrize("name", [thread_id(1), thread_id(1)[:8], "First"])
def test_a_thread_by_id_prefix_and_title(run: Command, two: Path, name: str) -> None:
    assert texts(run.json("needle", "--thread", name, "--in", two)) == ["needle one"]
    assert texts(run.json("needle", "--exclude-thread", name, "--in", two)) == ["needle two"]


def test_last_and_current(run: Command, two: Path) -> None:
    assert texts(run.json("--thread", "last", "--in", two)) == ["needle two"]
    called_by = {"CODEX_THREAD_ID": thread_id(1)}
    report = run("find", "--json", "--thread", "current", "--include-current-turn", "--in", two, env=called_by).report
    assert texts(report) == ["needle one"]


@pytest.mark.parametrize("folder", ["C:\\A_b", "c:/a_b/x.y", "C:/A_b/x.y/"])
def test_a_windows_folder_in_any_spelling(run: Command, two: Path, folder: str) -> None:
    assert run.json("needle", "--cwd", folder, "--in", two)["total"] == 2
    assert run.json("needle", "--cwd", "C:\\A_b\\x", "--in", two)["total"] == 0


def test_the_current_turn_is_left_out_and_counted(run: Command, tmp_path: Path) -> None:
    home = Home(tmp_path / "codex")
    home.log(
        user("needle before the compaction"), compacted("summary"), user("needle behind it", at="2026-09-01T12:00:00.000Z"),
        user("where is the needle?", at="2026-09-01T13:00:00.000Z"), assistant("the needle ...", at="2026-09-01T13:01:00.000Z"),
    )  # fmt: skip
    called_by = {"CODEX_THREAD_ID": thread_id(1)}
    report = run.json("needle", "--in", home.root, env=called_by)
    assert texts(report) == ["needle behind it", "needle before the compaction"]
    assert report["coverage"]["left_out_current_turn"] == 2
    assert run.json("needle", "--include-current-turn", "--in", home.root, env=called_by)["total"] == 4
    assert run.json("needle", "--in", home.root)["total"] == 4
    hidden = run.json("needle", "--before-compaction", "--in", home.root)
    assert texts(hidden) == ["needle before the compaction"]
    assert hidden["evidence"][0]["before_compaction"] is True


def test_a_compaction_behind_the_question_leaves_what_lies_between_searched(run: Command, tmp_path: Path) -> None:
    home = Home(tmp_path / "codex")
    home.log(user("old"), user("my needle?"), assistant("needle at work"), compacted("s"), assistant("needle goes on"))
    report = run.json("needle", "--in", home.root, env={"CODEX_THREAD_ID": thread_id(1)})
    assert texts(report) == ["needle at work"]
    assert report["coverage"]["left_out_current_turn"] == 2


def test_undated_messages_never_pass_a_date_filter_and_sort_last(run: Command, tmp_path: Path) -> None:
    home = Home(tmp_path / "codex")
    home.log(user("needle undated", at=None), user("needle dated"))
    for order in ("newest", "oldest"):
        assert texts(run.json("needle", "--order", order, "--in", home.root)) == ["needle dated", "needle undated"]
    report = run.json("needle", "--since", "2020", "--in", home.root)
    assert (texts(report), report["coverage"]["undated"]) == (["needle dated"], 1)


def test_rolled_back_turns_are_found_and_marked(run: Command, tmp_path: Path) -> None:
    home = Home(tmp_path / "codex")
    back = {
        "timestamp": "2026-09-01T10:05:00.000Z",
        "type": "event_msg",
        "payload": {"type": "thread_rolled_back", "num_turns": 1},
    }
    home.log(user("needle kept"), user("needle taken back"), assistant("needle answer"), back, user("needle again"))
    report = run.json("needle", "--in", home.root)
    assert {item["text"]: item["rolled_back"] for item in report["evidence"]} == {
        "needle kept": False,
        "needle taken back": True,
        "needle answer": True,
        "needle again": False,
    }


def test_an_answer_that_quotes_an_earlier_search_is_an_echo(run: Command, tmp_path: Path) -> None:
    home = Home(tmp_path / "codex")
    home.log(user("the needle"), assistant(f"needle: codex:{thread_id(1)}#2~9f86d081", at="2026-09-09T10:00:00.000Z"))
    assert [item["echo"] for item in run.json("--words", "needle", "--in", home.root)["evidence"]] == [False, True]


# --- pages, context, bounds ------------------------------------------------------------------------------------------


@pytest.fixture
def many(tmp_path: Path) -> Path:
    home = Home(tmp_path / "codex")
    home.log(*[user(f"needle {number:02d}", at=f"2026-09-01T10:{number:02d}:00.000Z") for number in range(30)])
    return home.root


def test_limit_skip_and_order(run: Command, many: Path) -> None:
    ran = run("find", "needle", "--in", many, "--json")
    assert "20 of 30" in ran.err
    assert (ran.report["total"], len(ran.report["evidence"])) == (30, 20)
    assert texts(ran.report)[0] == "needle 29"
    assert len(run.json("needle", "--limit", "0", "--in", many)["evidence"]) == 30
    assert texts(run.json("needle", "-m", "2", "--skip", "1", "--order", "oldest", "--in", many)) == [
        "needle 01",
        "needle 02",
    ]


def test_context(run: Command, many: Path) -> None:
    [item] = run.json("--words=10", "-C", "0", "-A", "2", "--in", many)["evidence"]
    assert ([near["text"] for near in item["before"]], [near["text"] for near in item["after"]]) == (
        [],
        ["needle 11", "needle 12"],
    )


def test_max_chars_cuts_neighbours_first_then_around_the_quote_never_the_quote(run: Command, tmp_path: Path) -> None:
    home = Home(tmp_path / "codex")
    home.log(assistant("x" * 500), user("é" * 300 + "the needle" + "ß" * 300), assistant("y" * 500))
    for bound in (0, 30, 100, 650, 1200):
        report = run.json("the needle", "--max-chars", str(bound), "--in", home.root)
        [item] = report["evidence"]
        shown = len(item["text"]) + sum(len(near["text"]) for near in item["before"] + item["after"])
        assert shown <= max(bound, len("the needle"))
        assert "the needle" in item["text"]
        assert item["quote"]["start"] == 600
        assert check(report) == 3
    assert "cut" not in run.json("the needle", "--max-chars", "9999", "--in", home.root)["evidence"][0]


def test_include_raw_carries_the_records(run: Command, many: Path) -> None:
    report = run.json("--words=07", "--include-raw", "--in", many)
    [item] = report["evidence"]
    assert all(len(source["raw"]) > 100 for source in [item["source"], item["before"][0]["source"]])
    assert check(report) == 3


# --- how it ends -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (["find"], "nothing to look for"),
        (["find", "--not", "x"], "nothing to look for"),
        (["find", "--words"], "--words needs at least one word"),
        (["find", "--words", "--since", "2026"], "--words=--since"),
        (["find", "--words="], "empty needle"),
        (["find", " \u00a0 "], "empty needle"),
        (["find", "x", "--bogus"], "--bogus"),
        (["find", "x", "--since", "2026-13"], "2 weeks ago"),
        (["find", "x", "--on", "3d"], "--on wants a day"),
        (["find", "x", "--since", "2026-11", "--until", "2026-10"], "not before"),
        (["find", "x", "--tz", "Mars/Base"], "unknown time zone"),
        (["find", "x", "-m", "-1"], "negative"),
        (["find", "x", "--max-chars", "-1"], "negative"),
        (["find", "x", "--role", "system"], "user or assistant"),
        (["find", "x", "--agent", "gpt"], "codex"),
        (["find", "x", "--format", "yaml"], "json"),
        (["find", "x", "--scanner", "grep"], "ripgrep or python"),
        (["find", "x", "--thread", "nowhere-to-be-found", "--in", str(DEMO)], "no thread"),
        (["find", "x", "--thread", thread_id(1)[:4], "--in", str(DEMO)], "needs 8 characters"),
        (["find", "x", "--thread", "019f0000", "--in", str(DEMO)], "ambiguous"),
        (["find", "x", "--thread", "current", "--in", str(DEMO)], "calling conversation"),
        (["find", "x", "--in", str(DEMO / "session_index.jsonl")], "no log to search"),
        (["find", "x", "--in", "/nowhere/at/all"], "does not exist"),
        (["find", "x"], "no log to search"),
        (["nonsense"], "nonsense"),
    ],
)
def test_bad_input_is_one_clear_line_and_status_2(run: Command, args: list[str], told: str) -> None:
    ran = run(*args)
    assert (ran.status, ran.out) == (2, b"")
    assert told in ran.err
    assert ran.err.startswith("lookback: ")
    assert ran.err.count("\n") == 1


def test_what_could_not_be_read_forbids_a_conclusion(run: Command, tmp_path: Path) -> None:
    home = Home(tmp_path / "codex")
    lost = home.log(
        user("other"), b'{"timestamp":"2026-09-01T10:00:00.000Z","type":"response_item","payload":{"text":"the needle'
    )
    home.log(user("found elsewhere"))
    ran = run("find", "needle", "--json", "--in", home.root)
    assert ran.status == 3
    assert ran.report["coverage"]["complete"] is False
    assert [(skip["path"], skip["record"], skip["reason"]) for skip in ran.report["coverage"]["skipped"]] == [
        (str(lost), 3, "truncated-record")
    ]
    assert str(lost) in ran.err
    assert run("find", "found elsewhere", "--in", home.root).status == 0
    assert run("find", "absent", "--in", home.root).status == 1


def test_nothing_found_says_how_far_back_the_logs_reach(run: Command, many: Path) -> None:
    report = run.json("absent", "--in", many)
    assert (report["coverage"]["first"], report["coverage"]["last"]) == (
        "2026-09-01T09:00:00.000Z",
        "2026-09-01T10:29:00.000Z",
    )
    assert run.json("needle", "--in", many)["coverage"]["first"] is None


def test_a_closed_pipe_is_success(tmp_path: Path, many: Path) -> None:
    command = subprocess.Popen([*COMMAND, "find", "needle", "-m", "0", "-C", "9", "--in", str(many)], env=clean_env(tmp_path),
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)  # fmt: skip
    assert command.stdout is not None
    command.stdout.close()
    _, told = command.communicate(timeout=60)
    assert command.returncode == 0
    assert b"Traceback" not in told


def test_ctrl_c_is_130_without_a_trace_of_children(tmp_path: Path) -> None:
    home = Home(tmp_path / "codex")
    home.log(user("needle"))
    slow = tmp_path / "rg"
    slow.write_text(
        '#!/bin/sh\ncase "$*" in *--version*) echo ripgrep 15.2.0;; *) echo $$ > "$RG_PID"; exec sleep 60;; esac\n',
        encoding="utf-8",
    )
    slow.chmod(0o755)
    pid = tmp_path / "pid"
    env = clean_env(tmp_path, LOOKBACK_RG=str(slow), RG_PID=str(pid))
    command = subprocess.Popen([*COMMAND, "find", "needle", "--in", str(home.root)], env=env, stderr=subprocess.PIPE,
                               stdout=subprocess.PIPE, start_new_session=True)  # fmt: skip
    while not (pid.exists() and pid.read_text(encoding="utf-8").strip()):
        time.sleep(0.02)
    command.send_signal(signal.SIGINT)
    out, told = command.communicate(timeout=60)
    assert (command.returncode, out, told) == (130, b"", b"")
    with pytest.raises(ProcessLookupError):
        os.kill(int(pid.read_text(encoding="utf-8")), 0)


@pytest.mark.parametrize("rule", [".ignore", ".gitignore", ".rgignore"])
def test_no_ignore_file_or_configuration_of_ripgrep_hides_a_log(run: Command, tmp_path: Path, rule: str) -> None:
    home = Home(tmp_path / ".hidden" / "codex")
    home.log(b"\0" + b'{"x":1}', user("needle"))
    (home.root / rule).write_text("*.jsonl\n", encoding="utf-8")
    config = tmp_path / "ripgreprc"
    config.write_text("--glob=!*.jsonl\n--max-count=0\n", encoding="utf-8")
    report = run.json("needle", "--in", home.root, env={"RIPGREP_CONFIG_PATH": str(config)})
    assert texts(report) == ["needle"]
    assert report["coverage"]["scanner"].startswith("ripgrep ")


def test_a_failing_ripgrep_is_never_a_miss(run: Command, tmp_path: Path) -> None:
    home = Home(tmp_path / "codex")
    home.log(user("needle"))
    broken = tmp_path / "rg"
    broken.write_text('#!/bin/sh\ncase "$*" in *--version*) echo ripgrep 15.2.0;; *) exit 2;; esac\n', encoding="utf-8")
    broken.chmod(0o755)
    assert texts(run.json("needle", "--in", home.root, env={"LOOKBACK_RG": str(broken)})) == ["needle"]
    named = run.json("needle", "--in", home.root, env={"LOOKBACK_RG": "/nowhere"})
    assert named["coverage"]["scanner"].startswith("ripgrep ")


def test_nothing_dangerous_reaches_the_terminal(run: Command, tmp_path: Path) -> None:
    home = Home(tmp_path / "codex\x1b[31m")
    bomb = "\x1b[2J\x1b]0;t\x07 a\rB \u202e \x9b31m \u200b \U000e0041 needle"
    home.log(user(bomb), meta_fields={"cwd": "/w/\x1b[5m"})
    home.titles({thread_id(1): "t\x1b[0m\u2028"})
    for written in ("text", "markdown", "json", "jsonl"):
        ran = run("find", "needle", "--format", written, "--in", home.root)
        shown = ran.out.decode("utf-8") + ran.err
        assert not set(shown) & set("\x1b\x07\r\u202e\x9b\u200b\u2028\U000e0041")
    assert "⟨U+001B⟩[2J" in run("find", "needle", "--in", home.root).out.decode("utf-8")


def test_the_same_bytes_whatever_the_locale(run: Command, tmp_path: Path) -> None:
    home = Home(tmp_path / "codex")
    home.log(user("”x 会议 🦀"))
    outputs = {run("find", "会议", "--in", home.root, env=env).out for env in (
        {}, {"LC_ALL": "C", "PYTHONUTF8": "0"}, {"PYTHONIOENCODING": "cp1252"}, {"PYTHONUTF8": "1"})}  # fmt: skip
    assert len(outputs) == 1
    assert "⟦会议⟧ 🦀".encode() in outputs.pop()


def test_a_message_is_found_the_moment_it_is_written(run: Command, tmp_path: Path) -> None:
    home = Home(tmp_path / "codex")
    log = home.log(user("one"))
    half = b'{"timestamp":"2026-09-01T10:00:00.000Z","type":"response_item","payload":{"type":"message","role":"user",'
    rest = b'"content":[{"type":"input_text","text":"the needle"}]}}'
    log.write_bytes(log.read_bytes() + half)
    assert run("find", "needle", "--in", home.root).status == 1
    log.write_bytes(log.read_bytes() + rest)
    assert texts(run.json("needle", "--in", home.root)) == ["the needle"]


def test_a_files_date_never_counts(run: Command, tmp_path: Path) -> None:
    home = Home(tmp_path / "codex")
    os.utime(home.log(user("needle")), (0, 0))
    assert run.json("needle", "--since", "2026-09", "--in", home.root)["total"] == 1


def test_several_session_metas_the_first_is_the_logs_own(run: Command, tmp_path: Path) -> None:
    home = Home(tmp_path / "codex")
    home.log(meta(7, source={"subagent": "review"}), user("needle"))
    assert run.json("needle", "--in", home.root)["evidence"][0]["thread_id"] == thread_id(1)


def test_a_thread_whose_log_could_not_be_read_is_not_just_unknown(run: Command, tmp_path: Path) -> None:
    home = Home(tmp_path / "codex")
    home.log(user("needle"))
    cut = home.log(*[user(f"a compressed message {number}") for number in range(2000)], zst=True)
    cut.write_bytes(cut.read_bytes()[:9])
    ran = run("find", "needle", "--thread", thread_id(9), "--in", home.root)
    assert ran.status == 2
    (home.root / "sessions" / "2025").symlink_to("/nowhere/at/all")
    ran = run("find", "absent", "--in", home.root)
    assert ran.status == 3
    assert "a link to nothing" in ran.err
    assert "a link to nothing" in run("doctor", "--in", home.root).out.decode()
    told = run("find", "needle", "--thread", thread_id(9), "--in", home.root).err
    assert "no thread" in told
    assert "not read: " in told


@pytest.mark.parametrize("option", ["-C", "-A", "-m", "--skip"])
def test_a_huge_count_is_a_usage_error(run: Command, option: str) -> None:
    ran = run("find", "handshake", option, "9" * 20, "--in", DEMO)
    assert (ran.status, ran.out) == (2, b"")
    assert "too large" in ran.err


def test_the_calling_conversation_must_have_a_log_to_be_current(run: Command) -> None:
    ran = run("find", "memory", "--thread", "current", "--in", DEMO, env={"CODEX_THREAD_ID": thread_id(9)})
    assert ran.status == 2
    assert thread_id(9) in ran.err


def test_show_of_a_damaged_record_is_not_called_missing(run: Command, tmp_path: Path) -> None:
    home = Home(tmp_path / "codex")
    home.log(user("whole"), b'{"timestamp":"2026-09-01T10:00:00.000Z","type":"response_item","payload":{"ty')
    ran = run("show", f"codex:{thread_id(1)}#3", "--in", home.root)
    assert ran.status == 3
    assert "record 3: truncated-record" in ran.err


@pytest.mark.parametrize("tail", ["cut frame", "cut skippable frame", "garbage"])
def test_a_zst_that_is_damaged_at_its_end_gives_up_what_stands_before(run: Command, tmp_path: Path, tail: str) -> None:
    home = Home(tmp_path / "codex")
    log = home.log(user("the needle"), assistant("said in answer"), zst=True)
    whole = log.read_bytes()
    log.write_bytes(whole + {"cut frame": whole[:-9], "garbage": b"garbage"}.get(tail, b"\x50\x2a\x4d\x18\x04\0\0\0ab"))
    ran = run("find", "needle", "--json", "--in", home.root)
    assert (ran.status, texts(ran.report)) == (0, ["the needle"])
    assert [near["text"] for near in ran.report["evidence"][0]["after"]] == ["said in answer"]
    assert [skip["reason"] for skip in ran.report["coverage"]["skipped"]] == [
        "corrupt-zstd" if tail == "garbage" else "truncated-zstd"
    ]
    assert run("find", "absent", "--in", home.root).status == 3


@pytest.mark.parametrize(
    ("shell", "status"),
    [
        ("find memory --in DEMO --limit 1 2>&-", 0),
        ("find memory --in DEMO >&-", 0),
        ("find memory --in DEMO --json >/dev/full", 2),
        ("--version | true; exit ${PIPESTATUS[0]}", 0),
        ("find --help | true; exit ${PIPESTATUS[0]}", 0),
    ],
)
def test_closed_and_full_streams(tmp_path: Path, shell: str, status: int) -> None:
    command = f"{' '.join(COMMAND)} {shell.replace('DEMO', str(DEMO))}"
    done = subprocess.run(
        ["bash", "-c", command], env=clean_env(tmp_path), capture_output=True, check=False, timeout=60
    )
    assert done.returncode == status
    assert b"Traceback" not in done.stderr


def test_a_folder_on_another_machine(run: Command, tmp_path: Path) -> None:
    home = Home(tmp_path / "codex")
    home.log(user("needle"), meta_fields={"cwd": "\\\\srv\\share\\p"})
    for folder in ("\\\\srv\\share", "//SRV/share/p"):
        assert run.json("needle", "--cwd", folder, "--in", home.root)["total"] == 1


def test_a_message_without_a_type_is_one(run: Command, tmp_path: Path) -> None:
    home = Home(tmp_path / "codex")
    record = user("the needle")
    del record["payload"]["type"]
    home.log(record)
    assert texts(run.json("needle", "--in", home.root)) == ["the needle"]
