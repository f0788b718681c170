// The best chain of footsteps along a way: spots on both sides of it, steps from each to those ahead on the
// other side, and the cheapest path through them. Steps lead forward only, so one pass in order finds it.
#include "footstep_data.h"
#include "plan/plan_archive.h"
#include "troupe/base/scalar.h"

#include <math.h>

// Weights, relative to the squared deviation of a step from the preferred one, as a share of that.
#define COST_UNSUPPORTED 0.5f      // for the share of a sole in the air
#define COST_UNSUPPORTED_MORE 2.0f // for the square of that share
#define ROLL_EASY 0.5f             // a sole that leans further to a side [m/m] turns the ankle too far,
#define COST_LEANS 4.0f            // so it comes down elsewhere if it can
#define COST_ROUGH 0.05f
#define COST_EDGE 0.06f     // for an edge within a cell, because its position is known only to a cell
#define COST_ASIDE 0.4f     // the same along a side of the sole
#define COST_LANE 0.02f     // for each lane that a foot is away from its own
#define COST_APART 0.1f     // for feet too near or too far apart, by the whole distance
#define COST_SCISSORS 0.15f // for feet that are, in a turn, in each other's way as seen from one of them
#define COST_TURN 0.25f     // for the square of the angle between two feet
#define COST_EARLY 0.1f     // for ending early
#define COST_SHORT 8.0f     // for the square of how early, in strides
// Blondel 1675: on a stair, the going plus twice the rise equals the stride on level ground.
#define RISE_WORTH 2.0f
#define OWN_LANE 2
#define TRIES_MOST 16            // closer searches on one way
#define POOR 0.15f               // a spot with a greater flaw is poor, as is no spot at all
#define SOLE_CELLS_MOST 4000     // a sole with its surroundings, in cells
#define OPEN_LEAST_COSINE 0.45f  // the toes of a foot open by 63 degrees at most from the other's
#define CLOSE_LEAST_COSINE 0.82f // and close by 35 degrees
#define BACK_SHARE 0.5f          // a foot comes down behind the other by this share of a sole at most
#define CROSS_MOST 0.01f         // a foot does not cross the other's middle by more than this [m]
#define WIDEST 3.0f              // feet are at most this far apart sideways, in `apart`
#define TURN_WIDE 0.7f           // sharper curves need lanes to choose from [rad/m]
#define ARRIVED 0.01f            // a foot this near to its place stays [m, rad]

tr_footstep_params tr_footstep_params_default(float height) {
    tr_ground_body person = tr_surface_route_body_of_height(height);
    tr_footstep_params params = {.sole_length = 0.152f * height,
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
    // A gap is measured from the middle of one cell to the middle of another; soles have to be beside it.
    float across = person.foot_span + (2 * params.support_least - 1) * params.sole_length;
    if (across > params.stride_most)
        params.stride_most = across;
    return params;
}

tr_status tr_footstep_scratch_create(const tr_allocator *allocator, tr_footstep_scratch **scratch,
                                     tr_error *error) {
    tr_allocator own = tr_allocator_or_default(allocator);
    *scratch = tr_allocate(&own, 1, sizeof **scratch);
    if (*scratch == NULL)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for the footsteps of a way: %zu bytes",
                       sizeof **scratch);
    (*scratch)->allocator = own;
    return TR_OK;
}

void tr_footstep_scratch_destroy(tr_footstep_scratch *scratch) {
    if (scratch == NULL)
        return;
    tr_allocator own = scratch->allocator;
    tr_release(&own, scratch, 1, sizeof *scratch);
}

static bool is_within(float value, float low, float high) {
    return value >= low && value <= high; // false for NaN
}

