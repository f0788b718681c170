// The window of the next few steps of an actor: the ground under its course is cut from the triangles of the
// scene, and plan/footstep_window chooses the steps.
#include "stage/stage_data.h"
#include "stage_steps.h"
#include "troupe/base/scalar.h"

#include <stdio.h>

#define COLUMNS 640u      // of a profile: 12.8 m
#define TRIANGLES 65536u  // beside one leg of a course
#define ROWS 64u          // of the wider one: 1.28 m
#define LEAST_STEP 0.02f  // a foot that moves less, and turns less, stays where it is [m],
#define LEAST_TWIST 0.06f // [rad]
#define LEAST_TURN 0.1f   // steps that turn the feet by less do not turn the body [rad]
#define INTERVALS 13u     // lengths that a step may have, less one: as Li
#define KNEE 0.26f        // of the height: what begins higher over the floor is an overhang
#define CLEAR_SAMPLES 10u // moments of a step at which legs are compared with all triangles
#define LEAST_WAY 0.05f   // steps that bring the body less far along its course lead nowhere [m]
#define AHEAD 0.3f        // a body that faces further from its course needs the wider strip [rad]
#define AROUND 0.8f       // how far the ground around a body on the spot is known [m]
#define NEAR 0.12f        // a leg that is this near to an object may touch it [m]

tr_status tr_stage_open_steps(tr_stage *stage, tr_error *error) {
    tr_status status = tr_stage_open_solid(stage, error);
    if (stage->steps || status != TR_OK)
        return status;
    stage_steps *made = tr_allocate_zero(&stage->allocator, 1, sizeof *made);
    if (!made)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for steps");
    tr_profile_def def = tr_profile_def_default();
    def.allocator = &stage->allocator;
    def.columns = COLUMNS;
    def.triangles = TRIANGLES;
    status = tr_profile_create(&def, &made->lane, error);
    def.rows = ROWS;
    if (status == TR_OK)
        status = tr_profile_create(&def, &made->yard, error);
    if (status == TR_OK)
        status = tr_footstep_window_create(&stage->allocator, stage->def.steps_ahead, INTERVALS, COLUMNS,
                                           &made->window, error);
    stage->steps = made;
    if (status != TR_OK)
        tr_stage_close_steps(stage);
    return status;
}

void tr_stage_close_steps(tr_stage *stage) {
    if (!stage->steps)
        return;
    tr_footstep_window_destroy(stage->steps->window);
    tr_profile_destroy(stage->steps->yard);
    tr_profile_destroy(stage->steps->lane);
    tr_release(&stage->allocator, stage->steps, 1, sizeof *stage->steps);
    stage->steps = NULL;
}

// The lower body of a character as the planner knows it: lengths of its own bones and soles.
static tr_stride_body body_of(const tr_character *character) {
    tr_stride_body body = tr_stride_body_default(character->height), own = body;
    const tr_legs *legs = &character->legs;
    const tr_limb *limb = &legs->limbs[0];
    const tr_foot *foot = &legs->feet[0];
    tr_vec3 heel = tr_quat_rotate(legs->sole[0], tr_foot_heel_arm(foot));
    tr_vec3 ball = tr_quat_rotate(legs->sole[0], tr_foot_toes_arm(foot)), ahead = legs->ahead[0];
    float size = sqrtf(ahead.x * ahead.x + ahead.z * ahead.z);
    own.thigh = limb->upper_length;
    own.shin = limb->lower_length;
    if (size > 0) {
        own.heel = -(heel.x * ahead.x + heel.z * ahead.z) / size;
        own.ball = (ball.x * ahead.x + ball.z * ahead.z) / size;
        own.toe = 2 * tr_footstep_motion_half_sole(foot) - own.heel;
        own.toe = own.toe > own.ball ? own.toe : own.ball;
        own.ankle = -heel.y;
    }
    return tr_stride_body_check(&own, NULL) == TR_OK ? own : body;
}

// From the ankle to the middle of the sole [m].
static float sole_ahead(const tr_stride_body *body) {
    return 0.5f * (body->toe - body->heel);
}

static tr_vec2 ankle_of(const tr_stride_body *body, const tr_footstep *footstep) {
    double sine, cosine;
    float ahead = sole_ahead(body);
    tr_sin_cos((double)footstep->heading, &sine, &cosine);
    return (tr_vec2){footstep->position.x - ahead * (float)sine,
                     footstep->position.z - ahead * (float)cosine};
}

