# The programs of `make bench-collect`: what makes the rows, what takes the time, and libcsv as a peer.
BENCH_COLLECT := $(addprefix $(BUILD)/tests/bench_collect/,gen measure peer_libcsv $(if $(wildcard base/csv_split.h),scan))

$(BUILD)/tests/bench_collect/gen: $(BUILD)/tests/bench_collect/gen.o $(BUILD)/tests/bench_collect/gen_rows.o $(LIBRARY)
	$(CC) $(CFLAGS) $(LDFLAGS) $^ $(LIBS) -o $@
$(filter-out %/gen,$(BENCH_COLLECT)): %: %.o $(LIBRARY)
	$(CC) $(CFLAGS) $(LDFLAGS) $^ $(LIBS) -o $@

.PHONY: bench-collect bench-collect-programs
bench-collect-programs: $(BENCH_COLLECT)
# SIZE=10G: one file of 10 GB, its peak memory; CASES, PEERS, RUNS: see the script.
bench-collect: $(BUILD)/gpuguide bench-collect-programs
	@sh tests/bench_collect/bench.sh $(BUILD)

-include $(BUILD)/tests/bench_collect/gen.d $(BUILD)/tests/bench_collect/gen_rows.d \
	$(BUILD)/tests/bench_collect/measure.d $(BUILD)/tests/bench_collect/peer_libcsv.d $(BUILD)/tests/bench_collect/scan.d
