// An actor into bytes and back.
#include "actor_data.h"

static void archive_body(tr_driver_body *body, uint32_t joints, tr_archive *archive) {
    tr_locomotion_archive(&body->locomotion, archive);
    tr_pose_archive(body->pose, archive);
    for (uint32_t i = 0; i < joints; i++)
        tr_archive_affine(archive, &body->model[i]);
    tr_archive_affine(archive, &body->place);
    tr_archive_u32(archive, &body->contacts);
}

void tr_actor_archive(tr_actor *actor, float (*floor)(void *user, tr_vec3 point), void *floor_user,
                      tr_archive *archive) {
    tr_archive_float(archive, &actor->nature.dt);
    tr_archive_float(archive, &actor->nature.speed);
    tr_archive_float(archive, &actor->nature.corridor);
    tr_driver_archive(&actor->driver, &actor->task, actor->nature.cast, &actor->allocator, floor, floor_user,
                      archive);
    archive_body(&actor->body, actor->joint_count, archive);
    tr_overlay_archive(actor->overlay, archive);
}
