// Candidates for a grasp: the open hand comes from all around, turned in all ways, until it is at the object.
#include "grasp_parts.h"
#include "hand_parts.h"
#include "troupe/base/scalar.h"

#define COUNT_MAX 10000u  // of directions and of rolls
#define STEPS_MAX 60      // of one approach
#define START 0.30f       // from where the hand comes, beyond the object: more than its length [m]
#define NEAR 0.0005f      // where the palm comes to rest [m]
#define PINCH_STEP 0.002f // of a hand that moves along surfaces [m]
#define OUTSIDE 0.9f      // of the sides of the bounds: an ellipsoid around them
#define DOWN -0.9f        // a flat hand comes from below
#define LARGEST 1e4f      // coordinates and sizes [m]

static bool is_within(tr_vec3 p) {
    return tr_vec3_is_finite(p) && p.x >= -LARGEST && p.x <= LARGEST && p.y >= -LARGEST && p.y <= LARGEST &&
           p.z >= -LARGEST && p.z <= LARGEST;
}

tr_status tr_grasp_check(const tr_grasp_def *def, tr_error *error) {
    if (!def->hand || !def->object)
        return tr_fail(error, TR_INVALID, "a grasp needs a hand and an object");
    tr_status status = tr_hand_check(def->hand, error);
    if (status != TR_OK)
        return status;
    if (tr_box_is_empty(def->bounds) || !is_within(def->bounds.min) || !is_within(def->bounds.max))
        return tr_fail(error, TR_INVALID, "the bounds of the object are empty or not within %g m",
                       (double)LARGEST);
    if (!(def->friction > 0 && def->friction <= 100))
        return tr_fail(error, TR_INVALID, "the friction is %g, it must be above 0 and at most 100",
                       (double)def->friction);
    if (!(def->margin >= 0 && def->margin <= 1))
        return tr_fail(error, TR_INVALID, "the margin is %g m, it must be 0 to 1", (double)def->margin);
    if (def->directions == 0 || def->rolls == 0 || def->directions > COUNT_MAX || def->rolls > COUNT_MAX)
        return tr_fail(error, TR_INVALID, "directions and rolls are %u and %u, they must be 1 to %u",
                       def->directions, def->rolls, COUNT_MAX);
    return TR_OK;
}

// The point of the open hand that goes to the object, and the direction in which it goes, in its own axes.
typedef struct aim {
    tr_vec3 point, along;
} aim;

static tr_vec3 unit(tr_vec3 v) {
    float length = tr_vec3_length(v);
    return length > 0 ? tr_vec3_scale(v, 1 / length) : tr_vec3_make(0, -1, 0);
}

static tr_vec3 tip_of(const tr_hand_shape *hand, const tr_hand_posture *posture, uint32_t finger) {
    return tr_hand_put(hand, posture, finger).joints[hand->fingers[finger].bones];
}

static aim aim_of(const tr_hand_shape *hand, tr_grip grip, const tr_hand_posture *open) {
    if (grip != TR_GRIP_PINCH) {
        // What lies on a hand lies on palm and fingers; what it closes around is in the palm.
        tr_vec3 point = grip == TR_GRIP_FLAT ? hand->knuckles : hand->palm;
        aim palm = {point, {hand->side == TR_ARM_LEFT ? -1.0f : 1.0f, 0, 0}};
        return palm;
    }
    // Between the tips, along the line from between their knuckles.
    tr_vec3 tips = tr_vec3_add(tip_of(hand, open, TR_THUMB), tip_of(hand, open, TR_INDEX));
    tr_finger_place thumb = tr_hand_put(hand, open, TR_THUMB);
    tr_vec3 roots = tr_vec3_add(thumb.joints[1], hand->fingers[TR_INDEX].joints[0]);
    aim between = {tr_vec3_scale(tips, 0.5f), unit(tr_vec3_subtract(tips, roots))};
    return between;
}

// Directions spread evenly over a sphere: the first points up.
static tr_vec3 direction(uint32_t number, uint32_t count) {
    float y = count > 1 ? 1 - 2 * (float)number / (float)(count - 1) : 1;
    float across = sqrtf(1 - y * y > 0 ? 1 - y * y : 0);
    double sine, cosine;
    tr_sin_cos((double)number * 2.39996322972865332, &sine, &cosine); // the golden angle
    return tr_vec3_make(across * (float)cosine, y, across * (float)sine);
}

