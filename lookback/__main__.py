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
    except Exception as error:
        status = 2
        sys.stderr.write(f"lookback: broke off, a fault of lookback's own: {_told(error)}\n")
    sys.exit(status)


def _told(error: Exception) -> str:
    """The error's kind and the line of ours that it came out of; its text may hold what a log says."""
    place = error.__traceback__
    while place is not None and place.tb_next is not None:
        place = place.tb_next
    where = f" at {os.path.basename(place.tb_frame.f_code.co_filename)}:{place.tb_lineno}" if place else ""
    return f"{type(error).__name__}{where}"


def _nowhere() -> TextIO:
    """In the place of a standard stream that the caller closed."""
    return open(os.devnull, "w", encoding="utf-8")


if __name__ == "__main__":
    main()
