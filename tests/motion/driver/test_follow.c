#include "follow_routes.h"
#include "cli/papers/follow_paper.h"

#include "troupe/base/hash.h"

#include <string.h>

TEST(default_gains_are_critically_damped_for_every_step_and_speed) {
    tr_follow_route *route = new_route();
    const float steps[] = {1 / 240.0f, 1 / 120.0f, 1 / 60.0f, 1 / 30.0f, 1 / 15.0f, 0.1f};
    for (uint32_t i = 0; i < 6; i++) {
        tr_follow_params params = tr_follow_params_default(1.4f, steps[i], 0.3f);
        CHECK_INT(tr_follow_params_check(&params, NULL), TR_OK);
        CHECK_NEAR(params.turn_gain, 4 * params.heading_gain, 1e-4);
        CHECK(params.heading_gain * steps[i] <= 0.2501f);
        tr_vec2 line[2] = {{0, 0}, {0, 100}};
        REQUIRE(set_route(route, line, 2, &params));
        // Off the line and facing away: back on it without passing it by more than a trace.
        tr_follow_state state = {.position = {0.1f, 0}, .heading = 0.2f, .speed = 1.4f};
        float least = 1, last = 0;
        for (float t = 0; t < 6; t += steps[i]) {
            tr_follow_step(&state, route, &params, INFINITY, steps[i]);
            least = state.position.x < least ? state.position.x : least;
            last = state.position.x;
        }
        CHECK(least > -0.005f);
        CHECK_NEAR(last, 0, 0.002);
    }
    tr_follow_route_destroy(route);
}

// ---- the corridor ----

typedef struct walk_report {
    bool arrived;
    double worst, acceleration, turn_rate; // distance from the route, ...
    uint32_t swings;                       // changes of the sense of turning
    uint32_t steps;
} walk_report;

static double world_change(const tr_follow_state *a, const tr_follow_state *b) {
    double ax = a->speed * sin(a->heading) + a->side_speed * cos(a->heading),
           az = a->speed * cos(a->heading) - a->side_speed * sin(a->heading),
           bx = b->speed * sin(b->heading) + b->side_speed * cos(b->heading),
           bz = b->speed * cos(b->heading) - b->side_speed * sin(b->heading);
    return hypot(ax - bx, az - bz);
}

static walk_report walk(tr_follow_state *state, const tr_follow_route *route, const tr_follow_params *params,
                        float dt) {
    walk_report report = {0};
    uint32_t most = (uint32_t)((60 + 20 * tr_follow_route_length(route)) / dt);
    int sense = 0;
    for (; report.steps < most && !report.arrived; report.steps++) {
        tr_follow_state before = *state;
        report.arrived = tr_follow_step(state, route, params, INFINITY, dt) == TR_DONE;
        double off = tr_follow_route_distance(route, state->position, NULL),
               change = fabs((double)state->speed - before.speed) / dt, rate = fabs(state->turn_rate);
        report.worst = off > report.worst ? off : report.worst;
        if (!report.arrived && change > report.acceleration && state->mode != TR_FOLLOW_SIDE)
            report.acceleration = change;
        report.turn_rate = rate > report.turn_rate ? rate : report.turn_rate;
        int now = state->turn_rate > 0.02f ? 1 : state->turn_rate < -0.02f ? -1 : 0;
        report.swings += now && sense && now != sense;
        sense = now ? now : sense;
    }
    return report;
}

