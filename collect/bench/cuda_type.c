/* What numbers are stored as. */
#include "cuda_device.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

static const struct {
	size_t bytes;
	cudaDataType_t data;
	cudnnDataType_t dnn;
} types[CUDA_TYPES] = {
	[CUDA_TYPE_F32] = { 4, CUDA_R_32F, CUDNN_DATA_FLOAT },
	[CUDA_TYPE_F16] = { 2, CUDA_R_16F, CUDNN_DATA_HALF },
	[CUDA_TYPE_BF16] = { 2, CUDA_R_16BF, CUDNN_DATA_BFLOAT16 },
	[CUDA_TYPE_E4M3] = { 1, CUDA_R_8F_E4M3, CUDNN_DATA_FP8_E4M3 },
	[CUDA_TYPE_I32] = { 4, CUDA_R_32I, CUDNN_DATA_INT32 },
};

size_t cuda_type_bytes(enum cuda_type t)
{
	return types[t].bytes;
}

cudaDataType_t cuda_data_type(enum cuda_type t)
{
	return types[t].data;
}

cudnnDataType_t cuda_dnn_type(enum cuda_type t)
{
	return types[t].dnn;
}

static uint32_t bits_of(float f)
{
	uint32_t u;

	memcpy(&u, &f, sizeof u);
	return u;
}

static float float_of(uint32_t u)
{
	float f;

	memcpy(&f, &u, sizeof f);
	return f;
}

static uint16_t to_bf16(float f)
{
	uint32_t u = bits_of(f);

	if (isnan(f))
		return 0x7fff;
	return (uint16_t)((u + 0x7fff + (u >> 16 & 1)) >> 16);
}

/* Normal numbers by their bits; what is under 2^-14 is a whole number of 2^-24. */
static uint16_t to_f16(float f)
{
	uint32_t u = bits_of(f), sign = u >> 16 & 0x8000, a = u & 0x7fffffff;

	if (a > 0x7f800000)
		return 0x7fff;
	if (a < 0x38800000)
		return (uint16_t)(sign | (uint32_t)lrintf(fabsf(f) * 16777216.0f));
	a = a - 0x38000000 + 0xfff + (a >> 13 & 1);
	return (uint16_t)(sign | (a >= 0x0f800000 ? 0x7c00 : a >> 13));
}

static float from_f16(uint16_t h)
{
	float sign = h & 0x8000 ? -1.0f : 1.0f;
	uint32_t exponent = h >> 10 & 31, fraction = h & 0x3ff;

	if (exponent == 31)
		return fraction ? NAN : sign * INFINITY;
	if (exponent == 0)
		return sign * (float)fraction / 16777216.0f;
	return sign * float_of((exponent + 112) << 23 | fraction << 13);
}

/* Bias 7, three bits of fraction, no infinity: 448 is the largest. */
static uint8_t to_e4m3(float f)
{
	uint8_t sign = signbit(f) ? 0x80 : 0;
	float a = fabsf(f);
	int exponent;

	if (isnan(f))
		return 0x7f;
	if (a >= 448)
		return (uint8_t)(sign | 0x7e);
	if (a < 0.015625f)
		return (uint8_t)(sign | (uint8_t)lrintf(a * 512));
	frexpf(a, &exponent);
	long eighths = lrintf(ldexpf(a, 4 - exponent)); /* 8 .. 16 eighths of 2^(exponent - 1) */
	if (eighths == 16) {
		eighths = 8;
		exponent++;
	}
	return (uint8_t)(sign | (uint8_t)((exponent + 6) << 3) | (uint8_t)(eighths - 8));
}

static float from_e4m3(uint8_t b)
{
	int exponent = b >> 3 & 15, fraction = b & 7;
	float a =
	    exponent ? ldexpf((float)(8 + fraction), exponent - 10) : ldexpf((float)fraction, -9);

	if ((b & 0x7f) == 0x7f)
		return NAN;
	return b & 0x80 ? -a : a;
}

void cuda_encode(enum cuda_type t, double v, void *out)
{
	float f = (float)v;
	uint16_t h;
	int32_t i;

	switch (t) {
	case CUDA_TYPE_F32:
		memcpy(out, &f, sizeof f);
		break;
	case CUDA_TYPE_F16:
	case CUDA_TYPE_BF16:
		h = t == CUDA_TYPE_F16 ? to_f16(f) : to_bf16(f);
		memcpy(out, &h, sizeof h);
		break;
	case CUDA_TYPE_E4M3:
		*(uint8_t *)out = to_e4m3(f);
		break;
	case CUDA_TYPE_I32:
		i = (int32_t)v;
		memcpy(out, &i, sizeof i);
		break;
	case CUDA_TYPES:
		break;
	}
}

double cuda_decode(enum cuda_type t, const void *in)
{
	float f;
	uint16_t h;
	int32_t i;

	switch (t) {
	case CUDA_TYPE_F32:
		memcpy(&f, in, sizeof f);
		return (double)f;
	case CUDA_TYPE_F16:
		memcpy(&h, in, sizeof h);
		return (double)from_f16(h);
	case CUDA_TYPE_BF16:
		memcpy(&h, in, sizeof h);
		return (double)float_of((uint32_t)h << 16);
	case CUDA_TYPE_E4M3:
		return (double)from_e4m3(*(const uint8_t *)in);
	case CUDA_TYPE_I32:
		memcpy(&i, in, sizeof i);
		return i;
	case CUDA_TYPES:
		break;
	}
	return NAN;
}
