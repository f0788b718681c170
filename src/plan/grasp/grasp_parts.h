// plan/grasp/grasp_parts.h - what the sources of grasp share. Internal to plan/grasp.
#pragma once
#include "troupe/plan/grasp.h"

#define TR_GRASP_TOUCH 0.0003f // a bone this near to the object touches it [m]

// From the axes of the hand to the world.
tr_affine tr_grasp_place(const tr_grasp *grasp);
// The least distance of the skin of a hand from the object, up to `limit` [m]; negative inside.
float tr_grasp_gap(const tr_grasp_def *def, const tr_solid_capsule *capsules, uint32_t count, float limit);
// [0, 1]; 0: the contacts do not hold the object.
float tr_grasp_quality(const tr_grasp_def *def, const tr_grasp *grasp);
// tr_grasp_close without its sentences.
bool tr_grasp_try(const tr_grasp_def *def, tr_grasp *grasp);
tr_status tr_grasp_check(const tr_grasp_def *def, tr_error *error);
