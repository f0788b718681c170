// A map is compared with the geometry it stands for, in doubles: what is free never touches, and what is not
// free is no further away than the radius, the cells and the slots account for.
#include "behavior_machine.h"
#include "plan/behavior/behavior_map_data.h"
#include "test.h"
#include "troupe/base/random.h"
#include "troupe/plan/behavior_map.h"

#include <math.h>
#include <string.h>

#define BODIES 6
#define SPOTS 40

typedef struct world {
    test_machine machine;
    tr_behavior *behavior;
    tr_behavior_map_def def;
    tr_behavior_map *map;
    tr_behavior_spot spots[BODIES][SPOTS];
    uint32_t counts[BODIES];
    float radii[BODIES];
    bool present[BODIES];
} world;

static bool make(world *w, tr_random *random, const tr_allocator *allocator) {
    memset(w, 0, sizeof *w);
    machine_make(&w->machine);
    w->machine.def.radius = tr_random_between(random, 0.2f, 0.6f);
    if (tr_behavior_create(&w->machine.def, &w->behavior, NULL) != TR_OK)
        return false;
    w->def = (tr_behavior_map_def){
        .allocator = allocator,
        .grid = {{tr_random_between(random, -30, 30), tr_random_between(random, -30, 30)},
                 tr_random_between(random, 0.1f, 0.5f),
                 20 + tr_random_below(random, 60),
                 20 + tr_random_below(random, 60)},
        .behavior = w->behavior,
        .slot_frames = tr_random_below(random, 7),
        .seconds = 9,
        .slack = tr_random_below(random, 2) ? tr_random_between(random, 0, 0.3f) : 0};
    return tr_behavior_map_create(&w->def, &w->map, NULL) == TR_OK;
}

static void drop(world *w) {
    tr_behavior_map_destroy(w->map);
    tr_behavior_destroy(w->behavior);
}

static tr_vec2 random_point(const world *w, tr_random *random) {
    const tr_grid *grid = &w->def.grid;
    return tr_vec2_make(
        grid->origin.x + tr_random_between(random, -0.05f, 1.05f) * grid->cell * (float)grid->columns,
        grid->origin.z + tr_random_between(random, -0.05f, 1.05f) * grid->cell * (float)grid->rows);
}

static bool is_inside(const world *w, tr_vec2 p) {
    uint32_t column, row;
    return tr_grid_find(&w->def.grid, p, &column, &row);
}

// --- Static obstacles ---

static double to_cells(const world *w, const tr_bitmap *cells, tr_vec2 p) {
    const tr_grid *g = &w->def.grid;
    double least = INFINITY;
    for (uint32_t row = 0; row < g->rows; row++)
        for (uint32_t column = 0; column < g->columns; column++) {
            if (!tr_bitmap_get(cells, column, row))
                continue;
            double x0 = (double)g->origin.x + (double)g->cell * column,
                   z0 = (double)g->origin.z + (double)g->cell * row;
            double px = (double)p.x, pz = (double)p.z, cell = (double)g->cell;
            double dx = px < x0 ? x0 - px : px > x0 + cell ? px - x0 - cell : 0;
            double dz = pz < z0 ? z0 - pz : pz > z0 + cell ? pz - z0 - cell : 0;
            double distance = sqrt(dx * dx + dz * dz);
            least = distance < least ? distance : least;
        }
    return least;
}

