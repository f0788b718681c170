#include "gltf_write_data.h"
#include "gltf_write_source.h"

#include <string.h>

static tr_status check_clip(const tr_gltf_actor *actor, uint32_t number, uint32_t clip, tr_error *error) {
    if (!actor->clips || !actor->clips[clip])
        return tr_fail(error, TR_INVALID, "clip %u of actor %u is NULL", clip, number);
    uint32_t joints = tr_skeleton_joint_count(actor->skeleton);
    if (tr_clip_joint_count(actor->clips[clip]) != joints)
        return tr_fail(error, TR_INVALID, "clip %u of actor %u has %u joints, its skeleton has %u", clip,
                       number, tr_clip_joint_count(actor->clips[clip]), joints);
    return TR_OK;
}

static tr_status check_actor(const tr_gltf_shot *shot, uint32_t number, tr_error *error) {
    const tr_gltf_actor *actor = &shot->actors[number];
    if (!actor->skeleton)
        return tr_fail(error, TR_INVALID, "actor %u has no skeleton", number);
    uint32_t joints = tr_skeleton_joint_count(actor->skeleton);
    if (actor->body && tr_body_view(actor->body)->joint_count != joints)
        return tr_fail(error, TR_INVALID, "the body of actor %u is for %u joints, its skeleton has %u",
                       number, tr_body_view(actor->body)->joint_count, joints);
    const tr_gltf_source *source = actor->source;
    if (source && (!(source->metres_per_unit > 0) || !isfinite(source->metres_per_unit) || !source->data))
        return tr_fail(error, TR_INVALID, "the source of actor %u has no data, or its unit is %g m", number,
                       source->metres_per_unit);
    tr_transform place;
    if (actor->place &&
        (!tr_affine_is_finite(actor->place) || !tr_gltf_write_take_apart(actor->place, &place)))
        return tr_fail(error, TR_INVALID, "the place of actor %u is not finite or has a shear", number);
    for (uint32_t i = 0; i < actor->clip_count; i++) {
        tr_status status = check_clip(actor, number, i, error);
        if (status != TR_OK)
            return status;
    }
    return TR_OK;
}

static tr_status check_line(const tr_gltf_shot *shot, uint32_t number, tr_error *error) {
    const tr_gltf_line *line = &shot->lines[number];
    if (line->point_count > 0 && !line->points)
        return tr_fail(error, TR_INVALID, "line %u has %u points, but the list is NULL", number,
                       line->point_count);
    for (uint32_t i = 0; i < line->point_count; i++)
        if (!tr_vec3_is_finite(line->points[i]))
            return tr_fail(error, TR_INVALID, "point %u of line %u is not finite", i, number);
    return TR_OK;
}

static tr_status check_shot(const tr_gltf_shot *shot, tr_error *error) {
    if (!shot)
        return tr_fail(error, TR_INVALID, "the shot is NULL");
    if (!(shot->tolerance >= 0) || !isfinite(shot->tolerance))
        return tr_fail(error, TR_INVALID, "the tolerance is %g, it must be at least 0",
                       (double)shot->tolerance);
    if (shot->form != TR_GLTF_SKINNED && shot->form != TR_GLTF_SEGMENTS && shot->form != TR_GLTF_BONES)
        return tr_fail(error, TR_INVALID, "the form is %d, it must be one of tr_gltf_form", (int)shot->form);
    if ((shot->actor_count > 0 && !shot->actors) || (shot->line_count > 0 && !shot->lines))
        return tr_fail(error, TR_INVALID, "the shot has %u actors and %u lines, but one list is NULL",
                       shot->actor_count, shot->line_count);
    tr_status status = TR_OK;
    for (uint32_t i = 0; i < shot->actor_count && status == TR_OK; i++)
        status = check_actor(shot, i, error);
    for (uint32_t i = 0; i < shot->line_count && status == TR_OK; i++)
        status = check_line(shot, i, error);
    return status;
}

void tr_gltf_write_release(gltf_out *out) {
    const tr_allocator *allocator = &out->allocator;
    for (uint32_t i = 0; i < out->node_count; i++)
        tr_release(allocator, out->nodes[i].name, strlen(out->nodes[i].name) + 1, 1);
    tr_release(allocator, out->bytes, out->capacity, 1);
    tr_release(allocator, out->views, out->view_capacity, sizeof *out->views);
    tr_release(allocator, out->accessors, out->accessor_capacity, sizeof *out->accessors);
    tr_release(allocator, out->meshes, out->mesh_capacity, sizeof *out->meshes);
    tr_release(allocator, out->materials, out->material_capacity, sizeof *out->materials);
    tr_release(allocator, out->nodes, out->node_capacity, sizeof *out->nodes);
    tr_release(allocator, out->skins, out->skin_capacity, sizeof *out->skins);
    tr_release(allocator, out->channels, out->channel_capacity, sizeof *out->channels);
    tr_release(allocator, out->animations, out->animation_capacity, sizeof *out->animations);
    tr_release(allocator, out->times, out->times_capacity, sizeof *out->times);
    tr_release(allocator, out->movers, out->mover_capacity, sizeof *out->movers);
    tr_release(allocator, out->first_joint, out->shot->actor_count, sizeof *out->first_joint);
    tr_gltf_sources_close(out);
    tr_name_set_end(&out->actor_names);
    tr_name_set_end(&out->animation_names);
}

tr_status tr_gltf_write(const tr_gltf_shot *shot, tr_bytes *bytes, tr_error *error) {
    bytes->data = NULL;
    bytes->size = 0;
    tr_status status = check_shot(shot, error);
    if (status != TR_OK)
        return status;
    gltf_out out = {.shot = shot, .allocator = tr_allocator_or_default(shot->allocator)};
    out.actor_names = tr_name_set_begin(&out.allocator);
    out.animation_names = tr_name_set_begin(&out.allocator);
    out.first_joint = tr_allocate(&out.allocator, shot->actor_count, sizeof *out.first_joint);
    if (!out.first_joint)
        tr_gltf_write_failed(&out, TR_OUT_OF_MEMORY);
    else
        status = tr_gltf_sources_open(&out, error);
    if (status != TR_OK) {
        tr_gltf_write_release(&out);
        return status;
    }
    for (uint32_t i = 0; i < shot->actor_count && out.status == TR_OK; i++)
        tr_gltf_write_actor(&out, i);
    tr_gltf_write_objects(&out);
    tr_gltf_write_lines(&out);
    tr_gltf_write_animations(&out);
    if (out.status == TR_OK)
        status = tr_gltf_write_file(&out, bytes, error);
    else
        status = tr_fail(error, out.status,
                         out.status == TR_LIMIT ? "the shot takes more than 2 GiB as glTF"
                                                : "no memory for the glTF file");
    tr_gltf_write_release(&out);
    return status;
}
