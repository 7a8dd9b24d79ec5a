# SPDX-License-Identifier: GPL-3.0-or-later
# The build of Paotai. `make help` lists the targets. `make VARIABLE=value` or the environment sets
# the variables that are assigned with ?=.

VARIANT ?= release
ARCH    ?= native
ifeq ($(origin CC),default)
CC := gcc
endif
# Without this option, make would print "Leaving directory" below the result of `make test`.
MAKEFLAGS += --no-print-directory
.DELETE_ON_ERROR:

# ---- flags -----------------------------------------------------------------------------------
WARNINGS := -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Wvla -Wundef
# -ffp-contract=off forbids fused multiply-add, which would change the bits of sums on some machines.
# -ffile-prefix-map removes directory names from debug information, so that equal sources give an
# equal program in every directory.
BASE_FLAGS := -std=c11 -pedantic $(WARNINGS) -g -ffile-prefix-map="$(CURDIR)"=. -ffp-contract=off -fno-math-errno -D_GNU_SOURCE -I.
FLAGS_release := -O3 -DNDEBUG
FLAGS_debug   := -O1
FLAGS_san     := -O1 -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
FLAGS_tsan    := -O1 -fsanitize=thread
FLAGS_fuzz    := -O1 -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
# Both steps of `make pgo` use one directory, because gcc looks for a profile beside the object
# file.
FLAGS_pgo     := -O3 -DNDEBUG $(if $(filter generate,$(PGO)),-fprofile-generate -fprofile-update=atomic,-fprofile-use \
                 -fprofile-correction -Wno-missing-profile)
ARCH_native   := -march=native
ARCH_portable := -Wno-psabi
VARIANTS := release debug san tsan pgo fuzz
$(if $(filter $(VARIANTS),$(VARIANT)),,$(error no VARIANT '$(VARIANT)', only: $(VARIANTS)))
$(if $(filter native portable,$(ARCH)),,$(error no ARCH '$(ARCH)', only: native portable))
VARIANT_FLAGS := $(strip $(FLAGS_$(VARIANT)) $(ARCH_$(ARCH)))

MULTIARCH := $(firstword $(shell $(CC) -print-multiarch 2>/dev/null) $(shell gcc -print-multiarch 2>/dev/null) x86_64-linux-gnu)
# These paths of the serial HDF5 are Debian's. Set HDF5_CFLAGS and HDF5_LIBS on other systems.
# Debian's shared HDF5 needs libcurl and 30 more libraries, and loading them takes half of the start
# time of the program. If the static HDF5 exists, it is linked instead, with the libraries that
# libhdf5.settings lists. `make HDF5_STATIC= all` links the shared HDF5. Builds with sanitizers need
# the shared one, because tests/*.supp names it.
HDF5_CFLAGS ?= -isystem /usr/include/hdf5/serial
export HDF5_CFLAGS
HDF5_DIR    := /usr/lib/$(MULTIARCH)/hdf5/serial
HDF5_STATIC ?= $(if $(filter release debug pgo,$(VARIANT)),$(wildcard $(HDF5_DIR)/libhdf5.a))
HDF5_LIBS   ?= $(if $(HDF5_STATIC),$(HDF5_STATIC) $(shell sed -n 's/^ *Extra libraries: //p' $(HDF5_DIR)/libhdf5.settings),-L$(HDF5_DIR) -lhdf5)
# `make MPI=1 all` builds build/mpi/paotai for mpirun and srun (core/system/ranks.h). MPI=mpich uses
# MPICH.
ifneq ($(MPI),)
MPI_PACKAGE ?= $(if $(filter mpich,$(MPI)),mpich,ompi-c)
MPI_CFLAGS ?= $(subst -I,-isystem ,$(shell pkg-config --cflags $(MPI_PACKAGE)))
MPI_LIBS   ?= $(shell pkg-config --libs $(MPI_PACKAGE))
BASE_FLAGS += -DPAOTAI_MPI
export MPI
endif
OPENMP      := -fopenmp
$(if $(strip $(OPENMP)),,$(error OPENMP= is empty: threads need OpenMP, OPENMP=-fopenmp))
LIBS        := -Wl,--build-id -Wl,--as-needed $(HDF5_LIBS) -lgsl -lgslcblas -larchive -lz -lnettle -lm -lpthread $(MPI_LIBS)

