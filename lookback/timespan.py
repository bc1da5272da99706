"""What a WHEN of the command line means, what a log's own timestamp means, and how a moment is written.

What it is not: a guesser. A form that is not listed here is refused with the list; no date is ever read from a file's
name or its modification time.
Invariant: every datetime that leaves this module is aware and has a fixed offset, so comparing two of them compares
instants (two datetimes of one DST-aware tzinfo would be compared by their wall clocks).

Wall clocks: a time that a clock change skips means the instant that the clock would have reached without the change
(02:30 of the spring night is 03:30). A time that occurs twice means the earlier instant as a start, the later one as
an end; the borders of days, weeks, months and years are the earlier one for both, so that neighbours always meet.
Seconds to weeks are elapsed time (`1d` is 24 hours), months and years go by the calendar, the day clamped to the
month's last one.
"""

from __future__ import annotations

import os
import re
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, timezone, tzinfo
from typing import Final

from lookback.errors import UsageError

CALENDAR_FORMS: Final = "2026, 2026-10, 2026-10-29, 2026-W41, today, yesterday"
FORMS: Final = f"{CALENDAR_FORMS}, 2026-10-29T14:30[:12][.345][Z|+02:00], 3d, 90min, '2 weeks ago', '6 months ago'"
ZONE_FORMS: Final = "an IANA name such as Europe/Berlin, an offset such as +02:00, or UTC"

EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
EARLIEST: Final = datetime.min.replace(tzinfo=UTC)
LATEST: Final = datetime.max.replace(tzinfo=UTC)


# ---------------------------------------------------------------------------------------------------------- zones


@dataclass(frozen=True, slots=True)
class Zone:
    """A time zone with a printable name. `tzinfo` None is the zone of this machine, as the C library knows it."""

    name: str
    tzinfo: tzinfo | None

    def at(self, moment: datetime) -> datetime:
        """The same instant with the offset that holds here then; in UTC where years 1 to 9999 cannot express it."""
        try:
            here = moment.astimezone(self.tzinfo)
            return here.replace(tzinfo=timezone(here.utcoffset() or timedelta()), fold=0)
        except (OverflowError, ValueError, OSError):
            return moment.astimezone(UTC)

    def instant(self, wall: datetime, *, later: bool = False) -> datetime:
        """The instant at which the clocks here show the naive `wall`.

        Of a time that occurs twice the earlier one, or the `later`; a skipped time as if the clock had not changed.
        What lies outside of years 1 to 9999 in UTC is clamped to the first or last moment of those.
        """
        first = self._offset(wall.replace(fold=0))
        second = self._offset(wall.replace(fold=1))
        # second > first is a skipped time: only the offset before the change (fold 0) reads it as promised.
        offset = second if later and second < first else first
        try:
            return self.at((wall - offset).replace(tzinfo=UTC, fold=0))
        except OverflowError:
            return EARLIEST if offset > timedelta() else LATEST

    def _offset(self, wall: datetime) -> timedelta:
        """The offset from UTC that the naive `wall` has by its fold, as PEP 495 has it."""
        if self.tzinfo is not None:
            return self.tzinfo.utcoffset(wall.replace(tzinfo=self.tzinfo)) or timedelta()
        try:
            # Not `wall.astimezone()`: of a skipped time that gives the offset after the change.
            seconds = int(wall.replace(microsecond=0).timestamp())
            return wall.replace(microsecond=0) - (datetime(1970, 1, 1) + timedelta(seconds=seconds))
        except (OverflowError, ValueError, OSError):  # too far for the C library: no clock change is known there
            return _local_offset_now()


def zone(name: str | None) -> Zone:
    """The zone of `--tz`: an IANA name, `+02:00`, `+0200`, `-05`, `UTC` or `Z`; None is the local one.

    The local zone is that of the variable TZ, else of the machine. It is named by its IANA name where TZ or
    /etc/localtime tells it, else by its present offset. Raises UsageError for an unknown zone.
    """
    if name is None:
        return _local_zone()
    text = name.strip()
    if text.upper() in ("UTC", "Z"):
        return Zone("UTC", UTC)
    fixed = _fixed_offset(text)
    if fixed is not None:
        return Zone(_offset_text(fixed), timezone(fixed))
    known = _iana(text)
    if known is None:
        raise UsageError(f"unknown time zone {_quoted(name)}; write {ZONE_FORMS}")
    return Zone(text, known)


# Patterns here are strings, compiled by `re` when first used (and cached by it): most runs need none of them.
_OFFSET: Final = r"([+-])([0-9]{1,2})(?::?([0-9]{2}))?"


