// Pieces of a way: the route of a level piece, the footsteps of the others, finding a way and setting out on
// it.
#include "stage_data.h"

#include "troupe/base/clock.h"
#include "troupe/plan/footstep.h"

#include <string.h>

#define TURN_ROOM 0.3f      // an actor turns on the spot only where the floor is level this far around [m],
#define TURN_LEVEL 0.012f   // to within this [m]
#define CORNER_LEAST 0.05f  // shorter edges make no corner [m],
#define CORNER_COSINE 0.94f // nor does a turn with a larger cosine
#define FEET_LEVEL 0.03f    // feet farther from the floor stand on another floor [m]
#define STAND_LEVEL 0.1f    // the same for a standing actor, which may be on a slope [m]
#define FIRST_STEPS 0.6f    // length of the start of a way that is taken by footsteps to reach the floor [m]
#define RIDE_ASIDE 0.3f     // a ride leads at most this far to the side [m]
#define LONG_SOLE 1.05f     // soles up to this multiple of people's are people's
#define SWING_SPEED 0.3f    // a slower actor changes to any way at once [m/s]
#define SWING_TICKS 60      // within which a faster one has changed to it

const tr_way_piece *tr_stage_piece(const stage_actor *who) {
    return who->errand != STAGE_IDLE && who->piece < who->way.piece_count ? &who->way.pieces[who->piece]
                                                                          : NULL;
}

bool tr_stage_is_last(const stage_actor *who) {
    return who->piece + 1 >= who->way.piece_count;
}

float tr_stage_wish(const stage_actor *who) {
    const stage_order *order = tr_stage_current(who);
    return order && order->order.speed > 0 ? order->order.speed : who->speed;
}

const float *tr_stage_final_heading(const stage_actor *who) {
    const float *crossing = tr_stage_crossing_heading(who);
    if (crossing)
        return crossing;
    const stage_order *order = who->errand == STAGE_ORDER ? tr_stage_current(who) : NULL;
    return order && order->order.has_heading && tr_stage_is_last(who) ? &order->order.heading : NULL;
}

tr_vec3 tr_stage_place_of(const stage_actor *who) {
    const tr_driver_root *root = tr_actor_root(who->actor);
    return tr_vec3_make(root->state.position.x, root->ground, root->state.position.z);
}

bool tr_stage_rests(const tr_stage *stage, const stage_actor *who) {
    return stage->tick >= who->commitment.rest;
}

float tr_stage_limit(const tr_stage *stage, const stage_actor *who) {
    const stage_commitment *c = &who->commitment;
    return stage->tick < c->slow ? c->limit : stage->tick < c->stop ? c->slow_limit : 0;
}

static float along_at(const stage_actor *who, float progress) {
    const tr_way_piece *piece = tr_stage_piece(who);
    if (!piece)
        return tr_way_length(&who->way);
    float along = piece->begin + progress - who->route_more;
    return along < piece->end ? along : piece->end;
}

// Where a piece begins for an actor that has not begun it and has come to rest elsewhere meanwhile.
static float along_before(const stage_actor *who, const tr_way_piece *piece) {
    const tr_way_point *points = who->way.points + piece->first;
    tr_vec3 at = tr_stage_place_of(who);
    if (piece->kind == TR_WAY_RIDE || piece->count < 2)
        return piece->begin;
    const tr_way_point *next = piece->kind == TR_WAY_WALK ? points + 1 : points; // where it goes
    float x = next->position.x - at.x, z = next->position.z - at.z;
    return next->along - sqrtf(x * x + z * z);
}

float tr_stage_along(const stage_actor *who) {
    const tr_way_piece *piece = tr_stage_piece(who);
    if (!piece || !who->piece_begun)
        return piece ? along_before(who, piece) : 0;
    if (piece->kind == TR_WAY_WALK)
        return along_at(who, tr_actor_root(who->actor)->state.progress);
    float share = piece->kind == TR_WAY_STEP || piece->kind == TR_WAY_PERFORM
                      ? tr_actor_look(who->actor).state.progress
                      : 0;
    return piece->begin + share * (piece->end - piece->begin);
}

