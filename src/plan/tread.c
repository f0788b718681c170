// The best chain of footprints along a way: places on both sides of it, steps from each to those ahead on the
// other side, and the cheapest way through them. Steps lead forward only, so one pass in order finds it.
#include "tread_data.h"
#include "troupe/base/scalar.h"

#include <math.h>

// Weights, against the square of how far a step is off the one that is liked, as a share of it.
#define COST_UNSUPPORTED 0.5f      // for a sole in the air
#define COST_UNSUPPORTED_MORE 2.0f // and as the square of the share
#define COST_ROUGH 0.05f
#define COST_EDGE 0.06f // for an edge within a cell: where it really is, is not known better
#define COST_LANE 0.02f // beside a foot's own lane
#define COST_APART 0.1f // feet too near or too far apart by the whole distance
#define COST_TURN 0.25f // for the square of the angle between two feet
#define COST_EARLY 0.1f // to end early
#define COST_SHORT 8.0f // and for the square of how early, in strides
// Blondel 1675: on a stair, going and twice the rise make the stride of level ground.
#define RISE_WORTH 2.0f
#define OWN_LANE 1
#define SOLE_CELLS_MOST 4000     // a sole with all around it, in cells
#define OPEN_LEAST_COSINE 0.45f  // the toes of a foot open by 63 degrees from the other's
#define CLOSE_LEAST_COSINE 0.82f // and close by 35
#define BACK_SHARE 0.5f          // a foot comes down behind the other by so much of a sole at most
#define CROSS_MOST 0.01f         // no foot goes beyond the other's middle [m]
#define WIDEST 3.0f              // feet are at most so far apart sideways, in `apart`
#define TURN_WIDE 0.7f           // curves of more than this need lanes to choose from [rad/m]
#define ARRIVED 0.01f            // a foot that is so near to its place stays [m, rad]

tr_tread_params tr_tread_params_default(float height) {
    tr_person person = tr_person_of_height(height);
    tr_tread_params params = {.sole_length = 0.152f * height,
                              .sole_width = 0.055f * height,
                              .apart = 0.074f * height,
                              .stride = 0.35f * height,
                              .stride_most = 0.5f * height,
                              .rise_most = 0.25f * height,
                              .level = 0.02f,
                              .support_least = 0.7f,
                              .clear = 0.01f};
    if (person.foot_rise > params.rise_most)
        params.rise_most = person.foot_rise;
    // A gap is measured from the middle of a cell to the middle of another; soles have to be beside it.
    float across = person.foot_span + (2 * params.support_least - 1) * params.sole_length;
    if (across > params.stride_most)
        params.stride_most = across;
    return params;
}

tr_status tr_tread_scratch_create(const tr_allocator *allocator, tr_tread_scratch **scratch,
                                  tr_error *error) {
    tr_allocator own = tr_allocator_or_default(allocator);
    *scratch = tr_allocate(&own, 1, sizeof **scratch);
    if (*scratch == NULL)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for the footprints of a way: %zu bytes",
                       sizeof **scratch);
    (*scratch)->allocator = own;
    return TR_OK;
}

void tr_tread_scratch_destroy(tr_tread_scratch *scratch) {
    if (scratch == NULL)
        return;
    tr_allocator own = scratch->allocator;
    tr_release(&own, scratch, 1, sizeof *scratch);
}

static bool is_within(float value, float low, float high) {
    return value >= low && value <= high; // false for NaN
}

static bool check_params(const tr_tread_params *params) {
    return is_within(params->sole_length, 0.01f, 10) && is_within(params->sole_width, 0.01f, 10) &&
           is_within(params->apart, 0.001f, 10) && is_within(params->stride, 0.01f, 100) &&
           is_within(params->stride_most, 0.01f, 100) && is_within(params->rise_most, 0, 100) &&
           is_within(params->level, 0, 10) && is_within(params->support_least, 0, 1) &&
           is_within(params->clear, 0, 10);
}

static bool check_feet(const tr_tread feet[2]) {
    for (uint32_t side = 0; side < 2; side++)
        if (!tr_vec3_is_finite(feet[side].position) || !is_within(feet[side].heading, -1e5f, 1e5f))
            return false;
    return true;
}

