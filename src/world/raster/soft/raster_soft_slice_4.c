#define SIMD_LANES 4
#define SIMD_NAME(name) name##_4
#include "raster_soft_slice_kernel.h"
