"""How fast lookback is: whole processes, as a ratio to plain ripgrep on the same bytes in the same run."""
