// Capsules that cover an upper body in all poses of a window.
#include "upper_parts.h"

#include "troupe/world/distance.h"

#define APART 0.006f     // between arms and the parts of the own body in the poses of the window [m]
#define SELF_SHARE 0.9f  // of a capsule of the trunk counts for the own arms
#define HIPS_SHARE 0.66f // radius of the hips, by the distance of the thighs
#define SELF_LEAST 0.02f // smaller parts are left out [m]
#define LINKS 7u

void tr_upper_arm_at(const tr_arm *arm, const float q[TR_COMPLY_ARM_ANGLES], tr_vec3 points[4],
                     tr_quat *upper, tr_quat *forearm) {
    double side = arm->side == TR_ARM_LEFT ? -1 : 1;
    tr_vec3 x = {1, 0, 0}, y = {0, 1, 0}, z = {0, 0, 1}, down[TR_ARM_LINKS];
    *upper = tr_quat_multiply(tr_quat_about(x, -(double)q[TR_SHOULDER_FLEXION]),
                              tr_quat_multiply(tr_quat_about(z, -side * (double)q[TR_SHOULDER_ABDUCTION]),
                                               tr_quat_about(y, side * (double)q[TR_SHOULDER_ROTATION])));
    *forearm = tr_quat_multiply(*upper, tr_quat_about(x, -(double)q[TR_ELBOW_FLEXION]));
    for (int k = 0; k < TR_ARM_LINKS; k++)
        down[k] = tr_quat_rotate(k ? *forearm : *upper, tr_vec3_make(0, -arm->length[k], 0));
    points[0] = arm->shoulder;
    for (int k = 0; k < TR_ARM_LINKS; k++)
        points[k + 1] = tr_vec3_add(points[k], down[k]);
}

static float greater(float a, float b) {
    return a > b ? a : b;
}

// A part through the mean places of its ends, grown until it covers the capsule in all frames.
static tr_comply_part cover(const tr_upper_frame *frames, uint32_t count, uint32_t number, float radius) {
    tr_comply_part part = {.radius = radius};
    for (uint32_t f = 0; f < count; f++) {
        part.a = tr_vec3_add(part.a, frames[f].trunk[number][0]);
        part.b = tr_vec3_add(part.b, frames[f].trunk[number][1]);
    }
    part.a = tr_vec3_scale(part.a, 1 / (float)count);
    part.b = tr_vec3_scale(part.b, 1 / (float)count);
    float most = 0;
    for (uint32_t f = 0; f < count; f++) {
        most = greater(most, tr_vec3_distance(part.a, frames[f].trunk[number][0]));
        most = greater(most, tr_vec3_distance(part.b, frames[f].trunk[number][1]));
    }
    part.radius += most;
    return part;
}

static void fit_arm(const tr_upper_frame *frames, uint32_t count, float more, tr_arm *arm) {
    tr_vec3 shoulder = {0, 0, 0};
    float off[TR_ARM_LINKS] = {0};
    for (uint32_t f = 0; f < count; f++)
        shoulder = tr_vec3_add(shoulder, frames[f].arms[arm->side][0]);
    arm->shoulder = tr_vec3_scale(shoulder, 1 / (float)count);
    for (uint32_t f = 0; f < count; f++) {
        tr_vec3 points[4];
        tr_quat upper, forearm;
        tr_upper_arm_at(arm, frames[f].pose.arms[arm->side], points, &upper, &forearm);
        for (int k = 0; k < TR_ARM_LINKS; k++) {
            off[k] = greater(off[k], tr_vec3_distance(points[k], frames[f].arms[arm->side][k]));
            off[k] = greater(off[k], tr_vec3_distance(points[k + 1], frames[f].arms[arm->side][k + 1]));
        }
    }
    for (int k = 0; k < TR_ARM_LINKS; k++)
        arm->radius[k] += greater(off[k] + more, 0);
}

// The radius that a part of the trunk or of the hips has for the own arms.
static float self_radius(const tr_comply_body *body, const tr_upper_frame *frames, uint32_t count,
                         const tr_comply_part *part) {
    float radius = SELF_SHARE * part->radius;
    for (uint32_t f = 0; f < count; f++)
        for (int side = 0; side < 2; side++) {
            tr_vec3 points[4], a = part->a, b = part->b;
            tr_quat upper, forearm;
            tr_upper_arm_at(&body->arms[side], frames[f].pose.arms[side], points, &upper, &forearm);
            tr_quat waist = tr_upper_waist(frames[f].pose.waist, 1, 1);
            for (int k = 0; k < 4 && part->on_pelvis; k++)
                points[k] = tr_quat_rotate(waist, points[k]);
            for (int k = 0; k < TR_ARM_LINKS; k++)
                if (part->links >> k & 1) {
                    float apart = sqrtf(tr_distance_segments(points[k], points[k + 1], a, b, NULL, NULL)) -
                                  body->arms[side].radius[k] - APART;
                    radius = apart < radius ? apart : radius;
                }
        }
    return radius;
}

static void add_self(const tr_upper_frame *frames, uint32_t count, tr_comply_part part,
                     tr_comply_body *body) {
    part.radius = self_radius(body, frames, count, &part);
    if (part.radius > SELF_LEAST && body->part_count < TR_COMPLY_PARTS_MAX)
        body->parts[body->part_count++] = part;
}

void tr_upper_fit(const tr_upper *upper, const tr_cast *cast, const tr_upper_frame *frames, uint32_t count,
                  float more, tr_comply_body *body) {
    *body = upper->body;
    for (int side = 0; side < 2; side++)
        fit_arm(frames, count, more, &body->arms[side]);
    const tr_body_def *view = cast->body ? tr_body_view(cast->body) : NULL;
    const tr_skeleton *skeleton = cast->skeleton;
    uint32_t neck = tr_skeleton_with_role(skeleton, TR_ROLE_NECK), trunk = upper->trunk_count, largest = 0;
    body->part_count = trunk > 0 ? 0 : body->part_count;
    float greatest = 0;
    for (uint32_t i = 0; i < trunk; i++) {
        const tr_capsule *capsule = &view->capsules[upper->trunk[i]];
        tr_comply_part part = cover(frames, count, i, capsule->radius);
        float reach = capsule->radius + 0.5f * tr_vec3_distance(part.a, part.b);
        largest = reach > greatest ? i : largest;
        greatest = greater(reach, greatest);
        part.radius = greater(part.radius + more, capsule->radius);
        body->parts[body->part_count++] = part;
    }
    for (uint32_t i = 0; i < trunk; i++) { // the widest part of the trunk, and the head
        uint32_t joint = view->capsules[upper->trunk[i]].joint;
        bool head = neck != TR_NONE && joint != neck && tr_skeleton_hangs_on(skeleton, joint, neck);
        if (i != largest && !head)
            continue;
        tr_comply_part part = cover(frames, count, i, view->capsules[upper->trunk[i]].radius);
        part.links = head ? LINKS : LINKS & ~1u;
        add_self(frames, count, part, body);
    }
    tr_comply_part hips = {
        .a = frames[0].hips[0], .b = frames[0].hips[1], .on_pelvis = true, .links = LINKS & ~1u};
    hips.radius = HIPS_SHARE * tr_vec3_distance(hips.a, hips.b);
    add_self(frames, count, hips, body);
}