tr_vec2 tr_stage_between_ankles(const stage_actor *who, const tr_footstep feet[2]) {
    tr_stride_body body = body_of(tr_actor_look(who->actor).character);
    return tr_vec2_scale(tr_vec2_add(ankle_of(&body, &feet[0]), ankle_of(&body, &feet[1])), 0.5f);
}

static float wrap(float angle) {
    double turns = floor((double)angle / (2 * TR_PI) + 0.5);
    return (float)((double)angle - turns * 2 * TR_PI);
}

static tr_stride_foot foot_on_course(const stage_steps *steps, const tr_footstep *footstep, float facing) {
    tr_stride_foot foot = {.height = footstep->position.y - sole_ahead(&steps->body) * footstep->pitch,
                           .slope = facing * footstep->pitch};
    tr_profile_find(steps->profile, ankle_of(&steps->body, footstep), &foot.along, &foot.aside);
    float heading;
    tr_profile_place(steps->profile, foot.along, foot.aside, &heading);
    foot.turn = wrap(footstep->heading - heading - (facing < 0 ? (float)TR_PI : 0));
    return foot;
}

static bool allow(void *user, const tr_stride *stride) {
    const stage_steps *steps = user;
    return tr_footstep_window_clear(steps->solid, steps->profile, &steps->body, stride, CLEAR_SAMPLES, NULL);
}

static tr_vec3 in_world(const stage_steps *steps, tr_vec3 point) {
    float heading;
    tr_vec2 at = tr_profile_place(steps->profile, point.z, point.x, &heading);
    return tr_vec3_make(at.x, point.y, at.z);
}

static void show(const stage_steps *steps, const tr_stride *stride, tr_stride_reason reason,
                 tr_stage_step_state state) {
    tr_stage_step_view view = {.actor = steps->actor,
                               .state = reason == TR_STRIDE_FINE ? state : TR_STAGE_STEP_REFUSED,
                               .reason = tr_stride_reason_text(reason),
                               .side = stride->side};
    tr_profile_place(steps->profile, stride->to.along, stride->to.aside, &view.heading);
    view.place = in_world(steps, tr_vec3_make(stride->to.aside, stride->to.height, stride->to.along));
    for (int i = 0; i < TR_STAGE_STEP_POINTS; i++) {
        tr_stride_pose pose;
        float share = (float)i / (TR_STAGE_STEP_POINTS - 1);
        view.swing[i] = view.place;
        if (reason != TR_STRIDE_FINE)
            continue;
        tr_stride_pose_at(&steps->body, stride, stride->both + (1 - stride->both) * share, &pose);
        view.swing[i] = in_world(steps, pose.ankles[stride->side]);
    }
    steps->stage->see_step(steps->stage->see_user, &view);
}

static void see(void *user, const tr_stride *stride, tr_stride_reason reason) {
    stage_steps *steps = user;
    steps->refused[reason] = *stride;
    steps->refused_count[reason]++;
    if (steps->shows)
        show(steps, stride, reason, TR_STAGE_STEP_EXAMINED);
}

void tr_stage_watch_steps(tr_stage *stage, void (*watch)(void *user, const tr_stage_step_view *step),
                          void *user) {
    stage->see_step = watch;
    stage->see_user = user;
}

// The object that the swinging leg of a step comes nearest to, and where. TR_NONE: none.
static uint32_t obstacle_of(const stage_steps *steps, const tr_stride *stride, tr_vec3 *at) {
    uint32_t object = TR_NONE;
    float nearest = NEAR;
    for (int i = 1; i < 12; i++) {
        tr_stride_pose pose;
        tr_stride_pose_at(&steps->body, stride, stride->both + (1 - stride->both) * (float)i / 12, &pose);
        tr_vec3 ankle = in_world(steps, pose.ankles[stride->side]),
                knee = in_world(steps, pose.knees[stride->side]);
        tr_solid_hit hit;
        float distance = tr_solid_distance(steps->solid, ankle, knee, nearest, &hit);
        if (!(distance < nearest))
            continue;
        nearest = distance;
        object = hit.object;
        *at = hit.on_triangle;
    }
    return object;
}

