// The planner: straight, then through cells, then by random trees; then shortened, smoothed, certified.
#include "reach_data.h"
#include "troupe/base/clock.h"

#include <math.h>
#include <string.h>

#define GOALS_ENOUGH 3     // for a search to choose from, before more orientations of the hand are tried
#define GOALS_WANTED 12    // before a search begins
#define BETTER_MAX 2       // additional paths that are searched
#define BETTER_RATIO 1.5f  // ratio of the wrist's path to the straight one that is good enough
#define BETTER_SLACK 0.02f // [m]
#define BETTER_MUCH 0.8f   // ratio of the costs: this much better is good enough
#define BETTER_CUTS 3      // how often a path that is still long is shortened again
#define BETTER_CHECKS 1500 // checks that may be spent on it
// Edges of a search may fall short of a certificate by this [m]: paths are certified at the end.
#define SEARCH_SLACK 0.014f
#define NODES_LEAST 64u
#define NODES_MOST (1u << 24)
#define BODY_MOST 1e6f    // [m] limit of all coordinates of an arm
#define MARGIN_ENDS 3e-4f // [m] margin near a start or goal that has no room for more

static const char *const reason_names[TR_REACH_REASON_COUNT] = {
    [TR_REACH_FOUND] = "a path was found",
    [TR_REACH_GOAL_TOO_FAR] = "the goal is too far for the arm",
    [TR_REACH_GOAL_TOO_NEAR] = "the goal is too near the shoulder: the elbow cannot bend that far",
    [TR_REACH_GOAL_LIMITS] = "no posture within the joint limits reaches the goal",
    [TR_REACH_GOAL_INSIDE] = "the goal is inside an obstacle",
    [TR_REACH_GOAL_IN_BODY] = "the goal is inside the body itself",
    [TR_REACH_GOAL_BLOCKED] = "every posture of the arm at the goal touches something",
    [TR_REACH_START_LIMITS] = "the arm is outside its joint limits at the start",
    [TR_REACH_START_TOUCHES] = "the arm touches something at the start and no way out was found",
    [TR_REACH_OUT_OF_BUDGET] = "no path was found within the budget",
};

const char *tr_reach_reason_name(tr_reach_reason reason) {
    return (uint32_t)reason < TR_REACH_REASON_COUNT ? reason_names[reason] : "unknown";
}

tr_reach_def tr_reach_def_default(const tr_solid *solid, const tr_arm *arm) {
    tr_reach_def def = {.solid = solid, .arm = *arm, .self = true, .margin = 0.002f, .nodes_max = 20000};
    return def;
}

tr_reach_params tr_reach_params_default(void) {
    tr_reach_params params = {.seed = 1, .checks_max = 500000, .keep_hand = true};
    return params;
}

// false for NaN; farther away, squares of squares overflow.
static bool is_near(tr_vec3 p) {
    return fabsf(p.x) <= BODY_MOST && fabsf(p.y) <= BODY_MOST && fabsf(p.z) <= BODY_MOST;
}

static tr_status check_arm(const tr_arm *arm, const tr_reach_body *bodies, uint32_t body_count,
                           tr_error *error) {
    tr_status status = tr_arm_check(arm, error);
    if (status != TR_OK)
        return status;
    if (body_count > TR_REACH_BODIES_MAX)
        return tr_fail(error, TR_LIMIT, "%u parts of the body are too many, the limit is %d", body_count,
                       TR_REACH_BODIES_MAX);
    for (uint32_t i = 0; i < body_count; i++)
        if (!is_near(bodies[i].a) || !is_near(bodies[i].b) ||
            !(bodies[i].radius > 0 && bodies[i].radius <= BODY_MOST))
            return tr_fail(
                error, TR_INVALID,
                "part %u of the body is from (%g, %g, %g) to (%g, %g, %g) with a radius of %g: it must "
                "be within %g m and its radius above 0",
                i, (double)bodies[i].a.x, (double)bodies[i].a.y, (double)bodies[i].a.z, (double)bodies[i].b.x,
                (double)bodies[i].b.y, (double)bodies[i].b.z, (double)bodies[i].radius, (double)BODY_MOST);
    return TR_OK;
}

