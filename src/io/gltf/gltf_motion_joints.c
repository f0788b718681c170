#include "gltf_motion_data.h"

#include <stdio.h>
#include <string.h>

#define LEAST_SCALE 1e-6f // replaces a scale of 0, because the transforms of a skeleton must be invertible

static const char *node_name(const gltf_motion_reading *reading, uint32_t node) {
    const gltf_document *document = reading->document;
    uint32_t value = tr_gltf_node_value(document, node);
    return tr_json_text(document->json, tr_json_member(document->json, value, "name"), NULL);
}

// Adds the node and all its ancestors that are not there yet.
static tr_status add_branch(gltf_motion_reading *reading, uint32_t node) {
    for (; node != TR_NONE && reading->joint[node] == TR_NONE; node = reading->graph.parents[node]) {
        if (!tr_gltf_motion_more(reading, &reading->nodes, &reading->joint_capacity, reading->joint_count,
                                 sizeof *reading->nodes))
            return tr_gltf_motion_no_memory(reading);
        reading->joint[node] = reading->joint_count;
        reading->nodes[reading->joint_count++] = node;
        reading->joint_total++;
        if (reading->joint_count > TR_SKELETON_JOINTS_MAX)
            return tr_fail(reading->document->error, TR_LIMIT,
                           "a figure has more than %d joints, including the nodes above them",
                           TR_SKELETON_JOINTS_MAX);
        if (reading->joint_total > GLTF_JOINTS_MAX)
            return tr_fail(reading->document->error, TR_LIMIT, "the figures have more than %u joints",
                           GLTF_JOINTS_MAX);
    }
    return TR_OK;
}

// Sorts by rank, so that parents come first (Shell sort: no memory, no recursion).
static void sort_nodes(gltf_motion_reading *reading) {
    static const uint32_t gaps[] = {1750, 701, 301, 132, 57, 23, 10, 4, 1};
    for (size_t g = 0; g < sizeof gaps / sizeof gaps[0]; g++)
        for (uint32_t i = gaps[g]; i < reading->joint_count; i++) {
            uint32_t node = reading->nodes[i], k = i;
            for (; k >= gaps[g] && reading->rank[reading->nodes[k - gaps[g]]] > reading->rank[node];
                 k -= gaps[g])
                reading->nodes[k] = reading->nodes[k - gaps[g]];
            reading->nodes[k] = node;
        }
}

static bool is_identity(const gltf_local *local) {
    for (int row = 0; row < 3; row++)
        for (int column = 0; local->is_matrix && column < 4; column++)
            if (local->matrix[row][column] != (row == column))
                return false;
    if (local->is_matrix)
        return true;
    for (int axis = 0; axis < 3; axis++)
        if (local->move[axis] != 0 || local->turn[axis] != 0 || local->scale[axis] != 1)
            return false;
    return local->turn[3] != 0;
}

// Does the first node only carry one other? Scenes and exporters put such nodes above a skeleton.
static tr_status is_idle(const gltf_motion_reading *reading, bool *idle) {
    uint32_t top = reading->nodes[0], carried = 0;
    gltf_local local;
    *idle = false;
    if (reading->joint_count < 2 || reading->member[top] != TR_NONE || reading->is_animated[top])
        return TR_OK;
    for (uint32_t i = 1; i < reading->joint_count; i++) {
        uint32_t parent = reading->graph.parents[reading->nodes[i]];
        if (parent == TR_NONE)
            return TR_OK;
        carried += parent == top;
    }
    tr_status status = tr_gltf_read_local(reading->document, top, &local);
    *idle = status == TR_OK && carried == 1 && is_identity(&local);
    return status;
}

static tr_status drop_idle(gltf_motion_reading *reading) {
    bool idle = false;
    reading->dropped = TR_NONE;
    for (;;) {
        tr_status status = is_idle(reading, &idle);
        if (status != TR_OK || !idle)
            return status;
        reading->dropped = reading->nodes[0];
        reading->joint[reading->dropped] = TR_NONE;
        // Its child becomes the root. In the graph it still has a parent, which is no longer a joint.
        memmove(reading->nodes, reading->nodes + 1, --reading->joint_count * sizeof *reading->nodes);
    }
}

