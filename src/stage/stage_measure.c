// Distances between actors. Before a tick: the room of the arms, so that they stay clear of others. After it:
// is every actor where it was committed to be, and how near did bodies come to each other? A grid that is
// filled anew each time finds the actors nearby.
#include "stage_data.h"

#include "troupe/base/scalar.h"

#define SIGHT 2.0f       // larger gaps are not measured [m]
#define NEAR_MAX 8       // number of actors nearby that count, the nearest ones,
#define NEAR_SIGHT 2.0f  // within this distance [m]
#define FEET_SIGHT 1.2f  // feet of actors farther away do not meet [m],
#define BARS_MAX 8       // and this many feet count: of the four nearest actors
#define ARMS_REACH 0.7f  // no swinging arm gets farther from the middle of a body [m]
#define WALLS_BESIDE 4   // directions in which arms avoid walls of the scene,
#define MOVERS_BESIDE 2  // moving objects that arms avoid
#define WALLS_REACH 0.6f // up to this distance [m]
#define SOON 2           // times ahead for which the room of arms is computed
#define SURELY 1.0001f   // a ratio that is beyond rounding

// What is compared of a body, kept together.
typedef struct stage_spot {
    float x, y, z, radius, height;
    float nearest;
    int32_t column, row; // its cell of the grid
    uint32_t next;       // in the same list of the grid; TR_NONE
    // Other actors nearby, the nearest first, and the squares of their distances.
    uint32_t near[NEAR_MAX], near_count;
    float squares[NEAR_MAX];
    tr_vec2 soon[SOON]; // where it will be, before a tick; actors nearby read it
} stage_spot;

// Feet, if another actor is near.
typedef struct stage_feet {
    tr_foot_lock_bar own[2];
    tr_foot_lock_bar others[BARS_MAX];
} stage_feet;

struct stage_measures {
    stage_spot *spots; // of the actors, in their order
    stage_feet *feet;  // likewise
    uint32_t feet_capacity;
    uint32_t *heads; // of the lists of cells, hashed
    uint32_t spot_capacity, head_count;
};

bool tr_stage_reserve_measures(tr_stage *stage, uint32_t actors) {
    if (!stage->measures)
        stage->measures = tr_allocate_zero(&stage->allocator, 1, sizeof *stage->measures);
    struct stage_measures *m = stage->measures;
    if (!m)
        return false;
    void *spots = m->spots;
    bool room = tr_reserve(&stage->allocator, &spots, &m->spot_capacity, actors, sizeof *m->spots);
    m->spots = spots;
    void *feet = m->feet;
    room = room && tr_reserve(&stage->allocator, &feet, &m->feet_capacity, actors, sizeof *m->feet);
    m->feet = feet;
    uint32_t count = m->head_count ? m->head_count : 16;
    while (count < 2 * actors)
        count *= 2;
    if (!room || count == m->head_count)
        return room;
    uint32_t *heads = tr_allocate(&stage->allocator, count, sizeof *heads);
    if (!heads)
        return false;
    tr_release(&stage->allocator, m->heads, m->head_count, sizeof *heads);
    m->heads = heads;
    m->head_count = count;
    return true;
}

void tr_stage_release_measures(tr_stage *stage) {
    struct stage_measures *m = stage->measures;
    if (!m)
        return;
    tr_release(&stage->allocator, m->spots, m->spot_capacity, sizeof *m->spots);
    tr_release(&stage->allocator, m->feet, m->feet_capacity, sizeof *m->feet);
    tr_release(&stage->allocator, m->heads, m->head_count, sizeof *m->heads);
    tr_release(&stage->allocator, m, 1, sizeof *m);
}

// Actors are within TR_SCENE_EXTENT_MAX, and a cell is larger than SIGHT.
static int32_t cell_of(float coordinate, float side) {
    return (int32_t)floorf(coordinate / side);
}

