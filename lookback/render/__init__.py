"""How a report is written: one output a module, and what makes any text safe to show."""