TEST(where_it_is_free_a_disc_touches_no_static_obstacle) {
    tr_random random = tr_random_seed(31);
    uint32_t free_count = 0, blocked_count = 0;
    for (int trial = 0; trial < 60; trial++) {
        world w;
        tr_bitmap occupied[3];
        REQUIRE(make(&w, &random, NULL));
        for (uint32_t band = 0; band < 3; band++) {
            REQUIRE(tr_bitmap_create(NULL, w.def.grid.columns, w.def.grid.rows, &occupied[band]) == TR_OK);
            for (int i = 0; i < 12; i++)
                tr_bitmap_set(&occupied[band], tr_random_below(&random, w.def.grid.columns),
                              tr_random_below(&random, w.def.grid.rows));
            CHECK_INT(tr_behavior_map_set(w.map, band, &occupied[band], NULL), TR_OK);
        }
        double radius = (double)w.machine.def.radius, most = w.map->growth + 1.5 * (double)w.def.grid.cell;
        for (int i = 0; i < 300; i++) {
            tr_vec2 p = random_point(&w, &random);
            uint32_t band = tr_random_below(&random, 3), frame = tr_random_below(&random, 1000);
            bool is_free = tr_behavior_map_is_free(w.map, band, p, frame);
            double distance = to_cells(&w, &occupied[band], p);
            if (is_free)
                CHECK(distance >= radius);
            else
                CHECK(distance <= most || !is_inside(&w, p));
            CHECK(!is_free || is_inside(&w, p));
            CHECK_INT(tr_behavior_map_is_within(w.map, band, p, frame),
                      is_inside(&w, p) && !tr_behavior_map_is_free(w.map, 0, p, frame) && is_free);
            free_count += is_free;
            blocked_count += !is_free;
        }
        CHECK(w.map->growth < sqrt(radius * radius + 0.04) + 0.001); // discs move by 0.4 m at most
        for (uint32_t band = 0; band < 3; band++)
            tr_bitmap_destroy(NULL, &occupied[band]);
        drop(&w);
    }
    CHECK(free_count > 4000 && blocked_count > 4000);
}

// --- Moving objects ---

TEST(moving_objects_block_their_cells_in_their_band_and_slots) {
    tr_random random = tr_random_seed(32);
    for (int trial = 0; trial < 40; trial++) {
        world w;
        REQUIRE(make(&w, &random, NULL));
        static bool expected[3][100][80];
        memset(expected, 0, sizeof expected);
        uint32_t slots = w.map->slot_count < 100 ? w.map->slot_count : 100,
                 row = tr_random_below(&random, 10);
        for (int i = 0; i < 60; i++) {
            uint32_t band = tr_random_below(&random, 3),
                     column = tr_random_below(&random, w.def.grid.columns);
            uint32_t first = tr_random_below(&random, slots),
                     last = first + tr_random_below(&random, slots - first);
            CHECK(tr_behavior_map_occupy(w.map, band, column, row, first, last));
            for (uint32_t s = first; s <= last; s++)
                expected[band][s][column] = true;
        }
        for (int i = 0; i < 500; i++) {
            uint32_t band = tr_random_below(&random, 3),
                     column = tr_random_below(&random, w.def.grid.columns);
            uint32_t first = tr_random_below(&random, slots),
                     last = first + tr_random_below(&random, slots - first);
            bool is_free = true;
            for (uint32_t s = first; s <= last; s++)
                is_free = is_free && !expected[band][s][column];
            uint32_t frame = first * w.map->slot_frames, end = (last + 1) * w.map->slot_frames - 1;
            tr_vec2 p = tr_grid_centre(&w.def.grid, column, row);
            CHECK_INT(tr_behavior_map_is_free_during(w.map, band, p, frame, end), is_free);
            CHECK(tr_behavior_map_is_free_during(w.map, band, tr_grid_centre(&w.def.grid, column, row + 9), 0,
                                                 end));
            CHECK_INT(tr_behavior_map_is_within(w.map, band, p, frame),
                      expected[0][first][column] && !expected[band][first][column]);
        }
        tr_behavior_map_clear_objects(w.map);
        CHECK(tr_behavior_map_is_free_during(w.map, 0, tr_grid_centre(&w.def.grid, 5, row), 0, UINT32_MAX));
        drop(&w);
    }
}

// --- People ---

