#include "driven_body.h"

static bool same_root(const tr_driver_state *a, const tr_driver_state *b) {
    return memcmp(&a->root.state, &b->root.state, sizeof a->root.state) == 0 &&
           a->root.ground == b->root.ground && a->root.doing == b->root.doing &&
           a->root.kind == b->root.kind && a->root.footstep_next == b->root.footstep_next &&
           (a->root.kind != TR_DRIVER_RIDE || a->ride.time == b->ride.time);
}

TEST(a_predicted_root_goes_where_the_body_goes_with_any_driver) {
    driven d;
    if (driven_begin(&d)) {
        tr_random random = tr_random_seed(8);
        driven_step(&d, INFINITY);
        uint32_t ticks[TR_DRIVER_KINDS] = {0};
        for (uint32_t i = 0; i < 120; i++) {
            if (i % 4 != 2 && i % 3 == 0 && d.state.root.kind == TR_DRIVER_GAIT) {
                tr_vec2 at = d.state.root.state.position;
                tr_vec3 to = {at.x + tr_random_between(&random, -1, 1), tr_random_between(&random, -3, 3),
                              at.z + tr_random_between(&random, -1, 1)};
                float seconds = tr_random_between(&random, 0.01f, 4);
                CHECK_INT(tr_driver_set_ride(&d.state, to, seconds, NULL), TR_OK);
            } else if (i % 4 != 2) {
                tr_vec2 way[4] = {d.state.root.state.position};
                uint8_t passage[3];
                for (uint32_t k = 1; k < 4; k++) {
                    way[k].x = way[k - 1].x + tr_random_between(&random, -1, 1);
                    way[k].z = way[k - 1].z + tr_random_between(&random, -1, 1);
                    passage[k - 1] = (uint8_t)tr_random_below(&random, 3);
                }
                CHECK_INT(driven_route(&d, way, 4, passage), TR_OK);
            } else {
                tr_footstep footsteps[8];
                if (d.state.root.kind != TR_DRIVER_STEPS)
                    driven_begin_steps(&d);
                uint32_t count = driven_footsteps(&d, tr_random_between(&random, -0.15f, 0.15f), footsteps);
                CHECK_INT(tr_driver_set_footsteps(&d.state, &d.task, &d.nature, footsteps, count, 0, NULL, NULL, NULL),
                          TR_OK);
            }
            tr_driver_state foretold = d.state;
            float limit = i % 4 == 1 ? 0.4f : INFINITY;
            for (uint32_t k = 0; k < 150; k++) {
                limit = k == 70 ? 0 : limit;
                ticks[d.state.root.kind]++;
                tr_status status = tr_driver_of(&foretold)->predict(&foretold, &d.task, &d.nature, limit);
                CHECK_INT(driven_step(&d, limit), status);
                CHECK(same_root(&foretold, &d.state));
            }
            CHECK(tr_driver_of(&d.state)->rests(&d.state));
        }
        CHECK(ticks[TR_DRIVER_GAIT] > 1000 && ticks[TR_DRIVER_STEPS] > 1000 && ticks[TR_DRIVER_RIDE] > 500);
    }
    driven_end(&d);
}

TEST(a_body_at_rest_stays_where_it_is_for_ever) {
    driven d;
    if (driven_begin(&d)) {
        tr_random random = tr_random_seed(9);
        uint32_t rested = 0;
        for (uint32_t i = 0; i < 300; i++) {
            tr_vec2 way[3] = {d.state.root.state.position};
            for (uint32_t k = 1; k < 3; k++)
                way[k] = (tr_vec2){way[k - 1].x + tr_random_between(&random, -2, 2),
                                   way[k - 1].z + tr_random_between(&random, -2, 2)};
            CHECK_INT(driven_route(&d, way, 3, NULL), TR_OK);
            const tr_driver *driver = tr_driver_of(&d.state);
            uint32_t ticks = tr_random_below(&random, 120);
            for (uint32_t k = 0; k < ticks; k++)
                driver->predict(&d.state, &d.task, &d.nature, INFINITY);
            for (uint32_t k = 0; k < 200 && !driver->rests(&d.state); k++)
                driver->predict(&d.state, &d.task, &d.nature, 0);
            CHECK(driver->rests(&d.state));
            tr_vec2 at = d.state.root.state.position;
            for (uint32_t k = 0; k < 300; k++)
                driver->predict(&d.state, &d.task, &d.nature, 0);
            tr_vec2 now = d.state.root.state.position;
            rested += memcmp(&at, &now, sizeof at) == 0;
        }
        CHECK_INT(rested, 300);
    }
    driven_end(&d);
}

// Where the feet are, from the root.
static tr_vec3 foot_from_root(const driven *d, uint32_t side, bool toes) {
    const tr_foot *foot = &d->cast->legs.feet[side];
    tr_vec3 at = toes ? tr_foot_ball(foot, d->model) : tr_foot_heel(foot, d->model);
    tr_vec2 root = d->state.root.state.position;
    return tr_vec3_subtract(at, tr_vec3_make(root.x, d->state.root.ground, root.z));
}

