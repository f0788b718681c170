// Bodies of a crowd on the map: standing, on their plans, or at a start for a while.
#include "behavior_crowd_data.h"

#define HOLD_SECONDS 8.0  // that a start is kept free for somebody who has not had its turn
#define LONG_SECONDS 20.0 // and for somebody who could not leave in this time

// Grows the memory for spots; they are lost.
static bool reserve_spots(tr_behavior_crowd *crowd, uint32_t count) {
    if (count <= crowd->spot_max)
        return true;
    uint32_t wanted = count < 256 ? 256 : count + count / 2;
    tr_release(&crowd->allocator, crowd->spots, crowd->spot_max, sizeof *crowd->spots);
    crowd->spots = tr_allocate(&crowd->allocator, wanted, sizeof *crowd->spots);
    crowd->spot_max = crowd->spots ? wanted : 0;
    if (!crowd->spots)
        crowd->trouble = TR_OUT_OF_MEMORY;
    return crowd->spots != NULL;
}

static const tr_behavior_move *move_from_rest(const tr_behavior *behavior) {
    for (uint32_t i = 0; i < behavior->def.state_count; i++)
        if (behavior->states[i].begin == behavior->def.rest)
            return &behavior->states[i].moves[0];
    return NULL;
}

// A body that stands has the discs with which moves begin at rest.
uint32_t tr_crowd_stand(tr_behavior_crowd *crowd, uint32_t person, tr_vec2 at, float heading,
                        uint32_t frame) {
    const tr_behavior *behavior = crowd_behavior(crowd, person);
    const tr_behavior_move *move = move_from_rest(behavior);
    uint32_t count = 0, most = 0;
    const tr_behavior_disc *discs = move ? behavior_keep_discs(&behavior->def, move, &most) : NULL;
    if (!move || !reserve_spots(crowd, most + 1))
        return 0;
    behavior_axes axes = behavior_axes_at(at.x, at.z, heading);
    for (uint32_t i = 0; i < most && discs[i].frame == 0; i++) {
        tr_vec2 spot = behavior_from(axes, discs[i].x, discs[i].z);
        crowd->spots[count++] = (tr_behavior_spot){spot.x, spot.z, frame};
    }
    if (count == 0)
        crowd->spots[count++] = (tr_behavior_spot){at.x, at.z, frame};
    return count;
}

uint32_t tr_crowd_free_until(const tr_behavior_crowd *crowd, uint32_t person,
                             const tr_behavior_query *query) {
    const tr_behavior *behavior = crowd_behavior(crowd, person);
    const tr_behavior_move *move = move_from_rest(behavior);
    behavior_axes axes = behavior_axes_at(query->start.x, query->start.z, query->heading);
    uint32_t until = UINT32_MAX, count = 0;
    const tr_behavior_disc *discs = move ? behavior_keep_discs(&behavior->def, move, &count) : NULL;
    for (uint32_t i = 0; i < count && discs[i].frame == 0; i++) {
        tr_vec2 spot = behavior_from(axes, discs[i].x, discs[i].z);
        uint32_t blocked = tr_behavior_map_blocked_from(crowd->map, 0, spot, query->frame);
        until = blocked < until ? blocked : until;
    }
    return until;
}

uint32_t tr_crowd_spots(tr_behavior_crowd *crowd, uint32_t person, const tr_behavior_plan *plan) {
    const tr_behavior_query *query = &crowd->people[person].query;
    uint32_t count = 0, before = tr_crowd_stand(crowd, person, query->start, query->heading, query->frame);
    if (before == 0 || plan->action_count == 0)
        return before;
    if (plan->actions[0].frame == query->frame)
        before = 0;
    const tr_behavior *behavior = crowd_behavior(crowd, person);
    tr_status status =
        tr_behavior_plan_spots(behavior, plan, crowd->spots + before, crowd->spot_max - before, &count);
    if (status == TR_LIMIT) { // once more, with room
        if (!reserve_spots(crowd, before + count))
            return 0;
        if (before)
            tr_crowd_stand(crowd, person, query->start, query->heading, query->frame);
        status =
            tr_behavior_plan_spots(behavior, plan, crowd->spots + before, crowd->spot_max - before, &count);
    }
    return status == TR_OK ? before + count : 0;
}

float tr_crowd_radius(const tr_behavior_crowd *crowd, uint32_t person) {
    return crowd->def.radius > 0 ? crowd->def.radius : behavior_keep(&crowd_behavior(crowd, person)->def);
}

// Remembers that memory ran out: the crowd is then given up.
static bool is_committed(tr_behavior_crowd *crowd, tr_status status) {
    if (status == TR_OUT_OF_MEMORY)
        crowd->trouble = status;
    return status == TR_OK;
}

bool tr_crowd_commit(tr_behavior_crowd *crowd, uint32_t person) {
    uint32_t count = tr_crowd_spots(crowd, person, &crowd->members[person].plan);
    return count && is_committed(crowd, tr_behavior_map_commit(crowd->map, person, crowd->spots, count,
                                                               tr_crowd_radius(crowd, person), NULL));
}

static uint32_t hold_end(const tr_behavior_crowd *crowd, uint32_t person) {
    double seconds = crowd->members[person].holds_long ? LONG_SECONDS : HOLD_SECONDS;
    double frames = seconds * crowd->map->behavior->def.frames_per_second;
    return crowd->people[person].query.frame + (uint32_t)frames;
}

bool tr_crowd_hold(tr_behavior_crowd *crowd, uint32_t person) {
    const tr_behavior_query *query = &crowd->people[person].query;
    uint32_t count = tr_crowd_stand(crowd, person, query->start, query->heading, query->frame);
    uint32_t end = hold_end(crowd, person), last = tr_behavior_map_end(crowd->map) - 1;
    if (count == 0 || !reserve_spots(crowd, 2 * count))
        return false;
    tr_crowd_stand(crowd, person, query->start, query->heading, query->frame);
    for (uint32_t i = 0; i < count; i++) {
        crowd->spots[count + i] = crowd->spots[i];
        crowd->spots[count + i].frame = end < last ? end : last;
    }
    return is_committed(crowd, tr_behavior_map_visit(crowd->map, person, crowd->spots, 2 * count,
                                                     tr_crowd_radius(crowd, person), NULL));
}

// The spots of a frame are touched from the frame of those before to that of those after.
bool tr_crowd_is_clear(tr_behavior_crowd *crowd, uint32_t person, const tr_behavior_plan *plan) {
    uint32_t count = tr_crowd_spots(crowd, person, plan), from = 0;
    const tr_behavior_map *map = crowd->map;
    if (count == 0)
        return false;
    from = crowd->spots[0].frame;
    for (uint32_t first = 0, next; first < count; first = next) {
        for (next = first; next < count && crowd->spots[next].frame == crowd->spots[first].frame;)
            next++;
        uint32_t to = next < count ? crowd->spots[next].frame : UINT32_MAX;
        for (uint32_t i = first; i < next; i++) {
            uint32_t column, row;
            if (!behavior_cell(map, crowd->spots[i].x, crowd->spots[i].z, &column, &row) ||
                !behavior_people_are_clear(map, column, row, behavior_last_slot(map, from),
                                           behavior_last_slot(map, to)))
                return false;
        }
        from = crowd->spots[first].frame;
    }
    return true;
}
