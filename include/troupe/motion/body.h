// troupe/motion/body.h - the shape of a skeleton: a skinned mesh for display, capsules for collision.
#pragma once
#include "troupe/motion/skeleton.h"

TR_BEGIN_DECLARATIONS

#define TR_BODY_INFLUENCES 4 // joints that move one vertex

// A sphere swept along a line, both in the axes of a joint.
typedef struct tr_capsule {
    uint32_t joint;
    tr_vec3 a, b; // [m]
    float radius; // [m, > 0]
} tr_capsule;

#define TR_BODY_PAINTS_MAX 4
// Triangles in another colour than that of the body: eyes, for example.
typedef struct tr_body_paint {
    uint32_t triangle_count;
    float color[3]; // linear, [0, 1]
} tr_body_paint;

typedef struct tr_body_def {
    const tr_allocator *allocator;
    const char *name;
    uint32_t joint_count; // of its skeleton
    // The mesh, in the axes of the body in its rest pose. May be empty.
    const tr_vec3 *positions, *normals;           // [m]; unit length
    const uint16_t (*joints)[TR_BODY_INFLUENCES]; // of each vertex; unused entries are 0
    const float (*weights)[TR_BODY_INFLUENCES];   // sum to 1; unused entries are 0
    uint32_t vertex_count;
    const uint32_t *indices;
    uint32_t triangle_count;
    const tr_affine *inverse_rest; // of each joint: from the body's axes in the rest pose to the joint's
    float color[3];                // linear, [0, 1]
    // The last triangles of the mesh, in this order, have these colours instead.
    tr_body_paint paints[TR_BODY_PAINTS_MAX];
    uint32_t paint_count;
    const float (*colors)[3]; // of each triangle, for pictures; NULL: all have `color`
    const tr_capsule *capsules;
    uint32_t capsule_count;
    // Pairs of capsules that touch in any healthy pose (neighbours) and are not tested: a matrix of
    // capsule_count rows with capsule_count entries each. NULL: pairs on the same joint, or on joints that
    // hang on each other, are left out.
    const bool *ignored_pairs;
} tr_body_def;

typedef struct tr_body tr_body;

TR_API tr_status tr_body_create(const tr_body_def *def, tr_body **body, tr_error *error); // copies
TR_API void tr_body_destroy(tr_body *body);                                               // NULL is allowed
TR_API const tr_body_def *tr_body_view(const tr_body *body);  // everything; valid as long as the body lives
TR_API uint32_t tr_body_plain_triangles(const tr_body *body); // number of triangles before those with paint
// Finds the soles of a skeleton's feet in its mesh, left and right: how low it is below the feet in the rest
// pose, and how far it goes behind and ahead of the ankles there. Not known: the foot has no role or no mesh.
TR_API void tr_body_soles(const tr_body *body, const tr_skeleton *skeleton, tr_sole soles[2]);
// Computes where the vertices are in a pose: `model` from tr_pose_to_model. `normals` may be NULL.
TR_API void tr_body_skin(const tr_body *body, const tr_affine *model, tr_vec3 *positions, tr_vec3 *normals);

TR_END_DECLARATIONS
