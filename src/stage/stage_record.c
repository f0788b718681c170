// The recording, frame by frame, and its conversion to clips and figures.
#include "stage_data.h"

#include <string.h>

static bool reserve(tr_stage *stage, stage_actor *who, uint32_t joints, uint32_t more) {
    const tr_allocator *allocator = &stage->allocator;
    uint64_t frames = (uint64_t)who->frame_count + more;
    void *transforms = who->frames, *contacts = who->frame_contacts, *trace = who->trace;
    bool room =
        tr_reserve(allocator, &transforms, &who->frame_capacity, frames * joints, sizeof *who->frames);
    who->frames = transforms;
    room = room && tr_reserve(allocator, &contacts, &who->contact_capacity, frames, 1);
    who->frame_contacts = contacts;
    room = room && tr_reserve(allocator, &trace, &who->trace_capacity, frames, sizeof *who->trace);
    who->trace = trace;
    return room;
}

// The frame at a moment between the last two ticks: `t` of the way to the later one.
static void take_frame(const tr_stage *stage, const stage_actor *who, const actor_look *view, float t,
                       tr_transform *frame) {
    const uint32_t *parents = tr_skeleton_parents(view->character->skeleton);
    stage_body body = {view->pose, view->model};
    if (t < 1)
        body = tr_stage_body_between(stage, who, t);
    for (uint32_t j = 0; j < body.pose->joint_count; j++)
        frame[j] = parents[j] == TR_NONE ? tr_affine_to_transform(&body.model[j]) : tr_pose_get(body.pose, j);
}

static void record_frame(tr_stage *stage, float t) {
    for (uint32_t i = 0; i < stage->actor_count; i++) {
        stage_actor *who = stage->actors[i];
        actor_look view = tr_actor_look(who->actor);
        take_frame(stage, who, &view, t, who->frames + (size_t)who->frame_count * view.pose->joint_count);
        // Between two ticks, what lands in the later one is still in the air.
        uint32_t contacts = t < 1 ? view.contacts & who->before_contacts : view.contacts;
        who->frame_contacts[who->frame_count] = (uint8_t)contacts;
        tr_vec3 now = tr_stage_place_of(who), before = tr_affine_position(&who->before_place);
        who->trace[who->frame_count] = tr_vec3_add(before, tr_vec3_scale(tr_vec3_subtract(now, before), t));
        if (t >= 1)
            who->trace[who->frame_count] = now;
        who->frame_count++;
    }
}

bool tr_stage_reserve_record(tr_stage *stage) {
    uint32_t frames = 1 + (uint32_t)(TR_STAGE_TICK * stage->def.frames_per_second);
    bool room = true;
    for (uint32_t i = 0; i < stage->actor_count && room; i++) {
        stage_actor *who = stage->actors[i];
        room = reserve(stage, who, tr_actor_look(who->actor).pose->joint_count, frames);
    }
    return room;
}

void tr_stage_record(tr_stage *stage) {
    double now = tr_stage_time(stage), begin = now - TR_STAGE_TICK;
    for (;;) {
        double time = (double)(stage->frames + 1) / stage->def.frames_per_second;
        if (time > now + 1e-9)
            return;
        float t = (float)((time - begin) / TR_STAGE_TICK);
        record_frame(stage, t > 1 - 1e-6f ? 1 : t);
        stage->frames++;
    }
}

void tr_stage_forget(tr_stage *stage, stage_actor *actor) {
    const tr_allocator *allocator = &stage->allocator;
    tr_release(allocator, actor->frames, actor->frame_capacity, sizeof *actor->frames);
    tr_release(allocator, actor->frame_contacts, actor->contact_capacity, 1);
    tr_release(allocator, actor->trace, actor->trace_capacity, sizeof *actor->trace);
}