tr_status tr_gltf_motion_collect(gltf_motion_reading *reading, uint32_t group) {
    tr_status status = TR_OK;
    reading->joint_count = 0;
    for (uint32_t node = reading->first[group]; node != TR_NONE && status == TR_OK;
         node = reading->next[node])
        status = add_branch(reading, node);
    if (status != TR_OK)
        return status;
    sort_nodes(reading);
    status = drop_idle(reading);
    for (uint32_t i = 0; i < reading->joint_count; i++)
        reading->joint[reading->nodes[i]] = i;
    return status;
}

static void take_apart(const gltf_motion_reading *reading, uint32_t node, const gltf_local *local,
                       tr_transform *rest) {
    tr_affine matrix;
    float most = 0, off = 0;
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 4; column++)
            matrix.m[row][column] =
                (float)(local->matrix[row][column] * (column == 3 ? reading->options.metres_per_unit : 1));
    *rest = tr_affine_to_transform(&matrix);
    tr_affine again = tr_affine_from_transform(*rest);
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 3; column++) {
            float size = fabsf(matrix.m[row][column]);
            float apart = fabsf(matrix.m[row][column] - again.m[row][column]);
            most = size > most ? size : most;
            off = apart > off ? apart : off;
        }
    if (off > 1e-4f * most)
        tr_scene_note(&reading->document->reading, "nodes[%u].matrix has a shear, which is left out", node);
}

tr_status tr_gltf_motion_read_rest(const gltf_motion_reading *reading, uint32_t node, tr_transform *rest) {
    gltf_local local;
    double unit = reading->options.metres_per_unit;
    tr_status status = tr_gltf_read_local(reading->document, node, &local);
    if (status != TR_OK)
        return status;
    if (local.is_matrix) {
        take_apart(reading, node, &local, rest);
    } else {
        *rest = tr_gltf_local_transform(&local, unit);
    }
    for (int axis = 0; axis < 3; axis++) {
        float *scale = &(&rest->scale.x)[axis];
        if (fabsf(*scale) < LEAST_SCALE)
            *scale = *scale < 0 ? -LEAST_SCALE : LEAST_SCALE;
    }
    if (!tr_vec3_is_finite(rest->position) || !tr_vec3_is_finite(rest->scale))
        return tr_json_fail(reading->document->json, tr_gltf_node_value(reading->document, node),
                            reading->document->error, "has a transform that is too large");
    return status;
}

// The data a skeleton is made from, one for each joint.
typedef struct gltf_joints {
    tr_joint_def *defs;
    tr_role_joint *roles;
    tr_role *found;
    tr_affine *model;
    tr_name_set names;
} gltf_joints;

// The foot among the loose ones; NULL: it is none.
static gltf_loose *loose_of(gltf_motion_reading *reading, uint32_t node) {
    for (uint32_t k = 0; k < reading->loose.count; k++)
        if (reading->loose.items[k].joint == node)
            return &reading->loose.items[k];
    return NULL;
}

// The foot hangs on the shank: its rest pose is relative to that.
static void hang_foot(const gltf_motion_reading *reading, gltf_joints *joints, gltf_loose *loose,
                      tr_joint_def *def) {
    tr_affine place = tr_affine_from_transform(def->rest), back;
    uint32_t bone = reading->joint[loose->bone];
    loose->rest = def->rest;
    loose->above = def->parent;
    if (def->parent != TR_NONE)
        place = tr_affine_multiply(&joints->model[def->parent], &place);
    if (!tr_affine_invert(&joints->model[bone], &back))
        return;
    place = tr_affine_multiply(&back, &place);
    def->rest = tr_affine_to_transform(&place);
    def->parent = bone;
    joints->defs[bone].is_end = false;
}

static tr_status fill_joint(gltf_motion_reading *reading, gltf_joints *joints, uint32_t i) {
    uint32_t node = reading->nodes[i], parent = reading->graph.parents[node];
    gltf_loose *loose = loose_of(reading, node);
    tr_joint_def *def = &joints->defs[i];
    char label[32];
    snprintf(label, sizeof label, "node_%u", node);
    const char *name = node_name(reading, node);
    def->name = tr_name_set_add(&joints->names, name[0] ? name : label);
    if (!def->name)
        return tr_gltf_motion_no_memory(reading);
    def->parent = parent == TR_NONE ? TR_NONE : reading->joint[parent];
    def->is_end = def->parent != TR_NONE && tr_name_is_end(def->name) && !reading->is_animated[node];
    if (def->parent != TR_NONE)
        joints->defs[def->parent].is_end = false;
    tr_status status = tr_gltf_motion_read_rest(reading, node, &def->rest);
    if (status != TR_OK)
        return status;
    if (loose)
        hang_foot(reading, joints, loose, def);
    tr_affine local = tr_affine_from_transform(def->rest);
    joints->model[i] =
        def->parent == TR_NONE ? local : tr_affine_multiply(&joints->model[def->parent], &local);
    if (!tr_affine_is_finite(&joints->model[i]))
        return tr_json_fail(reading->document->json, tr_gltf_node_value(reading->document, node),
                            reading->document->error, "has a position that is too large");
    joints->roles[i].name = def->name;
    joints->roles[i].parent = def->parent;
    return TR_OK;
}

