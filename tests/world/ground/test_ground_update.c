// Updates: the same bits as a new ground, whatever moved; and a failed one changes nothing.
#include "world/little.h"
#include "troupe/base/hash.h"
#include "world/ground/ground_data.h"

#define BOXES 14

static tr_ground_def small_def(float cell) {
    tr_ground_def def = tr_ground_def_default();
    def.area = little_make_box(0, -0.5f, 0, 8, 4, 8);
    def.cell = cell;
    def.layer = 0.1f;
    return def;
}

static tr_affine random_place(tr_random *random) {
    static const float heights[6] = {0, 0, 0, 0.2f, 2.2f, -0.2f};
    return little_move(tr_random_between(random, -1, 7), heights[tr_random_below(random, 6)],
                       tr_random_between(random, -1, 7));
}

static tr_box random_box(tr_random *random) {
    static const float tops[5] = {0.15f, 0.3f, 0.6f, 1.2f, 0.05f};
    return little_make_box(0, 0, 0, tr_random_between(random, 0.1f, 2), tops[tr_random_below(random, 5)],
                           tr_random_between(random, 0.1f, 2));
}

static bool same_size(const tr_ground *a, const tr_ground *b, const ground_size *x, const ground_size *y) {
    bool same = x->rect_total == y->rect_total && x->portal_total == y->portal_total &&
                x->vertex_total == y->vertex_total && x->label_count == y->label_count &&
                memcmp(x->labels, y->labels, x->rect_total * sizeof *x->labels) == 0 &&
                memcmp(x->joined, y->joined, x->label_count * sizeof *x->joined) == 0;
    for (uint32_t i = 0; same && i < a->tile_count; i++) {
        const size_tile *s = &x->tiles[i], *t = &y->tiles[i];
        same = s->cell_count == t->cell_count && s->rect_count == t->rect_count &&
               s->portal_count == t->portal_count && s->vertex_count == t->vertex_count &&
               s->first_rect == t->first_rect && s->first_portal == t->first_portal &&
               s->first_vertex == t->first_vertex && memcmp(s->ways, t->ways, s->cell_count) == 0 &&
               memcmp(s->rects_of, t->rects_of, s->cell_count * sizeof *s->rects_of) == 0 &&
               memcmp(s->rects, t->rects, s->rect_count * sizeof *s->rects) == 0 &&
               memcmp(s->portals, t->portals, s->portal_count * sizeof *s->portals) == 0;
    }
    (void)b;
    return same;
}

static bool same_ground(const tr_ground *a, const tr_ground *b) {
    bool same = a->tile_count == b->tile_count && a->size_count == b->size_count;
    for (uint32_t i = 0; same && i < a->tile_count; i++) {
        const ground_tile *s = &a->tiles[i], *t = &b->tiles[i];
        same = s->count == t->count && s->first == t->first &&
               memcmp(s->offsets, t->offsets, GROUND_OFFSETS * sizeof *s->offsets) == 0 &&
               memcmp(s->heights, t->heights, s->count * sizeof *s->heights) == 0 &&
               memcmp(s->rooms, t->rooms, s->count) == 0;
    }
    for (uint32_t k = 0; same && k < a->size_count; k++)
        same = same_size(a, b, &a->sizes[k], &b->sizes[k]);
    return same;
}

static void add_sizes(tr_ground *ground) {
    tr_ground_body adult = tr_ground_body_of_height(1.8f), child = tr_ground_body_of_height(1.1f);
    child.radius = 0.2f;
    uint32_t size;
    CHECK_INT(tr_ground_add_size(ground, &adult, &size, NULL), TR_OK);
    CHECK_INT(size, 0);
    CHECK_INT(tr_ground_add_size(ground, &child, &size, NULL), TR_OK);
    CHECK_INT(size, 1);
    CHECK_INT(tr_ground_add_size(ground, &adult, &size, NULL), TR_OK);
    CHECK_INT(size, 0); // the same body, the same number
    adult.radius = 0.15f;
    CHECK_INT(tr_ground_add_size(ground, &adult, &size, NULL), TR_OK);
    CHECK_INT(size, 2); // it leads where the first one does
}

// A scene of boxes, and the same without those of `exclude`.
typedef struct box_scene {
    tr_box boxes[BOXES];
    tr_affine places[BOXES];
    uint64_t exclude;
    float side; // of the floor [m]; 0: 8
} box_scene;

static tr_scene *make_scene(const box_scene *boxes, uint64_t exclude) {
    tr_scene *scene = NULL;
    CHECK_INT(tr_scene_create(NULL, &scene), TR_OK);
    float side = boxes->side > 0 ? boxes->side : 8;
    little_box(scene, little_make_box(0, -0.1f, 0, side, 0, side), 0);
    for (uint32_t i = 0; i < BOXES; i++)
        if (!(exclude >> (i + 1) & 1))
            little_object(scene, little_box_mesh(scene, boxes->boxes[i]), boxes->places[i], 0);
    return scene;
}

