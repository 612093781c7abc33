"""The commands, one module each: `configure` declares its arguments, `main` does it and returns the exit status.

0 held, 1 findings, 2 wrong usage, 3 could not run.
"""
