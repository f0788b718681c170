// A camera that follows one actor. It looks at the smoothed path of the actor's disc, so that it does not
// bounce with the hips, and turns slowly with the direction of travel.
#include "film_set.h"
#include "troupe/base/scalar.h"

#include <math.h>

#define PLACE_SIGMA 0.25      // smoothing of the path [s]: shorter than a stop, longer than half a step
#define TURN_SIGMA 1.0        // smoothing of the direction [s]
#define TRAVEL 0.5            // the direction of travel is that from this long before to this long after [s]
#define TRAVEL_LEAST 0.2f     // an actor that moves by less meanwhile keeps its direction [m]
#define SLOPE_TIME 0.3        // the floor slopes as from this long before to this long after [s]
#define SIGMAS 3              // reach of a kernel in sigmas
#define FIELD_OF_VIEW 0.35f   // narrow, so that near and far leg have nearly the same size [rad]
#define ELEVATION 0.22f       // enough to see where feet stand on the ground [rad]
#define BODY_SHARE (2 / 3.0f) // of the height of the picture
#define WIDTH_LEAST 1.0f   // of what a picture shows, relative to the actor's height: a stride and some room
#define LENGTH_ROOM 1.15f  // a body that is longer than high is seen from nose to tail
#define CUT_HEIGHT 1.2f    // of walls behind the actor, above its floor [m]
#define STUMPS 0.08f       // what is left of walls in front of it: little of the feet is hidden [m]
#define STUMPS_AHEAD 0.14f // the same if the camera is ahead or behind: the edges of stairs are left whole
#define OPEN_FROM 0.16f    // in front of the middle of the actor, relative to its height: about its disc
#define TRIALS_MOST 24     // moments at which the view from both sides is compared
#define TRIAL_STEP 0.25    // [s]

static uint32_t clamp_index(int64_t index, uint32_t count) {
    return index < 0 ? 0 : index >= count ? count - 1 : (uint32_t)index;
}

// A Gaussian kernel of 2 * reach + 1 weights.
typedef struct track_kernel {
    double *shares;
    int64_t reach;
} track_kernel;

static size_t kernel_size(const track_kernel *kernel) {
    return 2 * (size_t)kernel->reach + 1;
}

// false: no memory. `sigma` is in samples.
static bool kernel_make(film_set *set, double sigma, track_kernel *kernel) {
    kernel->reach = (int64_t)(SIGMAS * sigma) + 1;
    kernel->shares = tr_allocate(&set->allocator, kernel_size(kernel), sizeof *kernel->shares);
    double total = 0;
    for (int64_t i = -kernel->reach; kernel->shares && i <= kernel->reach; i++)
        total += kernel->shares[i + kernel->reach] = exp(-0.5 * (double)(i * i) / (sigma * sigma));
    for (size_t i = 0; kernel->shares && i < kernel_size(kernel); i++)
        kernel->shares[i] /= total;
    return kernel->shares != NULL;
}

// At the ends the first and the last place are repeated.
static bool smooth_places(film_set *set, const tr_vec3 *in, tr_vec3 *out, uint32_t count, double sigma) {
    track_kernel kernel;
    if (!kernel_make(set, sigma, &kernel))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        double sum[3] = {0};
        for (int64_t off = -kernel.reach; off <= kernel.reach; off++) {
            tr_vec3 p = in[clamp_index((int64_t)i + off, count)];
            double share = kernel.shares[off + kernel.reach];
            sum[0] += share * (double)p.x;
            sum[1] += share * (double)p.y;
            sum[2] += share * (double)p.z;
        }
        out[i] = tr_vec3_make((float)sum[0], (float)sum[1], (float)sum[2]);
    }
    tr_release(&set->allocator, kernel.shares, kernel_size(&kernel), sizeof *kernel.shares);
    return true;
}

static bool smooth_angles(film_set *set, const float *in, float *out, uint32_t count, double sigma) {
    track_kernel kernel;
    if (!kernel_make(set, sigma, &kernel))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        double sum = 0;
        for (int64_t off = -kernel.reach; off <= kernel.reach; off++)
            sum += kernel.shares[off + kernel.reach] * (double)in[clamp_index((int64_t)i + off, count)];
        out[i] = (float)sum;
    }
    tr_release(&set->allocator, kernel.shares, kernel_size(&kernel), sizeof *kernel.shares);
    return true;
}

static tr_vec3 place_at(const film_track *track, double time) {
    double at = fmin(fmax(time * track->rate, 0), (double)(track->count - 1));
    uint32_t i = (uint32_t)at;
    tr_vec3 a = track->places[i], b = track->places[clamp_index((int64_t)i + 1, track->count)];
    return tr_vec3_add(a, tr_vec3_scale(tr_vec3_subtract(b, a), (float)(at - i)));
}

