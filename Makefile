# gpuguide: one Makefile, not recursive. `make help` lists the targets.
include config.mk

VERSION  := 0.1.0
WARNINGS := -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wvla -Wmissing-prototypes \
            -Wstrict-prototypes
STD      := -std=c11 -D_POSIX_C_SOURCE=200809L
DATADIR  := $(PREFIX)/share/gpuguide
# Asked when a recipe runs, so that `deps` has installed pkg-config and the libraries by then.
HB_CFLAGS = $(shell pkg-config --cflags harfbuzz-subset | sed 's/-I/-isystem /g')
LIBS      = -lhpdf -lcsv -lexpat -lcjson $(shell pkg-config --libs harfbuzz-subset harfbuzz) -linih -lsodium -lunibreak -lcairo -larchive -lzstd -lz -lm -pthread
DEFINES   = -DGPUGUIDE_VERSION='"$(VERSION)"' -DGPUGUIDE_DATADIR='"$(DATADIR)"'

SOURCES  := $(sort $(wildcard base/*.c catalogue/*.c collect/*.c analyze/*.c render/*.c publish/*.c prices/*.c fetch/*.c cli/*.c))
MAIN     := cli/main.c
OBJECTS  := $(SOURCES:%.c=$(BUILD)/%.o)
LIBRARY  := $(BUILD)/libgpuguide.a
TESTS    := $(patsubst tests/%.c,$(BUILD)/tests/%,$(sort $(wildcard tests/*_test.c)))
# The part that valgrind goes over: everything that reads what strangers sent.
CORE     := base sshsig csv_read change_read readback persona network collect unpack catalogue edition price value model score svg drawing json text_say \
            summary verify buildinfo fetch shelf price_import price_map price_listing price_check

.PHONY: all report backtest check check-asan check-asan-gcc check-asan-clang asan-tools check-valgrind bench bench-report bench-publish install uninstall clean deps \
        deps-check help import-data check-web check-crash check-nights check-hostile
.DELETE_ON_ERROR:
.SECONDARY:

all: $(BUILD)/gpuguide

help:
	@echo 'make report          build and make the default edition into out/<date>/'
	@echo 'make backtest        how far each scaling method is off, and its worst predictions'
	@echo 'make check           build and run every test'
	@echo 'make check-asan      the same with AddressSanitizer and UBSan, gcc and clang'
	@echo 'make check-valgrind  the core under valgrind'
	@echo 'make check-web       the pages in a browser, with node packages of your own'
	@echo 'make check-crash     a publish that dies, or runs out of disk, at each of its calls (long)'
	@echo 'make check-hostile   what strangers may send to collect, the large ones too, and a table of the outcomes'
	@echo 'make check-nights    a year of nights with the shipped prices (minutes)'
	@echo 'make fuzz TIME=60    look for inputs that break a reader, so many seconds for each harness (clang); fuzz-NAME: one'
	@echo 'make bench           build the benchmark program that measures this machine'
	@echo 'make bench-report    time and memory of each stage at 1x, 10x and 100x of the data'
	@echo 'make bench-collect   collect on 1 GB of rows (SIZE=10G: 10 GB) against libcsv, Miller, sqlite, DuckDB, awk, wc'
	@echo 'make bench-publish   what a night costs: all new, one price file, one contribution, nothing'
	@echo 'make all install uninstall clean deps'
	@echo 'DEPS=skip names missing packages instead of installing them; see config.mk.'

deps: $(BUILD)/deps.stamp
deps-check: $(BUILD)/deps-check.stamp

$(BUILD)/deps.stamp: tools/deps.sh
	@mkdir -p $(@D)
	@sh tools/deps.sh $(DEPS) build
	@touch $@
$(BUILD)/deps-check.stamp: tools/deps.sh
	@mkdir -p $(@D)
	@sh tools/deps.sh $(DEPS) build check
	@touch $@

$(BUILD)/%.o: %.c | $(BUILD)/deps.stamp
	@mkdir -p $(@D)
	$(CC) $(STD) $(WARNINGS) $(CPPFLAGS) $(DEFINES) $(HB_CFLAGS) $(CFLAGS) -MMD -MP -c $< -o $@

$(LIBRARY): $(filter-out $(BUILD)/$(MAIN:.c=.o),$(OBJECTS))
	@rm -f $@
	$(AR) rcs $@ $^

$(BUILD)/gpuguide: $(BUILD)/$(MAIN:.c=.o) $(LIBRARY)
	$(CC) $(CFLAGS) $(LDFLAGS) $^ $(LIBS) -o $@

$(BUILD)/tests/%_test: $(BUILD)/tests/%_test.o $(LIBRARY)
	$(CC) $(CFLAGS) $(LDFLAGS) $^ $(LIBS) -o $@

report: $(BUILD)/gpuguide
	$(BUILD)/gpuguide report --verbose

backtest: $(BUILD)/gpuguide
	$(BUILD)/gpuguide backtest

check: $(BUILD)/deps-check.stamp $(BUILD)/gpuguide $(TESTS) bench-tests bench-collect-programs
	@sh tests/run.sh $(BUILD)

# Sanitizer builds live in folders of their own, beside the plain one; with -j2 both are tried at once. The parts of the end-to-end
# tests that go over the same code with the same data again and again (same, claims, diff, property, cache) are left to the plain
# build, and the benchmark program and the long table of hostile inputs to gcc.
ASAN := -g -O1 -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer
check-asan: check-asan-gcc check-asan-clang
asan-tools: $(BUILD)/deps-check.stamp
	@sh tools/deps.sh $(DEPS) clang
check-asan-gcc: asan-tools
	E2E_PARTS='three shipped publish verify prices import fetch contributions packed signed hostile folders environment catalogue typos' \
		$(MAKE) check CC=gcc BUILD=$(BUILD)/asan-gcc CFLAGS='$(ASAN)' DEPS=$(DEPS)
check-asan-clang: asan-tools
	SKIP_SCRIPTS='bench hostile_inputs bench_collect' E2E_PARTS='three import contributions packed signed hostile' \
		$(MAKE) check CC=clang BUILD=$(BUILD)/asan-clang CFLAGS='$(ASAN)' DEPS=$(DEPS)

check-valgrind: $(BUILD)/deps-check.stamp $(BUILD)/gpuguide $(TESTS)
	@sh tools/deps.sh $(DEPS) valgrind
	@sh tests/run.sh $(BUILD) 'valgrind -q --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite' $(CORE)

# Not part of check: it wants a browser and node packages from outside, and passes over without them.
check-web: $(BUILD)/deps-check.stamp $(BUILD)/gpuguide
	@NODE_PATH='$(NODE_PATH)' sh tests/web/run.sh $(BUILD)

# Each takes long; a sample of the first is part of check.
check-crash: $(BUILD)/deps-check.stamp $(BUILD)/gpuguide
	@sh tests/crash/run.sh $(BUILD) 1 500
check-nights: $(BUILD)/deps-check.stamp $(BUILD)/gpuguide
	@sh tests/nights.sh $(BUILD) $(BUILD)/nights

check-hostile: $(BUILD)/deps-check.stamp $(BUILD)/gpuguide
	@sh tests/e2e/hostile_inputs.sh $(BUILD) --big --table $(BUILD)/hostile-inputs.md

# The benchmark program and its plug-ins; collect/bench/README.md.
include collect/bench/bench.mk
bench: bench-program

# The fuzz harnesses; needs clang and its runtime only for `make fuzz`.
include tests/fuzz/fuzz.mk

bench-report: $(BUILD)/gpuguide
	@sh tests/bench_report.sh $(BUILD)

# Collect against its peers on files that are made for it.
include tests/bench_collect/bench_collect.mk

bench-publish: $(BUILD)/gpuguide
	@sh tests/bench_publish.sh $(BUILD)

install: all
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/share/man/man1 $(DESTDIR)$(DATADIR)
	install -m 755 $(BUILD)/gpuguide $(DESTDIR)$(PREFIX)/bin/gpuguide
	for f in $(BUILD)/gpuguide-bench $(BUILD)/gpuguide-bench-*.so; do \
		[ ! -e $$f ] || install -m 755 $$f $(DESTDIR)$(PREFIX)/bin/; done
	install -m 644 doc/gpuguide.1 $(DESTDIR)$(PREFIX)/share/man/man1/gpuguide.1
	cp -R data editions templates $(DESTDIR)$(DATADIR)/
	install -d $(DESTDIR)$(PREFIX)/share/doc/gpuguide
	install -m 644 doc/PUBLISHING.md doc/publish.ini doc/gpuguide.service doc/gpuguide.timer doc/crontab.example \
		doc/nginx.conf.example $(DESTDIR)$(PREFIX)/share/doc/gpuguide/

uninstall:
	rm -f $(DESTDIR)$(PREFIX)/bin/gpuguide-bench $(DESTDIR)$(PREFIX)/bin/gpuguide-bench-*.so
	rm -f $(DESTDIR)$(PREFIX)/bin/gpuguide $(DESTDIR)$(PREFIX)/share/man/man1/gpuguide.1
	rm -rf $(DESTDIR)$(DATADIR) $(DESTDIR)$(PREFIX)/share/doc/gpuguide

# The shipped data/ was made from collected raw material by this; see data/SOURCES.md.
import-data:
	python3 tools/import_data.py $(SOURCE) data

clean:
	rm -rf $(BUILD)

-include $(OBJECTS:.o=.d) $(TESTS:=.d)