static bool same(tr_vec3 a, tr_vec3 b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

// The channels that change, for each joint.
static void find_channels(const tr_skeleton *skeleton, const stage_actor *who, uint8_t *channels) {
    uint32_t joints = tr_skeleton_joint_count(skeleton);
    for (uint32_t j = 0; j < joints; j++) {
        tr_joint_def joint = tr_skeleton_joint(skeleton, j);
        channels[j] = TR_CHANNEL_TURNS;
        for (uint32_t i = 0; i < who->frame_count; i++) {
            const tr_transform *t = &who->frames[(size_t)i * joints + j];
            if (joint.parent == TR_NONE || !same(t->position, joint.rest.position))
                channels[j] |= TR_CHANNEL_MOVES;
            if (joint.parent != TR_NONE && !same(t->scale, joint.rest.scale))
                channels[j] |= TR_CHANNEL_SCALES;
        }
    }
}

static void fill_clip(const stage_actor *who, tr_pose *pose, tr_clip *clip) {
    for (uint32_t i = 0; i < who->frame_count; i++) {
        for (uint32_t j = 0; j < pose->joint_count; j++)
            tr_pose_set(pose, j, who->frames[(size_t)i * pose->joint_count + j]);
        tr_clip_set_frame(clip, i, pose);
        tr_clip_set_contacts(clip, i, who->frame_contacts[i]);
    }
}

tr_status tr_stage_clip(const tr_stage *stage, tr_actor_id actor, const tr_allocator *allocator,
                        tr_clip **clip, tr_error *error) {
    *clip = NULL;
    const stage_actor *who = tr_stage_find_actor(stage, actor);
    if (!who || who->frame_count == 0)
        return tr_fail(error, TR_NOT_FOUND, "there is no recording of actor %u", actor);
    const tr_skeleton *skeleton = tr_actor_look(who->actor).character->skeleton;
    uint32_t joints = tr_skeleton_joint_count(skeleton);
    tr_allocator own = tr_allocator_or_default(allocator);
    uint8_t *channels = tr_allocate(&own, joints, 1);
    if (!channels)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for a clip");
    find_channels(skeleton, who, channels);
    tr_clip_def def = {.allocator = &own,
                       .name = who->name,
                       .skeleton = skeleton,
                       .channels = channels,
                       .frame_count = who->frame_count,
                       .frames_per_second = stage->def.frames_per_second};
    tr_pose pose;
    tr_status status = tr_pose_create(&own, joints, &pose, error);
    if (status == TR_OK)
        status = tr_clip_create(&def, clip, error);
    if (status == TR_OK)
        fill_clip(who, &pose, *clip);
    tr_pose_destroy(&pose);
    tr_release(&own, channels, joints, 1);
    return status;
}

const tr_vec3 *tr_stage_trace(const tr_stage *stage, tr_actor_id actor, uint32_t *count) {
    const stage_actor *who = tr_stage_find_actor(stage, actor);
    *count = who ? who->frame_count : 0;
    return *count ? who->trace : NULL;
}

// The value below which `share` of the numbers lie: by selection, because there are few.
static double share_of(const float *numbers, uint32_t count, double share) {
    uint32_t rank = (uint32_t)(share * (count - 1) + 0.5);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t below = 0, equal = 0;
        for (uint32_t j = 0; j < count; j++) {
            below += numbers[j] < numbers[i];
            equal += numbers[j] == numbers[i];
        }
        if (below <= rank && rank < below + equal)
            return numbers[i];
    }
    return 0;
}

tr_stage_counters tr_stage_counters_of(const tr_stage *stage, tr_actor_id actor) {
    tr_stage_counters counters = {.nearest = INFINITY};
    const stage_actor *who = tr_stage_find_actor(stage, actor);
    if (!who)
        return counters;
    counters.deviations = who->deviations;
    counters.plans = who->plan_count;
    counters.nearest = who->nearest;
    counters.waited = who->waited;
    if (who->plan_timed) {
        uint32_t count = who->plan_timed < STAGE_PLANS ? who->plan_timed : STAGE_PLANS;
        counters.plan_us_median = share_of(who->plan_us, count, 0.5);
        counters.plan_us_p99 = share_of(who->plan_us, count, 0.99);
        counters.plan_us_worst = share_of(who->plan_us, count, 1);
    }
    return counters;
}
