// Stairs and storeys: the surface of the scene, who can go where on it, and ways over it in space and time,
// one actor after the other.
#include "stage_data.h"
#include "troupe/base/clock.h"

#include <string.h>

#define LAYER 0.05f         // of the surface [m]
#define REACH 1.0f          // a start or goal that is not free is moved to a free cell within this [m]
#define DROP_RISE 0.3f      // a level so much below the floor still means that floor [m]
#define STEP_SPEED 0.5f     // over footprints, for those who have to guess when somebody will be where [m/s]
#define FLOOR_APART 1.2f    // floors further apart than this are two storeys [m]
#define PERSON_MARGIN 0.05f // kept beside the stage's margin: people are not quite on their lines [m]
#define STUCK 1.5           // who waits for longer is gone round as one who stands [s]
#define LAY_BY_STEP 0.3f    // from one place that is considered to the next [m]
#define LAY_BY_RINGS 14
#define MEET_SIGHT 20   // who is about to step onto stairs looks so far ahead [s]
#define OBJECT_SIGHT 60 // so far ahead the ways of moving things are minded [s]
#define SHORT_STEP 0.1f // how finely a place to stop before somebody is looked for [m]

tr_status tr_stage_open_storeys(tr_stage *stage, tr_error *error) {
    stage_storeys *made = tr_allocate_zero(&stage->allocator, 1, sizeof *made);
    if (!made)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for the storeys of a stage");
    stage->storeys = made;
    tr_box box = stage->def.area, bounds = tr_scene_bounds(stage->def.scene);
    if (!tr_box_is_empty(bounds)) {
        box.min.y = bounds.min.y;
        box.max.y = bounds.max.y;
    }
    tr_surface_def def = tr_surface_def_default();
    def.allocator = &stage->allocator;
    tr_status status = tr_voxel_grid_cover(box, stage->def.cell, LAYER, 0, 0, &def.grid, error);
    if (status == TR_OK)
        status = tr_surface_create(&def, &made->surface, error);
    if (status == TR_OK)
        status = tr_surface_build(made->surface, stage->raster, stage->def.scene, error);
    if (status == TR_OK)
        status = tr_traffic_create(&stage->allocator, &made->traffic, error);
    if (status == TR_OK)
        status = tr_tread_scratch_create(&stage->allocator, &made->scratch, error);
    if (status != TR_OK || stage->def.link_count == 0)
        return status;
    made->links = tr_allocate(&stage->allocator, stage->def.link_count, sizeof *made->links);
    if (!made->links)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for %u links", stage->def.link_count);
    made->link_count = stage->def.link_count;
    memcpy(made->links, stage->def.links, made->link_count * sizeof *made->links);
    return TR_OK;
}

void tr_stage_close_storeys(tr_stage *stage) {
    stage_storeys *storeys = stage->storeys;
    if (!storeys)
        return;
    for (uint32_t i = 0; i < storeys->climber_count; i++)
        tr_climb_destroy(storeys->climbers[i].climb);
    tr_release(&stage->allocator, storeys->climbers, storeys->climber_capacity, sizeof *storeys->climbers);
    tr_release(&stage->allocator, storeys->links, storeys->link_count, sizeof *storeys->links);
    tr_tread_scratch_destroy(storeys->scratch);
    tr_traffic_destroy(storeys->traffic);
    tr_surface_destroy(storeys->surface);
    tr_release(&stage->allocator, storeys, 1, sizeof *storeys);
    stage->storeys = NULL;
}

const tr_surface *tr_stage_surface(const tr_stage *stage) {
    return stage->storeys ? stage->storeys->surface : NULL;
}

