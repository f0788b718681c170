// Random worlds and random bodies: a plan is judged, and a refusal is compared with a search through every
// node of small roadmaps.
#include "comply_judge.h"
#include "troupe/base/scalar.h"

#include <string.h>

#define FRAMES 46

typedef struct random_case {
    tr_scene *scene;
    tr_solid *solid;
    tr_comply *comply;
    tr_comply_def def;
    judge_world world;
    judge_walk walk;
    float height;
} random_case;

// A table beside the way, a bar over it, or two posts with a gap between them.
static void draw_obstacle(tr_random *random, tr_scene *scene, float height) {
    float z = tr_random_between(random, 0.6f, 1.6f), deep = tr_random_between(random, 0.05f, 0.5f);
    float side = tr_random_below(random, 2) ? 1.0f : -1.0f;
    switch (tr_random_below(random, 3)) {
    case 0: {
        float edge = tr_random_between(random, 0.11f, 0.2f) * height,
              top = tr_random_between(random, 0.38f, 0.6f) * height;
        float in = edge < 0 ? 0 : edge;
        tr_vec3 a = {side > 0 ? in : -in - 0.5f, top - 0.04f, z}, b = {a.x + 0.5f, top, z + deep};
        judge_box(scene, a, b);
        return;
    }
    case 1: {
        float low = tr_random_between(random, 0.74f, 1.02f) * height;
        judge_box(scene, tr_vec3_make(-1, low, z), tr_vec3_make(1, low + 0.1f, z + deep));
        return;
    }
    default: {
        float half = tr_random_between(random, 0.12f, 0.18f) * height,
              wide = tr_random_between(random, 0.05f, 0.4f);
        judge_box(scene, tr_vec3_make(half, 0, z), tr_vec3_make(half + wide, 1.2f * height, z + deep));
        judge_box(scene, tr_vec3_make(-half - wide, 0, z), tr_vec3_make(-half, 1.2f * height, z + deep));
    }
    }
}

static void draw_walk(tr_random *random, random_case *c) {
    float speed = tr_random_between(random, 0.7f, 1.5f), curve = tr_random_between(random, -0.2f, 0.2f);
    judge_walk_make(&c->walk, c->height, tr_random_between(random, -0.4f, 0), 20, speed);
    c->walk.frames = FRAMES;
    float phase = tr_random_unit(random);
    for (uint32_t f = 0; f < FRAMES; f++) {
        float time = (float)f / 30;
        c->walk.places[f].heading = 3 * curve * time; // past pi here and there
        c->walk.places[f].position.x = curve * time * 0.1f;
        c->walk.places[f].position.y += 0.01f * (float)(f % 15 < 8 ? f % 15 : 15 - f % 15) / 8;
        c->walk.preferred[f] = tr_comply_swing(phase + (float)f / 32, tr_random_below(random, 20) ? 1 : 1.0f);
    }
}

static bool random_begin(tr_random *random, random_case *c, uint32_t obstacles) {
    c->solid = NULL, c->comply = NULL;
    c->height = tr_random_between(random, 1.2f, 1.95f);
    if (tr_scene_create(NULL, &c->scene) != TR_OK)
        return false;
    for (uint32_t i = 0; i < obstacles; i++)
        draw_obstacle(random, c->scene, c->height);
    draw_walk(random, c);
    judge_take(&c->world, c->scene);
    tr_solid_def solid = tr_solid_def_default(c->scene);
    c->def = tr_comply_def_default();
    c->def.body = tr_comply_body_default(c->height);
    c->def.frames_max = FRAMES;
    c->def.nodes_max = 1u << 15;
    static const uint32_t strides[] = {4, 4, 3, 6};
    c->def.stride = strides[tr_random_below(random, 4)];
    if (tr_random_below(random, 4) == 0) // bends to the side as well, or instead of turning
        c->def.body.waist_low[1] = -0.5f, c->def.body.waist_high[1] = 0.5f;
    if (tr_random_below(random, 8) == 0)
        c->def.body.waist_low[2] = c->def.body.waist_high[2] = 0;
    return tr_solid_create(&solid, &c->solid, NULL) == TR_OK &&
           tr_comply_create(&c->def, &c->comply, NULL) == TR_OK;
}

