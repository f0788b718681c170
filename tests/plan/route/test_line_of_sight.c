#include "line_of_sight_oracle.h"

static const tr_grid little_grid = {{-3.25f, 7.5f}, 0.25f, 12, 12};

static bool make_map(tr_route_map *map, uint32_t columns, uint32_t rows) {
    tr_grid grid = little_grid;
    grid.columns = columns, grid.rows = rows;
    return tr_route_map_create(NULL, &grid, map, NULL) == TR_OK;
}

// Blocked with a probability of `share` / 100.
static void scatter(tr_route_map *map, tr_random *random, uint32_t share) {
    for (uint32_t row = 0; row < map->grid.rows; row++)
        for (uint32_t column = 0; column < map->grid.columns; column++)
            tr_route_map_set_cell(map, column, row, tr_random_below(random, 100) >= share);
}

// From rows of text, the last row first: '#' is blocked.
static bool draw_map(tr_route_map *map, const char *const *rows, uint32_t count) {
    uint32_t columns = (uint32_t)strlen(rows[0]);
    if (!make_map(map, columns, count))
        return false;
    for (uint32_t row = 0; row < count; row++)
        for (uint32_t column = 0; column < columns; column++)
            tr_route_map_set_cell(map, column, row, rows[count - 1 - row][column] != '#');
    return true;
}

static tr_vec2 point_at(const tr_grid *grid, oracle_point p) {
    tr_vec2 point = {(float)(grid->origin.x + (double)p.x / 256 * grid->cell),
                     (float)(grid->origin.z + (double)p.z / 256 * grid->cell)};
    return point;
}

static oracle_point units_of(const tr_grid *grid, tr_vec2 p) {
    oracle_point units = {(int64_t)floor(((double)p.x - grid->origin.x) / grid->cell * 256 + 0.5),
                          (int64_t)floor(((double)p.z - grid->origin.z) / grid->cell * 256 + 0.5)};
    return units;
}

// Anywhere, on a border, on a corner, at a centre, a unit off a corner, outside.
static int64_t pick_coordinate(tr_random *random, uint32_t cells) {
    int64_t line = (int64_t)tr_random_below(random, cells + 1) * 256;
    switch (tr_random_below(random, 8)) {
    case 0:
    case 1:
        return line;
    case 2:
        return line + (int64_t)tr_random_below(random, 5) - 2;
    case 3:
        return line + 128;
    case 4:
        return tr_random_below(random, 20) == 0 ? -300 : line;
    default:
        return tr_random_below(random, cells * 256 + 1);
    }
}

static void pick_segment(tr_random *random, uint32_t cells, oracle_point *a, oracle_point *b) {
    a->x = pick_coordinate(random, cells), a->z = pick_coordinate(random, cells);
    b->x = pick_coordinate(random, cells), b->z = pick_coordinate(random, cells);
    switch (tr_random_below(random, 8)) {
    case 0:
        b->x = a->x;
        break;
    case 1:
        b->z = a->z;
        break;
    case 2: // a diagonal, through corners where the first point is on one
        b->z = a->z + (tr_random_below(random, 2) ? b->x - a->x : a->x - b->x);
        break;
    case 3:
        b->z = a->z + 2 * (b->x - a->x);
        break;
    case 4:
        if (tr_random_below(random, 4) == 0)
            *b = *a;
        break;
    default:
        break;
    }
}

TEST(lines_of_sight_are_those_of_the_definition) {
    tr_random random = tr_random_seed(1);
    uint32_t seen[2] = {0, 0};
    for (uint32_t i = 0; i < 400; i++) {
        uint32_t cells = 1 + tr_random_below(&random, 12);
        tr_route_map map;
        REQUIRE(make_map(&map, cells, cells));
        scatter(&map, &random, tr_random_below(&random, 60));
        for (uint32_t k = 0; k < 300; k++) {
            oracle_point a, b;
            pick_segment(&random, cells, &a, &b);
            tr_vec2 from = point_at(&map.grid, a), to = point_at(&map.grid, b);
            for (int cut = 0; cut < 2; cut++) {
                bool expected = oracle_is_free(&map, a, b, cut);
                bool there = tr_line_of_sight_is_free(&map, from, to, cut),
                     back = tr_line_of_sight_is_free(&map, to, from, cut);
                if (there != expected || back != expected)
                    test_failed(__FILE__, __LINE__,
                                "map %u: (%d, %d) to (%d, %d), cut %d: %d and back %d, expected %d", i,
                                (int)a.x, (int)a.z, (int)b.x, (int)b.z, cut, there, back, expected);
                seen[expected]++;
            }
        }
        tr_route_map_destroy(&map);
    }
    CHECK(seen[0] > 50000 && seen[1] > 20000);
}

