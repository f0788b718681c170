// Streams: an actor among others that all go its way keeps its place among them. If all moved over to the
// lane on the right, as they do where others come the other way, they would crowd there and leave the rest of
// a corridor empty.
#include "stage/stage_data.h"

#define BESIDE 3.0f   // others this near belong to the stream [m]
#define AGAINST -0.5f // ways with a smaller cosine lead the other way
#define ASIDE 10.0f   // others whose line passes farther away than this do not meet the stream [m]
#define NEIGHBOURS 32
#define COMING 40.0f // people who come the other way matter within this distance [m]
#define SOON 6.0f    // one of them at a distance of d metres adds SOON / d to the tangent at which an actor
#define STEEP 1.5f   // goes to its lane, which is at most this
#define OTHERS 256

// Where an actor is going to, as the crow flies, even if it has no way yet. false: nobody knows.
static bool aim_of(const stage_actor *who, tr_vec3 *aim) {
    if (tr_stage_piece(who)) {
        *aim = who->way.points[who->way.point_count - 1].position;
        return true;
    }
    const tr_order *order = who->current < who->order_count ? &who->orders[who->current].order : NULL;
    if (!order || order->kind != TR_ORDER_GO ||
        (order->goal_kind != TR_GOAL_POINT && order->goal_kind != TR_GOAL_REGION))
        return false;
    tr_vec3 middle = tr_vec3_scale(tr_vec3_add(order->region.min, order->region.max), 0.5f);
    *aim = order->goal_kind == TR_GOAL_POINT ? order->goal : middle;
    return true;
}

// Its direction, and how far it has to go. false: nowhere.
static bool heads_for(tr_vec3 from, tr_vec3 to, tr_vec2 *ahead, float *length) {
    float x = to.x - from.x, z = to.z - from.z;
    *length = sqrtf(x * x + z * z);
    if (!(*length > 0))
        return false;
    *ahead = (tr_vec2){x / *length, z / *length};
    return true;
}

typedef struct stream_line {
    tr_vec3 at;
    tr_vec2 ahead;
    float length;
} stream_line;

static bool goes_along(const stream_line *line, const stage_actor *other) {
    tr_vec2 to;
    tr_vec3 aim;
    float length;
    return aim_of(other, &aim) && heads_for(tr_stage_place_of(other), aim, &to, &length) &&
           to.x * line->ahead.x + to.z * line->ahead.z >= TUNE_SAME_WAY;
}

// Does the other actor come the other way, from anywhere ahead?
static bool comes_against(const stream_line *line, const stage_actor *other) {
    tr_vec3 aim, at = tr_stage_place_of(other);
    tr_vec2 to;
    float length, x = at.x - line->at.x, z = at.z - line->at.z;
    float along = x * line->ahead.x + z * line->ahead.z, off = x * line->ahead.z - z * line->ahead.x;
    return along > 0 && along < line->length + ASIDE && fabsf(off) < ASIDE && aim_of(other, &aim) &&
           heads_for(at, aim, &to, &length) && to.x * line->ahead.x + to.z * line->ahead.z < AGAINST;
}

bool tr_stage_is_in_stream(const tr_stage *stage, const stage_actor *who, tr_vec3 goal) {
    stream_line line = {.at = tr_stage_place_of(who)};
    uint32_t near[NEIGHBOURS];
    if (!heads_for(line.at, goal, &line.ahead, &line.length))
        return false;
    uint32_t count = tr_timeline_near(stage->timeline, line.at, BESIDE, 1, who->height, near, NEIGHBOURS);
    bool along = false;
    for (uint32_t i = 0; i < count && i < NEIGHBOURS && !along; i++)
        along = near[i] != who->body && stage->bodies[near[i]] && goes_along(&line, stage->bodies[near[i]]);
    for (uint32_t i = 0; i < stage->actor_count && along; i++)
        along = stage->actors[i] == who || !comes_against(&line, stage->actors[i]);
    return along;
}

float tr_stage_merge(const tr_stage *stage, const stage_actor *who, tr_vec3 goal) {
    stream_line line = {.at = tr_stage_place_of(who)};
    uint32_t near[OTHERS];
    if (!heads_for(line.at, goal, &line.ahead, &line.length))
        return TR_GO_MERGE;
    uint32_t count = tr_timeline_near(stage->timeline, line.at, COMING, 1, who->height, near, OTHERS);
    float tangent = 0;
    for (uint32_t i = 0; i < count && i < OTHERS; i++) {
        const stage_actor *other = near[i] != who->body ? stage->bodies[near[i]] : NULL;
        if (!other || !comes_against(&line, other))
            continue;
        float apart = tr_vec3_distance_from_above(line.at, tr_stage_place_of(other));
        tangent += apart > 0 ? SOON / apart : STEEP;
    }
    return tangent < TR_GO_MERGE ? TR_GO_MERGE : tangent < STEEP ? tangent : STEEP;
}
