// The factory floor of Bandi & Thalmann 1998, figure 11: machines in rows, a kiln on the right that a body
// cannot stand under, a mezzanine with stairs and a catwalk. From the loading dock the way leads down a ramp,
// through the machines, up the stairs and over the catwalk to the control stand.
#include "sample_storey.h"
#include "troupe/base/scalar.h"

#define CELL 0.3f
#define SIDE (69 * CELL)
#define RISES 16
#define RISE 0.1725f
#define DECK (RISE * RISES) // 2.76 m
#define EDGE 4.6f           // of the mezzanine
#define DOCK 0.9f
#define INSET 0.05f // of a railing

static const tr_box stand = {{12.6f, DECK - 0.12f, 15.6f}, {16.2f, DECK, 19.2f}}; // the control stand
static const float walk_left = 13.5f, walk_right = 15.3f;                         // of the catwalk
static const sample_flight stairs = {
    {2.55f, 0, EDGE + (RISES - 1) * 0.28f}, SAMPLE_NORTH, RISES, RISE, 0.28f, 2.1f, 0.24f};

static void place_hall(sample_builder *builder) {
    sample_shape *shape = &builder->shape;
    sample_wall back = {false, 0.15f, 0.02f, SIDE - 0.02f, 0, 4.8f, 0.2f};
    sample_wall left = {true, 0.15f, 0.25f, SIDE - 0.02f, 0, 4.8f, 0.2f};
    sample_opening windows[5];
    for (int i = 0; i < 5; i++) {
        float from = 1.6f + 3.8f * (float)i;
        sample_opening window = {from, from + 2.6f, 3.5f, 4.5f};
        windows[i] = window;
    }
    sample_shape_wall(shape, &back, windows, 5);
    sample_shape_wall(shape, &left, windows, 5);
    for (int i = 0; i < 5; i++) { // glazing bars
        float from = windows[i].from;
        for (int bar = 1; bar < 4; bar++) {
            float at = from + 0.65f * (float)bar;
            sample_box(builder, at - 0.03f, 3.5f, 0.12f, at + 0.03f, 4.5f, 0.18f);
            sample_box(builder, 0.12f, 3.5f, at - 0.03f, 0.18f, 4.5f, at + 0.03f);
        }
    }
    sample_finish(builder, "hall", 0);
}

static void place_posts(sample_builder *builder) {
    sample_box(builder, -0.14f, 0, -0.14f, 0.14f, 0.03f, 0.14f);
    sample_box(builder, -0.1f, 0.03f, -0.1f, 0.1f, 0.05f, 0.1f);
    for (int flange = -1; flange < 2; flange += 2)
        sample_box(builder, -0.1f, 0.05f, 0.08f * (float)flange - 0.01f, 0.1f, DECK - 0.16f,
                   0.08f * (float)flange + 0.01f);
    sample_box(builder, -0.01f, 0.05f, -0.07f, 0.01f, DECK - 0.16f, 0.07f);
    uint32_t post = sample_mesh(builder, "steel post");
    static const float spots[][2] = {{0.75f, 4.35f},   {4.35f, 4.35f},   {8.25f, 4.35f},   {12.15f, 4.35f},
                                     {16.65f, 4.35f},  {20.25f, 4.35f},  {13.65f, 9.75f},  {15.15f, 9.75f},
                                     {12.75f, 15.75f}, {16.05f, 15.75f}, {12.75f, 19.05f}, {16.05f, 19.05f}};
    for (uint32_t i = 0; i < sizeof spots / sizeof spots[0]; i++)
        sample_place(builder, "steel post", post, sample_at(spots[i][0], 0, spots[i][1]), 0, 0);
}

static void place_decks(sample_builder *builder) {
    sample_shape *shape = &builder->shape;
    sample_box(builder, 0.3f, DECK - 0.16f, 0.3f, SIDE - 0.3f, DECK, EDGE);
    sample_finish(builder, "mezzanine", TR_TAG_WALKABLE);
    sample_box(builder, walk_left, DECK - 0.12f, EDGE, walk_right, DECK, stand.min.z);
    sample_finish(builder, "catwalk", TR_TAG_WALKABLE);
    sample_shape_box(shape, stand.min, stand.max);
    sample_finish(builder, "control stand", TR_TAG_WALKABLE);
    sample_shape_flight(shape, &stairs);
    sample_finish(builder, "stairs", TR_TAG_WALKABLE);
    sample_shape_flight_rail(shape, &stairs, -1, 3);
    sample_shape_flight_rail(shape, &stairs, 1, 3);
    sample_finish(builder, "handrails", 0);
    place_posts(builder);
}

static void rail(sample_builder *builder, float x0, float z0, float x1, float z1) {
    sample_shape_rail(&builder->shape, sample_at(x0, DECK, z0), sample_at(x1, DECK, z1));
}

