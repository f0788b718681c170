// Four blocks of a city, 200 m x 200 m, for scale: streets with kerbs, twelve buildings round a green yard in
// each block, cars, trees, lamps, benches. A fence divides the main street, which can be crossed by the
// footbridge or at the crossroads. The seed decides the heights of the buildings and the exact places of
// objects; their number is always the same.
#include "sample_city.h"
#include "troupe/base/scalar.h"

#define SIDE 200.0f
#define KERB 0.15f
#define STREET 14.0f // width of the two streets
#define BORDER 5.0f  // half a street around
#define BLOCK ((SIDE - STREET) / 2 - BORDER)
#define PAVEMENT 4.0f
#define LOTS 4 // on a side of a block
#define LOT ((BLOCK - 2 * PAVEMENT) / LOTS)
#define BLOCKS 4
#define BUILDINGS (BLOCKS * 12)
#define GOAL_BUILDING 9 // second from the west, facing the main street from the north
#define GOAL_STOREYS 4
#define BRIDGE_RISES 27
#define BRIDGE (KERB + 4.8f)
#define BINS 32

typedef struct block_plan {
    float x, z; // its corner
} block_plan;

static block_plan block_at(uint32_t index) {
    block_plan block = {index & 1 ? SIDE - BORDER - BLOCK : BORDER,
                        index & 2 ? SIDE - BORDER - BLOCK : BORDER};
    return block;
}

// Building 0 to 3 face north, 4 and 5 west, 6 and 7 east, 8 to 11 south.
static sample_city_building lot_building(uint32_t index) {
    block_plan block = block_at(index / 12);
    uint32_t number = index % 12;
    float near = PAVEMENT + SAMPLE_CITY_DEPTH / 2, far = BLOCK - near;
    float along = PAVEMENT + LOT * ((float)(number % 4) + 0.5f);
    sample_city_building building = {.at = {block.x + along, KERB, block.z + near}, .heading = TR_PI};
    if (number >= 8) {
        building.at.z = block.z + far;
        building.heading = 0;
    } else if (number >= 4) {
        along = PAVEMENT + LOT * ((float)(number % 2) + 1.5f);
        building.at = sample_at(block.x + (number < 6 ? near : far), KERB, block.z + along);
        building.heading = number < 6 ? -0.5 * TR_PI : 0.5 * TR_PI;
    }
    return building;
}

static void place_buildings(sample_builder *builder) {
    static const uint8_t heights[6] = {2, 3, 4, 5, 3, 4};
    uint8_t storeys[BUILDINGS];
    bool open[BUILDINGS];
    for (uint32_t i = 0; i < BUILDINGS; i++) {
        storeys[i] = heights[i % 6];
        open[i] = i / 6 % 2 == 0;
    }
    for (uint32_t i = BUILDINGS - 1; i > 0; i--) { // shuffles the buildings; the pair stays together
        uint32_t other = tr_random_below(&builder->random, i + 1);
        uint8_t height = storeys[i];
        bool was_open = open[i];
        storeys[i] = storeys[other];
        open[i] = open[other];
        storeys[other] = height;
        open[other] = was_open;
    }
    for (uint32_t i = 0; i < BUILDINGS; i++) // swaps the goal's building with one like it
        if (open[i] && storeys[i] == GOAL_STOREYS) {
            storeys[i] = storeys[GOAL_BUILDING];
            open[i] = open[GOAL_BUILDING];
            storeys[GOAL_BUILDING] = GOAL_STOREYS;
            open[GOAL_BUILDING] = true;
            break;
        }
    sample_city_parts parts = sample_city_make_parts(builder);
    for (uint32_t i = 0; i < BUILDINGS; i++) {
        sample_city_building building = lot_building(i);
        building.storeys = storeys[i];
        building.open = open[i];
        sample_city_build(builder, &parts, &building);
    }
}

static void place_blocks(sample_builder *builder) {
    sample_box(builder, 0, 0, 0, BLOCK, KERB, BLOCK);
    uint32_t pavement = sample_mesh(builder, "pavement");
    for (uint32_t i = 0; i < BLOCKS; i++) {
        block_plan block = block_at(i);
        sample_place(builder, "pavement", pavement, sample_at(block.x, 0, block.z), 0, TR_TAG_WALKABLE);
    }
    const float middle = SIDE / 2, gap = STREET / 2 + 1;
    sample_shape_rail(&builder->shape, sample_at(0.1f, 0, middle), sample_at(middle - gap, 0, middle));
    sample_shape_rail(&builder->shape, sample_at(middle + gap, 0, middle), sample_at(SIDE - 0.1f, 0, middle));
    sample_finish(builder, "fence", 0);
}

