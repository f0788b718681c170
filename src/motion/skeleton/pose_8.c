#define SIMD_LANES 8
#define SIMD_NAME(name) name##_8
#include "pose_kernel.h"