// Do two soles lie apart? One of the four directions of their sides must tell.
static bool are_apart(const tr_tread_params *params, const tread_foot *a, const tread_foot *b, float cosine,
                      float sine) {
    float half_length = 0.5f * params->sole_length, half_width = 0.5f * params->sole_width;
    float other_length = half_length * fabsf(cosine) + half_width * fabsf(sine),
          other_width = half_width * fabsf(cosine) + half_length * fabsf(sine);
    float x = b->position.x - a->position.x, z = b->position.z - a->position.z;
    const tread_foot *feet[2] = {a, b};
    for (uint32_t i = 0; i < 2; i++) {
        float ahead = x * feet[i]->ahead_x + z * feet[i]->ahead_z,
              beside = x * feet[i]->ahead_z - z * feet[i]->ahead_x;
        if (fabsf(ahead) >= half_length + other_length || fabsf(beside) >= half_width + other_width)
            return true;
    }
    return false;
}

float tr_tread_step(const tr_tread_params *params, const tread_foot *stand, const tread_foot *put,
                    uint32_t side, float back) {
    float rise = fabsf(put->position.y - stand->position.y);
    if (rise > params->rise_most)
        return INFINITY;
    float cosine = stand->ahead_x * put->ahead_x + stand->ahead_z * put->ahead_z,
          sine = stand->ahead_z * put->ahead_x - stand->ahead_x * put->ahead_z;
    bool opens = side == 0 ? sine >= 0 : sine <= 0;
    if (cosine < (opens ? OPEN_LEAST_COSINE : CLOSE_LEAST_COSINE))
        return INFINITY;
    float x = put->position.x - stand->position.x, z = put->position.z - stand->position.z;
    // How far it goes is seen between the two headings; that a foot is on its own side, from either.
    float ahead_x = stand->ahead_x + put->ahead_x, ahead_z = stand->ahead_z + put->ahead_z;
    float ahead = (x * ahead_x + z * ahead_z) / sqrtf(ahead_x * ahead_x + ahead_z * ahead_z);
    float left = side == 0 ? 1.0f : -1.0f;
    float from_stand = left * (x * stand->ahead_z - z * stand->ahead_x),
          from_put = left * (x * put->ahead_z - z * put->ahead_x);
    float beside = from_stand > from_put ? from_stand : from_put;
    if (ahead > params->stride_most || ahead < -back || beside < -CROSS_MOST ||
        beside > WIDEST * params->apart || !are_apart(params, stand, put, cosine, sine))
        return INFINITY;
    float off = (ahead + RISE_WORTH * rise) / params->stride - 1, wide = beside / params->apart - 1;
    return off * off + COST_APART * wide * wide + COST_TURN * 2 * (1 - cosine);
}

static void clear_spot(tread_spot *spot) {
    spot->flaw = spot->cost = INFINITY;
    spot->from = TR_NONE;
}

static void try_spot(tr_tread_scratch *scratch, const tread_ground *ground, const tr_tread_params *params,
                     uint32_t index, uint32_t side, uint32_t lane) {
    const tread_station *station = scratch->stations + index;
    uint32_t number = index * TREAD_SPOTS + side * TREAD_LANES + lane;
    tread_spot *spot = scratch->spots + number;
    tread_sole *sole = scratch->soles + number;
    float left = 0.5f * params->apart * ((side == 0 ? 1.0f : -1.0f) + (float)lane - OWN_LANE);
    tread_foot foot = {
        {station->x + left * station->ahead_z, station->height, station->z - left * station->ahead_x},
        station->ahead_x,
        station->ahead_z};
    clear_spot(spot);
    bool is_barred = index > scratch->first && station->barred != station[-1].barred;
    if (is_barred || !tr_tread_lay(ground, params, &foot, sole))
        return;
    float lack = 1 - sole->support;
    spot->position = tr_vec3_make(foot.position.x, sole->height, foot.position.z);
    spot->flaw = lack * (COST_UNSUPPORTED + COST_UNSUPPORTED_MORE * lack) + COST_ROUGH * sole->rough +
                 COST_EDGE * sole->edge + (lane == OWN_LANE ? 0 : COST_LANE);
}

