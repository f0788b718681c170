// A solid that follows its scene: whatever moved, came, went or changed its tags, the answers are those of
// every triangle as it is now.
#include "solid_oracle.h"
#include "test.h"

#include <math.h>
#include <string.h>

#define HIDDEN TR_TAG_CHARACTER

typedef struct stand {
    test_memory memory;
    tr_scene *scene;
    tr_solid *solid;
    tr_random random;
} stand;

static void set_up(stand *s, uint64_t seed, uint32_t objects, bool grid) {
    *s = (stand){.random = tr_random_seed(seed)};
    tr_scene_create(NULL, &s->scene);
    for (uint32_t i = 0; i < objects; i++)
        add_random_object(s->scene, &s->random, 10 + 7 * i, 0.4f, i == 1 ? HIDDEN : 0);
    tr_allocator allocator = test_memory_allocator(&s->memory);
    tr_solid_def def = tr_solid_def_default(s->scene);
    def.allocator = &allocator;
    def.exclude_tags = HIDDEN;
    def.clearance_cell = grid ? 0.1f : 0;
    def.clearance_box = (tr_box){{-1, -1, -1}, {1, 1, 1}};
    CHECK_INT(tr_solid_create(&def, &s->solid, NULL), TR_OK);
}

static void tear_down(stand *s) {
    tr_solid_destroy(s->solid);
    tr_scene_destroy(s->scene);
    CHECK_INT(s->memory.live_bytes, 0);
}

static void check_answers(stand *s, uint32_t questions) {
    oracle of = oracle_make(s->scene, HIDDEN);
    CHECK_INT(tr_solid_count(s->solid).triangles, of.count);
    for (uint32_t i = 0; i < questions; i++) {
        tr_vec3 a, b;
        random_line(&s->random, &of, 1, &a, &b);
        float truth = oracle_distance(&of, a, b), radius = 0.1f * tr_random_unit(&s->random);
        tr_solid_hit hit = {TR_NONE, TR_NONE, a, b};
        float distance = tr_solid_distance(s->solid, a, b, INFINITY, &hit);
        CHECK(distance == truth);
        CHECK(of.count == 0 || !(tr_scene_object(s->scene, hit.object).tags & HIDDEN));
        tr_solid_capsule capsule = {a, b, radius};
        CHECK_INT(tr_solid_touches(s->solid, &capsule), truth <= radius);
        float clearance = tr_solid_clearance(s->solid, &capsule, 0.05f);
        CHECK_INT(clearance < 0, truth <= radius);
        CHECK(clearance <= truth - radius + 1e-6f * truth || truth <= radius);
        CHECK(clearance >= 0.05f || clearance >= 0.5f * (truth - radius) || truth <= radius);
    }
    oracle_free(&of);
}

static void update(stand *s, tr_box *changed) {
    CHECK_INT(tr_solid_update(s->solid, changed, NULL), TR_OK);
}

static void move(stand *s, uint32_t object) {
    tr_affine placement = random_placement(&s->random, 0.5f);
    CHECK_INT(tr_scene_place(s->scene, object, &placement), TR_OK);
}

static void check_motions(uint64_t seed, bool grid) {
    stand s;
    set_up(&s, seed, 6, grid);
    check_answers(&s, 40);
    CHECK_INT(tr_solid_count(s.solid).trees, 1);
    for (int round = 0; round < 12; round++) {
        for (uint32_t i = tr_random_below(&s.random, 3); i > 0; i--)
            move(&s, tr_random_below(&s.random, 6));
        update(&s, NULL);
        check_answers(&s, 60);
    }
    CHECK(tr_solid_count(s.solid).trees > 1);
    tear_down(&s);
}

TEST(refitted_trees_answer_as_trees_built_anew) {
    for (uint64_t seed = 1; seed <= 6; seed++)
        check_motions(seed, false);
}

TEST(a_grid_of_clearances_stays_right_while_things_move) {
    for (uint64_t seed = 11; seed <= 16; seed++)
        check_motions(seed, true);
}

