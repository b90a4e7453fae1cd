/* catalogue/network.h: any text is a network with a sound number of parameters, or refused. */
#include "fuzz.h"

#include "../../catalogue/network.h"

#include <math.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct network n;
	struct fuzz f;

	fuzz_open(&f);
	fuzz_put(&f, "x.ini", fuzz_text(data, size));
	bool good = network_read(fuzz_path(&f, "x.ini"), &f.arena, &n, &f.err);
	fuzz_want_fault(good, &f.err);
	if (good) {
		fuzz_want(n.parameters >= 0 && n.parameters <= 1e15, "at most 1e15 parameters");
		fuzz_want(floor(n.parameters) == n.parameters, "a whole number of parameters");
		fuzz_want(n.batch_size >= 1 && n.inference_batch_size >= 1,
			  "batches of one at least");
		for (size_t i = 0; i < n.cnn.nlayers; i++)
			fuzz_want(n.cnn.layers[i].out.height >= 1 && n.cnn.layers[i].kept >= 0,
				  "a layer has a shape");
	}
	fuzz_close(&f);
	return 0;
}