// Is all well in the feet's own lanes, on level floor?
static bool is_easy(const tr_tread_scratch *scratch, uint32_t index) {
    const tread_spot *spots = scratch->spots + index * TREAD_SPOTS + OWN_LANE;
    const tread_sole *soles = scratch->soles + index * TREAD_SPOTS + OWN_LANE;
    return spots[0].flaw <= 0 && spots[TREAD_LANES].flaw <= 0 && soles[0].height == soles[TREAD_LANES].height;
}

static void try_own_lanes(tr_tread_scratch *scratch, const tread_ground *ground,
                          const tr_tread_params *params, uint32_t index) {
    scratch->looks[index] = 1;
    for (uint32_t side = 0; side < 2; side++)
        try_spot(scratch, ground, params, index, side, OWN_LANE);
}

// Every other station first; what lies between two that are easy, on one height, is left out.
static void find_own_spots(tr_tread_scratch *scratch, const tread_ground *ground,
                           const tr_tread_params *params) {
    uint32_t last = scratch->first + scratch->count - 1;
    for (uint32_t i = 0; i < TREAD_SPOTS * scratch->count; i++)
        clear_spot(scratch->spots + scratch->first * TREAD_SPOTS + i);
    for (uint32_t i = scratch->first; i <= last; i += 2)
        try_own_lanes(scratch, ground, params, i);
    for (uint32_t i = scratch->first + 1; i <= last; i += 2) {
        const tread_sole *sole = scratch->soles + i * TREAD_SPOTS + OWN_LANE;
        scratch->looks[i] = 0;
        if (i == last || !is_easy(scratch, i - 1) || !is_easy(scratch, i + 1) ||
            sole[-TREAD_SPOTS].height != sole[TREAD_SPOTS].height)
            try_own_lanes(scratch, ground, params, i);
    }
}

// Is a foot's own lane not all that is needed here?
static bool needs_lanes(const tr_tread_scratch *scratch, uint32_t index) {
    const tread_station *station = scratch->stations + index;
    for (uint32_t side = 0; side < 2 && scratch->looks[index] > 0; side++) {
        uint32_t number = index * TREAD_SPOTS + side * TREAD_LANES + OWN_LANE;
        if (!(scratch->spots[number].flaw < INFINITY) || scratch->soles[number].support < 1)
            return true;
    }
    if (index == scratch->first)
        return false;
    float turn = fabsf(station->heading - station[-1].heading);
    return turn > TURN_WIDE * (station->along - station[-1].along);
}

// Spots beside every station: in each foot's own lane, and within a step of trouble in the other lanes too.
static void find_spots(tr_tread_scratch *scratch, const tread_ground *ground, const tr_tread_params *params) {
    uint32_t end = scratch->first + scratch->count, reached = scratch->first;
    find_own_spots(scratch, ground, params);
    for (uint32_t i = scratch->first, behind = scratch->first; i < end; i++) {
        if (!needs_lanes(scratch, i))
            continue;
        float along = scratch->stations[i].along;
        while (scratch->stations[behind].along < along - params->stride_most)
            behind++;
        reached = reached > behind ? reached : behind;
        for (; reached < end && scratch->stations[reached].along <= along + params->stride_most; reached++)
            scratch->looks[reached] = scratch->looks[reached] > 0 ? TREAD_LANES : 0;
    }
    for (uint32_t i = scratch->first; i < end; i++)
        for (uint32_t side = 0; side < 2 && scratch->looks[i] == TREAD_LANES; side++)
            for (uint32_t lane = 0; lane < TREAD_LANES; lane++)
                if (lane != OWN_LANE)
                    try_spot(scratch, ground, params, i, side, lane);
}

static tread_foot foot_on(const tr_tread_scratch *scratch, uint32_t number) {
    const tread_station *station = scratch->stations + number / TREAD_SPOTS;
    tread_foot foot = {scratch->spots[number].position, station->ahead_x, station->ahead_z};
    return foot;
}

