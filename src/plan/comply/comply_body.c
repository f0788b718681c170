// The body: its default sizes, its checks, and where its capsules are.
#define SIMD_LANES 4
#include "base/simd_trigonometry.h"
#include "comply_data.h"
#include "troupe/base/scalar.h"

#include <string.h>

static const char *const limb_names[TR_COMPLY_LIMBS] = {"waist", "left arm", "right arm"};
const char *tr_comply_limb_name(tr_comply_limb limb) {
    return (uint32_t)limb < TR_COMPLY_LIMBS ? limb_names[limb] : "unknown limb";
}

tr_comply_body tr_comply_body_default(float height) {
    // Shares of the height: docs/plan/comply.md has the sources.
    const float h = height, torso = 0.066f * h;
    tr_comply_body body = {
        .arms = {tr_arm_default(TR_ARM_RIGHT, height), tr_arm_default(TR_ARM_LEFT, height)},
        .waist_low = {-0.25f, 0, -0.8f},
        .waist_high = {1.2f, 0, 0.8f},
        .bends = true,
        .waist_speed = 2,
        .waist_acceleration = 16,
        .arm_speed = 4,
        .arm_acceleration = 50,
        .part_count = 5,
        .parts = {{{0.035f * h, 0, 0}, {-0.035f * h, 0, 0}, torso, 6, true},
                  {{0, 0.08f * h, 0}, {0, 0.16f * h, 0}, torso, 6, false},
                  {{0.045f * h, 0.22f * h, 0}, {-0.045f * h, 0.22f * h, 0}, torso, 6, false},
                  {{0.129f * h, 0.288f * h, 0}, {-0.129f * h, 0.288f * h, 0}, 0.0286f * h, 6, false},
                  {{0, 0.36f * h, 0.01f * h}, {0, 0.415f * h, 0.01f * h}, 0.055f * h, 7, false}}};
    body.waist = body.arms[0].waist;
    for (int side = 0; side < 2; side++)
        body.arms[side].base = tr_affine_identity();
    return body;
}

tr_comply_pose tr_comply_swing(float phase, float share) {
    double sine, cosine;
    tr_sin_cos(2 * TR_PI * (double)phase, &sine, &cosine);
    tr_comply_pose pose = {{0}, {{0}}};
    for (int side = 0; side < 2; side++) { // the right arm is in front when the left foot strikes
        float swing = share * (float)(side == TR_ARM_RIGHT ? cosine : -cosine);
        pose.arms[side][TR_SHOULDER_FLEXION] = -0.03f + 0.3f * swing;
        pose.arms[side][TR_SHOULDER_ABDUCTION] = 0.12f;
        pose.arms[side][TR_SHOULDER_ROTATION] = 0.1f;
        pose.arms[side][TR_ELBOW_FLEXION] = 0.3f + 0.15f * swing;
    }
    return pose;
}

static tr_status check_part(const tr_comply_part *part, uint32_t number, tr_error *error) {
    if (!tr_vec3_is_finite(part->a) || !tr_vec3_is_finite(part->b) || !(part->radius > 0) ||
        !(part->radius <= 1000))
        return tr_fail(error, TR_INVALID,
                       "part %u of the body has a radius of %g m or ends that are not finite", number,
                       (double)part->radius);
    if (part->links > COMPLY_LINKS_ALL)
        return tr_fail(error, TR_INVALID, "part %u of the body has the links %u, they must be 0 to 7", number,
                       part->links);
    return TR_OK;
}

static tr_status check_number(const char *name, float value, float low, float high, tr_error *error) {
    if (value >= low && value <= high)
        return TR_OK;
    return tr_fail(error, TR_INVALID, "the %s is %g, it must be %g to %g", name, (double)value, (double)low,
                   (double)high);
}

static tr_status check_count(const char *name, uint32_t value, uint32_t low, uint32_t high, tr_error *error) {
    if (value >= low && value <= high)
        return TR_OK;
    return tr_fail(error, TR_INVALID, "the %s is %u, it must be %u to %u", name, value, low, high);
}

