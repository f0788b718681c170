#include "test.h"
#include "troupe/base/hash.h"
#include "troupe/base/scalar.h"
#include "troupe/world/sample_crowd.h"
#include "troupe/world/surface.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *kind;
    uint32_t people, groups;
    uint64_t hash; // of the people of seed 3
} kinds[] = {
    {"corridor", 40, 2, 0x340bcb13e7fb0449},     {"door", 60, 1, 0x03ad2de0bf980229},
    {"swap", 8, 2, 0xf35ce871b3edf96f},          {"crossing", 60, 4, 0x7f021c32d863b006},
    {"bridge", 10, 2, 0xe73363bea58de758},       {"plaza", 100, 1, 0x269945795480fc73},
    {"office", 40, 1, 0x80835d8b04310f90},       {"maze", 20, 1, 0x5002db3bf341febf},
    {"house", 10, 2, 0xaae0829044540dc7},        {"stairs", 10, 2, 0xb5fa3f18bdd37b51},
    {"falling_tree", 3, 3, 0xc7e068265c33572e},  {"stampede", 3, 1, 0xec32d47de25b78cd},
    {"crowd_field", 100, 1, 0x787edec93f3949d5},
};
#define KINDS (sizeof kinds / sizeof kinds[0])

static tr_sample_crowd *make(const char *kind, uint32_t people, uint64_t seed) {
    tr_sample_crowd_def def = {.kind = kind, .people = people, .seed = seed};
    tr_sample_crowd *crowd = NULL;
    tr_error error = {0};
    if (tr_sample_crowd_create(&def, &crowd, &error) != TR_OK)
        test_failed(__FILE__, __LINE__, "crowd %s of %u, seed %u: %s", kind, people, (unsigned)seed,
                    error.message);
    return crowd;
}

TEST(every_kind_has_a_name_a_summary_and_its_own_number_of_people) {
    CHECK_INT(tr_sample_crowd_kind_count(), KINDS);
    for (uint32_t i = 0; i < KINDS; i++) {
        CHECK_TEXT(tr_sample_crowd_kind(i), kinds[i].kind);
        CHECK(tr_sample_crowd_summary(i)[0]);
        tr_sample_crowd *crowd = make(kinds[i].kind, 0, 0);
        REQUIRE(crowd);
        uint32_t count, groups = 0;
        const tr_sample_person *people = tr_sample_crowd_people(crowd, &count);
        CHECK_INT(count, kinds[i].people);
        for (uint32_t j = 0; j < count; j++)
            groups |= 1u << people[j].group;
        CHECK_INT(groups, (1u << kinds[i].groups) - 1);
        tr_sample_crowd_destroy(crowd);
    }
    CHECK(tr_sample_crowd_kind(KINDS) == NULL);
    CHECK(tr_sample_crowd_summary(UINT32_MAX) == NULL);
}

static uint64_t hash_of(const tr_sample_crowd *crowd) {
    uint32_t count;
    const tr_sample_person *people = tr_sample_crowd_people(crowd, &count);
    uint64_t hash = tr_hash(TR_HASH_START, people, count * sizeof *people);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t trip = 0; trip < 4; trip++) {
            tr_vec3 goal = tr_sample_crowd_goal(crowd, i, trip);
            hash = tr_hash(hash, &goal, sizeof goal);
        }
    return hash;
}

TEST(the_same_seed_gives_the_same_people_everywhere_and_another_gives_others) {
    for (uint32_t i = 0; i < KINDS; i++) {
        tr_sample_crowd *crowd = make(kinds[i].kind, 0, 3), *again = make(kinds[i].kind, 0, 3);
        tr_sample_crowd *other = make(kinds[i].kind, 0, 4);
        REQUIRE(crowd && again && other);
        CHECK_HASH(hash_of(crowd), kinds[i].hash);
        CHECK_HASH(hash_of(again), hash_of(crowd));
        CHECK(hash_of(other) != hash_of(crowd));
        tr_sample_crowd_destroy(crowd);
        tr_sample_crowd_destroy(again);
        tr_sample_crowd_destroy(other);
    }
}

