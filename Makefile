# Every target sets up what it needs: a virtual environment in .venv, the tools, and the kernel in release mode.
# Needed beforehand: Python 3.11 or later (`make PYTHON=python3.12 test` picks another one) and cargo.

PYTHON ?= python3
VENV   := .venv
STAMPS := $(VENV)/stamps
RUN    := $(VENV)/bin/python
BENCH  ?= suites
CRATE  := --manifest-path rust/Cargo.toml

PYTHON_DIRS  := $(wildcard src tests benchmarks examples tools)
RUST_SOURCES := rust/Cargo.toml $(wildcard rust/Cargo.lock rust/build.rs) \
                $(shell find rust/src rust/tests rust/benches -name '*.rs' 2>/dev/null)

ifeq ($(CI),true)
LOCKED := --locked
TESTS  :=
WHEEL  := $(STAMPS)/wheel
TEX    := tex
else
LOCKED :=
TESTS  := -m "not slow"
WHEEL  :=
TEX    :=
endif

# Wheels for Linux are linked by zig, which knows the C library of 2014 too.
PORTABLE := $(if $(filter Linux,$(shell uname -s)),--zig --compatibility manylinux2014)

# Instructions are counted where valgrind is there, and in any case with CI=true.
COUNTED := $(if $(filter true,$(CI))$(shell command -v valgrind 2>/dev/null),instructions,no-valgrind)

# What is built holds no path of this machine. One set of flags for all that is not sanitized or counted: other flags are
# another build.
REMAP := --remap-path-prefix=$(HOME)=home --remap-path-prefix=$(or $(CARGO_HOME),$(HOME)/.cargo)/registry/src=crates \
         --remap-path-prefix=$(CURDIR)=.
export RUSTFLAGS := $(strip $(filter-out $(REMAP),$(RUSTFLAGS)) $(REMAP))

# A tool chain that was installed by rustup is found even where the shell's profile does not name it.
export PATH := $(PATH):$(HOME)/.cargo/bin
export VIRTUAL_ENV := $(CURDIR)/$(VENV)
# Bytecode is written on first import, not for every file of every package: that halves the installation time.
export PIP_NO_COMPILE := 1
export PIP_DISABLE_PIP_VERSION_CHECK := 1
unexport PYTHONDONTWRITEBYTECODE PYTHONHOME PYTHONPATH CONDA_PREFIX

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help demo test wheel check check-python check-rust check-workflow instructions sanitize address miri loom stress bench \
        fuzz crash format clean \
        need-cargo need-cargo-tools need-valgrind browser tools postgres java tex no-valgrind

help: ## show this list
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 21

demo: $(STAMPS)/kernel ## see what likelier does, in a minute
	@$(RUN) -m likelier.demo

test: $(STAMPS)/kernel $(STAMPS)/test $(WHEEL) browser tools postgres java $(TEX) ## run the tests; with CI=true the slow ones too; ARGS="-k spam" picks some
	$(RUN) -m pytest -n auto --dist worksteal $(TESTS) $(ARGS)

wheel: $(STAMPS)/wheel ## build a wheel for others, in dist: CPython 3.11 and later, on Linux glibc 2.17 and later

check: check-python check-rust check-workflow address $(COUNTED) ## format, lint, types, import order, stubs, the kernel's tests and instructions

check-python: $(STAMPS)/kernel $(STAMPS)/test $(STAMPS)/check
	$(RUN) -m ruff format --check $(PYTHON_DIRS)
	$(RUN) -m ruff check $(PYTHON_DIRS)
	$(RUN) -m mypy
	$(RUN) -m mypy.stubtest --mypy-config-file pyproject.toml likelier._kernel
	$(VENV)/bin/lint-imports --no-logo

check-rust: need-cargo-tools | $(STAMPS)/venv
	cargo fmt $(CRATE) --check
	$(RUN) tools/licenses.py --check
	cargo clippy $(CRATE) $(LOCKED) --all-targets -- -D warnings
	cargo clippy $(CRATE) $(LOCKED) --all-targets --features python -- -D warnings
	cargo test $(CRATE) $(LOCKED) --quiet

