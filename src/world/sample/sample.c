#include "behavior/sample_behavior.h"
#include "sample_reach.h"
#include "troupe/base/scalar.h"

#include <string.h>

// The numbers for the paper's scenes are those of Kuffner 1998, section 8.1. Scenes with a selectable size
// have any number of triangles by default (0).
static const sample_recipe recipes[] = {
    {"maze", "Kuffner's maze: walls and pillars, always solvable, any number of triangles exactly", 2780, 600,
     4000000, sample_maze_make},
    {"office", "Kuffner's office: rooms, desks, chairs to move about, any number of triangles exactly", 15320,
     8700, 4000000, sample_office_make},
    {"field", "an open field of scattered blocks, for scaling, any number of triangles exactly", 20000, 100,
     20000000, sample_field_make},
    {"edges", "hard cases for a rasteriser: walls without thickness, slivers, points, borders", 200, 200, 200,
     sample_edges_make},
    {"terrace", "things to step over and to duck under, on level ground", 672, 672, 672, sample_terrace_make},
    {"room", "one small room with a table, four chairs and a door: a good first scene", 470, 470, 470,
     sample_room_make},
    {"labyrinth",
     "Bandi's labyrinth: corridors, arches, a narrow way, a wide way, a lintel children fit under", 11400,
     11238, 4000000, sample_labyrinth_make},
    {"stairs", "Bandi's stairs: obstacles, one pit that can be crossed and one that cannot, an upper storey",
     3000, 2836, 4000000, sample_stairs_make},
    {"factory", "Bandi's factory: machines, tanks, pipes, a mezzanine with stairs, a catwalk, a ramp", 15000,
     14782, 4000000, sample_factory_make},
    {"house", "two-storey home: stairs, rooms, a footbridge with missing boards, a garden deck", 6400, 5994,
     4000000, sample_house_make},
    {"city", "four blocks of a city, 200 m a side: streets, buildings with stairs, a footbridge, cars, trees",
     300000, 268786, 20000000, sample_city_make},
    {"desk", "Liu and Badler's desk: a computer, a thermos, a teacup and much else within arm's reach", 34000,
     7634, 4000000, sample_desk_make},
    {"corridor", "two halls joined by a corridor of any width and length", 0, 12, 4000000,
     sample_corridor_make},
    {"door", "two rooms and one sliding door of any width between them", 0, 12, 4000000, sample_door_make},
    {"crossing", "two corridors of any width that cross, with arms of any length", 0, 12, 4000000,
     sample_crossing_make},
    {"plaza", "a square with trees, benches and a fountain, sized for a given number of people", 0, 12,
     20000000, sample_plaza_make},
    {"bridge", "a flat bridge of any width and length over a gap, and a cart", 0, 12, 4000000,
     sample_bridge_make},
    {"course", "lanes to watch bodies in: ramps, stairs, rough blocks, a narrow gap, bends, a track", 0, 12,
     4000000, sample_course_make},
    {"behaviors", "Lau and Kuffner's planning scene: a trap, and a wall to crawl under or jump over", 0, 12,
     4000000, sample_behaviors_make},
    {"falling_tree", "a tree falls across the only gap of a wall: jog past, wait, jump over or crawl under",
     0, 12, 4000000, sample_falling_tree_make},
    {"hill", "a hill and a log on the direct way, and a longer level way around them", 0, 12, 4000000,
     sample_hill_make},
    {"hook", "a hook slides to and fro in the only gap of a wall: wait for its low part and jump", 0, 12,
     4000000, sample_hook_make},
    {"stampede", "an open field with balls that roll and drums that slide, fast, until they rest", 0, 12,
     4000000, sample_stampede_make},
    {"crowd_field", "a field sized for a number of people, with things that stand and carts that move", 0, 12,
     20000000, sample_crowd_field_make},
    {"uneven", "Li's uneven terrain: blocks of other heights along a lane, to walk step by step", 0, 12,
     4000000, sample_uneven_make},
    {"trap", "Li's trap: a pit in a lane, to stride over; from inside there is no step out", 0, 12, 4000000,
     sample_trap_make},
    {"rough", "a lane of stairs, ramps, gaps, pits, rubble, stones and roots, others for each seed", 0, 12,
     4000000, sample_rough_make},
    {"trail",
     "an obstacle course for two: blocks, a gap, stones, a ramp, steps, hurdles, a pit, a slide, tables", 0,
     12, 4000000, sample_trail_make},
    {"passage", "Li's narrow passages: cabinets that a body passes with its waist turned", 0, 12, 4000000,
     sample_li_passage_make},
    {"slide", "Li's slide: a body bends its waist to walk under it", 0, 12, 4000000, sample_li_slide_make},
    {"tables", "Li's tables: a body flexes its arms to walk past their edges", 0, 12, 4000000,
     sample_li_table_make},
    {"shelves", "a bookcase of small compartments to reach into, some of which hold something", 0, 12,
     4000000, sample_shelves_make},
    {"box", "an open box to reach into, with things at its bottom", 0, 12, 4000000, sample_box_make},
    {"window", "a wall with an opening of 20 to 30 cm to reach through", 0, 12, 4000000, sample_window_make},
    {"ring", "a ring of 20 to 30 cm on a post, to reach through", 0, 12, 4000000, sample_ring_make},
    {"under_table", "a high table with things below it to reach for", 0, 12, 4000000,
     sample_under_table_make},
    {"parts", "a hundred random parts in the air, to reach between", 0, 12, 4000000, sample_parts_make},
    {"engine", "an engine bay with hoses, to reach down into", 0, 12, 4000000, sample_engine_make},
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
        return tr_fail(error, TR_INVALID, "the sample has no name");
    for (uint32_t i = 0; i < RECIPE_COUNT; i++)
        if (strcmp(def->name, recipes[i].name) == 0) {
            *recipe = &recipes[i];
            return TR_OK;
        }
    return tr_fail(
        error, TR_NOT_FOUND,
        "unknown sample \"%.64s\"; available: maze, office, field, edges, terrace, room, labyrinth, "
        "stairs, factory, house, city, desk, corridor, door, crossing, plaza, bridge, course, behaviors, "
        "falling_tree, hill, hook, stampede, crowd_field, uneven, trap, rough, trail, passage, slide, "
        "tables, shelves, box, window, ring, under_table, parts, engine",
        def->name);
}