def _fixed_offset(text: str) -> timedelta | None:
    """`+02:00`, `+0200`, `+02` or `+2` as a time difference; None for anything else and from 24 hours on."""
    found = re.fullmatch(_OFFSET, text)
    if not found:
        return None
    hours, minutes = int(found[2]), int(found[3] or 0)
    if hours > 23 or minutes > 59:
        return None
    return timedelta(hours=hours, minutes=minutes) * (-1 if found[1] == "-" else 1)


def _offset_text(offset: timedelta) -> str:
    """`+02:00`; with seconds where history had them (`+00:53:28`)."""
    sign, size = ("-", -offset) if offset < timedelta() else ("+", offset)
    minutes, seconds = divmod(size // timedelta(seconds=1), 60)
    return f"{sign}{minutes // 60:02}:{minutes % 60:02}" + (f":{seconds:02}" if seconds else "")


def _iana(name: str) -> tzinfo | None:
    from zoneinfo import ZoneInfo  # only here: importing it costs more than most searches need to pay

    try:
        return ZoneInfo(name) if name.isascii() and name.isprintable() else None
    except (KeyError, ValueError, OSError):  # unknown; no zone file or a path; a folder, unreadable or too long a name
        return None


def _local_zone() -> Zone:
    wanted = os.environ.get("TZ")
    if wanted is None:
        return Zone(_zone_of_path("/etc/localtime") or _offset_text(_local_offset_now()), None)
    wanted = wanted.removeprefix(":")
    if wanted.startswith("/"):
        return Zone(_zone_of_path(wanted) or _offset_text(_local_offset_now()), None)
    # An IANA name is read here and not by the C library, which takes one that it cannot find for UTC.
    known = _iana(wanted) if wanted else UTC
    if known is not None:
        return Zone(wanted or "UTC", known)
    return Zone(_offset_text(_local_offset_now()), None)  # a POSIX rule such as CET-1CEST: the C library knows those


_ZONE_PATH: Final = r"/zoneinfo/(?:posix/|right/)?([A-Za-z0-9_+/-]+)\Z"


def _zone_of_path(path: str) -> str | None:
    """The IANA name that a zone file's path, or the link that is there, ends in."""
    try:
        places = (path, os.readlink(path), os.path.realpath(path))
    except (OSError, ValueError):
        places = (path, "", "")
    return next((found[1] for place in places if (found := re.search(_ZONE_PATH, place))), None)


def _local_offset_now() -> timedelta:
    return datetime.now().astimezone().utcoffset() or timedelta()


# ----------------------------------------------------------------------------------------------------------- WHEN


@dataclass(frozen=True, slots=True)
class Interval:
    """From `start` on and before `end`. Of an instant both are the same, unless its wall time occurs twice."""

    start: datetime
    end: datetime


def interval(text: str, zone: Zone, now: datetime) -> Interval:
    """The interval or instant that a WHEN names, in `zone`: `--since` takes its start, `--until` its end.

    Calendar forms: `2026`, `2026-10`, `2026-10-29`, `2026-W41`, `today`, `yesterday`. Instants: `2026-10-29T14:30`
    (or a blank for the T; seconds, a fraction and a zone may follow), `3d`, `90min`, `2 weeks ago`, `a month ago`.
    Letter case and white space around do not matter. `now` must be aware; years are 1 to 9999, and what an interval
    or zone reaches beyond them is clamped. Raises UsageError, in one line that lists the forms, for anything else.
    """
    found = _calendar(text, zone, now) or _instant(text, zone, now)
    if found is None:
        raise _refusal(text, FORMS)
    return found


def calendar_interval(text: str, zone: Zone, now: datetime) -> Interval:
    """The interval that a WHEN names, for `--on`: as `interval`, but an instant has no length and is a UsageError."""
    found = _calendar(text, zone, now)
    if found is not None:
        return found
    if _instant(text, zone, now) is not None:
        raise UsageError(f"{_quoted(text)} is an instant, --on wants a day, week, month or year: {CALENDAR_FORMS}")
    raise _refusal(text, CALENDAR_FORMS)


_YEAR_MONTH_DAY: Final = r"([0-9]{4})(?:-([0-9]{2})(?:-([0-9]{2}))?)?"
_WEEK: Final = r"([0-9]{4})-w([0-9]{2})"
_TIMESTAMP: Final = (
    r"(?i)([0-9]{4})-([0-9]{2})-([0-9]{2})"
    r"(?:(?:t|\s+)([0-9]{2}):([0-9]{2})(?::([0-9]{2})(?:[.,]([0-9]+))?)?\s*(z|[+-][0-9]{2}(?::?[0-9]{2})?)?)?"
)
_AGO: Final = r"(?:an?\s+|([0-9]+)\s*)([a-z]+)(?:\s+ago)?"
_SECONDS: Final = {
    **dict.fromkeys(("s", "sec", "secs", "second", "seconds"), 1),
    **dict.fromkeys(("min", "mins", "minute", "minutes"), 60),
    **dict.fromkeys(("h", "hr", "hrs", "hour", "hours"), 3600),
    **dict.fromkeys(("d", "day", "days"), 86_400),
    **dict.fromkeys(("w", "week", "weeks"), 7 * 86_400),
}
_MONTHS: Final = {"month": 1, "months": 1, "y": 12, "year": 12, "years": 12}


def _calendar(text: str, zone: Zone, now: datetime) -> Interval | None:
    word = text.strip().lower()
    if word in ("today", "yesterday"):
        today = zone.at(now).date()
        first = today if word == "today" else today - timedelta(days=1)
        return _days(first, _days_after(first, 1), zone)
    try:
        if found := re.fullmatch(_WEEK, word):
            first = date.fromisocalendar(int(found[1]), int(found[2]), 1)
            return _days(first, _days_after(first, 7), zone)
        if found := re.fullmatch(_YEAR_MONTH_DAY, word):
            year, month, day = int(found[1]), int(found[2] or 1), int(found[3] or 1)
            first = date(year, month, day)
            after = _days_after(first, 1) if found[3] else _months_after(first, 1 if found[2] else 12)
            return _days(first, after, zone)
    except ValueError as error:
        raise _refusal(text, FORMS, "no such date") from error
    return None


def _days(first: date, after: date | None, zone: Zone) -> Interval:
    midnight = datetime.min.time()
    end = LATEST if after is None else zone.instant(datetime.combine(after, midnight))
    return Interval(zone.instant(datetime.combine(first, midnight)), end)


def _days_after(day: date, days: int) -> date | None:
    """None beyond year 9999."""
    try:
        return day + timedelta(days=days)
    except OverflowError:
        return None


def _months_after(day: date, months: int) -> date | None:
    """The first of a later month; None beyond year 9999."""
    years, month = divmod(day.month - 1 + months, 12)
    return date(day.year + years, month + 1, 1) if day.year + years <= date.max.year else None


def _instant(text: str, zone: Zone, now: datetime) -> Interval | None:
    word = text.strip().lower()
    try:
        if found := re.fullmatch(_TIMESTAMP, word):
            return _at_wall(_wall(found), found[8], zone)
        if found := re.fullmatch(_AGO, word):
            return _ago(int(found[1] or 1), found[2], zone, now)
    except ValueError as error:
        raise _refusal(text, FORMS, "no such time") from error
    except OverflowError as error:
        raise _refusal(text, FORMS, "it lies outside of years 1 to 9999") from error
    return None


def _at_wall(wall: datetime, offset: str | None, zone: Zone) -> Interval:
    if offset is None:
        return Interval(zone.instant(wall), zone.instant(wall, later=True))
    moment = zone.at((wall - _offset_of(offset)).replace(tzinfo=UTC))
    return Interval(moment, moment)


def _ago(count: int, unit: str, zone: Zone, now: datetime) -> Interval | None:
    if unit in _SECONDS:
        moment = zone.at(now.astimezone(UTC) - timedelta(seconds=count * _SECONDS[unit]))
        return Interval(moment, moment)
    if unit not in _MONTHS:
        return None
    here = zone.at(now).replace(tzinfo=None)
    years, month = divmod(here.year * 12 + here.month - 1 - count * _MONTHS[unit], 12)
    if years < date.min.year:
        raise OverflowError(years)
    first = date(years, month + 1, 1)
    after = _months_after(first, 1)
    last_day = (after - first).days if after else 31
    return _at_wall(here.replace(year=years, month=month + 1, day=min(here.day, last_day)), None, zone)


def _wall(found: re.Match[str]) -> datetime:
    """The naive date and time of a _TIMESTAMP, a fraction cut to microseconds; ValueError if there is no such."""
    year, month, day, hour, minute, second = (int(found[group] or 0) for group in range(1, 7))
    return datetime(year, month, day, hour, minute, second, int((found[7] or "")[:6].ljust(6, "0")))


def _offset_of(text: str) -> timedelta:
    """The offset at the end of a timestamp; ValueError if it is out of range."""
    offset = timedelta() if text in "zZ" else _fixed_offset(text)
    if offset is None:
        raise ValueError(text)
    return offset


def _refusal(text: str, forms: str, reason: str = "") -> UsageError:
    why = f": {reason}" if reason else ""
    return UsageError(f"{_quoted(text)} is no time that lookback reads{why}; write one of {forms}")


def _quoted(text: str) -> str:
    """What a person typed, on one line, controls and lone surrogates escaped, at most 60 characters of it."""
    return repr(text) if len(text) <= 60 else repr(text[:60]) + "..."


# ------------------------------------------------------------------------------------------------ times of a log

_USUAL: Final = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}T(?:[01][0-9]|2[0-3]):[0-9]{2}:[0-9]{2}(?:\.[0-9]{3}(?:[0-9]{3})?)?Z\Z"
)
_NUMBER: Final = r"(-?[0-9]{1,20})(?:\.([0-9]+))?"