static void random_end(random_case *c) {
    tr_comply_destroy(c->comply);
    tr_solid_destroy(c->solid);
    tr_scene_destroy(c->scene);
}

TEST(plans_in_random_worlds_touch_nothing_and_refusals_name_an_obstacle) {
    tr_random random = tr_random_seed(21);
    uint32_t found = 0, tight = 0, refused = 0, ran_out = 0;
    static random_case c;
    for (int round = 0; round < 400; round++) {
        REQUIRE(random_begin(&random, &c, 1 + tr_random_below(&random, 3)));
        tr_comply_query query = judge_walk_query(&c.walk, c.solid);
        tr_error error = {0};
        tr_status status = tr_comply_plan(c.comply, &query, &error);
        const tr_comply_result *result = tr_comply_last(c.comply);
        if (status == TR_OK) {
            judge_least least = judge_motion(&c.def.body, &c.world, c.walk.places, result->poses, FRAMES, 3);
            if (!(least.world >= 0.004 - 2e-5 && least.self >= -2e-5))
                test_failed(__FILE__, __LINE__, "round %d: room of %g m, to itself %g m, at frame %g", round,
                            least.world, least.self, least.time);
            tight += least.world < 0.05;
            found++;
        } else {
            CHECK(status == TR_NOT_FOUND || status == TR_PARTIAL);
            CHECK_INT(result->frame_count, 0);
            CHECK(result->frame < FRAMES);
            CHECK(result->kind == TR_COMPLY_SCENE || result->kind == TR_COMPLY_BODY);
            if (result->kind == TR_COMPLY_SCENE)
                CHECK(result->id < tr_scene_object_count(c.scene));
            CHECK(strlen(error.message) > 0);
            refused += status == TR_NOT_FOUND, ran_out += status == TR_PARTIAL;
        }
        random_end(&c);
    }
    CHECK(found > 150 && tight > 80);
    CHECK(refused + ran_out > 20);
}

TEST(plans_continue_in_random_worlds_without_seams) {
    tr_random random = tr_random_seed(23);
    static random_case c;
    static tr_comply_pose shown[FRAMES];
    uint32_t whole = 0;
    for (int round = 0; round < 120; round++) {
        REQUIRE(random_begin(&random, &c, 1 + tr_random_below(&random, 2)));
        tr_comply_query query = judge_walk_query(&c.walk, c.solid);
        tr_comply_pose pose, velocity;
        uint32_t at = 0;
        while (at + 1 < FRAMES) { // a window of 1 s, moved on by a few frames
            uint32_t left = FRAMES - at, ahead = 1 + tr_random_below(&random, 12);
            ahead = ahead < left - 1 ? ahead : left - 1;
            query.places = c.walk.places + at, query.preferred = c.walk.preferred + at;
            query.frame_count = left < 30 ? left : 30;
            if (tr_comply_plan(c.comply, &query, NULL) != TR_OK)
                break;
            const tr_comply_result *result = tr_comply_last(c.comply);
            for (int k = 0; k < 11 && at > 0; k++)
                CHECK_NEAR(((const float *)&result->poses[0])[k], ((const float *)&pose)[k], 2e-5);
            for (uint32_t i = 0; i <= ahead; i++)
                shown[at + i] = result->poses[i];
            pose = result->poses[ahead], velocity = result->velocities[ahead];
            query.pose = &pose, query.velocity = &velocity, query.passed = ahead;
            at += ahead;
        }
        if (at > 0) {
            judge_least least = judge_motion(&c.def.body, &c.world, c.walk.places, shown, at + 1, 3);
            CHECK(least.world >= 0.004 - 6e-5 && least.self >= -6e-5);
        }
        whole += at + 1 == FRAMES;
        random_end(&c);
    }
    CHECK(whole > 40);
}

