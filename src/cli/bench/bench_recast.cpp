// Recast on the same triangles, for comparison: what a user of it would run for the same map.
extern "C" {
#include "bench.h"
#include "troupe/base/clock.h"
}
#include "bench_detour.hpp"

#include <recastnavigation/DetourNavMesh.h>
#include <recastnavigation/DetourNavMeshBuilder.h>
#include <recastnavigation/DetourNavMeshQuery.h>
#include <recastnavigation/Recast.h>

#include <cmath>
#include <memory>
#include <vector>

namespace {

struct soup {
    std::vector<float> vertices;
    std::vector<int> triangles;
};

// All objects in world coordinates: Recast has no objects.
soup gather(const tr_scene *scene) {
    soup all;
    for (uint32_t i = 0; i < tr_scene_object_count(scene); i++) {
        tr_object_view object = tr_scene_object(scene, i);
        if (object.mesh == TR_NONE)
            continue;
        tr_mesh_view mesh = tr_scene_mesh(scene, object.mesh);
        int first = static_cast<int>(all.vertices.size() / 3);
        for (uint32_t v = 0; v < mesh.position_count; v++) {
            tr_vec3 p = tr_affine_apply(&object.placement, mesh.positions[v]);
            all.vertices.insert(all.vertices.end(), {p.x, p.y, p.z});
        }
        for (uint32_t k = 0; k < 3 * mesh.triangle_count; k++)
            all.triangles.push_back(first + static_cast<int>(mesh.indices[k]));
    }
    return all;
}

rcConfig configure(const soup &all, const tr_grid *grid, const bench_agent &agent) {
    rcConfig config = {};
    config.cs = grid->cell;
    config.ch = agent.cell_height;
    config.walkableSlopeAngle = agent.slope;
    config.walkableHeight = static_cast<int>(std::ceil(agent.height / config.ch));
    config.walkableClimb = static_cast<int>(std::floor(agent.climb / config.ch));
    config.walkableRadius = static_cast<int>(std::ceil(agent.radius / config.cs));
    config.maxEdgeLen = static_cast<int>(12 / config.cs);
    config.maxSimplificationError = 1.3f;
    config.minRegionArea = 64;
    config.mergeRegionArea = 400;
    config.maxVertsPerPoly = 6;
    config.detailSampleDist = 6 * config.cs;
    config.detailSampleMaxError = config.ch;
    rcCalcBounds(all.vertices.data(), static_cast<int>(all.vertices.size() / 3), config.bmin, config.bmax);
    config.bmin[0] = grid->origin.x, config.bmin[2] = grid->origin.z;
    config.bmax[0] = grid->origin.x + static_cast<float>(grid->columns) * grid->cell;
    config.bmax[2] = grid->origin.z + static_cast<float>(grid->rows) * grid->cell;
    config.width = static_cast<int>(grid->columns);
    config.height = static_cast<int>(grid->rows);
    return config;
}

// Everything Recast allocates, freed at the end of a measurement.
struct products {
    rcHeightfield *solid = rcAllocHeightfield();
    rcCompactHeightfield *compact = rcAllocCompactHeightfield();
    rcContourSet *contours = rcAllocContourSet();
    rcPolyMesh *mesh = rcAllocPolyMesh();
    rcPolyMeshDetail *detail = rcAllocPolyMeshDetail();
    products() = default;
    products(const products &) = delete;
    products &operator=(const products &) = delete;
    ~products() {
        rcFreeHeightField(solid);
        rcFreeCompactHeightfield(compact);
        rcFreeContourSet(contours);
        rcFreePolyMesh(mesh);
        rcFreePolyMeshDetail(detail);
    }
};

bool rasterize(rcContext &context, const rcConfig &c, const soup &all, products &p) {
    int vertices = static_cast<int>(all.vertices.size() / 3),
        triangles = static_cast<int>(all.triangles.size() / 3);
    std::vector<unsigned char> areas(static_cast<size_t>(triangles), 0);
    if (!rcCreateHeightfield(&context, *p.solid, c.width, c.height, c.bmin, c.bmax, c.cs, c.ch))
        return false;
    rcMarkWalkableTriangles(&context, c.walkableSlopeAngle, all.vertices.data(), vertices,
                            all.triangles.data(), triangles, areas.data());
    return rcRasterizeTriangles(&context, all.vertices.data(), vertices, all.triangles.data(), areas.data(),
                                triangles, *p.solid, c.walkableClimb);
}

bool finish(rcContext &context, const rcConfig &c, products &p) {
    rcFilterLowHangingWalkableObstacles(&context, c.walkableClimb, *p.solid);
    rcFilterLedgeSpans(&context, c.walkableHeight, c.walkableClimb, *p.solid);
    rcFilterWalkableLowHeightSpans(&context, c.walkableHeight, *p.solid);
    return rcBuildCompactHeightfield(&context, c.walkableHeight, c.walkableClimb, *p.solid, *p.compact) &&
           rcErodeWalkableArea(&context, c.walkableRadius, *p.compact) &&
           rcBuildDistanceField(&context, *p.compact) &&
           rcBuildRegions(&context, *p.compact, 0, c.minRegionArea, c.mergeRegionArea) &&
           rcBuildContours(&context, *p.compact, c.maxSimplificationError, c.maxEdgeLen, *p.contours) &&
           rcBuildPolyMesh(&context, *p.contours, c.maxVertsPerPoly, *p.mesh) &&
           rcBuildPolyMeshDetail(&context, *p.mesh, *p.compact, c.detailSampleDist, c.detailSampleMaxError,
                                 *p.detail);
}

// Recast's polygon mesh as Detour needs it.
bool make_mesh(const rcConfig &c, const bench_agent &agent, products &p, dtNavMesh &mesh) {
    for (int i = 0; i < p.mesh->npolys; i++)
        p.mesh->flags[i] = p.mesh->areas[i] == RC_WALKABLE_AREA ? 1 : 0;
    dtNavMeshCreateParams params = {};
    params.verts = p.mesh->verts;
    params.vertCount = p.mesh->nverts;
    params.polys = p.mesh->polys;
    params.polyAreas = p.mesh->areas;
    params.polyFlags = p.mesh->flags;
    params.polyCount = p.mesh->npolys;
    params.nvp = p.mesh->nvp;
    params.detailMeshes = p.detail->meshes;
    params.detailVerts = p.detail->verts;
    params.detailVertsCount = p.detail->nverts;
    params.detailTris = p.detail->tris;
    params.detailTriCount = p.detail->ntris;
    params.walkableHeight = agent.height;
    params.walkableRadius = agent.radius;
    params.walkableClimb = agent.climb;
    rcVcopy(params.bmin, p.mesh->bmin);
    rcVcopy(params.bmax, p.mesh->bmax);
    params.cs = c.cs;
    params.ch = c.ch;
    params.buildBvTree = true;
    unsigned char *data = nullptr;
    int size = 0;
    return dtCreateNavMeshData(&params, &data, &size) &&
           dtStatusSucceed(mesh.init(data, size, DT_TILE_FREE_DATA));
}

} // namespace

