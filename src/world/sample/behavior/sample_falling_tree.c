// Figure 6 of Lau & Kuffner 2005: a tree that stands beside the only gap of a wall and falls across it. Until
// then people jog past it; afterwards they jump over it or, where it leans on a block, go under it.
#include "sample_behavior.h"
#include "troupe/base/scalar.h"

#define HALF_X 9.0f
#define HALF_Z 14.0f
#define GAP 5.25f   // between the tree and the other end of the wall
#define SIDES 12    // of the trunk: a multiple of 4, so that it falls on a flat side
#define FOOT 0.14f  // radius of the trunk at its foot
#define TIP 0.09f   // and at its tip
#define LENGTH 5.1f // of the trunk
#define WALL 0.3f   // thickness of the wall
#define WALL_TOP 1.4f
#define BLOCK 0.8f // width of the block, next to the wall
#define FALL 4.5   // seconds until it begins to fall
#define RATE 30    // samples a second
#define SUBSTEPS 8
#define SAMPLES_MOST 300
#define PULL 2.8 // 3 g / 2 l: angular acceleration of a trunk that lies level [rad/s2]

// What differs from seed to seed. Seed 0: it falls from the west to the ground after FALL seconds.
typedef struct tree_fall {
    float side;   // -1: the tree stands at the western end of the gap, 1: at the eastern
    double begin; // [s]
    float block;  // height of the block that it comes to lean on; 0: none
    double angle; // by which it turns about the edge of its foot [rad]
} tree_fall;

// The distance of a flat side of the trunk from its axis, for a radius of 1.
static float flat_side(void) {
    double sine, cosine;
    tr_sin_cos(TR_PI / SIDES, &sine, &cosine);
    return (float)cosine;
}

static tree_fall draw_fall(sample_builder *builder) {
    static const float blocks[] = {0, 1.5f, 2.1f}; // flat on the ground, to crawl under, to duck under
    tree_fall made = {.side = builder->seed / 3 % 2 ? 1.0f : -1.0f, .begin = FALL};
    made.block = blocks[builder->seed % 3];
    if (builder->seed)
        made.begin += (double)sample_random(builder, -1, 1);
    // Upright, the flat side leans back by the taper; it ends level, or on the edge of the block.
    double taper = tr_arc_tangent((double)(flat_side() * (FOOT - TIP)), (double)LENGTH);
    double rest = tr_arc_tangent((double)made.block, (double)(GAP - BLOCK));
    made.angle = TR_PI / 2 + taper - rest;
    return made;
}

// Turned about the edge of its foot: upright at first, then like a trunk that pivots freely, from a little
// off the vertical.
static void move_tree(sample_builder *builder, uint32_t tree, const tree_fall *fall, tr_vec3 edge) {
    double times[SAMPLES_MOST], angle = 0.04, speed = 0.05, sine, cosine;
    tr_transform places[SAMPLES_MOST];
    tr_vec3 axis = sample_at(0, 0, fall->side);
    uint32_t count = 0;
    times[count] = fall->begin;
    places[count++] = sample_transform(edge, tr_quat_identity());
    for (bool down = false; !down && count < SAMPLES_MOST; count++) {
        for (uint32_t i = 0; i < SUBSTEPS; i++) {
            tr_sin_cos(angle, &sine, &cosine);
            speed += PULL * sine / (RATE * SUBSTEPS);
            angle += speed / (RATE * SUBSTEPS);
        }
        down = angle >= fall->angle;
        // The first lean is reached within the first half second, so that nothing jumps.
        double early = tr_ease((double)count / (RATE / 2));
        times[count] = fall->begin + (double)count / RATE;
        places[count] = sample_transform(edge, tr_quat_about(axis, down ? fall->angle : angle * early));
    }
    sample_motion(builder, tree, times, places, count, false);
}

static void place_tree(sample_builder *builder, const tree_fall *fall) {
    float flat = flat_side() * FOOT, edge = fall->side * GAP / 2;
    sample_shape_move(&builder->shape, sample_at(fall->side * flat, 0, 0), 0);
    sample_shape_column(&builder->shape, SIDES, FOOT, TIP, 0, LENGTH);
    uint32_t mesh = sample_mesh(builder, "tree");
    uint32_t tree = sample_place(builder, "tree", mesh, sample_at(edge, 0, 0), 0,
                                 fall->block > 0 ? TR_TAG_CRAWL_UNDER : TR_TAG_JUMP_OVER);
    move_tree(builder, tree, fall, sample_at(edge, 0, 0));
}

static void place_wall(sample_builder *builder, const tree_fall *fall) {
    float trunk = GAP / 2 + 2 * FOOT, end = GAP / 2, far = HALF_X - SAMPLE_BORDER;
    float west = fall->side < 0 ? trunk : end, east = fall->side < 0 ? end : trunk;
    sample_box(builder, -far, 0, -WALL / 2, -west, WALL_TOP, WALL / 2);
    sample_box(builder, east, 0, -WALL / 2, far, WALL_TOP, WALL / 2);
    sample_finish(builder, "wall", 0);
    if (fall->block > 0) {
        float from = fall->side < 0 ? end - BLOCK : -end, half = BLOCK / 2;
        sample_block(builder, "block", sample_at(from, 0, -half), sample_at(from + BLOCK, fall->block, half),
                     0);
    }
}

void sample_falling_tree_make(sample_builder *builder) {
    static const tr_vec2 posts[] = {{-5, -6}, {5.5f, -8}, {-6, 6.5f}, {5, 5.5f}, {3.5f, 10.5f}};
    tr_sample *sample = &builder->sample;
    tree_fall fall = draw_fall(builder);
    place_tree(builder, &fall);
    place_wall(builder, &fall);
    sample_behavior_posts(builder, posts, sizeof posts / sizeof posts[0], 0.6f);
    sample_behavior_field(builder, HALF_X, HALF_Z, SAMPLE_BORDER_TOP);
    sample->start = sample_at(0, 0, -10);
    sample->goal = sample_at(0, 0, 10);
}
