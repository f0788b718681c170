// How well steps are walked: how high feet are lifted, how smoothly the pelvis moves, how bodies balance.
#include "block.h"
#include "motion/clip/clip_edit_parts.h"
#include "troupe/base/random.h"
#include "window_world.h"

#define RATE 30.0
#define FRAMES 2000

static tr_scene *new_scene(void) {
    tr_scene *scene = NULL;
    CHECK_INT(tr_scene_create(NULL, &scene), TR_OK);
    return scene;
}

static void add_ground(tr_scene *scene, float a, float b, float y) {
    add_block(scene, "ground", tr_vec3_make(-1, y - 1, a), tr_vec3_make(1, y, b));
}

// --- Feet in the air ---

typedef struct swing_verdict {
    double over;  // least distance of a sole above what is higher than both footsteps [m]
    double above; // most that the lowest point of a sole is above all that it passes and both footsteps [m]
} swing_verdict;

// The highest floor under a whole sole, in doubles.
static double under_sole(const window_world *world, const tr_stride_pose *pose, uint32_t side, float base) {
    double high = -INFINITY;
    tr_vec3 heel = pose->heels[side], toes = pose->toes[side];
    for (int i = 0; i <= 10; i++)
        for (int k = -1; k <= 1; k++) {
            double s = i / 10.0, x = (double)heel.x + 0.5 * k * (double)world->body.width;
            double z = (double)base + (double)heel.z + s * (double)(toes.z - heel.z);
            double y = (double)heel.y + s * (double)(toes.y - heel.y);
            double floor = floor_under(world->scene, x, z, y + 0.3);
            high = floor > high ? floor : high;
        }
    return high;
}

// Over a hurdle that stands from `from` to `to`.
static void judge_swing(const window_world *world, const tr_stride *stride, float base, double hurdle,
                        double from, double to, swing_verdict *verdict) {
    double highest = -INFINITY, passed = fmax((double)stride->from.height, (double)stride->to.height);
    for (int i = 1; i < 240; i++) {
        tr_stride_pose pose;
        tr_stride_pose_at(&world->body, stride, i / 240.0f, &pose);
        if (pose.down[stride->side])
            continue;
        tr_vec3 heel = pose.heels[stride->side], toes = pose.toes[stride->side];
        double floor = under_sole(world, &pose, stride->side, base);
        double low = fmin((double)heel.y, (double)toes.y);
        passed = fmax(passed, floor);
        highest = fmax(highest, low);
        for (int k = 0; k <= 20; k++) {
            double z = (double)base + (double)heel.z + k / 20.0 * (double)(toes.z - heel.z);
            double y = (double)heel.y + k / 20.0 * (double)(toes.y - heel.y);
            if (z >= from && z <= to && hurdle > 0)
                verdict->over = fmin(verdict->over, y - hurdle);
        }
    }
    verdict->above = fmax(verdict->above, highest - passed);
}

TEST(feet_clear_hurdles_by_a_centimetre_and_are_lifted_no_higher_than_needed) {
    uint32_t crossed = 0;
    for (uint64_t seed = 1; seed <= 160; seed++) {
        tr_random random = tr_random_seed(seed);
        tr_scene *scene = new_scene();
        window_world world;
        float height = tr_random_between(&random, 1.1f, 2);
        float high = 0.2f * height * tr_random_between(&random, 0.1f, 1);
        float thick = tr_random_between(&random, 0.02f, 0.12f), at = tr_random_between(&random, 1, 2);
        add_ground(scene, -3, 9, 0);
        add_block(scene, "hurdle", tr_vec3_make(-1, 0, at), tr_vec3_make(1, high, at + thick));
        REQUIRE(open_world(&world, scene, height));
        lane_walker walker = stand_at(&world, -0.5f, 0);
        swing_verdict verdict = {INFINITY, 0};
        for (int step = 0; step < 14; step++) {
            tr_footstep_window_plan plan;
            REQUIRE(cut_around(&world, &walker) == TR_OK);
            tr_footstep_window_query query = query_of(&world, &walker);
            if (tr_footstep_window_find(world.window, &query, &plan, NULL) == TR_NOT_FOUND)
                break;
            judge_swing(&world, &plan.strides[0], walker.base, (double)high, (double)at, (double)(at + thick),
                        &verdict);
            take_step(&walker, &plan);
        }
        crossed += walker.base + walker.feet[walker.side].along > at + thick;
        if (verdict.over < 0.01 || verdict.above > 0.05 + (double)world.params.clear + 0.02 * (double)height)
            test_failed(__FILE__, __LINE__,
                        "seed %llu, a body of %.2f m, a hurdle of %.2f by %.2f m: %.1f mm over it, lifted "
                        "%.1f mm above",
                        (unsigned long long)seed, (double)height, (double)high, (double)thick,
                        1e3 * verdict.over, 1e3 * verdict.above);
        close_world(&world);
    }
    printf("%u crossed\n", crossed);
    CHECK(crossed > 100);
}

