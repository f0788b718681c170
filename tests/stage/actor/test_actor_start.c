// Setting off and coming to rest, as an observer sees them.
#include "test.h"
#include "stage/actor/actor.h"
#include "troupe/base/random.h"
#include "troupe/base/scalar.h"

#include <math.h>
#include <string.h>

#define JOINTS 32
#define FRAMES 1200

typedef struct frame {
    tr_quat turns[JOINTS]; // of every joint, in its parent's axes
    tr_vec3 hips, balls[2], planted[4];
    tr_vec2 root;
    float speed;
    uint32_t contacts;
} frame;

typedef struct film {
    tr_character *character;
    tr_actor *actor;
    tr_actor_scratch scratch;
    uint32_t joints, count;
    float rate;
    frame frames[FRAMES];
} film;

static film shot; // large

static bool begin(film *f, float height, float speed, float rate) {
    tr_error error = {0};
    memset(f, 0, sizeof *f);
    f->rate = rate;
    bool good = tr_character_create(&(tr_character_def){.detail = 1, .height = height}, &f->character,
                                    &error) == TR_OK;
    tr_actor_def def = {.character = f->character, .speed = speed, .dt = 1 / rate};
    f->joints = good ? tr_skeleton_joint_count(f->character->skeleton) : 0;
    good = good && f->joints <= JOINTS && tr_actor_create(&def, &f->actor, &error) == TR_OK &&
           tr_actor_scratch_create(NULL, f->joints, &f->scratch, &error) == TR_OK;
    const tr_vec2 way[] = {{0, 0}, {0, 60}};
    good = good && tr_actor_set_route(f->actor, way, 2, NULL, NULL, 0, &error) == TR_OK;
    if (!good)
        test_failed(__FILE__, __LINE__, "%s", error.message);
    return good;
}

static void end(film *f) {
    tr_actor_scratch_destroy(&f->scratch);
    tr_actor_destroy(f->actor);
    tr_character_destroy(f->character);
}

static void film_for(film *f, float seconds, float limit) {
    for (int ticks = (int)(seconds * f->rate + 0.5f); ticks > 0 && f->count < FRAMES; ticks--) {
        tr_actor_step(f->actor, &f->scratch, limit);
        actor_look view = tr_actor_look(f->actor);
        frame *now = &f->frames[f->count++];
        for (uint32_t i = 0; i < f->joints; i++)
            now->turns[i] = tr_pose_rotation(view.pose, i);
        const tr_legs *legs = &f->character->legs;
        now->hips = tr_affine_position(&view.model[legs->hips]);
        for (uint32_t side = 0; side < 2; side++) {
            now->balls[side] = tr_foot_ball(&legs->feet[side], view.model);
            now->planted[2 * side] = tr_foot_heel(&legs->feet[side], view.model);
            now->planted[2 * side + 1] = now->balls[side];
        }
        now->root = view.state.position;
        now->speed = view.state.speed;
        now->contacts = view.contacts;
    }
}

static double angle_between(tr_quat a, tr_quat b) {
    tr_quat d = tr_quat_multiply(tr_quat_conjugate(a), b);
    return 2 * tr_arc_tangent(sqrt((double)(d.x * d.x + d.y * d.y + d.z * d.z)), fabs((double)d.w));
}

// The greatest angle by which a joint turns from one frame to another [rad].
static double turned(const film *f, uint32_t from, uint32_t to) {
    double most = 0;
    for (uint32_t i = 0; i < f->joints; i++)
        most = fmax(most, angle_between(f->frames[from].turns[i], f->frames[to].turns[i]));
    return most;
}

// The fastest turn of a joint in these frames [rad/s].
static double fastest(const film *f, uint32_t from, uint32_t to) {
    double most = 0;
    for (uint32_t i = from + 1; i < to; i++)
        most = fmax(most, turned(f, i - 1, i) * (double)f->rate);
    return most;
}

// The greatest acceleration of the hips in these frames [m/s^2].
static double hips_acceleration(const film *f, uint32_t from, uint32_t to) {
    double most = 0;
    for (uint32_t i = from + 1; i + 1 < to; i++) {
        tr_vec3 a = tr_vec3_subtract(f->frames[i + 1].hips, f->frames[i].hips),
                b = tr_vec3_subtract(f->frames[i].hips, f->frames[i - 1].hips);
        most = fmax(most, (double)(tr_vec3_length(tr_vec3_subtract(a, b)) * f->rate * f->rate));
    }
    return most;
}

static double worst_slide(const film *f) {
    double most = 0;
    tr_vec3 at[4] = {{0, 0, 0}};
    for (uint32_t i = 0; i < f->count; i++)
        for (uint32_t bit = 0; bit < 4; bit++) {
            const frame *now = &f->frames[i];
            bool down = now->contacts >> bit & 1, was = i && (f->frames[i - 1].contacts >> bit & 1);
            if (!down)
                continue;
            if (!was)
                at[bit] = now->planted[bit];
            most = fmax(most, hypot((double)(now->planted[bit].x - at[bit].x),
                                    (double)(now->planted[bit].z - at[bit].z)));
        }
    return most;
}

static uint32_t frames_of(const film *f, double seconds) {
    return (uint32_t)(seconds * (double)f->rate + 0.5);
}

// The first frame in which a foot is in the air; `side` gets the foot.
static uint32_t first_in_air(const film *f, uint32_t *side) {
    for (uint32_t i = 0; i < f->count; i++)
        for (*side = 0; *side < 2; ++*side)
            if (!(f->frames[i].contacts >> (2 * *side) & 3))
                return i;
    return f->count;
}