// --- Room, by brute force over the triangles ---

// What of a triangle lies between two heights, seen from above.
typedef struct flat_polygon {
    double x[8], y[8], z[8];
    int count;
} flat_polygon;

static flat_polygon cut(const flat_polygon *given, double height, double side) {
    flat_polygon kept = {.count = 0};
    for (int i = 0; i < given->count; i++) {
        int next = (i + 1) % given->count;
        double here = side * (given->y[i] - height), there = side * (given->y[next] - height);
        double t = here / (here - there);
        if (here >= 0) {
            kept.x[kept.count] = given->x[i], kept.y[kept.count] = given->y[i];
            kept.z[kept.count++] = given->z[i];
        }
        if ((here < 0) != (there < 0)) {
            kept.x[kept.count] = given->x[i] + t * (given->x[next] - given->x[i]);
            kept.z[kept.count] = given->z[i] + t * (given->z[next] - given->z[i]);
            kept.y[kept.count++] = height;
        }
    }
    return kept;
}

static double distance_to(const flat_polygon *polygon, double x, double z) {
    double least = INFINITY;
    bool left = true, right = true;
    for (int i = 0; i < polygon->count; i++) {
        int next = (i + 1) % polygon->count;
        double ax = polygon->x[i], az = polygon->z[i], bx = polygon->x[next] - ax, bz = polygon->z[next] - az;
        double length = bx * bx + bz * bz, t = length > 0 ? ((x - ax) * bx + (z - az) * bz) / length : 0;
        t = t < 0 ? 0 : t > 1 ? 1 : t;
        double away = sqrt((ax + t * bx - x) * (ax + t * bx - x) + (az + t * bz - z) * (az + t * bz - z));
        double turn = bx * (z - az) - bz * (x - ax);
        least = away < least ? away : least;
        left &= turn > 0;
        right &= turn < 0;
    }
    return polygon->count > 2 && (left || right) ? 0 : least;
}

// How far a place is from anything between its floor and 2 m above, and whether a floor is under it.
static double clearance_of(const tr_scene *scene, tr_vec3 at, bool *has_floor) {
    double least = INFINITY;
    *has_floor = false;
    for (uint32_t i = 0; i < tr_scene_object_count(scene); i++) {
        tr_object_view object = tr_scene_object(scene, i);
        tr_box box = object.bounds;
        if (box.min.x > at.x + 1 || box.max.x < at.x - 1 || box.min.z > at.z + 1 || box.max.z < at.z - 1)
            continue;
        tr_mesh_view mesh = tr_scene_mesh(scene, object.mesh);
        for (uint32_t j = 0; j < mesh.triangle_count; j++) {
            flat_polygon whole = {.count = 3};
            for (uint32_t k = 0; k < 3; k++) {
                tr_vec3 p = tr_affine_apply(&object.placement, mesh.positions[mesh.indices[3 * j + k]]);
                whole.x[k] = (double)p.x, whole.y[k] = (double)p.y, whole.z[k] = (double)p.z;
            }
            flat_polygon part = cut(&whole, (double)at.y + 0.05, 1);
            part = cut(&part, (double)at.y + 2, -1);
            double away = distance_to(&part, (double)at.x, (double)at.z);
            least = away < least ? away : least;
            part = cut(&whole, (double)at.y - 0.001, 1);
            part = cut(&part, (double)at.y + 0.001, -1);
            *has_floor |= distance_to(&part, (double)at.x, (double)at.z) < 1e-6;
        }
    }
    return least;
}

static void check_place(const tr_sample *scene, const char *kind, uint32_t person, tr_vec3 at) {
    bool has_floor;
    double clear = clearance_of(scene->scene, at, &has_floor);
    if (!has_floor || clear < 0.399)
        test_failed(__FILE__, __LINE__, "%s: person %u at (%g, %g, %g) has %s floor and %g m of room", kind,
                    person, (double)at.x, (double)at.y, (double)at.z, has_floor ? "a" : "no", clear);
}

