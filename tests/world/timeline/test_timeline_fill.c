// Windows of bits: no cell is missing that is taken in a slot, and none is set that nothing comes near around
// it.
#include "timeline_oracle.h"

#define SIDE 20

typedef struct filled {
    tr_timeline_window window;
    float floor[SIDE * SIDE];
    uint64_t words[SIDE * SIDE * 8];
} filled;

static bool bit_of(const filled *f, uint32_t cell, uint32_t slot) {
    return f->words[cell * f->window.word_count + slot / 64] >> slot % 64 & 1;
}

static void make_window(filled *f, tr_random *random, bool has_floor) {
    memset(f, 0, sizeof *f);
    tr_vec3 corner = oracle_point(random, 2);
    tr_timeline_window *window = &f->window;
    window->grid = (tr_grid){{corner.x - 1, corner.z - 1}, 0.25f, SIDE, SIDE - 3};
    window->level = tr_random_between(random, -0.5f, 0.5f);
    window->begin = tr_random_below(random, 30);
    window->slot = 1 + tr_random_below(random, 4);
    window->word_count = 1 + tr_random_below(random, 2);
    window->radius = tr_random_between(random, 0, 0.4f);
    window->height = tr_random_between(random, 0.5f, 2);
    window->margin = tr_random_between(random, 0, 0.2f);
    window->self = tr_random_below(random, 5);
    for (uint32_t i = 0; i < SIDE * SIDE; i++)
        f->floor[i] = tr_random_below(random, 9) ? tr_random_between(random, -1, 1) : NAN;
    f->window.floor = has_floor ? f->floor : NULL;
}

// How near a body comes to somebody in a cell between two ticks: 0 or less where they meet.
static double nearest_gap(const filled *f, const oracle_body *body, uint32_t cell, double from, double to) {
    tr_vec2 centre = tr_grid_centre(&f->window.grid, cell % SIDE, cell / SIDE);
    double least = INFINITY, floor = f->window.floor ? f->floor[cell] : f->window.level;
    if (isnan(floor))
        return INFINITY; // nobody stands there
    for (double tick = from; tick <= to; tick += 1.0 / 8) {
        oracle_place at = oracle_at(body, tick), own = {centre.x, floor, centre.z};
        double side = oracle_distance(at, own) - body->radius - f->window.radius - f->window.margin;
        double above = fmax(at.y - (floor + f->window.height), floor - (at.y + body->height));
        least = fmin(least, fmax(side, above));
    }
    return least;
}

static void check_cell(const filled *f, const oracle_body *bodies, uint32_t count, uint32_t cell,
                       uint32_t slot, uint32_t number, uint32_t *taken) {
    double from = (double)(f->window.begin + (uint64_t)slot * f->window.slot), to = from + f->window.slot;
    double inside = INFINITY, around = INFINITY;
    for (uint32_t i = 0; i < count; i++) {
        if (i == f->window.self)
            continue;
        inside = fmin(inside, nearest_gap(f, &bodies[i], cell, from, to));
        around = fmin(around, nearest_gap(f, &bodies[i], cell, from - f->window.slot, to + f->window.slot));
    }
    bool is_set = bit_of(f, cell, slot);
    *taken += is_set;
    if (!is_set && inside < -1e-5)
        test_failed(__FILE__, __LINE__, "case %u: cell %u slot %u is free, but %g m deep", number, cell, slot,
                    -inside);
    if (is_set && !(around < 0.16))
        test_failed(__FILE__, __LINE__, "case %u: cell %u slot %u is taken, but %g m away", number, cell,
                    slot, around);
}

static int apart(uint32_t a, uint32_t b) {
    return a > b ? (int)(a - b) : (int)(b - a);
}

