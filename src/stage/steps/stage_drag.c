// Actors that are dragged: the vector gives the course of the next steps, which are planned again whenever a
// step of the last plan has begun. What is planned is a committed motion as any other: the actor comes to
// rest at its end, and it replaces the one before only if it meets nobody.
#include "stage/stage_trial.h"
#include "troupe/base/scalar.h"

#include <stdio.h>
#include <string.h>

#define SLOWEST 0.05f   // a slower drag asks for nothing [m/s],
#define TURNS 0.05f     // [rad/s]
#define BEHIND 1.0f     // of a course: from its beginning to the feet [m]
#define PIECE 0.12f     // of a course [m]
#define SHARPEST 1.0f   // curvature of a course [1/m]
#define WAIT 10u        // an actor that found no step looks again after this time [ticks]
#define BACKWARDS 2.36  // a drag that leads further from ahead is walked backwards [rad]
#define TURN_AHEAD 1.5f // of a turn on the spot: how far ahead it is planned [rad]
#define TURN_PACE 0.8f  // its steps are those of a walk at this speed [m/s]
#define BODY_LOW 0.52f  // of the height: the trunk begins here,
#define BODY_HIGH 0.93f // and the head ends here
#define BODY_WIDE 0.07f // half the depth of the trunk
#define ARMS_WIDE 0.1f  // beyond the disc: what is nearer to the middle may be in the way of arms [m]
#define HANDS_LOW 0.44f // of the height: where hands hang
#define REFUSED 80u     // after this time waist and arms are planned again where they found no motion [ticks]
#define BODY_EVERY 2u   // positions of a motion at which the trunk is compared with the scene [ticks]

bool tr_stage_is_dragged(const stage_actor *who) {
    const stage_order *order = tr_stage_current(who);
    return order && order->order.kind == TR_ORDER_DRAG && !(who->reach && who->reach->busy);
}

static float wrap(float angle) {
    double turns = floor((double)angle / (2 * TR_PI) + 0.5);
    return (float)((double)angle - turns * 2 * TR_PI);
}

static float speed_of(const tr_drag *drag) {
    return sqrtf(drag->ahead * drag->ahead + drag->aside * drag->aside);
}

static bool asks_to_move(const tr_drag *drag) {
    return speed_of(drag) >= SLOWEST || fabsf(drag->turn) >= TURNS;
}

// Where the body faces when the step in progress has ended. The feet of a body that stands may point
// anywhere.
static float heading_then(const stage_actor *who, const tr_footstep feet[2], uint32_t next) {
    const tr_driver_root *root = tr_actor_root(who->actor);
    if (root->kind != TR_DRIVER_STEPS)
        return root->state.heading;
    if (next < 2)
        return feet[1 - next].heading; // it lands along the course
    return feet[0].heading + 0.5f * wrap(feet[1].heading - feet[0].heading);
}

// The course of the drag: straight behind the feet, an arc before them. Far from ahead the body goes
// backwards or to the side.
static void make_course(tr_vec2 middle, float heading, const tr_drag *drag, float length,
                        stage_course *course) {
    if (speed_of(drag) < SLOWEST) {
        *course = tr_stage_course_around(middle, heading, drag->turn > 0 ? TURN_AHEAD : -TURN_AHEAD);
        return;
    }
    double aside = tr_arc_tangent((double)drag->aside, (double)drag->ahead), way = (double)heading + aside;
    course->heading = heading;
    course->kind = TR_FOOTSTEP_WINDOW_ALONG;
    course->facing = fabs(aside) > BACKWARDS ? -1 : 1;
    course->turn = course->facing < 0 ? wrap((float)(TR_PI - aside)) : (float)-aside;
    double sine, cosine, curve = (double)(drag->turn / speed_of(drag)), x = (double)middle.x,
                         z = (double)middle.z;
    curve = curve > SHARPEST ? SHARPEST : curve < -SHARPEST ? -SHARPEST : curve;
    tr_sin_cos(way, &sine, &cosine);
    course->points[0] = (tr_vec2){(float)(x - BEHIND * sine), (float)(z - BEHIND * cosine)};
    course->points[1] = middle;
    course->count = 2;
    for (double gone = 0; gone < (double)length && course->count < STAGE_COURSE; gone += PIECE) {
        tr_sin_cos(way + curve * (gone + 0.5 * PIECE), &sine, &cosine);
        x += PIECE * sine;
        z += PIECE * cosine;
        course->points[course->count++] = (tr_vec2){(float)x, (float)z};
    }
}

