// A ground into bytes and back. Internal; the stage uses it.
#pragma once
#include "ground_data.h"
#include "troupe/base/archive.h"

// What a ground is made of beside the scene: grid, links, sizes.
void tr_ground_archive(tr_ground *ground, tr_archive *archive);
// The ground that was written, over the same objects at the same places but for those left out: the same
// bits. TR_BAD_FILE, or why it cannot be made.
tr_status tr_ground_restore(const tr_ground_def *def, surface_exclude exclude, tr_raster *raster,
                            const tr_scene *scene, tr_archive *archive, tr_ground **ground, tr_error *error);