// Up from the southern pavement, over the main street, down to the northern one.
static void place_bridge(sample_builder *builder) {
    sample_shape *shape = &builder->shape;
    const float rise = (BRIDGE - KERB) / BRIDGE_RISES, south = SIDE / 2 + STREET / 2 + 2.3f,
                north = SIDE / 2 - STREET / 2 - 2.3f, half = 1;
    sample_flight flights[2] = {{{52, KERB, south}, SAMPLE_EAST, BRIDGE_RISES, rise, 0.29f, 2 * half, 0.3f},
                                {{52, KERB, north}, SAMPLE_EAST, BRIDGE_RISES, rise, 0.29f, 2 * half, 0.3f}};
    for (int i = 0; i < 2; i++)
        sample_shape_flight(shape, &flights[i]);
    float west = sample_flight_head(&flights[0]).x, east = west + 2.2f, edge = 0.04f;
    sample_box(builder, west, BRIDGE - 0.25f, north - half, east, BRIDGE, south + half);
    sample_finish(builder, "footbridge", TR_TAG_WALKABLE);
    for (int i = 0; i < 2; i++) {
        sample_shape_flight_rail(shape, &flights[i], -1, 3);
        sample_shape_flight_rail(shape, &flights[i], 1, 3);
    }
    sample_shape_rail(shape, sample_at(east - edge, BRIDGE, north - half),
                      sample_at(east - edge, BRIDGE, south + half));
    sample_shape_rail(shape, sample_at(west + edge, BRIDGE, north + half),
                      sample_at(west + edge, BRIDGE, south - half));
    for (int i = 0; i < 2; i++) {
        float z = i ? south + half - edge : north - half + edge;
        sample_shape_rail(shape, sample_at(west, BRIDGE, z), sample_at(east - 2 * edge, BRIDGE, z));
    }
    sample_finish(builder, "bridge railing", 0);
    for (int i = 0; i < 3; i++) {
        float z = i == 0 ? north : i == 1 ? SIDE / 2 : south, foot = i == 1 ? 0 : KERB;
        sample_shape_move(shape, sample_at((west + east) / 2, 0, z), 0);
        sample_shape_column(shape, 12, 0.25f, 0.25f, foot, BRIDGE - 0.25f);
    }
    sample_shape_home(shape);
    sample_finish(builder, "bridge piers", 0);
}

