// Limbs of people that are near each other: capsules of one body against those of another, by brute force.
#include "crowds.h"
#include "motion/cast/cast.h"
#include "theatre.h"
#include "troupe/base/random.h"

#define CAPSULES 32

typedef struct limb {
    tr_vec3 a, b;
    float radius;
    bool is_arm;
    tr_role role;
} limb;

typedef struct person {
    limb limbs[CAPSULES];
    uint32_t count;
} person;

// The measurements of a crowd.
typedef struct limbs_seen {
    float arm, leg;     // the deepest of an arm in another body, and of two legs in each other [m]
    uint32_t near;      // pairs of discs within 0.3 m of each other, summed over ticks
    uint32_t arms_in;   // of them with an arm in another body,
    uint32_t legs_deep; // and with legs more than 1 cm in each other
    float own;          // the deepest of a forearm or a hand in the own hips or thighs [m]
    float swing;        // the furthest that a hand was ahead of its owner [m]
} limbs_seen;

static float clamp(float x) {
    return x < 0 ? 0 : x > 1 ? 1 : x;
}

// The least distance of two segments, by descent on both at once: each step is the exact best of one of the
// two parameters, and the distance is convex in them.
static float segments_apart(const limb *p, const limb *q) {
    tr_vec3 d = tr_vec3_subtract(p->b, p->a), e = tr_vec3_subtract(q->b, q->a);
    tr_vec3 r = tr_vec3_subtract(p->a, q->a);
    float dd = tr_vec3_dot(d, d), ee = tr_vec3_dot(e, e), de = tr_vec3_dot(d, e);
    float s = 0.5f, t = 0.5f;
    for (int i = 0; i < 40; i++) {
        t = ee > 0 ? clamp((tr_vec3_dot(r, e) + s * de) / ee) : 0;
        s = dd > 0 ? clamp((t * de - tr_vec3_dot(r, d)) / dd) : 0;
    }
    tr_vec3 off = tr_vec3_add(r, tr_vec3_subtract(tr_vec3_scale(d, s), tr_vec3_scale(e, t)));
    return tr_vec3_length(off);
}

// Spheres about both are apart: the capsules are, too.
static bool are_far(const limb *p, const limb *q) {
    tr_vec3 off = tr_vec3_subtract(tr_vec3_add(p->a, p->b), tr_vec3_add(q->a, q->b));
    float reach = tr_vec3_length(tr_vec3_subtract(p->b, p->a)) +
                  tr_vec3_length(tr_vec3_subtract(q->b, q->a)) + 2 * (p->radius + q->radius);
    return tr_vec3_length(off) > reach;
}

static bool is_arm(tr_role role) {
    return role == TR_ROLE_LEFT_UPPER_ARM || role == TR_ROLE_LEFT_FOREARM || role == TR_ROLE_LEFT_HAND ||
           role == TR_ROLE_RIGHT_UPPER_ARM || role == TR_ROLE_RIGHT_FOREARM || role == TR_ROLE_RIGHT_HAND;
}

static void look(const tr_stage *stage, tr_actor_id actor, person *out, limbs_seen *seen) {
    tr_actor_view view = {0};
    tr_stage_look(stage, actor, &view);
    const tr_body_def *body = tr_body_view(view.character->body);
    tr_vec3 ahead = tr_affine_turn(&view.place, tr_vec3_make(0, 0, 1)),
            root = tr_affine_position(&view.place);
    out->count = body->capsule_count < CAPSULES ? body->capsule_count : CAPSULES;
    for (uint32_t i = 0; i < out->count; i++) {
        const tr_capsule *c = &body->capsules[i];
        limb *l = &out->limbs[i];
        l->a = tr_affine_apply(&view.model[c->joint], c->a);
        l->b = tr_affine_apply(&view.model[c->joint], c->b);
        l->radius = c->radius;
        l->role = tr_skeleton_joint(view.character->skeleton, c->joint).role;
        l->is_arm = is_arm(l->role);
        float reach = tr_vec3_dot(tr_vec3_subtract(l->b, root), ahead);
        seen->swing = l->is_arm && reach > seen->swing ? reach : seen->swing;
    }
}

static bool is_hand(tr_role role) {
    return is_arm(role) && role != TR_ROLE_LEFT_UPPER_ARM && role != TR_ROLE_RIGHT_UPPER_ARM;
}