static tr_status check_def(const tr_reach_def *def, tr_error *error) {
    if (!(def->margin >= 0 && def->margin < 1))
        return tr_fail(error, TR_INVALID, "the margin of a reach is %g m, it must be at least 0 and below 1",
                       (double)def->margin);
    if (!(def->ignore_shoulder >= 0 && def->ignore_shoulder < 10))
        return tr_fail(error, TR_INVALID, "ignore_shoulder is %g m, it must be at least 0 and below 10",
                       (double)def->ignore_shoulder);
    if (def->nodes_max < NODES_LEAST || def->nodes_max > NODES_MOST)
        return tr_fail(error, TR_LIMIT, "a random tree of %u nodes was requested, it can have %u to %u",
                       def->nodes_max, NODES_LEAST, NODES_MOST);
    return check_arm(&def->arm, def->bodies, def->body_count, error);
}

static bool take_memory(tr_reach *reach) {
    const tr_allocator *allocator = &reach->allocator;
    bool all = true;
    all &= (reach->candidates = tr_allocate(allocator, REACH_CANDIDATES_MAX, sizeof(reach_goal))) != NULL;
    all &= (reach->knots = tr_allocate(allocator, REACH_KNOTS_MAX, sizeof(tr_posture))) != NULL;
    all &= (reach->kept = tr_allocate(allocator, REACH_KNOTS_MAX, sizeof(tr_posture))) != NULL;
    all &= (reach->spare = tr_allocate(allocator, REACH_KNOTS_MAX, sizeof(tr_posture))) != NULL;
    all &= (reach->queue = tr_allocate(allocator, REACH_QUEUE_MAX, sizeof(reach_stretch))) != NULL;
    all &= (reach->nodes = tr_allocate(allocator, REACH_CELLS_MAX, sizeof(reach_node))) != NULL;
    all &= (reach->arms = tr_allocate(allocator, REACH_ARMS_MAX, sizeof(reach_arm))) != NULL;
    all &= (reach->table = tr_allocate(allocator, REACH_TABLE_SIZE, sizeof(uint32_t))) != NULL;
    for (int k = 0; k < 2; k++)
        all &= tr_reach_tree_reserve(&reach->trees[k], allocator, reach->nodes_max);
    tr_search_def search = {.allocator = allocator, .node_count = REACH_CELLS_MAX, .queue = TR_SEARCH_HEAP};
    return all && tr_search_create(&search, &reach->search, NULL) == TR_OK;
}

void tr_reach_destroy(tr_reach *reach) {
    if (!reach)
        return;
    tr_allocator allocator = reach->allocator;
    tr_search_destroy(reach->search);
    tr_release(&allocator, reach->candidates, REACH_CANDIDATES_MAX, sizeof(reach_goal));
    tr_release(&allocator, reach->knots, REACH_KNOTS_MAX, sizeof(tr_posture));
    tr_release(&allocator, reach->kept, REACH_KNOTS_MAX, sizeof(tr_posture));
    tr_release(&allocator, reach->spare, REACH_KNOTS_MAX, sizeof(tr_posture));
    tr_release(&allocator, reach->queue, REACH_QUEUE_MAX, sizeof(reach_stretch));
    tr_release(&allocator, reach->nodes, REACH_CELLS_MAX, sizeof(reach_node));
    tr_release(&allocator, reach->arms, REACH_ARMS_MAX, sizeof(reach_arm));
    tr_release(&allocator, reach->table, REACH_TABLE_SIZE, sizeof(uint32_t));
    for (int k = 0; k < 2; k++)
        tr_reach_tree_release(&reach->trees[k], &allocator);
    tr_release(&allocator, reach, 1, sizeof *reach);
}

// Distances of the moving parts of the trunk from the waist, which bound how far a turn moves them.
static void measure_trunk(tr_reach *reach) {
    reach->trunk_count = 0;
    reach->tested_links = 0;
    for (uint32_t i = 0; i < reach->body_count; i++)
        reach->tested_links |= reach->bodies[i].links;
    reach->trunk_reach = 0;
    for (uint32_t i = 0; i < reach->body_count; i++) {
        const tr_reach_body *body = &reach->bodies[i];
        if (!body->on_trunk)
            continue;
        reach->trunk_count++;
        float a = tr_vec3_length(tr_vec3_subtract(body->a, reach->arm.waist));
        float b = tr_vec3_length(tr_vec3_subtract(body->b, reach->arm.waist));
        float far = a > b ? a : b;
        reach->trunk_reach = far > reach->trunk_reach ? far : reach->trunk_reach;
    }
    reach->has_help = reach->trunk_turns = false;
    for (int i = TR_ARM_JOINTS; i < TR_ARM_ANGLES; i++) {
        float low = reach->arm.low.q[i], high = reach->arm.high.q[i];
        reach->has_help |= high > low;
        reach->trunk_turns |= reach->trunk_count > 0 && (low != 0 || high != 0); // also if it is stiff
    }
}

