#include "troupe/motion/skateboarder.h"
#include "skateboarder_parts.h"

#include <string.h>

#define BOARD_CAPSULES 6
#define CAPSULES_MAX 64
#define BODY_JOINTS (TR_SKATER_BOARD - TR_SKATER_BODY)

// ------------------------------------------------------------------------------------------------- skeleton

static uint32_t board_parent(uint32_t joint) {
    if (joint == TR_SKATER_BOARD)
        return 0;
    if (joint == TR_SKATER_FRONT_TRUCK || joint == TR_SKATER_BACK_TRUCK)
        return TR_SKATER_BOARD;
    return joint < TR_SKATER_BACK_TRUCK ? TR_SKATER_FRONT_TRUCK : TR_SKATER_BACK_TRUCK;
}

static tr_joint_def board_joint(uint32_t joint, float size) {
    const float steer = (float)(20 * TR_GAIT_DEGREE);
    uint32_t parent = board_parent(joint);
    tr_vec3 place = tr_skater_board_place(joint);
    if (parent != 0)
        place = tr_vec3_subtract(place, tr_skater_board_place(parent));
    tr_joint_def made = {
        .name = tr_skater_board_name(joint), .parent = parent, .rest = tr_transform_identity()};
    made.rest.position = tr_vec3_scale(place, size);
    if (parent == TR_SKATER_BOARD)
        made.limit = (tr_joint_limit){true, 1, {0, -steer, -steer}, {0, steer, steer}};
    return made;
}

// The mannequin stands on the deck.
static tr_status make_skeleton(const tr_mannequin_def *def, const tr_skeleton *mannequin, float size,
                               tr_skeleton **skeleton, tr_error *error) {
    tr_joint_def joints[TR_SKATER_JOINTS] = {
        {.name = "root", .parent = TR_NONE, .rest = tr_transform_identity()}};
    for (uint32_t i = 0; i < BODY_JOINTS; i++) {
        joints[TR_SKATER_BODY + i] = tr_skeleton_joint(mannequin, i);
        uint32_t parent = joints[TR_SKATER_BODY + i].parent;
        joints[TR_SKATER_BODY + i].parent = parent == TR_NONE ? 0 : parent + TR_SKATER_BODY;
    }
    joints[TR_SKATER_BODY].rest.position.y += TR_SKATER_DECK * size;
    for (uint32_t i = TR_SKATER_BOARD; i < TR_SKATER_JOINTS; i++)
        joints[i] = board_joint(i, size);
    tr_skeleton_def made = {.allocator = def->allocator,
                            .name = "skateboarder",
                            .joints = joints,
                            .joint_count = TR_SKATER_JOINTS};
    return tr_skeleton_create(&made, skeleton, error);
}

// -------------------------------------------------------------------------------------------------- capsules

// Two along the flat of the deck, one across nose and tail, and one for each pair of wheels.
static void fill_board_capsules(float size, tr_capsule *capsules) {
    for (uint32_t i = 0; i < 2; i++) {
        float side = i ? -1.0f : 1.0f, x = .072f * side, z = .350f * side;
        uint32_t truck = i ? TR_SKATER_BACK_TRUCK : TR_SKATER_FRONT_TRUCK;
        capsules[3 * i] = (tr_capsule){TR_SKATER_BOARD, {x, -.008f, -.290f}, {x, -.008f, .290f}, .026f};
        capsules[3 * i + 1] = (tr_capsule){TR_SKATER_BOARD, {-.050f, .010f, z}, {.050f, .010f, z}, .030f};
        capsules[3 * i + 2] = (tr_capsule){truck, {-.068f, 0, 0}, {.068f, 0, 0}, TR_SKATER_WHEEL};
    }
    for (uint32_t i = 0; i < BOARD_CAPSULES; i++) {
        capsules[i].a = tr_vec3_scale(capsules[i].a, size);
        capsules[i].b = tr_vec3_scale(capsules[i].b, size);
        capsules[i].radius *= size;
    }
}