static bool is_of_leg(tr_stride_reason reason) {
    return reason == TR_STRIDE_FOOT || reason == TR_STRIDE_SHIN || reason == TR_STRIDE_THIGH ||
           reason == TR_STRIDE_OVERHEAD || reason == TR_STRIDE_VETO;
}

// Which limb, and which obstacle.
static void explain(const tr_stage *stage, stage_steps *steps, uint32_t side) {
    const char *limb = side ? "right" : "left", *why = tr_stride_reason_text(steps->reason);
    tr_vec3 at = {0, 0, 0};
    uint32_t object = TR_NONE;
    if (is_of_leg(steps->reason) && steps->refused_count[steps->reason])
        object = obstacle_of(steps, &steps->refused[steps->reason], &at);
    if (object != TR_NONE)
        snprintf(steps->text, sizeof steps->text,
                 "the %s foot finds no step: %s: %.30s at (%.2f, %.2f, %.2f)", limb, why,
                 tr_scene_object(stage->def.scene, object).name, (double)at.x, (double)at.y, (double)at.z);
    else
        snprintf(steps->text, sizeof steps->text, "the %s foot finds no step: %s", limb, why);
}

// `side`: 2 for the foot that should move first.
static tr_status find(tr_stage *stage, const stage_actor *who, const tr_footstep feet[2],
                      const stage_course *course, uint32_t *side) {
    stage_steps *steps = stage->steps;
    float height = tr_actor_look(who->actor).character->height;
    tr_footstep_window_params params = tr_footstep_window_params_default(height);
    params.steps = stage->def.steps_ahead;
    params.intervals = INTERVALS;
    for (int i = 0; i < TR_STRIDE_REASONS; i++)
        steps->refused_count[i] = 0;
    tr_footstep_window_query query = {
        .profile = steps->profile,
        .body = &steps->body,
        .params = &params,
        .height = height,
        .facing = course->facing,
        .kind = course->kind,
        .turn = course->turn,
        .feet = {foot_on_course(steps, &feet[0], course->facing),
                 foot_on_course(steps, &feet[1], course->facing)},
        .allow = allow,
        .see = see,
        .user = steps,
    };
    *side = query.side = *side < 2 ? *side : tr_footstep_window_side(&query);
    return tr_footstep_window_find(steps->window, &query, &steps->plan, NULL);
}

static tr_status cut(tr_stage *stage, const stage_actor *who, const tr_footstep feet[2],
                     const stage_course *course) {
    float height = stage->steps->body.thigh / 0.245f,
          level = 0.5f * (feet[0].position.y + feet[1].position.y);
    tr_vec3 begin = tr_vec3_make(course->points[0].x, level, course->points[0].z);
    float floor = tr_stage_triangle_near((void *)who, begin);
    tr_profile_query query = {.solid = stage->solid,
                              .points = course->points,
                              .point_count = course->count,
                              .height = floor > -INFINITY ? floor : level,
                              .knee = KNEE * height,
                              .reach = tr_footstep_window_params_default(height).length_most};
    return tr_profile_cut(stage->steps->profile, &query, NULL);
}

// Do the steps lead anywhere? One foot may step on the spot for ever.
static bool leads_on(const tr_footstep_window_plan *plan, tr_footstep_window_kind kind) {
    float way = 0, turn = 0;
    for (uint32_t i = 0; i < plan->step_count; i++) {
        const tr_stride *stride = &plan->strides[i];
        float ahead = stride->to.along - stride->from.along;
        way += 0.5f * (kind == TR_FOOTSTEP_WINDOW_TURN ? fabsf(ahead) : ahead);
        turn += 0.5f * fabsf(stride->to.turn - stride->from.turn);
    }
    return way > LEAST_WAY || turn > LEAST_TURN;
}

stage_course tr_stage_course_around(tr_vec2 middle, float heading, float turn) {
    double sine, cosine;
    tr_sin_cos((double)heading, &sine, &cosine);
    tr_vec2 ahead = {AROUND * (float)sine, AROUND * (float)cosine};
    return (stage_course){.points = {tr_vec2_subtract(middle, ahead), tr_vec2_add(middle, ahead)},
                          .count = 2,
                          .facing = 1,
                          .turn = turn,
                          .kind = TR_FOOTSTEP_WINDOW_TURN,
                          .heading = heading};
}

static bool is_along(const stage_course *course) {
    return course->kind == TR_FOOTSTEP_WINDOW_ALONG;
}

