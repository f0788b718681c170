// The motion over the ground of a clip that walks on the spot, from its feet: those that carry the body move
// backwards as fast as it should go forwards.
#include "troupe/motion/clip_edit.h"
#include "clip_edit_parts.h"
#include "motion/foot/foot.h"

#define LOW_SHARE 0.022f  // of the body height: a point this close to its lowest level carries the body
#define STILL_SHARE 0.05  // of the body height, per second: feet that move slower than this stand
#define STEADY_SHARE 0.25 // of the velocities are near the mean of them, or the feet have none in common
#define SAME_SHARE 0.02   // of the body height: joints of the first and last frame of a loop are this close
#define LONGER 1.5f       // the way from the last frame to the first, as a multiple of that between frames
#define WINDOW 0.025      // speeds are measured over this time before and after [s]
#define REFINEMENTS 4
#define BACKWARDS 0.35   // a point in contact goes backwards at this share of the speed at least
#define GAP 0.1          // a foot that leaves the ground for less than this [s] stays on it
#define KEEP 1.5f        // and is lower than this multiple of what carries the body
#define SPREAD_SHARE 0.3 // refined with points whose speed is within this share of the estimate

enum { HEEL, BALL, TIP, FOOT_POINTS, POINTS = 2 * FOOT_POINTS };

typedef struct travel_search {
    const tr_skeleton *skeleton;
    const tr_clip *clip;
    tr_allocator allocator;
    uint32_t frame_count; // of one round
    bool loops;
    tr_foot feet[2];
    tr_vec3 *places;    // [point][frame], in the world of the clip
    tr_base *hips;      // of each frame
    tr_base closing;    // of the frame that closes the loop
    double height;      // of the body [m]
    uint32_t stride;    // of `places`: frames of the whole clip
    double velocity[2]; // that the clip lacks: x, z [m/s]
    float levels[2];    // of the feet [m]
    uint8_t *labels;    // of each frame
} travel_search;

static tr_vec3 place_of(const travel_search *search, uint32_t point, uint32_t frame) {
    return search->places[(size_t)point * search->stride + frame];
}

static tr_status find_places(travel_search *search, tr_error *error) {
    uint32_t joints = tr_skeleton_joint_count(search->skeleton);
    uint32_t hips = tr_clip_edit_hips(search->skeleton);
    tr_pose pose = {.joint_count = 0};
    tr_affine *model = tr_allocate(&search->allocator, joints, sizeof *model);
    tr_status status = tr_pose_create(&search->allocator, joints, &pose, error);
    if (status == TR_OK && !model)
        status = tr_clip_edit_no_memory(error, search->clip);
    for (uint32_t frame = 0; frame < search->frame_count && status == TR_OK; frame++) {
        tr_clip_edit_world_frame(search->skeleton, search->clip, frame, &pose);
        tr_pose_to_model(search->skeleton, &pose, NULL, model);
        search->hips[frame] = tr_clip_edit_hips_base(search->skeleton, hips, model);
        for (uint32_t point = 0; point < POINTS; point++) {
            const tr_foot *foot = &search->feet[point / FOOT_POINTS];
            uint32_t kind = point % FOOT_POINTS;
            search->places[(size_t)point * search->stride + frame] = kind == HEEL ? tr_foot_heel(foot, model)
                                                                     : kind == BALL && foot->toes != TR_NONE
                                                                         ? tr_foot_ball(foot, model)
                                                                         : tr_foot_tip(foot, model);
        }
    }
    tr_pose_destroy(&pose);
    tr_release(&search->allocator, model, joints, sizeof *model);
    return status;
}

// Velocity of a point over the ground; at the ends of a loop it continues with the other end if the hips are
// at the same place there.
static bool velocity_of(const travel_search *search, uint32_t point, uint32_t frame, double velocity[2]) {
    uint32_t last = search->frame_count - 1, reach = (uint32_t)(WINDOW * tr_clip_rate(search->clip) + 0.5);
    reach = reach < 1 ? 1 : reach;
    uint32_t from = frame < reach ? 0 : frame - reach, to = last - frame < reach ? last : frame + reach;
    double time = (to - from) / tr_clip_rate(search->clip);
    if (!(time > 0))
        return false;
    tr_vec3 a = place_of(search, point, from), b = place_of(search, point, to);
    velocity[0] = ((double)b.x - a.x) / time;
    velocity[1] = ((double)b.z - a.z) / time;
    return true;
}

// The lowest point of a foot in a frame, if it is about as low as the foot gets in the whole clip.
static uint32_t carrying_point(const travel_search *search, uint32_t side, uint32_t frame, float level) {
    uint32_t best = TR_NONE;
    float low = level + LOW_SHARE * (float)search->height;
    for (uint32_t i = 0; i < FOOT_POINTS; i++) {
        uint32_t point = side * FOOT_POINTS + i;
        if (place_of(search, point, frame).y <= low) {
            low = place_of(search, point, frame).y;
            best = point;
        }
    }
    return best;
}