static float direction_at(const film_track *track, double time) {
    double at = fmin(fmax(time * track->rate, 0), (double)(track->count - 1));
    uint32_t i = (uint32_t)at;
    float a = track->directions[i], b = track->directions[clamp_index((int64_t)i + 1, track->count)];
    return a + (b - a) * (float)(at - i);
}

// The level way of the actor around a time.
static tr_vec3 travel_at(const film_track *track, double time, double reach) {
    return tr_vec3_subtract(place_at(track, time + reach), place_at(track, time - reach));
}

// The directions of travel. While the actor stands, the last one counts; before it starts, the first one.
static void find_directions(const film_follow *follow, const film_track *track, float *directions) {
    // From the side nothing changes if somebody turns back: the camera need not go round.
    float period = (float)(follow->view == FILM_VIEW_SIDE ? TR_PI : 2 * TR_PI), last = follow->heading;
    bool is_found = false;
    for (uint32_t i = 0; i < track->count; i++) {
        tr_vec3 way = travel_at(track, i / track->rate, TRAVEL);
        if (way.x * way.x + way.z * way.z >= TRAVEL_LEAST * TRAVEL_LEAST) {
            float angle = atan2f(way.x, way.z);
            last = is_found ? angle + period * roundf((last - angle) / period) : angle;
            for (uint32_t k = 0; !is_found && k < i; k++)
                directions[k] = last;
            is_found = true;
        }
        directions[i] = last;
    }
}

static tr_status make_track(film_set *set, tr_error *error) {
    const film_follow *follow = set->def->follow;
    film_track *track = &set->track;
    track->count = follow->count;
    track->rate = follow->rate;
    float *raw = tr_allocate(&set->allocator, follow->count, sizeof *raw);
    track->places = tr_allocate(&set->allocator, follow->count, sizeof *track->places);
    track->directions = tr_allocate(&set->allocator, follow->count, sizeof *track->directions);
    bool enough = raw && track->places && track->directions;
    enough =
        enough && smooth_places(set, follow->path, track->places, follow->count, PLACE_SIGMA * follow->rate);
    if (enough)
        find_directions(follow, track, raw);
    enough = enough && smooth_angles(set, raw, track->directions, follow->count, TURN_SIGMA * follow->rate);
    tr_release(&set->allocator, raw, follow->count, sizeof *raw);
    return enough ? TR_OK : tr_fail(error, TR_OUT_OF_MEMORY, "no memory for the way of the camera");
}

static tr_vec3 towards(float direction) {
    return tr_vec3_make(sinf(direction), 0, cosf(direction));
}

// Does a line meet a triangle?
static bool meets(tr_vec3 from, tr_vec3 way, const tr_vec3 corner[3]) {
    tr_vec3 ab = tr_vec3_subtract(corner[1], corner[0]), ac = tr_vec3_subtract(corner[2], corner[0]);
    tr_vec3 off = tr_vec3_subtract(from, corner[0]), p = tr_vec3_cross(way, ac), q = tr_vec3_cross(off, ab);
    float volume = tr_vec3_dot(ab, p);
    if (volume == 0)
        return false;
    float u = tr_vec3_dot(off, p) / volume, v = tr_vec3_dot(way, q) / volume;
    float t = tr_vec3_dot(ac, q) / volume;
    return u >= 0 && v >= 0 && u + v <= 1 && t >= 0 && t <= 1;
}

static bool overlaps(tr_box a, tr_box b) {
    return a.min.x <= b.max.x && b.min.x <= a.max.x && a.min.y <= b.max.y && b.min.y <= a.max.y &&
           a.min.z <= b.max.z && b.min.z <= a.max.z;
}

static bool is_hidden(const tr_scene *scene, tr_vec3 from, tr_vec3 to) {
    tr_box line = tr_box_include(tr_box_include(tr_box_empty(), from), to);
    for (uint32_t i = 0; i < tr_scene_object_count(scene); i++) {
        tr_object_view object = tr_scene_object(scene, i);
        if (object.removed || object.mesh == TR_NONE || !overlaps(object.bounds, line))
            continue;
        tr_mesh_view mesh = tr_scene_mesh(scene, object.mesh);
        for (uint32_t k = 0; k < mesh.triangle_count; k++) {
            tr_vec3 corner[3];
            for (int c = 0; c < 3; c++)
                corner[c] =
                    tr_affine_apply(&object.placement, mesh.positions[mesh.indices[3 * (size_t)k + c]]);
            if (meets(from, tr_vec3_subtract(to, from), corner))
                return true;
        }
    }
    return false;
}

static float view_angle(film_view view) {
    switch (view) {
    case FILM_VIEW_SIDE:
        return (float)(TR_PI / 2);
    case FILM_VIEW_THREE_QUARTER:
        return (float)(TR_PI / 4);
    case FILM_VIEW_BACK:
        return (float)TR_PI;
    case FILM_VIEW_FRONT:
        break;
    }
    return 0;
}

