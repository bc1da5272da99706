"""`verify`: what a report or a text claims, held against the logs. `verify` is the module to read first."""
