// A desk with objects to reach for, after figure 4 of Liu & Badler 2003: more than 30,000 triangles within
// arm's reach. The person stands at the origin and looks along +Z; the thermos is in the middle, the cup on
// the right.
#include "sample_desk.h"
#include "troupe/base/scalar.h"

#define FLOOR_LEAST 2
#define CHAIR_TRIANGLES 304

tr_sample_desk tr_sample_desk_places(void) {
    tr_sample_desk desk = {
        .height = 1.75f,
        .desktop = DESK_TOP,
        .start = {-0.26f, 1.03f, 0.06f},
        .thermos = {0.02f, DESK_TOP + 0.15f, 0.48f},
        .thermos_wrist = {-0.14f, 1.165f, 0.41f},
        .thermos_hand = {0.44f, 0, 0.9f},
        .teacup = {-0.52f, DESK_TOP + 0.05f, 0.5f},
        .teacup_wrist = {-0.52f, 1.15f, 0.34f},
        .teacup_hand = {-0.42f, 0, 0.9f},
    };
    return desk;
}

void sample_desk_put(desk_job *job, const char *name, tr_vec3 position, double heading, uint32_t tags) {
    if (job->measuring) {
        job->measured += job->shape->index_count / 3;
        job->shape->position_count = job->shape->index_count = 0;
        sample_shape_home(job->shape);
        return;
    }
    uint32_t mesh = sample_mesh(job->builder, name);
    sample_place(job->builder, name, mesh, position, heading, tags);
}

float sample_desk_random(desk_job *job, float low, float high) {
    return tr_random_between(&job->random, low, high);
}

void sample_desk_tilt(desk_job *job, double angle) {
    double sine, cosine;
    tr_sin_cos(angle, &sine, &cosine);
    float s = (float)sine, c = (float)cosine;
    tr_affine tilt = {{{1, 0, 0, 0}, {0, c, -s, 0}, {0, s, c, 0}}};
    job->shape->frame = tr_affine_multiply(&job->shape->frame, &tilt);
}

static void desk(desk_job *job) {
    sample_plate top = {DESK_HALF_X, DESK_DEPTH / 2, DESK_TOP - 0.035f, DESK_TOP, 0.05f, 0.006f};
    sample_shape_plate(job->shape, &top, 4 * job->fine);
    for (int side = -1; side <= 1; side += 2) {
        // Two telescoping tubes on a foot: the height of the desk can be adjusted for sitting as well.
        float x = (float)side * 0.62f;
        static const float lower[][2] = {{0, 0.04f}, {0.045f, 0.04f}, {0.045f, 0.6f}, {0, 0.6f}};
        static const float upper[][2] = {{0, 0.5f}, {0.036f, 0.5f}, {0.036f, 0.96f}, {0, 0.96f}};
        sample_shape_move(job->shape, sample_at(x, 0, 0.05f), 0);
        sample_shape_lathe(job->shape, (sample_profile){lower, 4, false}, 8 * job->fine, 1);
        sample_shape_lathe(job->shape, (sample_profile){upper, 4, false}, 8 * job->fine, 1);
        sample_plate foot = {0.04f, 0.34f, 0, 0.04f, 0.035f, 0.01f};
        sample_shape_plate(job->shape, &foot, 2 * job->fine);
        sample_plate bracket = {0.04f, 0.3f, 0.955f, 0.985f, 0.01f, 0.004f};
        sample_shape_plate(job->shape, &bracket, job->fine);
    }
    sample_shape_home(job->shape);
    sample_shape_box(job->shape, sample_at(-0.62f, 0.88f, 0.03f), sample_at(0.62f, 0.95f, 0.07f));
    sample_desk_put(job, "desk", sample_at(0, 0, DESK_FRONT + DESK_DEPTH / 2), 0, TR_TAG_NO_STEP);
}

static void wall(desk_job *job) {
    sample_shape_box(job->shape, sample_at(-2, 0, 0), sample_at(2, 2.4f, 0.1f));
    sample_shape_box(job->shape, sample_at(-2, 0, -0.012f), sample_at(2, 0.09f, 0));
    sample_desk_put(job, "wall", sample_at(0, 0, 1.2f), 0, 0);
    sample_plate frame = {0.3f, 0.22f, -0.012f, 0.012f, 0.02f, 0.006f};
    sample_desk_tilt(job, TR_PI / 2);
    sample_shape_plate(job->shape, &frame, 2 * job->fine);
    frame = (sample_plate){0.25f, 0.17f, -0.016f, 0.002f, 0.005f, 0.001f};
    sample_shape_plate(job->shape, &frame, job->fine);
    sample_desk_put(job, "picture", sample_at(-0.35f, 1.75f, 1.185f), 0, 0);
}

// A round basket with a rim, open at the top.
static void basket(desk_job *job) {
    static const float profile[][2] = {{0, 0},         {0.11f, 0},       {0.12f, 0.01f},
                                       {0.15f, 0.3f},  {0.156f, 0.305f}, {0.15f, 0.31f},
                                       {0.143f, 0.3f}, {0.112f, 0.02f},  {0, 0.015f}};
    sample_shape_lathe(job->shape, (sample_profile){profile, 9, false}, 10 * job->fine, 1);
    sample_desk_put(job, "basket", sample_at(-1.15f, 0, 0.8f), 0, 0);
}

static void furnish(desk_job *job) {
    job->random = tr_random_seed(job->builder->seed ^ 0x6465736bu);
    wall(job);
    desk(job);
    sample_desk_computer(job);
    sample_desk_vessels(job);
    sample_desk_clutter(job);
    if (!job->measuring)
        sample_movable_from_here(job->builder);
    basket(job);
    if (job->measuring) {
        job->measured += CHAIR_TRIANGLES;
        return;
    }
    uint32_t chair = sample_office_chair(job->builder, true);
    float turn = sample_desk_random(job, -0.5f, 0.5f);
    sample_place(job->builder, "chair", chair, sample_at(1.2f, 0, 0.1f), (double)turn - 1, 0);
    sample_movable_to_here(job->builder);
}

static bool fits(sample_builder *builder, uint32_t fine) {
    desk_job job = {.builder = builder, .shape = &builder->shape, .fine = fine, .measuring = true};
    furnish(&job);
    return !builder->shape.failed && job.measured + FLOOR_LEAST <= builder->wish;
}

void sample_desk_make(sample_builder *builder) {
    uint32_t fine = 1, step = 1;
    while (fits(builder, fine + step)) {
        fine += step;
        step *= 2;
    }
    for (; step > 0; step /= 2)
        if (fits(builder, fine + step))
            fine += step;
    desk_job job = {.builder = builder, .shape = &builder->shape, .fine = fine};
    furnish(&job);
    sample_floor(builder, sample_ground(2, 2), FLOOR_LEAST);
    tr_sample_desk places = tr_sample_desk_places();
    builder->sample.start = places.start;
    builder->sample.goal = places.thermos_wrist;
}
