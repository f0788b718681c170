// The furniture of the sample house. Some furniture that should not be stepped on is tagged, some is not: a
// bed and a coffee table are left to the guess from shape.
#include "sample_storey.h"
#include "troupe/base/scalar.h"

typedef struct storey_plan {
    sample_builder *builder;
    float floor;
} storey_plan;

// Quarters: the direction of the front, in quarter turns from +Z.
static void put(const storey_plan *plan, const char *name, uint32_t mesh, float x, float z, double quarters,
                uint32_t tags) {
    sample_place(plan->builder, name, mesh, sample_at(x, plan->floor, z), quarters * 0.5 * TR_PI, tags);
}

static uint32_t make_bed(sample_builder *builder) {
    sample_box(builder, -0.9f, 0.1f, -1.0f, 0.9f, 0.3f, 1.0f);
    sample_box(builder, -0.87f, 0.3f, -0.97f, 0.87f, 0.5f, 0.97f);
    sample_box(builder, -0.9f, 0.1f, -1.06f, 0.9f, 1.0f, -1.0f);
    for (int side = -1; side < 2; side += 2)
        sample_box(builder, 0.43f * (float)side - 0.33f, 0.5f, -0.9f, 0.43f * (float)side + 0.33f, 0.6f,
                   -0.5f);
    for (int corner = 0; corner < 4; corner++) {
        float x = corner & 1 ? 0.8f : -0.86f, z = corner & 2 ? 0.9f : -0.96f;
        sample_box(builder, x, 0, z, x + 0.06f, 0.1f, z + 0.06f);
    }
    return sample_mesh(builder, "bed");
}

static uint32_t make_wardrobe(sample_builder *builder) {
    sample_box(builder, -0.9f, 0, -0.3f, 0.9f, 2.0f, 0.3f);
    for (int door = 0; door < 3; door++) {
        float x = -0.88f + 0.59f * (float)door;
        sample_box(builder, x, 0.08f, 0.3f, x + 0.57f, 1.95f, 0.32f);
        sample_box(builder, x + 0.48f, 0.95f, 0.32f, x + 0.5f, 1.1f, 0.34f);
    }
    return sample_mesh(builder, "wardrobe");
}

// A run of cupboards with a worktop, a hob and a sink's rim.
static uint32_t make_counter(sample_builder *builder) {
    for (int i = 0; i < 5; i++) {
        float x = -1.5f + 0.6f * (float)i;
        sample_box(builder, x, 0.08f, -0.3f, x + 0.6f, 0.86f, 0.27f);
        sample_box(builder, x + 0.02f, 0.1f, 0.27f, x + 0.58f, 0.84f, 0.29f);
    }
    sample_box(builder, -1.5f, 0, -0.3f, 1.5f, 0.08f, 0.22f);
    sample_box(builder, -1.52f, 0.86f, -0.3f, 1.52f, 0.9f, 0.31f);
    for (int i = 0; i < 4; i++) {
        sample_shape_move(&builder->shape, sample_at(-0.45f + (i & 1 ? 0.26f : 0), 0, i & 2 ? 0.12f : -0.12f),
                          0);
        sample_shape_column(&builder->shape, 12, 0.1f, 0.1f, 0.9f, 0.915f);
    }
    sample_shape_home(&builder->shape);
    sample_box(builder, 0.5f, 0.9f, -0.2f, 1.1f, 0.91f, 0.2f);
    return sample_mesh(builder, "counter");
}

static uint32_t make_bath(sample_builder *builder) {
    tr_box rim = {{-0.85f, 0.1f, -0.4f}, {0.85f, 0.58f, 0.4f}};
    tr_box hollow = {{-0.75f, 0, -0.3f}, {0.75f, 0, 0.3f}};
    sample_shape_slab(&builder->shape, rim, hollow);
    sample_box(builder, -0.85f, 0, -0.4f, 0.85f, 0.1f, 0.4f);
    return sample_mesh(builder, "bath");
}

