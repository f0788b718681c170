// A house of two storeys, cut open towards +z like a doll's house to show the inside. From the living room
// stairs lead up; a footbridge without three of its boards leads from the upper floor to a deck in the
// garden, and from there steps and a ramp lead down. Hedges make sure that there is no other way to the deck.
#include "sample_storey.h"
#include "troupe/base/scalar.h"

#define GROUND 0.05f // the floor of the house
#define RISES 16
#define RISE 0.175f
#define UPPER (GROUND + RISE * RISES) // 2.85 m
#define SLAB 0.25f
#define OUTER 0.2f // thickness of walls
#define INNER 0.12f
#define DOOR 2.1f
#define EDGE 0.04f // of a railing's middle from the edge
#define BOARD 0.14f
#define BOARDS 23
#define MISSING_FIRST 10 // three boards from here on: a gap of 0.43 m
#define MISSING_END 13
#define DECK_TERRACE 1.0f // height of the terrace below the deck

static const tr_box walls = {{1, 0, 1}, {11, 5.25f, 9}};
static const sample_flight stairs = {{3.1f, GROUND, 8.2f}, SAMPLE_EAST, RISES, RISE, 0.29f, 1.1f, 0.23f};
static const tr_box well = {{3.1f, 0, 7.6f}, {7.45f, 0, 9}};
static const tr_box balcony = {{11, UPPER - 0.2f, 5.4f}, {12.3f, UPPER, 7.7f}};
static const tr_box bridge = {{12.3f, UPPER - 0.04f, 5.95f}, {12.3f + BOARDS * BOARD, UPPER, 7.15f}};
static const tr_box deck = {{12.3f + BOARDS * BOARD, UPPER - 0.1f, 4.6f}, {19.4f, UPPER, 8.4f}};
static const sample_flight garden_steps = {
    {17.4f, DECK_TERRACE, 8.4f + 9 * 0.3f}, SAMPLE_NORTH, 10, 0.185f, 0.3f, 1.4f, 0};

static void wall(sample_builder *builder, const sample_wall *wall, const sample_opening *openings,
                 uint32_t count) {
    sample_shape_wall(&builder->shape, wall, openings, count);
}

static void place_ground_storey(sample_builder *builder) {
    sample_block(builder, "ground floor", sample_at(walls.min.x, 0, walls.min.z),
                 sample_at(walls.max.x, GROUND, walls.max.z), TR_TAG_WALKABLE);
    float low = GROUND, high = UPPER - SLAB;
    sample_wall north = {false, 1.1f, 1, 11, low, high, OUTER};
    sample_wall west = {true, 1.1f, 1.2f, 9, low, high, OUTER};
    sample_wall east = {true, 10.9f, 1.2f, 9, low, high, OUTER};
    const sample_opening north_windows[] = {{2.2f, 4.4f, 1.0f, DOOR}, {7.4f, 9.6f, 0.9f, DOOR}};
    const sample_opening west_openings[] = {{2, 3.4f, 0.9f, DOOR}, {5.6f, 6.6f, 0, DOOR}};
    const sample_opening east_windows[] = {{2.2f, 3.8f, 0.9f, DOOR}, {5.6f, 8.2f, 0.9f, DOOR}};
    wall(builder, &north, north_windows, 2);
    wall(builder, &west, west_openings, 2);
    wall(builder, &east, east_windows, 2);
    sample_finish(builder, "outer walls", 0);
    sample_wall middle = {false, 5, 1.2f, 10.8f, low, high, INNER};
    sample_wall across = {true, 6, 1.2f, 4.94f, low, high, INNER};
    const sample_opening doors[] = {{2.4f, 3.4f, 0, DOOR}, {7.3f, 8.3f, 0, DOOR}};
    const sample_opening door[] = {{3.4f, 4.4f, 0, DOOR}};
    wall(builder, &middle, doors, 2);
    wall(builder, &across, door, 1);
    sample_finish(builder, "inner walls", 0);
    static const float columns[] = {2.6f, 7.75f};
    for (uint32_t i = 0; i < 2; i++)
        sample_box(builder, columns[i], low, 8.75f, columns[i] + 0.22f, high, 8.97f);
    sample_finish(builder, "columns", 0);
}