// With a pace, cells have the same bits from the slot on in which they can be reached, and no others.
static void check_pace(const filled *f, filled *paced, const tr_timeline *timeline, uint32_t *left_out) {
    const tr_grid *grid = &f->window.grid;
    *paced = *f;
    paced->window.floor = f->window.floor ? paced->floor : NULL;
    for (uint32_t pace = 1; pace <= 3; pace++) {
        paced->window.pace = pace;
        CHECK_INT(tr_timeline_fill(timeline, &paced->window, paced->words), TR_OK);
        uint32_t wrong = 0;
        for (uint32_t cell = 0; cell < grid->columns * grid->rows; cell++) {
            int across = apart(cell % grid->columns, grid->columns / 2),
                down = apart(cell / grid->columns, grid->rows / 2), far = across > down ? across : down;
            for (uint32_t slot = 0; slot < 64 * f->window.word_count; slot++) {
                bool is_set = bit_of(paced, cell, slot), should = bit_of(f, cell, slot);
                bool counts = (int)slot >= (int)pace * (far - 1);
                wrong += counts ? is_set != should : is_set && !should;
                *left_out += !is_set && should;
            }
        }
        CHECK_INT(wrong, 0);
    }
}

TEST(no_cell_is_missing_and_none_is_far_off) {
    tr_random random = tr_random_seed(31);
    static filled f, paced;
    uint32_t taken = 0, asked = 0, left_out = 0;
    for (uint32_t number = 0; number < 120; number++) {
        tr_timeline *timeline = NULL;
        REQUIRE(tr_timeline_create(&(tr_timeline_def){0}, &timeline, NULL) == TR_OK);
        oracle_body bodies[5];
        for (uint32_t i = 0; i < 5; i++) {
            uint32_t body;
            do
                bodies[i] = oracle_wander(&random, 6, 0);
            while (bodies[i].count > 1 && fabsf(bodies[i].positions[1].x - bodies[i].positions[0].x) > 0.1f);
            for (uint32_t k = 1; k < bodies[i].count; k++) { // slow enough that slots are short
                tr_vec3 a = bodies[i].positions[k - 1], *b = &bodies[i].positions[k];
                b->x = fminf(fmaxf(b->x, a.x - 0.1f), a.x + 0.1f);
                b->z = fminf(fmaxf(b->z, a.z - 0.1f), a.z + 0.1f);
            }
            CHECK_INT(tr_timeline_add(timeline, bodies[i].positions[0], bodies[i].radius, bodies[i].height,
                                      &body, NULL),
                      TR_OK);
            CHECK_INT(
                tr_timeline_commit(timeline, body, bodies[i].begin, bodies[i].positions, bodies[i].count),
                TR_OK);
        }
        make_window(&f, &random, number % 2);
        CHECK_INT(tr_timeline_fill(timeline, &f.window, f.words), TR_OK);
        for (uint32_t k = 0; k < 600; k++, asked++)
            check_cell(&f, bodies, 5, tr_random_below(&random, SIDE * (SIDE - 3)),
                       tr_random_below(&random, 64 * f.window.word_count), number, &taken);
        check_pace(&f, &paced, timeline, &left_out);
        tr_timeline_destroy(timeline);
    }
    CHECK(left_out > 10000);
    CHECK(taken > asked / 20 && taken < asked / 2);
}

// A disc in a cell, and a box that turns and moves: both told from their corners.
static double box_gap(const filled *f, const tr_trajectory *way, tr_box local, uint32_t cell, double tick) {
    tr_affine m = tr_affine_from_transform(tr_trajectory_sample(way, tick / 30)), back;
    tr_vec2 centre = tr_grid_centre(&f->window.grid, cell % SIDE, cell / SIDE);
    if (!tr_affine_invert(&m, &back))
        return INFINITY;
    tr_vec3 p = tr_affine_apply(&back, tr_vec3_make(centre.x, 0, centre.z));
    double x = fmax(fmax(local.min.x - p.x, p.x - local.max.x), 0),
           z = fmax(fmax(local.min.z - p.z, p.z - local.max.z), 0);
    return sqrt(x * x + z * z) - f->window.radius - f->window.clear;
}

