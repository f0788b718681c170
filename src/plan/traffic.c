#include "traffic_data.h"
#include "traffic_search.h"

#define SAMPLE_STEP 0.05       // between two looks at an object's trajectory [s]
#define SAMPLES_MAX (1u << 16) // of one object
#define TIME_MAX 1e9           // [s]: doubles tell microseconds apart up to here

tr_status tr_traffic_create(const tr_allocator *allocator, tr_traffic **traffic, tr_error *error) {
    *traffic = NULL;
    tr_allocator own = tr_allocator_or_default(allocator);
    tr_traffic *made = tr_allocate_zero(&own, 1, sizeof *made);
    if (!made)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for traffic");
    made->allocator = own;
    made->slot_first = INT64_MAX;
    made->slot_last = INT64_MIN;
    *traffic = made;
    return TR_OK;
}

void tr_traffic_destroy(tr_traffic *traffic) {
    if (!traffic)
        return;
    tr_allocator memory = traffic->allocator;
    tr_traffic_search_release(traffic);
    tr_release(&memory, traffic->pieces, traffic->piece_max, sizeof *traffic->pieces);
    tr_release(&memory, traffic->heads, traffic->head_count, sizeof *traffic->heads);
    tr_release(&memory, traffic->entries, traffic->entry_max, sizeof *traffic->entries);
    tr_release(&memory, traffic->stamps, traffic->stamp_max, sizeof *traffic->stamps);
    tr_release(&memory, traffic->contacts, traffic->contact_max, sizeof *traffic->contacts);
    tr_release(&memory, traffic, 1, sizeof *traffic);
}

void tr_traffic_clear(tr_traffic *traffic) {
    traffic->track_count = traffic->piece_count = traffic->entry_count = 0;
    for (uint32_t i = 0; i < traffic->head_count; i++)
        traffic->heads[i] = TR_NONE;
    traffic->slot_first = INT64_MAX;
    traffic->slot_last = INT64_MIN;
}

uint32_t tr_traffic_count(const tr_traffic *traffic) {
    return traffic->track_count;
}

static bool is_within(tr_vec3 p) {
    return p.x >= -TR_SCENE_EXTENT_MAX && p.x <= TR_SCENE_EXTENT_MAX && p.y >= -TR_SCENE_EXTENT_MAX &&
           p.y <= TR_SCENE_EXTENT_MAX && p.z >= -TR_SCENE_EXTENT_MAX && p.z <= TR_SCENE_EXTENT_MAX;
}

static tr_status check_track(const tr_traffic_track *track, tr_error *error) {
    if (track->point_count == 0)
        return tr_fail(error, TR_INVALID, "a track needs at least one point");
    if (!(track->radius >= 0 && track->radius <= TR_SCENE_EXTENT_MAX))
        return tr_fail(error, TR_INVALID, "the radius of a track is %g, it must be 0 to %g m", track->radius,
                       TR_SCENE_EXTENT_MAX);
    if (!(track->height >= 0 && track->height <= TR_SCENE_EXTENT_MAX))
        return tr_fail(error, TR_INVALID, "the height of a track is %g, it must be 0 to %g m", track->height,
                       TR_SCENE_EXTENT_MAX);
    for (uint32_t i = 0; i < track->point_count; i++) {
        const tr_traffic_point *point = track->points + i;
        if (!(point->time >= -TIME_MAX && point->time <= TIME_MAX))
            return tr_fail(error, TR_INVALID, "point %u of a track is at %g s, it must be within %g", i,
                           point->time, TIME_MAX);
        if (i > 0 && !(point->time > track->points[i - 1].time))
            return tr_fail(error, TR_INVALID,
                           "point %u of a track is at %g s, not after the one before at %g s", i, point->time,
                           track->points[i - 1].time);
        if (!is_within(point->position))
            return tr_fail(error, TR_INVALID,
                           "point %u of a track is at (%g, %g, %g), it must be within %g m", i,
                           point->position.x, point->position.y, point->position.z, TR_SCENE_EXTENT_MAX);
    }
    return TR_OK;
}