static bool check_params(const tr_footstep_params *params) {
    return is_within(params->sole_length, 0.01f, 10) && is_within(params->sole_width, 0.01f, 10) &&
           is_within(params->apart, 0.001f, 10) && is_within(params->stride, 0.01f, 100) &&
           is_within(params->stride_most, 0.01f, 100) && is_within(params->rise_most, 0, 100) &&
           is_within(params->level, 0, 10) && is_within(params->support_least, 0, 1) &&
           is_within(params->clear, 0, 10);
}

static bool check_feet(const tr_footstep feet[2]) {
    for (uint32_t side = 0; side < 2; side++)
        if (!tr_vec3_is_finite(feet[side].position) || !is_within(feet[side].heading, -1e5f, 1e5f))
            return false;
    return true;
}

// Are two soles apart? One of the four directions of their sides must separate them.
static bool are_apart(const tr_footstep_params *params, const footstep_foot *a, const footstep_foot *b,
                      float cosine, float sine) {
    float half_length = 0.5f * params->sole_length, half_width = 0.5f * params->sole_width;
    float other_length = half_length * fabsf(cosine) + half_width * fabsf(sine),
          other_width = half_width * fabsf(cosine) + half_length * fabsf(sine);
    float x = b->position.x - a->position.x, z = b->position.z - a->position.z;
    const footstep_foot *feet[2] = {a, b};
    for (uint32_t i = 0; i < 2; i++) {
        float ahead = x * feet[i]->ahead_x + z * feet[i]->ahead_z,
              beside = x * feet[i]->ahead_z - z * feet[i]->ahead_x;
        if (fabsf(ahead) >= half_length + other_length || fabsf(beside) >= half_width + other_width)
            return true;
    }
    return false;
}

// The shape of a step, in the frame of the feet. false: they are turned too far from each other.
typedef struct step_shape {
    float ahead, beside; // beside: to the moving foot's own side, as seen by the foot that sees more
    float narrow;        // the same as seen by the other foot
    float cosine, sine;  // between the headings
} step_shape;

static bool shape_step(const footstep_foot *stand, const footstep_foot *put, uint32_t side,
                       step_shape *shape) {
    float x = put->position.x - stand->position.x, z = put->position.z - stand->position.z;
    float left = side == 0 ? 1.0f : -1.0f;
    float beside = left * (x * stand->ahead_z - z * stand->ahead_x);
    if (stand->ahead_x == put->ahead_x && stand->ahead_z == put->ahead_z) { // on straight pieces
        *shape = (step_shape){x * stand->ahead_x + z * stand->ahead_z, beside, beside, 1, 0};
        return true;
    }
    float cosine = stand->ahead_x * put->ahead_x + stand->ahead_z * put->ahead_z,
          sine = stand->ahead_z * put->ahead_x - stand->ahead_x * put->ahead_z;
    if (cosine < (left * sine >= 0 ? OPEN_LEAST_COSINE : CLOSE_LEAST_COSINE))
        return false;
    // The step length is measured between the two headings; that a foot is on its own side, from both.
    float ahead_x = stand->ahead_x + put->ahead_x, ahead_z = stand->ahead_z + put->ahead_z;
    float from_put = left * (x * put->ahead_z - z * put->ahead_x);
    *shape = (step_shape){(x * ahead_x + z * ahead_z) / sqrtf(ahead_x * ahead_x + ahead_z * ahead_z),
                          beside > from_put ? beside : from_put, beside > from_put ? from_put : beside,
                          cosine, sine};
    return true;
}

float tr_footstep_step(const tr_footstep_params *params, const footstep_foot *stand, const footstep_foot *put,
                       uint32_t side, float back) {
    float rise = fabsf(put->position.y - stand->position.y);
    step_shape shape;
    if (rise > params->rise_most || !shape_step(stand, put, side, &shape))
        return INFINITY;
    if (shape.ahead > params->stride_most || shape.ahead < -back || shape.beside < -CROSS_MOST ||
        shape.beside > WIDEST * params->apart ||
        (shape.ahead < params->sole_length + params->sole_width &&
         !are_apart(params, stand, put, shape.cosine, shape.sine)))
        return INFINITY;
    float off = (shape.ahead + RISE_WORTH * rise) / params->stride - 1,
          wide = shape.beside / params->apart - 1;
    float crossed = shape.narrow < params->apart ? 1 - shape.narrow / params->apart : 0;
    return off * off + COST_APART * wide * wide + COST_SCISSORS * crossed * crossed +
           COST_TURN * 2 * (1 - shape.cosine);
}