// Floors that end in the air.
TEST(nobody_starts_at_the_edge_of_a_floor) {
    static const char *const floors[] = {"bridge", "house", "stairs"};
    for (uint32_t i = 0; i < sizeof floors / sizeof *floors; i++)
        for (uint64_t seed = 0; seed < 20; seed++) {
            tr_sample_crowd *crowd = make(floors[i], 10, seed);
            REQUIRE(crowd);
            uint32_t count;
            const tr_sample_person *people = tr_sample_crowd_people(crowd, &count);
            for (uint32_t j = 0; j < 16 * count; j++) {
                double turn = j % 8 * TR_PI / 4, sine, cosine;
                tr_vec3 at = j / 8 % 2 ? people[j / 16].start : people[j / 16].goal;
                tr_sin_cos(turn, &sine, &cosine);
                at.x += (float)(0.25 * sine), at.z += (float)(0.25 * cosine);
                bool has_floor;
                clearance_of(tr_sample_crowd_scene(crowd)->scene, at, &has_floor);
                if (!has_floor)
                    test_failed(__FILE__, __LINE__, "%s, seed %u: person %u has no floor at (%g, %g, %g)",
                                floors[i], (uint32_t)seed, j / 16, (double)at.x, (double)at.y, (double)at.z);
            }
            tr_sample_crowd_destroy(crowd);
        }
}

TEST(everybody_starts_and_ends_on_a_floor_with_room_around) {
    for (uint32_t i = 0; i < KINDS; i++)
        for (uint64_t seed = 0; seed < 5; seed++) {
            tr_sample_crowd *crowd = make(kinds[i].kind, 0, seed);
            REQUIRE(crowd);
            uint32_t count;
            const tr_sample_person *people = tr_sample_crowd_people(crowd, &count);
            for (uint32_t j = 0; j < count; j++) {
                check_place(tr_sample_crowd_scene(crowd), kinds[i].kind, j, people[j].start);
                for (uint32_t trip = 0; trip < 4; trip++)
                    check_place(tr_sample_crowd_scene(crowd), kinds[i].kind, j,
                                tr_sample_crowd_goal(crowd, j, trip));
            }
            tr_sample_crowd_destroy(crowd);
        }
}

TEST(people_are_apart_and_differ_in_height_and_speed) {
    for (uint32_t i = 0; i < KINDS; i++)
        for (uint64_t seed = 0; seed < 20; seed++) {
            tr_sample_crowd *crowd = make(kinds[i].kind, 0, seed);
            REQUIRE(crowd);
            uint32_t count;
            const tr_sample_person *people = tr_sample_crowd_people(crowd, &count);
            for (uint32_t j = 0; j < count; j++) {
                const tr_sample_person *p = &people[j];
                CHECK(p->height >= 1.5f && p->height <= 1.95f && p->speed >= 1 && p->speed <= 1.6f);
                double s, c;
                tr_vec3 ahead = tr_vec3_subtract(p->goal, p->start);
                tr_sin_cos((double)p->heading, &s, &c);
                CHECK_NEAR((double)ahead.x * c - (double)ahead.z * s, 0, 1e-4);
                CHECK((double)ahead.x * s + (double)ahead.z * c > 0);
                for (uint32_t k = 0; k < j; k++) {
                    CHECK(tr_vec3_length(tr_vec3_subtract(p->start, people[k].start)) > 0.799f);
                    CHECK(tr_vec3_length(tr_vec3_subtract(p->goal, people[k].goal)) > 0.799f);
                }
            }
            tr_sample_crowd_destroy(crowd);
        }
}

// --- Ways, by a flood over the surface of the scene ---

typedef struct flood {
    tr_surface *surface;
    uint32_t *columns, *rows, *queue; // by cell
    uint8_t *seen;
} flood;

