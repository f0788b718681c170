// Scenes to reach into that are made of round and turned parts: a ring, a hundred parts in the air, an
// engine.
#include "troupe/base/scalar.h"
#include "world/sample/sample_reach.h"

#define SHOULDER_X -0.22f
#define PARTS 100
#define RING_POINTS 17 // of a closed line

// Turned at random, in its place.
static tr_affine draw_turn(sample_builder *builder, tr_vec3 at) {
    float x = sample_random(builder, -1, 1), y = sample_random(builder, -1, 1),
          z = sample_random(builder, -1, 1), angle = sample_random(builder, 0, 6.2831f);
    tr_vec3 axis = {x, y, z};
    if (tr_vec3_length(axis) < 0.1f)
        axis = tr_vec3_make(0, 1, 0);
    tr_transform turn = {at, tr_quat_about(axis, (double)angle), {1, 1, 1}};
    return tr_affine_from_transform(turn);
}

// A ring of 20 to 30 cm on a post, turned a little from the view of the person; the hand goes through or
// past.
void sample_ring_make(sample_builder *builder) {
    float inner = sample_random(builder, 0.1f, 0.15f), thick = sample_random(builder, 0.012f, 0.03f),
          x = SHOULDER_X + sample_random(builder, -0.1f, 0.15f), y = sample_random(builder, 1.15f, 1.5f),
          z = sample_random(builder, 0.25f, 0.36f), heading = sample_random(builder, -0.6f, 0.6f);
    tr_vec3 points[RING_POINTS];
    for (int k = 0; k < RING_POINTS; k++) {
        double s, c;
        tr_sin_cos(2 * TR_PI * k / (RING_POINTS - 1), &s, &c);
        points[k] = sample_at((inner + thick) * (float)s, (inner + thick) * (float)c, 0);
    }
    sample_shape_move(&builder->shape, sample_at(x, y, z), (double)heading);
    sample_shape_rod(&builder->shape, points, RING_POINTS, thick, 10, 3);
    sample_shape_home(&builder->shape);
    sample_finish(builder, "ring", TR_TAG_NO_STEP);
    float foot = y - inner - 2 * thick;
    sample_box(builder, x - 0.02f, 0, z - 0.02f, x + 0.02f, foot, z + 0.02f);
    sample_finish(builder, "post", TR_TAG_NO_STEP);
    tr_box hand = {{x - 0.12f, y - 0.12f, z + 0.06f}, {x + 0.12f, y + 0.12f, z + 0.3f}};
    sample_reach_finish(builder, hand);
}

static void draw_part(sample_builder *builder, tr_vec3 at, int kind) {
    sample_shape *shape = &builder->shape;
    float a = sample_random(builder, 0.01f, 0.06f), b = sample_random(builder, 0.01f, 0.06f),
          c = sample_random(builder, 0.01f, 0.06f);
    shape->frame = draw_turn(builder, at);
    if (kind == 0)
        sample_shape_box(shape, sample_at(-a, -b, -c), sample_at(a, b, c));
    else if (kind == 1)
        sample_shape_column(shape, 10, a * 0.6f, b * 0.6f, -2 * c, 2 * c);
    else if (kind == 2)
        sample_shape_ball(shape, 10, 6, sample_at(a, b, c));
    else
        sample_shape_box(shape, sample_at(-a, -0.003f, -2 * c), sample_at(a, 0.003f, 2 * c)); // a plate
    sample_shape_home(shape);
}

// A hundred parts that hang in the air in front of the person, none of them at the shoulder.
void sample_parts_make(sample_builder *builder) {
    for (int k = 0; k < PARTS; k++) {
        float x = SHOULDER_X + sample_random(builder, -0.5f, 0.5f), y = sample_random(builder, 0.9f, 1.75f),
              z = sample_random(builder, 0.18f, 0.65f);
        draw_part(builder, sample_at(x, y, z), k % 4);
    }
    sample_finish(builder, "parts", TR_TAG_NO_STEP);
    tr_box hand = {{SHOULDER_X - 0.4f, 1, 0.2f}, {SHOULDER_X + 0.4f, 1.7f, 0.6f}};
    sample_reach_finish(builder, hand);
}

