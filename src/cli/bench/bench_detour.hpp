// A navigation mesh of Detour and a query on it: what bench_recast.cpp builds and bench_detour_crowd.cpp
// walks on.
#pragma once
#include <recastnavigation/DetourNavMesh.h>
#include <recastnavigation/DetourNavMeshQuery.h>

struct bench_detour {
    dtNavMesh mesh;
    dtNavMeshQuery query;
};