// The name of the first skin, or of the node above the skeleton.
static const char *figure_name(const gltf_motion_reading *reading, uint32_t group) {
    const tr_json *json = reading->document->json;
    uint32_t skin = reading->skin_count ? reading->skins[group].value : TR_NONE;
    const char *name = tr_json_text(json, tr_json_member(json, skin, "name"), NULL);
    if (name[0])
        return name;
    return node_name(reading, reading->dropped != TR_NONE ? reading->dropped : reading->nodes[0]);
}

static tr_status fill_joints(gltf_motion_reading *reading, uint32_t group, gltf_joints *joints) {
    tr_status status = TR_OK;
    for (uint32_t i = 0; i < reading->joint_count && status == TR_OK; i++)
        status = fill_joint(reading, joints, i);
    if (status == TR_OK)
        status = tr_gltf_motion_bind(reading, group, joints->defs, joints->model);
    for (uint32_t i = 0; i < reading->joint_count && status == TR_OK; i++)
        joints->roles[i].position = tr_affine_position(&joints->model[i]);
    if (status == TR_OK)
        tr_role_guess(joints->roles, reading->joint_count, joints->found);
    return status;
}

static tr_status create(gltf_motion_reading *reading, uint32_t group, gltf_joints *joints,
                        tr_figure *figure) {
    reading->loose.count = 0;
    tr_status status = fill_joints(reading, group, joints);
    if (status == TR_OK)
        status = tr_gltf_motion_find_loose(reading, joints->defs, joints->found, joints->model);
    if (status == TR_OK && reading->loose.count > 0) { // once more, in the new order
        tr_name_set_end(&joints->names);
        joints->names = tr_name_set_begin(&reading->document->reading.allocator);
        memset(joints->defs, 0, reading->joint_count * sizeof *joints->defs);
        status = fill_joints(reading, group, joints);
        for (uint32_t k = 0; k < reading->loose.count; k++) {
            gltf_loose *loose = &reading->loose.items[k];
            loose->joint = reading->joint[loose->joint];
            loose->bone = reading->joint[loose->bone];
        }
    }
    if (status != TR_OK)
        return status;
    for (uint32_t i = 0; i < reading->joint_count; i++)
        joints->defs[i].role = joints->found[i];
    const char *name = figure_name(reading, group);
    tr_skeleton_def def = {.allocator = &reading->result,
                           .name = name,
                           .joints = joints->defs,
                           .joint_count = reading->joint_count};
    status = tr_skeleton_create(&def, &figure->skeleton, reading->document->error);
    if (status == TR_OK && name[0] && tr_figure_set_name(figure, name) != TR_OK)
        status = tr_gltf_motion_no_memory(reading);
    return status;
}

tr_status tr_gltf_motion_make_skeleton(gltf_motion_reading *reading, uint32_t group, tr_figure *figure) {
    const tr_allocator *allocator = &reading->document->reading.allocator;
    uint32_t count = reading->joint_count;
    gltf_joints joints = {.defs = tr_allocate_zero(allocator, count, sizeof *joints.defs),
                          .roles = tr_allocate(allocator, count, sizeof *joints.roles),
                          .found = tr_allocate_zero(allocator, count, sizeof *joints.found),
                          .model = tr_allocate(allocator, count, sizeof *joints.model),
                          .names = tr_name_set_begin(allocator)};
    tr_status status = TR_OK;
    if (!joints.defs || !joints.roles || !joints.found || !joints.model)
        status = tr_gltf_motion_no_memory(reading);
    else
        status = create(reading, group, &joints, figure);
    tr_name_set_end(&joints.names);
    tr_release(allocator, joints.defs, count, sizeof *joints.defs);
    tr_release(allocator, joints.roles, count, sizeof *joints.roles);
    tr_release(allocator, joints.found, count, sizeof *joints.found);
    tr_release(allocator, joints.model, count, sizeof *joints.model);
    return status;
}

