// The arm and the body of a task file.
#include "reach_file_data.h"

#include "troupe/base/scalar.h"

#include <string.h>

static const char *const joint_names[TR_ARM_JOINTS] = {
    "shoulder_flexion", "shoulder_abduction", "shoulder_internal_rotation",
    "elbow_flexion",    "forearm_pronation",  "wrist_flexion",
    "wrist_deviation"};
// The formula that third-party files state, in their axes (Z up); plan/arm.h has the same in ours.
static const char formula[] =
    "R=Ry(-q0)Rx(-q1)Rz(q2);E=S+L1*R*(0,0,-1);R2=R*Ry(-q3);W=E+L2*R2*(0,0,-1);R3=R2*Rz(q4)Ry(q5)Rx(q6);"
    "H=W+L3*R3*(0,0,-1)";

static bool is_our_formula(const char *text) {
    const char *ours = formula;
    for (; *text; text++) {
        if (*text == ' ')
            continue;
        if (*text != *ours)
            return false;
        ours++;
    }
    return *ours == 0;
}

// A different formula or order of the joints means a different arm.
static tr_status check_formula(const reach_reading *reading, uint32_t arm) {
    const char *text = NULL;
    uint32_t joints = TR_NONE;
    tr_status status = tr_json_get_text(reading->json, arm, "fk", TR_JSON_OPTIONAL, &text, reading->error);
    if (status == TR_OK && text && !is_our_formula(text))
        return tr_json_fail(reading->json, tr_json_member(reading->json, arm, "fk"), reading->error,
                            "is a different arm; the supported arm is %s", formula);
    if (status == TR_OK)
        status = tr_json_get_array(reading->json, arm, "joints", TR_JSON_OPTIONAL, &joints, reading->error);
    if (status != TR_OK || joints == TR_NONE)
        return status;
    if (tr_json_count(reading->json, joints) != TR_ARM_JOINTS)
        return tr_json_fail(reading->json, joints, reading->error, "has %u items, it must have %d",
                            tr_json_count(reading->json, joints), TR_ARM_JOINTS);
    for (uint32_t i = 0; i < TR_ARM_JOINTS; i++) {
        uint32_t item = tr_json_item(reading->json, joints, i);
        const char *name = tr_json_text(reading->json, item, NULL);
        if (strcmp(name, joint_names[i]) != 0)
            return tr_json_fail(reading->json, item, reading->error, "is \"%.40s\", it must be \"%s\"", name,
                                joint_names[i]);
    }
    return TR_OK;
}

static tr_status read_kind(const reach_reading *reading, uint32_t arm, tr_arm *made) {
    const char *side = "right";
    double height = 1.75;
    tr_status status = tr_json_get_text(reading->json, arm, "side", TR_JSON_OPTIONAL, &side, reading->error);
    if (status == TR_OK && strcmp(side, "right") != 0 && strcmp(side, "left") != 0)
        return tr_json_fail(reading->json, tr_json_member(reading->json, arm, "side"), reading->error,
                            "is \"%.20s\", it must be right or left", side);
    if (status == TR_OK)
        status = tr_json_get_number(reading->json, arm, "height", TR_JSON_OPTIONAL, 0.3, 3, &height,
                                    reading->error);
    if (status != TR_OK)
        return status;
    // Points of a file are relative to the position of the body, not to its pelvis.
    *made = tr_arm_default(side[0] == 'l' ? TR_ARM_LEFT : TR_ARM_RIGHT, (float)height);
    tr_vec3 *const points[3] = {&made->shoulder, &made->collar, &made->waist};
    for (int i = 0; i < 3; i++)
        *points[i] = tr_affine_apply(&made->base, *points[i]);
    return TR_OK;
}

static tr_status read_sizes(const reach_reading *reading, uint32_t arm, tr_arm *made) {
    static const char *const lengths[TR_ARM_LINKS] = {"upper_arm", "forearm", "hand"};
    static const double least[TR_ARM_LINKS] = {1e-3, 1e-3, 0};
    double radii[TR_ARM_LINKS];
    tr_status status = TR_OK;
    for (int i = 0; i < TR_ARM_LINKS && status == TR_OK; i++) {
        double length = made->length[i];
        radii[i] = made->radius[i];
        status = tr_json_get_number(reading->json, arm, lengths[i], TR_JSON_OPTIONAL, least[i], 100, &length,
                                    reading->error);
        made->length[i] = (float)length;
    }
    if (status == TR_OK)
        status = tr_json_get_numbers(reading->json, arm, "radii", TR_JSON_OPTIONAL, radii, TR_ARM_LINKS,
                                     reading->error);
    for (uint32_t i = 0; i < TR_ARM_LINKS && status == TR_OK; i++) {
        if (!(radii[i] >= 1e-4 && radii[i] <= 100))
            return tr_json_fail(reading->json,
                                tr_json_item(reading->json, tr_json_member(reading->json, arm, "radii"), i),
                                reading->error, "is %g m, it must be 0.0001 to 100", radii[i]);
        made->radius[i] = (float)radii[i];
    }
    return status;
}

