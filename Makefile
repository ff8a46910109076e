# One command each: `make run` plays, `make test` proves. Needs Python 3.11+ with venv, a C compiler and make.

VENV := .venv
BIN := $(VENV)/bin
ENGINE := $(wildcard service/engine/*.c service/engine/*.h)
PREPARED_BY := tools/prepare.sh pyproject.toml setup.py clients/cli/pyproject.toml $(ENGINE)
C_WARNINGS := -std=c11 -O2 -fno-strict-aliasing -Wall -Wextra -Werror
# More for a command: make test ARGS="-k room", make bench ARGS=--help.
ARGS ?=

.DEFAULT_GOAL := help
.PHONY: help run test check bench openapi clean

help: ## say what there is
	@sed -n 's/^\([a-z]*\):.*## /  make \1	/p' Makefile

run: $(VENV)/run.stamp ## install what is missing and start everything on this machine
	@$(BIN)/python -m mitsuboshi up

test: check ## install what the tests need, check the sources and run all tests
	$(BIN)/python -m pytest $(ARGS)

check: $(VENV)/test.stamp ## lint, types, layers, C warnings and tidiness
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	@for source in $(filter %.c,$(ENGINE)); do \
	  echo "cc $(C_WARNINGS) $$source"; \
	  $(CC) $(C_WARNINGS) -Iservice/engine -I"$$($(BIN)/python -c 'import sysconfig; print(sysconfig.get_paths()["include"])')" \
	    -c -o $(VENV)/check.o $$source || exit 1; \
	done
	$(BIN)/python -m pytest tests/tidy

bench: $(VENV)/test.stamp ## measure what the docs quote
	$(BIN)/python -m mitsuboshi bench $(ARGS)

openapi: $(VENV)/run.stamp ## write openapi/ and the table of settings anew from the sources
	$(BIN)/python -m mitsuboshi openapi --folder openapi
	$(BIN)/python tools/write_settings.py

clean: ## remove everything that make has made; data/ stays
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find service clients tests -name __pycache__ -prune -exec rm -rf {} +
	rm -rf service/*.egg-info clients/*/*.egg-info service/mitsuboshi/ai/*.so

$(VENV)/run.stamp: $(PREPARED_BY)
	@sh tools/prepare.sh run
	@touch $@

# The tests' set-up holds all that the programs need.
$(VENV)/test.stamp: $(PREPARED_BY)
	@sh tools/prepare.sh test
	@touch $@ $(VENV)/run.stamp
