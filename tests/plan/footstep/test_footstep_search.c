// The search of tr_footstep_plan against slow oracles on random terraces, and bad input.
#include "footstep_world.h"

#include "plan/footstep/footstep_data.h"
#include "troupe/base/random.h"

#define SQUARES 7
#define SQUARE 0.4f

// Squares of random height; a little smaller than whole cells, so that each has the cells that it should.
typedef struct terrace_world {
    footstep_world world;
    float heights[SQUARES][SQUARES]; // -INFINITY: a hole
} terrace_world;

static bool make_terraces(terrace_world *terraces, tr_random *random, uint32_t rough) {
    static const float heights[] = {0, 0, 0.17f, 0.02f, 0.34f, -0.17f, 0.8f, -INFINITY};
    footstep_world *world = &terraces->world;
    memset(world, 0, sizeof *world);
    for (uint32_t row = 0; row < SQUARES; row++)
        for (uint32_t column = 0; column < SQUARES; column++) {
            bool plain = tr_random_below(random, 8) >= rough;
            float height = heights[plain ? 0 : tr_random_below(random, 8)];
            float x = SQUARE * (float)column, z = SQUARE * (float)row;
            terraces->heights[row][column] = height;
            // Plates on top of each other: boxes are hollow, and a room inside would be floor.
            for (float low = -0.4f; low < height; low += 0.4f)
                world_add(world, x + 0.005f, z + 0.005f, x + SQUARE - 0.005f, z + SQUARE - 0.005f, low,
                          low + 0.4f < height ? low + 0.4f : height);
        }
    if (world->block_count == 0)
        world_add(world, 0.005f, 0.005f, 0.395f, 0.395f, -0.4f, 0), terraces->heights[0][0] = 0;
    return world_build(world, 0.05f);
}

static float terrace_at(const terrace_world *terraces, double x, double z) {
    double column = floor(x / (double)SQUARE), row = floor(z / (double)SQUARE);
    if (!(column >= 0 && column < SQUARES && row >= 0 && row < SQUARES))
        return -INFINITY;
    return terraces->heights[(int)row][(int)column];
}

static void random_way(terrace_world *terraces, tr_random *random) {
    footstep_world *world = &terraces->world;
    uint32_t count = 2 + tr_random_below(random, 3);
    world->point_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        float x = tr_random_between(random, 0.2f, SQUARES * SQUARE - 0.2f),
              z = tr_random_between(random, 0.2f, SQUARES * SQUARE - 0.2f);
        float height = terrace_at(terraces, (double)x, (double)z);
        world_go(world, x, height > -INFINITY ? height : 0, z);
    }
}

typedef struct oracle_foot {
    double x, y, z, heading, sine, cosine;
} oracle_foot;

static oracle_foot foot_at(tr_vec3 at, float heading) {
    return (oracle_foot){(double)at.x,    (double)at.y,         (double)at.z,
                         (double)heading, sin((double)heading), cos((double)heading)};
}

static oracle_foot foot_of(const tr_footstep_scratch *scratch, uint32_t number) {
    return foot_at(scratch->spots[number].position, scratch->stations[number / FOOTSTEP_SPOTS].heading);
}

// Does the line between two parallel sides of one sole part them? `a` is the one whose sides are asked.
static bool parts(const tr_footstep_params *params, const oracle_foot *a, const oracle_foot *b,
                  double slack) {
    double ahead_least = 1e9, ahead_most = -1e9, left_least = 1e9, left_most = -1e9;
    for (int i = 0; i < 4; i++) {
        double u = (i & 1 ? 0.5 : -0.5) * (double)params->sole_length,
               v = (i & 2 ? 0.5 : -0.5) * (double)params->sole_width;
        double x = b->x + u * b->sine + v * b->cosine - a->x, z = b->z + u * b->cosine - v * b->sine - a->z;
        double ahead = x * a->sine + z * a->cosine, left = x * a->cosine - z * a->sine;
        ahead_least = fmin(ahead_least, ahead), ahead_most = fmax(ahead_most, ahead);
        left_least = fmin(left_least, left), left_most = fmax(left_most, left);
    }
    double half_length = 0.5 * (double)params->sole_length + slack,
           half_width = 0.5 * (double)params->sole_width + slack;
    return ahead_least >= half_length || ahead_most <= -half_length || left_least >= half_width ||
           left_most <= -half_width;
}