TEST(thousands_of_routes_are_walked_inside_the_corridor_to_their_end) {
    tr_follow_route *route = new_route();
    const float corridors[] = {0.05f, 0.1f, 0.2f, 0.3f, 0.5f, 1}, speeds[] = {0.6f, 1.4f, 2.5f, 4},
                times[] = {1 / 120.0f, 1 / 60.0f, 1 / 30.0f};
    for (uint32_t seed = 0; seed < 3500; seed++) {
        tr_random random = tr_random_seed(1000 + seed);
        tr_vec2 points[POINTS];
        uint32_t count = make_route(&random, (int)(seed % ROUTE_KINDS), points);
        float corridor = corridors[tr_random_below(&random, 6)], speed = speeds[tr_random_below(&random, 4)],
              dt = times[tr_random_below(&random, 3)];
        tr_follow_params params = tr_follow_params_default(speed, dt, corridor);
        REQUIRE(set_route(route, points, count, &params));
        tr_follow_state state = {.heading = tr_random_between(&random, -3, 3)};
        walk_report report = walk(&state, route, &params, dt);
        if (!report.arrived || report.worst > corridor || report.swings > 3 * count + 3)
            test_failed(__FILE__, __LINE__,
                        "seed %u: arrived %d, %g from the route in a corridor of %g, %u swings at %u points",
                        seed, report.arrived, report.worst, (double)corridor, report.swings, count);
        CHECK(report.acceleration <= params.acceleration_max * 1.001);
        CHECK(report.turn_rate <= params.turn_rate_max * 1.001);
        CHECK_NEAR(hypot(state.position.x - points[count - 1].x, state.position.z - points[count - 1].z), 0,
                   params.arrive + 1e-6);
    }
    tr_follow_route_destroy(route);
}

TEST(the_corridor_is_kept_with_side_steps_and_while_the_speed_limit_changes) {
    tr_follow_route *route = new_route();
    const float corridors[] = {0.1f, 0.2f, 0.5f}, speeds[] = {0.3f, 1.4f, 6},
                times[] = {1 / 240.0f, 1 / 30.0f, 1 / 15.0f};
    for (uint32_t seed = 0; seed < 1050; seed++) {
        tr_random random = tr_random_seed(9000 + seed);
        tr_vec2 points[POINTS];
        bool sideways[POINTS], arrived = false;
        uint32_t count = make_route(&random, (int)(seed % ROUTE_KINDS), points);
        for (uint32_t i = 0; i < POINTS; i++)
            sideways[i] = tr_random_below(&random, 4) == 0;
        float corridor = corridors[tr_random_below(&random, 3)], speed = speeds[tr_random_below(&random, 3)],
              dt = times[tr_random_below(&random, 3)], limit = INFINITY;
        tr_follow_params params = tr_follow_params_default(speed, dt, corridor);
        REQUIRE(tr_follow_route_set(route, points, count, seed % 2 ? sideways : NULL, NULL, &params, NULL) ==
                TR_OK);
        tr_follow_state state = {.heading = tr_random_between(&random, -3, 3)};
        double worst = 0;
        for (uint32_t i = 0; i < (uint32_t)(600 / dt) && !arrived; i++) {
            if (tr_random_below(&random, 20) == 0)
                limit = tr_random_below(&random, 3) ? tr_random_between(&random, 0.2f, 3) : INFINITY;
            arrived = tr_follow_step(&state, route, &params, limit, dt) == TR_DONE;
            double off = tr_follow_route_distance(route, state.position, NULL);
            worst = off > worst ? off : worst;
        }
        if (!arrived || worst > corridor)
            test_failed(__FILE__, __LINE__, "seed %u: arrived %d, %g from the route in a corridor of %g",
                        seed, arrived, worst, (double)corridor);
    }
    tr_follow_route_destroy(route);
}

TEST(a_straight_way_is_walked_at_full_speed_without_oscillation) {
    tr_follow_route *route = new_route();
    // A bend of one degree and points in between change nothing.
    tr_vec2 points[] = {{0, 0}, {0, 3}, {0, 3.01f}, {0, 7}, {0.12f, 14}};
    tr_follow_params params = tr_follow_params_default(1.4f, 1 / 30.0f, 0.1f);
    REQUIRE(set_route(route, points, 5, &params));
    tr_follow_state state = {0};
    float slowest = 9;
    for (int i = 0; i < 270; i++) {
        tr_follow_step(&state, route, &params, INFINITY, 1 / 30.0f);
        if (state.progress > 2 && state.progress < 11 && state.speed < slowest)
            slowest = state.speed;
    }
    CHECK(slowest > 1.38f);
    tr_follow_route_destroy(route);
}

