// Steps are measured on the ground: where it falls towards a step, the tops of cells say too little.
#include "surface_route_judge.h"

#define SIZE_X 6.0f
#define SIZE_Z 3.0f

// Two planes, each as height at x = 0, z = 0 and rises per metre, and a ledge between them at x = edge.
typedef struct ledge {
    double edge, low, low_x, low_z, high, high_x, high_z;
} ledge;

static double low_at(const ledge *l, double x, double z) {
    return l->low + l->low_x * x + l->low_z * z;
}

static double high_at(const ledge *l, double x, double z) {
    return l->high + l->high_x * (x - l->edge) + l->high_z * z;
}

static void add_quad(tr_scene *scene, const tr_vec3 corners[4]) {
    const uint32_t indices[6] = {0, 1, 2, 0, 2, 3};
    tr_mesh_def def = {.positions = corners, .position_count = 4, .indices = indices, .triangle_count = 2};
    uint32_t mesh = TR_NONE;
    CHECK_INT(tr_scene_add_mesh(scene, &def, &mesh, NULL), TR_OK);
    little_object(scene, mesh, tr_affine_identity(), 0);
}

// A sheet over x0 to x1 and the whole of z, at the heights of a plane.
static void add_sheet(tr_scene *scene, const ledge *l, double (*at)(const ledge *, double, double), double x0,
                      double x1) {
    tr_vec3 corners[4];
    for (int i = 0; i < 4; i++) {
        double x = i == 0 || i == 3 ? x0 : x1, z = i < 2 ? 0 : (double)SIZE_Z;
        corners[i] = tr_vec3_make((float)x, (float)at(l, x, z), (float)z);
    }
    add_quad(scene, corners);
}

static surface_route_world make_ledge(const ledge *l, float cell) {
    surface_route_world world = surface_route_world_begin();
    add_sheet(world.scene, l, low_at, 0, l->edge);
    add_sheet(world.scene, l, high_at, l->edge, (double)SIZE_X);
    tr_vec3 riser[4];
    for (int i = 0; i < 4; i++) {
        double z = i == 0 || i == 3 ? 0 : (double)SIZE_Z;
        riser[i] = tr_vec3_make((float)l->edge,
                                (float)(i < 2 ? low_at(l, l->edge, z) : high_at(l, l->edge, z)), (float)z);
    }
    add_quad(world.scene, riser);
    surface_route_world_build(&world, SIZE_X, SIZE_Z, cell);
    return world;
}

// How high the ledge is where the line crosses it. A leap from its upper side, which may begin in the cell of
// the ledge and before it, is as high as its feet are apart. NAN: it does not cross.
static double crossed(const ledge *l, double cell, const tr_surface_route_point *points, uint32_t count) {
    for (uint32_t i = 1; i < count; i++) {
        tr_vec3 a = points[i - 1].position, b = points[i].position, far = a.x > b.x ? a : b,
                near = a.x > b.x ? b : a;
        bool leaps = points[i].obstacle == TR_OBSTACLE_CROSS || points[i].obstacle == TR_OBSTACLE_STEP_OVER;
        if (leaps && (double)near.x < l->edge && (double)far.x > l->edge - cell)
            return high_at(l, fmax((double)far.x, l->edge), far.z) - low_at(l, near.x, near.z) -
                   cell / 2 * (fabs(l->low_x) + fabs(l->low_z)); // the foot is put down anywhere in its cell
    }
    for (uint32_t i = 1; i < count; i++) {
        tr_vec3 a = points[i - 1].position, b = points[i].position;
        if (((double)a.x < l->edge) == ((double)b.x < l->edge))
            continue;
        double share = (l->edge - a.x) / ((double)b.x - a.x), z = a.z + share * ((double)b.z - a.z);
        return high_at(l, l->edge, z) - low_at(l, l->edge, z);
    }
    return NAN;
}

static tr_status go(const surface_route_world *world, tr_ground_body person, tr_surface_route_method method,
                    tr_vec3 from, tr_vec3 to, tr_surface_route_point *points, uint32_t most,
                    uint32_t *count) {
    tr_surface_route *route = surface_route_world_route(world, person, 4);
    tr_surface_route_params params = tr_surface_route_params_default();
    params.method = method;
    *count = 0;
    tr_status status = tr_surface_route_find(route, &params, from, &to, 1, NULL);
    if (status == TR_OK)
        CHECK_INT(tr_surface_route_straighten(route, from, to, points, most, count, NULL), TR_OK);
    tr_surface_route_destroy(route);
    return status;
}

// A slope of up to 35 degrees.
static double random_slope(tr_random *random) {
    return tr_random_below(random, 3) == 0 ? 0 : (double)tr_random_between(random, -0.7f, 0.7f);
}

