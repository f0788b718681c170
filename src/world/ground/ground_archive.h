// Saves and restores a ground. Internal; the stage uses it.
#pragma once
#include "ground_data.h"
#include "base/archive.h"

// What a ground is made from besides the scene.
typedef struct ground_recipe {
    tr_voxel_grid grid;
    tr_ground_link links[TR_GROUND_LINKS_MAX];
    tr_ground_body bodies[TR_GROUND_SIZES_MAX]; // of each size
    uint32_t link_count, size_count;
} ground_recipe;

void tr_ground_recipe_of(const tr_ground *ground, ground_recipe *recipe);
void tr_ground_recipe_archive(ground_recipe *recipe, tr_archive *archive);
// Whether the ground was made from this recipe, except for moved objects and closed links.
bool tr_ground_recipe_fits(const ground_recipe *recipe, const tr_ground *ground);
// From now on memory comes from another allocator, which takes over the blocks of the previous one.
void tr_ground_give(tr_ground *ground, const tr_allocator *allocator);
// The ground that was saved, over the same objects at the same places except for excluded ones: it has the
// same bits.
tr_status tr_ground_recipe_make(const ground_recipe *recipe, const tr_ground_def *def,
                                surface_exclude exclude, tr_raster *raster, const tr_scene *scene,
                                tr_ground **ground, tr_error *error);
