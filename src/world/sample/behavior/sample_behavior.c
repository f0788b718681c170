#include "sample_behavior.h"
#include "troupe/base/scalar.h"

void sample_motion(sample_builder *builder, uint32_t object, const double *times,
                   const tr_transform *transforms, uint32_t count, bool loop) {
    tr_trajectory_def def = {times, transforms, count, loop};
    if (builder->status == TR_OK)
        builder->status = tr_scene_set_trajectory(builder->sample.scene, object, &def, builder->error);
    if (builder->status == TR_OK) {
        const tr_trajectory *motion = tr_scene_trajectory(builder->sample.scene, object);
        tr_affine placement = tr_affine_from_transform(tr_trajectory_sample(motion, 0));
        builder->status = tr_scene_place(builder->sample.scene, object, &placement);
    }
}

void sample_behavior_field(sample_builder *builder, float half_x, float half_z, float top) {
    const float thick = SAMPLE_BORDER;
    sample_box(builder, -half_x, 0, -half_z, half_x, top, -half_z + thick);
    sample_box(builder, -half_x, 0, half_z - thick, half_x, top, half_z);
    sample_box(builder, -half_x, 0, -half_z + thick, -half_x + thick, top, half_z - thick);
    sample_box(builder, half_x - thick, 0, -half_z + thick, half_x, top, half_z - thick);
    sample_finish(builder, "border", 0);
    tr_box floor = sample_ground(half_x, half_z);
    sample_slab_floor(builder, &floor, 1);
    builder->sample.ground = floor;
}

static void log_between(sample_builder *builder, tr_vec3 a, tr_vec3 b) {
    sample_shape_pipe(&builder->shape, 12, SAMPLE_LOG, a, b);
    sample_finish(builder, "log", TR_TAG_JUMP_OVER);
}

void sample_behavior_log(sample_builder *builder, float x0, float x1, float z) {
    log_between(builder, sample_at(x0, SAMPLE_LOG, z), sample_at(x1, SAMPLE_LOG, z));
}

void sample_behavior_log_across(sample_builder *builder, float x, float z0, float z1) {
    log_between(builder, sample_at(x, SAMPLE_LOG, z0), sample_at(x, SAMPLE_LOG, z1));
}

void sample_behavior_lintel(sample_builder *builder, float x0, float x1, float z, float thickness) {
    sample_block(builder, "lintel", sample_at(x0, SAMPLE_LINTEL, z - thickness / 2),
                 sample_at(x1, SAMPLE_OBSTACLE_TOP, z + thickness / 2), TR_TAG_CRAWL_UNDER);
}

void sample_behavior_posts(sample_builder *builder, const tr_vec2 *places, uint32_t count, float jitter) {
    sample_movable_from_here(builder);
    for (uint32_t i = 0; i < count; i++) {
        float x = places[i].x + sample_random(builder, -jitter, jitter);
        float z = places[i].z + sample_random(builder, -jitter, jitter);
        float radius = sample_random(builder, 0.35f, 0.75f), top = sample_random(builder, 1.1f, 1.8f);
        double heading = (double)sample_random(builder, 0, 6.2831f);
        if (i % 2)
            sample_shape_column(&builder->shape, 12, radius, 0.85f * radius, 0, top);
        else
            sample_box(builder, -radius, 0, -0.8f * radius, radius, top, 0.8f * radius);
        uint32_t mesh = sample_mesh(builder, "post");
        sample_place(builder, "post", mesh, sample_at(x, 0, z), heading, 0);
    }
    sample_movable_to_here(builder);
}
