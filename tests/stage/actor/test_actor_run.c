// An actor that goes faster and slower, from a walk to a run and back: what is shown, after the foot lock.
#include "test.h"
#include "stage/actor/actor.h"

#include <math.h>
#include <string.h>

enum { JOINTS_MAX = 64 };

typedef struct runner {
    tr_character *character;
    tr_actor *actor;
    tr_actor_scratch scratch;
    float dt;
} runner;

static bool begin(runner *r, float height, float dt) {
    memset(r, 0, sizeof *r);
    r->dt = dt;
    tr_error error = {0};
    tr_character_def kind = {.height = height, .detail = 1};
    bool good = tr_character_create(&kind, &r->character, &error) == TR_OK;
    tr_actor_def def = {.character = r->character, .dt = dt};
    good = good && tr_actor_create(&def, &r->actor, &error) == TR_OK &&
           tr_actor_scratch_create(NULL, tr_skeleton_joint_count(r->character->skeleton), &r->scratch,
                                   &error) == TR_OK;
    const tr_vec2 way[] = {{0, 0}, {0, 400}};
    good = good && tr_actor_set_route(r->actor, way, 2, NULL, NULL, 6, &error) == TR_OK;
    if (!good)
        test_failed(__FILE__, __LINE__, "%s", error.message);
    return good;
}

static void end(runner *r) {
    tr_actor_scratch_destroy(&r->scratch);
    tr_actor_destroy(r->actor);
    tr_character_destroy(r->character);
}

// What an observer sees, frame by frame.
typedef struct observer {
    uint32_t frames;
    tr_vec3 hips[3], planted[4];
    bool is_planted[4];
    tr_quat last[JOINTS_MAX];
    double slide, sink, floating;      // worst so far [m]
    double turn, shank, toes;          // [rad/s]
    double hips_walking, hips_running; // [m/s^2]
    const char *turned;
    uint32_t plants;
} observer;

static double larger(double a, double b) {
    return a > b ? a : b;
}

static void observe_feet(observer *seen, const actor_look *view) {
    for (uint32_t bit = 0; bit < 4; bit++) {
        const tr_foot *foot = &view->character->legs.feet[bit / 2];
        tr_vec3 at = bit % 2 ? tr_foot_ball(foot, view->model) : tr_foot_heel(foot, view->model);
        bool touches = view->contacts >> bit & 1;
        seen->sink = larger(seen->sink, -(double)at.y);
        if (touches)
            seen->floating = larger(seen->floating, (double)at.y);
        touches = touches && at.y < 0.005f;
        if (touches && seen->is_planted[bit]) {
            double x = (double)(at.x - seen->planted[bit].x), z = (double)(at.z - seen->planted[bit].z);
            seen->slide = larger(seen->slide, sqrt(x * x + z * z));
        } else if (touches) {
            seen->planted[bit] = at;
            seen->plants++;
        }
        seen->is_planted[bit] = touches;
    }
}

static void observe(observer *seen, const runner *r, double speed) {
    actor_look view = tr_actor_look(r->actor);
    const tr_cast *cast = r->character;
    const tr_foot *feet = cast->legs.feet;
    double dt = (double)r->dt;
    observe_feet(seen, &view);
    for (uint32_t i = 0; i < view.pose->joint_count; i++) {
        tr_quat now = tr_pose_rotation(view.pose, i);
        tr_vec3 by = tr_quat_to_vector(tr_quat_multiply(now, tr_quat_conjugate(seen->last[i])));
        double rate = seen->frames > 0 ? (double)tr_vec3_length(by) / dt : 0;
        bool is_toes = i == feet[0].toes || i == feet[1].toes,
             is_shank = i == feet[0].shank || i == feet[1].shank;
        double *worst = is_toes ? &seen->toes : is_shank ? &seen->shank : &seen->turn;
        if (rate > *worst && worst == &seen->turn)
            seen->turned = tr_skeleton_joint(cast->skeleton, i).name;
        *worst = larger(*worst, rate);
        seen->last[i] = now;
    }
    seen->hips[0] = seen->hips[1], seen->hips[1] = seen->hips[2];
    seen->hips[2] = tr_affine_position(&view.model[cast->legs.hips]);
    seen->hips[2].z -= view.state.position.z; // relative to the disc, which has an acceleration of its own
    tr_vec3 bend =
        tr_vec3_add(tr_vec3_subtract(seen->hips[2], tr_vec3_scale(seen->hips[1], 2)), seen->hips[0]);
    double jolt = seen->frames > 1 ? (double)tr_vec3_length(bend) / (dt * dt) : 0;
    double walks = 1.3 * sqrt((double)cast->height / 1.75);
    double *hips = speed < walks ? &seen->hips_walking : &seen->hips_running;
    *hips = larger(*hips, jolt);
    seen->frames++;
}

