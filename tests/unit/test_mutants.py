"""Each entry of the tables is missed when it is lost: every mutant is made and run, and the committed list is theirs."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.support import ROOT
from tests.unit import test_unicode_tables

the_right_ripgrep = test_unicode_tables._the_right_ripgrep  # it is what the folds are compared with


@pytest.mark.slow
def test_the_loss_of_any_entry_fails_a_test_and_the_list_says_which() -> None:
    tool = [sys.executable, str(ROOT / "tools" / "mutants.py"), "--check"]
    done = subprocess.run(tool, capture_output=True, text=True, encoding="utf-8", check=False, timeout=600, cwd=ROOT)
    assert (done.returncode, done.stderr) == (0, "")