TEST(the_paper_s_gains_leave_the_corridor_that_ours_keep) {
    tr_follow_route *route = new_route();
    tr_vec2 points[] = {{0, 0}, {0, 4}, {4, 4}, {4, 0}, {8, 0}};
    double worst[2];
    for (int ours = 0; ours < 2; ours++) {
        tr_follow_params params =
            ours ? tr_follow_params_default(2.5f, 1 / 30.0f, 0.15f) : paper_follow_params(2.5f);
        REQUIRE(set_route(route, points, 5, &params));
        tr_follow_state state = {0};
        walk_report report = walk(&state, route, &params, 1 / 30.0f);
        CHECK(report.arrived);
        worst[ours] = report.worst;
    }
    CHECK(worst[0] > 0.15);
    CHECK(worst[1] < 0.15);
    tr_follow_route_destroy(route);
}

// ---- turning on the spot, side-steps ----

TEST(the_body_turns_on_the_spot_at_the_start_and_to_its_final_heading_at_the_end) {
    tr_follow_route *route = new_route();
    tr_vec2 points[] = {{1, 1}, {1, 6}};
    tr_follow_params params = tr_follow_params_default(1.4f, 1 / 30.0f, 0.3f);
    for (float end = -6; end < 7; end += 1.7f) {
        REQUIRE(tr_follow_route_set(route, points, 2, NULL, &end, &params, NULL) == TR_OK);
        tr_follow_state state = {.position = {1, 1}, .heading = (float)TR_PI};
        bool turned = false;
        for (int i = 0; i < 60 && !turned; i++) {
            tr_follow_step(&state, route, &params, INFINITY, 1 / 30.0f);
            turned = state.mode == TR_FOLLOW_WALK;
            if (!turned)
                CHECK_NEAR(hypot(state.position.x - 1, state.position.z - 1), 0, 1e-3);
        }
        CHECK(turned);
        walk_report report = walk(&state, route, &params, 1 / 30.0f);
        CHECK(report.arrived);
        CHECK(state.speed == 0 && state.turn_rate == 0 && state.mode == TR_FOLLOW_REST);
        CHECK_NEAR(remainder((double)state.heading - end, 2 * TR_PI), 0, 0.01);
        tr_follow_state rest = state;
        CHECK_INT(tr_follow_step(&state, route, &params, INFINITY, 1 / 30.0f), TR_DONE);
        CHECK(memcmp(&rest, &state, sizeof rest) == 0);
    }
    tr_follow_route_destroy(route);
}

TEST(without_turning_in_place_the_body_never_stops_before_the_end) {
    tr_follow_route *route = new_route();
    tr_vec2 points[] = {{0, 0}, {0, 6}};
    tr_follow_params params = tr_follow_params_default(1.4f, 1 / 30.0f, 1);
    params.turn_in_place = false;
    REQUIRE(set_route(route, points, 2, &params));
    tr_follow_state state = {.heading = 2.5f};
    float slowest = 9;
    for (int i = 0; i < 90; i++) {
        tr_follow_step(&state, route, &params, INFINITY, 1 / 30.0f);
        if (i > 15 && state.speed < slowest)
            slowest = state.speed;
    }
    CHECK(slowest > 0.05f);
    tr_follow_route_destroy(route);
}

