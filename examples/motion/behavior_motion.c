// A chain of behavior clips as one motion: starts to jog, turns left twice, stops at a precise place.
#include <troupe/motion/behavior_clip.h>
#include <troupe/motion/behavior_motion.h>
#include <troupe/motion/mannequin.h>

#include <stdio.h>

#define CLIPS 3

// A hill that is crossed.
static float floor_at(void *user, tr_vec2 point) {
    (void)user;
    float off = point.z - 4;
    return off * off < 4 ? 0.3f * (1 - off * off / 4) : 0;
}

static bool make_clips(const tr_skeleton *skeleton, tr_clip *made[CLIPS], tr_behavior_motion_clip *clips,
                       tr_base *advances, tr_error *error) {
    const tr_behavior_clip_def kinds[CLIPS] = {{.kind = TR_BEHAVIOR_CLIP_START},
                                               {.kind = TR_BEHAVIOR_CLIP_JOG, .turn = 0.4f},
                                               {.kind = TR_BEHAVIOR_CLIP_END}};
    for (uint32_t i = 0; i < CLIPS; i++) {
        tr_behavior_clip_def def = kinds[i];
        tr_behavior_clip_info info;
        def.skeleton = skeleton;
        def.extra = 8;
        if (tr_behavior_clip_make(&def, &made[i], &info, error) != TR_OK)
            return false;
        clips[i] = (tr_behavior_motion_clip){made[i], info.first, info.last};
        advances[i] = info.advance;
    }
    return true;
}

static bool show(const tr_behavior_motion *motion, uint32_t joints, tr_affine *model, tr_error *error) {
    tr_pose pose, scratch = {0};
    tr_affine place;
    if (tr_pose_create(NULL, joints, &pose, error) != TR_OK ||
        tr_pose_create(NULL, joints, &scratch, error) != TR_OK)
        return false;
    for (double time = 0; time < tr_behavior_motion_duration(motion); time += 0.5) {
        tr_behavior_motion_root root = tr_behavior_motion_root_at(motion, time);
        uint32_t contacts = tr_behavior_motion_sample(motion, time, &pose, &scratch, &place, model);
        printf("%.1f s: step %u at (%5.2f, %5.2f), %4.2f m high, at %.1f m/s, %s\n", time,
               tr_behavior_motion_step_at(motion, time), root.base.x, root.base.z, root.ground,
               tr_vec2_length(root.velocity), contacts ? "on the ground" : "in the air");
    }
    tr_pose_destroy(&scratch);
    tr_pose_destroy(&pose);
    return true;
}

static bool play(const tr_skeleton *skeleton, const tr_behavior_motion_clip *clips, const tr_base *advances,
                 tr_affine *model, tr_error *error) {
    tr_behavior_motion_def def = {.skeleton = skeleton, .clips = clips, .clip_count = CLIPS};
    tr_behavior_motion *motion = NULL;
    if (tr_behavior_motion_create(&def, &motion, error) != TR_OK)
        return false;
    static const uint32_t order[] = {0, 1, 1, 2};
    tr_behavior_motion_step steps[4] = {0};
    tr_base at = {0, 0, 0};
    uint32_t frames = 0;
    for (uint32_t i = 0; i < 4; i++) {
        const tr_behavior_motion_clip *clip = &clips[order[i]];
        steps[i].clips[0] = order[i];
        steps[i].frames = clip->last - clip->first;
        steps[i].begin = at;
        at = tr_base_move(at, advances[order[i]]);
        frames += steps[i].frames;
    }
    tr_base goal = {at.x + 0.2f, at.z - 0.1f, at.heading};
    tr_behavior_motion_chain chain = {
        .steps = steps, .step_count = 4, .end = at, .goal = &goal, .floor = floor_at};
    tr_clip *clip = NULL;
    bool good = tr_behavior_motion_reserve(motion, 4, frames, error) == TR_OK && // optional
                tr_behavior_motion_set(motion, &chain, error) == TR_OK &&
                show(motion, tr_skeleton_joint_count(skeleton), model, error) &&
                tr_behavior_motion_bake(motion, NULL, 60, &clip, error) == TR_OK;
    if (good) {
        tr_base end = tr_clip_frame_base(clip, tr_clip_frame_count(clip) - 1);
        printf("a clip of %u frames ends at (%.2f, %.2f), the goal is (%.2f, %.2f)\n",
               tr_clip_frame_count(clip), end.x, end.z, goal.x, goal.z);
    }
    tr_clip_destroy(clip);
    tr_behavior_motion_destroy(motion);
    return good;
}

int main(void) {
    tr_mannequin_def body = {0};
    tr_skeleton *skeleton = NULL;
    tr_clip *made[CLIPS] = {0};
    tr_behavior_motion_clip clips[CLIPS];
    tr_base advances[CLIPS];
    tr_affine model[TR_SKELETON_JOINTS_MAX];
    tr_error error = {0};
    bool good = tr_mannequin_make(&body, &skeleton, NULL, &error) == TR_OK &&
                make_clips(skeleton, made, clips, advances, &error) &&
                play(skeleton, clips, advances, model, &error);
    if (!good)
        fprintf(stderr, "%s\n", error.message);
    for (uint32_t i = 0; i < CLIPS; i++)
        tr_clip_destroy(made[i]);
    tr_skeleton_destroy(skeleton);
    return good ? 0 : 1;
}
