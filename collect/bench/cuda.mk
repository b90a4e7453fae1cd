# The CUDA plug-in: found libraries are linked by their file names, since wheels of Python have no unversioned ones.
# CUDA_HOME or CUDA_PATH, then the usual places, then the wheels (nvidia/cu13, nvidia/cudnn, nvidia/cublas ...), then the
# system's own folders; every header is looked up by itself. Nothing is built without all of the four.
BENCH_COMMA := ,
CUDA_PREFIXES := $(CUDA_HOME) $(CUDA_PATH) $(sort $(wildcard /usr/local/cuda)) $(sort $(wildcard /usr/local/cuda-*)) \
                 $(wildcard /opt/cuda) \
                 $(wildcard $(HOME)/.local/lib/python3*/site-packages/nvidia/* $(VIRTUAL_ENV)/lib/python3*/site-packages/nvidia/* \
                            /usr/local/lib/python3*/dist-packages/nvidia/* /usr/local/lib/python3*/site-packages/nvidia/* \
                            /usr/lib/python3*/site-packages/nvidia/* /opt/conda/lib/python3*/site-packages/nvidia/*)
CUDA_INCLUDES := $(addsuffix /include,$(CUDA_PREFIXES)) $(addsuffix /targets/x86_64-linux/include,$(CUDA_PREFIXES)) \
                 /usr/include $(wildcard /usr/include/*-linux-gnu)
CUDA_LIBRARIES := $(addsuffix /lib64,$(CUDA_PREFIXES)) $(addsuffix /lib,$(CUDA_PREFIXES)) \
                  $(addsuffix /targets/x86_64-linux/lib,$(CUDA_PREFIXES)) $(wildcard /usr/lib/*-linux-gnu) /usr/lib64 /usr/lib

# The folder of a header, and the file of a library (plain or with a version), each the first that there is.
cuda_header  = $(patsubst %/$(1),%,$(firstword $(wildcard $(addsuffix /$(1),$(CUDA_INCLUDES)))))
cuda_library = $(firstword $(wildcard $(foreach d,$(CUDA_LIBRARIES),$(d)/lib$(1).so $(d)/lib$(1).so.[0-9] $(d)/lib$(1).so.[0-9][0-9])))

CUDA_HEADERS    := cuda_runtime_api.h cublas_v2.h cublasLt.h cudnn.h
CUDA_FOLDERS    := $(foreach h,$(CUDA_HEADERS),$(or $(call cuda_header,$(h)),missing:$(h)))
CUDA_STATIC     := $(firstword $(wildcard $(addsuffix /libcudart_static.a,$(CUDA_LIBRARIES))))
CUDA_RUNTIME    := $(or $(CUDA_STATIC),$(call cuda_library,cudart),missing:libcudart)
CUDA_LINKED     := $(foreach l,cublas cublasLt cudnn,$(or $(call cuda_library,$(l)),missing:lib$(l)))
CUDA_MISSING    := $(patsubst missing:%,%,$(filter missing:%,$(CUDA_FOLDERS) $(CUDA_RUNTIME) $(CUDA_LINKED)))
CUDA_FLAGS      := $(addprefix -isystem ,$(filter-out /usr/include,$(sort $(CUDA_FOLDERS))))
CUDA_RPATH      := $(addprefix -Wl$(BENCH_COMMA)-rpath$(BENCH_COMMA),$(sort $(patsubst %/,%,$(dir $(CUDA_LINKED) $(call cuda_library,nvrtc) \
                   $(call cuda_library,nccl)))))

# What the plug-in carries of the program: only what stands alone.
CUDA_SHARED  := base/arena.c base/str.c $(BENCH_DIR)/backend.c $(BENCH_DIR)/plan.c
CUDA_SOURCES := $(sort $(wildcard $(BENCH_DIR)/cuda*.c)) $(CUDA_SHARED)
CUDA_OBJECTS := $(CUDA_SOURCES:%.c=$(BUILD)/bench-cuda/%.o)
CUDA_PLUGIN  := $(BUILD)/gpuguide-bench-cuda.so

ifneq ($(CUDA_MISSING),)
$(info bench: the CUDA backend is not built: no $(CUDA_MISSING) (set CUDA_HOME))
else
BENCH_PLUGINS += $(CUDA_PLUGIN)
endif

# The text of the kernels as C: one string a line.
CUDA_KERNELS := $(BENCH_DIR)/cuda_kernels.cu $(BENCH_DIR)/cuda_kernels_more.cu
$(BUILD)/bench-cuda/cuda_kernels_text.h: $(CUDA_KERNELS)
	@mkdir -p $(@D)
	@{ echo 'static const char *const kernel_lines[] = {'; \
	   sed -e 's/[\\"]/\\&/g' -e 's/.*/"&\\n",/' $^; echo '};'; } > $@.new && mv $@.new $@

$(BUILD)/bench-cuda/%.o: %.c | $(BUILD)/bench-cuda/cuda_kernels_text.h
	@mkdir -p $(@D)
	$(CC) $(STD) $(WARNINGS) $(CPPFLAGS) $(CFLAGS) -fPIC -fvisibility=hidden -I$(BUILD)/bench-cuda $(CUDA_FLAGS) -MMD -MP \
	    -c $< -o $@

