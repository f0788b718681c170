#include "troupe/motion/gait.h"
#include "gait_parts.h"

#include <string.h>

#define RATE_DEFAULT 60.0
#define RATE_MIN 10.0
#define RATE_MAX 1000.0

// The name and the speeds of a kind, for a body of 1.75 m. Other bodies scale with the square root of the leg
// length, at which gaits look alike.
typedef struct kind_row {
    const char *name;
    float speed, slowest, fastest; // [m/s]; 0: it does not travel
    void (*plan)(tr_gait_plan *plan);
    void (*at)(const tr_gait_plan *plan, double time, tr_gait_state *state);
} kind_row;

static void plan_walk(tr_gait_plan *plan) {
    tr_gait_walk_formulas(plan->rig, plan->speed, plan->rate, &plan->cycle);
    tr_gait_cycle_plant(&plan->cycle, plan->rig);
    plan->duration = plan->cycle.period;
    plan->loop = true;
}

static void plan_run(tr_gait_plan *plan) {
    tr_gait_run_formulas(plan->rig, plan->speed, plan->rate, &plan->cycle);
    tr_gait_cycle_plant(&plan->cycle, plan->rig);
    plan->duration = plan->cycle.period;
    plan->loop = true;
}

static void cycle_at(const tr_gait_plan *plan, double time, tr_gait_state *state) {
    tr_gait_cycle_at(&plan->cycle, time, state);
}

static const kind_row rows[TR_GAIT_KINDS] = {
    [TR_GAIT_STAND] = {"stand", 0, 0, 0, tr_gait_plan_stand, tr_gait_stand_at},
    [TR_GAIT_WALK] = {"walk", 1.3f, 0.5f, 1.8f, plan_walk, cycle_at},
    [TR_GAIT_JOG] = {"jog", 2.4f, 1.8f, 3.0f, plan_run, cycle_at},
    [TR_GAIT_RUN] = {"run", 3.5f, 2.6f, 6.0f, plan_run, cycle_at},
    [TR_GAIT_START] = {"start", 1.3f, 0.5f, 1.8f, tr_gait_plan_start, tr_gait_start_at},
    [TR_GAIT_STOP] = {"stop", 1.3f, 0.5f, 1.8f, tr_gait_plan_stop, tr_gait_stop_at},
    [TR_GAIT_TURN_LEFT] = {"turn_left", 0, 0, 0, tr_gait_plan_turn, tr_gait_turn_at},
    [TR_GAIT_TURN_RIGHT] = {"turn_right", 0, 0, 0, tr_gait_plan_turn, tr_gait_turn_at},
    [TR_GAIT_SIDE_LEFT] = {"side_left", 0.5f, 0.1f, 0.7f, tr_gait_plan_side, tr_gait_side_at},
    [TR_GAIT_SIDE_RIGHT] = {"side_right", 0.5f, 0.1f, 0.7f, tr_gait_plan_side, tr_gait_side_at},
    [TR_GAIT_STEP_LEFT] = {"step_left", 0.25f, 0.05f, 0.3f, tr_gait_plan_step, tr_gait_step_at},
    [TR_GAIT_STEP_RIGHT] = {"step_right", 0.25f, 0.05f, 0.3f, tr_gait_plan_step, tr_gait_step_at},
};

const char *tr_gait_name(tr_gait_kind kind) {
    return (uint32_t)kind < TR_GAIT_KINDS ? rows[kind].name : NULL;
}

tr_gait_kind tr_gait_find(const char *name) {
    for (uint32_t kind = 0; name && kind < TR_GAIT_KINDS; kind++)
        if (strcmp(rows[kind].name, name) == 0)
            return (tr_gait_kind)kind;
    return TR_GAIT_KINDS;
}