// The rules of docs/plan/footstep.md with angles. `slack` > 0 makes every limit stricter, < 0 laxer.
static double oracle_step(const tr_footstep_params *params, oracle_foot stand, oracle_foot put, uint32_t side,
                          double back, double slack) {
    double left = side == 0 ? 1 : -1, turn = remainder(put.heading - stand.heading, 2 * 3.14159265358979);
    double limit = turn * left >= 0 ? acos(0.45) : acos(0.82);
    double x = put.x - stand.x, z = put.z - stand.z, rise = fabs(put.y - stand.y);
    double middle = stand.heading + 0.5 * turn, ahead = x * sin(middle) + z * cos(middle);
    double seen[2] = {left * (x * stand.cosine - z * stand.sine), left * (x * put.cosine - z * put.sine)};
    double beside = fmax(seen[0], seen[1]),
           crossed = fmax(1 - fmin(seen[0], seen[1]) / (double)params->apart, 0);
    if (fabs(turn) > limit - slack || rise > (double)params->rise_most - slack ||
        ahead > (double)params->stride_most - slack || ahead < -back + slack || beside < -0.01 + slack ||
        beside > 3 * (double)params->apart - slack ||
        (!parts(params, &stand, &put, slack) && !parts(params, &put, &stand, slack)))
        return (double)INFINITY;
    double off = (ahead + 2 * rise) / (double)params->stride - 1, wide = beside / (double)params->apart - 1;
    return off * off + 0.1 * wide * wide + 0.15 * crossed * crossed + 0.5 * (1 - cos(turn));
}

static bool is_open(const tr_footstep_scratch *scratch, uint32_t from, uint32_t to) {
    for (uint32_t i = from + 1; i <= to; i++)
        if (scratch->stations[i].barred != scratch->stations[from].barred)
            return false;
    return true;
}

#define NUMBERS_MAX (1024 * FOOTSTEP_SPOTS)

static double oracle_end(const tr_footstep_scratch *scratch, const tr_footstep_params *params,
                         const double *costs, double slack) {
    uint32_t first = scratch->first, count = scratch->count;
    double best = (double)INFINITY, length = (double)scratch->stations[first + count - 1].along;
    for (uint32_t a = 0; a < count * FOOTSTEP_SPOTS; a++)
        for (uint32_t lane = 0; lane < FOOTSTEP_LANES; lane++) {
            uint32_t side = a % FOOTSTEP_SPOTS / FOOTSTEP_LANES;
            uint32_t b = a / FOOTSTEP_SPOTS * FOOTSTEP_SPOTS + (1 - side) * FOOTSTEP_LANES + lane;
            double early = (length - (double)scratch->stations[first + a / FOOTSTEP_SPOTS].along) /
                           (double)params->stride;
            double flaw = (double)scratch->spots[first * FOOTSTEP_SPOTS + b].flaw;
            if (early > 0.5 || costs[a] == (double)INFINITY || flaw == (double)INFINITY)
                continue;
            oracle_foot stand = foot_of(scratch, first * FOOTSTEP_SPOTS + a),
                        put = foot_of(scratch, first * FOOTSTEP_SPOTS + b);
            double extra = a / FOOTSTEP_SPOTS + 1 == count ? 0 : 0.1 + 8 * early * early;
            best =
                fmin(best, costs[a] + flaw + extra + oracle_step(params, stand, put, 1 - side, 0.01, slack));
        }
    return best;
}

