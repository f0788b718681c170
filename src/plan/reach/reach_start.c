// A start that is not simply at rest: an arm that touches something pulls back to the nearest free posture,
// an arm that moves continues a little in its direction before it turns.
#include "reach_data.h"
#include "troupe/world/distance.h"

#include <math.h>

#define RINGS 7
#define TRIES 48 // in each ring
#define LEAST_RING 0.03f
#define STEP 0.01f     // [rad] between the samples of the way out
#define RUN_TIME 0.12f // [s] that a moving arm continues, if it can
#define RUN_HALVINGS 4
#define PUSHES_MAX 8
#define PUSH_STEP 1e-3f   // [rad] over which the effect of a joint is measured
#define PUSH_ROOM 1.5f    // margins that a push aims for
#define PUSH_ANGLE 0.25f  // largest angle of one push [rad]
#define LEAST_SPEED 0.02f // [rad/s]

// Where the arm is too near to something: the link, the point on it, and the direction away.
typedef struct reach_contact {
    uint32_t link;
    float share, gap; // along the link; from its surface [m]
    tr_vec3 off;      // unit
} reach_contact;

static void set_contact(const tr_vec3 points[4], uint32_t link, tr_vec3 on_link, tr_vec3 on_other, float gap,
                        reach_contact *contact) {
    tr_vec3 along = tr_vec3_subtract(points[link + 1], points[link]),
            off = tr_vec3_subtract(on_link, on_other);
    float square = tr_vec3_dot(along, along), length = tr_vec3_length(off);
    contact->link = link;
    contact->gap = gap;
    contact->share = square > 0 ? tr_vec3_dot(tr_vec3_subtract(on_link, points[link]), along) / square : 0;
    contact->off = length > 1e-6f ? tr_vec3_scale(off, 1 / length) : tr_vec3_make(0, 0, 0);
}

// The nearest obstacle of each link that leaves less than `room`; returns how many links have one.
static uint32_t find_contacts(const tr_reach *reach, const tr_vec3 points[4], float room,
                              reach_contact contacts[TR_ARM_LINKS]) {
    const reach_lanes *lanes = &reach->lanes;
    uint32_t count = 0;
    for (uint32_t link = 0; link < TR_ARM_LINKS; link++) {
        float radius = reach->arm.radius[link], least = room;
        tr_vec3 a, b;
        tr_reach_link_ends(reach, link, points, &a, &b);
        tr_solid_hit hit;
        tr_solid_capsule capsule = {a, b, radius};
        bool near = reach->solid && tr_solid_clearance(reach->solid, &capsule, room) < room;
        float far = near ? tr_solid_distance(reach->solid, a, b, radius + room, &hit) : INFINITY;
        if (far < radius + room) {
            least = far - radius;
            set_contact(points, link, hit.on_line, hit.on_triangle, least, &contacts[count]);
        }
        for (uint32_t i = 0; i < reach->body_count; i++) {
            tr_vec3 c = {lanes->start[0][i], lanes->start[1][i], lanes->start[2][i]}, on_link, on_body;
            tr_vec3 d = {c.x + lanes->along[0][i], c.y + lanes->along[1][i], c.z + lanes->along[2][i]};
            if (!(reach->bodies[i].links >> link & 1))
                continue;
            float gap =
                sqrtf(tr_distance_segments(a, b, c, d, &on_link, &on_body)) - radius - lanes->radius[i];
            if (gap < least) {
                least = gap;
                set_contact(points, link, on_link, on_body, gap, &contacts[count]);
            }
        }
        count += least < room;
    }
    return count;
}

