# A thin front of CMake. `make help` says what there is.
PREFIX ?= /usr/local
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
ifneq ($(shell command -v ninja 2>/dev/null),)
export CMAKE_GENERATOR := Ninja
endif

MAKEFLAGS += --no-print-directory

.PHONY: all configure demo check test bench soak install deb docs format clean help

all: configure
	@cmake --build build -j $(JOBS) --target troupe_product

configure:
	@scripts/setup.sh build
	@cmake --preset release >/dev/null

demo: all
	@scripts/demo.sh build/troupe demo

check:
	@scripts/setup.sh build
	@scripts/test.sh quick

test:
	@scripts/setup.sh test
	@scripts/test.sh

bench: all
	@build/troupe bench

soak: configure
	@scripts/setup.sh test
	@scripts/soak.sh

install: all
	@DESTDIR="$(DESTDIR)" cmake --install build --prefix "$(PREFIX)"

deb: all
	@cd build && cpack -G DEB

docs:
	@scripts/setup.sh docs
	@scripts/docs.sh

format:
	@scripts/check_format.sh --fix

clean:
	@rm -rf build build-asan-gcc build-asan-clang build-tsan build-debug build-fuzz build-coverage build-wasm \
	  build-bits-gcc-O0 build-bits-gcc-O1 build-bits-gcc-O2 build-bits-gcc-O3 \
	  build-bits-clang-O0 build-bits-clang-O1 build-bits-clang-O2 build-bits-clang-O3 demo

help:
	@echo "make            build the library and build/troupe, optimised (installs missing Debian packages when root)"
	@echo "make demo       build, then make maps, routes and people of the sample scenes in demo/"
	@echo "make check      a quick build and test for daily work: about a minute once everything is built"
	@echo "make test       all tests; scripts/test.sh STAGE... runs some of them"
	@echo "make bench      measure, and compare with the papers and the peers"
	@echo "make soak       long runs: chaos on stages, an hour of walking, fuzzing; scripts/soak.sh PART... runs some of them"
	@echo "make install    install to PREFIX ($(PREFIX)); DESTDIR is heeded"
	@echo "make deb        make build/troupe_VERSION_ARCHITECTURE.deb"
	@echo "make docs       make the API reference with doxygen: build/docs/html/index.html"
	@echo "make format     format every C source with clang-format"
	@echo "make clean      remove what the above made"
