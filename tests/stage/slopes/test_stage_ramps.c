// People walk up and down smooth slopes with their gait: soles lie on the slope, swinging feet stay low, the
// hips move as on level ground.
#include "stage/building.h"
#include "motion/foot/foot.h"
#include "troupe/base/random.h"
#include "troupe/base/scalar.h"
#include "troupe/plan/way.h"
#include "troupe/stage/save.h"

#include <stdlib.h>

#define LENGTH 6.0f // of a ramp along z, from 0 on [m]
#define FLAT 4.0f   // of the level floors before and behind it [m]
#define HALF 3.0f   // half the width of everything [m]

static float slope_of(float degrees) {
    double sine, cosine;
    tr_sin_cos((double)degrees * TR_PI / 180, &sine, &cosine);
    return (float)(sine / cosine);
}

static float floor_at(float slope, tr_vec3 point) {
    return slope * fminf(fmaxf(point.z, 0), LENGTH);
}

// A floor, a ramp and an upper floor.
static bool open_ramp(building *b, float degrees, float height) {
    float rise = slope_of(degrees) * LENGTH;
    tr_vec3 corners[8];
    if (!open_building(b, height))
        return false;
    add_block(b->scene, "below", tr_vec3_make(-HALF, -0.3f, -FLAT), tr_vec3_make(HALF, 0, 0));
    block_corners(tr_vec3_make(-HALF, -0.3f, 0), tr_vec3_make(HALF, 0, LENGTH), corners);
    corners[6].y += rise;
    corners[7].y += rise;
    add_block_over(b->scene, "ramp", corners);
    add_block(b->scene, "above", tr_vec3_make(-HALF, rise - 0.3f, LENGTH),
              tr_vec3_make(HALF, rise, LENGTH + FLAT));
    return set_stage(b, NULL, 0);
}

// What is seen of a walk.
typedef struct walk_seen {
    float highest, lowest;  // peak of the clearance over the swings on the ramp [m]
    float off, under, slid; // of planted points: furthest above and below the floor, and moved [m]
    float back;             // fastest move of the hips against the way [m/s]
    float jerked;           // greatest vertical acceleration of the hips [m/s^2]
    double ramp_time;       // on the ramp, without the half metres at its ends [s]
    bool steps;             // it took footsteps
} walk_seen;

typedef struct foot_seen {
    float peak;
    uint32_t air;      // ticks since it left the floor
    bool planted[2];   // heel, ball
    tr_vec3 points[2]; // where they were planted
} foot_seen;

static void watch_foot(const tr_actor_view *view, uint32_t side, float slope, foot_seen *foot,
                       walk_seen *seen) {
    const tr_foot *shape = &view->character->legs.feet[side];
    const tr_vec3 points[3] = {tr_foot_heel(shape, view->model), tr_foot_ball(shape, view->model),
                               tr_foot_tip(shape, view->model)};
    float lowest = INFINITY, cosine = 1 / sqrtf(1 + slope * slope);
    for (int i = 0; i < 3; i++)
        lowest = fminf(lowest, cosine * (points[i].y - floor_at(slope, points[i])));
    for (uint32_t i = 0; i < 2; i++) {
        bool planted = view->contacts >> (2 * side + i) & 1;
        float off = cosine * (points[i].y - floor_at(slope, points[i]));
        if (planted && !foot->planted[i])
            foot->points[i] = points[i];
        if (planted) {
            tr_vec3 moved = tr_vec3_subtract(points[i], foot->points[i]);
            seen->slid = fmaxf(seen->slid, sqrtf(moved.x * moved.x + moved.z * moved.z));
            // A sole that lies over the edge of a ramp does not touch it everywhere.
            float edge = fminf(fabsf(points[i].z), fabsf(points[i].z - LENGTH));
            seen->off = edge > 0.3f ? fmaxf(seen->off, off) : seen->off;
        }
        seen->under = fmaxf(seen->under, -off);
        foot->planted[i] = planted;
    }
    if (foot->planted[0] || foot->planted[1]) {
        bool whole = foot->air > 6 && view->position.z > 1 && view->position.z < LENGTH - 1;
        seen->highest = whole ? fmaxf(seen->highest, foot->peak) : seen->highest;
        seen->lowest = whole ? fminf(seen->lowest, foot->peak) : seen->lowest;
        foot->peak = 0;
        foot->air = 0;
    } else {
        foot->peak = fmaxf(foot->peak, lowest);
        foot->air++;
    }
}