static void place_upper_storey(sample_builder *builder) {
    sample_shape *shape = &builder->shape;
    tr_box slab = {{walls.min.x, UPPER - SLAB, walls.min.z}, {walls.max.x, UPPER, walls.max.z}};
    sample_shape_slab(shape, slab, well);
    sample_finish(builder, "upper floor", TR_TAG_WALKABLE);
    float top = walls.max.y;
    sample_wall north = {false, 1.1f, 1, 11, UPPER, top, OUTER};
    sample_wall west = {true, 1.1f, 1.2f, 9, UPPER, top, OUTER};
    sample_wall east = {true, 10.9f, 1.2f, 5.06f, UPPER, top, OUTER};
    sample_wall parapet = {true, 10.9f, 5.06f, 9, UPPER, UPPER + 1, OUTER};
    const sample_opening north_windows[] = {{2.2f, 4.2f, 0.9f, DOOR}, {7, 9, 0.9f, DOOR}};
    const sample_opening west_windows[] = {{2, 3.6f, 0.9f, DOOR}, {6, 7.6f, 0.9f, DOOR}};
    const sample_opening east_window[] = {{2.2f, 3.8f, 0.9f, DOOR}};
    const sample_opening gate[] = {{6, 7.1f, 0, DOOR}}; // out to the balcony
    wall(builder, &north, north_windows, 2);
    wall(builder, &west, west_windows, 2);
    wall(builder, &east, east_window, 1);
    wall(builder, &parapet, gate, 1);
    sample_finish(builder, "outer walls", 0);
    sample_wall middle = {false, 5, 1.2f, 10.8f, UPPER, top, INNER};
    sample_wall across = {true, 5.6f, 1.2f, 4.94f, UPPER, top, INNER};
    const sample_opening doors[] = {{3, 4, 0, DOOR}, {7.4f, 8.4f, 0, DOOR}};
    wall(builder, &middle, doors, 2);
    wall(builder, &across, NULL, 0);
    sample_finish(builder, "inner walls", 0);
}

static void rail(sample_builder *builder, float x0, float z0, float x1, float z1) {
    sample_shape_rail(&builder->shape, sample_at(x0, UPPER, z0), sample_at(x1, UPPER, z1));
}

static void place_stairs(sample_builder *builder) {
    sample_shape_flight(&builder->shape, &stairs);
    sample_finish(builder, "stairs", TR_TAG_WALKABLE);
    sample_shape_flight_rail(&builder->shape, &stairs, -1, 2);
    sample_shape_flight_rail(&builder->shape, &stairs, 1, 2);
    sample_finish(builder, "handrails", 0);
    float front = walls.max.z - EDGE;
    rail(builder, well.min.x - EDGE, well.min.z - EDGE, well.max.x, well.min.z - EDGE);
    rail(builder, well.min.x - EDGE, well.min.z, well.min.x - EDGE, front - EDGE);
    rail(builder, 1.2f, front, well.min.x, front);
    rail(builder, well.max.x, front, 10.8f, front);
    sample_finish(builder, "gallery railing", 0);
}

// Boards are 1 cm apart. The beams that carry them lie under the rails, where a body cannot stand.
static void place_bridge(sample_builder *builder) {
    sample_shape_box(&builder->shape, balcony.min, balcony.max);
    sample_finish(builder, "balcony", TR_TAG_WALKABLE);
    for (int i = 0; i < BOARDS; i++) {
        float x = bridge.min.x + BOARD * (float)i;
        if (i < MISSING_FIRST || i >= MISSING_END)
            sample_box(builder, x + 0.005f, bridge.min.y, bridge.min.z, x + BOARD - 0.005f, UPPER,
                       bridge.max.z);
    }
    sample_finish(builder, "bridge boards", TR_TAG_WALKABLE);
    float left = bridge.min.z + EDGE, right = bridge.max.z - EDGE, low = bridge.min.y;
    sample_box(builder, bridge.min.x, low - 0.2f, left - 0.03f, bridge.max.x, low, left + 0.03f);
    sample_box(builder, bridge.min.x, low - 0.2f, right - 0.03f, bridge.max.x, low, right + 0.03f);
    sample_finish(builder, "bridge beams", TR_TAG_NO_STEP);
    rail(builder, bridge.min.x, left, bridge.max.x, left);
    rail(builder, bridge.min.x, right, bridge.max.x, right);
    sample_finish(builder, "bridge rails", 0);
    float outer = balcony.max.x - EDGE, north = balcony.min.z + EDGE, south = balcony.max.z - EDGE;
    rail(builder, balcony.min.x, north, balcony.max.x, north);
    rail(builder, balcony.min.x, south, balcony.max.x, south);
    rail(builder, outer, north + EDGE, outer, left);
    rail(builder, outer, right, outer, south - EDGE);
    sample_finish(builder, "balcony rails", 0);
}

