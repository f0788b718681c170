// troupe/world/sample.h - sample scenes, generated from a size and a seed. Used by tests, benchmarks,
// examples and `troupe gen`.
#pragma once
#include "troupe/world/scene.h"

TR_BEGIN_DECLARATIONS

typedef struct tr_sample_def {
    const char *name;              // one of tr_sample_name()
    const tr_allocator *allocator; // NULL: malloc
    uint32_t triangles;            // exact total; 0: the scene's default (the paper's number, if it has one)
    uint64_t seed;                 // 0 is a seed like any other
    // Sizes of some scenes. 0: the scene's default, and the only value for scenes without such a size.
    float width;     // of "corridor", "door", "crossing" and "bridge", between walls or rails [m, 0.5 to 20]
    float length;    // of "corridor" and "bridge", and of each arm of "crossing" [m, 1 to 200]
    uint32_t people; // that "plaza" has room for at 0.1 people per square metre, "crowd_field" at 0.08
                     // [1 to 100000]
} tr_sample_def;

// A generated scene and the data that an experiment needs about it.
typedef struct tr_sample {
    tr_scene *scene; // owned by the caller
    tr_box ground;   // the walking surface that a grid should cover; its height is ground.min.y
    // Objects with these numbers can be moved (chairs, boxes). Their placement is a rotation about Y and a
    // translation.
    uint32_t first_movable, movable_count;
    // For a scene with storeys: the 3D grid that an experiment divides it into, whose corner is ground.min
    // (all 0 for other scenes).
    uint32_t columns, layers, rows;
    float cell, layer; // [m]
    // Start and goal for a planner, in scenes with storeys and for crowds; for "desk" and for scenes to reach
    // into: of the wrist.
    tr_vec3 start, goal;
    tr_box hand;         // where the finger tips go, in scenes to reach into; otherwise all 0
    float width, length; // as generated; 0 if the scene has no such size [m]
    uint32_t people;     // as generated; 0 if the scene has no such size
} tr_sample;

TR_API uint32_t tr_sample_count(void);
TR_API const char *tr_sample_name(uint32_t index);    // NULL beyond the last
TR_API const char *tr_sample_summary(uint32_t index); // one line that says what it shows
// Generates a scene. TR_NOT_FOUND: no such name. TR_INVALID: the number of triangles or a size is out of
// range; the error states the range. The same def gives the same scene, bit for bit, on every machine.
TR_API tr_status tr_sample_make(const tr_sample_def *def, tr_sample *sample, tr_error *error);

// Moves the movable objects to random places on the ground: the "varying obstacle positions" of the papers'
// experiments. Positions stay inside the ground and depend on the seed alone. Objects may overlap, as when a
// user drags them. TR_INVALID: the sample has no scene.
TR_API tr_status tr_sample_shuffle(const tr_sample *sample, uint64_t seed);

// The places of objects in the sample "desk", in world coordinates. A person of `height` stands at the
// origin, looks along +Z and reaches with the right arm. The seed does not change any of these values. A
// wrist position is that at which the hand, pointed in the given direction, is about to close around the
// object.
typedef struct tr_sample_desk {
    float height;  // of the person [m]
    float desktop; // [m]
    tr_vec3 start; // of the wrist: in front of the desk, the elbow bent beside the body
    tr_vec3 thermos, thermos_wrist, thermos_hand; // grip point, wrist, direction of the hand
    tr_vec3 teacup, teacup_wrist, teacup_hand;
} tr_sample_desk;
TR_API tr_sample_desk tr_sample_desk_places(void);

TR_END_DECLARATIONS
