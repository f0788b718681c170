// Writing and reading an actor.
#include "actor_data.h"
#include "motion/motion_archive.h"

static void archive_body(tr_driver_body *body, uint32_t joints, tr_archive *archive) {
    tr_locomotion_archive(&body->locomotion, archive);
    tr_pose_archive(body->pose, archive);
    for (uint32_t i = 0; i < joints; i++)
        tr_archive_affine(archive, &body->model[i]);
    tr_archive_affine(archive, &body->place);
    tr_archive_u32(archive, &body->contacts);
}

static void archive_joints(tr_footstep_motion_joints *joints, tr_archive *archive) {
    tr_archive_affine(archive, &joints->hips);
    tr_archive_affine(archive, &joints->ankles[0]);
    tr_archive_affine(archive, &joints->ankles[1]);
}

void tr_actor_archive(tr_actor *actor, float (*floor)(void *user, tr_vec3 point), void *floor_user,
                      tr_archive *archive) {
    tr_driver_nature nature = actor->nature;
    tr_archive_float(archive, &nature.dt);
    tr_archive_float(archive, &nature.speed);
    tr_archive_float(archive, &nature.corridor);
    tr_archive_check(archive, nature.dt == actor->nature.dt && nature.corridor == actor->nature.corridor,
                     "the saved dt or corridor of an actor differs");
    tr_archive_check(archive, nature.speed > 0 && nature.speed < 100,
                     "the speed of an actor is out of range");
    actor->nature.speed = nature.speed;
    tr_manner manner = actor->manner;
    tr_manner_archive(&manner, archive);
    if (tr_archive_reads(archive) && tr_manner_check(&manner, NULL) == TR_OK)
        tr_actor_set_manner(actor, &manner);
    else
        tr_archive_check(archive, !tr_archive_reads(archive), "the manner of an actor is out of range");
    tr_driver_archive(&actor->driver, &actor->task, &actor->nature, &actor->allocator, floor, floor_user,
                      archive);
    archive_body(&actor->body, actor->joint_count, archive);
    archive_joints(&actor->before, archive);
    tr_overlay_archive(actor->overlay, archive);
}