// The cheapest chain, by going over all pairs again and again until nothing gets cheaper.
static double oracle_best(const tr_footstep_scratch *scratch, const tr_footstep_params *params,
                          const tr_footstep feet[2], uint32_t only, double slack) {
    static double costs[NUMBERS_MAX];
    uint32_t first = scratch->first, numbers = scratch->count * FOOTSTEP_SPOTS;
    for (uint32_t i = 0; i < numbers; i++) {
        uint32_t side = i % FOOTSTEP_SPOTS / FOOTSTEP_LANES, station = first + i / FOOTSTEP_SPOTS;
        const tr_footstep *foot = &feet[1 - side];
        oracle_foot stand = foot_at(foot->position, foot->heading);
        double flaw = (double)scratch->spots[first * FOOTSTEP_SPOTS + i].flaw;
        bool may = (only == 2 || only == side) &&
                   scratch->stations[station].along <= 2 * params->stride_most &&
                   is_open(scratch, first, station) && flaw < (double)INFINITY;
        costs[i] = may ? flaw + oracle_step(params, stand, foot_of(scratch, first * FOOTSTEP_SPOTS + i), side,
                                            (double)params->stride_most, slack)
                       : (double)INFINITY;
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t a = 0; a < numbers; a++)
            for (uint32_t b = a - a % FOOTSTEP_SPOTS + FOOTSTEP_SPOTS;
                 b < numbers && costs[a] < (double)INFINITY; b++) {
                const footstep_station *from = &scratch->stations[first + a / FOOTSTEP_SPOTS],
                                       *to = &scratch->stations[first + b / FOOTSTEP_SPOTS];
                uint32_t side = b % FOOTSTEP_SPOTS / FOOTSTEP_LANES;
                double flaw = (double)scratch->spots[first * FOOTSTEP_SPOTS + b].flaw;
                if (to->along - from->along > params->stride_most)
                    break;
                if (side == a % FOOTSTEP_SPOTS / FOOTSTEP_LANES || flaw == (double)INFINITY ||
                    costs[a] + flaw >= costs[b] || from->barred != to->barred)
                    continue;
                double cost = costs[a] + flaw +
                              oracle_step(params, foot_of(scratch, first * FOOTSTEP_SPOTS + a),
                                          foot_of(scratch, first * FOOTSTEP_SPOTS + b), side,
                                          0.5 * (double)params->sole_length, slack);
                if (cost < costs[b] - 1e-12) {
                    costs[b] = cost;
                    changed = true;
                }
            }
    }
    return oracle_end(scratch, params, costs, slack);
}

// What a chain costs, its spots found by where they are.
static double chain_cost(const footstep_world *world, const tr_footstep feet[2]) {
    const tr_footstep_scratch *scratch = world->scratch;
    const tr_footstep *other = &feet[1 - world->footsteps[0].side];
    oracle_foot stand = foot_at(other->position, other->heading);
    double cost = 0;
    uint32_t number = 0, end = (scratch->first + scratch->count) * FOOTSTEP_SPOTS;
    for (uint32_t i = 0; i < world->footstep_count; i++) {
        const tr_footstep *footstep = &world->footsteps[i];
        for (number = scratch->first * FOOTSTEP_SPOTS; number < end; number++) {
            const footstep_spot *spot = &scratch->spots[number];
            if (spot->flaw < INFINITY && number % FOOTSTEP_SPOTS / FOOTSTEP_LANES == footstep->side &&
                memcmp(&spot->position, &footstep->position, sizeof spot->position) == 0 &&
                fabs(remainder((double)scratch->stations[number / FOOTSTEP_SPOTS].heading -
                                   (double)footstep->heading,
                               6.283185307179586)) < 1e-5)
                break;
        }
        if (number == end)
            return -1;
        cost +=
            (double)scratch->spots[number].flaw +
            oracle_step(&world->params, stand, foot_of(scratch, number), footstep->side,
                        i == 0 ? (double)world->params.stride_most : 0.5 * (double)world->params.sole_length,
                        -1e-4);
        stand = foot_of(scratch, number);
    }
    uint32_t last = scratch->first + scratch->count - 1;
    double early =
        (double)(scratch->stations[last].along - scratch->stations[number / FOOTSTEP_SPOTS].along) /
        (double)world->params.stride;
    return cost + (number / FOOTSTEP_SPOTS == last ? 0 : 0.1 + 8 * early * early);
}

