// Real captures replayed along curved routes: read, put onto the mannequin, cut to a stride and walked by an
// actor. Feet must stay where they came down. TROUPE_TEST_TABLE=1 prints the measurements.
#include "test.h"
#include "troupe/base/scalar.h"
#include "troupe/io/motion_file.h"
#include "troupe/motion/mannequin.h"
#include "troupe/motion/clip_edit.h"
#include "troupe/motion/retarget.h"
#include "stage/actor/actor.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define STEP (1.0 / 30)
#define STEPS_MAX 4000

typedef struct capture {
    const char *name;
    bool noisy; // more than 2000 m/s^3 of jerk: smoothed before use
} capture;
static const capture captures[] = {
    {"16_15", true}, {"16_17", true}, {"16_19", true}, {"104_02", true}, {"16_35", true}};

// Plants of the four contact points: heel and ball, left and right.
typedef struct drift {
    bool down[4];
    tr_vec3 begin[4];
    float farthest[4];
    uint32_t plants;
    double sum, worst; // [m]
    double deepest;    // heel, ball or tip below the ground [m]
} drift;

#define CYCLES_MAX 3
typedef struct walker {
    tr_skeleton *skeleton;
    tr_body *body;
    tr_clip *cycle, *cycles[CYCLES_MAX]; // `cycle` is the last of them, the fastest
    tr_character *character;
    drift capture; // of the capture's own skeleton, as it was read
} walker;

static void end_plant(drift *d, int point) {
    d->down[point] = false;
    d->plants++;
    d->sum += d->farthest[point];
    d->worst = d->farthest[point] > d->worst ? d->farthest[point] : d->worst;
}

static void watch(drift *d, const tr_legs *legs, const tr_affine *model, uint32_t contacts) {
    for (int point = 0; point < 4; point++) {
        const tr_foot *foot = &legs->feet[point / 2];
        tr_vec3 at = point % 2 ? tr_foot_ball(foot, model) : tr_foot_heel(foot, model);
        tr_vec3 tip = tr_foot_tip(foot, model);
        d->deepest = fmax(d->deepest, fmax(-at.y, -tip.y));
        bool down = contacts >> point & 1;
        if (down && !d->down[point]) {
            d->begin[point] = at;
            d->farthest[point] = 0;
        } else if (down) {
            float x = at.x - d->begin[point].x, z = at.z - d->begin[point].z, off = sqrtf(x * x + z * z);
            d->farthest[point] = off > d->farthest[point] ? off : d->farthest[point];
        } else if (d->down[point]) {
            end_plant(d, point);
        }
        d->down[point] = down;
    }
}

// A clip as it is, in the time steps of actors: the base moves, the feet are unchanged.
static drift watch_clip(const tr_skeleton *skeleton, const tr_clip *clip, double seconds) {
    drift d = {0};
    tr_legs legs;
    tr_pose pose;
    tr_affine *model = calloc(tr_skeleton_joint_count(skeleton), sizeof *model);
    if (tr_legs_measure(skeleton, &legs, NULL) == TR_OK &&
        tr_pose_create(NULL, tr_skeleton_joint_count(skeleton), &pose, NULL) == TR_OK) {
        for (double time = 0; time < seconds; time += STEP) {
            tr_affine place = tr_base_place(tr_clip_base(clip, time), 0);
            tr_clip_sample(clip, time, &pose);
            tr_pose_to_model(skeleton, &pose, &place, model);
            watch(&d, &legs, model, tr_clip_contacts(clip, time));
        }
        tr_pose_destroy(&pose);
    }
    free(model);
    return d;
}

// The floor of a capture is where it was in the studio: moves it to height 0.
static void lower(const tr_skeleton *skeleton, tr_clip *clip, float ground) {
    tr_pose pose;
    if (tr_pose_create(NULL, tr_skeleton_joint_count(skeleton), &pose, NULL) != TR_OK)
        return;
    for (uint32_t i = 0; i < tr_clip_frame_count(clip); i++) {
        tr_clip_get_frame(clip, i, &pose);
        for (uint32_t j = 0; j < pose.joint_count; j++)
            if (tr_skeleton_parents(skeleton)[j] == TR_NONE)
                pose.position[1][j] -= ground;
        tr_clip_set_frame(clip, i, &pose);
    }
    tr_pose_destroy(&pose);
}