// One foot stands; better every spot of the other side at this station that it can be put on.
static void step_to(tr_tread_scratch *scratch, const tr_tread_params *params, const tread_foot *stand,
                    float cost, uint32_t from, uint32_t station, uint32_t side) {
    // The first step may lead back: feet stand as they stand.
    float back = from == TR_NONE ? params->stride_most : BACK_SHARE * params->sole_length;
    uint32_t number = station * TREAD_SPOTS + side * TREAD_LANES;
    for (uint32_t lane = 0; lane < TREAD_LANES; lane++, number++) {
        tread_spot *spot = scratch->spots + number;
        if (!(cost + spot->flaw < spot->cost))
            continue;
        tread_foot put = foot_on(scratch, number);
        float total = cost + spot->flaw + tr_tread_step(params, stand, &put, side, back);
        if (total < spot->cost) {
            spot->cost = total;
            spot->from = from;
        }
    }
}

static void step_from_feet(tr_tread_scratch *scratch, const tr_tread_params *params, const tr_tread feet[2],
                           uint32_t side) {
    double sine, cosine;
    const tr_tread *other = feet + (1 - side);
    tr_sin_cos((double)other->heading, &sine, &cosine);
    tread_foot stand = {other->position, (float)sine, (float)cosine};
    uint32_t end = scratch->first + scratch->count, barred = scratch->stations[scratch->first].barred;
    for (uint32_t i = scratch->first; i < end; i++) {
        const tread_station *station = scratch->stations + i;
        // Feet that are in the middle of a walk stand ahead of the begin of the way.
        if (station->along > 2 * params->stride_most || station->barred != barred)
            break;
        step_to(scratch, params, &stand, 0, TR_NONE, i, side);
    }
}

static void step_from_spot(tr_tread_scratch *scratch, const tr_tread_params *params, uint32_t number) {
    tread_foot stand = foot_on(scratch, number);
    uint32_t index = number / TREAD_SPOTS, side = number % TREAD_SPOTS / TREAD_LANES;
    uint32_t end = scratch->first + scratch->count;
    const tread_station *here = scratch->stations + index;
    for (uint32_t i = index + 1; i < end; i++) {
        const tread_station *station = scratch->stations + i;
        if (station->along - here->along > params->stride_most || station->barred != here->barred)
            break;
        step_to(scratch, params, &stand, scratch->spots[number].cost, number, i, 1 - side);
    }
}

// The last two footprints, side by side.
typedef struct tread_end {
    uint32_t last, closing; // spots; TR_NONE
    float cost;
} tread_end;

static void close_feet(const tr_tread_scratch *scratch, const tr_tread_params *params, uint32_t number,
                       float early, tread_end *best) {
    tread_foot stand = foot_on(scratch, number);
    uint32_t side = number % TREAD_SPOTS / TREAD_LANES, station = number / TREAD_SPOTS;
    uint32_t other = station * TREAD_SPOTS + (1 - side) * TREAD_LANES;
    for (uint32_t lane = 0; lane < TREAD_LANES; lane++, other++) {
        float cost = scratch->spots[number].cost + scratch->spots[other].flaw + early;
        if (!(cost < best->cost))
            continue;
        tread_foot put = foot_on(scratch, other);
        cost += tr_tread_step(params, &stand, &put, 1 - side, CROSS_MOST);
        if (cost < best->cost)
            *best = (tread_end){number, other, cost};
    }
}

// At the end of the way, or where there is no foothold for both a little before it.
static tread_end find_end(const tr_tread_scratch *scratch, const tr_tread_params *params) {
    tread_end best = {TR_NONE, TR_NONE, INFINITY};
    uint32_t end = scratch->first + scratch->count;
    float length = scratch->stations[end - 1].along;
    for (uint32_t i = end; i-- > scratch->first;) {
        float missing = length - scratch->stations[i].along, share = missing / params->stride;
        if (share > 0.5f)
            break;
        float early = i + 1 == end ? 0 : COST_EARLY + COST_SHORT * share * share;
        for (uint32_t spot = 0; spot < TREAD_SPOTS; spot++)
            if (scratch->spots[i * TREAD_SPOTS + spot].cost < INFINITY)
                close_feet(scratch, params, i * TREAD_SPOTS + spot, early, &best);
    }
    return best;
}

