#include "follow_routes.h"

// The least speed around one bend between two long pieces.
static float speed_around(tr_follow_route *route, double degrees, float speed, float corridor) {
    tr_follow_params params = tr_follow_params_default(speed, 1 / 30.0f, corridor);
    double bend = degrees * TR_PI / 180;
    tr_vec2 points[] = {{0, 0}, {0, 4}, {(float)(4 * sin(bend)), (float)(4 + 4 * cos(bend))}};
    tr_follow_state state = {.speed = speed};
    float least = INFINITY;
    CHECK(set_route(route, points, 3, &params));
    while (tr_follow_step(&state, route, &params, INFINITY, 1 / 30.0f) == TR_OK)
        if (state.progress > 1 && state.progress < 6)
            least = fminf(least, state.speed);
    return least;
}

TEST(bends_are_walked_without_stopping) {
    tr_follow_route *route = new_route();
    const struct {
        double degrees;
        float share; // of the speed
    } bends[] = {{10, 0.95f}, {18, 0.8f}, {30, 0.6f}, {45, 0.5f}, {60, 0.38f}, {90, 0.12f}};
    for (uint32_t i = 0; i < sizeof bends / sizeof *bends; i++) {
        CHECK(speed_around(route, bends[i].degrees, 1.37f, 0.05f) > 1.37f * bends[i].share);
        CHECK(speed_around(route, -bends[i].degrees, 1.0f, 0.05f) > 1.0f * bends[i].share);
        // Where there is more room the same bend is taken faster.
        CHECK(speed_around(route, bends[i].degrees, 2.0f, 0.2f) >
              speed_around(route, bends[i].degrees, 2.0f, 0.05f) - 1e-3f);
    }
    tr_follow_route_destroy(route);
}

// The least speed on an arc between two straight pieces.
static float speed_on_arc(tr_follow_route *route, double degrees, double radius, float speed, float dt) {
    tr_follow_params params = tr_follow_params_default(speed, dt, 0.05f);
    tr_vec2 points[POINTS] = {{0, 0}};
    double angle = degrees * TR_PI / 180;
    uint32_t corners = 1 + (uint32_t)(angle / 0.15), count = 1;
    double half = 0.5 * angle / corners, out = radius / cos(half);
    for (uint32_t i = 0; i < corners; i++, count++)
        points[count] = (tr_vec2){(float)(radius - out * cos(half * (2 * i + 1))),
                                  (float)(4 + out * sin(half * (2 * i + 1)))};
    points[count++] = (tr_vec2){(float)(radius - radius * cos(angle) + 4 * sin(angle)),
                                (float)(4 + radius * sin(angle) + 4 * cos(angle))};
    CHECK(set_route(route, points, count, &params));
    tr_follow_state state = {.speed = speed};
    float least = INFINITY, length = tr_follow_route_length(route);
    while (tr_follow_step(&state, route, &params, INFINITY, dt) == TR_OK) {
        CHECK(tr_follow_route_distance(route, state.position, NULL) <= 0.05f);
        if (state.progress < length - 2)
            least = fminf(least, state.speed);
    }
    return least;
}

TEST(an_arc_in_a_narrow_corridor_is_walked_at_people_s_speed) {
    tr_follow_route *route = new_route();
    const double radii[] = {0.5, 0.75, 1, 1.5, 2.5}, angles[] = {30, 45, 60, 90, 120, 180};
    for (uint32_t i = 0; i < 5; i++)
        for (uint32_t k = 0; k < 6; k++) {
            double law = fmin(1, 0.95 * cbrt(radii[i]));
            CHECK(speed_on_arc(route, angles[k], radii[i], 1.3f, 1 / 30.0f) > 0.95 * law * 1.3);
            CHECK(speed_on_arc(route, angles[k], radii[i], 1.0f, 1 / 120.0f) > 0.95 * law);
        }
    tr_follow_route_destroy(route);
}
