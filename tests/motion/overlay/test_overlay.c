#include "motion/driver/driven_body.h"

static tr_vec3 head_ahead(const driven *d) {
    uint32_t head = tr_skeleton_with_role(d->skeleton, TR_ROLE_HEAD);
    const tr_affine *rest = &tr_skeleton_rest_model(d->skeleton)[head];
    tr_quat turn =
        tr_quat_multiply(tr_affine_rotation(&d->model[head]), tr_quat_conjugate(tr_affine_rotation(rest)));
    return tr_quat_rotate(turn, tr_vec3_make(0, 0, 1));
}

TEST(feet_that_touch_the_floor_stay_where_they_came_down) {
    driven d;
    if (driven_begin(&d)) {
        const tr_vec2 way[] = {{0, 0}, {0, 2}, {1.5f, 3.5f}, {1.5f, 6}};
        tr_vec3 held[2][2] = {{{0, 0, 0}}};
        bool holds[2][2] = {{false}};
        float worst = 0;
        uint32_t plants = 0;
        CHECK_INT(driven_route(&d, way, 4, NULL), TR_OK);
        for (uint32_t i = 0; i < 300; i++) {
            driven_step(&d, INFINITY);
            for (uint32_t side = 0; side < 2; side++)
                for (uint32_t part = 0; part < 2; part++) {
                    const tr_foot *foot = &d.cast->legs.feet[side];
                    tr_vec3 at = part ? tr_foot_ball(foot, d.model) : tr_foot_heel(foot, d.model);
                    bool on = d.body.contacts >> (2 * side + part) & 1 && at.y < 0.005f;
                    if (on && holds[side][part])
                        worst = fmaxf(worst, hypotf(at.x - held[side][part].x, at.z - held[side][part].z));
                    else
                        held[side][part] = at, plants += on;
                    holds[side][part] = on;
                }
        }
        CHECK(plants > 15);
        CHECK(worst < 0.001f);
    }
    driven_end(&d);
}

TEST(another_kind_of_motion_begins_where_the_last_one_was) {
    driven d;
    if (driven_begin(&d)) {
        tr_random random = tr_random_seed(3);
        tr_vec3 last[DRIVEN_JOINTS] = {{0, 0, 0}}, speed[DRIVEN_JOINTS] = {{0, 0, 0}};
        uint32_t joints = tr_skeleton_joint_count(d.skeleton), changes = 0;
        float worst = 0;
        for (uint32_t i = 0; i < 1200; i++) {
            if (i % 40 == 0) {
                tr_vec2 way[2] = {d.state.root.state.position};
                way[1] = (tr_vec2){way[0].x + tr_random_between(&random, -2, 2),
                                   way[0].z + tr_random_between(&random, -2, 2)};
                CHECK_INT(driven_route(&d, way, 2, NULL), TR_OK);
            }
            driven_step(&d, INFINITY);
            changes += d.body.changes;
            for (uint32_t j = 0; j < joints; j++) {
                tr_vec3 at = tr_affine_position(&d.model[j]);
                tr_vec3 now = tr_vec3_scale(tr_vec3_subtract(at, last[j]), 30);
                if (i > 1)
                    worst = fmaxf(worst, tr_vec3_length(tr_vec3_subtract(now, speed[j])));
                last[j] = at, speed[j] = now;
            }
        }
        CHECK(changes > 5);
        CHECK(worst < 6); // a foot that lands stops within a frame or two
    }
    driven_end(&d);
}

TEST(shoulders_turn_before_a_tight_place_and_back_behind_it) {
    driven d;
    if (driven_begin(&d)) {
        const tr_vec2 way[] = {{0, 0}, {0, 3}, {0, 4}, {0, 8}};
        const uint8_t passage[] = {TR_PASSAGE_OPEN, TR_PASSAGE_TIGHT, TR_PASSAGE_OPEN};
        uint32_t arms[2] = {d.cast->arms[0][0], d.cast->arms[1][0]};
        CHECK_INT(driven_route(&d, way, 4, passage), TR_OK);
        float before = 0, within = 10, behind = 0;
        for (uint32_t i = 0; i < 260; i++) {
            driven_step(&d, INFINITY);
            float z = d.state.root.state.position.z;
            tr_vec3 across = tr_vec3_subtract(tr_affine_position(&d.model[arms[0]]),
                                              tr_affine_position(&d.model[arms[1]]));
            float turned = -across.z / across.x; // the left one ahead: below 0
            before = z > 1 && z < 1.8f ? fmaxf(before, fabsf(turned)) : before;
            within = z > 3 && z < 4 ? fminf(within, -turned) : within;
            behind = z > 6 && z < 7 ? fmaxf(behind, fabsf(turned)) : behind;
        }
        CHECK(before < 0.25f && behind < 0.25f); // as people swing them
        CHECK(within > 0.2f);
    }
    driven_end(&d);
}

