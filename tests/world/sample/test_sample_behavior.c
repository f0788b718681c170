// The sample scenes for planning behaviors: what stands in the way, and how things move.
#include "test.h"
#include "troupe/base/hash.h"
#include "troupe/base/random.h"
#include "troupe/world/sample.h"

#include <string.h>

static const struct {
    const char *name;
    uint32_t triangles;
    uint64_t hash, seed_1_hash;
} scenes[] = {
    {"behaviors", 412, 0x0b0ecf4d81cc9367, 0x33989817513ae05f},
    {"falling_tree", 252, 0x7a8b0a841a414fdb, 0x4a0cf46f66424681},
    {"hill", 948, 0xbd427a0e5f3ebb47, 0xf035e7dc6581c561},
    {"hook", 276, 0x02b9ad3d042a2d6f, 0x1c4e76794709c128},
    {"stampede", 1852, 0xe9112a0895800f25, 0xe99e1b63a4754fad},
    {"crowd_field", 564, 0xd5216f1a3b7a4235, 0x70695005f192f4a6},
};
#define SCENES (sizeof scenes / sizeof scenes[0])
#define SEEDS 12

static bool make(const tr_sample_def *def, tr_sample *sample) {
    tr_error error = {0};
    if (tr_sample_make(def, sample, &error) == TR_OK)
        return true;
    test_failed(__FILE__, __LINE__, "sample %s: %s", def->name, error.message);
    return false;
}

// The scene and all its motions.
static uint64_t hash_of(const tr_sample_def *def) {
    tr_sample sample;
    if (!make(def, &sample))
        return 0;
    uint64_t hash = tr_hash(TR_HASH_START, &sample.ground, sizeof sample.ground);
    hash = tr_hash(hash, &sample.start, sizeof sample.start);
    hash = tr_hash(hash, &sample.goal, sizeof sample.goal);
    for (uint32_t i = 0; i < tr_scene_mesh_count(sample.scene); i++) {
        tr_mesh_view mesh = tr_scene_mesh(sample.scene, i);
        hash = tr_hash(hash, mesh.positions, mesh.position_count * sizeof *mesh.positions);
        hash = tr_hash(hash, mesh.indices, (size_t)mesh.triangle_count * 3 * sizeof *mesh.indices);
    }
    for (uint32_t i = 0; i < tr_scene_object_count(sample.scene); i++) {
        tr_object_view object = tr_scene_object(sample.scene, i);
        hash = tr_hash(hash, &object.placement, sizeof object.placement);
        hash = tr_hash(hash, &object.tags, sizeof object.tags);
        hash = tr_hash(hash, object.name, strlen(object.name));
        const tr_trajectory *motion = tr_scene_trajectory(sample.scene, i);
        for (int j = 0; motion && j < 240; j++) {
            tr_transform place = tr_trajectory_sample(motion, 0.25 * j);
            hash = tr_hash(hash, &place, sizeof place);
        }
    }
    tr_scene_destroy(sample.scene);
    return hash;
}

TEST(scenes_for_behaviors_have_the_same_bits_everywhere) {
    for (uint32_t i = 0; i < SCENES; i++) {
        CHECK_HASH(hash_of(&(tr_sample_def){.name = scenes[i].name}), scenes[i].hash);
        CHECK_HASH(hash_of(&(tr_sample_def){.name = scenes[i].name, .seed = 1}), scenes[i].seed_1_hash);
    }
}

TEST(scenes_for_behaviors_meet_any_number_of_triangles_that_is_enough) {
    for (uint32_t i = 0; i < SCENES; i++)
        for (uint32_t more = 0; more < 12; more++) {
            tr_sample sample;
            uint32_t wish = more ? scenes[i].triangles + more * more : 0;
            REQUIRE(make(&(tr_sample_def){.name = scenes[i].name, .triangles = wish}, &sample));
            CHECK_INT(tr_scene_triangle_count(sample.scene), wish ? wish : scenes[i].triangles);
            tr_scene_destroy(sample.scene);
        }
}

// --- What is met along a line, in doubles ---

static double side_of(const double a[3], const double b[3], const double p[3], int u, int v) {
    return (b[u] - a[u]) * (p[v] - a[v]) - (b[v] - a[v]) * (p[u] - a[u]);
}

