// Recast, measured beside us on the same triangles: what a user of it would run for the same map.
extern "C" {
#include "cli/bench.h"
#include "troupe/base/clock.h"
}
#include <recastnavigation/Recast.h>

#include <cmath>
#include <vector>

namespace {

struct soup {
    std::vector<float> vertices;
    std::vector<int> triangles;
};

// All objects in world coordinates: Recast knows no objects.
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

rcConfig configure(const soup &all, const tr_grid *grid, float height, float radius) {
    rcConfig config = {};
    config.cs = grid->cell;
    config.ch = 0.1f; // coarser than most users choose, to Recast's advantage
    config.walkableSlopeAngle = 45;
    config.walkableHeight = static_cast<int>(std::ceil(height / config.ch));
    config.walkableClimb = 1;
    config.walkableRadius = static_cast<int>(std::ceil(radius / config.cs));
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

// Everything Recast allocates, given back at the end of a measurement.
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

} // namespace

extern "C" const char *bench_recast_measure(const tr_scene *scene, const tr_grid *grid, float height,
                                            float radius, bench_recast_times *times) {
    rcContext context(false);
    soup all = gather(scene); // not counted: a Recast user keeps world coordinates
    rcConfig config = configure(all, grid, height, radius);
    products p;
    uint64_t begin = tr_clock_nanoseconds();
    if (!rasterize(context, config, all, p))
        return "its rasterisation failed";
    times->rasterize_ms = static_cast<double>(tr_clock_nanoseconds() - begin) / 1e6;
    if (!finish(context, config, p))
        return "its build failed";
    times->build_ms = static_cast<double>(tr_clock_nanoseconds() - begin) / 1e6;
    return p.mesh->npolys > 0 ? nullptr : "it built an empty mesh";
}