static void place_rails(sample_builder *builder) {
    float edge = EDGE - INSET, half = stairs.width / 2, left = stairs.foot.x - half,
          right = stairs.foot.x + half, far = SIDE - 0.3f - INSET;
    float west = walk_left + INSET, east = walk_right - INSET;
    rail(builder, 0.35f, edge, left, edge);
    rail(builder, right, edge, west, edge);
    rail(builder, east, edge, far, edge);
    rail(builder, far, 0.35f, far, edge - 0.05f);
    float front = stand.min.z + INSET, back = stand.max.z - INSET, from = stand.min.x + INSET,
          to = stand.max.x - INSET;
    rail(builder, west, edge + 0.05f, west, front - 0.05f);
    rail(builder, east, edge + 0.05f, east, front - 0.05f);
    rail(builder, from, front, west, front);
    rail(builder, east, front, to, front);
    rail(builder, from, front + 0.05f, from, back);
    rail(builder, to, front + 0.05f, to, back);
    rail(builder, from + 0.05f, back, to - 0.05f, back);
    sample_finish(builder, "railing", 0);
}

// A desk with knobs, at the front of the stand.
static void place_desk(sample_builder *builder) {
    float x = 13.2f, z = 18.2f;
    sample_box(builder, x, DECK, z, x + 2.4f, DECK + 0.8f, z + 0.5f);
    sample_box(builder, x, DECK + 0.8f, z + 0.35f, x + 2.4f, DECK + 1.15f, z + 0.5f);
    for (int i = 0; i < 16; i++) {
        tr_vec3 knob = sample_at(x + 0.2f + 0.26f * (float)(i % 8), DECK + 0.8f, z + (i < 8 ? 0.1f : 0.24f));
        sample_shape_pipe(&builder->shape, 8, 0.03f, knob, sample_at(knob.x, knob.y + 0.04f, knob.z));
    }
    sample_finish(builder, "control desk", TR_TAG_NO_STEP);
}

static void place_dock(sample_builder *builder) {
    sample_block(builder, "loading dock", sample_at(0.3f, 0, 16.5f), sample_at(4.2f, DOCK, SIDE - 0.3f),
                 TR_TAG_WALKABLE);
    tr_box ramp = {{4.2f, 0, 16.8f}, {9.6f, DOCK, 19.2f}};
    sample_shape_ramp(&builder->shape, ramp, SAMPLE_WEST);
    sample_finish(builder, "ramp", TR_TAG_WALKABLE);
}

static uint32_t make_tank(sample_builder *builder) {
    sample_shape *shape = &builder->shape;
    const uint32_t sides = 24;
    sample_shape_column(shape, sides, 1.05f, 1.05f, 0, 0.3f);
    sample_shape_column(shape, sides, 1.2f, 1.2f, 0.3f, 3.1f);
    for (int band = 0; band < 3; band++) {
        float y = 0.7f + 0.9f * (float)band;
        sample_shape_column(shape, sides, 1.23f, 1.23f, y, y + 0.08f);
    }
    sample_shape_move(shape, sample_at(0, 3.1f, 0), 0);
    sample_shape_ball(shape, sides, 8, sample_at(1.2f, 0.5f, 1.2f));
    sample_shape_home(shape);
    sample_shape_column(shape, 12, 0.25f, 0.25f, 3.5f, 3.75f);
    return sample_mesh(builder, "tank");
}

static void place_tanks(sample_builder *builder) {
    uint32_t tank = make_tank(builder);
    for (int i = 0; i < 3; i++)
        sample_place(builder, "tank", tank, sample_at(18.6f, 0, 7.05f + 3.0f * (float)i), 0, 0);
}

// A drum on legs over a pan: its underside is at 1.35 m.
static void place_kiln(sample_builder *builder) {
    sample_shape *shape = &builder->shape;
    float x0 = 17.4f, x1 = 20.1f, z0 = 15.0f, z1 = 19.8f;
    sample_box(builder, x0, 1.35f, z0, x1, 1.6f, z1);
    sample_shape_pipe(shape, 32, 1.15f, sample_at(18.75f, 2.6f, z0 + 0.2f),
                      sample_at(18.75f, 2.6f, z1 - 0.2f));
    for (int ring = 0; ring < 4; ring++) {
        float z = z0 + 0.5f + 1.2f * (float)ring;
        sample_shape_pipe(shape, 32, 1.22f, sample_at(18.75f, 2.6f, z), sample_at(18.75f, 2.6f, z + 0.16f));
    }
    for (int i = 0; i < 6; i++) {
        float x = i & 1 ? x1 - 0.25f : x0 + 0.05f, z = z0 + 0.05f + 2.25f * (float)(i / 2);
        sample_box(builder, x, 0, z, x + 0.2f, 1.35f, z + 0.2f);
    }
    sample_finish(builder, "kiln", 0);
}

