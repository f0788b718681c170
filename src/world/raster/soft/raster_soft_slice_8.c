#define SIMD_LANES 8
#define SIMD_NAME(name) name##_8
#include "raster_soft_slice_kernel.h"