TEST(narrow_pieces_are_passed_sideways_and_smoothly) {
    tr_follow_route *route = new_route();
    for (uint32_t seed = 0; seed < 200; seed++) {
        tr_random random = tr_random_seed(seed);
        tr_vec2 points[POINTS];
        bool sideways[POINTS];
        uint32_t count = make_route(&random, LONG_PIECES, points);
        for (uint32_t i = 0; i < count; i++)
            sideways[i] = tr_random_below(&random, 3) == 0;
        tr_follow_params params = tr_follow_params_default(1.4f, 1 / 30.0f, 0.2f);
        REQUIRE(tr_follow_route_set(route, points, count, sideways, NULL, &params, NULL) == TR_OK);
        tr_follow_state state = {.heading = tr_random_between(&random, -3, 3)};
        bool arrived = false;
        uint32_t aside = 0;
        for (uint32_t i = 0; i < 30000 && !arrived; i++) {
            tr_follow_state before = state;
            arrived = tr_follow_step(&state, route, &params, INFINITY, 1 / 30.0f) == TR_DONE;
            float along;
            CHECK(tr_follow_route_distance(route, state.position, NULL) <= params.corridor);
            if (state.mode == TR_FOLLOW_SIDE && before.mode == TR_FOLLOW_SIDE && !arrived)
                CHECK(world_change(&before, &state) <= params.acceleration_max / 30 * 1.01);
            // Well inside a narrow piece the body stands across it.
            double length = 0;
            along = before.progress;
            for (uint32_t k = 0; k + 1 < count; k++) {
                double dx = points[k + 1].x - points[k].x, dz = points[k + 1].z - points[k].z,
                       size = hypot(dx, dz);
                if (sideways[k] && (double)along > length + 0.3 && (double)along < length + size - 0.3) {
                    double off = remainder(state.heading - atan2(dx, dz), TR_PI);
                    CHECK_NEAR(fabs(off), TR_PI / 2, 0.36);
                    CHECK(hypot(state.speed, state.side_speed) < params.side_speed * 1.02 + 0.05);
                    aside++;
                }
                length += size;
            }
        }
        CHECK(arrived);
        bool any = false;
        for (uint32_t i = 0; i + 1 < count; i++)
            any |= sideways[i] && hypot(points[i + 1].x - points[i].x, points[i + 1].z - points[i].z) > 1;
        CHECK(!any || aside > 0);
    }
    tr_follow_route_destroy(route);
}

// ---- other routes, other speeds ----

TEST(replacing_the_route_keeps_speed_heading_and_turn_rate_continuous) {
    tr_follow_route *route = new_route();
    float dt = 1 / 30.0f;
    for (uint32_t seed = 0; seed < 300; seed++) {
        tr_random random = tr_random_seed(seed);
        tr_vec2 points[POINTS];
        tr_follow_params params = tr_follow_params_default(1.4f, dt, 0.3f);
        tr_follow_state state = {.heading = tr_random_between(&random, -3, 3)};
        for (int k = 0; k < 8; k++) {
            uint32_t count = make_route(&random, (int)tr_random_below(&random, ROUTE_KINDS), points);
            for (uint32_t i = 0; i < count; i++)
                points[i].x += state.position.x, points[i].z += state.position.z;
            REQUIRE(set_route(route, points, count, &params));
            state.progress = 0;
            for (uint32_t i = 5 + tr_random_below(&random, 60); i > 0; i--) {
                tr_follow_state old = state;
                tr_follow_step(&state, route, &params, INFINITY, dt);
                CHECK(fabsf(state.speed - old.speed) <= params.acceleration_max * dt * 1.01f + 0.011f);
                CHECK(fabsf(state.heading - old.heading) <= params.turn_rate_max * dt * 1.01f);
                CHECK(fabsf(state.turn_rate - old.turn_rate) <=
                      2 * params.turn_rate_max * params.turn_gain * dt + 0.02f);
                double moved = hypot(state.position.x - old.position.x, state.position.z - old.position.z);
                CHECK(moved <= 1.45 * dt);
            }
        }
        walk_report report = walk(&state, route, &params, dt);
        CHECK(report.arrived);
    }
    tr_follow_route_destroy(route);
}

TEST(a_speed_limit_is_kept_with_bounded_braking) {
    tr_follow_route *route = new_route();
    tr_vec2 line[2] = {{0, 0}, {0, 100}};
    float dt = 1 / 60.0f;
    tr_follow_params params = tr_follow_params_default(1.4f, dt, 0.3f);
    REQUIRE(set_route(route, line, 2, &params));
    tr_follow_state state = {0};
    const float limits[] = {INFINITY, 0.5f, 0, 1, 0.2f, INFINITY};
    for (int k = 0; k < 6; k++)
        for (int i = 0; i < 180; i++) {
            float old = state.speed;
            CHECK_INT(tr_follow_step(&state, route, &params, limits[k], dt), TR_OK);
            CHECK(fabsf(state.speed - old) <= params.acceleration_max * dt * 1.001f);
            CHECK(i < 120 || state.speed <= limits[k] + 0.002f);
            CHECK(i < 120 || state.speed >= (limits[k] < 1.4f ? limits[k] : 1.4f) - 0.01f);
        }
    tr_follow_route_destroy(route);
}

