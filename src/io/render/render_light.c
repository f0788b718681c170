// The colours of samples, four at a time: a sun with soft shadows, and light from the sky above and the
// ground below.
#include "render_data.h"

#define SIMD_LANES 4
#include "base/simd.h"

static const float sun_light[3] = {0.95f, 0.88f, 0.76f},
                   sun_towards[3] = {RENDER_SUN_X, RENDER_SUN_Y, RENDER_SUN_Z};
static const float sky_light[3] = {0.52f, 0.57f, 0.64f}, ground_light[3] = {0.36f, 0.33f, 0.29f};
#define LINE_WIDTH 0.02f // on floors [m]
#define LINE_DARKNESS 0.16f
#define CHECKER_DARKNESS 0.035f
#define SKY_OFF 0.12f    // distance from a surface at which the sky is looked up [m]
#define SKY_HIDDEN 0.85f // darkening where no sky is visible
#define FADE 2.2f        // how steeply the ground fades towards its rim

// Four samples: their positions and surfaces.
typedef struct light_lanes {
    simd_float place[3], ray[3], depth; // relative to the eye
    simd_float normal[3], color[3];
    simd_int is_cut, is_floor, is_ground;
    bool is_one;     // all of one triangle
    uint32_t smooth; // one bit for each sample with an interpolated normal
} light_lanes;

