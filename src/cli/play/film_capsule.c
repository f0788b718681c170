// A capsule as a smooth mesh, for bodies that have no mesh of their own.
#include "film_set.h"
#include "troupe/base/scalar.h"

#define AROUND 12
#define ROWS 4 // of each half ball
#define RINGS (2 * ROWS)

// Two directions across an axis of unit length.
static void across(tr_vec3 axis, tr_vec3 *u, tr_vec3 *v) {
    const tr_vec3 x = {1, 0, 0}, z = {0, 0, 1};
    *u = tr_vec3_cross(axis, fabsf(axis.x) < 0.7f ? x : z);
    *u = tr_vec3_scale(*u, 1 / tr_vec3_length(*u));
    *v = tr_vec3_cross(axis, *u);
}

tr_status film_capsule_add(tr_render *render, tr_vec3 a, tr_vec3 b, float radius, const float color[3]) {
    tr_vec3 positions[RINGS * AROUND], normals[RINGS * AROUND], axis = tr_vec3_subtract(b, a), u, v;
    uint32_t indices[6 * (RINGS - 1) * AROUND], count = 0;
    float length = tr_vec3_length(axis);
    const tr_vec3 up = {0, 1, 0};
    axis = length > 0 ? tr_vec3_scale(axis, 1 / length) : up;
    across(axis, &u, &v);
    for (uint32_t ring = 0; ring < RINGS; ring++) {
        // From one pole over a straight side to the other: the two rings in the middle are both equators.
        double tilt = ring < ROWS ? (double)ring / (ROWS - 1) - 1 : (double)(ring - ROWS) / (ROWS - 1);
        double along, out, sine, cosine;
        tr_sin_cos(tilt * TR_PI / 2, &along, &out);
        for (uint32_t i = 0; i < AROUND; i++) {
            tr_sin_cos(2 * TR_PI * i / AROUND, &sine, &cosine);
            tr_vec3 side = tr_vec3_add(tr_vec3_scale(u, (float)cosine), tr_vec3_scale(v, (float)sine));
            tr_vec3 normal = tr_vec3_add(tr_vec3_scale(axis, (float)along), tr_vec3_scale(side, (float)out));
            normals[ring * AROUND + i] = normal;
            positions[ring * AROUND + i] = tr_vec3_add(ring < ROWS ? a : b, tr_vec3_scale(normal, radius));
        }
    }
    for (uint32_t ring = 0; ring + 1 < RINGS; ring++)
        for (uint32_t i = 0; i < AROUND; i++) {
            uint32_t next = (i + 1) % AROUND, low = ring * AROUND, high = low + AROUND;
            const uint32_t two[6] = {low + i, low + next, high + next, low + i, high + next, high + i};
            for (int k = 0; k < 6; k++)
                indices[count++] = two[k];
        }
    return tr_render_add_mesh(render, positions, normals, RINGS * AROUND, indices, count / 3, NULL, color);
}