static bool is_lap(tr_role role) {
    return role == TR_ROLE_HIPS || role == TR_ROLE_LEFT_THIGH || role == TR_ROLE_RIGHT_THIGH;
}

static void compare_own(const person *body, limbs_seen *seen) {
    for (uint32_t i = 0; i < body->count; i++)
        for (uint32_t k = 0; k < body->count; k++) {
            const limb *p = &body->limbs[i], *q = &body->limbs[k];
            if (is_hand(p->role) && is_lap(q->role))
                seen->own = fmaxf(seen->own, p->radius + q->radius - segments_apart(p, q));
        }
}

static void compare(const person *a, const person *b, limbs_seen *seen) {
    float arm = 0, leg = 0;
    for (uint32_t i = 0; i < a->count; i++)
        for (uint32_t k = 0; k < b->count; k++) {
            const limb *p = &a->limbs[i], *q = &b->limbs[k];
            float depth = are_far(p, q) ? 0 : p->radius + q->radius - segments_apart(p, q);
            float *deepest = p->is_arm || q->is_arm ? &arm : &leg;
            *deepest = depth > *deepest ? depth : *deepest;
        }
    seen->near++;
    seen->arms_in += arm > 0;
    seen->legs_deep += leg > 0.01f;
    seen->arm = arm > seen->arm ? arm : seen->arm;
    seen->leg = leg > seen->leg ? leg : seen->leg;
}

static void watch(const char *kind, uint32_t people, float width, uint64_t seed, uint32_t ticks,
                  limbs_seen *seen) {
    crowd_stage all;
    tr_sample_crowd_def def = {.kind = kind, .people = people, .seed = seed, .width = width};
    REQUIRE(crowd_stage_open(&all, &def, NULL));
    person *bodies = calloc(all.count, sizeof *bodies);
    for (uint32_t tick = 0; bodies && tick < ticks; tick++) {
        tr_stage_step(all.stage, TR_STAGE_TICK, NULL);
        for (uint32_t i = 0; i < all.count; i++) {
            look(all.stage, all.actors[i], &bodies[i], seen);
            compare_own(&bodies[i], seen);
        }
        for (uint32_t i = 0; i < all.count; i++)
            for (uint32_t k = 0; k < i; k++) {
                tr_vec3 a = crowd_stage_place(&all, i), b = crowd_stage_place(&all, k);
                float x = b.x - a.x, z = b.z - a.z;
                if (fabsf(b.y - a.y) < 1.5f && x * x + z * z < 0.9f * 0.9f)
                    compare(&bodies[i], &bodies[k], seen);
            }
    }
    free(bodies);
    crowd_stage_close(&all);
}

TEST(arms_of_people_in_crowds_do_not_pass_through_others) {
    limbs_seen seen = {0};
    watch("corridor", 12, 3, 41, 700, &seen);
    watch("door", 16, 1, 41, 700, &seen);
    watch("swap", 8, 1.5f, 41, 700, &seen);
    watch("crossing", 16, 0, 41, 600, &seen);
    watch("house", 8, 0, 41, 600, &seen);
    CHECK(seen.near > 5000);
    CHECK(seen.arm < 0.005f);
    CHECK(seen.swing > 0.3f); // and yet they swing where there is room
}

// Where walls and others draw the arms in, on stairs where knees are lifted, and between walls.
TEST(hands_stay_out_of_the_own_hips_and_thighs) {
    limbs_seen seen = {0};
    watch("stairs", 10, 0, 35, 1000, &seen);
    watch("house", 10, 0, 21, 600, &seen);
    watch("swap", 8, 0.9f, 21, 500, &seen);
    CHECK(seen.own < 0.008f);
}

TEST(feet_of_people_in_queues_do_not_pass_through_each_other) {
    limbs_seen seen = {0};
    watch("door", 30, 1, 21, 1100, &seen);
    watch("swap", 8, 0.9f, 21, 500, &seen);
    watch("crossing", 30, 0, 22, 600, &seen);
    CHECK(seen.near > 20000);
    CHECK(seen.leg < 0.025f); // a foot is moved aside no faster than it can be
    CHECK(seen.legs_deep <= 3);
}

