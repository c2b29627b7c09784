# make paper   fresh machine to build/report.html: every table and figure at smoke scale
# make test    lint, types, all tests, kernels once more uncompiled
# make bench   ratios within one run: JSON and a table under build/
# make lint    ruff and mypy alone

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Compiled code lets infinities pass in silence; NumPy would warn where it stands in for it.
UNCOMPILED := NUMBA_DISABLE_JIT=1

.PHONY: paper test bench lint clean
.DEFAULT_GOAL := test

$(VENV)/.installed-%: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "linspike needs Python 3.11 or newer; name one with: make PYTHON=python3.12"; exit 1; }
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[$*]'
	@touch $@

paper: $(VENV)/.installed-report
	@mkdir -p build
	$(BIN)/linspike reproduce all --scale smoke --store build/smoke.sqlite
	$(BIN)/linspike report --store build/smoke.sqlite --out build/report.html

lint: $(VENV)/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

test: lint
	$(BIN)/pytest -n 2 --dist loadfile --cov --cov-report=
	$(UNCOMPILED) $(BIN)/pytest tests/kernels tests/rules/test_steps.py -W ignore::RuntimeWarning --cov --cov-append --cov-report=term:skip-covered --cov-fail-under=95

bench: $(VENV)/.installed-dev
	@mkdir -p build
	$(BIN)/python -m benchmarks --json build/bench.json

clean:
	rm -rf $(VENV) build .coverage .mypy_cache .pytest_cache .ruff_cache .hypothesis