// The foot on a spot, at the height of the station: it may be above or below the floor there.
static footstep_foot foot_above(const tr_footstep_scratch *scratch, const tr_footstep_params *params,
                                uint32_t number) {
    const footstep_station *station = scratch->stations + number / FOOTSTEP_SPOTS;
    float side = number % FOOTSTEP_SPOTS < FOOTSTEP_LANES ? 1.0f : -1.0f;
    float left = 0.5f * params->apart * (side + (float)(number % FOOTSTEP_LANES) - OWN_LANE);
    footstep_foot foot = {
        {station->x + left * station->ahead_z, station->height, station->z - left * station->ahead_x},
        station->ahead_x,
        station->ahead_z};
    return foot;
}

static void try_spot(tr_footstep_scratch *scratch, const footstep_ground *ground,
                     const tr_footstep_params *params, uint32_t number) {
    footstep_spot *spot = scratch->spots + number;
    footstep_foot foot = foot_above(scratch, params, number);
    footstep_sole sole;
    if (!tr_footstep_lay(ground, params, &foot, &sole))
        return;
    float lack = 1 - sole.support, off = (float)(number % FOOTSTEP_LANES) - OWN_LANE;
    spot->position = tr_vec3_make(foot.position.x, sole.height, foot.position.z);
    spot->flaw = lack * (COST_UNSUPPORTED + COST_UNSUPPORTED_MORE * lack) + COST_ROUGH * sole.rough +
                 (fabsf(sole.roll) > ROLL_EASY ? COST_LEANS : 0) + COST_EDGE * sole.edge +
                 COST_ASIDE * sole.aside + COST_LANE * fabsf(off);
}

// Examines this many lanes [1, 3, 5] of both feet at a station: a foot's own and the neighbouring ones.
static void try_lanes(tr_footstep_scratch *scratch, const footstep_ground *ground,
                      const tr_footstep_params *params, uint32_t index, uint32_t lanes) {
    const footstep_station *station = scratch->stations + index;
    uint32_t low = OWN_LANE - lanes / 2, known = scratch->looks[index];
    uint32_t known_low = OWN_LANE - known / 2;
    scratch->looks[index] = (uint8_t)lanes;
    if (index > scratch->first && station->barred != station[-1].barred)
        return;
    for (uint32_t side = 0; side < 2; side++)
        for (uint32_t lane = low; lane < low + lanes; lane++)
            if (lane < known_low || lane >= known_low + known)
                try_spot(scratch, ground, params, index * FOOTSTEP_SPOTS + side * FOOTSTEP_LANES + lane);
}

// Are the feet's own lanes free of flaws, on level floor?
static bool is_easy(const tr_footstep_scratch *scratch, uint32_t index) {
    const footstep_spot *spots = scratch->spots + index * FOOTSTEP_SPOTS + OWN_LANE;
    return spots[0].flaw <= 0 && spots[FOOTSTEP_LANES].flaw <= 0 &&
           spots[0].position.y == spots[FOOTSTEP_LANES].position.y;
}