TEST(long_lines_of_sight_over_many_words_are_those_of_the_definition) {
    tr_random random = tr_random_seed(2);
    tr_route_map map;
    REQUIRE(make_map(&map, 97, 70));
    uint32_t seen[2] = {0, 0};
    for (uint32_t i = 0; i < 1500; i++) {
        if (i % 50 == 0)
            scatter(&map, &random, 1 + tr_random_below(&random, 3));
        oracle_point a, b;
        a.x = tr_random_below(&random, 97 * 256 + 1), a.z = tr_random_below(&random, 70 * 256 + 1);
        b.x = tr_random_below(&random, 97 * 256 + 1), b.z = tr_random_below(&random, 70 * 256 + 1);
        if (i % 3 == 0)
            b = (oracle_point){(a.x + b.x) / 2, a.z};
        bool expected = oracle_is_free(&map, a, b, i & 1);
        CHECK_INT(tr_line_of_sight_is_free(&map, point_at(&map.grid, a), point_at(&map.grid, b), i & 1),
                  expected);
        seen[expected]++;
    }
    CHECK(seen[0] > 200 && seen[1] > 200);
    tr_route_map_destroy(&map);
}

TEST(nobody_squeezes_through_between_two_blocked_cells) {
    static const char *const rows[] = {"....", ".#..", "..#.", "...."};
    tr_route_map map;
    REQUIRE(draw_map(&map, rows, 4));
    const tr_grid *grid = &map.grid;
    tr_vec2 a = point_at(grid, (oracle_point){384, 384}), b = point_at(grid, (oracle_point){640, 640}),
            middle = point_at(grid, (oracle_point){512, 512});
    CHECK(!tr_line_of_sight_is_free(&map, a, b, true));
    CHECK(!tr_line_of_sight_is_free(&map, a, middle, true)); // nor in two pieces that meet there
    CHECK(!tr_line_of_sight_is_free(&map, middle, middle, true));
    // Past one blocked cell a line may touch the corner, unless corners are not to be touched.
    tr_route_map_set_cell(&map, 2, 1, true);
    CHECK(tr_line_of_sight_is_free(&map, a, b, true));
    CHECK(!tr_line_of_sight_is_free(&map, a, b, false));
    CHECK(tr_line_of_sight_is_free(&map, middle, middle, true));
    tr_route_map_destroy(&map);
}

TEST(lines_outside_the_map_are_not_free) {
    tr_route_map map;
    tr_random random = tr_random_seed(3);
    REQUIRE(make_map(&map, 4, 4));
    scatter(&map, &random, 0);
    tr_vec2 inside = point_at(&map.grid, (oracle_point){500, 500}),
            corner = point_at(&map.grid, (oracle_point){0, 0}),
            outside = point_at(&map.grid, (oracle_point){-2, 500});
    CHECK(tr_line_of_sight_is_free(&map, inside, corner, true));
    CHECK(!tr_line_of_sight_is_free(&map, inside, corner, false)); // what is outside counts as blocked
    CHECK(!tr_line_of_sight_is_free(&map, inside, outside, true));
    const float odd[] = {NAN, INFINITY, -INFINITY, 3e38f, -3e38f};
    for (int i = 0; i < 5; i++)
        for (int cut = 0; cut < 2; cut++) {
            CHECK(!tr_line_of_sight_is_free(&map, inside, (tr_vec2){odd[i], inside.z}, cut));
            CHECK(!tr_line_of_sight_is_free(&map, (tr_vec2){inside.x, odd[i]}, inside, cut));
        }
    tr_route_map_destroy(&map);
}

