// The mesh of a size: free cells cut into rectangles that are level inside, and the portals between them.
#include "ground_data.h"

#include <string.h>

// tr_ground_step, with a shortcut where the column beside is in the same tile and has one cell.
static inline uint32_t step(const tr_ground *ground, const ground_size *size, const ground_spot *from,
                            uint32_t direction, ground_spot *to) {
    static const int32_t further[4] = {1, GROUND_TILE, -1, -GROUND_TILE};
    uint32_t along = (direction & 1 ? from->z : from->x) % GROUND_TILE;
    bool inside = direction & 2 ? along > 0 : along < GROUND_TILE - 1;
    if (inside && size->tiles[from->tile].ways[from->index] >> direction & GROUND_OPEN) {
        const uint16_t *offsets =
            ground_offsets_at(&ground->tiles[from->tile], from->x, from->z) + further[direction];
        if (offsets[1] - offsets[0] == 1) {
            *to = (ground_spot){from->tile, offsets[0], (uint16_t)(from->x + ground_along_x(direction)),
                                (uint16_t)(from->z + ground_along_z(direction))};
            return 1;
        }
    }
    return tr_ground_step(ground, size, from, direction, to);
}

// The free cell beside a free cell in a direction, and how much higher it is; false: there is none.
static bool free_beside(const tr_ground *ground, const ground_size *size, const ground_spot *from,
                        uint32_t direction, ground_spot *to, int32_t *rise) {
    if (!(size->tiles[from->tile].ways[from->index] >> direction & GROUND_OPEN) ||
        !step(ground, size, from, direction, to) ||
        size->tiles[to->tile].rects_of[to->index] == GROUND_NO_RECT)
        return false;
    *rise =
        (int32_t)ground->tiles[to->tile].heights[to->index] - ground->tiles[from->tile].heights[from->index];
    return true;
}

// Like free_beside, but without a step: the two may be in one rectangle.
static bool joins(const tr_ground *ground, const ground_size *size, const ground_spot *from,
                  uint32_t direction, ground_spot *to) {
    int32_t rise;
    return free_beside(ground, size, from, direction, to, &rise) && rise <= ground->slope_rise &&
           -rise <= ground->slope_rise;
}

// --- Rectangles ---

// A tile while it is cut: which cells are in no rectangle yet, and the cells of the current row.
typedef struct cutting {
    const tr_ground *ground;
    ground_size *size;
    uint32_t tile;
    uint16_t *rects_of;
    ground_spot row[GROUND_TILE];
} cutting;

enum { UNCUT = 0xfffe };

// Whether the cell in a direction may join: it must be in the tile and in no rectangle yet.
static bool goes_on(const cutting *cut, const ground_spot *from, uint32_t direction, ground_spot *to) {
    return joins(cut->ground, cut->size, from, direction, to) && to->tile == cut->tile &&
           cut->rects_of[to->index] == UNCUT;
}

// The row after the one in cut->row, if all of it joins.
static bool next_row(cutting *cut, uint32_t width) {
    ground_spot below[GROUND_TILE], beside;
    for (uint32_t i = 0; i < width; i++) {
        if (!goes_on(cut, &cut->row[i], 1, &below[i]))
            return false;
        if (i > 0 && (!joins(cut->ground, cut->size, &below[i - 1], 0, &beside) ||
                      beside.index != below[i].index || beside.tile != below[i].tile))
            return false;
    }
    memcpy(cut->row, below, width * sizeof *below);
    return true;
}

static ground_rect cut_one(cutting *cut, ground_spot start, uint32_t number) {
    uint32_t width = 1;
    cut->row[0] = start;
    while (width < GROUND_TILE && goes_on(cut, &cut->row[width - 1], 0, &cut->row[width]))
        width++;
    ground_rect rect = {.x0 = start.x, .z0 = start.z, .x1 = (uint16_t)(start.x + width), .z1 = start.z};
    do {
        for (uint32_t i = 0; i < width; i++)
            cut->rects_of[cut->row[i].index] = (uint16_t)number;
        rect.z1++;
    } while (next_row(cut, width));
    return rect;
}