extern "C" const char *bench_recast_measure(const tr_scene *scene, const tr_grid *grid,
                                            const bench_agent *agent, bench_recast_times *times) {
    rcContext context(false);
    soup all = gather(scene); // not counted: a Recast user keeps world coordinates
    rcConfig config = configure(all, grid, *agent);
    products p;
    uint64_t begin = tr_clock_nanoseconds();
    if (!rasterize(context, config, all, p))
        return "Recast's rasterisation failed";
    times->rasterize_ms = static_cast<double>(tr_clock_nanoseconds() - begin) / 1e6;
    if (!finish(context, config, p))
        return "Recast's build failed";
    times->build_ms = static_cast<double>(tr_clock_nanoseconds() - begin) / 1e6;
    return p.mesh->npolys > 0 ? nullptr : "Recast built an empty mesh";
}

extern "C" const char *bench_detour_build(const tr_scene *scene, const tr_grid *grid,
                                          const bench_agent *agent, bench_detour **detour) {
    *detour = nullptr;
    rcContext context(false);
    soup all = gather(scene);
    rcConfig config = configure(all, grid, *agent);
    products p;
    auto made = std::make_unique<bench_detour>();
    if (!rasterize(context, config, all, p) || !finish(context, config, p))
        return "Recast's build failed";
    if (!make_mesh(config, *agent, p, made->mesh) || dtStatusFailed(made->query.init(&made->mesh, 65535)))
        return "Detour rejected Recast's mesh";
    *detour = made.release();
    return nullptr;
}

