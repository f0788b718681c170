#include "world/sample_storey.h"
#include "troupe/base/scalar.h"

#include <string.h>

// The numbers of the paper's scenes are those of Kuffner 1998, section 8.1.
static const sample_recipe recipes[] = {
    {"maze", "Kuffner's maze: walls and pillars, always solvable, any number of triangles exactly", 2780, 600,
     4000000, sample_maze_make},
    {"office", "Kuffner's office: rooms, desks, chairs to move about, any number of triangles exactly", 15320,
     8700, 4000000, sample_office_make},
    {"field", "an open field of scattered blocks, for scaling, any number of triangles exactly", 20000, 100,
     20000000, sample_field_make},
    {"edges", "what breaks a careless rasteriser: walls without thickness, slivers, points, borders", 200,
     200, 200, sample_edges_make},
    {"terrace", "things to step over and to duck under, on level ground", 672, 672, 672, sample_terrace_make},
    {"room", "one small room with a table, four chairs and a door: where to begin", 470, 470, 470,
     sample_room_make},
    {"labyrinth", "Bandi's labyrinth: corridors, arches, a narrow way and a wide one, a lintel for children",
     11400, 11238, 4000000, sample_labyrinth_make},
    {"stairs", "Bandi's stairs: obstacles, a pit that can be crossed, one that cannot, a storey above", 3000,
     2836, 4000000, sample_stairs_make},
    {"factory", "Bandi's factory: machines, tanks, pipes, a mezzanine with stairs, a catwalk, a ramp", 15000,
     14782, 4000000, sample_factory_make},
    {"house", "two storeys to live in: stairs, rooms, a footbridge that lacks boards, a deck in the garden",
     6400, 5994, 4000000, sample_house_make},
    {"city", "four blocks of a city, 200 m a side: streets, buildings with stairs, a footbridge, cars, trees",
     300000, 268786, 20000000, sample_city_make},
    {"desk", "Liu and Badler's desk: a computer, a thermos, a teacup and much else within an arm's length",
     34000, 7634, 4000000, sample_desk_make},
};
#define RECIPE_COUNT (sizeof recipes / sizeof recipes[0])

uint32_t tr_sample_count(void) {
    return RECIPE_COUNT;
}

const char *tr_sample_name(uint32_t index) {
    return index < RECIPE_COUNT ? recipes[index].name : NULL;
}

const char *tr_sample_summary(uint32_t index) {
    return index < RECIPE_COUNT ? recipes[index].summary : NULL;
}

static tr_status find_recipe(const tr_sample_def *def, const sample_recipe **recipe, tr_error *error) {
    if (!def || !def->name)
        return tr_fail(error, TR_INVALID, "no sample is named");
    for (uint32_t i = 0; i < RECIPE_COUNT; i++)
        if (strcmp(def->name, recipes[i].name) == 0) {
            *recipe = &recipes[i];
            return TR_OK;
        }
    return tr_fail(
        error, TR_NOT_FOUND,
        "there is no sample \"%.64s\"; there are maze, office, field, edges, terrace, room, labyrinth, "
        "stairs, factory, house, city and desk",
        def->name);
}

static tr_status check_wish(const sample_recipe *recipe, uint32_t wish, tr_error *error) {
    if (wish == 0 || (wish >= recipe->least && wish <= recipe->most))
        return TR_OK;
    if (recipe->least == recipe->most)
        return tr_fail(error, TR_INVALID, "the sample \"%s\" always has %u triangles, %u were asked for",
                       recipe->name, recipe->least, wish);
    return tr_fail(error, TR_INVALID,
                   "the sample \"%s\" can be made of %u to %u triangles, %u were asked for", recipe->name,
                   recipe->least, recipe->most, wish);
}

static void release_shape(sample_shape *shape) {
    tr_release(&shape->allocator, shape->positions, shape->position_capacity, sizeof *shape->positions);
    tr_release(&shape->allocator, shape->indices, shape->index_capacity, sizeof *shape->indices);
}

tr_status tr_sample_make(const tr_sample_def *def, tr_sample *sample, tr_error *error) {
    const sample_recipe *recipe = NULL;
    tr_status status = find_recipe(def, &recipe, error);
    if (status == TR_OK)
        status = check_wish(recipe, def->triangles, error);
    if (status != TR_OK)
        return status;
    if (!sample)
        return tr_fail(error, TR_INVALID, "there is no place to put the sample");
    sample_builder builder = {.seed = def->seed, .error = error};
    builder.wish = def->triangles ? def->triangles : recipe->triangles;
    builder.random = tr_random_seed(def->seed);
    builder.shape.allocator = tr_allocator_or_default(def->allocator);
    sample_shape_home(&builder.shape);
    status = tr_scene_create(def->allocator, &builder.sample.scene);
    if (status != TR_OK)
        return tr_fail(error, status, "no memory for the sample \"%s\"", recipe->name);
    recipe->make(&builder);
    release_shape(&builder.shape);
    if (builder.status != TR_OK) {
        tr_scene_destroy(builder.sample.scene);
        return builder.status;
    }
    *sample = builder.sample;
    return TR_OK;
}

// A coordinate that keeps [low, high] (the thing about its origin) inside [from, to]; the middle where it
// cannot.
static float draw_place(tr_random *random, float from, float to, float low, float high) {
    const float margin = 0.001f; // well above what rounding can add
    float first = from - low + margin, last = to - high - margin;
    float drawn = tr_random_between(random, first, last);
    return first < last ? drawn : (from + to) / 2 - (low + high) / 2;
}

tr_status tr_sample_shuffle(const tr_sample *sample, uint64_t seed) {
    if (!sample || !sample->scene)
        return TR_INVALID;
    tr_random random = tr_random_seed(seed);
    for (uint32_t i = 0; i < sample->movable_count; i++) {
        uint32_t object = sample->first_movable + i;
        tr_object_view view = tr_scene_object(sample->scene, object);
        if (view.removed)
            continue;
        // The heights of sample objects never change and their placements are turns about Y, so that the new
        // place depends on the seed alone and not on where the object was.
        double heading = 2 * TR_PI * (double)tr_random_unit(&random);
        tr_affine placement = tr_affine_place(tr_vec3_make(0, view.placement.m[1][3], 0), heading);
        tr_box box = tr_affine_apply_box(&placement, tr_scene_mesh(sample->scene, view.mesh).bounds);
        tr_box ground = sample->ground;
        placement.m[0][3] = draw_place(&random, ground.min.x, ground.max.x, box.min.x, box.max.x);
        placement.m[2][3] = draw_place(&random, ground.min.z, ground.max.z, box.min.z, box.max.z);
        tr_status status = tr_scene_place(sample->scene, object, &placement);
        if (status != TR_OK)
            return status;
    }
    return TR_OK;
}
