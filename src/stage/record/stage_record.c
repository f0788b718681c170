// The recording: every pose of an actor, tick by tick, and its trace, frame by frame. stage_clip.c makes
// frames of the poses.
#include "stage/stage_data.h"

#define MOVED 1e-3f // an actor that is further from where it was a tick ago was put there [m]

static bool reserve(tr_stage *stage, stage_actor *who, uint32_t joints, uint32_t more) {
    const tr_allocator *allocator = &stage->allocator;
    uint64_t poses = (uint64_t)who->pose_count + 1;
    void *transforms = who->poses, *contacts = who->pose_contacts, *trace = who->trace;
    bool room = tr_reserve(allocator, &transforms, &who->pose_capacity, poses * joints, sizeof *who->poses);
    who->poses = transforms;
    room = room && tr_reserve(allocator, &contacts, &who->contact_capacity, poses, 1);
    who->pose_contacts = contacts;
    room = room && tr_reserve(allocator, &trace, &who->trace_capacity, (uint64_t)who->frame_count + more,
                              sizeof *who->trace);
    who->trace = trace;
    return room;
}

// A pose with its roots in the world.
static void keep_pose(stage_actor *who, const tr_skeleton *skeleton, const tr_pose *pose,
                      const tr_affine *model, uint32_t contacts) {
    const uint32_t *parents = tr_skeleton_parents(skeleton);
    tr_transform *kept = who->poses + (size_t)who->pose_count * pose->joint_count;
    for (uint32_t j = 0; j < pose->joint_count; j++)
        kept[j] = parents[j] == TR_NONE ? tr_affine_to_transform(&model[j]) : tr_pose_get(pose, j);
    who->pose_contacts[who->pose_count++] = (uint8_t)contacts;
}

// Has the actor been put elsewhere since the pose that was kept last?
static bool was_placed(const stage_actor *who) {
    uint32_t joints = who->before.joint_count;
    tr_vec3 before = tr_affine_apply(&who->before_place, tr_pose_get(&who->before, 0).position);
    tr_vec3 kept = who->poses[(size_t)(who->pose_count - 1) * joints].position;
    return tr_vec3_length(tr_vec3_subtract(kept, before)) > MOVED;
}

static void keep_tick(stage_actor *who) {
    actor_look view = tr_actor_look(who->actor);
    uint32_t cut = who->pose_count && was_placed(who) ? STAGE_POSE_CUT : 0;
    keep_pose(who, view.character->skeleton, view.pose, view.model, view.contacts | cut);
}

static void trace_frame(tr_stage *stage, float t) {
    for (uint32_t i = 0; i < stage->actor_count; i++) {
        stage_actor *who = stage->actors[i];
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
    for (uint32_t i = 0; i < stage->actor_count; i++)
        keep_tick(stage->actors[i]);
    for (;;) {
        double time = (double)(stage->frames + 1) / stage->def.frames_per_second;
        if (time > now + 1e-9)
            return;
        float t = (float)((time - begin) / TR_STAGE_TICK);
        trace_frame(stage, t > 1 - 1e-6f ? 1 : t);
        stage->frames++;
    }
}

void tr_stage_forget(tr_stage *stage, stage_actor *actor) {
    const tr_allocator *allocator = &stage->allocator;
    tr_release(allocator, actor->poses, actor->pose_capacity, sizeof *actor->poses);
    tr_release(allocator, actor->pose_contacts, actor->contact_capacity, 1);
    tr_release(allocator, actor->trace, actor->trace_capacity, sizeof *actor->trace);
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
