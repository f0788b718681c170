// The lower part of figure 8 of Lau & Kuffner 2005: an open field with balls that roll, and drums that slide
// and spin. They bounce off each other and off the border, and slow down until they rest.
#include "sample_behavior.h"
#include "troupe/base/scalar.h"

#define HALF_X 32.0f
#define HALF_Z 20.0f
#define BODIES 14
#define POSTS 4
#define RATE 20 // samples a second
#define SUBSTEPS 8
#define SAMPLES_MOST (RATE * 60)
#define SLOWING 0.12    // [m/s2]
#define BOUNCE 0.9      // part of the speed that is left
#define START_CLEAR 9.0 // from the start to the nearest body [m]

typedef struct rolling {
    double x, z, vx, vz, spin; // spin about the vertical axis, of drums [rad/s]
    double radius, heading;
    tr_quat turn; // of balls
    bool is_drum, rests;
    uint32_t count; // of samples
} rolling;

typedef struct stampede {
    rolling bodies[BODIES];
    rolling posts[POSTS]; // which stand
    double *times;
    tr_transform *places; // SAMPLES_MOST for each body
} stampede;

static bool is_clear(const stampede *all, uint32_t count, const rolling *body) {
    double x = body->x + (double)HALF_X - 3, z = body->z;
    if (x * x + z * z < START_CLEAR * START_CLEAR)
        return false;
    for (uint32_t i = 0; i < count + POSTS; i++) {
        const rolling *other = i < POSTS ? &all->posts[i] : &all->bodies[i - POSTS];
        double apart = body->radius + other->radius + 0.5;
        x = body->x - other->x, z = body->z - other->z;
        if (x * x + z * z < apart * apart)
            return false;
    }
    return true;
}

static void draw_posts(sample_builder *builder, stampede *all) {
    static const double places[POSTS][2] = {{-12, 9}, {0, -11}, {12, 8}, {3, 2}};
    for (uint32_t i = 0; i < POSTS; i++) {
        rolling *post = &all->posts[i];
        *post = (rolling){.is_drum = true, .rests = true};
        post->radius = (double)sample_random(builder, 0.4f, 0.8f);
        post->x = places[i][0] + (double)sample_random(builder, -1, 1);
        post->z = places[i][1] + (double)sample_random(builder, -1, 1);
    }
}

static void draw_bodies(sample_builder *builder, stampede *all) {
    for (uint32_t i = 0; i < BODIES; i++) {
        rolling *body = &all->bodies[i];
        double sine, cosine, speed = (double)sample_random(builder, 3, 7), heading;
        *body = (rolling){.is_drum = i % 3 == 2, .turn = tr_quat_identity()};
        body->radius = (double)sample_random(builder, 0.5f, 1.1f);
        do {
            body->x = (double)sample_random(builder, -0.85f * HALF_X, 0.85f * HALF_X);
            body->z = (double)sample_random(builder, -0.8f * HALF_Z, 0.8f * HALF_Z);
        } while (!is_clear(all, i, body));
        heading = 2 * TR_PI * (double)tr_random_unit(&builder->random);
        tr_sin_cos(heading, &sine, &cosine);
        body->vx = speed * sine;
        body->vz = speed * cosine;
        body->spin = body->is_drum ? (double)sample_random(builder, -3, 3) : 0;
    }
}

// Turns back at the border.
static void bounce_off(double *place, double *speed, double radius, double half) {
    double far = half - (double)SAMPLE_BORDER - radius;
    if (*place > far || *place < -far) {
        *place = *place > 0 ? far : -far;
        *speed = *place * *speed > 0 ? -BOUNCE * *speed : *speed;
    }
}

// A body that touches a post turns back from it.
static void bounce_off_post(rolling *body, const rolling *post) {
    double x = body->x - post->x, z = body->z - post->z, least = body->radius + post->radius;
    double distance = sqrt(x * x + z * z);
    if (distance >= least || distance == 0)
        return;
    x /= distance, z /= distance;
    double closing = -(body->vx * x + body->vz * z), push = closing > 0 ? (1 + BOUNCE) * closing : 0;
    body->x += (least - distance) * x, body->z += (least - distance) * z;
    body->vx += push * x, body->vz += push * z;
}

// Two bodies that touch exchange the part of their speed along the line between them; masses are as the cubes
// of the radii.
static void collide(rolling *a, rolling *b) {
    double x = b->x - a->x, z = b->z - a->z, least = a->radius + b->radius, distance = sqrt(x * x + z * z);
    if (distance >= least || distance == 0)
        return;
    double mass_a = a->radius * a->radius * a->radius, mass_b = b->radius * b->radius * b->radius;
    double share_a = mass_b / (mass_a + mass_b), share_b = 1 - share_a, deep = least - distance;
    x /= distance, z /= distance;
    a->x -= share_a * deep * x, a->z -= share_a * deep * z;
    b->x += share_b * deep * x, b->z += share_b * deep * z;
    double closing = (a->vx - b->vx) * x + (a->vz - b->vz) * z, push = (1 + BOUNCE) * closing;
    if (closing > 0) {
        a->vx -= share_a * push * x, a->vz -= share_a * push * z;
        b->vx += share_b * push * x, b->vz += share_b * push * z;
    }
}