// Every other station first; stations between two easy ones of equal height are left out.
static void find_own_spots(tr_footstep_scratch *scratch, const footstep_ground *ground,
                           const tr_footstep_params *params) {
    uint32_t last = scratch->first + scratch->count - 1;
    for (uint32_t i = 0; i < FOOTSTEP_SPOTS * scratch->count; i++)
        scratch->spots[scratch->first * FOOTSTEP_SPOTS + i].flaw = INFINITY;
    for (uint32_t i = scratch->first; i <= last; i++)
        scratch->looks[i] = 0;
    for (uint32_t i = scratch->first; i <= last; i += 2)
        try_lanes(scratch, ground, params, i, 1);
    for (uint32_t i = scratch->first + 1; i <= last; i += 2) {
        const footstep_spot *spot = scratch->spots + i * FOOTSTEP_SPOTS + OWN_LANE;
        if (i == last || !is_easy(scratch, i - 1) || !is_easy(scratch, i + 1) ||
            spot[-FOOTSTEP_SPOTS].position.y != spot[FOOTSTEP_SPOTS].position.y)
            try_lanes(scratch, ground, params, i, 1);
    }
}

// Marks more lanes for examination between two stations and a step before and behind them.
static void widen(tr_footstep_scratch *scratch, const tr_footstep_params *params, uint32_t from,
                  uint32_t to) {
    uint32_t end = scratch->first + scratch->count;
    const footstep_station *stations = scratch->stations;
    float low = stations[from].along - params->stride_most, high = stations[to].along + params->stride_most;
    while (from > scratch->first && stations[from - 1].along >= low)
        from--;
    for (uint32_t i = from; i < end && stations[i].along <= high; i++)
        scratch->wide[i] = scratch->looks[i] > 0;
}

// A foot that finds little support in its own lane for more than half a stride needs other lanes: beside an
// edge, a wall, a post. Stairs change more quickly than that.
static void widen_poor(tr_footstep_scratch *scratch, const tr_footstep_params *params, uint32_t side) {
    uint32_t end = scratch->first + scratch->count, begin = end;
    for (uint32_t i = scratch->first; i <= end; i++) {
        bool poor = i < end && scratch->looks[i] > 0 &&
                    scratch->spots[i * FOOTSTEP_SPOTS + side * FOOTSTEP_LANES + OWN_LANE].flaw > POOR;
        if (poor && begin == end)
            begin = i;
        if (!poor && begin < end) {
            const footstep_station *stations = scratch->stations;
            if (stations[i - 1].along - stations[begin].along > 0.5f * params->stride || i == end ||
                begin == scratch->first)
                widen(scratch, params, begin, i - 1);
            begin = end;
        }
    }
}

static bool turns_at(const tr_footstep_scratch *scratch, uint32_t index) {
    const footstep_station *station = scratch->stations + index;
    if (index == scratch->first)
        return false;
    return fabsf(station->heading - station[-1].heading) > TURN_WIDE * (station->along - station[-1].along);
}

// Finds spots beside every station: in each foot's own lane, and in neighbouring lanes where it may need
// them.
static void find_spots(tr_footstep_scratch *scratch, const footstep_ground *ground,
                       const tr_footstep_params *params) {
    uint32_t end = scratch->first + scratch->count;
    find_own_spots(scratch, ground, params);
    for (uint32_t i = scratch->first; i < end; i++)
        scratch->wide[i] = scratch->looks[i] > 0 && turns_at(scratch, i);
    for (uint32_t side = 0; side < 2; side++)
        widen_poor(scratch, params, side);
    for (uint32_t i = scratch->first; i < end; i++)
        if (scratch->wide[i])
            try_lanes(scratch, ground, params, i, 3);
}

// Examines everything that was left out within two steps of a station.
static void find_other_spots(tr_footstep_scratch *scratch, const footstep_ground *ground,
                             const tr_footstep_params *params, uint32_t around) {
    float along = scratch->stations[around].along;
    for (uint32_t i = scratch->first; i < scratch->first + scratch->count; i++)
        if (fabsf(scratch->stations[i].along - along) <= 2 * params->stride_most)
            try_lanes(scratch, ground, params, i, FOOTSTEP_LANES);
}

static footstep_foot foot_on(const tr_footstep_scratch *scratch, uint32_t number) {
    const footstep_station *station = scratch->stations + number / FOOTSTEP_SPOTS;
    footstep_foot foot = {scratch->spots[number].position, station->ahead_x, station->ahead_z};
    return foot;
}