static tr_status check_body(const tr_comply_body *body, tr_error *error) {
    tr_status status = TR_OK;
    for (int side = 0; side < 2 && status == TR_OK; side++) {
        status = tr_arm_check(&body->arms[side], error);
        if (status == TR_OK && body->arms[side].side != (tr_arm_side)side)
            status = tr_fail(error, TR_INVALID, "arm %d of the body is that of the other side", side);
    }
    static const char *const names[TR_COMPLY_WAIST_ANGLES] = {"lean", "bend", "turn"};
    for (int k = 0; k < TR_COMPLY_WAIST_ANGLES && status == TR_OK; k++)
        if (!(body->waist_low[k] >= -1.6f && body->waist_high[k] <= 1.6f &&
              body->waist_low[k] <= body->waist_high[k]))
            status = tr_fail(error, TR_INVALID,
                             "the limits of the waist's %s are %g and %g, they must be -1.6 to 1.6", names[k],
                             (double)body->waist_low[k], (double)body->waist_high[k]);
    if (status == TR_OK && !tr_vec3_is_finite(body->waist))
        status = tr_fail(error, TR_INVALID, "the waist is not at a finite place");
    if (status == TR_OK)
        status = check_count("number of parts", body->part_count, 0, TR_COMPLY_PARTS_MAX, error);
    for (uint32_t i = 0; i < body->part_count && status == TR_OK; i++)
        status = check_part(&body->parts[i], i, error);
    const struct {
        const char *name;
        float value;
    } rates[] = {{"speed of the waist", body->waist_speed},
                 {"acceleration of the waist", body->waist_acceleration},
                 {"speed of the arms", body->arm_speed},
                 {"acceleration of the arms", body->arm_acceleration}};
    for (int i = 0; i < 4 && status == TR_OK; i++)
        status = check_number(rates[i].name, rates[i].value, 1e-3f, 1e4f, error);
    return status;
}

tr_status tr_comply_check_def(const tr_comply_def *def, tr_error *error) {
    if (!def)
        return tr_fail(error, TR_INVALID, "the def is NULL");
    tr_status status = check_body(&def->body, error);
    if (status == TR_OK)
        status = check_number("number of frames per second", def->frames_per_second, 1, 1000, error);
    if (status == TR_OK)
        status = check_count("stride", def->stride, 1, COMPLY_STRIDE_MAX, error);
    if (status == TR_OK)
        status = check_count("most frames", def->frames_max, 2, 4096, error);
    if (status == TR_OK)
        status = check_count("most nodes", def->nodes_max, 256, 1u << 24, error);
    if (status == TR_OK)
        status = check_count("most movers", def->movers_max, 0, 1024, error);
    if (status == TR_OK)
        status = check_count("most others", def->others_max, 0, 1024, error);
    if (status == TR_OK)
        status = check_count("most legs", def->legs_max, 0, 1024, error);
    if (status == TR_OK)
        status = check_number("margin", def->margin, 1e-4f, 1, error);
    if (status == TR_OK)
        status = check_number("margin to the own body", def->self_margin, 0, 1, error);
    if (status == TR_OK)
        status = check_number("step of the waist", def->waist_step, 0, 2, error);
    if (status == TR_OK)
        status = check_number("step of the arms", def->arm_step, 0, 2, error);
    return status;
}

tr_status tr_comply_check_same_limits(const tr_comply_body *a, const tr_comply_body *b, tr_error *error) {
    bool same = memcmp(a->waist_low, b->waist_low, sizeof a->waist_low) == 0 &&
                memcmp(a->waist_high, b->waist_high, sizeof a->waist_high) == 0 && a->bends == b->bends &&
                a->waist_speed == b->waist_speed && a->waist_acceleration == b->waist_acceleration &&
                a->arm_speed == b->arm_speed && a->arm_acceleration == b->arm_acceleration;
    for (int side = 0; side < 2; side++)
        for (int k = 0; k < TR_COMPLY_ARM_ANGLES; k++)
            same = same && a->arms[side].low.q[k] == b->arms[side].low.q[k] &&
                   a->arms[side].high.q[k] == b->arms[side].high.q[k];
    return same ? TR_OK
                : tr_fail(error, TR_INVALID, "the limits of the body differ from those it was created with");
}

