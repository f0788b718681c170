// Doors and gaps as an observer sees them: recorded, with the wall as triangles, by `audit`.
#include "block.h"
#include "test.h"
#include "troupe/base/random.h"
#include "troupe/base/scalar.h"
#include "troupe/motion/audit.h"
#include "stage/actor/actor.h"

#include <math.h>
#include <string.h>

#define DT (1.0f / 30)
#define FRAMES_MAX 1500
#define WALL_DEPTH 0.2f

// A wall along x with a gap in it, around the origin.
static tr_scene *wall_with_gap(float width) {
    tr_scene *scene = NULL;
    CHECK_INT(tr_scene_create(NULL, &scene), TR_OK);
    add_block(scene, NULL, tr_vec3_make(-4, 0, -0.5f * WALL_DEPTH),
              tr_vec3_make(-0.5f * width, 2, 0.5f * WALL_DEPTH));
    add_block(scene, NULL, tr_vec3_make(0.5f * width, 0, -0.5f * WALL_DEPTH),
              tr_vec3_make(4, 2, 0.5f * WALL_DEPTH));
    return scene;
}

typedef struct crossing {
    float width;     // of the gap [m]
    uint8_t passage; // of the piece through it
    float reach;     // how far before and behind the middle of the wall that piece goes [m]
    tr_vec2 from, to;
    float speed, height;
    bool held; // is stopped now and then
    uint64_t seed;
} crossing;

static void record(tr_clip *clip, uint32_t frame, const tr_actor *actor, tr_pose *pose) {
    actor_look view = tr_actor_look(actor);
    const uint32_t *parents = tr_skeleton_parents(view.character->skeleton);
    for (uint32_t j = 0; j < pose->joint_count; j++)
        tr_pose_set(pose, j,
                    parents[j] == TR_NONE ? tr_affine_to_transform(&view.model[j])
                                          : tr_pose_get(view.pose, j));
    CHECK_INT(tr_clip_set_frame(clip, frame, pose), TR_OK);
    tr_clip_set_contacts(clip, frame, view.contacts);
}

// Walks through; returns the number of frames.
static uint32_t cross(const crossing *c, tr_actor *actor, tr_actor_scratch *scratch, tr_clip *clip) {
    tr_random random = tr_random_seed(c->seed);
    tr_pose pose = {0};
    tr_vec2 way[4] = {c->from, {0, -c->reach}, {0, c->reach}, c->to};
    uint8_t passage[3] = {TR_PASSAGE_OPEN, c->passage, TR_PASSAGE_OPEN};
    CHECK_INT(tr_pose_create(NULL, tr_clip_joint_count(clip), &pose, NULL), TR_OK);
    CHECK_INT(tr_actor_set_route(actor, way, 4, passage, NULL, c->speed, NULL), TR_OK);
    uint32_t frame = 0, held = 0;
    tr_status status = TR_OK;
    for (; frame < FRAMES_MAX && status == TR_OK; frame++) {
        if (c->held && held == 0 && tr_random_below(&random, 40) == 0)
            held = 1 + tr_random_below(&random, 50);
        held -= held > 0;
        status = tr_actor_step(actor, scratch, held ? 0 : INFINITY);
        record(clip, frame, actor, &pose);
    }
    CHECK_INT(status, TR_DONE);
    tr_vec2 at = tr_actor_look(actor).state.position;
    CHECK(fabsf(at.x - c->to.x) < 0.06f && fabsf(at.z - c->to.z) < 0.06f);
    tr_pose_destroy(&pose);
    return frame;
}