// The first point of an object on the way from `from` along an axis; INFINITY: none.
static double meet(const tr_scene *scene, uint32_t number, tr_vec3 from, int axis, double sign) {
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    const double origin[3] = {(double)from.x, (double)from.y, (double)from.z};
    tr_object_view object = tr_scene_object(scene, number);
    tr_mesh_view mesh = tr_scene_mesh(scene, object.mesh);
    double nearest = INFINITY;
    for (uint32_t i = 0; i < mesh.triangle_count; i++) {
        double p[3][3], area[3], whole = 0, at = 0;
        for (int k = 0; k < 3; k++) {
            tr_vec3 c = tr_affine_apply(&object.placement, mesh.positions[mesh.indices[3 * i + (uint32_t)k]]);
            p[k][0] = (double)c.x, p[k][1] = (double)c.y, p[k][2] = (double)c.z;
        }
        for (int k = 0; k < 3; k++) {
            area[k] = side_of(p[(k + 1) % 3], p[(k + 2) % 3], origin, u, v);
            whole += area[k];
            at += area[k] * p[k][axis];
        }
        bool inside =
            (area[0] >= 0 && area[1] >= 0 && area[2] >= 0) || (area[0] <= 0 && area[1] <= 0 && area[2] <= 0);
        double away = inside && whole != 0 ? (at / whole - origin[axis]) * sign : -1;
        if (away >= 0 && away < nearest)
            nearest = away;
    }
    return nearest;
}

static double meet_any(const tr_scene *scene, tr_vec3 from, int axis, double sign) {
    double nearest = INFINITY;
    for (uint32_t i = 0; i < tr_scene_object_count(scene); i++)
        nearest = fmin(nearest, meet(scene, i, from, axis, sign));
    return nearest;
}

static uint32_t find(const tr_sample *sample, const char *name) {
    uint32_t object = tr_scene_find(sample->scene, name);
    if (object == TR_NONE)
        test_failed(__FILE__, __LINE__, "no object \"%s\"", name);
    return object;
}

TEST(every_field_is_closed_by_a_border_and_its_start_and_goal_are_free) {
    for (uint32_t i = 0; i < SCENES; i++)
        for (uint64_t seed = 0; seed < SEEDS; seed++) {
            tr_sample sample;
            REQUIRE(make(&(tr_sample_def){.name = scenes[i].name, .seed = seed}, &sample));
            const tr_vec3 places[2] = {sample.start, sample.goal};
            uint32_t border = find(&sample, "border");
            for (int j = 0; j < 2; j++) {
                tr_vec3 above = tr_vec3_make(places[j].x, 9, places[j].z);
                CHECK_NEAR(meet_any(sample.scene, above, 1, -1), 9, 1e-5);
                for (int axis = 0; axis < 3; axis += 2)
                    for (int sign = -1; sign <= 1; sign += 2) {
                        tr_vec3 chest = tr_vec3_make(places[j].x + 0.01f, 1.3f, places[j].z + 0.01f);
                        CHECK(meet_any(sample.scene, chest, axis, sign) > 0.6);
                        CHECK(meet(sample.scene, border, chest, axis, sign) < INFINITY);
                    }
            }
            tr_scene_destroy(sample.scene);
        }
}

// The tight box of an object: those of the scene are larger where it is turned.
static tr_box box_of(const tr_scene *scene, uint32_t number) {
    tr_object_view object = tr_scene_object(scene, number);
    tr_mesh_view mesh = tr_scene_mesh(scene, object.mesh);
    tr_box box = tr_box_empty();
    for (uint32_t i = 0; i < mesh.position_count; i++)
        box = tr_box_include(box, tr_affine_apply(&object.placement, mesh.positions[i]));
    return box;
}

TEST(whatever_moves_stays_on_the_field_and_never_jumps) {
    for (uint32_t i = 0; i < SCENES; i++)
        for (uint64_t seed = 0; seed < 3; seed++) {
            tr_sample sample;
            tr_box before[64];
            REQUIRE(make(&(tr_sample_def){.name = scenes[i].name, .seed = seed}, &sample));
            uint32_t count = tr_scene_object_count(sample.scene);
            REQUIRE(count <= 64);
            for (int tick = 0; tick <= 70 * 30; tick++) {
                REQUIRE(tr_scene_set_time(sample.scene, tick / 30.0) == TR_OK);
                for (uint32_t j = 0; j < count; j++) {
                    if (!tr_scene_trajectory(sample.scene, j))
                        continue;
                    tr_box box = box_of(sample.scene, j), ground = sample.ground;
                    CHECK(box.min.x >= ground.min.x && box.max.x <= ground.max.x);
                    CHECK(box.min.z >= ground.min.z && box.max.z <= ground.max.z);
                    CHECK(box.min.y > -0.001f && box.min.y < 0.08f);
                    CHECK(!tick || tr_vec3_distance(box.min, before[j].min) < 0.5f);
                    CHECK(!tick || tr_vec3_distance(box.max, before[j].max) < 0.5f);
                    before[j] = box;
                }
            }
            tr_scene_destroy(sample.scene);
        }
}

