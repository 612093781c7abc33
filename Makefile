PYTHON ?= python3
VENV ?= .venv
RUN = exec $(VENV)/bin/python -m

# The sources of this folder are what runs, whatever the environment has installed.
export PYTHONPATH := src

.PHONY: help verify test lint site serve bench
.DEFAULT_GOAL := help

help:
	@echo "make verify   set up, check the cards, run every claim, check the sources"
	@echo "make test     set up, run the tests"
	@echo "make site     build the site into site/        make serve   show it while editing"
	@echo "make bench    ratios against peers              make lint    ruff and mypy"

environment = @$(PYTHON) tools/environment.py $(VENV)

verify:
	$(environment) verify
	@$(RUN) claimbook check
	@$(RUN) claimbook verify
	@$(RUN) claimbook sources

test:
	$(environment) verify site test
	@$(RUN) pytest

lint:
	$(environment) verify site test
	@$(VENV)/bin/ruff check . && $(VENV)/bin/ruff format --check .
	@$(RUN) mypy

site:
	$(environment) site
	@$(RUN) mkdocs build --strict

serve:
	$(environment) site
	@$(RUN) mkdocs serve

bench:
	$(environment) verify bench
	@$(RUN) bench.verify
	@$(RUN) bench.links
