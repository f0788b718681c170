// Small scenes of blocks and ramps for the tests of tr_footstep, with their exact heights beside the surface.
#pragma once
#include "test.h"
#include "troupe/plan/footstep.h"

#include <math.h>
#include <string.h>

#define WORLD_BLOCKS_MAX 256
#define WORLD_FOOTSTEPS_MAX 256

// A block over four corners (seen from above, to the left of one another), or a ramp: its top rises by `rise`
// a metre along z from the first corner on.
typedef struct world_block {
    tr_vec2 corners[4];
    float bottom, top, rise;
} world_block;

typedef struct footstep_world {
    world_block blocks[WORLD_BLOCKS_MAX];
    uint32_t block_count;
    tr_scene *scene;
    tr_raster *raster;
    tr_surface *surface;
    tr_footstep_scratch *scratch;
    tr_footstep_params params;
    tr_surface_route_point points[64];
    uint32_t point_count;
    tr_footstep footsteps[WORLD_FOOTSTEPS_MAX];
    uint32_t footstep_count;
    tr_vec3 stuck_at;
} footstep_world;

static inline void world_ramp(footstep_world *world, float x0, float z0, float x1, float z1, float bottom,
                              float top, float rise) {
    world->blocks[world->block_count++] =
        (world_block){{{x0, z0}, {x0, z1}, {x1, z1}, {x1, z0}}, bottom, top, rise};
}

static inline void world_add(footstep_world *world, float x0, float z0, float x1, float z1, float bottom,
                             float top) {
    world_ramp(world, x0, z0, x1, z1, bottom, top, 0);
}

static inline float block_top(const world_block *block, float z) {
    return block->top + (z - block->corners[0].z) * block->rise;
}

static inline bool world_put(footstep_world *world, const world_block *block) {
    tr_vec3 corners[8];
    for (uint32_t i = 0; i < 4; i++) {
        tr_vec2 at = block->corners[i];
        corners[i] = tr_vec3_make(at.x, block->bottom, at.z);
        corners[4 + i] = tr_vec3_make(at.x, block_top(block, at.z), at.z);
    }
    static const uint32_t sides[36] = {0, 2, 1, 0, 3, 2, 4, 5, 6, 4, 6, 7, 0, 1, 5, 0, 5, 4,
                                       1, 2, 6, 1, 6, 5, 2, 3, 7, 2, 7, 6, 3, 0, 4, 3, 4, 7};
    tr_mesh_def mesh = {.positions = corners, .position_count = 8, .indices = sides, .triangle_count = 12};
    tr_object_def object = {.placement = tr_affine_identity(), .tags = TR_TAG_WALKABLE};
    uint32_t number;
    return tr_scene_add_mesh(world->scene, &mesh, &object.mesh, NULL) == TR_OK &&
           tr_scene_add_object(world->scene, &object, &number, NULL) == TR_OK;
}

// After the last block: the surface of it all.
static inline bool world_build(footstep_world *world, float cell) {
    if (tr_scene_create(NULL, &world->scene) != TR_OK)
        return false;
    for (uint32_t i = 0; i < world->block_count; i++)
        if (!world_put(world, &world->blocks[i]))
            return false;
    tr_surface_def def = tr_surface_def_default();
    tr_raster_def raster = {.backend = TR_RASTER_SOFT};
    tr_error error = {0};
    bool built = tr_voxel_grid_cover(tr_scene_bounds(world->scene), cell, 0.05f, 0.5f, 0, &def.grid,
                                     &error) == TR_OK &&
                 tr_raster_create(&raster, &world->raster, &error) == TR_OK &&
                 tr_surface_create(&def, &world->surface, &error) == TR_OK &&
                 tr_surface_build(world->surface, world->raster, world->scene, &error) == TR_OK &&
                 tr_footstep_scratch_create(NULL, &world->scratch, &error) == TR_OK;
    if (!built)
        test_failed(__FILE__, __LINE__, "%s", error.message);
    world->params = tr_footstep_params_default(1.75f);
    return built;
}

static inline void world_end(footstep_world *world) {
    tr_footstep_scratch_destroy(world->scratch);
    tr_surface_destroy(world->surface);
    tr_raster_destroy(world->raster);
    tr_scene_destroy(world->scene);
}

static inline void world_go(footstep_world *world, float x, float y, float z) {
    world->points[world->point_count++] = (tr_surface_route_point){.position = {x, y, z}};
}

// Feet side by side about a point.
static inline void feet_at(const footstep_world *world, tr_vec3 point, double heading, tr_footstep feet[2]) {
    for (uint32_t side = 0; side < 2; side++) {
        float left = (side == 0 ? 0.5f : -0.5f) * world->params.apart;
        feet[side] = (tr_footstep){
            .side = side,
            .position = {point.x + left * (float)cos(heading), point.y, point.z - left * (float)sin(heading)},
            .heading = (float)heading,
            .support = 1};
    }
}

// Feet at the begin of the way that look along it.
static inline void world_feet(const footstep_world *world, tr_footstep feet[2]) {
    tr_vec3 from = world->points[0].position, to = world->points[world->point_count > 1 ? 1 : 0].position;
    feet_at(world, from, atan2((double)to.x - (double)from.x, (double)to.z - (double)from.z), feet);
}

static inline tr_status world_plan(footstep_world *world, uint32_t first) {
    tr_footstep feet[2];
    world_feet(world, feet);
    return tr_footstep_plan(world->scratch,
                            &(tr_footstep_query){.surface = world->surface,
                                                 .points = world->points,
                                                 .point_count = world->point_count,
                                                 .feet = feet,
                                                 .first = first,
                                                 .params = &world->params},
                            world->footsteps, WORLD_FOOTSTEPS_MAX, &world->footstep_count, &world->stuck_at);
}