static void place_deck(sample_builder *builder) {
    sample_shape_box(&builder->shape, deck.min, deck.max);
    sample_finish(builder, "deck", TR_TAG_WALKABLE);
    float west = deck.min.x + EDGE, east = deck.max.x - EDGE, north = deck.min.z + EDGE,
          south = deck.max.z - EDGE, half = garden_steps.width / 2;
    rail(builder, west, north, east, north);
    rail(builder, east, north + EDGE, east, south);
    rail(builder, west, north + EDGE, west, bridge.min.z + EDGE);
    rail(builder, west, bridge.max.z - EDGE, west, south);
    rail(builder, west + EDGE, south, garden_steps.foot.x - half, south);
    rail(builder, garden_steps.foot.x + half, south, east - EDGE, south);
    sample_finish(builder, "deck rails", 0);
    for (int i = 0; i < 6; i++) {
        float x = deck.min.x + 0.1f + 1.77f * (float)(i % 3),
              z = i < 3 ? deck.min.z + 0.1f : deck.max.z - 0.22f;
        sample_box(builder, x, 0, z, x + 0.12f, deck.min.y, z + 0.12f);
    }
    sample_finish(builder, "deck posts", 0);
    float foot = garden_steps.foot.z;
    sample_shape_flight(&builder->shape, &garden_steps);
    sample_finish(builder, "garden steps", TR_TAG_WALKABLE);
    sample_block(builder, "terrace", sample_at(16.2f, 0, foot), sample_at(19.4f, DECK_TERRACE, foot + 1.5f),
                 TR_TAG_WALKABLE);
    tr_box ramp = {{11.9f, 0, foot}, {16.2f, DECK_TERRACE, foot + 1.4f}};
    sample_shape_ramp(&builder->shape, ramp, SAMPLE_EAST);
    sample_finish(builder, "ramp", TR_TAG_WALKABLE);
    // The base of the steps, closed so that bodies cannot walk under them.
    sample_block(builder, "retaining wall", sample_at(garden_steps.foot.x - half, 0, deck.max.z),
                 sample_at(garden_steps.foot.x + half, DECK_TERRACE, foot), 0);
}

static void place_garden(sample_builder *builder) {
    sample_shape *shape = &builder->shape;
    float depth = builder->sample.ground.max.z;
    sample_box(builder, 10.6f, 0, 9, 11, 1.4f, depth);
    sample_box(builder, 10.6f, 0, 0, 11, 1.4f, 1);
    sample_finish(builder, "hedge", 0);
    static const tr_vec3 trees[3] = {{13.4f, 0, 2.4f}, {18.2f, 0, 2.2f}, {2.2f, 0, 11.3f}};
    for (int i = 0; i < 3; i++) {
        float size = sample_random(builder, 0.8f, 1.1f);
        sample_shape_move(shape, trees[i], (double)sample_random(builder, 0, 3));
        sample_shape_column(shape, 7, 0.12f, 0.08f, 0, 1.6f);
        sample_shape_move(shape, sample_at(trees[i].x, 1.5f + size, trees[i].z), 0);
        sample_shape_ball(shape, 10, 7, sample_at(size, 1.15f * size, size));
    }
    sample_shape_home(shape);
    sample_finish(builder, "trees", TR_TAG_NO_STEP);
    for (int i = 0; i < 2; i++)
        sample_box(builder, 5.2f + 1.1f * (float)i, 0, 11.6f, 5.3f + 1.1f * (float)i, 0.42f, 12);
    sample_box(builder, 4.9f, 0.42f, 11.55f, 6.7f, 0.47f, 12.05f);
    sample_finish(builder, "bench", TR_TAG_NO_STEP);
}

void sample_house_make(sample_builder *builder) {
    sample_grid(builder, 400, 108, 260, 0.05f, 0.05f);
    builder->sample.start = sample_at(8.0f, GROUND, 6.8f);
    builder->sample.goal = sample_at(17.4f, UPPER, 6.5f);
    place_ground_storey(builder);
    place_upper_storey(builder);
    place_stairs(builder);
    place_bridge(builder);
    place_deck(builder);
    place_garden(builder);
    sample_house_furnish(builder, GROUND, UPPER);
    sample_storey_floor(builder, &builder->sample.ground, 1);
}
