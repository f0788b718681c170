// Feet in the air keep clear of other feet: those of other bodies, and the other foot of the same body. A
// foot that would come down in one is moved aside while it swings, just far enough, and stands there.
//
// Feet are seen from above. Their height does not count: a foot that is passed under now may come down in the
// next moment.
#include "motion/overlay/overlay_pull.h"
#include "foot_lock_foot.h"

#define SPARE 0.01f      // distance kept from the feet of others where that is smoothly possible [m]
#define PULL 18.0f       // of the spring that moves a foot [1/s]
#define AHEAD 0.2f       // how long a swinging foot looks ahead [s]
#define AHEAD_MOST 0.6f  // and how far [m]
#define LOOKS 4          // at so many places on the way: no further apart than a sole is long
#define SWING_AHEAD 0.1f // swinging feet of others are extrapolated for this long [s]
#define MOST 0.25f       // a foot is moved no further than this [m]
#define LEVEL 0.3f       // feet with a greater difference in height do not touch [m]
#define FAR 18.0f       // nor do feet whose middle is further from the other's heel, in half widths of a foot
#define ROUNDS 3        // of leaving one bar after the other
#define HARD_SPEED 3.0f // a foot that is still too close is moved at most this fast [m/s]
#define LEAST 1e-4f     // a smaller distance counts as 0 [m]

static const tr_vec2 none = {0, 0};

// A sole from above: discs from heel to tip.
typedef struct sole_discs {
    tr_vec2 at[3];
    float radius, height;
} sole_discs;

static sole_discs discs_of(const leg_view *leg, tr_vec3 ankle, tr_vec3 heel, tr_vec3 toes) {
    float x = (toes.x - heel.x) * leg->tip, z = (toes.z - heel.z) * leg->tip, w = leg->width;
    float length = sqrtf(x * x + z * z), inset = length > 2 * w ? w / length : 0.5f;
    sole_discs discs = {.radius = w, .height = ankle.y + heel.y};
    for (int i = 0; i < 3; i++) {
        float part = inset + (1 - 2 * inset) * 0.5f * (float)i;
        discs.at[i] = (tr_vec2){ankle.x + heel.x + part * x, ankle.z + heel.z + part * z};
    }
    return discs;
}

// The offset from the nearest point of a bar's middle line to a point.
static tr_vec2 off_bar(const tr_foot_lock_bar *bar, tr_vec2 at) {
    float x = bar->tip.x - bar->heel.x, z = bar->tip.z - bar->heel.z, size = x * x + z * z;
    float inset = size > 4 * bar->width * bar->width ? bar->width / sqrtf(size) : 0.5f;
    float t = size > 0 ? ((at.x - bar->heel.x) * x + (at.z - bar->heel.z) * z) / size : 0.5f;
    t = t < inset ? inset : t > 1 - inset ? 1 - inset : t;
    return (tr_vec2){at.x - bar->heel.x - t * x, at.z - bar->heel.z - t * z};
}

float tr_foot_lock_soles_apart(const leg_view *leg, const leg_view *other) {
    sole_discs sole = discs_of(leg, leg->ankle, leg->heel, leg->toes);
    tr_foot_lock_bar bar = {.heel = tr_vec3_add(other->ankle, other->heel), .width = other->width};
    bar.tip = tr_vec3_add(bar.heel, tr_vec3_scale(tr_vec3_subtract(other->toes, other->heel), other->tip));
    float least = INFINITY;
    for (int i = 0; i < 3; i++) {
        tr_vec2 off = off_bar(&bar, sole.at[i]);
        float square = off.x * off.x + off.z * off.z;
        least = square < least ? square : least;
    }
    return sqrtf(least);
}

// How deep a disc is in a bar, and the direction out of it.
static float depth_in(const tr_foot_lock_bar *bar, tr_vec2 at, float radius, tr_vec2 *out) {
    tr_vec2 off = off_bar(bar, at);
    float square = off.x * off.x + off.z * off.z, most = radius + bar->width;
    if (!(square < most * most))
        return 0;
    float distance = sqrtf(square), along = off.x * bar->away.x + off.z * bar->away.z;
    if (along > 0) {
        *out = (tr_vec2){off.x / distance, off.z / distance};
        return most - distance;
    }
    // Beyond the middle of the bar: back to the side that it came from.
    *out = bar->away;
    return sqrtf(most * most - square + along * along) - along;
}

static float deepest_in(const tr_foot_lock_bar *bar, const sole_discs *sole, tr_vec2 moved, float spare,
                        tr_vec2 *out) {
    float deepest = 0;
    float far = FAR * (sole->radius > bar->width ? sole->radius : bar->width);
    float lowest = bar->heel.y < bar->tip.y ? bar->heel.y : bar->tip.y;
    float x = sole->at[1].x + moved.x - bar->heel.x, z = sole->at[1].z + moved.z - bar->heel.z;
    if (!(fabsf(lowest - sole->height) < LEVEL) || x * x + z * z > far * far)
        return 0;
    for (int i = 0; i < 3; i++) {
        tr_vec2 way = bar->away, at = {sole->at[i].x + moved.x, sole->at[i].z + moved.z};
        float depth = depth_in(bar, at, sole->radius + spare, &way);
        if (depth > deepest)
            deepest = depth, *out = way;
    }
    return deepest;
}

