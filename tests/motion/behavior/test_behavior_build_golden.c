// The same machine for every compiler, level of optimisation and on WASM: a hash of its pieces and clips.
#include "behavior_course.h"
#include "troupe/base/hash.h"

static uint64_t hash_clip(uint64_t hash, const tr_behavior_build_clip *clip, tr_pose *pose) {
    uint32_t numbers[3] = {clip->first, clip->last, clip->piece};
    hash = tr_hash(hash, numbers, sizeof numbers);
    for (uint32_t i = 0; i < tr_clip_frame_count(clip->motion); i++) {
        tr_base base = tr_clip_frame_base(clip->motion, i);
        uint32_t contacts = tr_clip_frame_contacts(clip->motion, i);
        CHECK(tr_clip_get_frame(clip->motion, i, pose) == TR_OK);
        hash = tr_hash(hash, &base, sizeof base);
        hash = tr_hash(hash, &contacts, sizeof contacts);
        for (uint32_t k = 0; k < pose->joint_count; k++) {
            tr_transform joint = tr_pose_get(pose, k);
            hash = tr_hash(hash, &joint.position, sizeof joint.position);
            hash = tr_hash(hash, &joint.rotation, sizeof joint.rotation);
        }
    }
    return hash;
}

static uint64_t hash_build(const tr_behavior_build *build, tr_pose *pose) {
    uint64_t hash = TR_HASH_START;
    for (uint32_t i = 0; i < build->piece_count; i++) {
        const tr_behavior_piece *piece = &build->pieces[i];
        float numbers[5] = {piece->x, piece->z, piece->turn, piece->speed, piece->height};
        uint32_t counts[6] = {piece->first, piece->last, (uint32_t)piece->kind,
                              piece->begin, piece->end,  piece->state};
        hash = tr_hash(hash, numbers, sizeof numbers);
        hash = tr_hash(hash, counts, sizeof counts);
    }
    for (uint32_t i = 0; i < build->clip_count; i++)
        hash = hash_clip(hash, &build->clips[i], pose);
    return hash;
}

TEST(a_machine_has_the_same_bits_for_every_compiler) {
    static const course_step steps[] = {
        {.kind = TR_BEHAVIOR_CLIP_START}, {.kind = TR_BEHAVIOR_CLIP_JOG, .turn = 0.6f},
        {.kind = TR_BEHAVIOR_CLIP_JOG},   {.kind = TR_BEHAVIOR_CLIP_JOG},
        {.kind = TR_BEHAVIOR_CLIP_JOG},   {.kind = TR_BEHAVIOR_CLIP_END}};
    course_def def = {.height = 1.6f, .rate = 60, .seed = 3, .noise = 0.01f, .added_pose = true};
    course c;
    tr_behavior_build *build = NULL;
    tr_pose pose;
    REQUIRE(course_make(&c, &def, steps, sizeof steps / sizeof *steps));
    REQUIRE(course_build(&c, NULL, false, &build, NULL) == TR_OK);
    REQUIRE(tr_pose_create(NULL, tr_skeleton_joint_count(c.target), &pose, NULL) == TR_OK);
    CHECK_HASH(hash_build(build, &pose), 0xc4691d8e4a5b2488);
    tr_pose_destroy(&pose);
    tr_behavior_build_destroy(build);
    course_destroy(&c);
}
