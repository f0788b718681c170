// Actors that climb onto blocks where walking cannot get them up, come down again, and jump across ditches.
#include "block.h"
#include "stage/actor/character.h"
#include "troupe/base/random.h"
#include "troupe/motion/audit.h"
#include "troupe/stage/stage.h"

#include <string.h>

typedef struct place {
    tr_scene *scene;
    tr_stage *stage;
    tr_behavior_cast *cast;
    tr_character *character;
    tr_actor_id actor;
} place;

static bool open_place(place *p, tr_scene *scene, float height, tr_vec3 start) {
    tr_error error = {0};
    *p = (place){.scene = scene};
    tr_behavior_cast_human_def human = {.clips_max = 1, .mannequin = {.height = height}};
    tr_stage_def def = tr_stage_def_default(scene);
    def.record = true;
    bool good = tr_behavior_cast_human(&human, &p->cast, &error) == TR_OK;
    tr_character_def kind = {.skeleton = good ? p->cast->skeleton : NULL,
                             .body = good ? p->cast->body : NULL};
    good = good && tr_character_create(&kind, &p->character, &error) == TR_OK &&
           tr_stage_create(&def, &p->stage, &error) == TR_OK;
    tr_stage_actor_def who = {
        .character = p->character, .behaviors = p->cast, .behaviors_where_needed = true, .position = start};
    good = good && tr_stage_add_actor(p->stage, &who, &p->actor, &error) == TR_OK;
    if (!good)
        test_failed(__FILE__, __LINE__, "%s", error.message);
    return good;
}

static void close_place(place *p) {
    tr_stage_destroy(p->stage);
    tr_character_destroy(p->character);
    tr_behavior_cast_destroy(p->cast);
    tr_scene_destroy(p->scene);
}

// Goes there; returns where the actor is in the end.
static tr_vec3 go(place *p, tr_vec3 goal, double seconds) {
    tr_error error = {0};
    tr_order order = {.kind = TR_ORDER_GO, .goal = goal};
    tr_order_report report = {0};
    tr_actor_view view = {0};
    uint32_t number = 0;
    CHECK_INT(tr_stage_order(p->stage, p->actor, &order, TR_ORDER_REPLACE, &number, &error), TR_OK);
    double end = tr_stage_time(p->stage) + seconds;
    while (tr_stage_time(p->stage) < end && tr_stage_step(p->stage, TR_STAGE_TICK, &error) == TR_OK) {
    }
    CHECK_INT(tr_stage_order_report(p->stage, p->actor, number, &report), TR_OK);
    if (report.state != TR_ORDER_DONE)
        test_failed(__FILE__, __LINE__, "the order to go to (%g, %g, %g): %s", (double)goal.x, (double)goal.y,
                    (double)goal.z, report.reason);
    CHECK_INT(tr_stage_look(p->stage, p->actor, &view), TR_OK);
    return view.position;
}

static void check_motion(const place *p) {
    tr_audit_params params = tr_audit_params_default();
    tr_audit audit = {0};
    tr_clip *clip = NULL;
    tr_error error = {0};
    params.scene = p->scene;
    params.body = p->cast->body;
    CHECK_INT(tr_stage_clip(p->stage, p->actor, NULL, &clip, &error), TR_OK);
    CHECK_INT(tr_audit_measure(NULL, p->cast->skeleton, clip, &params, &audit, &error), TR_OK);
    CHECK_INT(audit.collisions, 0);
    CHECK(audit.slide_mm_max < 1 && audit.penetration_mm_max < 15);
    CHECK(audit.joint_limit_violations < 15 && audit.joint_limit_worst < 0.15f);
    tr_clip_destroy(clip);
}

TEST(an_actor_climbs_onto_a_block_and_comes_down_again) {
    static const float bodies[] = {1.45f, 1.75f, 1.95f};
    tr_random random = tr_random_seed(5);
    for (uint32_t i = 0; i < 3; i++) {
        place p;
        tr_scene *scene = NULL;
        float scale = bodies[i] / 1.75f, top = scale * tr_random_between(&random, 0.5f, 0.94f);
        float wide = tr_random_between(&random, 1.1f, 1.6f), x = tr_random_between(&random, -1, 1);
        REQUIRE(tr_scene_create(NULL, &scene) == TR_OK);
        add_block(scene, "floor", tr_vec3_make(-6, -1, -6), tr_vec3_make(6, 0, 8));
        add_block(scene, "block", tr_vec3_make(x - wide, 0, 2 - wide), tr_vec3_make(x + wide, top, 2 + wide));
        REQUIRE(open_place(&p, scene, bodies[i], tr_vec3_make(tr_random_between(&random, -2, 2), 0, -4)));
        tr_vec3 up = go(&p, tr_vec3_make(x, top, 2), 60);
        CHECK_NEAR((double)up.y, (double)top, 0.02);
        tr_vec3 down = go(&p, tr_vec3_make(-x, 0, 6.5f), 60);
        CHECK_NEAR((double)down.y, 0, 0.02);
        check_motion(&p);
        close_place(&p);
    }
}

TEST(an_actor_jumps_across_a_ditch) {
    static const float bodies[] = {1.4f, 1.75f, 1.9f}, wides[] = {0.95f, 1.25f, 1.35f};
    for (uint32_t i = 0; i < 3; i++) {
        place p;
        tr_scene *scene = NULL;
        REQUIRE(tr_scene_create(NULL, &scene) == TR_OK);
        add_block(scene, "floor", tr_vec3_make(-3, -2, -21), tr_vec3_make(3, 0, 0));
        if (i == 1) // from wall to wall: the way leads over it
            add_block(scene, "block", tr_vec3_make(-3, 0, -16), tr_vec3_make(3, 0.6f, -13.5f));
        add_block(scene, "beyond", tr_vec3_make(-3, -2, wides[i]), tr_vec3_make(3, 0, 13));
        REQUIRE(open_place(&p, scene, bodies[i], tr_vec3_make(0.5f, 0, i == 1 ? -19 : -10)));
        tr_vec3 there = go(&p, tr_vec3_make(0, 0, 11), 60);
        CHECK(there.z > 10.5f);
        check_motion(&p);
        close_place(&p);
    }
}
