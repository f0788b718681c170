// A hand takes hold of a ball, a bottle and a card. Prints how; with a FILE.png as argument, draws the hands.
#include <stdio.h>
#include <stdlib.h>
#include <troupe/troupe.h>

#define THINGS 3
#define ROUND 24

typedef struct kind {
    const char *name;
    tr_vec3 half; // half of its size [m]
    uint32_t sides;
    tr_grip grip;
} kind;
static const kind kinds[THINGS] = {{"bottle", {.033f, .11f, .033f}, ROUND, TR_GRIP_POWER},
                                   {"box", {.02f, .06f, .035f}, 4, TR_GRIP_POWER},
                                   {"card", {.043f, .027f, .0015f}, 4, TR_GRIP_PINCH}};

// A prism that stands upright.
static tr_status add_thing(tr_scene *scene, const kind *k, tr_error *error) {
    tr_vec3 corners[2 * ROUND + 2];
    uint32_t indices[12 * ROUND], n = 0, sides = k->sides;
    for (uint32_t i = 0; i < sides; i++) {
        double sine, cosine, wide = sides == 4 ? 1.4142136 : 1;
        tr_sin_cos(2 * TR_PI * (i + (sides == 4 ? 0.5 : 0)) / sides, &sine, &cosine);
        float x = k->half.x * (float)(wide * cosine), z = k->half.z * (float)(wide * sine);
        corners[i] = tr_vec3_make(x, k->half.y, z);
        corners[sides + i] = tr_vec3_make(x, -k->half.y, z);
        uint32_t next = (i + 1) % sides, top = 2 * sides, bottom = top + 1;
        const uint32_t faces[12] = {i, next,      sides + next, i,     sides + next, sides + i, top, next,
                                    i, sides + i, sides + next, bottom};
        for (int f = 0; f < 12; f++)
            indices[n++] = faces[f];
    }
    corners[2 * sides] = tr_vec3_make(0, k->half.y, 0);
    corners[2 * sides + 1] = tr_vec3_make(0, -k->half.y, 0);
    tr_mesh_def mesh = {.positions = corners,
                        .position_count = 2 * sides + 2,
                        .indices = indices,
                        .triangle_count = 4 * sides};
    tr_object_def object = {.name = k->name, .placement = tr_affine_identity()};
    uint32_t number;
    tr_status status = tr_scene_add_mesh(scene, &mesh, &object.mesh, error);
    return status == TR_OK ? tr_scene_add_object(scene, &object, &number, error) : status;
}

// The body stands so that its hand is where the grasp has it.
static tr_affine stand_at(const tr_hand_rig *rig, const tr_arm_rig *arm, const tr_skeleton *skeleton,
                          const tr_grasp *grasp) {
    const tr_affine *rest = &tr_skeleton_rest_model(skeleton)[rig->joint];
    tr_transform hand = {
        tr_affine_position(rest), tr_quat_multiply(tr_affine_rotation(rest), arm->hand_offset), {1, 1, 1}};
    tr_transform held = {grasp->wrist, grasp->rotation, {1, 1, 1}};
    tr_affine from = tr_affine_from_transform(hand), to = tr_affine_from_transform(held), back;
    tr_affine_invert(&from, &back);
    return tr_affine_multiply(&to, &back);
}

typedef struct world {
    tr_skeleton *skeleton;
    tr_body *body;
    tr_arm_rig arm;
    tr_hand_rig rig;
} world;

// The triangles of forearm and hand. Returns their number.
static uint32_t arm_triangles(const world *w, uint32_t *indices) {
    const tr_body_def *view = tr_body_view(w->body);
    uint32_t end = tr_skeleton_subtree_end(w->skeleton, w->arm.forearm), count = 0;
    for (uint32_t i = 0; i < view->triangle_count; i++) {
        uint16_t joint = view->joints[view->indices[3 * i]][0];
        for (int k = 0; k < 3 && joint >= w->arm.forearm && joint < end; k++)
            indices[count++] = view->indices[3 * i + (uint32_t)k];
    }
    return count / 3;
}