TEST(curves_are_taken_at_people_s_speed) {
    tr_follow_route *route = NULL;
    REQUIRE(tr_follow_route_create(NULL, 400, &route, NULL) == TR_OK);
    for (float radius = 0.7f; radius < 6; radius *= 1.5f) {
        tr_vec2 points[400];
        for (uint32_t i = 0; i < 400; i++) {
            float angle = (float)i * 0.03f;
            points[i].x = radius - radius * cosf(angle), points[i].z = radius * sinf(angle);
        }
        tr_follow_params params = tr_follow_params_default(1.8f, 1 / 60.0f, 0.6f);
        REQUIRE(set_route(route, points, 400, &params));
        tr_follow_state state = {0};
        double sum = 0, count = 0;
        for (int i = 0; i < 4000 && state.progress < 10 * radius; i++) {
            tr_follow_step(&state, route, &params, INFINITY, 1 / 60.0f);
            if (state.progress > 3 * radius && state.progress < 8 * radius) {
                sum += state.speed, count++;
                CHECK(fabsf(state.speed * state.turn_rate) < params.lateral_max * 1.25f);
            }
        }
        double law = params.curve_constant * cbrt(radius);
        law = law < 1.8 ? law : 1.8;
        CHECK_NEAR(sum / count, law, 0.15 * law);
    }
    tr_follow_route_destroy(route);
}

// ---- numbers ----

TEST(far_from_the_origin_the_walk_is_the_same) {
    tr_follow_route *route = new_route();
    const float times[] = {1 / 30.0f, 1 / 1000.0f};
    for (int k = 0; k < 2; k++) {
        tr_follow_params params = tr_follow_params_default(1.4f, times[k], 0.3f);
        tr_follow_state near = {0}, far = {.position = {5120, -5120}};
        tr_vec2 points[] = {{0, 0}, {0, 2}, {2, 3}, {2.5f, 1}}, moved[4];
        for (uint32_t i = 0; i < 4; i++)
            moved[i].x = points[i].x + 5120, moved[i].z = points[i].z - 5120;
        for (uint32_t i = 0; i < (uint32_t)(6 / times[k]); i++) {
            REQUIRE(set_route(route, points, 4, &params));
            tr_follow_step(&near, route, &params, INFINITY, times[k]);
            REQUIRE(set_route(route, moved, 4, &params));
            tr_follow_step(&far, route, &params, INFINITY, times[k]);
            CHECK_NEAR(far.position.x - 5120, near.position.x, 1e-3);
            CHECK_NEAR(far.position.z + 5120, near.position.z, 1e-3);
            CHECK_NEAR(far.speed, near.speed, 1e-3);
        }
        CHECK(near.position.z > 1 && near.position.x > 1);
    }
    tr_follow_route_destroy(route);
}

TEST(a_walk_has_the_same_bits_everywhere) {
    tr_follow_route *route = new_route();
    uint64_t hash = TR_HASH_START;
    for (uint32_t seed = 0; seed < 20; seed++) {
        // Whole numbers: the test's own sines must not matter.
        tr_random random = tr_random_seed(seed);
        tr_vec2 points[12] = {{0, 0}};
        for (uint32_t i = 1; i < 12; i++) {
            points[i].x = points[i - 1].x + (float)tr_random_below(&random, 9) * 0.5f - 2;
            points[i].z = points[i - 1].z + (float)tr_random_below(&random, 9) * 0.5f - 2;
        }
        bool sideways[11] = {[3] = seed % 2 == 0};
        float end = 0.5f;
        tr_follow_params params =
            seed % 5 == 4 ? paper_follow_params(1.5f) : tr_follow_params_default(1.5f, 1 / 32.0f, 0.25f);
        REQUIRE(tr_follow_route_set(route, points, 12, sideways, &end, &params, NULL) == TR_OK);
        tr_follow_state state = {0};
        for (int i = 0; i < 800; i++) {
            tr_follow_step(&state, route, &params, INFINITY, 1 / 32.0f);
            hash = tr_hash(hash, &state, sizeof state);
        }
    }
    CHECK_HASH(hash, 0xe1aca848a2d364d1u);
    tr_follow_route_destroy(route);
}