// The capture as a stride of the mannequin.
static tr_status make_cycle(const char *path, bool noisy, walker *w, tr_error *error) {
    const tr_skeleton *skeleton = w->skeleton;
    tr_figures figures = tr_figures_begin(NULL);
    tr_motion_options options = tr_motion_options_default();
    options.skip_first = true;
    options.metres_per_unit = 0.056444;
    tr_clip *smooth = NULL, *worn = NULL;
    tr_retarget *retarget = NULL;
    float ground = 0;
    tr_status status = tr_motion_file_read(path, &options, &figures, error);
    const tr_figure *figure = status == TR_OK ? &figures.items[0] : NULL;
    tr_clip *clip = figure ? figure->clips[0] : NULL;
    if (status == TR_OK && noisy) {
        status = tr_clip_edit_smooth(NULL, figure->skeleton, clip, 10, &smooth, error);
        clip = smooth;
    }
    if (status == TR_OK)
        status = tr_clip_edit_contacts(figure->skeleton, clip, NULL, NULL, error);
    if (status == TR_OK)
        w->capture = watch_clip(figure->skeleton, clip, tr_clip_duration(clip));
    tr_retarget_params params = tr_retarget_params_default();
    if (status == TR_OK)
        status = tr_retarget_create(NULL, figure->skeleton, skeleton, &params, &retarget, error);
    if (status == TR_OK)
        status = tr_retarget_clip(retarget, clip, &worn, error);
    if (status == TR_OK)
        status = tr_clip_edit_contacts(skeleton, worn, NULL, &ground, error);
    if (status == TR_OK)
        lower(skeleton, worn, ground);
    tr_cycle_params stride = tr_cycle_params_default();
    if (status == TR_OK)
        status = tr_clip_edit_cycle(NULL, skeleton, worn, &stride, &w->cycle, error);
    tr_clip_destroy(smooth);
    tr_clip_destroy(worn);
    tr_retarget_destroy(retarget);
    tr_figures_destroy(&figures);
    return status;
}

// The captures are given slowest first.
static bool make_walker(const capture *const *which, uint32_t count, walker *w) {
    char path[500];
    tr_error error = {0};
    memset(w, 0, sizeof *w);
    tr_mannequin_def mannequin = {.height = 1.75f, .detail = 1};
    tr_status status = tr_mannequin_make(&mannequin, &w->skeleton, &w->body, &error);
    const tr_clip *cycles[CYCLES_MAX] = {NULL};
    for (uint32_t i = 0; i < count && status == TR_OK; i++) {
        snprintf(path, sizeof path, "%s/mocap/%s.bvh", test_data_folder(), which[i]->name);
        status = make_cycle(path, which[i]->noisy, w, &error);
        cycles[i] = w->cycles[i] = w->cycle;
    }
    tr_character_def def = {.skeleton = w->skeleton, .body = w->body, .cycles = cycles, .cycle_count = count};
    if (status == TR_OK)
        status = tr_character_create(&def, &w->character, &error);
    if (status != TR_OK)
        test_failed(__FILE__, __LINE__, "%s: %s", which[0]->name, error.message);
    return status == TR_OK;
}

static void destroy_walker(walker *w) {
    tr_character_destroy(w->character);
    for (int i = 0; i < CYCLES_MAX; i++)
        tr_clip_destroy(w->cycles[i]);
    tr_body_destroy(w->body);
    tr_skeleton_destroy(w->skeleton);
}

// Bends to the left and to the right, each a third of a circle, beginning at the origin along +Z.
static uint32_t bend_route(float radius, tr_vec2 *points, uint32_t room) {
    uint32_t count = 0;
    double heading = 0;
    tr_vec2 at = {0, 0};
    for (int bend = 0; bend < 3; bend++)
        for (int i = 0; i < 24 && count < room; i++) {
            points[count++] = at;
            double turn = (bend % 2 ? -1 : 1) * 2 * TR_PI / 3 / 24;
            double piece = 2 * radius * sin(fabs(turn) / 2);
            heading += turn / 2;
            at.x += (float)(piece * sin(heading));
            at.z += (float)(piece * cos(heading));
            heading += turn / 2;
        }
    return count;
}

typedef struct replay {
    drift feet;
    double legs_beyond; // by how much thighs and shanks exceed their limits [rad]
    double feet_beyond; // ankles and toes
    double farthest;    // of the disc from the route [m]
    double speed;       // mean [m/s]
    bool arrived;
} replay;

static void watch_limits(const walker *w, const tr_pose *pose, replay *r) {
    for (int side = 0; side < 2; side++) {
        const tr_foot *foot = &w->character->legs.feet[side];
        const uint32_t joints[4] = {foot->thigh, foot->shank, foot->ankle, foot->toes};
        for (int i = 0; i < 4; i++) {
            double excess =
                tr_skeleton_limit_excess(w->skeleton, joints[i], tr_pose_rotation(pose, joints[i]));
            double *worst = i < 2 ? &r->legs_beyond : &r->feet_beyond;
            *worst = fmax(*worst, excess);
        }
    }
}

static replay walk(const walker *w, float radius, float speed) {
    replay r = {0};
    tr_vec2 points[80];
    uint32_t count = bend_route(radius, points, 80), steps = 0;
    // Runners get a wide corridor: in the usual one they slow down to a walk in such bends.
    bool runs = tr_clip_speed(w->cycle) > 2;
    tr_actor_def def = {
        .character = w->character, .speed = speed, .dt = (float)STEP, .corridor = runs ? 0.7f : 0.1f};
    tr_actor *actor = NULL;
    tr_actor_scratch scratch = {0};
    tr_error error = {0};
    tr_status status = tr_actor_create(&def, &actor, &error);
    if (status == TR_OK)
        status = tr_actor_scratch_create(NULL, tr_skeleton_joint_count(w->skeleton), &scratch, &error);
    if (status == TR_OK)
        status = tr_actor_set_route(actor, points, count, NULL, NULL, speed, &error);
    double length = 0;
    for (; steps < STEPS_MAX && status == TR_OK; steps++) {
        status = tr_actor_step(actor, &scratch, INFINITY);
        actor_look view = tr_actor_look(actor);
        watch(&r.feet, &w->character->legs, view.model, view.contacts);
        watch_limits(w, view.pose, &r);
        if (view.route) {
            r.farthest = fmax(r.farthest, tr_follow_route_distance(view.route, view.state.position, NULL));
            length = tr_follow_route_length(view.route);
        }
    }
    if (error.message[0])
        test_failed(__FILE__, __LINE__, "%s", error.message);
    r.arrived = status == TR_DONE;
    r.speed = length / (steps * STEP);
    tr_actor_scratch_destroy(&scratch);
    tr_actor_destroy(actor);
    return r;
}

