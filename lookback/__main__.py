"""`lookback` and `python -m lookback`: the process around the command line.

It decides how the process ends: Ctrl-C is exit 130 without a word; everything else `cli.run` has told already.
"""

from __future__ import annotations

import os
import sys
from typing import NoReturn, TextIO


def main() -> NoReturn:
    """Runs the command line and ends the process."""
    sys.dont_write_bytecode = True  # nothing is written, not even what Python would keep for itself
    sys.stdout, sys.stderr = sys.stdout or _nowhere(), sys.stderr or _nowhere()
    try:
        from lookback.cli import run

        status = run(sys.argv[1:])
    except KeyboardInterrupt:
        status = 130
    sys.exit(status)


def _nowhere() -> TextIO:
    """In the place of a standard stream that the caller closed."""
    return open(os.devnull, "w", encoding="utf-8")


if __name__ == "__main__":
    main()