static tr_audit audit_crossing(const crossing *c, const tr_character *character) {
    tr_audit audit = {.collisions = 99};
    tr_vec2 way = {-c->from.x, -c->reach - c->from.z};
    tr_actor_def def = {.character = character,
                        .position = c->from,
                        .heading = (float)tr_arc_tangent(way.x, way.z) + 0.5f * c->from.x,
                        .dt = DT};
    tr_clip_def clip_def = {
        .skeleton = character->skeleton, .frame_count = FRAMES_MAX, .frames_per_second = 1 / (double)DT};
    tr_actor *actor = NULL;
    tr_actor_scratch scratch = {0};
    tr_clip *clip = NULL;
    tr_error error = {0};
    bool good = tr_actor_create(&def, &actor, &error) == TR_OK &&
                tr_actor_scratch_create(NULL, tr_skeleton_joint_count(character->skeleton), &scratch,
                                        &error) == TR_OK &&
                tr_clip_create(&clip_def, &clip, &error) == TR_OK;
    if (!good)
        test_failed(__FILE__, __LINE__, "%s", error.message);
    if (good) {
        uint32_t frames = cross(c, actor, &scratch, clip);
        tr_scene *scene = wall_with_gap(c->width);
        tr_audit_params params = tr_audit_params_default();
        params.scene = scene;
        params.body = character->body;
        params.ground = 0;
        params.end = (frames - 1) * (double)DT;
        CHECK_INT(tr_audit_measure(NULL, character->skeleton, clip, &params, &audit, &error), TR_OK);
        tr_scene_destroy(scene);
    }
    tr_clip_destroy(clip);
    tr_actor_scratch_destroy(&scratch);
    tr_actor_destroy(actor);
    return audit;
}

// The worst of many crossings.
typedef struct verdict {
    float slide, limit, depth, sink, self;
    uint32_t collisions, limits, self_collisions;
} verdict;

static verdict judge(uint8_t passage, float low, float high, float reach, uint32_t count, uint64_t seed) {
    tr_random random = tr_random_seed(seed);
    verdict worst = {0};
    const float heights[] = {1.6f, 1.75f, 1.9f};
    for (uint32_t kind = 0; kind < 3; kind++) {
        tr_character *character = NULL;
        tr_character_def def = {.height = heights[kind], .detail = 1};
        if (tr_character_create(&def, &character, NULL) != TR_OK) {
            test_failed(__FILE__, __LINE__, "no character");
            continue;
        }
        for (uint32_t i = 0; i < count; i++) {
            crossing c = {
                .width = tr_random_between(&random, low, high),
                .passage = passage,
                .reach = reach,
                .from = {tr_random_between(&random, -1.5f, 1.5f), tr_random_between(&random, -3, -1.2f)},
                .to = {tr_random_between(&random, -1.5f, 1.5f), tr_random_between(&random, 1.2f, 3)},
                .speed = tr_random_between(&random, 0.7f, 1.8f),
                .held = i % 2,
                .seed = seed + i};
            tr_audit audit = audit_crossing(&c, character);
            worst.slide = fmaxf(worst.slide, audit.slide_mm_max);
            worst.limit = fmaxf(worst.limit, audit.joint_limit_worst);
            worst.depth = fmaxf(worst.depth, audit.collision_mm_max);
            worst.sink = fmaxf(worst.sink, audit.penetration_mm_max);
            worst.self = fmaxf(worst.self, audit.self_collision_mm_max);
            worst.collisions += audit.collisions;
            worst.limits += audit.joint_limit_violations;
            worst.self_collisions += audit.self_collisions;
        }
        tr_character_destroy(character);
    }
    printf("        slide %.2f mm, sinks %.2f mm; %u frames in the wall (%.0f mm), %u in itself (%.0f mm), "
           "%u beyond limits (%.3f rad)\n",
           (double)worst.slide, (double)worst.sink, worst.collisions, (double)worst.depth,
           worst.self_collisions, (double)worst.self, worst.limits, (double)worst.limit);
    return worst;
}

static void check(const verdict *worst) {
    CHECK(worst->slide < 2);
    CHECK(worst->sink < 0.1f);
    CHECK_INT(worst->collisions, 0);
    CHECK(worst->limit < 0.01f);
}

TEST(doors_are_walked_through_with_the_shoulders_turned) {
    verdict tight = judge(TR_PASSAGE_TIGHT, 0.7f, 0.9f, 0.45f, 30, 1);
    check(&tight);
    // At full width the body touches the wall; and holding the arms close brings no part closer to another.
    verdict open = judge(TR_PASSAGE_OPEN, 0.6f, 0.65f, 0.45f, 30, 1);
    CHECK(open.collisions > 0);
    CHECK(tight.self_collisions <= open.self_collisions + 5);
}

TEST(gaps_are_side_stepped_without_a_slide) {
    verdict worst = judge(TR_PASSAGE_SIDE, 0.55f, 0.7f, 0.6f, 30, 2);
    check(&worst);
}
