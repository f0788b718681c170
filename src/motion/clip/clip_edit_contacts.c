// Ground contacts: points of the soles that are low and slow.
#include "troupe/motion/clip_edit.h"
#include "clip_edit_parts.h"
#include "motion/foot/foot.h"

enum { HEEL, BALL, TIP, FOOT_POINTS, POINTS = 2 * FOOT_POINTS };
// Bits of the tips while labels are made.
enum { LEFT_TIP = 16, RIGHT_TIP = 32 };

#define HEIGHT_SHARE 0.022f // of the body height: a point this low may touch
#define SPEED_SHARE 0.27f   // of the body height, per second
#define LEVEL_SHARE 0.03f   // of the body height: how far a point's own level may be off the ground
#define KEEP 1.5f           // a contact ends only above this multiple of the height or speed
#define STRAY_SHARE 0.025   // of the body height: how far a contact point may get from its resting place
#define WINDOW 0.025        // speeds are measured over this time before and after [s]: captures tremble

tr_contact_params tr_contact_params_default(void) {
    tr_contact_params params = {.shortest = 0.06f, .ground = NAN};
    return params;
}

typedef struct contact_search {
    const tr_skeleton *skeleton;
    tr_clip *clip;
    tr_contact_params params;
    tr_foot feet[2];
    bool has_foot[2];
    uint32_t frame_count;
    tr_vec3 *places; // [point][frame], in the world
    float *speeds;   // [point][frame]
    uint8_t *labels;
    tr_affine to_next, to_last; // from one pass of a loop to the next and to the previous one
    bool round;                 // it continues across the seam
    float ground, levels[POINTS];
} contact_search;

static tr_vec3 *places_of(const contact_search *search, uint32_t point) {
    return search->places + (size_t)point * search->frame_count;
}

static float *speeds_of(const contact_search *search, uint32_t point) {
    return search->speeds + (size_t)point * search->frame_count;
}

static bool has_point(const contact_search *search, uint32_t point) {
    return search->has_foot[point / FOOT_POINTS];
}

static void find_places(contact_search *search, tr_pose *pose, tr_affine *model) {
    for (uint32_t frame = 0; frame < search->frame_count; frame++) {
        tr_clip_edit_world_frame(search->skeleton, search->clip, frame, pose);
        tr_pose_to_model(search->skeleton, pose, NULL, model);
        for (uint32_t side = 0; side < 2; side++) {
            if (!search->has_foot[side])
                continue;
            const tr_foot *foot = &search->feet[side];
            places_of(search, side * FOOT_POINTS + HEEL)[frame] = tr_foot_heel(foot, model);
            places_of(search, side * FOOT_POINTS + BALL)[frame] =
                foot->toes == TR_NONE ? tr_foot_tip(foot, model) : tr_foot_ball(foot, model);
            places_of(search, side * FOOT_POINTS + TIP)[frame] = tr_foot_tip(foot, model);
        }
    }
}

static tr_vec3 place_at(const contact_search *search, uint32_t point, int64_t frame) {
    int64_t count = search->frame_count;
    const tr_vec3 *places = places_of(search, point);
    if (frame < 0)
        return tr_affine_apply(&search->to_last, places[frame + count]);
    return frame < count ? places[frame] : tr_affine_apply(&search->to_next, places[frame - count]);
}

static void find_speeds(contact_search *search) {
    double rate = tr_clip_rate(search->clip);
    int64_t count = search->frame_count, reach = (int64_t)(WINDOW * rate + 0.5);
    reach = reach < 1 ? 1 : reach > count ? count : reach;
    for (uint32_t point = 0; point < POINTS; point++) {
        if (!has_point(search, point))
            continue;
        for (int64_t i = 0; i < count; i++) {
            int64_t from = i - reach, to = i + reach;
            if (!search->round) {
                from = from < 0 ? 0 : from;
                to = to > count - 1 ? count - 1 : to;
            }
            tr_vec3 way = tr_vec3_subtract(place_at(search, point, to), place_at(search, point, from));
            float time = (float)((double)(to - from) / rate);
            speeds_of(search, point)[i] = time > 0 ? tr_vec3_length(way) / time : 0;
        }
    }
}