static void place_bodies(tr_reach *reach) {
    tr_posture rest = tr_arm_clamp(&reach->arm, (tr_posture){{0}});
    tr_arm_place place = tr_arm_put(&reach->arm, &rest);
    tr_reach_set_lanes(reach, &place.trunk);
}

static void take_arm(tr_reach *reach, const tr_arm *arm, const tr_reach_body *bodies, uint32_t body_count) {
    reach->arm = *arm;
    reach->body_count = body_count;
    if (body_count > 0)
        memcpy(reach->bodies, bodies, body_count * sizeof *reach->bodies);
    measure_trunk(reach);
    place_bodies(reach);
}

tr_status tr_reach_set_arm(tr_reach *reach, const tr_arm *arm, const tr_reach_body *bodies,
                           uint32_t body_count, tr_error *error) {
    tr_status status = check_arm(arm, bodies, body_count, error);
    if (status == TR_OK)
        take_arm(reach, arm, bodies, body_count);
    return status;
}

tr_status tr_reach_create(const tr_reach_def *def, tr_reach **created, tr_error *error) {
    *created = NULL;
    tr_status status = check_def(def, error);
    if (status != TR_OK)
        return status;
    tr_allocator allocator = tr_allocator_or_default(def->allocator);
    tr_reach *reach = tr_allocate_zero(&allocator, 1, sizeof *reach);
    if (!reach)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for a reach planner");
    reach->allocator = allocator;
    reach->solid = def->solid;
    reach->self = def->self;
    reach->margin = reach->margin_wanted = def->margin;
    reach->ignore_shoulder = def->ignore_shoulder;
    reach->nodes_max = def->nodes_max;
    take_arm(reach, &def->arm, def->bodies, def->body_count);
    if (!take_memory(reach)) {
        tr_reach_destroy(reach);
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for a reach planner");
    }
    *created = reach;
    return TR_OK;
}

tr_status tr_reach_place(tr_reach *reach, const tr_affine *base) {
    tr_arm arm = reach->arm;
    arm.base = *base;
    tr_status status = tr_arm_check(&arm, NULL);
    if (status != TR_OK)
        return status;
    reach->arm.base = *base;
    place_bodies(reach);
    return TR_OK;
}

const tr_arm *tr_reach_arm(const tr_reach *reach) {
    return &reach->arm;
}

const tr_reach_result *tr_reach_last(const tr_reach *reach) {
    return &reach->result;
}

static bool is_finite(const tr_posture *posture) {
    for (int i = 0; i < TR_ARM_ANGLES; i++)
        if (!isfinite(posture->q[i]))
            return false;
    return true;
}

// The trunk keeps its posture of the start, unless it may help.
static void set_trunk(tr_reach *reach) {
    tr_arm_place place = tr_arm_put(&reach->arm, &reach->start);
    tr_reach_set_lanes(reach, &place.trunk);
}

// A time too large to be counted is no limit.
static uint64_t deadline_of(uint64_t microseconds) {
    uint64_t now = tr_clock_nanoseconds();
    return microseconds > 0 && microseconds < (UINT64_MAX - now) / 1000 ? now + microseconds * 1000 : 0;
}

static void begin(tr_reach *reach, const tr_posture *start, const tr_arm_goal *goal,
                  const tr_reach_params *params) {
    memset(&reach->result, 0, sizeof reach->result);
    reach->result.reason = TR_REACH_OUT_OF_BUDGET; // nothing is proven yet
    reach->result.clearance = INFINITY;
    reach->random = tr_random_seed(params->seed);
    reach->deadline = deadline_of(params->microseconds);
    reach->looked_at = 0;
    reach->late = false;
    reach->checks_max = params->checks_max;
    reach->start = *start;
    reach->goal = *goal;
    for (int i = 0; i < 3; i++)
        reach->hand[i] = params->keep_hand ? start->q[TR_FOREARM_PRONATION + i] : params->hand[i];
    reach->dimensions = TR_ARM_JOINTS;
    reach->margin = reach->margin_wanted > REACH_LEAST_MARGIN ? reach->margin_wanted : REACH_LEAST_MARGIN;
    reach->margin_ends = reach->margin < MARGIN_ENDS ? reach->margin : MARGIN_ENDS;
    reach->knot_count = 0;
}