$(BUILD)/bench-cuda/$(BENCH_DIR)/cuda_kernels.o: $(BUILD)/bench-cuda/cuda_kernels_text.h

$(CUDA_PLUGIN): $(CUDA_OBJECTS)
	$(CC) $(CFLAGS) $(LDFLAGS) -shared -Wl,--as-needed,--exclude-libs,ALL $^ $(CUDA_RUNTIME) $(CUDA_LINKED) \
	    '-Wl,-rpath,$$ORIGIN' $(CUDA_RPATH) -lm -ldl -lrt -pthread -o $@

# Tests (tests/bench/cuda): the backend on a stand-in for all of CUDA, whose kernels are the real ones compiled as C; and
# graphs of the real cuDNN for cards that are not here.
CUDA_TEST         := tests/bench/cuda
CUDA_TEST_BUILD   := $(BUILD)/bench-cuda/tests
CUDA_TEST_PLUGIN  := $(CUDA_TEST_BUILD)/gpuguide-bench-cuda.so
CUDA_STANDIN      := $(CUDA_TEST_BUILD)/libstandin.so
CUDA_STANDIN_OBJECTS := $(patsubst %.c,$(BUILD)/bench-cuda/%.o,$(wildcard $(CUDA_TEST)/standin_*.c) $(CUDA_TEST)/shim.c \
                        $(BENCH_DIR)/cuda_type.c $(wildcard $(BENCH_DIR)/reference*.c) $(BENCH_DIR)/plan.c \
                        $(BENCH_DIR)/cost.c $(BENCH_DIR)/backend.c base/arena.c base/str.c base/error.c) \
                        $(foreach v,0 1 2,$(CUDA_TEST_BUILD)/kernels_$(v).o)
CUDA_TEST_PLANS   := $(patsubst %.c,$(BUILD)/bench-cuda/%.o,$(wildcard $(CUDA_TEST)/plan*.c))
CUDA_TEST_PROGRAMS := $(addprefix $(CUDA_TEST_BUILD)/,verify faults graph)

.PHONY: bench-cuda-tests bench-cuda-check
ifeq ($(CUDA_MISSING),)
bench-cuda-tests: $(BUILD)/gpuguide-bench $(CUDA_PLUGIN) $(CUDA_TEST_PLUGIN) $(CUDA_TEST_PROGRAMS)
else
bench-cuda-tests:
endif
bench-cuda-check: bench-cuda-tests
	@sh $(CUDA_TEST)/check.sh $(BUILD)

$(CUDA_TEST_BUILD)/kernel_calls.h: $(CUDA_KERNELS) $(CUDA_TEST)/kernel_calls.awk
	@mkdir -p $(@D)
	awk -f $(CUDA_TEST)/kernel_calls.awk $(CUDA_KERNELS) >$@.new && mv $@.new $@

# The kernels as C: sums in the order that is written, no contraction, as the reference.
$(CUDA_TEST_BUILD)/kernels_%.o: $(CUDA_TEST)/kernels_c.c $(CUDA_TEST_BUILD)/kernel_calls.h $(CUDA_TEST)/shim.h
	$(CC) $(STD) $(WARNINGS) $(CPPFLAGS) $(CFLAGS) -ffp-contract=off -fPIC -I$(CUDA_TEST_BUILD) -DVALUE=$* -c $< -o $@

$(CUDA_STANDIN): $(CUDA_STANDIN_OBJECTS)
	$(CC) $(CFLAGS) $(LDFLAGS) -shared -Wl,-soname,libstandin.so -Wl,-Bsymbolic $^ -lm -pthread -o $@

$(CUDA_TEST_PLUGIN): $(CUDA_OBJECTS) $(CUDA_STANDIN)
	$(CC) $(CFLAGS) $(LDFLAGS) -shared -Wl,-Bsymbolic $(CUDA_OBJECTS) $(CUDA_STANDIN) '-Wl,-rpath,$$ORIGIN' -lm -ldl -pthread \
	    -o $@

$(CUDA_TEST_BUILD)/verify $(CUDA_TEST_BUILD)/faults: $(CUDA_TEST_BUILD)/%: $(BUILD)/bench-cuda/$(CUDA_TEST)/%.o \
    $(CUDA_TEST_PLANS) $(BUILD)/libgpuguide-bench.a $(CUDA_STANDIN)
	$(CC) $(CFLAGS) $(LDFLAGS) $^ '-Wl,-rpath,$$ORIGIN' -lm -ldl -pthread -o $@

$(CUDA_TEST_BUILD)/graph: $(BUILD)/bench-cuda/$(CUDA_TEST)/graph.o $(filter $(BUILD)/bench-cuda/$(BENCH_DIR)/%,$(CUDA_OBJECTS)) \
    $(BUILD)/libgpuguide-bench.a
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LDFLAGS) $^ $(CUDA_RUNTIME) $(CUDA_LINKED) $(CUDA_RPATH) -lm -ldl -lrt -pthread -o $@

-include $(CUDA_OBJECTS:.o=.d) $(wildcard $(BUILD)/bench-cuda/$(CUDA_TEST)/*.d)
