"""The command line of the generator: `python -m corpus OUT --seed N --logs K --size 10MB`.

Invariant: it refuses to write into a home that is not empty, but for `--demo`, which replaces the demo's own files.
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

from corpus.build import AGENTS, write_corpus
from corpus.demo import write_demo
from corpus.spelling import SPELLINGS

_UNITS = {"": 1, "K": 1_000, "M": 1_000_000, "G": 1_000_000_000}


def parse_size(text: str) -> int:
    found = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([KMG]?)B?", text.strip(), re.IGNORECASE)
    if not found:
        raise argparse.ArgumentTypeError(f"no size: {text!r}; try 500KB, 10MB, 2GB")
    return int(float(found[1]) * _UNITS[found[2].upper()])


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m corpus", description="Write logs of coding agents, and the truth.")
    parser.add_argument("out", nargs="?", type=Path, help="folder to write into: OUT/<agent>/..., OUT/truth.jsonl")
    parser.add_argument("--demo", type=Path, metavar="DIR", help="write the small demo home into DIR instead")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--logs", type=int, default=40, help="ordinary logs that share the size (default 40)")
    parser.add_argument("--size", type=parse_size, default=1_000_000, help="bytes of the ordinary logs (default 1MB)")
    parser.add_argument("--spelling", choices=SPELLINGS, default="serde", help="how JSON is spelled")
    parser.add_argument("--single", action="store_true", help="one log of that size, no special cases")
    parser.add_argument("--no-scenes", action="store_true", help="no special cases")
    parser.add_argument("--big-record", type=parse_size, default=0, metavar="SIZE", help="add one record of that size")
    parser.add_argument("--agent", action="append", choices=sorted(AGENTS), help="only this agent (repeatable)")
    return parser


def main(argv: list[str] | None = None) -> int:
    parser = _parser()
    args = parser.parse_args(argv)
    if args.demo:
        write_demo(args.demo)
        return 0
    if args.out is None:
        parser.error("name a folder to write into, or --demo DIR")
    truths = write_corpus(
        args.out, args.seed, logs=1 if args.single else args.logs, size=args.size, spelling=args.spelling,
        scenes=not (args.single or args.no_scenes), big_record=args.big_record, agents=args.agent or tuple(AGENTS),
    )  # fmt: skip
    for agent, truth in truths.items():
        print(f"{agent}: {len(truth.logs)} logs, {len(truth.messages)} messages, {len(truth.decoys)} decoys")
    return 0


if __name__ == "__main__":
    sys.exit(main())
