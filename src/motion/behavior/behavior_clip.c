#include "troupe/motion/behavior_clip.h"
#include "behavior_parts.h"
#include "troupe/base/random.h"
#include "troupe/motion/clip_edit.h"

#include <string.h>

#define JOG_DEFAULT 2.4 // [m/s], for a body of 1.75 m
#define WALK_DEFAULT 1.2
#define FEET 15u // heels and toes of both
#define RATE_DEFAULT 30.0
#define RATE_MIN 10.0
#define RATE_MAX 1000.0
#define EXTRA_MAX 1000
#define SECONDS_MAX 60.0

typedef struct kind_row {
    const char *name;
    void (*plan)(tr_behavior_plan *plan); // NULL: a gait has it
    double turn_max;                      // [degrees]; 0: it does not turn
    double height[3]; // of the obstacle, for a body of 1.75 m: least, most, default [m]; 0: it has none
    double length[3];
    bool walks;
} kind_row;

static const kind_row rows[TR_BEHAVIOR_CLIP_KINDS] = {
    [TR_BEHAVIOR_CLIP_START] = {.name = "start", .plan = tr_behavior_plan_start},
    [TR_BEHAVIOR_CLIP_END] = {.name = "end", .plan = tr_behavior_plan_end},
    [TR_BEHAVIOR_CLIP_JOG] = {.name = "jog", .plan = tr_behavior_plan_jog, .turn_max = 60},
    [TR_BEHAVIOR_CLIP_SHORT] = {.name = "short", .plan = tr_behavior_plan_short, .turn_max = 20},
    [TR_BEHAVIOR_CLIP_WAIT] = {.name = "wait", .plan = tr_behavior_plan_wait},
    [TR_BEHAVIOR_CLIP_JUMP] = {"jump", tr_behavior_plan_jump, .height = {0.1, 0.9, 0.4},
                               .length = {0.05, 2.0, 0.3}},
    [TR_BEHAVIOR_CLIP_DUCK] = {"duck", tr_behavior_plan_duck, .height = {0.95, 1.5, 1.2},
                               .length = {0.05, 3, 0.3}},
    [TR_BEHAVIOR_CLIP_CRAWL] = {"crawl", tr_behavior_plan_crawl, .height = {0.75, 0.95, 0.85},
                                .length = {0.05, 4, 0.6}},
    [TR_BEHAVIOR_CLIP_TURN] = {.name = "turn", .turn_max = 180},
    [TR_BEHAVIOR_CLIP_STEP_UP] = {"step_up", tr_behavior_plan_step_up, .height = {0.2, 0.45, 0.35}},
    [TR_BEHAVIOR_CLIP_CLIMB] = {"climb", tr_behavior_plan_climb, .height = {0.45, 0.95, 0.75}},
    [TR_BEHAVIOR_CLIP_STEP_DOWN] = {"step_down", tr_behavior_plan_step_down, .height = {0.2, 0.45, 0.35}},
    [TR_BEHAVIOR_CLIP_LEAP_DOWN] = {"leap_down", tr_behavior_plan_leap_down, .height = {0.45, 0.95, 0.75}},
    [TR_BEHAVIOR_CLIP_SET_OUT] = {.name = "set_out", .walks = true},
    [TR_BEHAVIOR_CLIP_HALT] = {.name = "halt", .walks = true},
    [TR_BEHAVIOR_CLIP_WALK] = {.name = "walk", .plan = tr_behavior_plan_jog, .turn_max = 50, .walks = true},
    // Both feet stand when it ends: there is no time to turn.
    [TR_BEHAVIOR_CLIP_PACE] = {.name = "pace", .plan = tr_behavior_plan_short, .walks = true},
    [TR_BEHAVIOR_CLIP_STAND] = {.name = "stand", .plan = tr_behavior_plan_stay},
};

const char *tr_behavior_clip_name(tr_behavior_clip_kind kind) {
    return (uint32_t)kind < TR_BEHAVIOR_CLIP_KINDS ? rows[kind].name : NULL;
}

tr_behavior_clip_kind tr_behavior_clip_find(const char *name) {
    for (uint32_t kind = 0; name && kind < TR_BEHAVIOR_CLIP_KINDS; kind++)
        if (strcmp(rows[kind].name, name) == 0)
            return (tr_behavior_clip_kind)kind;
    return TR_BEHAVIOR_CLIP_KINDS;
}

