// The foot lock on real clips: the mannequin's gaits and captures of people, replayed along curves.
#include "foot_lock_watch.h"
#include "troupe/io/bvh.h"
#include "troupe/motion/gait.h"
#include "troupe/motion/mannequin.h"
#include "troupe/motion/clip_edit.h"

#include <stdlib.h>

typedef struct replay {
    const tr_skeleton *skeleton;
    const tr_clip *clip; // with a base
    double seconds, rate;
    double curve; // is added to the way's own [1/m]
    float ground;
} replay;

// Steps along the base of the clip, bent.
typedef struct bent_way {
    double x, z, turned;
    tr_base last;
    bool begun;
} bent_way;

static tr_affine go_on(bent_way *way, tr_base base, double curve, float ground) {
    tr_base from = way->begun ? way->last : base;
    double dx = base.x - from.x, dz = base.z - from.z;
    way->turned += curve * hypot(dx, dz);
    way->x += dx * cos(way->turned) + dz * sin(way->turned);
    way->z += dz * cos(way->turned) - dx * sin(way->turned);
    way->last = base, way->begun = true;
    return tr_affine_place(tr_vec3_make((float)way->x, -ground, (float)way->z), base.heading + way->turned);
}

static foot_lock_watch play(const replay *what) {
    foot_lock_view view = {.rate = what->rate};
    uint32_t count = tr_skeleton_joint_count(what->skeleton);
    tr_affine *model = calloc(count, sizeof *model);
    tr_pose pose = {0};
    tr_legs legs;
    view.watch.drift = NAN;
    if (model && tr_pose_create(NULL, count, &pose, NULL) == TR_OK &&
        tr_legs_measure(what->skeleton, &legs, NULL) == TR_OK) {
        tr_foot_lock_params params = tr_foot_lock_params_default();
        bent_way way = {0};
        view.watch.drift = 0;
        for (int step = 0; step < (int)(what->seconds * what->rate); step++) {
            double time = step / what->rate;
            tr_clip_sample(what->clip, time, &pose);
            tr_affine place = go_on(&way, tr_clip_base(what->clip, time), what->curve, what->ground);
            tr_pose_to_model(what->skeleton, &pose, &place, model);
            CHECK_INT(watch_step(&view, &params, &legs, what->skeleton, tr_clip_contacts(what->clip, time),
                                 &pose, &place, model),
                      TR_OK);
        }
    }
    tr_pose_destroy(&pose);
    free(model);
    return view.watch;
}

TEST(the_mannequin_walks_along_curves_and_its_feet_stay) {
    tr_skeleton *skeleton = NULL;
    tr_mannequin_def body = {0};
    REQUIRE(tr_mannequin_make(&body, &skeleton, NULL, NULL) == TR_OK);
    tr_gait_def def = {.skeleton = skeleton, .kind = TR_GAIT_WALK};
    tr_clip *walk = NULL;
    REQUIRE(tr_gait_make(&def, &walk, NULL) == TR_OK);
    const double curves[] = {0, 0.3, -0.3, 0.8};
    for (int i = 0; i < 4; i++)
        for (double rate = 30; rate < 100; rate *= 2) {
            replay what = {skeleton, walk, 8, rate, curves[i], 0};
            foot_lock_watch watch = play(&what);
            CHECK(watch.drift < 1e-5);
            CHECK(watch.slide < 0.5e-3);
            CHECK(watch.depth < 2e-5);
            CHECK(watch.drop < 0.001 + 0.045 * fabs(curves[i]));
            CHECK(watch.knee < 1.25 * watch.meant_knee);
            CHECK(watch.acceleration < 1.3 * watch.meant_acceleration);
            CHECK(watch.away < 0.01 + 0.12 * fabs(curves[i]));
            CHECK_INT(watch.strayed, 0);
            if (i)
                CHECK(watch.meant_slide > 0.01);
        }
    tr_clip_destroy(walk);
    tr_skeleton_destroy(skeleton);
}

