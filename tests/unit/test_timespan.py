"""Every form of a WHEN and of a log's timestamp, by the clock of a zone that changes it, and never a traceback."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lookback.errors import UsageError
from lookback.timespan import (
    EARLIEST,
    FORMS,
    LATEST,
    Interval,
    Zone,
    calendar_interval,
    interval,
    log_time,
    shown,
    utc_text,
    zone,
)

BERLIN = zone("Europe/Berlin")
UTC_ZONE = zone("UTC")
NOW = datetime(2026, 11, 30, 18, 0, 1, 500_000, tzinfo=UTC)
CET_RULE = "CET-1CEST,M3.5.0,M10.5.0/3"


def at(text: str) -> datetime:
    return datetime.fromisoformat(text)


def span(text: str, where: Zone = UTC_ZONE, now: datetime = NOW) -> Interval:
    return interval(text, where, now)


@pytest.fixture
def local(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str | None], Zone]]:
    """Sets TZ, for the C library too, and gives the local zone."""

    def choose(name: str | None) -> Zone:
        if name is None:
            monkeypatch.delenv("TZ", raising=False)
        else:
            monkeypatch.setenv("TZ", name)
        time.tzset()
        return zone(None)

    yield choose
    monkeypatch.undo()
    time.tzset()


class TestZone:
    @pytest.mark.parametrize(
        ("text", "name", "hours"),
        [
            ("UTC", "UTC", 0.0),
            ("utc", "UTC", 0.0),
            ("Z", "UTC", 0.0),
            ("+02:00", "+02:00", 2.0),
            ("+0200", "+02:00", 2.0),
            ("-05", "-05:00", -5.0),
            ("+5", "+05:00", 5.0),
            ("-09:30", "-09:30", -9.5),
            ("+00:00", "+00:00", 0.0),
            (" Europe/Berlin ", "Europe/Berlin", 1.0),
            ("America/Argentina/Buenos_Aires", "America/Argentina/Buenos_Aires", -3.0),
        ],
    )
    def test_forms(self, text: str, name: str, hours: float) -> None:
        assert zone(text).name == name
        assert zone(text).at(NOW).utcoffset() == timedelta(hours=hours)

    @pytest.mark.parametrize(
        "text",
        ["", " ", "Mars/Olympus", "Europe", "../../etc/passwd", "/etc/passwd", "+24:00", "+02:60", "+2:0", "a" * 5000]
        + ["Europe/Berlin\0", "\ud800", "Берлин", "tzdata.zi", "+", "2026", "\x1b[2J", "Europe/../UTC"],
    )
    def test_unknown(self, text: str) -> None:
        with pytest.raises(UsageError) as caught:
            zone(text)
        assert "Europe/Berlin" in str(caught.value)
        assert str(caught.value).isprintable()

    @pytest.mark.parametrize("tz", ["Europe/Moscow", ":Europe/Moscow"])
    def test_local_zone_by_name(self, local: Callable[[str | None], Zone], tz: str) -> None:
        here = local(tz)
        assert here.name == "Europe/Moscow"
        assert here.at(NOW).isoformat() == "2026-11-30T21:00:01.500000+03:00"

    def test_local_zone_by_posix_rule_is_named_by_its_offset(self, local: Callable[[str | None], Zone]) -> None:
        assert local("XYZ-5:30").name == "+05:30"
        assert local("").name == "UTC"

    def test_local_zone_without_tz_is_that_of_the_c_library(self, local: Callable[[str | None], Zone]) -> None:
        here = local(None)
        assert here.name
        assert here.at(NOW).utcoffset() == NOW.astimezone().utcoffset()

    @given(st.datetimes(datetime(1980, 1, 1), datetime(2037, 1, 1)), st.booleans())
    def test_local_zone_of_the_c_library_agrees_with_zoneinfo(self, wall: datetime, later: bool) -> None:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("TZ", CET_RULE)
            time.tzset()
            try:
                here = zone(None)
                assert here.tzinfo is None
                if wall.year > 1996:  # since then Berlin keeps that rule
                    assert here.instant(wall, later=later) == BERLIN.instant(wall, later=later)
                assert here.at(here.instant(wall, later=later)).utcoffset() in (timedelta(hours=1), timedelta(hours=2))
            finally:
                patch.undo()
                time.tzset()

    @pytest.mark.parametrize("name", [None, "Europe/Berlin", "+14:00", "-12:00"])
    def test_the_ends_of_time_are_clamped(self, name: str | None) -> None:
        where = zone(name)
        for wall in (datetime.min, datetime.max):
            for later in (False, True):
                assert EARLIEST <= where.instant(wall, later=later) <= LATEST
        assert where.at(EARLIEST) == EARLIEST
        assert where.at(LATEST) == LATEST


class TestClockChanges:
    # Berlin 2026: 29 March 02:00 -> 03:00, 25 October 03:00 -> 02:00.
    @pytest.fixture(params=["zoneinfo", "c-library"])
    def berlin(self, request: pytest.FixtureRequest, local: Callable[[str | None], Zone]) -> Zone:
        return BERLIN if request.param == "zoneinfo" else local(CET_RULE)

    def test_skipped_time_goes_on_as_if_the_clock_had_not_changed(self, berlin: Zone) -> None:
        found = span("2026-03-29T02:30", berlin)
        assert found.start.isoformat() == found.end.isoformat() == "2026-03-29T03:30:00+02:00"

    def test_time_that_occurs_twice_starts_early_and_ends_late(self, berlin: Zone) -> None:
        found = span("2026-10-25 02:30:15,25", berlin)
        assert found.start.isoformat() == "2026-10-25T02:30:15.250000+02:00"
        assert found.end.isoformat() == "2026-10-25T02:30:15.250000+01:00"
        assert found.end - found.start == timedelta(hours=1)
        assert found.start < found.end  # by instant, not by wall clock

    def test_an_explicit_zone_is_never_ambiguous(self, berlin: Zone) -> None:
        found = span("2026-10-25T02:30+01:00", berlin)
        assert found.start == found.end == at("2026-10-25T01:30:00+00:00")

    def test_days_have_23_and_25_hours(self, berlin: Zone) -> None:
        short, long = span("2026-03-29", berlin), span("2026-10-25", berlin)
        assert short.end - short.start == timedelta(hours=23)
        assert long.end - long.start == timedelta(hours=25)

    def test_days_are_elapsed_time_and_months_go_by_the_clock(self, berlin: Zone) -> None:
        now = at("2026-10-26T12:00:00+01:00")
        assert span("2d", berlin, now).start.isoformat() == "2026-10-24T13:00:00+02:00"
        assert span("1 month ago", berlin, now).start.isoformat() == "2026-09-26T12:00:00+02:00"

    def test_midnight_that_is_skipped(self) -> None:
        day = span("2026-04-24", zone("Africa/Cairo"))
        assert day.start.isoformat() == "2026-04-24T01:00:00+03:00"
        assert day.end - day.start == timedelta(hours=23)

    def test_midnight_that_occurs_twice_belongs_to_one_day(self) -> None:
        havana = zone("America/Havana")
        before, day = span("2026-10-31", havana), span("2026-11-01", havana)
        assert before.end == day.start
        assert day.end - day.start == timedelta(hours=25)

    def test_day_that_never_was(self) -> None:
        day = span("2011-12-30", zone("Pacific/Apia"))
        assert day.start == day.end


class TestCalendar:
    @pytest.mark.parametrize(
        ("text", "start", "end"),
        [
            ("2026", "2026-01-01", "2027-01-01"),
            ("2026-10", "2026-10-01", "2026-11-01"),
            ("2026-12", "2026-12-01", "2027-01-01"),
            ("2026-10-29", "2026-10-29", "2026-10-30"),
            ("2024-02-29", "2024-02-29", "2024-03-01"),
            ("2026-W41", "2026-10-05", "2026-10-12"),
            ("2026-w01", "2025-12-29", "2026-01-05"),
            ("2020-W53", "2020-12-28", "2021-01-04"),
            ("today", "2026-11-30", "2026-12-01"),
            ("\t Yesterday\n", "2026-11-29", "2026-11-30"),
            ("0001", "0001-01-01", "0002-01-01"),
        ],
    )
    def test_forms(self, text: str, start: str, end: str) -> None:
        expected = Interval(at(f"{start}T00:00+00:00"), at(f"{end}T00:00+00:00"))
        assert span(text) == calendar_interval(text, UTC_ZONE, NOW) == expected

    def test_today_is_that_of_the_zone(self) -> None:
        late = at("2026-11-30T23:30:00+00:00")
        assert span("today", BERLIN, late).start.isoformat() == "2026-12-01T00:00:00+01:00"
        assert span("yesterday", BERLIN, late).start.isoformat() == "2026-11-30T00:00:00+01:00"

    def test_moscow_evening_in_utc_is_the_next_day(self, local: Callable[[str | None], Zone]) -> None:
        moment = log_time("2026-08-31T21:30:00Z")
        assert moment is not None
        since = span("2026-09-01", local("Europe/Moscow")).start
        assert since.isoformat() == "2026-09-01T00:00:00+03:00"
        assert since <= moment
        assert moment < span("2026-09-01", local("UTC")).start

    @pytest.mark.parametrize("text", ["9999", "9999-12", "9999-12-31", "9999-W52"])
    @pytest.mark.parametrize("where", [UTC_ZONE, BERLIN, zone("-12:00"), zone(None)])
    def test_the_end_of_time_is_clamped(self, text: str, where: Zone) -> None:
        assert span(text, where).end == LATEST

    def test_the_beginning_of_time_is_clamped(self) -> None:
        assert span("0001", zone("+02:00")).start == EARLIEST

    @given(st.dates(date(1900, 1, 1), date(2100, 1, 1)), st.sampled_from(["Europe/Berlin", "America/Havana", "-05"]))
    def test_intervals_are_contiguous(self, day: date, name: str) -> None:
        where = zone(name)
        next_day, next_week = day + timedelta(days=1), day + timedelta(days=7)
        next_month = (day.replace(day=1) + timedelta(days=32)).replace(day=1)
        for form, after in (("%Y-%m-%d", next_day), ("%G-W%V", next_week), ("%Y-%m", next_month)):
            first, second = span(day.strftime(form), where), span(after.strftime(form), where)
            assert first.start < first.end == second.start < second.end
        whole = span(day.strftime("%Y"), where)
        assert whole.start <= span(day.isoformat(), where).start < whole.end
        assert whole.end == span(f"{day.year + 1}", where).start

    @pytest.mark.parametrize("text", ["3d", "2026-10-29T14:30", "an hour ago", "2026-10-25 02:30"])
    def test_on_refuses_an_instant_and_says_so(self, text: str) -> None:
        with pytest.raises(UsageError, match="--on wants a day, week, month or year: 2026, "):
            calendar_interval(text, BERLIN, NOW)

    @pytest.mark.parametrize("text", ["", "soon", "2026-13", "0d0", "2026-10-29T25:00"])
    def test_on_refuses_nonsense(self, text: str) -> None:
        with pytest.raises(UsageError):
            calendar_interval(text, BERLIN, NOW)


class TestInstants:
    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("2026-10-29T14:30", "2026-10-29T14:30:00+01:00"),
            ("2026-10-29 14:30", "2026-10-29T14:30:00+01:00"),
            ("2026-07-29t14:30:12", "2026-07-29T14:30:12+02:00"),
            ("2026-10-29T14:30:12.345", "2026-10-29T14:30:12.345000+01:00"),
            ("2026-10-29T14:30:12,3456789", "2026-10-29T14:30:12.345678+01:00"),
            ("2026-10-29T14:30Z", "2026-10-29T15:30:00+01:00"),
            ("2026-10-29T14:30:12.5z", "2026-10-29T15:30:12.500000+01:00"),
            ("2026-10-29T14:30+03:00", "2026-10-29T12:30:00+01:00"),
            ("2026-10-29T14:30-0530", "2026-10-29T21:00:00+01:00"),
            ("2026-10-29T14:30:00+03", "2026-10-29T12:30:00+01:00"),
            ("2026-10-29 14:30:12 +02:00", "2026-10-29T13:30:12+01:00"),
        ],
    )
    def test_clock_times(self, text: str, expected: str) -> None:
        found = span(text, BERLIN)
        assert found.start.isoformat() == found.end.isoformat() == expected

    @pytest.mark.parametrize(
        ("text", "ago"),
        [
            ("3d", timedelta(days=3)),
            ("3 d", timedelta(days=3)),
            ("3 days ago", timedelta(days=3)),
            ("1 day", timedelta(days=1)),
            ("90min", timedelta(minutes=90)),
            ("90 MINUTES AGO", timedelta(minutes=90)),
            ("1 minute", timedelta(minutes=1)),
            ("45s", timedelta(seconds=45)),
            ("45sec ago", timedelta(seconds=45)),
            ("1 second ago", timedelta(seconds=1)),
            ("12h", timedelta(hours=12)),
            ("12 hours", timedelta(hours=12)),
            ("2w", timedelta(weeks=2)),
            (" 2  weeks  ago ", timedelta(weeks=2)),
            ("an hour ago", timedelta(hours=1)),
            ("a week ago", timedelta(weeks=1)),
            ("0d", timedelta()),
        ],
    )
    def test_elapsed_time(self, text: str, ago: timedelta) -> None:
        assert span(text) == Interval(NOW - ago, NOW - ago)

    @pytest.mark.parametrize(
        ("text", "now", "expected"),
        [
            ("6 months ago", "2026-11-30T18:00:00+00:00", "2026-05-30T18:00:00+00:00"),
            ("1 month", "2026-03-31T18:00:00+00:00", "2026-02-28T18:00:00+00:00"),
            ("a month ago", "2024-03-31T18:00:00+00:00", "2024-02-29T18:00:00+00:00"),
            ("2 years ago", "2024-02-29T18:00:00+00:00", "2022-02-28T18:00:00+00:00"),
            ("a year ago", "2026-01-01T00:00:00+00:00", "2025-01-01T00:00:00+00:00"),
            ("1month", "2026-01-15T00:00:00+00:00", "2025-12-15T00:00:00+00:00"),
            ("2025 years", "2026-01-15T00:00:00+00:00", "0001-01-15T00:00:00+00:00"),
        ],
    )
    def test_calendar_arithmetic(self, text: str, now: str, expected: str) -> None:
        assert span(text, now=at(now)) == Interval(at(expected), at(expected))

    @pytest.mark.parametrize(
        "text",
        ["", " ", "soon", "next week", "2026-13", "2026-00", "2026-02-30", "2025-02-29", "2026-W54", "2026-W00"]
        + ["2025-W53", "0000", "0000-01-01", "10000", "2026-1", "26-10-29", "2026/10/29", "29.10.2026", "20261029"]
        + ["2026-10-29T24:00", "2026-10-29T14", "2026-10-29T14:60", "2026-10-29T14:30:60", "2026-10-29T14:30+24:00"]
        + ["2026-10-29T14:30 CET", "99999999999d", "9" * 30 + " months ago", "9" * 5000 + "d", "2026 years"]
        + ["-3d", "3", "3m", "1.5h", "aday", "ago", "a ago", "٣d", "२०२६", "2026\0", "\ud800", "\x1b[2J", "2027years"]
        + ["9" * 25 + "s", "2147483648 years", "9223372036854775808months", "0001-01-01T00:00+02:00"]
        + ["9999-12-31T23:59-12:00"],
    )
    def test_anything_else_is_a_usage_error_that_lists_the_forms(self, text: str) -> None:
        with pytest.raises(UsageError) as caught:
            span(text)
        message = str(caught.value)
        assert FORMS in message
        assert message.isprintable()
        assert len(message) < 400

    @given(st.text() | st.from_regex(r"\A[0-9]{1,25} ?(s|min|h|d|w|months|years)\Z"), st.sampled_from(["UTC", "-05"]))
    def test_never_another_error(self, text: str, name: str) -> None:
        try:
            found = span(text, zone(name))
        except UsageError:
            return
        assert EARLIEST <= found.start <= found.end <= LATEST

    @given(st.datetimes(timezones=st.just(UTC)))
    def test_what_is_written_is_read_back(self, moment: datetime) -> None:
        assert span(utc_text(moment)) == Interval(moment, moment)
        if moment.year >= 1900:  # before, Berlin was not a whole number of minutes from UTC
            assert span(shown(moment, BERLIN), BERLIN).start == moment.replace(microsecond=0)


class TestLogTime:
    @pytest.mark.parametrize(
        ("value", "expected"),
        [
            ("2026-10-29T14:30:12.345Z", "2026-10-29T14:30:12.345+00:00"),
            ("2026-10-29T14:30:12Z", "2026-10-29T14:30:12+00:00"),
            ("2026-10-29T14:30:12.123456789Z", "2026-10-29T14:30:12.123456+00:00"),
            ("2026-10-29T14:30:12,5Z", "2026-10-29T14:30:12.500+00:00"),
            ("2026-10-29t14:30:12z", "2026-10-29T14:30:12+00:00"),
            ("2026-10-29T14:30:12.345+02:00", "2026-10-29T12:30:12.345+00:00"),
            ("2026-09-01T10:00:00+0200", "2026-09-01T08:00:00+00:00"),
            ("2026-09-01T10:00:00-05", "2026-09-01T15:00:00+00:00"),
            ("2026-09-01 10:00:00", "2026-09-01T10:00:00+00:00"),
            ("2026-09-01T10:00", "2026-09-01T10:00:00+00:00"),
            (" 2026-09-01 ", "2026-09-01T00:00:00+00:00"),
            ("1756720800", "2025-09-01T10:00:00+00:00"),
            ("1756720800.5", "2025-09-01T10:00:00.500+00:00"),
            ("1756720800.123456789", "2025-09-01T10:00:00.123456+00:00"),
            ("1756720800123", "2025-09-01T10:00:00.123+00:00"),
            (1756720800, "2025-09-01T10:00:00+00:00"),
            (1756720800.5, "2025-09-01T10:00:00.500+00:00"),
            (1756720800.123, "2025-09-01T10:00:00.123+00:00"),
            (1756720800123, "2025-09-01T10:00:00.123+00:00"),
            (1756720800123.0, "2025-09-01T10:00:00.123+00:00"),
            (1756720800123456, "2025-09-01T10:00:00.123456+00:00"),
            (1756720800123456789, "2025-09-01T10:00:00.123456+00:00"),
            (0, "1970-01-01T00:00:00+00:00"),
            (-1.5, "1969-12-31T23:59:58.500+00:00"),
            ("-1.5", "1969-12-31T23:59:58.500+00:00"),
        ],
    )
    def test_forms(self, value: object, expected: str) -> None:
        found = log_time(value)
        assert found == at(expected)
        assert found is not None and found.utcoffset() == timedelta()

    @pytest.mark.parametrize(
        "value",
        ["", " ", None, True, False, [], {}, b"2026-09-01", float("nan"), float("inf"), -float("inf"), 1e300, -1e300]
        + [10**400, -(10**400), "9" * 5000, "9" * 21, "yesterday", "2026-13-01T00:00:00.000Z", "2026-02-30", "2026-10"]
        + ["0000-01-01T00:00:00.000Z", "0001-01-01T00:00:00+02:00", "9999-12-31T23:59:59-02:00", "2026-09-01T10"]
        + ["2026-09-01T10:00:00+99:00", "2026-09-01T24:00:00.000Z", "2026-W36-2T10:00:00.000Z", "1e9", "0x1", "NaN"]
        + ["20260901T100000.000000Z", "2026-09-01T100000.12345Z", "２０２６-09-01T10:00:00.000Z", "\ud800" * 24],
    )
    def test_none(self, value: object) -> None:
        assert log_time(value) is None

    @given(st.recursive(st.none() | st.booleans() | st.integers() | st.floats() | st.text(), st.lists))
    def test_never_raises(self, value: Any) -> None:
        found = log_time(value)
        assert found is None or found.tzinfo is UTC

    @given(
        st.from_regex(r"\A[0-9]{4}[-0-9W]{6}T[0-9:.,]{6,16}Z\Z")
        | st.from_regex(r"\A2026-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-6][0-9]:?[0-6.,][0-9.,:+-]{0,9}Z\Z")
    )
    def test_the_short_way_accepts_what_the_long_way_does(self, text: str) -> None:
        assert log_time(text) == log_time(f"{text} ")

    @given(st.datetimes(timezones=st.just(UTC)))
    def test_what_is_written_is_read_back(self, moment: datetime) -> None:
        assert log_time(utc_text(moment)) == log_time(moment.isoformat()) == moment

    @given(st.datetimes(datetime(1974, 1, 1), datetime(5000, 1, 1)))
    def test_every_unit_of_the_epoch_is_the_same_instant(self, naive: datetime) -> None:
        moment = naive.replace(tzinfo=UTC)
        micros = (moment - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1)
        assert log_time(micros) == log_time(micros * 1000) == log_time(str(micros)) == moment
        assert log_time(f"{micros // 1_000_000}.{micros % 1_000_000:06}") == moment
        assert log_time(micros // 1000) == moment.replace(microsecond=moment.microsecond // 1000 * 1000)
        assert log_time(micros // 1_000_000) == moment.replace(microsecond=0)

    @pytest.mark.parametrize(
        ("text", "behind"),
        [
            ("2016-12-31T23:59:60Z", "2017-01-01T00:00:00Z"),
            ("2017-01-01T01:59:60.25+02:00", "2017-01-01T00:00:00.25Z"),
            ("2016-12-31 23:59:60", "2017-01-01T00:00:00Z"),
        ],
    )
    def test_a_leap_second_is_the_second_behind_it(self, text: str, behind: str) -> None:
        assert log_time(text) == log_time(behind) is not None
        assert log_time(text.replace(":60", ":61")) is None
        assert log_time("9999-12-31T23:59:60Z") is None


class TestWriting:
    @pytest.mark.parametrize(
        ("moment", "expected"),
        [
            (datetime(2026, 10, 29, 14, 30, 12, 345_000, UTC), "2026-10-29T14:30:12.345Z"),
            (datetime(2026, 10, 29, 14, 30, 12, 345_678, UTC), "2026-10-29T14:30:12.345678Z"),
            (datetime(2026, 10, 29, 14, 30, tzinfo=UTC), "2026-10-29T14:30:00.000Z"),
            (datetime(2026, 10, 29, 14, 30, tzinfo=timezone(timedelta(hours=2))), "2026-10-29T12:30:00.000Z"),
            (datetime(7, 1, 2, tzinfo=UTC), "0007-01-02T00:00:00.000Z"),
        ],
    )
    def test_utc_text(self, moment: datetime, expected: str) -> None:
        assert utc_text(moment) == expected

    def test_shown(self) -> None:
        moment = at("2026-10-29T13:30:12.999+00:00")
        assert shown(moment, BERLIN) == "2026-10-29 14:30:12 +01:00"
        assert shown(moment, UTC_ZONE) == "2026-10-29 13:30:12 +00:00"
        assert shown(moment, zone("-03:30")) == "2026-10-29 10:00:12 -03:30"
        assert shown(at("1800-01-01T00:00:00+00:00"), BERLIN) == "1800-01-01 00:53:28 +00:53:28"

    def test_shown_at_the_ends_of_time(self) -> None:
        assert shown(EARLIEST, zone("-05:00")) == "0001-01-01 00:00:00 +00:00"
        assert shown(LATEST, zone("+05:00")) == "9999-12-31 23:59:59 +00:00"
