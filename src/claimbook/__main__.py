"""`python -m claimbook` is the `claimbook` command."""

from claimbook.cli import main

raise SystemExit(main())