void tr_comply_arm_points(const tr_arm *arm, const float q[TR_COMPLY_ARM_ANGLES], tr_vec3 points[4],
                          float *bend) {
    simd_float s, c;
    simd_sin_cos(simd_load(q), &s, &c);
    float side = arm->side == TR_ARM_LEFT ? -1.0f : 1.0f;
    float sf = s[0], cf = c[0], sa = s[1], ca = c[1], sr = s[2], cr = c[2], se = s[3], ce = c[3];
    // The directions of the upper arm and of what the elbow turns towards, as in plan/arm.
    tr_vec3 u = {-sa, -(ca * cf), ca * sf};
    tr_vec3 z = {ca * sr, sf * cr - cf * sa * sr, sf * sa * sr + cf * cr};
    tr_vec3 v = {ce * u.x + se * z.x, ce * u.y + se * z.y, ce * u.z + se * z.z};
    u.x *= side;
    v.x *= side;
    points[0] = arm->shoulder;
    points[1] = tr_vec3_add(points[0], tr_vec3_scale(u, arm->length[0]));
    points[2] = tr_vec3_add(points[1], tr_vec3_scale(v, arm->length[1]));
    points[3] = tr_vec3_add(points[2], tr_vec3_scale(v, arm->length[2]));
    *bend = se < 0 ? -se : se;
}

tr_affine tr_comply_trunk(const tr_comply_body *body, const float waist[TR_COMPLY_WAIST_ANGLES]) {
    simd_float angles = {waist[0], waist[1], waist[2], 0}, s, c;
    simd_sin_cos(angles, &s, &c);
    float sl = s[0], cl = c[0], sb = s[1], cb = c[1], st = s[2], ct = c[2];
    // Ry(turn) Rx(lean), then its columns turned by Rz(-bend).
    float m[3][3] = {{ct, st * sl, st * cl}, {0, cl, -sl}, {-st, ct * sl, ct * cl}};
    tr_affine trunk;
    for (int row = 0; row < 3; row++) {
        float x = m[row][0] * cb - m[row][1] * sb, y = m[row][0] * sb + m[row][1] * cb, z = m[row][2];
        tr_vec3 p = body->waist;
        float kept = row == 0 ? p.x : row == 1 ? p.y : p.z;
        trunk.m[row][0] = x;
        trunk.m[row][1] = y;
        trunk.m[row][2] = z;
        trunk.m[row][3] = kept - (x * p.x + y * p.y + z * p.z);
    }
    return trunk;
}

tr_affine tr_comply_pelvis(tr_vec3 position, float heading) {
    simd_float angles = {heading, 0, 0, 0}, s, c;
    simd_sin_cos(angles, &s, &c);
    return (tr_affine){{{c[0], 0, s[0], position.x}, {0, 1, 0, position.y}, {-s[0], 0, c[0], position.z}}};
}

static tr_solid_capsule put(const tr_affine *map, tr_vec3 a, tr_vec3 b, float radius) {
    return (tr_solid_capsule){tr_affine_apply(map, a), tr_affine_apply(map, b), radius};
}

uint32_t tr_comply_capsules(const tr_comply_body *body, const tr_comply_place *place,
                            const tr_comply_pose *pose, tr_solid_capsule capsules[TR_COMPLY_CAPSULES_MAX]) {
    tr_affine pelvis = tr_comply_pelvis(place->position, place->heading);
    tr_affine bent = tr_comply_trunk(body, pose->waist), trunk = tr_affine_multiply(&pelvis, &bent);
    uint32_t count = 0;
    for (uint32_t i = 0; i < body->part_count && i < TR_COMPLY_PARTS_MAX; i++) {
        const tr_comply_part *part = &body->parts[i];
        capsules[count++] = put(part->on_pelvis ? &pelvis : &trunk, part->a, part->b, part->radius);
    }
    for (int side = 0; side < 2; side++) {
        const tr_arm *arm = &body->arms[side];
        tr_vec3 points[4];
        float bend;
        tr_comply_arm_points(arm, pose->arms[side], points, &bend);
        for (int link = 0; link < TR_ARM_LINKS; link++)
            capsules[count++] = put(&trunk, points[link], points[link + 1], arm->radius[link]);
    }
    return count;
}