static tr_status make_climber(tr_stage *stage, stage_climber *climber, tr_error *error) {
    stage_storeys *storeys = stage->storeys;
    tr_climb_def def = {.allocator = &stage->allocator,
                        .surface = storeys->surface,
                        .person = tr_person_of_height(climber->legs),
                        .border_neighbours = 8};
    def.person.radius = climber->radius;
    def.person.height = climber->height;
    tr_status status = tr_climb_create(&def, &climber->climb, error);
    if (status == TR_OK && storeys->link_count)
        status = tr_climb_set_links(climber->climb, storeys->links, storeys->link_count, error);
    return status == TR_OK ? tr_climb_mark_border(climber->climb, NULL, 0, error) : status;
}

tr_status tr_stage_climber_for(tr_stage *stage, float radius, float height, float legs, uint32_t *climber,
                               tr_error *error) {
    stage_storeys *storeys = stage->storeys;
    for (*climber = 0; *climber < storeys->climber_count; ++*climber) {
        const stage_climber *known = &storeys->climbers[*climber];
        if (known->radius == radius && known->height == height && known->legs == legs)
            return TR_OK;
    }
    void *climbers = storeys->climbers;
    bool room = tr_reserve(&stage->allocator, &climbers, &storeys->climber_capacity,
                           (uint64_t)storeys->climber_count + 1, sizeof *storeys->climbers);
    storeys->climbers = climbers;
    if (!room)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for a climber");
    stage_climber made = {.radius = radius, .height = height, .legs = legs};
    tr_status status = make_climber(stage, &made, error);
    if (status != TR_OK) {
        tr_climb_destroy(made.climb);
        return status;
    }
    storeys->climbers[storeys->climber_count++] = made;
    return TR_OK;
}

tr_status tr_stage_update_storeys(tr_stage *stage, tr_error *error) {
    stage_storeys *storeys = stage->storeys;
    uint64_t revision = tr_surface_revision(storeys->surface);
    tr_status status = tr_surface_update(storeys->surface, stage->raster, stage->def.scene, NULL, error);
    if (status != TR_OK || tr_surface_revision(storeys->surface) == revision)
        return status;
    for (uint32_t i = 0; i < storeys->climber_count && status == TR_OK; i++) {
        status = tr_climb_refresh(storeys->climbers[i].climb, error);
        if (status == TR_OK)
            status = tr_climb_mark_border(storeys->climbers[i].climb, NULL, 0, error);
    }
    for (uint32_t i = 0; i < stage->actor_count; i++)
        stage->actors[i]->replan = stage->actors[i]->replan || stage->actors[i]->walking;
    return status;
}

bool tr_stage_find_floor(const tr_stage *stage, uint32_t climber, tr_vec2 point, bool has_level, float level,
                         float *floor) {
    const stage_climber *who = &stage->storeys->climbers[climber];
    const tr_surface *surface = stage->storeys->surface;
    const tr_grid *grid = &tr_surface_grid(surface)->grid;
    uint32_t column, row;
    tr_surface_place best = {.cell = TR_NONE};
    if (!tr_grid_find(grid, point, &column, &row))
        return false;
    if (has_level)
        best = tr_surface_drop(surface, tr_vec3_make(point.x, level, point.z), DROP_RISE);
    tr_surface_column cells = tr_surface_at(surface, column, row);
    for (uint32_t i = 0; !has_level && i < cells.count; i++) {
        tr_surface_place place = tr_surface_place_of(surface, column, row, i);
        bool free = place.kind >= TR_SURFACE_STAND && place.room >= who->height;
        if (free && (best.cell == TR_NONE || fabsf(place.height - level) < fabsf(best.height - level)))
            best = place;
    }
    *floor = best.height;
    return best.cell != TR_NONE && tr_climb_state_of(who->climb, best.cell) == TR_CLIMB_FREE;
}

float tr_stage_rise_on_level(void *user, tr_vec2 point) {
    const stage_actor *who = user;
    float height = tr_stage_height_near(who->stage->storeys->surface, point, who->level, 0.05f);
    return height > who->level ? height - who->level : 0;
}

float tr_stage_floor_near(void *user, tr_vec3 point) {
    const stage_actor *who = user;
    return tr_stage_height_near(who->stage->storeys->surface, (tr_vec2){point.x, point.z}, point.y, 0.6f);
}