# Where neither actionlint nor Go is found the workflow is not looked at, except that with CI=true it must be.
check-workflow:
	@if command -v actionlint >/dev/null; then actionlint .github/workflows/*.yml; \
	elif command -v go >/dev/null; then go run github.com/rhysd/actionlint/cmd/actionlint@v1.7.12 .github/workflows/*.yml; \
	else \
	  echo 'actionlint was not found: the release workflow was not checked. hint: install Go' >&2; [ "$(CI)" != true ]; \
	fi

instructions: need-cargo need-valgrind | $(STAMPS)/venv ## count the kernel's instructions; ARGS=--store keeps the counts
	$(RUN) benchmarks/instructions.py $(LOCKED) $(ARGS)

sanitize: address miri ## the kernel's unsafe code under AddressSanitizer, and under Miri where it is installed

# The flag is not stable yet; what it needs comes with the stable tool chain of rustup, and not with every other one.
address: need-cargo
	@host=$$(rustc -vV | sed -n 's/^host: //p'); \
	if ls "$$(rustc --print sysroot)/lib/rustlib/$$host/lib/"librustc*_rt.asan.* >/dev/null 2>&1; then set -x; \
	  RUSTC_BOOTSTRAP=1 RUSTFLAGS=-Zsanitizer=address \
	    cargo test $(CRATE) $(LOCKED) --quiet --tests --target "$$host" --target-dir rust/target/address; \
	else \
	  echo 'AddressSanitizer was not found: unsafe code was not run under it. hint: the tool chain of rustup has it' >&2; \
	  [ "$(CI)" != true ]; \
	fi

# Only tests that reach unsafe code: Miri takes seconds for milliseconds. It has the features that it is told of, and so
# takes the fast way.
miri: need-cargo
	@if cargo +nightly miri --version >/dev/null 2>&1; then \
	  case "$$(rustc -vV)" in *'host: x86_64'*) features=-Ctarget-feature=+avx2,+bmi1,+bmi2,+lzcnt,+popcnt;; esac; \
	  set -x; RUSTFLAGS=$$features cargo +nightly miri test $(CRATE) $(LOCKED) --quiet --target-dir rust/target/miri \
	    --lib --test tokenize -- gate:: processor:: interner:: overlay:: terms:: column:: json:: words_of what_stands \
	    --skip a_hundred_thousand; \
	else \
	  echo 'Miri was not found: unsafe code was not run under it.' >&2; \
	  echo 'hint: rustup toolchain install nightly --component miri,rust-src' >&2; \
	fi

# Every order in which threads can meet at the gate of a model.
loom: need-cargo
	RUSTFLAGS='--cfg loom' cargo test $(CRATE) $(LOCKED) --quiet --release --target-dir rust/target/loom --test gate

stress: $(STAMPS)/kernel ## ask and change models from many threads, in some minutes; ARGS="--rounds 10000"
	$(RUN) tests/stress.py $(ARGS)

bench: $(STAMPS)/kernel $(STAMPS)/bench $(STAMPS)/peers ## measure everything, in an hour; ARGS=--quick: does it run? BENCH=speed: one suite, see benchmarks/README.md
	$(RUN) benchmarks/$(BENCH).py $(ARGS)

fuzz: $(STAMPS)/kernel $(STAMPS)/test ## load a million damaged model files, in a quarter of an hour; ARGS="--runs 10000 --seed 2"
	$(RUN) tests/storage/fuzz.py --runs 1000000 $(ARGS)

crash: $(STAMPS)/kernel $(STAMPS)/test postgres ## kill servers while they are taught, in some minutes; ARGS="--kills 5 --dry"
	$(RUN) tests/serve/crash.py $(ARGS)

format: $(STAMPS)/check need-cargo-tools ## format the code and fix what can be fixed
	$(RUN) -m ruff format $(PYTHON_DIRS)
	$(RUN) -m ruff check --fix $(PYTHON_DIRS)
	cargo fmt $(CRATE)

clean: ## remove everything that was built, the environment too
	rm -rf $(VENV) rust/target dist build .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	rm -f src/likelier/_kernel*.so src/likelier/_kernel*.pyd
	find $(PYTHON_DIRS) -name __pycache__ -type d -prune -exec rm -rf {} +

# --- set-up: a stamp is older than its sources when there is something to do -------------------------------------

$(STAMPS)/venv:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo 'likelier needs Python 3.11 or later. hint: make PYTHON=/path/to/python3.12 ...' >&2; exit 1; }
	@$(PYTHON) -m venv $(VENV) \
	  || { echo 'hint: Debian and Ubuntu keep venv apart: apt-get install python3-venv' >&2; exit 1; }
	@$(RUN) -m pip install --quiet --upgrade 'pip>=25.1'
	@mkdir -p $(@D) && touch $@

# One stamp for each dependency group of pyproject.toml.
$(STAMPS)/build $(STAMPS)/test $(STAMPS)/check $(STAMPS)/bench $(STAMPS)/pack: $(STAMPS)/%: pyproject.toml | $(STAMPS)/venv
	@echo 'installing the tools for: $*'
	@$(RUN) -m pip install --quiet --group $*
	@touch $@

# Not all of these have a wheel everywhere, so one that is missing is written down and left out.
$(STAMPS)/peers: pyproject.toml | $(STAMPS)/venv
	@$(RUN) benchmarks/install_peers.py $@

# Editable: a change in Python needs no build, a change in Rust needs this one.
# `--group build`, because without a group maturin installs `dev`, and the demo needs no test tools.
$(STAMPS)/kernel: pyproject.toml $(RUST_SOURCES) $(STAMPS)/build | need-cargo
	PIP_QUIET=1 $(RUN) -m maturin develop --release --group build $(LOCKED)
	@touch $@

$(STAMPS)/wheel: pyproject.toml PACKAGE.md LICENSE THIRD-PARTY-LICENSES.txt $(RUST_SOURCES) \
                 $(shell find src -type f -not -name '*.pyc' -not -name '_kernel*') $(STAMPS)/build $(STAMPS)/pack | need-cargo
	rm -f dist/*.whl
	PATH="$(VIRTUAL_ENV)/bin:$$PATH" maturin build --release --strip --out dist $(PORTABLE) $(LOCKED)
	@touch $@

# pip must not run twice at the same time in one environment, also with `make -j`.
.NOTPARALLEL:

# $(call debian,PROGRAMS,PACKAGES,WHAT FOR): if a program is missing, installs Debian's packages where that is allowed.
define debian
	@missing=; for program in $(1); do command -v $$program >/dev/null || missing=1; done; \
	[ -z "$$missing" ] || { \
	  if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	    echo 'installing $(2): $(3)'; \
	    { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $(2); } \
	      >/dev/null || echo 'could not be installed, so the tests do without: $(2)' >&2; \
	  else \
	    echo 'not all of these were found, so the tests do without: $(1)' >&2; \
	    echo 'hint: apt-get install $(2)' >&2; \
	  fi; }
endef

# Tests without the programs they need are skipped, and with CI=true they fail.
browser:
	$(call debian,chromium,chromium,the tests look at pages in it)

tools:
	$(call debian,curl jq openssl sqlite3 nginx systemd-analyze strace,curl jq openssl sqlite3 nginx-light systemd strace,\
	  the tests run what the pages on the server say)

java:
	$(call debian,java,openjdk-17-jre-headless,the tests start a Spark cluster)

# Some tests start a PostgreSQL of their own; without its programs they are skipped, and with CI=true they fail. Debian
# would start one for everybody too, unless it is told before.
CLUSTERS := /etc/postgresql-common/createcluster.conf
postgres:
	@command -v postgres >/dev/null || ls /usr/lib/postgresql/*/bin/postgres >/dev/null 2>&1 || { \
	  if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	    echo 'installing PostgreSQL, in which the tests keep a log of lessons'; export DEBIAN_FRONTEND=noninteractive; \
	    { apt-get update -qq && apt-get install -y -qq --no-install-recommends postgresql-common && \
	      sed -i 's/^#* *create_main_cluster.*/create_main_cluster = false/' $(CLUSTERS) && \
	      apt-get install -y -qq --no-install-recommends postgresql; } \
	      >/dev/null || echo 'PostgreSQL could not be installed: the tests cannot use it' >&2; \
	  else \
	    echo 'PostgreSQL was not found: the tests cannot use it.' >&2; \
	    echo 'hint: apt-get install postgresql' >&2; \
	  fi; }

