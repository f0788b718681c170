// Connectivity: labels of rectangles that are connected by portals, then by links.
//
// A label belongs to a set of connected rectangles; labels are counted without gaps in the order of their
// first rectangles. So they depend on the mesh alone.
#include "ground_data.h"

#include <string.h>

static uint32_t root_of(uint32_t *above, uint32_t i) {
    while (above[i] != i) {
        above[i] = above[above[i]];
        i = above[i];
    }
    return i;
}

// The lower number stays: the root of a set is its first rectangle.
static void unite(uint32_t *above, uint32_t a, uint32_t b) {
    a = root_of(above, a);
    b = root_of(above, b);
    if (a < b)
        above[b] = a;
    else
        above[a] = b;
}

void tr_ground_labels_release(const tr_ground *ground, ground_size *size) {
    tr_release(&ground->allocator, size->labels, size->rect_total, sizeof *size->labels);
    tr_release(&ground->allocator, size->joined, size->label_count, sizeof *size->joined);
    size->labels = size->joined = NULL;
    size->rect_total = size->label_count = 0;
}

void tr_ground_label_links(const tr_ground *ground, ground_size *size) {
    for (uint32_t i = 0; i < size->label_count; i++)
        size->joined[i] = i;
    for (uint32_t i = 0; i < ground->link_count; i++) {
        const ground_end *from = &size->ends[i][0], *to = &size->ends[i][1];
        if (!ground->links[i].closed && from->tile != TR_NONE && to->tile != TR_NONE)
            unite(size->joined, size->labels[size->tiles[from->tile].first_rect + from->rect],
                  size->labels[size->tiles[to->tile].first_rect + to->rect]);
    }
    for (uint32_t i = 0; i < size->label_count; i++)
        size->joined[i] = root_of(size->joined, i);
}

static uint32_t count_rects(const tr_ground *ground, const ground_size *size) {
    const size_tile *last = &size->tiles[ground->tile_count - 1];
    return last->first_rect + last->rect_count;
}

void tr_ground_count_up(const tr_ground *ground, ground_size *size) {
    uint32_t rects = 0, portals = 0, vertices = 0;
    for (uint32_t i = 0; i < ground->tile_count; i++) {
        size->tiles[i].first_rect = rects;
        size->tiles[i].first_portal = portals;
        size->tiles[i].first_vertex = vertices;
        rects += size->tiles[i].rect_count;
        portals += size->tiles[i].portal_count;
        vertices += size->tiles[i].vertex_count;
    }
    size->portal_total = portals;
    size->vertex_total = vertices;
}

// Two rectangles that lead to each other have a portal each, and the one that leads forward is enough. Leaps
// lead both ways, too: uniting both of their portals changes nothing.
static void unite_portals(const tr_ground *ground, const ground_size *size, uint32_t *above) {
    for (uint32_t i = 0; i < ground->tile_count; i++) {
        const size_tile *tile = &size->tiles[i];
        for (uint32_t k = 0; k < tile->rect_count; k++) {
            const ground_rect *rect = &tile->rects[k];
            const ground_portal *portal = tile->portals + rect->portals, *end = portal + rect->sides[3];
            for (; portal < end; portal++)
                if (portal->steps > 1 || portal->tile > i || (portal->tile == i && portal->rect > k))
                    unite(above, tile->first_rect + k, size->tiles[portal->tile].first_rect + portal->rect);
        }
    }
}

bool tr_ground_label(const tr_ground *ground, ground_size *size) {
    tr_ground_count_up(ground, size);
    uint32_t rects = count_rects(ground, size);
    uint32_t *labels = tr_allocate(&ground->allocator, rects, sizeof *labels);
    if (!labels)
        return false;
    for (uint32_t i = 0; i < rects; i++)
        labels[i] = i;
    unite_portals(ground, size, labels);
    uint32_t sets = 0;
    for (uint32_t i = 0; i < rects; i++)
        labels[i] = root_of(labels, i);
    uint32_t *numbers = tr_allocate(&ground->allocator, rects, sizeof *numbers);
    if (!numbers) {
        tr_release(&ground->allocator, labels, rects, sizeof *labels);
        return false;
    }
    for (uint32_t i = 0; i < rects; i++)
        numbers[i] = labels[i] == i ? sets++ : numbers[labels[i]];
    tr_release(&ground->allocator, labels, rects, sizeof *labels);
    uint32_t *joined = tr_allocate(&ground->allocator, sets, sizeof *joined);
    if (!joined) {
        tr_release(&ground->allocator, numbers, rects, sizeof *numbers);
        return false;
    }
    tr_ground_labels_release(ground, size);
    size->labels = numbers;
    size->joined = joined;
    size->rect_total = rects;
    size->label_count = sets;
    return true;
}