static walk_seen watch(building *b, tr_actor_id actor, float slope, tr_vec3 from, tr_vec3 to) {
    walk_seen seen = {.lowest = INFINITY};
    foot_seen feet[2] = {{0}};
    tr_vec3 hips[3] = {{0}}, way = tr_vec3_subtract(to, from);
    float length = sqrtf(way.x * way.x + way.z * way.z), rate = 1 / (float)TR_STAGE_TICK;
    tr_status status = TR_OK;
    for (uint32_t tick = 0; status == TR_OK && tick < 2400; tick++) {
        status = tr_stage_step(b->stage, TR_STAGE_TICK, NULL);
        tr_actor_view view = view_of(b, actor);
        const tr_affine *model = &view.model[view.character->legs.hips];
        hips[2] = hips[1], hips[1] = hips[0], hips[0] = tr_affine_position(model);
        for (uint32_t side = 0; side < 2; side++)
            watch_foot(&view, side, slope, &feet[side], &seen);
        seen.steps = seen.steps || view.doing == TR_ACTOR_STEPS;
        bool on = view.position.z > 0.5f && view.position.z < LENGTH - 0.5f;
        seen.ramp_time += on ? TR_STAGE_TICK : 0;
        if (tick < 30 || status != TR_OK) // it sets off
            continue;
        tr_vec3 move = tr_vec3_subtract(hips[0], hips[1]);
        seen.back = fmaxf(seen.back, -rate * (move.x * way.x + move.z * way.z) / length);
        seen.jerked = fmaxf(seen.jerked, fabsf(hips[0].y - 2 * hips[1].y + hips[2].y) * rate * rate);
    }
    CHECK_INT(status, TR_DONE);
    CHECK_INT(report_of(b, actor).state, TR_ORDER_DONE);
    CHECK_INT(tr_stage_counters_of(b->stage, actor).deviations, 0);
    return seen;
}

static tr_actor_id send_facing(building *b, tr_vec3 from, tr_vec3 to) {
    tr_stage_actor_def def = {.character = b->character,
                              .position = from,
                              .heading = (float)tr_arc_tangent(to.x - from.x, to.z - from.z)};
    tr_order order = {.kind = TR_ORDER_GO, .goal = to};
    tr_actor_id actor = 0;
    CHECK_INT(tr_stage_add_actor(b->stage, &def, &actor, NULL), TR_OK);
    CHECK_INT(tr_stage_order(b->stage, actor, &order, TR_ORDER_QUEUE, NULL, NULL), TR_OK);
    return actor;
}

// `across`: how far the way leads sideways.
static void check_walk(float degrees, bool up, float across, float height) {
    building b;
    float slope = slope_of(degrees), rise = slope * LENGTH;
    if (open_ramp(&b, degrees, height)) {
        tr_vec3 low = {-0.5f * across, 0, -2.5f}, high = {0.5f * across, rise, LENGTH + 2.5f};
        tr_vec3 from = up ? low : high, to = up ? high : low;
        tr_actor_id actor = send_facing(&b, from, to);
        walk_seen seen = watch(&b, actor, slope, from, to);
        CHECK(!seen.steps);
        CHECK(seen.highest < 0.065f && seen.lowest > 0.01f);
        // A point that is said to stand is no higher than 4 mm over the plane of its foot, which lies on the
        // highest cell under it.
        CHECK(seen.off < 6e-3f && seen.under < 3e-3f && seen.slid < 1e-3f);
        CHECK(seen.back < 0.01f);
        CHECK(seen.jerked < 6); // 5.5 on level ground
        // A root is slower before a slope, and takes a while to get slower.
        float along = sqrtf(1 + across * across / ((LENGTH + 5) * (LENGTH + 5)));
        float gradient = (up ? slope : -slope) / along, speed = 1.3f * tr_way_slope_speed(gradient);
        CHECK_NEAR(along * (LENGTH - 1) / seen.ramp_time, (double)speed, 0.12 * (double)speed);
        tr_audit audit = audit_of(&b, actor);
        CHECK_INT(audit.joint_limit_violations, 0);
        CHECK_INT(audit.collisions, 0);
        CHECK(audit.slide_mm_max < 1.2f && audit.penetration_mm_max < 3);
    }
    close_building(&b);
}

TEST(a_walk_up_and_down_a_ramp_stays_low_and_stands_on_it) {
    static const float degrees[] = {5, 10, 15, 20};
    for (size_t i = 0; i < 4; i++) {
        check_walk(degrees[i], true, 0, 1.75f);
        check_walk(degrees[i], false, 0, 1.75f);
    }
}