bool tr_stage_same_floor(const stage_actor *a, const stage_actor *b) {
    return fabsf(tr_actor_look(a->actor).ground - tr_actor_look(b->actor).ground) < FLOOR_APART;
}

static tr_vec3 place_of(const stage_actor *who) {
    tr_actor_view view = tr_actor_look(who->actor);
    return tr_vec3_make(view.state.position.x, view.ground, view.state.position.z);
}

static float distance(tr_vec3 a, tr_vec3 b) {
    return tr_vec3_length(tr_vec3_subtract(a, b));
}

// How much of a leg lies behind somebody who is at `at`: up to the nearest point of it [m].
static float behind(const stage_ascent *way, const stage_leg *leg, tr_vec3 at) {
    float done = 0, nearest = INFINITY, best = 0;
    for (uint32_t i = 1; i < leg->count; i++) {
        tr_vec3 a = way->points[leg->first + i - 1], piece = tr_vec3_subtract(way->points[leg->first + i], a);
        float length = tr_vec3_length(piece);
        float t = length > 0 ? tr_vec3_dot(tr_vec3_subtract(at, a), piece) / (length * length) : 0;
        t = t < 0 ? 0 : t > 1 ? 1 : t;
        float off = distance(at, tr_vec3_add(a, tr_vec3_scale(piece, t)));
        if (off < nearest) {
            nearest = off;
            best = done + t * length;
        }
        done += length;
    }
    return best;
}

bool tr_stage_is_stuck(const tr_stage *stage, const stage_actor *who) {
    return who->walking && tr_stage_time(stage) - who->waits_since > STUCK;
}

// Where somebody will be and when, as far as its way tells; `stays`: it does not go it. Gives the number of
// points in `timed`.
static uint32_t foresee(tr_stage *stage, const stage_actor *other, bool stays) {
    tr_traffic_point *points = stage->storeys->timed;
    const stage_ascent *way = other->ascent;
    double now = tr_stage_time(stage);
    tr_vec3 at = place_of(other);
    uint32_t count = 0;
    points[count++] = (tr_traffic_point){now, at};
    bool goes = other->walking && !stays && way->leg < way->leg_count;
    const stage_leg *leg = goes ? &way->legs[way->leg] : NULL;
    float done = leg ? behind(way, leg, at) : 0;
    for (; leg && leg < way->legs + way->leg_count; leg++) {
        float speed = leg->kind == STAGE_LEG_WALK   ? other->speed
                      : leg->kind == STAGE_LEG_STEP ? STEP_SPEED
                                                    : 1;
        float length = 0;
        for (uint32_t i = 1; i < leg->count && count < STAGE_ROUTE_POINTS; i++) {
            tr_vec3 from = way->points[leg->first + i - 1], to = way->points[leg->first + i];
            length += distance(from, to);
            if (length <= done)
                continue; // behind it
            double time = points[count - 1].time + (double)distance(at, to) / speed;
            time = way->timed && time < way->times[leg->first + i] ? way->times[leg->first + i] : time;
            if (time > points[count - 1].time)
                points[count++] = (tr_traffic_point){time, to};
            at = to;
        }
        done = 0;
    }
    return count;
}

static tr_status add_track(tr_stage *stage, const stage_actor *other, bool stays, tr_error *error) {
    uint32_t count = foresee(stage, other, stays);
    const stage_climber *body = &stage->storeys->climbers[other->climber];
    tr_traffic_track track = {stage->storeys->timed, count, other->radius, body->height, true};
    return tr_traffic_add(stage->storeys->traffic, &track, error);
}

// What rests is in the surface as it is, and the cylinder around it would be in the way where it is not.
static bool will_move(const tr_trajectory *trajectory, double now) {
    tr_transform here = tr_trajectory_sample(trajectory, now);
    for (int i = 1; i <= OBJECT_SIGHT * 4; i++) {
        tr_transform there = tr_trajectory_sample(trajectory, now + 0.25 * i);
        if (memcmp(&here, &there, sizeof here) != 0)
            return true;
    }
    return false;
}