TEST(discs_that_hold_the_body_stand_until_the_next_ones) {
    test_machine machine;
    tr_behavior *behavior = NULL;
    tr_behavior_map *map = NULL;
    tr_error error = {0};
    machine_make(&machine);
    machine.def.discs_hold = true;
    CHECK(tr_behavior_create(&machine.def, &behavior, &error) == TR_INVALID);
    CHECK_CONTAINS(error.message, "frame 0");
    const tr_behavior_disc discs[2] = {{0, 0, 0, 0}, {0, 1, 5, 0}};
    for (uint32_t i = 0; i < MACHINE_STATES; i++)
        machine.moves[i].discs = discs, machine.moves[i].disc_count = 2;
    REQUIRE(tr_behavior_create(&machine.def, &behavior, &error) == TR_OK);
    tr_behavior_map_def def = {.grid = {{-5, -5}, .2f, 50, 50}, .behavior = behavior, .slot_frames = 3};
    REQUIRE(tr_behavior_map_create(&def, &map, NULL) == TR_OK);
    CHECK_NEAR(map->growth, (double)machine.def.radius, 1e-3); // nothing is added for what is in between
    const tr_behavior_spot spots[2] = {{-3, 0, 0}, {3, 0, 30}};
    REQUIRE(tr_behavior_map_commit(map, 0, spots, 2, machine.def.radius, NULL) == TR_OK);
    const tr_vec2 first = {-3, 0}, second = {3, 0}, between = {0, 0};
    CHECK(tr_behavior_map_is_free_during(map, 0, between, 0, UINT32_MAX));
    CHECK(!tr_behavior_map_is_free(map, 0, first, 0) && !tr_behavior_map_is_free(map, 0, first, 29));
    CHECK(tr_behavior_map_is_free_during(map, 0, first, 33, UINT32_MAX));
    CHECK(tr_behavior_map_is_free_during(map, 0, second, 0, 29));
    CHECK(!tr_behavior_map_is_free(map, 0, second, 30) && !tr_behavior_map_is_free(map, 0, second, 900));
    tr_behavior_map_destroy(map);
    tr_behavior_destroy(behavior);
}

static void make_motion(world *w, tr_random *random, uint32_t body) {
    uint32_t frame = tr_random_below(random, 40), parts = 1 + tr_random_below(random, 2);
    tr_vec2 at = random_point(w, random);
    w->counts[body] = 0;
    w->radii[body] = tr_random_between(random, 0.1f, 0.6f);
    while (w->counts[body] + parts <= SPOTS && frame < 260) {
        for (uint32_t k = 0; k < parts; k++)
            w->spots[body][w->counts[body]++] = (tr_behavior_spot){at.x + 0.4f * (float)k, at.z, frame};
        frame += 1 + tr_random_below(random, 12);
        if (tr_random_below(random, 4)) {
            at.x += tr_random_between(random, -0.7f, 0.7f);
            at.z += tr_random_between(random, -0.7f, 0.7f);
        }
    }
}

static double to_segment(double px, double pz, const double a[2], const double b[2]) {
    double x = b[0] - a[0], z = b[1] - a[1], length = x * x + z * z;
    double t = length > 0 ? ((px - a[0]) * x + (pz - a[1]) * z) / length : 0;
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    return sqrt((px - a[0] - t * x) * (px - a[0] - t * x) + (pz - a[1] - t * z) * (pz - a[1] - t * z));
}

// How near a body comes to a point between two times [frames].
static double nearest_of(const world *w, uint32_t body, tr_vec2 p, double from, double to) {
    const tr_behavior_spot *spots = w->spots[body];
    uint32_t count = w->counts[body], parts = count > 1 && spots[1].frame == spots[0].frame ? 2 : 1;
    double least = INFINITY;
    for (uint32_t i = 0; i < count; i++) {
        const tr_behavior_spot *a = &spots[i], *b = i + parts < count ? &spots[i + parts] : a;
        double begin = a->frame, end = b == a ? INFINITY : b->frame; // who is at the end rests
        double low = from > begin ? from : begin, high = to < end ? to : end;
        if (low > high)
            continue;
        double s = b == a ? 0 : (low - begin) / (end - begin),
               t = b == a ? 0 : (high - begin) / (end - begin);
        double ax = (double)a->x, az = (double)a->z, x = (double)b->x - ax, z = (double)b->z - az;
        const double first[2] = {ax + x * s, az + z * s}, last[2] = {ax + x * t, az + z * t};
        double distance = to_segment((double)p.x, (double)p.z, first, last);
        least = distance < least ? distance : least;
    }
    return least;
}