static void put_piece(tr_traffic *traffic, const tr_traffic_track *track, tr_traffic_point from,
                      tr_traffic_point to) {
    traffic_piece piece = {from.time,     to.time,       from.position,       to.position,
                           track->radius, track->height, traffic->track_count};
    traffic->pieces[traffic->piece_count++] = piece;
}

static bool reserve_pieces(tr_traffic *traffic, uint64_t count) {
    const tr_allocator *memory = &traffic->allocator;
    uint32_t stamps = traffic->stamp_max;
    bool enough =
        tr_reserve(memory, (void **)&traffic->pieces, &traffic->piece_max, count, sizeof *traffic->pieces) &&
        tr_reserve(memory, (void **)&traffic->stamps, &traffic->stamp_max, count, sizeof *traffic->stamps) &&
        tr_reserve(memory, (void **)&traffic->contacts, &traffic->contact_max, count,
                   sizeof *traffic->contacts);
    for (uint32_t i = stamps; i < traffic->stamp_max; i++)
        traffic->stamps[i] = 0;
    return enough;
}

tr_status tr_traffic_add(tr_traffic *traffic, const tr_traffic_track *track, tr_error *error) {
    tr_status status = check_track(track, error);
    if (status != TR_OK)
        return status;
    uint32_t first = traffic->piece_count, last = track->point_count - 1;
    if (!reserve_pieces(traffic, (uint64_t)first + track->point_count + 1))
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for a track of %u points", track->point_count);
    tr_traffic_point before = track->points[0], after = track->points[last];
    before.time = -INFINITY;
    after.time = INFINITY;
    put_piece(traffic, track, before, track->points[0]);
    for (uint32_t i = 0; i < last; i++)
        put_piece(traffic, track, track->points[i], track->points[i + 1]);
    if (track->stays)
        put_piece(traffic, track, track->points[last], after);
    if (!tr_traffic_list(traffic, first)) {
        traffic->piece_count = first;
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for a track of %u points", track->point_count);
    }
    traffic->track_count++;
    return TR_OK;
}

// The cylinder around a box that is turned: its lower end, and how far it reaches.
typedef struct cylinder {
    tr_vec3 position;
    float radius, height;
} cylinder;

static cylinder cylinder_around(const tr_affine *placement, tr_box box) {
    tr_vec3 middle =
        tr_affine_apply(placement, tr_vec3_make((box.min.x + box.max.x) / 2, (box.min.y + box.max.y) / 2,
                                                (box.min.z + box.max.z) / 2));
    double reach = 0, low = middle.y, high = middle.y;
    for (int i = 0; i < 8; i++) {
        tr_vec3 corner = tr_affine_apply(placement, tr_vec3_make(i & 1 ? box.max.x : box.min.x,
                                                                 i & 2 ? box.max.y : box.min.y,
                                                                 i & 4 ? box.max.z : box.min.z));
        double dx = (double)corner.x - middle.x, dz = (double)corner.z - middle.z;
        double away = sqrt(dx * dx + dz * dz);
        reach = away > reach ? away : reach;
        low = corner.y < low ? corner.y : low;
        high = corner.y > high ? corner.y : high;
    }
    cylinder c = {tr_vec3_make(middle.x, (float)low, middle.z), (float)reach, (float)(high - low)};
    return c;
}

static cylinder cylinder_at(const tr_trajectory *trajectory, tr_box box, double time) {
    tr_affine placement = tr_affine_from_transform(tr_trajectory_sample(trajectory, time));
    return cylinder_around(&placement, box);
}

static float distance(tr_vec3 a, tr_vec3 b) {
    return tr_vec3_length(tr_vec3_subtract(a, b));
}