// The way that others see: from where the actor is along its course, as far as its steps lead.
static bool make_way(tr_stage *stage, const stage_actor *who, const stage_course *course, uint32_t count) {
    tr_way *way = &stage->trial;
    tr_vec3 at = tr_stage_place_of(who);
    const tr_footstep *last = &stage->footsteps[count - 1];
    float along = 0, speed = tr_stage_wish(who);
    tr_way_clear(way);
    way->points[way->point_count++] = (tr_way_point){.position = at};
    double sine, cosine;
    for (uint32_t i = 1; i < course->count && way->point_count < way->point_max; i++) {
        tr_vec2 a = course->points[i - 1], b = course->points[i];
        float share = (float)i / (float)course->count;
        tr_vec3 to = tr_vec3_make(b.x, at.y + share * (last->position.y - at.y), b.z);
        const tr_way_point *from = &way->points[way->point_count - 1];
        tr_sin_cos(tr_arc_tangent((double)b.x - a.x, (double)b.z - a.z), &sine, &cosine);
        float ahead = (to.x - from->position.x) * (float)sine + (to.z - from->position.z) * (float)cosine;
        float past = (to.x - last->position.x) * (float)sine + (to.z - last->position.z) * (float)cosine;
        if (!(ahead > 0.5f * PIECE))
            continue; // behind it
        float x = to.x - from->position.x, z = to.z - from->position.z;
        along += sqrtf(x * x + z * z);
        way->points[way->point_count++] =
            (tr_way_point){.position = to, .along = along, .time = along / speed};
        if (past > 0)
            break;
    }
    way->pieces[0] = (tr_way_piece){TR_WAY_STEP, 0, way->point_count, 0, along, false};
    way->piece_count = 1;
    return way->point_count > 1;
}

static bool tell_footsteps(tr_stage *stage, stage_actor *who, uint32_t count) {
    tr_actor_ghost_begin(stage->ghost, who->actor);
    return tr_actor_ghost_set_footsteps(stage->ghost, stage->footsteps, count, tr_stage_wish(who),
                                        tr_stage_floor_near, who, NULL) == TR_OK;
}

// Does an upright capsule around the body, from a height up, touch the scene on the whole motion? Legs are
// the matter of the window.
static bool touches(tr_stage *stage, stage_actor *who, uint32_t count, float low, float radius) {
    tr_vec3 *positions = stage->positions[0];
    float height = tr_actor_look(who->actor).character->height;
    if (!tell_footsteps(stage, who, count))
        return true;
    uint32_t number = tr_actor_ghost_go(stage->ghost, tr_stage_wish(who), TUNE_HORIZON_MAX, positions, NULL);
    for (uint32_t i = 0; i < number; i += BODY_EVERY) {
        tr_solid_capsule trunk = {positions[i], positions[i], radius};
        trunk.a.y += low * height;
        trunk.b.y += BODY_HIGH * height - BODY_WIDE * height;
        trunk.b.y = trunk.b.y > trunk.a.y ? trunk.b.y : trunk.a.y;
        if (tr_solid_touches(stage->solid, &trunk))
            return true;
    }
    return false;
}

static bool may_bend(const stage_actor *who) {
    return tr_stage_walks_through(who, TR_WAY_BENT);
}

// As many of the steps as the trunk has room for, if it cannot bend.
static uint32_t fit_body(tr_stage *stage, stage_actor *who, uint32_t count) {
    uint32_t whole = count;
    float wide = BODY_WIDE * tr_actor_look(who->actor).character->height;
    while (count > 0 && !may_bend(who) && touches(stage, who, count, BODY_LOW + BODY_WIDE, wide))
        count--;
    if (count < whole)
        snprintf(stage->steps->text, sizeof stage->steps->text, "something is in the way of the trunk");
    return count;
}

// Commits the actor to the footsteps of the stage, unless others are in the way.
static bool take_steps(tr_stage *stage, stage_actor *who, const stage_course *course, uint32_t count) {
    stage_actor before = *who;
    if (!make_way(stage, who, course, count) || tr_way_copy(&stage->kept, &who->way) != TR_OK)
        return false;
    tr_stage_set_out(stage, who, STAGE_ORDER);
    const tr_way_piece *piece = tr_stage_piece(who);
    // Waist and arms mind what is near.
    bool near = may_bend(who) && touches(stage, who, count, HANDS_LOW, ARMS_WIDE + who->radius);
    for (uint32_t i = 0; i < who->way.point_count; i++)
        who->way.points[i].room = near ? TR_WAY_BENT : TR_WAY_OPEN;
    stage_route route = {.length = piece->end - piece->begin};
    stage_trial trial = {.positions = stage->positions[0]};
    trial.positions[0] = tr_stage_place_of(who);
    stage->claim_count = tr_stage_claims_on(stage, who);
    tr_stage_find_bar(stage, who);
    who->on_triangles = true;
    if (tell_footsteps(stage, who, count)) {
        tr_stage_trial_limit(stage, who, &route, tr_stage_wish(who), &trial);
        if (trial.free && trial.count > 2 && !tr_stage_upper_refuses(stage, who, &trial, false)) {
            tr_stage_commit(stage, who, NULL, &trial);
            who->level = tr_stage_place_of(who).y;
            who->told_blocked = false;
            return true;
        }
    }
    uint32_t body = trial.free ? TR_NONE : trial.meeting.body;
    if (trial.free && trial.count > 2) { // waist and arms have no motion: that takes long to find out
        before.drag_tick = stage->tick + REFUSED;
        snprintf(stage->steps->text, sizeof stage->steps->text, "%.*s", (int)sizeof stage->steps->text - 1,
                 who->upper_reason);
    }
    *who = before;
    tr_way_copy(&who->way, &stage->kept);
    if (body != TR_NONE)
        tr_stage_note_blocker(stage, who, body, false);
    return false;
}