// Finds the posture where the search can begin; false: there is no way out of what the arm touches.
static bool leave_start(tr_reach *reach, const tr_reach_params *params) {
    tr_posture next;
    reach->origin = reach->start;
    reach->has_origin = reach->moves = false;
    float room = tr_reach_clearance(reach, &reach->start, 2 * reach->margin);
    reach->result.checks++;
    if (room <= 2 * REACH_LEAST_MARGIN) {
        reach->result.start_touched = true;
        if (!tr_reach_get_out(reach, &next))
            return false;
        reach->start = next;
        return true;
    }
    if (0.5f * room < reach->margin_ends)
        reach->margin_ends = 0.5f * room;
    float margin = reach->margin;
    reach->margin = reach->margin_ends;
    reach->moves =
        params->velocity && is_finite(params->velocity) && tr_reach_run_on(reach, params->velocity, &next);
    reach->margin = margin;
    reach->has_origin = reach->moves || (room < margin && tr_reach_push_off(reach, &reach->start, &next));
    if (reach->has_origin)
        reach->start = next;
    if ((reach->has_origin || room < margin) && !tr_reach_is_clear(reach, &reach->start, REACH_ALL))
        reach->margin = reach->margin_ends;
    return true;
}

// The motion with which the arm left its start becomes the first leg, the motion to a goal with little room
// the last.
static void put_ends(tr_reach *reach) {
    const tr_posture *tail = tr_reach_tail(reach);
    reach->has_tail = tail != NULL;
    if (tail && reach->knot_count < REACH_KNOTS_MAX)
        reach->knots[reach->knot_count++] = *tail;
    if (reach->has_origin && reach->knot_count < REACH_KNOTS_MAX) {
        memmove(&reach->knots[1], &reach->knots[0], reach->knot_count * sizeof(tr_posture));
        reach->knots[0] = reach->origin;
        reach->knot_count++;
    }
    if (tail || reach->has_origin)
        reach->margin = reach->margin_ends;
}

// Some more goals for the searches to choose from.
static void collect_goals(tr_reach *reach) {
    for (int round = 0; round < 3; round++) {
        if (reach->goal_count >= (round == 1 ? GOALS_ENOUGH : round == 2 ? 1 : GOALS_WANTED))
            break;
        if (round > 0)
            tr_reach_more_goals(reach, round == 2);
        while (reach->goal_count < GOALS_WANTED && !tr_reach_out_of_budget(reach) &&
               tr_reach_next_goal(reach, round == 2)) {
        }
    }
}

// Runs the planners one after the other. false: none found a path.
static bool search(tr_reach *reach) {
    reach->result.by = TR_REACH_BY_LINE;
    if (tr_reach_by_line(reach))
        return true;
    collect_goals(reach);
    if (reach->goal_count == 0) {
        tr_reach_reason reason = tr_reach_goal_blocked(reach);
        if (reason != TR_REACH_FOUND)
            reach->result.reason = reason;
        while (reason == TR_REACH_FOUND && reach->goal_count == 0 && !tr_reach_out_of_budget(reach))
            tr_reach_draw_goal(reach);
    }
    if (reach->goal_count == 0)
        return false;
    tr_reach_sort_goals(reach);
    reach->result.by = TR_REACH_BY_CELLS;
    if (tr_reach_by_cells(reach))
        return true;
    reach->result.by = TR_REACH_BY_TREES;
    return tr_reach_by_trees(reach);
}

// A path that is much longer than the straight one may go the wrong way round: others are searched, and the
// best is kept.
static void look_for_better(tr_reach *reach) {
    tr_vec3 from[4], to[4];
    tr_arm_points(&reach->arm, &reach->start, from);
    tr_arm_points(&reach->arm, &reach->knots[reach->knot_count - 1], to);
    float straight = tr_vec3_length(tr_vec3_subtract(from[2], to[2])), wrist;
    float best = tr_reach_cost(reach, &wrist);
    uint32_t most = reach->result.checks + BETTER_CHECKS;
    for (int found = 0; found < BETTER_MAX && wrist > BETTER_RATIO * straight + BETTER_SLACK;) {
        memcpy(reach->kept, reach->knots, reach->knot_count * sizeof(tr_posture));
        reach->kept_count = reach->knot_count;
        float other, cost = INFINITY;
        bool any = tr_reach_by_other_cells(reach, most);
        if (any) {
            found++;
            tr_reach_shorten(reach);
            cost = tr_reach_cost(reach, &other);
        }
        if (cost < best) {
            bool much = cost < BETTER_MUCH * best;
            best = cost, wrist = other;
            if (much)
                break;
            continue;
        }
        memcpy(reach->knots, reach->kept, reach->kept_count * sizeof(tr_posture));
        reach->knot_count = reach->kept_count;
        if (!any)
            break;
    }
    for (int i = 0; i < BETTER_CUTS && wrist > BETTER_RATIO * straight + BETTER_SLACK; i++) {
        tr_reach_shorten(reach); // draws other shortcuts
        tr_reach_cost(reach, &wrist);
    }
}