// Where a foot in the air is about to land, and the cost of landing elsewhere.
typedef struct footstep_landing {
    tr_vec3 position;
    float weight; // for the square of the distance in strides
} footstep_landing;

static float landing_cost(const tr_footstep_params *params, const footstep_landing *landing, tr_vec3 put) {
    if (landing == NULL || !(landing->weight > 0))
        return 0;
    tr_vec3 off = tr_vec3_subtract(put, landing->position);
    return landing->weight * tr_vec3_dot(off, off) / (params->stride * params->stride);
}

// One foot stands; improves every spot of the other side at this station that it can step to. `landing` (may
// be NULL) is that of the other foot.
static void step_to(tr_footstep_scratch *scratch, const tr_footstep_params *params,
                    const footstep_foot *stand, float cost, uint32_t from, uint32_t station, uint32_t side,
                    const footstep_landing *landing) {
    // The first step may lead back, because the feet stand anywhere.
    float back = from == TR_NONE ? params->stride_most : BACK_SHARE * params->sole_length;
    uint32_t number = station * FOOTSTEP_SPOTS + side * FOOTSTEP_LANES;
    for (uint32_t lane = 0; lane < FOOTSTEP_LANES; lane++, number++) {
        footstep_spot *spot = scratch->spots + number;
        if (!(cost + spot->flaw < spot->cost))
            continue;
        footstep_foot put = foot_on(scratch, number);
        float total = cost + spot->flaw + tr_footstep_step(params, stand, &put, side, back) +
                      landing_cost(params, landing, put.position);
        if (total < spot->cost) {
            spot->cost = total;
            spot->from = from;
        }
    }
}

static void step_from_feet(tr_footstep_scratch *scratch, const tr_footstep_params *params,
                           const tr_footstep feet[2], uint32_t side, float weight) {
    const footstep_landing landing = {feet[side].position, weight};
    double sine, cosine;
    const tr_footstep *other = feet + (1 - side);
    tr_sin_cos((double)other->heading, &sine, &cosine);
    footstep_foot stand = {other->position, (float)sine, (float)cosine};
    uint32_t end = scratch->first + scratch->count, barred = scratch->stations[scratch->first].barred;
    for (uint32_t i = scratch->first; i < end; i++) {
        const footstep_station *station = scratch->stations + i;
        // Feet in the middle of a stride stand ahead of the start of the way.
        if (station->along > 2 * params->stride_most || station->barred != barred)
            break;
        step_to(scratch, params, &stand, 0, TR_NONE, i, side, &landing);
    }
}

static void step_from_spot(tr_footstep_scratch *scratch, const tr_footstep_params *params, uint32_t number) {
    footstep_foot stand = foot_on(scratch, number);
    uint32_t index = number / FOOTSTEP_SPOTS, side = number % FOOTSTEP_SPOTS / FOOTSTEP_LANES;
    uint32_t end = scratch->first + scratch->count;
    const footstep_station *here = scratch->stations + index;
    for (uint32_t i = index + 1; i < end; i++) {
        const footstep_station *station = scratch->stations + i;
        if (station->along - here->along > params->stride_most || station->barred != here->barred)
            break;
        step_to(scratch, params, &stand, scratch->spots[number].cost, number, i, 1 - side, NULL);
    }
}

// The last two footsteps, side by side.
typedef struct footstep_end {
    uint32_t last, closing; // spots; TR_NONE
    float cost;
} footstep_end;

