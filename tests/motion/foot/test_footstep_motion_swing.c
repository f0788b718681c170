// Swings over floors that are known by cells, each as high as its highest point.
#include "footstep_motion_walks.h"

#define CELL 0.05f // [m]

static float cells_floor(void *user, tr_vec3 point) {
    const footstep_walk *walk = user;
    float begin = CELL * floorf(point.z / CELL), top = -INFINITY;
    for (int i = 0; i <= 10; i++)
        top = fmaxf(top, height_at(walk, begin + 0.0999f * CELL * (float)i));
    return ceilf(1000 * top) / 1000;
}

// The greatest clearance of a swing, at its lowest point over the floor [m]; `depth`: of any point below it.
static float highest_swing(footstep_walker *walker, float *depth) {
    float highest = 0;
    *depth = 0;
    for (uint32_t i = 0; i < 3000 && walker->status == TR_OK; i++) {
        walker_step(walker, 1 / WALK_RATE);
        for (uint32_t side = 0; side < 2; side++) {
            const tr_foot *foot = &walker->character->legs.feet[side];
            tr_vec3 points[3] = {tr_foot_heel(foot, walker->model), tr_foot_ball(foot, walker->model),
                                 tr_foot_tip(foot, walker->model)};
            float lowest = INFINITY;
            for (int k = 0; k < 3; k++)
                lowest = fminf(lowest, points[k].y - height_at(walker->walk, points[k].z));
            highest = fmaxf(highest, lowest);
            *depth = fmaxf(*depth, -lowest);
        }
    }
    CHECK_INT(walker->status, TR_DONE);
    return highest;
}

TEST(a_swing_over_the_cells_of_a_slope_is_as_low_as_over_the_slope) {
    static const float heights[] = {1.1f, 1.75f, 1.95f}, slopes[] = {0.09f, 0.18f, 0.27f, 0.36f};
    for (size_t i = 0; i < 24; i++) {
        float height = heights[i % 3], slope = slopes[i / 3 % 4] * (i < 12 ? 1.0f : -1.0f), depth,
              cells_depth;
        footstep_walk walk = ramp_walk(height, slope);
        footstep_walker *walker = walker_of(height);
        REQUIRE(walker != NULL);
        walker_begin(walker, &walk);
        float smooth = highest_swing(walker, &depth);
        walker_begin(walker, &walk);
        walker->params.floor = cells_floor;
        float cells = highest_swing(walker, &cells_depth);
        CHECK(cells < smooth + 0.03f && cells < 0.13f); // highest over the edges of the ramp
        CHECK(cells_depth < depth + 5e-3f);
    }
}
