// The motion as others see it: recorded, with the stairs as triangles, and looked at by `audit`.
#include "footstep_motion_walks.h"
#include "motion/cast/cast.h"

#include "troupe/motion/audit.h"

static tr_audit audit_walk(const footstep_walk *walk, float height) {
    tr_audit audit = {.collisions = 99};
    footstep_walker *walker = walker_of(height);
    if (!walker)
        return audit;
    walk_record record = {walker, NULL, 0};
    tr_clip_def def = {
        .skeleton = walker->character->skeleton, .frame_count = 1000, .frames_per_second = WALK_RATE};
    CHECK_INT(tr_clip_create(&def, &record.clip, NULL), TR_OK);
    watch_walk(walker, walk, record_frame, &record);
    CHECK(record.frame < 1000);
    tr_scene *scene = scene_of(walk);
    tr_audit_params params = tr_audit_params_default();
    params.scene = scene;
    params.body = walker->character->body;
    params.end = (record.frame - 1) / (double)WALK_RATE;
    params.ground = NO_FLOOR;
    tr_error error = {0};
    CHECK_INT(tr_audit_measure(NULL, def.skeleton, record.clip, &params, &audit, &error), TR_OK);
    tr_scene_destroy(scene);
    tr_clip_destroy(record.clip);
    return audit;
}

static void check_audit(const tr_audit *audit) {
    CHECK(audit->plants >= 6);
    CHECK(audit->slide_mm_max < 0.01f);
    CHECK(audit->penetration_mm_max < 0.1f);
    CHECK_INT(audit->joint_limit_violations, 0);
    CHECK_INT(audit->collisions, 0);
    CHECK_INT(audit->self_collisions, 0);
    CHECK(audit->clearance_mm_min > 10);
    CHECK(audit->ldlj > -9.5f);
}

TEST(on_stairs_nothing_collides_and_nothing_slides) {
    const float heights[] = {1.2f, 1.5f, 1.75f};
    for (uint32_t i = 0; i < 3; i++)
        for (int way = -1; way <= 1; way += 2) {
            footstep_walk walk =
                stair_walk(heights[i], (heights[i] < 1.4f ? 0.15f : 0.17f) * (float)way, 0.29f, 6);
            tr_audit audit = audit_walk(&walk, heights[i]);
            check_audit(&audit);
        }
}

TEST(on_level_ground_it_looks_like_a_walk) {
    footstep_walk walk = level_walk(1.75f, 0.6f, 4);
    tr_audit audit = audit_walk(&walk, 1.75f);
    check_audit(&audit);
    CHECK(audit.ldlj > -8.2f); // people: -7.2 to -7.8
}

TEST(over_a_gap_and_on_a_ramp_nothing_collides) {
    footstep_walk gap = gap_walk(1.75f, 0.85f), ramp = ramp_walk(1.75f, 0.2f), down = ramp_walk(1.75f, -0.2f);
    tr_audit audit = audit_walk(&gap, 1.75f);
    check_audit(&audit);
    audit = audit_walk(&ramp, 1.75f);
    check_audit(&audit);
    audit = audit_walk(&down, 1.75f);
    check_audit(&audit);
}
