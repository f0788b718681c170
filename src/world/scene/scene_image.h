// The state of a scene's objects, apart from what they are made of: what a save keeps of it. Internal; the
// stage reads it too.
#pragma once
#include "scene_data.h"
#include "base/archive.h"

// One object. Zero is an object that was never there.
typedef struct object_image {
    uint64_t made_of; // a hash of its mesh and trajectory; 0: not known
    tr_affine placement;
    uint32_t tags;
    bool removed;
} object_image;

object_image tr_object_image_of(const tr_scene *scene, uint32_t object);
void tr_object_image_archive(object_image *image, tr_archive *archive);
// Does the object of the scene fit the image? What it is made of must be the same, and it must be there if it
// was. The archive is failed with a sentence otherwise.
void tr_object_image_check(const object_image *image, const tr_scene *scene, uint32_t object,
                           tr_archive *archive);
// Put the object where and how it was; one that is gone by now, or was, stays.
tr_status tr_object_image_put(const object_image *image, tr_scene *scene, uint32_t object);
// The time alone: nothing is placed.
void tr_scene_keep_time(tr_scene *scene, double time);
