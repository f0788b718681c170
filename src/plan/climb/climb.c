// Making a climb, the person in the surface's units, links. See climb_data.h.
#include "climb_data.h"
#include "troupe/base/scalar.h"

#include <math.h>
#include <string.h>

tr_ground_body tr_climb_body_of_height(float height) {
    tr_ground_body person = {height, 0, 0.5f * height, 0.25f * height};
    return person;
}

tr_climb_params tr_climb_params_default(void) {
    tr_climb_params params = {.method = TR_CLIMB_ASTAR,
                              .path = 8,
                              .border = TR_CLIMB_BORDER_AVOID,
                              .links = TR_GROUND_DOOR | TR_GROUND_LIFT | TR_GROUND_OTHER,
                              .up = 4,
                              .down = 1,
                              .drop = INFINITY,
                              .reach = 1};
    return params;
}

static tr_status check_length(const char *what, float value, bool may_be_zero, tr_error *error) {
    if (isfinite(value) && (may_be_zero ? value >= 0 : value > 0))
        return TR_OK;
    return tr_fail(error, TR_INVALID, "the person's %s is %g m, it must be %s 0", what, value,
                   may_be_zero ? "at least" : "above");
}

static tr_status check_person(const tr_ground_body *person, tr_error *error) {
    tr_status status;
    if ((status = check_length("height", person->height, false, error)) != TR_OK ||
        (status = check_length("foot span", person->foot_span, false, error)) != TR_OK ||
        (status = check_length("foot rise", person->foot_rise, true, error)) != TR_OK ||
        (status = check_length("radius", person->radius, true, error)) != TR_OK)
        return status;
    if (!(person->foot_rise < person->height))
        return tr_fail(error, TR_INVALID, "the foot rises by %g m, it must be less than the height of %g m",
                       person->foot_rise, person->height);
    return TR_OK;
}

// Head room is rounded down like the surface's own, so that a room of exactly the height is enough.
static tr_status measure_person(tr_climb *climb, tr_error *error) {
    const tr_ground_body *person = &climb->person;
    const tr_surface *surface = climb->surface;
    climb->grid = tr_surface_grid(surface)->grid;
    climb->scale = tr_surface_scale_of(surface);
    for (uint32_t i = 0; i < 64; i++) {
        double units = i * climb->scale.room / climb->scale.unit + 1.0 / 64;
        climb->rooms[i] = units < TR_CLIMB_NO_CEILING ? (uint32_t)units : TR_CLIMB_NO_CEILING;
    }
    climb->room_most = climb->rooms[63];
    climb->rooms[63] = TR_CLIMB_NO_CEILING;
    uint32_t least = tr_surface_room(surface, person->height);
    climb->stand_room = (uint8_t)least;
    climb->need = least < 63 ? climb->rooms[least] : climb->room_most;
    climb->rise = tr_surface_units(surface, person->foot_rise);
    double sine, cosine;
    tr_sin_cos(tr_surface_def_of(surface)->slope, &sine, &cosine);
    double slope = sine * (double)climb->grid.cell, most = TR_CLIMB_NO_CEILING * climb->scale.unit * cosine;
    // Each height was rounded up, by less than a unit.
    climb->slope =
        slope < most ? (uint32_t)(slope / (cosine * climb->scale.unit)) + 1 : (uint32_t)TR_CLIMB_NO_CEILING;
    double told = 63 * climb->scale.room;
    if ((double)person->height + person->foot_rise > told * 1.0000001)
        return tr_fail(
            error, TR_LIMIT,
            "a person of %g m that steps up by %g m needs more than the %g m of head room that the "
            "surface knows of: give it a larger room_step",
            person->height, person->foot_rise, told);
    double cells = floor((double)person->foot_span / climb->grid.cell + 1.0 / 1024);
    if (cells > TR_CLIMB_SPAN_MAX)
        return tr_fail(error, TR_LIMIT, "the foot span of %g m is %g cells, %d are the most",
                       person->foot_span, cells, TR_CLIMB_SPAN_MAX);
    climb->span = cells < 1 ? 1 : (uint32_t)cells;
    if (person->radius / climb->grid.cell > TR_CLIMB_RADIUS_MAX)
        return tr_fail(error, TR_LIMIT, "the radius of %g m is more than %d cells", person->radius,
                       TR_CLIMB_RADIUS_MAX);
    return TR_OK;
}

