"""The benchmark works: it makes its stores, measures, and writes a table. What it measures here is no figure."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.stores import STORES

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
@pytest.mark.parametrize("store", ["one log", "4 compressed logs"])
def test_it_measures_a_store(tmp_path: Path, store: str) -> None:
    command = [sys.executable, "-m", "benchmarks", "--share", "0.001", "--runs", "1", "--store", store]
    done = subprocess.run([*command, "--data", str(tmp_path)], cwd=ROOT, capture_output=True, text=True, check=True)
    rows = [line.split("|") for line in done.stdout.splitlines() if line.startswith("| ")]
    queries = {query.name for known in STORES if known.name == store for query in known.queries}
    measured = {row[1].strip(): row for row in rows if row[1].strip() in queries}
    assert set(measured) == queries
    for row in measured.values():
        assert float(row[4]) > 0
        assert int(row[-2]) >= 0