static void place_conveyor(sample_builder *builder) {
    sample_shape *shape = &builder->shape;
    const float x0 = 9.9f, x1 = 11.1f, z0 = 6.3f, z1 = 15.3f, top = 0.85f;
    for (int side = 0; side < 2; side++) {
        float x = side ? x1 - 0.08f : x0;
        sample_box(builder, x, top - 0.2f, z0, x + 0.08f, top + 0.06f, z1);
        for (int leg = 0; leg < 7; leg++) {
            float z = z0 + 0.1f + 1.45f * (float)leg;
            sample_box(builder, x, 0, z, x + 0.08f, top - 0.2f, z + 0.1f);
        }
    }
    sample_finish(builder, "conveyor frame", TR_TAG_NO_STEP);
    for (int i = 0; i < 45; i++) {
        float z = z0 + 0.1f + 0.2f * (float)i;
        sample_shape_pipe(shape, 8, 0.07f, sample_at(x0 + 0.08f, top - 0.07f, z),
                          sample_at(x1 - 0.08f, top - 0.07f, z));
    }
    sample_finish(builder, "rollers", TR_TAG_NO_STEP);
    for (int i = 0; i < 6; i++)
        sample_box(builder, x0 + 0.25f, top, z0 + 0.4f + 1.5f * (float)i, x1 - 0.25f, top + 0.45f,
                   z0 + 1.1f + 1.5f * (float)i);
    sample_finish(builder, "parcels", TR_TAG_NO_STEP);
}

// A press: a bed, two columns, a head with a cylinder, a cabinet with buttons, bolts round its foot.
static uint32_t make_press(sample_builder *builder) {
    sample_shape *shape = &builder->shape;
    sample_box(builder, -0.9f, 0, -0.75f, 0.9f, 0.75f, 0.75f);
    sample_box(builder, -0.8f, 0.75f, -0.6f, -0.5f, 1.9f, 0.6f);
    sample_box(builder, 0.5f, 0.75f, -0.6f, 0.8f, 1.9f, 0.6f);
    sample_box(builder, -0.8f, 1.9f, -0.65f, 0.8f, 2.3f, 0.65f);
    sample_shape_column(shape, 20, 0.28f, 0.28f, 1.2f, 1.9f);
    sample_shape_column(shape, 20, 0.36f, 0.36f, 1.1f, 1.2f);
    sample_shape_column(shape, 20, 0.33f, 0.33f, 2.3f, 2.8f);
    sample_box(builder, 0.92f, 0.4f, -0.3f, 1.1f, 1.5f, 0.3f);
    for (int i = 0; i < 8; i++) {
        float y = 0.9f + 0.14f * (float)(i / 2), z = i & 1 ? 0.12f : -0.12f;
        sample_shape_pipe(shape, 8, 0.04f, sample_at(1.1f, y, z), sample_at(1.13f, y, z));
    }
    for (int i = 0; i < 12; i++) {
        float x = i < 6 ? -0.7f + 0.28f * (float)i : -0.7f + 0.28f * (float)(i - 6),
              z = i < 6 ? -0.79f : 0.79f;
        sample_shape_pipe(shape, 6, 0.035f, sample_at(x, 0, z), sample_at(x, 0.09f, z));
    }
    return sample_mesh(builder, "press");
}

// A lathe: a long bed with a headstock, a chuck and a tray.
static uint32_t make_lathe(sample_builder *builder) {
    sample_shape *shape = &builder->shape;
    sample_box(builder, -1.2f, 0, -0.3f, -0.6f, 0.8f, 0.3f);
    sample_box(builder, 0.6f, 0, -0.3f, 1.2f, 0.8f, 0.3f);
    sample_box(builder, -1.3f, 0.8f, -0.35f, 1.3f, 0.95f, 0.35f);
    sample_box(builder, -1.2f, 0.95f, -0.3f, -0.5f, 1.45f, 0.3f);
    sample_shape_pipe(shape, 16, 0.18f, sample_at(-0.5f, 1.2f, 0), sample_at(-0.3f, 1.2f, 0));
    sample_shape_pipe(shape, 12, 0.05f, sample_at(-0.3f, 1.2f, 0), sample_at(0.7f, 1.2f, 0));
    sample_box(builder, 0.7f, 0.95f, -0.15f, 1.1f, 1.35f, 0.15f);
    sample_box(builder, -0.1f, 0.95f, -0.2f, 0.2f, 1.1f, 0.2f);
    for (int i = 0; i < 4; i++)
        sample_shape_pipe(shape, 8, 0.04f, sample_at(-1.1f + 0.15f * (float)i, 1.3f, 0.3f),
                          sample_at(-1.1f + 0.15f * (float)i, 1.3f, 0.35f));
    return sample_mesh(builder, "lathe");
}