TEST(so_does_one_across_it) {
    check_walk(5, true, 4, 1.75f);
    check_walk(10, false, 4, 1.75f);
    check_walk(15, true, 4, 1.75f);
    check_walk(20, false, 4, 1.75f);
}

TEST(so_do_children_and_tall_people) {
    check_walk(8, true, 1, 1.1f);
    check_walk(16, false, 0, 1.1f);
    check_walk(20, true, 0, 1.1f);
    check_walk(12, true, 2, 2.0f);
    check_walk(18, false, 0, 2.0f);
}

// Feet lie on the slope from the first tick, and while the actor turns on it.
TEST(an_actor_that_is_put_on_a_slope_stands_and_turns_on_it) {
    building b;
    float slope = slope_of(15);
    if (open_ramp(&b, 15, 1.75f)) {
        tr_vec3 from = {-1, 2 * slope, 2}, to = {1, 3 * slope, 3};
        tr_actor_id actor = send(&b, from, to);
        tr_order back = {.kind = TR_ORDER_GO, .goal = {-1, slope, 1}, .has_heading = true, .heading = 1};
        CHECK_INT(tr_stage_order(b.stage, actor, &back, TR_ORDER_QUEUE, NULL, NULL), TR_OK);
        walk_seen seen = {.lowest = INFINITY};
        foot_seen feet[2] = {{0}};
        tr_status status = TR_OK;
        for (uint32_t tick = 0; status == TR_OK && tick < 1500; tick++) {
            status = tr_stage_step(b.stage, TR_STAGE_TICK, NULL);
            tr_actor_view view = view_of(&b, actor);
            for (uint32_t side = 0; side < 2; side++)
                watch_foot(&view, side, slope, &feet[side], &seen);
            seen.steps = seen.steps || view.doing == TR_ACTOR_STEPS;
        }
        CHECK_INT(status, TR_DONE);
        CHECK(!seen.steps);
        CHECK(seen.off < 6e-3f && seen.under < 3e-3f && seen.slid < 1.2e-3f); // 1.03 mm in a turn on the spot
        CHECK_NEAR(remainder(view_of(&b, actor).heading - 1.0, 2 * TR_PI), 0, 0.2);
        CHECK_INT(audit_of(&b, actor).joint_limit_violations, 0);
    }
    close_building(&b);
}

TEST(people_who_meet_on_a_ramp_pass_each_other) {
    building b;
    float rise = slope_of(10) * LENGTH;
    if (open_ramp(&b, 10, 1.75f)) {
        for (int i = 0; i < 8; i++) {
            float x = 1.4f * (float)(i % 4) - 2.1f;
            tr_vec3 low = {x, 0, -1.5f}, high = {-x, rise, LENGTH + 1.5f};
            send_facing(&b, i < 4 ? low : high, i < 4 ? high : low);
        }
        tr_status status = TR_OK;
        while (status == TR_OK && tr_stage_time(b.stage) < 90)
            status = tr_stage_step(b.stage, TR_STAGE_TICK, NULL);
        CHECK_INT(status, TR_DONE);
        for (uint32_t i = 0; i < 8; i++) {
            tr_actor_id actor = tr_stage_actor(b.stage, i);
            tr_stage_counters counters = tr_stage_counters_of(b.stage, actor);
            CHECK_INT(report_of(&b, actor).state, TR_ORDER_DONE);
            CHECK_INT(counters.deviations, 0);
            CHECK(counters.nearest > -1e-5f);
            CHECK(audit_of(&b, actor).penetration_mm_max < 3);
        }
    }
    close_building(&b);
}

// A stage that is saved and loaded while somebody walks on a slope does the same.
TEST(a_walk_on_a_slope_is_saved_and_goes_on) {
    building b;
    float rise = slope_of(12) * LENGTH;
    if (open_ramp(&b, 12, 1.75f)) {
        tr_actor_id actor = send_facing(&b, tr_vec3_make(0, 0, -2), tr_vec3_make(1, rise, LENGTH + 2));
        for (int i = 0; i < 140; i++)
            CHECK_INT(tr_stage_step(b.stage, TR_STAGE_TICK, NULL), TR_OK);
        CHECK(view_of(&b, actor).position.z > 1);
        uint64_t size = 0;
        tr_stage_save(b.stage, NULL, 0, &size, NULL);
        void *bytes = malloc((size_t)size);
        REQUIRE(bytes != NULL);
        CHECK_INT(tr_stage_save(b.stage, bytes, size, &size, NULL), TR_OK);
        tr_affine models[2][64];
        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < 60; i++)
                tr_stage_step(b.stage, TR_STAGE_TICK, NULL);
            tr_actor_view view = view_of(&b, actor);
            memcpy(models[round], view.model, 20 * sizeof **models);
            const tr_character *characters[] = {b.character};
            tr_stage_load_def def = {
                .scene = b.scene, .characters = characters, .character_count = 1, .instead = b.stage};
            tr_error error = {0};
            CHECK_INT(tr_stage_load(&def, bytes, size, &b.stage, &error), TR_OK);
            CHECK_TEXT(error.message, "");
        }
        CHECK(memcmp(models[0], models[1], 20 * sizeof **models) == 0);
        free(bytes);
    }
    close_building(&b);
}

