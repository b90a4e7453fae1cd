# The CPU backend: gpuguide-bench-onednn.so, where oneDNN's header and library and OpenMP are at hand; 2.x or 3.x.
# Elsewhere than in the usual places: make ONEDNN_CPPFLAGS=-isystem/opt/onednn/include ONEDNN_LIBS='-L/opt/onednn/lib -ldnnl'
ONEDNN_LIBS    ?= -ldnnl
ONEDNN_SOURCES := $(sort $(wildcard $(BENCH_DIR)/onednn*.c)) $(addprefix $(BENCH_DIR)/,backend.c host_memory.c plan.c) \
                  base/arena.c base/stat.c base/str.c
ONEDNN_OBJECTS := $(patsubst %.c,$(BUILD)/bench/onednn/%.o,$(ONEDNN_SOURCES))
ONEDNN_PLUGIN  := $(BUILD)/gpuguide-bench-onednn.so
ONEDNN_FOUND   := $(shell echo 'int main(void) { return dnnl_version()->major + omp_get_max_threads(); }' | \
                  $(CC) $(ONEDNN_CPPFLAGS) -include oneapi/dnnl/dnnl.h -include omp.h -fopenmp -x c - -o /dev/null \
                  $(ONEDNN_LIBS) 2>/dev/null && echo yes)

# The loops want the vectorizer, and nobody looks at errno or traps; every other file is plain.
$(BUILD)/bench/onednn/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(STD) $(WARNINGS) $(CPPFLAGS) $(ONEDNN_CPPFLAGS) $(CFLAGS) $(ONEDNN_OPT) -fopenmp -fPIC -fvisibility=hidden \
	  -MMD -MP -c $< -o $@
$(BUILD)/bench/onednn/$(BENCH_DIR)/onednn_%.o: ONEDNN_OPT := -O3 -fno-math-errno -fno-trapping-math

$(ONEDNN_PLUGIN): $(ONEDNN_OBJECTS)
	$(CC) $(CFLAGS) $(LDFLAGS) -shared -fopenmp $^ $(ONEDNN_LIBS) -lm -o $@

# A test that looks into the plug-in's structs wants the library's header.
$(BUILD)/bench/tests/bench/onednn_ways_test.o: CPPFLAGS += $(ONEDNN_CPPFLAGS)

ifeq ($(ONEDNN_FOUND),yes)
BENCH_PLUGINS += $(ONEDNN_PLUGIN)
else
BENCH_TESTS := $(filter-out %/onednn_ways_test,$(BENCH_TESTS))
$(info gpuguide-bench-onednn.so is not built: no oneDNN (Debian: libdnnl-dev) or no OpenMP for $(CC))
endif
-include $(ONEDNN_OBJECTS:.o=.d)