static void close_feet(const tr_footstep_scratch *scratch, const tr_footstep_params *params, uint32_t number,
                       float early, footstep_end *best) {
    footstep_foot stand = foot_on(scratch, number);
    uint32_t side = number % FOOTSTEP_SPOTS / FOOTSTEP_LANES, station = number / FOOTSTEP_SPOTS;
    uint32_t other = station * FOOTSTEP_SPOTS + (1 - side) * FOOTSTEP_LANES;
    for (uint32_t lane = 0; lane < FOOTSTEP_LANES; lane++, other++) {
        float cost = scratch->spots[number].cost + scratch->spots[other].flaw + early;
        if (!(cost < best->cost))
            continue;
        footstep_foot put = foot_on(scratch, other);
        cost += tr_footstep_step(params, &stand, &put, 1 - side, CROSS_MOST);
        if (cost < best->cost)
            *best = (footstep_end){number, other, cost};
    }
}

// At the end of the way, or a little before it if there is no foothold for both.
static footstep_end find_end(const tr_footstep_scratch *scratch, const tr_footstep_params *params) {
    footstep_end best = {TR_NONE, TR_NONE, INFINITY};
    uint32_t end = scratch->first + scratch->count;
    float length = scratch->stations[end - 1].along;
    for (uint32_t i = end; i-- > scratch->first;) {
        float missing = length - scratch->stations[i].along, share = missing / params->stride;
        if (share > 0.5f)
            break;
        float early = i + 1 == end ? 0 : COST_EARLY + COST_SHORT * share * share;
        for (uint32_t spot = 0; spot < FOOTSTEP_SPOTS; spot++)
            if (scratch->spots[i * FOOTSTEP_SPOTS + spot].cost < INFINITY)
                close_feet(scratch, params, i * FOOTSTEP_SPOTS + spot, early, &best);
    }
    return best;
}

static footstep_end search(tr_footstep_scratch *scratch, const tr_footstep_params *params,
                           const tr_footstep feet[2], uint32_t first, float landing) {
    uint32_t begin = scratch->first * FOOTSTEP_SPOTS, end = begin + scratch->count * FOOTSTEP_SPOTS;
    for (uint32_t number = begin; number < end; number++) {
        scratch->spots[number].cost = INFINITY;
        scratch->spots[number].from = TR_NONE;
    }
    for (uint32_t side = 0; side < 2; side++)
        if (first == 2 || first == side)
            step_from_feet(scratch, params, feet, side, first == side ? landing : 0);
    for (uint32_t number = begin; number < end; number++)
        if (scratch->spots[number].cost < INFINITY)
            step_from_spot(scratch, params, number);
    return find_end(scratch, params);
}

static tr_footstep footstep_on(const tr_footstep_scratch *scratch, const footstep_ground *ground,
                               const tr_footstep_params *params, uint32_t number) {
    footstep_foot foot = foot_above(scratch, params, number);
    footstep_sole sole = {0};
    tr_footstep_lay(ground, params, &foot, &sole); // as before: only its cost was kept
    double heading = (double)scratch->stations[number / FOOTSTEP_SPOTS].heading;
    heading -= floor(heading / (2 * TR_PI) + 0.5) * 2 * TR_PI;
    return (tr_footstep){.side = number % FOOTSTEP_SPOTS / FOOTSTEP_LANES,
                         .position = scratch->spots[number].position,
                         .heading = (float)heading,
                         .support = sole.support,
                         .pitch = sole.pitch,
                         .roll = sole.roll};
}

static uint32_t count_footsteps(const tr_footstep_scratch *scratch, footstep_end end) {
    uint32_t count = 1;
    for (uint32_t number = end.last; number != TR_NONE; number = scratch->spots[number].from)
        count++;
    return count;
}

static void write_footsteps(const tr_footstep_scratch *scratch, const footstep_ground *ground,
                            const tr_footstep_params *params, footstep_end end, tr_footstep *footsteps,
                            uint32_t count) {
    footsteps[--count] = footstep_on(scratch, ground, params, end.closing);
    for (uint32_t number = end.last; number != TR_NONE; number = scratch->spots[number].from)
        footsteps[--count] = footstep_on(scratch, ground, params, number);
}