// How many cells a path has, and how many wait in a queue, that are usual for a surface of so many cells.
static uint32_t usual_path(uint32_t cells) {
    return 64 + 4 * (uint32_t)sqrt((double)cells);
}
static uint32_t usual_queue(uint32_t cells) {
    return usual_path(cells) + cells / 64;
}

static void forget(tr_climb *climb) {
    memset(&climb->result, 0, sizeof climb->result);
    climb->result.cells = climb->path;
    climb->result.goal = TR_NONE;
    climb->border_is_marked = false;
    climb->reached = climb->border = 0;
    climb->stamp = 0;
    tr_climb_effort_release(climb);
}

bool tr_climb_path_reserve(tr_climb *climb, uint64_t cells) {
    if (cells <= climb->path_capacity)
        return true;
    tr_climb_cell *path = cells < UINT32_MAX ? tr_allocate(&climb->allocator, cells, sizeof *path) : NULL;
    if (!path)
        return false;
    if (climb->path_capacity > 0)
        memcpy(path, climb->path, climb->path_capacity * sizeof *path);
    tr_release(&climb->allocator, climb->path, climb->path_capacity, sizeof *path);
    climb->path = path;
    climb->path_capacity = (uint32_t)cells;
    climb->result.cells = path;
    return true;
}

static tr_climb_place drop(const tr_climb *climb, tr_vec3 point) {
    tr_surface_place place = tr_surface_drop(climb->surface, point, climb->person.foot_rise);
    tr_climb_place none = {.cell = TR_NONE};
    tr_climb_place found = place.cell == TR_NONE ? none : tr_climb_place_of(&place, climb);
    return found.cell != TR_NONE && tr_climb_stands(climb, found.room) ? found : none;
}

static void mark_link_ends(tr_climb *climb) {
    for (uint32_t i = 0; i < climb->cell_count; i++)
        climb->states[i] &= (uint8_t)~TR_CLIMB_IS_LINKED;
    for (uint32_t i = 0; i < climb->link_count; i++) {
        climb->ends[i] = (tr_climb_ends){drop(climb, climb->links[i].from), drop(climb, climb->links[i].to)};
        if (climb->ends[i].from.cell == TR_NONE || climb->ends[i].to.cell == TR_NONE)
            climb->ends[i].from.cell = climb->ends[i].to.cell = TR_NONE;
        else
            climb->states[climb->ends[i].from.cell] |= TR_CLIMB_IS_LINKED,
                climb->states[climb->ends[i].to.cell] |= TR_CLIMB_IS_LINKED;
    }
}

tr_status tr_climb_refresh(tr_climb *climb, tr_error *error) {
    uint32_t cells = tr_surface_cell_count(climb->surface), entries = usual_queue(cells);
    uint8_t *planes = tr_allocate_zero(&climb->allocator, cells, 2);
    tr_climb_entry *queue = tr_allocate(&climb->allocator, entries, sizeof *queue);
    if (!planes || !queue || !tr_climb_path_reserve(climb, usual_path(cells))) {
        tr_release(&climb->allocator, planes, cells, 2);
        tr_release(&climb->allocator, queue, entries, sizeof *queue);
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for ways over %u cells", cells);
    }
    tr_release(&climb->allocator, climb->states, climb->cell_count, 2);
    tr_release(&climb->allocator, climb->entries, climb->entry_count, sizeof *queue);
    climb->states = planes;
    climb->costs = planes + cells;
    climb->cell_count = cells;
    climb->entries = queue;
    climb->entry_count = entries;
    climb->revision = tr_surface_revision(climb->surface);
    forget(climb);
    mark_link_ends(climb);
    return TR_OK;
}

static tr_status check_def(const tr_climb_def *def, tr_error *error) {
    if (!def->surface)
        return tr_fail(error, TR_INVALID, "there is no surface to climb on");
    if (def->border_neighbours != 4 && def->border_neighbours != 8)
        return tr_fail(error, TR_INVALID, "border cells have %u neighbours, it must be 4 or 8",
                       def->border_neighbours);
    return check_person(&def->person, error);
}

tr_status tr_climb_create(const tr_climb_def *def, tr_climb **climb, tr_error *error) {
    *climb = NULL;
    tr_status status = check_def(def, error);
    if (status != TR_OK)
        return status;
    tr_allocator allocator = tr_allocator_or_default(def->allocator);
    tr_climb *made = tr_allocate_zero(&allocator, 1, sizeof *made);
    if (!made)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for a climb");
    made->allocator = allocator;
    made->surface = def->surface;
    made->person = def->person;
    made->border_neighbours = def->border_neighbours;
    status = measure_person(made, error);
    if (status == TR_OK)
        status = tr_climb_refresh(made, error);
    if (status != TR_OK) {
        tr_climb_destroy(made);
        return status;
    }
    *climb = made;
    return TR_OK;
}