static void advance(rolling *body, double seconds) {
    double speed = sqrt(body->vx * body->vx + body->vz * body->vz), slower = speed - SLOWING * seconds;
    body->rests = slower <= 0;
    double keep = body->rests ? 0 : slower / speed;
    body->vx *= keep, body->vz *= keep;
    body->spin *= keep;
    body->x += body->vx * seconds, body->z += body->vz * seconds;
    body->heading += body->spin * seconds;
    if (!body->is_drum) { // the axis is level and across the way
        tr_vec3 axis = sample_at((float)body->vz, 0, (float)-body->vx);
        double angle = sqrt(body->vx * body->vx + body->vz * body->vz) * seconds / body->radius;
        body->turn = tr_quat_normalize(tr_quat_multiply(tr_quat_about(axis, angle), body->turn));
    }
    bounce_off(&body->x, &body->vx, body->radius, (double)HALF_X);
    bounce_off(&body->z, &body->vz, body->radius, (double)HALF_Z);
}

static void record(stampede *all, uint32_t body, uint32_t sample) {
    rolling *moving = &all->bodies[body];
    float y = moving->is_drum ? 0 : (float)moving->radius;
    tr_quat turn = moving->is_drum ? tr_quat_about(sample_at(0, 1, 0), moving->heading) : moving->turn;
    all->places[body * SAMPLES_MOST + sample] =
        sample_transform(sample_at((float)moving->x, y, (float)moving->z), turn);
    if (!moving->rests)
        moving->count = sample + 1;
}

static void roll(stampede *all) {
    for (uint32_t sample = 0; sample < SAMPLES_MOST; sample++) {
        all->times[sample] = (double)sample / RATE;
        for (uint32_t i = 0; i < BODIES; i++)
            record(all, i, sample);
        for (uint32_t step = 0; step < SUBSTEPS; step++) {
            for (uint32_t i = 0; i < BODIES; i++)
                advance(&all->bodies[i], 1.0 / (RATE * SUBSTEPS));
            for (uint32_t i = 0; i < BODIES; i++)
                for (uint32_t j = i + 1; j < BODIES; j++)
                    collide(&all->bodies[i], &all->bodies[j]);
            for (uint32_t i = 0; i < BODIES * POSTS; i++)
                bounce_off_post(&all->bodies[i / POSTS], &all->posts[i % POSTS]);
        }
    }
}

static void place_bodies(sample_builder *builder, stampede *all) {
    for (uint32_t i = 0; i < BODIES && builder->status == TR_OK; i++) {
        const rolling *body = &all->bodies[i];
        float radius = (float)body->radius;
        if (body->is_drum)
            sample_shape_column(&builder->shape, 12, radius, radius, 0, 1.2f);
        else
            sample_shape_ball(&builder->shape, 12, 7, sample_at(radius, radius, radius));
        const char *name = body->is_drum ? "drum" : "ball";
        const tr_transform *places = all->places + i * SAMPLES_MOST;
        uint32_t object = sample_place(builder, name, sample_mesh(builder, name), places[0].position, 0, 0);
        // One sample more than it moves: the last is where it rests.
        uint32_t count = body->count < SAMPLES_MOST ? body->count + 1 : SAMPLES_MOST;
        sample_motion(builder, object, all->times, places, count, false);
    }
}

static void place_posts(sample_builder *builder, const stampede *all) {
    sample_movable_from_here(builder);
    for (uint32_t i = 0; i < POSTS; i++) {
        const rolling *post = &all->posts[i];
        float radius = (float)post->radius, top = sample_random(builder, 1.2f, 1.8f);
        sample_shape_column(&builder->shape, 12, radius, 0.9f * radius, 0, top);
        uint32_t mesh = sample_mesh(builder, "post");
        sample_place(builder, "post", mesh, sample_at((float)post->x, 0, (float)post->z), 0, 0);
    }
    sample_movable_to_here(builder);
}

void sample_stampede_make(sample_builder *builder) {
    tr_sample *sample = &builder->sample;
    const tr_allocator *allocator = &builder->shape.allocator;
    stampede all = {.times = tr_allocate(allocator, SAMPLES_MOST, sizeof *all.times)};
    all.places = tr_allocate(allocator, BODIES * SAMPLES_MOST, sizeof *all.places);
    if (all.times && all.places) {
        draw_posts(builder, &all);
        draw_bodies(builder, &all);
        roll(&all);
        place_bodies(builder, &all);
        place_posts(builder, &all);
    } else
        builder->status =
            tr_fail(builder->error, TR_OUT_OF_MEMORY, "no memory for the motions of %u bodies", BODIES);
    tr_release(allocator, all.times, SAMPLES_MOST, sizeof *all.times);
    tr_release(allocator, all.places, BODIES * SAMPLES_MOST, sizeof *all.places);
    sample_behavior_field(builder, HALF_X, HALF_Z, SAMPLE_BORDER_TOP);
    sample->start = sample_at(-HALF_X + 3, 0, 0);
    sample->goal = sample_at(HALF_X - 3, 0, 0);
}