static float level_of(const travel_search *search, uint32_t side) {
    float level = INFINITY;
    for (uint32_t point = side * FOOT_POINTS; point < (side + 1) * FOOT_POINTS; point++)
        for (uint32_t i = 0; i < search->frame_count; i++) {
            float y = place_of(search, point, i).y;
            level = y < level ? y : level;
        }
    return level;
}

static void sort(double *values, uint32_t count) {
    for (uint32_t gap = count / 2; gap > 0; gap /= 2)
        for (uint32_t i = gap; i < count; i++) {
            double value = values[i];
            uint32_t at = i;
            for (; at >= gap && values[at - gap] > value; at -= gap)
                values[at] = values[at - gap];
            values[at] = value;
        }
}

// The velocities of all points that carry the body, axis by axis: [axis][sample].
static uint32_t take_samples(const travel_search *search, double *samples, uint32_t room) {
    uint32_t count = 0;
    for (uint32_t side = 0; side < 2; side++) {
        float level = search->levels[side];
        for (uint32_t i = 0; i < search->frame_count; i++) {
            double velocity[2];
            uint32_t point = carrying_point(search, side, i, level);
            if (point == TR_NONE || !velocity_of(search, point, i, velocity))
                continue;
            samples[count] = velocity[0];
            samples[room + count++] = velocity[1];
        }
    }
    return count;
}

// The mean of the samples around an estimate: the median is unmoved by feet that land and leave, the mean
// uses all others.
// Returns the share of the samples that are near it.
static double refine(travel_search *search, const double *samples, uint32_t count, uint32_t room) {
    double spread =
        sqrt(search->velocity[0] * search->velocity[0] + search->velocity[1] * search->velocity[1]);
    spread = SPREAD_SHARE * spread;
    double sum[2] = {0, 0};
    uint32_t used = 0;
    for (uint32_t i = 0; i < count; i++) {
        double x = samples[i] + search->velocity[0], z = samples[room + i] + search->velocity[1];
        if (x * x + z * z > spread * spread)
            continue;
        sum[0] += samples[i];
        sum[1] += samples[room + i];
        used++;
    }
    for (int axis = 0; axis < 2 && used > 0; axis++)
        search->velocity[axis] = -sum[axis] / used;
    return (double)used / count;
}

static tr_status find_velocity(travel_search *search, tr_error *error) {
    uint32_t room = 2 * search->frame_count;
    double *samples = tr_allocate(&search->allocator, room, 4 * sizeof *samples);
    if (!samples)
        return tr_clip_edit_no_memory(error, search->clip);
    double *sorted = samples + 2 * (size_t)room;
    uint32_t count = take_samples(search, samples, room);
    for (int axis = 0; axis < 2 && count > 0; axis++) {
        for (uint32_t i = 0; i < count; i++)
            sorted[i] = samples[(size_t)axis * room + i];
        sort(sorted, count);
        search->velocity[axis] = -0.5 * (sorted[(count - 1) / 2] + sorted[count / 2]);
    }
    double near = 1;
    for (int i = 0; i < REFINEMENTS && count > 0; i++)
        near = refine(search, samples, count, room);
    double x = search->velocity[0], z = search->velocity[1];
    if (!(sqrt(x * x + z * z) > STILL_SHARE * search->height) || near < STEADY_SHARE)
        search->velocity[0] = search->velocity[1] = 0;
    tr_release(&search->allocator, samples, room, 4 * sizeof *samples);
    return count > 0 ? TR_OK : tr_fail(error, TR_NOT_FOUND, "the clip is too short to move");
}

// Joints of a frame, as if the hips were at the origin.
static void place_joints(const travel_search *search, uint32_t frame, tr_pose *pose, tr_affine *model) {
    tr_clip_edit_world_frame(search->skeleton, search->clip, frame, pose);
    tr_clip_edit_roots_into(search->skeleton, search->hips[frame], pose);
    tr_pose_to_model(search->skeleton, pose, NULL, model);
}

static float between(const tr_affine *a, const tr_affine *b) {
    return tr_vec3_length(tr_vec3_subtract(tr_affine_position(a), tr_affine_position(b)));
}

typedef enum travel_end { OPEN, REPEATS, GOES_ON } travel_end;

