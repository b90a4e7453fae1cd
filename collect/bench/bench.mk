# The benchmark program: a part of the Makefile, and usable alone where nothing of the rest is at hand:
#   make -f collect/bench/bench.mk            builds BUILD/gpuguide-bench and the plug-ins that can be built
#   make -f collect/bench/bench.mk bench-check
# A C compiler and libc are enough; a plug-in whose library is missing is not built, and one line says so.
ifndef STD
include config.mk
VERSION  := $(shell sed -n 's/^VERSION *:= *//p' Makefile)
WARNINGS := -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wvla -Wmissing-prototypes \
            -Wstrict-prototypes
STD      := -std=c11 -D_POSIX_C_SOURCE=200809L
bench: bench-program
endif

BENCH_DIR     := collect/bench
BENCH_DEFINES := -DGPUGUIDE_VERSION='"$(VERSION)"'
# Of the base only what libc alone can do.
BENCH_BASE    := $(addprefix base/,arena.c str.c error.c num.c stat.c map.c hash.c date.c csv_guard.c csv_write.c lock.c)
BENCH_SOURCES := $(filter-out $(wildcard $(BENCH_DIR)/onednn*.c $(BENCH_DIR)/cuda*.c),$(sort $(wildcard $(BENCH_DIR)/*.c)))
BENCH_BASE    += base/num_write.c
BENCH_MAIN    := $(BENCH_DIR)/main.c
BENCH_OBJECTS := $(patsubst %.c,$(BUILD)/bench/%.o,$(BENCH_BASE) $(filter-out $(BENCH_MAIN),$(BENCH_SOURCES)))
BENCH_TESTS   := $(patsubst tests/bench/%.c,$(BUILD)/bench/tests/%,$(sort $(wildcard tests/bench/*_test.c)))
BENCH_PLUGINS :=

.PHONY: bench bench-program bench-check bench-tests
bench-program: $(BUILD)/gpuguide-bench

# Each adds its shared object, BUILD/gpuguide-bench-NAME.so, to BENCH_PLUGINS, or says why it does not.
-include $(BENCH_DIR)/onednn.mk $(BENCH_DIR)/cuda.mk
bench-program: $(BENCH_PLUGINS)

# No contraction of a * b + c: the same bits on every machine (random.h, reference.h). The reference is plain loops and
# wants the vectorizer.
$(BUILD)/bench/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(STD) $(WARNINGS) $(CPPFLAGS) $(BENCH_DEFINES) $(CFLAGS) -ffp-contract=off $(BENCH_OPT) -MMD -MP -c $< -o $@
$(BUILD)/bench/$(BENCH_DIR)/reference%.o: BENCH_OPT := -O3

$(BUILD)/libgpuguide-bench.a: $(BENCH_OBJECTS)
	@rm -f $@
	$(AR) rcs $@ $^

$(BUILD)/gpuguide-bench: $(BUILD)/bench/$(BENCH_MAIN:.c=.o) $(BUILD)/libgpuguide-bench.a
	$(CC) $(CFLAGS) $(LDFLAGS) $^ -lm -ldl -pthread -o $@

$(BUILD)/bench/tests/%: $(BUILD)/bench/tests/bench/%.o $(BUILD)/libgpuguide-bench.a
	$(CC) $(CFLAGS) $(LDFLAGS) $^ -lm -ldl -pthread -o $@
$(BENCH_TESTS): $(BUILD)/bench/tests/%: $(BUILD)/bench/tests/bench/%.o
.SECONDARY: $(patsubst tests/bench/%.c,$(BUILD)/bench/tests/bench/%.o,$(wildcard tests/bench/*_test.c))

bench-tests: bench-program $(BENCH_TESTS)
bench-check: bench-tests
	@sh tests/bench/run.sh $(BUILD)

-include $(BENCH_OBJECTS:.o=.d) $(BUILD)/bench/$(BENCH_MAIN:.c=.d) \
         $(patsubst tests/bench/%.c,$(BUILD)/bench/tests/bench/%.d,$(wildcard tests/bench/*_test.c))