static void check_people(const world *w, tr_random *random, uint32_t counts[2]) {
    for (int i = 0; i < 300; i++) {
        tr_vec2 p = random_point(w, random);
        uint32_t near = tr_random_below(random, BODIES);
        if (i % 2 && w->counts[near]) {
            const tr_behavior_spot *spot = &w->spots[near][tr_random_below(random, w->counts[near])];
            p = tr_vec2_make(spot->x + tr_random_between(random, -2, 2),
                             spot->z + tr_random_between(random, -2, 2));
        }
        uint32_t first = tr_random_below(random, 269),
                 span = tr_random_below(random, 3) ? tr_random_below(random, 20) : 0;
        uint32_t last = first + span < 269 ? first + span : 269;
        if (i % 7 == 0)
            last = UINT32_MAX;
        bool is_free = tr_behavior_map_is_free_during(w->map, tr_random_below(random, 3), p, first, last);
        uint32_t slot = w->map->slot_frames;
        double from = first / slot * slot, to = last == UINT32_MAX ? 1e9 : (last / slot + 1) * slot;
        bool touches = false, is_near = !is_inside(w, p);
        for (uint32_t body = 0; body < BODIES; body++) {
            if (!w->present[body])
                continue;
            double apart = (double)w->radii[body] + (double)w->machine.def.radius + (double)w->def.slack;
            double half = (double)w->behavior->step / 2, cell = (double)w->def.grid.cell;
            double most = sqrt(apart * apart + half * half) + 1.5 * cell;
            touches = touches || nearest_of(w, body, p, first, last == UINT32_MAX ? 1e9 : last) < apart;
            is_near = is_near || nearest_of(w, body, p, from, to) <= most;
        }
        CHECK(!(is_free && touches));
        CHECK(is_free || is_near);
        counts[is_free]++;
    }
}

static void commit(world *w, uint32_t body) {
    tr_error error;
    tr_status status =
        tr_behavior_map_commit(w->map, body, w->spots[body], w->counts[body], w->radii[body], &error);
    if (status != TR_OK)
        test_failed(__FILE__, __LINE__, "%s", error.message);
    w->present[body] = status == TR_OK;
}

TEST(where_it_is_free_a_disc_touches_nobody_who_moves_or_rests) {
    tr_random random = tr_random_seed(33);
    uint32_t counts[2] = {0};
    for (int trial = 0; trial < 120; trial++) {
        world w;
        REQUIRE(make(&w, &random, NULL));
        for (uint32_t body = 0; body < BODIES; body++) {
            make_motion(&w, &random, body);
            commit(&w, body);
            check_people(&w, &random, counts);
        }
        drop(&w);
    }
    CHECK(counts[0] > 20000 && counts[1] > 20000);
}

static void check_same(const world *a, const tr_behavior_map *b, tr_random *random) {
    for (int i = 0; i < 500; i++) {
        tr_vec2 p = random_point(a, random);
        uint32_t first = tr_random_below(random, 269), last = i % 3 ? first : UINT32_MAX;
        CHECK_INT(tr_behavior_map_is_free_during(a->map, 0, p, first, last),
                  tr_behavior_map_is_free_during(b, 0, p, first, last));
    }
    CHECK_INT(a->map->people.tile_count, b->people.tile_count);
}