// Of the joints of the last two frames and the first two: do the last one and the first one agree, or is the
// way between them no longer than that from frame to frame?
static travel_end tell_end(const travel_search *search, const tr_affine *models) {
    uint32_t joints = tr_skeleton_joint_count(search->skeleton);
    float same = SAME_SHARE * (float)search->height;
    float ways = 0, steps = 0;
    for (uint32_t i = 0; i < joints; i++) {
        if (tr_skeleton_joint(search->skeleton, i).role == TR_ROLE_NONE)
            continue;
        const tr_affine *before = &models[i], *last = before + joints, *first = last + joints;
        float way = between(last, first), one = between(before, last), other = between(first, first + joints);
        if (way >= same && way > LONGER * (one > other ? one : other))
            return OPEN;
        ways += way;
        steps += one + other;
    }
    return ways <= steps / 4 ? REPEATS : GOES_ON; // nearer to nothing than to a whole step
}

// Games and exporters close loops by a last frame that is the first one again, or leave it out.
static tr_status find_end(travel_search *search, tr_error *error) {
    uint32_t joints = tr_skeleton_joint_count(search->skeleton), last = search->frame_count - 1;
    search->loops = tr_clip_loops(search->clip);
    if (search->loops || last < 3)
        return TR_OK;
    tr_pose pose = {.joint_count = 0};
    tr_affine *models = tr_allocate(&search->allocator, joints, 4 * sizeof *models);
    tr_status status = tr_pose_create(&search->allocator, joints, &pose, error);
    if (status == TR_OK && !models)
        status = tr_clip_edit_no_memory(error, search->clip);
    travel_end end = OPEN;
    if (status == TR_OK) {
        const uint32_t frames[4] = {last - 1, last, 0, 1};
        for (uint32_t k = 0; k < 4; k++)
            place_joints(search, frames[k], &pose, models + (size_t)k * joints);
        end = tell_end(search, models);
    }
    tr_pose_destroy(&pose);
    tr_release(&search->allocator, models, joints, 4 * sizeof *models);
    search->loops = end != OPEN;
    search->closing = search->hips[last];
    if (end == REPEATS)
        search->frame_count--;
    else
        search->closing =
            tr_base_move(search->hips[last], tr_base_difference(search->hips[last - 1], search->hips[last]));
    return status;
}

// Labels of a foot: its heel and ball (or tip, if it has no toes).
static void label_foot(travel_search *search, uint32_t side) {
    double x = search->velocity[0], z = search->velocity[1], speed = sqrt(x * x + z * z), velocity[2];
    float low = search->levels[side] + KEEP * LOW_SHARE * (float)search->height, lowest = INFINITY;
    uint32_t best = 0, labelled = 0, both = (uint32_t)(TR_CONTACT_LEFT_HEEL | TR_CONTACT_LEFT_TOES);
    for (uint32_t i = 0; i < search->frame_count; i++)
        for (uint32_t k = HEEL; k <= BALL; k++) {
            uint32_t point = side * FOOT_POINTS + k;
            float y = place_of(search, point, i).y;
            if (y < lowest)
                lowest = y, best = i;
            if (y > low || !velocity_of(search, point, i, velocity) ||
                -(velocity[0] * x + velocity[1] * z) < BACKWARDS * speed * speed)
                continue;
            uint32_t bit = k == HEEL ? TR_CONTACT_LEFT_HEEL : TR_CONTACT_LEFT_TOES;
            search->labels[i] |= (uint8_t)(bit << 2 * side);
            labelled++;
        }
    if (labelled == 0) // stylised: where it is lowest, it carries the body
        search->labels[best] |= (uint8_t)(both << 2 * side);
}

// A foot that touches down, and again a moment later, makes one step. The seam of a loop counts as well.
static void fill_gaps(travel_search *search, uint32_t side) {
    uint32_t count = search->frame_count, longest = (uint32_t)(GAP * tr_clip_rate(search->clip));
    for (uint32_t begin = 0; begin < count; begin++) {
        if (!tr_clip_edit_foot_down(search->labels[begin], side))
            continue;
        uint32_t gap = 0;
        while (gap <= longest && (search->loops || begin + gap + 1 < count) &&
               !tr_clip_edit_foot_down(search->labels[(begin + gap + 1) % count], side))
            gap++;
        if (gap == 0 || gap > longest || (!search->loops && begin + gap + 1 == count))
            continue;
        uint32_t next = search->labels[(begin + gap + 1) % count] & (3u << 2 * side);
        for (uint32_t i = 1; i <= gap; i++)
            search->labels[(begin + i) % count] |= (uint8_t)next;
    }
}

// How the hips of one round of a loop lie to those of the next.
static tr_base find_step(const travel_search *search) {
    tr_base first = search->hips[0];
    if (tr_clip_loops(search->clip)) {
        if (!tr_clip_has_base(search->clip))
            return (tr_base){0, 0, 0};
        tr_base base = tr_clip_frame_base(search->clip, 0);
        tr_base after = tr_base_move(base, tr_clip_advance(search->clip));
        return tr_base_difference(first, tr_base_move(after, tr_base_difference(base, first)));
    }
    return tr_base_difference(first, search->closing);
}

