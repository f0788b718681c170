// Feet that keep out of feet. Others are feet on the floor ahead of a body that walks; soles are measured
// here by themselves, from above.
#include "motion/driver/driven_body.h"

#define THICK 0.033f // half the width of a foot [m]

// From above, the middle line of a foot: a little inside heel and tip.
typedef struct line {
    tr_vec2 a, b;
} line;

static line line_between(tr_vec3 heel, tr_vec3 tip) {
    tr_vec2 along = {tip.x - heel.x, tip.z - heel.z};
    float inset = THICK / sqrtf(along.x * along.x + along.z * along.z);
    return (line){{heel.x + inset * along.x, heel.z + inset * along.z},
                  {tip.x - inset * along.x, tip.z - inset * along.z}};
}

static line foot_line(const driven *d, uint32_t side) {
    const tr_foot *foot = &d->cast->legs.feet[side];
    return line_between(tr_foot_heel(foot, d->model), tr_foot_tip(foot, d->model));
}

// By points along both.
static float lines_apart(const line *p, const line *q) {
    float least = INFINITY;
    for (int i = 0; i <= 20; i++)
        for (int k = 0; k <= 20; k++) {
            float s = (float)i / 20, t = (float)k / 20;
            float x = p->a.x + s * (p->b.x - p->a.x) - q->a.x - t * (q->b.x - q->a.x);
            float z = p->a.z + s * (p->b.z - p->a.z) - q->a.z - t * (q->b.z - q->a.z);
            least = fminf(least, sqrtf(x * x + z * z));
        }
    return least;
}

// The two feet of another body that stands this far ahead and a little aside, at a random heading.
static void stand_ahead(const driven *d, tr_random *random, tr_vec2 *owner, tr_foot_lock_bar bars[2]) {
    double s, c;
    float far = tr_random_between(random, 0.55f, 0.75f), heading = tr_random_between(random, -0.6f, 0.6f);
    float aside = tr_random_between(random, -0.2f, 0.2f);
    tr_sin_cos((double)d->state.root.state.heading, &s, &c);
    tr_vec2 at = d->state.root.state.position;
    *owner = (tr_vec2){at.x + far * (float)s + aside * (float)c, at.z + far * (float)c - aside * (float)s};
    tr_sin_cos((double)(d->state.root.state.heading + heading), &s, &c);
    for (int i = 0; i < 2; i++) {
        float out = i ? -0.09f : 0.09f;
        tr_vec3 heel = {owner->x - 0.05f * (float)s + out * (float)c, 0,
                        owner->z - 0.05f * (float)c - out * (float)s};
        bars[i] = (tr_foot_lock_bar){.heel = heel,
                                     .tip = {heel.x + 0.26f * (float)s, 0, heel.z + 0.26f * (float)c},
                                     .width = THICK,
                                     .stays = true,
                                     .share = 1};
    }
}

// They leave when the body is this close, because bodies do not walk into each other.
static bool is_near(const driven *d, tr_vec2 owner, tr_foot_lock_bar bars[2]) {
    float x = d->state.root.state.position.x - owner.x, z = d->state.root.state.position.z - owner.z;
    float apart = sqrtf(x * x + z * z);
    for (int i = 0; i < 2; i++)
        bars[i].away = (tr_vec2){x / apart, z / apart};
    return apart < 0.45f || apart > 1.2f;
}

static void wander(driven *d, tr_random *random, uint32_t tick, float far) {
    if (tick % 90 == 0) {
        tr_vec2 way[2] = {d->state.root.state.position};
        way[1] = (tr_vec2){way[0].x + tr_random_between(random, -far, far),
                           way[0].z + tr_random_between(random, -far, far)};
        CHECK_INT(driven_route(d, way, 2, NULL), TR_OK);
    }
}

// The measurements of a body among feet.
typedef struct feet_seen {
    float deepest;
    float jerk;        // the largest change of a foot's velocity from one tick to the next [m/s]
    uint32_t in, near; // ticks in which a foot was in another, and could have been
} feet_seen;

