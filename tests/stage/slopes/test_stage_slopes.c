// Slopes and kerbs under people's feet, and people that meet there.
#include "stage/building.h"
#include "motion/foot/foot.h"
#include "motion/cast/cast.h"

// A block from `a` to `b` whose top rises by `slope_x` and `slope_z` metres a metre.
static void add_ramp(building *p, tr_vec3 a, tr_vec3 b, float slope_x, float slope_z) {
    float x = slope_x * (b.x - a.x), z = slope_z * (b.z - a.z);
    tr_vec3 corners[8];
    block_corners(a, b, corners);
    corners[5].y += x;
    corners[6].y += x + z;
    corners[7].y += z;
    CHECK(add_block_over(p->scene, NULL, corners) != TR_NONE);
}

static void check_done(const building *p, tr_actor_id actor) {
    tr_order_report report = report_of(p, actor);
    CHECK_INT(report.state, TR_ORDER_DONE);
    CHECK_TEXT(report.reason, "");
    CHECK_INT(tr_stage_counters_of(p->stage, actor).deviations, 0);
}

static void play(building *p, double longest) {
    tr_status status = TR_OK;
    while (status == TR_OK && tr_stage_time(p->stage) < longest)
        status = tr_stage_step(p->stage, TR_STAGE_TICK, NULL);
    CHECK_INT(status, TR_DONE);
    for (uint32_t i = 0; i < tr_stage_actor_count(p->stage); i++)
        check_done(p, tr_stage_actor(p->stage, i));
}

// The distance between standing feet and a slope of known height, after the first steps: before that both
// feet stand as on level ground.
static float furthest_off(building *p, tr_actor_id actor, float slope_x, float slope_z) {
    tr_status status = TR_OK;
    float most = 0;
    while (status == TR_OK && tr_stage_time(p->stage) < 60) {
        status = tr_stage_step(p->stage, TR_STAGE_TICK, NULL);
        tr_actor_view view = view_of(p, actor);
        for (uint32_t side = 0; side < 2 && tr_stage_time(p->stage) > 2; side++) {
            const tr_foot *foot = &view.character->legs.feet[side];
            const tr_vec3 ends[2] = {tr_foot_heel(foot, view.model), tr_foot_tip(foot, view.model)};
            for (uint32_t k = 0; k < 2; k++) {
                float slope = 1 + slope_x * (ends[k].x + 3) + slope_z * (ends[k].z + 6);
                if (view.contacts >> (2 * side + k) & 1)
                    most = fmaxf(most, fabsf(ends[k].y - slope));
            }
        }
    }
    CHECK_INT(status, TR_DONE);
    check_done(p, actor);
    return most;
}

TEST(feet_lie_on_slopes_that_lead_up_or_sideways) {
    static const float slopes[][2] = {{0, 0.1f}, {0.1f, 0}, {0, 0.15f}, {0.18f, 0}, {0.3f, 0}, {-0.2f, 0.1f}};
    for (size_t i = 0; i < sizeof slopes / sizeof *slopes; i++) {
        building p;
        open_building(&p, 1.75f);
        float x = slopes[i][0], z = slopes[i][1];
        add_ramp(&p, tr_vec3_make(-3, -3, -6), tr_vec3_make(3, 1, 6), x, z);
        if (set_stage(&p, NULL, 0)) {
            tr_actor_id actor =
                send(&p, tr_vec3_make(0, 1 + 3 * x + 2 * z, -4), tr_vec3_make(0, 1 + 3 * x + 10 * z, 4));
            float off = furthest_off(&p, actor, x, z);
            CHECK(off < 0.036f); // a heel that strikes is not flat yet; most across a slope of 17 degrees
            CHECK(audit_of(&p, actor).slide_mm_max < 2);
        }
        close_building(&p);
    }
}

// The highest that a foot comes while an actor goes its way, from the hips [m].
static float highest_foot(building *p, tr_actor_id actor) {
    tr_status status = TR_OK;
    float highest = -INFINITY;
    while (status == TR_OK && tr_stage_time(p->stage) < 60) {
        status = tr_stage_step(p->stage, TR_STAGE_TICK, NULL);
        tr_actor_view view = view_of(p, actor);
        float hips = view.model[view.character->legs.hips].m[1][3];
        for (uint32_t side = 0; side < 2; side++) {
            float heel = tr_foot_heel(&view.character->legs.feet[side], view.model).y - hips;
            highest = heel > highest ? heel : highest;
        }
    }
    CHECK_INT(status, TR_DONE);
    return highest;
}

// Up the side of a ramp that begins right before the toes, from several sides: no foot kicks it.
TEST(a_foot_that_steps_up_stays_below_the_hips) {
    static const float heights[] = {1.1f, 1.25f, 1.75f};
    for (int i = 0; i < 12; i++) {
        building p;
        float height = heights[i % 3], x = 15 - 0.5f * (float)(i / 3);
        open_building(&p, height);
        add_ramp(&p, tr_vec3_make(10, -0.2f, 6), tr_vec3_make(18, 0, 14), 0, 0);
        add_ramp(&p, tr_vec3_make(11.9f, -0.2f, 11), tr_vec3_make(16.2f, 0, 12.4f), 1 / 4.3f, 0);
        if (set_stage(&p, NULL, 0)) {
            tr_actor_id actor = send(&p, tr_vec3_make(x, 0, 8.5f), tr_vec3_make(12.2f, 0.1f, 11.7f));
            CHECK(highest_foot(&p, actor) < -0.1f * height);
        }
        close_building(&p);
    }
}