static uint32_t *list_of(const struct stage_measures *m, int32_t column, int32_t row) {
    uint64_t key =
        (uint64_t)(uint32_t)column * 0x9e3779b97f4a7c15u ^ (uint64_t)(uint32_t)row * 0xc2b2ae3d27d4eb4fu;
    key ^= key >> 29;
    return &m->heads[(uint32_t)(key * 0xbf58476d1ce4e5b9u >> 32) & (m->head_count - 1)];
}

static void list_near(stage_spot *spot, uint32_t other, float square) {
    uint32_t i = spot->near_count < NEAR_MAX ? spot->near_count++ : NEAR_MAX;
    for (; i > 0 && square < spot->squares[i - 1]; i--) {
        if (i == NEAR_MAX)
            continue; // the farthest is dropped
        spot->near[i] = spot->near[i - 1];
        spot->squares[i] = spot->squares[i - 1];
    }
    if (i == NEAR_MAX)
        return;
    spot->near[i] = other;
    spot->squares[i] = square;
}

static void see_each_other(struct stage_measures *m, uint32_t first, uint32_t second) {
    stage_spot *a = &m->spots[first], *b = &m->spots[second];
    float x = b->x - a->x, y = b->y - a->y, z = b->z - a->z, most = SIGHT + a->radius + b->radius,
          square = x * x + z * z;
    if (!(square < most * most) || !(y < a->height && -y < b->height))
        return;
    float gap = sqrtf(square) - a->radius - b->radius;
    a->nearest = gap < a->nearest ? gap : a->nearest;
    b->nearest = gap < b->nearest ? gap : b->nearest;
    if (square < NEAR_SIGHT * NEAR_SIGHT) {
        list_near(a, second, square);
        list_near(b, first, square);
    }
}

// Compares each actor with all that are in the grid already, then adds it. Several cells may share a list, as
// many as the size of the table happens to make: each actor of a list is compared for its own cell only,
// once.
static void find_pairs(struct stage_measures *m, uint32_t count) {
    float side = 0;
    for (uint32_t i = 0; i < count; i++)
        side = m->spots[i].radius > side ? m->spots[i].radius : side;
    side = SIGHT + 2 * side;
    for (uint32_t i = 0; m && i < m->head_count; i++)
        m->heads[i] = TR_NONE;
    for (uint32_t index = 0; index < count; index++) {
        stage_spot *spot = &m->spots[index];
        spot->column = cell_of(spot->x, side), spot->row = cell_of(spot->z, side);
        for (int32_t i = 0; i < 9; i++) {
            int32_t column = spot->column + i % 3 - 1, row = spot->row + i / 3 - 1;
            uint32_t other = *list_of(m, column, row);
            for (; other != TR_NONE; other = m->spots[other].next)
                if (m->spots[other].column == column && m->spots[other].row == row)
                    see_each_other(m, index, other);
        }
        uint32_t *list = list_of(m, spot->column, spot->row);
        spot->next = *list;
        *list = index;
    }
}

void tr_stage_look_around(tr_stage *stage) {
    for (uint32_t i = 0; i < stage->actor_count; i++) {
        const stage_actor *who = stage->actors[i];
        tr_vec3 at = tr_timeline_at(stage->timeline, who->body, (double)(stage->tick + 1));
        stage_spot *spot = &stage->measures->spots[i];
        *spot = (stage_spot){.x = at.x,
                             .y = at.y,
                             .z = at.z,
                             .radius = who->radius,
                             .height = who->height,
                             .nearest = who->nearest};
        for (uint32_t k = 0; k < SOON; k++) {
            uint64_t tick = stage->tick + 1 + TUNE_ROOM_SIGHT * (k + 1) / SOON;
            at = tr_timeline_at(stage->timeline, who->body, (double)tick);
            spot->soon[k] = (tr_vec2){at.x, at.z};
        }
    }
    find_pairs(stage->measures, stage->actor_count);
    for (uint32_t i = 0; i < stage->actor_count; i++) {
        const stage_spot *spot = &stage->measures->spots[i];
        if (spot->near_count > 0 && spot->squares[0] < FEET_SIGHT * FEET_SIGHT)
            for (uint32_t side = 0; side < 2; side++)
                tr_actor_foot_bar(stage->actors[i]->actor, side, &stage->measures->feet[i].own[side]);
    }
}