float tr_stage_to_go(const stage_actor *who) {
    return tr_way_length(&who->way) - tr_stage_along(who);
}

tr_way_room tr_stage_room_at(const tr_stage *stage, const stage_actor *who, tr_vec3 at) {
    return tr_ground_is_free(stage->ground, who->sizes[TR_WAY_OPEN], at, NULL) ? TR_WAY_OPEN : TR_WAY_TIGHT;
}

uint32_t tr_stage_least_size(const tr_stage *stage, const stage_actor *who) {
    tr_vec3 at = tr_stage_place_of(who);
    bool bent = who->sizes[TR_WAY_BENT] != TR_NONE &&
                !tr_ground_is_free(stage->ground, who->sizes[TR_WAY_SIDE], at, NULL) &&
                tr_ground_is_free(stage->ground, who->sizes[TR_WAY_BENT], at, NULL);
    return who->sizes[bent ? TR_WAY_BENT : TR_WAY_SIDE];
}

uint32_t tr_stage_make_route(tr_stage *stage, const stage_actor *who, const tr_go_around_result *around) {
    const tr_way_piece *piece = tr_stage_piece(who);
    const tr_way_point *points = who->way.points + piece->first;
    tr_vec2 *route = stage->route;
    uint32_t count = 0, next = 1;
    uint8_t room = tr_stage_passage(
        who, around ? (uint8_t)tr_stage_room_at(stage, who, tr_stage_place_of(who)) : points[0].room);
    stage->slopes = piece->slopes;
    stage->heights[count] = tr_actor_root(who->actor)->ground;
    route[count] = tr_actor_look(who->actor).state.position;
    stage->passage[count++] = room;
    for (uint32_t i = 1; around && i < around->point_count; i++) {
        stage->heights[count] = around->points[i].y;
        route[count] = (tr_vec2){around->points[i].x, around->points[i].z};
        stage->passage[count++] = room;
    }
    while (around && next < piece->count && points[next].along <= around->rejoins + 0.01f)
        next++;
    for (; next < piece->count && count + 1 < STAGE_POINTS; next++) {
        stage->heights[count] = points[next].position.y;
        route[count] = (tr_vec2){points[next].position.x, points[next].position.z};
        stage->passage[count++] = tr_stage_passage(who, points[next].room);
    }
    if (!tr_stage_is_last(who) && piece[1].kind == TR_WAY_STEP && piece->count > 1) {
        tr_vec3 a = points[piece->count - 2].position, b = points[piece->count - 1].position;
        float x = b.x - a.x, z = b.z - a.z, length = sqrtf(x * x + z * z);
        float t = length > 1e-3f ? TUNE_OVERRUN / length : 0;
        stage->heights[count] = b.y + t * (b.y - a.y);
        route[count] = (tr_vec2){b.x + t * x, b.z + t * z};
        stage->passage[count++] = TR_PASSAGE_OPEN;
    }
    return count;
}

tr_status tr_stage_tell_route(tr_stage *stage, const stage_actor *who, uint32_t count, float speed) {
    return tr_actor_ghost_set_slopes(stage->ghost, stage->route, stage->slopes ? stage->heights : NULL, count,
                                     stage->passage, tr_stage_final_heading(who), speed, NULL);
}

float tr_stage_rise(void *user, tr_vec2 point) {
    const stage_actor *who = user;
    float height =
        tr_ground_height(who->stage->ground, tr_vec3_make(point.x, who->level, point.z), TUNE_CORRIDOR);
    return height > who->level ? height - who->level : 0;
}

float tr_stage_rise_most(void *user, tr_vec2 min, tr_vec2 max) {
    const stage_actor *who = user;
    float height;
    if (!tr_ground_is_even(who->stage->ground, min, max, &height))
        return INFINITY;
    return height > who->level ? height - who->level : 0;
}