TEST(the_straight_way_to_the_goal_leads_into_the_trap) {
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        tr_sample sample;
        REQUIRE(make(&(tr_sample_def){.name = "behaviors", .seed = seed}, &sample));
        uint32_t trap = find(&sample, "trap");
        tr_box box = tr_scene_object(sample.scene, trap).bounds;
        // Where the line crosses the open front and the closed back of the trap.
        for (int back = 0; back < 2; back++) {
            float z = back ? box.max.z : box.min.z;
            float part = (z - sample.start.z) / (sample.goal.z - sample.start.z);
            float x = sample.start.x + part * (sample.goal.x - sample.start.x);
            CHECK(x > box.min.x + 0.4f && x < box.max.x - 0.4f);
            tr_vec3 above = tr_vec3_make(x, 9, back ? z - 0.1f : z + 0.1f);
            double down = meet(sample.scene, trap, above, 1, -1);
            CHECK(back ? fabs(down - 7.2) < 1e-5 : down == INFINITY);
        }
        tr_scene_destroy(sample.scene);
    }
}

TEST(the_long_wall_has_a_part_to_crawl_under_and_a_part_to_jump_over) {
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        tr_sample sample;
        REQUIRE(make(&(tr_sample_def){.name = "behaviors", .seed = seed}, &sample));
        tr_box lintel = tr_scene_object(sample.scene, find(&sample, "lintel")).bounds;
        tr_box fallen = tr_scene_object(sample.scene, find(&sample, "log")).bounds;
        CHECK_NEAR((double)lintel.min.y, 1, 1e-6);
        CHECK_NEAR((double)fallen.max.y, 0.2, 0.02);
        CHECK(fallen.min.y > -0.001f);
        CHECK((lintel.max.x < fallen.min.x) == (seed % 2 == 0));
        const float z = 5;
        for (float x = -2.9f; x < 14.7f; x += 0.1f) { // what is met from above is wall, lintel or log
            double down = meet_any(sample.scene, tr_vec3_make(x, 9, z), 1, -1);
            bool is_log = x > fallen.min.x && x < fallen.max.x;
            CHECK_NEAR(9 - down, is_log ? 0.2 : 1.8, 0.02);
        }
        tr_scene_destroy(sample.scene);
    }
}

// --- The tree ---

// The height of the underside of the tree above the floor, along the gap; INFINITY: it is not above.
static double underside(const tr_sample *sample, uint32_t tree, float x) {
    return meet(sample->scene, tree, tr_vec3_make(x, -0.5f, 0.001f), 1, 1) - 0.5;
}

TEST(the_gap_is_free_until_the_tree_falls_and_then_shut_from_end_to_end) {
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        tr_sample sample;
        REQUIRE(make(&(tr_sample_def){.name = "falling_tree", .seed = seed}, &sample));
        uint32_t tree = find(&sample, "tree");
        const tr_trajectory *motion = tr_scene_trajectory(sample.scene, tree);
        double begin = tr_trajectory_begin(motion), end = tr_trajectory_end(motion);
        CHECK(begin >= 3.5 && begin <= 5.5 && end - begin > 1 && end - begin < 4);
        float side = seed / 3 % 2 ? 1 : -1;
        REQUIRE(tr_scene_set_time(sample.scene, begin) == TR_OK);
        bool leans = seed % 3 != 0;
        double free = leans ? 4.45 : 5.25;
        CHECK_NEAR(meet_any(sample.scene, tr_vec3_make(0, 0.5f, 0.001f), 0, 1) +
                       meet_any(sample.scene, tr_vec3_make(0, 0.5f, 0.001f), 0, -1),
                   free, 0.03);
        REQUIRE(tr_scene_set_time(sample.scene, end + 5) == TR_OK);
        tr_box box = box_of(sample.scene, tree);
        CHECK(box.max.x - box.min.x > 4.6f);
        CHECK(leans ? box.max.y > 1.6f : box.max.y < 0.3f);
        double top = seed % 3 == 1 ? 1.5 : 2.1;
        for (float part = 0.05f; part < 1; part += 0.05f) { // from the foot to the block
            double expected = leans ? (double)part * top : 0;
            CHECK_NEAR(underside(&sample, tree, side * (5.25f / 2 - part * 4.45f)), expected, 0.01);
        }
        tr_scene_destroy(sample.scene);
    }
}