extern "C" const char *bench_detour_query(bench_detour *detour, tr_vec3 start, tr_vec3 goal,
                                          bench_detour_length *length) {
    const float from[3] = {start.x, start.y, start.z}, to[3] = {goal.x, goal.y, goal.z},
                around[3] = {2, 4, 2};
    dtQueryFilter filter;
    dtPolyRef first, last, path[2048];
    float near_from[3], near_to[3], corners[3 * 2048];
    int count = 0, corner_count = 0;
    if (dtStatusFailed(detour->query.findNearestPoly(from, around, &filter, &first, near_from)) || !first ||
        dtStatusFailed(detour->query.findNearestPoly(to, around, &filter, &last, near_to)) || !last)
        return "Detour finds no polygon near an end";
    dtStatus status = detour->query.findPath(first, last, near_from, near_to, &filter, path, &count, 2048);
    if (dtStatusFailed(status) || dtStatusDetail(status, DT_PARTIAL_RESULT) || count == 0)
        return "Detour finds no path";
    detour->query.findStraightPath(near_from, near_to, path, count, corners, nullptr, nullptr, &corner_count,
                                   2048);
    *length = {0, 0};
    for (int i = 0; i + 1 < corner_count; i++) {
        const float *a = &corners[3 * i], *b = a + 3;
        length->flat += std::hypot(b[0] - a[0], b[2] - a[2]);
        length->whole += std::hypot(b[0] - a[0], b[1] - a[1], b[2] - a[2]);
    }
    return nullptr;
}

extern "C" bool bench_detour_snap(const bench_detour *detour, tr_vec3 reach, tr_vec3 *point) {
    const float at[3] = {point->x, point->y, point->z}, around[3] = {reach.x, reach.y, reach.z};
    dtQueryFilter filter;
    dtPolyRef polygon = 0;
    float nearest[3];
    if (dtStatusFailed(detour->query.findNearestPoly(at, around, &filter, &polygon, nearest)) || !polygon)
        return false;
    for (int i = 0; i < 3; i++)
        if (!(std::fabs(nearest[i] - at[i]) <= around[i]))
            return false;
    *point = tr_vec3_make(nearest[0], nearest[1], nearest[2]);
    return true;
}

// Twice the area, seen from above, of one triangle of the fan that a polygon consists of.
static double fan_area(const dtMeshTile *tile, const dtPoly *polygon, int corner) {
    const float *a = &tile->verts[3 * polygon->verts[0]], *b = &tile->verts[3 * polygon->verts[corner]],
                *c = &tile->verts[3 * polygon->verts[corner + 1]];
    return std::fabs(static_cast<double>((b[0] - a[0]) * (c[2] - a[2]) - (b[2] - a[2]) * (c[0] - a[0])));
}

extern "C" tr_vec3 bench_detour_point(const bench_detour *detour, float share, float u, float v) {
    const dtNavMesh &mesh = detour->mesh;
    const dtMeshTile *tile = mesh.getTile(0);
    double whole = 0;
    for (int i = 0; i < tile->header->polyCount; i++)
        for (int k = 1; k + 1 < tile->polys[i].vertCount; k++)
            whole += fan_area(tile, &tile->polys[i], k);
    double left = static_cast<double>(share) * whole;
    float fold = u + v > 1 ? 1.0f : 0.0f, p = std::fabs(fold - u), q = std::fabs(fold - v);
    float at[3] = {0, 0, 0};
    for (int i = 0; i < tile->header->polyCount; i++)
        for (int k = 1; k + 1 < tile->polys[i].vertCount; k++) {
            const dtPoly *polygon = &tile->polys[i];
            left -= fan_area(tile, polygon, k);
            if (left > 0)
                continue;
            const float *a = &tile->verts[3 * polygon->verts[0]], *b = &tile->verts[3 * polygon->verts[k]],
                        *c = &tile->verts[3 * polygon->verts[k + 1]];
            for (int axis = 0; axis < 3; axis++)
                at[axis] = a[axis] + p * (b[axis] - a[axis]) + q * (c[axis] - a[axis]);
            float height = at[1];
            dtPolyRef reference = mesh.getPolyRefBase(tile) | static_cast<dtPolyRef>(i);
            if (dtStatusSucceed(detour->query.getPolyHeight(reference, at, &height)))
                at[1] = height;
            return tr_vec3_make(at[0], at[1], at[2]);
        }
    return tr_vec3_make(at[0], at[1], at[2]);
}

extern "C" void bench_detour_destroy(bench_detour *detour) {
    delete detour;
}