// The place of a bar after some time. false: unknown.
static bool bar_then(const tr_foot_lock_bar *bar, float time, tr_foot_lock_bar *then) {
    *then = *bar;
    if (bar->stays || time == 0)
        return true;
    float x = time * bar->velocity.x, z = time * bar->velocity.z;
    then->heel = tr_vec3_make(bar->heel.x + x, bar->heel.y, bar->heel.z + z);
    then->tip = tr_vec3_make(bar->tip.x + x, bar->tip.y, bar->tip.z + z);
    return time <= SWING_AHEAD && (x != 0 || z != 0);
}

// The further move from `moved` that takes a foot out of all bars after `time`.
static tr_vec2 move_out(const tr_foot_lock_params *params, const tr_foot_lock_bar *own,
                        const sole_discs *sole, float spare, float time, tr_vec2 moved) {
    for (int round = 0; round < ROUNDS; round++) {
        bool in = false;
        for (uint32_t i = 0; i <= params->bar_count; i++) {
            const tr_foot_lock_bar *bar = i < params->bar_count ? &params->bars[i] : own;
            tr_foot_lock_bar then;
            tr_vec2 out = none;
            float depth = bar && bar_then(bar, time, &then)
                              ? deepest_in(&then, sole, moved, bar == own ? 0 : spare, &out)
                              : 0;
            if (!(depth > LEAST))
                continue;
            moved.x += bar->share * depth * out.x;
            moved.z += bar->share * depth * out.z;
            in = true;
        }
        if (!in)
            break;
    }
    float size = sqrtf(moved.x * moved.x + moved.z * moved.z), part = size > MOST ? MOST / size : 1;
    return (tr_vec2){part * moved.x, part * moved.z};
}

// The way that a foot still goes at its present acceleration.
static tr_vec2 way_ahead(const tr_foot_lock_foot *foot, tr_vec3 ankle, float dt) {
    const tr_foot_lock_past *last = &foot->past[0], *before = &foot->past[1];
    if (!(dt > 0) || !(foot->past_time > 0))
        return (tr_vec2){0, 0};
    float x = (ankle.x - last->meant.x) / dt, z = (ankle.z - last->meant.z) / dt;
    float old_x = (last->meant.x - before->meant.x) / foot->past_time,
          old_z = (last->meant.z - before->meant.z) / foot->past_time;
    float speed = sqrtf(x * x + z * z);
    if (!(speed > 1e-3f))
        return (tr_vec2){0, 0};
    float gain = ((x - old_x) * x + (z - old_z) * z) / (speed * dt);
    float time = -gain * AHEAD > speed ? speed / -gain : AHEAD, distance = time * (speed + gain * time / 2);
    float scale = (distance < AHEAD_MOST ? distance : AHEAD_MOST) / speed;
    return (tr_vec2){x * scale, z * scale};
}

static void shift(sole_discs *sole, tr_vec2 by) {
    for (int i = 0; i < 3; i++)
        sole->at[i].x += by.x, sole->at[i].z += by.z;
}

tr_vec3 tr_foot_lock_push(tr_foot_lock_foot *foot, const tr_foot_lock_params *params, const leg_view *leg,
                          const foot_news *news, tr_vec3 position, tr_vec3 heel, tr_vec3 toes) {
    tr_vec2 *push = &foot->push, *rate = &foot->push_rate;
    bool moved = push->x != 0 || push->z != 0 || rate->x != 0 || rate->z != 0;
    if (!moved && !news->own && params->bar_count == 0 && foot->aside == 0)
        return position;
    sole_discs now = discs_of(leg, position, heel, toes);
    now.height += news->plane ? foot->ground.at.y : 0;
    sole_discs then = now;
    tr_vec2 way = params->bar_count > 0 ? way_ahead(foot, leg->ankle, news->dt) : none;
    tr_vec2 goal = move_out(params, news->own, &now, SPARE, 0, none);
    const float part = 1.0f / LOOKS;
    for (int i = 1; i <= LOOKS && params->bar_count > 0; i++) {
        shift(&then, (tr_vec2){part * way.x, part * way.z});
        goal = move_out(params, news->own, &then, SPARE, part * AHEAD * (float)i, goal);
    }
    if (foot->aside > 0) {
        float out = (push->x - goal.x) * leg->out.x + (push->z - goal.z) * leg->out.z + foot->aside;
        out = out < 0 ? 0 : out > MOST ? MOST : out;
        goal = (tr_vec2){goal.x + out * leg->out.x, goal.z + out * leg->out.z};
    }
    if (!moved && goal.x == 0 && goal.z == 0)
        return position;
    tr_vec2 before = *push;
    tr_overlay_pull(PULL, goal.x, news->dt, &push->x, &rate->x);
    tr_overlay_pull(PULL, goal.z, news->dt, &push->z, &rate->z);
    tr_vec2 kept = move_out(params, news->own, &now, 0, 0, *push);
    float x = kept.x - push->x, z = kept.z - push->z, by = sqrtf(x * x + z * z), most = HARD_SPEED * news->dt;
    if (by > 0) {
        float share = by > most ? most / by : 1; // so that no foot jumps
        *push = kept = (tr_vec2){push->x + share * x, push->z + share * z};
        if (news->dt > 0)
            *rate = (tr_vec2){(kept.x - before.x) / news->dt, (kept.z - before.z) / news->dt};
    }
    if (goal.x == 0 && goal.z == 0 && push->x * push->x + push->z * push->z < LEAST * LEAST)
        *push = *rate = none;
    return tr_vec3_make(position.x + push->x, position.y, position.z + push->z);
}