static tr_status check(const tr_gait_def *def, tr_error *error) {
    if (!def->skeleton)
        return tr_fail(error, TR_INVALID, "a gait needs a skeleton");
    if ((uint32_t)def->kind >= TR_GAIT_KINDS)
        return tr_fail(error, TR_INVALID, "there is no gait kind %d", (int)def->kind);
    if (!(def->frames_per_second == 0 ||
          (def->frames_per_second >= RATE_MIN && def->frames_per_second <= RATE_MAX)))
        return tr_fail(error, TR_INVALID, "the frame rate is %g frames per second, it must be %g to %g",
                       def->frames_per_second, RATE_MIN, RATE_MAX);
    if (!(def->angle >= 0 && def->angle <= (float)TR_PI + 1e-6f))
        return tr_fail(error, TR_INVALID, "the angle is %g rad, it must be above 0 and at most pi",
                       (double)def->angle);
    return TR_OK;
}

tr_status tr_gait_speeds(const tr_skeleton *skeleton, tr_gait_kind kind, float *slowest, float *fastest,
                         tr_error *error) {
    tr_gait_def def = {.skeleton = skeleton, .kind = kind};
    tr_gait_rig rig;
    tr_status status = check(&def, error);
    if (status == TR_OK)
        status = tr_gait_rig_measure(&def, &rig, error);
    if (status != TR_OK)
        return status;
    double grown = sqrt(rig.scale);
    *slowest = (float)((double)rows[kind].slowest * grown);
    *fastest = (float)((double)rows[kind].fastest * grown);
    return TR_OK;
}

// The requested speed, or the kind's default, within the range of a body of this size.
static tr_status choose_speed(const tr_gait_def *def, tr_gait_plan *plan, tr_error *error) {
    const kind_row *row = &rows[def->kind];
    double grown = sqrt(plan->rig->scale), speed = (double)def->speed;
    double slowest = (double)row->slowest * grown, fastest = (double)row->fastest * grown;
    if (speed == 0 || row->fastest == 0) {
        plan->speed = (double)row->speed * grown;
        return isfinite(speed) ? TR_OK
                               : tr_fail(error, TR_INVALID, "the speed is %g m/s, it must be finite", speed);
    }
    if (!(speed >= slowest * (1 - 1e-6) && speed <= fastest * (1 + 1e-6)))
        return tr_fail(error, TR_INVALID,
                       "gait %s at %g m/s is out of range, this body can do %.2f to %.2f m/s", row->name,
                       speed, slowest, fastest);
    plan->speed = speed;
    return TR_OK;
}

static tr_status make_clip(const tr_gait_def *def, const tr_gait_plan *plan, tr_clip **clip,
                           tr_error *error) {
    tr_clip_def made = {.allocator = def->allocator,
                        .name = rows[plan->kind].name,
                        .frame_count = plan->frames,
                        .frames_per_second = plan->rate,
                        .loop = plan->loop};
    return tr_gait_create_clip(plan->rig, &made, clip, error);
}

static tr_status set_base(const tr_gait_plan *plan, tr_clip *clip, const tr_base *bases, tr_error *error) {
    tr_gait_state first, last;
    rows[plan->kind].at(plan, 0, &first);
    rows[plan->kind].at(plan, plan->duration, &last);
    tr_base from = tr_gait_base(&first), to = tr_gait_base(&last);
    tr_base advance = {to.x - from.x, to.z - from.z, to.heading - from.heading};
    tr_status status = tr_clip_set_base(clip, bases, advance);
    return status == TR_OK ? TR_OK : tr_fail(error, status, "no memory for the base of a gait");
}

