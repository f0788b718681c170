#define SIMD_LANES 4
#include "arm_lanes.h"
#include "../base/simd_trigonometry.h"
#define NUMBER simd_float
#include "arm_chain.h"

void tr_arm_lanes_points(const tr_arm *arm, const tr_arm_lanes *lanes, tr_arm_lane_points *points) {
    bool helped = chain_has_help(arm);
    for (int first = 0; first < ARM_LANES; first += SIMD_LANES) {
        simd_float s[TR_ARM_ANGLES], c[TR_ARM_ANGLES];
        chain_vector at[4];
        for (int k = 0; k < (helped ? TR_ARM_ANGLES : TR_ARM_JOINTS); k++)
            simd_sin_cos(simd_load(lanes->q[k] + first), &s[k], &c[k]);
        if (helped)
            chain_points_helped(arm, s, c, at);
        else
            chain_points(arm, s, c, at);
        for (int k = 0; k < 4; k++) {
            simd_store_float(points->x[k] + first, at[k].x);
            simd_store_float(points->y[k] + first, at[k].y);
            simd_store_float(points->z[k] + first, at[k].z);
        }
    }
}