// Everything that is promised of a pulled line but its length.
static void check_line(const tr_route_map *map, const tr_vec2 *points, uint32_t count, bool cut,
                       double length, uint32_t number) {
    double sum = 0;
    for (uint32_t i = 0; i + 1 < count; i++) {
        oracle_point a = units_of(&map->grid, points[i]), b = units_of(&map->grid, points[i + 1]);
        if (!tr_line_of_sight_is_free(map, points[i], points[i + 1], cut) || !oracle_is_free(map, a, b, cut))
            test_failed(__FILE__, __LINE__, "map %u: piece %u of %u is not free", number, i, count - 1);
        sum += hypot((double)points[i].x - points[i + 1].x, (double)points[i].z - points[i + 1].z);
        if (i == 0)
            continue;
        CHECK(!tr_line_of_sight_is_free(map, points[i - 1], points[i + 1], cut)); // none can be left out
        int64_t keep = cut ? 0 : 1, column = (a.x + 128) / 256, row = (a.z + 128) / 256;
        oracle_point corner = {-1, -1};
        if (!oracle_corner(map, column, row, keep, &corner) || corner.x != a.x || corner.z != a.z)
            test_failed(__FILE__, __LINE__, "map %u: bend at (%d, %d) is not at a blocked corner", number,
                        (int)a.x, (int)a.z);
    }
    CHECK_NEAR(sum, length, 1e-9);
}

static double way_length(const tr_route_map *map, tr_vec2 start, const uint32_t *cells, uint32_t count,
                         tr_vec2 goal) {
    tr_vec2 here = start;
    double length = 0;
    for (uint32_t i = 0; i <= count; i++) {
        tr_vec2 next = i == count ? goal
                                  : tr_grid_centre(&map->grid, tr_route_map_column(map, cells[i]),
                                                   tr_route_map_row(map, cells[i]));
        length += hypot((double)next.x - here.x, (double)next.z - here.z);
        here = next;
    }
    return length;
}

typedef struct measure {
    double sum, worst;
    uint32_t count, shortest;
} measure;

static oracle_point pick_end(tr_random *random, uint32_t cell, uint32_t side, bool centred) {
    int64_t x = 1 + tr_random_below(random, 255);
    int64_t z = 1 + tr_random_below(random, 255);
    oracle_point end = {cell % side * 256 + (centred ? 128 : x), cell / side * 256 + (centred ? 128 : z)};
    return end;
}

// Pull a path, check all that is promised, and compare with the shortest there is.
static void pull_path(const tr_route_map *map, const uint32_t *cells, uint32_t count, oracle_point a,
                      oracle_point b, bool cut, uint32_t number, measure *quality) {
    tr_vec2 points[402], begin = point_at(&map->grid, a), end = point_at(&map->grid, b);
    uint32_t point_count = 0;
    double length = 0;
    CHECK_INT(tr_line_of_sight_pull(
                  map,
                  &(tr_line_of_sight_path){
                      .cells = cells, .cell_count = count, .start = begin, .goal = end, .cut_corners = cut},
                  points, count + 2, &point_count, &length),
              TR_OK);
    REQUIRE(point_count >= 2);
    CHECK(points[0].x == begin.x && points[0].z == begin.z);
    CHECK(points[point_count - 1].x == end.x && points[point_count - 1].z == end.z);
    check_line(map, points, point_count, cut, length, number);
    CHECK(length <= way_length(map, begin, cells, count, end) + 1e-9);
    double best = oracle_shortest(map, a, b, cut) * map->grid.cell, ratio = best > 0 ? length / best : 1;
    CHECK(ratio >= 1 - 1e-9);
    quality->sum += ratio;
    quality->worst = ratio > quality->worst ? ratio : quality->worst;
    quality->count++;
    quality->shortest += ratio < 1 + 1e-9;
}

static void pull_once(tr_random *random, uint32_t number, bool cut, bool centred, measure *quality) {
    uint32_t side = 4 + tr_random_below(random, 13), cells[400];
    tr_route_map map;
    REQUIRE(make_map(&map, side, side));
    scatter(&map, random, 5 + tr_random_below(random, 36));
    uint32_t from = tr_random_below(random, side * side);
    uint32_t to = tr_random_below(random, side * side);
    uint32_t start = tr_route_map_node(&map, from % side, from / side),
             goal = tr_route_map_node(&map, to % side, to / side);
    bool both = tr_route_map_is_free(&map, start) && tr_route_map_is_free(&map, goal);
    uint32_t count = both ? oracle_path(&map, start, goal, cut, cells) : 0;
    oracle_point a = pick_end(random, from, side, centred);
    oracle_point b = pick_end(random, to, side, centred);
    if (count > 0)
        pull_path(&map, cells, count, a, b, cut, number, quality);
    tr_route_map_destroy(&map);
}