tr_status tr_gltf_motion_find_soles(gltf_motion_reading *reading, tr_figure *figure) {
    const tr_allocator *allocator = &reading->document->reading.allocator;
    uint32_t count = tr_skeleton_joint_count(figure->skeleton);
    tr_skeleton_def def = {
        .allocator = &reading->result, .name = tr_skeleton_name(figure->skeleton), .joint_count = count};
    tr_body_soles(figure->body, figure->skeleton, def.soles);
    if (!def.soles[0].known && !def.soles[1].known)
        return TR_OK;
    tr_joint_def *joints = tr_allocate(allocator, count, sizeof *joints);
    if (!joints)
        return tr_gltf_motion_no_memory(reading);
    for (uint32_t i = 0; i < count; i++)
        joints[i] = tr_skeleton_joint(figure->skeleton, i);
    def.joints = joints;
    tr_skeleton *made = NULL;
    tr_status status = tr_skeleton_create(&def, &made, reading->document->error);
    if (status == TR_OK) {
        tr_skeleton_destroy(figure->skeleton);
        figure->skeleton = made;
    }
    tr_release(allocator, joints, count, sizeof *joints);
    return status;
}

// Feet that do not hang on their legs. Rigs with inverse kinematics often have them beside the legs, where an
// animator moves them. A skeleton has to know that they belong together, so there they hang on the shank; in
// the file they stay where they are.
#define NEAR 0.6f // a loose foot is this close to the end of the shank, as a share of its length

static bool has_word(const char *name, const char *word) {
    for (; *name; name++) {
        size_t i = 0;
        while (word[i] && (name[i] | 0x20) == word[i])
            i++;
        if (!word[i])
            return true;
    }
    return false;
}

static uint32_t with_role(const tr_role *roles, uint32_t count, tr_role role) {
    uint32_t i = 0;
    while (i < count && roles[i] != role)
        i++;
    return i < count ? i : TR_NONE;
}

static bool is_leaf(const tr_joint_def *joints, uint32_t count, uint32_t joint) {
    for (uint32_t i = joint + 1; i < count; i++)
        if (joints[i].parent == joint)
            return false;
    return true;
}

static bool is_below(const tr_joint_def *joints, uint32_t joint, uint32_t above) {
    while (joint != TR_NONE && joint != above)
        joint = joints[joint].parent;
    return joint == above;
}

static float distance(const tr_affine *model, uint32_t a, uint32_t b) {
    return tr_vec3_length(tr_vec3_subtract(tr_affine_position(&model[a]), tr_affine_position(&model[b])));
}

// The foot beside one leg; TR_NONE: there is none.
static uint32_t find_foot(const tr_joint_def *joints, const tr_role *roles, const tr_affine *model,
                          uint32_t count, uint32_t side) {
    int shift = side ? TR_ROLE_RIGHT_THIGH - TR_ROLE_LEFT_THIGH : 0;
    uint32_t thigh = with_role(roles, count, (tr_role)(TR_ROLE_LEFT_THIGH + shift)),
             shank = with_role(roles, count, (tr_role)(TR_ROLE_LEFT_SHANK + shift)),
             end = with_role(roles, count, (tr_role)(TR_ROLE_LEFT_FOOT + shift)), best = TR_NONE;
    if (thigh == TR_NONE || shank == TR_NONE || end == TR_NONE || !is_leaf(joints, count, end))
        return TR_NONE;
    float least = NEAR * distance(model, shank, end);
    for (uint32_t i = 0; i < count; i++) {
        if (joints[i].is_end || joints[i].parent == TR_NONE || !has_word(joints[i].name, "foot") ||
            has_word(joints[i].name, "_end") || is_below(joints, i, thigh) || is_below(joints, thigh, i))
            continue;
        float off = distance(model, i, end);
        if (off < least) {
            least = off;
            best = i;
        }
    }
    return best;
}