static void furnish_below(const storey_plan *plan, uint32_t shelf, uint32_t books) {
    sample_builder *builder = plan->builder;
    uint32_t sofa = sample_sofa(builder), dining = sample_table(builder, "dining table", 0.7f, 0.45f, 0.74f);
    uint32_t coffee = sample_table(builder, "coffee table", 0.5f, 0.28f, 0.4f), desk = sample_desk(builder);
    put(plan, "sofa", sofa, 5.4f, 5.5f, 0, TR_TAG_NO_STEP);
    put(plan, "coffee table", coffee, 5.4f, 6.4f, 0, 0);
    put(plan, "dining table", dining, 9.5f, 7.5f, 1, TR_TAG_NO_STEP);
    put(plan, "shelf", shelf, 9.6f, 5.24f, 0, 0);
    put(plan, "books", books, 9.6f, 5.24f, 0, 0);
    put(plan, "plant", sample_plant(builder), 1.5f, 5.36f, 0, 0);
    put(plan, "counter", make_counter(builder), 2.74f, 1.52f, 0, TR_TAG_NO_STEP);
    sample_box(builder, -0.32f, 0, -0.32f, 0.32f, 1.8f, 0.32f);
    put(plan, "fridge", sample_mesh(builder, "fridge"), 4.7f, 1.55f, 0, 0);
    put(plan, "desk", desk, 9.3f, 1.75f, 0, TR_TAG_NO_STEP);
    put(plan, "drawers", sample_drawers(builder), 9.8f, 1.8f, 0, TR_TAG_NO_STEP);
}

static void furnish_above(const storey_plan *plan, uint32_t shelf, uint32_t books) {
    sample_builder *builder = plan->builder;
    uint32_t bed = make_bed(builder), wardrobe = make_wardrobe(builder);
    put(plan, "bed", bed, 2.4f, 2.35f, 0, 0);
    put(plan, "wardrobe", wardrobe, 5.2f, 2.4f, 3, 0);
    put(plan, "bath", make_bath(builder), 9.9f, 2.2f, 1, TR_TAG_NO_STEP);
    sample_box(builder, -0.3f, 0.6f, -0.25f, 0.3f, 0.85f, 0.25f);
    sample_shape_column(&builder->shape, 10, 0.14f, 0.1f, 0, 0.6f);
    put(plan, "basin", sample_mesh(builder, "basin"), 6.6f, 1.46f, 0, TR_TAG_NO_STEP);
    put(plan, "shelf", shelf, 5.4f, 5.24f, 0, 0);
    put(plan, "books", books, 5.4f, 5.24f, 0, 0);
    put(plan, "plant", sample_plant(builder), 10.45f, 5.45f, 0, 0);
}

static void place_chairs(const storey_plan *plan) {
    static const float spots[6][3] = {{8.8f, 7.15f, 1},  {8.8f, 7.85f, 1}, {10.2f, 7.15f, 3},
                                      {10.2f, 7.85f, 3}, {9.2f, 2.35f, 2}, {4.4f, 3.6f, 1}};
    uint32_t chair = sample_kitchen_chair(plan->builder);
    sample_movable_from_here(plan->builder);
    for (int i = 0; i < 6; i++) {
        float x = spots[i][0] + sample_random(plan->builder, -0.03f, 0.03f);
        float z = spots[i][1] + sample_random(plan->builder, -0.03f, 0.03f);
        double turn = (double)sample_random(plan->builder, -0.1f, 0.1f);
        put(plan, "chair", chair, x, z, (double)spots[i][2] + turn, TR_TAG_NO_STEP);
    }
    sample_movable_to_here(plan->builder);
}

void sample_house_furnish(sample_builder *builder, float ground, float upper) {
    uint32_t shelf = sample_shelf(builder), books = sample_books(builder, 48);
    storey_plan below = {builder, ground}, above = {builder, upper};
    furnish_below(&below, shelf, books);
    furnish_above(&above, shelf, books);
    place_chairs(&below);
}