float tr_stage_smooth_near(void *user, tr_vec3 point) {
    const stage_actor *who = user;
    return tr_ground_smooth_height(who->stage->ground, point, 0.6f);
}

float tr_stage_floor_near(void *user, tr_vec3 point) {
    const stage_actor *who = user;
    if (who->on_triangles)
        return tr_stage_triangle_near(user, point);
    return tr_ground_height(who->stage->ground, point, 0.6f);
}

// Is the point far enough from the straight line between its neighbours to be a corner?
static bool is_corner(tr_vec3 before, tr_vec3 point, tr_vec3 next) {
    float x = next.x - before.x, z = next.z - before.z, length = x * x + z * z;
    float px = point.x - before.x, pz = point.z - before.z, t = length > 0 ? (px * x + pz * z) / length : 0;
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    px -= t * x;
    pz -= t * z;
    return px * px + pz * pz > TUNE_CORRIDOR * TUNE_CORRIDOR;
}

// A body that takes footsteps cuts corners more than one that walks. If there is room, the line for footsteps
// goes round a corner farther outside.
static void widen_corner(const tr_stage *stage, const stage_actor *who, tr_surface_route_point *corner) {
    static const float further[] = {0.15f, 0.1f, 0.05f};
    tr_vec3 a = corner[-1].position, b = corner[0].position, c = corner[1].position;
    float ux = b.x - a.x, uz = b.z - a.z, vx = c.x - b.x, vz = c.z - b.z;
    float u = sqrtf(ux * ux + uz * uz), v = sqrtf(vx * vx + vz * vz);
    if (u < CORNER_LEAST || v < CORNER_LEAST || ux * vx + uz * vz > CORNER_COSINE * u * v)
        return;
    float x = ux / u - vx / v, z = uz / u - vz / v, length = sqrtf(x * x + z * z);
    if (length < CORNER_LEAST)
        return;
    tr_vec3 inside = tr_vec3_make(b.x - further[0] * x / length, b.y, b.z - further[0] * z / length);
    if (tr_ground_is_free(stage->ground, who->sizes[0], inside, NULL))
        return; // there is no obstacle
    for (size_t i = 0; i < sizeof further / sizeof *further; i++) {
        tr_vec3 to = tr_vec3_make(b.x + further[i] * x / length, b.y, b.z + further[i] * z / length);
        if (!tr_ground_is_free(stage->ground, who->sizes[0], to, &to.y) ||
            !tr_ground_sees(stage->ground, who->sizes[0], a, to) ||
            !tr_ground_sees(stage->ground, who->sizes[0], to, c))
            continue;
        corner->position = to;
        return;
    }
}

// The line for footsteps: from the actor along its way, with every corner of the level stretch ahead, to the
// end of the piece.
static uint32_t line_of_footsteps(const tr_stage *stage, const stage_actor *who, const tr_way_piece *piece,
                                  tr_surface_route_point *line) {
    const tr_way_piece *level = tr_stage_piece(who);
    const tr_way_point *points = who->way.points;
    tr_vec3 at = tr_stage_place_of(who);
    float along = tr_stage_along(who);
    uint32_t count = 0;
    line[count++] = (tr_surface_route_point){.position = at};
    bool before = level && level < piece && level->kind == TR_WAY_WALK && who->piece_begun;
    for (uint32_t i = before ? level->first : piece->first; before && i <= piece->first; i++)
        if (points[i].along > along && count + piece->count < STAGE_POINTS &&
            is_corner(line[count - 1].position, points[i].position, points[i + 1].position))
            line[count++] = (tr_surface_route_point){.position = points[i].position};
    for (uint32_t i = 1; i < piece->count; i++)
        line[count++] = (tr_surface_route_point){.position = points[piece->first + i].position};
    for (uint32_t i = 1; i + 1 < count; i++)
        widen_corner(stage, who, &line[i]);
    return count;
}

