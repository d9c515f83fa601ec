# Everything a person needs: `make demo` and `make test` work on a fresh clone.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: demo test check soak bench lock clean system-packages

demo: $(VENV)/.ready
	$(BIN)/vigil demo

# Two processes: one works while the other waits for a broker, a browser or a deadline.
test: $(VENV)/.ready system-packages check
	$(BIN)/python -m pytest -n 2 --dist loadfile -m "not soak and not alone"
	$(BIN)/python -m pytest -m alone

check: $(VENV)/.ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

soak: $(VENV)/.ready
	VIGIL_SOAK=1 $(BIN)/python -m pytest -m soak --timeout 14400
	VIGIL_SOAK=20 $(BIN)/python -m pytest tests/sase/test_properties.py tests/sase/test_resume.py --timeout 14400

bench: $(VENV)/.ready
	$(BIN)/python -m benchmarks.engine

$(VENV)/.ready: requirements.lock pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit("Vigil needs Python 3.11 or later; set PYTHON=/path/to/python3.11") if sys.version_info < (3, 11) else 0'
	$(PYTHON) -m venv $(VENV)
	@echo 'Installing what Vigil needs, once: about two minutes, mostly Spark. A line for each package:'
	$(BIN)/python -m pip install --disable-pip-version-check --progress-bar off --require-hashes --requirement requirements.lock | sed -un 's/^Collecting \([^ ]*\).*/  \1/p; s/^Installing collected.*/  … and putting them in place/p'
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	touch $@

# A real broker, database and browser for the tests; without root the tests that need them say so and are left out.
system-packages:
	@sh tests/system-packages.sh

lock: $(VENV)/.ready
	$(BIN)/uv pip compile --quiet --all-extras --generate-hashes --no-emit-index-url --no-emit-find-links --upgrade pyproject.toml --output-file requirements.lock

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis
