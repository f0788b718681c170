// From walking onto footsteps and back: stairs up and down, gaps, at any phase of the stride.
#include "building.h"
#include "troupe/base/scalar.h"

#include <stdlib.h>

#define RISE 0.17f
#define GOING 0.29f
#define STEPS 6
#define LEG 4 // capsules of a leg: thigh, shank, foot, toes

typedef struct capsule {
    tr_vec3 a, b;
    float radius;
} capsule;

static float clamp(float x) {
    return x < 0 ? 0 : x > 1 ? 1 : x;
}

// How deep two capsules are in each other: exact in one parameter at a time, and convex in both.
static float depth_between(const capsule *p, const capsule *q) {
    tr_vec3 d = tr_vec3_subtract(p->b, p->a), e = tr_vec3_subtract(q->b, q->a);
    tr_vec3 r = tr_vec3_subtract(p->a, q->a);
    float dd = tr_vec3_dot(d, d), ee = tr_vec3_dot(e, e), de = tr_vec3_dot(d, e), s = 0.5f, t = 0.5f;
    for (int i = 0; i < 20; i++) {
        t = ee > 0 ? clamp((tr_vec3_dot(r, e) + s * de) / ee) : 0;
        s = dd > 0 ? clamp((t * de - tr_vec3_dot(r, d)) / dd) : 0;
    }
    tr_vec3 off = tr_vec3_add(r, tr_vec3_subtract(tr_vec3_scale(d, s), tr_vec3_scale(e, t)));
    return p->radius + q->radius - tr_vec3_length(off);
}

static uint32_t leg_of(const tr_actor_view *view, uint32_t side, capsule leg[LEG]) {
    const tr_body_def *body = tr_body_view(view->character->body);
    const tr_foot *foot = &view->character->legs.feet[side];
    const uint32_t joints[LEG] = {foot->thigh, foot->shank, foot->ankle, foot->toes};
    uint32_t count = 0;
    for (uint32_t i = 0; i < LEG; i++)
        for (uint32_t k = 0; k < body->capsule_count; k++) {
            const tr_capsule *c = &body->capsules[k];
            if (c->joint == joints[i] && count < LEG)
                leg[count++] = (capsule){tr_affine_apply(&view->model[c->joint], c->a),
                                         tr_affine_apply(&view->model[c->joint], c->b), c->radius};
        }
    return count;
}

// The deepest that a leg is in the other [m]; thighs may touch each other.
static float legs_depth(const tr_actor_view *view) {
    capsule legs[2][LEG];
    float deepest = -1;
    if (leg_of(view, 0, legs[0]) != LEG || leg_of(view, 1, legs[1]) != LEG)
        return INFINITY;
    for (int i = 0; i < LEG; i++)
        for (int k = i == 0 ? 1 : 0; k < LEG; k++) {
            float depth = depth_between(&legs[0][i], &legs[1][k]);
            deepest = depth > deepest ? depth : deepest;
        }
    return deepest;
}

// What was seen of one walk.
typedef struct walk_seen {
    float hurry;      // the greatest acceleration of the hips [m/s2], while it goes over footsteps
    float hurry_walk; // the same while it walks
    float back;       // how far the hips came back along the way [m]
    float slowest;    // the least speed of the root along the way, between start and end [m/s]
    float jump;       // the greatest change of the root's velocity from tick to tick [m/s2]
    float knee;       // the highest knee on level ground, as a share of the height of the hips
    float low;        // the least height of the hips over the lower foot, as a share of standing
    float depth;      // of a leg in the other [m]
    float pace;       // mean speed over the ground on the stairs [m/s]
    double stairs;    // time on the stairs [s]
    float ball;       // share of landings on lower footsteps that were ball first
    double hurry_at, back_at, knee_at, low_at, depth_at, jump_at, slow_at;
} walk_seen;

typedef struct walk_past {
    tr_vec3 hips[3], root[3];
    uint32_t count;
    float farthest;
} walk_past;

static float least_height(const tr_actor_view *view) {
    float low = INFINITY;
    for (uint32_t side = 0; side < 2; side++) {
        const tr_foot *foot = &view->character->legs.feet[side];
        float y[2] = {tr_foot_heel(foot, view->model).y, tr_foot_ball(foot, view->model).y};
        low = y[0] < low ? y[0] : low;
        low = y[1] < low ? y[1] : low;
    }
    return low;
}

static void keep(float value, double time, float *most, double *at) {
    if (value > *most)
        *most = value, *at = time;
}

