// Parts of the scenes for planning behaviors: a border, logs, lintels and motions. Internal.
//
// Every scene is a level field with its middle at the origin and a border too high to jump over. A log can be
// jumped over, a lintel can be crawled under.
#pragma once
#include "world/sample/sample_storey.h"

#define SAMPLE_BORDER 0.25f      // thickness of the border [m]
#define SAMPLE_BORDER_TOP 1.4f   // its height [m]
#define SAMPLE_LOG 0.1f          // radius of a log [m]
#define SAMPLE_LINTEL 1.0f       // height of the opening under a lintel [m]
#define SAMPLE_OBSTACLE_TOP 1.8f // of walls that end a view [m]

// Gives an object a motion; its placement becomes that of time 0.
void sample_motion(sample_builder *builder, uint32_t object, const double *times,
                   const tr_transform *transforms, uint32_t count, bool loop);

// The border along the inside of a field, `top` high, and its floor.
void sample_behavior_field(sample_builder *builder, float half_x, float half_z, float top);
// A log along x on the floor, from x0 to x1.
void sample_behavior_log(sample_builder *builder, float x0, float x1, float z);
// A log along z.
void sample_behavior_log_across(sample_builder *builder, float x, float z0, float z1);
// A beam along x on the height of SAMPLE_LINTEL, `thickness` deep, from x0 to x1.
void sample_behavior_lintel(sample_builder *builder, float x0, float x1, float z, float thickness);
// Places `count` movable posts of random width and height near these places.
void sample_behavior_posts(sample_builder *builder, const tr_vec2 *places, uint32_t count, float jitter);

// The place of an object that has turned by `turn` and stands at `position`.
static inline tr_transform sample_transform(tr_vec3 position, tr_quat turn) {
    tr_transform transform = {position, turn, {1, 1, 1}};
    return transform;
}

void sample_behaviors_make(sample_builder *builder);
void sample_falling_tree_make(sample_builder *builder);
void sample_hill_make(sample_builder *builder);
void sample_hook_make(sample_builder *builder);
void sample_stampede_make(sample_builder *builder);
void sample_crowd_field_make(sample_builder *builder);