static tr_status check(const tr_behavior_clip_def *def, tr_error *error) {
    if (!def->skeleton)
        return tr_fail(error, TR_INVALID, "a behavior clip needs a skeleton");
    if ((uint32_t)def->kind >= TR_BEHAVIOR_CLIP_KINDS)
        return tr_fail(error, TR_INVALID, "there is no kind %d of behavior clips", (int)def->kind);
    double rate = def->frames_per_second;
    if (!(rate == 0 || (rate >= RATE_MIN && rate <= RATE_MAX)))
        return tr_fail(error, TR_INVALID, "the frame rate is %g frames per second, it must be %g to %g", rate,
                       RATE_MIN, RATE_MAX);
    if (!(def->seconds >= 0 && def->seconds <= SECONDS_MAX))
        return tr_fail(error, TR_INVALID, "the wait is %g s, it must be 0 to %g", def->seconds, SECONDS_MAX);
    if (def->extra > EXTRA_MAX)
        return tr_fail(error, TR_INVALID, "there are %u extra frames, the most is %d", def->extra, EXTRA_MAX);
    return TR_OK;
}

static double default_speed(const tr_behavior_plan *plan) {
    return (rows[plan->def->kind].walks ? WALK_DEFAULT : JOG_DEFAULT) * sqrt(plan->rig->scale);
}

// The speed that is asked for, or that of a jog or a walk of this body.
static tr_status choose_speed(tr_behavior_plan *plan, tr_error *error) {
    float slowest, fastest, speed = plan->def->speed;
    bool walks = rows[plan->def->kind].walks;
    tr_status status =
        tr_gait_speeds(plan->rig->skeleton, walks ? TR_GAIT_WALK : TR_GAIT_JOG, &slowest, &fastest, error);
    if (status != TR_OK)
        return status;
    if (!(speed == 0 || (speed >= slowest * (1 - 1e-6f) && speed <= fastest * (1 + 1e-6f))))
        return tr_fail(error, TR_INVALID, "the %s is at %g m/s, this body %ss at %.2f to %.2f m/s",
                       walks ? "walk" : "jog", (double)speed, walks ? "walk" : "jog", (double)slowest,
                       (double)fastest);
    plan->speed = speed == 0 ? default_speed(plan) : (double)speed;
    return TR_OK;
}

// The faster a body is, the harder it has to push to the side.
static tr_status check_turn(const tr_behavior_plan *plan, tr_error *error) {
    double slow = default_speed(plan) / plan->speed, turn = (double)plan->def->turn;
    const kind_row *row = &rows[plan->def->kind];
    double most = row->turn_max * (slow < 1 ? slow : 1);
    if (!(fabs(turn) <= most * TR_GAIT_DEGREE + 1e-6))
        return tr_fail(error, TR_INVALID, "the kind %s turns by %g degrees, at %.2f m/s the most is %.1f",
                       row->name, turn / TR_GAIT_DEGREE, plan->speed, most);
    return TR_OK;
}

static tr_status choose_size(const tr_behavior_plan *plan, const char *what, float asked,
                             const double range[3], double *size, tr_error *error) {
    double scale = plan->rig->scale, low = range[0] * scale, high = range[1] * scale;
    const char *name = rows[plan->def->kind].name;
    if (high == 0 && !(asked == 0))
        return tr_fail(error, TR_INVALID, "the kind %s has no %s", name, what);
    if (!(asked == 0 || ((double)asked >= low * (1 - 1e-6) && (double)asked <= high * (1 + 1e-6))))
        return tr_fail(error, TR_INVALID,
                       "the %s of the kind %s is %g m, for this body it must be %.2f to %.2f", what, name,
                       (double)asked, low, high);
    *size = asked == 0 ? range[2] * scale : (double)asked;
    return TR_OK;
}

static tr_status choose_obstacle(tr_behavior_plan *plan, tr_error *error) {
    const kind_row *row = &rows[plan->def->kind];
    tr_status status = choose_size(plan, "height", plan->def->height, row->height, &plan->height, error);
    return status == TR_OK ? choose_size(plan, "length", plan->def->length, row->length, &plan->length, error)
                           : status;
}

// Small differences between clips of the same kind: they vanish at both ends.
static void vary(tr_behavior_plan *plan) {
    static const struct {
        size_t field;
        float size; // [degrees]
    } parts[] = {
        {offsetof(tr_gait_state, head_yaw), 4},          {offsetof(tr_gait_state, head_nod), 3},
        {offsetof(tr_gait_state, chest_yaw), 3},         {offsetof(tr_gait_state, chest_lean), 2},
        {offsetof(tr_gait_state, arms[0].flexion), 6},   {offsetof(tr_gait_state, arms[1].flexion), 6},
        {offsetof(tr_gait_state, arms[0].abduction), 3}, {offsetof(tr_gait_state, arms[1].elbow), 7}};
    if (plan->def->seed == 0)
        return;
    tr_random random = tr_random_seed(plan->def->seed);
    for (uint32_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        double by = (double)tr_random_between(&random, -parts[i].size, parts[i].size) * TR_GAIT_DEGREE;
        bool is_head = parts[i].field == offsetof(tr_gait_state, head_yaw) ||
                       parts[i].field == offsetof(tr_gait_state, head_nod);
        if (is_head || plan->def->kind != TR_BEHAVIOR_CLIP_CLIMB) // whose hands bear
            tr_behavior_add_bump(plan, parts[i].field, 0, plan->duration, by);
    }
}