void tr_climb_destroy(tr_climb *climb) {
    if (!climb)
        return;
    tr_climb_effort_release(climb);
    tr_allocator allocator = climb->allocator;
    tr_release(&allocator, climb->states, climb->cell_count, 2);
    tr_release(&allocator, climb->entries, climb->entry_count, sizeof *climb->entries);
    tr_release(&allocator, climb->path, climb->path_capacity, sizeof *climb->path);
    tr_release(&allocator, climb->links, climb->link_count, sizeof *climb->links);
    tr_release(&allocator, climb->ends, climb->link_count, sizeof *climb->ends);
    tr_release(&allocator, climb, 1, sizeof *climb);
}

static tr_status check_link(const tr_climb *climb, const tr_ground_link *link, uint32_t number,
                            tr_error *error) {
    if (link->kind != TR_GROUND_DOOR && link->kind != TR_GROUND_LIFT && link->kind != TR_GROUND_LADDER &&
        link->kind != TR_GROUND_OTHER)
        return tr_fail(error, TR_INVALID, "link %u has kind %d, there is no such one", number,
                       (int)link->kind);
    if (!(link->cost >= 0) || link->cost > TR_CLIMB_LINK_STEPS_MAX * climb->grid.cell)
        return tr_fail(error, TR_INVALID, "link %u costs %g m, it must be 0 to %g", number, link->cost,
                       TR_CLIMB_LINK_STEPS_MAX * climb->grid.cell);
    const tr_vec3 ends[2] = {link->from, link->to};
    for (int i = 0; i < 2; i++)
        if (!tr_vec3_is_finite(ends[i]) || drop(climb, ends[i]).cell == TR_NONE)
            return tr_fail(error, TR_INVALID,
                           "link %u %s (%g, %g, %g), where there is no surface below to stand on", number,
                           i ? "leads to" : "begins at", ends[i].x, ends[i].y, ends[i].z);
    return TR_OK;
}

tr_status tr_climb_set_links(tr_climb *climb, const tr_ground_link *links, uint32_t count, tr_error *error) {
    if (count > TR_GROUND_LINKS_MAX)
        return tr_fail(error, TR_LIMIT, "there are %u links, %d are the most", count, TR_GROUND_LINKS_MAX);
    if (climb->revision != tr_surface_revision(climb->surface))
        return tr_fail(error, TR_INVALID, "the surface has changed: tr_climb_refresh comes first");
    for (uint32_t i = 0; i < count; i++) {
        tr_status status = check_link(climb, &links[i], i, error);
        if (status != TR_OK)
            return status;
    }
    tr_ground_link *kept = tr_allocate(&climb->allocator, count, sizeof *kept);
    tr_climb_ends *ends = tr_allocate(&climb->allocator, count, sizeof *ends);
    if (!kept || !ends) {
        tr_release(&climb->allocator, kept, count, sizeof *kept);
        tr_release(&climb->allocator, ends, count, sizeof *ends);
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for %u links", count);
    }
    if (count > 0)
        memcpy(kept, links, count * sizeof *kept);
    tr_release(&climb->allocator, climb->links, climb->link_count, sizeof *kept);
    tr_release(&climb->allocator, climb->ends, climb->link_count, sizeof *ends);
    climb->links = kept;
    climb->ends = ends;
    climb->link_count = count;
    mark_link_ends(climb);
    return TR_OK;
}

tr_status tr_climb_close_link(tr_climb *climb, uint32_t link, bool closed) {
    if (link >= climb->link_count)
        return TR_INVALID;
    climb->links[link].closed = closed;
    return TR_OK;
}

uint64_t tr_climb_bytes(const tr_climb *climb) {
    return sizeof *climb + (uint64_t)climb->cell_count * 2 + climb->entry_count * sizeof *climb->entries +
           climb->path_capacity * sizeof *climb->path +
           climb->link_count * (sizeof *climb->links + sizeof *climb->ends);
}

const tr_surface *tr_climb_surface(const tr_climb *climb) {
    return climb->surface;
}

const tr_ground_body *tr_climb_person(const tr_climb *climb) {
    return &climb->person;
}