// A hose between two places on the rim of the bay, which sags.
static void draw_hose(sample_builder *builder, tr_box bay) {
    float from = sample_random(builder, bay.min.x, bay.max.x),
          to = sample_random(builder, bay.min.x, bay.max.x),
          high = sample_random(builder, bay.min.y + 0.08f, bay.max.y - 0.03f),
          sag = sample_random(builder, 0, 0.1f), radius = sample_random(builder, 0.008f, 0.022f);
    const tr_vec3 points[4] = {{from, high, bay.min.z},
                               {from + (to - from) * 0.3f, high - sag, bay.min.z * 0.7f + bay.max.z * 0.3f},
                               {from + (to - from) * 0.7f, high - sag, bay.min.z * 0.3f + bay.max.z * 0.7f},
                               {to, high, bay.max.z}};
    sample_shape_rod(&builder->shape, points, 4, radius, 10, 5);
}

// A block with cylinders, a battery, boxes and hoses in a bay that is open at the top.
void sample_engine_make(sample_builder *builder) {
    float bottom = sample_random(builder, 0.72f, 0.8f), rim = sample_random(builder, 1.0f, 1.1f),
          front = sample_random(builder, 0.16f, 0.22f), deep = sample_random(builder, 0.55f, 0.65f),
          half = sample_random(builder, 0.45f, 0.55f), aside = sample_random(builder, -0.1f, 0.2f);
    float left = SHOULDER_X + aside - half, right = SHOULDER_X + aside + half, back = front + deep;
    tr_box bay = {{left, bottom, front}, {right, rim, back}};
    sample_box(builder, left, bottom - 0.03f, front, right, bottom, back);
    sample_box(builder, left - 0.03f, 0, front - 0.03f, left, rim, back);
    sample_box(builder, right, 0, front - 0.03f, right + 0.03f, rim, back);
    sample_box(builder, left, 0, front - 0.03f, right, rim - 0.04f, front);
    sample_box(builder, left, 0, back, right, rim + 0.15f, back + 0.03f);
    sample_finish(builder, "bay", TR_TAG_NO_STEP);
    float x = SHOULDER_X + aside, wide = sample_random(builder, 0.1f, 0.16f),
          high = sample_random(builder, 0.12f, 0.2f), z = front + sample_random(builder, 0.14f, 0.2f);
    sample_box(builder, x - wide, bottom, z, x + wide, bottom + high, z + 0.2f);
    for (int k = 0; k < 4; k++) {
        float at = x - wide + (0.5f + (float)k) * wide / 2, tall = sample_random(builder, 0.03f, 0.08f);
        sample_shape_move(&builder->shape, sample_at(at, bottom + high, z + 0.1f), 0);
        sample_shape_column(&builder->shape, 14, 0.4f * wide / 2, 0.3f * wide / 2, 0, tall);
        sample_shape_home(&builder->shape);
    }
    sample_finish(builder, "engine", TR_TAG_NO_STEP);
    for (int k = 0; k < 6; k++) {
        float size = sample_random(builder, 0.05f, 0.14f), tall = sample_random(builder, 0.06f, 0.22f),
              px = sample_random(builder, left, right - size),
              pz = sample_random(builder, front, back - size);
        sample_box(builder, px, bottom, pz, px + size, bottom + tall, pz + size);
    }
    sample_finish(builder, "parts", TR_TAG_NO_STEP);
    for (int k = 0; k < 8; k++)
        draw_hose(builder, bay);
    sample_finish(builder, "hoses", TR_TAG_NO_STEP);
    sample_reach_finish(builder, bay);
}
