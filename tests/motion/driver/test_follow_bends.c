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
    } bends[] = {{10, 0.95f}, {18, 0.75f}, {30, 0.55f}, {45, 0.4f}, {60, 0.3f}, {90, 0.12f}};
    for (uint32_t i = 0; i < sizeof bends / sizeof *bends; i++) {
        CHECK(speed_around(route, bends[i].degrees, 1.37f, 0.05f) > 1.37f * bends[i].share);
        CHECK(speed_around(route, -bends[i].degrees, 1.0f, 0.05f) > 1.0f * bends[i].share);
        // Where there is more room the same bend is taken faster.
        CHECK(speed_around(route, bends[i].degrees, 2.0f, 0.2f) >
              speed_around(route, bends[i].degrees, 2.0f, 0.05f) - 1e-3f);
    }
    tr_follow_route_destroy(route);
}