TEST(the_tree_only_ever_falls) {
    for (uint64_t seed = 0; seed < 6; seed++) {
        tr_sample sample;
        REQUIRE(make(&(tr_sample_def){.name = "falling_tree", .seed = seed}, &sample));
        uint32_t tree = find(&sample, "tree");
        float height = INFINITY;
        for (int i = 0; i < 600; i++) {
            REQUIRE(tr_scene_set_time(sample.scene, i / 60.0) == TR_OK);
            tr_affine place = tr_scene_object(sample.scene, tree).placement;
            tr_vec3 tip = tr_affine_apply(&place, tr_vec3_make(0, 5.1f, 0));
            CHECK(tip.y <= height + 1e-4f);
            height = tip.y;
        }
        tr_scene_destroy(sample.scene);
    }
}

// --- The hill ---

TEST(the_hill_and_the_log_fill_the_direct_way_and_slopes_can_be_walked) {
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        tr_sample sample;
        REQUIRE(make(&(tr_sample_def){.name = "hill", .seed = seed}, &sample));
        uint32_t hill = find(&sample, "hill"), log = find(&sample, "log");
        double highest = 0;
        for (float z = -7.7f; z < 0.9f; z += 0.3f) {
            double before = 0;
            for (float x = -8.9f; x < -0.05f; x += 0.05f) {
                double height = 9 - meet(sample.scene, hill, tr_vec3_make(x, 9, z), 1, -1);
                CHECK(height >= 0 && fabs(height - before) <= 0.05 * 0.6);
                before = height;
                highest = fmax(highest, height);
            }
            CHECK_NEAR(9 - meet(sample.scene, log, tr_vec3_make(5.5f, 9, z), 1, -1), 0.2, 0.02);
        }
        CHECK(highest > 0.85 && highest <= 0.9);
        for (float x = -15.5f; x < 15.5f; x += 0.25f) // the way around is level
            CHECK_NEAR(meet_any(sample.scene, tr_vec3_make(x, 1, 1.8f), 1, -1), 1, 1e-5);
        tr_scene_destroy(sample.scene);
    }
}

// --- The hook ---

TEST(the_hook_shuts_the_gap_and_then_leaves_it_to_its_low_part) {
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        tr_sample sample;
        REQUIRE(make(&(tr_sample_def){.name = "hook", .seed = seed}, &sample));
        uint32_t hook = find(&sample, "hook");
        const tr_trajectory *motion = tr_scene_trajectory(sample.scene, hook);
        double begin = tr_trajectory_begin(motion), period = tr_trajectory_end(motion) - begin;
        for (int turn = 0; turn < 3; turn++) {
            REQUIRE(tr_scene_set_time(sample.scene, begin + period * (turn + 0.1)) == TR_OK);
            float x = tr_scene_object(sample.scene, hook).placement.m[0][3] + 0.01f;
            for (float z = -1.49f; z < 1.5f; z += 0.05f)
                CHECK_NEAR(9 - meet(sample.scene, hook, tr_vec3_make(x, 9, z), 1, -1), 0.15, 1e-5);
        }
        // At some moment of each period nothing low is left.
        double highest_least = 0;
        for (int i = 0; i < 200; i++) {
            REQUIRE(tr_scene_set_time(sample.scene, begin + period * i / 200.0) == TR_OK);
            double least = INFINITY;
            float x = tr_scene_object(sample.scene, hook).placement.m[0][3] + 0.01f;
            for (float z = -1.49f; z < 1.5f; z += 0.05f)
                least = fmin(least, 9 - meet(sample.scene, hook, tr_vec3_make(x, 9, z), 1, -1));
            highest_least = fmax(highest_least, least);
        }
        CHECK_NEAR(highest_least, 1.6, 1e-5);
        tr_scene_destroy(sample.scene);
    }
}

// --- What rolls ---

// The distance by which two things are apart, each taken as an upright cylinder.
static double apart(tr_box a, tr_box b) {
    double x = ((double)a.min.x + (double)a.max.x - (double)b.min.x - (double)b.max.x) / 2;
    double z = ((double)a.min.z + (double)a.max.z - (double)b.min.z - (double)b.max.z) / 2;
    return sqrt(x * x + z * z);
}

static double radius_of(const tr_sample *sample, uint32_t object) {
    tr_mesh_view mesh = tr_scene_mesh(sample->scene, tr_scene_object(sample->scene, object).mesh);
    return (double)(mesh.bounds.max.x - mesh.bounds.min.x) / 2;
}

static bool is_rolling(const tr_sample *sample, uint32_t object) {
    return tr_scene_trajectory(sample->scene, object) != NULL;
}

