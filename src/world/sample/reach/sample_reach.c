// Scenes to reach into with the right arm of a person who stands at the origin and looks along +z: furniture
// with openings. Every size depends on the seed, within what people of 1.55 to 1.9 m can reach.
#include "world/sample/sample_reach.h"

#define BOARD 0.018f // thickness
#define SHOULDER_X -0.22f

void sample_reach_finish(sample_builder *builder, tr_box hand) {
    tr_sample *sample = &builder->sample;
    sample_box(builder, -0.15f, 0, -0.15f, 0.15f, 0.3f, 0.15f);
    uint32_t stool = sample_mesh(builder, "stool");
    float x = sample_random(builder, 0.8f, 1.2f);
    sample_movable_from_here(builder);
    sample_place(builder, "stool", stool, sample_at(x, 0, -0.6f), 0, 0);
    sample_movable_to_here(builder);
    sample_floor(builder, sample_ground(2, 2), 2);
    sample->hand = hand;
    sample->start = sample_at(SHOULDER_X, 1.1f, 0.15f);
    sample->goal = tr_vec3_scale(tr_vec3_add(hand.min, hand.max), 0.5f);
}

// Something that stands in a compartment, on `floor`, and leaves room beside it.
static void place_thing(sample_builder *builder, tr_box room) {
    tr_vec3 size = tr_vec3_subtract(room.max, room.min);
    float wide = sample_random(builder, 0.15f, 0.45f) * size.x,
          high = sample_random(builder, 0.2f, 0.9f) * size.y,
          deep = sample_random(builder, 0.2f, 0.6f) * size.z,
          aside = sample_random(builder, 0, size.x - wide);
    sample_box(builder, room.min.x + aside, room.min.y, room.max.z - deep, room.min.x + aside + wide,
               room.min.y + high, room.max.z);
}

// A bookcase of 4 x 3 small compartments, some of which hold something.
void sample_shelves_make(sample_builder *builder) {
    float wide = sample_random(builder, 0.2f, 0.27f), high = sample_random(builder, 0.2f, 0.27f),
          deep = sample_random(builder, 0.24f, 0.32f), front = sample_random(builder, 0.26f, 0.36f),
          middle = SHOULDER_X + sample_random(builder, -0.12f, 0.12f),
          low = sample_random(builder, 0.9f, 1.0f);
    float left = middle - 2 * wide - 2.5f * BOARD, right = middle + 2 * wide + 2.5f * BOARD,
          top = low + 3 * high + 4 * BOARD, back = front + deep;
    for (int column = 0; column <= 4; column++) {
        float x = left + (float)column * (wide + BOARD);
        sample_box(builder, x, 0, front, x + BOARD, top, back);
    }
    for (int row = 0; row <= 3; row++) {
        float y = low + (float)row * (high + BOARD);
        sample_box(builder, left, y, front, right, y + BOARD, back);
    }
    sample_box(builder, left, 0, back, right, top, back + BOARD);
    sample_finish(builder, "bookcase", TR_TAG_NO_STEP);
    for (int k = 0; k < 12; k++) {
        tr_vec3 corner = sample_at(left + BOARD + (float)(k % 4) * (wide + BOARD),
                                   low + BOARD + (float)(k / 4) * (high + BOARD), front);
        if (sample_random(builder, 0, 1) < 0.5f)
            place_thing(builder, (tr_box){corner, tr_vec3_add(corner, sample_at(wide, high, deep))});
    }
    sample_finish(builder, "things", TR_TAG_NO_STEP);
    sample_reach_finish(builder, (tr_box){{left, low, front + 0.06f}, {right, top, back}});
}