// Where things of the scene will be that move by themselves.
static tr_status add_objects(tr_stage *stage, tr_error *error) {
    double now = tr_stage_time(stage);
    tr_status status = TR_OK;
    for (uint32_t i = 0; i < tr_scene_object_count(stage->def.scene) && status == TR_OK; i++) {
        const tr_trajectory *trajectory = tr_scene_trajectory(stage->def.scene, i);
        if (trajectory && will_move(trajectory, now))
            status = tr_traffic_add_object(stage->storeys->traffic, stage->def.scene, i, now,
                                           now + OBJECT_SIGHT, error);
    }
    return status;
}

// Those who go before it, those who stand or have to wait, and whoever is on footprints or in a lift: they
// cannot make way.
static tr_status gather_traffic(tr_stage *stage, uint32_t actor, tr_error *error) {
    tr_traffic_clear(stage->storeys->traffic);
    tr_status status = TR_OK;
    for (uint32_t j = 0; j < stage->actor_count && status == TR_OK; j++) {
        const stage_actor *other = stage->actors[j];
        bool stays =
            j > actor && tr_stage_is_stuck(stage, other); // until it can go on, and that may be never
        bool bound = !tr_stage_walks_level(other);
        if (j != actor && (j < actor || stays || bound || !other->walking))
            status = add_track(stage, other, stays, error);
    }
    return status == TR_OK ? add_objects(stage, error) : status;
}

// The way as if nobody else were there, with the times at which it would be walked.
static tr_status find_alone(tr_stage *stage, stage_actor *who, tr_vec3 start, tr_vec3 goal, tr_error *error) {
    tr_climb *climb = stage->storeys->climbers[who->climber].climb;
    stage_ascent *way = who->ascent;
    tr_climb_params params = tr_climb_params_default();
    params.method = TR_CLIMB_EFFORT;
    params.reach = REACH;
    tr_status status = tr_climb_find(climb, &params, start, &goal, 1, error);
    if (status != TR_OK)
        return status;
    uint32_t count = 0;
    status = tr_climb_straighten(climb, start, goal, stage->storeys->line, STAGE_ROUTE_POINTS, &count, NULL);
    if (status != TR_OK)
        return tr_fail(error, status, "the way has more than %d corners", STAGE_ROUTE_POINTS);
    double time = tr_stage_time(stage);
    for (uint32_t i = 0; i < count; i++) {
        way->points[i] = stage->storeys->line[i].position;
        time += i ? (double)distance(way->points[i - 1], way->points[i]) / who->speed : 0;
        way->times[i] = time;
    }
    way->point_count = count;
    way->timed = false;
    return TR_OK;
}

static bool meets_nobody(const tr_stage *stage, const stage_actor *who) {
    const stage_ascent *way = who->ascent;
    float radius = who->radius + stage->def.margin, height = stage->storeys->climbers[who->climber].height;
    for (uint32_t i = 1; i < way->point_count; i++) {
        tr_traffic_point from = {way->times[i - 1], way->points[i - 1]}, to = {way->times[i], way->points[i]};
        if (!tr_traffic_is_free(stage->storeys->traffic, from, to, radius, height))
            return false;
    }
    return true;
}

static tr_status find_in_traffic(tr_stage *stage, stage_actor *who, tr_vec3 start, tr_vec3 goal,
                                 tr_error *error) {
    tr_traffic_params params = tr_traffic_params_default();
    params.climb.reach = REACH;
    params.begin = tr_stage_time(stage);
    params.speed = who->speed;
    params.margin = stage->def.margin + PERSON_MARGIN;
    uint32_t count = 0;
    tr_status status =
        tr_traffic_find(stage->storeys->traffic, stage->storeys->climbers[who->climber].climb, &params, start,
                        goal, stage->storeys->timed, STAGE_ROUTE_POINTS, &count, NULL, error);
    if (status != TR_OK)
        return status;
    for (uint32_t i = 0; i < count; i++) {
        who->ascent->points[i] = stage->storeys->timed[i].position;
        who->ascent->times[i] = stage->storeys->timed[i].time;
    }
    who->ascent->point_count = count;
    who->ascent->timed = true;
    return TR_OK;
}