static feet_seen walk_among_feet(bool told) {
    driven d;
    feet_seen seen = {0};
    if (driven_begin(&d)) {
        tr_random random = tr_random_seed(31);
        tr_foot_lock_bar bars[2];
        tr_vec2 owner = {100, 100}, last[2] = {{0, 0}}, speed[2] = {{0, 0}};
        for (uint32_t tick = 0; tick < 24000; tick++) {
            wander(&d, &random, tick, 4);
            bool gone = is_near(&d, owner, bars);
            if (gone && tick % 3 == 0 && d.state.root.state.speed > 0.2f) {
                stand_ahead(&d, &random, &owner, bars);
                gone = is_near(&d, owner, bars);
                for (uint32_t i = 0; i < 4; i++) { // no other body stops inside its feet
                    line mine = foot_line(&d, i / 2), other = line_between(bars[i % 2].heel, bars[i % 2].tip);
                    gone = gone || lines_apart(&mine, &other) < 2 * THICK + 0.03f;
                }
                owner.x += gone ? 100 : 0;
            }
            tr_overlay_set_bars(d.overlay, bars, told && !gone ? 2 : 0);
            driven_step(&d, 0.9f);
            for (uint32_t i = 0; i < 4 && !gone; i++) {
                line mine = foot_line(&d, i / 2), other = line_between(bars[i % 2].heel, bars[i % 2].tip);
                float depth = 2 * THICK - lines_apart(&mine, &other);
                seen.deepest = fmaxf(seen.deepest, depth);
                seen.in += depth > 0.01f;
                seen.near += depth > -0.2f;
            }
            for (uint32_t i = 0; i < 2; i++) {
                tr_vec2 at = foot_line(&d, i).a;
                tr_vec2 now = {(at.x - last[i].x) * 30, (at.z - last[i].z) * 30};
                float x = now.x - speed[i].x, z = now.z - speed[i].z;
                seen.jerk = tick > 2 ? fmaxf(seen.jerk, sqrtf(x * x + z * z)) : 0;
                last[i] = at, speed[i] = now;
            }
        }
    }
    driven_end(&d);
    return seen;
}

TEST(feet_that_swing_do_not_come_down_in_feet_of_others) {
    feet_seen without = walk_among_feet(false), with = walk_among_feet(true);
    printf("        deepest %.0f mm, %u of %u ticks; without: %.0f mm, %u; jerk %.2f, %.2f\n",
           (double)with.deepest * 1e3, with.in, with.near, (double)without.deepest * 1e3, without.in,
           (double)with.jerk, (double)without.jerk);
    CHECK(without.in > 100 && without.deepest > 0.04f);
    CHECK(with.in <= 6 && with.deepest < 0.02f); // of a body that turns late, and fast
    CHECK(with.jerk < 1.5f * without.jerk);
}

TEST(feet_of_others_change_only_the_legs_and_leave_no_trace) {
    driven a, b;
    bool good = driven_begin(&a);
    if (driven_begin(&b) && good) {
        tr_random one = tr_random_seed(8), other = tr_random_seed(8), places = tr_random_seed(9);
        uint32_t differ = 0, after = 0, joints = tr_skeleton_joint_count(a.skeleton);
        tr_foot_lock_bar bars[2];
        tr_vec2 owner = {100, 100};
        for (uint32_t tick = 0; tick < 900; tick++) {
            wander(&a, &one, tick, 4);
            wander(&b, &other, tick, 4);
            if (tick < 600 && is_near(&a, owner, bars) && tick % 7 == 0) {
                stand_ahead(&a, &places, &owner, bars);
                is_near(&a, owner, bars);
            }
            tr_overlay_set_bars(a.overlay, bars, tick < 600 ? 2 : 0);
            driven_step(&a, 0.9f);
            driven_step(&b, 0.9f);
            CHECK(memcmp(&a.state.root.state, &b.state.root.state, sizeof a.state.root.state) == 0);
            bool same = memcmp(a.model, b.model, joints * sizeof *a.model) == 0;
            differ += !same;
            after += tick > 750 && !same;
        }
        CHECK(differ > 50);
        CHECK_INT(after, 0);
    }
    driven_end(&a);
    driven_end(&b);
}

