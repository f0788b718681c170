// Places are drawn from the free cells of zones: rectangles of a scene at one height, of which the largest
// connected piece counts. So no person is placed where the others cannot be reached.
#include "troupe/world/sample_crowd.h"
#include "sample_crowd_zones.h"
#include "troupe/base/random.h"
#include "troupe/base/scalar.h"

#include <string.h>

#define PEOPLE_MOST 100000
#define CLEAR 0.4f      // from walls and furniture
#define APART 0.8f      // starts from starts, goals from goals
#define AWAY 6.0f       // distance of a goal in the zone of the start, if the zone is large enough
#define HEAD 2.0f       // head room above the floor
#define TRIES 2000      // places drawn for one person before the zone counts as full
#define CELL 0.05f      // fine enough to see through a door of 1 m
#define CELLS_MOST 2000 // on the longer side of a zone
#define TRACK_SAMPLES 128

struct tr_sample_crowd {
    tr_allocator allocator;
    tr_sample_def scene_def;
    tr_sample scene;
    uint64_t seed;
    crowd_plan plan;
    crowd_cells cells[CROWD_ZONES_MAX];
    tr_sample_person *people;
    uint32_t count;
};

void tr_sample_crowd_destroy(tr_sample_crowd *crowd) {
    if (!crowd)
        return;
    tr_allocator allocator = crowd->allocator;
    for (uint32_t i = 0; i < CROWD_ZONES_MAX; i++)
        tr_release(&allocator, crowd->cells[i].cells, crowd->cells[i].capacity, sizeof(uint32_t));
    tr_release(&allocator, crowd->people, crowd->count, sizeof *crowd->people);
    tr_scene_destroy(crowd->scene.scene);
    tr_release(&allocator, crowd, 1, sizeof *crowd);
}

static float centimetres(float metres) {
    return floorf(metres * 100 + 0.5f) / 100;
}

// A place of a zone, uniformly distributed.
static tr_vec3 draw_place(const tr_sample_crowd *crowd, uint32_t zone, tr_random *random) {
    const crowd_cells *cells = &crowd->cells[zone];
    uint32_t cell = cells->cells[tr_random_below(random, cells->count)];
    tr_vec2 centre = tr_grid_centre(&cells->grid, cell % cells->grid.columns, cell / cells->grid.columns);
    float half = 0.45f * cells->grid.cell, x = tr_random_between(random, -half, half);
    float z = tr_random_between(random, -half, half);
    return tr_vec3_make(centimetres(centre.x + x), crowd->plan.zones[zone].min.y, centimetres(centre.z + z));
}

static float distance_squared(tr_vec3 a, tr_vec3 b) {
    tr_vec3 d = tr_vec3_subtract(a, b);
    return d.x * d.x + d.y * d.y + d.z * d.z;
}

static bool is_apart(const tr_sample_crowd *crowd, uint32_t placed, tr_vec3 place, bool of_goals) {
    float apart = crowd->plan.apart > 0 ? crowd->plan.apart : APART;
    for (uint32_t i = 0; i < placed; i++) {
        const tr_sample_person *other = &crowd->people[i];
        if (distance_squared(of_goals ? other->goal : other->start, place) < apart * apart)
            return false;
    }
    return true;
}

// The least distance of a goal from a start in the same zone.
static float least_way(tr_box zone) {
    float x = zone.max.x - zone.min.x, z = zone.max.z - zone.min.z, half = (x > z ? x : z) / 2;
    return half < AWAY ? half : AWAY;
}

static bool place_person(tr_sample_crowd *crowd, uint32_t index, tr_random *random) {
    tr_sample_person *person = &crowd->people[index];
    crowd_trip trip = crowd_trip_of(&crowd->plan, index);
    float least = trip.from == trip.to ? least_way(crowd->plan.zones[trip.from]) : 0;
    bool started = false, fine = false;
    for (uint32_t i = 0; i < TRIES && !started; i++) {
        person->start = draw_place(crowd, trip.from, random);
        started = is_apart(crowd, index, person->start, false);
    }
    for (uint32_t i = 0; i < TRIES && started && !fine; i++) {
        person->goal = draw_place(crowd, trip.to, random);
        fine = distance_squared(person->goal, person->start) >= least * least &&
               is_apart(crowd, index, person->goal, true);
    }
    tr_vec3 ahead = tr_vec3_subtract(person->goal, person->start);
    person->heading = (float)tr_arc_tangent((double)ahead.x, (double)ahead.z);
    person->height = (float)(150 + 5 * tr_random_below(random, 10)) / 100;
    person->speed = (float)(100 + tr_random_below(random, 61)) / 100;
    person->group = trip.from;
    return fine;
}

static tr_status place_people(tr_sample_crowd *crowd, tr_error *error) {
    tr_random random = tr_random_seed(crowd->seed);
    crowd->people = tr_allocate_zero(&crowd->allocator, crowd->count, sizeof *crowd->people);
    if (!crowd->people)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for %u people", crowd->count);
    for (uint32_t i = 0; i < crowd->count; i++)
        if (!place_person(crowd, i, &random))
            return tr_fail(error, TR_INVALID, "there is room for %u people in \"%s\", %u requested", i,
                           crowd->scene_def.name, crowd->count);
    return TR_OK;
}