# `make NETWORK= all` builds a program without a network. EVALFILE=FILE compiles in this file instead
# of the default: a network FILE.net or FILE.nnue, with which the program then plays, or a text file of weights,
# which become the default, without a network. `make EXE=NAME` also writes the program to the file
# NAME. OpenBench uses both variables.
DEFAULT_WEIGHTS := $(or $(filter-out %.net %.nnue,$(EVALFILE)),core/eval/weights_default.txt)
NETWORK := $(if $(EVALFILE),$(filter %.net %.nnue,$(EVALFILE)),$(wildcard core/eval/network_default.net))
$(if $(EVALFILE),$(if $(wildcard $(EVALFILE)),,$(error EVALFILE=$(EVALFILE): no such file)))
SUFFIX := $(if $(filter native,$(ARCH)),,-$(ARCH))$(if $(findstring clang,$(CC)),-clang)
# `make O=DIR all` writes all files to DIR, so that the source tree may be read-only.
O      ?= build
B      := $(O)/$(if $(MPI),mpi$(if $(filter release,$(VARIANT)),,-$(VARIANT)),$(VARIANT))$(SUFFIX)

# ---- sources: one static library per folder; a folder uses the folders before it ----------------
ROOMS := core datasets selfplay tuner bench
sources  = $(filter-out bench/authors/%,$(sort $(wildcard $(1)/*.c $(1)/*/*.c)))
objects  = $(patsubst %.c,$(B)/%.o,$(1))
LIBRARIES := $(foreach room,$(ROOMS),$(B)/lib$(room).a)
# Libraries in link order: each one stands before the libraries that it uses. --whole-archive makes
# the link fail if two libraries define the same name.
LINK_ORDER := $(B)/libbench.a $(B)/libtuner.a $(B)/libselfplay.a $(B)/libdatasets.a $(B)/libcore.a
WHOLE := -Wl,--whole-archive $(LINK_ORDER) -Wl,--no-whole-archive
FUZZ_SOURCES := $(wildcard tests/fuzz/fuzz_*.c) tests/fuzz/mutate.c tests/fuzz/targets.c
FUZZ_OBJECTS := $(FUZZ_SOURCES:%.c=$(B)/%.o) $(B)/tests/core/positions.o
TEST_SOURCES := $(filter-out tests/fuzz/% tests/fault/%,$(wildcard tests/*.c tests/*/*.c))
ALL_OBJECTS := $(foreach room,$(ROOMS),$(call objects,$(call sources,$(room)))) $(B)/paotai.o \
               $(call objects,$(TEST_SOURCES) $(FUZZ_SOURCES) tests/fuzz/replay.c bench/authors/pocket.c)

# `make V=1` prints full commands.
Q := $(if $(V),,@)
PROCESSORS := $(shell nproc 2>/dev/null || echo 1)
# Option of the make commands in recipes: compile on all processors, unless -jN was given.
PARALLEL = $(if $(filter -j%,$(MAKEFLAGS)),,-j$(PROCESSORS))
REVISION := $(shell git describe --always --dirty --abbrev=10 2>/dev/null || echo unknown)
COMPILE_FLAGS = $(BASE_FLAGS) $(VARIANT_FLAGS) $(CFLAGS)

.PHONY: program help all deps deps-ci deps-dev ci demo pictures test test-full crash-test check-san check-tsan fuzz fuzzers bench \
        experiment claims levels pgo format format-check check-clang layers words readme adopt man install install-files uninstall deb clean FORCE

program: $(O)/paotai $(EXE) ## compile the program (the target of make without arguments); EXE=NAME also writes it to the file NAME, EVALFILE=FILE compiles in these weights or this network

help: ## print this list
	@echo "make targets (VARIANT=release|debug|san|tsan|pgo  ARCH=native|portable  CC=gcc|clang  MPI=1):"
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  \1\t\2/p' $(MAKEFILE_LIST) | expand -t 16

all: $(O)/paotai $(B)/paotai-test $(B)/replay $(B)/pocket ## compile the program and its tests

