// Paths for arms: planners, their goals, and the way back.
#include "stage_data.h"
#include "troupe/base/clock.h"
#include "troupe/world/distance.h"

#include <string.h>

#define ARMS_APART 0.01f        // distance kept between the two arms [m]
#define SMOOTH_CLEARANCE 0.005f // [m]
#define SMOOTH_ENOUGH -6.2      // log dimensionless jerk that is smooth enough
#define SMOOTH_TRIES 8u
#define CHECKS_QUICK 20000u // of the first attempt in every direction
#define CHECKS_ALL 200000u
#define LESS_NATURAL 0.1f // what each further direction of approach costs, as discomfort
#define LOWER_KNOTS (TR_ACTOR_KNOTS_MAX)
#define LOOKS 8        // samples of each segment of a smoothed path that measure its clearance
#define ARM_SAMPLES 48 // samples of a path that are tested against the other arm

static const char no_side[] = "the hand cannot approach the target from any side";
static const char too_long[] = "the path of the arm has too many corners";

static stage_planner *planner_of(tr_stage *stage, const stage_actor *who, tr_arm_side side) {
    const tr_character *character = tr_actor_look(who->actor).character;
    for (uint32_t i = 0; i < stage->planner_count; i++)
        if (stage->planners[i].character == character && stage->planners[i].side == side)
            return &stage->planners[i];
    return NULL;
}

// Measures the arm and the parts of its own body that it must not touch, for the standing character.
static tr_status measure(tr_stage *stage, const tr_character *character, const tr_arm_rig *joints,
                         tr_arm *arm, tr_reach_body bodies[TR_REACH_BODIES_MAX], uint32_t *count,
                         tr_error *error) {
    uint32_t joint_count = tr_skeleton_joint_count(character->skeleton);
    tr_pose pose = {0};
    tr_posture posture;
    tr_affine *model = tr_allocate(&stage->allocator, joint_count, sizeof *model);
    tr_status status = tr_pose_create(&stage->allocator, joint_count, &pose, error);
    if (status == TR_OK && !model)
        status = tr_fail(error, TR_OUT_OF_MEMORY, "no memory for arm planning");
    if (status == TR_OK) {
        tr_clip_sample(character->stand, 0, &pose);
        tr_pose_to_model(character->skeleton, &pose, NULL, model);
        tr_arm_rig_read(joints, character->skeleton, &pose, model, arm, &posture);
        *count = tr_arm_rig_bodies(joints, character->skeleton, character->body, model, bodies,
                                   TR_REACH_BODIES_MAX);
    }
    tr_pose_destroy(&pose);
    tr_release(&stage->allocator, model, joint_count, sizeof *model);
    return status;
}

// The line of the hand ends a radius before the finger tips: the capsule reaches just as far as they do.
static void shorten_hand(tr_arm *arm) {
    arm->length[2] = arm->length[2] > arm->radius[2] ? arm->length[2] - arm->radius[2] : 0;
}

static tr_status add_planner(tr_stage *stage, const stage_actor *who, tr_arm_side side, tr_error *error) {
    tr_actor_arm_view view;
    if (planner_of(stage, who, side) || tr_actor_look_arm(who->actor, side, &view) != TR_OK)
        return TR_OK;
    void *planners = stage->planners;
    bool room = tr_reserve(&stage->allocator, &planners, &stage->planner_capacity,
                           (uint64_t)stage->planner_count + 1, sizeof *stage->planners);
    stage->planners = planners;
    if (!room)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for arm planning");
    stage_planner made = {.character = tr_actor_look(who->actor).character, .side = side};
    tr_arm arm;
    tr_status status =
        measure(stage, made.character, view.joints, &arm, made.bodies, &made.body_count, error);
    if (status != TR_OK)
        return status;
    shorten_hand(&arm);
    tr_reach_def def = tr_reach_def_default(stage->solid, &arm);
    def.allocator = &stage->allocator;
    def.bodies = made.bodies;
    def.body_count = made.body_count;
    status = tr_reach_create(&def, &made.reach, error);
    if (status == TR_OK)
        stage->planners[stage->planner_count++] = made;
    return status;
}