static void visit(flood *f, uint32_t column, uint32_t row, double height, uint32_t *end) {
    tr_surface_scale scale = tr_surface_scale_of(f->surface);
    tr_surface_column cells = tr_surface_at(f->surface, column, row);
    for (uint32_t i = 0; i < cells.count; i++) {
        tr_surface_place place = tr_surface_place_of(f->surface, column, row, i);
        double here = scale.bottom + scale.unit * cells.heights[i];
        if (f->seen[cells.first + i] || !tr_surface_is_for_standing(cells.rooms[i]) || place.room < 1.95f ||
            fabs(here - height) > 0.25)
            continue;
        f->seen[cells.first + i] = 1;
        f->columns[cells.first + i] = column;
        f->rows[cells.first + i] = row;
        f->queue[(*end)++] = cells.first + i;
    }
}

// All cells that steps of 0.25 m lead to from `start`. true: done.
static bool flood_from(flood *f, const tr_sample *sample, tr_raster *raster, tr_vec3 start) {
    tr_surface_def def = tr_surface_def_default();
    tr_box box = sample->ground;
    box.min.y -= 0.5f;
    box.max.y = box.max.y > 2.5f ? box.max.y : 2.5f;
    memset(f, 0, sizeof *f);
    if (tr_voxel_grid_cover(box, 0.1f, 0.05f, 0, 0, &def.grid, NULL) != TR_OK ||
        tr_surface_create(&def, &f->surface, NULL) != TR_OK ||
        tr_surface_build(f->surface, raster, sample->scene, NULL) != TR_OK)
        return false;
    uint32_t count = tr_surface_cell_count(f->surface), begin = 0, end = 0;
    f->columns = malloc(count * sizeof *f->columns);
    f->rows = malloc(count * sizeof *f->rows);
    f->queue = malloc(count * sizeof *f->queue);
    f->seen = calloc(count, 1);
    uint32_t column, row;
    if (!f->columns || !f->rows || !f->queue || !f->seen ||
        !tr_grid_find(&def.grid.grid, (tr_vec2){start.x, start.z}, &column, &row))
        return false;
    visit(f, column, row, (double)start.y, &end);
    while (begin < end) {
        uint32_t cell = f->queue[begin++];
        tr_surface_place place = tr_surface_find(f->surface, cell);
        for (int i = 0; i < 4; i++) {
            int step[2] = {i == 0 ? 1 : i == 1 ? -1 : 0, i == 2 ? 1 : i == 3 ? -1 : 0};
            uint32_t next_column = f->columns[cell] + (uint32_t)step[0];
            uint32_t next_row = f->rows[cell] + (uint32_t)step[1];
            if (next_column < def.grid.grid.columns && next_row < def.grid.grid.rows)
                visit(f, next_column, next_row, (double)place.height, &end);
        }
    }
    return true;
}

static bool is_reached(const flood *f, tr_vec3 at) {
    tr_surface_place place = tr_surface_drop(f->surface, at, 0.1f);
    return place.cell != TR_NONE && f->seen[place.cell] && fabsf(place.height - at.y) < 0.15f;
}

static void end_flood(flood *f) {
    tr_surface_destroy(f->surface);
    free(f->columns);
    free(f->rows);
    free(f->queue);
    free(f->seen);
}

TEST(everybody_can_get_everywhere) {
    tr_raster *raster;
    REQUIRE(tr_raster_create(&(tr_raster_def){.backend = TR_RASTER_SOFT}, &raster, NULL) == TR_OK);
    for (uint32_t i = 0; i < KINDS; i++) {
        tr_sample_crowd *crowd = make(kinds[i].kind, 0, 7);
        REQUIRE(crowd);
        uint32_t count;
        const tr_sample_person *people = tr_sample_crowd_people(crowd, &count);
        flood f;
        REQUIRE(flood_from(&f, tr_sample_crowd_scene(crowd), raster, people[0].start));
        for (uint32_t j = 0; j < count; j++) {
            if (!is_reached(&f, people[j].start) || !is_reached(&f, people[j].goal) ||
                !is_reached(&f, tr_sample_crowd_goal(crowd, j, 1)))
                test_failed(__FILE__, __LINE__, "%s: person %u is cut off", kinds[i].kind, j);
        }
        end_flood(&f);
        tr_sample_crowd_destroy(crowd);
    }
    tr_raster_destroy(raster);
}