$(O)/paotai: $(B)/paotai FORCE
	@$(if $(filter release,$(VARIANT)$(MPI)),ln -sf $(VARIANT)$(SUFFIX)/paotai $(O)/paotai,:)

ifneq ($(EXE),)
$(EXE): $(B)/paotai
	$(if $(EVALFILE),@$(B)/paotai weights hash best >$(B)/hash && $(B)/paotai weights hash "$(EVALFILE)" | diff - $(B)/hash >&2 \
	    || { echo "EVALFILE: $(EVALFILE) is no evaluation that this program can play with (see above)" >&2; exit 1; })
	$(Q)cp $(B)/paotai $(EXE).new && mv $(EXE).new $(EXE)
endif

# Programs, libraries and object files are written under another name and then renamed. A killed make
# then leaves no half file, which the next make would take for a finished one.
RENAME = mv -f $@.new $@
LINK   = $(CC) $(COMPILE_FLAGS) $(OPENMP) $(LDFLAGS) -o $@.new

$(B)/paotai: $(B)/paotai.o $(LIBRARIES)
	@echo "  link     $@"
	$(Q)$(LINK) $< $(WHOLE) $(LIBS) && $(RENAME)

$(B)/paotai-test: $(call objects,$(TEST_SOURCES)) $(LIBRARIES)
	@echo "  link     $@"
	$(Q)$(LINK) $(call objects,$(TEST_SOURCES)) $(WHOLE) $(LIBS) && $(RENAME)

# A program that runs the fuzz targets on their seeds. Any compiler can build it.
$(B)/replay: $(B)/tests/fuzz/replay.o $(FUZZ_OBJECTS) $(LIBRARIES)
	@echo "  link     $@"
	$(Q)$(LINK) $(filter %.o,$^) $(LINK_ORDER) $(LIBS) && $(RENAME)

# The engine of the recipe "Tune my own engine". It uses only core/board.
$(B)/pocket: $(B)/bench/authors/pocket.o $(B)/libcore.a
	@echo "  link     $@"
	$(Q)$(LINK) $^ -lnettle -lpthread -lm && $(RENAME)

define library_rule
$(B)/lib$(1).a: $(call objects,$(call sources,$(1)))
	$(Q)rm -f $$@.new && ar rcs $$@.new $$^ && mv -f $$@.new $$@
endef
$(foreach room,$(ROOMS),$(eval $(call library_rule,$(room))))

$(B)/%.o: %.c $(B)/flags | $(B)/weights.checked
	@mkdir -p $(@D)
	@echo "  compile  $<"
	$(Q)$(CC) $(COMPILE_FLAGS) $(ROOM_FLAGS) -MMD -MP -MF $@.d -MT $@ -c -o $@.new $< && mv -f $@.d $(@:.o=.d) && $(RENAME)

# Files that the sources embed with .incbin. The compiler's -MMD does not list them as dependencies.
# The file `embedded` names the weights and the network, so that other ones are compiled in again.
$(B)/core/eval/network_load.o: $(NETWORK) $(B)/embedded
$(B)/core/eval/weights.o: $(DEFAULT_WEIGHTS) $(B)/embedded
$(B)/core/eval/weights.o: ROOM_FLAGS := -DDEFAULT_WEIGHTS='"$(DEFAULT_WEIGHTS)"'
$(B)/core/eval/network_load.o: ROOM_FLAGS := $(if $(NETWORK),-DPAOTAI_NETWORK='"$(NETWORK)"') $(if $(EVALFILE),-DPAOTAI_NETWORK_KEPT)
$(B)/selfplay/pages/view.o: selfplay/pages/viewer.html
$(B)/selfplay/engines/revision.o: selfplay/engines/revision.sh
# Style sheets and scripts of pages. Pages name their hashes (core/command/page.h).
PAGE_PARTS := core/command/page.css selfplay/pages/live_page.js selfplay/pages/viewer.css selfplay/pages/viewer.js
$(B)/tests/fuzz/fuzz_hdf5.o: tests/fuzz/sparse.h5
$(B)/core/command/page.o $(B)/selfplay/pages/view.o $(B)/selfplay/pages/live_page.o: $(PAGE_PARTS)
$(B)/core/command/page.o: $(B)/page_hashes.inc
$(B)/core/command/page.o: ROOM_FLAGS := -I$(B)
$(B)/page_hashes.inc: $(PAGE_PARTS) core/command/page_hashes.sh
	@mkdir -p $(@D)
	@sh core/command/page_hashes.sh $(PAGE_PARTS) > $@.new && mv $@.new $@

