// motion/cast/skin.h - closed skins made of rings, with their weights, joined to one mesh: the bodies that
// Troupe makes itself. Internal to motion/.
#pragma once
#include "troupe/motion/body.h"

// A mesh that grows; a zeroed one is empty.
typedef struct tr_skin {
    tr_allocator allocator;
    tr_vec3 *positions, *normals;
    uint16_t (*joints)[TR_BODY_INFLUENCES];
    float (*weights)[TR_BODY_INFLUENCES];
    uint32_t vertex_count, vertex_room;
    uint32_t *indices;
    uint32_t triangle_count, triangle_room;
    uint32_t painted[TR_BODY_PAINTS_MAX]; // triangles of each paint
} tr_skin;

// Corners of a ring, and rings between the two end points of a skin; no rings: no skin.
typedef struct tr_skin_size {
    uint32_t round, tall;
} tr_skin_size;

typedef struct tr_skin_vertex {
    tr_vec3 position;
    uint16_t joints[TR_BODY_INFLUENCES];
    float weights[TR_BODY_INFLUENCES];
} tr_skin_vertex;
// The vertex at an angle of a ring; rings 0 and tall + 1 are the end points.
typedef tr_skin_vertex (*tr_skin_at)(const void *user, uint32_t ring, double angle);

// Adds what `copies` skins of a size need.
void tr_skin_count(tr_skin_size size, uint32_t copies, uint32_t *vertices, uint32_t *triangles);
// false: no memory, and nothing has to be released.
bool tr_skin_create(const tr_allocator *allocator, uint32_t vertices, uint32_t triangles, tr_skin *skin);
void tr_skin_release(tr_skin *skin);
// Adds a closed skin. Without `turned`, its outside faces out if the angle runs clockwise, seen against the
// direction in which the rings follow each other.
void tr_skin_add(tr_skin *skin, tr_skin_size size, bool turned, tr_skin_at at, const void *user);
// The mean of the normals of the adjacent triangles, weighted by area.
void tr_skin_find_normals(tr_skin *skin);
// Fills the fields of the mesh, and paints in the order of `colors`; paints without triangles are left out.
void tr_skin_describe(const tr_skin *skin, const float (*colors)[3], uint32_t color_count, tr_body_def *def);

// The Catmull-Rom curve between `from` and `to`, t in [0, 1].
float tr_skin_cubic(float before, float from, float to, float after, float t);
// How far a corner of a unit ring lies out: between a circle (square 0) and the curve x^4 + y^4 = 1.
float tr_skin_rounding(float x, float y, float square);
// The cubic step, clamped to [0, 1].
float tr_skin_step(float x);

// Rings of a shape are seven numbers, of which the last are half the width, the extent to both sides across
// it, and how square the ring is. `ring` becomes the ring at a place between them, in units of rings.
#define TR_SKIN_RING_FLOATS 7
void tr_skin_ring(const float *rings, uint32_t ring_count, float place, float *ring);

// Where one joint hands the skin over to the next: before `at` - `width` the skin belongs to the first joint
// alone.
typedef struct tr_skin_seam {
    uint32_t joint; // the joint beyond the seam
    float at, width;
} tr_skin_seam;
// The two joints of a place along a skin that begins with `joint`. Returns the share of the second one.
float tr_skin_share(const tr_skin_seam *seams, uint32_t seam_count, uint32_t joint, float place,
                    uint32_t joints[2]);

// ----------------------------------------------------------------------------------------------------- tubes

// One ring of a tube. Rings stand across the line through their centres.
typedef struct tr_tube_ring {
    float x, y, z;    // centre
    float half;       // half the width, along the side axis
    float fore, back; // to both sides across it
    float square;     // 0 an ellipse, 1 nearly a rectangle
} tr_tube_ring;

// A closed surface: the first and the last ring are points.
typedef struct tr_tube {
    const tr_tube_ring *rings;
    uint32_t ring_count;
    uint32_t joint;            // the joint of the skin before the first seam
    const tr_skin_seam *seams; // in units of rings
    uint32_t seam_count;
    uint8_t side;   // axis of the width: 0 X, 2 Z. `fore` is on the side of (line of the tube) x (side axis)
    bool is_pair;   // there is one on the right as well, `right` joints further
    uint8_t right;  // the number of a joint on the right minus that on the left
    uint8_t shared; // joints with lower numbers are in the middle: the right skin has them, too
    bool exact;     // one ring for each ring of the shape; otherwise `tall` rings, smooth between those
    uint8_t round[2]; // corners of a ring, for each level of detail
    uint8_t tall[2];  // rings, for each level of detail; 0: the part is left out
    uint8_t paint;    // 0: in the colour of the body; otherwise 1 + the number of its paint. These come last
} tr_tube;

// Makes the mesh of tubes, `scale` times as large. false: no memory, and nothing has to be released.
bool tr_skin_of_tubes(const tr_allocator *allocator, const tr_tube *tubes, uint32_t count, uint32_t detail,
                      float scale, tr_skin *skin);
