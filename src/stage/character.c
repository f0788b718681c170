#include "troupe/stage/character.h"

#include "troupe/base/scalar.h"
#include "troupe/motion/mannequin.h"

// The gaits that a character gets when it brings none: enough for any speed from standing to running.
static const struct {
    tr_gait_kind kind;
    float speed; // of an adult of 1.75 m [m/s]
} own_cycles[] = {{TR_GAIT_WALK, 0.7f},
                  {TR_GAIT_WALK, 1.3f},
                  {TR_GAIT_WALK, 1.8f},
                  {TR_GAIT_JOG, 2.5f},
                  {TR_GAIT_RUN, 3.5f}};
#define OWN_CYCLES (sizeof own_cycles / sizeof own_cycles[0])
#define USUAL_HEIGHT 1.75f

static tr_status make_gait(const tr_character *character, tr_gait_kind kind, float speed, float angle,
                           const tr_clip **clip, tr_error *error) {
    tr_gait_def def = {.allocator = &character->allocator,
                       .skeleton = character->skeleton,
                       .kind = kind,
                       .speed = speed,
                       .angle = angle};
    tr_clip *made = NULL;
    tr_status status = tr_gait_make(&def, &made, error);
    *clip = made;
    return status;
}

static tr_status make_body(tr_character *character, const tr_character_def *def, tr_error *error) {
    character->skeleton = def->skeleton;
    character->body = def->body;
    if (def->skeleton)
        return TR_OK;
    tr_mannequin_def mannequin = {.allocator = &character->allocator,
                                  .height = def->height,
                                  .color = {def->color[0], def->color[1], def->color[2]},
                                  .detail = def->detail};
    tr_status status = tr_mannequin_make(&mannequin, &character->own_skeleton, &character->own_body, error);
    character->skeleton = character->own_skeleton;
    character->body = character->own_body;
    return status;
}

static tr_status make_cycles(tr_character *character, const tr_character_def *def, tr_error *error) {
    tr_status status = TR_OK;
    character->stand = def->stand;
    if (!def->stand) {
        character->own_stand = true;
        status = make_gait(character, TR_GAIT_STAND, 0, 0, &character->stand, error);
    }
    if (def->cycles) {
        for (uint32_t i = 0; i < def->cycle_count; i++)
            character->cycles[character->cycle_count++] = def->cycles[i];
        return status;
    }
    character->own_cycles = true;
    // Bodies of different size walk alike at speeds that go with the root of their height (equal Froude
    // numbers).
    float scale = sqrtf(character->height / USUAL_HEIGHT);
    for (uint32_t i = 0; i < OWN_CYCLES && status == TR_OK; i++) {
        status = make_gait(character, own_cycles[i].kind, own_cycles[i].speed * scale, 0,
                           &character->cycles[character->cycle_count], error);
        character->cycle_count += status == TR_OK;
    }
    return status;
}

static tr_status make_turns(tr_character *character, tr_error *error) {
    tr_status status = TR_OK;
    for (uint32_t side = 0; side < 2 && status == TR_OK; side++) {
        for (uint32_t i = 0; i < TR_CHARACTER_TURNS && status == TR_OK; i++)
            status =
                make_gait(character, side ? TR_GAIT_TURN_RIGHT : TR_GAIT_TURN_LEFT, 0,
                          (float)(TR_PI * (i + 1) / TR_CHARACTER_TURNS), &character->turns[side][i], error);
        if (status == TR_OK)
            status = make_gait(character, side ? TR_GAIT_STEP_RIGHT : TR_GAIT_STEP_LEFT, 0, 0,
                               &character->sides[side], error);
    }
    return status;
}

static tr_status make_locomotion(tr_character *character, tr_error *error) {
    tr_locomotion_def def = {.allocator = &character->allocator,
                             .skeleton = character->skeleton,
                             .stand = character->stand,
                             .cycles = character->cycles,
                             .cycle_count = character->cycle_count};
    return tr_locomotion_create(&def, &character->locomotion, error);
}

#define CLOSE_IN 0.03   // upper arms held close hang further in than those of one who stands [rad]
#define CLOSE_TURN 0.45 // and are turned, so that forearms
#define CLOSE_BEND 1.15 // that are bent lie before the body

