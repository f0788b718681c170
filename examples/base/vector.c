// Place a chair, turn it, and see where its corner goes.
#include "troupe/base/scalar.h"
#include "troupe/base/vector.h"

#include <stdio.h>

int main(void) {
    tr_vec3 corner = {0.25f, 0.9f, 0.25f};
    tr_affine placed = tr_affine_place(tr_vec3_make(2, 0, 3), TR_PI / 2); // looking along +X
    tr_vec3 there = tr_affine_apply(&placed, corner);
    printf("the corner stands at %.3f %.3f %.3f\n", there.x, there.y, there.z);

    tr_box chair = {{-0.25f, 0, -0.25f}, {0.25f, 0.9f, 0.25f}};
    tr_affine askew = tr_affine_place(tr_vec3_make(2, 0, 3), TR_PI / 4);
    tr_box around = tr_affine_apply_box(&askew, chair);
    printf("turned by 45 degrees it needs %.3f x %.3f m of floor\n", around.max.x - around.min.x,
           around.max.z - around.min.z);

    tr_transform from = tr_transform_identity(), to = from;
    to.position = tr_vec3_make(4, 0, 0);
    to.rotation = tr_quat_about(tr_vec3_make(0, 1, 0), TR_PI / 2);
    for (int step = 0; step <= 4; step++) {
        tr_transform at = tr_transform_blend(from, to, (float)step / 4);
        double degrees = 2 * tr_arc_tangent(at.rotation.y, at.rotation.w) * 180 / TR_PI;
        printf("on the way: x = %.1f m, heading %.1f degrees\n", at.position.x, degrees);
    }
    return 0;
}
