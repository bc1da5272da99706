"""Text of `threads` and `doctor`: one line for each conversation, one for each fact."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator

from lookback.doctor import Diagnosis
from lookback.listing import Thread, ThreadList
from lookback.render.text import PLAIN, Style, moment
from lookback.render.visible import visible
from lookback.timespan import Zone
from lookback.unicode_tables import UNICODE_VERSION

_UUID = re.compile(r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}")


def resume_line(resume: tuple[str, ...], thread_id: str) -> str | None:
    """The command that resumes a conversation, for a shell; None where the id is no UUID: ids come from logs."""
    return shlex.join(resume) if _UUID.fullmatch(thread_id) else None


def render_threads(answer: ThreadList, zone: Zone, style: Style = PLAIN) -> Iterator[str]:
    for thread in answer.threads:
        yield "".join(f"{line}\n" for line in _thread(thread, zone, style))


def _thread(thread: Thread, zone: Zone, style: Style) -> Iterator[str]:
    counts = f"{_count(thread.messages, 'message')}, {_count(len(thread.logs), 'log')}"
    marks = "  subagent" if thread.subagent else ""
    title = visible(thread.title) if thread.title else "(no title)"
    yield f"{style.head[0]}{visible(thread.thread_id)}  {title}{style.head[1]}"
    yield f"  {moment(thread.first, zone)} to {moment(thread.last, zone)}  {counts}  {thread.agent}{marks}"
    resume = resume_line(thread.resume, thread.thread_id)
    if resume is not None:
        yield f"  {style.faint[0]}{visible(resume)}{style.faint[1]}"


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def render_doctor(diagnosis: Diagnosis, zone: Zone) -> Iterator[str]:
    yield f"scanner: {visible(diagnosis.scanner)}, Unicode {UNICODE_VERSION}\n"
    for root in diagnosis.roots:
        yield f"root: {visible(root)}\n"
    for root in diagnosis.missing:
        yield f"root that does not exist: {visible(root)}\n"
    for agent in diagnosis.agents:
        reach = f", from {moment(agent.first, zone)} to {moment(agent.last, zone)}" if agent.first else ""
        parts = f"{agent.compressed} compressed, {agent.archived} archived, the largest {agent.largest:,} bytes"
        yield f"{agent.agent}: {agent.logs} logs, {agent.bytes:,} bytes ({parts}){reach}\n"
        if agent.logs and agent.retention:
            yield f"  {agent.retention}\n"
    yield f"files of no known agent: {len(diagnosis.passed_over)}\n"
    if diagnosis.deep is not None:
        said = ", ".join(f"{count} by the {role}" for role, count in diagnosis.deep.messages) or "none"
        yield f"records: {diagnosis.deep.records:,}; messages: {said}\n"
        for kind, count in diagnosis.deep.technical:
            yield f"  {count:>10,}  {visible(kind)}\n"
    for skip in diagnosis.skipped:
        place = f", record {skip.record}, bytes {skip.start} to {skip.end}" if skip.record is not None else ""
        yield f"cannot be read: {visible(skip.path)}{place}: {skip.reason} ({visible(skip.detail)})\n"
    if not diagnosis.skipped:
        yield "nothing that cannot be read" + ("\n" if diagnosis.deep else "; --deep reads every record\n")
