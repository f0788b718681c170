// Arms that keep behind walls. The walls of these tests are as near as the disc that a stage keeps free.
#include "motion/driver/driven_body.h"

#define DISC 0.3f // [m]

// Points along the arms and how thick they are, measured here by themselves: elbow, wrist, end of the hand.
static uint32_t arm_points(const driven *d, tr_vec3 *points) {
    static const tr_role roles[4] = {TR_ROLE_LEFT_FOREARM, TR_ROLE_LEFT_HAND, TR_ROLE_RIGHT_FOREARM,
                                     TR_ROLE_RIGHT_HAND};
    const uint32_t *parents = tr_skeleton_parents(d->skeleton);
    uint32_t count = 0;
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t joint = tr_skeleton_with_role(d->skeleton, roles[i]);
        points[count++] = tr_affine_position(&d->model[joint]);
        for (uint32_t k = 0; k < tr_skeleton_joint_count(d->skeleton); k++)
            if (parents[k] == joint && i % 2 == 1) // children of a hand
                points[count++] = tr_affine_position(&d->model[k]);
    }
    return count;
}

static float furthest_beyond(const driven *d, const tr_overlay_wall *walls, uint32_t wall_count) {
    tr_vec3 points[16], root = tr_affine_position(&d->body.place);
    uint32_t count = arm_points(d, points);
    float worst = -INFINITY;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < wall_count; k++) {
            tr_vec3 off = tr_vec3_subtract(points[i], root);
            worst = fmaxf(worst, off.x * walls[k].away.x + off.z * walls[k].away.z - walls[k].room);
        }
    return worst;
}

static tr_overlay_wall random_wall(tr_random *random, bool soon) {
    double angle = (double)tr_random_between(random, 0, 6.2831853f);
    return (tr_overlay_wall){
        {(float)sin(angle), (float)cos(angle)}, DISC + tr_random_between(random, 0, 0.2f), soon};
}

// Walks, turns and stands, with a new route now and then.
static void wander(driven *d, tr_random *random, uint32_t tick) {
    if (tick % 50 == 0) {
        tr_vec2 way[2] = {d->state.root.state.position};
        way[1] = (tr_vec2){way[0].x + tr_random_between(random, -2, 2),
                           way[0].z + tr_random_between(random, -2, 2)};
        CHECK_INT(driven_route(d, way, 2, NULL), TR_OK);
    }
    driven_step(d, INFINITY);
}

TEST(arms_stay_behind_walls_wherever_they_appear) {
    driven d;
    if (driven_begin(&d)) {
        tr_random random = tr_random_seed(11);
        tr_overlay_wall walls[4];
        float worst = -INFINITY, without = -INFINITY;
        uint32_t count = 0;
        for (uint32_t tick = 0; tick < 6000; tick++) {
            if (tick % 20 == 0) {
                count = tr_random_below(&random, 5);
                for (uint32_t i = 0; i < count; i++)
                    walls[i] = random_wall(&random, false);
                tr_overlay_set_walls(d.overlay, walls, tick < 3000 ? count : 0);
            }
            wander(&d, &random, tick);
            float beyond = furthest_beyond(&d, walls, count);
            worst = tick < 3000 ? fmaxf(worst, beyond) : worst;
            without = tick < 3000 ? without : fmaxf(without, beyond);
        }
        CHECK(worst < -0.034f); // forearms and hands count as 3.5 cm thick
        CHECK(without > 0.05f); // as they would swing
    }
    driven_end(&d);
}

TEST(arms_that_are_drawn_in_move_smoothly) {
    driven d;
    if (driven_begin(&d)) {
        tr_random random = tr_random_seed(5);
        tr_vec3 last[16] = {{0, 0, 0}}, speed[16] = {{0, 0, 0}};
        float worst = 0;
        for (uint32_t tick = 0; tick < 3000; tick++) {
            if (tick % 40 == 0) { // known before they are there, as on a stage
                tr_overlay_wall soon[2] = {random_wall(&random, true), random_wall(&random, true)};
                tr_overlay_set_walls(d.overlay, soon, tr_random_below(&random, 3));
            }
            wander(&d, &random, tick);
            tr_vec3 points[16];
            uint32_t count = arm_points(&d, points);
            for (uint32_t i = 0; i < count; i++) {
                tr_vec3 now = tr_vec3_scale(tr_vec3_subtract(points[i], last[i]), 30);
                if (tick > 1)
                    worst = fmaxf(worst, tr_vec3_length(tr_vec3_subtract(now, speed[i])));
                last[i] = points[i], speed[i] = now;
            }
        }
        CHECK(worst < 1.6f); // [m/s] from one tick to the next
    }
    driven_end(&d);
}

TEST(walls_change_only_the_arms_and_leave_no_trace) {
    driven a, b;
    bool good = driven_begin(&a);
    if (driven_begin(&b) && good) {
        tr_random one = tr_random_seed(7), other = tr_random_seed(7);
        const tr_overlay_wall wall = {{1, 0}, DISC, false};
        uint32_t differ = 0, legs = 0, after = 0, joints = tr_skeleton_joint_count(a.skeleton);
        uint32_t hips = a.cast->legs.hips, foot = a.cast->legs.feet[0].ankle;
        for (uint32_t tick = 0; tick < 600; tick++) {
            tr_overlay_set_walls(a.overlay, &wall, tick < 300 ? 1 : 0);
            wander(&a, &one, tick);
            wander(&b, &other, tick);
            CHECK(memcmp(&a.state.root.state, &b.state.root.state, sizeof a.state.root.state) == 0);
            bool same = memcmp(a.model, b.model, joints * sizeof *a.model) == 0;
            differ += !same;
            after += tick > 500 && !same;
            legs += memcmp(&a.model[hips], &b.model[hips], sizeof *a.model) != 0 ||
                    memcmp(&a.model[foot], &b.model[foot], sizeof *a.model) != 0;
        }
        CHECK(differ > 50);
        CHECK_INT(legs, 0);
        CHECK_INT(after, 0);
    }
    driven_end(&a);
    driven_end(&b);
}
