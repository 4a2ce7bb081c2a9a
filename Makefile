# Two commands do everything: `make demo` runs WebGym, `make test` tests it. Both set up what they need first.

PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.installed
LOCK   := requirements.lock
# What lives beside the core, each a package of its own.
PARTS  := environments/hermetic environments/webapp policies/nano integrations/areal benchmarks
# Tests wait for browsers half of their time: more workers than there are cores.
WORKERS = $(shell n=$$(( $$(nproc) + 2 )); echo $$(( n < 6 ? n : 6 )))

.PHONY: demo test test-full test-bare test-vllm test-areal test-webapps test-recipes check format setup bench clean help

help:
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 14

$(STAMP): pyproject.toml $(wildcard */*/pyproject.toml) benchmarks/pyproject.toml $(LOCK)
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed: make PYTHON=python3.11 …"; exit 1; }
	@echo "setup: creating $(VENV) and installing pinned dependencies: with PyTorch for the CPU 0.45 GB to download and 1.9 GB on disk, with CUDA 3 GB and 6 GB"
	@test -x $(BIN)/pip || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -I src/webgym/cli/torch_build.py torch --constraint $(LOCK)
	@$(BIN)/python -m pip install --disable-pip-version-check --constraint $(LOCK) --editable '.[dev]' $(addprefix --editable ,$(PARTS))
	@# Of MiniWoB only the pages are needed, not Selenium, which its package drives them with.
	@$(BIN)/python -m pip install --disable-pip-version-check --no-deps --constraint $(LOCK) miniwob --editable environments/miniwob
	@touch $@

setup: $(STAMP)   ## create .venv, install pinned dependencies and a browser
	@$(BIN)/webgym setup

demo: setup       ## let a tiny policy learn on unseen websites, ten minutes
	@$(BIN)/webgym demo $(DEMO)

check: $(STAMP)   ## lint, format, types, import contracts
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/pyright
	$(BIN)/lint-imports

test: setup       ## all tests but the long proofs
	$(BIN)/pytest -m "not full" --numprocesses $(WORKERS) --dist loadfile $(TESTS)

test-full: setup  ## the long proofs; TURN=0/3 for a third of them
	$(BIN)/pytest -m full --timeout 1500 $(if $(TURN),--turn $(TURN))

test-bare:        ## demo and tests on a minimal Debian, as an ordinary user; needs root and debootstrap
	@PYTHON=$(PYTHON) tests/bare/run

test-vllm: setup  ## vLLM's CPU build as the sampler, in an environment of its own
	@tests/vllm/run

test-areal: setup ## the AReaL workflow against the real package, in an environment of its own
	@integrations/areal/tests/real/run

test-webapps: setup ## MLflow and Node-RED as environments, each in a folder of its own
	@environments/webapp/tests/applications/run

test-recipes:     ## the files of docker/ and deploy/, with linters in an environment of their own
	@PYTHON=$(PYTHON) tests/recipes/run

format: $(STAMP)  ## format and fix what can be fixed
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: setup      ## measure this machine
	$(BIN)/webgym bench sessions --sessions 16 --baseline

clean:            ## remove what was built
	rm -rf $(VENV) build dist .pytest_cache .ruff_cache .hypothesis .import_linter_cache
