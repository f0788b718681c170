#define SIMD_LANES 4
#define SIMD_NAME(name) name##_4
#include "solid_kernel.h"

#include "solid_grid_kernel.h"