TEST(the_head_turns_to_what_is_looked_at_and_back) {
    driven d;
    if (driven_begin(&d)) {
        CHECK_INT(tr_overlay_prepare_arms(d.overlay, NULL), TR_OK);
        CHECK(tr_overlay_has_arm(d.overlay, TR_ARM_LEFT) && tr_overlay_has_arm(d.overlay, TR_ARM_RIGHT));
        tr_vec3 point = {2, 1.6f, 2};
        tr_overlay_look_at(d.overlay, &point);
        for (uint32_t i = 0; i < 60; i++)
            driven_step(&d, INFINITY);
        tr_vec3 ahead = head_ahead(&d);
        CHECK_NEAR(atan2((double)ahead.x, (double)ahead.z), 0.785, 0.1);
        tr_overlay_look_at(d.overlay, NULL);
        for (uint32_t i = 0; i < 90; i++)
            driven_step(&d, INFINITY);
        ahead = head_ahead(&d);
        CHECK_NEAR(atan2((double)ahead.x, (double)ahead.z), 0, 0.05);
    }
    driven_end(&d);
}

TEST(a_body_whose_arm_is_taken_stands_still) {
    driven d;
    if (driven_begin(&d)) {
        CHECK_INT(tr_overlay_take_arm(d.overlay, TR_ARM_RIGHT, NULL), TR_INVALID);
        CHECK_INT(tr_overlay_prepare_arms(d.overlay, NULL), TR_OK);
        CHECK_INT(tr_overlay_take_arm(d.overlay, TR_ARM_RIGHT, NULL), TR_OK);
        tr_overlay_arm_view view;
        for (uint32_t i = 0; i < 60; i++) {
            d.body.stand_share = tr_overlay_stand_share(d.overlay);
            driven_step(&d, INFINITY);
        }
        CHECK_INT(tr_overlay_look_arm(d.overlay, TR_ARM_RIGHT, &view), TR_OK);
        CHECK_INT(view.doing, TR_OVERLAY_ARM_STAYS);
        CHECK(d.body.stand_share == 0);
        tr_affine before[DRIVEN_JOINTS];
        memcpy(before, d.model, sizeof before);
        driven_step(&d, INFINITY);
        CHECK(memcmp(before, d.model, tr_skeleton_joint_count(d.skeleton) * sizeof *before) == 0);
        tr_overlay_give_arm(d.overlay, TR_ARM_RIGHT);
        for (uint32_t i = 0; i < 30; i++)
            driven_step(&d, INFINITY);
        tr_overlay_look_arm(d.overlay, TR_ARM_RIGHT, &view);
        CHECK_INT(view.doing, TR_OVERLAY_ARM_SWINGS);
    }
    driven_end(&d);
}

TEST(feet_are_held_where_a_driver_with_legs_of_its_own_left_them) {
    driven d;
    if (driven_begin(&d)) {
        tr_footstep footsteps[8];
        driven_step(&d, INFINITY);
        driven_begin_steps(&d);
        uint32_t count = driven_footsteps(&d, 0.1f, footsteps);
        CHECK_INT(tr_driver_set_footsteps(&d.state, &d.task, &d.nature, footsteps, count, 0, NULL, NULL, NULL), TR_OK);
        tr_status status = TR_OK;
        for (uint32_t i = 0; i < 500 && status == TR_OK; i++)
            status = driven_step(&d, INFINITY);
        CHECK_INT(status, TR_DONE);
        CHECK_NEAR(d.state.root.ground, 0.7, 1e-5);
        tr_overlay_hold_feet(d.overlay, &d.state.root, &d.body);
        d.body.locomotion = (tr_locomotion_state){0};
        tr_vec3 before = tr_foot_ball(&d.cast->legs.feet[0], d.model);
        for (uint32_t i = 0; i < 60; i++)
            driven_step(&d, INFINITY);
        tr_vec3 after = tr_foot_ball(&d.cast->legs.feet[0], d.model);
        CHECK_NEAR(before.x, after.x, 1e-5);
        CHECK_NEAR(before.y, after.y, 1e-3);
        CHECK_NEAR(before.z, after.z, 1e-5);
        CHECK_INT(d.body.contacts, 15);
    }
    driven_end(&d);
}

static const tr_cast *shared_cast;

static bool attempt(const tr_allocator *allocator) {
    tr_overlay *overlay = NULL;
    tr_status status =
        tr_overlay_create(&(tr_overlay_def){.allocator = allocator, .cast = shared_cast}, &overlay, NULL);
    if (status == TR_OK)
        status = tr_overlay_prepare_arms(overlay, NULL);
    tr_overlay_destroy(overlay);
    return status == TR_OK;
}

TEST(without_memory_there_is_no_overlay_and_nothing_leaks) {
    driven d;
    if (driven_begin(&d)) {
        shared_cast = d.cast;
        CHECK(CHECK_EVERY_ALLOCATION_FAILURE(attempt) > 6);
    }
    driven_end(&d);
}