TEST(bodies_of_the_stampede_hardly_touch_and_come_to_rest) {
    for (uint64_t seed = 0; seed < 4; seed++) {
        tr_sample sample;
        REQUIRE(make(&(tr_sample_def){.name = "stampede", .seed = seed}, &sample));
        uint32_t rolling = 0, count = tr_scene_object_count(sample.scene);
        double end = 0, fastest = 0;
        for (uint32_t i = 0; i < count; i++)
            if (is_rolling(&sample, i)) {
                rolling++;
                end = fmax(end, tr_trajectory_end(tr_scene_trajectory(sample.scene, i)));
            }
        CHECK_INT(rolling, 14);
        CHECK(end > 10 && end < 60);
        tr_box before = tr_scene_object(sample.scene, 0).bounds;
        for (int tick = 0; tick < 60 * 10; tick++) {
            REQUIRE(tr_scene_set_time(sample.scene, tick / 10.0) == TR_OK);
            for (uint32_t i = 0; i < count; i++) {
                const char *name = tr_scene_object(sample.scene, i).name;
                bool is_post = strcmp(name, "post") == 0;
                for (uint32_t j = 0; j < i && (is_rolling(&sample, i) || is_post); j++)
                    if (is_rolling(&sample, j))
                        CHECK(apart(tr_scene_object(sample.scene, i).bounds,
                                    tr_scene_object(sample.scene, j).bounds) >
                              radius_of(&sample, i) + radius_of(&sample, j) - 0.1);
            }
            tr_box now = tr_scene_object(sample.scene, 0).bounds;
            fastest = fmax(fastest, 10 * apart(now, before));
            before = now;
        }
        CHECK(fastest > 2.5);
        tr_scene_destroy(sample.scene);
    }
}

TEST(a_crowd_field_has_a_square_metre_for_each_eight_hundredths_of_a_person) {
    static const uint32_t people[] = {1, 2, 9, 50, 100, 333, 1000, 10000};
    for (uint32_t i = 0; i < sizeof people / sizeof people[0]; i++) {
        tr_sample sample;
        REQUIRE(make(&(tr_sample_def){.name = "crowd_field", .people = people[i], .seed = i}, &sample));
        double side = (double)sample.ground.max.x - (double)sample.ground.min.x - 0.5; // within the border
        CHECK_NEAR(people[i] / (side * side), 0.08, 1e-4);
        uint32_t carts = 0;
        for (uint32_t j = 0; j < tr_scene_object_count(sample.scene); j++)
            carts += is_rolling(&sample, j);
        CHECK(people[i] < 50 || carts >= people[i] / 25);
        tr_scene_destroy(sample.scene);
    }
}

TEST(carts_of_a_crowd_field_meet_nothing) {
    for (uint64_t seed = 0; seed < 6; seed++) {
        tr_sample sample;
        REQUIRE(make(&(tr_sample_def){.name = "crowd_field", .people = 200, .seed = seed}, &sample));
        for (int tick = 0; tick < 300; tick++) {
            REQUIRE(tr_scene_set_time(sample.scene, tick * 0.2) == TR_OK);
            for (uint32_t i = 0; i < tr_scene_object_count(sample.scene); i++) {
                tr_box cart = tr_scene_object(sample.scene, i).bounds;
                for (uint32_t j = 0; j < tr_scene_object_count(sample.scene) && is_rolling(&sample, i); j++) {
                    tr_object_view other = tr_scene_object(sample.scene, j);
                    if (i == j || strcmp(other.name, "floor") == 0 || strcmp(other.name, "border") == 0)
                        continue;
                    CHECK(cart.min.x > other.bounds.max.x || cart.max.x < other.bounds.min.x ||
                          cart.min.z > other.bounds.max.z || cart.max.z < other.bounds.min.z);
                }
            }
        }
        tr_scene_destroy(sample.scene);
    }
}

static bool attempt_all(const tr_allocator *allocator) {
    for (uint32_t i = 0; i < SCENES; i++) {
        tr_sample_def def = {.name = scenes[i].name, .allocator = allocator, .people = i == 5 ? 30 : 0};
        tr_sample sample;
        tr_error error = {0};
        tr_status status = tr_sample_make(&def, &sample, &error);
        if (status != TR_OK) {
            CHECK_INT(status, TR_OUT_OF_MEMORY);
            CHECK(error.message[0] != 0);
            return false;
        }
        tr_scene_destroy(sample.scene);
    }
    return true;
}

TEST(every_allocation_may_fail_while_a_scene_for_behaviors_is_made) {
    CHECK(CHECK_EVERY_ALLOCATION_FAILURE(attempt_all) > 100);
}