TEST(no_chain_is_cheaper_than_the_one_that_is_found) {
    tr_random random = tr_random_seed(5);
    uint32_t found = 0, stuck = 0;
    for (uint32_t round = 0; round < 15; round++) {
        static terrace_world terraces;
        REQUIRE(make_terraces(&terraces, &random, round % 5));
        for (uint32_t way = 0; way < 4; way++) {
            footstep_world *world = &terraces.world;
            random_way(&terraces, &random);
            uint32_t first = tr_random_below(&random, 3);
            tr_footstep feet[2];
            world_feet(world, feet);
            tr_status status = world_plan(world, first);
            double strict = oracle_best(world->scratch, &world->params, feet, first, 1e-5);
            if (status == TR_OK) {
                found++;
                double cost = chain_cost(world, feet);
                CHECK(cost <= strict + 1e-3);
                // Limits are met or missed by a hair in float and in double: the answer lies between.
                if (cost < strict - 1e-3)
                    CHECK(cost >= oracle_best(world->scratch, &world->params, feet, first, -1e-5) - 1e-3);
            } else {
                stuck++;
                CHECK_INT(status, TR_NOT_FOUND);
                CHECK(strict == (double)INFINITY);
                CHECK(tr_vec3_is_finite(world->stuck_at));
            }
        }
        world_end(&terraces.world);
    }
    CHECK(found > 20 && stuck > 10);
}

// A sole on the terraces, seen closely: highest floor under it with `margin` around, and how much it carries.
static float closely(const terrace_world *terraces, const footstep_foot *foot, float height, float margin,
                     float *carried) {
    const tr_footstep_params *params = &terraces->world.params;
    float highest = -INFINITY;
    uint32_t count = 0, below = 0;
    for (int i = 0; i <= 60; i++)
        for (int j = 0; j <= 24; j++) {
            float u = (params->sole_length + 2 * margin) * ((float)i / 60 - 0.5f),
                  v = (params->sole_width + 2 * margin) * ((float)j / 24 - 0.5f);
            float top =
                terrace_at(terraces, (double)(foot->position.x + u * foot->ahead_x + v * foot->ahead_z),
                           (double)(foot->position.z + u * foot->ahead_z - v * foot->ahead_x));
            highest = top > highest ? top : highest;
            count += fabsf(top - height) <= params->level + 1e-3f;
            below++;
        }
    *carried = (float)count / (float)below;
    return highest;
}

TEST(every_foothold_carries_a_sole_and_what_is_none_does_not) {
    tr_random random = tr_random_seed(9);
    uint32_t held = 0, refused = 0;
    for (uint32_t round = 0; round < 30; round++) {
        static terrace_world terraces;
        REQUIRE(make_terraces(&terraces, &random, 4 + round % 4));
        footstep_ground ground = tr_footstep_ground(terraces.world.surface, terraces.world.scratch->glances);
        const tr_footstep_params *params = &terraces.world.params;
        for (uint32_t i = 0; i < 200; i++) {
            float angle = tr_random_between(&random, -3.1f, 3.1f);
            footstep_foot foot = {{0}, sinf(angle), cosf(angle)};
            foot.position.x = tr_random_between(&random, 0, SQUARES * SQUARE);
            foot.position.z = tr_random_between(&random, 0, SQUARES * SQUARE);
            foot.position.y = tr_random_between(&random, -0.1f, 0.3f);
            footstep_sole sole;
            float carried, inner, most = foot.position.y + params->rise_most;
            if (tr_footstep_lay(&ground, params, &foot, &sole)) {
                if (sole.pitch != 0 || sole.roll != 0)
                    continue; // a plank over a curb
                closely(&terraces, &foot, sole.height, 0, &carried);
                float highest = closely(&terraces, &foot, sole.height, -0.013f, &inner);
                CHECK(highest <= sole.height + params->level + 1e-3f);
                CHECK_NEAR(carried, sole.support, 0.16);
                CHECK(sole.support >= params->support_least);
                CHECK(fabsf(sole.height - foot.position.y) <= params->rise_most + 1e-3f);
                held++;
            } else {
                // Level floor all around would have done.
                float highest = closely(&terraces, &foot, 0, 0.02f, &inner);
                closely(&terraces, &foot, highest, 0.02f, &carried);
                CHECK(carried < 0.999f || highest > most - 1e-3f ||
                      highest < foot.position.y - params->rise_most + 1e-3f);
                refused++;
            }
        }
        world_end(&terraces.world);
    }
    CHECK(held > 1000 && refused > 1000);
}