static tr_status read_limits(const reach_reading *reading, uint32_t arm, tr_arm *made) {
    static const char *const keys[2] = {"lower", "upper"};
    double limits[2][TR_ARM_JOINTS];
    tr_status status = TR_OK;
    for (int i = 0; i < TR_ARM_JOINTS; i++)
        limits[0][i] = made->low.q[i], limits[1][i] = made->high.q[i];
    for (int k = 0; k < 2 && status == TR_OK; k++)
        status = tr_json_get_numbers(reading->json, arm, keys[k], TR_JSON_OPTIONAL, limits[k], TR_ARM_JOINTS,
                                     reading->error);
    for (uint32_t i = 0; i < 2 * TR_ARM_JOINTS && status == TR_OK; i++) {
        uint32_t joint = i / 2, side = i % 2;
        double limit = limits[side][joint];
        uint32_t list = tr_json_member(reading->json, arm, keys[side]);
        uint32_t item = tr_json_item(reading->json, list, joint);
        if (!(limit >= -TR_PI && limit <= TR_PI))
            return tr_json_fail(reading->json, item, reading->error, "(%s) is %g rad, it must be -pi to pi",
                                joint_names[joint], limit);
        if (side == 1 && !(limits[0][joint] <= limit))
            return tr_json_fail(reading->json, item == TR_NONE ? arm : item, reading->error,
                                "(%s): the upper limit %g is below the lower limit %g", joint_names[joint],
                                limit, limits[0][joint]);
        (side ? &made->high : &made->low)->q[joint] = (float)limit;
    }
    return status;
}

// The place of the body, and the shoulder on it. Waist and collar keep their distance to the shoulder unless
// they are given.
static tr_status read_places(const reach_reading *reading, uint32_t arm, tr_arm *made) {
    static const char *const keys[3] = {"shoulder", "collar", "waist"};
    tr_vec3 *const points[3] = {&made->shoulder, &made->collar, &made->waist};
    double position[3] = {0}, degrees = 0;
    const tr_reach_file *file = reading->file;
    tr_vec3 usual = made->shoulder;
    tr_status status = TR_OK;
    for (int i = 0; i < 3 && status == TR_OK; i++) {
        double point[3];
        bool given = tr_reach_file_has(reading, arm, keys[i]);
        status = tr_reach_file_get_point(reading, arm, keys[i], TR_JSON_OPTIONAL, point);
        if (status == TR_OK && given)
            *points[i] = tr_reach_file_to_body(file, point);
        else if (i > 0)
            *points[i] = tr_vec3_add(*points[i], tr_vec3_subtract(made->shoulder, usual));
    }
    if (status == TR_OK)
        status = tr_reach_file_get_point(reading, arm, "position", TR_JSON_OPTIONAL, position);
    if (status == TR_OK)
        status = tr_json_get_number(reading->json, arm, "heading_degrees", TR_JSON_OPTIONAL, -360, 360,
                                    &degrees, reading->error);
    // In files with Z up, ahead is X in the world: a quarter turn from Z.
    const tr_affine ahead_is_x = {{{0, 0, 1, 0}, {0, 1, 0, 0}, {-1, 0, 0, 0}}};
    made->base = tr_affine_place(tr_reach_file_to_world(file, position), degrees * TR_PI / 180);
    if (file->up == TR_UP_Z)
        made->base = tr_affine_multiply(&made->base, &ahead_is_x);
    return status;
}