// The nodes in an order in which the loose feet follow their shanks.
static tr_status reorder(gltf_motion_reading *reading, const tr_joint_def *joints) {
    const tr_allocator *allocator = &reading->document->reading.allocator;
    uint32_t count = reading->joint_count, placed = 0;
    uint32_t *nodes = tr_allocate(allocator, count, sizeof *nodes);
    if (!nodes)
        return tr_gltf_motion_no_memory(reading);
    for (uint32_t i = 0; i < count; i++) {
        bool moved = false;
        for (uint32_t k = 0; k < reading->loose.count; k++)
            moved = moved || is_below(joints, i, reading->loose.items[k].joint);
        if (!moved)
            nodes[placed++] = reading->nodes[i];
        for (uint32_t k = 0; k < reading->loose.count && !moved; k++) {
            const gltf_loose *loose = &reading->loose.items[k];
            bool is_last =
                is_below(joints, i, loose->bone) && (i + 1 == count || !is_below(joints, i + 1, loose->bone));
            for (uint32_t n = 0; n < count && is_last; n++)
                if (is_below(joints, n, loose->joint))
                    nodes[placed++] = reading->nodes[n];
        }
    }
    bool complete = placed == count; // joints are depth first, so a shank's are together
    for (uint32_t k = 0; k < reading->loose.count && complete; k++) { // from here on, nodes
        gltf_loose *loose = &reading->loose.items[k];
        loose->joint = reading->nodes[loose->joint];
        loose->bone = reading->nodes[loose->bone];
    }
    if (complete)
        memcpy(reading->nodes, nodes, count * sizeof *nodes);
    else
        reading->loose.count = 0;
    for (uint32_t i = 0; i < count; i++)
        reading->joint[reading->nodes[i]] = i;
    tr_release(allocator, nodes, count, sizeof *nodes);
    return TR_OK;
}

tr_status tr_gltf_motion_find_loose(gltf_motion_reading *reading, const tr_joint_def *joints,
                                    const tr_role *roles, const tr_affine *model) {
    uint32_t count = reading->joint_count;
    reading->loose.count = 0;
    for (uint32_t side = 0; side < 2; side++) {
        tr_role shank = side ? TR_ROLE_RIGHT_SHANK : TR_ROLE_LEFT_SHANK;
        uint32_t foot = find_foot(joints, roles, model, count, side);
        if (foot != TR_NONE)
            reading->loose.items[reading->loose.count++] =
                (gltf_loose){.joint = foot, .bone = with_role(roles, count, shank)};
    }
    bool same = reading->loose.count == 2 && reading->loose.items[0].joint == reading->loose.items[1].joint;
    if (same)
        reading->loose.count = 0;
    return reading->loose.count > 0 ? reorder(reading, joints) : TR_OK;
}

// Where a joint is: its ancestors are not loose.
static tr_affine place_of(const tr_skeleton *skeleton, const tr_pose *pose, uint32_t joint) {
    tr_affine place = tr_affine_identity();
    for (; joint != TR_NONE; joint = tr_skeleton_parents(skeleton)[joint]) {
        tr_affine local = tr_affine_from_transform(tr_pose_get(pose, joint));
        place = tr_affine_multiply(&local, &place);
    }
    return place;
}

// From the axes of joint `from` to those of joint `to`.
static void change_parent(const tr_skeleton *skeleton, uint32_t from, uint32_t to, uint32_t joint,
                          tr_pose *pose) {
    tr_affine there = place_of(skeleton, pose, from), here = place_of(skeleton, pose, to), back;
    tr_affine local = tr_affine_from_transform(tr_pose_get(pose, joint));
    if (!tr_affine_invert(&here, &back))
        return;
    tr_affine place = tr_affine_multiply(&there, &local);
    place = tr_affine_multiply(&back, &place);
    tr_transform changed = tr_affine_to_transform(&place);
    if (tr_vec3_is_finite(changed.position) && tr_vec3_is_finite(changed.scale))
        tr_pose_set(pose, joint, changed);
}

void tr_gltf_loose_hang(const gltf_loose_list *list, const tr_skeleton *skeleton, tr_pose *pose) {
    for (uint32_t i = 0; i < list->count; i++)
        change_parent(skeleton, list->items[i].above, list->items[i].bone, list->items[i].joint, pose);
}

void tr_gltf_loose_free(const gltf_loose_list *list, const tr_skeleton *skeleton, tr_pose *pose) {
    for (uint32_t i = 0; i < list->count; i++)
        change_parent(skeleton, list->items[i].bone, list->items[i].above, list->items[i].joint, pose);
}