static tr_tread tread_on(const tr_tread_scratch *scratch, uint32_t number) {
    const tread_sole *sole = scratch->soles + number;
    double heading = (double)scratch->stations[number / TREAD_SPOTS].heading;
    heading -= floor(heading / (2 * TR_PI) + 0.5) * 2 * TR_PI;
    return (tr_tread){.side = number % TREAD_SPOTS / TREAD_LANES,
                      .position = scratch->spots[number].position,
                      .heading = (float)heading,
                      .support = sole->support,
                      .pitch = sole->pitch,
                      .roll = sole->roll};
}

static tr_status write_treads(const tr_tread_scratch *scratch, tread_end end, tr_tread *treads,
                              uint32_t tread_max, uint32_t *tread_count) {
    uint32_t count = 1;
    for (uint32_t number = end.last; number != TR_NONE; number = scratch->spots[number].from)
        count++;
    *tread_count = count;
    if (count > tread_max)
        return TR_LIMIT;
    treads[--count] = tread_on(scratch, end.closing);
    for (uint32_t number = end.last; number != TR_NONE; number = scratch->spots[number].from)
        treads[--count] = tread_on(scratch, number);
    return TR_OK;
}

static bool stands_there(const tr_tread *foot, const tr_tread *tread) {
    tr_vec3 off = tr_vec3_subtract(foot->position, tread->position);
    double turn = ((double)foot->heading - (double)tread->heading) / (2 * TR_PI);
    turn = (turn - floor(turn + 0.5)) * 2 * TR_PI;
    return tr_vec3_length(off) <= ARRIVED && fabs(turn) <= (double)ARRIVED;
}

// Where the furthest foothold is, or the begin when there is none at all.
static tr_vec3 find_stuck(const tr_tread_scratch *scratch) {
    uint32_t furthest = scratch->first;
    for (uint32_t i = scratch->first; i < scratch->first + scratch->count; i++)
        for (uint32_t spot = 0; spot < TREAD_SPOTS; spot++)
            if (scratch->spots[i * TREAD_SPOTS + spot].cost < INFINITY)
                furthest = i;
    const tread_station *station = scratch->stations + furthest;
    return tr_vec3_make(station->x, station->height, station->z);
}

tr_status tr_tread_plan(tr_tread_scratch *scratch, const tr_surface *surface, const tr_climb_point *points,
                        uint32_t point_count, const tr_tread feet[2], uint32_t first,
                        const tr_tread_params *params, tr_tread *treads, uint32_t tread_max,
                        uint32_t *tread_count, tr_vec3 *stuck_at) {
    *tread_count = 0;
    if (first > 2 || !check_params(params) || !check_feet(feet))
        return TR_INVALID;
    tread_ground ground = tr_tread_ground(surface, scratch->glances);
    double reach = (double)(params->sole_length + params->sole_width + 2 * params->clear);
    if (reach * ground.cells_per_metre > SOLE_CELLS_MOST)
        return TR_INVALID;
    tr_status status = tr_tread_way(scratch, &ground, points, point_count, feet, params);
    if (status != TR_OK)
        return status;
    find_spots(scratch, &ground, params);
    for (uint32_t side = 0; side < 2; side++)
        if (first == 2 || first == side)
            step_from_feet(scratch, params, feet, side);
    uint32_t begin = scratch->first * TREAD_SPOTS, end = begin + scratch->count * TREAD_SPOTS;
    for (uint32_t number = begin; number < end; number++)
        if (scratch->spots[number].cost < INFINITY)
            step_from_spot(scratch, params, number);
    tread_end last = find_end(scratch, params);
    if (last.last == TR_NONE) {
        if (stuck_at != NULL)
            *stuck_at = find_stuck(scratch);
        return TR_NOT_FOUND;
    }
    status = write_treads(scratch, last, treads, tread_max, tread_count);
    if (status == TR_OK && *tread_count == 2 && stands_there(feet, treads + (treads[0].side != 0)) &&
        stands_there(feet + 1, treads + (treads[0].side == 0)))
        *tread_count = 0;
    return status;
}