// The bounds are what was measured, rounded up: docs/plan/line_of_sight.md has the figures.
static void check_quality(bool cut, bool centred, double mean, double worst) {
    tr_random random = tr_random_seed(4);
    measure quality = {0};
    for (uint32_t i = 0; i < 1500; i++)
        pull_once(&random, i, cut, centred, &quality);
    REQUIRE(quality.count > 500);
    if (getenv("TROUPE_TEST_VERBOSE"))
        printf("cut %d, centred %d: %u routes, mean %.6f, worst %.6f, shortest %.2f %%\n", cut, centred,
               quality.count, quality.sum / quality.count, quality.worst,
               100.0 * quality.shortest / quality.count);
    CHECK(quality.sum / quality.count < mean);
    CHECK(quality.worst < worst);
    CHECK(quality.shortest > 0.93 * quality.count);
}

TEST(lines_pulled_between_centres_are_tight_and_close_to_the_shortest_there_is) {
    check_quality(false, true, 1.0015, 1.11);
    check_quality(true, true, 1.0009, 1.06);
}

TEST(lines_pulled_between_any_points_are_tight_and_close_to_the_shortest_there_is) {
    check_quality(false, false, 1.0025, 1.21);
    check_quality(true, false, 1.0025, 1.21);
}

// A small fixed map for the cases below; the path leads around the block.
static const char *const block_rows[] = {".....", ".....", ".###.", ".###.", "....."};

TEST(a_thread_around_a_block_bends_at_its_corners) {
    tr_route_map map;
    REQUIRE(draw_map(&map, block_rows, 5));
    uint32_t cells[32], start = tr_route_map_node(&map, 0, 1), goal = tr_route_map_node(&map, 4, 1);
    uint32_t count = oracle_path(&map, start, goal, true, cells), point_count;
    tr_vec2 points[34];
    double length;
    CHECK_INT(tr_line_of_sight_pull(&map,
                                    &(tr_line_of_sight_path){.cells = cells,
                                                             .cell_count = count,
                                                             .start = tr_grid_centre(&map.grid, 0, 1),
                                                             .goal = tr_grid_centre(&map.grid, 4, 1),
                                                             .cut_corners = true},
                                    points, 34, &point_count, &length),
              TR_OK);
    CHECK_INT(point_count, 4);
    CHECK_NEAR(length, 0.25 * (3 + 2 * sqrt(0.5)), 1e-6);
    CHECK_NEAR(points[1].x, -3.0, 1e-6);
    CHECK_NEAR(points[1].z, 7.75, 1e-6);
    CHECK_NEAR(points[2].x, -2.25, 1e-6);
    tr_route_map_destroy(&map);
}

TEST(ends_on_a_blocked_border_are_kept) {
    tr_route_map map;
    REQUIRE(draw_map(&map, block_rows, 5));
    const uint32_t cells[] = {tr_route_map_node(&map, 0, 0), tr_route_map_node(&map, 1, 0)};
    // The corner of the block, and a corner of the map.
    tr_vec2 start = point_at(&map.grid, (oracle_point){0, 0}),
            goal = point_at(&map.grid, (oracle_point){256, 256}), points[4];
    for (int cut = 0; cut < 2; cut++) {
        uint32_t count;
        double length;
        CHECK_INT(tr_line_of_sight_pull(
                      &map,
                      &(tr_line_of_sight_path){
                          .cells = cells, .cell_count = 2, .start = start, .goal = goal, .cut_corners = cut},
                      points, 4, &count, &length),
                  TR_OK);
        CHECK_INT(count, 2);
        CHECK(points[0].x == start.x && points[1].z == goal.z);
        CHECK_NEAR(length, 0.25 * sqrt(2), 1e-6);
        CHECK_INT(tr_line_of_sight_pull(
                      &map,
                      &(tr_line_of_sight_path){
                          .cells = cells, .cell_count = 1, .start = start, .goal = start, .cut_corners = cut},
                      points, 4, &count, &length),
                  TR_OK);
        CHECK_INT(count, 2);
        CHECK_NEAR(length, 0, 0);
    }
    tr_route_map_destroy(&map);
}

