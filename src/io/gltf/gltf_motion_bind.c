// The rest pose of a skeleton: that in which its meshes were bound to the joints.
//
// The nodes of a file hold some pose. Most exporters write the pose in which the meshes were bound, in which
// a body stands upright. Others write the first frame of an animation: then the body walks, sits or lies
// there, anywhere. The inverse bind matrices of the skins tell how it stood. Where the nodes hold that pose,
// apart from the place and the direction of the whole body, they stay unchanged.
#include "gltf_motion_data.h"

#define BENT 0.03f      // nodes are bent if an axis of a joint is off by this [of 1],
#define STRETCHED 0.05f // and a bone keeps its length to within this share of the longest bone
#define ROUNDING 1e-3f
#define SPOILT 0.1f // a skin with more joints that do not is no use

// One skin while it is looked at.
typedef struct gltf_binding {
    const gltf_motion_reading *reading;
    const gltf_skin *skin;
    tr_joint_def *defs;
    const tr_affine *model; // according to the nodes
    tr_affine *bound;       // the same, according to the skins
    bool *is_bound;
} gltf_binding;

static uint32_t joint_of(const gltf_binding *binding, uint32_t i) {
    return binding->reading->joint[binding->reading->skin_joints[binding->skin->first_joint + i]];
}

static tr_status read_matrix(const gltf_binding *binding, uint32_t i, tr_affine *matrix) {
    return tr_gltf_motion_read_matrix(binding->reading, binding->skin, i, matrix);
}

// The rotation by right angles that is nearest to the map, which turns, and scales alike in all directions.
static bool to_right_angles(tr_affine *map) {
    float size = 0, made[3][3] = {{0}};
    bool taken[3] = {false, false, false};
    for (int k = 0; k < 3; k++)
        size += map->m[k][0] * map->m[k][0];
    size = sqrtf(size);
    for (int column = 0; column < 3; column++) {
        int best = -1;
        for (int row = 0; row < 3; row++)
            if (!taken[row] && (best < 0 || fabsf(map->m[row][column]) > fabsf(map->m[best][column])))
                best = row;
        taken[best] = true;
        made[best][column] = map->m[best][column] < 0 ? -size : size;
    }
    float volume = made[0][0] * (made[1][1] * made[2][2] - made[1][2] * made[2][1]) -
                   made[0][1] * (made[1][0] * made[2][2] - made[1][2] * made[2][0]) +
                   made[0][2] * (made[1][0] * made[2][1] - made[1][1] * made[2][0]);
    if (!(volume > 0))
        return false;
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 3; column++)
            map->m[row][column] = made[row][column];
    return true;
}

static tr_vec3 axis_of(const tr_affine *map, int column) {
    tr_vec3 axis = tr_vec3_make(map->m[0][column], map->m[1][column], map->m[2][column]);
    return tr_vec3_scale(axis, 1 / tr_vec3_length(axis));
}

// The largest difference between the axes of two maps, each made as long as 1.
static float apart(const tr_affine *a, const tr_affine *b) {
    float most = 0;
    for (int column = 0; column < 3; column++) {
        float off = tr_vec3_length(tr_vec3_subtract(axis_of(a, column), axis_of(b, column)));
        most = off > most || off != off ? off : most;
    }
    return most;
}

// Where the skin's mesh is when the joint is where `model` says.
static bool place_mesh(const gltf_binding *binding, const tr_affine *model, uint32_t i, tr_affine *mesh,
                       tr_status *status) {
    tr_affine matrix, back;
    *status = read_matrix(binding, i, &matrix);
    if (*status != TR_OK || !tr_affine_invert(&matrix, &back))
        return false;
    *mesh = tr_affine_multiply(&model[joint_of(binding, i)], &matrix);
    return tr_affine_is_finite(mesh);
}

// The mesh of the skin in the rest pose. It follows a joint that an earlier skin has set. Otherwise the first
// joint that has a matrix stays where it is, and the mesh, whose axes are those of the body, stands upright
// there. false: the nodes hold this pose, or the skin says nothing.
static bool find_mesh(const gltf_binding *binding, tr_affine *mesh, tr_status *status) {
    const gltf_skin *skin = binding->skin;
    uint32_t first = TR_NONE;
    bool bent = false;
    tr_affine other;
    for (uint32_t i = 0; i < skin->joint_count && *status == TR_OK; i++)
        if (binding->is_bound[joint_of(binding, i)] && place_mesh(binding, binding->bound, i, mesh, status))
            return true;
    for (uint32_t i = 0; i < skin->joint_count && *status == TR_OK && !bent; i++) {
        if (!place_mesh(binding, binding->model, i, first == TR_NONE ? mesh : &other, status))
            continue;
        bent = first != TR_NONE && apart(mesh, &other) > BENT;
        first = first == TR_NONE ? i : first;
    }
    if (!bent || *status != TR_OK)
        return false;
    tr_affine turned = *mesh, matrix, back;
    if (!to_right_angles(&turned))
        return false;
    *status = read_matrix(binding, first, &matrix);
    if (*status != TR_OK || !tr_affine_invert(&matrix, &back))
        return false;
    back = tr_affine_multiply(&turned, &back);
    tr_vec3 is = tr_affine_position(&back),
            should = tr_affine_position(&binding->model[joint_of(binding, first)]);
    turned.m[0][3] += should.x - is.x;
    turned.m[1][3] += should.y - is.y;
    turned.m[2][3] += should.z - is.z;
    *mesh = turned;
    return true;
}

