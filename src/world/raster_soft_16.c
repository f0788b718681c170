#define SIMD_LANES 16
#define SIMD_NAME(name) name##_16
#include "raster_soft_kernel.h"