static tr_status draw(const world *w, const tr_scene *scene, const tr_grasp *grasp, tr_render *render,
                      tr_picture *picture, tr_error *error) {
    const tr_body_def *view = tr_body_view(w->body);
    tr_pose pose;
    tr_status status = tr_pose_create(NULL, view->joint_count, &pose, error);
    tr_affine *model = malloc(view->joint_count * sizeof *model);
    tr_vec3 *skin = malloc(2 * view->vertex_count * sizeof *skin);
    uint32_t *indices = malloc(3 * view->triangle_count * sizeof *indices);
    if (status == TR_OK && model && skin && indices) {
        uint32_t triangles = arm_triangles(w, indices);
        tr_affine place = stand_at(&w->rig, &w->arm, w->skeleton, grasp);
        tr_pose_set_rest(&pose, w->skeleton);
        tr_hand_rig_write(&w->rig, w->skeleton, &grasp->closed, 1, &pose);
        tr_pose_to_model(w->skeleton, &pose, &place, model);
        tr_body_skin(w->body, model, skin, skin + view->vertex_count);
        tr_vec3 side = tr_vec3_cross(grasp->approach, tr_vec3_make(.3f, 1, .2f));
        tr_vec3 eye = tr_vec3_scale(side, .42f / tr_vec3_length(side));
        eye.y += .2f;
        tr_camera camera = {eye, {0, 0, 0}, 0.62f, 0};
        status = tr_render_begin(render, &camera, error);
        if (status == TR_OK)
            status = tr_render_add_scene(render, scene, INFINITY);
        if (status == TR_OK)
            status = tr_render_add_mesh(render, skin, skin + view->vertex_count, view->vertex_count, indices,
                                        triangles, NULL, view->color);
        if (status == TR_OK)
            status = tr_render_end(render, picture, error);
    }
    tr_pose_destroy(&pose);
    free(model);
    free(skin);
    free(indices);
    return status;
}

static tr_status show(const world *w, const kind *k, tr_render *render, tr_picture *picture,
                      tr_error *error) {
    tr_scene *scene = NULL;
    tr_solid *solid = NULL;
    tr_status status = tr_scene_create(NULL, &scene);
    if (status == TR_OK)
        status = add_thing(scene, k, error);
    if (status == TR_OK) {
        tr_solid_def def = tr_solid_def_default(scene);
        status = tr_solid_create(&def, &solid, error);
    }
    if (status == TR_OK) {
        tr_grasp_def def = tr_grasp_def_default(&w->rig.hand, solid, tr_scene_bounds(scene));
        def.grips = 1u << k->grip;
        tr_grasp best;
        uint32_t count;
        status = tr_grasp_find(&def, &best, 1, &count, error);
        if (status == TR_OK)
            printf("the %s: a %s grip with %u contacts, quality %.2f\n", k->name, tr_grip_name(best.grip),
                   best.contact_count, (double)best.quality);
        if (status == TR_OK && picture)
            status = draw(w, scene, &best, render, picture, error);
    }
    tr_solid_destroy(solid);
    tr_scene_destroy(scene);
    return status;
}

static tr_status show_all(const world *w, const char *path, tr_error *error) {
    tr_render *render = NULL;
    tr_picture picture = {0};
    tr_status status = TR_OK;
    tr_render_def def = {.width = 640, .height = 640, .shadow_size = 1024};
    if (path)
        status = tr_render_create(&def, &render, error);
    for (int i = 0; i < THINGS && status == TR_OK; i++) {
        if (path)
            status = tr_picture_create(NULL, 640, 640, (tr_color){238, 239, 241}, &picture, error);
        if (status == TR_OK)
            status = show(w, &kinds[i], render, path ? &picture : NULL, error);
        char name[256];
        snprintf(name, sizeof name, "%s%d.png", path ? path : "", i);
        if (path && status == TR_OK)
            status = tr_picture_write_png(&picture, name, error);
        tr_picture_destroy(&picture);
    }
    tr_render_destroy(render);
    return status;
}

int main(int count, char **arguments) {
    world w = {0};
    tr_error error;
    tr_mannequin_def def = {.height = 1.75f, .fingers = true};
    tr_status status = tr_mannequin_make(&def, &w.skeleton, &w.body, &error);
    if (status == TR_OK)
        status = tr_arm_rig_measure(w.skeleton, w.body, TR_ARM_RIGHT, &w.arm, &error);
    if (status == TR_OK)
        status = tr_hand_rig_measure(w.skeleton, w.body, &w.arm, &w.rig, &error);
    if (status == TR_OK)
        status = show_all(&w, count > 1 ? arguments[1] : NULL, &error);
    if (status != TR_OK)
        fprintf(stderr, "hand_rig: %s\n", error.message);
    tr_body_destroy(w.body);
    tr_skeleton_destroy(w.skeleton);
    return status != TR_OK;
}