TEST(many_things_move_at_once) {
    stand s;
    set_up(&s, 17, 18, true);
    for (int round = 0; round < 3; round++) {
        for (uint32_t i = 0; i < 18; i++)
            move(&s, i);
        tr_scene_set_tags(s.scene, 9 + (uint32_t)round, HIDDEN);
        update(&s, NULL);
        CHECK_INT(tr_solid_count(s.solid).trees, 17 - round);
        check_answers(&s, 60);
    }
    tear_down(&s);
}

TEST(only_the_first_move_allocates) {
    stand s;
    set_up(&s, 21, 5, true);
    move(&s, 3);
    update(&s, NULL);
    uint64_t calls = s.memory.calls;
    for (int i = 0; i < 20; i++) {
        move(&s, 3);
        update(&s, NULL);
        check_answers(&s, 5);
    }
    CHECK_INT(s.memory.calls, calls);
    tear_down(&s);
}

TEST(the_box_of_what_changed_holds_where_it_was_and_where_it_is) {
    stand s;
    set_up(&s, 22, 4, false);
    tr_box changed;
    update(&s, &changed);
    CHECK(tr_box_is_empty(changed));
    tr_box before = tr_scene_object(s.scene, 2).bounds;
    tr_affine placement = tr_affine_place(tr_vec3_make(5, 0, 0), 1);
    CHECK_INT(tr_scene_place(s.scene, 2, &placement), TR_OK);
    update(&s, &changed);
    tr_box both = tr_box_union(before, tr_scene_object(s.scene, 2).bounds);
    CHECK(memcmp(&changed, &both, sizeof both) == 0);
    CHECK_INT(tr_scene_set_tags(s.scene, 3, TR_TAG_NO_STEP), TR_OK);
    update(&s, &changed);
    CHECK(tr_box_is_empty(changed)); // such a tag moves nothing
    tear_down(&s);
}

TEST(objects_come_go_and_hide) {
    stand s;
    set_up(&s, 23, 5, true);
    add_random_object(s.scene, &s.random, 30, 0.5f, 0);
    update(&s, NULL);
    check_answers(&s, 60);
    tr_scene_set_tags(s.scene, 1, 0); // shown for the first time
    tr_scene_set_tags(s.scene, 2, HIDDEN);
    tr_scene_set_tags(s.scene, 5, HIDDEN);
    update(&s, NULL);
    check_answers(&s, 60);
    tr_scene_set_tags(s.scene, 2, 0);
    tr_scene_set_tags(s.scene, 5, 0);
    move(&s, 5);
    update(&s, NULL);
    check_answers(&s, 60);
    for (uint32_t i = 0; i < 6; i++) {
        CHECK_INT(tr_scene_remove_object(s.scene, i), TR_OK);
        update(&s, NULL);
        check_answers(&s, 30);
    }
    CHECK_INT(tr_solid_count(s.solid).triangles, 0);
    tear_down(&s);
}

TEST(an_object_with_a_trajectory_has_its_own_tree_from_the_start) {
    tr_scene *scene = NULL;
    tr_scene_create(NULL, &scene);
    tr_random random = tr_random_seed(24);
    uint32_t object = add_random_object(scene, &random, 20, 0.5f, 0);
    const double times[2] = {0, 1};
    tr_transform keys[2] = {tr_transform_identity(), tr_transform_identity()};
    keys[1].position.x = 1;
    tr_trajectory_def def = {.times = times, .transforms = keys, .count = 2};
    CHECK_INT(tr_scene_set_trajectory(scene, object, &def, NULL), TR_OK);
    stand s = {.scene = scene, .random = random};
    tr_allocator allocator = test_memory_allocator(&s.memory);
    tr_solid_def solid_def = tr_solid_def_default(scene);
    solid_def.allocator = &allocator;
    CHECK_INT(tr_solid_create(&solid_def, &s.solid, NULL), TR_OK);
    CHECK_INT(tr_solid_count(s.solid).trees, 2);
    uint64_t calls = s.memory.calls;
    for (int i = 0; i <= 10; i++) {
        CHECK_INT(tr_scene_set_time(scene, 0.1 * i), TR_OK);
        update(&s, NULL);
        check_answers(&s, 20);
    }
    CHECK_INT(s.memory.calls, calls);
    tear_down(&s);
}