// The pose is that of one who stands, and the model its.
static void hold_arms_close(tr_character *character, const tr_pose *pose, const tr_affine *model) {
    static const tr_role roles[2][2] = {{TR_ROLE_LEFT_UPPER_ARM, TR_ROLE_LEFT_FOREARM},
                                        {TR_ROLE_RIGHT_UPPER_ARM, TR_ROLE_RIGHT_FOREARM}};
    const uint32_t *parents = tr_skeleton_parents(character->skeleton);
    for (uint32_t side = 0; side < 2; side++) {
        uint32_t *arm = character->arms[side];
        for (uint32_t part = 0; part < 2; part++)
            arm[part] = tr_skeleton_with_role(character->skeleton, roles[side][part]);
        if (arm[0] == TR_NONE || arm[1] == TR_NONE || parents[arm[0]] == TR_NONE)
            arm[0] = arm[1] = TR_NONE;
        if (arm[0] == TR_NONE)
            continue;
        double inwards = side ? 1 : -1;
        tr_vec3 along =
            tr_vec3_subtract(tr_affine_position(&model[arm[1]]), tr_affine_position(&model[arm[0]]));
        float length = tr_vec3_length(along);
        along = length > 0 ? tr_vec3_scale(along, 1 / length) : tr_vec3_make(0, -1, 0);
        tr_quat turns[2] = {tr_quat_multiply(tr_quat_about(tr_vec3_make(0, 0, 1), inwards * CLOSE_IN),
                                             tr_quat_about(along, -inwards * CLOSE_TURN)),
                            tr_quat_about(tr_vec3_make(1, 0, 0), -CLOSE_BEND)};
        for (uint32_t part = 0; part < 2; part++) {
            tr_quat axes = tr_quat_normalize(tr_affine_rotation(&model[parents[arm[part]]]));
            tr_quat local = tr_quat_multiply(tr_quat_conjugate(axes), tr_quat_multiply(turns[part], axes));
            local = tr_quat_normalize(tr_quat_multiply(local, tr_pose_rotation(pose, arm[part])));
            character->arms_close[side][part] =
                tr_skeleton_limit_clamp(character->skeleton, arm[part], local);
        }
    }
}

static tr_status measure_stand(tr_character *character, tr_error *error) {
    const tr_allocator *allocator = &character->allocator;
    uint32_t joints = tr_skeleton_joint_count(character->skeleton);
    tr_pose poses[3] = {0};
    tr_status status = TR_OK;
    for (uint32_t i = 0; i < 3 && status == TR_OK; i++)
        status = tr_pose_create(allocator, joints, &poses[i], error);
    tr_affine *model = tr_allocate(allocator, joints, sizeof *model);
    if (status == TR_OK && !model)
        status = tr_fail(error, TR_OUT_OF_MEMORY, "no memory for a character");
    if (status == TR_OK) {
        character->stepping_stand = tr_stepping_measure(&character->legs, character->skeleton,
                                                        character->locomotion, &poses[0], poses + 1, model);
        hold_arms_close(character, &poses[0], model);
    }
    tr_release(allocator, model, joints, sizeof *model);
    for (uint32_t i = 0; i < 3; i++)
        tr_pose_destroy(&poses[i]);
    return status;
}

static tr_status check_def(const tr_character_def *def, tr_error *error) {
    if (!def->skeleton && (def->stand || def->cycles))
        return tr_fail(error, TR_INVALID, "clips of your own need the skeleton they were made for");
    if (def->cycles && (def->cycle_count == 0 || def->cycle_count > TR_LOCOMOTION_CLIPS_MAX))
        return tr_fail(error, TR_INVALID, "%u cycles for a character, it must be 1 to %u", def->cycle_count,
                       TR_LOCOMOTION_CLIPS_MAX);
    return TR_OK;
}

tr_status tr_character_create(const tr_character_def *def, tr_character **character, tr_error *error) {
    *character = NULL;
    tr_status status = check_def(def, error);
    if (status != TR_OK)
        return status;
    tr_allocator allocator = tr_allocator_or_default(def->allocator);
    tr_character *made = tr_allocate_zero(&allocator, 1, sizeof *made);
    if (!made)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for a character");
    made->allocator = allocator;
    status = make_body(made, def, error);
    if (status == TR_OK) {
        made->height = tr_skeleton_height(made->skeleton);
        status = tr_legs_measure(made->skeleton, &made->legs, error);
    }
    if (status == TR_OK)
        status = make_cycles(made, def, error);
    if (status == TR_OK)
        status = make_turns(made, error);
    if (status == TR_OK)
        status = make_locomotion(made, error);
    if (status == TR_OK)
        status = measure_stand(made, error);
    if (status != TR_OK) {
        tr_character_destroy(made);
        return status;
    }
    *character = made;
    return TR_OK;
}

// A clip that the character made itself: read only for everyone else.
static void destroy_clip(const tr_clip *clip) {
    tr_clip_destroy((tr_clip *)clip);
}

void tr_character_destroy(tr_character *character) {
    if (!character)
        return;
    tr_locomotion_destroy(character->locomotion);
    if (character->own_stand)
        destroy_clip(character->stand);
    for (uint32_t i = 0; character->own_cycles && i < character->cycle_count; i++)
        destroy_clip(character->cycles[i]);
    for (uint32_t side = 0; side < 2; side++) {
        for (uint32_t i = 0; i < TR_CHARACTER_TURNS; i++)
            destroy_clip(character->turns[side][i]);
        destroy_clip(character->sides[side]);
    }
    tr_body_destroy(character->own_body);
    tr_skeleton_destroy(character->own_skeleton);
    tr_allocator allocator = character->allocator;
    tr_release(&allocator, character, 1, sizeof *character);
}