// ---------------------------------------------------------------- the legs of one body

static float part(float x) {
    return x < 0 ? 0 : x > 1 ? 1 : x;
}

// Two capsules in the world: how deep they are in each other.
static float capsules_depth(const tr_capsule *p, const tr_capsule *q, const tr_affine *model) {
    tr_vec3 a = tr_affine_apply(&model[p->joint], p->a), b = tr_affine_apply(&model[q->joint], q->a);
    tr_vec3 d = tr_vec3_subtract(tr_affine_apply(&model[p->joint], p->b), a),
            e = tr_vec3_subtract(tr_affine_apply(&model[q->joint], q->b), b), r = tr_vec3_subtract(a, b);
    float dd = tr_vec3_dot(d, d), ee = tr_vec3_dot(e, e), de = tr_vec3_dot(d, e), s = 0.5f, t = 0.5f;
    for (int i = 0; i < 40; i++) {
        t = part((tr_vec3_dot(r, e) + s * de) / ee);
        s = part((t * de - tr_vec3_dot(r, d)) / dd);
    }
    tr_vec3 off = tr_vec3_add(r, tr_vec3_subtract(tr_vec3_scale(d, s), tr_vec3_scale(e, t)));
    return p->radius + q->radius - tr_vec3_length(off);
}

// The left leg against the right one, but for the thighs, which are beside each other at the hips.
static float legs_depth(const driven *d, const tr_body_def *body) {
    const tr_foot *feet = d->cast->legs.feet;
    float deepest = 0;
    for (uint32_t i = 0; i < body->capsule_count; i++)
        for (uint32_t k = 0; k < body->capsule_count; k++) {
            const tr_capsule *p = &body->capsules[i], *q = &body->capsules[k];
            if (tr_skeleton_hangs_on(d->skeleton, p->joint, feet[0].thigh) &&
                tr_skeleton_hangs_on(d->skeleton, q->joint, feet[1].thigh) &&
                (p->joint != feet[0].thigh || q->joint != feet[1].thigh))
                deepest = fmaxf(deepest, capsules_depth(p, q, d->model));
        }
    return deepest;
}

TEST(legs_of_a_body_that_turns_sharply_hardly_touch) {
    driven d;
    tr_body *body = NULL;
    tr_skeleton *skeleton = NULL;
    REQUIRE(tr_mannequin_make(&(tr_mannequin_def){.detail = 1}, &skeleton, &body, NULL) == TR_OK);
    if (driven_begin(&d)) {
        tr_random random = tr_random_seed(3);
        uint32_t in = 0, deep = 0;
        float limit = 1;
        for (uint32_t tick = 0; tick < 20000; tick++) {
            if (tick % 60 == 0) { // around corners
                tr_vec2 way[5] = {d.state.root.state.position};
                for (int i = 1; i < 5; i++)
                    way[i] = (tr_vec2){way[i - 1].x + tr_random_between(&random, -0.7f, 0.7f),
                                       way[i - 1].z + tr_random_between(&random, -0.7f, 0.7f)};
                CHECK_INT(driven_route(&d, way, 5, NULL), TR_OK);
            }
            if (tick % 25 == 0)
                limit = tr_random_between(&random, 0.1f, 1);
            driven_step(&d, limit);
            float depth = legs_depth(&d, tr_body_view(body));
            in += depth > 0.01f;
            deep += depth > 0.03f;
        }
        printf("        %u of 20000 ticks, %u of them deep\n", in, deep);
        CHECK(in < 40);    // 101 where knees and feet mind nothing
        CHECK(deep <= 10); // a knee goes aside smoothly
    }
    driven_end(&d);
    tr_body_destroy(body);
    tr_skeleton_destroy(skeleton);
}