TEST(length_point_and_distance_agree_with_brute_force) {
    tr_follow_route *route = new_route();
    tr_follow_params params = tr_follow_params_default(1, 1 / 30.0f, 0.3f);
    for (uint32_t seed = 0; seed < 100; seed++) {
        tr_random random = tr_random_seed(seed);
        tr_vec2 points[POINTS];
        uint32_t count = make_route(&random, (int)(seed % ROUTE_KINDS), points);
        REQUIRE(set_route(route, points, count, &params));
        double length = 0, best = INFINITY;
        tr_vec2 query = {tr_random_between(&random, -3, 3), 0};
        query.z = tr_random_between(&random, -3, 3);
        for (uint32_t i = 0; i + 1 < count; i++) {
            double dx = (double)points[i + 1].x - points[i].x, dz = (double)points[i + 1].z - points[i].z,
                   size = hypot(dx, dz);
            for (int j = 0; j <= 100; j++) {
                double x = points[i].x + dx * j / 100, z = points[i].z + dz * j / 100,
                       off = hypot(x - query.x, z - query.z);
                tr_vec2 at = tr_follow_route_point(route, (float)(length + size * j / 100));
                CHECK_NEAR(hypot(at.x - x, at.z - z), 0, 1e-4);
                best = off < best ? off : best;
            }
            length += size;
        }
        float along;
        double found = tr_follow_route_distance(route, query, &along);
        tr_vec2 at = tr_follow_route_point(route, along);
        CHECK_NEAR(tr_follow_route_length(route), length, 1e-4);
        CHECK_NEAR(hypot(at.x - query.x, at.z - query.z), found, 1e-4);
        CHECK(found <= best + 1e-6 && found > best - 0.03);
    }
    tr_follow_route_destroy(route);
}

// ---- unusual or invalid input ----

TEST(one_point_coinciding_points_and_a_route_walked_already_are_fine) {
    tr_follow_route *route = new_route();
    tr_follow_params params = tr_follow_params_default(1.4f, 1 / 30.0f, 0.2f);
    tr_vec2 one = {3, 4}, same[] = {{0, 0}, {0, 0}, {0, 2}, {0, 2}, {0, 2}, {1, 2}, {1, 2}};
    REQUIRE(set_route(route, &one, 1, &params));
    CHECK(tr_follow_route_length(route) == 0);
    tr_follow_state state = {.heading = 2};
    walk_report report = {0};
    for (; report.steps < 900 && !report.arrived; report.steps++)
        report.arrived = tr_follow_step(&state, route, &params, INFINITY, 1 / 30.0f) == TR_DONE;
    CHECK(report.arrived);
    CHECK_NEAR(state.position.x, 3, 0.03);
    CHECK_NEAR(state.position.z, 4, 0.03);
    CHECK_INT(tr_follow_step(&state, route, &params, INFINITY, 1 / 30.0f), TR_DONE);
    REQUIRE(set_route(route, same, 7, &params));
    CHECK_NEAR(tr_follow_route_length(route), 3, 1e-6);
    tr_follow_state second = {0};
    report = walk(&second, route, &params, 1 / 30.0f);
    CHECK(report.arrived && report.worst < 0.2);
    tr_follow_route_destroy(route);
}

TEST(hints_of_another_route_do_no_harm) {
    tr_follow_route *route = new_route();
    tr_follow_params params = tr_follow_params_default(1.4f, 1 / 30.0f, 0.3f);
    tr_random random = tr_random_seed(77);
    tr_vec2 points[POINTS];
    uint32_t count = make_route(&random, ZIGZAG, points);
    REQUIRE(set_route(route, points, count, &params));
    tr_follow_state state = {0};
    bool arrived = false;
    for (int i = 0; i < 20000 && !arrived; i++) {
        state.piece = tr_random_bits(&random), state.aim = tr_random_bits(&random);
        arrived = tr_follow_step(&state, route, &params, INFINITY, 1 / 30.0f) == TR_DONE;
        CHECK(tr_follow_route_distance(route, state.position, NULL) <= 0.3f);
    }
    CHECK(arrived);
    tr_follow_route_destroy(route);
}

