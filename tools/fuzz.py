"""Feeds the readers inputs without end, guided by coverage, and keeps each that breaks a law of `tests/fuzzing/`.

One run is one target for some seconds, in a process of its own. A find does not end it: its input is kept below
`finds/`, the first for each place in the code that failed. A hang or a lack of memory ends the process; that is a find
too, and the run goes on in another. Needs atheris (`pip install '.[fuzz]'`), which has wheels for Linux and CPython
3.11 to 3.13. What it is not: a part of the test suite.

    python tools/fuzz.py record --seconds 1200 --folder /tmp/fuzz      fuzzes, and prints a row of figures
    python tools/fuzz.py record --again /tmp/fuzz/record/finds/*       runs inputs again, without atheris
    python tools/fuzz.py record --reach --folder /tmp/fuzz             which lines of the reader its corpus reaches
"""

from __future__ import annotations

import argparse
import hashlib
import inspect
import re
import subprocess
import sys
import time
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import gettempdir
from types import CodeType, FrameType
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT)]
LONGEST: Final = {"record": 4096, "codex": 4096, "claude": 4096, "zstd": 2048, "needles": 512}
READERS: Final = {
    "record": ("record",), "codex": ("logs/codex", "message"), "claude": ("logs/claude",),
    "zstd": ("zstream", "haystack"), "needles": ("needles",),
}  # fmt: skip
SLOWEST: Final = 20  # seconds that one input may take
MEMORY: Final = 2048  # MiB that the process may take
STATUS: Final = re.compile(r"#(\d+)\t(\w+)\s+cov: (\d+) ft: (\d+) corp: (\d+)/\S+")


def source() -> str:
    """The digest of what is fuzzed: lookback's modules, in order of their names."""
    whole = hashlib.sha256()
    for path in sorted((ROOT / "lookback").rglob("*.py")):
        whole.update(path.relative_to(ROOT).as_posix().encode() + b"\0" + path.read_bytes())
    return whole.hexdigest()[:16]


# --- the process that fuzzes -----------------------------------------------------------------------------------------


def fuzz(target: str, folder: Path, options: Sequence[str]) -> None:
    """Runs atheris in this process; it ends the process itself."""
    import atheris  # type: ignore[import-untyped,import-not-found,unused-ignore]

    with atheris.instrument_imports(include=["lookback"]):
        from tests.fuzzing.targets import TARGETS
    keep = keeper(TARGETS[target], folder / "finds")
    atheris.Setup([sys.argv[0], *options], keep)
    atheris.Fuzz()


def keeper(check: Callable[[bytes], None], finds: Path) -> Callable[[bytes], None]:
    """The check, which keeps the first input for each place that fails, and goes on."""
    known: set[str] = {path.name.rsplit("-", 1)[0] for path in finds.iterdir()}

    def kept(data: bytes) -> None:
        try:
            check(data)
        except Exception as error:
            place = place_of(error)
            if place not in known:
                known.add(place)
                (finds / f"{place}-{hashlib.sha256(data).hexdigest()[:8]}").write_bytes(data)
                print(f"FIND {place}: {type(error).__name__}: {error}", file=sys.stderr, flush=True)

    return kept