static tr_status bind_skin(const gltf_binding *binding) {
    tr_affine mesh, matrix, back;
    tr_status status = TR_OK;
    if (!find_mesh(binding, &mesh, &status))
        return status;
    for (uint32_t i = 0; i < binding->skin->joint_count && status == TR_OK; i++) {
        uint32_t joint = joint_of(binding, i);
        status = read_matrix(binding, i, &matrix);
        if (status != TR_OK || binding->is_bound[joint] || !tr_affine_invert(&matrix, &back))
            continue;
        binding->bound[joint] = tr_affine_multiply(&mesh, &back);
        binding->is_bound[joint] = tr_affine_is_finite(&binding->bound[joint]);
    }
    return status;
}

static float length_of(const tr_affine *model, const tr_joint_def *def, uint32_t joint) {
    return tr_vec3_length(
        tr_vec3_subtract(tr_affine_position(&model[joint]), tr_affine_position(&model[def->parent])));
}

// Do the nodes hold another pose? A pose turns joints, and hardly ever stretches bones: matrices that do not
// fit the nodes are an error of the file.
static bool is_bent(const gltf_binding *binding, uint32_t count) {
    float longest = 0;
    uint32_t wrong = 0, tested = 0;
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; i < count; i++) {
            const tr_joint_def *def = &binding->defs[i];
            if (def->parent == TR_NONE || !binding->is_bound[i] || !binding->is_bound[def->parent])
                continue;
            float length = length_of(binding->model, def, i);
            longest = length > longest ? length : longest;
            tested += pass;
            wrong += pass && !(fabsf(length_of(binding->bound, def, i) - length) <= STRETCHED * longest);
        }
    return tested > 0 && (float)wrong <= SPOILT * (float)tested;
}

// What is the same but for rounding stays as it is in the file.
static void take_changes(tr_transform to, float longest, tr_transform *rest) {
    float cosine = fabsf(to.rotation.x * rest->rotation.x + to.rotation.y * rest->rotation.y +
                         to.rotation.z * rest->rotation.z + to.rotation.w * rest->rotation.w);
    if (!(cosine > 1 - ROUNDING * ROUNDING))
        rest->rotation = to.rotation;
    if (tr_vec3_length(tr_vec3_subtract(to.position, rest->position)) > ROUNDING * longest)
        rest->position = to.position;
    if (tr_vec3_length(tr_vec3_subtract(to.scale, rest->scale)) > ROUNDING * tr_vec3_length(rest->scale))
        rest->scale = to.scale;
}

// The rest pose of every joint from where the skins say that it is. Joints without a skin keep their place on
// the one above them.
static void take_pose(const gltf_binding *binding, uint32_t count, tr_affine *model) {
    float longest = 0;
    for (uint32_t i = 0; i < count; i++)
        longest = fmaxf(longest, tr_vec3_length(binding->defs[i].rest.position));
    for (uint32_t i = 0; i < count; i++) {
        tr_joint_def *def = &binding->defs[i];
        tr_affine local = binding->bound[i], back;
        bool takes =
            binding->is_bound[i] && (def->parent == TR_NONE || tr_affine_invert(&model[def->parent], &back));
        if (takes && def->parent != TR_NONE)
            local = tr_affine_multiply(&back, &local);
        if (takes)
            take_changes(tr_affine_to_transform(&local), longest, &def->rest);
        local = tr_affine_from_transform(def->rest);
        model[i] = def->parent == TR_NONE ? local : tr_affine_multiply(&model[def->parent], &local);
    }
}

tr_status tr_gltf_motion_bind(gltf_motion_reading *reading, uint32_t group, tr_joint_def *defs,
                              tr_affine *model) {
    const tr_allocator *allocator = &reading->document->reading.allocator;
    uint32_t count = reading->joint_count;
    gltf_binding binding = {.reading = reading,
                            .defs = defs,
                            .model = model,
                            .bound = tr_allocate(allocator, count, sizeof(tr_affine)),
                            .is_bound = tr_allocate_zero(allocator, count, sizeof(bool))};
    tr_status status = binding.bound && binding.is_bound ? TR_OK : tr_gltf_motion_no_memory(reading);
    for (uint32_t i = 0; i < reading->skin_count && status == TR_OK; i++) {
        binding.skin = &reading->skins[i];
        if (tr_gltf_motion_group(reading, i) != group || !binding.skin->matrices)
            continue;
        status = tr_gltf_motion_spend(reading, binding.skin->joint_count, "the skins of figures");
        if (status == TR_OK)
            status = bind_skin(&binding);
    }
    reading->bent = status == TR_OK && is_bent(&binding, count);
    if (reading->bent)
        take_pose(&binding, count, model);
    tr_release(allocator, binding.bound, count, sizeof(tr_affine));
    tr_release(allocator, binding.is_bound, count, sizeof(bool));
    return status;
}
