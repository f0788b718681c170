// Characters as others make them walk on the stage: nothing sinks, slides, or passes without a word.
#include "foreign.h"
#include "stage_text.h"
#include "troupe/motion/audit.h"

#include <math.h>
#include <sys/stat.h>

#define FOLDER "test_stage_file_foreign_folder"

static const char *const mixamo[][2] = {{"hips", "mixamorig:Hips"},
                                        {"spine", "mixamorig:Spine"},
                                        {"chest", "mixamorig:Spine1"},
                                        {"upper_chest", "mixamorig:Spine2"},
                                        {"neck", "mixamorig:Neck"},
                                        {"head", "mixamorig:Head"},
                                        {"left_shoulder", "mixamorig:*Left/Right*Shoulder"},
                                        {"left_upper_arm", "mixamorig:*Left/Right*Arm"},
                                        {"left_forearm", "mixamorig:*Left/Right*ForeArm"},
                                        {"left_hand", "mixamorig:*Left/Right*Hand"},
                                        {"left_thigh", "mixamorig:*Left/Right*UpLeg"},
                                        {"left_shank", "mixamorig:*Left/Right*Leg"},
                                        {"left_foot", "mixamorig:*Left/Right*Foot"},
                                        {"left_toes", "mixamorig:*Left/Right*ToeBase"},
                                        {"left_toes_end", "mixamorig:*Left/Right*Toe_End"},
                                        {NULL, NULL}};
static const char *const unreal[][2] = {{"hips", "pelvis"},
                                        {"spine", "spine_01"},
                                        {"chest", "spine_02"},
                                        {"upper_chest", "spine_03"},
                                        {"neck", "neck_01"},
                                        {"head", "head"},
                                        {"left_shoulder", "clavicle_*l/r*"},
                                        {"left_upper_arm", "upperarm_*l/r*"},
                                        {"left_forearm", "lowerarm_*l/r*"},
                                        {"left_hand", "hand_*l/r*"},
                                        {"left_thigh", "thigh_*l/r*"},
                                        {"left_shank", "calf_*l/r*"},
                                        {"left_foot", "foot_*l/r*"},
                                        {"left_toes", "ball_*l/r*"},
                                        {"left_toes_end", "ball_leaf_*l/r*"},
                                        {NULL, NULL}};
static const char *const rigify[][2] = {{"hips", "DEF-spine"},
                                        {"spine", "DEF-spine.001"},
                                        {"chest", "DEF-spine.002"},
                                        {"upper_chest", "DEF-spine.003"},
                                        {"neck", "DEF-spine.004"},
                                        {"head", "DEF-spine.006"},
                                        {"left_shoulder", "DEF-shoulder.*L/R*"},
                                        {"left_upper_arm", "DEF-upper_arm.*L/R*"},
                                        {"left_forearm", "DEF-forearm.*L/R*"},
                                        {"left_hand", "DEF-hand.*L/R*"},
                                        {"left_thigh", "DEF-thigh.*L/R*"},
                                        {"left_shank", "DEF-shin.*L/R*"},
                                        {"left_foot", "DEF-foot.*L/R*"},
                                        {"left_toes", "DEF-toe.*L/R*"},
                                        {NULL, NULL}};
static const char *const biped[][2] = {{"hips", "Bip01 Pelvis"},
                                       {"spine", "Bip01 Spine"},
                                       {"chest", "Bip01 Spine1"},
                                       {"upper_chest", "Bip01 Spine2"},
                                       {"neck", "Bip01 Neck"},
                                       {"head", "Bip01 Head"},
                                       {"left_shoulder", "Bip01 *L/R* Clavicle"},
                                       {"left_upper_arm", "Bip01 *L/R* UpperArm"},
                                       {"left_forearm", "Bip01 *L/R* Forearm"},
                                       {"left_hand", "Bip01 *L/R* Hand"},
                                       {"left_thigh", "Bip01 *L/R* Thigh"},
                                       {"left_shank", "Bip01 *L/R* Calf"},
                                       {"left_foot", "Bip01 *L/R* Foot"},
                                       {"left_toes", "Bip01 *L/R* Toe0"},
                                       {NULL, NULL}};

