# Everything that this repository is run, tested and checked with. It needs Python 3.11 or newer and make, nothing else.

VENV := .venv
PYTHON := $(VENV)/bin/python
UV := $(VENV)/bin/uv

# The stamps say that a lock file has been installed as it is now.
BOOTSTRAP := $(VENV)/.bootstrap
RUNTIME := $(VENV)/.runtime
TESTING := $(VENV)/.testing

COMPILE = $(UV) pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate \
	--no-emit-index-url --no-emit-find-links \
	--no-emit-package reflexio-serverless --no-emit-package reflexio-serverless-sdk $(if $(UPGRADE),--upgrade)

.DEFAULT_GOAL := help
.PHONY: help install demo test check format bench bench-learning lock clean

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "%-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

install: $(RUNTIME) ## Install what the service runs with into .venv

demo: $(RUNTIME) ## Learn from a conversation and find it again: FILE=conversation.json for one of yours
	@$(PYTHON) -m reflexio_core.embedded.demo $(if $(FILE),"$(FILE)")

test: $(TESTING) ## Run every test: STRICT=1 fails on unreviewed skips, ARGS=... goes to pytest
	@$(PYTHON) -m reflexio.cli model prepare >/dev/null
	@$(PYTHON) -m tests.runner $(if $(STRICT),--strict) $(ARGS)

check: $(TESTING) ## Lint, formatting, strict types, import rules
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/mypy
	$(PYTHON) -m pytest -q -p no:cacheprovider tests/architecture

format: $(TESTING) ## Format the code and mend what lint can mend
	$(VENV)/bin/ruff check --fix .
	$(VENV)/bin/ruff format .

bench: $(TESTING) ## Print speed ratios and write tests/bench/RESULTS.md: CHECK=1 fails on a missed one
	$(PYTHON) -m tests.bench $(if $(CHECK),--check)

bench-learning: $(TESTING) ## Measure learning on the corpus: MODEL= a LiteLLM name, the offline learner without
	$(PYTHON) -m tests.bench.learning $(if $(MODEL),--model "$(MODEL)")

lock: $(BOOTSTRAP) ## Resolve the lock files again: UPGRADE=1 takes the newest releases
	$(COMPILE) tests/bootstrap.in -o tests/bootstrap.txt
	$(COMPILE) layers/requirements.in -o layers/requirements.txt
	$(COMPILE) tests/requirements.in -o tests/requirements.txt

clean: ## Remove everything that was installed, built or cached here
	rm -rf $(VENV) .cache .mypy_cache .ruff_cache .pytest_cache .hypothesis build dist
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
	find . -name '*.egg-info' -type d -prune -exec rm -rf {} +

$(BOOTSTRAP): tests/bootstrap.txt .ci/make-venv
	@.ci/make-venv $(VENV) tests/bootstrap.txt
	@touch $@

$(RUNTIME): $(BOOTSTRAP) layers/requirements.txt pyproject.toml sdk/pyproject.toml
	@echo "installing what the service runs with" >&2
	@$(UV) pip install --quiet --python $(PYTHON) --require-hashes -r layers/requirements.txt
	@$(UV) pip install --quiet --python $(PYTHON) --no-build-isolation --no-deps -e ./sdk -e .
	@touch $@

$(TESTING): $(RUNTIME) tests/requirements.txt
	@echo "installing what the tests run with" >&2
	@$(UV) pip install --quiet --python $(PYTHON) --require-hashes -r tests/requirements.txt
	@touch $@