// Stairs after a ramp: footsteps begin on the slope, and the hips do not jump.
TEST(a_ramp_that_leads_to_steps_is_walked_to_their_foot) {
    building b;
    float slope = slope_of(10), rise = slope * LENGTH;
    if (open_ramp(&b, 10, 1.75f)) {
        close_building(&b);
        open_building(&b, 1.75f);
        tr_vec3 corners[8];
        add_block(b.scene, "below", tr_vec3_make(-2, -0.3f, -3), tr_vec3_make(2, 0, 0));
        block_corners(tr_vec3_make(-2, -0.3f, 0), tr_vec3_make(2, 0, LENGTH), corners);
        corners[6].y += rise;
        corners[7].y += rise;
        add_block_over(b.scene, "ramp", corners);
        for (int i = 0; i < 3; i++)
            add_block(b.scene, "step", tr_vec3_make(-2, 0, LENGTH + 0.3f * (float)i),
                      tr_vec3_make(2, rise + 0.16f * (float)(i + 1),
                                   LENGTH + 0.3f * (float)i + (i == 2 ? 4 : 0.3f)));
        if (set_stage(&b, NULL, 0)) {
            tr_vec3 from = {0, 0, -2}, to = {0, rise + 0.48f, LENGTH + 3};
            tr_actor_id actor = send_facing(&b, from, to);
            bool steps = false, walked = false;
            tr_status status = TR_OK;
            while (status == TR_OK && tr_stage_time(b.stage) < 60) {
                status = tr_stage_step(b.stage, TR_STAGE_TICK, NULL);
                tr_actor_view view = view_of(&b, actor);
                steps = steps || view.doing == TR_ACTOR_STEPS;
                walked = walked || (view.doing == TR_ACTOR_WALKS && view.position.y > 0.5f * rise);
            }
            CHECK_INT(status, TR_DONE);
            CHECK(steps && walked);
            tr_audit audit = audit_of(&b, actor);
            CHECK(audit.slide_mm_max < 2 && audit.penetration_mm_max < 6);
            CHECK_INT(audit.joint_limit_violations, 0);
        }
    }
    close_building(&b);
}

// Blocks of 0 to 18 cm: footsteps find places on them where no ankle is turned too far.
TEST(rough_blocks_break_no_limit) {
    for (uint64_t seed = 1; seed <= 3; seed++) {
        building b;
        tr_random random = tr_random_seed(seed);
        open_building(&b, 1.75f);
        add_block(b.scene, "before", tr_vec3_make(-2, -0.3f, -3), tr_vec3_make(2, 0, 0));
        add_block(b.scene, "behind", tr_vec3_make(-2, -0.3f, 4), tr_vec3_make(2, 0, 7));
        for (int i = 0; i < 100; i++) {
            float x = 0.4f * (float)(i % 10) - 2, z = 0.4f * (float)(i / 10);
            add_block(b.scene, "block", tr_vec3_make(x, -0.3f, z),
                      tr_vec3_make(x + 0.4f, tr_random_between(&random, 0, 0.18f), z + 0.4f));
        }
        if (set_stage(&b, NULL, 0)) {
            tr_actor_id actor = send_facing(&b, tr_vec3_make(0, 0, -2), tr_vec3_make(0.3f, 0, 6));
            tr_status status = TR_OK;
            while (status == TR_OK && tr_stage_time(b.stage) < 60)
                status = tr_stage_step(b.stage, TR_STAGE_TICK, NULL);
            CHECK_INT(status, TR_DONE);
            tr_audit audit = audit_of(&b, actor);
            CHECK_INT(audit.joint_limit_violations, 0);
            CHECK_INT(audit.collisions, 0);
            CHECK(audit.penetration_mm_max < 3);
        }
        close_building(&b);
    }
}
