// Finds the cycle of a capture that closes best.
#include "troupe/motion/clip_edit.h"
#include "clip_edit_parts.h"
#include "troupe/base/scalar.h"

#include <string.h>

#define PLACES_MAX 32     // joints that are compared
#define SPEED_WEIGHT 0.1  // [s]: a speed difference counts like the distance it makes in this time
#define TURN_WEIGHT 0.5   // [m/rad]: penalty for a cycle that turns
#define STRIDE_WEIGHT 0.2 // [m]: for the distance from the end to the next contact, as a share of the stride
#define WINDOW 0.025      // speeds are measured over this time before and after [s]
#define WORST_SHARE 0.1   // of the body height: frames further apart are not the same moment
#define PAIRS_MAX 1000000 // compared at most if no foot tells where to look

tr_cycle_params tr_cycle_params_default(void) {
    tr_cycle_params params = {0.4, 2.5};
    return params;
}

bool tr_clip_edit_foot_down(uint32_t contacts, uint32_t side) {
    uint32_t left = TR_CONTACT_LEFT_HEEL | TR_CONTACT_LEFT_TOES;
    return (contacts & (side ? left << 2 : left)) != 0;
}

typedef struct cycle_search {
    const tr_skeleton *skeleton;
    const tr_clip *clip; // in the world, with labels
    uint32_t joints[PLACES_MAX], place_count;
    tr_vec3 *places; // [frame][joint], in the world
    tr_base *bases;  // of the hips
    uint32_t frame_count, window;
    double shortest, longest; // [frames]
    double best_cost;         // [m]
    uint32_t begin, end;      // of the best
} cycle_search;

static void choose_joints(cycle_search *search) {
    uint32_t joint_count = tr_skeleton_joint_count(search->skeleton);
    for (uint32_t i = 0; i < joint_count && search->place_count < PLACES_MAX; i++)
        if (tr_skeleton_joint(search->skeleton, i).role != TR_ROLE_NONE)
            search->joints[search->place_count++] = i;
    if (search->place_count > 2)
        return;
    search->place_count = 0;
    for (uint32_t i = 0; i < joint_count && search->place_count < PLACES_MAX; i++)
        search->joints[search->place_count++] = i;
}

static void find_places(cycle_search *search, tr_pose *pose, tr_affine *model) {
    uint32_t hips = tr_clip_edit_hips(search->skeleton);
    for (uint32_t frame = 0; frame < search->frame_count; frame++) {
        tr_clip_get_frame(search->clip, frame, pose);
        tr_pose_to_model(search->skeleton, pose, NULL, model);
        search->bases[frame] = tr_clip_edit_hips_base(search->skeleton, hips, model);
        for (uint32_t i = 0; i < search->place_count; i++)
            search->places[(size_t)frame * search->place_count + i] =
                tr_affine_position(&model[search->joints[i]]);
    }
}

// A frame relative to the ground under its hips.
typedef struct cycle_moment {
    const tr_vec3 *places, *before, *after;
    tr_affine back;
    float time; // between before and after [s]
} cycle_moment;

static cycle_moment moment_of(const cycle_search *search, uint32_t frame) {
    uint32_t last = search->frame_count - 1, window = search->window;
    uint32_t before = frame < window ? 0 : frame - window,
             after = last - frame < window ? last : frame + window;
    const tr_vec3 *places = search->places;
    cycle_moment moment = {places + (size_t)frame * search->place_count,
                           places + (size_t)before * search->place_count,
                           places + (size_t)after * search->place_count, tr_affine_identity(),
                           (float)((after - before) / tr_clip_rate(search->clip))};
    tr_affine place = tr_base_place(search->bases[frame], 0);
    tr_affine_invert(&place, &moment.back);
    return moment;
}

static tr_vec3 speed_of(const cycle_moment *moment, uint32_t i) {
    tr_vec3 way = tr_affine_turn(&moment->back, tr_vec3_subtract(moment->after[i], moment->before[i]));
    return moment->time > 0 ? tr_vec3_scale(way, 1 / moment->time) : tr_vec3_make(0, 0, 0);
}

static double square(tr_vec3 v) {
    return (double)tr_vec3_dot(v, v);
}

