// What the sources of `audit` share.
#pragma once
#include "troupe/motion/audit.h"
#include "motion/foot/foot.h"

// One triangle of the scene, in the world.
typedef struct audit_triangle {
    tr_vec3 corners[3];
    uint32_t number; // in its mesh
    bool level;      // faces up (or down) within 45 degrees
    bool floor;      // level, and can be stood on
} audit_triangle;

// A node of the tree of boxes: its first child is the next node. count > 0: a leaf.
typedef struct audit_node {
    tr_box box;
    uint32_t first, count; // triangles of a leaf
    uint32_t second;       // the other child
} audit_node;

typedef struct audit_triangles {
    audit_triangle *items;
    audit_node *nodes;
    uint32_t count, room, node_count; // room: of `items` and of `nodes`
    float floor_reach;                // how far above a point its floor may be [m]
} audit_triangles;

// Reserves memory for `count` triangles; there are none yet.
tr_status tr_audit_triangles_reserve(const tr_allocator *allocator, uint64_t count,
                                     audit_triangles *triangles, tr_error *error);
void tr_audit_triangles_destroy(const tr_allocator *allocator, audit_triangles *triangles);
// Adds a triangle; `triangle` has its corners.
void tr_audit_triangles_add(audit_triangles *triangles, audit_triangle triangle, bool may_stand);
// Sorts the triangles into a tree, after all were added.
void tr_audit_triangles_build(audit_triangles *triangles);
// Updates the boxes of the tree after the triangles have moved.
void tr_audit_triangles_refit(audit_triangles *triangles);

// Iterates over the triangles whose boxes overlap `box`.
typedef struct audit_walk {
    tr_box box;
    uint32_t stack[64];
    uint32_t depth, next, end;
} audit_walk;
audit_walk tr_audit_walk_begin(const audit_triangles *triangles, tr_box box);
const audit_triangle *tr_audit_walk_next(const audit_triangles *triangles,
                                         audit_walk *walk); // NULL at the end
// The height of the highest floor under a point; NAN for none.
float tr_audit_floor(const audit_triangles *triangles, tr_vec3 point);

// An object with a trajectory. Its tree is sorted once and refitted whenever the object has moved.
typedef struct audit_mover {
    uint32_t object;
    bool may_stand;
    tr_affine placement;
    audit_triangles triangles;
} audit_mover;

// The scene: the static part, and the moving objects placed at one moment.
typedef struct audit_scene {
    const tr_scene *scene;
    audit_triangles still;
    audit_mover *movers;
    uint32_t mover_count, mover_room;
} audit_scene;
tr_status tr_audit_scene_make(const tr_allocator *allocator, const tr_scene *scene, uint32_t exclude_tags,
                              audit_scene *made, tr_error *error);
void tr_audit_scene_destroy(const tr_allocator *allocator, audit_scene *scene);
// Places all movers at `time` [s].
void tr_audit_scene_place(audit_scene *scene, double time);
// The trees of the scene: 0 is the static part, the others move.
static inline uint32_t tr_audit_scene_tree_count(const audit_scene *scene) {
    return 1 + scene->mover_count;
}
static inline const audit_triangles *tr_audit_scene_tree(const audit_scene *scene, uint32_t tree) {
    return tree == 0 ? &scene->still : &scene->movers[tree - 1].triangles;
}
// The height of the highest floor under a point, moving ones included; NAN for none.
float tr_audit_scene_floor(const audit_scene *scene, tr_vec3 point);

// The data of one audit.
typedef struct audit_job {
    tr_allocator allocator;
    const tr_skeleton *skeleton;
    const tr_clip *clip;
    const tr_audit_params *params;
    uint32_t joint_count;
    uint32_t first, count; // the frames under audit
    bool round;            // a whole loop: the next pass follows the last frame
    double rate;
    float ground;
    audit_scene scene;
    tr_pose pose;
    tr_affine *model; // [joint_count]
    tr_audit audit;
    double ldlj_sum; // over the windows in which the pelvis moves
    uint32_t ldlj_windows;
} audit_job;

// Checks the parameters, chooses the frames and places the scene. Only after TR_OK is there something to end.
tr_status tr_audit_job_begin(const tr_allocator *allocator, const tr_skeleton *skeleton, const tr_clip *clip,
                             const tr_audit_params *params, audit_job *job, tr_error *error);
void tr_audit_job_end(audit_job *job);

// The model in the world at a frame of the clip; for a loop at any frame, also before and after it.
// `centred`: relative to the base point of the first audited frame, where floats are most precise.
void tr_audit_place_frame(audit_job *job, int64_t frame, bool centred);
// Places the moving objects at a frame of the clip.
void tr_audit_place_scene(audit_job *job, int64_t frame);
void tr_audit_place_time(audit_job *job, double time, bool centred);

enum { AUDIT_HEEL, AUDIT_BALL, AUDIT_TIP, AUDIT_POINTS };

// The track of one foot over the frames. `labels` has 1 for the heel and 2 for the toes.
typedef struct audit_foot {
    tr_vec3 *points[AUDIT_POINTS];
    float *heights[AUDIT_POINTS]; // above the floor; NAN where there is none
    uint8_t *labels, *settled;    // settled: memory for tr_audit_settle
} audit_foot;

// Contacts that were found from the motion last into the roll-off: this makes each as long as its point stays
// at its resting height, still or sliding.
void tr_audit_settle(const audit_job *job, audit_foot *foot, uint32_t frames);

// Each of these fills its fields of job->audit.
tr_status tr_audit_feet(audit_job *job, tr_error *error);
tr_status tr_audit_smoothness(audit_job *job, tr_error *error);
tr_status tr_audit_pelvis(audit_job *job, tr_error *error); // a part of smoothness: `ldlj`
void tr_audit_limits(audit_job *job);
tr_status tr_audit_collisions(audit_job *job, tr_error *error);

static inline tr_status tr_audit_no_memory(tr_error *error) {
    return tr_fail(error, TR_OUT_OF_MEMORY, "no memory to audit the motion");
}
