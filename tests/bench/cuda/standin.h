/* A stand-in for the CUDA runtime, driver, cuBLAS, cuDNN, NVRTC, NVML and NCCL, as far as the
 * backend uses them. Device memory is host memory, kernels run through shim.h, products and graphs
 * are plain loops: what the backend asks for is computed as it asks for it, so that operands,
 * layouts and pointers are tested without a card. It says nothing about the real libraries.
 *
 * Faults: STANDIN="NAME:N:STATUS[,…]" makes the N-th call of NAME (from 1; 0: every one) return
 * STATUS; after a sticky status everything of the runtime fails. "driver:0:V" is the driver's
 * version, "arch:0:75" the card's; "devices:0:N"; "product:0:1" NaN in every product, "product:0:2"
 * results off by a tenth; "memory:0:N" MB of memory. */
#ifndef STANDIN_H
#define STANDIN_H

#include <stdbool.h>
#include <stddef.h>

/* Starts a new set of faults, counters from zero. */
void standin_set(const char *spec);
/* Things that were made and not freed: memory, descriptors, handles, events, streams, modules. */
long standin_live(void);
long standin_calls(const char *name);

/* For the parts of the stand-in. */
int standin_status(const char *name); /* counts the call; the fault's status or 0 */
long standin_number(const char *name, long otherwise); /* the status of a setting */
void *standin_make(size_t bytes);                      /* zeroed, counted */
void standin_free(void *p);
bool standin_capturing(void);
double standin_get(int type, const void *p, long i); /* cudaDataType */
void standin_put(int type, void *p, long i, double v);
double standin_spoil(double v); /* as the fault "product" wants it */

#endif
