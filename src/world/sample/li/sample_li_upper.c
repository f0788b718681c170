// Scenes after figure 9 of Li's digital actor: what a body walks through only with its waist turned, under
// which it bends, and past which it flexes an arm. The way leads along +z on x = 0. Seeds other than 0 vary
// places and sizes within what a person of 1.55 to 1.85 m can pass.
#include "world/sample/sample_storey.h"

#define HALF_X 2.5f
#define HALF_Z 5.0f
#define CABINET 0.3f // depth, along the way
#define CABINET_TOP 1.7f
#define PLATE 0.05f // thickness of the slide
#define SIDE 0.12f  // height of its sides

static float vary(sample_builder *builder, float usual, float low, float high) {
    return builder->seed ? sample_random(builder, low, high) : usual;
}

// A crate beside the way, the movable object; then the floor.
static void finish(sample_builder *builder) {
    tr_sample *sample = &builder->sample;
    sample_box(builder, -0.2f, 0, -0.2f, 0.2f, 0.35f, 0.2f);
    uint32_t crate = sample_mesh(builder, "crate");
    sample_movable_from_here(builder);
    sample_place(builder, "crate", crate, sample_at(vary(builder, 2, 1.8f, 2.2f), 0, 3.5f), 0, 0);
    sample_movable_to_here(builder);
    tr_box floor = sample_ground(HALF_X, HALF_Z);
    sample_slab_floor(builder, &floor, 1);
    sample->ground = floor;
    sample->start = sample_at(0, 0, 0.5f - HALF_Z);
    sample->goal = sample_at(0, 0, HALF_Z - 0.5f);
}

// Two cabinets with a gap between them that shoulders do not fit through.
static void place_gate(sample_builder *builder, float z) {
    float half = 0.5f * vary(builder, 0.47f, 0.45f, 0.5f), aside = vary(builder, 0, -0.01f, 0.01f);
    float top = vary(builder, CABINET_TOP, 1.5f, 1.9f), wide = vary(builder, 0.8f, 0.6f, 1.2f);
    sample_box(builder, aside - half - wide, 0, z, aside - half, top, z + CABINET);
    sample_box(builder, aside + half, 0, z, aside + half + wide, top, z + CABINET);
    sample_finish(builder, "cabinets", TR_TAG_NO_STEP);
}

void sample_li_passage_make(sample_builder *builder) {
    place_gate(builder, vary(builder, -1.5f, -2.0f, -1.2f));
    place_gate(builder, vary(builder, 1.5f, 1.2f, 2.0f));
    finish(builder);
}

// The slide leads down along x across the way; its plate is a bar whose upper side goes through two points.
void sample_li_slide_make(sample_builder *builder) {
    float under = vary(builder, 1.49f, 1.47f, 1.54f), slope = vary(builder, 0.22f, 0.12f, 0.25f);
    float z = vary(builder, 0, -0.5f, 0.5f), wide = vary(builder, 0.5f, 0.4f, 0.7f);
    float west = -1.6f, east = 1.9f, top = under + PLATE * sqrtf(1 + slope * slope) + 0.02f;
    tr_vec3 high = {west, top - slope * west, z}, low = {east, top - slope * east, z};
    sample_shape_bar(&builder->shape, high, low, wide, PLATE);
    for (int side = -1; side <= 1; side += 2) {
        float out = z + 0.5f * (float)side * (wide + 0.06f);
        sample_shape_bar(&builder->shape, sample_at(west, high.y + SIDE, out),
                         sample_at(east, low.y + SIDE, out), 0.06f, SIDE + PLATE);
        sample_box(builder, west, 0, out - 0.03f, west + 0.06f, high.y + SIDE + 0.5f, out + 0.03f); // posts
        sample_box(builder, east - 0.06f, 0, out - 0.03f, east, low.y, out + 0.03f);
    }
    sample_finish(builder, "slide", 0);
    for (int rung = 1; rung <= 6; rung++) {
        float y = high.y * (float)rung / 6.5f;
        sample_box(builder, west - 0.02f, y, z - 0.5f * wide, west + 0.02f, y + 0.04f, z + 0.5f * wide);
    }
    sample_finish(builder, "ladder", 0);
    finish(builder);
}

// A table whose edge is where the left hand would swing, with things on it; further on another on the right.
void sample_li_table_make(sample_builder *builder) {
    for (int side = 1; side >= -1; side -= 2) {
        float x = (float)side, z = x * vary(builder, -1.6f, -2.0f, -1.4f);
        float edge = vary(builder, 0.21f, 0.2f, 0.24f), half = vary(builder, 0.7f, 0.5f, 0.9f);
        float top = vary(builder, 0.78f, 0.74f, 0.86f);
        uint32_t table = sample_table(builder, "table", 0.4f, half, top);
        sample_place(builder, "table", table, sample_at(x * (edge + 0.4f), 0, z), 0, TR_TAG_NO_STEP);
        float in = vary(builder, 0.04f, 0.02f, 0.1f), high = vary(builder, 0.14f, 0.08f, 0.2f);
        tr_vec3 corner = {side > 0 ? edge + in : -edge - in - 0.18f, top,
                          z + vary(builder, 0.1f, -0.3f, 0.3f)};
        sample_block(builder, "box", corner, tr_vec3_add(corner, tr_vec3_make(0.18f, high, 0.12f)),
                     TR_TAG_NO_STEP);
    }
    finish(builder);
}