// The body's own soles, where they are longer than those of people of its height: toes end before risers.
static float sole_length(const tr_character *character, float usual) {
    float longest = 0;
    for (uint32_t side = 0; side < 2; side++) {
        float length = 2 * tr_footstep_motion_half_sole(&character->legs.feet[side]);
        longest = length > longest ? length : longest;
    }
    return longest > LONG_SOLE * usual ? longest : usual;
}

tr_status tr_stage_plan_footsteps(tr_stage *stage, const stage_actor *who, uint32_t piece_number,
                                  uint32_t *count) {
    tr_surface_route_point line[STAGE_POINTS];
    uint32_t line_count = line_of_footsteps(stage, who, &who->way.pieces[piece_number], line);
    tr_footstep feet[2];
    float landing;
    uint32_t first = tr_actor_feet(who->actor, feet, &landing);
    const tr_character *character = tr_actor_look(who->actor).character;
    tr_footstep_params params = tr_footstep_params_default(character->stature);
    params.apart = tr_footstep_params_default(character->height).apart;
    params.sole_length = sole_length(character, params.sole_length);
    tr_status status = TR_NOT_FOUND;
    *count = 0;
    for (uint32_t i = 0; i < 2 && status == TR_NOT_FOUND; i++) { // either foot rather than none
        status = tr_footstep_plan(stage->footsteps_scratch,
                                  &(tr_footstep_query){.surface = tr_ground_surface(stage->ground),
                                                       .points = line,
                                                       .point_count = line_count,
                                                       .feet = feet,
                                                       .first = i ? 2 : first,
                                                       .params = &params,
                                                       .landing = landing},
                                  stage->footsteps, TR_ACTOR_FOOTSTEPS_MAX, count, NULL);
    }
    if (status == TR_OK && *count == 0) // it is there already: one step on the spot ends the piece
        stage->footsteps[(*count)++] = feet[first % 2];
    return status;
}

// A ride leads straight up or down: an actor cannot be carried sideways.
static tr_status check_rides(const tr_way *way, tr_error *error) {
    for (uint32_t i = 0; i < way->piece_count; i++) {
        const tr_way_piece *piece = &way->pieces[i];
        if (piece->kind != TR_WAY_RIDE || piece->end - piece->begin < RIDE_ASIDE)
            continue;
        tr_vec3 a = way->points[piece->first].position,
                b = way->points[piece->first + piece->count - 1].position;
        return tr_fail(
            error, TR_NOT_FOUND,
            "the link at (%g, %g, %g) leads %.2f m sideways and %.2f m up or down: only links that lead "
            "straight up or down carry actors",
            (double)a.x, (double)a.y, (double)a.z, (double)(piece->end - piece->begin),
            fabs((double)b.y - (double)a.y));
    }
    return TR_OK;
}

tr_go_query tr_stage_query(const tr_stage *stage, const stage_actor *who, const tr_vec3 *goals,
                           uint32_t goal_count, float lane) {
    tr_go_query query = tr_go_query_default(who->sizes[0]);
    memcpy(query.sizes, who->sizes, sizeof query.sizes);
    if (who->upper_barred >> TR_WAY_BENT & 1)
        query.sizes[TR_WAY_BENT] = TR_NONE;
    query.start = tr_stage_place_of(who);
    query.goals = goals;
    query.goal_count = goal_count;
    query.speed = tr_stage_wish(who);
    query.lane = lane > 0 && !tr_stage_is_in_stream(stage, who, goals[0]) ? lane : 0;
    query.merge = query.lane > 0 ? tr_stage_merge(stage, who, goals[0]) : query.merge;
    query.passes = query.lane > 0 && tr_stage_passes_on(who);
    query.stands = true;
    query.node_max = stage->phase == PHASE_PLANS ? 0 : TUNE_ASIDE_NODES;
    return query;
}