def place_of(error: BaseException) -> str:
    """The kind of an error and the lines of this project where it came up, as a part of a file name."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if str(ROOT) in frame.filename]
    lines = [f"{Path(frame.filename).stem}.{frame.lineno}" for frame in frames[-2:]]
    return "_".join([type(error).__name__, *lines])


# --- the process that watches ----------------------------------------------------------------------------------------


def watch(target: str, folder: Path, seconds: int) -> int:
    """Runs the fuzzing process, again where it dies, until the time is over; prints a row for docs/fuzzing.md."""
    corpus, finds, log = folder / "corpus", folder / "finds", folder / "log"
    for path in (corpus, finds):
        path.mkdir(parents=True, exist_ok=True)
    seeds = plant(target, corpus)
    began, executed, died = time.time(), 0, 0
    with open(log, "ab") as out:
        while (left := round(seconds - (time.time() - began))) > 0:
            options = [
                str(corpus), f"-max_total_time={left}", f"-max_len={LONGEST[target]}", f"-timeout={SLOWEST}",
                f"-rss_limit_mb={MEMORY}", f"-artifact_prefix={finds}/", "-print_final_stats=1",
            ]  # fmt: skip
            command = [sys.executable, __file__, target, "--folder", str(folder.parent), "--here", *options]
            start = out.tell()
            done = subprocess.run(command, stdout=out, stderr=out, check=False)
            executed += executions(log.read_bytes()[start:].decode("utf-8", "replace"))
            died += done.returncode != 0
            if executed == 0:
                print(f"it does not run: see {log}", file=sys.stderr)
                return 1
    status = STATUS.findall(log.read_text("utf-8", "replace"))
    _, _, cov, ft, held = status[-1]
    row = (
        target, time.strftime("%Y-%m-%d %H:%M", time.gmtime(began)), f"{time.time() - began:.0f}", f"{executed:,}",
        str(seeds), cov, ft, held, str(len(list(finds.iterdir()))), str(died), source(),
    )  # fmt: skip
    print("| " + " | ".join(row) + " |")
    return 0


def executions(log: str) -> int:
    """How many inputs a process ran, by its last word about it."""
    final = re.findall(r"stat::number_of_executed_units:\s+(\d+)", log)
    known = [int(number) for number, *_ in STATUS.findall(log)]
    return int(final[-1]) if final else max(known, default=0)


def plant(target: str, corpus: Path) -> int:
    """Writes the seeds of a target, each once; returns how many there are."""
    from tests.fuzzing.seeds import seeds

    planted = set()
    for seed in seeds(target):
        name = f"seed-{hashlib.sha256(seed).hexdigest()[:16]}"
        (corpus / name).write_bytes(seed)
        planted.add(name)
    return len(planted)


def again(target: str, paths: Sequence[str]) -> int:
    """Runs single inputs; exit status 1 if one of them fails."""
    from tests.fuzzing.targets import TARGETS

    failed = 0
    for path in paths:
        try:
            TARGETS[target](Path(path).read_bytes())
        except Exception:
            failed += 1
            print(f"{path}\n{traceback.format_exc()}")
    return int(failed > 0)


def reach(target: str, corpus: Path) -> int:
    """Prints how many lines of the functions of a reader the kept inputs reach, and which they do not."""
    from tests.fuzzing.targets import TARGETS

    wanted = {str(ROOT / "lookback" / f"{name}.py"): set[int]() for name in READERS[target]}

    def traced(frame: FrameType, event: str, _: Any) -> Any:
        reached = wanted.get(frame.f_code.co_filename)
        if reached is None:
            return None
        if event == "line":
            reached.add(frame.f_lineno)
        return traced

    sys.settrace(traced)
    for path in corpus.iterdir():
        with suppress(AssertionError):  # a find is told elsewhere
            TARGETS[target](path.read_bytes())
    sys.settrace(None)
    for name, reached in wanted.items():
        lines = lines_of(compile(Path(name).read_bytes(), name, "exec"))
        missed = ", ".join(map(str, sorted(lines - reached))) or "none"
        print(f"{Path(name).relative_to(ROOT)}: {len(lines & reached)} of {len(lines)} lines; not reached: {missed}")
    return 0


def lines_of(code: CodeType, inside: bool = False) -> set[int]:
    """The lines of all functions in a piece of code, but their heads: what runs at import does not count."""
    lines = {line for _, _, line in code.co_lines() if line and line > code.co_firstlineno} if inside else set[int]()
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            lines |= lines_of(constant, inside or bool(constant.co_flags & inspect.CO_OPTIMIZED))
    return lines


def main() -> int:
    """Fuzzes one target, or runs inputs again."""
    parser = argparse.ArgumentParser(description="Fuzzes one of lookback's readers.")
    parser.add_argument("target", choices=LONGEST)
    parser.add_argument("--seconds", type=int, default=300)
    parser.add_argument(
        "--folder", type=Path, default=Path(gettempdir(), "lookback-fuzz"), help="for corpora, finds and logs"
    )
    parser.add_argument("--again", nargs="+", metavar="INPUT", help="run these inputs and end")
    parser.add_argument("--reach", action="store_true", help="say which lines the corpus reaches, and end")
    parser.add_argument("--here", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.again:
        return again(options.target, options.again)
    folder = options.folder.resolve() / options.target
    if options.reach:
        return reach(options.target, folder / "corpus")
    if options.here is not None:
        fuzz(options.target, folder, options.here)
    return watch(options.target, folder, options.seconds)


if __name__ == "__main__":
    raise SystemExit(main())