static void compare(const tr_ground *ground, const tr_ground_def *def, tr_raster *raster,
                    const box_scene *boxes, uint64_t round) {
    tr_scene *scene = make_scene(boxes, boxes->exclude);
    tr_ground *fresh = NULL;
    tr_error error = {.message = ""};
    if (tr_ground_create(def, raster, scene, &fresh, &error) == TR_OK) {
        add_sizes(fresh);
        if (!same_ground(ground, fresh))
            test_failed(__FILE__, __LINE__, "differs from a new ground in round %d", (int)round);
    } else {
        test_failed(__FILE__, __LINE__, "%s", error.message);
    }
    tr_ground_destroy(fresh);
    tr_scene_destroy(scene);
}

// Moves some boxes, takes some in and out.
static void shuffle(tr_random *random, box_scene *boxes, tr_scene *scene) {
    uint32_t moves = 1 + tr_random_below(random, 3);
    for (uint32_t i = 0; i < moves; i++) {
        uint32_t box = tr_random_below(random, BOXES);
        if (tr_random_below(random, 4) == 0) {
            boxes->exclude ^= (uint64_t)1 << (box + 1);
        } else {
            boxes->places[box] = random_place(random);
            CHECK_INT(tr_scene_place(scene, box + 1, &boxes->places[box]), TR_OK);
        }
    }
}

// Boxes all over a floor are taken away, until most of it is even: nothing was known of that floor when the
// ground was made, and a new one knows it at once.
TEST(a_floor_that_is_cleared_has_the_bits_of_one_that_was_always_even) {
    tr_random random = tr_random_seed(12);
    tr_raster *raster = little_raster(0);
    for (int world = 0; world < 8; world++) {
        box_scene boxes = {.exclude = 0, .side = 16};
        tr_ground_def def = small_def(0.1f);
        def.area.max.x = def.area.max.z = boxes.side;
        for (uint32_t i = 0; i < BOXES; i++) {
            boxes.boxes[i] = random_box(&random);
            boxes.places[i] =
                little_move(tr_random_between(&random, 0, 15), 0, tr_random_between(&random, 0, 15));
        }
        tr_scene *scene = make_scene(&boxes, 0);
        tr_ground *ground = NULL;
        REQUIRE(tr_ground_create(&def, raster, scene, &ground, NULL) == TR_OK);
        add_sizes(ground);
        while (boxes.exclude != ((uint64_t)2 << BOXES) - 2) {
            boxes.exclude |= (uint64_t)2 << tr_random_below(&random, BOXES);
            CHECK_INT(tr_ground_update(ground, raster, scene, &boxes.exclude, BOXES + 1, NULL), TR_OK);
            compare(ground, &def, raster, &boxes, boxes.exclude);
        }
        tr_ground_destroy(ground);
        tr_scene_destroy(scene);
    }
    tr_raster_destroy(raster);
}

TEST(an_update_gives_the_bits_of_a_new_ground) {
    tr_random random = tr_random_seed(11);
    tr_raster *raster = little_raster(0);
    for (int world = 0; world < 40; world++) {
        box_scene boxes = {.exclude = 0};
        for (uint32_t i = 0; i < BOXES; i++) {
            boxes.boxes[i] = random_box(&random);
            boxes.places[i] = random_place(&random);
        }
        tr_scene *scene = make_scene(&boxes, 0);
        tr_ground_def def = small_def(world & 1 ? 0.1f : 0.25f);
        tr_ground *ground = NULL;
        REQUIRE(tr_ground_create(&def, raster, scene, &ground, NULL) == TR_OK);
        add_sizes(ground);
        for (uint64_t round = 0; round < 25; round++) {
            shuffle(&random, &boxes, scene);
            CHECK_INT(tr_ground_update(ground, raster, scene, &boxes.exclude, BOXES + 1, NULL), TR_OK);
            compare(ground, &def, raster, &boxes, round);
        }
        tr_ground_destroy(ground);
        tr_scene_destroy(scene);
    }
    tr_raster_destroy(raster);
}