$(B)/embedded: FORCE
	@mkdir -p $(@D)
	@echo '$(DEFAULT_WEIGHTS) $(NETWORK)' >$@.new
	@cmp -s $@.new $@ && rm $@.new || mv $@.new $@

$(B)/weights.checked: $(B)/embedded $(DEFAULT_WEIGHTS) core/eval/weights.def core/eval/check_default.sh
	@mkdir -p $(@D)
	@sh core/eval/check_default.sh '$(CC)' "$(DEFAULT_WEIGHTS)" && touch $@

# OpenMP is enabled for these folders only. Only datasets gets the include path of hdf5.h.
$(call objects,$(call sources,datasets)): ROOM_FLAGS := $(OPENMP) $(HDF5_CFLAGS)
$(call objects,$(call sources,selfplay) $(call sources,tuner) $(call sources,bench) $(TEST_SOURCES)): ROOM_FLAGS := $(OPENMP)

$(B)/core/system/ranks.o: ROOM_FLAGS := $(MPI_CFLAGS)

# Build information for `paotai --version` and provenance. version.inc is replaced only if its
# content changes.
$(B)/core/system/version.o: $(B)/version.inc
$(B)/core/system/version.o: ROOM_FLAGS := -I$(B)
$(B)/version.inc: FORCE
	@mkdir -p $(@D)
	@printf '#define BUILD_REVISION "%s"\n#define BUILD_COMPILER "%s"\n#define BUILD_FLAGS "%s"\n#define BUILD_VARIANT "%s"\n' \
	    '$(REVISION)' '$(shell $(CC) --version | head -n 1)' '$(strip $(VARIANT_FLAGS) $(CFLAGS))' '$(VARIANT)$(SUFFIX)' > $@.new
	@cmp -s $@.new $@ && rm $@.new || mv $@.new $@
$(B)/flags: FORCE
	@mkdir -p $(@D)
	@printf '%s\n' '$(CC) $(COMPILE_FLAGS) $(OPENMP) $(HDF5_CFLAGS)$(if $(MPI), $(MPI_CFLAGS)) $(LDFLAGS) $(LIBS)' > $@.new
	@cmp -s $@.new $@ && rm $@.new || { CC='$(CC)' CFLAGS='$(CFLAGS)' sh tests/deps.sh check && $(if $(V),cat $@.new,echo '  flags    $(CC), $(VARIANT)$(SUFFIX) (V=1 shows them)') && mv $@.new $@; }

-include $(ALL_OBJECTS:.o=.d)

# ---- set-up ----------------------------------------------------------------------------------
deps: ## install what building and testing needs (Debian packages)
	@sh tests/deps.sh run

deps-ci: ## also install the tools of `make ci` (clang, clang-format, sanitizers)
	@sh tests/deps.sh ci

deps-dev: ## also install what only developers need (clang, sanitizers, other engines, ...)
	@sh tests/deps.sh dev

# ---- use -------------------------------------------------------------------------------------
demo: deps ## play, fit and match three generations of weights in about five minutes on two quiet cores, then match them against the start and the default (QUICK=1: one minute)
	@$(MAKE) -j$(PROCESSORS) $(O)/paotai
	@sh bench/demo.sh $(B)/paotai build/demo

pictures: $(O)/paotai ## draw the pictures of README.md from the results of `make demo` again (needs chromium)
	@PYTHONPATH=tests python3 bench/pictures.py $(B)/paotai build/demo bench/pictures README.md

test: deps ## run the tests that take minutes and need only this repository and Debian (ONLY=PATTERN selects some)
	@$(MAKE) $(PARALLEL) all
	@sh tests/run.sh $(B) $(if $(ONLY),'$(ONLY)')

test-full: deps ## run all tests, also those that take long or need the shared data, npm or other engines (ONLY=PATTERN selects some)
	@$(MAKE) $(PARALLEL) all
	@PAOTAI_FULL=1 sh tests/run.sh $(B) $(if $(ONLY),'$(ONLY)')

