// One step onto a block: the curve of the ankle, the hips, and the joint angles along it.
#include "troupe/plan/stride.h"

#include <stdio.h>

int main(void) {
    tr_stride_body body = tr_stride_body_default(1.75f);
    tr_error error;
    if (tr_stride_body_check(&body, &error) != TR_OK)
        return 1;
    // A block of 0.2 m begins 0.9 m ahead, in columns of 2 cm.
    float top[120];
    for (int i = 0; i < 120; i++)
        top[i] = i < 45 ? 0 : 0.2f;
    tr_stride_query query = {.body = &body,
                             .facing = 1,
                             .side = 0,
                             .from = {.along = 0.3f, .aside = 0.06f},
                             .stance = {.along = 0.65f, .aside = -0.06f},
                             .to = {.along = 1.1f, .aside = 0.06f, .height = 0.2f},
                             .swing = {.top = top, .columns = 120, .cell = 0.02f},
                             .clear = 0.02f};
    query.start = tr_stride_between(&body, query.facing, query.side, &query.from, &query.stance);
    tr_stride stride;
    tr_stride_reason reason = tr_stride_plan(&query, &stride);
    printf("onto the block: %s\n", tr_stride_reason_text(reason));
    if (reason != TR_STRIDE_FINE)
        return 1;
    printf("%.2f s, the ankle is lifted by %.0f mm more than on level ground\n", (double)stride.duration,
           (double)stride.lift * 1000);
    for (int i = 0; i <= 4; i++) {
        tr_stride_pose pose, keys;
        float share = 0.25f * (float)i;
        tr_stride_pose_at(&body, &stride, share, &pose);
        tr_stride_pose_by_keys(&body, &stride, share, &keys);
        printf("%3.0f %%: hips %.2f m high, left toes at (%.2f, %.2f), left knee %3.0f degrees (%3.0f by "
               "keys)\n",
               (double)share * 100, (double)pose.pelvis.y, (double)pose.toes[0].z, (double)pose.toes[0].y,
               (double)pose.knee[0] * 57.2958, (double)keys.knee[0] * 57.2958);
    }
    query.to.height = 0.9f;
    printf("onto a table: %s\n", tr_stride_reason_text(tr_stride_plan(&query, &stride)));
    return 0;
}
