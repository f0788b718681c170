// Clips of the skateboarder.
#include "skateboarder_parts.h"

#define RATE_DEFAULT 30.0
#define RATE_MIN 10.0
#define RATE_MAX 1000.0
#define EXTRA_MAX 1000
#define TURN_MAX 60.0 // [degrees]
#define EXACT 1e-4    // how far a foot may miss its place [m]

static const char *const names[TR_SKATEBOARDER_KINDS] = {"stand", "start", "glide", "push",
                                                         "jump",  "duck",  "wait",  "end"};

// A clip while it is made.
typedef struct clip_work {
    tr_skater_rig rig;
    tr_skater_plan plan;
    uint32_t frames, before, count; // of the clip; extra ones before it; all, with one at the end
    double rate;
    bool loops;
} clip_work;

static tr_status check(const tr_skateboarder_clip_def *def, tr_error *error) {
    if (!def->skeleton)
        return tr_fail(error, TR_INVALID, "a clip of a skateboarder needs a skeleton");
    if ((uint32_t)def->kind >= TR_SKATEBOARDER_KINDS)
        return tr_fail(error, TR_INVALID, "there is no skateboarder clip of kind %d", (int)def->kind);
    if (!(def->frames_per_second == 0 ||
          (def->frames_per_second >= RATE_MIN && def->frames_per_second <= RATE_MAX)))
        return tr_fail(error, TR_INVALID, "the frame rate is %g frames per second, it must be %g to %g",
                       def->frames_per_second, RATE_MIN, RATE_MAX);
    if (!(fabs((double)def->turn) <= TURN_MAX * TR_GAIT_DEGREE + 1e-6))
        return tr_fail(error, TR_INVALID, "the turn is %g degrees, the most is %g",
                       (double)def->turn / TR_GAIT_DEGREE, TURN_MAX);
    if (def->turn != 0 && def->kind != TR_SKATEBOARDER_GLIDE)
        return tr_fail(error, TR_INVALID, "the kind %s does not turn", names[def->kind]);
    if (def->extra_frames % 2 != 0 || def->extra_frames > EXTRA_MAX)
        return tr_fail(error, TR_INVALID, "there are %u extra frames, there must be an even number up to %d",
                       def->extra_frames, EXTRA_MAX);
    return TR_OK;
}

// Bodies of other heights move alike in times that grow with the square root of the height; frames are whole.
static double time_of(const clip_work *work, uint32_t frame) {
    double share = ((double)frame - work->before) / work->frames;
    return share * work->plan.duration;
}

static tr_base base_at(const clip_work *work, double time) {
    tr_base base = tr_skater_plan_base(&work->plan, time);
    float size = (float)work->rig.size;
    return (tr_base){base.x * size, base.z * size, base.heading};
}

static tr_status add_event(const clip_work *work, tr_clip *clip, double time, const char *name,
                           tr_error *error) {
    double at = (time / work->plan.duration * work->frames + work->before) / work->rate;
    if (tr_clip_add_event(clip, at, name) != TR_OK)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for the events of a clip");
    return TR_OK;
}

static tr_status add_events(const clip_work *work, tr_clip *clip, tr_error *error) {
    const tr_skater_plan *plan = &work->plan;
    tr_status status = TR_OK;
    for (uint32_t i = 0; i < plan->plant_count && status == TR_OK; i++)
        if (!plan->plants[i].on_board && plan->plants[i].begin > 0)
            status = add_event(work, clip, plan->plants[i].begin, "push", error);
    if (status == TR_OK && plan->rise > 0)
        status = add_event(work, clip, plan->flight[0], "pop", error);
    if (status == TR_OK && plan->rise > 0)
        status = add_event(work, clip, plan->flight[1], "land", error);
    return status;
}

