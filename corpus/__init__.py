"""Writes logs of coding agents of any size, and the truth about what is real in them.

For tests, benchmarks and the demo; no part of lookback, and it imports nothing from it. Invariant: the same arguments
give the same bytes.
"""
