// From walking onto footsteps and back: stairs up and down, gaps, at any phase of the stride.
#include "body_legs.h"
#include "stage/building.h"
#include "troupe/base/scalar.h"

#define RISE 0.17f
#define GOING 0.29f
#define STEPS 6

// What was seen of one walk, between its first and its last metre.
typedef struct walk_seen {
    float hurry;        // the greatest acceleration of the hips over footsteps [m/s2]
    float back;         // how far the hips came back along the way [m]
    float slowest;      // the least speed of the root along the way [m/s]
    float jump;         // the greatest acceleration of the root over the ground [m/s2]
    float knee;         // the highest knee on level ground, as a share of the height of the hips
    float low;          // how much lower than standing the hips were over the lower foot, as a share
    float depth;        // of a leg in the other [m]; negative: apart
    float pace;         // mean speed over the ground on the stairs [m/s]
    float stairs;       // time on the stairs [s]
    uint32_t landings;  // on treads,
    uint32_t toe_first; // on the toes
    tr_audit audit;
} walk_seen;

typedef struct walk_past {
    tr_vec3 hips[3], root[3];
    uint32_t count, contacts;
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

static float larger(float a, float b) {
    return a > b ? a : b;
}

static void look_at_hips(const tr_actor_view *view, float way, walk_past *past, walk_seen *seen) {
    float rate = 1 / (float)TR_STAGE_TICK;
    tr_vec3 twice = tr_vec3_scale(past->hips[1], 2);
    tr_vec3 jolt = tr_vec3_subtract(tr_vec3_add(past->hips[0], past->hips[2]), twice);
    if (view->doing == TR_ACTOR_STEPS)
        seen->hurry = larger(seen->hurry, tr_vec3_length(jolt) * rate * rate);
    jolt = tr_vec3_subtract(tr_vec3_add(past->root[0], past->root[2]), tr_vec3_scale(past->root[1], 2));
    jolt.y = 0;
    seen->jump = larger(seen->jump, tr_vec3_length(jolt) * rate * rate);
    float speed = way * (past->root[0].z - past->root[1].z) * rate;
    seen->slowest = speed < seen->slowest ? speed : seen->slowest;
    seen->back = larger(seen->back, past->farthest - way * past->hips[0].z);
    const tr_legs *legs = &view->character->legs;
    float stand = tr_affine_position(&tr_skeleton_rest_model(view->character->skeleton)[legs->hips]).y;
    seen->low = larger(seen->low, 1 - (past->hips[0].y - least_height(view)) / stand);
    seen->depth = larger(seen->depth, body_legs_depth(view->character, view->model));
    if (view->position.z > -0.8f && view->position.z < (STEPS - 1) * GOING + 0.6f)
        return; // one foot may be on the stairs
    for (uint32_t side = 0; side < 2; side++) {
        float knee = tr_affine_position(&view->model[legs->feet[side].shank]).y - view->position.y;
        seen->knee = larger(seen->knee, knee / (past->hips[0].y - view->position.y));
    }
}

static void look_at_stairs(const tr_actor_view *view, walk_past *past, walk_seen *seen) {
    bool on_stairs = view->position.z > 0.1f && view->position.z < (STEPS - 1) * GOING - 0.1f;
    if (on_stairs) {
        seen->stairs += (float)TR_STAGE_TICK;
        seen->pace += fabsf(past->root[0].z - past->root[1].z);
    }
    for (uint32_t side = 0; side < 2; side++) {
        uint32_t now = view->contacts >> (2 * side) & 3, before = past->contacts >> (2 * side) & 3;
        seen->landings += on_stairs && now && !before;
        seen->toe_first += on_stairs && now == 2 && !before;
    }
    past->contacts = view->contacts;
}

static void look(const building *b, tr_actor_id actor, float way, bool middle, walk_past *past,
                 walk_seen *seen) {
    tr_actor_view view = view_of(b, actor);
    tr_vec3 hips = tr_affine_position(&view.model[view.character->legs.hips]);
    past->hips[2] = past->hips[1], past->hips[1] = past->hips[0], past->hips[0] = hips;
    past->root[2] = past->root[1], past->root[1] = past->root[0], past->root[0] = view.position;
    past->farthest = past->count++ ? larger(past->farthest, way * hips.z) : way * hips.z;
    if (past->count < 3)
        return;
    look_at_stairs(&view, past, seen);
    if (middle)
        look_at_hips(&view, way, past, seen);
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
    walk_seen seen = {.slowest = INFINITY, .depth = -1};
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
    }
    CHECK_INT(status, TR_DONE);
    CHECK_INT(report_of(b, actor).state, TR_ORDER_DONE);
    seen.pace = seen.stairs > 0 ? seen.pace / seen.stairs : 0;
    seen.audit = audit_of(b, actor);
    tr_stage_destroy(b->stage);
    b->stage = NULL;
    return seen;
}