static void look(const building *b, tr_actor_id actor, float way, bool middle, walk_past *past, walk_seen *seen) {
    tr_actor_view view = view_of(b, actor);
    const tr_legs *legs = &view.character->legs;
    double time = tr_stage_time(b->stage);
    float dt = (float)TR_STAGE_TICK, rate = 1 / dt;
    tr_vec3 hips = tr_affine_position(&view.model[legs->hips]);
    past->hips[2] = past->hips[1], past->hips[1] = past->hips[0], past->hips[0] = hips;
    past->root[2] = past->root[1], past->root[1] = past->root[0], past->root[0] = view.position;
    past->count++;
    float along = way * hips.z;
    if (past->count == 1)
        past->farthest = along;
    if (middle)
        keep(past->farthest - along, time, &seen->back, &seen->back_at);
    past->farthest = along > past->farthest ? along : past->farthest;
    if (middle && past->count > 2) {
        tr_vec3 a = tr_vec3_subtract(tr_vec3_add(past->hips[0], past->hips[2]), tr_vec3_scale(past->hips[1], 2));
        float hurry = tr_vec3_length(a) * rate * rate;
        if (view.doing == TR_ACTOR_STEPS)
            keep(hurry, time, &seen->hurry, &seen->hurry_at);
        else
            seen->hurry_walk = hurry > seen->hurry_walk ? hurry : seen->hurry_walk;
        tr_vec3 j = tr_vec3_subtract(tr_vec3_add(past->root[0], past->root[2]), tr_vec3_scale(past->root[1], 2));
        j.y = 0;
        keep(tr_vec3_length(j) * rate * rate, time, &seen->jump, &seen->jump_at);
        float speed = way * (past->root[0].z - past->root[1].z) * rate;
        if (speed < seen->slowest)
            seen->slowest = speed, seen->slow_at = time;
    }
    float low = least_height(&view), stand = tr_affine_position(&tr_skeleton_rest_model(view.character->skeleton)[legs->hips]).y;
    if (middle) {
        keep(1 - (hips.y - low) / stand, time, &seen->low, &seen->low_at);
        keep(legs_depth(&view), time, &seen->depth, &seen->depth_at);
    }
    bool level = view.position.z < -0.4f || view.position.z > (STEPS - 1) * GOING + 0.4f;
    for (uint32_t side = 0; side < 2 && level && middle; side++) {
        float knee = tr_affine_position(&view.model[legs->feet[side].shank]).y - view.position.y;
        keep(knee / (hips.y - view.position.y), time, &seen->knee, &seen->knee_at);
    }
    if (view.position.z > 0.1f && view.position.z < (STEPS - 1) * GOING - 0.1f)
        seen->stairs += (double)dt, seen->pace += fabsf(past->root[0].z - past->root[1].z);
}

static bool open_stairs(building *b, float height, float rise, float gap) {
    if (!open_building(b, height))
        return false;
    float top = STEPS * rise, begin = (STEPS - 1) * GOING;
    add_block(b->scene, NULL, tr_vec3_make(-1, -0.2f, -5), tr_vec3_make(1, 0, 0.5f));
    for (int i = 1; i < STEPS; i++) {
        float near = (float)(i - 1) * GOING;
        add_block(b->scene, NULL, tr_vec3_make(-0.8f, (float)i * rise - 0.15f, near),
                  tr_vec3_make(0.8f, (float)i * rise, near + GOING + 0.02f));
    }
    add_block(b->scene, NULL, tr_vec3_make(-1, top - 0.2f, begin), tr_vec3_make(1, top, begin + 2));
    add_block(b->scene, NULL, tr_vec3_make(-1, top - 0.2f, begin + 2 + gap), tr_vec3_make(1, top, begin + 6));
    return true;
}