TEST(bad_paths_and_ends_are_refused) {
    tr_route_map map;
    REQUIRE(draw_map(&map, block_rows, 5));
    const tr_vec2 start = tr_grid_centre(&map.grid, 0, 0), goal = tr_grid_centre(&map.grid, 0, 1);
    const uint32_t a = tr_route_map_node(&map, 0, 0), b = tr_route_map_node(&map, 0, 1),
                   blocked = tr_route_map_node(&map, 1, 1), far_one = tr_route_map_node(&map, 0, 3),
                   right = tr_route_map_node(&map, 1, 0);
    const struct {
        uint32_t cells[3];
        uint32_t count, max;
        tr_vec2 start, goal;
        tr_status status;
    } cases[] = {
        {{a, b}, 2, 4, start, goal, TR_OK},
        {{a, b}, 2, 2, start, goal, TR_OK},
        {{a, b}, 0, 4, start, goal, TR_INVALID},
        {{a, far_one}, 2, 4, start, goal, TR_INVALID},
        {{a, blocked, b}, 3, 5, start, goal, TR_INVALID},
        {{TR_NONE, b}, 2, 4, start, goal, TR_INVALID},
        {{0, b}, 2, 4, start, goal, TR_INVALID},
        {{right, b}, 2, 4, tr_grid_centre(&map.grid, 1, 0), goal, TR_INVALID}, // cuts the block's corner
        {{a, b}, 2, 4, goal, goal, TR_INVALID},                                // the start is in another cell
        {{a, b}, 2, 4, start, start, TR_INVALID},
        {{a, b}, 2, 4, {NAN, start.z}, goal, TR_INVALID},
        {{a, b}, 2, 4, start, {goal.x, INFINITY}, TR_INVALID},
        {{a, b}, 2, 1, start, goal, TR_LIMIT},
        {{a, b}, 2, 0, start, goal, TR_LIMIT},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tr_vec2 points[5];
        uint32_t count;
        CHECK_INT(tr_line_of_sight_pull(&map,
                                        &(tr_line_of_sight_path){.cells = cases[i].cells,
                                                                 .cell_count = cases[i].count,
                                                                 .start = cases[i].start,
                                                                 .goal = cases[i].goal,
                                                                 .cut_corners = false},
                                        points, cases[i].max, &count, NULL),
                  cases[i].status);
        CHECK_INT(count, cases[i].status == TR_OK ? 2 : 0);
    }
    tr_route_map_destroy(&map);
}

TEST(little_room_gives_a_sound_line_or_says_so) {
    tr_random random = tr_random_seed(5);
    uint32_t refused = 0, tight = 0;
    for (uint32_t i = 0; i < 200; i++) {
        uint32_t cells[400], side = 16;
        tr_route_map map;
        REQUIRE(make_map(&map, side, side));
        scatter(&map, &random, 30);
        tr_route_map_set_cell(&map, 0, 0, true);
        tr_route_map_set_cell(&map, 15, 15, true);
        uint32_t count =
            oracle_path(&map, tr_route_map_node(&map, 0, 0), tr_route_map_node(&map, 15, 15), false, cells);
        for (uint32_t max = 2; count > 0 && max < 10; max++) {
            tr_vec2 points[10], start = tr_grid_centre(&map.grid, 0, 0),
                                goal = tr_grid_centre(&map.grid, 15, 15);
            uint32_t point_count;
            tr_status status = tr_line_of_sight_pull(
                &map,
                &(tr_line_of_sight_path){
                    .cells = cells, .cell_count = count, .start = start, .goal = goal, .cut_corners = false},
                points, max, &point_count, NULL);
            CHECK(status == TR_OK || status == TR_LIMIT);
            refused += status == TR_LIMIT, tight += status == TR_OK;
            for (uint32_t k = 0; k + 1 < point_count; k++)
                CHECK(tr_line_of_sight_is_free(&map, points[k], points[k + 1], false));
        }
        tr_route_map_destroy(&map);
    }
    CHECK(refused > 50 && tight > 50);
}