static void check_start(film *f, float height, float speed) {
    film_for(f, 0.3f, 0); // stands
    uint32_t begins = f->count, side;
    film_for(f, 3.5f, INFINITY);
    CHECK(turned(f, begins - 1, begins - 1 + frames_of(f, 0.1)) < 3 * TR_PI / 180);
    uint32_t leaves = first_in_air(f, &side);
    double slow = sqrt((double)height / 1.75);
    double shift = (double)(leaves - begins) / (double)f->rate;
    CHECK(shift > 0.35 * slow - 1 / (double)f->rate && shift < 0.65 * slow);
    // Over the foot that stays: to the left if the right one leaves.
    double aside = (double)(f->frames[leaves].hips.x - f->frames[begins - 1].hips.x) * (side ? 1 : -1);
    CHECK(aside > 0.013 * (double)height && aside < 0.05 * (double)height);
    CHECK(f->frames[leaves].hips.z - f->frames[begins - 1].hips.z > 0.02f);
    CHECK(worst_slide(f) < 0.001);
    uint32_t steady = begins + frames_of(f, 2);
    if (f->rate == 60 && speed < 2 * (float)slow * 0.9f) {
        CHECK(fastest(f, begins, steady) < 1.5 * fastest(f, steady, f->count));
        // 3 to 6 in the walk itself; most for tall bodies that are sent off fast.
        CHECK(hips_acceleration(f, begins, steady) < 8);
    }
}

TEST(a_body_sets_off_by_moving_its_weight_over_one_foot) {
    const float heights[] = {1.1f, 1.75f, 2.0f}, speeds[] = {0.8f, 1.3f, 1.7f}, rates[] = {24, 60, 120};
    for (int i = 0; i < 9; i++) {
        float height = heights[i % 3], speed = speeds[i / 3] * sqrtf(height / 1.75f);
        if (begin(&shot, height, speed, rates[(i + i / 3) % 3]))
            check_start(&shot, height, speed);
        end(&shot);
    }
    if (begin(&shot, 1.75f, 1.3f, 60))
        check_start(&shot, 1.75f, 1.3f);
    end(&shot);
}

// The same motion in shorter ticks: a bend in how the walk changes with the speed would show as a jolt.
TEST(hips_have_no_jolt_in_a_start_and_a_stop_however_short_the_ticks_are) {
    const float heights[] = {1.1f, 1.35f, 1.75f, 2}, speeds[] = {0.6f, 1.0f, 1.3f, 1.6f};
    for (int i = 0; i < 16; i++) {
        float height = heights[i / 4];
        if (begin(&shot, height, speeds[i % 4] * sqrtf(height / 1.75f), 120)) {
            film_for(&shot, 0.3f, 0);
            film_for(&shot, 3.1f + 0.07f * (float)i, INFINITY);
            uint32_t stops = shot.count;
            film_for(&shot, 2, 0);
            CHECK(hips_acceleration(&shot, frames_of(&shot, 0.3), stops) < 7.5);
            CHECK(hips_acceleration(&shot, stops, shot.count) < 7);
        }
        end(&shot);
    }
}

TEST(a_body_that_stops_at_any_moment_ends_with_its_feet_side_by_side) {
    const float speeds[] = {0.8f, 1.3f, 1.8f};
    for (int i = 0; i < 12; i++) {
        if (begin(&shot, i % 2 ? 1.75f : 1.2f, speeds[i % 3], 60)) {
            film_for(&shot, 2.5f + 0.13f * (float)i, INFINITY);
            uint32_t stops = shot.count;
            film_for(&shot, 3, 0);
            CHECK(shot.frames[shot.count - 1].speed == 0);
            const frame *last = &shot.frames[shot.count - 1];
            CHECK_NEAR(last->balls[0].z, last->balls[1].z, 0.04 * (double)shot.character->height);
            CHECK_INT(last->contacts, 15);
            CHECK(worst_slide(&shot) < 0.001);
            // No foot snaps into its place: the last step is slower than those before.
            uint32_t rests = stops;
            while (rests < shot.count && shot.frames[rests].speed > 0)
                rests++;
            for (uint32_t k = rests; k < shot.count; k++)
                for (uint32_t side = 0; side < 2; side++) {
                    tr_vec3 step =
                        tr_vec3_subtract(shot.frames[k].balls[side], shot.frames[k - 1].balls[side]);
                    CHECK(tr_vec3_length(step) * 60 < 1.2f);
                }
            CHECK(hips_acceleration(&shot, rests - 10, shot.count) < 7);
        }
        end(&shot);
    }
}

TEST(a_start_that_is_taken_back_ends_where_it_began) {
    for (int i = 0; i < 5; i++) {
        if (begin(&shot, 1.75f, 1.3f, 60)) {
            film_for(&shot, 0.3f, 0);
            film_for(&shot, 0.1f + 0.12f * (float)i, INFINITY);
            film_for(&shot, 3, 0);
            CHECK(shot.frames[shot.count - 1].speed == 0);
            CHECK_INT(shot.frames[shot.count - 1].contacts, 15);
            CHECK(worst_slide(&shot) < 0.001);
            for (uint32_t k = 1; k < shot.count; k++)
                CHECK(turned(&shot, k - 1, k) * 60 < 12);
        }
        end(&shot);
    }
}
