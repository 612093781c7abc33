"""The commands, one module each: `configure` declares the arguments, `main` returns the exit status.

0 held, 1 findings, 2 wrong usage, 3 could not run.
"""
