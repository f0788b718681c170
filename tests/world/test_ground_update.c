// Updates: the same bits as a new ground, whatever moved; and a failed one changes nothing.
#include "little.h"
#include "world/ground_data.h"

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
}

// A scene of boxes, and the same without those of `exclude`.
typedef struct box_scene {
    tr_box boxes[BOXES];
    tr_affine places[BOXES];
    uint64_t exclude;
} box_scene;

static tr_scene *make_scene(const box_scene *boxes, uint64_t exclude) {
    tr_scene *scene = NULL;
    CHECK_INT(tr_scene_create(NULL, &scene), TR_OK);
    little_box(scene, little_make_box(0, -0.1f, 0, 8, 0, 8), 0);
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

TEST(an_update_gives_the_bits_of_a_new_ground) {
    tr_random random = tr_random_seed(11);
    tr_raster *raster = little_raster(0);
    for (int world = 0; world < 12; world++) {
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