// The height below which a quarter of the slow frames of a point lie; of all frames if none is slow.
static float find_level(const contact_search *search, uint32_t point, bool *is_slow) {
    const tr_vec3 *places = places_of(search, point);
    const float *speeds = speeds_of(search, point);
    float low = INFINITY, high = -INFINITY, limit = search->params.speed;
    uint32_t slow = 0;
    for (uint32_t i = 0; i < search->frame_count; i++)
        slow += speeds[i] < limit;
    *is_slow = slow > 0;
    if (slow == 0)
        limit = INFINITY, slow = search->frame_count;
    for (uint32_t i = 0; i < search->frame_count; i++) {
        low = speeds[i] < limit && places[i].y < low ? places[i].y : low;
        high = speeds[i] < limit && places[i].y > high ? places[i].y : high;
    }
    for (int round = 0; round < 24; round++) {
        float middle = low + (high - low) * 0.5f;
        uint32_t below = 0;
        for (uint32_t i = 0; i < search->frame_count; i++)
            below += speeds[i] < limit && places[i].y <= middle;
        if (below > slow / 4)
            high = middle;
        else
            low = middle;
    }
    return high;
}

// Heels of runners never come down, and tips dig in: the lower of heel and ball defines the ground, as the
// mean of both feet. Points that never rest count only if none does.
static float guess_ground(contact_search *search) {
    float sums[2] = {0, 0}; // of levels at rest, and of all levels
    int counts[2] = {0, 0};
    for (uint32_t side = 0; side < 2; side++) {
        float least[2] = {INFINITY, INFINITY};
        for (uint32_t i = 0; i < FOOT_POINTS && search->has_foot[side]; i++) {
            bool rests;
            float level = find_level(search, side * FOOT_POINTS + i, &rests);
            search->levels[side * FOOT_POINTS + i] = level;
            for (int all = rests ? 0 : 1; all < 2 && i != TIP; all++)
                least[all] = level < least[all] ? level : least[all];
        }
        for (int all = 0; all < 2; all++)
            if (least[all] < INFINITY)
                sums[all] += least[all], counts[all]++;
    }
    int all = counts[0] ? 0 : 1;
    return counts[all] ? sums[all] / (float)counts[all] : NAN;
}

static void find_ground(contact_search *search) {
    float guess = guess_ground(search), slack = LEVEL_SHARE * tr_skeleton_height(search->skeleton);
    search->ground = isnan(search->params.ground) ? guess : search->params.ground;
    for (uint32_t i = 0; i < POINTS; i++) {
        float low = search->ground - slack, high = search->ground + slack, level = search->levels[i];
        search->levels[i] = !(level > low) ? low : level < high ? level : high;
    }
}

static double squared_distance(tr_vec3 a, tr_vec3 b) {
    double x = (double)a.x - b.x, y = (double)a.y - b.y, z = (double)a.z - b.z;
    return x * x + y * y + z * z;
}

// The resting place of a point in an interval of frames: slower frames have more weight.
static tr_vec3 resting_place(const contact_search *search, uint32_t point, uint32_t begin, uint32_t end) {
    const float *speeds = speeds_of(search, point);
    double slow = 0.1 * search->params.speed, sum[3] = {0, 0, 0}, weights = 0;
    for (uint32_t i = begin; i < end; i++) {
        double speed = speeds[i % search->frame_count], weight = 1 / (speed * speed + slow * slow);
        tr_vec3 place = place_at(search, point, i);
        for (int axis = 0; axis < 3; axis++)
            sum[axis] += weight * (&place.x)[axis];
        weights += weight;
    }
    return tr_vec3_make((float)(sum[0] / weights), (float)(sum[1] / weights), (float)(sum[2] / weights));
}

// An interval [begin, end) of slow and low frames is a contact as long as the point stays near its resting
// place: before that it still comes down, after that it rolls away. Frames from the count on belong to the
// next loop.
static void label_stretch(contact_search *search, uint32_t point, uint8_t bit, uint32_t begin, uint32_t end) {
    double stray = STRAY_SHARE * (double)tr_skeleton_height(search->skeleton), nearest = INFINITY;
    tr_vec3 anchor = resting_place(search, point, begin, end);
    uint32_t middle = begin;
    for (uint32_t i = begin; i < end; i++) {
        double distance = squared_distance(place_at(search, point, i), anchor);
        if (distance < nearest)
            nearest = distance, middle = i;
    }
    uint32_t first = middle, last = middle;
    while (first > begin && squared_distance(place_at(search, point, first - 1), anchor) < stray * stray)
        first--;
    while (last + 1 < end && squared_distance(place_at(search, point, last + 1), anchor) < stray * stray)
        last++;
    for (uint32_t i = first; i <= last; i++)
        search->labels[i % search->frame_count] |= bit;
}

