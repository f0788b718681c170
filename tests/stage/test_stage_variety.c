// No two people walk alike: five with the same order, side by side.
#include "motion/cast/cast.h"
#include "theatre.h"
#include "troupe/base/hash.h"

enum { WALKERS = 5, TICKS = 240, FIRST = 45, LAST = 225, STEPS_MAX = 40 };

typedef struct crossing {
    uint64_t seed;
    float variety, plain, speed;
    tr_manner manner;
    // What was seen.
    float left[WALKERS][TICKS], right[WALKERS][TICKS]; // angles of the thighs, ahead [rad]
    tr_vec3 roots[WALKERS][TICKS];
    double slide; // the furthest that a foot moved while it stood [m]
    float excess; // over a joint's limits [rad]
    uint64_t hash;
} crossing;

static float thigh_angle(const tr_cast *cast, const tr_affine *model, uint32_t side) {
    const tr_foot *foot = &cast->legs.feet[side];
    tr_vec3 along =
        tr_vec3_subtract(tr_affine_position(&model[foot->shank]), tr_affine_position(&model[foot->thigh]));
    return atan2f(along.z, -along.y);
}

typedef struct stance {
    bool held;
    tr_vec3 at;
} stance;

static void measure_slide(crossing *made, const tr_actor_view *view, stance stances[2][2]) {
    const tr_cast *cast = view->character;
    for (uint32_t side = 0; side < 2; side++)
        for (uint32_t toes = 0; toes < 2; toes++) {
            stance *held = &stances[side][toes];
            const tr_foot *foot = &cast->legs.feet[side];
            tr_vec3 at = toes ? tr_foot_ball(foot, view->model) : tr_foot_heel(foot, view->model);
            bool holds = view->contacts >> (2 * side + toes) & 1;
            if (holds && !held->held)
                held->at = at;
            held->held = holds;
            float x = at.x - held->at.x, z = at.z - held->at.z;
            if (holds)
                made->slide = fmax(made->slide, sqrt((double)x * x + (double)z * z));
        }
}

static void look(crossing *made, const theatre *t, uint32_t walker, int now, stance stances[2][2]) {
    tr_actor_view view = view_of(t, tr_stage_actor(t->stage, walker));
    const tr_skeleton *skeleton = view.character->skeleton;
    made->left[walker][now] = thigh_angle(view.character, view.model, 0);
    made->right[walker][now] = thigh_angle(view.character, view.model, 1);
    made->roots[walker][now] = view.position;
    measure_slide(made, &view, stances);
    for (uint32_t i = 0; i < tr_skeleton_joint_count(skeleton); i++)
        made->excess =
            fmaxf(made->excess, tr_skeleton_limit_excess(skeleton, i, tr_pose_rotation(view.pose, i)));
    made->hash = tr_hash(made->hash, view.model, view.pose->joint_count * sizeof *view.model);
}

static void cross(crossing *made) {
    theatre t;
    tr_stage_def def = tr_stage_def_default(NULL);
    def.seed = made->seed;
    def.variety = made->variety;
    made->hash = TR_HASH_START;
    stance stances[WALKERS][2][2] = {0};
    if (open_theatre_with(&t, &def)) {
        for (uint32_t i = 0; i < WALKERS; i++) {
            tr_stage_actor_def who = {.character = t.character,
                                      .position = {(float)i - 2, 0, -5.5f},
                                      .plain = made->plain,
                                      .speed = made->speed,
                                      .manner = made->manner};
            tr_actor_id actor;
            CHECK_INT(tr_stage_add_actor(t.stage, &who, &actor, NULL), TR_OK);
            send_to(&t, actor, (float)i - 2, 5.5f);
        }
        for (int i = 0; i < TICKS; i++) {
            tick(&t);
            for (uint32_t k = 0; k < WALKERS; k++)
                look(made, &t, k, i, stances[k]);
        }
        check_apart(&t);
    }
    close_theatre(&t);
}

// Over the time in which all walk at the same speed.
static double correlation(const float *a, const float *b) {
    double n = LAST - FIRST, x = 0, y = 0, xx = 0, yy = 0, xy = 0;
    for (int i = FIRST; i < LAST; i++) {
        x += (double)a[i] / n, y += (double)b[i] / n;
    }
    for (int i = FIRST; i < LAST; i++) {
        double u = (double)a[i] - x, v = (double)b[i] - y;
        xx += u * u, yy += v * v, xy += u * v;
    }
    return xy / sqrt(xx * yy);
}

// A step lasts from one moment at which the thighs pass each other to the next.
static double step_deviation(const crossing *made, uint32_t walker, double *mean) {
    double times[STEPS_MAX], sum = 0, squares = 0, last = 0;
    int count = 0;
    for (int i = FIRST + 1; i < LAST; i++) {
        double before = (double)made->left[walker][i - 1] - (double)made->right[walker][i - 1];
        double now = (double)made->left[walker][i] - (double)made->right[walker][i];
        if (before * now >= 0)
            continue;
        double at = (i - 1 + before / (before - now)) * TR_STAGE_TICK;
        if (last > 0 && count < STEPS_MAX)
            times[count++] = at - last;
        last = at;
    }
    for (int i = 0; i < count; i++)
        sum += times[i] / count;
    for (int i = 0; i < count; i++)
        squares += (times[i] - sum) * (times[i] - sum) / (count - 1);
    *mean = sum;
    return sqrt(squares) / sum;
}