TEST(a_ride_goes_from_rest_to_rest_whatever_the_limit_and_feet_go_with_the_floor) {
    driven d;
    if (driven_begin(&d)) {
        for (uint32_t i = 0; i < 60; i++)
            driven_step(&d, INFINITY);
        const tr_vec3 to = {0.5f, 3, -0.25f};
        tr_vec3 feet[4];
        for (uint32_t k = 0; k < 4; k++)
            feet[k] = foot_from_root(&d, k / 2, k % 2);
        CHECK_INT(tr_driver_set_ride(&d.state, to, 4, NULL), TR_OK);
        CHECK_TEXT(tr_driver_of(&d.state)->name, "ride");
        double last = 0, speed = 0;
        uint32_t ticks = 0;
        while (d.state.root.kind == TR_DRIVER_RIDE && ticks < 200) {
            tr_status status = driven_step(&d, ticks % 3 ? 0 : INFINITY);
            ticks++;
            CHECK_INT(status, ticks < 120 ? TR_OK : TR_DONE);
            CHECK_INT(d.state.root.doing, TR_DRIVER_RIDES);
            double rise = d.state.root.ground - last;
            CHECK(rise > 0 && fabs(rise - speed) < 0.0022); // 30 ticks a second, 1.1 m/s2 at most
            // Straight there.
            CHECK_NEAR(d.state.root.state.position.x, 0.5 * d.state.root.ground / 3, 1e-5);
            CHECK_NEAR(d.state.root.state.position.z, -0.25 * d.state.root.ground / 3, 1e-5);
            speed = rise;
            last = d.state.root.ground;
            CHECK_INT(d.body.contacts, 15);
            for (uint32_t k = 0; k < 4; k++)
                CHECK_NEAR(tr_vec3_length(tr_vec3_subtract(foot_from_root(&d, k / 2, k % 2), feet[k])), 0,
                           1e-3);
        }
        CHECK_INT(ticks, 120);
        CHECK(speed < 0.001);
        CHECK(d.state.root.ground == to.y && d.state.root.state.position.x == to.x &&
              d.state.root.state.position.z == to.z);
        CHECK_INT(driven_step(&d, INFINITY), TR_DONE);
        CHECK_INT(d.state.root.doing, TR_DRIVER_STANDS);
        CHECK(d.state.root.ground == to.y);
    }
    driven_end(&d);
}

TEST(a_route_that_is_set_during_a_ride_begins_at_its_end) {
    driven d;
    if (driven_begin(&d)) {
        CHECK_INT(tr_driver_set_ride(&d.state, tr_vec3_make(0, 2, 0), 2, NULL), TR_OK);
        for (uint32_t i = 0; i < 20; i++)
            driven_step(&d, INFINITY);
        const tr_vec2 way[] = {{0, 0}, {0, 3}};
        CHECK_INT(driven_route(&d, way, 2, NULL), TR_OK);
        CHECK(!tr_driver_of(&d.state)->may_leave(&d.state) && !tr_driver_of(&d.state)->rests(&d.state));
        tr_status status = TR_OK;
        for (uint32_t i = 0; i < 300 && status == TR_OK; i++) {
            status = driven_step(&d, INFINITY);
            CHECK(d.state.root.state.position.z == 0 || d.state.root.ground == 2);
        }
        CHECK_INT(status, TR_DONE);
        CHECK_NEAR(d.state.root.state.position.z, 3, 0.05);
        CHECK(d.state.root.ground == 2);
    }
    driven_end(&d);
}

TEST(tight_stretches_are_found_ahead_and_behind) {
    driven d;
    if (driven_begin(&d)) {
        const tr_vec2 way[] = {{0, 0}, {0, 2}, {0, 3}, {0, 4}, {0, 8}};
        const uint8_t passage[] = {TR_PASSAGE_OPEN, TR_PASSAGE_TIGHT, TR_PASSAGE_TIGHT, TR_PASSAGE_OPEN};
        CHECK_INT(driven_route(&d, way, 5, passage), TR_OK);
        CHECK_INT(d.task.stretch_count, 1);
        for (uint32_t i = 0; i < 160; i++) {
            float at = 0.05f * (float)i + 0.01f;
            d.state.root.state.progress = at;
            CHECK_INT(tr_driver_is_tight(&d.state, &d.task, 0.5f, 0.3f), at > 1.5f && at < 4.3f);
        }
    }
    driven_end(&d);
}