static tr_status fill_clip(const tr_gait_plan *plan, tr_clip *clip, const tr_gait_state *states,
                           tr_base *bases, tr_error *error) {
    plan->rig->worst_miss = 0;
    for (uint32_t i = 0; i < plan->frames; i++) {
        tr_gait_pose(plan->rig, &states[i]);
        if (tr_clip_set_frame(clip, i, &plan->rig->pose) != TR_OK)
            return tr_fail(error, TR_INVALID, "the skeleton cannot be posed: frame %u is not finite", i);
        tr_clip_set_contacts(clip, i, tr_gait_contacts(&states[i]));
        bases[i] = tr_gait_base(&states[i]);
    }
    if (!(plan->rig->worst_miss < TR_GAIT_FEET_EXACT))
        return tr_fail(error, TR_INVALID,
                       "the legs of the skeleton cannot do the gait %s: a foot misses its place by %g m",
                       rows[plan->kind].name, (double)plan->rig->worst_miss);
    tr_status status = set_base(plan, clip, bases, error);
    return status == TR_OK ? tr_gait_add_steps(clip, error) : status;
}

// Memory for every frame of a clip while it is made.
typedef struct frame_room {
    uint32_t frames;
    tr_gait_state *states;
    tr_base *bases;
    double *lack, *largest;
} frame_room;

static bool make_room(const tr_allocator *allocator, frame_room *room) {
    room->states = tr_allocate(allocator, room->frames, sizeof *room->states);
    room->bases = tr_allocate(allocator, room->frames, sizeof *room->bases);
    room->lack = tr_allocate(allocator, room->frames, sizeof *room->lack);
    room->largest = tr_allocate(allocator, room->frames, sizeof *room->largest);
    return room->states && room->bases && room->lack && room->largest;
}

static void release_room(const tr_allocator *allocator, frame_room *room) {
    tr_release(allocator, room->states, room->frames, sizeof *room->states);
    tr_release(allocator, room->bases, room->frames, sizeof *room->bases);
    tr_release(allocator, room->lack, room->frames, sizeof *room->lack);
    tr_release(allocator, room->largest, room->frames, sizeof *room->largest);
}

static tr_status make_motion(const tr_gait_def *def, tr_gait_plan *plan, tr_clip **clip, tr_error *error) {
    tr_gait_rig *rig = plan->rig;
    frame_room room = {.frames = plan->frames};
    tr_clip *made = NULL;
    tr_status status = TR_OK;
    if (!make_room(&rig->allocator, &room))
        status = tr_fail(error, TR_OUT_OF_MEMORY, "no memory for a gait of %u frames", plan->frames);
    if (status == TR_OK)
        status = make_clip(def, plan, &made, error);
    if (status == TR_OK) {
        for (uint32_t i = 0; i < plan->frames; i++)
            rows[plan->kind].at(plan, i / plan->rate, &room.states[i]);
        if (!plan->loop)
            tr_gait_lower_hips(rig, plan->rate, room.states, plan->frames, room.lack, room.largest);
        status = fill_clip(plan, made, room.states, room.bases, error);
    }
    release_room(&rig->allocator, &room);
    if (status == TR_OK)
        *clip = made;
    else
        tr_clip_destroy(made);
    return status;
}

tr_status tr_gait_make(const tr_gait_def *def, tr_clip **clip, tr_error *error) {
    *clip = NULL;
    tr_status status = check(def, error);
    tr_gait_rig rig;
    if (status == TR_OK)
        status = tr_gait_rig_create(def, &rig, error);
    if (status != TR_OK)
        return status;
    tr_gait_plan plan = {.rig = &rig,
                         .kind = def->kind,
                         .rate = def->frames_per_second == 0 ? RATE_DEFAULT : def->frames_per_second,
                         .angle = def->angle == 0 ? TR_PI / 2 : (double)def->angle};
    status = choose_speed(def, &plan, error);
    if (status == TR_OK) {
        rows[plan.kind].plan(&plan);
        // A clip that does not loop also has a frame at its end.
        plan.frames = (uint32_t)(plan.duration * plan.rate + 0.5) + (plan.loop ? 0 : 1);
        status = make_motion(def, &plan, clip, error);
    }
    tr_gait_rig_destroy(&rig);
    return status;
}