static bool create_scratch(const tr_allocator *allocator) {
    tr_footstep_scratch *scratch = NULL;
    tr_error error = {0};
    tr_status status = tr_footstep_scratch_create(allocator, &scratch, &error);
    if (status != TR_OK) {
        CHECK_INT(status, TR_OUT_OF_MEMORY);
        CHECK(scratch == NULL);
        CHECK_CONTAINS(error.message, "footsteps");
    }
    tr_footstep_scratch_destroy(scratch);
    return status == TR_OK;
}

TEST(scratch_that_cannot_be_had_is_said_so) {
    CHECK_INT(CHECK_EVERY_ALLOCATION_FAILURE(create_scratch), 1);
    tr_footstep_scratch_destroy(NULL);
}

static void make_plain(footstep_world *world, float size) {
    memset(world, 0, sizeof *world);
    world_add(world, -1, -1, size, size, -0.2f, 0);
    CHECK(world_build(world, size > 20 ? 0.2f : 0.05f));
    world_go(world, 0, 0, 0);
    world_go(world, 0, 0, 3);
}

TEST(planning_allocates_nothing) {
    static footstep_world world;
    make_plain(&world, 4);
    test_memory memory = {0};
    tr_allocator allocator = test_memory_allocator(&memory);
    tr_footstep_scratch_destroy(world.scratch);
    REQUIRE(tr_footstep_scratch_create(&allocator, &world.scratch, NULL) == TR_OK);
    uint64_t calls = memory.calls;
    CHECK_INT(world_plan(&world, 0), TR_OK);
    CHECK_INT(memory.calls, calls);
    world_end(&world);
    CHECK_INT(memory.live_bytes, 0);
}

TEST(a_way_of_no_length_closes_the_feet_or_leaves_them) {
    static footstep_world world;
    make_plain(&world, 4);
    for (uint32_t count = 1; count <= 3; count++) {
        world.point_count = 0;
        for (uint32_t i = 0; i < count; i++)
            world_go(&world, 1, 0, 1);
        tr_footstep feet[2];
        feet_at(&world, world.points[0].position, 0.7, feet);
        CHECK_INT(tr_footstep_plan(world.scratch,
                                   &(tr_footstep_query){.surface = world.surface,
                                                        .points = world.points,
                                                        .point_count = count,
                                                        .feet = feet,
                                                        .first = 2,
                                                        .params = &world.params},
                                   world.footsteps, WORLD_FOOTSTEPS_MAX, &world.footstep_count, NULL),
                  TR_OK);
        CHECK_INT(world.footstep_count, 0);
        feet[0].position.x += 0.3f * sinf(0.7f); // the left one is ahead
        feet[0].position.z += 0.3f * cosf(0.7f);
        CHECK_INT(tr_footstep_plan(world.scratch,
                                   &(tr_footstep_query){.surface = world.surface,
                                                        .points = world.points,
                                                        .point_count = count,
                                                        .feet = feet,
                                                        .first = 1,
                                                        .params = &world.params},
                                   world.footsteps, WORLD_FOOTSTEPS_MAX, &world.footstep_count, NULL),
                  TR_OK);
        CHECK_INT(world.footstep_count, 2);
        CHECK_INT(world.footsteps[0].side, 1);
        CHECK_NEAR(world.footsteps[0].heading, 0.7, 1e-5);
    }
    world_end(&world);
}

TEST(feet_in_the_middle_of_a_walk_go_on) {
    static footstep_world world;
    make_plain(&world, 6);
    world.points[1].position.z = 4;
    tr_footstep feet[2];
    feet_at(&world, tr_vec3_make(0, 0, 0.5f), 0, feet);
    feet[1].position.z = -0.1f; // the right one is behind: it goes first
    CHECK_INT(tr_footstep_plan(world.scratch,
                               &(tr_footstep_query){.surface = world.surface,
                                                    .points = world.points,
                                                    .point_count = 2,
                                                    .feet = feet,
                                                    .first = 2,
                                                    .params = &world.params},
                               world.footsteps, WORLD_FOOTSTEPS_MAX, &world.footstep_count, NULL),
              TR_OK);
    CHECK_INT(world.footsteps[0].side, 1);
    CHECK_NEAR(world.footsteps[0].position.z, 1.1, 0.1);
    world_check(&world, feet);
    world_end(&world);
}