static bool is_low_and_slow(const contact_search *search, uint32_t point, uint32_t frame, bool already) {
    float keep = already ? KEEP : 1;
    return places_of(search, point)[frame].y - search->levels[point] < search->params.height * keep &&
           speeds_of(search, point)[frame] < search->params.speed * keep;
}

static void label_point(contact_search *search, uint32_t point) {
    static const uint8_t bits[POINTS] = {TR_CONTACT_LEFT_HEEL,  TR_CONTACT_LEFT_TOES,  LEFT_TIP,
                                         TR_CONTACT_RIGHT_HEEL, TR_CONTACT_RIGHT_TOES, RIGHT_TIP};
    uint32_t count = search->frame_count, start = 0;
    if (search->round) // begins where nothing touches, so that no interval is cut in two
        while (start < count && is_low_and_slow(search, point, start, true))
            start++;
    start = start == count ? 0 : start;
    bool on = false;
    uint32_t begin = 0;
    for (uint32_t i = start; i < start + count; i++) {
        bool next = is_low_and_slow(search, point, i % count, on);
        if (next && !on)
            begin = i;
        if (on && !next)
            label_stretch(search, point, bits[point], begin, i);
        on = next;
    }
    if (on)
        label_stretch(search, point, bits[point], begin, start + count);
}

// The first frame of an interval with equal `bit`, so that the intervals of a loop are examined whole.
static uint32_t first_change(const contact_search *search, uint8_t bit) {
    uint32_t count = search->frame_count, start = 0;
    const uint8_t *labels = search->labels;
    while (start < count && (labels[start] & bit) == (labels[(start + count - 1) % count] & bit))
        start++;
    return search->round && start < count ? start : 0;
}

static uint32_t stretch_end(const contact_search *search, uint8_t bit, uint32_t start, uint32_t i) {
    uint32_t count = search->frame_count, end = i + 1;
    const uint8_t *labels = search->labels;
    while (end < count && (labels[(start + end) % count] & bit) == (labels[(start + i) % count] & bit))
        end++;
    return end;
}

// Flips intervals in which a bit is set (or not) for too short a time. Those cut off by an end of the clip
// may be longer than they look, and stay.
static void clean_bit(contact_search *search, uint8_t bit, bool set) {
    uint32_t count = search->frame_count, start = first_change(search, bit), end;
    double least = search->params.shortest * tr_clip_rate(search->clip) - 1e-6;
    uint8_t *labels = search->labels, value = set ? bit : 0;
    for (uint32_t i = 0; i < count; i = end) {
        end = stretch_end(search, bit, start, i);
        bool cut = i == 0 || end == count;
        if (search->round)
            cut = end - i == count;
        if ((labels[(start + i) % count] & bit) == value && end - i < least && !cut)
            for (uint32_t k = i; k < end; k++)
                labels[(start + k) % count] ^= bit;
    }
}

// The ball decides the label of the toes, because it stands while the foot rolls over them. The tip decides
// only in a step on the very tip, in which the ball never rests.
static void adopt_tips(contact_search *search, uint8_t tip, uint8_t toes) {
    uint32_t count = search->frame_count, start = first_change(search, tip), end;
    uint8_t *labels = search->labels;
    for (uint32_t i = 0; i < count; i = end) {
        end = stretch_end(search, tip, start, i);
        bool alone = labels[(start + i) % count] & tip;
        for (uint32_t k = i; k < end && alone; k++)
            alone = !(labels[(start + k) % count] & toes);
        for (uint32_t k = i; k < end && alone; k++)
            labels[(start + k) % count] |= toes;
    }
    for (uint32_t i = 0; i < count; i++)
        labels[i] &= (uint8_t)~tip;
}

static tr_status find_contacts(contact_search *search, tr_pose *pose, tr_affine *model, tr_error *error) {
    find_places(search, pose, model);
    find_speeds(search);
    find_ground(search);
    if (!isfinite(search->ground))
        return tr_fail(error, TR_INVALID,
                       "the ground found under the feet is at a height of %g, it must be finite",
                       (double)search->ground);
    for (uint32_t point = 0; point < POINTS; point++)
        if (has_point(search, point))
            label_point(search, point);
    for (int set = 0; set < 2; set++)
        for (uint32_t bit = 1; bit <= RIGHT_TIP; bit <<= 1)
            clean_bit(search, (uint8_t)bit, set == 1);
    adopt_tips(search, LEFT_TIP, TR_CONTACT_LEFT_TOES);
    adopt_tips(search, RIGHT_TIP, TR_CONTACT_RIGHT_TOES);
    for (uint32_t i = 0; i < search->frame_count; i++)
        tr_clip_set_contacts(search->clip, i, search->labels[i]);
    return TR_OK;
}