// Where a hand comes from: towards a place, against a direction, turned about it.
typedef struct candidate {
    tr_vec3 at, out;
    double roll;
    float quality;
} candidate;

// The best of the first round, which a second one refines.
#define REFINED 6

// What one call looks for.
typedef struct finding {
    const tr_grasp_def *def;
    tr_grasp *grasps;
    uint32_t max, count;
    candidate best[REFINED];
    uint32_t best_count;
} finding;

static float beyond(float x, float low, float high) {
    return x < low ? low - x : x > high ? x - high : 0;
}

static float distance_to_box(tr_box box, tr_vec3 p) {
    tr_vec3 off = {beyond(p.x, box.min.x, box.max.x), beyond(p.y, box.min.y, box.max.y),
                   beyond(p.z, box.min.z, box.max.z)};
    return tr_vec3_length(off);
}

// How far from `at` a hand may begin its approach: a ball around it stays out of the bounds of the object.
static float begin_at(const tr_grasp_def *def, const tr_solid_capsule *capsules, uint32_t count,
                      tr_vec3 wrist, tr_vec3 aimed, tr_vec3 at, tr_vec3 out, float from) {
    float reach = 0, away = from;
    for (uint32_t i = 0; i < count; i++) {
        float a = tr_vec3_distance(capsules[i].a, wrist), b = tr_vec3_distance(capsules[i].b, wrist);
        float far = (a > b ? a : b) + capsules[i].radius;
        reach = far > reach ? far : reach;
    }
    for (int step = 0; step < STEPS_MAX; step++) {
        tr_vec3 here = tr_vec3_subtract(tr_vec3_add(at, tr_vec3_scale(out, away)), aimed);
        float room = distance_to_box(def->bounds, here) - reach;
        if (!(room > NEAR) || away < -from)
            break;
        away -= room;
    }
    return away;
}

// Moves the open hand along its approach until it is at the object. false: it passes it by.
static bool arrive(const tr_grasp_def *def, tr_grasp *grasp, tr_vec3 aimed, tr_vec3 at, tr_vec3 out,
                   float from) {
    tr_affine place = tr_grasp_place(grasp);
    tr_solid_capsule here[TR_HAND_CAPSULES];
    uint32_t count = tr_hand_capsules(def->hand, &grasp->open, &place, here, NULL);
    bool pinch = grasp->grip == TR_GRIP_PINCH;
    float end = pinch ? 0 : -from, clear = from;
    float away = begin_at(def, here, count, grasp->wrist, aimed, at, out, from);
    for (int step = 0; step < STEPS_MAX; step++) {
        tr_vec3 wrist = tr_vec3_subtract(tr_vec3_add(at, tr_vec3_scale(out, away)), aimed);
        tr_vec3 by = tr_vec3_subtract(wrist, grasp->wrist);
        for (uint32_t i = 0; i < count; i++) {
            here[i].a = tr_vec3_add(here[i].a, by);
            here[i].b = tr_vec3_add(here[i].b, by);
        }
        grasp->wrist = wrist;
        float gap = tr_grasp_gap(def, here, count, from);
        if (gap < 0) { // a pinching hand that moved further than its distance: back to where it was free
            grasp->wrist = tr_vec3_subtract(tr_vec3_add(at, tr_vec3_scale(out, clear)), aimed);
            return clear < from;
        }
        clear = away;
        if (away <= end)
            return pinch;
        if (!pinch && gap <= NEAR)
            return true;
        float go = gap - 0.5f * NEAR;
        away -= pinch && go < PINCH_STEP ? PINCH_STEP : go;
        away = away < end ? end : away;
    }
    return pinch;
}

// Grasps of the same grip that are nearer to each other than this count as one.
#define SAME_PLACE 0.02f // of the wrist [m]
#define SAME_TURN 0.98f  // cosine of half the angle between them

static bool is_same(const tr_grasp *a, const tr_grasp *b) {
    float dot = a->rotation.x * b->rotation.x + a->rotation.y * b->rotation.y +
                a->rotation.z * b->rotation.z + a->rotation.w * b->rotation.w;
    return a->grip == b->grip && tr_vec3_distance(a->wrist, b->wrist) < SAME_PLACE &&
           (dot > SAME_TURN || dot < -SAME_TURN);
}