static bool cut_all(cutting *cut, ground_scratch *scratch, uint32_t *rect_count) {
    const tr_ground *ground = cut->ground;
    uint32_t x0 = cut->tile % ground->tile_columns * GROUND_TILE,
             z0 = cut->tile / ground->tile_columns * GROUND_TILE, count = 0;
    const ground_tile *tile = &ground->tiles[cut->tile];
    for (uint32_t column = 0; column < GROUND_TILE * GROUND_TILE; column++)
        for (uint32_t i = tile->offsets[column]; i < tile->offsets[column + 1]; i++) {
            if (cut->rects_of[i] != UNCUT)
                continue;
            if (count == UNCUT) { // no numbers are left for more rectangles
                cut->rects_of[i] = GROUND_NO_RECT;
                continue;
            }
            void *rects = scratch->rects;
            bool room = tr_reserve(&ground->allocator, &rects, &scratch->rect_capacity, (uint64_t)count + 1,
                                   sizeof *scratch->rects);
            scratch->rects = rects;
            if (!room)
                return false;
            ground_spot start = {cut->tile, (uint16_t)i, (uint16_t)(x0 + column % GROUND_TILE),
                                 (uint16_t)(z0 + column / GROUND_TILE)};
            scratch->rects[count] = cut_one(cut, start, count);
            count++;
        }
    *rect_count = count;
    return true;
}

// Puts the rectangles and portals of a tile into a block of their own.
static bool keep_mesh(const tr_ground *ground, size_tile *tile, const ground_rect *rects, uint32_t rect_count,
                      const ground_portal *portals, uint32_t portal_count) {
    uint8_t *block =
        tr_allocate(&ground->allocator, rect_count * sizeof *rects + portal_count * sizeof *portals, 1);
    if (!block)
        return false;
    ground_portal *kept = (ground_portal *)(void *)(block + rect_count * sizeof *rects);
    if (rect_count > 0)
        memcpy(block, rects, rect_count * sizeof *rects);
    if (portal_count > 0)
        memcpy(kept, portals, portal_count * sizeof *portals);
    tile->rects = (ground_rect *)(void *)block;
    tile->portals = kept;
    tile->rect_count = rect_count;
    tile->portal_count = portal_count;
    return true;
}

static void note_plain(const ground_tile *cells, size_tile *tile) {
    memset(tile->plain, 0, sizeof tile->plain);
    for (uint32_t column = 0; column < GROUND_TILE * GROUND_TILE; column++) {
        if (!ground_is_plain(cells->plain, column % GROUND_TILE, column / GROUND_TILE))
            continue;
        uint32_t i = cells->offsets[column];
        while (!tr_surface_is_for_standing(cells->rooms[i]))
            i++;
        uint32_t is_free = tile->rects_of[i] != GROUND_NO_RECT;
        tile->plain[column / GROUND_TILE] |= is_free << column % GROUND_TILE;
    }
}

// Whether the tile is one rectangle: one free cell in each column, all at one height, that lead to each
// other.
static bool is_whole(const ground_tile *cells, const size_tile *tile) {
    uint32_t odd = tile->cell_count != GROUND_TILE * GROUND_TILE;
    for (uint32_t row = 0; row < GROUND_TILE && !odd; row++)
        odd = ~cells->plain[row];
    for (uint32_t i = 0; i < tile->cell_count && !odd; i++)
        odd = (tile->ways[i] ^ 15u * GROUND_OPEN) | (tile->rects_of[i] == GROUND_NO_RECT);
    return !odd;
}

static bool keep_whole(const tr_ground *ground, size_tile *tile, uint32_t number) {
    uint16_t x0 = (uint16_t)(number % ground->tile_columns * GROUND_TILE),
             z0 = (uint16_t)(number / ground->tile_columns * GROUND_TILE);
    ground_rect rect = {
        .x0 = x0, .z0 = z0, .x1 = (uint16_t)(x0 + GROUND_TILE), .z1 = (uint16_t)(z0 + GROUND_TILE)};
    if (!keep_mesh(ground, tile, &rect, 1, NULL, 0))
        return false;
    memset(tile->rects_of, 0, tile->cell_count * sizeof *tile->rects_of);
    memset(tile->plain, 0xff, sizeof tile->plain);
    tile->vertex_count = 0;
    return true;
}

bool tr_ground_cut(const tr_ground *ground, ground_size *size, uint32_t number, ground_scratch *scratch) {
    size_tile *tile = &size->tiles[number];
    uint32_t count = 0;
    if (is_whole(&ground->tiles[number], tile))
        return keep_whole(ground, tile, number);
    cutting cut = {.ground = ground, .size = size, .tile = number, .rects_of = tile->rects_of};
    for (uint32_t i = 0; i < tile->cell_count; i++)
        tile->rects_of[i] = tile->rects_of[i] == GROUND_NO_RECT ? GROUND_NO_RECT : UNCUT;
    if (!cut_all(&cut, scratch, &count))
        return false;
    tile->vertex_count = 0;
    if (!keep_mesh(ground, tile, scratch->rects, count, NULL, 0))
        return false;
    note_plain(&ground->tiles[number], tile);
    return true;
}