ci: ## run what CI runs: make test, builds with -Werror, style, tests under sanitizers, fuzzers (PART=test|long|compilers|style|san|tsan|fuzz selects one)
	@bash .ci/run $(PART)

crash-test: all ## kill self-play, rescore, match and tournament runs, KILLS (1000) times in all; fail if a game reported as stored is lost, or if a completed run differs from a run that was not killed
	@rm -rf build/crash && python3 tests/crash.py $(B)/paotai build/crash $(or $(KILLS),1000) $(or $(SEED),1) && rm -rf build/crash

check-san: ## run the tests of `make test` under the sanitizers of addresses and of undefined behaviour
	@$(MAKE) VARIANT=san test
check-tsan: ## run multi-threaded commands and tests under the thread sanitizer (needs clang and libomp)
	@sh tests/tsan.sh

fuzzers: $(B)/fuzzer ## compile the fuzzers; needs VARIANT=fuzz CC=clang
$(B)/fuzzer: $(FUZZ_OBJECTS) $(LIBRARIES)
	@echo "  link     $@"
	$(Q)$(LINK) -fsanitize=fuzzer $(filter %.o,$^) $(WHOLE) $(LIBS) && $(RENAME)

fuzz: ## run every fuzzer, compiled by clang with sanitizers, for FUZZ_SECONDS (60) of processor time
	@sh tests/fuzz/fuzz.sh

bench: all ## print the node signature (number of nodes that fixed searches visit) and the speed of the search
	@$(B)/paotai bench

experiment: ## with E=030, print the entry E-030 of experiments.md and repeat it with less data, in minutes (FULL=1: with all data), if it has a script
	@MAKE='$(MAKE)' sh bench/experiments/repeat.sh '$(E)'

claims: all ## measure the numbers of the READMEs again (hours), and name those outside; bench/claims.py explains the table (ONLY=PATTERN selects rows)
	@python3 bench/claims.py run "$(ONLY)"

levels: all ## measure the Elo of the levels of `paotai play` and UCI_Elo by matches of PAIRS (200) game pairs, and write core/uci/strengths.def
	@PAOTAI=$(B)/paotai bench/levels $(if $(PAIRS),--pairs $(PAIRS))

pgo: ## build build/pgo/paotai with gcc, optimised for the profile of a `bench` run
	@rm -rf build/pgo
	@$(MAKE) CC=gcc VARIANT=pgo PGO=generate all && build/pgo/paotai bench
	@$(MAKE) CC=gcc VARIANT=pgo all && build/pgo/paotai bench

FORMATTED := $(shell git ls-files '*.c' '*.h' 2>/dev/null)
format: ## format the sources with clang-format
	@clang-format -i $(FORMATTED)
check-clang: $(B)/version.inc $(B)/page_hashes.inc ## fail if clang warns; write no object files
	@printf '%s\n' $(filter %.c,$(ALL_OBJECTS:$(B)/%.o=%.c)) | \
	    xargs -P 2 -n 8 clang $(BASE_FLAGS) -I$(B) $(OPENMP) $(HDF5_CFLAGS) -Werror -fsyntax-only
format-check: ## fail if the sources are not formatted
	@clang-format --dry-run -Werror $(FORMATTED)
readme: ## update the tables of datasets/README.md
	@sh tests/datasets_readme.sh >datasets/README.md.new && mv datasets/README.md.new datasets/README.md
layers: ## fail if a folder includes a header of a folder or library that it may not use
	@sh tests/layers.sh
words: ## fail if comments, help or messages have wording that tests/words.py refuses (ONLY="core/board paotai.c" selects files)
	@python3 tests/words.py $(ONLY)

copies: $(B)/version.inc $(B)/page_hashes.inc ## fail if a struct that owns memory is copied by value (needs clang)
	@python3 tests/copies.py . -I$(B) $(OPENMP) $(HDF5_CFLAGS)