static uint32_t make_car(sample_builder *builder) {
    sample_shape *shape = &builder->shape;
    sample_box(builder, -2.15f, 0.28f, -0.86f, 2.15f, 0.82f, 0.86f);
    // A truncated square pyramid, stretched into a cabin.
    tr_affine cabin = {{{1.55f, 0, 0, -0.2f}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
    shape->frame = cabin;
    sample_shape_column(shape, 4, 1.13f, 0.9f, 0.82f, 1.42f);
    sample_shape_home(shape);
    for (int i = 0; i < 4; i++) {
        float x = i & 1 ? 1.35f : -1.35f, z = i & 2 ? 0.68f : -0.88f;
        sample_shape_pipe(shape, 10, 0.31f, sample_at(x, 0.31f, z), sample_at(x, 0.31f, z + 0.2f));
    }
    return sample_mesh(builder, "car");
}

// Parked along both kerbs of both streets.
static void place_cars(sample_builder *builder) {
    uint32_t mesh = make_car(builder);
    for (uint32_t i = 0; i < 88; i++) {
        uint32_t spot = i % 11, side = i / 11;
        float along = (side & 1 ? SIDE / 2 + 16 : 13) + 7 * (float)spot + sample_random(builder, -0.4f, 0.4f);
        float across = SIDE / 2 + (side & 2 ? 1 : -1) * (STREET / 2 - 1.15f);
        double turn = (double)sample_random(builder, -0.02f, 0.02f);
        tr_vec3 at = side & 4 ? sample_at(across, 0, along) : sample_at(along, 0, across);
        sample_place(builder, "car", mesh, at, turn + (side & 4 ? 0.5 * TR_PI : 0), TR_TAG_NO_STEP);
    }
}

static uint32_t make_tree(sample_builder *builder) {
    sample_shape *shape = &builder->shape;
    sample_shape_column(shape, 7, 0.16f, 0.11f, 0, 2.7f);
    sample_shape_move(shape, sample_at(0, 4.0f, 0), 0);
    sample_shape_ball(shape, 10, 6, sample_at(1.3f, 1.6f, 1.3f));
    return sample_mesh(builder, "tree");
}

static uint32_t make_lamp(sample_builder *builder) {
    sample_shape *shape = &builder->shape;
    sample_shape_column(shape, 8, 0.09f, 0.05f, 0, 5.4f);
    sample_box(builder, -0.04f, 5.3f, 0, 0.04f, 5.38f, 1.3f);
    sample_box(builder, -0.1f, 5.2f, 1.0f, 0.1f, 5.3f, 1.5f);
    return sample_mesh(builder, "lamp post");
}

static uint32_t make_bench(sample_builder *builder) {
    for (int i = 0; i < 2; i++)
        sample_box(builder, i ? 0.6f : -0.68f, 0, -0.2f, i ? 0.68f : -0.6f, 0.42f, 0.2f);
    for (int i = 0; i < 3; i++)
        sample_box(builder, -0.8f, 0.42f, -0.22f + 0.15f * (float)i, 0.8f, 0.46f, -0.1f + 0.15f * (float)i);
    sample_box(builder, -0.8f, 0.55f, -0.26f, 0.8f, 0.85f, -0.22f);
    return sample_mesh(builder, "bench");
}

// A place on the pavement of a block: `along` one of its four sides, `in` from the kerb. Sides: north, east,
// south, west.
static tr_vec3 pavement_at(uint32_t index, uint32_t side, float along, float in) {
    block_plan block = block_at(index);
    float x = side == 1 ? BLOCK - in : side == 3 ? in : along;
    float z = side == 0 ? in : side == 2 ? BLOCK - in : along;
    return sample_at(block.x + x, KERB, block.z + z);
}

// The pavements at the footbridge must stay free.
static bool is_by_bridge(tr_vec3 at) {
    return at.x > 47 && at.x < 65 && fabsf(at.z - SIDE / 2) < STREET / 2 + PAVEMENT;
}

static void place_trees(sample_builder *builder) {
    static const double towards_street[4] = {TR_PI, 0.5 * TR_PI, 0, -0.5 * TR_PI};
    uint32_t tree = make_tree(builder), lamp = make_lamp(builder), bench = make_bench(builder);
    for (uint32_t i = 0; i < BLOCKS * 4 * 8; i++) {
        uint32_t block = i / 32, side = i / 8 % 4;
        tr_vec3 at = pavement_at(block, side, 8.5f + 10 * (float)(i % 8), 1.0f);
        if (is_by_bridge(at))
            continue;
        double turn = (double)sample_random(builder, 0, 3);
        if (i % 2)
            sample_place(builder, "tree", tree, at, turn, TR_TAG_NO_STEP);
        else
            sample_place(builder, "lamp post", lamp, at, towards_street[side], TR_TAG_NO_STEP);
    }
    for (uint32_t i = 0; i < BLOCKS * 16; i++) { // the yard: rows of trees, a bench under every second one
        block_plan block = block_at(i / 16);
        float x = block.x + BLOCK / 2 + 9 * ((float)(i % 4) - 1.5f), z = block.z + BLOCK / 2;
        z += 9 * ((float)(i / 4 % 4) - 1.5f);
        float aside = sample_random(builder, -1.2f, 1.2f), ahead = sample_random(builder, -1.2f, 1.2f);
        sample_place(builder, "tree", tree, sample_at(x + aside, KERB, z + ahead), (double)aside,
                     TR_TAG_NO_STEP);
        if (i % 2)
            sample_place(builder, "bench", bench, sample_at(x + 4.5f, KERB, z), (double)(i % 4) * 0.5 * TR_PI,
                         TR_TAG_NO_STEP);
    }
}

static void place_bins(sample_builder *builder) {
    sample_shape_column(&builder->shape, 10, 0.22f, 0.26f, 0, 0.8f);
    uint32_t mesh = sample_mesh(builder, "bin");
    sample_movable_from_here(builder);
    for (uint32_t i = 0; i < BINS; i++) {
        float along = 12 + 20 * (float)(i % 2) + sample_random(builder, 0, 8);
        sample_place(builder, "bin", mesh, pavement_at(i / 8, i / 2 % 4, along, 0.4f), 0, TR_TAG_NO_STEP);
    }
    sample_movable_to_here(builder);
}

void sample_city_make(sample_builder *builder) {
    sample_grid(builder, 4000, 180, 4000, 0.05f, 0.1f);
    tr_vec3 home = lot_building(GOAL_BUILDING).at;
    builder->sample.start = sample_at(home.x + 2, KERB, SIDE / 2 + STREET / 2 + 2);
    builder->sample.goal = sample_at(home.x + 5, KERB + 0.05f + 2 * SAMPLE_CITY_STOREY, home.z + 3);
    place_blocks(builder);
    place_buildings(builder);
    place_bridge(builder);
    place_cars(builder);
    place_trees(builder);
    place_bins(builder);
    sample_storey_floor(builder, &builder->sample.ground, 1);
}