static void check_box(const filled *f, const tr_trajectory *way, tr_box local, uint32_t cell, uint32_t slot,
                      uint32_t number) {
    double from = (double)(f->window.begin + (uint64_t)slot * f->window.slot), inside = INFINITY,
           around = INFINITY;
    for (int k = -8; k <= 16; k++) {
        double gap = box_gap(f, way, local, cell, from + f->window.slot * k / 8.0);
        around = fmin(around, gap);
        inside = k >= 0 && k <= 8 ? fmin(inside, gap) : inside;
    }
    bool is_set = bit_of(f, cell, slot);
    if (!is_set && inside < -1e-4)
        test_failed(__FILE__, __LINE__, "case %u: cell %u slot %u is free, but %g m deep", number, cell, slot,
                    -inside);
    if (is_set && !(around < 0.2))
        test_failed(__FILE__, __LINE__, "case %u: cell %u slot %u is taken, but %g m away", number, cell,
                    slot, around);
}

TEST(moving_objects_are_in_the_window) {
    tr_random random = tr_random_seed(32);
    static filled f;
    for (uint32_t number = 0; number < 60; number++) {
        tr_timeline *timeline = NULL;
        tr_scene *scene = NULL;
        REQUIRE(tr_timeline_create(&(tr_timeline_def){0}, &timeline, NULL) == TR_OK &&
                tr_scene_create(NULL, &scene) == TR_OK);
        tr_box local = little_make_box(-0.2f, -3, -0.4f, 0.8f, 3, 0.5f);
        uint32_t object = little_object(scene, little_box_mesh(scene, local), tr_affine_identity(), 0);
        double times[4] = {0, 1, 2, 3.3};
        tr_transform ways[4];
        for (int i = 0; i < 4; i++) {
            ways[i] = tr_transform_identity();
            ways[i].rotation = tr_quat_about(tr_vec3_make(0, 1, 0), tr_random_between(&random, -1, 1));
            ways[i].position = oracle_point(&random, 2);
            ways[i].position.x += 1, ways[i].position.z += 1;
        }
        ways[3] = number % 3 ? ways[3] : ways[0]; // a loop that does not jump
        tr_trajectory_def def = {times, ways, 4, number % 3 == 0};
        CHECK_INT(tr_scene_set_trajectory(scene, object, &def, NULL), TR_OK);
        make_window(&f, &random, number % 2);
        for (uint32_t i = 0; i < SIDE * SIDE; i++)
            f.floor[i] = 0;
        f.window.clear = f.window.margin, f.window.margin = 0;
        CHECK_INT(tr_scene_set_time(scene, 0), TR_OK);
        CHECK_INT(tr_timeline_watch(timeline, scene, NULL), TR_OK);
        CHECK_INT(tr_timeline_fill(timeline, &f.window, f.words), TR_OK);
        for (uint32_t k = 0; k < 600; k++)
            check_box(&f, tr_scene_trajectory(scene, object), local,
                      tr_random_below(&random, SIDE * (SIDE - 3)),
                      tr_random_below(&random, 64 * f.window.word_count), number);
        tr_timeline_destroy(timeline);
        tr_scene_destroy(scene);
    }
}

// A timeline, and a scene with one box of which a body of 0.2 m takes the cell in row 10, column 1.
static bool make_little_world(tr_timeline **timeline, tr_scene **scene, uint32_t *box) {
    if (tr_timeline_create(&(tr_timeline_def){0}, timeline, NULL) != TR_OK ||
        tr_scene_create(NULL, scene) != TR_OK)
        return false;
    *box = little_box(*scene, little_make_box(0, 0, 2, 0.5f, 1, 3), 0);
    return true;
}

static tr_timeline_window window_from(uint64_t begin) {
    tr_timeline_window window = {.grid = {{0, 0}, 0.25f, SIDE, SIDE},
                                 .begin = begin,
                                 .slot = 3,
                                 .word_count = 1,
                                 .radius = 0.2f,
                                 .height = 1.8f,
                                 .self = TR_NONE};
    return window;
}