// Keeps the best, in the order of their quality; of equals the first.
static void keep(finding *f, const tr_grasp *grasp) {
    for (uint32_t i = f->count; i-- > 0;) {
        if (!is_same(&f->grasps[i], grasp))
            continue;
        if (f->grasps[i].quality >= grasp->quality)
            return;
        f->count--;
        for (uint32_t k = i; k < f->count; k++)
            f->grasps[k] = f->grasps[k + 1];
    }
    uint32_t at = f->count < f->max ? f->count : f->max - 1;
    if (f->count == f->max && grasp->quality <= f->grasps[at].quality)
        return;
    for (; at > 0 && grasp->quality > f->grasps[at - 1].quality; at--)
        f->grasps[at] = f->grasps[at - 1];
    f->grasps[at] = *grasp;
    f->count += f->count < f->max;
}

static void keep_candidate(finding *f, const candidate *c) {
    uint32_t at = f->best_count < REFINED ? f->best_count : REFINED - 1;
    if (f->best_count == REFINED && c->quality <= f->best[at].quality)
        return;
    for (; at > 0 && c->quality > f->best[at - 1].quality; at--)
        f->best[at] = f->best[at - 1];
    f->best[at] = *c;
    f->best_count += f->best_count < REFINED;
}

// What is to be pinched lies between the thumb and a finger before they close.
static bool is_between_tips(const tr_grasp_def *def, const tr_grasp *grasp) {
    tr_affine place = tr_grasp_place(grasp);
    tr_vec3 thumb = tr_affine_apply(&place, tip_of(def->hand, &grasp->open, TR_THUMB));
    tr_vec3 tip = tr_affine_apply(&place, tip_of(def->hand, &grasp->open, TR_INDEX));
    return tr_solid_distance(def->object, thumb, tip, def->hand->fingers[TR_THUMB].radius[0], NULL) == 0;
}

// Sets the quality of the candidate, 0 if it does not hold.
static void try_candidate(finding *f, tr_grip grip, candidate *c) {
    const tr_grasp_def *def = f->def;
    tr_grasp grasp = {
        .grip = grip, .approach = tr_vec3_scale(c->out, -1), .open = tr_grip_posture(def->hand, grip, 1)};
    aim way = aim_of(def->hand, grip, &grasp.open);
    tr_quat turn = tr_quat_between(way.along, grasp.approach);
    grasp.rotation = tr_quat_normalize(tr_quat_multiply(tr_quat_about(c->out, c->roll), turn));
    float from = 0.5f * tr_vec3_distance(def->bounds.min, def->bounds.max) + START;
    c->quality = 0;
    if (!arrive(def, &grasp, tr_quat_rotate(grasp.rotation, way.point), c->at, c->out, from))
        return;
    if (grip == TR_GRIP_PINCH && !is_between_tips(def, &grasp))
        return;
    if (!tr_grasp_try(def, &grasp))
        return;
    c->quality = grasp.quality;
    keep(f, &grasp);
}

static tr_vec3 middle_of(const tr_grasp_def *def) {
    return tr_vec3_scale(tr_vec3_add(def->bounds.min, def->bounds.max), 0.5f);
}

// Square onto the surface that is nearest to a point outside, in this direction from the middle.
static candidate onto_surface(const tr_grasp_def *def, tr_vec3 from_middle) {
    tr_vec3 size = tr_vec3_subtract(def->bounds.max, def->bounds.min);
    tr_vec3 outside = {OUTSIDE * size.x * from_middle.x, OUTSIDE * size.y * from_middle.y,
                       OUTSIDE * size.z * from_middle.z};
    outside = tr_vec3_add(tr_vec3_add(middle_of(def), outside), tr_vec3_scale(from_middle, NEAR));
    candidate c = {.at = middle_of(def), .out = from_middle};
    tr_solid_hit hit = {.on_triangle = outside};
    tr_solid_distance(def->object, outside, outside, 4 * tr_vec3_length(size) + START, &hit);
    tr_vec3 out = tr_vec3_subtract(outside, hit.on_triangle);
    if (tr_vec3_length(out) > 0) {
        c.at = hit.on_triangle;
        c.out = unit(out);
    }
    return c;
}

