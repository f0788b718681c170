// Rigs whose root is scaled and turned, as exporters of other units and axes write them. They move as the
// same body in metres does.
#include "test.h"
#include "troupe/base/scalar.h"
#include "troupe/motion/mannequin.h"
#include "stage/actor/actor.h"

#include <math.h>
#include <string.h>

#define JOINTS_MAX 128

// The mannequin on a root that is turned by a quarter and scaled; the positions below it are in that unit.
static tr_skeleton *make_rig(const tr_skeleton *plain, float unit) {
    tr_joint_def joints[JOINTS_MAX];
    uint32_t count = tr_skeleton_joint_count(plain);
    tr_skeleton *rig = NULL;
    tr_quat up = tr_quat_about(tr_vec3_make(1, 0, 0), -TR_PI / 2), back = tr_quat_conjugate(up);
    joints[0] = (tr_joint_def){.name = "armature", .parent = TR_NONE, .rest = tr_transform_identity()};
    joints[0].rest.rotation = up;
    joints[0].rest.scale = tr_vec3_make(unit, unit, unit);
    for (uint32_t i = 0; i < count; i++) {
        tr_joint_def joint = tr_skeleton_joint(plain, i);
        joint.rest.position = tr_vec3_scale(joint.rest.position, 1 / unit);
        if (joint.parent == TR_NONE) {
            joint.rest.position = tr_quat_rotate(back, joint.rest.position);
            joint.rest.rotation = tr_quat_multiply(back, joint.rest.rotation);
            joint.limit.active = false; // it is that of the turned axes
        }
        joint.parent = joint.parent == TR_NONE ? 0 : joint.parent + 1;
        joints[i + 1] = joint;
    }
    CHECK_INT(tr_skeleton_create(&(tr_skeleton_def){.joints = joints, .joint_count = count + 1}, &rig, NULL),
              TR_OK);
    return rig;
}

typedef struct walker {
    tr_character *character;
    tr_actor *actor;
    tr_actor_scratch scratch;
} walker;

static bool begin(walker *w, const tr_skeleton *skeleton, tr_manner manner) {
    memset(w, 0, sizeof *w);
    tr_error error = {0};
    tr_character_def kind = {.skeleton = skeleton};
    bool good = tr_character_create(&kind, &w->character, &error) == TR_OK;
    tr_actor_def def = {.character = w->character, .manner = manner};
    good = good && tr_actor_create(&def, &w->actor, &error) == TR_OK &&
           tr_actor_scratch_create(NULL, tr_skeleton_joint_count(skeleton), &w->scratch, &error) == TR_OK;
    if (!good)
        test_failed(__FILE__, __LINE__, "%s", error.message);
    return good;
}

static void end(walker *w) {
    tr_actor_scratch_destroy(&w->scratch);
    tr_actor_destroy(w->actor);
    tr_character_destroy(w->character);
}

// Starts from standing, a bend, a stop; then stairs.
static void send(walker *w, bool stairs, float speed) {
    const tr_vec2 points[] = {{0, 0}, {0, 2}, {1.5f, 4}, {4, 4}};
    tr_footstep steps[7];
    for (uint32_t i = 0; i < 7; i++)
        steps[i] = (tr_footstep){.side = i % 2,
                                 .position = {i % 2 ? -0.1f : 0.1f, 0.16f * (float)(i < 5 ? i + 1 : 6),
                                              0.3f * (float)(i < 6 ? i + 1 : 6)},
                                 .support = 1};
    tr_status status = stairs ? tr_actor_set_footsteps(w->actor, steps, 7, 0, NULL, NULL, NULL)
                              : tr_actor_set_route(w->actor, points, 4, NULL, NULL, speed, NULL);
    CHECK_INT(status, TR_OK);
}

// The greatest distance between the same joints of both [m]. A contact that begins or ends within rounding of
// a tick may be a tick late in one of them, and their feet then stand elsewhere: *parted, and no more is
// compared.
static float compare(walker *plain, walker *rig, uint32_t steps, bool *parted) {
    float worst = 0;
    *parted = false;
    for (uint32_t step = 0; step < steps; step++) {
        tr_status a = tr_actor_step(plain->actor, &plain->scratch, INFINITY),
                  b = tr_actor_step(rig->actor, &rig->scratch, INFINITY);
        CHECK_INT(a, b);
        actor_look one = tr_actor_look(plain->actor), other = tr_actor_look(rig->actor);
        *parted = one.contacts != other.contacts;
        if (*parted)
            return worst;
        for (uint32_t i = 0; i < one.pose->joint_count; i++) {
            tr_vec3 off =
                tr_vec3_subtract(tr_affine_position(&one.model[i]), tr_affine_position(&other.model[i + 1]));
            worst = fmaxf(worst, tr_vec3_length(off));
        }
    }
    return worst;
}

TEST(a_rig_of_another_unit_moves_as_the_same_body_in_metres) {
    const float units[] = {100, 0.01f, 0.0254f};
    tr_skeleton *skeleton = NULL;
    REQUIRE(tr_mannequin_make(&(tr_mannequin_def){.detail = 1}, &skeleton, NULL, NULL) == TR_OK);
    int parted_count = 0;
    for (int i = 0; i < 9; i++) {
        bool stairs = i / 3 == 2;
        tr_skeleton *rig = make_rig(skeleton, units[i % 3]);
        walker plain, scaled;
        tr_manner manner = i % 2 ? (tr_manner){.crouch = 0.03f, .width = 0.02f} : (tr_manner){0};
        if (rig && begin(&plain, skeleton, manner) && begin(&scaled, rig, manner)) {
            send(&plain, stairs, i / 3 ? 2.6f : 0.8f);
            send(&scaled, stairs, i / 3 ? 2.6f : 0.8f);
            bool parted;
            float off = compare(&plain, &scaled, 300, &parted);
            CHECK(off < 1.5e-3f);
            parted_count += parted;
            end(&plain);
            end(&scaled);
        }
        tr_skeleton_destroy(rig);
    }
    CHECK(parted_count <= 2);
    tr_skeleton_destroy(skeleton);
}