// Somebody steps beside the way after the first plan: the rest of that plan is of use only up to there.
TEST(what_appears_in_a_window_is_minded_from_then_on) {
    tr_random random = tr_random_seed(24);
    static random_case c;
    static tr_solid_capsule others[FRAMES];
    uint32_t found = 0, changed = 0;
    for (int round = 0; round < 120; round++) {
        REQUIRE(random_begin(&random, &c, 1));
        tr_comply_query query = judge_walk_query(&c.walk, c.solid);
        if (tr_comply_plan(c.comply, &query, NULL) == TR_OK) {
            const tr_comply_result *result = tr_comply_last(c.comply);
            uint32_t at = 4 + tr_random_below(&random, 8);
            tr_comply_pose pose = result->poses[at], velocity = result->velocities[at];
            float x = tr_random_between(&random, 0.2f, 0.27f) * c.height,
                  z = tr_random_between(&random, 0.9f, 1.8f);
            for (uint32_t f = 0; f < FRAMES; f++) {
                float step = x - 0.1f * tr_ease_float((float)f / 20);
                others[f] = (tr_solid_capsule){{step, 0.3f, z}, {step, 1.6f, z}, 0.08f};
            }
            query.places += at, query.preferred += at, query.frame_count -= at, query.passed = at;
            query.pose = &pose, query.velocity = &velocity, query.others = others, query.other_count = 1;
            if (tr_comply_plan(c.comply, &query, NULL) == TR_OK) {
                judge_least least =
                    judge_motion(&c.def.body, &c.world, query.places, result->poses, query.frame_count, 3);
                CHECK(least.world >= 0.004 - 6e-5 && least.self >= -6e-5);
                double room =
                    judge_to_capsule(&c.def.body, query.places, result->poses, others, query.frame_count);
                CHECK(room >= 0.004 - 6e-5);
                found++;
                changed += judge_to_capsule(&c.def.body, query.places, query.preferred, others,
                                            query.frame_count) < 0;
            }
        }
        random_end(&c);
    }
    CHECK(found > 40 && changed > 10);
}

// --- Every node of small roadmaps ---

#define STAGES 6
#define SMALL (4 * STAGES + 1) // frames
#define LEANS 6                // -1 to 4 steps
#define TURNS 7                // -3 to 3

typedef struct small_search {
    const random_case *c;
    double room; // that a segment must keep
    bool reached[STAGES + 1][LEANS][TURNS][3][3];
    double known[STAGES][LEANS][TURNS][3][3][3][3]; // room of segments; NAN: not measured yet
} small_search;

// The least room of a segment from its three control points, in steps.
static double segment_room(const random_case *c, uint32_t stage, int nodes[3][2], float step) {
    tr_comply_pose poses[5] = {{{0}, {{0}}}};
    for (int f = 0; f <= 4; f++) {
        double s = f / 4.0;
        poses[f] = c->walk.preferred[4 * stage + (uint32_t)f];
        for (int d = 0; d < 2; d++) {
            double q = ((1 - s) * (1 - s) * nodes[0][d] + (1 + 2 * s - 2 * s * s) * nodes[1][d] +
                        s * s * nodes[2][d]) /
                       2;
            poses[f].waist[d ? 2 : 0] = (float)(q * (double)step);
        }
    }
    double least = INFINITY;
    for (uint32_t f = 0; f < 4; f++)
        for (int s = 0; s < 6; s++) {
            judge_capsule capsules[TR_COMPLY_CAPSULES_MAX];
            judge_at(&c->def.body, c->walk.places + 4 * stage, poses, f, s / 6.0, capsules);
            least = fmin(least, judge_room(&c->def.body, &c->world, capsules, c->def.body.part_count));
        }
    return least;
}

