#define SIMD_LANES 4
#define SIMD_NAME(name) name##_4
#include "pose_kernel.h"