TEST(who_is_withdrawn_leaves_no_trace) {
    tr_random random = tr_random_seed(34);
    for (int trial = 0; trial < 60; trial++) {
        world w;
        REQUIRE(make(&w, &random, NULL));
        for (int step = 0; step < 20; step++) {
            uint32_t body = tr_random_below(&random, BODIES);
            if (w.present[body] && tr_random_below(&random, 2)) {
                tr_behavior_map_withdraw(w.map, body);
                w.present[body] = false;
            } else {
                make_motion(&w, &random, body);
                commit(&w, body);
            }
        }
        tr_behavior_map *anew = NULL;
        REQUIRE(tr_behavior_map_create(&w.def, &anew, NULL) == TR_OK);
        for (uint32_t body = 0; body < BODIES; body++)
            if (w.present[body])
                CHECK_INT(
                    tr_behavior_map_commit(anew, body, w.spots[body], w.counts[body], w.radii[body], NULL),
                    TR_OK);
        check_same(&w, anew, &random);
        tr_behavior_map_withdraw_all(anew);
        for (uint32_t body = 0; body < BODIES; body++)
            tr_behavior_map_withdraw(w.map, body);
        check_same(&w, anew, &random);
        CHECK_INT(anew->people.tile_count, 0);
        CHECK(tr_behavior_map_is_free_during(w.map, 0, tr_grid_centre(&w.def.grid, 3, 3), 0, UINT32_MAX));
        tr_behavior_map_destroy(anew);
        drop(&w);
    }
}

// --- Contracts ---

TEST(heights_are_those_of_the_cells) {
    tr_random random = tr_random_seed(35);
    world w;
    REQUIRE(make(&w, &random, NULL));
    static float heights[80 * 80];
    uint32_t columns = w.def.grid.columns, rows = w.def.grid.rows;
    CHECK_NEAR(tr_behavior_map_height(w.map, tr_grid_centre(&w.def.grid, 2, 3)), 0, 0);
    for (uint32_t i = 0; i < columns * rows; i++)
        heights[i] = tr_random_unit(&random);
    CHECK_INT(tr_behavior_map_set_heights(w.map, heights, NULL), TR_OK);
    for (uint32_t row = 0; row < rows; row++)
        for (uint32_t column = 0; column < columns; column++)
            CHECK_NEAR(tr_behavior_map_height(w.map, tr_grid_centre(&w.def.grid, column, row)),
                       heights[row * columns + column], 0);
    CHECK_NEAR(tr_behavior_map_height(w.map, tr_vec2_make(1e6f, 0)), 0, 0);
    heights[5] = NAN;
    tr_error error;
    CHECK_INT(tr_behavior_map_set_heights(w.map, heights, &error), TR_INVALID);
    CHECK_CONTAINS(error.message, "the height of cell (5, 0) is nan");
    CHECK_INT(tr_behavior_map_set_heights(w.map, NULL, NULL), TR_OK);
    CHECK_NEAR(tr_behavior_map_height(w.map, tr_grid_centre(&w.def.grid, 2, 3)), 0, 0);
    drop(&w);
}

TEST(a_map_that_would_be_bad_gets_a_sentence) {
    tr_random random = tr_random_seed(36);
    world w;
    tr_error error;
    tr_behavior_map *map;
    REQUIRE(make(&w, &random, NULL));
    tr_behavior_map_def def = w.def;
    def.behavior = NULL;
    CHECK_INT(tr_behavior_map_create(&def, &map, &error), TR_INVALID);
    def = w.def;
    def.grid.cell = NAN;
    CHECK_INT(tr_behavior_map_create(&def, &map, &error), TR_INVALID);
    def = w.def;
    def.slot_frames = 300;
    CHECK_INT(tr_behavior_map_create(&def, &map, &error), TR_INVALID);
    CHECK_CONTAINS(error.message, "a slot has 300 frames");
    def = w.def;
    def.seconds = NAN;
    CHECK_INT(tr_behavior_map_create(&def, &map, &error), TR_INVALID);
    def = w.def;
    def.seconds = 1e5;
    CHECK_INT(tr_behavior_map_create(&def, &map, &error), TR_LIMIT);
    def = w.def;
    def.slack = -1;
    CHECK_INT(tr_behavior_map_create(&def, &map, &error), TR_INVALID);
    tr_bitmap small;
    REQUIRE(tr_bitmap_create(NULL, 3, 3, &small) == TR_OK);
    CHECK_INT(tr_behavior_map_set(w.map, 0, &small, &error), TR_INVALID);
    CHECK_CONTAINS(error.message, "the bitmap has 3 x 3 cells");
    CHECK_INT(tr_behavior_map_set(w.map, 3, &small, &error), TR_INVALID);
    tr_bitmap_destroy(NULL, &small);
    CHECK(!tr_behavior_map_is_free(w.map, 3, tr_grid_centre(&w.def.grid, 2, 2), 0));
    CHECK(!tr_behavior_map_is_free(w.map, 0, tr_vec2_make(NAN, 0), 0));
    drop(&w);
}

