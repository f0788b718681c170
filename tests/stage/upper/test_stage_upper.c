// Upper bodies in rooms with bars, lintels, gaps, shelves and tables: every limb against every triangle, in
// doubles, at every tick and between ticks.
#include "../../plan/comply/comply_judge.h"
#include "../theatre.h"
#include "motion/cast/cast.h"
#include "troupe/base/random.h"

#define LIMBS_MAX 40
#define BETWEEN 4 // times between two ticks
#define TRIANGLES 400
#ifndef ROOMS
#define ROOMS 12 // more: -DROOMS=400
#endif

// What stands in the room.
typedef struct room {
    judge_vector triangles[TRIANGLES][3];
    uint32_t count;
} room;

static void build(room *made, tr_scene *scene, const char *name, tr_vec3 low, tr_vec3 high) {
    add_block(scene, name, low, high);
    static const uint8_t faces[6][4] = {{0, 1, 3, 2}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                        {2, 3, 7, 6}, {0, 2, 6, 4}, {1, 3, 7, 5}};
    for (int f = 0; f < 6 && made->count + 2 <= TRIANGLES; f++) {
        judge_vector c[4];
        for (int k = 0; k < 4; k++) {
            uint8_t n = faces[f][k];
            c[k] = judge_from(
                tr_vec3_make(n & 4 ? high.x : low.x, n & 2 ? high.y : low.y, n & 1 ? high.z : low.z));
        }
        judge_vector first[3] = {c[0], c[1], c[2]}, second[3] = {c[0], c[2], c[3]};
        memcpy(made->triangles[made->count++], first, sizeof first);
        memcpy(made->triangles[made->count++], second, sizeof second);
    }
}

typedef struct limbs {
    judge_capsule limbs[LIMBS_MAX];
    uint32_t count;
} limbs;

// Everything but shanks and feet.
static limbs limbs_of(const tr_actor_view *view) {
    const tr_character *character = view->character;
    const tr_body_def *body = tr_body_view(character->body);
    limbs found = {.count = 0};
    for (uint32_t i = 0; i < body->capsule_count && found.count < LIMBS_MAX; i++) {
        const tr_capsule *c = &body->capsules[i];
        bool lower = false;
        for (int side = 0; side < 2; side++)
            lower = lower || c->joint == character->legs.feet[side].shank ||
                    tr_skeleton_hangs_on(character->skeleton, c->joint, character->legs.feet[side].shank);
        if (!lower)
            found.limbs[found.count++] =
                (judge_capsule){judge_from(tr_affine_apply(&view->model[c->joint], c->a)),
                                judge_from(tr_affine_apply(&view->model[c->joint], c->b)), (double)c->radius};
    }
    return found;
}

static double clearance(const room *made, const limbs *a, const limbs *b, double share) {
    double least = 9;
    for (uint32_t i = 0; i < a->count; i++) {
        judge_vector from = judge_add(a->limbs[i].a, judge_add(b->limbs[i].a, a->limbs[i].a, -1), share),
                     to = judge_add(a->limbs[i].b, judge_add(b->limbs[i].b, a->limbs[i].b, -1), share);
        for (uint32_t k = 0; k < made->count; k++)
            least = fmin(least, judge_triangle(from, to, made->triangles[k]) - a->limbs[i].radius);
    }
    return least;
}

typedef struct outcome {
    tr_order_report report;
    double least; // clearance of all limbs [m]
    float low;    // least height of the head's joint as a share of the body
    bool stands;  // at the end
} outcome;

static outcome walk(theatre *t, const room *made, tr_vec3 from, tr_vec3 to, double seconds) {
    tr_actor_id actor = add_walker(t, from.x, from.z, to.x, to.z);
    outcome seen = {.least = 9, .low = 9};
    tr_actor_view view = view_of(t, actor);
    uint32_t head = tr_skeleton_with_role(view.character->skeleton, TR_ROLE_HEAD);
    limbs before = limbs_of(&view);
    tr_status status = TR_OK;
    while (status == TR_OK && tr_stage_time(t->stage) < seconds) {
        status = tick(t);
        view = view_of(t, actor);
        limbs now = limbs_of(&view);
        for (int i = 0; i < BETWEEN; i++)
            seen.least = fmin(seen.least, clearance(made, &before, &now, (double)(i + 1) / BETWEEN));
        float high = tr_affine_position(&view.model[head]).y / view.character->height;
        seen.low = high < seen.low ? high : seen.low;
        before = now;
    }
    seen.report = report_of(t, actor, 0);
    seen.stands = view.speed == 0;
    return seen;
}

// A wall along x at z = 0 with an opening: x within `half`, up to `top` [m].
static void add_wall(room *made, tr_scene *scene, float half, float top, float thick) {
    build(made, scene, "left wall", tr_vec3_make(-6, 0, 0), tr_vec3_make(-half, 2.6f, thick));
    build(made, scene, "right wall", tr_vec3_make(half, 0, 0), tr_vec3_make(6, 2.6f, thick));
    build(made, scene, "lintel", tr_vec3_make(-half, top, 0), tr_vec3_make(half, 2.6f, thick));
}

static tr_character *person(float height) {
    tr_character_def def = {.detail = 1, .height = height};
    tr_character *made = NULL;
    CHECK_INT(tr_character_create(&def, &made, NULL), TR_OK);
    return made;
}