static void collect(void *user, const char *sentence) {
    char *text = user;
    size_t length = strlen(text);
    snprintf(text + length, 1000 - length, "%s\n", sentence);
}

static char notes[1000];

static bool read_guest(const char *file, const char *more, tr_stage_play *play, tr_error *error) {
    char text[600];
    tr_stage_file_options options = {.note = collect, .note_user = notes};
    snprintf(text, sizeof text,
             "{\"scene\": {\"sample\": \"plaza\", \"people\": 100}, \"characters\": [{\"character\": \"%s\","
             " %s \"start\": [-8, -4], \"goal\": [-4, -4]}]}",
             file, more);
    notes[0] = 0;
    *error = (tr_error){0};
    return tr_stage_file_read(text, strlen(text), FOLDER "/s.json", &options, play, error) == TR_OK;
}

// The skin of a body while it walks: its lowest point, and how fast the lowest points of a foot that stands
// flat move.
typedef struct skin_watch {
    const tr_body *body;
    tr_vec3 *now, *before;
    uint32_t contacts, standing; // of the tick before; ticks
    float lowest, slide;
} skin_watch;

static void watch_skin(skin_watch *watch, const tr_actor_view *view) {
    const tr_body_def *def = tr_body_view(watch->body);
    const tr_skeleton *skeleton = tr_character_skeleton(view->character);
    tr_vec3 *swap = watch->before;
    watch->before = watch->now;
    watch->now = swap;
    tr_body_skin(watch->body, view->model, watch->now, NULL);
    for (uint32_t side = 0; side < 2; side++) {
        uint32_t foot = tr_skeleton_with_role(skeleton, side ? TR_ROLE_RIGHT_FOOT : TR_ROLE_LEFT_FOOT);
        bool flat = ((view->contacts & watch->contacts) >> 2 * side & 3) == 3;
        float least = INFINITY;
        for (uint32_t i = 0; i < def->vertex_count; i++) {
            const tr_vec3 *a = &watch->before[i], *b = &watch->now[i];
            watch->lowest = fminf(watch->lowest, b->y);
            if (tr_skeleton_hangs_on(skeleton, def->joints[i][0], foot) && a->y < 0.004f && b->y < 0.004f)
                least = fminf(least, hypotf(a->x - b->x, a->z - b->z));
        }
        watch->standing += flat && isfinite(least);
        if (flat && isfinite(least))
            watch->slide = fmaxf(watch->slide, least);
    }
    watch->contacts = view->contacts;
}

static void check_walk(const char *file, const char *more, float speed) {
    tr_stage_play play;
    tr_error error;
    bool made = read_guest(file, more, &play, &error);
    CHECK_TEXT(error.message, "");
    REQUIRE(made);
    tr_body *const body = play.kinds[0].body;
    uint32_t vertices = tr_body_view(body)->vertex_count;
    skin_watch watch = {.body = body,
                        .now = calloc(vertices, sizeof *watch.now),
                        .before = calloc(vertices, sizeof *watch.before)};
    float fastest = 0;
    tr_status status = TR_OK;
    tr_body_skin(body, stage_view(&play, 0).model, watch.now, NULL);
    for (int tick = 0; tick < 900 && status == TR_OK; tick++) {
        status = tr_stage_step(play.stage, TR_STAGE_TICK, &error);
        tr_actor_view view = stage_view(&play, 0);
        watch_skin(&watch, &view);
        fastest = fmaxf(fastest, view.speed);
    }
    CHECK_INT(status, TR_DONE);
    CHECK_NEAR(stage_view(&play, 0).position.x, -4, 0.15);
    CHECK_NEAR(fastest, speed, 0.07 * (double)speed);
    CHECK(watch.lowest > -0.004f);
    CHECK(watch.standing > 60);
    CHECK(watch.slide < 0.0005f);
    if (watch.lowest <= -0.004f || watch.slide >= 0.0005f)
        test_failed(__FILE__, __LINE__, "%s: %.1f mm below the floor, slides by %.2f mm a tick", file,
                    -1000 * (double)watch.lowest, 1000 * (double)watch.slide);
    free(watch.now);
    free(watch.before);
    tr_stage_play_destroy(&play);
}