// Can the last stage be reached from the node (lean, turn), come to by this move?
static bool small_reach(small_search *search, uint32_t stage, const int node[2], const int move[2]) {
    if (stage == STAGES)
        return true;
    bool *reached = &search->reached[stage][node[0] + 1][node[1] + 3][move[0] + 1][move[1] + 1];
    if (*reached)
        return false;
    *reached = true;
    for (int i = 0; i < 9; i++) {
        const int next[2] = {node[0] + i / 3 - 1, node[1] + i % 3 - 1}, by[2] = {i / 3 - 1, i % 3 - 1};
        if (next[0] < -1 || next[0] > 4 || next[1] < -3 || next[1] > 3)
            continue;
        double *known =
            &search->known[stage][node[0] + 1][node[1] + 3][move[0] + 1][move[1] + 1][by[0] + 1][by[1] + 1];
        if (isnan(*known)) {
            int nodes[3][2] = {
                {node[0] - move[0], node[1] - move[1]}, {node[0], node[1]}, {next[0], next[1]}};
            *known = segment_room(search->c, stage, nodes, search->c->def.waist_step);
        }
        if (*known >= search->room && small_reach(search, stage + 1, next, by))
            return true;
    }
    return false;
}

static bool small_possible(small_search *search, double room) {
    const int none[2] = {0, 0};
    search->room = room;
    memset(search->reached, 0, sizeof search->reached);
    return small_reach(search, 0, none, none);
}

TEST(small_roadmaps_are_searched_completely) {
    tr_random random = tr_random_seed(22);
    static random_case c;
    static small_search search;
    uint32_t possible = 0, impossible = 0;
    for (int round = 0; round < 60; round++) {
        REQUIRE(random_begin(&random, &c, 2 + tr_random_below(&random, 2)));
        // The waist alone, in coarse steps; arms that take no room.
        for (int side = 0; side < 2; side++)
            for (int k = 0; k < TR_ARM_LINKS; k++)
                c.def.body.arms[side].length[k] = k == 2 ? 0 : 1e-3f, c.def.body.arms[side].radius[k] = 1e-3f;
        for (uint32_t i = 0; i < c.def.body.part_count; i++)
            c.def.body.parts[i].links = 0;
        c.def.body.waist_speed = 20, c.def.body.waist_acceleration = 1000, c.def.waist_step = 0.25f;
        c.def.body.waist_low[0] = -0.25f, c.def.stride = 4;
        c.def.body.waist_low[1] = c.def.body.waist_high[1] = 0;
        c.def.body.waist_low[2] = -0.8f, c.def.body.waist_high[2] = 0.8f;
        tr_comply_destroy(c.comply);
        REQUIRE(tr_comply_create(&c.def, &c.comply, NULL) == TR_OK);
        for (uint32_t f = 0; f < SMALL; f++) { // slowly, so that samples miss little
            c.walk.places[f] = (tr_comply_place){{0, 0.53f * c.height, 0.35f + 0.02f * (float)f}, 0};
            c.walk.preferred[f] = (tr_comply_pose){{0}, {{0}}};
        }
        double *known = &search.known[0][0][0][0][0][0][0];
        for (size_t i = 0; i < sizeof search.known / sizeof *known; i++)
            known[i] = NAN;
        search.c = &c;
        tr_comply_query query = judge_walk_query(&c.walk, c.solid);
        query.frame_count = SMALL;
        tr_status status = tr_comply_plan(c.comply, &query, NULL);
        const tr_comply_result *result = tr_comply_last(c.comply);
        bool by_waist = status == TR_OK || result->limb == TR_COMPLY_WAIST;
        CHECK(status == TR_OK || status == TR_NOT_FOUND);
        if (status == TR_OK) {
            possible++;
            CHECK(small_possible(&search, 0.006 - 1e-5));
        } else if (by_waist) {
            impossible++;
            CHECK(!small_possible(&search, 0.006 + 0.004));
        }
        random_end(&c);
    }
    CHECK(possible > 30 && impossible > 5);
}