// The feet of actors nearby, as bars that the actor stays clear of.
static void show_feet(const tr_stage *stage, uint32_t index) {
    const stage_spot *spots = stage->measures->spots, *spot = &spots[index];
    tr_foot_lock_bar *bars = stage->measures->feet[index].others;
    uint32_t count = 0;
    for (uint32_t i = 0; i < spot->near_count && count < BARS_MAX; i++) {
        if (!(spot->squares[i] < FEET_SIGHT * FEET_SIGHT && spot->squares[i] > 0))
            break;
        const stage_spot *other = &spots[spot->near[i]];
        float apart = sqrtf(spot->squares[i]);
        tr_vec2 away = {(spot->x - other->x) / apart, (spot->z - other->z) / apart};
        for (uint32_t side = 0; side < 2; side++, count++) {
            bars[count] = stage->measures->feet[spot->near[i]].own[side];
            bars[count].away = away;
        }
    }
    tr_actor_set_bars(stage->actors[index]->actor, bars, count);
}

// The plane between two actors at `a` and `b`; the first has `share` of the distance. false: it is out of
// reach.
static bool wall_between(tr_vec2 a, tr_vec2 b, float share, tr_overlay_wall *wall) {
    float x = b.x - a.x, z = b.z - a.z, square = x * x + z * z;
    if (!(square > 0) || square * share * share > ARMS_REACH * ARMS_REACH * SURELY)
        return false;
    float apart = sqrtf(square), room = apart * share;
    if (!(apart > 0 && room < ARMS_REACH))
        return false;
    *wall = (tr_overlay_wall){{x / apart, z / apart}, room, false};
    return true;
}

// Walls and edges of the scene beside an actor at `at`, and ahead of its swinging arms.
static uint32_t walls_beside(const tr_stage *stage, uint32_t index, tr_vec3 at, bool soon,
                             tr_overlay_wall *walls) {
    const stage_actor *who = stage->actors[index];
    uint32_t size = who->sizes[TR_WAY_SIDE], count = 0;
    float height, radius = tr_ground_size(stage->ground, size)->radius;
    tr_vec2 min = {at.x - WALLS_REACH, at.z - WALLS_REACH}, max = {at.x + WALLS_REACH, at.z + WALLS_REACH};
    if (tr_ground_is_even(stage->ground, min, max, &height) ||
        tr_actor_has_departures(who->actor) || // its arms are planned among triangles
        !tr_ground_is_free(stage->ground, size, at, NULL))
        return 0;
    static const double sides[WALLS_BESIDE] = {-0.5 * TR_PI, -0.25 * TR_PI, 0.25 * TR_PI, 0.5 * TR_PI};
    // A body that goes sideways has walls before and behind it.
    static const double across[WALLS_BESIDE] = {-0.5 * TR_PI, 0, 0.5 * TR_PI, TR_PI};
    const tr_driver_root *root = tr_actor_root(who->actor);
    bool aside = root->doing == TR_DRIVER_SIDE_STEPS;
    double heading = (double)root->state.heading;
    for (uint32_t side = 0; side < WALLS_BESIDE; side++) {
        double sine, cosine;
        tr_sin_cos(heading + (aside ? across : sides)[side], &sine, &cosine);
        tr_vec2 away = {(float)sine, (float)cosine};
        float most = WALLS_REACH - radius, room = tr_ground_room(stage->ground, size, at, away, most);
        if (room < most)
            walls[count++] = (tr_overlay_wall){away, room + radius, soon};
    }
    return count;
}