static tr_status write_rounds(travel_search *search, uint32_t rounds, tr_clip **result, tr_error *error) {
    clip_edit_shape shape = {search->frame_count * rounds, tr_clip_rate(search->clip), false, true};
    clip_edit_job job;
    tr_status status =
        tr_clip_edit_begin(&job, &search->allocator, search->skeleton, search->clip, &shape, NULL, error);
    tr_base step = search->loops ? find_step(search) : (tr_base){0, 0, 0}, at = search->hips[0];
    for (uint32_t frame = 0; frame < shape.frame_count && status == TR_OK; frame++) {
        uint32_t within = frame % search->frame_count;
        if (within == 0 && frame > 0)
            at = tr_base_move(at, step);
        tr_clip_edit_world_frame(search->skeleton, search->clip, within, &job.pose);
        if (frame >= search->frame_count) { // the same, as the hips go on
            tr_clip_edit_roots_into(search->skeleton, search->hips[0], &job.pose);
            tr_clip_edit_roots_out(search->skeleton, at, &job.pose);
        }
        double time = frame / shape.rate;
        tr_base way = {(float)(search->velocity[0] * time), (float)(search->velocity[1] * time), 0};
        tr_clip_edit_roots_out(search->skeleton, way, &job.pose);
        status = tr_clip_edit_set_frame(&job, frame, error);
        tr_clip_set_contacts(job.made, frame, search->labels[within]);
    }
    return tr_clip_edit_end(&job, status, result);
}

static tr_status find_travel(travel_search *search, uint32_t rounds, tr_clip **result, tr_error *error) {
    tr_status status = find_places(search, error);
    for (uint32_t side = 0; side < 2 && status == TR_OK; side++)
        search->levels[side] = level_of(search, side);
    if (status == TR_OK)
        status = find_velocity(search, error);
    bool lacks = search->velocity[0] != 0 || search->velocity[1] != 0;
    if (status == TR_OK)
        status = find_end(search, error);
    for (uint32_t side = 0; side < 2 && status == TR_OK && lacks; side++) {
        label_foot(search, side);
        fill_gaps(search, side);
    }
    return status == TR_OK ? write_rounds(search, search->loops ? rounds : 1, result, error) : status;
}

tr_status tr_clip_edit_travel(const tr_allocator *allocator, const tr_skeleton *skeleton, const tr_clip *clip,
                              uint32_t rounds, tr_clip **result, tr_travel *travel, tr_error *error) {
    tr_status status = tr_clip_edit_check(skeleton, clip, result, error);
    if (status != TR_OK)
        return status;
    uint32_t frames = tr_clip_frame_count(clip);
    if (rounds == 0 || (uint64_t)rounds * frames > TR_CLIP_FRAMES_MAX)
        return tr_fail(error, TR_INVALID, "there are %u rounds of %u frames, it must be 1 to %u frames",
                       rounds, frames, TR_CLIP_FRAMES_MAX);
    travel_search search = {.skeleton = skeleton,
                            .clip = clip,
                            .allocator = tr_allocator_or_default(allocator),
                            .frame_count = frames,
                            .stride = frames,
                            .height = tr_skeleton_height(skeleton)};
    for (uint32_t side = 0; side < 2; side++)
        if (tr_foot_measure_rolling(skeleton, side, &search.feet[side]) != TR_OK)
            return tr_fail(error, TR_NOT_FOUND, "the skeleton has no %s foot with a role",
                           side ? "right" : "left");
    search.places = tr_allocate(&search.allocator, frames, POINTS * sizeof *search.places);
    search.hips = tr_allocate(&search.allocator, frames, sizeof *search.hips);
    search.labels = tr_allocate_zero(&search.allocator, frames, sizeof *search.labels);
    if (search.places && search.hips && search.labels)
        status = find_travel(&search, rounds, result, error);
    else
        status = tr_clip_edit_no_memory(error, clip);
    if (status == TR_OK && travel)
        *travel = (tr_travel){.velocity = {(float)search.velocity[0], (float)search.velocity[1]},
                              .ground = search.levels[search.levels[1] < search.levels[0]],
                              .loops = search.loops,
                              .period = search.frame_count / tr_clip_rate(clip)};
    tr_release(&search.allocator, search.labels, frames, sizeof *search.labels);
    tr_release(&search.allocator, search.places, frames, POINTS * sizeof *search.places);
    tr_release(&search.allocator, search.hips, frames, sizeof *search.hips);
    return status;
}
