// Where and when behaviors touch nothing: the world, and the committed motions of all others.
#include "stage_perform.h"

#define CELL 0.02f      // of the map, at least [m]
#define CELLS_MOST 1e6f // of a map; larger worlds have larger cells
#define SPOT_TICKS 3    // from one place of a walker to the next
#define SPOTS_MOST (2 * TR_TIMELINE_TICKS_MAX)

static tr_status make_map(tr_stage *stage, stage_kind *kind, tr_error *error) {
    const tr_grid *ground = &tr_surface_grid(tr_ground_surface(stage->ground))->grid;
    float wide = ground->cell * (float)ground->columns, deep = ground->cell * (float)ground->rows;
    float cell = CELL > ground->cell ? CELL : ground->cell;
    while (wide * deep > CELLS_MOST * cell * cell)
        cell *= 1.25f;
    tr_behavior_map_def def = {.allocator = &stage->allocator,
                               .grid = *ground,
                               .behavior = kind->cast->machine,
                               .seconds = PERFORM_SECONDS};
    def.grid.cell = cell;
    def.grid.columns = (uint32_t)(wide / cell) + 1;
    def.grid.rows = (uint32_t)(deep / cell) + 1;
    return tr_behavior_map_create(&def, &kind->map, error);
}

// Floors spread from where people stand.
static tr_status list_floors(tr_stage *stage, stage_kind *kind, uint32_t *count, tr_error *error) {
    void *floors = kind->floors;
    bool room = tr_reserve(&stage->allocator, &floors, &kind->floor_room, (uint64_t)stage->actor_count + 1,
                           sizeof *kind->floors);
    kind->floors = floors;
    if (!room)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for the map of behaviors");
    *count = 0;
    for (uint32_t i = 0; i < stage->actor_count; i++)
        if (stage->actors[i]->performer && stage->actors[i]->performer->kind == kind)
            kind->floors[(*count)++] = stage->actors[i]->performer->stood;
    return TR_OK;
}

static tr_status build(tr_stage *stage, stage_kind *kind, tr_error *error) {
    uint32_t count = 0;
    tr_status status = list_floors(stage, kind, &count, error);
    if (status != TR_OK)
        return status;
    kind->built = kind->crossings.known = false;
    kind->base = stage->tick > PERFORM_PAST ? stage->tick - PERFORM_PAST : 0;
    tr_behavior_scene from = {.scene = stage->def.scene,
                              .raster = stage->raster,
                              .time = (double)kind->base * TR_STAGE_TICK,
                              .floors = kind->floors,
                              .floor_count = count};
    tr_behavior_map_withdraw_all(kind->map);
    for (uint32_t i = 0; i < kind->seen_room; i++)
        kind->seen[i] = 0;
    status = tr_behavior_map_build(kind->map, &from, error);
    kind->built = status == TR_OK;
    kind->changes = stage->world_changes;
    return status;
}

// The committed motion of a body, from the beginning of the map on.
static uint32_t walked_spots(const tr_stage *stage, const stage_kind *kind, const stage_actor *who) {
    tr_timeline_track track = tr_timeline_track_of(stage->timeline, who->body);
    uint32_t count = 0;
    for (uint32_t i = 0; i < track.count;
         i += i + SPOT_TICKS < track.count || i + 1 == track.count ? SPOT_TICKS : track.count - 1 - i) {
        uint64_t tick = track.begin + i;
        uint32_t frame = tick > kind->base ? (uint32_t)(tick - kind->base) : 0;
        if (count > 0 && kind->spots[count - 1].frame >= frame)
            count--;
        kind->spots[count++] = (tr_behavior_spot){track.x[i], track.z[i], frame};
    }
    return count;
}

// The discs of a performance. Those before the map begins are over.
static uint32_t performed_spots(stage_kind *kind, const stage_performer *performer) {
    const stage_performance *is = &performer->performances[performer->now];
    uint32_t count = 0, kept = 0;
    if (tr_behavior_plan_spots(performer->kind->cast->machine, &is->plan, kind->spots, kind->spot_room,
                               &count) != TR_OK)
        return 0;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t tick = is->begin + kind->spots[i].frame;
        if (tick < kind->base)
            continue;
        kind->spots[kept] = kind->spots[i];
        kind->spots[kept++].frame = (uint32_t)(tick - kind->base);
    }
    return kept;
}

static bool performs(const stage_actor *who) {
    return tr_actor_root(who->actor)->kind == TR_DRIVER_PERFORM;
}

tr_status tr_stage_map_body(tr_stage *stage, stage_kind *kind, const stage_actor *who, tr_error *error) {
    void *seen = kind->seen, *spots = kind->spots;
    uint32_t before = kind->seen_room;
    bool room =
        tr_reserve(&stage->allocator, &seen, &kind->seen_room, (uint64_t)who->body + 1, sizeof *kind->seen);
    kind->seen = seen;
    for (uint32_t i = before; i < kind->seen_room; i++)
        kind->seen[i] = 0;
    room = room && tr_reserve(&stage->allocator, &spots, &kind->spot_room, SPOTS_MOST, sizeof *kind->spots);
    kind->spots = spots;
    if (!room)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for the map of behaviors");
    uint32_t count = performs(who) ? performed_spots(kind, who->performer) : 0;
    float radius = who->radius;
    if (count > 0)
        radius = tr_behavior_def_of(who->performer->kind->cast->machine)->radius;
    else
        count = walked_spots(stage, kind, who);
    tr_status status = tr_behavior_map_commit(kind->map, who->body, kind->spots, count, radius, error);
    kind->seen[who->body] = status == TR_OK ? who->commits + 1 : 0;
    return status;
}

tr_status tr_stage_update_map(tr_stage *stage, stage_kind *kind, tr_error *error) {
    tr_status status = kind->map ? TR_OK : make_map(stage, kind, error);
    bool old =
        !kind->built || kind->changes != stage->world_changes || stage->tick - kind->base > PERFORM_RENEW;
    if (status == TR_OK && old)
        status = build(stage, kind, error);
    for (uint32_t i = 0; i < stage->actor_count && status == TR_OK; i++) {
        const stage_actor *who = stage->actors[i];
        bool known = who->body < kind->seen_room && kind->seen[who->body] == who->commits + 1;
        if (!known)
            status = tr_stage_map_body(stage, kind, who, error);
    }
    return status;
}

float tr_stage_perform_floor(void *user, tr_vec2 point) {
    const perform_floor *floor = user;
    float height = tr_behavior_map_height(floor->kind->map, point);
    float smooth =
        tr_ground_smooth_height(floor->stage->ground, tr_vec3_make(point.x, height, point.z), 0.3f);
    return isfinite(smooth) ? smooth : height;
}