// Five actors in a corridor in which none can pass another; the first is the slowest.
static void walk_in_file(uint64_t seed, limbs_seen *seen) {
    theatre t;
    REQUIRE(open_theatre_with(&t, NULL));
    add_box(t.scene, "left", -6, 0.62f, 6, 1);
    add_box(t.scene, "right", -6, -1, 6, -0.62f);
    tr_random random = tr_random_seed(seed);
    tr_actor_id file[5];
    for (uint32_t i = 0; i < 5; i++) {
        float x = -1.4f - 0.75f * (float)i, least = i == 0 ? 0.6f : 1.1f;
        tr_stage_actor_def who = {.character = t.character,
                                  .position = {x, 0, 0},
                                  .heading = 1.5708f,
                                  .speed = tr_random_between(&random, least, least + 0.5f)};
        tr_order go = {.kind = TR_ORDER_GO, .goal = {5.4f - 0.9f * (float)i, 0, 0}};
        REQUIRE(tr_stage_add_actor(t.stage, &who, &file[i], NULL) == TR_OK);
        CHECK_INT(tr_stage_order(t.stage, file[i], &go, TR_ORDER_QUEUE, NULL, NULL), TR_OK);
    }
    for (uint32_t tick = 0; tick < 400; tick++) {
        person bodies[5];
        tr_stage_step(t.stage, TR_STAGE_TICK, NULL);
        for (uint32_t i = 0; i < 5; i++)
            look(t.stage, file[i], &bodies[i], seen);
        for (uint32_t i = 1; i < 5; i++)
            compare(&bodies[i], &bodies[i - 1], seen);
    }
    close_theatre(&t);
}

TEST(no_actor_treads_on_the_heels_of_the_one_ahead) {
    limbs_seen seen = {0};
    for (uint64_t seed = 1; seed <= 8; seed++)
        walk_in_file(seed, &seen);
    CHECK(seen.arm < 0.005f);
    CHECK(seen.leg < 0.01f);
}

// How deep a capsule of an arm is inside upright boxes.
static float depth_in(const limb *arm, const tr_box *boxes, uint32_t count) {
    float deepest = 0;
    for (uint32_t k = 0; k <= 8; k++) {
        tr_vec3 at = tr_vec3_add(arm->a, tr_vec3_scale(tr_vec3_subtract(arm->b, arm->a), (float)k / 8));
        for (uint32_t i = 0; i < count; i++) {
            float x = fmaxf(boxes[i].min.x - at.x, at.x - boxes[i].max.x),
                  z = fmaxf(boxes[i].min.z - at.z, at.z - boxes[i].max.z);
            float apart = x > 0 && z > 0 ? sqrtf(x * x + z * z) : fmaxf(x, z);
            deepest = fmaxf(deepest, arm->radius - apart);
        }
    }
    return deepest;
}

// People that pass each other in the corridors of a maze come close to its walls, which are boxes.
static float arms_in_walls(uint64_t seed, uint32_t ticks, limbs_seen *seen) {
    crowd_stage all;
    tr_sample_crowd_def def = {.kind = "maze", .people = 20, .seed = seed};
    float deepest = 0;
    if (!crowd_stage_open(&all, &def, NULL))
        return INFINITY;
    const tr_scene *scene = tr_sample_crowd_scene(all.crowd)->scene;
    tr_box walls[256];
    uint32_t count = 0;
    for (uint32_t i = 0; i < tr_scene_object_count(scene) && count < 256; i++)
        if (strcmp(tr_scene_object(scene, i).name, "wall") == 0)
            walls[count++] = tr_scene_object(scene, i).bounds;
    CHECK(count > 10);
    for (uint32_t tick = 0; tick < ticks; tick++) {
        tr_stage_step(all.stage, TR_STAGE_TICK, NULL);
        for (uint32_t i = 0; i < all.count; i++) {
            person body;
            look(all.stage, all.actors[i], &body, seen);
            for (uint32_t k = 0; k < body.count; k++)
                if (body.limbs[k].is_arm)
                    deepest = fmaxf(deepest, depth_in(&body.limbs[k], walls, count));
        }
    }
    crowd_stage_close(&all);
    return deepest;
}

TEST(arms_do_not_pass_through_walls) {
    limbs_seen seen = {0};
    for (uint64_t seed = 15; seed <= 17; seed++) // without looking at walls: 15 to 51 mm
        CHECK(arms_in_walls(seed, 900, &seen) < 0.005f);
    CHECK(seen.swing > 0.3f);
}