static bool stands_there(const tr_footstep *foot, const tr_footstep *footstep) {
    tr_vec3 off = tr_vec3_subtract(foot->position, footstep->position);
    double turn = ((double)foot->heading - (double)footstep->heading) / (2 * TR_PI);
    turn = (turn - floor(turn + 0.5)) * 2 * TR_PI;
    return tr_vec3_length(off) <= ARRIVED && fabs(turn) <= (double)ARRIVED;
}

// The station of the farthest foothold, or the start if there is none.
static uint32_t find_stuck(const tr_footstep_scratch *scratch) {
    uint32_t furthest = scratch->first;
    for (uint32_t i = scratch->first; i < scratch->first + scratch->count; i++)
        for (uint32_t spot = 0; spot < FOOTSTEP_SPOTS; spot++)
            if (scratch->spots[i * FOOTSTEP_SPOTS + spot].cost < INFINITY)
                furthest = i;
    return furthest;
}

// Examines more lanes where the search gets stuck, as long as that leads farther.
static footstep_end search_closely(tr_footstep_scratch *scratch, const footstep_ground *ground,
                                   const tr_footstep_query *query, uint32_t *stuck) {
    const tr_footstep_params *params = query->params;
    footstep_end end = search(scratch, params, query->feet, query->first, query->landing);
    *stuck = 0;
    for (uint32_t tries = 0; end.last == TR_NONE && tries <= TRIES_MOST; tries++) {
        uint32_t before = *stuck;
        *stuck = find_stuck(scratch);
        if (tries > 0 && *stuck <= before)
            break;
        find_other_spots(scratch, ground, params, *stuck);
        end = search(scratch, params, query->feet, query->first, query->landing);
    }
    return end;
}

tr_status tr_footstep_plan(tr_footstep_scratch *scratch, const tr_footstep_query *query,
                           tr_footstep *footsteps, uint32_t footstep_max, uint32_t *footstep_count,
                           tr_vec3 *stuck_at) {
    const tr_footstep_params *params = query->params;
    const tr_footstep *feet = query->feet;
    *footstep_count = 0;
    if (query->first > 2 || !check_params(params) || !check_feet(feet) || !is_within(query->landing, 0, 1e6f))
        return TR_INVALID;
    footstep_ground ground = tr_footstep_ground(query->surface, scratch->glances);
    double reach = (double)(params->sole_length + params->sole_width + 2 * params->clear);
    if (reach * ground.cells_per_metre > SOLE_CELLS_MOST)
        return TR_INVALID;
    tr_status status = tr_footstep_way(scratch, &ground, query->points, query->point_count, feet, params);
    if (status != TR_OK)
        return status;
    find_spots(scratch, &ground, params);
    uint32_t stuck;
    footstep_end last = search_closely(scratch, &ground, query, &stuck);
    if (last.last == TR_NONE) {
        const footstep_station *station = scratch->stations + stuck;
        if (stuck_at != NULL)
            *stuck_at = tr_vec3_make(station->x, station->height, station->z);
        return TR_NOT_FOUND;
    }
    *footstep_count = count_footsteps(scratch, last);
    if (*footstep_count > footstep_max)
        return TR_LIMIT;
    write_footsteps(scratch, &ground, params, last, footsteps, *footstep_count);
    if (*footstep_count == 2 && stands_there(feet + footsteps[0].side, footsteps) &&
        stands_there(feet + footsteps[1].side, footsteps + 1))
        *footstep_count = 0;
    return TR_OK;
}

void tr_footstep_archive(tr_footstep *footstep, tr_archive *archive) {
    footstep->side = tr_archive_choice(archive, footstep->side, 2);
    tr_archive_vec3(archive, &footstep->position);
    tr_archive_float(archive, &footstep->heading);
    tr_archive_float(archive, &footstep->support);
    tr_archive_float(archive, &footstep->pitch);
    tr_archive_float(archive, &footstep->roll);
}