// Memory for every frame of a clip while it is made.
typedef struct frame_room {
    uint32_t frames, proper;
    tr_gait_state *states;
    tr_base *bases;
    double *times, *lack, *largest;
} frame_room;

static bool make_room(const tr_allocator *allocator, frame_room *room) {
    room->states = tr_allocate(allocator, room->frames, sizeof *room->states);
    room->bases = tr_allocate(allocator, room->frames, sizeof *room->bases);
    room->times = tr_allocate(allocator, room->frames, sizeof *room->times);
    room->lack = tr_allocate(allocator, room->frames, sizeof *room->lack);
    room->largest = tr_allocate(allocator, room->frames, sizeof *room->largest);
    return room->states && room->bases && room->times && room->lack && room->largest;
}

static void release_room(const tr_allocator *allocator, frame_room *room) {
    tr_release(allocator, room->states, room->frames, sizeof *room->states);
    tr_release(allocator, room->bases, room->frames, sizeof *room->bases);
    tr_release(allocator, room->times, room->frames, sizeof *room->times);
    tr_release(allocator, room->lack, room->frames, sizeof *room->lack);
    tr_release(allocator, room->largest, room->frames, sizeof *room->largest);
}

static tr_status pose_frames(const tr_behavior_plan *plan, frame_room *room, tr_clip *clip, tr_error *error) {
    tr_gait_rig *rig = plan->rig;
    rig->worst_miss = 0;
    for (uint32_t i = 0; i < room->frames; i++) {
        tr_behavior_finish(plan, room->times[i], &room->states[i]);
        if (tr_clip_set_frame(clip, i, &rig->pose) != TR_OK)
            return tr_fail(error, TR_INVALID, "the skeleton cannot be posed: frame %u is not finite", i);
        uint32_t touching = tr_behavior_touching(plan, room->times[i]);
        tr_clip_set_contacts(clip, i, (tr_gait_contacts(&room->states[i]) & FEET) | touching);
        room->bases[i] = tr_gait_base(&room->states[i]);
    }
    if (!(rig->worst_miss < TR_GAIT_FEET_EXACT))
        return tr_fail(error, TR_INVALID,
                       "the legs of the skeleton cannot do the kind %s: a foot misses its place by %g m",
                       rows[plan->def->kind].name, (double)rig->worst_miss);
    tr_base first = room->bases[0], last = room->bases[room->frames - 1];
    tr_base advance = {last.x - first.x, last.z - first.z, last.heading - first.heading};
    return tr_clip_set_base(clip, room->bases, advance);
}

static tr_status fill_clip(const tr_behavior_plan *plan, frame_room *room, tr_clip *clip, tr_error *error) {
    uint32_t extra = plan->def->extra;
    for (uint32_t i = 0; i < room->frames; i++) {
        double time = ((double)i - extra) / plan->rate;
        time = i == extra + room->proper - 1 ? plan->duration : time;
        room->times[i] = time;
        tr_behavior_pose_at(plan, time, &room->states[i]);
    }
    tr_gait_lower_hips(plan->rig, plan->rate, room->states + extra, room->proper, room->lack, room->largest);
    tr_status status = pose_frames(plan, room, clip, error);
    if (status == TR_OK)
        status = tr_gait_add_steps(clip, error);
    if (status == TR_OK)
        status = tr_clip_add_event(clip, plan->action + extra / plan->rate, "action");
    if (status == TR_OUT_OF_MEMORY)
        return tr_fail(error, status, "no memory for a behavior clip of %u frames", room->frames);
    return status;
}

static tr_status make_motion(const tr_behavior_plan *plan, tr_clip **clip, tr_error *error) {
    tr_gait_rig *rig = plan->rig;
    frame_room room = {.proper = (uint32_t)(plan->duration * plan->rate + 0.5) + 1};
    room.frames = room.proper + 2 * plan->def->extra;
    tr_clip_def made = {.allocator = plan->def->allocator,
                        .name = rows[plan->def->kind].name,
                        .frame_count = room.frames,
                        .frames_per_second = plan->rate};
    tr_status status = TR_OK;
    if (!make_room(&rig->allocator, &room))
        status = tr_fail(error, TR_OUT_OF_MEMORY, "no memory for a behavior clip of %u frames", room.frames);
    if (status == TR_OK)
        status = tr_gait_create_clip(rig, &made, clip, error);
    if (status == TR_OK)
        status = fill_clip(plan, &room, *clip, error);
    release_room(&rig->allocator, &room);
    return status;
}