// Is somebody there who is not about to go away?
static bool is_taken(const tr_stage *stage, const stage_actor *who, tr_vec3 place) {
    // As the search in traffic sees it, with a little more so that it agrees.
    float body = stage->storeys->climbers[who->climber].radius + 0.01f;
    for (uint32_t j = 0; j < stage->actor_count; j++) {
        const stage_actor *other = stage->actors[j];
        if (other == who || other->walking)
            continue;
        tr_vec3 apart = tr_vec3_subtract(place_of(other), place);
        float needed = body + other->radius + stage->def.margin + PERSON_MARGIN;
        if (fabsf(apart.y) < FLOOR_APART && apart.x * apart.x + apart.z * apart.z < needed * needed)
            return true;
    }
    return false;
}

// Where somebody stands at the end of a way it stops before: nobody waits for ever for a place that is taken.
static void stop_short(tr_stage *stage, stage_actor *who) {
    stage_ascent *way = who->ascent;
    if (!is_taken(stage, who, way->points[way->point_count - 1]))
        return;
    who->around = true; // it may be free by then
    for (; way->point_count > 1; way->point_count--) {
        uint32_t last = way->point_count - 1;
        tr_vec3 a = way->points[last - 1], piece = tr_vec3_subtract(way->points[last], a);
        double begin = way->times[last - 1], seconds = way->times[last] - begin;
        uint32_t steps = 1 + (uint32_t)(tr_vec3_length(piece) / SHORT_STEP);
        for (uint32_t k = steps - 1; k > 0; k--) {
            float t = (float)k / (float)steps;
            tr_vec3 place = tr_vec3_add(a, tr_vec3_scale(piece, t));
            if (is_taken(stage, who, place) ||
                !tr_stage_find_floor(stage, who->climber, (tr_vec2){place.x, place.z}, true, place.y,
                                     &place.y))
                continue;
            way->points[last] = place;
            way->times[last] = begin + t * seconds;
            return;
        }
    }
}

bool tr_stage_way_meets(tr_stage *stage, uint32_t actor) {
    const stage_actor *who = stage->actors[actor];
    if (gather_traffic(stage, actor, NULL) != TR_OK || tr_traffic_count(stage->storeys->traffic) == 0)
        return false;
    uint32_t count = foresee(stage, who, false);
    const tr_traffic_point *points = stage->storeys->timed;
    for (uint32_t i = 1; i < count && points[i - 1].time < points[0].time + MEET_SIGHT; i++)
        if (!tr_traffic_is_free(stage->storeys->traffic, points[i - 1], points[i], who->radius,
                                stage->storeys->climbers[who->climber].height))
            return true;
    return false;
}

// Around others where that can be had; else as if they were not there, and the look ahead stops in time.
static tr_status find_way(tr_stage *stage, uint32_t actor, tr_vec3 goal, tr_error *error) {
    stage_actor *who = stage->actors[actor];
    tr_vec3 start = place_of(who);
    tr_status status = find_alone(stage, who, start, goal, error);
    if (status == TR_OK) {
        stop_short(stage, who);
        goal = who->ascent->points[who->ascent->point_count - 1];
        status = gather_traffic(stage, actor, error);
    }
    if (status != TR_OK || tr_traffic_count(stage->storeys->traffic) == 0 || meets_nobody(stage, who))
        return status;
    stage_ascent alone = *who->ascent;
    status = find_in_traffic(stage, who, start, goal, error);
    if (status == TR_OK || status == TR_OUT_OF_MEMORY)
        return status;
    *who->ascent = alone;
    return TR_OK;
}

