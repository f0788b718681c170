// Actors whose tasks change all the time, measured by `audit`.
#include "test.h"
#include "troupe/base/random.h"
#include "troupe/base/scalar.h"
#include "troupe/motion/audit.h"
#include "stage/actor/actor.h"

#include <math.h>

#define DT (1.0f / 30)
#define FRAMES 1200

typedef struct troubled {
    tr_character *character;
    tr_actor *actor;
    tr_actor_scratch scratch;
    tr_clip *clip;
    tr_pose pose;
} troubled;

static bool begin(troubled *t) {
    *t = (troubled){0};
    tr_error error = {0};
    bool good = tr_character_create(&(tr_character_def){.detail = 1}, &t->character, &error) == TR_OK;
    uint32_t joints = good ? tr_skeleton_joint_count(t->character->skeleton) : 0;
    tr_clip_def clip = {.frame_count = FRAMES, .frames_per_second = 1 / (double)DT};
    clip.skeleton = good ? t->character->skeleton : NULL;
    good = good && tr_clip_create(&clip, &t->clip, &error) == TR_OK &&
           tr_pose_create(NULL, joints, &t->pose, &error) == TR_OK &&
           tr_actor_scratch_create(NULL, joints, &t->scratch, &error) == TR_OK;
    if (!good)
        test_failed(__FILE__, __LINE__, "%s", error.message);
    return good;
}

static void end(troubled *t) {
    tr_pose_destroy(&t->pose);
    tr_clip_destroy(t->clip);
    tr_actor_scratch_destroy(&t->scratch);
    tr_character_destroy(t->character);
}

static void tell_route(tr_actor *actor, tr_random *random, bool passages) {
    tr_vec2 way[4] = {tr_actor_look(actor).state.position};
    uint8_t passage[3];
    for (uint32_t i = 1; i < 4; i++) {
        way[i].x = way[i - 1].x + tr_random_between(random, -2, 2);
        way[i].z = way[i - 1].z + tr_random_between(random, -2, 2);
        passage[i - 1] = (uint8_t)(passages ? tr_random_below(random, 3) : 0);
    }
    float speed = tr_random_between(random, 0.6f, 2.0f);
    CHECK_INT(tr_actor_set_route(actor, way, 4, passage, NULL, speed, NULL), TR_OK);
}

static void tell_footsteps(tr_actor *actor, tr_random *random) {
    tr_footstep feet[2], footsteps[8];
    uint32_t side = tr_actor_feet(actor, feet, NULL);
    tr_follow_state state = tr_actor_look(actor).state;
    float x = state.position.x, z = state.position.z, heading = state.heading;
    float turn = tr_random_between(random, -0.15f, 0.15f), stride = tr_random_between(random, 0.25f, 0.5f);
    side = side < 2 ? side : 0;
    for (uint32_t i = 0; i < 8; i++, side = 1 - side) {
        double s, c;
        heading += turn;
        tr_sin_cos((double)heading, &s, &c);
        x += stride * (float)s, z += stride * (float)c;
        float out = side ? -0.09f : 0.09f;
        footsteps[i] = (tr_footstep){.side = side,
                                     .position = {x + out * (float)c, 0, z - out * (float)s},
                                     .heading = heading,
                                     .support = 1};
    }
    CHECK_INT(tr_actor_set_footsteps(actor, footsteps, 8, 0, NULL, NULL, NULL), TR_OK);
}

static void record(troubled *t, uint32_t frame) {
    actor_look view = tr_actor_look(t->actor);
    const uint32_t *parents = tr_skeleton_parents(view.character->skeleton);
    for (uint32_t j = 0; j < t->pose.joint_count; j++)
        tr_pose_set(&t->pose, j,
                    parents[j] == TR_NONE ? tr_affine_to_transform(&view.model[j])
                                          : tr_pose_get(view.pose, j));
    tr_clip_set_frame(t->clip, frame, &t->pose);
    tr_clip_set_contacts(t->clip, frame, view.contacts);
}

// Sets a route (one time in `footstep_share` footsteps) every `every` ticks, and holds the actor up now and
// then.
static tr_audit trouble(troubled *t, uint64_t seed, uint32_t every, uint32_t footstep_share, bool passages) {
    tr_random random = tr_random_seed(seed);
    tr_audit audit = {0};
    float limit = INFINITY;
    CHECK_INT(tr_actor_create(&(tr_actor_def){.character = t->character}, &t->actor, NULL), TR_OK);
    for (uint32_t i = 0; i < FRAMES; i++) {
        if (i % every == 0) {
            if (footstep_share && tr_random_below(&random, footstep_share) == 0)
                tell_footsteps(t->actor, &random);
            else
                tell_route(t->actor, &random, passages);
        }
        if (i % 25 == 0)
            limit = tr_random_below(&random, 3) ? INFINITY : tr_random_between(&random, -0.5f, 1);
        limit = limit > 0 ? limit : 0;
        tr_actor_step(t->actor, &t->scratch, limit);
        record(t, i);
    }
    tr_audit_params params = tr_audit_params_default();
    params.ground = 0;
    CHECK_INT(tr_audit_measure(NULL, t->character->skeleton, t->clip, &params, &audit, NULL), TR_OK);
    tr_actor_destroy(t->actor);
    return audit;
}

static void judge(uint32_t every, uint32_t footstep_share, bool passages) {
    troubled t;
    if (begin(&t)) {
        float slide = 0, sink = 0;
        uint32_t limits = 0;
        for (uint64_t seed = 1; seed <= 12; seed++) {
            tr_audit audit = trouble(&t, seed, every, footstep_share, passages);
            slide = fmaxf(slide, audit.slide_mm_max);
            sink = fmaxf(sink, audit.penetration_mm_max);
            limits += audit.joint_limit_violations;
        }
        printf("        slides %.2f mm, sinks %.2f mm, %u joints beyond limits in %d frames\n", (double)slide,
               (double)sink, limits, 12 * FRAMES);
        CHECK(slide < 1);
        CHECK(sink < 3); // 0.01 mm, but for a step in which an ankle is at its limit
        CHECK(limits < 9);
    }
    end(&t);
}

TEST(a_walker_whose_route_changes_all_the_time_does_not_slide) {
    judge(40, 0, false);
    judge(13, 0, false);
}

TEST(nor_does_one_that_passes_narrow_places) {
    judge(90, 0, true);
    judge(31, 0, true);
}

TEST(nor_does_one_that_leaves_footsteps_in_the_middle_of_a_step) {
    judge(70, 2, false);
    judge(17, 2, true);
}