// From 0.3 m/s to the fastest and back.
static void ramp(runner *r, double acceleration, observer *seen) {
    double top = fmin(6, (double)tr_character_speed_max(r->character)), dt = (double)r->dt;
    uint32_t half = (uint32_t)((top - 0.3) / acceleration / dt);
    for (double t = 0; t < 1.5; t += dt) // the first step out of standing is not judged here
        CHECK_INT(tr_actor_step(r->actor, &r->scratch, 0.3f), TR_OK);
    for (uint32_t i = 0; i < 2 * half; i++) {
        double speed = 0.3 + acceleration * dt * (i < half ? i : 2 * half - i);
        CHECK_INT(tr_actor_step(r->actor, &r->scratch, (float)speed), TR_OK);
        observe(seen, r, speed);
    }
}

TEST(an_actor_that_speeds_up_to_a_run_and_slows_down_again_neither_slides_nor_jumps) {
    static const float heights[] = {1.1f, 1.75f, 2};
    static const struct {
        float rate;
        double acceleration;
    } rides[] = {{24, 1}, {30, 0.4}, {60, 2.5}, {120, 1}};
    for (int h = 0; h < 3; h++)
        for (int i = 0; i < 4; i++) {
            runner r;
            REQUIRE(begin(&r, heights[h], 1 / rides[i].rate));
            observer seen = {0};
            ramp(&r, rides[i].acceleration, &seen);
            if (!(seen.turn < 15))
                test_failed(__FILE__, __LINE__, "%g m tall, %g m/s^2: %s turns at %g rad/s",
                            (double)heights[h], rides[i].acceleration, seen.turned, seen.turn);
            CHECK(seen.shank < 24); // those of runners swing fast
            CHECK(seen.slide < 0.001);
            CHECK(seen.sink < 0.0005);
            CHECK(seen.floating < 0.011);
            CHECK(seen.hips_walking < 7);
            CHECK(seen.hips_running < 26);
            CHECK(seen.plants > 8);
            end(&r);
        }
}

// Ordered at 1.3, then 2.5, then 4.5 m/s, then stopped: the speed follows and the body goes along.
TEST(an_actor_walks_jogs_runs_and_stops_as_ordered) {
    runner r;
    REQUIRE(begin(&r, 1.75f, 1 / 30.0f));
    static const double speeds[] = {1.3, 2.5, 4.5, 0};
    observer seen = {0};
    for (uint32_t i = 0; i < 4; i++) {
        for (uint32_t k = 0; k < 150; k++) {
            CHECK_INT(tr_actor_step(r.actor, &r.scratch, (float)speeds[i]), TR_OK);
            double now = fabs((double)tr_actor_look(r.actor).state.speed);
            if (i > 0 || k > 12)
                observe(&seen, &r, now < 0.3 ? 2 : now); // the last step is not judged as a walk
        }
        CHECK_NEAR(tr_actor_look(r.actor).state.speed, speeds[i], 0.1);
    }
    CHECK(seen.turn < 15);
    CHECK(seen.slide < 0.001);
    CHECK(seen.sink < 0.0005);
    CHECK(tr_character_speed_max(r.character) > 5.99f);
    end(&r);
}
