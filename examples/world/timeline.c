// A corridor, a cart with a known way, and two walkers: each commits to its motion only if it meets nobody,
// and waits as long as it has to.
#include "troupe/world/timeline.h"

#include <stdio.h>

enum { TICKS = 200 };

// A cart of 1 x 0.8 m that rolls along x, through the corridor at z = 0, from second 1 to second 4.
static bool add_cart(tr_scene *scene) {
    const tr_vec3 corners[4] = {{-0.5f, 0, -0.4f}, {0.5f, 0, -0.4f}, {0.5f, 1, 0.4f}, {-0.5f, 1, 0.4f}};
    const uint32_t indices[6] = {0, 1, 2, 0, 2, 3};
    const double times[2] = {1, 4};
    tr_transform ways[2] = {tr_transform_identity(), tr_transform_identity()};
    ways[0].position.x = -3;
    ways[1].position.x = 3;
    tr_mesh_def mesh = {.positions = corners, .position_count = 4, .indices = indices, .triangle_count = 2};
    tr_object_def cart = {.name = "cart", .placement = tr_affine_identity()};
    tr_trajectory_def way = {times, ways, 2, false};
    uint32_t object;
    return tr_scene_add_mesh(scene, &mesh, &cart.mesh, NULL) == TR_OK &&
           tr_scene_add_object(scene, &cart, &object, NULL) == TR_OK &&
           tr_scene_set_trajectory(scene, object, &way, NULL) == TR_OK;
}

// Straight from one place to another at 1.2 m/s, after waiting for some ticks.
static uint32_t walk(tr_vec3 from, tr_vec3 to, uint32_t wait, tr_vec3 *positions) {
    float length = tr_vec3_length(tr_vec3_subtract(to, from));
    uint32_t steps = (uint32_t)(length / (1.2f / 30)) + 1, count = 0;
    while (count < wait)
        positions[count++] = from;
    for (uint32_t i = 0; i <= steps && count < TICKS; i++)
        positions[count++] =
            tr_vec3_add(from, tr_vec3_scale(tr_vec3_subtract(to, from), (float)i / (float)steps));
    return count;
}

static void cross(tr_timeline *timeline, uint32_t body, tr_vec3 from, tr_vec3 to) {
    tr_vec3 positions[TICKS];
    for (uint32_t wait = 0; wait < 60; wait += 5) {
        tr_timeline_motion motion = {.positions = positions,
                                     .count = walk(from, to, wait, positions),
                                     .radius = 0.25f,
                                     .height = 1.8f,
                                     .self = body,
                                     .rest = true,
                                     .margin = 0.1f,
                                     .clear = 0.1f};
        tr_timeline_meeting meeting;
        if (!tr_timeline_meets(timeline, &motion, &meeting)) {
            tr_timeline_commit(timeline, body, 0, positions, motion.count);
            printf("body %u waits %.2f s and arrives after %.2f s\n", body, wait / 30.0,
                   (motion.count - 1) / 30.0);
            return;
        }
        printf("body %u, waiting %.2f s, would meet %s %u after %.2f s\n", body, wait / 30.0,
               meeting.body == TR_NONE ? "object" : "body",
               meeting.body == TR_NONE ? meeting.object : meeting.body, meeting.tick / 30);
    }
    printf("body %u stays where it is\n", body);
}

int main(void) {
    tr_timeline *timeline = NULL;
    tr_scene *scene = NULL;
    tr_timeline_def def = {.tick = 1.0 / 30};
    const tr_vec3 from[2] = {{0, 0, -3}, {0.9f, 0, 3}}, to[2] = {{0, 0, 1.5f}, {0.9f, 0, -1.5f}};
    uint32_t bodies[2];
    bool made = tr_timeline_create(&def, &timeline, NULL) == TR_OK &&
                tr_scene_create(NULL, &scene) == TR_OK && add_cart(scene);
    for (int i = 0; i < 2 && made; i++)
        made = tr_timeline_add(timeline, from[i], 0.25f, 1.8f, &bodies[i], NULL) == TR_OK;
    made = made && tr_scene_set_time(scene, 0) == TR_OK && tr_timeline_watch(timeline, scene, NULL) == TR_OK;
    for (int i = 0; i < 2 && made; i++)
        cross(timeline, bodies[i], from[i], to[i]);
    tr_timeline_destroy(timeline);
    tr_scene_destroy(scene);
    return made ? 0 : 1;
}