static tr_status fill_clip(clip_work *work, const tr_skateboarder_clip_def *def, tr_clip *clip,
                           tr_base *bases, tr_error *error) {
    for (uint32_t i = 0; i < work->count; i++) {
        double time = time_of(work, i);
        tr_skater_state state;
        tr_skater_foot feet[2];
        tr_skater_state_at(&work->plan, time, &state);
        tr_skater_feet_at(&work->rig, &work->plan, time, &state, feet);
        tr_skater_pose(&work->rig, &state, feet);
        if (tr_clip_set_frame(clip, i, &work->rig.gait.pose) != TR_OK)
            return tr_fail(error, TR_INVALID, "the skeleton cannot be posed: frame %u is not finite", i);
        feet[1].contacts &= ~(work->rig.heel_up[1] ? (uint32_t)TR_CONTACT_LEFT_HEEL : 0u);
        tr_clip_set_contacts(clip, i, feet[1].contacts * (TR_CONTACT_RIGHT_HEEL / TR_CONTACT_LEFT_HEEL));
        bases[i] = base_at(work, time);
    }
    if (!(work->rig.worst_miss < EXACT))
        return tr_fail(error, TR_INVALID,
                       "the legs of the skeleton cannot do the kind %s: a foot misses its place by %g m",
                       names[def->kind], work->rig.worst_miss);
    tr_base last = base_at(work, time_of(work, work->loops ? work->count : work->count - 1));
    if (tr_clip_set_base(clip, bases, tr_base_difference(bases[0], last)) != TR_OK)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for the base of a clip");
    return add_events(work, clip, error);
}

static tr_status make_clip(clip_work *work, const tr_skateboarder_clip_def *def, tr_clip **clip,
                           tr_error *error) {
    const tr_allocator *allocator = &work->rig.gait.allocator;
    uint8_t channels[TR_SKATER_JOINTS];
    for (uint32_t i = 0; i < TR_SKATER_JOINTS; i++)
        channels[i] = i == 0 || tr_skeleton_joint(def->skeleton, i).is_end ? 0 : TR_CHANNEL_TURNS;
    channels[TR_SKATER_BODY] = channels[TR_SKATER_BOARD] = TR_CHANNEL_TURNS | TR_CHANNEL_MOVES;
    tr_clip_def made = {.allocator = def->allocator,
                        .name = names[def->kind],
                        .skeleton = def->skeleton,
                        .channels = channels,
                        .frame_count = work->count,
                        .frames_per_second = work->rate,
                        .loop = work->loops};
    tr_base *bases = tr_allocate(allocator, work->count, sizeof *bases);
    if (!bases)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for a clip of %u frames", work->count);
    tr_status status = tr_clip_create(&made, clip, error);
    if (status == TR_OK)
        status = fill_clip(work, def, *clip, bases, error);
    tr_release(allocator, bases, work->count, sizeof *bases);
    if (status != TR_OK) {
        tr_clip_destroy(*clip);
        *clip = NULL;
    }
    return status;
}

tr_status tr_skateboarder_clip_make(const tr_skateboarder_clip_def *def, tr_clip **clip, tr_error *error) {
    *clip = NULL;
    clip_work work = {.rate = def->frames_per_second == 0 ? RATE_DEFAULT : def->frames_per_second};
    tr_status status = check(def, error);
    if (status == TR_OK)
        status = tr_skater_rig_create(def->allocator, def->skeleton, &work.rig, error);
    if (status != TR_OK)
        return status;
    tr_skater_make_plan(def, &work.plan);
    work.frames = (uint32_t)(work.plan.duration * sqrt(work.rig.size) * work.rate + 0.5);
    work.loops = def->kind == TR_SKATEBOARDER_STAND && def->extra_frames == 0;
    work.before = def->extra_frames / 2;
    work.count = work.frames + def->extra_frames + (work.loops || def->extra_frames > 0 ? 0 : 1);
    status = make_clip(&work, def, clip, error);
    tr_skater_rig_destroy(&work.rig);
    return status;
}
