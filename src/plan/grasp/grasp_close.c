// Fingers close until they touch: each bone stops at the object, and the bones beyond it go on.
#include "grasp_parts.h"
#include "hand_parts.h"
#include "troupe/world/distance.h"

#define STEPS_MAX 400        // of one finger
#define LEAST_STEP 1e-4f     // of the share from open to closed
#define PALM_TOUCHES 0.0015f // the hand came to rest with its palm this near [m]
#define EXACT 0.003f         // [m]
#define ENOUGH 0.1f          // steps are no longer than this [m]
#define FAR 0.25f            // distances beyond it do not matter [m]

tr_affine tr_grasp_place(const tr_grasp *grasp) {
    tr_transform place = {grasp->wrist, grasp->rotation, {1, 1, 1}};
    return tr_affine_from_transform(place);
}

// The distance of a capsule from the object, up to `limit`: exact where it is small, with the point of
// contact; a lower bound further away, which costs less.
static float room_of(const tr_grasp_def *def, const tr_solid_capsule *capsule, float limit,
                     tr_solid_hit *hit) {
    float enough = limit < EXACT ? EXACT : limit < ENOUGH ? limit : ENOUGH;
    float room = tr_solid_clearance(def->object, capsule, enough);
    if (room >= EXACT || room >= limit)
        return room;
    return tr_solid_distance(def->object, capsule->a, capsule->b, limit + capsule->radius, hit) -
           capsule->radius;
}

float tr_grasp_gap(const tr_grasp_def *def, const tr_solid_capsule *capsules, uint32_t count, float limit) {
    float least = limit;
    for (uint32_t i = 0; i < count; i++) {
        float gap = room_of(def, &capsules[i], least, NULL);
        least = gap < least ? gap : least;
    }
    return least;
}

static bool is_clear_of_others(const tr_grasp_def *def, const tr_grasp *grasp,
                               const tr_hand_posture *posture) {
    if (!def->others)
        return true;
    tr_solid_capsule capsules[TR_HAND_CAPSULES];
    tr_affine place = tr_grasp_place(grasp);
    uint32_t count = tr_hand_capsules(def->hand, posture, &place, capsules, NULL);
    for (uint32_t i = 0; i < count; i++) {
        float room = capsules[i].radius + def->margin;
        if (!(tr_solid_distance(def->others, capsules[i].a, capsules[i].b, 2 * room, NULL) > room))
            return false;
    }
    return true;
}

// A finger while it closes.
typedef struct closing {
    const tr_grasp_def *def;
    tr_grasp *grasp;
    tr_affine place;
    uint32_t finger;
    tr_hand_posture closed;
    uint32_t first;                         // the bones before it have come to rest
    tr_solid_capsule met[TR_HAND_CAPSULES]; // bones of other fingers, which the thumb must not enter
    uint32_t met_count;
} closing;

// The most that a point of the bones that move moves while the share goes from 0 to 1.
static float speed_of(const closing *c) {
    const tr_finger *finger = &c->def->hand->fingers[c->finger];
    float speed = 0, rest = 0;
    for (uint32_t b = finger->bones; b-- > c->first;) {
        rest += tr_vec3_distance(finger->joints[b], finger->joints[b + 1]);
        float turn = c->closed.bend[c->finger][b] - c->grasp->open.bend[c->finger][b];
        speed += rest * (turn < 0 ? -turn : turn);
    }
    return speed;
}

static void add_contact(tr_grasp *grasp, uint32_t finger, uint32_t bone, const tr_solid_hit *hit) {
    tr_vec3 inwards = tr_vec3_subtract(hit->on_triangle, hit->on_line);
    float length = tr_vec3_length(inwards);
    if (!(length > 0) || grasp->contact_count == TR_GRASP_CONTACTS)
        return;
    tr_grasp_contact contact = {finger, bone, hit->on_triangle, tr_vec3_scale(inwards, 1 / length)};
    grasp->contacts[grasp->contact_count++] = contact;
}

static float gap_to_met(const closing *c, tr_solid_capsule bone, float limit) {
    for (uint32_t i = 0; i < c->met_count; i++) {
        const tr_solid_capsule *other = &c->met[i];
        float square = tr_distance_segments(bone.a, bone.b, other->a, other->b, NULL, NULL);
        float gap = sqrtf(square) - bone.radius - other->radius;
        limit = gap < limit ? gap : limit;
    }
    return limit;
}

// The bone that is nearest to what it may touch, of those that move. `gap` is the distance.
static uint32_t nearest_bone(const closing *c, float *gap, bool *is_object, tr_solid_hit *hit) {
    const tr_finger *finger = &c->def->hand->fingers[c->finger];
    tr_finger_place bones = tr_hand_put(c->def->hand, &c->grasp->closed, c->finger);
    uint32_t nearest = c->first;
    *gap = FAR;
    for (uint32_t b = c->first; b < finger->bones; b++) {
        tr_solid_capsule bone = {tr_affine_apply(&c->place, bones.joints[b]),
                                 tr_affine_apply(&c->place, bones.joints[b + 1]), finger->radius[b]};
        tr_solid_hit found = {0};
        float distance = room_of(c->def, &bone, *gap, &found);
        if (distance < *gap) {
            *gap = distance;
            *hit = found;
            *is_object = true;
            nearest = b;
        }
        float met = gap_to_met(c, bone, *gap);
        if (met < *gap) {
            *gap = met;
            *is_object = false;
            nearest = b;
        }
    }
    return nearest;
}