tr_status tr_stage_find_way(tr_stage *stage, stage_actor *who, const tr_vec3 *goals, uint32_t goal_count,
                            float lane, tr_go_result *result, tr_error *error) {
    tr_go_query query = tr_stage_query(stage, who, goals, goal_count, lane);
    const stage_plan *plan = tr_stage_find_ahead(stage, who, &query);
    uint64_t begin = plan ? 0 : tr_clock_nanoseconds(), nanoseconds;
    tr_status status;
    if (plan) {
        status = tr_way_copy(&stage->trial, &plan->way) == TR_OK ? plan->status : TR_LIMIT;
        *result = plan->result;
        if (error)
            *error = plan->error;
        nanoseconds = plan->nanoseconds;
    } else {
        status = tr_go_find(stage->go, tr_stage_known(stage, who), &query, &stage->trial, result, error);
        nanoseconds = tr_clock_nanoseconds() - begin;
    }
    if (status == TR_OUT_OF_MEMORY)
        return status; // the search does not count
    if (status == TR_OK || status == TR_PARTIAL)
        status = check_rides(&stage->trial, error) == TR_OK ? status : TR_NOT_FOUND;
    stage->expanded += result->counters.expanded + 1;
    stage->searches.expanded += result->counters.expanded + 1;
    stage->searches.asked++;
    who->plan_count++;
    who->plan_us[who->plan_timed++ % STAGE_PLANS] = (float)((double)nanoseconds / 1000);
    return status;
}

// Footsteps end with the way. An actor that is to face another direction turns there, if the floor is level
// all around.
static void turn_at_end(const tr_stage *stage, stage_actor *who) {
    tr_way *way = &who->way;
    const stage_order *order = tr_stage_current(who);
    if (way->piece_count == 0 && way->point_count) { // it is there already
        way->points[1] = way->points[0];
        way->point_count = 2;
        way->pieces[way->piece_count++] =
            (tr_way_piece){TR_WAY_WALK, 0, 2, 0, 0, tr_actor_root(who->actor)->slopes};
        return;
    }
    bool turns = who->errand == STAGE_ORDER && order && order->order.has_heading && way->piece_count &&
                 way->pieces[way->piece_count - 1].kind == TR_WAY_STEP && way->point_count < way->point_max &&
                 way->piece_count < way->piece_max;
    if (!turns)
        return;
    tr_way_point last = way->points[way->point_count - 1];
    for (int i = 0; i < 9; i++) {
        tr_vec3 near = tr_vec3_make(last.position.x + TURN_ROOM * (float)(i % 3 - 1), last.position.y,
                                    last.position.z + TURN_ROOM * (float)(i / 3 - 1));
        if (!(fabsf(tr_ground_height(stage->ground, near, TURN_ROOM) - last.position.y) < TURN_LEVEL))
            return;
    }
    way->pieces[way->piece_count++] =
        (tr_way_piece){TR_WAY_WALK, way->point_count - 1, 2, last.along, last.along, false};
    way->points[way->point_count++] = last;
}

// Does the actor stand with both feet on the floor where its way begins? If not, it was stopped on steps.
static bool stands_level(const stage_actor *who) {
    tr_footstep feet[2];
    float floor = who->way.points[0].position.y;
    if (tr_actor_root(who->actor)->kind != TR_DRIVER_STEPS)
        return fabsf(tr_actor_look(who->actor).ground - floor) < STAND_LEVEL;
    tr_actor_feet(who->actor, feet, NULL);
    return fabsf(feet[0].position.y - floor) < FEET_LEVEL && fabsf(feet[1].position.y - floor) < FEET_LEVEL;
}

