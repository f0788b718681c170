// Two small scenes: the room as a first scene, and the terrace with obstacles to step over and duck under.
#include "sample_build.h"
#include "troupe/base/scalar.h"

static void box(sample_builder *builder, float x0, float y0, float z0, float x1, float y1, float z1) {
    sample_shape_box(&builder->shape, sample_at(x0, y0, z0), sample_at(x1, y1, z1));
}

// A box as an object of its own, standing about the origin: `size` is its width, height and depth.
static void thing(sample_builder *builder, const char *name, tr_vec3 size, tr_vec3 at, double heading,
                  uint32_t tags) {
    box(builder, -size.x / 2, 0, -size.z / 2, size.x / 2, size.y, size.z / 2);
    uint32_t mesh = sample_mesh(builder, name);
    sample_place(builder, name, mesh, at, heading, tags);
}

static void room_walls(sample_builder *builder) {
    const float half = 3.0f, depth = 2.5f, thick = 0.1f, height = 2.5f;
    box(builder, -half, 0, -depth, -1.0f, height, -depth + thick); // left of the window
    box(builder, -1.0f, 0, -depth, 1.0f, 0.9f, -depth + thick);
    box(builder, -1.0f, 2.1f, -depth, 1.0f, height, -depth + thick);
    box(builder, 1.0f, 0, -depth, half, height, -depth + thick);
    box(builder, -half, 0, -depth + thick, -half + thick, height, depth - thick);
    box(builder, half - thick, 0, -depth + thick, half, height, depth - thick);
    box(builder, -half, 0, depth - thick, 1.2f, height, depth); // left of the door
    box(builder, 1.2f, 2.1f, depth - thick, 2.3f, height, depth);
    box(builder, 2.3f, 0, depth - thick, half, height, depth);
    uint32_t mesh = sample_mesh(builder, "walls");
    sample_place(builder, "walls", mesh, sample_at(0, 0, 0), 0, 0);
}

void sample_room_make(sample_builder *builder) {
    room_walls(builder);
    uint32_t table = sample_table(builder, "table", 0.8f, 0.5f, 0.74f);
    sample_place(builder, "table", table, sample_at(-0.6f, 0, -0.4f), 0, TR_TAG_NO_STEP);
    thing(builder, "door", sample_at(1.0f, 2.0f, 0.04f), sample_at(1.25f, 0.01f, 1.88f), TR_PI / 2, 0);
    uint32_t chair = sample_kitchen_chair(builder);
    sample_movable_from_here(builder);
    for (int i = 0; i < 4; i++) {
        float x = i & 1 ? -0.2f : -1.0f, z = i & 2 ? 0.2f : -1.0f;
        float off = sample_random(builder, -0.15f, 0.15f);
        sample_place(builder, "chair", chair, sample_at(x, 0, z), (i & 2 ? TR_PI : 0) + (double)off, 0);
    }
    sample_movable_to_here(builder);
    sample_floor(builder, sample_ground(3.0f, 2.5f), 2);
}

// A bar on two posts: the space under `low` is free.
static void gate(sample_builder *builder, const char *name, float low, float high, tr_vec3 at, double heading,
                 uint32_t tags) {
    box(builder, -1.1f, 0, -0.06f, -1.0f, high, 0.06f);
    box(builder, 1.0f, 0, -0.06f, 1.1f, high, 0.06f);
    box(builder, -1.0f, low, -0.05f, 1.0f, high, 0.05f);
    uint32_t mesh = sample_mesh(builder, name);
    sample_place(builder, name, mesh, at, heading, tags);
}

static void things_to_step_over(sample_builder *builder) {
    static const float heights[] = {0.1f, 0.15f, 0.2f, 0.25f, 0.3f};
    for (int i = 0; i < 5; i++)
        thing(builder, "kerb", sample_at(1.6f, heights[i], 0.15f),
              sample_at(-4.0f + 2.0f * (float)i, 0, -3.5f), 0, TR_TAG_STEP_OVER);
    thing(builder, "doormat", sample_at(1.0f, 0.02f, 0.6f), sample_at(0, 0, 5.2f), 0, TR_TAG_WALKABLE);
    thing(builder, "hose", sample_at(3.0f, 0.04f, 0.04f), sample_at(-3.5f, 0, 4.4f), 0.4, TR_TAG_WALKABLE);
    sample_shape_column(&builder->shape, 12, 0.3f, 0.28f, 0, 0.28f);
    uint32_t log = sample_mesh(builder, "stump");
    sample_place(builder, "stump", log, sample_at(4.6f, 0, -1.6f), 0, TR_TAG_STEP_OVER | TR_TAG_JUMP_OVER);
}

static void things_to_duck_under(sample_builder *builder) {
    static const float heights[] = {1.2f, 1.4f, 1.55f, 1.7f};
    for (int i = 0; i < 4; i++)
        gate(builder, "low bar", heights[i], heights[i] + 0.1f, sample_at(-4.2f + 2.8f * (float)i, 0, -1.6f),
             0, TR_TAG_CRAWL_UNDER);
    gate(builder, "barrier", 0.85f, 1.0f, sample_at(4.6f, 0, 1.6f), TR_PI / 2,
         TR_TAG_CRAWL_UNDER | TR_TAG_JUMP_OVER);
    // An awning that slopes from 2.2 m to 1.3 m: the head room shrinks with every step.
    sample_shape_quad(&builder->shape, sample_at(-1.2f, 2.2f, -1), sample_at(-1.2f, 1.3f, 1),
                      sample_at(1.2f, 1.3f, 1), sample_at(1.2f, 2.2f, -1));
    uint32_t awning = sample_mesh(builder, "awning");
    sample_place(builder, "awning", awning, sample_at(-4.0f, 0, 1.6f), 0, TR_TAG_CRAWL_UNDER);
}

void sample_terrace_make(sample_builder *builder) {
    things_to_step_over(builder);
    things_to_duck_under(builder);
    uint32_t table = sample_table(builder, "table", 0.9f, 0.5f, 0.74f);
    sample_place(builder, "table", table, sample_at(0.5f, 0, 2.2f), 0, TR_TAG_NO_STEP);
    thing(builder, "parapet", sample_at(12.0f, 0.9f, 0.2f), sample_at(0, 0, -5.9f), 0, TR_TAG_NO_STEP);
    uint32_t chair = sample_kitchen_chair(builder);
    sample_movable_from_here(builder);
    for (int i = 0; i < 4; i++) { // pushed under the table: only the backs stick out
        float x = i & 1 ? 0.9f : 0.1f, z = i & 2 ? 2.55f : 1.85f;
        sample_place(builder, "chair", chair, sample_at(x, 0, z), i & 2 ? TR_PI : 0, 0);
    }
    sample_movable_to_here(builder);
    sample_floor(builder, sample_ground(6, 6), 2);
}