// How near somebody's way comes to a point, on the same floor [m].
static float distance_to_way(const stage_actor *him, tr_vec3 point) {
    const stage_ascent *way = him->ascent;
    tr_vec3 from = place_of(him);
    float nearest = distance(from, point);
    uint32_t next = him->walking && way->leg < way->leg_count ? way->legs[way->leg].first + 1 : UINT32_MAX;
    for (; next < way->point_count; next++) {
        tr_vec3 to = way->points[next], piece = tr_vec3_subtract(to, from);
        float square = tr_vec3_dot(piece, piece);
        float t = square > 0 ? tr_vec3_dot(tr_vec3_subtract(point, from), piece) / square : 0;
        tr_vec3 at = tr_vec3_add(from, tr_vec3_scale(piece, t < 0 ? 0 : t > 1 ? 1 : t));
        float off = distance(at, point);
        nearest = fabsf(at.y - point.y) < FLOOR_APART && off < nearest ? off : nearest;
        from = to;
    }
    return nearest;
}

bool tr_stage_find_lay_by_on_floor(tr_stage *stage, uint32_t actor, uint32_t other, tr_vec2 *place) {
    const stage_actor *who = stage->actors[actor], *him = stage->actors[other];
    float needed = who->radius + him->radius + stage->def.margin + 2 * STAGE_CORRIDOR;
    tr_vec3 at = place_of(who), places[TR_CLIMB_GOALS_MAX];
    uint32_t count = 0;
    // From ring to ring, so that the nearest fill the list.
    for (int ring = 1; ring <= LAY_BY_RINGS && count < TR_CLIMB_GOALS_MAX; ring++)
        for (int i = 0; i < 8 * ring && count < TR_CLIMB_GOALS_MAX; i++) {
            int side = i / (2 * ring), along = i % (2 * ring) - ring;
            const int x[4] = {along, ring, -along, -ring}, z[4] = {-ring, along, ring, -along};
            tr_vec3 c = {at.x + LAY_BY_STEP * (float)x[side], at.y, at.z + LAY_BY_STEP * (float)z[side]};
            tr_vec2 point = {c.x, c.z};
            if (tr_stage_find_floor(stage, who->climber, point, false, at.y, &c.y) &&
                distance_to_way(him, c) > needed)
                places[count++] = c;
        }
    tr_climb_params params = tr_climb_params_default();
    tr_climb *climb = stage->storeys->climbers[who->climber].climb;
    if (count == 0 || tr_climb_find(climb, &params, at, places, count, NULL) != TR_OK)
        return false;
    tr_vec3 found = places[tr_climb_last(climb).goal];
    *place = (tr_vec2){found.x, found.z};
    return fabsf(found.y - at.y) < FLOOR_APART;
}

tr_status tr_stage_climb(tr_stage *stage, uint32_t actor, tr_vec3 goal, tr_error *error) {
    stage_actor *who = stage->actors[actor];
    uint64_t begin = tr_clock_nanoseconds();
    who->planned = tr_stage_time(stage);
    who->replan = who->around = false;
    stage_ascent before = *who->ascent; // a way that is no longer the best is better than none
    bool walked = who->walking;
    tr_status status = find_way(stage, actor, goal, error);
    if (status == TR_OK) {
        tr_person person = *tr_climb_person(stage->storeys->climbers[who->climber].climb);
        who->ascent->goal = who->ascent->points[who->ascent->point_count - 1];
        who->goal = (tr_vec2){who->ascent->goal.x, who->ascent->goal.z};
        status = tr_stage_cut_legs(stage->storeys->surface, person.foot_rise, who->ascent, error);
    }
    if (status == TR_OK)
        status = tr_stage_begin_leg(stage, actor, error);
    if (status != TR_OK) {
        *who->ascent = before;
        who->walking = walked;
    }
    who->plan_us[who->plan_count++ % STAGE_PLANS] = (float)((double)(tr_clock_nanoseconds() - begin) / 1000);
    return status;
}
