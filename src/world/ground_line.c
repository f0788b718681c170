// Straight lines over the mesh: from rectangle to rectangle, through their portals.
#include "ground_data.h"

#include <math.h>

// A line that comes so near to a corner may pass it on either side [cells]. Ways bend a little off corners,
// and points are rounded.
#define GRAZE (1.0 / 128)

typedef struct ground_line {
    const ground_size *size;
    double x, z, along_x, along_z; // from, and by how much to go [cells]
    uint32_t tile, rect;           // where it is
} ground_line;

static double position_at(const ground_line *line, uint32_t direction, double t) {
    return direction & 1 ? line->x + line->along_x * t : line->z + line->along_z * t;
}

// The portal of a side at a place of it, without a leap: of two that meet there the one that the line goes on
// to; where there is none, one that begins or ends nearby. NULL: there is none.
static const ground_portal *portal_at(const ground_line *line, uint32_t direction, double at) {
    const size_tile *tile = &line->size->tiles[line->tile];
    const ground_rect *rect = &tile->rects[line->rect];
    const ground_portal *first = tile->portals + rect->portals,
                        *portal = first + (direction ? rect->sides[direction - 1] : 0),
                        *end = first + rect->sides[direction], *found = NULL, *near = NULL;
    bool rising = (direction & 1 ? line->along_x : line->along_z) > 0;
    for (; portal < end && portal->begin <= at + GRAZE; portal++) {
        if (portal->steps > 1)
            continue;
        if (portal->begin <= at && at <= portal->end && (!found || rising))
            found = portal;
        else if (at <= portal->end + GRAZE)
            near = portal;
    }
    return found ? found : near;
}

// When the line leaves the rectangle over a side, as part of the line.
static double time_of(const ground_line *line, uint32_t direction) {
    const ground_rect *rect = &line->size->tiles[line->tile].rects[line->rect];
    if (direction & 1)
        return ((direction == 1 ? rect->z1 : rect->z0) - line->z) / line->along_z;
    return ((direction == 0 ? rect->x1 : rect->x0) - line->x) / line->along_x;
}

// To the next rectangle; false: the line ends before, or there is no way.
static bool go_on(ground_line *line) {
    double time[2] = {INFINITY, INFINITY};
    uint32_t sides[2] = {line->along_x > 0 ? 0 : 2, line->along_z > 0 ? 1 : 3};
    if (line->along_x != 0)
        time[0] = time_of(line, sides[0]);
    if (line->along_z != 0)
        time[1] = time_of(line, sides[1]);
    uint32_t first = time[0] <= time[1] ? 0 : 1;
    double length = fabs(line->along_x) + fabs(line->along_z);
    if (!((time[first] - 1) * length <= GRAZE))
        return false;
    const ground_portal *portal = portal_at(line, sides[first], position_at(line, sides[first], time[first]));
    if (!portal && (time[!first] - time[first]) * length <= GRAZE)
        portal = portal_at(line, sides[!first], position_at(line, sides[!first], time[!first]));
    if (!portal)
        return false;
    line->tile = portal->tile;
    line->rect = portal->rect;
    return true;
}

bool tr_ground_sees(const tr_ground *ground, uint32_t size, tr_vec3 from, tr_vec3 to) {
    if (size >= ground->size_count)
        return false;
    const ground_size *of = &ground->sizes[size];
    const tr_grid *grid = &ground->grid;
    ground_spot start = tr_ground_free_near(ground, of, from, of->body.foot_rise),
                end = tr_ground_free_near(ground, of, to, of->body.foot_rise);
    if (start.tile == TR_NONE || end.tile == TR_NONE)
        return false;
    ground_line line = {.size = of,
                        .x = ((double)from.x - grid->origin.x) / grid->cell,
                        .z = ((double)from.z - grid->origin.z) / grid->cell,
                        .along_x = ((double)to.x - from.x) / grid->cell,
                        .along_z = ((double)to.z - from.z) / grid->cell,
                        .tile = start.tile,
                        .rect = of->tiles[start.tile].rects_of[start.index]};
    uint32_t last = of->tiles[end.tile].rects_of[end.index];
    // Every rectangle is left once, over one of the lines between columns or rows.
    uint32_t most = 2 * (grid->columns + grid->rows) + 4;
    for (uint32_t i = 0; i < most; i++) {
        if (line.tile == end.tile && line.rect == last)
            return true;
        if (!go_on(&line))
            return false;
    }
    return false;
}
