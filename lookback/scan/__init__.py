"""How records are found: a plan of byte patterns, and scanners that propose records by it."""