static tr_status check_wish(const sample_recipe *recipe, uint32_t wish, tr_error *error) {
    if (wish == 0 || (wish >= recipe->least && wish <= recipe->most))
        return TR_OK;
    if (recipe->least == recipe->most)
        return tr_fail(error, TR_INVALID, "the sample \"%s\" always has %u triangles, %u requested",
                       recipe->name, recipe->least, wish);
    return tr_fail(error, TR_INVALID, "the sample \"%s\" can have %u to %u triangles, %u requested",
                   recipe->name, recipe->least, recipe->most, wish);
}

// The default sizes of each scene; 0: it has no such size.
static const struct own_size {
    const char *name;
    float width, length;
    uint32_t people;
} own_sizes[] = {
    {"corridor", 3, 12, 0}, {"door", 1, 0, 0},   {"crossing", 4, 12, 0},
    {"plaza", 0, 0, 100},   {"bridge", 3, 8, 0}, {"crowd_field", 0, 0, 100},
};

static tr_status take_metres(const char *sample, const char *what, float asked, float own, float low,
                             float high, float *metres, tr_error *error) {
    *metres = asked == 0 ? own : asked;
    if (asked == 0 || (own > 0 && asked >= low && asked <= high))
        return TR_OK;
    if (own == 0)
        return tr_fail(error, TR_INVALID, "the sample \"%s\" has no %s to set, %g requested", sample, what,
                       (double)asked);
    return tr_fail(error, TR_INVALID, "the %s of the sample \"%s\" is %g m, it must be %g to %g", what,
                   sample, (double)asked, (double)low, (double)high);
}

static tr_status take_sizes(const tr_sample_def *def, tr_sample *sample, tr_error *error) {
    struct own_size own = {.name = def->name};
    for (uint32_t i = 0; i < sizeof own_sizes / sizeof own_sizes[0]; i++)
        if (strcmp(def->name, own_sizes[i].name) == 0)
            own = own_sizes[i];
    tr_status status =
        take_metres(def->name, "width", def->width, own.width, 0.5f, 20, &sample->width, error);
    if (status == TR_OK)
        status = take_metres(def->name, "length", def->length, own.length, 1, 200, &sample->length, error);
    if (status != TR_OK)
        return status;
    sample->people = def->people ? def->people : own.people;
    if (def->people && !own.people)
        return tr_fail(error, TR_INVALID, "the sample \"%s\" does not depend on a number of people",
                       def->name);
    if (def->people > 100000)
        return tr_fail(error, TR_INVALID, "the sample \"%s\" is for %u people, it must be 1 to 100000",
                       def->name, def->people);
    return TR_OK;
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
        return tr_fail(error, TR_INVALID, "the pointer that receives the sample is NULL");
    sample_builder builder = {.name = recipe->name, .seed = def->seed, .error = error};
    status = take_sizes(def, &builder.sample, error);
    if (status != TR_OK)
        return status;
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

// A coordinate that keeps [low, high] (the object about its origin) inside [from, to]; the middle where that
// is impossible.
static float draw_place(tr_random *random, float from, float to, float low, float high) {
    const float margin = 0.001f; // well above any rounding error
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
        // The heights of sample objects never change and their placements are rotations about Y, so that the
        // new place depends on the seed alone and not on the old place.
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