static simd_float lanes_dot(const simd_float a[3], const float b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static simd_float clamp_unit(simd_float v) {
    return simd_min(simd_max(v, simd_set(0)), simd_set(1));
}

static simd_float floor_of(simd_float v) {
    return __builtin_convertvector(simd_floor(v), simd_float);
}

static void find_places(const tr_render *render, const float x[4], const float y[4], const float nearness[4],
                        light_lanes *lanes) {
    const render_rays *rays = &render->rays;
    simd_float right = simd_load(x), down = simd_load(y), near = simd_load(nearness);
    lanes->depth = render->camera.is_parallel ? -near : 1 / near;
    for (int k = 0; k < 3; k++) {
        lanes->ray[k] = rays->direction[0][k] + rays->direction[1][k] * right + rays->direction[2][k] * down;
        simd_float origin = rays->origin[0][k] + rays->origin[1][k] * right + rays->origin[2][k] * down;
        lanes->place[k] = origin + lanes->ray[k] * lanes->depth;
    }
}

// Finds the surface of each sample. Mostly all four belong to one triangle.
static void find_surfaces(const tr_render *render, const uint32_t owner[4], light_lanes *lanes) {
    lanes->is_one = owner[0] == owner[1] && owner[0] == owner[2] && owner[0] == owner[3];
    lanes->smooth = 0;
    for (int i = 0; i < 4; i++) {
        const render_triangle *triangle = &render->triangles[owner[i]];
        const render_face *face = &render->faces[triangle->face];
        bool is_cut = face->material == RENDER_CUT;
        bool is_ground = face->material == RENDER_GROUND;
        bool is_floor = is_ground || face->material == RENDER_FLOOR;
        bool is_smooth = face->normals != TR_NONE;
        if (lanes->is_one) {
            for (int k = 0; k < 3; k++) {
                lanes->normal[k] = simd_set(triangle->normal[k]);
                lanes->color[k] = simd_set(face->color[k]);
            }
            lanes->is_cut = simd_set_int(-is_cut);
            lanes->is_floor = simd_set_int(-is_floor);
            lanes->is_ground = simd_set_int(-is_ground);
            lanes->smooth = is_smooth ? 15 : 0;
            return;
        }
        for (int k = 0; k < 3; k++) {
            lanes->normal[k][i] = triangle->normal[k];
            lanes->color[k][i] = face->color[k];
        }
        lanes->is_cut[i] = -is_cut;
        lanes->is_floor[i] = -is_floor;
        lanes->is_ground[i] = -is_ground;
        lanes->smooth |= (uint32_t)is_smooth << i;
    }
}

// Interpolates the normals of the corners with the barycentric coordinates of a place.
static tr_vec3 smooth_normal(const tr_render *render, const render_triangle *triangle, tr_vec3 place) {
    const render_face *face = &render->faces[triangle->face];
    const tr_vec3 *n = render->normals + 3 * (size_t)face->normals;
    tr_vec3 flat = {triangle->normal[0], triangle->normal[1], triangle->normal[2]};
    tr_vec3 first = {(float)(face->corner[0].x - render->camera.eye[0]),
                     (float)(face->corner[0].y - render->camera.eye[1]),
                     (float)(face->corner[0].z - render->camera.eye[2])};
    tr_vec3 off = tr_vec3_subtract(place, first), ab = tr_vec3_subtract(face->corner[1], face->corner[0]);
    tr_vec3 ac = tr_vec3_subtract(face->corner[2], face->corner[0]), across = tr_vec3_cross(ab, ac);
    float squared = tr_vec3_dot(across, across);
    float b = tr_vec3_dot(across, tr_vec3_cross(off, ac)), c = tr_vec3_dot(across, tr_vec3_cross(ab, off));
    b = b > 0 ? b < squared ? b / squared : 1 : 0;
    c = c > 0 ? c < squared ? c / squared : 1 : 0;
    tr_vec3 normal = tr_vec3_add(tr_vec3_scale(n[0], 1 - b - c),
                                 tr_vec3_add(tr_vec3_scale(n[1], b), tr_vec3_scale(n[2], c)));
    tr_vec3 sum = tr_vec3_add(n[0], tr_vec3_add(n[1], n[2]));
    float length = tr_vec3_length(normal), sign = tr_vec3_dot(sum, flat) < 0 ? -1 : 1;
    return length > 1e-6f ? tr_vec3_scale(normal, sign / length) : flat;
}

static void smooth_normals(const tr_render *render, const uint32_t owner[4], light_lanes *lanes) {
    for (int i = 0; i < 4; i++) {
        if (!(lanes->smooth >> i & 1))
            continue;
        tr_vec3 place = {lanes->place[0][i], lanes->place[1][i], lanes->place[2][i]};
        tr_vec3 normal = smooth_normal(render, &render->triangles[owner[i]], place);
        lanes->normal[0][i] = normal.x;
        lanes->normal[1][i] = normal.y;
        lanes->normal[2][i] = normal.z;
    }
}

// The part of [x - width / 2, x + width / 2] on lines of LINE_WIDTH at every metre.
static simd_float line_share(simd_float x, simd_float width, simd_float per_width) {
    simd_float area = simd_set(0);
    for (int side = -1; side <= 1; side += 2) {
        simd_float end = x + (float)side * 0.5f * width + LINE_WIDTH / 2, whole = floor_of(end);
        area += (float)side * (whole * LINE_WIDTH + simd_min(end - whole, simd_set(LINE_WIDTH)));
    }
    return clamp_unit(area * per_width);
}

// The mean over the same interval of a square wave that alternates between 1 and -1 every metre.
static simd_float wave_mean(simd_float x, simd_float width, simd_float per_width) {
    simd_float area = simd_set(0);
    for (int side = -1; side <= 1; side += 2) {
        simd_float end = x + (float)side * 0.5f * width, rest = end - 2 * floor_of(end * 0.5f);
        area += (float)side * simd_min(rest, 2 - rest);
    }
    return area * per_width;
}

// The extent of a pixel along x (0) or z (2) on level ground [m].
static simd_float pixel_reach(const tr_render *render, const light_lanes *lanes, simd_float per_fall,
                              int axis) {
    bool is_parallel = render->camera.is_parallel;
    const float(*step)[3] = is_parallel ? render->rays.origin : render->rays.direction;
    simd_float reach = simd_set(0), slope = lanes->ray[axis] * per_fall;
    for (int i = 1; i < 3; i++)
        reach += simd_abs(step[i][axis] - slope * step[i][1]);
    reach = is_parallel ? reach : reach * lanes->depth;
    // An extent of many squares shows their mean, and so does one that is NaN, at the horizon.
    return simd_max(simd_min(reach, simd_set(64)), simd_set(1e-4f));
}

// The part of the light that lines and squares leave.
static simd_float floor_pattern(const tr_render *render, const light_lanes *lanes) {
    simd_float on[2], wave[2], per_fall = 1 / lanes->ray[1];
    for (int i = 0; i < 2; i++) {
        simd_float width = pixel_reach(render, lanes, per_fall, 2 * i), per_width = 1 / width;
        simd_float at = lanes->place[2 * i] + (float)render->camera.eye[2 * i];
        on[i] = line_share(at, width, per_width);
        wave[i] = wave_mean(at, width, per_width);
    }
    simd_float square = 0.5f - 0.5f * wave[0] * wave[1];
    return (1 - LINE_DARKNESS * (on[0] + on[1] - on[0] * on[1])) * (1 - CHECKER_DARKNESS * square);
}

// 1 in the middle of the ground, 0 at its rim.
static simd_float ground_share(const tr_render *render, const light_lanes *lanes) {
    tr_box box = render->ground;
    float middle_x = (box.min.x + box.max.x) / 2, middle_z = (box.min.z + box.max.z) / 2;
    simd_float u = (lanes->place[0] + ((float)render->camera.eye[0] - middle_x)) / (box.max.x - middle_x);
    simd_float v = (lanes->place[2] + ((float)render->camera.eye[2] - middle_z)) / (box.max.z - middle_z);
    simd_float t = clamp_unit((1 - (u * u + v * v)) * FADE);
    return t * t * (3 - 2 * t);
}

static void paint_floor(const tr_render *render, const light_lanes *lanes, const float background[3],
                        simd_float light[3]) {
    simd_float pattern = simd_select(lanes->is_floor, floor_pattern(render, lanes), simd_set(1));
    simd_float share = simd_set(1);
    if (simd_bits(lanes->is_ground))
        share = simd_select(lanes->is_ground, ground_share(render, lanes), share);
    for (int k = 0; k < 3; k++)
        light[k] = background[k] + (light[k] * pattern - background[k]) * share;
}

// The part of the sunlight that reaches each sample, times the cosine.
static simd_float sun_share(const tr_render *render, const light_lanes *lanes) {
    simd_float facing = simd_max(lanes_dot(lanes->normal, sun_towards), simd_set(0));
    render_lanes own;
    for (int k = 0; k < 3; k++) {
        memcpy(own.place[k], &lanes->place[k], sizeof own.place[k]);
        memcpy(own.normal[k], &lanes->normal[k], sizeof own.normal[k]);
    }
    memcpy(own.facing, &facing, sizeof own.facing);
    float lit[4];
    tr_render_sunlight(&render->shadow, &own, lit);
    return facing * simd_load(lit);
}

// The part of the skylight that reaches each sample. It changes slowly: for four neighbours of one triangle
// two look-ups are enough.
static simd_float sky_share(const tr_render *render, const light_lanes *lanes, bool is_one) {
    if (render->sky.is_open)
        return simd_set(1);
    simd_float p[3], hidden;
    for (int k = 0; k < 3; k++)
        p[k] = lanes->place[k] + lanes->normal[k] * SKY_OFF;
    float at[4] = {0};
    for (int i = 0; i < 4; i += is_one ? 3 : 1) {
        const float place[3] = {p[0][i], p[1][i], p[2][i]};
        at[i] = tr_render_sky_hidden(&render->sky, place);
    }
    if (is_one) {
        at[1] = at[0] + (at[3] - at[0]) * (1 / 3.0f);
        at[2] = at[0] + (at[3] - at[0]) * (2 / 3.0f);
    }
    hidden = simd_load(at);
    return 1 - SKY_HIDDEN * hidden;
}

void tr_render_light(const tr_render *render, const float x[4], const float y[4], const float nearness[4],
                     const uint32_t owner[4], const float background[3], float light[3][4]) {
    light_lanes lanes;
    find_places(render, x, y, nearness, &lanes);
    find_surfaces(render, owner, &lanes);
    if (lanes.smooth)
        smooth_normals(render, owner, &lanes);
    simd_float sun = sun_share(render, &lanes), up = 0.5f + 0.5f * lanes.normal[1], sum[3];
    simd_float sky = sky_share(render, &lanes, lanes.is_one && x[3] - x[0] < 4);
    for (int k = 0; k < 3; k++)
        sum[k] = lanes.color[k] *
                 ((ground_light[k] + (sky_light[k] - ground_light[k]) * up) * sky + sun_light[k] * sun);
    if (simd_bits(lanes.is_floor))
        paint_floor(render, &lanes, background, sum);
    for (int k = 0; k < 3; k++) {
        sum[k] = simd_select(lanes.is_cut, lanes.color[k], sum[k]);
        memcpy(light[k], &sum[k], sizeof light[k]);
    }
}
