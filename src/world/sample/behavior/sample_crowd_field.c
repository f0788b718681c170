// Figure 1 of Lau & Kuffner 2005: a field for a number of people, with a few things that stand and a few that
// move to and fro on lanes between them.
#include "sample_behavior.h"
#include "troupe/base/scalar.h"

#define AREA 12.5f   // for each of the people: 0.08 people a square metre [m2]
#define PITCH 7.0f   // least distance between the rows of things [m]
#define MOVER_FOR 20 // people: one mover for so many
#define MOVERS_LEAST 2
#define KEYS 24    // of a mover from one end of its lane to the other
#define SPEED 1.1  // [m/s] on average
#define LANE 12.0f // longest lane [m]

typedef struct field {
    float side, pitch;
    uint32_t cells; // along a side
} field;

static uint32_t make_thing(sample_builder *builder, uint32_t kind) {
    sample_shape *shape = &builder->shape;
    switch (kind) {
    case 0:
        sample_shape_column(shape, 12, 0.7f, 0.6f, 0, 1.5f);
        break;
    case 1:
        sample_box(builder, -1.3f, 0, -0.25f, 1.3f, 1.2f, 0.25f);
        break;
    default:
        sample_shape_pipe(shape, 12, SAMPLE_LOG, sample_at(-1.4f, SAMPLE_LOG, 0),
                          sample_at(1.4f, SAMPLE_LOG, 0));
        break;
    }
    return sample_mesh(builder, kind == 0 ? "stone" : kind == 1 ? "wall" : "log");
}

// Half of the cells has a thing near its middle.
static void place_things(sample_builder *builder, const field *all) {
    uint32_t meshes[3];
    for (uint32_t kind = 0; kind < 3; kind++)
        meshes[kind] = make_thing(builder, kind);
    sample_movable_from_here(builder);
    for (uint32_t i = 0; i < all->cells * all->cells && builder->status == TR_OK; i++) {
        tr_random random = tr_random_seed(builder->seed + 0x9e3779b97f4a7c15u * (i + 1));
        float x = all->pitch * ((float)(i % all->cells) + 0.5f) - all->side / 2;
        float z = all->pitch * ((float)(i / all->cells) + 0.5f) - all->side / 2;
        x += tr_random_between(&random, -0.8f, 0.8f);
        z += tr_random_between(&random, -0.5f, 0.5f);
        double heading = (double)tr_random_between(&random, -0.5f, 0.5f);
        uint32_t kind = tr_random_below(&random, 3), chance = tr_random_below(&random, 2);
        // Start and goal, in the first and the last cell, have room around them.
        bool is_end = i == 0 || i + 1 == all->cells * all->cells;
        if (all->cells == 1 || i == 1 || (chance == 0 && !is_end))
            sample_place(builder,
                         kind == 0   ? "stone"
                         : kind == 1 ? "wall"
                                     : "log",
                         meshes[kind], sample_at(x, 0, z), heading, kind == 2 ? TR_TAG_JUMP_OVER : 0);
    }
    sample_movable_to_here(builder);
}

// To and fro between two ends of a lane, at rest at both.
static void move(sample_builder *builder, uint32_t object, float middle, float half, float z, double begin) {
    double times[2 * KEYS + 1], leg = 2 * (double)half / SPEED;
    tr_transform places[2 * KEYS + 1];
    for (uint32_t i = 0; i <= 2 * KEYS; i++) {
        double part = i <= KEYS ? (double)i / KEYS : 2 - (double)i / KEYS;
        float x = middle + half * (float)(2 * tr_ease(part) - 1);
        times[i] = begin + leg * (double)i / KEYS;
        places[i] = sample_transform(sample_at(x, 0, z), tr_quat_identity());
    }
    sample_motion(builder, object, times, places, 2 * KEYS + 1, true);
}

// Lanes lie between the rows of things, so that nothing that moves meets anything that stands.
static void place_movers(sample_builder *builder, const field *all) {
    uint32_t lanes = all->cells > 1 ? all->cells - 1 : 0, count = builder->sample.people / MOVER_FOR;
    float inside = all->side / 2 - SAMPLE_BORDER - 1, length = inside < LANE / 2 ? 2 * inside : LANE;
    uint32_t in_lane = (uint32_t)(2 * inside / length), most = lanes * in_lane;
    count = count < MOVERS_LEAST ? MOVERS_LEAST : count;
    count = count < most ? count : most;
    sample_box(builder, -0.6f, 0.0f, -0.4f, 0.6f, 1.1f, 0.4f);
    uint32_t mesh = sample_mesh(builder, "cart");
    for (uint32_t i = 0; i < count && builder->status == TR_OK; i++) {
        uint32_t place = (uint32_t)((uint64_t)i * most / count), lane = place % lanes, part = place / lanes;
        float room = 2 * inside / (float)in_lane, middle = -inside + room * ((float)part + 0.5f);
        float z = all->pitch * (float)(lane + 1) - all->side / 2, half = room / 2 - 0.8f;
        double begin = -(double)sample_random(builder, 0, 20);
        uint32_t cart = sample_place(builder, "cart", mesh, sample_at(middle, 0, z), 0, 0);
        move(builder, cart, middle, half, z, begin);
    }
}

void sample_crowd_field_make(sample_builder *builder) {
    tr_sample *sample = &builder->sample;
    field all = {.side = sqrtf(AREA * (float)sample->people) + 2 * SAMPLE_BORDER};
    all.cells = (uint32_t)(all.side / PITCH);
    all.cells = all.cells ? all.cells : 1;
    all.pitch = all.side / (float)all.cells;
    place_movers(builder, &all);
    place_things(builder, &all);
    sample_behavior_field(builder, all.side / 2, all.side / 2, SAMPLE_BORDER_TOP);
    sample->start = sample_at(-all.side / 2 + 1.2f, 0, -all.side / 2 + 1.2f);
    sample->goal = sample_at(all.side / 2 - 1.2f, 0, all.side / 2 - 1.2f);
}
