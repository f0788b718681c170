// Straight lines over the mesh: from rectangle to rectangle, through their portals.
#include "ground_data.h"

#include <math.h>

// A line that comes this close to a corner may pass it on either side [cells]. Ways keep a little away from
// corners, and points are rounded.
#define GRAZE (1.0 / 128)

// A rectangle that the line may be in.
typedef struct line_place {
    uint32_t tile;
    uint16_t rect;
    uint32_t left; // the value of ground_line.left when it was found
} line_place;
#define CHOICES_MAX 8 // alternatives at corners that are remembered

typedef struct ground_line {
    const ground_size *size;
    double x, z, along_x, along_z; // start and displacement [cells]
    uint32_t tile, rect;           // the current rectangle
    uint32_t left;                 // rectangles that it may still cross
    line_place choices[CHOICES_MAX];
    uint32_t choice_count;
} ground_line;

static double position_at(const ground_line *line, uint32_t direction, double t) {
    return direction & 1 ? line->x + line->along_x * t : line->z + line->along_z * t;
}

static void remember(ground_line *line, const ground_portal *portal) {
    if (line->choice_count < CHOICES_MAX)
        line->choices[line->choice_count++] = (line_place){portal->tile, portal->rect, line->left};
}

// Remembers where the portals of a side lead at one position, without leaps: the best choice last. Portals
// that the line only comes close to are worse than one that it crosses.
static void look_at_side(ground_line *line, uint32_t direction, double at) {
    const size_tile *tile = &line->size->tiles[line->tile];
    const ground_rect *rect = &tile->rects[line->rect];
    const ground_portal *first = tile->portals + rect->portals,
                        *portal = first + (direction ? rect->sides[direction - 1] : 0),
                        *end = first + rect->sides[direction], *found = NULL;
    for (; portal < end && portal->begin <= at + GRAZE; portal++) {
        if (portal->steps > 1 || at > portal->end + GRAZE)
            continue;
        if (!found && portal->begin <= at && at <= portal->end)
            found = portal;
        else
            remember(line, portal);
    }
    if (found)
        remember(line, found);
}

// The parameter at which the line leaves the rectangle over a side.
static double time_of(const ground_line *line, uint32_t direction) {
    const ground_rect *rect = &line->size->tiles[line->tile].rects[line->rect];
    if (direction & 1)
        return ((direction == 1 ? rect->z1 : rect->z0) - line->z) / line->along_z;
    return ((direction == 0 ? rect->x1 : rect->x0) - line->x) / line->along_x;
}

// Moves to the next rectangle, or back to a remembered one; false: there is none.
static bool go_on(ground_line *line) {
    double time[2] = {INFINITY, INFINITY};
    uint32_t sides[2] = {line->along_x > 0 ? 0 : 2, line->along_z > 0 ? 1 : 3};
    if (line->along_x != 0)
        time[0] = time_of(line, sides[0]);
    if (line->along_z != 0)
        time[1] = time_of(line, sides[1]);
    uint32_t first = time[0] <= time[1] ? 0 : 1;
    double length = fabs(line->along_x) + fabs(line->along_z);
    if (line->left > 0 && (time[first] - 1) * length <= GRAZE) {
        line->left--;
        if ((time[!first] - time[first]) * length <= GRAZE)
            look_at_side(line, sides[!first], position_at(line, sides[!first], time[!first]));
        look_at_side(line, sides[first], position_at(line, sides[first], time[first]));
    }
    if (line->choice_count == 0)
        return false;
    const line_place *next = &line->choices[--line->choice_count];
    line->tile = next->tile;
    line->rect = next->rect;
    line->left = next->left;
    return true;
}

#define ROOM_STEP 0.1f // between two free places this close together everything is free [m]

float tr_ground_room(const tr_ground *ground, uint32_t size, tr_vec3 point, tr_vec2 direction, float most) {
    float room = 0;
    if (!(fabsf(direction.x) + fabsf(direction.z) > 0.5f)) // no direction, or NAN: the loop would never end
        return 0;
    for (float step = ROOM_STEP; room < most && step > 0.75f * TR_GROUND_ROOM_STEP;) {
        float next = room + step;
        tr_vec3 at = {point.x + direction.x * next, point.y, point.z + direction.z * next};
        bool free = tr_ground_is_free(ground, size, at, NULL);
        room = free ? next : room;
        if (!free || step < ROOM_STEP) // the obstacle is in this step: halve it
            step *= 0.5f;
    }
    return room < most ? room : most;
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
    // Every rectangle is left once, across one of the lines between columns or rows.
    line.left = (uint32_t)(fabs(line.along_x) + fabs(line.along_z)) + 4;
    while (line.tile != end.tile || line.rect != last)
        if (!go_on(&line))
            return false;
    return true;
}