TEST(a_body_may_leave_footsteps_only_in_its_closing_step) {
    driven d;
    if (driven_begin(&d)) {
        tr_footstep footsteps[8];
        driven_step(&d, INFINITY);
        driven_begin_steps(&d);
        uint32_t count = driven_footsteps(&d, 0, footsteps), moments = 0;
        CHECK_INT(tr_driver_set_footsteps(&d.state, &d.task, &d.nature, footsteps, count, 0, NULL, NULL, NULL), TR_OK);
        for (uint32_t i = 0; i < 400 && d.state.root.kind == TR_DRIVER_STEPS; i++) {
            driven_step(&d, INFINITY);
            bool may = d.state.root.kind == TR_DRIVER_STEPS && tr_driver_of(&d.state)->may_leave(&d.state);
            CHECK(!may || d.state.root.footstep_next == count);
            moments += may;
        }
        CHECK(moments > 0);
        CHECK_INT(d.state.root.kind, TR_DRIVER_GAIT);
        CHECK_TEXT(tr_driver_of(&d.state)->name, "gait");
    }
    driven_end(&d);
}

TEST(impossible_tasks_are_refused_and_change_nothing) {
    driven d;
    if (driven_begin(&d)) {
        tr_error error = {0};
        tr_vec2 way[20] = {{0, 0}, {0, 1}};
        uint8_t passage[20] = {7};
        tr_driver_state before = d.state;
        CHECK_INT(tr_driver_set_route(&d.state, &d.task, &d.nature, way, 2, passage, NULL, 0, &error),
                  TR_INVALID);
        CHECK_CONTAINS(error.message, "passage 7");
        CHECK_INT(driven_route(&d, way, 0, NULL), TR_INVALID);
        CHECK_INT(driven_route(&d, way, 20, NULL), TR_LIMIT);
        tr_footstep footsteps[20] = {{.side = 0}};
        CHECK_INT(tr_driver_set_footsteps(&d.state, &d.task, &d.nature, footsteps, 0, 0, NULL, NULL, &error), TR_INVALID);
        CHECK_INT(tr_driver_set_footsteps(&d.state, &d.task, &d.nature, footsteps, 20, 0, NULL, NULL, &error), TR_LIMIT);
        footsteps[1].side = 2;
        CHECK_INT(tr_driver_set_footsteps(&d.state, &d.task, &d.nature, footsteps, 2, 0, NULL, NULL, &error), TR_INVALID);
        CHECK_CONTAINS(error.message, "footstep 1");
        CHECK_INT(tr_driver_set_ride(&d.state, tr_vec3_make(0, NAN, 0), 1, &error), TR_INVALID);
        CHECK_INT(tr_driver_set_ride(&d.state, tr_vec3_make(0, 1, 0), 0, &error), TR_INVALID);
        CHECK_INT(tr_driver_set_ride(&d.state, tr_vec3_make(0, 1, 0), INFINITY, &error), TR_INVALID);
        CHECK_CONTAINS(error.message, "inf s");
        CHECK(memcmp(&before, &d.state, sizeof before) == 0);
        // A walking body cannot be carried, and a body that is carried cannot take footsteps or be carried
        // elsewhere.
        CHECK_INT(driven_route(&d, way, 2, NULL), TR_OK);
        for (uint32_t i = 0; i < 20; i++)
            driven_step(&d, INFINITY);
        before = d.state;
        CHECK_INT(tr_driver_set_ride(&d.state, tr_vec3_make(0, 1, 0), 1, &error), TR_INVALID);
        CHECK_CONTAINS(error.message, "stands");
        CHECK(memcmp(&before, &d.state, sizeof before) == 0);
        for (uint32_t i = 0; i < 100; i++)
            driven_step(&d, INFINITY);
        CHECK_INT(tr_driver_set_ride(&d.state, tr_vec3_make(0, 1, 0), 1, &error), TR_OK);
        before = d.state;
        footsteps[1].side = 1;
        CHECK_INT(tr_driver_set_footsteps(&d.state, &d.task, &d.nature, footsteps, 2, 0, NULL, NULL, &error), TR_INVALID);
        CHECK_CONTAINS(error.message, "carried");
        CHECK_INT(tr_driver_set_ride(&d.state, tr_vec3_make(0, 1, 0), 1, &error), TR_INVALID);
        CHECK(memcmp(&before, &d.state, sizeof before) == 0);
    }
    driven_end(&d);
}

static bool attempt(const tr_allocator *allocator) {
    tr_driver_task task, copy;
    tr_status status = tr_driver_task_create(allocator, 4, 4, &task, NULL);
    if (status == TR_OK)
        status = tr_driver_task_reserve(allocator, 40, 40, &task, NULL);
    tr_driver_task_destroy(allocator, &task);
    if (status == TR_OK) {
        status = tr_driver_task_create(allocator, 1, 0, &copy, NULL);
        tr_driver_task_destroy(allocator, &copy);
    }
    return status == TR_OK;
}

TEST(without_memory_there_is_no_task_and_nothing_leaks) {
    CHECK(CHECK_EVERY_ALLOCATION_FAILURE(attempt) > 10);
}