static tr_status check_params(const tr_contact_params *params, tr_error *error) {
    if (!(params->height >= 0 && params->height < INFINITY))
        return tr_fail(error, TR_INVALID, "the contact height is %g, it must be at least 0",
                       (double)params->height);
    if (!(params->speed >= 0 && params->speed < INFINITY))
        return tr_fail(error, TR_INVALID, "the contact speed is %g, it must be at least 0",
                       (double)params->speed);
    if (!(params->shortest >= 0 && params->shortest < INFINITY))
        return tr_fail(error, TR_INVALID, "the shortest contact is %g, it must be at least 0",
                       (double)params->shortest);
    if (isinf(params->ground))
        return tr_fail(error, TR_INVALID, "the height of the ground is infinite");
    return TR_OK;
}

static void begin_search(contact_search *search, const tr_skeleton *skeleton, tr_clip *clip) {
    float height = tr_skeleton_height(skeleton);
    search->skeleton = skeleton;
    search->clip = clip;
    search->frame_count = tr_clip_frame_count(clip);
    if (search->params.height == 0)
        search->params.height = HEIGHT_SHARE * height;
    if (search->params.speed == 0)
        search->params.speed = SPEED_SHARE * height;
    if (!tr_clip_loops(clip) || !tr_clip_has_base(clip))
        return;
    tr_base first = tr_clip_frame_base(clip, 0), advance = tr_clip_advance(clip);
    tr_base after = tr_base_move(first, advance);
    tr_affine there = tr_base_place(after, 0), here = tr_base_place(first, 0), back;
    if (tr_affine_invert(&here, &back)) {
        search->to_next = tr_affine_multiply(&there, &back);
        search->round = tr_affine_invert(&search->to_next, &search->to_last);
    }
}

tr_status tr_clip_edit_contacts(const tr_skeleton *skeleton, tr_clip *clip, const tr_contact_params *params,
                                float *ground, tr_error *error) {
    tr_clip *unused;
    tr_status status = tr_clip_edit_check(skeleton, clip, &unused, error);
    contact_search search = {.params = params ? *params : tr_contact_params_default()};
    if (status == TR_OK)
        status = check_params(&search.params, error);
    if (status != TR_OK)
        return status;
    begin_search(&search, skeleton, clip);
    for (uint32_t side = 0; side < 2; side++)
        search.has_foot[side] = tr_foot_measure(skeleton, side, &search.feet[side]) == TR_OK;
    if (!search.has_foot[0] && !search.has_foot[1])
        return tr_fail(error, TR_NOT_FOUND, "the skeleton has no foot with a role");
    tr_allocator allocator = tr_allocator_or_default(search.params.allocator);
    uint32_t joint_count = tr_skeleton_joint_count(skeleton);
    tr_pose pose = {.joint_count = 0};
    tr_affine *model = tr_allocate(&allocator, joint_count, sizeof *model);
    search.places = tr_allocate_zero(&allocator, search.frame_count, POINTS * sizeof *search.places);
    search.speeds = tr_allocate_zero(&allocator, search.frame_count, POINTS * sizeof *search.speeds);
    search.labels = tr_allocate_zero(&allocator, search.frame_count, 1);
    status = tr_pose_create(&allocator, joint_count, &pose, error);
    if (status != TR_OK || !model || !search.places || !search.speeds || !search.labels)
        status = tr_clip_edit_no_memory(error, clip);
    else
        status = find_contacts(&search, &pose, model, error);
    if (status == TR_OK && ground)
        *ground = search.ground;
    if (pose.joint_count)
        tr_pose_destroy(&pose);
    tr_release(&allocator, model, joint_count, sizeof *model);
    tr_release(&allocator, search.places, search.frame_count, POINTS * sizeof *search.places);
    tr_release(&allocator, search.speeds, search.frame_count, POINTS * sizeof *search.speeds);
    tr_release(&allocator, search.labels, search.frame_count, 1);
    return status;
}