static tr_status cut_for(tr_stage *stage, const stage_actor *who, const tr_footstep feet[2],
                         const stage_course *course) {
    stage_steps *steps = stage->steps;
    steps->profile = is_along(course) && fabsf(course->turn) < AHEAD ? steps->lane : steps->yard;
    return cut(stage, who, feet, course);
}

void tr_stage_stand_after(const tr_footstep *footsteps, uint32_t count, tr_footstep feet[2]) {
    for (uint32_t i = 0; i < count; i++)
        feet[footsteps[i].side & 1] = footsteps[i];
}

bool tr_stage_has_window(tr_stage *stage, const stage_actor *who, const tr_footstep feet[2],
                         const stage_course *course) {
    if (cut_for(stage, who, feet, course) != TR_OK)
        return false;
    for (uint32_t i = 0; i < 2; i++) {
        uint32_t side = is_along(course) ? i : 2;
        if (find(stage, who, feet, course, &side) == TR_OK)
            return true;
    }
    return false;
}

// Leaves out steps on the spot. Returns how many are left.
static uint32_t drop_idle(tr_footstep *footsteps, uint32_t count, const tr_footstep feet[2]) {
    tr_footstep stands[2] = {feet[0], feet[1]};
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        tr_footstep *from = &stands[footsteps[i].side & 1];
        tr_vec3 way = tr_vec3_subtract(footsteps[i].position, from->position);
        bool stays = tr_vec3_length(way) < LEAST_STEP &&
                     fabsf(wrap(footsteps[i].heading - from->heading)) < LEAST_TWIST;
        if (stays)
            continue;
        *from = footsteps[i];
        footsteps[kept++] = footsteps[i];
    }
    return kept;
}

// Of steps behind which there is no further one, those up to a stand where the body is not caught astride of
// something.
static uint32_t avoid_end(tr_stage *stage, const stage_actor *who, tr_footstep feet[2], float heading,
                          uint32_t count) {
    tr_footstep stands[2];
    for (; count > 0; count--) {
        stands[0] = feet[0], stands[1] = feet[1];
        tr_stage_stand_after(stage->footsteps, count, stands);
        stage_course around = tr_stage_course_around(tr_stage_between_ankles(who, stands), heading, 0);
        if (tr_stage_has_window(stage, who, stands, &around))
            break;
    }
    return count;
}

uint32_t tr_stage_plan_window(tr_stage *stage, const stage_actor *who, const stage_course *course) {
    stage_steps *steps = stage->steps;
    tr_footstep feet[2];
    uint32_t side = tr_actor_landed_feet(who->actor, feet), count = 0;
    bool either = side == 2;
    steps->body = body_of(tr_actor_look(who->actor).character);
    steps->solid = stage->solid;
    steps->stage = stage;
    steps->actor = who->id;
    steps->shows = stage->see_step != NULL;
    steps->reason = TR_STRIDE_OUTSIDE;
    steps->text[0] = 0;
    if (cut_for(stage, who, feet, course) != TR_OK) {
        snprintf(steps->text, sizeof steps->text, "there are too many triangles under the way of the feet");
        return 0;
    }
    for (int i = 0; i < (either ? 2 : 1) && count == 0; i++, side = 1 - side) {
        tr_status status = find(stage, who, feet, course, &side);
        const tr_footstep_window_plan *plan = &steps->plan;
        steps->reason = plan->reason;
        if (steps->reason != TR_STRIDE_FINE)
            explain(stage, steps, (side + plan->step_count) % 2);
        if ((status != TR_OK && status != TR_PARTIAL) || !leads_on(plan, course->kind))
            continue; // the other foot may find one
        for (uint32_t k = 0; k < plan->step_count; k++)
            stage->footsteps[k] = plan->footsteps[k];
        count = drop_idle(stage->footsteps, plan->step_count, feet);
        for (uint32_t k = 0; k < plan->step_count && steps->shows; k++)
            show(steps, &plan->strides[k], TR_STRIDE_FINE, k ? TR_STAGE_STEP_LATER : TR_STAGE_STEP_NEXT);
    }
    steps->shows = false;
    return count > 0 && is_along(course) && steps->reason != TR_STRIDE_FINE
               ? avoid_end(stage, who, feet, course->heading, count)
               : count;
}