static walk_seen watch(building *b, float speed, tr_vec3 from, tr_vec3 to) {
    walk_seen seen = {.slowest = INFINITY};
    walk_past past = {0};
    if (!set_stage(b, NULL, 0))
        return seen;
    float heading = from.z < to.z ? 0 : (float)TR_PI, way = from.z < to.z ? 1 : -1;
    tr_stage_actor_def def = {.character = b->character, .position = from, .heading = heading};
    tr_order order = {.kind = TR_ORDER_GO, .goal = to, .speed = speed};
    tr_actor_id actor = 0;
    tr_error error = {0};
    CHECK_INT(tr_stage_add_actor(b->stage, &def, &actor, &error), TR_OK);
    CHECK_INT(tr_stage_order(b->stage, actor, &order, TR_ORDER_QUEUE, NULL, NULL), TR_OK);
    tr_status status = TR_OK;
    while (status == TR_OK && tr_stage_time(b->stage) < 40) {
        status = tr_stage_step(b->stage, TR_STAGE_TICK, &error);
        tr_vec3 at = view_of(b, actor).position;
        bool middle = way * (at.z - from.z) > 0.8f && way * (to.z - at.z) > 0.9f;
        look(b, actor, way, middle, &past, &seen);
        if (getenv("FROM") && tr_stage_time(b->stage) > atof(getenv("FROM")) && tr_stage_time(b->stage) < atof(getenv("TO"))) {
            tr_actor_view v = view_of(b, actor);
            const tr_legs *l = &v.character->legs;
            tr_vec3 h = tr_affine_position(&v.model[l->hips]), h1 = past.hips[1], h2 = past.hips[2];
            printf("%.3f d%d c%x z %.3f v %.2f hips %.3f %.3f %.3f a %6.1f %6.1f %6.1f", tr_stage_time(b->stage), v.doing, v.contacts, way * v.position.z,
                   way * (past.root[0].z - past.root[1].z) * 30, h.x, h.y, way * h.z, 900 * (h.x + h2.x - 2 * h1.x), 900 * (h.y + h2.y - 2 * h1.y), 900 * way * (h.z + h2.z - 2 * h1.z));
            for (int i = 0; i < 2; i++) {
                tr_vec3 q = tr_foot_heel(&l->feet[i], v.model), r = tr_foot_ball(&l->feet[i], v.model), k = tr_affine_position(&v.model[l->feet[i].shank]);
                printf(" | heel %.3f %.3f %.3f ball %.3f %.3f knee %.3f", q.x, q.y, way * q.z, r.y, way * r.z, k.y);
            }
            printf("\n");
        }
    }
    CHECK_INT(status, TR_DONE);
    CHECK_INT(report_of(b, actor).state, TR_ORDER_DONE);
    seen.pace = seen.stairs > 0 ? seen.pace / (float)seen.stairs : 0;
    tr_stage_destroy(b->stage);
    b->stage = NULL;
    return seen;
}

TEST(explore) {
    static const float speeds[] = {0.6f, 1.0f, 1.3f, 1.8f};
    static const float heights[] = {1.1f, 1.75f, 2.0f};
    int only = getenv("H") ? atoi(getenv("H")) : -1, step = getenv("STEP") ? atoi(getenv("STEP")) : 4;
    for (int h = 0; h < 3; h++) {
        if (only >= 0 && h != only)
            continue;
        int os = getenv("S") ? atoi(getenv("S")) : -1, od = getenv("D") ? atoi(getenv("D")) : -1, oi = getenv("I") ? atoi(getenv("I")) : -1;
        building b;
        float rise = heights[h] < 1.5f ? 0.12f : RISE;
        REQUIRE(open_stairs(&b, heights[h], rise, 0.3f));
        for (int s = 0; s < 4; s++)
            for (int down = 0; down < 2; down++)
                for (int i = 0; i < 40; i += step) {
                    if ((os >= 0 && os != s) || (od >= 0 && od != down) || (oi >= 0 && oi != i))
                        continue;
                    tr_vec3 low = {0, 0, -3 - 0.02f * (float)i}, high = {0, STEPS * rise, (STEPS - 1) * GOING + 4.5f};
                    tr_vec3 high2 = {0, STEPS * rise, high.z - 0.02f * (float)i}, low2 = {0, 0, -2.5f};
                    walk_seen seen = watch(&b, speeds[s], down ? high2 : low, down ? low2 : high);
                    printf("h %.2f v %.1f %s %2d: hurry %5.1f@%.2f walk %4.1f back %4.1f mm@%.2f slowest %.2f@%.2f jump "
                           "%5.1f@%.2f knee %.2f@%.2f low %.3f@%.2f depth %5.1f@%.2f pace %.2f\n",
                           (double)heights[h], (double)speeds[s], down ? "down" : "up  ", i, (double)seen.hurry,
                           seen.hurry_at, (double)seen.hurry_walk, 1000 * (double)seen.back, seen.back_at, (double)seen.slowest, seen.slow_at,
                           (double)seen.jump, seen.jump_at, (double)seen.knee, seen.knee_at, (double)seen.low, seen.low_at,
                           1000 * (double)seen.depth, seen.depth_at, (double)seen.pace);
                }
        close_building(&b);
    }
}
