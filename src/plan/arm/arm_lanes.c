#define SIMD_LANES 4
#include "arm_lanes.h"
#include "base/simd_trigonometry.h"

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

static void place(const tr_arm *arm, const simd_float q[TR_ARM_ANGLES], bool helped, lane_vector at[4]) {
    simd_float s[TR_ARM_ANGLES], c[TR_ARM_ANGLES];
    for (int k = 0; k < (helped ? TR_ARM_ANGLES : TR_ARM_JOINTS); k++)
        simd_sin_cos(q[k], &s[k], &c[k]);
    if (helped)
        chain_points_helped(arm, s, c, at);
    else
        chain_points(arm, s, c, at);
}

void tr_arm_lanes_points(const tr_arm *arm, const tr_arm_lanes *lanes, uint32_t count,
                         tr_arm_lane_points *points) {
    bool helped = chain_has_help(arm);
    for (uint32_t first = 0; first < count && first < ARM_LANES; first += SIMD_LANES) {
        simd_float q[TR_ARM_ANGLES];
        lane_vector at[4];
        for (int k = 0; k < TR_ARM_ANGLES; k++)
            q[k] = simd_load(lanes->q[k] + first);
        place(arm, q, helped, at);
        for (int k = 0; k < 4; k++) {
            simd_store_float(points->x[k] + first, at[k].x);
            simd_store_float(points->y[k] + first, at[k].y);
            simd_store_float(points->z[k] + first, at[k].z);
        }
    }
}

// Transposes rows of angles into registers: through memory, narrow stores would stall wide loads.
static void gather(const tr_posture *const postures[3], bool helped, simd_float q[12]) {
    for (int k = 0; k < 8; k += 4) {
        for (int row = 0; row < 4; row++)
            q[k + row] = simd_load(postures[row < 3 ? row : 0]->q + k);
        simd_transpose(q + k);
    }
    for (int k = 8; k < TR_ARM_ANGLES && helped; k++)
        q[k] = (simd_float){postures[0]->q[k], postures[1]->q[k], postures[2]->q[k], postures[0]->q[k]};
}

void tr_arm_three_points(const tr_arm *arm, const tr_posture *first, const tr_posture *second,
                         const tr_posture *third, tr_vec3 points[4], float furthest[4]) {
    const tr_posture *const postures[3] = {first, second, third};
    bool helped = chain_has_help(arm);
    simd_float q[12];
    lane_vector at[4];
    gather(postures, helped, q);
    place(arm, q, helped, at);
    simd_float squares = simd_set(0);
    for (int k = 0; k < 4; k++) {
        points[k] = tr_vec3_make(at[k].x[0], at[k].y[0], at[k].z[0]);
        simd_float x = at[k].x - at[k].x[0], y = at[k].y - at[k].y[0], z = at[k].z - at[k].z[0];
        simd_float square = x * x + y * y + z * z;
        squares[k] = square[1] > square[2] ? square[1] : square[2];
    }
    simd_store_float(furthest, simd_sqrt(squares));
}