TEST(the_waist_is_bent_where_the_doorway_is_low) {
    static const float heights[] = {1.1f, 1.45f, 1.75f, 2.0f};
    for (int i = 0; i < 4; i++) {
        theatre t;
        room made = {.count = 0};
        tr_character *who = person(heights[i]);
        if (who && open_theatre(&t, NULL)) {
            t.character = who;
            add_wall(&made, t.scene, 0.6f, 0.86f * heights[i], 0.1f);
            outcome seen = walk(&t, &made, tr_vec3_make(0, 0, -4), tr_vec3_make(0, 0, 4), 25);
            CHECK_INT(seen.report.state, TR_ORDER_DONE);
            CHECK_TEXT(seen.report.reason, "");
            CHECK(seen.least > -0.001);
            CHECK(seen.low < 0.8f); // of people who stand it is 0.9
            close_theatre(&t);
        }
        tr_character_destroy(who);
    }
}

TEST(the_waist_is_turned_where_shoulders_do_not_fit) {
    theatre t;
    room made = {.count = 0};
    if (open_theatre(&t, NULL)) {
        add_wall(&made, t.scene, 0.29f, 2.5f, 0.3f);
        outcome seen = walk(&t, &made, tr_vec3_make(0, 0, -4), tr_vec3_make(0, 0, 4), 20);
        CHECK_INT(seen.report.state, TR_ORDER_DONE);
        CHECK(seen.least > -0.001);
        CHECK(tr_stage_time(t.stage) < 10); // side-steps take longer
        close_theatre(&t);
    }
}

TEST(somebody_who_cannot_bend_that_low_stops_in_balance_and_says_why) {
    theatre t;
    room made = {.count = 0};
    if (open_theatre(&t, NULL)) {
        float height = t.character->height;
        add_wall(&made, t.scene, 0.6f, 0.83f * height, 2.0f); // long, and hardly high enough
        outcome seen = walk(&t, &made, tr_vec3_make(0, 0, -4), tr_vec3_make(0, 0, 4), 30);
        CHECK(seen.least > -0.001);
        CHECK(seen.stands);
        CHECK(seen.report.state == TR_ORDER_DONE || seen.report.reason[0]);
        close_theatre(&t);
    }
}

// --- Random rooms ---

static void furnish(room *made, tr_scene *scene, tr_random *random, float height) {
    uint32_t kind = tr_random_below(random, 4);
    float thick = tr_random_between(random, 0.05f, 0.6f), half = tr_random_between(random, 0.45f, 1.0f);
    if (kind == 0) { // a doorway
        add_wall(made, scene, half, tr_random_between(random, 0.82f, 1.1f) * height, thick);
    } else if (kind == 1) { // a gap
        half = tr_random_between(random, 0.17f, 0.24f) * height;
        add_wall(made, scene, half, 2.5f, thick);
    } else if (kind == 2) { // shelves on both sides, at any height
        half = tr_random_between(random, 0.22f, 0.4f) * height;
        add_wall(made, scene, half + 0.15f, 2.5f, thick);
        float low = tr_random_between(random, 0.4f, 0.9f) * height;
        build(made, scene, "left shelf", tr_vec3_make(-half - 0.2f, low, 0),
              tr_vec3_make(-half, low + 0.03f, thick));
        low = tr_random_between(random, 0.4f, 0.9f) * height;
        build(made, scene, "right shelf", tr_vec3_make(half, low, 0),
              tr_vec3_make(half + 0.2f, low + 0.03f, thick));
    } else { // tables on both sides of an aisle
        half = tr_random_between(random, 0.17f, 0.3f) * height;
        float top = tr_random_between(random, 0.3f, 0.5f) * height;
        build(made, scene, "left table", tr_vec3_make(-6, 0, 0), tr_vec3_make(-half, top, thick));
        top = tr_random_between(random, 0.3f, 0.5f) * height;
        build(made, scene, "right table", tr_vec3_make(half, 0, 0), tr_vec3_make(6, top, thick));
    }
    float bar = tr_random_between(random, 0.84f, 1.2f) * height, at = tr_random_between(random, 1.2f, 2.2f);
    build(made, scene, "bar", tr_vec3_make(-6, bar, at), tr_vec3_make(6, bar + 0.06f, at + 0.06f));
}

TEST(no_limb_is_in_anything_in_random_rooms) {
    uint32_t done = 0, bent = 0, rooms = ROOMS;
    for (uint64_t seed = 1; seed <= rooms; seed++) {
        tr_random random = tr_random_seed(seed);
        float height = tr_random_between(&random, 1.2f, 1.95f);
        theatre t;
        room made = {.count = 0};
        tr_character *who = person(height);
        if (who && open_theatre(&t, NULL)) {
            t.character = who;
            furnish(&made, t.scene, &random, height);
            outcome seen = walk(&t, &made, tr_vec3_make(0, 0, -4), tr_vec3_make(0, 0, 4), 40);
            if (!(seen.least > -0.001))
                test_failed(__FILE__, __LINE__, "room %d, body %g m: a limb is %g mm in something (%s %s)",
                            (int)seed, (double)height, -1000 * seen.least,
                            seen.report.state == TR_ORDER_DONE ? "done" : "failed", seen.report.reason);
            CHECK(seen.report.state == TR_ORDER_DONE || (seen.report.reason[0] && seen.stands));
            done += seen.report.state == TR_ORDER_DONE;
            bent += seen.low < 0.8f;
            close_theatre(&t);
        }
        tr_character_destroy(who);
    }
    CHECK(done > rooms / 3 && bent > rooms / 8);
    printf("  %u of %u rooms crossed, bent in %u\n", done, rooms, bent);
}
