// Saving a memory. Placements are written for objects whose place differs from the truth.
#include "sight_data.h"

static void archive_belief(tr_sight *sight, uint32_t number, tr_archive *archive) {
    const scene_object *truth = &sight->def.scene->objects[number];
    scene_object *belief = &sight->believed->objects[number];
    sight_memory *memory = &sight->memories[number];
    bool current =
        belief->mesh == TR_NONE && memory->revision == truth->revision; // only drawn objects need it
    tr_affine placement = belief->placement;
    uint32_t tags = belief->tags, mesh = belief->mesh;
    tr_archive_bool(archive, &memory->seen);
    tr_archive_bool(archive, &memory->noticed);
    tr_archive_double(archive, &memory->seen_at);
    tr_archive_bool(archive, &current);
    tr_archive_u32(archive, &tags);
    tr_archive_u32(archive, &mesh); // of an object that has been removed from the true scene, too
    tr_archive_affine(archive, &placement);
    if (!tr_archive_reads(archive) || !tr_archive_is_good(archive))
        return;
    if (mesh != TR_NONE && mesh >= sight->believed->mesh_count) {
        tr_archive_fail(archive, TR_BAD_FILE, "object %u is remembered with mesh %u, but there are %u",
                        number, mesh, sight->believed->mesh_count);
        return;
    }
    belief->mesh = mesh;
    belief->placement = placement;
    belief->placement.m[0][0] += 1; // so that it is placed in any case
    memory->revision = current ? truth->revision : 0;
    belief->tags = tags;
    belief->revision = ++sight->believed->revision;
    if (mesh == TR_NONE)
        belief->placement = placement;
    else if (tr_scene_place(sight->believed, number, &placement) != TR_OK)
        tr_archive_fail(archive, TR_BAD_FILE, "object %u is remembered in an impossible place", number);
}

void tr_sight_archive(tr_sight *sight, tr_archive *archive) {
    uint32_t most = sight->def.scene->object_count;
    uint32_t count = tr_archive_count(archive, sight->believed->object_count, most, "remembered objects");
    for (uint32_t i = 0; i < count && tr_archive_is_good(archive); i++)
        archive_belief(sight, i, archive);
    if (tr_archive_reads(archive) && tr_archive_is_good(archive))
        sight->believed->object_count = count; // those added later have not been noticed
}