static bool read_capture(const char *folder, const char *name, tr_figure *figure) {
    char path[1024];
    snprintf(path, sizeof path, "%s/mocap/%s.bvh", folder, name);
    tr_bytes bytes;
    if (tr_file_read(NULL, path, &bytes, NULL) != TR_OK)
        return false;
    tr_bvh_options options = tr_bvh_options_default();
    options.metres_per_unit = 0.056444;
    options.skip_first = true;
    tr_status status = tr_bvh_read(bytes.data, bytes.size, &options, figure, NULL);
    tr_bytes_free(NULL, &bytes);
    return status == TR_OK;
}

static void replay_capture(const char *folder, const char *name, double curve) {
    tr_figure figure = {0};
    REQUIRE(read_capture(folder, name, &figure));
    tr_contact_params params = tr_contact_params_default();
    float ground = 0;
    tr_clip *based = NULL;
    CHECK_INT(tr_clip_edit_contacts(figure.skeleton, figure.clips[0], &params, &ground, NULL), TR_OK);
    if (tr_clip_edit_take_base(NULL, figure.skeleton, figure.clips[0], TR_BASE_FOLLOW, &based, NULL) ==
        TR_OK) {
        replay what = {figure.skeleton, based, tr_clip_duration(based), 60, curve, ground};
        foot_lock_watch watch = play(&what);
        printf("        %s, curve %3.1f: slides %4.1f mm instead of %5.1f, hips lowered %4.1f mm\n", name,
               curve, 1e3 * watch.slide, 1e3 * watch.meant_slide, 1e3 * watch.drop);
        CHECK(watch.plants > 0);
        CHECK(watch.drift < 5e-3);
        CHECK(watch.slide < 0.02);
        CHECK(watch.slide < watch.meant_slide);
        CHECK(watch.depth < 2e-5);
        CHECK(watch.drop < 0.08);
        CHECK(watch.drop_speed < 0.51);
        CHECK(watch.acceleration < 2 * watch.meant_acceleration);
    }
    CHECK(based);
    tr_clip_destroy(based);
    tr_figure_destroy(&figure);
}

// Motion that needs no foot lock is hardly changed by it.
TEST(gaits_along_their_own_way_are_hardly_changed) {
    tr_skeleton *skeleton = NULL;
    tr_mannequin_def body = {0};
    REQUIRE(tr_mannequin_make(&body, &skeleton, NULL, NULL) == TR_OK);
    for (int kind = 0; kind < TR_GAIT_KINDS; kind++) {
        tr_gait_def def = {.skeleton = skeleton, .kind = (tr_gait_kind)kind};
        tr_clip *clip = NULL;
        REQUIRE(tr_gait_make(&def, &clip, NULL) == TR_OK);
        replay what = {skeleton, clip, tr_clip_loops(clip) ? 4 : tr_clip_duration(clip), 60, 0, 0};
        foot_lock_watch watch = play(&what);
        CHECK(watch.plants > 0);
        CHECK(watch.slide < 1e-4);
        CHECK(watch.depth < 2e-5);
        CHECK(watch.away < 8e-3);
        CHECK(watch.drop < 2e-3);
        CHECK(watch.knee < 1.1 * watch.meant_knee + 1);
        tr_clip_destroy(clip);
    }
    tr_skeleton_destroy(skeleton);
}

TEST(captures_replayed_along_curves_slide_less_than_they_did) {
    const char *folder = test_data_folder();
    if (!folder) {
        test_skip("no data folder");
        return;
    }
    const char *names[] = {"16_15",  "104_02", "16_17", "16_19", "69_16",
                           "127_03", "127_06", "16_35", "16_08"};
    for (uint32_t i = 0; i < sizeof names / sizeof *names; i++)
        for (double curve = 0; curve < 0.6; curve += 0.5)
            replay_capture(folder, names[i], curve);
}
