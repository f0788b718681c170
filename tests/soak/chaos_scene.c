// Where it happens: sample scenes of random size, and rooms, boxes and storeys made here.
#include "chaos.h"

#include "block.h"

#include <stdio.h>

static void block(chaos *c, float x0, float y0, float z0, float x1, float y1, float z1) {
    add_block(c->scene, "block", tr_vec3_make(x0, y0, z0), tr_vec3_make(x1, y1, z1));
}

static void floor_of(chaos *c, float x, float z) {
    c->area = (tr_box){{-x, 0, -z}, {x, 6, z}};
    block(c, -x, -0.2f, -z, x, 0, z);
}

// A field of boxes, some of which can be stepped onto or over.
static void make_boxes(chaos *c) {
    floor_of(c, 6, 6);
    for (uint32_t i = 3 + chaos_below(c, 10); i > 0; i--) {
        float x = chaos_between(c, -6, 5), z = chaos_between(c, -6, 5), width = chaos_between(c, 0.1f, 2),
              depth = chaos_between(c, 0.1f, 2);
        float height = chaos_chance(c, 0.3f) ? chaos_between(c, 0.02f, 0.5f) : chaos_between(c, 0.5f, 2.4f);
        block(c, x, 0, z, x + width, height, z + depth);
    }
}

// Walls across with a door in each, of all widths from a squeeze to a gate.
static void make_rooms(chaos *c) {
    floor_of(c, 7, 4);
    uint32_t walls = 1 + chaos_below(c, 3);
    for (uint32_t i = 0; i < walls; i++) {
        float x = -7 + 14 * (float)(i + 1) / (float)(walls + 1), door = chaos_between(c, -3, 3),
              half = chaos_between(c, 0.3f, 0.9f);
        block(c, x - 0.1f, 0, -4, x + 0.1f, 2.4f, door - half);
        block(c, x - 0.1f, 0, door + half, x + 0.1f, 2.4f, 4);
        if (chaos_chance(c, 0.5f)) // a second door
            continue;
        block(c, x, 0, -0.05f, x + 2, 2.4f, 0.05f);
    }
}

// A storey above with stairs to it, a lift, and a ledge.
static void make_storeys(chaos *c) {
    floor_of(c, 5, 5);
    const int steps = 14;
    float rise = chaos_between(c, 0.14f, 0.2f), depth = 0.3f, width = chaos_between(c, 0.9f, 2.2f);
    float top = rise * (float)steps, begin = -4.5f;
    for (int i = 0; i < steps; i++) {
        float x = begin + depth * (float)i;
        block(c, x, 0, -5, x + depth, rise * (float)(i + 1), -5 + width);
    }
    float deck = begin + depth * (float)steps;
    block(c, deck, top - 0.2f, -5, 5, top, 5);
    block(c, -4.8f, 0, 3, -2.5f, chaos_between(c, 0.05f, 0.45f), 4.8f);
    c->links[0] = (tr_ground_link){.kind = TR_GROUND_LIFT,
                                   .from = {deck + 0.6f, 0, 3},
                                   .to = {deck + 0.6f, top, 3.05f},
                                   .both_ways = true,
                                   .cost = 3};
    c->link_count = chaos_chance(c, 0.7f);
}

// Banks with a gap between them that is leapt over, and a plank or two across.
static void make_gap(chaos *c) {
    float gap = chaos_between(c, 0.2f, 1.2f);
    c->area = (tr_box){{-6, -1, -4}, {6, 5, 4}};
    block(c, -6, -1, -4, -gap / 2, 0, 4);
    block(c, gap / 2, -1, -4, 6, 0, 4);
    for (uint32_t i = 1 + chaos_below(c, 2); i > 0; i--) {
        float z = chaos_between(c, -3.5f, 2.5f), width = chaos_between(c, 0.6f, 1.5f);
        block(c, -gap / 2 - 0.2f, -0.1f, z, gap / 2 + 0.2f, 0.02f, z + width);
    }
}

static bool make_sample(chaos *c, const char *name, float width, float length, uint32_t people,
                        tr_error *error) {
    tr_sample sample = {0};
    tr_sample_def def = {
        .name = name, .seed = chaos_below(c, 1000), .width = width, .length = length, .people = people};
    if (tr_sample_make(&def, &sample, error) != TR_OK)
        return false;
    c->scene = sample.scene;
    c->area = sample.ground;
    c->area.max.y = fmaxf(c->area.max.y, tr_scene_bounds(sample.scene).max.y);
    // Its movable things are the first of ours.
    for (uint32_t i = 0; i < sample.movable_count && i < 6; i++) {
        tr_object_view view = tr_scene_object(c->scene, sample.first_movable + i);
        tr_vec3 size = tr_vec3_subtract(view.bounds.max, view.bounds.min);
        c->things[c->thing_count++] = (chaos_thing){.object = sample.first_movable + i,
                                                    .half = tr_vec3_scale(size, 0.5f),
                                                    .at = view.placement,
                                                    .is_there = true};
    }
    return true;
}

typedef struct place {
    const char *name;
    void (*make)(chaos *c);    // NULL: the sample of that name
    float width[2], length[2]; // of the sample
    uint32_t people;
} place;

static const place places[] = {
    {"boxes", make_boxes, {0}, {0}, 0},
    {"rooms", make_rooms, {0}, {0}, 0},
    {"storeys", make_storeys, {0}, {0}, 0},
    {"gap", make_gap, {0}, {0}, 0},
    {"corridor", NULL, {0.8f, 3}, {3, 8}, 0},
    {"door", NULL, {0.7f, 1.8f}, {0}, 0},
    {"crossing", NULL, {1, 3}, {3, 6}, 0},
    {"plaza", NULL, {0}, {0}, 10},
    {"bridge", NULL, {0.9f, 3}, {3, 8}, 0},
    {"room", NULL, {0}, {0}, 0},
    {"terrace", NULL, {0}, {0}, 0},
    {"stairs", NULL, {0}, {0}, 0},
    {"house", NULL, {0}, {0}, 0},
    {"office", NULL, {0}, {0}, 0},
};
#define PLACES (sizeof places / sizeof places[0])

bool chaos_open_scene(chaos *c, tr_error *error) {
    // Every other run is in one of those made here, which cost less.
    const place *where = &places[c->def->seed % 2 ? chaos_below(c, 4) : 4 + chaos_below(c, PLACES - 4)];
    c->scene_name = where->name;
    if (where->make) {
        if (tr_scene_create(NULL, &c->scene) != TR_OK)
            return false;
        where->make(c);
    } else {
        float width = where->width[1] > 0 ? chaos_between(c, where->width[0], where->width[1]) : 0;
        float length = where->length[1] > 0 ? chaos_between(c, where->length[0], where->length[1]) : 0;
        if (!make_sample(c, where->name, width, length, where->people, error))
            return false;
    }
    c->wall_count = tr_scene_object_count(c->scene);
    tr_vec3 corners[8];
    block_corners(tr_vec3_make(-0.5f, -0.5f, -0.5f), tr_vec3_make(0.5f, 0.5f, 0.5f), corners);
    c->box_mesh = add_block_mesh(c->scene, corners);
    return c->box_mesh != TR_NONE;
}
