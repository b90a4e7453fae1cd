# Fuzzing: every tests/fuzz/NAME.c but replay.c is one harness. `make check` goes over the seeds and what was found
# before (tests/fuzz/found/NAME/); `make fuzz TIME=60` looks for more, each for TIME seconds, with clang's libFuzzer,
# AddressSanitizer and UBSan. Inputs that it keeps lie in BUILD/fuzz/corpus, crashes in BUILD/fuzz/crashes.
FUZZ        := $(filter-out replay,$(patsubst tests/fuzz/%.c,%,$(sort $(wildcard tests/fuzz/*.c))))
FUZZ_REPLAY := $(FUZZ:%=$(BUILD)/tests/fuzz/%)
FUZZ_FLAGS  := -g -O1 -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined \
               -fno-omit-frame-pointer -DGPUGUIDE_ARENA_PIECES
TIME        ?= 60

.PHONY: fuzz fuzz-programs $(FUZZ:%=fuzz-%)

$(FUZZ_REPLAY): $(BUILD)/tests/fuzz/%: $(BUILD)/tests/fuzz/%.o $(BUILD)/tests/fuzz/replay.o $(LIBRARY)
	$(CC) $(CFLAGS) $(LDFLAGS) $^ $(LIBS) -o $@
$(FUZZ:%=$(BUILD)/tests/fuzz/%-fuzz): $(BUILD)/tests/fuzz/%-fuzz: $(BUILD)/tests/fuzz/%.o $(LIBRARY)
	$(CC) $(CFLAGS) -fsanitize=fuzzer $(LDFLAGS) $^ $(LIBS) -o $@

check: $(FUZZ_REPLAY)

fuzz-programs: $(FUZZ:%=$(BUILD)/tests/fuzz/%-fuzz)

# All of them, or one: make fuzz-csv TIME=3600
fuzz $(FUZZ:%=fuzz-%):
	@sh tools/deps.sh $(DEPS) clang
	@$(MAKE) fuzz-programs CC=clang BUILD=$(BUILD)/fuzz CFLAGS='$(FUZZ_FLAGS)' DEPS=$(DEPS)
	@sh tests/fuzz/fuzz.sh $(BUILD)/fuzz $(TIME) $(if $(filter fuzz,$@),$(FUZZ),$(@:fuzz-%=%))

-include $(FUZZ:%=$(BUILD)/tests/fuzz/%.d) $(BUILD)/tests/fuzz/replay.d
