// The mannequin's feet: where heel, ball and tip are when it stands.
#include "troupe/motion/foot.h"
#include "troupe/motion/mannequin.h"

#include <stdio.h>

int main(void) {
    tr_skeleton *skeleton = NULL;
    tr_error error;
    if (tr_mannequin_make(&(tr_mannequin_def){.height = 1.75f}, &skeleton, NULL, &error) != TR_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    const tr_affine *rest = tr_skeleton_rest_model(skeleton);
    for (uint32_t side = 0; side < 2; side++) {
        tr_foot foot;
        if (tr_foot_measure(skeleton, side, &foot) != TR_OK)
            return 1;
        tr_vec3 points[3] = {tr_foot_heel(&foot, rest), tr_foot_ball(&foot, rest), tr_foot_tip(&foot, rest)};
        const char *names[3] = {"heel", "ball", "tip"};
        for (int i = 0; i < 3; i++)
            printf("%s %-4s at (%+.3f, %.3f, %+.3f)\n", side ? "right" : "left ", names[i], points[i].x,
                   points[i].y, points[i].z);
    }
    tr_skeleton_destroy(skeleton);
    return 0;
}