tr_status tr_stage_add_planners(tr_stage *stage, const stage_actor *who, uint32_t hands, tr_error *error) {
    tr_status status = TR_OK;
    if (!stage->arm_smooth)
        status = tr_arm_smooth_create(&stage->allocator, &stage->arm_smooth, error);
    for (uint32_t side = 0; side < 2 && status == TR_OK; side++)
        if (hands >> side & 1)
            status = add_planner(stage, who, (tr_arm_side)side, error);
    return status;
}

tr_solid_def tr_stage_solid_def(const tr_stage *stage) {
    tr_solid_def def = tr_solid_def_default(stage->def.scene);
    def.allocator = &stage->world;
    def.tasks = stage->def.tasks;
    def.exclude_tags = TR_TAG_CHARACTER;
    return def;
}

tr_status tr_stage_open_solid(tr_stage *stage, tr_error *error) {
    if (stage->solid)
        return TR_OK;
    tr_solid_def def = tr_stage_solid_def(stage);
    return tr_solid_create(&def, &stage->solid, error);
}

tr_status tr_stage_prepare_reach(tr_stage *stage, stage_actor *who, const tr_order *order, tr_error *error) {
    if (order->kind != TR_ORDER_REACH)
        return TR_OK;
    uint32_t hands = order->hands ? order->hands : TR_HAND_RIGHT | TR_HAND_LEFT, missing = 0;
    tr_status status = tr_actor_prepare_arms(who->actor, error);
    if (status != TR_OK)
        return status;
    for (uint32_t side = 0; side < 2; side++)
        missing |= tr_actor_has_arm(who->actor, (tr_arm_side)side) ? 0 : 1u << side;
    if ((hands & ~missing) == 0)
        return tr_fail(error, TR_NOT_FOUND, "%.60s has no %s arm with the required roles", who->name,
                       hands == TR_HAND_LEFT ? "left" : "right");
    if (!who->reach)
        who->reach = tr_allocate_zero(&stage->allocator, 1, sizeof *who->reach);
    if (!who->reach)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for an order");
    status = tr_stage_open_solid(stage, error);
    return status == TR_OK ? tr_stage_add_planners(stage, who, hands, error) : status;
}

void tr_stage_close_reach(tr_stage *stage) {
    for (uint32_t i = 0; i < stage->planner_count; i++)
        tr_reach_destroy(stage->planners[i].reach);
    tr_release(&stage->allocator, stage->planners, stage->planner_capacity, sizeof *stage->planners);
    tr_arm_smooth_destroy(stage->arm_smooth);
    tr_solid_destroy(stage->solid);
}

// The planner, for the arm in its present posture. The rest of the body is taken as it stands, with the other
// arm hanging: if that arm is out and in the way, it comes down first.
static tr_reach *place_planner(tr_stage *stage, const stage_actor *who, tr_arm_side side,
                               const tr_actor_arm_view *view) {
    stage_planner *planner = planner_of(stage, who, side);
    if (!planner)
        return NULL;
    tr_arm arm = view->arm;
    shorten_hand(&arm);
    tr_status status = tr_reach_set_arm(planner->reach, &arm, planner->bodies, planner->body_count, NULL);
    return status == TR_OK ? planner->reach : NULL;
}

static bool is_out(const stage_actor *who, tr_arm_side side) {
    tr_actor_arm_view view;
    return tr_actor_look_arm(who->actor, side, &view) == TR_OK && view.doing != TR_ACTOR_ARM_SWINGS &&
           view.doing != TR_ACTOR_ARM_FADES;
}

static bool is_moving(const tr_actor_arm_view *view) {
    return view->doing == TR_ACTOR_ARM_MOVES || view->doing == TR_ACTOR_ARM_BRAKES;
}

// A search for a path.
typedef struct reach_task {
    tr_reach *planner;
    tr_actor_arm_view view;
    tr_arm_goal goal; // the goal of the path that was found
    tr_reach_reason reason;
    bool has_reason; // the reason of the first direction with room for the hand
} reach_task;