static tr_status too_long(const tr_behavior_plan *plan, tr_error *error) {
    return tr_fail(error, TR_INVALID,
                   "the kind %s cannot clear %g m of height over a length of %g m: %g m are missing",
                   rows[plan->def->kind].name, plan->height, plan->length, -plan->clear);
}

// The label of an end of a plan, which knows one gait, as the clip has it.
static tr_behavior_clip_label clip_label(const tr_behavior_clip_def *def, tr_behavior_clip_label label) {
    if (label == TR_BEHAVIOR_CLIP_STANDS)
        return label;
    bool left = (label == TR_BEHAVIOR_CLIP_LEFT) != def->mirrored;
    return rows[def->kind].walks ? left ? TR_BEHAVIOR_CLIP_WALKS_LEFT : TR_BEHAVIOR_CLIP_WALKS_RIGHT
           : left                ? TR_BEHAVIOR_CLIP_LEFT
                                 : TR_BEHAVIOR_CLIP_RIGHT;
}

static void fill_info(const tr_behavior_plan *plan, const tr_clip *clip, tr_behavior_clip_info *info) {
    *info = (tr_behavior_clip_info){.first = plan->def->extra,
                                    .last = tr_clip_frame_count(clip) - 1 - plan->def->extra,
                                    .action = plan->action + plan->def->extra / plan->rate,
                                    .begin = clip_label(plan->def, plan->begin_label),
                                    .end = clip_label(plan->def, plan->end_label)};
    info->advance =
        tr_base_difference(tr_clip_frame_base(clip, info->first), tr_clip_frame_base(clip, info->last));
    info->rise = (float)plan->exit.place.y;
}

static tr_status mirror(const tr_behavior_clip_def *def, tr_clip **clip, tr_error *error) {
    tr_clip *mirrored = NULL;
    tr_status status = tr_clip_edit_mirror(def->allocator, def->skeleton, *clip, &mirrored, error);
    if (status == TR_OK) {
        tr_clip_destroy(*clip);
        *clip = mirrored;
    }
    return status;
}

static tr_status make_gait(const tr_behavior_plan *plan, tr_clip **clip, tr_behavior_clip_info *info,
                           tr_error *error) {
    const tr_behavior_clip_def *def = plan->def;
    tr_status status = tr_behavior_make_gait(def, (float)plan->speed, clip, error);
    if (status == TR_OK && def->mirrored)
        status = mirror(def, clip, error);
    if (status == TR_OK && info)
        tr_behavior_gait_info(def, *clip, info);
    return status;
}

static tr_status make_planned(tr_behavior_plan *plan, tr_clip **clip, tr_behavior_clip_info *info,
                              tr_error *error) {
    const kind_row *row = &rows[plan->def->kind];
    if (row->walks)
        tr_gait_walk_formulas(plan->rig, plan->speed, plan->rate, &plan->cycle);
    else
        tr_gait_run_formulas(plan->rig, plan->speed, plan->rate, &plan->cycle);
    tr_gait_cycle_plant(&plan->cycle, plan->rig);
    row->plan(plan);
    if (plan->clear < 0)
        return too_long(plan, error);
    vary(plan);
    tr_status status = make_motion(plan, clip, error);
    if (status == TR_OK && plan->def->mirrored)
        status = mirror(plan->def, clip, error);
    if (status == TR_OK && info)
        fill_info(plan, *clip, info);
    return status;
}

tr_status tr_behavior_clip_make(const tr_behavior_clip_def *def, tr_clip **clip, tr_behavior_clip_info *info,
                                tr_error *error) {
    *clip = NULL;
    tr_status status = check(def, error);
    tr_gait_rig rig;
    tr_gait_def gait = {.allocator = def->allocator, .skeleton = def->skeleton};
    if (status == TR_OK)
        status = tr_gait_rig_need_all(def->skeleton, "a behavior", error);
    if (status == TR_OK)
        status = tr_gait_rig_create(&gait, &rig, error);
    if (status != TR_OK)
        return status;
    tr_behavior_plan plan = {
        .rig = &rig, .def = def, .rate = def->frames_per_second == 0 ? RATE_DEFAULT : def->frames_per_second};
    status = choose_speed(&plan, error);
    if (status == TR_OK && def->kind != TR_BEHAVIOR_CLIP_TURN)
        status = check_turn(&plan, error);
    if (status == TR_OK)
        status = choose_obstacle(&plan, error);
    if (status == TR_OK)
        status = rows[def->kind].plan ? make_planned(&plan, clip, info, error)
                                      : make_gait(&plan, clip, info, error);
    if (status != TR_OK) {
        tr_clip_destroy(*clip);
        *clip = NULL;
    }
    tr_gait_rig_destroy(&rig);
    return status;
}