static double mean_of(const drift *d) {
    return d->plants ? d->sum / d->plants : 0;
}

static void print_line(const char *name, const walker *w, const drift *source, float radius, float share,
                       const replay *r) {
    printf("| %s | %.2f | %g | %.1f | %.2f | %u | %.1f / %.1f | %.1f / %.1f | %.1f / %.1f | %.1f | %.0f, "
           "%.0f |\n",
           name, (double)tr_clip_speed(w->cycle), (double)radius, (double)share, r->speed, r->feet.plants,
           1000 * mean_of(&w->capture), 1000 * w->capture.worst, 1000 * mean_of(source), 1000 * source->worst,
           1000 * mean_of(&r->feet), 1000 * r->feet.worst, 1000 * r->feet.deepest,
           r->legs_beyond * 180 / TR_PI, r->feet_beyond * 180 / TR_PI);
}

static void check_walker(const char *name, const walker *w) {
    drift source = watch_clip(w->skeleton, w->cycle, 8 * tr_clip_duration(w->cycle));
    CHECK(source.plants > 8 && w->capture.plants >= 2);
    for (int i = 0; i < 8; i++) {
        static const float radii[] = {1.5f, 3, 6, 12};
        float radius = radii[i / 2], share = i % 2 ? 0.7f : 1;
        replay r = walk(w, radius, share * tr_clip_speed(w->cycle));
        if (getenv("TROUPE_TEST_TABLE"))
            print_line(name, w, &source, radius, share, &r);
        CHECK(r.arrived);
        CHECK(r.feet.plants >= 8);
        CHECK(r.feet.worst <= 0.001 && mean_of(&r.feet) <= 2e-4);
        CHECK(r.feet.worst <= source.worst && r.feet.worst <= w->capture.worst);
        CHECK(r.feet.deepest <= 0.001);
        CHECK(r.legs_beyond <= 0.1); // captures exceed none; held feet bend ankles and toes further
        CHECK(r.farthest <= (tr_clip_speed(w->cycle) > 2 ? 0.7 : 0.1));
    }
}

TEST(captures_along_curves_stay_where_they_come_down_whatever_the_captures_do) {
    if (!test_data_folder()) {
        test_skip("the captures are not here");
        return;
    }
    for (size_t i = 0; i < sizeof captures / sizeof captures[0]; i++) {
        walker w;
        const capture *which[1] = {&captures[i]};
        if (make_walker(which, 1, &w))
            check_walker(captures[i].name, &w);
        destroy_walker(&w);
    }
}

// Strides of different people, walks and a run, are mixed by speed; a route of 100 m radius is straight.
TEST(captures_that_are_mixed_by_speed_stay_where_they_come_down) {
    static const uint8_t sets[][CYCLES_MAX] = {{2, 1, 0}, {3, 4, 0}, {1, 4, 0}};
    static const uint32_t counts[] = {3, 2, 2};
    static const float radii[] = {2, 6, 100}, speeds[] = {0.6f, 0.9f, 1.1f, 1.6f, 2.4f};
    if (!test_data_folder()) {
        test_skip("the captures are not here");
        return;
    }
    for (int set = 0; set < 3; set++) {
        const capture *which[CYCLES_MAX];
        for (uint32_t i = 0; i < counts[set]; i++)
            which[i] = &captures[sets[set][i]];
        walker w;
        for (int i = 0; i < 15 && (i > 0 || make_walker(which, counts[set], &w)); i++) {
            replay r = walk(&w, radii[i / 5], speeds[i % 5]);
            if (getenv("TROUPE_TEST_TABLE"))
                printf("| %s... | %g | %g | %.2f / %.2f |\n", which[0]->name, (double)radii[i / 5],
                       (double)speeds[i % 5], 1000 * mean_of(&r.feet), 1000 * r.feet.worst);
            CHECK(r.arrived || radii[i / 5] > 50);
            CHECK(r.feet.plants >= 8);
            // 1 mm, for a walk at up to 1.5 times its own speed; the ball of a faster foot still turns about
            // the heel when it touches the floor.
            CHECK(r.feet.worst <= (speeds[i % 5] > 1.5f ? 0.00125 : 0.001) && mean_of(&r.feet) <= 2e-4);
            CHECK(r.feet.deepest <= 0.001);
        }
        destroy_walker(&w);
    }
}