TEST(bodies_with_the_names_units_axes_and_joints_of_others_walk) {
    static const struct {
        foreign_def def;
        double rate;
    } cases[] = {
        {{0}, 30},
        {{.unit = 0.01f, .names = mixamo}, 60},
        {{.unit = 0.01f, .up_z = true, .names = unreal, .twist = true}, 30},
        {{.up_z = true, .names = rigify}, 24},
        {{.unit = 0.0254f, .names = biped}, 30},
        {{.facing = 3.14159265f, .names = mixamo}, 30},
        {{.facing = -1.5707963f, .unit = 0.01f, .up_z = true, .names = unreal}, 25},
        {{.left_out = "toes"}, 30},
        {{.left_out = "hand|finger|thumb", .names = mixamo}, 30},
        {{.left_out = "upper_arm"}, 30},
        {{.left_out = "toes|hand", .facing = 0.8f, .twist = true}, 30},
        {{.shoes = 0.08f}, 30},
        {{.arms = 2.3f}, 30}, // hands would hang below the floor
        {{.shoes = 0.05f, .left_out = "toes"}, 15},
    };
    mkdir(FOLDER, 0777);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        foreign_write(FOLDER "/guest.glb", &cases[i].def, cases[i].rate);
        for (int clip = 0; clip < 2; clip++) { // with a walk on the spot of its own, and with a made one
            check_walk("guest.glb", clip ? "\"clips\": {\"walk\": \"Walking\"}," : "", 1.3f);
            if (cases[i].def.facing != 0)
                CHECK_CONTAINS(notes, "degrees from +Z at rest: it is turned");
            else
                CHECK_TEXT(notes, "");
        }
    }
}

// Heels may hang over the edge of a tread; toes end before the next riser.
TEST(long_shoes_climb_stairs_without_a_toe_in_the_riser) {
    static const char text[] =
        "{\"scene\": {\"sample\": \"house\"}, \"fps\": 30, \"characters\": [{\"character\": \"guest.glb\","
        " \"start\": [3.2, 0.05, 7.1], \"goal\": [8.52, 2.85, 6.88]}]}";
    mkdir(FOLDER, 0777);
    for (int i = 0; i < 2; i++) {
        tr_stage_play play;
        tr_error error = {0};
        tr_clip *clip = NULL;
        tr_audit audit;
        foreign_write(FOLDER "/guest.glb", &(foreign_def){.shoes = i ? 0.06f : 0}, 30);
        tr_status status = tr_stage_file_read(text, strlen(text), FOLDER "/s.json", NULL, &play, &error);
        CHECK_TEXT(error.message, "");
        REQUIRE(status == TR_OK);
        for (int tick = 0; tick < 1800 && status == TR_OK; tick++)
            status = tr_stage_step(play.stage, TR_STAGE_TICK, &error);
        CHECK_INT(status, TR_DONE);
        CHECK_NEAR(stage_view(&play, 0).position.y, 2.85, 0.02);
        REQUIRE(tr_stage_clip(play.stage, tr_stage_actor(play.stage, 0), NULL, &clip, &error) == TR_OK);
        tr_audit_params params = tr_audit_params_default();
        params.scene = play.scene;
        REQUIRE(tr_audit_measure(NULL, play.kinds[0].skeleton, clip, &params, &audit, &error) == TR_OK);
        CHECK(audit.plants > 20);
        CHECK(audit.slide_mm_max < 1);
        CHECK(audit.penetration_mm_max < 5);
        tr_clip_destroy(clip);
        tr_stage_play_destroy(&play);
    }
}

TEST(what_cannot_walk_is_refused_with_a_sentence) {
    static const struct {
        foreign_def def;
        const char *more, *sentence;
    } cases[] = {
        {{.left_out = "left_thigh"}, "", "has no left leg with roles"},
        {{.left_out = "_foot"}, "", "has no left leg with roles"},
        {{.left_out = "_foot"}, "\"clips\": {\"walk\": \"Walking\"},", "has no left foot with a role"},
    };
    mkdir(FOLDER, 0777);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tr_stage_play play;
        tr_error error;
        foreign_write(FOLDER "/guest.glb", &cases[i].def, 30);
        CHECK(!read_guest("guest.glb", cases[i].more, &play, &error));
        CHECK_CONTAINS(error.message, cases[i].sentence);
    }
}