// Otherwise the actor steps onto the floor before it walks: the start of the way becomes footsteps.
static void step_first(tr_way *way) {
    tr_way_piece *first = &way->pieces[0];
    if (first->end - first->begin < FIRST_STEPS + TUNE_SHORT) {
        first->kind = TR_WAY_STEP;
        return;
    }
    if (way->point_count == way->point_max || way->piece_count == way->piece_max)
        return;
    tr_way_point split = {.position = tr_way_at(way, FIRST_STEPS), .along = FIRST_STEPS};
    uint32_t at = 1;
    while (way->points[at].along < FIRST_STEPS)
        at++;
    float length = way->points[at].along - way->points[at - 1].along,
          share = length > 0 ? (FIRST_STEPS - way->points[at - 1].along) / length : 0;
    split.time = way->points[at - 1].time + share * (way->points[at].time - way->points[at - 1].time);
    split.room = way->points[at - 1].room;
    memmove(way->points + at + 1, way->points + at, (way->point_count++ - at) * sizeof *way->points);
    way->points[at] = split;
    memmove(way->pieces + 1, way->pieces, way->piece_count++ * sizeof *way->pieces);
    way->pieces[0] = (tr_way_piece){TR_WAY_STEP, 0, at + 1, 0, FIRST_STEPS, false};
    way->pieces[1].first = at;
    way->pieces[1].count -= at - 1;
    way->pieces[1].begin = FIRST_STEPS;
    for (uint32_t i = 2; i < way->piece_count; i++)
        way->pieces[i].first++;
}

void tr_stage_set_out(tr_stage *stage, stage_actor *who, stage_errand errand) {
    if (tr_way_copy(&who->way, &stage->trial) != TR_OK)
        return;
    who->errand = errand;
    turn_at_end(stage, who);
    if (who->way.piece_count && who->way.pieces[0].kind == TR_WAY_WALK && !stands_level(who))
        step_first(&who->way);
    who->piece = 0;
    who->piece_begun = who->replan = who->claims = false;
    who->commitment.to_go = INFINITY;
    who->blocker = TR_NONE;
    who->around_vain = 0;
    who->level = tr_actor_look(who->actor).ground;
    tr_stage_find_narrows(stage, who);
    if (who->way.point_count)
        who->goal = who->way.points[who->way.point_count - 1].position;
}

bool tr_stage_walks(const stage_actor *who) {
    return tr_character_walks(tr_actor_look(who->actor).character);
}

bool tr_stage_is_carried(const stage_actor *who) {
    return tr_actor_root(who->actor)->kind == TR_DRIVER_RIDE || tr_stage_is_performing(who);
}

void tr_stage_halt(tr_stage *stage, stage_actor *who) {
    who->replan = who->claims = false;
    who->blocker = TR_NONE;
    who->errand = STAGE_IDLE;
    stage->idlers++;
    tr_way_clear(&who->way);
    who->piece = 0;
    who->piece_begun = false;
    who->commitment.to_go = INFINITY;
    tr_stage_stop(stage, who);
}

// A step to the side that has begun is finished, and ends elsewhere than where a new way begins.
bool tr_stage_is_stepping_aside(const tr_stage *stage, const stage_actor *who) {
    return tr_actor_look(who->actor).doing == TR_ACTOR_SIDE_STEPS && !tr_stage_rests(stage, who);
}

bool tr_stage_swings_off(tr_stage *stage, const stage_actor *who) {
    const tr_way_piece *piece = tr_stage_piece(who);
    if (tr_stage_is_stepping_aside(stage, who))
        return true;
    if (!piece || piece->kind != TR_WAY_WALK || tr_actor_look(who->actor).state.speed < SWING_SPEED)
        return false;
    tr_vec3 positions[SWING_TICKS];
    float wish = tr_stage_wish(who);
    uint32_t count = tr_stage_make_route(stage, who, NULL);
    tr_actor_ghost_begin(stage->ghost, who->actor);
    if (tr_stage_tell_route(stage, who, count, wish) != TR_OK)
        return false;
    uint32_t gone = tr_actor_ghost_go(stage->ghost, wish, SWING_TICKS, positions, NULL);
    tr_vec3 at = tr_stage_place_of(who);
    uint32_t size = tr_ground_is_free(stage->ground, who->sizes[TR_WAY_TIGHT], at, NULL)
                        ? who->sizes[TR_WAY_TIGHT]
                        : tr_stage_least_size(stage, who);
    for (uint32_t i = 0; i < gone; i++)
        if (!tr_ground_is_free(stage->ground, size, positions[i], NULL))
            return true;
    return false;
}
