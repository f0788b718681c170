// The triangles around an arm in a plain uniform grid, for reach_recheck.
#pragma once
#include "troupe/world/scene.h"

typedef struct reach_triangles reach_triangles;

// All triangles of the scene within `half` of `centre` on every axis, in the axes of `base`, named as in
// files with Z up (X ahead, Y left, Z up). `centre` is in the same axes.
tr_status reach_triangles_create(const tr_scene *scene, const tr_affine *base, tr_vec3 centre, float half,
                                 reach_triangles **triangles, tr_error *error);
void reach_triangles_destroy(reach_triangles *triangles);
// Distance of the line to the nearest triangle, at most `limit` [m].
double reach_triangles_distance(reach_triangles *triangles, tr_vec3 a, tr_vec3 b, double limit);
