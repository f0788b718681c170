// Results of reaching in a play: how the path was found, and how smoothly the wrist moved along it.
#include "cli/json_fields.h"
#include "play.h"
#include "troupe/motion/smoothness.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const char *by_name(tr_reach_by by) {
    static const char *const names[] = {"nothing", "line", "cells", "trees"};
    return (uint32_t)by < sizeof names / sizeof names[0] ? names[by] : "";
}

// Frames from the departure of the hand to its arrival. Frame 0 shows the end of the first tick.
static uint32_t first_frame(const play_shot *shot, const tr_order_reach *reach) {
    double frame = floor(reach->move_begin * shot->play.frames_per_second + 0.5) - 1;
    return frame > 0 ? (uint32_t)frame : 0;
}

uint32_t play_wrist_frames(const play_shot *shot, uint32_t actor, const tr_order_reach *reach) {
    uint32_t first = first_frame(shot, reach), frames = tr_clip_frame_count(shot->parts[actor].clip);
    double last = floor(reach->move_end * shot->play.frames_per_second + 0.5) - 1;
    uint32_t end = last < 0 ? 0 : last < frames ? (uint32_t)last + 1 : frames;
    return end > first ? end - first : 0;
}

tr_status play_take_wrist(const play_shot *shot, uint32_t actor, const tr_order_reach *reach,
                          tr_vec3 *positions, uint32_t *count, tr_error *error) {
    const play_part *part = &shot->parts[actor];
    uint32_t joints = tr_clip_joint_count(part->clip), first = first_frame(shot, reach);
    tr_role role = reach->side == TR_ARM_LEFT ? TR_ROLE_LEFT_HAND : TR_ROLE_RIGHT_HAND;
    uint32_t hand = tr_skeleton_with_role(tr_character_skeleton(part->character), role);
    *count = hand == TR_NONE ? 0 : play_wrist_frames(shot, actor, reach);
    tr_affine *model = calloc(joints, sizeof *model);
    tr_pose pose = {0};
    tr_status status = tr_pose_create(NULL, joints, &pose, error);
    if (!model)
        status = tr_fail(error, TR_OUT_OF_MEMORY, "no memory to measure a reach");
    for (uint32_t i = 0; i < *count && status == TR_OK; i++) {
        tr_clip_get_frame(part->clip, first + i, &pose);
        tr_pose_to_model(tr_character_skeleton(part->character), &pose, NULL, model);
        positions[i] = tr_affine_position(&model[hand]);
    }
    tr_pose_destroy(&pose);
    free(model);
    return status;
}

static tr_smoothness measure(const play_shot *shot, uint32_t actor, const tr_order_reach *reach) {
    tr_smoothness smoothness = {.ldlj = NAN, .sparc = NAN, .peak_speed = NAN}, measured;
    uint32_t count = play_wrist_frames(shot, actor, reach);
    tr_vec3 *positions = calloc(count + 1, sizeof *positions);
    tr_error error;
    if (positions && play_take_wrist(shot, actor, reach, positions, &count, &error) == TR_OK &&
        tr_smoothness_measure(positions, count, shot->play.frames_per_second, NULL, &measured, &error) ==
            TR_OK)
        smoothness = measured;
    free(positions);
    return smoothness;
}

void play_write_reach(tr_json_writer *writer, const play_shot *shot, uint32_t actor,
                      const tr_order_reach *reach) {
    tr_smoothness smoothness = measure(shot, actor, reach);
    tr_json_write_key(writer, "reach");
    tr_json_write_object(writer);
    json_field_text(writer, "hand", reach->side == TR_ARM_LEFT ? "left" : "right");
    json_field_count(writer, "plans", reach->plans);
    json_field_number(writer, "plan_us", reach->plan_us);
    json_field_text(writer, "by", by_name(reach->by));
    json_field_count(writer, "checks", reach->checks);
    json_field_number(writer, "clearance", (double)reach->clearance);
    json_field_number(writer, "duration", reach->duration);
    json_field_number(writer, "wrist_m", reach->wrist_length);
    json_field_number(writer, "ldlj", smoothness.ldlj);
    json_field_number(writer, "sparc", smoothness.sparc);
    // A motion of only a frame or two gives no figures.
    json_field_number(writer, "speed_peaks", isnan(smoothness.peak_speed) ? NAN : smoothness.speed_peaks);
    json_field_number(writer, "peak_speed", smoothness.peak_speed);
    tr_json_write_end(writer);
}

void play_print_reaches(const play_shot *shot, uint32_t actor) {
    uint32_t orders = play_order_count(shot->play.stage, actor);
    for (uint32_t i = 0; i < orders; i++) {
        tr_order_report report = play_order(shot->play.stage, actor, i);
        const tr_order_reach *reach = &report.reach;
        if (!reach->plans)
            continue;
        const char *hand = reach->side == TR_ARM_LEFT ? "left" : "right";
        if (reach->plans > 1) {
            printf("    reaches with the %s hand: %.1f s, planned %u times as objects moved, in %.2f ms at "
                   "most\n",
                   hand, report.end - report.begin, reach->plans, reach->plan_us / 1e3);
            continue;
        }
        printf("    reaches with the %s hand: %.2f m in %.2f s, planned in %.2f ms (%s, %u postures), ", hand,
               reach->wrist_length, reach->duration, reach->plan_us / 1e3, by_name(reach->by), reach->checks);
        printf("%.0f mm of room, jerk %.1f\n", 1e3 * (double)reach->clearance,
               measure(shot, actor, reach).ldlj);
    }
}