// A copy of all that a ground knows, to be compared later.
static uint64_t hash_ground(const tr_ground *ground) {
    uint64_t hash = TR_HASH_START;
    for (uint32_t i = 0; i < ground->tile_count; i++) {
        const ground_tile *tile = &ground->tiles[i];
        hash = tr_hash(hash, tile->heights, tile->count * sizeof *tile->heights);
        hash = tr_hash(hash, tile->rooms, tile->count);
        for (uint32_t k = 0; k < ground->size_count; k++) {
            const size_tile *of = &ground->sizes[k].tiles[i];
            hash = tr_hash(hash, of->ways, of->cell_count);
            hash = tr_hash(hash, of->rects_of, of->cell_count * sizeof *of->rects_of);
            hash = tr_hash(hash, of->rects, of->rect_count * sizeof *of->rects);
            hash = tr_hash(hash, of->portals, of->portal_count * sizeof *of->portals);
            hash = tr_hash(hash, &of->first_rect, sizeof of->first_rect);
        }
    }
    for (uint32_t k = 0; k < ground->size_count; k++)
        hash = tr_hash(hash, ground->sizes[k].labels, ground->sizes[k].rect_total * sizeof(uint32_t));
    return hash;
}

static bool fail_with_sizes(tr_ground *ground, tr_scene *scene, tr_raster *raster) {
    tr_ground_body adult = tr_ground_body_of_height(1.8f);
    tr_ground_link link = {TR_GROUND_DOOR, {1, 0, 1}, {7, 0, 7}, true, false, 1};
    uint32_t size;
    if (tr_ground_add_size(ground, &adult, &size, NULL) != TR_OK ||
        tr_ground_set_links(ground, &link, 1, NULL) != TR_OK)
        return false;
    uint64_t before = hash_ground(ground);
    tr_affine place = little_move(5, 0, 3);
    CHECK_INT(tr_scene_place(scene, 1, &place), TR_OK);
    if (tr_ground_update(ground, raster, scene, NULL, 0, NULL) == TR_OK)
        return true;
    CHECK(hash_ground(ground) == before); // as it was
    return false;
}

static bool attempt(const tr_allocator *allocator) {
    tr_scene *scene = NULL;
    tr_raster *raster = little_raster(0);
    tr_ground *ground = NULL;
    CHECK_INT(tr_scene_create(NULL, &scene), TR_OK);
    little_box(scene, little_make_box(0, -0.1f, 0, 8, 0, 8), 0);
    little_object(scene, little_box_mesh(scene, little_make_box(0, 0, 0, 1, 1, 1)), little_move(2, 0, 2), 0);
    tr_ground_def def = small_def(0.25f);
    def.allocator = allocator;
    bool done = tr_ground_create(&def, raster, scene, &ground, NULL) == TR_OK &&
                fail_with_sizes(ground, scene, raster);
    tr_ground_destroy(ground);
    tr_raster_destroy(raster);
    tr_scene_destroy(scene);
    return done;
}

TEST(an_update_without_memory_leaves_the_ground_as_it_was) {
    CHECK(CHECK_EVERY_ALLOCATION_FAILURE(attempt) > 40);
}

TEST(changes_are_told_apart) {
    tr_scene *scene = NULL;
    tr_raster *raster = little_raster(0);
    tr_ground *ground = NULL;
    CHECK_INT(tr_scene_create(NULL, &scene), TR_OK);
    little_box(scene, little_make_box(0, -0.1f, 0, 20, 0, 20), 0);
    for (int i = 0; i < 2; i++)
        little_object(scene, little_box_mesh(scene, little_make_box(0, 0, 0, 0.5f, 1, 0.5f)),
                      little_move(2 + 14 * (float)i, 0, 2 + 14 * (float)i), 0);
    tr_ground_def def = tr_ground_def_default();
    def.cell = 0.1f;
    REQUIRE(tr_ground_create(&def, raster, scene, &ground, NULL) == TR_OK);
    tr_ground_body body = tr_ground_body_of_height(1.8f);
    uint32_t size, count;
    CHECK_INT(tr_ground_add_size(ground, &body, &size, NULL), TR_OK);
    uint64_t revision = tr_ground_revision(ground);
    CHECK_INT(tr_ground_update(ground, raster, scene, NULL, 0, NULL), TR_OK);
    tr_ground_changes(ground, &count);
    CHECK_INT(count, 0);
    CHECK(tr_ground_revision(ground) == revision);
    for (uint32_t i = 1; i < 3; i++) {
        tr_affine place = little_move(2 + 14 * (float)(i - 1), 0, 2.3f + 14 * (float)(i - 1));
        CHECK_INT(tr_scene_place(scene, i, &place), TR_OK);
    }
    CHECK_INT(tr_ground_update(ground, raster, scene, NULL, 0, NULL), TR_OK);
    const tr_cells *changes = tr_ground_changes(ground, &count);
    CHECK_INT(count, 2);
    for (uint32_t i = 0; i < count; i++)
        CHECK(tr_cells_area(changes[i]) < 30 * 30);
    CHECK(tr_ground_revision(ground) > revision);
    tr_ground_destroy(ground);
    tr_raster_destroy(raster);
    tr_scene_destroy(scene);
}