static float course_length(const tr_stage *stage, const stage_actor *who) {
    float height = tr_actor_look(who->actor).character->height;
    return (float)stage->def.steps_ahead * tr_footstep_window_params_default(height).length_most + 0.5f;
}

// A body that finds no step from where its feet are, one ahead of the other, puts them side by side if
// that is where it can go on from.
static void gather(tr_stage *stage, stage_actor *who, const tr_drag *drag, float heading) {
    tr_footstep feet[2], kept[TR_FOOTSTEP_WINDOW_STEPS_MAX];
    stage_course course;
    tr_actor_landed_feet(who->actor, feet);
    stage_course around = tr_stage_course_around(tr_stage_between_ankles(who, feet), heading, 0);
    uint32_t count = tr_stage_plan_window(stage, who, &around);
    if (count == 0 || speed_of(drag) < SLOWEST)
        return;
    memcpy(kept, stage->footsteps, count * sizeof *kept);
    tr_stage_stand_after(kept, count, feet);
    make_course(tr_stage_between_ankles(who, feet), heading, drag, course_length(stage, who), &course);
    if (!tr_stage_has_window(stage, who, feet, &course))
        return;
    memcpy(stage->footsteps, kept, count * sizeof *kept);
    count = fit_body(stage, who, count);
    if (count > 0)
        take_steps(stage, who, &around, count);
}

// Tells why the actor stands.
static void explain(const tr_stage *stage, stage_order *order, const stage_actor *who) {
    const stage_actor *other = who->blocker != TR_NONE ? stage->bodies[who->blocker] : NULL;
    if (other)
        snprintf(order->reason, sizeof order->reason, "%.60s is in the way", other->name);
    else
        snprintf(order->reason, sizeof order->reason, "%s", stage->steps->text);
}

// Are there steps of the last plan that have not begun? Then it is not yet time for another one.
static bool is_fresh(const stage_actor *who) {
    const tr_driver_root *root = tr_actor_root(who->actor);
    return root->kind == TR_DRIVER_STEPS && root->footstep_next == 0;
}

void tr_stage_pace_drag(tr_stage *stage, stage_actor *who) {
    stage_order *order = tr_stage_current(who);
    tr_drag drag = order->order.drag;
    if (!asks_to_move(&drag)) {
        if (who->errand == STAGE_ORDER)
            tr_stage_halt(stage, who);
        order->reason[0] = 0;
        order->unplanned = false;
        return;
    }
    bool rests = tr_stage_rests(stage, who),
         waits = stage->tick < who->drag_tick + (rests ? WAIT : TUNE_PERIOD);
    if (!order->unplanned && ((!rests && is_fresh(who)) || waits))
        return;
    bool changed = order->unplanned;
    order->unplanned = false;
    order->order.speed = speed_of(&drag) >= SLOWEST ? speed_of(&drag) : TURN_PACE;
    who->drag_tick = stage->tick;
    tr_footstep feet[2];
    stage_course course;
    uint32_t next = tr_actor_landed_feet(who->actor, feet);
    make_course(tr_stage_between_ankles(who, feet), heading_then(who, feet, next), &drag,
                course_length(stage, who), &course);
    who->blocker = TR_NONE;
    uint32_t count = fit_body(stage, who, tr_stage_plan_window(stage, who, &course));
    if (count > 0 && take_steps(stage, who, &course, count)) {
        order->reason[0] = 0;
        return;
    }
    if (rests) {
        explain(stage, order, who);
        if (who->blocker == TR_NONE)
            gather(stage, who, &drag, course.heading);
    } else if (changed || stage->steps->reason != TR_STRIDE_FINE) {
        tr_stage_halt(stage,
                      who); // it does not go on to where it is no longer dragged, or would be caught
    }
}
