// A square for a number of people, 10 square metres each: a fountain in the middle, trees and benches all
// over it, spaced so widely that no person is enclosed.
#include "sample_storey.h"
#include "troupe/base/scalar.h"

#define AREA 10.0f // for each of the people [m2]
#define PITCH 6.0f // least distance between two objects [m]
#define JITTER 1.0f

static uint32_t make_tree(sample_builder *builder) {
    sample_shape *shape = &builder->shape;
    sample_shape_column(shape, 8, 0.25f, 0.18f, 0, 2.6f);
    sample_shape_move(shape, sample_at(0, 3.9f, 0), 0);
    sample_shape_ball(shape, 8, 5, sample_at(1.6f, 1.5f, 1.6f));
    return sample_mesh(builder, "tree");
}

static uint32_t make_bench(sample_builder *builder) {
    sample_box(builder, -0.9f, 0.4f, -0.25f, 0.9f, 0.45f, 0.25f);
    sample_box(builder, -0.9f, 0.5f, -0.3f, 0.9f, 0.9f, -0.25f);
    sample_box(builder, -0.8f, 0, -0.2f, -0.7f, 0.4f, 0.2f);
    sample_box(builder, 0.7f, 0, -0.2f, 0.8f, 0.4f, 0.2f);
    return sample_mesh(builder, "bench");
}

// Two basins, one above the other, and a jet.
static void place_fountain(sample_builder *builder, float radius) {
    sample_shape *shape = &builder->shape;
    sample_shape_column(shape, 16, radius, radius, 0, 0.5f);
    sample_shape_column(shape, 12, 0.2f * radius, 0.15f * radius, 0.5f, 1.1f);
    sample_shape_column(shape, 12, 0.2f * radius, 0.5f * radius, 1.1f, 1.3f);
    sample_shape_column(shape, 6, 0.03f, 0.02f, 1.3f, 2.2f);
    sample_finish(builder, "fountain", TR_TAG_NO_STEP);
}

typedef struct square {
    float side, pitch, fountain; // radius of the fountain
    uint32_t cells;              // along a side
} square;

// The objects of one kind: `odd` selects the fields of the chessboard. Each field has its own seed.
static void place_things(sample_builder *builder, const square *all, uint32_t odd, const char *name,
                         uint32_t mesh, uint32_t tags) {
    for (uint32_t i = 0; i < all->cells * all->cells; i++) {
        uint32_t column = i % all->cells, row = i / all->cells;
        tr_random random = tr_random_seed(builder->seed + 0x9e3779b97f4a7c15u * (i + 1));
        float x = all->pitch * ((float)column + 0.5f) - all->side / 2;
        float z = all->pitch * ((float)row + 0.5f) - all->side / 2;
        x += tr_random_between(&random, -JITTER, JITTER);
        z += tr_random_between(&random, -JITTER, JITTER);
        double heading = 2 * TR_PI * (double)tr_random_unit(&random);
        float away = all->fountain + 2.5f;
        if ((column + row) % 2 == odd && x * x + z * z > away * away)
            sample_place(builder, name, mesh, sample_at(x, 0, z), heading, tags);
    }
}

void sample_plaza_make(sample_builder *builder) {
    tr_sample *sample = &builder->sample;
    square all = {.side = sqrtf(AREA * (float)sample->people)};
    all.cells = (uint32_t)(all.side / PITCH);
    all.pitch = all.cells ? all.side / (float)all.cells : all.side;
    all.fountain = all.side < 30 ? all.side / 10 : 3;
    place_fountain(builder, all.fountain);
    uint32_t tree = make_tree(builder), bench = make_bench(builder);
    place_things(builder, &all, 0, "tree", tree, 0);
    sample_movable_from_here(builder);
    place_things(builder, &all, 1, "bench", bench, TR_TAG_NO_STEP);
    sample_movable_to_here(builder);
    float half = all.side / 2;
    tr_box floor = sample_ground(half, half);
    sample_slab_floor(builder, &floor, 1);
    sample->ground = floor;
    sample->start = sample_at(-half + 1, 0, -half + 1);
    sample->goal = sample_at(half - 1, 0, half - 1);
}