// The distance between two frames, as a length [m].
static double compare(const cycle_search *search, uint32_t begin, uint32_t end) {
    cycle_moment a = moment_of(search, begin), b = moment_of(search, end);
    double sum = 0;
    for (uint32_t i = 0; i < search->place_count; i++) {
        tr_vec3 apart =
            tr_vec3_subtract(tr_affine_apply(&a.back, a.places[i]), tr_affine_apply(&b.back, b.places[i]));
        tr_vec3 faster = tr_vec3_subtract(speed_of(&a, i), speed_of(&b, i));
        sum += square(apart) + SPEED_WEIGHT * SPEED_WEIGHT * square(faster);
    }
    double turn = (double)search->bases[end].heading - search->bases[begin].heading;
    turn = TURN_WEIGHT * (turn - 2 * TR_PI * floor(turn / (2 * TR_PI) + 0.5));
    return sqrt(sum / search->place_count + turn * turn);
}

static void offer(cycle_search *search, uint32_t begin, uint32_t end, double extra) {
    if (end <= begin || end >= search->frame_count || end - begin < search->shortest ||
        end - begin > search->longest)
        return;
    double cost = compare(search, begin, end) + extra;
    if (cost < search->best_cost) { // never true of NaN
        search->best_cost = cost;
        search->begin = begin;
        search->end = end;
    }
}

static bool comes_down(const cycle_search *search, uint32_t frame, uint32_t side) {
    return frame > 0 && tr_clip_edit_foot_down(tr_clip_frame_contacts(search->clip, frame), side) &&
           !tr_clip_edit_foot_down(tr_clip_frame_contacts(search->clip, frame - 1), side);
}

static uint32_t next_contact(const cycle_search *search, uint32_t frame, uint32_t side) {
    for (frame++; frame < search->frame_count; frame++)
        if (comes_down(search, frame, side))
            return frame;
    return TR_NONE;
}

// From contact to contact of the left foot, with one of the right in between. After the last contact the end
// is searched without a label, while the foot is in the air. Returns whether any foot takes a step.
static bool search_strides(cycle_search *search) {
    bool steps = next_contact(search, 0, 1) != TR_NONE;
    uint32_t begin = next_contact(search, 0, 0);
    for (; begin != TR_NONE; begin = next_contact(search, begin, 0)) {
        steps = true;
        uint32_t right = next_contact(search, begin, 1), end = next_contact(search, begin, 0);
        if (right == TR_NONE || (end != TR_NONE && right > end))
            continue;
        double stride = end == TR_NONE ? 0 : end - begin, slack = stride * 0.1;
        uint32_t low = end == TR_NONE ? right + 1 : end - (uint32_t)slack;
        uint32_t high = end == TR_NONE ? search->frame_count - 1 : end + (uint32_t)slack;
        for (uint32_t i = low; i <= high && i < search->frame_count; i++) {
            if (end == TR_NONE && tr_clip_edit_foot_down(tr_clip_frame_contacts(search->clip, i), 0))
                continue;
            double off = end == TR_NONE ? 0 : ((double)i - end) / stride;
            offer(search, begin, i, STRIDE_WEIGHT * (off < 0 ? -off : off));
        }
    }
    return steps;
}

static void search_pairs(cycle_search *search) {
    double range = search->longest - search->shortest;
    range = range < search->frame_count ? range : search->frame_count;
    double pairs = search->frame_count * (range + 1);
    uint32_t step = (uint32_t)(tr_clip_rate(search->clip) / 30);
    step = step < 1 ? 1 : step;
    while (pairs / step / step > PAIRS_MAX)
        step++;
    for (uint32_t begin = 0; begin < search->frame_count; begin += step)
        for (double end = begin + ceil(search->shortest); end <= begin + search->longest; end += step) {
            if (end >= search->frame_count)
                break;
            offer(search, begin, (uint32_t)end, 0);
        }
    if (step == 1 || !(search->best_cost < INFINITY))
        return;
    uint32_t first = search->begin < step ? 0 : search->begin - step, last = search->begin + step;
    uint32_t low = search->end < step ? 0 : search->end - step, high = search->end + step;
    if (step > 30) // the finest search costs no more than the coarse one
        return;
    for (uint32_t begin = first; begin <= last; begin++)
        for (uint32_t end = low; end <= high; end++)
            offer(search, begin, end, 0);
}

