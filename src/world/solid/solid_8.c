#define SIMD_LANES 8
#define SIMD_NAME(name) name##_8
#include "solid_kernel.h"

#include "solid_grid_kernel.h"