// Moving objects, where they will be at that time, are walls as well.
static uint32_t movers_beside(const tr_stage *stage, const stage_spot *spot, tr_vec2 at, uint64_t tick,
                              bool soon, tr_overlay_wall *walls) {
    tr_vec2 nearest[MOVERS_BESIDE];
    tr_vec3 point = {at.x, spot->y, at.z};
    uint32_t found =
        tr_timeline_beside(stage->timeline, point, spot->height, ARMS_REACH, tick, nearest, MOVERS_BESIDE);
    for (uint32_t i = 0; i < found; i++) {
        float x = nearest[i].x - at.x, z = nearest[i].z - at.z, room = sqrtf(x * x + z * z);
        walls[i] = (tr_overlay_wall){{x / room, z / room}, room, soon};
    }
    return found;
}

void tr_stage_give_room(const tr_stage *stage, uint32_t index) {
    const stage_spot *spots = stage->measures->spots, *spot = &spots[index];
    tr_overlay_wall walls[(1 + SOON) * (NEAR_MAX + WALLS_BESIDE + MOVERS_BESIDE)];
    uint32_t count = walls_beside(stage, index, tr_vec3_make(spot->x, spot->y, spot->z), false, walls);
    for (uint32_t k = 0; k < SOON; k++)
        if (spot->soon[k].x != spot->x || spot->soon[k].z != spot->z)
            count += walls_beside(stage, index, tr_vec3_make(spot->soon[k].x, spot->y, spot->soon[k].z), true,
                                  walls + count);
    count += movers_beside(stage, spot, (tr_vec2){spot->x, spot->z}, stage->tick, false, walls + count);
    for (uint32_t k = 0; k < SOON; k++)
        count += movers_beside(stage, spot, spot->soon[k], stage->tick + TUNE_ROOM_SIGHT * (k + 1) / SOON,
                               true, walls + count);
    for (uint32_t i = 0; i < spot->near_count; i++) {
        const stage_spot *other = &spots[spot->near[i]];
        float share = spot->radius / (spot->radius + other->radius);
        tr_vec2 now = {spot->x, spot->z}, theirs = {other->x, other->z};
        count += wall_between(now, theirs, share, &walls[count]);
        for (uint32_t k = 0; k < SOON; k++)
            if (wall_between(spot->soon[k], other->soon[k], share, &walls[count]))
                walls[count++].soon = true;
    }
    tr_actor_set_walls(stage->actors[index]->actor, walls, count);
    show_feet(stage, index);
}

// An actor that is where it was committed to be is as near to others as was computed before the tick.
static bool deviates(const tr_stage *stage, uint32_t index) {
    const stage_spot *spot = &stage->measures->spots[index];
    tr_vec3 at = tr_stage_place_of(stage->actors[index]);
    return at.x != spot->x || at.z != spot->z;
}

void tr_stage_measure(tr_stage *stage) {
    struct stage_measures *m = stage->measures;
    uint32_t deviations = 0;
    for (uint32_t i = 0; i < stage->actor_count; i++) {
        stage_actor *who = stage->actors[i];
        bool waits = who->errand == STAGE_ORDER && who->blocker != TR_NONE;
        who->waited += waits ? TR_STAGE_TICK : 0;
        who->deviations += deviates(stage, i);
        deviations += deviates(stage, i);
    }
    for (uint32_t i = 0; i < stage->actor_count && deviations; i++) {
        tr_vec3 at = tr_stage_place_of(stage->actors[i]);
        m->spots[i].x = at.x;
        m->spots[i].y = at.y;
        m->spots[i].z = at.z;
    }
    if (deviations)
        find_pairs(m, stage->actor_count);
    for (uint32_t i = 0; i < stage->actor_count; i++)
        stage->actors[i]->nearest = m->spots[i].nearest;
}