static double microseconds_since(uint64_t *then) {
    uint64_t now = tr_clock_nanoseconds();
    double passed = 1e-3 * (double)(now - *then);
    *then = now;
    return passed;
}

static tr_status no_path(tr_reach *reach, tr_error *error) {
    tr_reach_result *result = &reach->result;
    result->by = TR_REACH_BY_NOTHING;
    result->path = (tr_arm_path){reach->spare, 0};
    tr_vec3 wrist = reach->goal.wrist;
    tr_status status = result->reason == TR_REACH_OUT_OF_BUDGET ? TR_PARTIAL : TR_NOT_FOUND;
    return tr_fail(error, status,
                   "no path of the arm brings the wrist to (%g, %g, %g): %s (%u postures checked)",
                   (double)wrist.x, (double)wrist.y, (double)wrist.z, tr_reach_reason_name(result->reason),
                   result->checks);
}

static void finish(tr_reach *reach) {
    tr_reach_result *result = &reach->result;
    result->reason = TR_REACH_FOUND;
    uint32_t samples = 16 * (result->path.count > 1 ? result->path.count - 1 : 1);
    samples = samples > 128 ? 128 : samples < 32 ? 32 : samples;
    result->length = tr_arm_path_length(&result->path, samples);
    result->wrist_length = tr_arm_path_wrist_length(&result->path, &reach->arm, samples);
}

// Finds, shortens and smooths a path. false: none was found, or (`again`) one that was found with loosely
// checked edges cannot be certified.
static bool find_path(tr_reach *reach, float slack, uint64_t *clock, bool *again) {
    tr_reach_result *result = &reach->result;
    float margin = reach->margin;
    uint32_t before = result->checks;
    reach->slack = slack;
    reach->tried = 0;
    bool found = search(reach);
    result->search_us += microseconds_since(clock);
    result->search_checks += result->checks - before;
    before = result->checks;
    if (found) {
        tr_reach_shorten(reach);
        if (result->by != TR_REACH_BY_LINE || reach->knot_count > 2)
            look_for_better(reach);
        put_ends(reach);
        result->shorten_us += microseconds_since(clock);
        result->shorten_checks += result->checks - before;
        reach->slack = 0;
        tr_reach_smooth(reach);
        result->smooth_us += microseconds_since(clock);
    }
    reach->slack = 0;
    reach->margin = margin;
    *again = found && slack > 0;
    return found && result->path.count > 0;
}

tr_status tr_reach_plan(tr_reach *reach, const tr_posture *start, const tr_arm_goal *goal,
                        const tr_reach_params *params, tr_error *error) {
    uint64_t clock = tr_clock_nanoseconds();
    begin(reach, start, goal, params);
    if (!is_finite(start))
        return tr_fail(error, TR_INVALID, "an angle of the start posture is not finite");
    if (!tr_arm_allows(&reach->arm, start, 1e-3f)) {
        reach->result.reason = TR_REACH_START_LIMITS;
        return no_path(reach, error);
    }
    reach->start = tr_arm_clamp(&reach->arm, *start);
    set_trunk(reach);
    if (!leave_start(reach, params)) {
        reach->result.reason = TR_REACH_START_TOUCHES;
        return no_path(reach, error);
    }
    if (reach->has_help && params->help)
        reach->dimensions = TR_ARM_ANGLES;
    bool found = false, again = true;
    for (float slack = SEARCH_SLACK; again && !found && slack >= 0; slack -= SEARCH_SLACK) {
        tr_status status = tr_reach_find_goals(reach, params->help, error);
        if (status != TR_OK)
            return status;
        found = find_path(reach, slack, &clock, &again);
    }
    if (!found)
        return no_path(reach, error);
    finish(reach);
    reach->result.smooth_us += microseconds_since(&clock);
    return TR_OK;
}