// --- The pelvis ---

typedef struct pelvis_track {
    double axes[3][FRAMES];
    uint32_t count;
    double time, begun; // of the next frame, and when the step began [s]
} pelvis_track;

static void add_stride(const window_world *world, const tr_stride *stride, float base, pelvis_track *track) {
    for (; track->time < track->begun + (double)stride->duration && track->count < FRAMES;
         track->time += 1 / RATE, track->count++) {
        tr_stride_pose pose;
        tr_stride_pose_at(&world->body, stride,
                          (float)((track->time - track->begun) / (double)stride->duration), &pose);
        track->axes[0][track->count] = (double)pose.pelvis.x;
        track->axes[1][track->count] = (double)pose.pelvis.y;
        track->axes[2][track->count] = (double)(base + pose.pelvis.z);
    }
    track->begun += (double)stride->duration;
}

// Log dimensionless jerk in windows of 1.1 s, below 6 Hz, as of people who were captured: the worst.
static double jerk_of(pelvis_track *track) {
    const uint32_t window = 33, edge = 15;
    double worst = 0;
    for (int axis = 0; axis < 3; axis++)
        tr_clip_edit_low_pass(track->axes[axis], track->count, 6 / RATE);
    for (uint32_t k = edge; k + window + edge < track->count; k += 3) {
        double most = 0, sum = 0, time = window / RATE;
        for (uint32_t i = k; i < k + window; i++) {
            double speed = 0;
            for (int axis = 0; axis < 3; axis++) {
                const double *p = track->axes[axis] + i;
                double v = (p[1] - p[-1]) * 0.5 * RATE;
                double jerk = (p[2] - 2 * p[1] + 2 * p[-1] - p[-2]) * 0.5 * RATE * RATE * RATE;
                speed += v * v, sum += jerk * jerk;
            }
            most = fmax(most, speed);
        }
        worst = fmin(worst, -log(time * time * time / most * sum / RATE));
    }
    return worst;
}

typedef struct walk_verdict {
    double jerk;
    float standing, moving; // least of all landings [m]
} walk_verdict;

static walk_verdict walk_smoothly(const window_world *world, float from) {
    static pelvis_track track;
    track.count = 0, track.time = track.begun = 0;
    walk_verdict verdict = {0, INFINITY, INFINITY};
    lane_walker walker = stand_at(world, from, 0);
    for (int step = 0; step < 60 && walker.base + walker.feet[0].along < world->goal; step++) {
        tr_footstep_window_plan plan;
        if (cut_around(world, &walker) != TR_OK)
            break;
        tr_footstep_window_query query = query_of(world, &walker);
        tr_status status = tr_footstep_window_find(world->window, &query, &plan, NULL);
        if (status != TR_OK && status != TR_PARTIAL)
            break;
        add_stride(world, &plan.strides[0], walker.base, &track);
        tr_stride_balance balance;
        tr_stride_balance_at(&world->body, &plan.strides[0], 1, &balance);
        verdict.standing = fminf(verdict.standing, balance.standing);
        verdict.moving = fminf(verdict.moving, balance.moving);
        take_step(&walker, &plan);
    }
    verdict.jerk = jerk_of(&track);
    return verdict;
}

TEST(the_pelvis_moves_as_smoothly_as_that_of_people_and_every_landing_is_in_balance) {
    double worst = 0;
    for (int i = 0; i < 10; i++) {
        window_world world;
        tr_scene *scene = new_scene();
        add_ground(scene, -3, 30, 0);
        REQUIRE(open_world(&world, scene, 1.1f + 0.1f * (float)i));
        world.goal = 15;
        walk_verdict verdict = walk_smoothly(&world, -0.5f);
        // People: -7.4 to -7.0 at 1.2 m/s.
        CHECK(verdict.jerk > -7.6 && verdict.jerk < -5.8);
        CHECK(verdict.standing > 0.02f && verdict.moving > 0);
        close_world(&world);
    }
    for (uint64_t seed = 1; seed <= 60; seed++) {
        window_world world;
        REQUIRE(open_sample(&world, seed % 2 ? "uneven" : "rough", seed, 1.2f + 0.01f * (float)seed));
        walk_verdict verdict = walk_smoothly(&world, -0.4f);
        if (verdict.jerk < (seed % 2 ? -8.2 : -8.6))
            test_failed(__FILE__, __LINE__, "seed %llu: %g", (unsigned long long)seed, verdict.jerk);
        worst = fmin(worst, verdict.jerk);
        CHECK(verdict.standing >= 0 && verdict.moving >= -world.params.balance);
        close_world(&world);
    }
    printf("worst %g\n", worst);
}