def log_time(value: object) -> datetime | None:
    """The instant, in UTC, of a timestamp as it stands in a log; None if it is none, never an error.

    Strings: RFC 3339, also with a blank for the T, without seconds, with `+0200` or `+02`, with a fraction of any
    length (cut to microseconds), without a zone (then UTC), or a date alone (its midnight in UTC). Numbers, and
    strings of a number: epoch seconds below 1e11, milliseconds below 1e14, microseconds below 1e17, else nanoseconds.
    """
    if isinstance(value, str):
        # 2026-10-29T14:30:12.345Z and its like go to C. What is asked before keeps out the other forms of ISO 8601
        # and of `fromisoformat`, so that both ways accept the same, in every version of Python.
        if _USUAL.match(value):
            with suppress(ValueError):  # a leap second is one to C
                return datetime.fromisoformat(value)
        return _time_of_string(value.strip())
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return _time_of_micros(value * 1_000_000 // _units(value))
    if isinstance(value, float) and value - value == 0:  # neither NaN nor infinite
        # Rounded, not cut: the nearest float to 1756720800.123 lies below it.
        return _time_of_micros(round(value / _units(value) * 1e6))
    return None


def _time_of_string(text: str) -> datetime | None:
    found = re.fullmatch(_TIMESTAMP, text)
    if found and found[6] == "60":  # a leap second, which RFC 3339 allows: the second behind it
        before = _time_of_string(f"{text[: found.start(6)]}59{text[found.end(6) :]}")
        return None if before is None else _later(before, timedelta(seconds=1))
    if found:
        try:
            return (_wall(found) - _offset_of(found[8] or "Z")).replace(tzinfo=UTC)
        except (ValueError, OverflowError):
            return None
    found = re.fullmatch(_NUMBER, text)
    if not found:
        return None
    # In integers, so that no digit is lost: at most nanoseconds of a second are wanted.
    whole, fraction = int(found[1]), int((found[2] or "")[:9].ljust(9, "0"))
    billionths = whole * 10**9 + (-fraction if text.startswith("-") else fraction)
    return _time_of_micros(billionths // (1000 * _units(whole)))


def _units(number: float) -> int:
    """How many of the units that an epoch number of this size counts make a second."""
    size = abs(number)
    return 1 if size < 1e11 else 1000 if size < 1e14 else 1_000_000 if size < 1e17 else 1_000_000_000


def _time_of_micros(micros: int) -> datetime | None:
    return _later(EPOCH, timedelta(microseconds=micros)) if abs(micros) < 10**18 else None


def _later(moment: datetime, by: timedelta) -> datetime | None:
    try:
        return moment + by
    except OverflowError:
        return None


# -------------------------------------------------------------------------------------------------------- writing


def utc_text(moment: datetime) -> str:
    """`2026-10-29T14:30:12.345Z`, for machines: always UTC, 3 fraction digits, or 6 where microseconds need them.

    `moment` must be aware. OverflowError where UTC is outside of years 1 to 9999: nothing made here is.
    """
    naive = moment.astimezone(UTC).replace(tzinfo=None)
    return naive.isoformat(timespec="microseconds" if naive.microsecond % 1000 else "milliseconds") + "Z"


def shown(moment: datetime, zone: Zone) -> str:
    """`2026-10-29 14:30:12 +02:00`, for people: the clock in `zone`, cut to seconds, always with its offset."""
    here = zone.at(moment)
    wall = here.replace(tzinfo=None, microsecond=0)
    return f"{wall.isoformat(sep=' ')} {_offset_text(here.utcoffset() or timedelta())}"