TEST(five_people_with_the_same_order_do_not_walk_in_step) {
    static crossing made;
    double mean[WALKERS], sum = 0, deviations = 0;
    for (uint64_t seed = 0; seed < 4; seed++) {
        made = (crossing){.seed = seed, .variety = 1};
        cross(&made);
        for (uint32_t i = 0; i < WALKERS; i++) {
            double deviation = step_deviation(&made, i, &mean[i]);
            deviations += deviation / (4 * WALKERS);
            CHECK(deviation > 0.005 && deviation < 0.04); // of some 11 steps, of which one may be unusual
            CHECK(mean[i] > 0.47 && mean[i] < 0.63);
            for (uint32_t k = 0; k < i; k++) {
                double c = correlation(made.left[i], made.left[k]);
                sum += fabs(c) / 40;
                CHECK(c < 0.99);
            }
        }
        CHECK(made.slide < 0.001);
        CHECK_NEAR(made.excess, 0, 1e-4);
    }
    CHECK(sum < 0.6); // on average they are far from it
    CHECK(deviations > 0.014 && deviations < 0.024);
}

TEST(without_variety_all_walk_as_their_clips) {
    static crossing plain, one;
    plain = (crossing){.variety = 0};
    one = (crossing){.variety = 1, .plain = 1, .seed = 3};
    cross(&plain);
    cross(&one);
    CHECK(plain.hash == one.hash);
    for (uint32_t i = 1; i < WALKERS; i++)
        CHECK(correlation(plain.left[0], plain.left[i]) > 0.9999);
}

TEST(the_same_seed_gives_the_same_bits_and_another_seed_others) {
    static crossing a, b, c;
    a = (crossing){.variety = 1, .seed = 11};
    b = a;
    c = (crossing){.variety = 1, .seed = 12};
    cross(&a);
    cross(&b);
    cross(&c);
    CHECK(a.hash == b.hash);
    CHECK(a.hash != c.hash);
}

// The root is predicted without a body.
TEST(variety_does_not_move_the_root) {
    static crossing plain, varied;
    plain = (crossing){.variety = 0};
    varied = (crossing){.variety = 1};
    cross(&plain);
    cross(&varied);
    CHECK(memcmp(plain.roots, varied.roots, sizeof plain.roots) == 0);
}

static double mean_speed(const crossing *made) {
    tr_vec3 way = tr_vec3_subtract(made->roots[2][150], made->roots[2][90]);
    return (double)tr_vec3_length(way) / (60 * TR_STAGE_TICK);
}

TEST(styles_change_the_walk_and_its_pace) {
    static crossing plain, made;
    const tr_style styles[] = {{.brisk = 1},    {.tired = 1}, {.cautious = 1},
                               {.carrying = 1}, {.proud = 1}, {.tired = 0.5f, .cautious = 0.5f}};
    plain = (crossing){.variety = 0};
    cross(&plain);
    for (size_t i = 0; i < sizeof styles / sizeof *styles; i++) {
        made = (crossing){.variety = 0, .manner = tr_manner_of_style(&styles[i])};
        cross(&made);
        CHECK(made.hash != plain.hash);
        CHECK(made.slide < 0.001);
        CHECK_NEAR(made.excess, 0, 1e-4);
        CHECK_NEAR(mean_speed(&made), 1.3 * (1 + (double)made.manner.speed), 0.05);
    }
}

// A runner's elbows are bent already.
TEST(a_runner_who_carries_something_keeps_to_the_limits_of_the_joints) {
    static crossing made;
    made = (crossing){.variety = 1, .speed = 3.4f};
    made.manner = tr_manner_of_style(&(tr_style){.carrying = 1, .cautious = 1, .brisk = 1});
    cross(&made);
    CHECK_NEAR(made.excess, 0, 2e-3);
}

TEST(a_bad_manner_or_variety_is_refused) {
    theatre t;
    tr_error error = {0};
    if (open_theatre(&t, NULL)) {
        tr_actor_id actor;
        tr_stage_actor_def who = {.character = t.character, .manner = {.lean = 2}};
        CHECK_INT(tr_stage_add_actor(t.stage, &who, &actor, &error), TR_INVALID);
        CHECK_CONTAINS(error.message, "lean of the manner is 2");
        who = (tr_stage_actor_def){.character = t.character, .plain = NAN};
        CHECK_INT(tr_stage_add_actor(t.stage, &who, &actor, &error), TR_INVALID);
        CHECK_CONTAINS(error.message, "plain");
        tr_stage_def def = tr_stage_def_default(t.scene);
        def.variety = 1.5f;
        tr_stage *stage;
        CHECK_INT(tr_stage_create(&def, &stage, &error), TR_INVALID);
        CHECK_CONTAINS(error.message, "variety is 1.5");
    }
    close_theatre(&t);
}