TEST(a_copy_of_a_route_is_followed_as_the_route_is) {
    tr_random random = tr_random_seed(31);
    tr_follow_params params = tr_follow_params_default(1.3f, 1.0f / 30, 0.2f);
    for (uint32_t i = 0; i < 40; i++) {
        tr_follow_route *route = new_route(), *copy = NULL;
        tr_vec2 points[12];
        uint32_t count = 2 + tr_random_below(&random, 11);
        for (uint32_t k = 0; k < count; k++)
            points[k] = (tr_vec2){tr_random_between(&random, -5, 5), tr_random_between(&random, -5, 5)};
        REQUIRE(set_route(route, points, count, &params));
        REQUIRE(tr_follow_route_create(NULL, 1, &copy, NULL) == TR_OK);
        CHECK_INT(tr_follow_route_copy(copy, route), TR_LIMIT);
        CHECK_INT(tr_follow_route_reserve(copy, count), TR_OK);
        CHECK_INT(tr_follow_route_copy(copy, route), TR_OK);
        CHECK_INT(tr_follow_route_reserve(copy, 3 * count), TR_OK); // the route stays set
        tr_follow_state one = {.position = points[0]}, other = one;
        for (uint32_t k = 0; k < 300; k++) {
            tr_status status = tr_follow_step(&one, route, &params, INFINITY, 1.0f / 30);
            CHECK_INT(tr_follow_step(&other, copy, &params, INFINITY, 1.0f / 30), status);
            CHECK(memcmp(&one, &other, sizeof one) == 0);
        }
        tr_follow_route_destroy(copy);
        tr_follow_route_destroy(route);
    }
}

TEST(bad_input_is_named_and_changes_nothing) {
    tr_error error;
    tr_follow_route *route = NULL, *empty = new_route();
    CHECK_INT(tr_follow_route_create(NULL, 0, &route, &error), TR_INVALID);
    route = new_route();
    tr_follow_params params = tr_follow_params_default(1.4f, 1 / 30.0f, 0.3f), broken = params;
    tr_vec2 points[] = {{0, 0}, {0, 5}}, bad[] = {{0, 0}, {NAN, 5}}, many[POINTS + 1] = {{0, 0}};
    REQUIRE(set_route(route, points, 2, &params));
    CHECK_INT(tr_follow_route_set(route, bad, 2, NULL, NULL, &params, &error), TR_INVALID);
    CHECK_CONTAINS(error.message, "point 1");
    CHECK_INT(tr_follow_route_set(route, points, 0, NULL, NULL, &params, &error), TR_INVALID);
    CHECK_INT(tr_follow_route_set(route, many, POINTS + 1, NULL, NULL, &params, &error), TR_LIMIT);
    CHECK_CONTAINS(error.message, "65");
    float nowhere = NAN;
    CHECK_INT(tr_follow_route_set(route, points, 2, NULL, &nowhere, &params, &error), TR_INVALID);
    broken.turn_gain = -1;
    CHECK_INT(tr_follow_route_set(route, points, 2, NULL, NULL, &broken, &error), TR_INVALID);
    CHECK_CONTAINS(error.message, "turn_gain is -1");
    CHECK(tr_follow_route_length(route) == 5);

    tr_follow_state state = {.position = {0.5f, 1}, .speed = 1}, copy = state;
    const float values[] = {NAN, INFINITY, 0, -1};
    for (int i = 0; i < 4; i++)
        CHECK_INT(tr_follow_step(&state, route, &params, INFINITY, values[i]), TR_INVALID);
    CHECK_INT(tr_follow_step(&state, route, &params, NAN, 0.1f), TR_INVALID);
    CHECK_INT(tr_follow_step(&state, route, &params, -1, 0.1f), TR_INVALID);
    CHECK_INT(tr_follow_step(&state, route, &broken, 1, 0.1f), TR_INVALID);
    CHECK_INT(tr_follow_step(&state, empty, &params, 1, 0.1f), TR_INVALID);
    CHECK(memcmp(&state, &copy, sizeof state) == 0);
    for (int i = 0; i < 7; i++) {
        tr_follow_state odd = state;
        float *fields[] = {&odd.position.x, &odd.position.z, &odd.heading, &odd.speed,
                           &odd.side_speed, &odd.turn_rate,  &odd.progress};
        *fields[i] = i % 2 ? NAN : INFINITY;
        CHECK_INT(tr_follow_step(&odd, route, &params, 1, 0.1f), TR_INVALID);
    }
    tr_follow_route_destroy(route);
    tr_follow_route_destroy(empty);
    tr_follow_route_destroy(NULL);
}

