// A cart crosses a hall. Without prediction the route leads in front of it, with prediction behind.
#include "troupe/plan/predict.h"
#include "troupe/plan/route.h"

#include <stdio.h>

enum { SIDE = 40 };
static const tr_grid hall = {{0, 0}, 0.25f, SIDE, SIDE};
static const tr_vec2 start = {5, 2}, goal = {5, 8};

// Draws itself: a box of 1 x 1 m at `x`.
static void emit_cart(void *user, tr_triangle_sink *sink) {
    float x = *(float *)user;
    const tr_vec3 top[6] = {{x - 0.5f, 1, 4.5f}, {x + 0.5f, 1, 4.5f}, {x + 0.5f, 1, 5.5f},
                            {x - 0.5f, 1, 4.5f}, {x + 0.5f, 1, 5.5f}, {x - 0.5f, 1, 5.5f}};
    sink->take(sink, top, 2);
}

static tr_box cart_bounds(float x) {
    tr_box box = {{x - 0.5f, 1, 4.5f}, {x + 0.5f, 1, 5.5f}};
    return box;
}

static void print_crossing(const char *what, tr_route *route, const tr_route_map *map) {
    tr_route_params params = tr_route_params_default();
    if (tr_route_find(route, map, &params, start, &goal, 1, NULL) != TR_OK)
        return;
    tr_route_result path = tr_route_last(route);
    for (uint32_t i = 0; i < path.cell_count; i++)
        if (tr_route_map_row(map, path.cells[i]) == SIDE / 2)
            printf("%s: %.2f m, crosses the cart's way at x = %.2f\n", what, path.length,
                   tr_grid_centre(&hall, tr_route_map_column(map, path.cells[i]), SIDE / 2).x);
}

int main(void) {
    static uint8_t weights[SIDE * SIDE];
    float x = 3.3f;
    tr_scene *scene = NULL;
    tr_predict *predict = NULL;
    tr_route_map map = {0};
    tr_route *route = NULL;
    tr_drawn_def cart = {.bounds = cart_bounds(x), .user = &x, .emit = emit_cart};
    uint32_t object;
    if (tr_scene_create(NULL, &scene) != TR_OK || tr_scene_add_drawn(scene, &cart, &object, NULL) != TR_OK ||
        tr_predict_create(NULL, 16, &predict, NULL) != TR_OK ||
        tr_route_map_create(NULL, &hall, &map, NULL) != TR_OK ||
        tr_route_create(NULL, tr_route_map_nodes(&map), &route, NULL) != TR_OK)
        return 1;
    for (uint32_t cell = 0; cell < SIDE * SIDE; cell++)
        tr_route_map_set_cell(&map, cell % SIDE, cell / SIDE, true);
    tr_predict_observe(predict, scene, 0, NULL);
    x += 0.7f; // half a second later
    tr_scene_touch(scene, object, cart_bounds(x));
    tr_predict_observe(predict, scene, 0.5, NULL);
    printf("the cart is at x = %.2f and moves at %.2f m/s\n", x, tr_predict_velocity(predict, object).x);
    print_crossing("without prediction", route, &map);

    const tr_raster_band band = {.low = 0.05f, .high = 1.8f, .exclude_object = TR_NONE};
    tr_predict_params params = tr_predict_params_default(&band);
    if (tr_predict_weigh(predict, scene, &hall, &params, weights, NULL) != TR_OK)
        return 1;
    tr_route_map_set_weights(&map, weights);
    print_crossing("with prediction", route, &map);
    tr_route_destroy(route);
    tr_route_map_destroy(&map);
    tr_predict_destroy(predict);
    tr_scene_destroy(scene);
    return 0;
}
