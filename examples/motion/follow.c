// Walk round two corners, sideways through a gap, and stand facing a wall: once as the paper does it, once
// with computed gains.
#include "troupe/motion/follow.h"

#include <math.h>
#include <stdio.h>

static const char *const mode_names[] = {"walks", "turns", "steps aside", "rests"};

static int walk(tr_follow_route *route, const tr_follow_params *params, const char *title) {
    const tr_vec2 points[] = {{0, 0}, {0, 4}, {3, 4}, {4.5f, 4}, {6, 1}};
    const bool sideways[] = {false, false, true, false};
    const float final_heading = 1.5708f, dt = 1 / 30.0f;
    tr_error error;
    if (tr_follow_route_set(route, points, 5, sideways, &final_heading, params, &error) != TR_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    tr_follow_state state = {.heading = 3};
    float furthest = 0;
    int steps = 0;
    printf("%s\n  seconds      x      z  heading  speed   side\n", title);
    for (tr_status status = TR_OK; status == TR_OK && steps < 3000; steps++) {
        if (steps % 45 == 0)
            printf("  %7.1f %6.2f %6.2f %8.2f %6.2f %6.2f  %s\n", (double)steps * dt,
                   (double)state.position.x, (double)state.position.z, (double)state.heading,
                   (double)state.speed, (double)state.side_speed, mode_names[state.mode]);
        status = tr_follow_step(&state, route, params, INFINITY, dt);
        float off = tr_follow_route_distance(route, state.position, NULL);
        furthest = off > furthest ? off : furthest;
    }
    printf("  there after %.1f s at (%.2f, %.2f), facing %.2f; never further than %.0f mm from the route\n\n",
           (double)steps * dt, (double)state.position.x, (double)state.position.z, (double)state.heading,
           (double)furthest * 1000);
    return 0;
}

int main(void) {
    tr_follow_route *route;
    tr_error error;
    if (tr_follow_route_create(NULL, 64, &route, &error) != TR_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    tr_follow_params paper = tr_follow_params_paper(1.4f),
                     ours = tr_follow_params_default(1.4f, 1 / 30.0f, 0.2f);
    int failed = walk(route, &paper, "Kuffner 1998, 7.3") || walk(route, &ours, "computed for 0.2 m of room");
    tr_follow_route_destroy(route);
    return failed;
}
