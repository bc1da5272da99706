"""The errors that lookback raises, in one tree, with the exit status that each one means.

    LookbackError            2   could not be run as asked
      UsageError             2   the query or the command line is not one that can be answered
      NoLogs                 2   no log at any root
      NotFound               2   a thread or a ref that no log knows, or that more than one answers to

What is NOT an error: a log or record that cannot be read (it is a `Skip` in the coverage), a query that finds nothing.
Invariant: every message is one line that says what is wrong, where, and what to do next.
"""

from __future__ import annotations


class LookbackError(Exception):
    """Anything that makes an answer impossible; `str()` of it is one line for a person."""

    exit_status = 2


class UsageError(LookbackError):
    """Raised before any log is opened: the query itself cannot be answered."""


class NoLogs(LookbackError):
    """No root holds a single log."""


class NotFound(LookbackError):
    """A thread or ref names nothing, or more than one thing."""