TEX_PACKAGES := texlive-latex-recommended texlive-xetex texlive-luatex lmodern fonts-dejavu-core poppler-utils
tex:
	$(call debian,pdflatex xelatex lualatex pdftotext,$(TEX_PACKAGES),the slow tests compile documents)

need-valgrind:
	@command -v valgrind >/dev/null || { \
	  if [ "$(CI)" = true ] && [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	    echo 'installing valgrind, which counts instructions'; \
	    { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends valgrind; } \
	      >/dev/null; \
	  else \
	    echo 'valgrind was not found, which counts instructions. hint: apt-get install valgrind' >&2; exit 1; \
	  fi; }

no-valgrind:
	@echo 'valgrind was not found: the instructions of the kernel were not counted. hint: apt-get install valgrind' >&2

need-cargo:
	@command -v cargo >/dev/null || { \
	  echo 'The kernel is written in Rust and cargo was not found.' >&2; \
	  echo 'hint: install the stable tool chain with rustup (https://rustup.rs), then run make again;' >&2; \
	  echo '      the cargo package of Debian 12 is too old.' >&2; exit 1; }

need-cargo-tools: need-cargo
	@cargo fmt --version >/dev/null 2>&1 && cargo clippy --version >/dev/null 2>&1 || { \
	  echo 'rustfmt or clippy was not found. hint: rustup component add rustfmt clippy' >&2; exit 1; }
