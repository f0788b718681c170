// Turning on the spot, from standing to standing: the turn of a gait, with frames of standing before and
// after.
#include "behavior_parts.h"
#include "troupe/motion/clip_edit.h"

#define TURN_DEFAULT (TR_PI / 2)
#define TURN_LEAST (10 * TR_GAIT_DEGREE)
#define TURN_MOST TR_PI
#define RATE_DEFAULT 30.0

// Every frame of the turn, between `extra` copies of the first and of the last one.
static tr_status copy_frames(const tr_clip *turn, uint32_t extra, tr_pose *pose, tr_base *bases,
                             tr_clip *clip) {
    uint32_t last = tr_clip_frame_count(turn) - 1;
    for (uint32_t i = 0; i < tr_clip_frame_count(clip); i++) {
        uint32_t from = i < extra ? 0 : i - extra > last ? last : i - extra;
        tr_status status = tr_clip_get_frame(turn, from, pose);
        if (status == TR_OK)
            status = tr_clip_set_frame(clip, i, pose);
        if (status != TR_OK)
            return status;
        tr_clip_set_contacts(clip, i, tr_clip_frame_contacts(turn, from));
        bases[i] = tr_clip_frame_base(turn, from);
    }
    return tr_clip_set_base(clip, bases, tr_clip_advance(turn));
}

static tr_status add_events(const tr_clip *turn, double offset, double action, tr_clip *clip) {
    tr_status status = tr_clip_add_event(clip, action, "action");
    for (uint32_t i = 0; i < tr_clip_event_count(turn) && status == TR_OK; i++) {
        tr_clip_event event = tr_clip_get_event(turn, i);
        status = tr_clip_add_event(clip, event.time + offset, event.name);
    }
    return status;
}

static tr_status lengthen(const tr_behavior_clip_def *def, const tr_clip *turn, double rate, tr_clip **clip,
                          tr_error *error) {
    tr_allocator memory = tr_allocator_or_default(def->allocator);
    uint32_t frames = tr_clip_frame_count(turn) + 2 * def->extra,
             joints = tr_skeleton_joint_count(def->skeleton);
    tr_clip_def made = {.allocator = def->allocator,
                        .name = "turn",
                        .skeleton = def->skeleton,
                        .channels = tr_clip_channels(turn),
                        .frame_count = frames,
                        .frames_per_second = rate};
    tr_pose pose = {0};
    tr_base *bases = tr_allocate(&memory, frames, sizeof *bases);
    tr_status status = bases ? tr_pose_create(def->allocator, joints, &pose, error) : TR_OUT_OF_MEMORY;
    if (status == TR_OK)
        status = tr_clip_create(&made, clip, error);
    if (status == TR_OK)
        status = copy_frames(turn, def->extra, &pose, bases, *clip);
    double action = (double)(frames / 2) / rate;
    if (status == TR_OK)
        status = add_events(turn, def->extra / rate, action, *clip);
    tr_pose_destroy(&pose);
    tr_release(&memory, bases, frames, sizeof *bases);
    return status == TR_OK ? TR_OK : tr_fail(error, status, "no memory for a turn of %u frames", frames);
}

tr_status tr_behavior_make_turn(const tr_behavior_clip_def *def, tr_clip **clip, tr_behavior_clip_info *info,
                                tr_error *error) {
    double angle = def->turn == 0 ? TURN_DEFAULT : (double)def->turn, size = fabs(angle);
    double rate = def->frames_per_second == 0 ? RATE_DEFAULT : def->frames_per_second;
    if (!(size >= TURN_LEAST && size <= TURN_MOST + 1e-6))
        return tr_fail(error, TR_INVALID, "the kind turn turns by %g degrees, it must be %g to %g",
                       angle / TR_GAIT_DEGREE, TURN_LEAST / TR_GAIT_DEGREE, TURN_MOST / TR_GAIT_DEGREE);
    bool is_left = (angle > 0) != def->mirrored;
    tr_gait_def gait = {.allocator = def->allocator,
                        .skeleton = def->skeleton,
                        .kind = is_left ? TR_GAIT_TURN_LEFT : TR_GAIT_TURN_RIGHT,
                        .angle = (float)(size < TURN_MOST ? size : TURN_MOST),
                        .frames_per_second = rate};
    tr_clip *turn = NULL;
    tr_status status = tr_gait_make(&gait, &turn, error);
    if (status == TR_OK)
        status = lengthen(def, turn, rate, clip, error);
    tr_clip_destroy(turn);
    if (status != TR_OK || !info)
        return status;
    uint32_t frames = tr_clip_frame_count(*clip);
    *info = (tr_behavior_clip_info){.first = def->extra,
                                    .last = frames - 1 - def->extra,
                                    .action = (double)(frames / 2) / rate,
                                    .begin = TR_BEHAVIOR_CLIP_STANDS,
                                    .end = TR_BEHAVIOR_CLIP_STANDS};
    info->advance =
        tr_base_difference(tr_clip_frame_base(*clip, info->first), tr_clip_frame_base(*clip, info->last));
    return TR_OK;
}