// An open box on a pedestal, with things at its bottom.
void sample_box_make(sample_builder *builder) {
    float wide = sample_random(builder, 0.26f, 0.4f), deep = sample_random(builder, 0.26f, 0.4f),
          high = sample_random(builder, 0.22f, 0.36f), bottom = sample_random(builder, 0.78f, 0.9f),
          x = SHOULDER_X + sample_random(builder, -0.12f, 0.15f), z = sample_random(builder, 0.2f, 0.3f);
    tr_box room = {{x - wide / 2, bottom + BOARD, z}, {x + wide / 2, bottom + high, z + deep}};
    sample_box(builder, room.min.x - BOARD, bottom, z - BOARD, room.max.x + BOARD, room.min.y,
               room.max.z + BOARD);
    sample_box(builder, room.min.x - BOARD, room.min.y, z - BOARD, room.min.x, room.max.y,
               room.max.z + BOARD);
    sample_box(builder, room.max.x, room.min.y, z - BOARD, room.max.x + BOARD, room.max.y,
               room.max.z + BOARD);
    sample_box(builder, room.min.x, room.min.y, z - BOARD, room.max.x, room.max.y, z);
    sample_box(builder, room.min.x, room.min.y, room.max.z, room.max.x, room.max.y, room.max.z + BOARD);
    sample_finish(builder, "box", TR_TAG_NO_STEP);
    sample_block(builder, "pedestal", sample_at(x - 0.2f, 0, z + 0.02f),
                 sample_at(x + 0.2f, bottom, z + deep - 0.02f), TR_TAG_NO_STEP);
    for (int k = 0; k < 3; k++) {
        float size = sample_random(builder, 0.03f, 0.09f), tall = sample_random(builder, 0.03f, 0.12f),
              px = sample_random(builder, room.min.x, room.max.x - size),
              pz = sample_random(builder, room.min.z, room.max.z - size);
        sample_box(builder, px, room.min.y, pz, px + size, room.min.y + tall, pz + size);
    }
    sample_finish(builder, "things", TR_TAG_NO_STEP);
    sample_reach_finish(builder, room);
}

// A wall with one opening of 20 to 30 cm.
void sample_window_make(sample_builder *builder) {
    float wide = sample_random(builder, 0.2f, 0.3f), high = sample_random(builder, 0.2f, 0.3f),
          front = sample_random(builder, 0.2f, 0.28f), thick = sample_random(builder, 0.01f, 0.06f),
          x = SHOULDER_X + sample_random(builder, -0.1f, 0.2f), y = sample_random(builder, 1.2f, 1.45f);
    sample_wall wall = {false, front + thick / 2, -1.2f, 0.8f, 0, 2.2f, thick};
    sample_opening opening = {x - wide / 2, x + wide / 2, y - high / 2, y + high / 2};
    sample_shape_wall(&builder->shape, &wall, &opening, 1);
    sample_finish(builder, "wall", TR_TAG_NO_STEP);
    sample_block(builder, "cupboard", sample_at(x - 0.5f, 0, front + thick + 0.36f),
                 sample_at(x + 0.5f, 1.9f, front + thick + 0.5f), TR_TAG_NO_STEP);
    tr_box hand = {{x - 0.25f, y - 0.25f, front + thick}, {x + 0.25f, y + 0.25f, front + thick + 0.2f}};
    sample_reach_finish(builder, hand);
}

// A high table with a rail around it, and things below: the hand goes down in front of it and in under it.
void sample_under_table_make(sample_builder *builder) {
    float top = sample_random(builder, 1.08f, 1.2f), front = sample_random(builder, 0.12f, 0.2f),
          deep = sample_random(builder, 0.5f, 0.7f), rail = sample_random(builder, 0.03f, 0.12f),
          half = sample_random(builder, 0.5f, 0.8f), shelf = sample_random(builder, 0.62f, 0.74f);
    float left = SHOULDER_X - half, right = SHOULDER_X + half, back = front + deep, under = top - 0.03f;
    sample_box(builder, left, under, front, right, top, back);
    sample_box(builder, left, under - rail, front + 0.03f, right, under, front + 0.05f);
    sample_box(builder, left, 0, front, left + 0.05f, under, front + 0.05f);
    sample_box(builder, right - 0.05f, 0, front, right, under, front + 0.05f);
    sample_box(builder, left, 0, back - 0.03f, right, under, back);
    sample_box(builder, left, shelf - BOARD, front + 0.05f, right, shelf, back);
    sample_finish(builder, "table", TR_TAG_NO_STEP);
    for (int k = 0; k < 6; k++) {
        float size = sample_random(builder, 0.04f, 0.1f), tall = sample_random(builder, 0.05f, 0.2f),
              x = sample_random(builder, left + 0.06f, right - 0.16f),
              z = sample_random(builder, front + 0.15f, back - 0.15f);
        bool above = k < 3;
        sample_box(builder, x, above ? top : shelf, z, x + size, (above ? top : shelf) + tall, z + size);
    }
    sample_finish(builder, "things", TR_TAG_NO_STEP);
    tr_box hand = {{left + 0.1f, shelf, front + 0.06f}, {right - 0.1f, under, back - 0.1f}};
    sample_reach_finish(builder, hand);
}