static void place_machines(sample_builder *builder) {
    uint32_t press = make_press(builder), lathe = make_lathe(builder);
    for (int i = 0; i < 3; i++)
        sample_place(builder, "press", press, sample_at(6.9f, 0, 7.05f + 3.0f * (float)i), 0, TR_TAG_NO_STEP);
    for (int i = 0; i < 2; i++)
        sample_place(builder, "lathe", lathe, sample_at(2.4f, 0, 11.7f + 2.4f * (float)i), 0, TR_TAG_NO_STEP);
    sample_place(builder, "lathe", lathe, sample_at(17.7f, 0, 1.5f), 0, TR_TAG_NO_STEP);
    uint32_t shelf = sample_shelf(builder);
    for (int i = 0; i < 6; i++)
        sample_place(builder, "shelf", shelf, sample_at(5.2f + 1.25f * (float)i, DECK, 0.5f), 0, 0);
}

// Everything is above head height, also over the mezzanine and the catwalk.
static void place_pipes(sample_builder *builder) {
    const float high = 5.2f;
    for (int i = 0; i < 3; i++) {
        float z = 7.05f + 3.0f * (float)i;
        tr_vec3 line[] = {{18.6f, 3.7f, z}, {18.6f, high, z}, {6.9f, high, z}, {6.9f, 2.8f, z}};
        sample_pipe_line(builder, 0.09f, line, 4);
    }
    tr_vec3 exhaust[] = {
        {18.75f, 3.7f, 17.4f}, {18.75f, 4.9f, 17.4f}, {20.3f, 4.9f, 17.4f}, {20.3f, 4.9f, 0.5f}};
    sample_pipe_line(builder, 0.22f, exhaust, 4);
    for (int i = 0; i < 2; i++) {
        float y = 2.0f + 0.25f * (float)i;
        tr_vec3 water[] = {{0.42f, 0.0f, 10.0f + 0.3f * (float)i},
                           {0.42f, y, 10.0f + 0.3f * (float)i},
                           {0.42f, y, 0.42f},
                           {20.2f, y, 0.42f}};
        sample_pipe_line(builder, 0.07f, water, 4);
    }
    sample_finish(builder, "pipes", 0);
}

static uint32_t make_barrel(sample_builder *builder) {
    sample_shape *shape = &builder->shape;
    sample_shape_column(shape, 12, 0.27f, 0.27f, 0, 0.88f);
    for (int hoop = 0; hoop < 3; hoop++)
        sample_shape_column(shape, 12, 0.285f, 0.285f, 0.1f + 0.32f * (float)hoop,
                            0.14f + 0.32f * (float)hoop);
    sample_shape_move(shape, sample_at(0.12f, 0, 0), 0);
    sample_shape_column(shape, 8, 0.04f, 0.04f, 0.88f, 0.91f);
    sample_shape_home(shape);
    return sample_mesh(builder, "barrel");
}

static void place_barrels(sample_builder *builder) {
    static const float spots[10][3] = {
        {5.2f, 0, 14.9f},    {5.9f, 0, 15.1f},    {5.6f, 0, 14.3f},    {19.9f, 0, 3.6f},  {19.2f, 0, 3.4f},
        {0.8f, DOCK, 17.0f}, {0.8f, DOCK, 17.7f}, {0.8f, DOCK, 19.8f}, {11.9f, 0, 18.9f}, {0.9f, 0, 15.7f}};
    uint32_t mesh = make_barrel(builder);
    sample_movable_from_here(builder);
    for (int i = 0; i < 10; i++) {
        float x = spots[i][0] + sample_random(builder, -0.05f, 0.05f);
        float z = spots[i][2] + sample_random(builder, -0.05f, 0.05f);
        sample_place(builder, "barrel", mesh, sample_at(x, spots[i][1], z),
                     (double)sample_random(builder, -3, 3), 0);
    }
    sample_movable_to_here(builder);
}

void sample_factory_make(sample_builder *builder) {
    sample_grid(builder, 69, 95, 69, CELL, 0.06f);
    builder->sample.start = sample_at(2.55f, DOCK, 18.0f);
    builder->sample.goal = sample_at(14.4f, DECK, 17.1f);
    place_hall(builder);
    place_decks(builder);
    place_rails(builder);
    place_desk(builder);
    place_dock(builder);
    place_tanks(builder);
    place_kiln(builder);
    place_conveyor(builder);
    place_machines(builder);
    place_pipes(builder);
    place_barrels(builder);
    sample_storey_floor(builder, &builder->sample.ground, 1);
}