static void turn_all(film_track *track, float angle) {
    for (uint32_t i = 0; i < track->count; i++)
        track->directions[i] += angle;
}

// At how many moments a knee is hidden by the scene.
static uint32_t count_hidden(film_set *set) {
    double length = set->end - set->begin;
    uint32_t count =
        length / TRIAL_STEP + 1 < TRIALS_MOST ? (uint32_t)(length / TRIAL_STEP) + 1 : TRIALS_MOST;
    uint32_t hidden = 0;
    for (uint32_t i = 0; i < count; i++) {
        double time = set->begin + (count > 1 ? length * i / (count - 1) : 0);
        tr_scene_set_time(set->def->scene, time);
        tr_vec3 knee = place_at(&set->track, time);
        knee.y += 0.27f * set->def->follow->height;
        hidden += is_hidden(set->def->scene, knee, film_follow_camera(set, time).eye);
    }
    return hidden;
}

// How much of the front of what the camera sees is in the light of the renderer's sun, which is at -X, +Z.
static float lit_share(const film_set *set) {
    const tr_vec3 sun = {-0.86f, 0, 0.51f};
    return tr_vec3_dot(sun, towards(direction_at(&set->track, (set->begin + set->end) / 2)));
}

// From both sides a gait looks the same: the camera takes the side from which less is hidden, or else the
// sunny one.
static void choose_side(film_set *set) {
    float angle = view_angle(set->def->follow->view);
    bool has_sides =
        set->def->follow->view == FILM_VIEW_SIDE || set->def->follow->view == FILM_VIEW_THREE_QUARTER;
    turn_all(&set->track, angle);
    if (!has_sides)
        return;
    uint32_t hidden = set->def->scene ? count_hidden(set) : 0;
    float lit = lit_share(set);
    turn_all(&set->track, -2 * angle);
    uint32_t other = set->def->scene ? count_hidden(set) : 0;
    if (hidden < other || (hidden == other && lit > lit_share(set)))
        turn_all(&set->track, 2 * angle);
}

tr_status film_follow_open(film_set *set, tr_error *error) {
    const film_follow *follow = set->def->follow;
    if (!follow)
        return TR_OK;
    if (follow->actor >= set->def->actor_count)
        return tr_fail(error, TR_INVALID, "a camera cannot follow actor %u of %u", follow->actor,
                       set->def->actor_count);
    if (follow->count == 0 || !follow->path || !(follow->rate > 0) || !(follow->height > 0) ||
        !isfinite(follow->heading))
        return tr_fail(error, TR_INVALID, "a camera cannot follow %u places, %g a second, of a body of %g m",
                       follow->count, follow->rate, follow->height);
    tr_status status = make_track(set, error);
    if (status == TR_OK)
        choose_side(set);
    return status;
}

void film_follow_close(film_set *set) {
    film_track *track = &set->track;
    tr_release(&set->allocator, track->places, track->count, sizeof *track->places);
    tr_release(&set->allocator, track->directions, track->count, sizeof *track->directions);
}

tr_camera film_follow_camera(const film_set *set, double time) {
    float body = set->def->follow->height, seen = body / BODY_SHARE;
    float aspect = set->picture.height > 0 ? (float)set->picture.width / (float)set->picture.height : 1;
    float longest = set->def->follow->length * LENGTH_ROOM, wide = WIDTH_LEAST * body;
    wide = longest > wide ? longest : wide;
    seen = seen * aspect < wide ? wide / aspect : seen;
    float distance = seen / 2 / tanf(FIELD_OF_VIEW / 2);
    tr_vec3 target = place_at(&set->track, time), back = towards(direction_at(&set->track, time));
    target.y += body / 2;
    tr_vec3 eye = tr_vec3_add(target, tr_vec3_scale(back, distance * cosf(ELEVATION)));
    eye.y += distance * sinf(ELEVATION);
    return (tr_camera){.eye = eye, .target = target, .field_of_view = FIELD_OF_VIEW};
}

float film_follow_cut(const film_set *set, double time, tr_render_opening *opening) {
    tr_vec3 place = place_at(&set->track, time), back = towards(direction_at(&set->track, time));
    opening->wall = tr_vec3_add(place, tr_vec3_scale(back, OPEN_FROM * set->def->follow->height));
    opening->wall_normal = back;
    // The slope fades out as the actor slows down.
    tr_vec3 way = travel_at(&set->track, time, SLOPE_TIME);
    float slope = way.y / (way.x * way.x + way.z * way.z + 0.01f);
    bool is_beside = set->def->follow->view == FILM_VIEW_SIDE;
    opening->floor = tr_vec3_add(place, tr_vec3_make(0, is_beside ? STUMPS : STUMPS_AHEAD, 0));
    opening->floor_normal = tr_vec3_make(-slope * way.x, 1, -slope * way.z);
    return place.y + (set->def->cut_height > 0 ? set->def->cut_height : CUT_HEIGHT);
}