typedef struct walk_case {
    float height, rise, speed, hurry; // hurry: the most allowed
} walk_case;

static const walk_case cases[] = {
    {1.1f, 0.12f, 0.6f, 8}, {1.1f, 0.12f, 1.0f, 12}, {1.1f, 0.12f, 1.3f, 13}, {1.75f, RISE, 0.6f, 6},
    {1.75f, RISE, 1.0f, 9}, {1.75f, RISE, 1.3f, 10}, {1.75f, RISE, 1.8f, 12}, {2.0f, RISE, 0.6f, 6},
    {2.0f, RISE, 1.0f, 9},  {2.0f, RISE, 1.3f, 10},  {2.0f, RISE, 1.8f, 12},
};
#define CASES (sizeof cases / sizeof cases[0])

// Up or down the stairs and over the gap, from `shift` steps of 2 cm further away.
static walk_seen watch_case(building *b, const walk_case *c, bool down, uint32_t shift) {
    float more = 0.02f * (float)shift, top = STEPS * c->rise, far = (STEPS - 1) * GOING + 4.5f;
    tr_vec3 low = {0, 0, down ? -2.5f : -3 - more}, high = {0, top, down ? far - more : far};
    return down ? watch(b, c->speed, high, low) : watch(b, c->speed, low, high);
}

static void check_walk(const walk_case *c, bool down, uint32_t shift, const walk_seen *seen) {
    bool good = seen->back <= 0.001f && seen->slowest > 0.2f && seen->hurry < c->hurry && seen->jump < 6 &&
                seen->low < 0.18f && seen->knee < 0.7f && seen->depth < 0 && seen->audit.slide_mm_max < 1 &&
                seen->audit.penetration_mm_max < 1 && seen->audit.joint_limit_violations == 0 &&
                seen->audit.collisions == 0;
    if (!good)
        test_failed(
            __FILE__, __LINE__,
            "%g m at %g m/s %s, %u cm further: hips %g m/s2, %g mm back, %g lower, root at least %g m/s, "
            "%g m/s2, knee %g, legs %g mm deep, slide %g mm, %u limits, %u collisions",
            (double)c->height, (double)c->speed, down ? "down" : "up", 2 * shift, (double)seen->hurry,
            1000 * (double)seen->back, (double)seen->low, (double)seen->slowest, (double)seen->jump,
            (double)seen->knee, 1000 * (double)seen->depth, (double)seen->audit.slide_mm_max,
            seen->audit.joint_limit_violations, seen->audit.collisions);
}

// From a walk onto stairs, off them and over a gap, at any phase of the stride: the body goes on.
TEST(people_walk_onto_stairs_and_over_gaps_without_a_stop_or_a_jolt) {
    for (uint32_t i = 0; i < CASES; i++) {
        building b;
        REQUIRE(open_stairs(&b, cases[i].height, cases[i].rise, 0.3f));
        for (uint32_t k = 0; k < 8; k++) {
            uint32_t shift = (5 * k + 7 * i) % 40;
            walk_seen seen = watch_case(&b, &cases[i], k % 2, shift);
            check_walk(&cases[i], k % 2, shift, &seen);
        }
        close_building(&b);
    }
}

// On stairs of 17 cm people go 0.5 to 0.6 m/s up and 0.6 to 0.7 m/s down, and land on the forefoot there.
TEST(stairs_are_walked_at_the_pace_of_people) {
    const walk_case usual = {1.75f, RISE, 1.3f, 0};
    building b;
    REQUIRE(open_stairs(&b, usual.height, usual.rise, 0));
    walk_seen up = watch_case(&b, &usual, false, 0), down = watch_case(&b, &usual, true, 0);
    CHECK_NEAR(up.pace, 0.55, 0.05);
    CHECK_NEAR(down.pace, 0.65, 0.05);
    CHECK(down.landings >= 3);
    CHECK_INT(down.toe_first, down.landings);
    walk_case other = usual;
    other.speed = 0.7f;
    CHECK(watch_case(&b, &other, false, 0).pace < 0.8f * up.pace);
    close_building(&b);
}