// The directions to approach from, the most comfortable first: the wrist hardly bent, the elbow where people
// hold it. Of equally comfortable ones the more natural, which has the smaller number.
static uint32_t sort_goals(const tr_stage *stage, const stage_actor *who, const reach_task *task,
                           uint32_t numbers[STAGE_REACH_GOALS]) {
    const tr_order *order = &who->orders[who->current].order;
    const tr_arm *arm = tr_reach_arm(task->planner);
    float costs[STAGE_REACH_GOALS];
    uint32_t count = tr_stage_reach_goal_count(order);
    for (uint32_t i = 0; i < count; i++) {
        tr_posture posture;
        tr_arm_goal goal;
        float cost = INFINITY;
        if (count > 1 && tr_stage_reach_goal(stage, who, order, arm, &task->view.posture, i, &goal))
            cost = tr_arm_most_comfortable(arm, &task->view.posture.q[TR_ARM_JOINTS], &goal, &posture) +
                   LESS_NATURAL * (float)i;
        uint32_t k = i;
        for (; k > 0 && costs[k - 1] > cost; k--)
            costs[k] = costs[k - 1], numbers[k] = numbers[k - 1];
        costs[k] = cost, numbers[k] = i;
    }
    return count;
}

// Tries every direction with a small budget, then again with the whole budget.
static tr_status try_goals(const tr_stage *stage, const stage_actor *who, bool help, reach_task *task) {
    const tr_order *order = &who->orders[who->current].order;
    uint32_t numbers[STAGE_REACH_GOALS], count = sort_goals(stage, who, task, numbers);
    tr_reach_params params = tr_reach_params_default();
    params.velocity = is_moving(&task->view) ? &task->view.velocity : NULL;
    params.help = help;
    params.seed += who->reach->tries > 0 ? who->reach->tries - 1 : 0; // the same numbers would fail again
    bool hopeless[STAGE_REACH_GOALS] = {false};
    tr_status status = TR_NOT_FOUND, best = TR_NOT_FOUND;
    for (uint32_t i = 0; i < 2 * count; i++) {
        uint32_t number = numbers[i % count];
        params.checks_max = i < count && count > 1 ? CHECKS_QUICK : CHECKS_ALL;
        if (hopeless[number] || !tr_stage_reach_goal(stage, who, order, tr_reach_arm(task->planner),
                                                     &task->view.posture, number, &task->goal))
            continue;
        status = tr_reach_plan(task->planner, &task->view.posture, &task->goal, &params, NULL);
        if (status == TR_OK)
            return status;
        hopeless[number] = status != TR_PARTIAL || params.checks_max == CHECKS_ALL;
        best = status == TR_PARTIAL ? status : best;
        task->reason = task->has_reason ? task->reason : tr_reach_last(task->planner)->reason;
        task->has_reason = true;
    }
    return best;
}

// Tests the other arm in its present posture: planners know it only as it hangs.
static bool meets_other_arm(const stage_actor *who, const tr_reach *planner, const tr_arm_path *path,
                            tr_arm_side side) {
    tr_actor_arm_view other;
    if (!is_out(who, (tr_arm_side)(1 - side)) ||
        tr_actor_look_arm(who->actor, (tr_arm_side)(1 - side), &other) != TR_OK)
        return false;
    const tr_arm *arm = tr_reach_arm(planner);
    tr_vec3 theirs[4], ours[4];
    tr_arm_points(&other.arm, &other.posture, theirs);
    for (uint32_t i = 0; i <= ARM_SAMPLES; i++) {
        tr_posture posture = tr_arm_path_at(path, (double)(path->count - 1) * i / ARM_SAMPLES, NULL);
        tr_arm_points(arm, &posture, ours);
        for (uint32_t j = 0; j < TR_ARM_LINKS; j++)
            for (uint32_t k = 0; k < TR_ARM_LINKS; k++) {
                float room = arm->radius[j] + other.arm.radius[k] + ARMS_APART;
                if (tr_distance_segments(ours[j], ours[j + 1], theirs[k], theirs[k + 1], NULL, NULL) <
                    room * room)
                    return true;
            }
    }
    return false;
}

