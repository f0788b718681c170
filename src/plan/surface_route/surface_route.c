// Creating a surface route, the person in the surface's units, links. See surface_route_data.h.
#include "surface_route_data.h"
#include "troupe/base/scalar.h"

#include <math.h>
#include <string.h>

tr_ground_body tr_surface_route_body_of_height(float height) {
    tr_ground_body person = {height, 0, 0.5f * height, 0.25f * height};
    return person;
}

tr_surface_route_params tr_surface_route_params_default(void) {
    tr_surface_route_params params = {.method = TR_SURFACE_ROUTE_ASTAR,
                                      .path = 8,
                                      .border = TR_SURFACE_ROUTE_BORDER_AVOID,
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
        return tr_fail(error, TR_INVALID, "the foot rise is %g m, it must be less than the height of %g m",
                       person->foot_rise, person->height);
    return TR_OK;
}

// Head room is rounded down like that of the surface, so that a room of exactly the height is enough.
static tr_status measure_person(tr_surface_route *route, tr_error *error) {
    const tr_ground_body *person = &route->person;
    const tr_surface *surface = route->surface;
    route->grid = tr_surface_grid(surface)->grid;
    route->scale = tr_surface_scale_of(surface);
    for (uint32_t i = 0; i < 64; i++) {
        double units = i * route->scale.room / route->scale.unit + 1.0 / 64;
        route->rooms[i] = units < TR_SURFACE_ROUTE_NO_CEILING ? (uint32_t)units : TR_SURFACE_ROUTE_NO_CEILING;
    }
    route->room_most = route->rooms[63];
    route->rooms[63] = TR_SURFACE_ROUTE_NO_CEILING;
    uint32_t least = tr_surface_room(surface, person->height);
    route->stand_room = (uint8_t)least;
    route->need = least < 63 ? route->rooms[least] : route->room_most;
    route->rise = tr_surface_units(surface, person->foot_rise);
    double sine, cosine;
    tr_sin_cos(tr_surface_def_of(surface)->slope, &sine, &cosine);
    double slope = sine * (double)route->grid.cell,
           most = TR_SURFACE_ROUTE_NO_CEILING * route->scale.unit * cosine;
    // Each height was rounded up, by less than a unit.
    route->slope = slope < most ? (uint32_t)(slope / (cosine * route->scale.unit)) + 1
                                : (uint32_t)TR_SURFACE_ROUTE_NO_CEILING;
    double told = 63 * route->scale.room;
    if ((double)person->height + person->foot_rise > told * 1.0000001)
        return tr_fail(
            error, TR_LIMIT,
            "a person of %g m that steps up by %g m needs more than the %g m of head room that the "
            "surface stores: use a larger room_step",
            person->height, person->foot_rise, told);
    double cells = floor((double)person->foot_span / route->grid.cell + 1.0 / 1024);
    if (cells > TR_SURFACE_ROUTE_SPAN_MAX)
        return tr_fail(error, TR_LIMIT, "the foot span of %g m is %g cells, the limit is %d",
                       person->foot_span, cells, TR_SURFACE_ROUTE_SPAN_MAX);
    route->span = cells < 1 ? 1 : (uint32_t)cells;
    if (person->radius / route->grid.cell > TR_SURFACE_ROUTE_RADIUS_MAX)
        return tr_fail(error, TR_LIMIT, "the radius of %g m is more than %d cells", person->radius,
                       TR_SURFACE_ROUTE_RADIUS_MAX);
    return TR_OK;
}

// The usual number of cells of a path, and in a queue, for a surface of this many cells.
static uint32_t usual_path(uint32_t cells) {
    return 64 + 4 * (uint32_t)sqrt((double)cells);
}
static uint32_t usual_queue(uint32_t cells) {
    return usual_path(cells) + cells / 64;
}

static void forget(tr_surface_route *route) {
    memset(&route->result, 0, sizeof route->result);
    route->result.cells = route->path;
    route->result.goal = TR_NONE;
    route->border_is_marked = false;
    route->reached = route->border = 0;
    route->stamp = 0;
    tr_surface_route_effort_release(route);
}

bool tr_surface_route_path_reserve(tr_surface_route *route, uint64_t cells) {
    if (cells <= route->path_capacity)
        return true;
    tr_surface_route_cell *path =
        cells < UINT32_MAX ? tr_allocate(&route->allocator, cells, sizeof *path) : NULL;
    if (!path)
        return false;
    if (route->path_capacity > 0)
        memcpy(path, route->path, route->path_capacity * sizeof *path);
    tr_release(&route->allocator, route->path, route->path_capacity, sizeof *path);
    route->path = path;
    route->path_capacity = (uint32_t)cells;
    route->result.cells = path;
    return true;
}

static tr_surface_route_place drop(const tr_surface_route *route, tr_vec3 point) {
    tr_surface_place place = tr_surface_drop(route->surface, point, route->person.foot_rise);
    tr_surface_route_place none = {.cell = TR_NONE};
    tr_surface_route_place found = place.cell == TR_NONE ? none : tr_surface_route_place_of(&place, route);
    return found.cell != TR_NONE && tr_surface_route_stands(route, found.room) ? found : none;
}

static void mark_link_ends(tr_surface_route *route) {
    for (uint32_t i = 0; i < route->cell_count; i++)
        route->states[i] &= (uint8_t)~TR_SURFACE_ROUTE_IS_LINKED;
    for (uint32_t i = 0; i < route->link_count; i++) {
        route->ends[i] =
            (tr_surface_route_ends){drop(route, route->links[i].from), drop(route, route->links[i].to)};
        if (route->ends[i].from.cell == TR_NONE || route->ends[i].to.cell == TR_NONE)
            route->ends[i].from.cell = route->ends[i].to.cell = TR_NONE;
        else
            route->states[route->ends[i].from.cell] |= TR_SURFACE_ROUTE_IS_LINKED,
                route->states[route->ends[i].to.cell] |= TR_SURFACE_ROUTE_IS_LINKED;
    }
}

tr_status tr_surface_route_refresh(tr_surface_route *route, tr_error *error) {
    uint32_t cells = tr_surface_cell_count(route->surface), entries = usual_queue(cells);
    uint8_t *planes = tr_allocate_zero(&route->allocator, cells, 2);
    tr_surface_route_entry *queue = tr_allocate(&route->allocator, entries, sizeof *queue);
    if (!planes || !queue || !tr_surface_route_path_reserve(route, usual_path(cells))) {
        tr_release(&route->allocator, planes, cells, 2);
        tr_release(&route->allocator, queue, entries, sizeof *queue);
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for ways over %u cells", cells);
    }
    tr_release(&route->allocator, route->states, route->cell_count, 2);
    tr_release(&route->allocator, route->entries, route->entry_count, sizeof *queue);
    route->states = planes;
    route->costs = planes + cells;
    route->cell_count = cells;
    route->entries = queue;
    route->entry_count = entries;
    route->revision = tr_surface_revision(route->surface);
    forget(route);
    mark_link_ends(route);
    return TR_OK;
}

static tr_status check_def(const tr_surface_route_def *def, tr_error *error) {
    if (!def->surface)
        return tr_fail(error, TR_INVALID, "a surface route needs a surface");
    if (def->border_neighbours != 4 && def->border_neighbours != 8)
        return tr_fail(error, TR_INVALID, "border cells have %u neighbours, they must have 4 or 8",
                       def->border_neighbours);
    return check_person(&def->person, error);
}

tr_status tr_surface_route_create(const tr_surface_route_def *def, tr_surface_route **route,
                                  tr_error *error) {
    *route = NULL;
    tr_status status = check_def(def, error);
    if (status != TR_OK)
        return status;
    tr_allocator allocator = tr_allocator_or_default(def->allocator);
    tr_surface_route *made = tr_allocate_zero(&allocator, 1, sizeof *made);
    if (!made)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for a surface route");
    made->allocator = allocator;
    made->surface = def->surface;
    made->person = def->person;
    made->border_neighbours = def->border_neighbours;
    status = measure_person(made, error);
    if (status == TR_OK)
        status = tr_surface_route_refresh(made, error);
    if (status != TR_OK) {
        tr_surface_route_destroy(made);
        return status;
    }
    *route = made;
    return TR_OK;
}

void tr_surface_route_destroy(tr_surface_route *route) {
    if (!route)
        return;
    tr_surface_route_effort_release(route);
    tr_allocator allocator = route->allocator;
    tr_release(&allocator, route->states, route->cell_count, 2);
    tr_release(&allocator, route->entries, route->entry_count, sizeof *route->entries);
    tr_release(&allocator, route->path, route->path_capacity, sizeof *route->path);
    tr_release(&allocator, route->links, route->link_count, sizeof *route->links);
    tr_release(&allocator, route->ends, route->link_count, sizeof *route->ends);
    tr_release(&allocator, route, 1, sizeof *route);
}

static tr_status check_link(const tr_surface_route *route, const tr_ground_link *link, uint32_t number,
                            tr_error *error) {
    if (link->kind != TR_GROUND_DOOR && link->kind != TR_GROUND_LIFT && link->kind != TR_GROUND_LADDER &&
        link->kind != TR_GROUND_OTHER)
        return tr_fail(error, TR_INVALID, "link %u has kind %d, which does not exist", number,
                       (int)link->kind);
    if (!(link->cost >= 0) || link->cost > TR_SURFACE_ROUTE_LINK_STEPS_MAX * route->grid.cell)
        return tr_fail(error, TR_INVALID, "link %u costs %g m, it must be 0 to %g", number, link->cost,
                       TR_SURFACE_ROUTE_LINK_STEPS_MAX * route->grid.cell);
    const tr_vec3 ends[2] = {link->from, link->to};
    for (int i = 0; i < 2; i++)
        if (!tr_vec3_is_finite(ends[i]) || drop(route, ends[i]).cell == TR_NONE)
            return tr_fail(error, TR_INVALID,
                           "link %u %s (%g, %g, %g), which has no surface below to stand on", number,
                           i ? "leads to" : "begins at", ends[i].x, ends[i].y, ends[i].z);
    return TR_OK;
}

tr_status tr_surface_route_set_links(tr_surface_route *route, const tr_ground_link *links, uint32_t count,
                                     tr_error *error) {
    if (count > TR_GROUND_LINKS_MAX)
        return tr_fail(error, TR_LIMIT, "there are %u links, the limit is %d", count, TR_GROUND_LINKS_MAX);
    if (route->revision != tr_surface_revision(route->surface))
        return tr_fail(error, TR_INVALID, "the surface has changed: call tr_surface_route_refresh first");
    for (uint32_t i = 0; i < count; i++) {
        tr_status status = check_link(route, &links[i], i, error);
        if (status != TR_OK)
            return status;
    }
    tr_ground_link *kept = tr_allocate(&route->allocator, count, sizeof *kept);
    tr_surface_route_ends *ends = tr_allocate(&route->allocator, count, sizeof *ends);
    if (!kept || !ends) {
        tr_release(&route->allocator, kept, count, sizeof *kept);
        tr_release(&route->allocator, ends, count, sizeof *ends);
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for %u links", count);
    }
    if (count > 0)
        memcpy(kept, links, count * sizeof *kept);
    tr_release(&route->allocator, route->links, route->link_count, sizeof *kept);
    tr_release(&route->allocator, route->ends, route->link_count, sizeof *ends);
    route->links = kept;
    route->ends = ends;
    route->link_count = count;
    mark_link_ends(route);
    return TR_OK;
}

tr_status tr_surface_route_close_link(tr_surface_route *route, uint32_t link, bool closed) {
    if (link >= route->link_count)
        return TR_INVALID;
    route->links[link].closed = closed;
    return TR_OK;
}

uint64_t tr_surface_route_bytes(const tr_surface_route *route) {
    return sizeof *route + (uint64_t)route->cell_count * 2 + route->entry_count * sizeof *route->entries +
           route->path_capacity * sizeof *route->path +
           route->link_count * (sizeof *route->links + sizeof *route->ends);
}

const tr_surface *tr_surface_route_surface(const tr_surface_route *route) {
    return route->surface;
}

const tr_ground_body *tr_surface_route_person(const tr_surface_route *route) {
    return &route->person;
}