static float least_side(const tr_grasp_def *def) {
    tr_vec3 size = tr_vec3_subtract(def->bounds.max, def->bounds.min);
    float least = size.x < size.y ? size.x : size.y;
    return size.z < least ? size.z : least;
}

static float opening(const tr_hand_shape *hand) {
    tr_hand_posture open = tr_grip_posture(hand, TR_GRIP_POWER, 1);
    return tr_vec3_distance(tip_of(hand, &open, TR_THUMB), tip_of(hand, &open, TR_INDEX));
}

static void scan(finding *f, tr_grip grip) {
    const tr_grasp_def *def = f->def;
    for (uint32_t d = 0; d < def->directions; d++) {
        tr_vec3 out = direction(d, def->directions);
        candidate through = {.at = middle_of(def), .out = out}, onto = onto_surface(def, out);
        for (uint32_t r = 0; r < 2 * def->rolls; r++) {
            candidate c = r % 2 ? onto : through;
            c.roll = 2 * TR_PI * (double)(r / 2) / (double)def->rolls;
            if (grip == TR_GRIP_FLAT && c.out.y > DOWN)
                continue;
            try_candidate(f, grip, &c);
            if (c.quality > 0)
                keep_candidate(f, &c);
        }
    }
}

// A candidate a little to one side: 0 to 3 from another direction, 4 and 5 turned, 6 to 11 elsewhere.
static candidate beside(const finding *f, const candidate *c, uint32_t way, float share) {
    candidate moved = *c;
    float sign = way % 2 ? -share : share;
    tr_vec3 size = tr_vec3_subtract(f->def->bounds.max, f->def->bounds.min);
    if (way < 4) {
        tr_vec3 any = c->out.y > 0.9f || c->out.y < -0.9f ? tr_vec3_make(1, 0, 0) : tr_vec3_make(0, 1, 0);
        tr_vec3 side = unit(tr_vec3_cross(c->out, any));
        tr_vec3 by = way < 2 ? side : tr_vec3_cross(c->out, side);
        moved.out = unit(tr_vec3_add(c->out, tr_vec3_scale(by, sign)));
    } else if (way < 6) {
        moved.roll += (double)sign;
    } else {
        float *axis = &moved.at.x + (way - 6) / 2;
        *axis += 0.25f * sign * (&size.x)[(way - 6) / 2];
    }
    return moved;
}

// Climbs from the best candidates, in steps that become smaller.
#define FIRST_STEP 0.35f // [rad]
#define ROUNDS 4
static void refine(finding *f, tr_grip grip) {
    for (uint32_t i = 0; i < f->best_count; i++) {
        candidate best = f->best[i];
        float share = FIRST_STEP;
        for (int round = 0; round < ROUNDS; round++, share *= 0.5f)
            for (uint32_t way = 0; way < 12; way++) {
                candidate c = beside(f, &best, way, share);
                if (grip == TR_GRIP_FLAT && c.out.y > DOWN)
                    continue;
                try_candidate(f, grip, &c);
                best = c.quality > best.quality ? c : best;
            }
    }
}

tr_status tr_grasp_find(const tr_grasp_def *def, tr_grasp *grasps, uint32_t max, uint32_t *count,
                        tr_error *error) {
    *count = 0;
    tr_status status = tr_grasp_check(def, error);
    if (status != TR_OK)
        return status;
    finding f = {.def = def, .grasps = grasps, .max = max};
    for (uint32_t grip = 0; grip < TR_GRIPS && max > 0; grip++) {
        if (!(def->grips >> grip & 1))
            continue;
        f.best_count = 0;
        scan(&f, (tr_grip)grip);
        refine(&f, (tr_grip)grip);
    }
    *count = f.count;
    if (f.count > 0)
        return TR_OK;
    if (least_side(def) > opening(def->hand))
        return tr_fail(error, TR_NOT_FOUND,
                       "no grip holds the object: it is %.3g m thick, and the hand opens to %.3g m",
                       (double)least_side(def), (double)opening(def->hand));
    return tr_fail(error, TR_NOT_FOUND,
                   "no grip holds the object, from %u directions, turned in %u ways each", def->directions,
                   def->rolls);
}