TEST(a_foot_in_the_air_lands_where_it_is_about_to) {
    static footstep_world world;
    make_plain(&world, 6);
    world.points[1].position.z = 4;
    tr_footstep feet[2];
    feet_at(&world, tr_vec3_make(0, 0, 0.5f), 0, feet);
    const float places[] = {0.85f, 1.0f, 1.25f};
    for (int i = 0; i < 3; i++) {
        feet[1].position.z = places[i];
        tr_footstep_query query = {.surface = world.surface,
                                   .points = world.points,
                                   .point_count = 2,
                                   .feet = feet,
                                   .first = 1,
                                   .params = &world.params,
                                   .landing = 1000};
        CHECK_INT(tr_footstep_plan(world.scratch, &query, world.footsteps, WORLD_FOOTSTEPS_MAX,
                                   &world.footstep_count, NULL),
                  TR_OK);
        CHECK_INT(world.footsteps[0].side, 1);
        CHECK_NEAR(world.footsteps[0].position.z, places[i], 0.02);
        query.landing = 0; // anywhere: as far as a step is liked to be
        CHECK_INT(tr_footstep_plan(world.scratch, &query, world.footsteps, WORLD_FOOTSTEPS_MAX,
                                   &world.footstep_count, NULL),
                  TR_OK);
        CHECK_NEAR(world.footsteps[0].position.z, 1.1, 0.1);
        query.landing = NAN;
        CHECK_INT(tr_footstep_plan(world.scratch, &query, world.footsteps, WORLD_FOOTSTEPS_MAX,
                                   &world.footstep_count, NULL),
                  TR_INVALID);
    }
    world_end(&world);
}

TEST(long_ways_are_planned_and_too_long_ones_refused) {
    static footstep_world world;
    make_plain(&world, 120);
    world.points[1].position.z = 100;
    CHECK_INT(world_plan(&world, 2), TR_OK);
    CHECK(world.footstep_count > 140 && world.footstep_count < 180);
    CHECK_NEAR(world.footsteps[world.footstep_count - 1].position.z, 100, 1e-3);
    tr_footstep feet[2], few[8];
    uint32_t count;
    world_feet(&world, feet);
    CHECK_INT(tr_footstep_plan(world.scratch,
                               &(tr_footstep_query){.surface = world.surface,
                                                    .points = world.points,
                                                    .point_count = 2,
                                                    .feet = feet,
                                                    .first = 2,
                                                    .params = &world.params},
                               few, 8, &count, NULL),
              TR_LIMIT);
    CHECK_INT(count, world.footstep_count); // what would be needed
    world.points[1].position.z = 170;
    CHECK_INT(world_plan(&world, 2), TR_LIMIT);
    world_end(&world);
}

TEST(numbers_that_are_none_are_refused) {
    static footstep_world world;
    make_plain(&world, 4);
    tr_footstep_params good = world.params;
    for (uint32_t i = 0; i < 9; i++) {
        float *fields[] = {&world.params.sole_length, &world.params.sole_width,    &world.params.apart,
                           &world.params.stride,      &world.params.stride_most,   &world.params.rise_most,
                           &world.params.level,       &world.params.support_least, &world.params.clear};
        static const float bad[] = {NAN, INFINITY, -INFINITY, -1};
        for (uint32_t j = 0; j < 4; j++) {
            *fields[i] = bad[j];
            CHECK_INT(world_plan(&world, 2), TR_INVALID);
            CHECK_INT(world.footstep_count, 0);
            world.params = good;
        }
    }
    CHECK_INT(world_plan(&world, 3), TR_INVALID);
    world.points[1].position.y = NAN;
    CHECK_INT(world_plan(&world, 2), TR_INVALID);
    world.points[1].position = tr_vec3_make(INFINITY, 0, 0);
    CHECK_INT(world_plan(&world, 2), TR_INVALID);
    world.points[1].position = tr_vec3_make(0, 0, 1);
    tr_footstep feet[2];
    feet_at(&world, world.points[0].position, 0, feet);
    feet[1].heading = NAN;
    CHECK_INT(tr_footstep_plan(world.scratch,
                               &(tr_footstep_query){.surface = world.surface,
                                                    .points = world.points,
                                                    .point_count = 2,
                                                    .feet = feet,
                                                    .first = 2,
                                                    .params = &world.params},
                               world.footsteps, WORLD_FOOTSTEPS_MAX, &world.footstep_count, NULL),
              TR_INVALID);
    CHECK_INT(tr_footstep_plan(world.scratch,
                               &(tr_footstep_query){.surface = world.surface,
                                                    .points = world.points,
                                                    .point_count = 0,
                                                    .feet = feet,
                                                    .first = 2,
                                                    .params = &world.params},
                               world.footsteps, WORLD_FOOTSTEPS_MAX, &world.footstep_count, NULL),
              TR_INVALID);
    world_end(&world);
}