// The smallest change of angles that moves the link away by the missing distance.
static bool push(const tr_reach *reach, const tr_vec3 points[4], const reach_contact *contact, float room,
                 tr_posture *posture) {
    float slope[TR_ARM_JOINTS], square = 0, keep = 1 - contact->share;
    const tr_vec3 *a = &points[contact->link], *b = a + 1;
    tr_vec3 here = tr_vec3_add(tr_vec3_scale(*a, keep), tr_vec3_scale(*b, contact->share));
    for (int i = 0; i < TR_ARM_JOINTS; i++) {
        tr_posture turned = *posture;
        tr_vec3 moved[4];
        turned.q[i] += PUSH_STEP;
        tr_arm_points(&reach->arm, &turned, moved);
        tr_vec3 there = tr_vec3_add(tr_vec3_scale(moved[contact->link], keep),
                                    tr_vec3_scale(moved[contact->link + 1], contact->share));
        slope[i] = tr_vec3_dot(tr_vec3_subtract(there, here), contact->off) / PUSH_STEP;
        // A joint at its limit cannot help in that direction.
        bool stuck =
            slope[i] > 0 ? posture->q[i] >= reach->arm.high.q[i] : posture->q[i] <= reach->arm.low.q[i];
        slope[i] = stuck ? 0 : slope[i];
        square += slope[i] * slope[i];
    }
    float share = (room - contact->gap) / (square > 1e-6f ? square : 1e-6f);
    for (int i = 0; i < TR_ARM_JOINTS; i++) {
        float turn = slope[i] * share;
        turn = turn > PUSH_ANGLE ? PUSH_ANGLE : turn < -PUSH_ANGLE ? -PUSH_ANGLE : turn;
        posture->q[i] += turn;
    }
    *posture = tr_arm_clamp(&reach->arm, *posture);
    return square > 1e-6f;
}

bool tr_reach_make_room(tr_reach *reach, float room, uint32_t pushes, tr_posture *posture) {
    for (uint32_t i = 0; i < pushes; i++) {
        tr_vec3 points[4];
        reach_contact contacts[TR_ARM_LINKS];
        tr_arm_points(&reach->arm, posture, points);
        uint32_t count = find_contacts(reach, points, room, contacts);
        reach->result.checks++;
        if (count == 0)
            return true;
        for (uint32_t k = 0; k < count; k++)
            if (!push(reach, points, &contacts[k], 1.2f * room, posture))
                return false;
    }
    return false;
}

bool tr_reach_push_off(tr_reach *reach, const tr_posture *from, tr_posture *to) {
    float margin = reach->margin;
    *to = *from;
    tr_reach_make_room(reach, PUSH_ROOM * margin, PUSHES_MAX, to);
    if (!tr_reach_is_clear(reach, to, REACH_ALL))
        return false;
    reach->margin = reach->margin_ends;
    bool free = tr_reach_edge(reach, from, to);
    reach->margin = margin;
    return free;
}

// On the way out the arm touches, then no longer: it must not pass through a thin obstacle.
static bool leads_out(tr_reach *reach, const tr_posture *out) {
    float length = sqrtf(tr_reach_gap(&reach->start, out));
    uint32_t steps = (uint32_t)(length / STEP) + 1;
    bool was_free = false;
    for (uint32_t i = 0; i <= steps; i++) {
        tr_posture posture = tr_reach_between(&reach->start, out, (float)i / (float)steps);
        bool free = tr_reach_is_clear(reach, &posture, REACH_ALL);
        if (was_free && !free)
            return false;
        was_free = free;
    }
    return was_free;
}

bool tr_reach_get_out(tr_reach *reach, tr_posture *out) {
    float ring = LEAST_RING;
    for (int k = 0; k < RINGS; k++, ring *= 1.6f)
        for (int i = 0; i < TRIES; i++) {
            tr_posture tried = reach->start;
            float square = 0, change[TR_ARM_ANGLES] = {0};
            for (uint32_t d = 0; d < reach->dimensions; d++) {
                change[d] = tr_random_between(&reach->random, -1, 1);
                square += change[d] * change[d];
            }
            for (uint32_t d = 0; d < reach->dimensions && square > 0; d++)
                tried.q[d] += change[d] * ring / sqrtf(square);
            tried = tr_arm_clamp(&reach->arm, tried);
            if (tr_reach_is_clear(reach, &tried, REACH_ALL) && leads_out(reach, &tried)) {
                *out = tried;
                return true;
            }
        }
    return false;
}

bool tr_reach_run_on(tr_reach *reach, const tr_posture *velocity, tr_posture *end) {
    float time = RUN_TIME;
    static const tr_posture still = {{0}};
    if (tr_reach_gap(velocity, &still) < LEAST_SPEED * LEAST_SPEED)
        return false;
    for (int i = 0; i < RUN_HALVINGS; i++, time *= 0.5f) {
        for (int k = 0; k < TR_ARM_ANGLES; k++)
            end->q[k] = reach->start.q[k] + velocity->q[k] * time;
        if (tr_arm_allows(&reach->arm, end, 0) && tr_reach_edge(reach, &reach->start, end))
            return true;
    }
    return false;
}