static tr_status search_cycle(cycle_search *search, tr_error *error) {
    search->best_cost = INFINITY;
    if (!search_strides(search))
        search_pairs(search);
    double worst = WORST_SHARE * tr_skeleton_height(search->skeleton);
    if (search->best_cost <= worst)
        return TR_OK;
    double rate = tr_clip_rate(search->clip);
    if (search->best_cost < INFINITY)
        return tr_fail(
            error, TR_NOT_FOUND,
            "no cycle closes: at the best, from %.3f to %.3f s, joints are %.3f m apart, the most is %.3f",
            search->begin / rate, search->end / rate, search->best_cost, worst);
    return tr_fail(error, TR_NOT_FOUND, "there is no cycle of %g to %g s in a clip of %g s",
                   search->shortest / rate, search->longest / rate, tr_clip_duration(search->clip));
}

static bool has_labels(const tr_clip *clip) {
    for (uint32_t i = 0; i < tr_clip_frame_count(clip); i++)
        if (tr_clip_frame_contacts(clip, i))
            return true;
    return false;
}

// Puts the base back, and finds the contacts if there are none.
static tr_status make_world(const tr_allocator *allocator, const tr_skeleton *skeleton, const tr_clip *clip,
                            tr_clip **world, tr_error *error) {
    tr_status status = tr_clip_edit_put_base(allocator, skeleton, clip, world, error);
    if (status != TR_OK || has_labels(clip))
        return status;
    tr_contact_params params = tr_contact_params_default();
    params.allocator = allocator;
    status = tr_clip_edit_contacts(skeleton, *world, &params, NULL, error);
    return status == TR_NOT_FOUND ? TR_OK : status;
}

static tr_status find_cycle(const tr_allocator *allocator, cycle_search *search, tr_error *error) {
    uint32_t joint_count = tr_skeleton_joint_count(search->skeleton);
    search->frame_count = tr_clip_frame_count(search->clip);
    search->window = (uint32_t)(WINDOW * tr_clip_rate(search->clip) + 0.5);
    search->window = search->window < 1 ? 1 : search->window;
    choose_joints(search);
    size_t row = search->place_count * sizeof *search->places;
    tr_pose pose = {.joint_count = 0};
    tr_affine *model = tr_allocate(allocator, joint_count, sizeof *model);
    search->places = tr_allocate(allocator, search->frame_count, row);
    search->bases = tr_allocate(allocator, search->frame_count, sizeof *search->bases);
    tr_status status = tr_pose_create(allocator, joint_count, &pose, error);
    if (status == TR_OK && model && search->places && search->bases) {
        find_places(search, &pose, model);
        status = search_cycle(search, error);
    } else {
        status = tr_clip_edit_no_memory(error, search->clip);
    }
    if (pose.joint_count)
        tr_pose_destroy(&pose);
    tr_release(allocator, model, joint_count, sizeof *model);
    tr_release(allocator, search->places, search->frame_count, row);
    tr_release(allocator, search->bases, search->frame_count, sizeof *search->bases);
    return status;
}

tr_status tr_clip_edit_cycle(const tr_allocator *allocator, const tr_skeleton *skeleton, const tr_clip *clip,
                             const tr_cycle_params *params, tr_clip **result, tr_error *error) {
    tr_status status = tr_clip_edit_check(skeleton, clip, result, error);
    if (status != TR_OK)
        return status;
    tr_cycle_params used = params ? *params : tr_cycle_params_default();
    if (!(used.shortest > 0 && used.longest >= used.shortest && used.longest < INFINITY))
        return tr_fail(error, TR_INVALID, "a cycle may last %g to %g s, both must be above 0 and in order",
                       used.shortest, used.longest);
    tr_allocator own = tr_allocator_or_default(allocator);
    tr_clip *world = NULL;
    status = make_world(&own, skeleton, clip, &world, error);
    if (status == TR_OK) {
        double rate = tr_clip_rate(clip);
        cycle_search search = {.skeleton = skeleton,
                               .clip = world,
                               .shortest = used.shortest * rate - 1e-6,
                               .longest = used.longest * rate + 1e-6};
        status = find_cycle(&own, &search, error);
        if (status == TR_OK)
            status = tr_clip_edit_close(&own, skeleton, world, search.begin, search.end, result, error);
    }
    tr_clip_destroy(world);
    return status;
}