TEST(groups_go_to_the_opposite_side_and_back_again) {
    static const char *const names[] = {"corridor", "swap", "door", "bridge"};
    for (uint32_t i = 0; i < 4; i++) {
        tr_sample_crowd *crowd = make(names[i], 20, 5);
        REQUIRE(crowd);
        uint32_t count;
        const tr_sample_person *people = tr_sample_crowd_people(crowd, &count);
        for (uint32_t j = 0; j < count; j++) {
            float side = people[j].start.x;
            CHECK(side * people[j].goal.x < 0);
            CHECK(side * tr_sample_crowd_goal(crowd, j, 1).x > 0);
            CHECK(side * tr_sample_crowd_goal(crowd, j, 2).x < 0);
            CHECK(i != 2 || side < 0);
        }
        CHECK(tr_sample_crowd_goal(crowd, count, 0).x == 0);
        tr_sample_crowd_destroy(crowd);
    }
}

TEST(sizes_reach_the_scene) {
    tr_sample_crowd_def def = {.kind = "swap", .width = 0.9f};
    tr_sample_crowd *crowd;
    REQUIRE(tr_sample_crowd_create(&def, &crowd, NULL) == TR_OK);
    CHECK(tr_sample_crowd_scene(crowd)->width == 0.9f);
    CHECK_TEXT(tr_sample_crowd_scene_def(crowd).name, "door");
    tr_sample_crowd_destroy(crowd);
    crowd = make("plaza", 1000, 1);
    REQUIRE(crowd);
    CHECK_INT(tr_sample_crowd_scene(crowd)->people, 1000);
    tr_sample_crowd_destroy(crowd);
}

static void check_refused(const tr_sample_crowd_def *def, tr_status expected, const char *part) {
    tr_sample_crowd *crowd = NULL;
    tr_error error = {0};
    CHECK_INT(tr_sample_crowd_create(def, &crowd, &error), expected);
    CHECK_CONTAINS(error.message, part);
    CHECK(crowd == NULL);
}

TEST(bad_kinds_and_numbers_are_refused_with_a_sentence) {
    check_refused(NULL, TR_INVALID, "the crowd has no kind");
    check_refused(&(tr_sample_crowd_def){.kind = NULL}, TR_INVALID, "the crowd has no kind");
    check_refused(&(tr_sample_crowd_def){.kind = "queue"}, TR_NOT_FOUND, "available: corridor");
    check_refused(&(tr_sample_crowd_def){.kind = "plaza", .people = 100001}, TR_INVALID, "1 to 100000");
    check_refused(&(tr_sample_crowd_def){.kind = "stairs", .people = 500}, TR_INVALID, "500 requested");
    check_refused(&(tr_sample_crowd_def){.kind = "office", .width = 3}, TR_INVALID, "no width");
    CHECK_INT(tr_sample_crowd_create(&(tr_sample_crowd_def){.kind = "door"}, NULL, NULL), TR_INVALID);
    tr_sample_crowd_destroy(NULL);
}

static bool attempt(const tr_allocator *allocator) {
    tr_sample_crowd_def def = {.kind = "swap", .allocator = allocator};
    tr_sample_crowd *crowd = NULL;
    tr_error error = {0};
    tr_status status = tr_sample_crowd_create(&def, &crowd, &error);
    if (status != TR_OK) {
        CHECK_INT(status, TR_OUT_OF_MEMORY);
        CHECK(error.message[0] != 0);
        return false;
    }
    tr_sample_crowd_destroy(crowd);
    return true;
}

TEST(every_allocation_may_fail) {
    CHECK(CHECK_EVERY_ALLOCATION_FAILURE(attempt) > 20);
}
