// A scene opened towards the camera: what lies beyond both planes of an opening is left out. Where a closed
// body is cut, the camera sees the back of its far side. In the colour of a cut, and in no light, that looks
// the same as a cap over the cut. Backs are drawn slightly nearer, in front of bodies that touch them.
#include "render_data.h"

#define CORNERS_MOST 7     // four corners, one more for each of two cuts, and one that clip() may drop
#define BACK_NEARER 0.0002 // of a parallel camera [m]
#define BACK_SHARE 2e-5    // of the distance

bool tr_render_opening_is_finite(const tr_render_opening *opening) {
    return tr_vec3_is_finite(opening->wall) && tr_vec3_is_finite(opening->wall_normal) &&
           tr_vec3_is_finite(opening->floor) && tr_vec3_is_finite(opening->floor_normal);
}

static float beyond(tr_vec3 p, tr_vec3 place, tr_vec3 normal) {
    return tr_vec3_dot(tr_vec3_subtract(p, place), normal);
}

bool tr_render_opening_cuts(const tr_render_opening *opening, tr_box box) {
    // The corner furthest beyond each plane: a box that is beyond both may still not be cut, which does no
    // harm.
    const tr_vec3 *normals[2] = {&opening->wall_normal, &opening->floor_normal};
    const tr_vec3 *places[2] = {&opening->wall, &opening->floor};
    for (int i = 0; i < 2; i++) {
        tr_vec3 corner = {normals[i]->x > 0 ? box.max.x : box.min.x,
                          normals[i]->y > 0 ? box.max.y : box.min.y,
                          normals[i]->z > 0 ? box.max.z : box.min.z};
        if (beyond(corner, *places[i], *normals[i]) <= 0)
            return false;
    }
    return true;
}

// The part on one side of a plane: the inner (1) or the outer (-1). A cut is computed from its inner to its
// outer end, so that both sides and neighbours match. A convex piece gains one corner at most; one that
// rounding has made hollow loses what is more.
static int clip(const tr_vec3 *corners, int count, tr_vec3 place, tr_vec3 normal, int side, tr_vec3 *kept) {
    int kept_count = 0, most = count + 1;
    for (int i = 0; i < count && kept_count < most; i++) {
        tr_vec3 a = corners[i], b = corners[(i + 1) % count];
        float a_off = beyond(a, place, normal), b_off = beyond(b, place, normal);
        if ((a_off <= 0) == (side > 0))
            kept[kept_count++] = a;
        if ((a_off <= 0) == (b_off <= 0))
            continue;
        tr_vec3 in = a_off <= 0 ? a : b, out = a_off <= 0 ? b : a;
        float in_off = a_off <= 0 ? a_off : b_off, out_off = a_off <= 0 ? b_off : a_off;
        tr_vec3 way = tr_vec3_subtract(out, in);
        kept[kept_count++] = tr_vec3_add(in, tr_vec3_scale(way, in_off / (in_off - out_off)));
    }
    return kept_count < most ? kept_count : most;
}

static bool shows_its_back(const tr_render *render, const render_open *open, const tr_vec3 corner[3]) {
    const double *eye = render->camera.eye, *ahead = render->camera.axis[2];
    tr_vec3 normal =
        tr_vec3_cross(tr_vec3_subtract(corner[1], corner[0]), tr_vec3_subtract(corner[2], corner[0]));
    double ray[3] = {corner[0].x - eye[0], corner[0].y - eye[1], corner[0].z - eye[2]};
    const double *to = render->camera.is_parallel ? ahead : ray;
    return (normal.x * to[0] + normal.y * to[1] + normal.z * to[2]) * (double)open->outside > 0;
}

// Moves a back towards the eye, along the rays, so that it covers the same pixels.
static tr_vec3 nearer(const tr_render *render, tr_vec3 p) {
    const double *eye = render->camera.eye, *ahead = render->camera.axis[2];
    if (render->camera.is_parallel)
        return tr_vec3_make(p.x - (float)(BACK_NEARER * ahead[0]), p.y - (float)(BACK_NEARER * ahead[1]),
                            p.z - (float)(BACK_NEARER * ahead[2]));
    return tr_vec3_make(p.x + (float)(BACK_SHARE * (eye[0] - p.x)),
                        p.y + (float)(BACK_SHARE * (eye[1] - p.y)),
                        p.z + (float)(BACK_SHARE * (eye[2] - p.z)));
}

static void add_fan(tr_render *render, tr_vec3 *corners, int count, const float color[3],
                    render_material material) {
    for (int i = 0; material == RENDER_CUT && i < count; i++)
        corners[i] = nearer(render, corners[i]);
    for (int i = 2; i < count; i++) {
        const tr_vec3 face[3] = {corners[0], corners[i - 1], corners[i]};
        tr_render_face_add(render, face, NULL, color, material);
    }
}

void tr_render_open_add(tr_render *render, const render_open *open, const tr_vec3 *corners, int count,
                        const float color[3], render_material material) {
    const tr_render_opening *planes = open->planes;
    tr_vec3 behind[CORNERS_MOST], front[CORNERS_MOST], below[CORNERS_MOST];
    if (count < 3)
        return;
    if (open->outside != 0 && shows_its_back(render, open, corners)) {
        color = tr_render_cut_color;
        material = RENDER_CUT;
    }
    int behind_count = clip(corners, count, planes->wall, planes->wall_normal, 1, behind);
    int front_count = clip(corners, count, planes->wall, planes->wall_normal, -1, front);
    add_fan(render, behind, behind_count, color, material);
    if (front_count < 3)
        return;
    int below_count = clip(front, front_count, planes->floor, planes->floor_normal, 1, below);
    add_fan(render, below, below_count, color, material);
}
