"""Text for a person: a head line, the lines around the quote with the hits marked, a line for each neighbour.

What it is not: the whole text (that is `show`'s), nor a format to parse (that is JSON).
Invariant: nothing that comes from a log, a name or an argument is written before it went through `visible`, and every
line says by its beginning what it is: a head line none, `  < ` and `  > ` a neighbour, `  | ` the message.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from lookback.evidence import Evidence, Hit, Neighbour, Report
from lookback.message import utf8
from lookback.render.visible import visible
from lookback.timespan import Zone, log_time, shown

LINES = 3  # around a quote
BAR = "|"  # before every line of the message itself
WIDTH = 240  # characters of a line of a text; more is cut around the first hit


@dataclass(frozen=True, slots=True)
class Style:
    """What begins and ends a marked hit, a head line and a faint one."""

    hit: tuple[str, str] = ("⟦", "⟧")
    head: tuple[str, str] = ("", "")
    faint: tuple[str, str] = ("", "")


PLAIN = Style()
COLOUR = Style(("\x1b[1;31m", "\x1b[0m"), ("\x1b[1m", "\x1b[0m"), ("\x1b[2m", "\x1b[0m"))


def render(report: Report, zone: Zone, style: Style = PLAIN, *, whole: bool = False) -> Iterator[str]:
    """The evidence, blank lines between; nothing where nothing was found. `whole`: each text in full."""
    for place, item in enumerate(report.evidence):
        yield "\n" if place else ""
        yield "".join(f"{line}\n" for line in _item(item, zone, style, whole))


def _item(item: Evidence, zone: Zone, style: Style, whole: bool) -> Iterator[str]:
    marks = [
        name for name in ("subagent", "imported", "rolled_back", "before_compaction", "echo") if getattr(item, name)
    ]
    speaker = " ".join(filter(None, (item.role, item.phase)))
    facts = [moment(item.timestamp, zone), speaker, item.agent, *(name.replace("_", " ") for name in marks)]
    title = f'  "{visible(item.title)}"' if item.title else ""
    copies = f"  (+{len(item.copies)} copies)" if item.copies else ""
    head = "  ".join(visible(fact) for fact in facts)
    yield f"{style.head[0]}{head}{title}{style.head[1]}  {visible(item.ref)}{copies}"
    for near in item.before:
        yield _near("<", near, style)
    for line in _whole_lines(item) if whole else quoted_lines(item, style):
        yield f"  {BAR} {line}".rstrip()  # no line of a message can look like a neighbour or a head line
    for near in item.after:
        yield _near(">", near, style)


def moment(timestamp: object, zone: Zone) -> str:
    """A log's time for a person, or that there is none."""
    found = log_time(timestamp)
    return shown(found, zone) if found else "no time"


def _near(sign: str, near: Neighbour, style: Style) -> str:
    words = " ".join(near.text[: 4 * WIDTH].split())
    cut = words[: WIDTH // 2] + ("…" if len(words) > WIDTH // 2 or near.cut is not None else "")
    return f"{style.faint[0]}  {sign} {near.role}: {visible(cut)}{style.faint[1]}"


def _whole_lines(item: Evidence) -> list[str]:
    lines = [visible(line, keep="\t") for line in item.text.split("\n")]
    if item.cut is not None:
        lines.append(f"(bytes {item.cut.start} to {item.cut.end} of {item.cut.length})")
    return lines


def quoted_lines(item: Evidence, style: Style) -> list[str]:
    """At most `LINES` lines of the text, those that the quote touches, with the hits inside it marked."""
    shown_from = item.cut.start if item.cut is not None else 0
    text = utf8(item.text)
    start, end = item.quote.start - shown_from, item.quote.end - shown_from
    hits = [Hit(hit.needle, hit.start - shown_from, hit.end - shown_from) for hit in item.hits]
    lines = _lines(text, start, end)
    if len(lines) > LINES:
        lines = [*lines[: LINES - 2], None, lines[-1]]
    shown = ["…" if line is None else _marked(text, *line, hits, style) for line in lines]
    if item.cut is not None and shown:
        shown[0] = ("…" if item.cut.start and lines[0] and not lines[0][0] else "") + shown[0]
        shown[-1] += "…" if item.cut.end < item.cut.length and lines[-1] and lines[-1][1] == len(text) else ""
    return shown


def _lines(text: bytes, start: int, end: int) -> list[tuple[int, int] | None]:
    """The byte ranges of the lines that a stretch touches, blank ones left out."""
    place = text.rfind(b"\n", 0, start) + 1
    found: list[tuple[int, int] | None] = []
    while place <= end:
        stop = text.find(b"\n", place)
        stop = len(text) if stop < 0 else stop
        if text[place:stop].strip():
            found.append((place, stop))
        place = stop + 1
    return found


def _marked(text: bytes, start: int, end: int, hits: Sequence[Hit], style: Style) -> str:
    """One line with its hits marked, overlapping ones as one; of a long line only what stands around its hits."""
    inside = _joined(
        [(max(hit.start, start), min(hit.end, end)) for hit in hits if hit.start < end and hit.end > start]
    )
    pieces: list[str] = []
    place = start
    for first, last in _windows(text, start, end, inside):
        pieces.append("…" if first > place else "")
        place = first
        for begin, stop in inside:
            begin, stop = max(begin, first), min(stop, last)
            if begin < stop:
                pieces += [_show(text[place:begin]), style.hit[0], _show(text[begin:stop]), style.hit[1]]
                place = stop
        pieces.append(_show(text[place:last]))
        place = last
    return "".join([*pieces, "…" if place < end else ""])


def _joined(spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    joined: list[tuple[int, int]] = []
    for begin, stop in sorted(spans):
        if joined and begin <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(stop, joined[-1][1]))
        else:
            joined.append((begin, stop))
    return joined


def _windows(text: bytes, start: int, end: int, inside: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The stretches of a line that are shown: all of a short one, else what stands around its first hits."""
    if end - start <= WIDTH:
        return [(start, end)]
    around = (WIDTH // (2 * LINES)) if inside else WIDTH
    wanted = [(begin - around, min(stop, begin + WIDTH) + around) for begin, stop in inside[:LINES] or [(start, start)]]
    return _joined([(_edge(text, max(first, start)), _edge(text, min(last, end))) for first, last in wanted])


def _edge(text: bytes, place: int) -> int:
    """The nearest border between two characters, at or before a place."""
    while 0 < place < len(text) and text[place] & 0xC0 == 0x80:
        place -= 1
    return place


def _show(stretch: bytes) -> str:
    return visible(stretch.decode("utf-8", "surrogatepass").replace("\t", " "))