// Between two samples the cylinder goes straight on; by what the object leaves that line it is widened.
static void widen(tr_traffic_track *track, const cylinder *a, const cylinder *middle, const cylinder *b) {
    tr_vec3 straight = tr_vec3_scale(tr_vec3_add(a->position, b->position), 0.5f);
    float off = distance(straight, middle->position);
    float radius = a->radius > middle->radius ? a->radius : middle->radius;
    float height = a->height > middle->height ? a->height : middle->height;
    radius = (b->radius > radius ? b->radius : radius) + off;
    height = (b->height > height ? b->height : height) + off;
    track->radius = radius > track->radius ? radius : track->radius;
    track->height = height > track->height ? height : track->height;
}

static uint32_t sample(tr_traffic_track *track, tr_traffic_point *points, const tr_trajectory *trajectory,
                       tr_box box, double begin, double end, uint32_t steps) {
    uint32_t count = 0;
    cylinder before = cylinder_at(trajectory, box, begin);
    track->radius = before.radius;
    track->height = before.height;
    points[count++] = (tr_traffic_point){begin, before.position};
    for (uint32_t i = 1; i <= steps; i++) {
        double from = begin + (end - begin) * ((double)(i - 1) / steps),
               to = i < steps ? begin + (end - begin) * ((double)i / steps) : end;
        cylinder middle = cylinder_at(trajectory, box, from + (to - from) / 2),
                 here = cylinder_at(trajectory, box, to);
        widen(track, &before, &middle, &here);
        // While it stands, the last of two equal points moves on in time.
        bool stands = count > 1 && distance(points[count - 1].position, here.position) == 0 &&
                      distance(points[count - 2].position, here.position) == 0;
        count -= stands;
        points[count++] = (tr_traffic_point){to, here.position};
        before = here;
    }
    return count;
}

tr_status tr_traffic_add_object(tr_traffic *traffic, const tr_scene *scene, uint32_t object, double begin,
                                double end, tr_error *error) {
    tr_object_view view = tr_scene_object(scene, object);
    if (view.removed)
        return tr_fail(error, TR_INVALID, "there is no object %u", object);
    if (tr_box_is_empty(view.bounds))
        return tr_fail(error, TR_INVALID, "object %u is empty", object);
    if (!(begin >= -TIME_MAX && end <= TIME_MAX && end >= begin))
        return tr_fail(error, TR_INVALID, "object %u from %g to %g s: the times must rise and be within %g",
                       object, begin, end, TIME_MAX);
    const tr_trajectory *trajectory = tr_scene_trajectory(scene, object);
    tr_traffic_track track = {.stays = true};
    if (!trajectory || view.mesh == TR_NONE) {
        tr_affine as_it_is = tr_affine_identity();
        cylinder c = cylinder_around(&as_it_is, view.bounds);
        tr_traffic_point point = {begin, c.position};
        track.points = &point;
        track.point_count = 1;
        track.radius = c.radius;
        track.height = c.height;
        return tr_traffic_add(traffic, &track, error);
    }
    double steps = end > begin ? floor((end - begin) / SAMPLE_STEP) + 1 : 0;
    if (steps >= SAMPLES_MAX)
        return tr_fail(error, TR_LIMIT, "object %u over %g s takes %.0f samples, the most is %u", object,
                       end - begin, steps + 1, SAMPLES_MAX);
    uint32_t room = (uint32_t)steps + 1;
    tr_traffic_point *points = tr_allocate(&traffic->allocator, room, sizeof *points);
    if (!points)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for %u samples of object %u", room, object);
    track.points = points;
    track.point_count = sample(&track, points, trajectory, tr_scene_mesh(scene, view.mesh).bounds, begin, end,
                               (uint32_t)steps);
    tr_status status = tr_traffic_add(traffic, &track, error);
    tr_release(&traffic->allocator, points, room, sizeof *points);
    return status;
}
