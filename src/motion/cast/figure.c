#include "troupe/motion/figure.h"

#include <string.h>

static size_t name_size(const char *name) {
    return name ? strlen(name) + 1 : 0;
}

void tr_figure_destroy(tr_figure *figure) {
    tr_allocator allocator = figure->allocator;
    for (uint32_t i = 0; i < figure->clip_count; i++)
        tr_clip_destroy(figure->clips[i]);
    tr_release(&allocator, figure->clips, figure->clip_capacity, sizeof *figure->clips);
    tr_release(&allocator, figure->name, name_size(figure->name), 1);
    tr_body_destroy(figure->body);
    tr_skeleton_destroy(figure->skeleton);
    *figure = (tr_figure){.allocator = allocator};
}

// An empty figure has no allocator until now.
static void take_allocator(tr_figure *figure) {
    if (!figure->allocator.resize)
        figure->allocator = tr_allocator_default();
}

tr_status tr_figure_set_name(tr_figure *figure, const char *name) {
    take_allocator(figure);
    char *copy = NULL;
    if (name) {
        copy = tr_allocate(&figure->allocator, name_size(name), 1);
        if (!copy)
            return TR_OUT_OF_MEMORY;
        memcpy(copy, name, name_size(name));
    }
    tr_release(&figure->allocator, figure->name, name_size(figure->name), 1);
    figure->name = copy;
    return TR_OK;
}

tr_status tr_figure_add_clip(tr_figure *figure, tr_clip *clip) {
    take_allocator(figure);
    void *clips = figure->clips;
    bool room = tr_reserve(&figure->allocator, &clips, &figure->clip_capacity,
                           (uint64_t)figure->clip_count + 1, sizeof *figure->clips);
    figure->clips = clips;
    if (!room)
        return TR_OUT_OF_MEMORY;
    figure->clips[figure->clip_count++] = clip;
    return TR_OK;
}

const tr_clip *tr_figure_find_clip(const tr_figure *figure, const char *name) {
    for (uint32_t i = 0; name && i < figure->clip_count; i++)
        if (strcmp(tr_clip_name(figure->clips[i]), name) == 0)
            return figure->clips[i];
    return NULL;
}

tr_figures tr_figures_begin(const tr_allocator *allocator) {
    tr_figures figures = {.allocator = tr_allocator_or_default(allocator)};
    return figures;
}

void tr_figures_destroy(tr_figures *figures) {
    for (uint32_t i = 0; i < figures->count; i++)
        tr_figure_destroy(&figures->items[i]);
    tr_release(&figures->allocator, figures->items, figures->capacity, sizeof *figures->items);
    *figures = (tr_figures){.allocator = figures->allocator};
}

tr_figure *tr_figures_add(tr_figures *figures) {
    void *items = figures->items;
    bool room = tr_reserve(&figures->allocator, &items, &figures->capacity, (uint64_t)figures->count + 1,
                           sizeof *figures->items);
    figures->items = items;
    if (!room)
        return NULL;
    tr_figure *figure = &figures->items[figures->count++];
    *figure = (tr_figure){.allocator = figures->allocator};
    return figure;
}