// --- Portals ---

// Where the step over one side of a cell leads.
typedef struct crossing {
    ground_spot to;
    uint32_t steps;     // 0: nowhere
    int32_t from, rise; // height of the floor, and how much higher it is there
} crossing;

static crossing cross(const tr_ground *ground, const ground_size *size, const ground_spot *from,
                      uint32_t direction) {
    crossing found = {.steps = 0};
    uint32_t steps = step(ground, size, from, direction, &found.to);
    if (steps == 0 || size->tiles[found.to.tile].rects_of[found.to.index] == GROUND_NO_RECT)
        return found;
    found.steps = steps;
    uint32_t height = ground->tiles[from->tile].heights[from->index],
             other = ground->tiles[found.to.tile].heights[found.to.index];
    int32_t rise = (int32_t)other - (int32_t)height;
    // On a slope both sides get the height of the lower one. Otherwise a portal would end wherever either of
    // the two is rounded to another height, and there would be twice as many portals.
    if (steps == 1 && rise <= ground->slope_rise && -rise <= ground->slope_rise)
        height = other = height < other ? height : other;
    found.from = ground_rounded(ground, height);
    found.rise = ground_rounded(ground, other) - found.from;
    return found;
}

// How smooth the end of a portal is.
typedef enum smoothness {
    SMOOTH,  // no corner: beside it the same cells are crossed in the same way
    UNEVEN,  // but at other heights
    CORNERED // the portal ends there
} smoothness;

// For two adjacent cells that are crossed to two others: `along` leads from the first to the second.
static smoothness smoothness_of(const tr_ground *ground, const ground_size *size, const ground_spot *from,
                                uint32_t along, uint32_t direction, const crossing *over) {
    ground_spot beside, beyond;
    int32_t rise, rise_beyond;
    if (!free_beside(ground, size, from, along, &beside, &rise))
        return CORNERED;
    crossing other = cross(ground, size, &beside, direction);
    if (other.steps != over->steps || !free_beside(ground, size, &over->to, along, &beyond, &rise_beyond) ||
        beyond.tile != other.to.tile || beyond.index != other.to.index)
        return CORNERED;
    return other.from == over->from && other.rise == over->rise ? SMOOTH : UNEVEN;
}

typedef struct joining {
    const tr_ground *ground;
    ground_size *size;
    ground_scratch *scratch;
    uint32_t tile, count;
    uint16_t vertex_count;
} joining;

// A number for a corner of a cell that is the same for all cells of the tile that meet there and are joined:
// the least of theirs. `corner` 0 to 3: the corner at least x and least z, then around.
static uint32_t corner_key(const joining *join, ground_spot cell, uint32_t corner) {
    uint32_t best = cell.index * 4u + corner;
    for (uint32_t turn = 0; turn < 2; turn++) {
        ground_spot at = cell;
        uint32_t c = corner;
        for (uint32_t k = 0; k < 3; k++) {
            // A turn around the corner leaves a cell over one of the two sides that meet there.
            static const uint8_t out[2][4] = {{2, 3, 0, 1}, {3, 0, 1, 2}};
            ground_spot next;
            if (!joins(join->ground, join->size, &at, out[turn][c], &next) || next.tile != join->tile)
                break;
            c = turn ? (c + 3) & 3 : (c + 1) & 3;
            at = next;
            uint32_t key = at.index * 4u + c;
            best = key < best ? key : best;
        }
    }
    return best;
}

static uint16_t vertex_of(joining *join, const ground_spot *cell, uint32_t direction, bool at_end) {
    // The corners of a cell at the beginning and at the end of each of its sides.
    static const uint8_t corners[4][2] = {{1, 2}, {3, 2}, {0, 3}, {0, 1}};
    uint32_t key = corner_key(join, *cell, corners[direction][at_end]);
    uint16_t *known = &join->scratch->marks[key];
    if (*known == GROUND_NO_RECT)
        *known = join->vertex_count++;
    return *known;
}

static bool add_portal(joining *join, const ground_portal *portal) {
    void *portals = join->scratch->portals;
    bool room = tr_reserve(&join->ground->allocator, &portals, &join->scratch->portal_capacity,
                           (uint64_t)join->count + 1, sizeof *portal);
    join->scratch->portals = portals;
    if (room)
        join->scratch->portals[join->count++] = *portal;
    return room;
}

