/* Runs kernels of collect/bench/cuda_kernels.cu on the CPU: their text is compiled as C, and the
 * threads of a block are coroutines that stop at barriers. A barrier that some threads of a block
 * (or, of a shuffle, of a warp) have not reached while they can go no further ends the program:
 * that would hang or be undefined on a card. */
#ifndef CUDA_SHIM_H
#define CUDA_SHIM_H

#include <stddef.h>

struct shim_dim {
	unsigned x, y, z;
};
extern struct shim_dim threadIdx, blockIdx, blockDim, gridDim;
extern float *shim_dynamic;

void shim_block_barrier(void);
float shim_shuffle(float v, int mask);

/* A kernel: how it is called with the addresses of its arguments; whether its threads wait for each
 * other. */
struct shim_kernel {
	const char *name;
	void (*call)(void **args);
	int waits;
};
/* All kernels for VALUE 0, 1, 2; the last has no name. */
extern const struct shim_kernel shim_kernels_0[], shim_kernels_1[], shim_kernels_2[];

void shim_launch(const struct shim_kernel *k, unsigned gx, unsigned gy, unsigned block,
		 size_t shared, void **args);

#endif
