#define SIMD_LANES 4
#include "arm_lanes.h"
#include "../base/simd_trigonometry.h"

// As many postures as lanes: a register for each coordinate.
typedef struct lane_vector {
    simd_float x, y, z;
} lane_vector;
#define NUMBER simd_float
#define VECTOR lane_vector
static inline simd_float chain_number(float a) {
    return simd_set(a);
}
static inline lane_vector chain_make(simd_float x, simd_float y, simd_float z) {
    return (lane_vector){x, y, z};
}
static inline lane_vector chain_add(lane_vector a, lane_vector b) {
    return (lane_vector){a.x + b.x, a.y + b.y, a.z + b.z};
}
static inline lane_vector chain_scale(simd_float k, lane_vector a) {
    return (lane_vector){k * a.x, k * a.y, k * a.z};
}
static inline simd_float chain_x(lane_vector a) {
    return a.x;
}
static inline simd_float chain_y(lane_vector a) {
    return a.y;
}
static inline simd_float chain_z(lane_vector a) {
    return a.z;
}
#include "arm_chain.h"

void tr_arm_lanes_points(const tr_arm *arm, const tr_arm_lanes *lanes, uint32_t count,
                         tr_arm_lane_points *points) {
    bool helped = chain_has_help(arm);
    for (uint32_t first = 0; first < count && first < ARM_LANES; first += SIMD_LANES) {
        simd_float s[TR_ARM_ANGLES], c[TR_ARM_ANGLES];
        lane_vector at[4];
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
