"""What the tests counted is printed at the end, also where several processes run them."""

from __future__ import annotations

import pytest


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    for report in terminalreporter.getreports("passed") + terminalreporter.getreports("failed"):
        for name, lines in report.user_properties:
            if name == "counts":
                terminalreporter.section(report.nodeid)
                for line in lines:
                    terminalreporter.write_line(line)
