// The state of a scene's objects without meshes and trajectories, as a save stores it. Internal; the stage
// reads it too.
#pragma once
#include "scene_data.h"
#include "base/archive.h"

// One object. Zero is an object that never existed.
typedef struct object_image {
    uint64_t made_of; // a hash of its mesh and trajectory; 0: not known
    tr_affine placement;
    uint32_t tags;
    bool removed;
} object_image;

object_image tr_object_image_of(const tr_scene *scene, uint32_t object);
void tr_object_image_archive(object_image *image, tr_archive *archive);
// Checks that the object of the scene fits the image: mesh and trajectory must be the same, and an object
// that existed must still exist. Otherwise the archive fails with a message.
void tr_object_image_check(const object_image *image, const tr_scene *scene, uint32_t object,
                           tr_archive *archive);
// Restores placement and tags of the object; an object that is removed now, or was when saved, is left alone.
tr_status tr_object_image_put(const object_image *image, tr_scene *scene, uint32_t object);
// Sets the time only: nothing is placed.
void tr_scene_keep_time(tr_scene *scene, double time);