// --- Drawn objects ---

typedef struct drawing {
    tr_vec3 corners[30];
    uint32_t triangles;
} drawing;

static void emit(void *user, tr_triangle_sink *sink) {
    const drawing *d = user;
    uint32_t first = d->triangles / 2; // in two goes
    sink->take(sink, d->corners, first);
    sink->take(sink, d->corners + 3 * first, d->triangles - first);
}

static float drawing_distance(const drawing *d, tr_vec3 a, tr_vec3 b, uint32_t *nearest) {
    float best = INFINITY;
    for (uint32_t i = 0; i < d->triangles; i++) {
        float squared = tr_distance_segment_triangle(a, b, &d->corners[3 * i], NULL, NULL);
        if (squared < best)
            best = squared, *nearest = i;
    }
    return sqrtf(best);
}

static void check_drawing(const tr_solid *solid, const drawing *d, tr_random *random) {
    for (int i = 0; i < 50; i++) {
        tr_vec3 a = random_point(random, 1), b = random_point(random, 1);
        uint32_t nearest = TR_NONE;
        float truth = drawing_distance(d, a, b, &nearest);
        tr_solid_hit hit = {0, TR_NONE, a, b};
        float distance = tr_solid_distance(solid, a, b, INFINITY, &hit);
        CHECK(distance == truth);
        CHECK(truth == 0 || hit.triangle == nearest); // at 0 several may be crossed
    }
}

TEST(drawn_objects_are_taken_as_they_are_drawn) {
    tr_random random = tr_random_seed(31);
    drawing d = {.triangles = 10};
    for (int i = 0; i < 30; i++)
        d.corners[i] = random_point(&random, 0.9f);
    tr_box bounds = {{-1, -1, -1}, {1, 1, 1}};
    tr_drawn_def def = {.bounds = bounds, .user = &d, .emit = emit};
    stand s = {.memory = {0}};
    uint32_t object;
    tr_scene_create(NULL, &s.scene);
    CHECK_INT(tr_scene_add_drawn(s.scene, &def, &object, NULL), TR_OK);
    tr_allocator allocator = test_memory_allocator(&s.memory);
    tr_solid_def solid_def = tr_solid_def_default(s.scene);
    solid_def.allocator = &allocator;
    CHECK_INT(tr_solid_create(&solid_def, &s.solid, NULL), TR_OK);
    check_drawing(s.solid, &d, &random);
    uint64_t calls = s.memory.calls;
    for (int round = 0; round < 5; round++) { // it bends
        for (int i = 0; i < 30; i++)
            d.corners[i] = random_point(&random, 0.9f);
        tr_scene_touch(s.scene, object, bounds);
        update(&s, NULL);
        check_drawing(s.solid, &d, &random);
    }
    CHECK_INT(s.memory.calls, calls);
    d.triangles = 6;
    tr_scene_touch(s.scene, object, bounds);
    update(&s, NULL);
    check_drawing(s.solid, &d, &random);

    drawing good = d;
    tr_error error;
    d.corners[4].y = NAN;
    tr_scene_touch(s.scene, object, bounds);
    CHECK_INT(tr_solid_update(s.solid, NULL, &error), TR_INVALID);
    CHECK_CONTAINS(error.message, "not finite or outside its bounds");
    check_drawing(s.solid, &good, &random); // what was there stays
    d = good;
    CHECK_INT(tr_solid_update(s.solid, NULL, &error), TR_OK);
    check_drawing(s.solid, &good, &random);
    tear_down(&s);
}