tr_status tr_reach_file_read_arm(reach_reading *reading) {
    static const char *const known[] = {
        "fk",    "joints",   "side",   "height", "upper_arm", "forearm",         "hand", "radii", "lower",
        "upper", "shoulder", "collar", "waist",  "position",  "heading_degrees", NULL};
    uint32_t arm = TR_NONE;
    tr_arm made;
    tr_status status =
        tr_json_get_object(reading->json, reading->root, "arm", TR_JSON_REQUIRED, &arm, reading->error);
    if (status == TR_OK)
        tr_reach_file_note_keys(reading, arm, known);
    if (status == TR_OK)
        status = read_kind(reading, arm, &made);
    tr_status (*const steps[])(const reach_reading *, uint32_t, tr_arm *) = {read_sizes, read_limits,
                                                                             read_places};
    for (size_t i = 0; i < sizeof steps / sizeof steps[0] && status == TR_OK; i++)
        status = steps[i](reading, arm, &made);
    if (status == TR_OK)
        status = check_formula(reading, arm);
    if (status != TR_OK)
        return status;
    if (reading->file->help)
        tr_arm_allow_help(&made);
    tr_error why = {0};
    if (tr_arm_check(&made, &why) != TR_OK)
        return tr_json_fail(reading->json, arm, reading->error, "is not a valid arm: %.200s", why.message);
    reading->file->arm = made;
    return TR_OK;
}

// "links": [0, 1] names the links by number. The upper arm is excluded by default, because it begins inside
// the body.
static tr_status read_links(const reach_reading *reading, uint32_t value, uint8_t *links) {
    uint32_t list = TR_NONE;
    *links = 6;
    tr_status status =
        tr_json_get_array(reading->json, value, "links", TR_JSON_OPTIONAL, &list, reading->error);
    if (status != TR_OK || list == TR_NONE)
        return status;
    *links = 0;
    for (uint32_t i = 0; i < tr_json_count(reading->json, list); i++) {
        uint32_t item = tr_json_item(reading->json, list, i);
        double link = tr_json_number(reading->json, item);
        if (tr_json_kind_of(reading->json, item) != TR_JSON_NUMBER || (link != 0 && link != 1 && link != 2))
            return tr_json_fail(reading->json, item, reading->error,
                                "must be 0 (upper arm), 1 (forearm) or 2 (hand)");
        *links |= (uint8_t)(1u << (uint32_t)link);
    }
    return TR_OK;
}

static tr_status read_body(const reach_reading *reading, uint32_t value, tr_reach_body *body) {
    static const char *const known[] = {"a", "b", "r", "name", "links", "on_trunk", "hits_scene", NULL};
    double a[3], b[3], radius = 0;
    if (tr_json_kind_of(reading->json, value) != TR_JSON_OBJECT)
        return tr_json_fail(reading->json, value, reading->error,
                            "must be an object with \"a\", \"b\" and \"r\"");
    tr_reach_file_note_keys(reading, value, known);
    *body = (tr_reach_body){.on_trunk = true};
    tr_status status = tr_reach_file_get_point(reading, value, "a", TR_JSON_REQUIRED, a);
    if (status == TR_OK)
        status = tr_reach_file_get_point(reading, value, "b", TR_JSON_REQUIRED, b);
    if (status == TR_OK)
        status = tr_json_get_number(reading->json, value, "r", TR_JSON_REQUIRED, 1e-4, 100, &radius,
                                    reading->error);
    if (status == TR_OK)
        status = read_links(reading, value, &body->links);
    if (status == TR_OK)
        status = tr_json_get_boolean(reading->json, value, "on_trunk", TR_JSON_OPTIONAL, &body->on_trunk,
                                     reading->error);
    if (status == TR_OK)
        status = tr_json_get_boolean(reading->json, value, "hits_scene", TR_JSON_OPTIONAL, &body->hits_scene,
                                     reading->error);
    if (status != TR_OK)
        return status;
    body->a = tr_reach_file_to_body(reading->file, a);
    body->b = tr_reach_file_to_body(reading->file, b);
    body->radius = (float)radius;
    return TR_OK;
}

tr_status tr_reach_file_read_bodies(reach_reading *reading) {
    uint32_t list = TR_NONE;
    tr_status status = tr_json_get_array(reading->json, reading->root, "body_capsules", TR_JSON_OPTIONAL,
                                         &list, reading->error);
    uint32_t count = status == TR_OK ? tr_json_count(reading->json, list) : 0;
    if (count > TR_REACH_BODIES_MAX)
        return tr_json_fail(reading->json, list, reading->error, "has %u capsules, the maximum is %d", count,
                            TR_REACH_BODIES_MAX);
    for (uint32_t i = 0; i < count && status == TR_OK; i++)
        status = read_body(reading, tr_json_item(reading->json, list, i), &reading->file->bodies[i]);
    reading->file->body_count = count;
    return status;
}