static void take_report(const reach_task *task, const tr_arm_path *path, double microseconds,
                        tr_order_reach *report) {
    const tr_reach_result *result = tr_reach_last(task->planner);
    report->side = task->view.arm.side;
    report->plans++;
    report->plan_us = microseconds > report->plan_us ? microseconds : report->plan_us;
    report->by = result->by;
    report->checks = result->checks;
    report->wrist_length = result->wrist_length;
    report->clearance = result->clearance;
    if (path->knots != result->path.knots) { // the path was smoothed
        uint32_t places = LOOKS * (path->count - 1);
        report->wrist_length = tr_arm_path_wrist_length(path, tr_reach_arm(task->planner), places);
        for (uint32_t i = 0; i <= places; i++) {
            tr_posture posture = tr_arm_path_at(path, (double)i / LOOKS, NULL);
            report->clearance =
                fminf(report->clearance, tr_reach_clearance(task->planner, &posture, report->clearance));
        }
    }
    report->goal = task->goal;
    report->arm = *tr_reach_arm(task->planner);
    report->posture = result->path.knots[result->path.count - 1];
}

// Smooths the path of the hand, with `knots` as memory for the result. An arm that is moving needs its new
// path at once, and takes it unchanged.
static void arm_smooth(tr_stage *stage, tr_reach *planner, tr_arm_path *path,
                       tr_posture knots[TR_ARM_SMOOTH_KNOTS_MAX]) {
    tr_arm_smooth_params params = {
        .clearance = SMOOTH_CLEARANCE, .enough = SMOOTH_ENOUGH, .tries = SMOOTH_TRIES};
    if (path->count > TR_ARM_SMOOTH_KNOTS_MAX)
        return;
    memcpy(knots, path->knots, path->count * sizeof *knots);
    if (tr_arm_smooth_run(stage->arm_smooth, planner, &params, knots, path->count, NULL, NULL) == TR_OK)
        path->knots = knots;
}

tr_status tr_stage_plan_reach(tr_stage *stage, stage_actor *who, tr_arm_side side, const char **reason) {
    stage_order *order = &who->orders[who->current];
    reach_task task = {0};
    uint64_t begin = tr_clock_nanoseconds();
    *reason = no_side;
    if (tr_actor_look_arm(who->actor, side, &task.view) != TR_OK)
        return TR_NOT_FOUND;
    task.planner = place_planner(stage, who, side, &task.view);
    if (!task.planner)
        return TR_NOT_FOUND;
    tr_status status = try_goals(stage, who, !is_out(who, (tr_arm_side)(1 - side)), &task);
    if (status != TR_OK) {
        *reason = task.has_reason ? tr_reach_reason_name(task.reason) : no_side;
        return status;
    }
    tr_arm_path path = tr_reach_last(task.planner)->path;
    tr_posture knots[TR_ARM_SMOOTH_KNOTS_MAX];
    if (!is_moving(&task.view))
        arm_smooth(stage, task.planner, &path, knots);
    *reason = "the other arm is in the way";
    if (meets_other_arm(who, task.planner, &path, side))
        return TR_UNAVAILABLE;
    tr_arm_timing_params params = {.duration = order->reach.plans == 0 ? order->order.seconds : 0,
                                   .velocity = is_moving(&task.view) ? &task.view.velocity : NULL};
    status = tr_actor_move_arm(who->actor, side, &path, &params, NULL);
    *reason = too_long;
    if (status != TR_OK)
        return TR_NOT_FOUND;
    take_report(&task, &path, (double)(tr_clock_nanoseconds() - begin) / 1000, &order->reach);
    tr_actor_look_arm(who->actor, side, &task.view);
    order->reach.duration = task.view.arm_timing.duration;
    return TR_OK;
}