static bool is_leg(const tr_skeleton *skeleton, uint32_t joint) {
    tr_role role = tr_skeleton_joint(skeleton, joint).role;
    return role == TR_ROLE_LEFT_FOOT || role == TR_ROLE_RIGHT_FOOT || role == TR_ROLE_LEFT_TOES ||
           role == TR_ROLE_RIGHT_TOES || role == TR_ROLE_LEFT_SHANK || role == TR_ROLE_RIGHT_SHANK;
}

// Feet and shanks touch the board they stand on.
static uint32_t fill_capsules(const tr_skeleton *skeleton, const tr_body_def *mannequin, float size,
                              tr_capsule *capsules, bool *ignored) {
    uint32_t body = mannequin->capsule_count, count = body + BOARD_CAPSULES;
    for (uint32_t i = 0; i < body; i++) {
        capsules[i] = mannequin->capsules[i];
        capsules[i].joint += TR_SKATER_BODY;
    }
    fill_board_capsules(size, capsules + body);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < count; k++)
            ignored[i * count + k] = i < body && k < body     ? mannequin->ignored_pairs[i * body + k]
                                     : i >= body && k >= body ? true
                                     : i < body               ? is_leg(skeleton, capsules[i].joint)
                                                              : is_leg(skeleton, capsules[k].joint);
    return count;
}

// ------------------------------------------------------------------------------------------------------ skin

// The mesh of the mannequin, moved up onto the deck, and that of the board after it.
typedef struct joined_skin {
    tr_allocator allocator;
    tr_vec3 *positions, *normals;
    uint16_t (*joints)[TR_BODY_INFLUENCES];
    float (*weights)[TR_BODY_INFLUENCES];
    uint32_t *indices;
    uint32_t vertex_count, triangle_count;
} joined_skin;

static void release_joined(joined_skin *joined) {
    tr_release(&joined->allocator, joined->positions, joined->vertex_count, sizeof *joined->positions);
    tr_release(&joined->allocator, joined->normals, joined->vertex_count, sizeof *joined->normals);
    tr_release(&joined->allocator, joined->joints, joined->vertex_count, sizeof *joined->joints);
    tr_release(&joined->allocator, joined->weights, joined->vertex_count, sizeof *joined->weights);
    tr_release(&joined->allocator, joined->indices, 3 * (size_t)joined->triangle_count,
               sizeof *joined->indices);
}

static bool open_joined(joined_skin *joined, uint32_t vertices, uint32_t triangles) {
    joined->vertex_count = vertices, joined->triangle_count = triangles;
    joined->positions = tr_allocate(&joined->allocator, vertices, sizeof *joined->positions);
    joined->normals = tr_allocate(&joined->allocator, vertices, sizeof *joined->normals);
    joined->joints = tr_allocate(&joined->allocator, vertices, sizeof *joined->joints);
    joined->weights = tr_allocate(&joined->allocator, vertices, sizeof *joined->weights);
    joined->indices = tr_allocate(&joined->allocator, 3 * (size_t)triangles, sizeof *joined->indices);
    return joined->positions && joined->normals && joined->joints && joined->weights && joined->indices;
}

static void fill_joined(joined_skin *joined, const tr_body_def *body, const tr_skin *board, float up) {
    uint32_t vertices = body->vertex_count, corners = 3 * body->triangle_count;
    for (uint32_t i = 0; i < joined->vertex_count; i++) {
        bool first = i < vertices;
        uint32_t k = first ? i : i - vertices;
        joined->positions[i] = first ? body->positions[k] : board->positions[k];
        joined->positions[i].y += first ? up : 0;
        joined->normals[i] = first ? body->normals[k] : board->normals[k];
        for (uint32_t n = 0; n < TR_BODY_INFLUENCES; n++) {
            float weight = first ? body->weights[k][n] : board->weights[k][n];
            uint32_t joint = first ? body->joints[k][n] + TR_SKATER_BODY : board->joints[k][n];
            joined->weights[i][n] = weight;
            joined->joints[i][n] = (uint16_t)(weight > 0 ? joint : 0);
        }
    }
    for (uint32_t i = 0; i < 3 * joined->triangle_count; i++)
        joined->indices[i] = i < corners ? body->indices[i] : board->indices[i - corners] + vertices;
}

