// Writes an overlay into bytes and reads it back.
#include "overlay_parts.h"
#include "motion/motion_archive.h"
#include "plan/plan_archive.h"

static void archive_arm(overlay_arm *arm, tr_archive *archive) {
    arm->doing = (tr_overlay_arm_doing)tr_archive_choice(archive, arm->doing, TR_OVERLAY_ARM_FADES + 1);
    tr_arm_archive(&arm->arm, archive);
    tr_arm_archive_posture(&arm->posture, archive);
    tr_arm_archive_posture(&arm->velocity, archive);
    tr_arm_archive_posture(&arm->rest, archive);
    tr_archive_float(archive, &arm->taken);
    tr_archive_double(archive, &arm->since);
    tr_archive_double(archive, &arm->time);
    tr_archive_double(archive, &arm->pace);
    tr_arm_timing_archive(&arm->arm_timing, arm->knots, TR_OVERLAY_KNOTS_MAX, archive);
    bool moves = arm->doing == TR_OVERLAY_ARM_MOVES || arm->doing == TR_OVERLAY_ARM_BRAKES;
    tr_archive_check(archive, !moves || arm->arm_timing.arm_path.count > 0,
                     "an arm moves without an arm path");
}

static void archive_arms(tr_overlay *overlay, tr_archive *archive) {
    bool prepared = overlay->arms != NULL;
    tr_archive_bool(archive, &prepared);
    if (tr_archive_reads(archive) && prepared) {
        tr_error error = {0};
        tr_status status = tr_overlay_prepare_arms(overlay, &error);
        if (status != TR_OK)
            tr_archive_fail(archive, status, "%s", error.message);
    }
    for (uint32_t i = 0; prepared && overlay->arms && i < 2; i++) {
        bool there = overlay->arms[i].there;
        tr_archive_bool(archive, &there);
        tr_archive_check(archive, there == overlay->arms[i].there,
                         "the saved arms are not those of the skeleton");
        if (there)
            archive_arm(&overlay->arms[i], archive);
    }
}

static void archive_comply_pose(tr_comply_pose *pose, tr_archive *archive) {
    tr_archive_floats(archive, (float *)pose, sizeof *pose / sizeof(float));
}

static void archive_upper_frame(tr_upper_frame *frame, uint32_t trunk_count, tr_archive *archive) {
    tr_archive_vec3(archive, &frame->place.position);
    tr_archive_float(archive, &frame->place.heading);
    archive_comply_pose(&frame->pose, archive);
    for (uint32_t i = 0; i < trunk_count; i++)
        for (uint32_t end = 0; end < 2; end++)
            tr_archive_vec3(archive, &frame->trunk[i][end]);
    for (uint32_t i = 0; i < 8; i++)
        tr_archive_vec3(archive, &frame->arms[i / 4][i % 4]);
    for (uint32_t i = 0; i < 2; i++)
        tr_archive_vec3(archive, &frame->hips[i]);
}

// An overlay whose upper body is not prepared has no plan.
static void archive_comply(tr_overlay *overlay, tr_archive *archive) {
    overlay_comply *comply = overlay->comply;
    bool departs = comply && (comply->shown || tr_overlay_departs(overlay));
    tr_archive_bool(archive, &departs);
    tr_archive_check(archive, !departs || comply, "a body departs from its motion that cannot");
    if (!departs || !comply || !tr_archive_is_good(archive))
        return;
    tr_archive_u32(archive, &comply->count);
    tr_archive_u32(archive, &comply->next);
    tr_archive_check(archive, comply->count <= TR_OVERLAY_DEPARTURES_MAX && comply->next <= comply->count,
                     "the plan of an upper body is too long");
    tr_archive_bool(archive, &comply->shown);
    archive_comply_pose(&comply->now, archive);
    archive_comply_pose(&comply->rate, archive);
    tr_archive_affine(archive, &comply->hips);
    archive_upper_frame(&comply->usual, comply->upper->trunk_count, archive);
    for (uint32_t i = 0; i < comply->count && tr_archive_is_good(archive); i++)
        archive_comply_pose(&comply->plan[i], archive);
}

static void archive_gaze(overlay_gaze *gaze, tr_archive *archive) {
    tr_archive_bool(archive, &gaze->active);
    tr_archive_vec3(archive, &gaze->point);
    tr_archive_float(archive, &gaze->aside);
    tr_archive_float(archive, &gaze->down);
    tr_archive_float(archive, &gaze->aside_rate);
    tr_archive_float(archive, &gaze->down_rate);
}

static void archive_posture(overlay_posture *posture, tr_archive *archive) {
    overlay_spring *springs[] = {&posture->lean, &posture->bank, &posture->aside, &posture->down,
                                 &posture->shift};
    tr_archive_float(archive, &posture->speed);
    for (size_t i = 0; i < sizeof springs / sizeof *springs; i++) {
        tr_archive_float(archive, &springs[i]->at);
        tr_archive_float(archive, &springs[i]->rate);
    }
}

void tr_overlay_archive(tr_overlay *overlay, tr_archive *archive) {
    tr_inertia_archive(overlay->inertia, archive);
    overlay->in_transition = !tr_inertia_is_over(overlay->inertia);
    tr_archive_bool(archive, &overlay->has_shown);
    for (uint32_t i = 0; i < 2 && overlay->has_shown; i++)
        tr_pose_archive(&overlay->shown[i], archive);
    tr_foot_lock_archive(&overlay->foot_lock, archive);
    tr_archive_float(archive, &overlay->foot_lock_params.ground);
    tr_archive_floats(archive, overlay->foot_lock_params.rise, 2);
    archive_posture(&overlay->posture, archive);
    tr_archive_float(archive, &overlay->slope);
    tr_archive_float(archive, &overlay->slope_rate);
    tr_archive_float(archive, &overlay->lower);
    tr_archive_float(archive, &overlay->lower_rate);
    tr_archive_float(archive, &overlay->tuck);
    tr_archive_float(archive, &overlay->tuck_rate);
    for (uint32_t i = 0; i < 2; i++) {
        tr_archive_float(archive, &overlay->draws[i].share);
        tr_archive_float(archive, &overlay->draws[i].rate);
        tr_archive_float(archive, &overlay->draws[i].held);
    }
    archive_arms(overlay, archive);
    overlay->first = tr_archive_choice(archive, overlay->first, 2);
    archive_gaze(&overlay->gaze, archive);
    tr_archive_float(archive, &overlay->stillness);
    archive_comply(overlay, archive);
}
