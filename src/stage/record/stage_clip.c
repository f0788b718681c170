// Recordings as clips, at any rate of frames. Where frames fall between ticks, the body goes along a curve
// without kinks, and standing feet stay.
#include "stage/stage_data.h"

#include <math.h>

enum { ROW = 4, SPARE = 2 }; // poses

typedef struct clip_maker {
    const tr_stage *stage;
    const stage_actor *who;
    const tr_character *character;
    tr_pose poses[ROW + SPARE];
    const tr_pose *row[ROW]; // of those
    uint32_t second;         // number of the pose in row[1], or TR_NONE
    tr_affine *model;
} clip_maker;

static bool same(tr_vec3 a, tr_vec3 b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

// The channels that change, for each joint.
static void find_channels(const tr_skeleton *skeleton, const stage_actor *who, uint8_t *channels) {
    uint32_t joints = tr_skeleton_joint_count(skeleton);
    for (uint32_t j = 0; j < joints; j++) {
        tr_joint_def joint = tr_skeleton_joint(skeleton, j);
        channels[j] = TR_CHANNEL_TURNS;
        for (uint32_t i = 0; i < who->pose_count; i++) {
            const tr_transform *t = &who->poses[(size_t)i * joints + j];
            if (joint.parent == TR_NONE || !same(t->position, joint.rest.position))
                channels[j] |= TR_CHANNEL_MOVES;
            if (joint.parent != TR_NONE && !same(t->scale, joint.rest.scale))
                channels[j] |= TR_CHANNEL_SCALES;
        }
    }
}

static void get_pose(const stage_actor *who, uint32_t number, tr_pose *pose) {
    for (uint32_t j = 0; j < pose->joint_count; j++)
        tr_pose_set(pose, j, who->poses[(size_t)number * pose->joint_count + j]);
}

// Every frame of a rate of 30, 15 or 10 is that of a tick, and shows its pose.
static bool frames_are_ticks(double frames_per_second) {
    double ticks = 1 / (frames_per_second * TR_STAGE_TICK);
    return fabs(ticks - floor(ticks + 0.5)) < 1e-9;
}

// Where a frame is among the poses.
static double place_of_frame(const tr_stage *stage, const stage_actor *who, uint32_t frame) {
    double number = (double)(stage->frames - who->frame_count + frame + 1);
    double ticks = number / (stage->def.frames_per_second * TR_STAGE_TICK), last = who->pose_count - 1;
    double place = last - ((double)stage->tick - ticks);
    return place < 0 ? 0 : place < last ? place : last;
}

static bool is_cut(const stage_actor *who, uint32_t pose) {
    return who->pose_contacts[pose] & STAGE_POSE_CUT;
}

// The poses from the one before `pose` to the second after it. Beyond the ends, and where the actor was put
// elsewhere, the next one counts again.
static void fill_row(clip_maker *maker, uint32_t pose) {
    const stage_actor *who = maker->who;
    if (maker->second == pose)
        return;
    uint32_t last = who->pose_count - 1, numbers[ROW];
    numbers[1] = pose;
    numbers[0] = pose > 0 && !is_cut(who, pose) ? pose - 1 : pose;
    numbers[2] = pose < last && !is_cut(who, pose + 1) ? pose + 1 : pose;
    numbers[3] =
        numbers[2] < last && numbers[2] > pose && !is_cut(who, numbers[2] + 1) ? numbers[2] + 1 : numbers[2];
    for (uint32_t i = 0; i < ROW; i++) {
        bool again = i > 0 && numbers[i] == numbers[i - 1];
        if (!again)
            get_pose(who, numbers[i], &maker->poses[i]);
        maker->row[i] = again ? maker->row[i - 1] : &maker->poses[i];
    }
    maker->second = pose;
}

// Between two ticks, what lands in the later one is still in the air.
static uint32_t contacts_between(const stage_actor *who, uint32_t pose, float t) {
    uint32_t before = who->pose_contacts[pose], now = before;
    if (t > 0 && pose + 1 < who->pose_count)
        now = who->pose_contacts[pose + 1];
    return before & now & ~STAGE_POSE_CUT;
}

static void fill_clip(clip_maker *maker, tr_clip *clip) {
    const stage_actor *who = maker->who;
    bool ticks = frames_are_ticks(maker->stage->def.frames_per_second);
    for (uint32_t i = 0; i < who->frame_count; i++) {
        double place = place_of_frame(maker->stage, who, i), whole = floor(place + 1e-6);
        float t = (float)(place - whole);
        t = t > 1e-6f ? t : 0;
        uint32_t pose = (uint32_t)whole;
        tr_pose *shown = &maker->poses[ROW];
        if (ticks)
            get_pose(who, pose, shown);
        else {
            fill_row(maker, pose);
            tr_legs_along(&maker->character->legs, maker->character->skeleton, maker->row, t, shown,
                          &maker->poses[ROW + 1], maker->model);
        }
        tr_clip_set_frame(clip, i, shown);
        tr_clip_set_contacts(clip, i, contacts_between(who, pose, t));
    }
}

static tr_status make_clip(clip_maker *maker, const tr_allocator *allocator, uint8_t *channels,
                           tr_clip **clip, tr_error *error) {
    const tr_skeleton *skeleton = maker->character->skeleton;
    find_channels(skeleton, maker->who, channels);
    tr_clip_def def = {.allocator = allocator,
                       .name = maker->who->name,
                       .skeleton = skeleton,
                       .channels = channels,
                       .frame_count = maker->who->frame_count,
                       .frames_per_second = maker->stage->def.frames_per_second};
    tr_status status = tr_clip_create(&def, clip, error);
    if (status == TR_OK)
        fill_clip(maker, *clip);
    return status;
}

tr_status tr_stage_clip(const tr_stage *stage, tr_actor_id actor, const tr_allocator *allocator,
                        tr_clip **clip, tr_error *error) {
    *clip = NULL;
    const stage_actor *who = tr_stage_find_actor(stage, actor);
    if (!who || who->frame_count == 0)
        return tr_fail(error, TR_NOT_FOUND, "there is no recording of actor %u", actor);
    clip_maker maker = {
        .stage = stage, .who = who, .character = tr_actor_look(who->actor).character, .second = TR_NONE};
    uint32_t joints = tr_skeleton_joint_count(maker.character->skeleton);
    tr_allocator own = tr_allocator_or_default(allocator);
    tr_status status = TR_OK;
    for (uint32_t i = 0; i < ROW + SPARE && status == TR_OK; i++)
        status = tr_pose_create(&own, joints, &maker.poses[i], error);
    uint8_t *channels = status == TR_OK ? tr_allocate(&own, joints, 1) : NULL;
    maker.model = channels ? tr_allocate(&own, joints, sizeof *maker.model) : NULL;
    if (maker.model)
        status = make_clip(&maker, &own, channels, clip, error);
    else if (status == TR_OK)
        status = tr_fail(error, TR_OUT_OF_MEMORY, "no memory for a clip");
    tr_release(&own, maker.model, joints, sizeof *maker.model);
    tr_release(&own, channels, joints, 1);
    for (uint32_t i = 0; i < ROW + SPARE; i++)
        tr_pose_destroy(&maker.poses[i]);
    return status;
}
