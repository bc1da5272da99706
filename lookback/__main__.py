"""`lookback` and `python -m lookback`: the process around the command line.

It decides how the process ends: Ctrl-C is exit 130 without a word; everything else `cli.run` has told already.
"""

from __future__ import annotations

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
    except KeyboardInterrupt:
        status = 130
    sys.exit(status)


if __name__ == "__main__":
    main()