static inline bool block_covers(const world_block *block, float x, float z) {
    for (uint32_t i = 0; i < 4; i++) {
        tr_vec2 a = block->corners[i], b = block->corners[(i + 1) % 4];
        if ((b.x - a.x) * (z - a.z) - (b.z - a.z) * (x - a.x) > 1e-6f)
            return false;
    }
    return true;
}

// The exact height of the highest block at a point no higher than `most`; -INFINITY for none.
static inline float world_height(const footstep_world *world, float x, float z, float most) {
    float height = -INFINITY;
    for (uint32_t i = 0; i < world->block_count; i++) {
        float top = block_top(&world->blocks[i], z);
        if (top <= most && top > height && block_covers(&world->blocks[i], x, z))
            height = top;
    }
    return height;
}

// What is really under a sole.
typedef struct sole_truth {
    float carried; // share of it with floor within 3 cm below its plane, or 1 cm above
    float sunk;    // how deep it is in the floor at worst [m]
} sole_truth;

static inline sole_truth world_sole(const footstep_world *world, const tr_footstep *footstep) {
    sole_truth truth = {0};
    const int across = 12, along = 32;
    float sine = sinf(footstep->heading), cosine = cosf(footstep->heading);
    for (int i = 0; i < along; i++)
        for (int j = 0; j < across; j++) {
            float u = world->params.sole_length * (((float)i + 0.5f) / (float)along - 0.5f),
                  v = world->params.sole_width * (((float)j + 0.5f) / (float)across - 0.5f);
            float height = footstep->position.y + u * footstep->pitch + v * footstep->roll;
            float floor = world_height(world, footstep->position.x + u * sine + v * cosine,
                                       footstep->position.z + u * cosine - v * sine, height + 0.6f);
            truth.carried += floor >= height - 0.03f && floor <= height + 0.01f;
            truth.sunk = floor - height > truth.sunk ? floor - height : truth.sunk;
        }
    truth.carried /= (float)(across * along);
    return truth;
}

// Is a point under a sole that is longer and wider by twice `margin`?
static inline bool sole_covers(const footstep_world *world, const tr_footstep *footstep, tr_vec2 point,
                               float margin) {
    float sine = sinf(footstep->heading), cosine = cosf(footstep->heading);
    float x = point.x - footstep->position.x, z = point.z - footstep->position.z;
    return fabsf(x * sine + z * cosine) < 0.5f * world->params.sole_length + margin &&
           fabsf(x * cosine - z * sine) < 0.5f * world->params.sole_width + margin;
}

static inline bool soles_meet(const footstep_world *world, const tr_footstep *a, const tr_footstep *b) {
    float sine = sinf(a->heading), cosine = cosf(a->heading);
    for (int i = 0; i <= 20; i++)
        for (int j = 0; j <= 8; j++) {
            float u = world->params.sole_length * ((float)i / 20 - 0.5f),
                  v = world->params.sole_width * ((float)j / 8 - 0.5f);
            tr_vec2 point = {a->position.x + u * sine + v * cosine, a->position.z + u * cosine - v * sine};
            if (sole_covers(world, b, point, -1e-4f))
                return true;
        }
    return false;
}

// What every chain of footsteps has to keep, seen on the exact floor.
static inline void world_check(const footstep_world *world, const tr_footstep feet[2]) {
    uint32_t count = world->footstep_count;
    const tr_footstep *footsteps = world->footsteps;
    REQUIRE(count >= 2);
    tr_footstep stand = feet[1 - footsteps[0].side];
    for (uint32_t i = 0; i < count; i++) {
        const tr_footstep *footstep = &footsteps[i];
        tr_vec3 off = tr_vec3_subtract(footstep->position, stand.position);
        CHECK_INT(footstep->side, 1 - stand.side);
        CHECK(fabsf(off.y) <= world->params.rise_most + 1e-5f);
        CHECK(sqrtf(off.x * off.x + off.z * off.z) <= world->params.stride_most + 0.15f);
        CHECK(footstep->support >= world->params.support_least);
        CHECK(!soles_meet(world, footstep, &stand));
        sole_truth truth = world_sole(world, footstep);
        CHECK(truth.sunk <= 0.02f); // low curbs and the beginnings of ramps
        // Edges are known to within one cell, so part of a sole may overhang.
        CHECK(truth.carried >= world->params.support_least - 0.25f);
        stand = *footstep;
    }
    tr_vec3 between = tr_vec3_subtract(footsteps[count - 1].position, footsteps[count - 2].position);
    CHECK(sqrtf(between.x * between.x + between.z * between.z) < 3 * world->params.apart);
    CHECK_NEAR(footsteps[count - 1].heading, footsteps[count - 2].heading, 1e-6);
}

static inline void world_print(const footstep_world *world) {
    for (uint32_t i = 0; i < world->footstep_count; i++) {
        const tr_footstep *footstep = &world->footsteps[i];
        sole_truth truth = world_sole(world, footstep);
        printf(
            "%c (%7.3f %6.3f %7.3f) heading %6.1f support %.2f pitch %.3f roll %.3f; true %.2f sunk %.3f\n",
            footstep->side ? 'R' : 'L', footstep->position.x, footstep->position.y, footstep->position.z,
            footstep->heading * 57.29578f, footstep->support, footstep->pitch, footstep->roll, truth.carried,
            truth.sunk);
    }
}
