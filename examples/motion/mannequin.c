// The mannequin: its joints, how far they turn, and what it is made of.
#include <troupe/base/scalar.h>
#include <troupe/motion/mannequin.h>

#include <stdio.h>

int main(void) {
    tr_mannequin_def def = {.height = 1.80f};
    tr_skeleton *skeleton = NULL;
    tr_body *body = NULL;
    tr_error error = {0};
    if (tr_mannequin_make(&def, &skeleton, &body, &error) != TR_OK) {
        printf("no mannequin: %s\n", error.message);
        return 1;
    }
    const tr_affine *rest = tr_skeleton_rest_model(skeleton);
    const double degrees = 180 / TR_PI;
    for (uint32_t i = 0; i < tr_skeleton_joint_count(skeleton); i++) {
        tr_joint_def joint = tr_skeleton_joint(skeleton, i);
        if (joint.is_end)
            continue;
        tr_vec3 place = tr_affine_position(&rest[i]), low = joint.limit.low, high = joint.limit.high;
        printf("%-16s at (%5.2f, %5.2f, %5.2f)", joint.name, place.x, place.y, place.z);
        if (joint.limit.active)
            printf("  x %4.0f to %3.0f, y %4.0f to %3.0f, z %4.0f to %3.0f degrees", low.x * degrees,
                   high.x * degrees, low.y * degrees, high.y * degrees, low.z * degrees, high.z * degrees);
        printf("\n");
    }
    const tr_body_def *view = tr_body_view(body);
    printf("%.2f m tall, %u triangles over %u vertices, %u capsules\n", tr_skeleton_height(skeleton),
           view->triangle_count, view->vertex_count, view->capsule_count);
    tr_body_destroy(body);
    tr_skeleton_destroy(skeleton);

    def.height = 25;
    if (tr_mannequin_make(&def, &skeleton, NULL, &error) == TR_INVALID)
        printf("refused: %s\n", error.message);
    return 0;
}