TEST(every_parameter_is_checked) {
    tr_follow_params good = tr_follow_params_default(1.4f, 1 / 30.0f, 0.3f);
    const size_t fields[] = {
        offsetof(tr_follow_params, speed),          offsetof(tr_follow_params, small_speed),
        offsetof(tr_follow_params, position_gain),  offsetof(tr_follow_params, heading_gain),
        offsetof(tr_follow_params, speed_gain),     offsetof(tr_follow_params, turn_gain),
        offsetof(tr_follow_params, turn_threshold), offsetof(tr_follow_params, look_ahead),
        offsetof(tr_follow_params, near_goal),      offsetof(tr_follow_params, arrive),
        offsetof(tr_follow_params, turn_rate_max),  offsetof(tr_follow_params, acceleration_max),
        offsetof(tr_follow_params, lateral_max),    offsetof(tr_follow_params, curve_constant),
        offsetof(tr_follow_params, side_speed),     offsetof(tr_follow_params, corridor)};
    tr_follow_route *route = new_route();
    tr_vec2 points[] = {{0, 0}, {0, 5}};
    REQUIRE(set_route(route, points, 2, &good));
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        const float values[] = {NAN, -1};
        for (int k = 0; k < 2; k++) {
            tr_follow_params params = good;
            memcpy((char *)&params + fields[i], &values[k], sizeof(float));
            tr_follow_state state = {0};
            CHECK_INT(tr_follow_params_check(&params, NULL), TR_INVALID);
            CHECK_INT(tr_follow_step(&state, route, &params, INFINITY, 0.1f), TR_INVALID);
        }
    }
    tr_follow_params odd = good;
    odd.integrator = (tr_follow_integrator)7;
    CHECK_INT(tr_follow_params_check(&odd, NULL), TR_INVALID);
    tr_follow_route_destroy(route);
}

static bool attempt_route(const tr_allocator *allocator) {
    tr_follow_route *route;
    if (tr_follow_route_create(allocator, 10, &route, NULL) != TR_OK)
        return false;
    tr_status status = tr_follow_route_reserve(route, 20);
    tr_follow_route_destroy(route);
    return status == TR_OK;
}

TEST(running_out_of_memory_leaves_nothing_behind) {
    CHECK(CHECK_EVERY_ALLOCATION_FAILURE(attempt_route) == 12);
}

TEST(a_body_that_turns_by_the_error_faces_its_aim) {
    tr_random random = tr_random_seed(31);
    tr_follow_params params = tr_follow_params_default(1.3f, 1.0f / 30, 0.05f);
    for (int i = 0; i < 500; i++) {
        tr_vec2 points[4] = {{0, 0}};
        for (int k = 1; k < 4; k++)
            points[k] = (tr_vec2){points[k - 1].x + tr_random_between(&random, -2, 2),
                                  points[k - 1].z + tr_random_between(&random, 0.3f, 2)};
        tr_follow_route *route = NULL;
        REQUIRE(tr_follow_route_create(NULL, 16, &route, NULL) == TR_OK);
        REQUIRE(tr_follow_route_set(route, points, 4, NULL, NULL, &params, NULL) == TR_OK);
        tr_follow_state state = {.heading = tr_random_between(&random, -3, 3)};
        float error = tr_follow_error(&state, route, &params);
        CHECK(error >= -3.15f && error <= 3.15f);
        state.heading += error;
        CHECK_NEAR(tr_follow_error(&state, route, &params), 0, 1e-5);
        tr_follow_step(&state, route, &params, INFINITY, 1.0f / 30);
        CHECK(state.mode == TR_FOLLOW_WALK);
        tr_follow_route_destroy(route);
    }
}
