#include "solid_archive.h"

// The object may have been removed since; its mesh still exists.
static void archive_laid(solid_object *known, const tr_scene *scene, tr_archive *archive) {
    known->mesh = tr_archive_choice(archive, known->mesh, scene->mesh_count);
    uint64_t fingerprint = known->mesh < scene->mesh_count ? scene->meshes[known->mesh].fingerprint : 0,
             saved = fingerprint;
    tr_archive_u64(archive, &saved);
    if (saved != fingerprint)
        tr_archive_fail(archive, TR_INVALID, "mesh %u has changed since this was saved", known->mesh);
    tr_archive_affine(archive, &known->laid);
    tr_archive_check(archive, tr_affine_is_finite(&known->laid), "the placement of an object is not finite");
}

// Revisions are valid in this process only: the archive stores whether the object has changed since.
static void archive_object(tr_solid *solid, uint32_t number, tr_archive *archive) {
    solid_object *known = &solid->objects[number];
    const scene_object *object = &solid->scene->objects[number];
    bool shown = known->large || (known->mover != TR_NONE && solid->movers[known->mover].shown);
    bool same = object->revision <= known->revision || (object->removed && !shown);
    tr_archive_bool(archive, &same);
    tr_archive_bool(archive, &known->was_large);
    tr_archive_bool(archive, &known->large);
    if (known->was_large)
        archive_laid(known, solid->scene, archive);
    tr_archive_affine(archive, &known->placement);
    tr_archive_box(archive, &known->bounds);
    if (!tr_archive_reads(archive))
        return;
    known->revision = same ? object->revision : 0;
    tr_archive_check(archive, tr_affine_is_finite(&known->placement),
                     "the placement of an object is not finite");
}

static void archive_mover(tr_solid *solid, uint32_t number, tr_archive *archive) {
    uint32_t object = 0;
    bool reads = tr_archive_reads(archive), shown = !reads && solid->movers[number].shown;
    tr_affine built = tr_affine_identity();
    if (!reads) {
        built = solid->movers[number].built;
        while (solid->objects[object].mover != number)
            object++;
    }
    object = tr_archive_choice(archive, object, solid->object_count);
    tr_archive_affine(archive, &built);
    tr_archive_bool(archive, &shown);
    if (!reads || !tr_archive_is_good(archive))
        return;
    const scene_object *thing = &solid->scene->objects[object];
    tr_archive_check(archive,
                     solid->objects[object].mover == TR_NONE && tr_affine_is_finite(&built) &&
                         (thing->mesh != TR_NONE || thing->drawn.emit || !shown),
                     "a moving object is listed twice, has no shape or has a placement that is not finite");
    tr_error error = {0};
    tr_status status = TR_OK;
    if (tr_archive_is_good(archive))
        status = tr_solid_rebuild_mover(solid, object, &built, shown, &error);
    if (status != TR_OK)
        tr_archive_fail(archive, status, "%s", error.message);
}

void tr_solid_archive(tr_solid *solid, tr_archive *archive) {
    tr_error error = {0};
    bool reads = tr_archive_reads(archive);
    tr_status status = reads ? tr_solid_reserve_objects(solid, &error) : TR_OK;
    if (status != TR_OK)
        tr_archive_fail(archive, status, "%s", error.message);
    uint32_t count = tr_archive_count(archive, solid->object_count, solid->scene->object_count, "objects");
    for (uint32_t i = 0; i < count && tr_archive_is_good(archive); i++)
        archive_object(solid, i, archive);
    if (reads && tr_archive_is_good(archive)) {
        solid->object_count = count;
        status = tr_solid_rebuild_large(solid, &error);
        if (status != TR_OK)
            tr_archive_fail(archive, status, "%s", error.message);
    }
    uint32_t movers = tr_archive_count(archive, solid->mover_count, count, "moving objects");
    for (uint32_t i = 0; i < movers && tr_archive_is_good(archive); i++)
        archive_mover(solid, i, archive);
    solid->revision = reads ? UINT64_MAX : solid->revision; // the next update checks all objects
}

tr_status tr_solid_restore(const tr_solid_def *def, tr_archive *archive, tr_solid **solid, tr_error *error) {
    tr_status status = tr_solid_begin(def, solid, error);
    if (status != TR_OK)
        return status;
    tr_solid_archive(*solid, archive);
    if (!tr_archive_is_good(archive)) {
        tr_solid_destroy(*solid);
        *solid = NULL;
    }
    return archive->status;
}
