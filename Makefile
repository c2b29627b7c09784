# make paper         fresh machine to build/report.html: every table and figure at smoke scale
# make test          lint, types, all tests, kernels once more uncompiled
# make test-pythons  the tests under every installed Python from 3.11 to 3.14
# make docs          the documentation site under build/docs, without network, and its tests
# make bench         ratios within one run: JSON and a table under build/
# make dist          sdist and wheel under build/dist, checked and tried in a clean environment
# make lint          ruff and mypy alone

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
CLEAN := build/clean-venv
# loadfile: tests of a file share its fixtures, so they stay with one worker.
# The tests of the built site belong to `make docs`.
TESTS := $(BIN)/pytest -n 2 --ignore tests/browser/test_site.py --dist loadfile --cov --cov-report=
# Compiled code lets infinities pass in silence; NumPy would warn where it stands in for it.
UNCOMPILED := NUMBA_DISABLE_JIT=1 $(TESTS) --cov-append -W ignore::RuntimeWarning
# What is compiled; the tests of the compiler itself start processes that compile.
BY_PYTHON := tests/kernels tests/rules/test_steps.py --ignore tests/kernels/test_jit.py

.PHONY: paper test test-pythons docs bench dist lint clean
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

# Compiled before, by both cores: or each worker of pytest would compile the same kernels.
test: lint
	$(BIN)/linspike doctor --warm --jobs 2
	$(TESTS)
	$(UNCOMPILED) $(BY_PYTHON) --cov-report=term:skip-covered --cov-fail-under=95

test-pythons: $(VENV)/.installed-dev
	$(BIN)/nox

# Warnings are errors, names and links that lead nowhere too. From scratch: no page of old stays.
docs: $(VENV)/.installed-dev
	rm -rf build/docs
	$(BIN)/sphinx-build -W -n --keep-going -b html docs build/docs
	$(BIN)/pytest -n 0 tests/browser/test_site.py

bench: $(VENV)/.installed-dev
	@mkdir -p build
	$(BIN)/python -m benchmarks --json build/bench.json

# The test works offline, with the packages of $(VENV); the clean environment has those declared alone.
dist: $(VENV)/.installed-dev
	rm -rf build/dist $(CLEAN)
	LINSPIKE_DIST=build/dist $(BIN)/pytest tests/test_release.py
	$(PYTHON) -m venv $(CLEAN)
	$(CLEAN)/bin/python -m pip install --quiet --disable-pip-version-check build/dist/*.whl
	cd build && clean-venv/bin/linspike list

clean:
	rm -rf $(VENV) build docs/gallery docs/api/generated docs/sg_execution_times.rst \
		.coverage .mypy_cache .nox .pytest_cache .ruff_cache .hypothesis
