// A body made by hand: a rubber pipe over two joints, bent, and its skin in the bend.
#include <troupe/base/scalar.h>
#include <troupe/motion/body.h>
#include <troupe/motion/pose.h>

#include <stdio.h>

#define RINGS 5
#define CORNERS 4

int main(void) {
    // Two joints, half a metre apart, and a skin of square rings that goes over from one to the other.
    tr_joint_def joints[2] = {{.name = "base", .parent = TR_NONE, .rest = tr_transform_identity()},
                              {.name = "bend", .parent = 0, .rest = tr_transform_identity()}};
    joints[1].rest.position.y = 0.5f;
    tr_vec3 positions[RINGS * CORNERS], normals[RINGS * CORNERS];
    uint16_t skin_joints[RINGS * CORNERS][TR_BODY_INFLUENCES] = {{0}};
    float weights[RINGS * CORNERS][TR_BODY_INFLUENCES] = {{0}};
    for (uint32_t i = 0; i < RINGS * CORNERS; i++) {
        static const tr_vec3 sides[CORNERS] = {{1, 0, 0}, {0, 0, 1}, {-1, 0, 0}, {0, 0, -1}};
        float share = (float)(i / CORNERS) / (RINGS - 1); // of the second joint
        normals[i] = sides[i % CORNERS];
        positions[i] = tr_vec3_add(tr_vec3_scale(normals[i], 0.1f), tr_vec3_make(0, 0.25f + 0.5f * share, 0));
        skin_joints[i][1] = 1;
        weights[i][0] = 1 - share;
        weights[i][1] = share;
    }
    tr_affine inverse_rest[2] = {tr_affine_identity(), tr_affine_place(tr_vec3_make(0, -0.5f, 0), 0)};
    tr_capsule capsule = {.joint = 1, .b = {0, 0.5f, 0}, .radius = 0.1f};
    tr_body_def def = {.name = "pipe",
                       .joint_count = 2,
                       .positions = positions,
                       .normals = normals,
                       .joints = (const uint16_t(*)[TR_BODY_INFLUENCES])skin_joints,
                       .weights = (const float(*)[TR_BODY_INFLUENCES])weights,
                       .vertex_count = RINGS * CORNERS,
                       .inverse_rest = inverse_rest,
                       .capsules = &capsule,
                       .capsule_count = 1};
    tr_skeleton_def bones = {.joints = joints, .joint_count = 2};
    tr_skeleton *skeleton = NULL;
    tr_body *body = NULL;
    tr_pose pose = {0};
    tr_error error = {0};
    if (tr_skeleton_create(&bones, &skeleton, &error) != TR_OK ||
        tr_body_create(&def, &body, &error) != TR_OK || tr_pose_create(NULL, 2, &pose, &error) != TR_OK) {
        printf("no pipe: %s\n", error.message);
        return 1;
    }
    tr_affine model[2];
    tr_pose_set_rest(&pose, skeleton);
    tr_pose_set_rotation(&pose, 1, tr_quat_about(tr_vec3_make(0, 0, 1), TR_PI / 2));
    tr_pose_to_model(skeleton, &pose, NULL, model);
    tr_body_skin(body, model, positions, normals);
    for (uint32_t i = 0; i < RINGS * CORNERS; i += CORNERS)
        printf("ring %u: corner at (%5.2f, %5.2f), looking along (%5.2f, %5.2f)\n", i / CORNERS,
               positions[i].x, positions[i].y, normals[i].x, normals[i].y);
    tr_pose_destroy(&pose);
    tr_body_destroy(body);
    tr_skeleton_destroy(skeleton);
    return 0;
}