static void bend_to(const closing *c, float share) {
    float(*bend)[TR_FINGER_BONES] = c->grasp->closed.bend;
    for (uint32_t b = c->first; b < TR_FINGER_BONES; b++) {
        float from = c->grasp->open.bend[c->finger][b], to = c->closed.bend[c->finger][b];
        bend[c->finger][b] = from + share * (to - from);
    }
}

// No step is longer than the gap allows, so that no bone passes through a surface.
static void close_finger(closing *c) {
    uint32_t bones = c->def->hand->fingers[c->finger].bones;
    float share = 0, speed = speed_of(c);
    for (int step = 0; step < STEPS_MAX && c->first < bones; step++) {
        bend_to(c, share);
        float gap;
        bool is_object = false;
        tr_solid_hit hit = {0};
        uint32_t bone = nearest_bone(c, &gap, &is_object, &hit);
        if (gap <= TR_GRASP_TOUCH) {
            if (is_object)
                add_contact(c->grasp, c->finger, bone, &hit);
            c->first = bone + 1;
            speed = speed_of(c);
            continue;
        }
        if (share >= 1)
            break;
        float by = speed > 0 ? (gap - 0.5f * TR_GRASP_TOUCH) / speed : 1;
        share += by > LEAST_STEP ? by : LEAST_STEP;
        share = share < 1 ? share : 1;
    }
}

// A palm that lies on something touches it with a whole area: its four corners tell.
static void touch_with_palm(const tr_grasp_def *def, tr_grasp *grasp, const tr_affine *place) {
    tr_solid_capsule palm[2];
    uint32_t count = tr_hand_palm_capsules(def->hand, palm);
    for (uint32_t i = 0; i < 2 * count; i++) {
        tr_vec3 corner = tr_affine_apply(place, i % 2 ? palm[i / 2].a : palm[i / 2].b);
        float reach = palm[i / 2].radius + PALM_TOUCHES;
        tr_solid_hit hit = {0};
        if (tr_solid_distance(def->object, corner, corner, reach, &hit) < reach)
            add_contact(grasp, TR_FINGERS, i, &hit);
    }
}

bool tr_grasp_try(const tr_grasp_def *def, tr_grasp *grasp) {
    tr_affine place = tr_grasp_place(grasp);
    tr_solid_capsule capsules[TR_HAND_CAPSULES];
    uint32_t fingers[TR_HAND_CAPSULES];
    uint32_t count = tr_hand_capsules(def->hand, &grasp->open, &place, capsules, fingers);
    grasp->contact_count = 0;
    grasp->quality = 0;
    if (tr_grasp_gap(def, capsules, count, FAR) < 0 || !is_clear_of_others(def, grasp, &grasp->open))
        return false;
    grasp->closed = grasp->open;
    touch_with_palm(def, grasp, &place);
    closing c = {
        .def = def, .grasp = grasp, .place = place, .closed = tr_grip_posture(def->hand, grasp->grip, 0)};
    // The thumb comes last and stops at the other fingers.
    for (uint32_t i = 1; i <= TR_FINGERS; i++) {
        c.finger = i % TR_FINGERS;
        c.first = 0;
        if (c.finger == TR_THUMB) {
            count = tr_hand_capsules(def->hand, &grasp->closed, &place, capsules, fingers);
            for (uint32_t k = 0; k < count; k++)
                if (fingers[k] != TR_THUMB && fingers[k] != TR_FINGERS)
                    c.met[c.met_count++] = capsules[k];
        }
        close_finger(&c);
    }
    grasp->quality = tr_grasp_quality(def, grasp);
    return grasp->quality > 0 && is_clear_of_others(def, grasp, &grasp->closed);
}

tr_status tr_grasp_close(const tr_grasp_def *def, tr_grasp *grasp, tr_error *error) {
    tr_status status = tr_grasp_check(def, error);
    if (status != TR_OK)
        return status;
    if ((uint32_t)grasp->grip >= TR_GRIPS)
        return tr_fail(error, TR_INVALID, "the grip is %d, it must be 0 to %d", (int)grasp->grip,
                       TR_GRIPS - 1);
    if (!tr_vec3_is_finite(grasp->wrist))
        return tr_fail(error, TR_INVALID, "the wrist of the grasp is not finite");
    grasp->rotation = tr_quat_normalize(grasp->rotation);
    grasp->open = tr_hand_clamp(def->hand, grasp->open);
    if (tr_grasp_try(def, grasp))
        return TR_OK;
    return tr_fail(error, TR_NOT_FOUND, "the hand does not hold the object there");
}
