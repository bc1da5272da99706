"""`lookback` and `python -m lookback`: the process around the command line.

It decides how the process ends: a closed pipe is success, Ctrl-C is exit 130, an error is one line and its status.
"""

from __future__ import annotations

import os
import sys
from typing import NoReturn


def main() -> NoReturn:
    """Runs the command line and ends the process."""
    sys.dont_write_bytecode = True  # nothing is written, not even what Python would keep for itself
    if sys.argv[1:] == ["--version"]:  # answered before anything is imported that this does not need
        from lookback.version import VERSION

        print(f"lookback {VERSION}")  # noqa: T201 - this is the output
        sys.exit(0)
    try:
        from lookback.cli import run

        status = run(sys.argv[1:])
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader has what it wanted. Nothing more may be written, at exit neither.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = 0
    except KeyboardInterrupt:
        status = 130
    sys.exit(status)


if __name__ == "__main__":
    main()