TEST(people_that_meet_at_a_kerb_find_a_way_past_each_other) {
    building p;
    open_building(&p, 1.75f);
    add_ramp(&p, tr_vec3_make(-3, -0.2f, -8), tr_vec3_make(3, 0, 8), 0, 0);
    add_ramp(&p, tr_vec3_make(-3, -0.2f, -0.3f), tr_vec3_make(3, 0.25f, 0.3f), 0, 0);
    if (set_stage(&p, NULL, 0)) {
        for (int i = 0; i < 3; i++) {
            float x = 0.8f * (float)(i - 1);
            send(&p, tr_vec3_make(x, 0, -5), tr_vec3_make(-x, 0, 5));
            send(&p, tr_vec3_make(x, 0, 5), tr_vec3_make(-x, 0, -5));
        }
        play(&p, 90);
        for (uint32_t i = 0; i < 6; i++)
            CHECK(tr_stage_counters_of(p.stage, tr_stage_actor(p.stage, i)).nearest > -1e-5f);
    }
    close_building(&p);
}

TEST(an_actor_that_arrives_over_stairs_takes_the_ordered_heading) {
    building p;
    open_building(&p, 1.75f);
    add_ramp(&p, tr_vec3_make(-3, -0.2f, -4), tr_vec3_make(3, 0, 0), 0, 0);
    add_ramp(&p, tr_vec3_make(-3, -0.2f, 0), tr_vec3_make(3, 0.2f, 4), 0, 0);
    if (set_stage(&p, NULL, 0)) {
        tr_stage_actor_def def = {.character = p.character, .position = {0, 0, -2}};
        tr_order order = {.kind = TR_ORDER_GO, .goal = {0, 0.2f, 1}, .has_heading = true, .heading = 1.5f};
        tr_actor_id actor = 0;
        CHECK_INT(tr_stage_add_actor(p.stage, &def, &actor, NULL), TR_OK);
        CHECK_INT(tr_stage_order(p.stage, actor, &order, TR_ORDER_QUEUE, NULL, NULL), TR_OK);
        play(&p, 40);
        CHECK_NEAR(remainder(view_of(&p, actor).heading - 1.5, 2 * 3.14159265358979), 0, 0.1);
        CHECK(audit_of(&p, actor).slide_mm_max < 2);
    }
    close_building(&p);
}

// A cart that goes to and fro across the way is let past; it is not noticed only when it is there.
TEST(no_actor_walks_into_a_cart_that_crosses_its_way) {
    for (int up = 0; up < 2; up++) {
        building p;
        open_building(&p, 1.75f);
        add_ramp(&p, tr_vec3_make(-4, -0.2f, -6), tr_vec3_make(4, 0, 0), 0, 0);
        add_ramp(&p, tr_vec3_make(-4, -0.2f, 0), tr_vec3_make(4, 0.2f, 6), 0, 0);
        add_ramp(&p, tr_vec3_make(-0.5f, 0.02f, -0.4f), tr_vec3_make(0.5f, 1.2f, 0.4f), 0, 0);
        const uint32_t cart = 2;
        const double times[4] = {0, 4, 8, 12};
        tr_transform transforms[4];
        for (int i = 0; i < 4; i++)
            transforms[i] = (tr_transform){.position = {i % 2 ? 3 : -3, up ? 0.2f : 0, up ? 2 : -2},
                                           .rotation = {0, 0, 0, 1},
                                           .scale = {1, 1, 1}};
        tr_trajectory_def def = {.times = times, .transforms = transforms, .count = 4};
        CHECK_INT(tr_scene_set_trajectory(p.scene, cart, &def, NULL), TR_OK);
        if (set_stage(&p, NULL, 0)) {
            tr_actor_id actor = send(&p, tr_vec3_make(0, 0, -5), tr_vec3_make(0, 0.2f, 5));
            tr_status status = TR_OK;
            float nearest = INFINITY;
            while (status == TR_OK && tr_stage_time(p.stage) < 60) {
                double now = tr_stage_time(p.stage);
                status = tr_stage_step(p.stage, TR_STAGE_TICK, NULL);
                tr_vec2 at = tr_vec3_from_above(view_of(&p, actor).position);
                tr_vec3 there = tr_trajectory_sample(tr_scene_trajectory(p.scene, cart), now).position;
                float x = fmaxf(fabsf(at.x - there.x) - 0.5f, 0), z = fmaxf(fabsf(at.z - there.z) - 0.4f, 0);
                nearest = fminf(nearest, sqrtf(x * x + z * z));
            }
            CHECK_INT(status, TR_DONE);
            check_done(&p, actor);
            CHECK(nearest > 0.3f); // its radius
        }
        close_building(&p);
    }
}