bool tr_stage_arm_is_free(tr_stage *stage, const stage_actor *who, tr_arm_side side) {
    tr_actor_arm_view view;
    if (tr_actor_look_arm(who->actor, side, &view) != TR_OK || !is_moving(&view))
        return true;
    tr_reach *planner = place_planner(stage, who, side, &view);
    double from = tr_arm_timing_u(&view.arm_timing, view.time),
           end = (double)(view.arm_timing.arm_path.count - 1);
    return !planner || tr_reach_is_free(planner, &view.arm_timing.arm_path, from, end);
}

// Reverses a path that was planned from the hanging arm to its present posture. The body decides how the arm
// hangs: contact there (with a thigh) is no reason to keep the arm up.
static uint32_t turn_round(const tr_reach_result *result, const tr_posture *now, tr_posture *knots) {
    uint32_t count = result->path.count;
    if (count == 0 || count + 1 > LOWER_KNOTS)
        return 0;
    knots[0] = *now;
    for (uint32_t i = 0; i < count; i++)
        knots[i + 1] = result->path.knots[count - 1 - i];
    return count + 1;
}

static tr_arm_goal goal_at(const tr_arm *arm, const tr_posture *posture) {
    tr_arm_place place = tr_arm_put(arm, posture);
    tr_vec3 direction = tr_quat_rotate(place.hand, tr_vec3_make(0, -1, 0));
    return (tr_arm_goal){.kind = TR_ARM_GOAL_POSE,
                         .wrist = place.wrist,
                         .direction = direction,
                         .tolerance = 0.1f,
                         .rotation = place.hand};
}

// Straight back if that is free, else along a planned path. `knots` has room for LOWER_KNOTS.
static uint32_t find_way_back(tr_reach *planner, const tr_actor_arm_view *view, bool help, tr_posture *knots,
                              tr_reach_reason *reason) {
    const tr_posture straight[2] = {view->posture, view->rest};
    tr_arm_path arm_path = {straight, 2};
    memcpy(knots, straight, sizeof straight);
    *reason = TR_REACH_FOUND;
    if (tr_reach_is_free(planner, &arm_path, 0, 1))
        return 2;
    tr_reach_params params = tr_reach_params_default();
    params.help = help;
    params.keep_hand = true;
    tr_arm_goal goal = goal_at(&view->arm, &view->posture);
    for (int attempt = 0; attempt < 2; attempt++) {
        goal.kind = attempt == 0 ? TR_ARM_GOAL_POSE : TR_ARM_GOAL_POSITION;
        tr_status status = tr_reach_plan(planner, &view->rest, &goal, &params, NULL);
        const tr_reach_result *result = tr_reach_last(planner);
        *reason = result->reason;
        uint32_t count = status == TR_OK ? turn_round(result, &view->posture, knots) : 0;
        arm_path = (tr_arm_path){knots, count};
        if (count && tr_reach_is_free(planner, &arm_path, 0, (double)(count - 1) - result->free_from))
            return count;
    }
    return 0;
}

tr_status tr_stage_plan_lower(tr_stage *stage, stage_actor *who, tr_arm_side side, const char **reason) {
    tr_actor_arm_view view;
    tr_posture knots[LOWER_KNOTS];
    *reason = too_long;
    if (tr_actor_look_arm(who->actor, side, &view) != TR_OK)
        return TR_NOT_FOUND;
    tr_reach *planner = place_planner(stage, who, side, &view);
    tr_reach_reason why = TR_REACH_OUT_OF_BUDGET;
    bool help = !is_out(who, (tr_arm_side)(1 - side));
    uint32_t count = planner ? find_way_back(planner, &view, help, knots, &why) : 0;
    *reason = tr_reach_reason_name(why == TR_REACH_FOUND ? TR_REACH_OUT_OF_BUDGET : why);
    if (count == 0)
        return TR_NOT_FOUND;
    tr_arm_path arm_path = {knots, count};
    tr_arm_timing_params params = {.target_width = 0.1f};
    return tr_actor_move_arm(who->actor, side, &arm_path, &params, NULL) == TR_OK ? TR_OK : TR_NOT_FOUND;
}