TEST(a_motion_that_would_be_bad_gets_a_sentence) {
    tr_random random = tr_random_seed(37);
    world w;
    tr_error error;
    REQUIRE(make(&w, &random, NULL));
    tr_behavior_spot spots[2] = {{0, 0, 10}, {1, 0, 5}};
    CHECK_INT(tr_behavior_map_commit(w.map, 0, spots, 2, 0.3f, &error), TR_INVALID);
    CHECK_CONTAINS(error.message, "spot 1 is at frame 5, before the last one");
    CHECK_INT(tr_behavior_map_commit(w.map, 0, spots, 0, 0.3f, &error), TR_INVALID);
    CHECK_INT(tr_behavior_map_commit(w.map, 0, spots, 1, NAN, &error), TR_INVALID);
    CHECK_INT(tr_behavior_map_commit(w.map, UINT32_MAX, spots, 1, 0.3f, &error), TR_INVALID);
    spots[1] = (tr_behavior_spot){NAN, 0, 20};
    CHECK_INT(tr_behavior_map_commit(w.map, 0, spots, 2, 0.3f, &error), TR_INVALID);
    spots[1] = (tr_behavior_spot){0, 0, tr_behavior_map_end(w.map)};
    CHECK_INT(tr_behavior_map_commit(w.map, 0, spots, 2, 0.3f, &error), TR_LIMIT);
    CHECK_CONTAINS(error.message, "its motion ends at frame");
    spots[1].frame--;
    CHECK_INT(tr_behavior_map_commit(w.map, 0, spots, 2, 0.3f, &error), TR_OK);
    tr_behavior_map_withdraw(w.map, 99);
    drop(&w);
}

static bool make_all(const tr_allocator *allocator) {
    tr_random random = tr_random_seed(38);
    world w;
    tr_bitmap occupied = {0};
    bool made = make(&w, &random, allocator);
    if (made) {
        float heights[80 * 80] = {0};
        made = tr_bitmap_create(NULL, w.def.grid.columns, w.def.grid.rows, &occupied) == TR_OK;
        tr_bitmap_set(&occupied, 3, 3);
        made = made && tr_behavior_map_set(w.map, 0, &occupied, NULL) == TR_OK &&
               tr_behavior_map_set_heights(w.map, heights, NULL) == TR_OK &&
               tr_behavior_map_occupy(w.map, 1, 4, 4, 2, 70);
        for (uint32_t body = 0; body < BODIES && made; body++) {
            make_motion(&w, &random, body);
            made = tr_behavior_map_commit(w.map, body, w.spots[body], w.counts[body], w.radii[body], NULL) ==
                   TR_OK;
            CHECK(made || w.map->people_count == body);
        }
        CHECK(!made || tr_behavior_map_bytes(w.map) > 4 * (uint64_t)w.def.grid.columns * w.def.grid.rows);
    }
    tr_bitmap_destroy(NULL, &occupied);
    drop(&w);
    return made;
}

TEST(no_memory_is_a_status_and_leaves_the_others) {
    CHECK(CHECK_EVERY_ALLOCATION_FAILURE(make_all) > 15);
    tr_behavior_map_destroy(NULL);
}
