#include "scene_image.h"
#include "world/timeline/trajectory_data.h"
#include "troupe/base/hash.h"

static uint64_t hash_of(const tr_scene *scene, const scene_object *object) {
    uint8_t drawn = object->drawn.emit != NULL;
    uint64_t hash = tr_hash(TR_HASH_START, &drawn, 1);
    if (object->mesh != TR_NONE)
        hash = tr_hash(hash, &scene->meshes[object->mesh].fingerprint, sizeof(uint64_t));
    const tr_trajectory *trajectory = object->trajectory;
    if (!trajectory)
        return hash;
    uint8_t loop = trajectory->loop;
    hash = tr_hash(hash, &loop, 1);
    hash = tr_hash(hash, trajectory->times, trajectory->count * sizeof *trajectory->times);
    return tr_hash(hash, trajectory->transforms, trajectory->count * sizeof *trajectory->transforms);
}

object_image tr_object_image_of(const tr_scene *scene, uint32_t number) {
    const scene_object *object = &scene->objects[number];
    object_image image = {.placement = object->placement, .tags = object->tags, .removed = object->removed};
    if (!object->removed)
        image.made_of = hash_of(scene, object);
    return image;
}

void tr_object_image_archive(object_image *image, tr_archive *archive) {
    tr_archive_bool(archive, &image->removed);
    if (image->removed)
        return;
    tr_archive_u64(archive, &image->made_of);
    tr_archive_u32(archive, &image->tags);
    tr_archive_affine(archive, &image->placement);
}

void tr_object_image_check(const object_image *image, const tr_scene *scene, uint32_t number,
                           tr_archive *archive) {
    const scene_object *object = &scene->objects[number];
    const char *name = object->name ? object->name : "";
    if (image->removed)
        return;
    if (object->removed)
        tr_archive_fail(archive, TR_INVALID, "object %u (\"%.60s\") has been removed since this was saved",
                        number, name);
    else if (image->made_of && image->made_of != hash_of(scene, object))
        tr_archive_fail(
            archive, TR_INVALID,
            "the mesh or the trajectory of object %u (\"%.60s\") has changed since this was saved", number,
            name);
}

tr_status tr_object_image_put(const object_image *image, tr_scene *scene, uint32_t number) {
    const scene_object *object = &scene->objects[number];
    if (image->removed || object->removed)
        return TR_OK;
    tr_status status = tr_scene_set_tags(scene, number, image->tags);
    return status == TR_OK && object->mesh != TR_NONE ? tr_scene_place(scene, number, &image->placement)
                                                      : status;
}

void tr_scene_keep_time(tr_scene *scene, double time) {
    scene->time = time;
}