// The cell of a rectangle in one of its columns.
static ground_spot cell_of(const joining *join, uint32_t x, uint32_t z, uint32_t rect) {
    const ground_tile *tile = &join->ground->tiles[join->tile];
    const uint16_t *offsets = ground_offsets_at(tile, x, z);
    uint32_t i = offsets[0];
    while (i < offsets[1] && join->size->tiles[join->tile].rects_of[i] != rect)
        i++;
    ground_spot spot = {join->tile, (uint16_t)i, (uint16_t)x, (uint16_t)z};
    return spot;
}

// A run of cells along a side with equal crossings, from `first` on.
typedef struct side_run {
    ground_portal portal;
    ground_spot first, last;
    crossing first_over, last_over;
} side_run;

static bool end_run(joining *join, side_run *run, uint32_t direction) {
    if (run->portal.steps == 0)
        return true;
    uint32_t along = direction & 1 ? 0 : 1; // towards the end
    smoothness begin = smoothness_of(join->ground, join->size, &run->first, along ^ 2, direction,
                                     &run->first_over),
               end = smoothness_of(join->ground, join->size, &run->last, along, direction, &run->last_over);
    if (begin != SMOOTH) {
        run->portal.corners |= begin == CORNERED ? 5 : 1;
        run->portal.vertices[0] = vertex_of(join, &run->first, direction, false);
    }
    if (end != SMOOTH) {
        run->portal.corners |= end == CORNERED ? 10 : 2;
        run->portal.vertices[1] = vertex_of(join, &run->last, direction, true);
    }
    return add_portal(join, &run->portal);
}

// Whether a crossing is like that at the beginning of a run.
static bool is_alike(const side_run *run, const crossing *over, uint32_t rect) {
    if (over->steps != run->portal.steps)
        return false;
    return over->steps == 0 || (over->to.tile == run->portal.tile && rect == run->portal.rect &&
                                over->from == run->first_over.from && over->rise == run->first_over.rise);
}

static bool join_side(joining *join, const ground_rect *rect, uint32_t number, uint32_t direction) {
    bool upright = !(direction & 1); // a side along z
    uint32_t begin = upright ? rect->z0 : rect->x0, end = upright ? rect->z1 : rect->x1;
    uint32_t line = direction == 0   ? rect->x1 - 1u
                    : direction == 1 ? rect->z1 - 1u
                    : direction == 2 ? rect->x0
                                     : rect->z0;
    side_run run = {.portal.steps = 0};
    for (uint32_t k = begin; k < end; k++) {
        ground_spot cell = cell_of(join, upright ? line : k, upright ? k : line, number);
        crossing over = cross(join->ground, join->size, &cell, direction);
        uint16_t to = over.steps ? join->size->tiles[over.to.tile].rects_of[over.to.index] : 0;
        if (k == begin || !is_alike(&run, &over, to)) {
            if (!end_run(join, &run, direction))
                return false;
            run = (side_run){.first = cell, .first_over = over};
            run.portal = (ground_portal){.tile = over.to.tile,
                                         .rect = to,
                                         .begin = (uint16_t)k,
                                         .from = (uint16_t)over.from,
                                         .to = (uint16_t)(over.from + over.rise),
                                         .steps = (uint8_t)over.steps};
        }
        run.portal.end = (uint16_t)(k + 1);
        run.last = cell;
        run.last_over = over;
    }
    return end_run(join, &run, direction);
}

bool tr_ground_join(const tr_ground *ground, ground_size *size, uint32_t number, ground_scratch *scratch) {
    size_tile *tile = &size->tiles[number];
    uint32_t keys = tile->cell_count * 4;
    void *marks = scratch->marks, *rects = scratch->rects;
    bool room = tr_reserve(&ground->allocator, &marks, &scratch->mark_capacity, keys, sizeof *scratch->marks);
    scratch->marks = marks;
    room = room && tr_reserve(&ground->allocator, &rects, &scratch->rect_capacity, tile->rect_count,
                              sizeof *scratch->rects);
    scratch->rects = rects;
    if (!room)
        return false;
    if (keys > 0)
        memset(scratch->marks, 0xff, keys * sizeof *scratch->marks);
    joining join = {.ground = ground, .size = size, .scratch = scratch, .tile = number};
    for (uint32_t i = 0; i < tile->rect_count; i++) {
        ground_rect rect = tile->rects[i];
        rect.portals = join.count;
        for (uint32_t direction = 0; direction < 4; direction++) {
            if (!join_side(&join, &rect, i, direction))
                return false;
            rect.sides[direction] = (uint16_t)(join.count - rect.portals);
        }
        scratch->rects[i] = rect;
    }
    tile->vertex_count = join.vertex_count;
    return keep_mesh(ground, tile, scratch->rects, tile->rect_count, scratch->portals, join.count);
}