// Pushed along x at 3 m/s: where it is now is taken throughout, ahead of it cells are taken when it comes.
TEST(what_is_pushed_is_in_the_window_where_it_is_and_where_it_goes) {
    static filled f;
    tr_timeline *timeline = NULL;
    tr_scene *scene = NULL;
    uint32_t box;
    REQUIRE(make_little_world(&timeline, &scene, &box));
    CHECK_INT(tr_timeline_watch(timeline, scene, NULL), TR_OK);
    tr_timeline_set_now(timeline, 1);
    tr_affine pushed = little_move(0.1f, 0, 0);
    CHECK_INT(tr_scene_place(scene, box, &pushed), TR_OK);
    CHECK_INT(tr_timeline_watch(timeline, scene, NULL), TR_OK);
    f.window = window_from(1);
    CHECK_INT(tr_timeline_fill(timeline, &f.window, f.words), TR_OK);
    uint32_t row = 10 * SIDE; // z = 2.625
    for (uint32_t slot = 0; slot < 64; slot++) {
        CHECK(bit_of(&f, row + 1, slot));
        // x = 4.125: it arrives after 3.325 m, or 1 s with its doubt of 0.3 m/s, and has passed after 4.225 m
        double begin = slot * 0.1, end = begin + 0.1;
        CHECK(bit_of(&f, row + 16, slot) == (3.3 * end > 3.325 && 2.7 * begin - 0.03 < 4.225));
    }
    tr_timeline_destroy(timeline);
    tr_scene_destroy(scene);
}

TEST(a_window_with_bad_numbers_is_refused) {
    tr_timeline *timeline = NULL;
    REQUIRE(tr_timeline_create(&(tr_timeline_def){0}, &timeline, NULL) == TR_OK);
    tr_timeline_window good = {.grid = {{0, 0}, 0.25f, 2, 2},
                               .slot = 4,
                               .word_count = 1,
                               .radius = 0.3f,
                               .height = 1,
                               .self = TR_NONE};
    uint64_t words[32] = {7};
    tr_timeline_window bad[8];
    for (int i = 0; i < 8; i++)
        bad[i] = good;
    bad[0].grid.cell = NAN, bad[1].slot = 0, bad[2].word_count = 0, bad[3].word_count = 9, bad[4].radius = -1;
    bad[5].level = NAN, bad[6].begin = UINT64_MAX, bad[7].clear = INFINITY;
    for (int i = 0; i < 8; i++)
        CHECK_INT(tr_timeline_fill(timeline, &bad[i], words), TR_INVALID);
    CHECK_INT(words[0], 7);
    CHECK_INT(tr_timeline_fill(timeline, &good, words), TR_OK);
    CHECK_INT(words[0], 0);
    tr_timeline_destroy(timeline);
}

TEST(what_has_yet_to_leave_is_in_the_window_for_good) {
    static filled f;
    tr_timeline *timeline = NULL;
    tr_scene *scene = NULL;
    uint32_t box;
    REQUIRE(make_little_world(&timeline, &scene, &box));
    tr_transform places[2] = {tr_transform_identity(), tr_transform_identity()};
    places[1].position.x = 20;
    const double times[2] = {1, 3};
    tr_trajectory_def def = {times, places, 2, false};
    CHECK_INT(tr_scene_set_trajectory(scene, box, &def, NULL), TR_OK);
    for (uint64_t now = 0; now <= 36; now += 12) {
        tr_timeline_set_now(timeline, now);
        CHECK_INT(tr_scene_set_time(scene, (double)now / 30), TR_OK);
        CHECK_INT(tr_timeline_watch(timeline, scene, NULL), TR_OK);
        f.window = window_from(now);
        CHECK_INT(tr_timeline_fill(timeline, &f.window, f.words), TR_OK);
        for (uint32_t slot = 0; slot < 64; slot++) // it begins to move after 30 ticks
            CHECK(bit_of(&f, 10 * SIDE + 1, slot) == (now < 30));
    }
    tr_timeline_destroy(timeline);
    tr_scene_destroy(scene);
}