TEST(ways_and_feet_far_from_any_floor_are_no_way) {
    static footstep_world world;
    make_plain(&world, 4);
    static const float far[] = {-30, 60, 1e6f, -1e6f};
    for (uint32_t i = 0; i < 4; i++) {
        world.point_count = 0;
        world_go(&world, far[i], 0, far[i]);
        world_go(&world, far[i], 0, far[i] + 5);
        CHECK_INT(world_plan(&world, 2), TR_NOT_FOUND);
        CHECK_NEAR(world.stuck_at.x, far[i], 0);
    }
    world.point_count = 0;
    world_go(&world, 0, 20, 0); // in mid-air
    world_go(&world, 0, 20, 3);
    CHECK_INT(world_plan(&world, 2), TR_NOT_FOUND);
    tr_footstep feet[2];
    world.points[0].position.y = world.points[1].position.y = 0;
    feet_at(&world, tr_vec3_make(3, 0, 0), 0, feet); // three metres beside the way
    CHECK_INT(tr_footstep_plan(world.scratch,
                               &(tr_footstep_query){.surface = world.surface,
                                                    .points = world.points,
                                                    .point_count = 2,
                                                    .feet = feet,
                                                    .first = 2,
                                                    .params = &world.params},
                               world.footsteps, WORLD_FOOTSTEPS_MAX, &world.footstep_count, &world.stuck_at),
              TR_NOT_FOUND);
    CHECK_NEAR(world.stuck_at.z, 0, 1e-6);
    world_end(&world);
}

TEST(odd_params_neither_hang_nor_crash) {
    static footstep_world world;
    make_plain(&world, 4);
    tr_random random = tr_random_seed(3);
    for (uint32_t round = 0; round < 60; round++) {
        tr_footstep_params *params = &world.params;
        float *fields[] = {&params->sole_length, &params->sole_width, &params->apart, &params->stride,
                           &params->stride_most, &params->rise_most,  &params->level, &params->clear};
        *params = tr_footstep_params_default(tr_random_between(&random, 0.1f, 3));
        float *field = fields[tr_random_below(&random, 8)];
        static const float values[] = {0.01f, 0.001f, 10, 100, 0, 1};
        *field = values[tr_random_below(&random, 6)];
        tr_status status = world_plan(&world, 2);
        CHECK(status == TR_OK || status == TR_NOT_FOUND || status == TR_INVALID);
    }
    world_end(&world);
}

TEST(defaults_grow_with_the_body) {
    tr_footstep_params adult = tr_footstep_params_default(1.75f), child = tr_footstep_params_default(1);
    CHECK_NEAR(adult.sole_length, 0.266, 1e-3);
    CHECK_NEAR(adult.apart, 0.13, 1e-2);
    CHECK(adult.apart > adult.sole_width);
    CHECK(child.stride < adult.stride && child.rise_most < adult.rise_most);
    CHECK(child.stride < child.stride_most);
    tr_ground_body person = tr_surface_route_body_of_height(1.75f);
    CHECK(adult.rise_most >= person.foot_rise && adult.stride_most >= person.foot_span);
}
