# Breakeven. `make help` lists the targets.
.DEFAULT_GOAL := help
PORT ?= 8501
PYTEST_WORKERS ?= 2
VENV := .venv/bin

.PHONY: help setup setup-dev run test test-fast check format bench screenshots lock audit clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: ## create .venv and install what the dashboard needs
	@scripts/setup.sh requirements.lock

setup-dev: ## the same, with what the tests need
	@scripts/setup.sh requirements-dev.lock

run: setup ## set up and start the dashboard on PORT (8501)
	$(VENV)/python -m app --port $(PORT)

test: setup-dev ## set up and pass every test, in a real browser too
	@scripts/ensure_browser.sh
	$(VENV)/python -m pytest -n $(PYTEST_WORKERS) --dist loadgroup

test-fast: setup-dev ## the tests that need no browser
	$(VENV)/python -m pytest -n $(PYTEST_WORKERS) --dist loadgroup -m "not browser"

check: setup-dev ## lint, formatting and types
	$(VENV)/ruff check .
	$(VENV)/ruff format --check .
	$(VENV)/mypy

format: setup-dev ## mend formatting and simple lint
	$(VENV)/ruff check --fix .
	$(VENV)/ruff format .

bench: setup-dev ## measure plan, grid, reruns, browser and load; print one table
	@scripts/ensure_browser.sh
	$(VENV)/python -m tests.bench

screenshots: setup-dev ## every page in four forms, into build/screenshots
	@scripts/ensure_browser.sh
	$(VENV)/python scripts/screenshots.py

lock: setup-dev ## write both lock files anew from requirements*.txt
	@scripts/lock.sh

audit: setup-dev ## look the pinned dependencies up in the vulnerability database
	$(VENV)/pip-audit --requirement requirements.lock --no-deps --disable-pip --strict

clean: ## remove .venv, build and caches
	rm -rf .venv build .pytest_cache .mypy_cache .ruff_cache .hypothesis
