// What an engine does with a stage in each frame: it steps by the time of the frame, uploads the matrices of
// all bodies, draws the debug lines, shows how far somebody still has to go, and asks where the mouse points
// to.
#include "troupe/stage/stage.h"
#include "troupe/world/sample.h"

#include <stdio.h>
#include <stdlib.h>

// What the debug drawing of an engine would put on the screen; here it is only counted.
typedef struct debug_lines {
    uint32_t lines, discs;
    float way; // length of the lines that show a way [m]
} debug_lines;

static void draw_line(void *user, tr_draw_kind kind, tr_actor_id actor, tr_vec3 from, tr_vec3 to) {
    (void)actor; // an engine colours by kind and actor
    debug_lines *debug = user;
    debug->lines++;
    if (kind == TR_DRAW_WAY)
        debug->way += tr_vec3_length(tr_vec3_subtract(to, from));
}

static void draw_disc(void *user, tr_draw_kind kind, tr_actor_id actor, tr_vec3 centre, float radius) {
    (void)kind, (void)actor, (void)centre, (void)radius;
    ((debug_lines *)user)->discs++;
}

// The cursor follows the mouse over the floor and says why nobody can be sent there.
static void point_at(const tr_stage *stage, tr_vec3 mouse) {
    const tr_ground *ground = tr_stage_ground(stage);
    char text[200];
    uint32_t widest = 0; // the ground knows the sizes of all actors so far
    for (uint32_t size = 0; tr_ground_size(ground, size); size++)
        if (tr_ground_size(ground, size)->radius > tr_ground_size(ground, widest)->radius)
            widest = size;
    tr_ground_place place = tr_ground_drop(ground, widest, mouse, 0.5f);
    tr_ground_explain(ground, widest, mouse, &place, text, sizeof text);
    printf("under the mouse: %s\n", text);
}

static tr_status play(tr_stage *stage, tr_actor_id ada, float *matrices, uint32_t float_count,
                      tr_error *error) {
    static const double frame_times[] = {1.0 / 60, 1.0 / 60, 1.0 / 45, 1.0 / 120}; // never quite the same
    tr_status status = TR_OK;
    for (uint32_t frame = 0; status == TR_OK && frame < 3600; frame++) {
        status = tr_stage_step(stage, frame_times[frame % 4], error);
        if (status != TR_OK && status != TR_DONE)
            return status;
        // One upload for all: the bodies lie between two ticks, so they move in every frame.
        if (tr_stage_write_matrices(stage, TR_MATRICES_SKIN, matrices, float_count) != TR_OK)
            return TR_LIMIT;
        if (frame % 300 != 0)
            continue;
        debug_lines debug = {0};
        tr_stage_draw(stage, &(tr_draw){draw_line, draw_disc, &debug});
        const tr_way *way = tr_stage_way(stage, ada); // NULL when she goes nowhere
        tr_actor_view view;
        float along = 0;
        if (way && tr_stage_look(stage, ada, &view) == TR_OK)
            tr_way_distance(way, 0, view.position, 0.5f, &along);
        printf("frame %u, %.2f s: %u lines (%.1f m of ways), %u discs", frame, tr_stage_time(stage),
               debug.lines, (double)debug.way, debug.discs);
        if (way)
            printf("; %.1f m to go", (double)(tr_way_length(way) - along));
        printf("\n");
    }
    return status;
}

int main(void) {
    tr_sample office = {.scene = NULL};
    tr_character *adult = NULL;
    tr_stage *stage = NULL;
    tr_error error = {.message = "no memory"};
    float *matrices = NULL;
    tr_actor_id actors[2];
    const tr_vec3 ends[2] = {{-8.5f, 0, -6}, {8.5f, 0, 8}};
    tr_status status = tr_sample_make(&(tr_sample_def){.name = "office"}, &office, &error);
    if (status == TR_OK)
        status = tr_character_create(&(tr_character_def){.detail = 1}, &adult, &error);
    tr_stage_def def = tr_stage_def_default(office.scene);
    def.area = office.ground;
    if (status == TR_OK)
        status = tr_stage_create(&def, &stage, &error);
    for (uint32_t i = 0; i < 2 && status == TR_OK; i++) {
        tr_stage_actor_def who = {.name = i ? "Ben" : "Ada", .character = adult, .position = ends[i]};
        tr_order go = {.kind = TR_ORDER_GO, .goal = ends[1 - i]};
        status = tr_stage_add_actor(stage, &who, &actors[i], &error);
        if (status == TR_OK)
            status = tr_stage_order(stage, actors[i], &go, TR_ORDER_QUEUE, NULL, &error);
    }
    if (status == TR_OK) {
        // As large as all bodies need; ask again after an actor was added or removed.
        uint32_t count = tr_stage_matrix_count(stage);
        matrices = malloc(16 * sizeof(float) * count);
        printf("%u matrices for %u bodies\n", count, tr_stage_actor_count(stage));
        point_at(stage, tr_vec3_make(4.4f, 0, 2.8f));
        point_at(stage, tr_vec3_make(1.3f, 0, 1.1f));
        status = matrices ? play(stage, actors[0], matrices, 16 * count, &error) : TR_OUT_OF_MEMORY;
    }
    if (status == TR_DONE)
        printf("both are there after %.2f s; the first matrix carries its mesh to (%.2f, %.2f, %.2f)\n",
               tr_stage_time(stage), (double)matrices[12], (double)matrices[13], (double)matrices[14]);
    else
        fprintf(stderr, "%s\n", error.message);
    free(matrices);
    tr_stage_destroy(stage);
    tr_character_destroy(adult);
    tr_scene_destroy(office.scene);
    return status == TR_DONE ? 0 : 1;
}
