// troupe/world/sample.h - the sample scenes, made to size and seed: used by tests, benchmarks, examples and
// `troupe gen`.
#pragma once
#include "troupe/world/scene.h"

TR_BEGIN_DECLARATIONS

typedef struct tr_sample_def {
    const char *name;              // one of tr_sample_name()
    const tr_allocator *allocator; // NULL: malloc
    uint32_t triangles; // in all, met exactly; 0: the scene's own number (the paper's, where it has one)
    uint64_t seed;      // 0 is a seed like any other
    // Sizes of some scenes; 0: the scene's own, and the only value where it has no such size.
    float width;     // of "corridor", "door", "crossing" and "bridge", free of walls [m, 0.5 to 20]
    float length;    // of "corridor" and "bridge", and of each arm of "crossing" [m, 1 to 200]
    uint32_t people; // whom "plaza" has room for, at 0.1 people per square metre [1 to 100000]
} tr_sample_def;

// A generated scene and what an experiment needs to know about it.
typedef struct tr_sample {
    tr_scene *scene; // owned by the caller
    tr_box ground;   // the walking surface: what a grid should cover; its height is ground.min.y
    // Objects with these numbers can be moved about (chairs, boxes). Their placement is a turn about Y and a
    // move.
    uint32_t first_movable, movable_count;
    // Of a scene with storeys: the 3D grid that an experiment divides it into (all 0 elsewhere; its corner is
    // ground.min).
    uint32_t columns, layers, rows;
    float cell, layer; // [m]
    // A way worth finding, in scenes with storeys and in those for crowds; of "desk": of the wrist.
    tr_vec3 start, goal;
    float width, length; // as made; 0 where the scene has no such size [m]
    uint32_t people;     // likewise
} tr_sample;

TR_API uint32_t tr_sample_count(void);
TR_API const char *tr_sample_name(uint32_t index);    // NULL beyond the last
TR_API const char *tr_sample_summary(uint32_t index); // one line on what it shows
// TR_NOT_FOUND: no such name. TR_INVALID: the number of triangles or a size is out of range; the error says
// the range. The same def gives the same scene, bit for bit, everywhere.
TR_API tr_status tr_sample_make(const tr_sample_def *def, tr_sample *sample, tr_error *error);

// Put the movable objects somewhere else on the ground, at random: "varying obstacle positions" of the
// papers' experiments. Positions keep inside the ground and depend on the seed alone; things may overlap, as
// when a user drags them. TR_INVALID for a sample without a scene.
TR_API tr_status tr_sample_shuffle(const tr_sample *sample, uint64_t seed);

// Where things are on the sample "desk", in the world. A person of `height` stands at the origin, looks along
// +Z and reaches with the right arm; the seed moves nothing of this. Wrists are where the wrist is when the
// hand, pointed that way, is about to close around the thing.
typedef struct tr_sample_desk {
    float height;  // of the person [m]
    float desktop; // [m]
    tr_vec3 start; // of the wrist: before the desk, the elbow bent beside the body
    tr_vec3 thermos, thermos_wrist, thermos_hand; // what is gripped, the wrist, a direction
    tr_vec3 teacup, teacup_wrist, teacup_hand;
} tr_sample_desk;
TR_API tr_sample_desk tr_sample_desk_places(void);

TR_END_DECLARATIONS