// Adds the free, unmarked neighbours of a cell to the end of the queue and marks them.
static void spread(const tr_bitmap *blocked, uint8_t *marks, crowd_cells *queue, uint32_t cell) {
    static const int step[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
    uint32_t columns = blocked->columns;
    for (int i = 0; i < 4; i++) {
        uint32_t column = cell % columns + (uint32_t)step[i][0], row = cell / columns + (uint32_t)step[i][1];
        if (column >= columns || row >= blocked->rows || tr_bitmap_get(blocked, column, row) ||
            marks[row * columns + column])
            continue;
        marks[row * columns + column] = 1;
        queue->cells[queue->count++] = row * columns + column;
    }
}

// The cells of the largest piece of free ground, in the order in which they were found. During the search all
// pieces lie one after the other in the queue; the largest is moved to its beginning.
static void keep_largest_piece(const tr_bitmap *blocked, uint8_t *marks, crowd_cells *queue) {
    uint32_t best = 0, best_count = 0, columns = blocked->columns;
    queue->count = 0;
    for (uint32_t cell = 0; cell < columns * blocked->rows; cell++) {
        if (marks[cell] || tr_bitmap_get(blocked, cell % columns, cell / columns))
            continue;
        uint32_t first = queue->count;
        marks[cell] = 1;
        queue->cells[queue->count++] = cell;
        for (uint32_t next = first; next < queue->count; next++)
            spread(blocked, marks, queue, queue->cells[next]);
        if (queue->count - first > best_count) {
            best = first;
            best_count = queue->count - first;
        }
    }
    memmove(queue->cells, queue->cells + best, best_count * sizeof *queue->cells);
    queue->count = best_count;
}

// Marks the cells within `reach` of a point.
static void mark_disc(const tr_grid *grid, uint8_t *marks, tr_vec3 at, float reach) {
    float column = (at.x - grid->origin.x) / grid->cell, row = (at.z - grid->origin.z) / grid->cell;
    float radius = reach / grid->cell, most[2] = {(float)grid->columns, (float)grid->rows};
    uint32_t first[2] = {column > radius ? (uint32_t)(column - radius) : 0,
                         row > radius ? (uint32_t)(row - radius) : 0};
    for (uint32_t r = first[1]; (float)r < row + radius && (float)r < most[1]; r++)
        for (uint32_t c = first[0]; (float)c < column + radius && (float)c < most[0]; c++) {
            float x = (float)c + 0.5f - column, z = (float)r + 0.5f - row;
            if (x * x + z * z <= radius * radius)
                marks[r * grid->columns + c] = 1;
        }
}

// Marks the cells that objects on their trajectories come near at any time: nobody is to wait there.
static void mark_tracks(const tr_scene *scene, const tr_grid *grid, float clear, uint8_t *marks) {
    for (uint32_t i = 0; i < tr_scene_object_count(scene); i++) {
        const tr_trajectory *motion = tr_scene_trajectory(scene, i);
        tr_object_view object = tr_scene_object(scene, i);
        if (!motion || object.removed)
            continue;
        tr_vec3 half = tr_vec3_scale(tr_vec3_subtract(object.bounds.max, object.bounds.min), 0.5f);
        double begin = tr_trajectory_begin(motion), length = tr_trajectory_end(motion) - begin;
        float reach = sqrtf(half.x * half.x + half.z * half.z) + clear;
        for (uint32_t k = 0; k <= TRACK_SAMPLES; k++) {
            double time = begin + length * k / TRACK_SAMPLES;
            mark_disc(grid, marks, tr_trajectory_sample(motion, time).position, reach);
        }
    }
}

static tr_status find_cells(tr_sample_crowd *crowd, uint32_t zone, tr_raster *raster, tr_error *error) {
    tr_box box = crowd->plan.zones[zone];
    crowd_cells *cells = &crowd->cells[zone];
    tr_occupancy_def def = tr_occupancy_def_default(box.min.y);
    tr_occupancy *occupancy = NULL;
    float side =
        box.max.x - box.min.x > box.max.z - box.min.z ? box.max.x - box.min.x : box.max.z - box.min.z;
    float cell = side > CELL * CELLS_MOST ? side / CELLS_MOST : CELL;
    uint8_t *marks = NULL;
    def.allocator = &crowd->allocator;
    def.band.high = box.min.y + HEAD;
    def.radius = crowd->plan.clear > 0 ? crowd->plan.clear : CLEAR;
    // Obstacles just outside the zone keep people away, too: the grid gets a margin, which is removed again.
    tr_status status = tr_grid_cover(box, cell, def.radius + cell, 0, &def.grid, error);
    if (status == TR_OK)
        status = tr_occupancy_create(&def, &occupancy, error);
    if (status == TR_OK)
        status = tr_occupancy_build(occupancy, raster, crowd->scene.scene, error);
    uint32_t count = def.grid.columns * def.grid.rows;
    if (status == TR_OK) {
        marks = tr_allocate_zero(&crowd->allocator, count, 1);
        if (!marks || !tr_reserve(&crowd->allocator, (void **)&cells->cells, &cells->capacity, count,
                                  sizeof *cells->cells))
            status = tr_fail(error, TR_OUT_OF_MEMORY, "no memory for %u cells of free ground", count);
    }
    if (status == TR_OK) {
        cells->grid = def.grid;
        for (uint32_t i = 0; i < count; i++) {
            tr_vec2 at = tr_grid_centre(&def.grid, i % def.grid.columns, i / def.grid.columns);
            marks[i] = at.x < box.min.x || at.x > box.max.x || at.z < box.min.z || at.z > box.max.z;
        }
        if (crowd->plan.off_tracks)
            mark_tracks(crowd->scene.scene, &def.grid, def.radius, marks);
        keep_largest_piece(tr_occupancy_blocked(occupancy), marks, cells);
        if (cells->count == 0)
            status = tr_fail(error, TR_INVALID, "\"%s\" has no free place", crowd->scene_def.name);
    }
    tr_release(&crowd->allocator, marks, count, 1);
    tr_occupancy_destroy(occupancy);
    return status;
}

static tr_status find_places(tr_sample_crowd *crowd, tr_error *error) {
    tr_raster_def def = {.allocator = &crowd->allocator, .backend = TR_RASTER_SOFT};
    tr_raster *raster = NULL;
    tr_status status = tr_raster_create(&def, &raster, error);
    for (uint32_t i = 0; i < crowd->plan.zone_count && status == TR_OK; i++)
        status = find_cells(crowd, i, raster, error);
    tr_raster_destroy(raster);
    return status;
}

static tr_status check(const tr_sample_crowd_def *def, const crowd_kind **kind, tr_error *error) {
    if (!def || !def->kind)
        return tr_fail(error, TR_INVALID, "the crowd has no kind");
    *kind = crowd_kind_find(def->kind);
    if (!*kind)
        return tr_fail(error, TR_NOT_FOUND,
                       "unknown crowd \"%.64s\"; available: corridor, door, swap, crossing, bridge, plaza, "
                       "office, maze, house, stairs, falling_tree, stampede, crowd_field",
                       def->kind);
    if (def->people > PEOPLE_MOST)
        return tr_fail(error, TR_INVALID, "a crowd of %u people requested, it must be 1 to %u", def->people,
                       PEOPLE_MOST);
    return TR_OK;
}

tr_status tr_sample_crowd_create(const tr_sample_crowd_def *def, tr_sample_crowd **crowd, tr_error *error) {
    const crowd_kind *kind = NULL;
    tr_status status = check(def, &kind, error);
    if (status == TR_OK && !crowd)
        status = tr_fail(error, TR_INVALID, "the pointer that receives the crowd is NULL");
    if (status != TR_OK)
        return status;
    tr_allocator allocator = tr_allocator_or_default(def->allocator);
    tr_sample_crowd *made = tr_allocate_zero(&allocator, 1, sizeof *made);
    if (!made)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for the crowd \"%s\"", kind->name);
    made->allocator = allocator;
    made->seed = def->seed;
    made->count = def->people ? def->people : kind->people;
    made->scene_def = (tr_sample_def){.name = kind->scene, .width = def->width, .length = def->length};
    if (kind->sized_for_people)
        made->scene_def.people = made->count;
    tr_sample_def scene = made->scene_def;
    scene.allocator = &made->allocator;
    status = tr_sample_make(&scene, &made->scene, error);
    if (status == TR_OK) {
        kind->plan(&made->scene, &made->plan);
        status = find_places(made, error);
    }
    if (status == TR_OK)
        status = place_people(made, error);
    if (status == TR_OK)
        *crowd = made;
    else
        tr_sample_crowd_destroy(made);
    return status;
}

const tr_sample *tr_sample_crowd_scene(const tr_sample_crowd *crowd) {
    return &crowd->scene;
}

tr_sample_def tr_sample_crowd_scene_def(const tr_sample_crowd *crowd) {
    return crowd->scene_def;
}

const tr_sample_person *tr_sample_crowd_people(const tr_sample_crowd *crowd, uint32_t *count) {
    *count = crowd->count;
    return crowd->people;
}

tr_vec3 tr_sample_crowd_goal(const tr_sample_crowd *crowd, uint32_t person, uint32_t trip) {
    if (person >= crowd->count)
        return tr_vec3_make(0, 0, 0);
    if (trip == 0)
        return crowd->people[person].goal;
    crowd_trip way = crowd_trip_of(&crowd->plan, person);
    // Each trip of each person has its own random stream: goals do not depend on the order of arrivals.
    tr_random random = tr_random_seed(crowd->seed ^ (((uint64_t)person << 32 | trip) * 0x9e3779b97f4a7c15u));
    return draw_place(crowd, trip % 2 ? way.from : way.to, &random);
}