adopt: $(O)/paotai ## build the program with a new default from a file. WEIGHTS=FILE: a weight file with its standard errors (or those of ERRORS=FILE), or a network FILE.net. KEEP_NETWORK=1: the program plays with the network and the linear weights stored in it, even if the default weights differ. SEARCH=FILE: search parameters, the params.txt written by spsa
ifneq ($(SEARCH),)
	@test -z "$(WEIGHTS)" || { echo "adopt: give WEIGHTS= or SEARCH=, one at a time"; exit 2; }
	@sh core/search/adopt.sh write "$(SEARCH)"
	@$(MAKE) all && sh core/search/adopt.sh prove "$(SEARCH)" $(B)/paotai && $(B)/paotai bench | tail -n 1
else
	@test -n "$(WEIGHTS)" || { echo "adopt: name the file to compile in, e.g. 'make adopt WEIGHTS=build/new.txt' (weights or a network, the --out of tune, term, loop or train), or 'make adopt SEARCH=build/spsa/params.txt' (of spsa)"; exit 2; }
	@sh core/eval/adopt.sh write $(B)/paotai "$(WEIGHTS)" "$(ERRORS)" "$(KEEP_NETWORK)"
	@$(MAKE) $(O)/paotai && sh core/eval/adopt.sh prove $(B)/paotai "$(WEIGHTS)"
endif

man: all ## make the manual from the help of the commands: build/release/man
	@sh bench/manual/pages.sh $(B)/paotai $(B)/man

PREFIX ?= /usr/local
BINDIR := $(DESTDIR)$(PREFIX)/bin
SHARE  := $(DESTDIR)$(PREFIX)/share
# The other files to which the READMEs link.
LINKED := README.zh.md core/variants/README.md bench/pictures/report.png bench/pictures/viewer.png bench/pictures/live.png core/pictures/doubling.svg tuner/pictures/loop.svg tests/README.md experiments.md $(wildcard bench/experiments/E-*.md)
install: all install-files ## install program, manual, completion, READMEs and experiments.md under DESTDIR and PREFIX (/usr/local)
install-files:
	@sh bench/manual/pages.sh $(B)/paotai $(B)/man
	install -D -m 755 $(B)/paotai "$(BINDIR)/paotai"
	install -d "$(SHARE)/man/man1" && install -m 644 $(B)/man/*.1 "$(SHARE)/man/man1"
	install -D -m 644 bench/manual/completion.bash "$(SHARE)/bash-completion/completions/paotai"
	install -D -m 644 bench/manual/completion.zsh "$(SHARE)/zsh/site-functions/_paotai"
	install -D -m 644 bench/manual/completion.fish "$(SHARE)/fish/vendor_completions.d/paotai.fish"
	install -d "$(SHARE)/doc/paotai/bench" && cp -r bench/demo.sh bench/slurm "$(SHARE)/doc/paotai/bench"
	for file in README.md $(ROOMS:%=%/README.md) $(LINKED) datasets/paotai.py; do \
	    install -D -m 644 $$file "$(SHARE)/doc/paotai/$$file" || exit; done
uninstall: ## remove the installed files
	rm -f "$(BINDIR)/paotai" "$(SHARE)"/man/man1/paotai.1 "$(SHARE)"/man/man1/paotai-*.1 \
	    "$(SHARE)/bash-completion/completions/paotai" "$(SHARE)/zsh/site-functions/_paotai" \
	    "$(SHARE)/fish/vendor_completions.d/paotai.fish"
	rm -rf "$(SHARE)/doc/paotai"

# The package uses Debian's shared HDF5, so that security updates of HDF5 reach it.
deb: ## make a portable Debian package, build/paotai_VERSION_ARCH.deb (dpkg-dev)
	@command -v dpkg-shlibdeps >/dev/null || { echo "deb: dpkg-shlibdeps is missing. Install its package: apt-get install dpkg-dev" >&2; exit 1; }
	@$(MAKE) HDF5_STATIC= ARCH=portable VARIANT=release O=build/hard CFLAGS="-fstack-protector-strong -D_FORTIFY_SOURCE=2 -Wformat \
	    -Werror=format-security" LDFLAGS=-Wl,-z,relro,-z,now build/hard/release-portable/paotai
	@sh .ci/deb.sh build/hard/release-portable build

clean: ## remove the folder build (all compiled files, and results written there)
	rm -rf build
