// What gaits do already: turning on the spot, setting out and halting. Their clips, with frames of what comes
// before and after.
#include "behavior_parts.h"
#include "troupe/motion/clip_edit.h"

#define TURN_DEFAULT (TR_PI / 2)
#define TURN_LEAST (10 * TR_GAIT_DEGREE)
#define TURN_MOST TR_PI
#define RATE_DEFAULT 30.0

// A clip of a gait, and the walk that it begins or ends with.
typedef struct gait_source {
    tr_clip *own, *walk; // walk: NULL if it stands at both ends
    bool from_walk;      // otherwise the walk comes after it
    uint32_t extra;
} gait_source;

// A frame of the walk, and where its base is: `since` frames after the beginning of a stride at a place.
static uint32_t walk_frame(const tr_clip *walk, int64_t since, tr_base at, tr_base *base) {
    int64_t count = tr_clip_frame_count(walk), round = since / count, frame = since % count;
    if (frame < 0)
        frame += count, round--;
    tr_base stride = tr_clip_advance(walk), place = tr_clip_frame_base(walk, (uint32_t)frame);
    place.z += (float)round * stride.z; // straight ahead
    *base = tr_base_move(at, place);
    return (uint32_t)frame;
}

static tr_status copy_frame(const gait_source *from, uint32_t i, tr_pose *pose, tr_base *base,
                            tr_clip *clip) {
    uint32_t last = tr_clip_frame_count(from->own) - 1, extra = from->extra;
    uint32_t frame = i < extra ? 0 : i - extra > last ? last : i - extra;
    const tr_clip *source = from->own;
    *base = tr_clip_frame_base(source, frame);
    bool outside = from->from_walk ? i < extra : i > extra + last;
    if (from->walk && outside) {
        source = from->walk;
        frame = walk_frame(source, (int64_t)i - extra - (from->from_walk ? 0 : last), *base, base);
    }
    tr_clip_set_contacts(clip, i, tr_clip_frame_contacts(source, frame));
    tr_status status = tr_clip_get_frame(source, frame, pose);
    return status == TR_OK ? tr_clip_set_frame(clip, i, pose) : status;
}

static tr_status copy_frames(const gait_source *from, tr_pose *pose, tr_base *bases, tr_clip *clip) {
    uint32_t count = tr_clip_frame_count(clip);
    for (uint32_t i = 0; i < count; i++) {
        tr_status status = copy_frame(from, i, pose, &bases[i], clip);
        if (status != TR_OK)
            return status;
    }
    return tr_clip_set_base(clip, bases, tr_base_difference(bases[0], bases[count - 1]));
}

static tr_status add_events(const tr_clip *own, double offset, double action, tr_clip *clip) {
    tr_status status = tr_clip_add_event(clip, action, "action");
    for (uint32_t i = 0; i < tr_clip_event_count(own) && status == TR_OK; i++) {
        tr_clip_event event = tr_clip_get_event(own, i);
        status = tr_clip_add_event(clip, event.time + offset, event.name);
    }
    return status;
}

static tr_status lengthen(const tr_behavior_clip_def *def, const gait_source *from, tr_clip **clip,
                          tr_error *error) {
    tr_allocator memory = tr_allocator_or_default(def->allocator);
    double rate = tr_clip_rate(from->own);
    uint32_t frames = tr_clip_frame_count(from->own) + 2 * from->extra,
             joints = tr_skeleton_joint_count(def->skeleton);
    tr_clip_def made = {.allocator = def->allocator,
                        .name = tr_behavior_clip_name(def->kind),
                        .skeleton = def->skeleton,
                        .channels = tr_clip_channels(from->own),
                        .frame_count = frames,
                        .frames_per_second = rate};
    tr_pose pose = {0};
    tr_base *bases = tr_allocate(&memory, frames, sizeof *bases);
    tr_status status = bases ? tr_pose_create(def->allocator, joints, &pose, error) : TR_OUT_OF_MEMORY;
    if (status == TR_OK)
        status = tr_clip_create(&made, clip, error);
    if (status == TR_OK)
        status = copy_frames(from, &pose, bases, *clip);
    double action = (double)(frames / 2) / rate;
    if (status == TR_OK)
        status = add_events(from->own, from->extra / rate, action, *clip);
    tr_pose_destroy(&pose);
    tr_release(&memory, bases, frames, sizeof *bases);
    return status == TR_OK ? TR_OK
                           : tr_fail(error, status, "no memory for the kind %s of %u frames",
                                     tr_behavior_clip_name(def->kind), frames);
}

static tr_status choose_turn(const tr_behavior_clip_def *def, tr_gait_def *gait, tr_error *error) {
    double angle = def->turn == 0 ? TURN_DEFAULT : (double)def->turn, size = fabs(angle);
    if (!(size >= TURN_LEAST && size <= TURN_MOST + 1e-6))
        return tr_fail(error, TR_INVALID, "the kind turn turns by %g degrees, it must be %g to %g",
                       angle / TR_GAIT_DEGREE, TURN_LEAST / TR_GAIT_DEGREE, TURN_MOST / TR_GAIT_DEGREE);
    bool is_left = (angle > 0) != def->mirrored;
    gait->kind = is_left ? TR_GAIT_TURN_LEFT : TR_GAIT_TURN_RIGHT;
    gait->angle = (float)(size < TURN_MOST ? size : TURN_MOST);
    return TR_OK;
}

void tr_behavior_gait_info(const tr_behavior_clip_def *def, const tr_clip *clip,
                           tr_behavior_clip_info *info) {
    uint32_t frames = tr_clip_frame_count(clip);
    *info = (tr_behavior_clip_info){.first = def->extra,
                                    .last = frames - 1 - def->extra,
                                    .action = (double)(frames / 2) / tr_clip_rate(clip),
                                    .begin = TR_BEHAVIOR_CLIP_STANDS,
                                    .end = TR_BEHAVIOR_CLIP_STANDS};
    tr_behavior_clip_label walks = def->mirrored ? TR_BEHAVIOR_CLIP_WALKS_RIGHT : TR_BEHAVIOR_CLIP_WALKS_LEFT;
    if (def->kind == TR_BEHAVIOR_CLIP_SET_OUT)
        info->end = walks;
    if (def->kind == TR_BEHAVIOR_CLIP_HALT)
        info->begin = walks;
    info->advance =
        tr_base_difference(tr_clip_frame_base(clip, info->first), tr_clip_frame_base(clip, info->last));
}

tr_status tr_behavior_make_gait(const tr_behavior_clip_def *def, float speed, tr_clip **clip,
                                tr_error *error) {
    tr_gait_def gait = {.allocator = def->allocator,
                        .skeleton = def->skeleton,
                        .frames_per_second =
                            def->frames_per_second == 0 ? RATE_DEFAULT : def->frames_per_second};
    gait_source from = {.from_walk = def->kind == TR_BEHAVIOR_CLIP_HALT, .extra = def->extra};
    tr_status status = TR_OK;
    if (def->kind == TR_BEHAVIOR_CLIP_TURN) {
        status = choose_turn(def, &gait, error);
    } else {
        gait.kind = TR_GAIT_WALK;
        gait.speed = speed;
        status = tr_gait_make(&gait, &from.walk, error);
        gait.kind = from.from_walk ? TR_GAIT_STOP : TR_GAIT_START;
    }
    if (status == TR_OK)
        status = tr_gait_make(&gait, &from.own, error);
    if (status == TR_OK)
        status = lengthen(def, &from, clip, error);
    tr_clip_destroy(from.own);
    tr_clip_destroy(from.walk);
    return status;
}