static void describe(const joined_skin *joined, const tr_body_def *body, const tr_skin *board,
                     tr_body_def *made) {
    // The grip and maple of the deck; urethane.
    static const float paints[2][3] = {{.16f, .085f, .045f}, {.62f, .58f, .50f}};
    made->positions = joined->positions, made->normals = joined->normals;
    made->joints = (const uint16_t(*)[TR_BODY_INFLUENCES])joined->joints;
    made->weights = (const float(*)[TR_BODY_INFLUENCES])joined->weights;
    made->vertex_count = joined->vertex_count;
    made->indices = joined->indices;
    made->triangle_count = joined->triangle_count;
    made->paint_count = body->paint_count + 2;
    memcpy(made->paints, body->paints, body->paint_count * sizeof *body->paints);
    for (uint32_t i = 0; i < 2; i++) {
        tr_body_paint *paint = &made->paints[body->paint_count + i];
        paint->triangle_count = board->painted[i];
        memcpy(paint->color, paints[i], sizeof paint->color);
    }
    memcpy(made->color, body->color, sizeof made->color);
}

static tr_status make_body(const tr_mannequin_def *def, const tr_skeleton *skeleton, const tr_body_def *body,
                           float size, tr_body **made, tr_error *error) {
    tr_capsule capsules[CAPSULES_MAX];
    bool ignored[CAPSULES_MAX * CAPSULES_MAX];
    tr_affine inverse_rest[TR_SKATER_JOINTS];
    joined_skin joined = {.allocator = tr_allocator_or_default(def->allocator)};
    tr_skin board;
    for (uint32_t i = 0; i < TR_SKATER_JOINTS; i++) {
        tr_vec3 place = tr_affine_position(&tr_skeleton_rest_model(skeleton)[i]);
        inverse_rest[i] = tr_affine_place(tr_vec3_scale(place, -1), 0);
    }
    if (!tr_skin_of_tubes(&joined.allocator, tr_skater_tubes, TR_SKATER_TUBES, def->detail, size, &board))
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for the skin of a skateboard");
    tr_status status = TR_OK;
    if (open_joined(&joined, body->vertex_count + board.vertex_count,
                    body->triangle_count + board.triangle_count)) {
        fill_joined(&joined, body, &board, TR_SKATER_DECK * size);
        tr_body_def all = {.allocator = def->allocator,
                           .name = "skateboarder",
                           .joint_count = TR_SKATER_JOINTS,
                           .inverse_rest = inverse_rest,
                           .capsules = capsules,
                           .capsule_count = fill_capsules(skeleton, body, size, capsules, ignored),
                           .ignored_pairs = ignored};
        describe(&joined, body, &board, &all);
        status = tr_body_create(&all, made, error);
    } else {
        status = tr_fail(error, TR_OUT_OF_MEMORY, "no memory for the skin of a skateboarder");
    }
    release_joined(&joined);
    tr_skin_release(&board);
    return status;
}

tr_status tr_skateboarder_make(const tr_mannequin_def *def, tr_skeleton **skeleton, tr_body **body,
                               tr_error *error) {
    tr_skeleton *mannequin = NULL;
    tr_body *shape = NULL;
    *skeleton = NULL;
    if (body)
        *body = NULL;
    tr_status status = tr_mannequin_make(def, &mannequin, body ? &shape : NULL, error);
    if (status != TR_OK)
        return status;
    float size = tr_skeleton_height(mannequin) / TR_SKATER_HEIGHT;
    status = make_skeleton(def, mannequin, size, skeleton, error);
    if (status == TR_OK && body)
        status = make_body(def, *skeleton, tr_body_view(shape), size, body, error);
    if (status != TR_OK) {
        tr_skeleton_destroy(*skeleton);
        *skeleton = NULL;
    }
    tr_body_destroy(shape);
    tr_skeleton_destroy(mannequin);
    return status;
}