TEST(no_step_is_higher_than_the_foot_rises_on_the_ground_itself) {
    uint32_t found = 0, refused = 0, sure = 0, beyond = 0;
    for (uint32_t seed = 0; seed < 2000; seed++) {
        tr_random random = tr_random_seed(seed);
        double cell = (double)(float[]){0.1f, 0.15f, 0.2f, 0.25f}[tr_random_below(&random, 4)];
        ledge l = {.edge = (double)tr_random_between(&random, 2, 4),
                   .low_x = random_slope(&random),
                   .low_z = random_slope(&random),
                   .high_x = random_slope(&random),
                   .high_z = random_slope(&random)};
        double step = (double)tr_random_between(&random, 0.3f, 0.55f), middle = (double)SIZE_Z / 2;
        l.low = 1.5 - l.low_x * l.edge - l.low_z * middle;
        l.high = low_at(&l, l.edge, middle) + step - l.high_z * middle;
        surface_route_world world = make_ledge(&l, (float)cell);
        tr_ground_body person = tr_surface_route_body_of_height(1.8f);
        tr_surface_route_point points[256];
        uint32_t count;
        tr_vec3 ends[2] = {tr_vec3_make(0.8f, 6, 1.5f), tr_vec3_make(5.2f, 6, 1.5f)};
        bool down = tr_random_below(&random, 2);
        tr_status status = go(&world, person, seed & 1 ? TR_SURFACE_ROUTE_ASTAR : TR_SURFACE_ROUTE_EFFORT,
                              ends[down], ends[!down], points, 256, &count);
        double true_step = status == TR_OK ? crossed(&l, cell, points, count) : NAN;
        // Where tops differ by no more than ground may rise over a cell, a step is taken for a slope.
        bool is_step = step > 0.1 + 2 * cell;
        if (status == TR_OK && is_step) {
            CHECK(true_step <= (double)person.foot_rise + 0.003);
            found++;
        }
        // What is lower than that everywhere, with room for what tops add to it, is not refused.
        double most = fmax(high_at(&l, l.edge, 0) - low_at(&l, l.edge, 0),
                           high_at(&l, l.edge, (double)SIZE_Z) - low_at(&l, l.edge, (double)SIZE_Z)),
               room = 4 * cell * (fabs(l.low_x) + fabs(l.low_z) + fabs(l.high_x) + fabs(l.high_z));
        if (most + room < (double)person.foot_rise - 0.003) {
            CHECK_INT(status, TR_OK);
            sure++;
        }
        beyond += step > (double)person.foot_rise + 0.003;
        refused += status == TR_NOT_FOUND;
        surface_route_world_end(&world);
    }
    CHECK(found > 500 && refused > 200 && sure > 30 && beyond > 500);
}

TEST(steps_between_level_floors_are_as_high_as_they_are) {
    for (int i = 0; i < 2; i++) {
        ledge l = {.edge = 3.1, .high = i ? 0.451 : 0.45};
        surface_route_world world = make_ledge(&l, 0.2f);
        tr_surface_route_point points[64];
        uint32_t count;
        CHECK_INT(go(&world, tr_surface_route_body_of_height(1.8f), TR_SURFACE_ROUTE_EFFORT,
                     tr_vec3_make(1, 1, 1.5f), tr_vec3_make(5, 1, 1.5f), points, 64, &count),
                  i ? TR_NOT_FOUND : TR_OK);
        surface_route_world_end(&world);
    }
}

// 40 degrees, up, down, into a valley and over a ridge, from coarse cells to fine ones.
TEST(ramps_are_walked_as_steep_as_slopes_may_be) {
    const double slope = 0.8391; // per metre
    const double slopes[4][2] = {{slope, slope}, {-slope, -slope}, {-slope, slope}, {slope, -slope}};
    const float cells[4] = {0.05f, 0.1f, 0.2f, 0.3f};
    for (uint32_t i = 0; i < 64; i++) {
        const double *both = slopes[i / 4 % 4];
        ledge l = {.edge = 2.9 + 0.03 * (i / 16), .low_x = both[0], .high_x = both[1]};
        l.low = 1 - fmin(0, l.low_x * l.edge);
        l.high = low_at(&l, l.edge, 0);
        l.low -= l.high > 2 ? 1.5 : 0;
        l.high = low_at(&l, l.edge, 0);
        surface_route_world world = make_ledge(&l, cells[i % 4]);
        tr_surface_route_point points[256];
        uint32_t count;
        CHECK_INT(go(&world, tr_surface_route_body_of_height(1.8f), TR_SURFACE_ROUTE_EFFORT,
                     tr_vec3_make(0.8f, 6, 1.5f), tr_vec3_make(5.2f, 6, 1.5f), points, 256, &count),
                  TR_OK);
        surface_route_world_end(&world);
    }
}
