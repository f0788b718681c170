// Stairs on which two actors cannot pass: which one waits, and which one turns back.
#include "crowds.h"
#include "motion/cast/cast.h"
#include "test.h"
#include "troupe/motion/audit.h"
#include "troupe/stage/stage.h"
#include "troupe/world/sample.h"

#include <math.h>
#include <string.h>

#define RISE 0.17f
#define GOING 0.29f
#define STEPS 12
#define TOP (STEPS * RISE)
#define LAST ((STEPS - 1) * GOING)

typedef struct flight {
    tr_scene *scene;
    tr_character *character;
    tr_stage *stage;
} flight;

static void add_box(tr_scene *scene, tr_vec3 a, tr_vec3 b) {
    const tr_vec3 p[8] = {{a.x, a.y, a.z}, {b.x, a.y, a.z}, {b.x, a.y, b.z}, {a.x, a.y, b.z},
                          {a.x, b.y, a.z}, {b.x, b.y, a.z}, {b.x, b.y, b.z}, {a.x, b.y, b.z}};
    static const uint32_t indices[] = {0, 5, 1, 0, 4, 5, 1, 6, 2, 1, 5, 6, 2, 7, 3, 2, 6, 7,
                                       3, 4, 0, 3, 7, 4, 4, 6, 5, 4, 7, 6, 0, 1, 2, 0, 2, 3};
    tr_mesh_def mesh = {.positions = p, .position_count = 8, .indices = indices, .triangle_count = 12};
    tr_object_def object = {.placement = tr_affine_identity()};
    uint32_t number;
    CHECK_INT(tr_scene_add_mesh(scene, &mesh, &object.mesh, NULL), TR_OK);
    CHECK_INT(tr_scene_add_object(scene, &object, &number, NULL), TR_OK);
}

// A hall below (z < 0), stairs of that width between two walls, a hall above.
static bool open_flight(flight *f, float width) {
    memset(f, 0, sizeof *f);
    tr_character_def kind = {.detail = 1, .height = 1.75f};
    if (tr_scene_create(NULL, &f->scene) != TR_OK || tr_character_create(&kind, &f->character, NULL) != TR_OK)
        return false;
    float half = 0.5f * width, wall = half + 0.2f, high = TOP + 2.2f;
    add_box(f->scene, tr_vec3_make(-3, -0.2f, -4), tr_vec3_make(3, 0, 0.5f));
    for (int i = 1; i < STEPS; i++)
        add_box(f->scene, tr_vec3_make(-half, (float)i * RISE - 0.15f, (float)(i - 1) * GOING),
                tr_vec3_make(half, (float)i * RISE, (float)i * GOING + 0.02f));
    add_box(f->scene, tr_vec3_make(-3, TOP - 0.2f, LAST), tr_vec3_make(3, TOP, LAST + 5));
    add_box(f->scene, tr_vec3_make(-wall, 0, 0), tr_vec3_make(-half, high, LAST));
    add_box(f->scene, tr_vec3_make(half, 0, 0), tr_vec3_make(wall, high, LAST));
    tr_stage_def def = tr_stage_def_default(f->scene);
    def.record = true;
    tr_error error = {0};
    CHECK_INT(tr_stage_create(&def, &f->stage, &error), TR_OK);
    CHECK_TEXT(error.message, "");
    return f->stage;
}

static void close_flight(flight *f) {
    tr_stage_destroy(f->stage);
    tr_character_destroy(f->character);
    tr_scene_destroy(f->scene);
}

static tr_actor_id send(flight *f, tr_vec3 from, tr_vec3 to, float heading) {
    tr_stage_actor_def def = {.character = f->character, .position = from, .heading = heading};
    tr_order order = {.kind = TR_ORDER_GO, .goal = to};
    tr_actor_id actor = 0;
    CHECK_INT(tr_stage_add_actor(f->stage, &def, &actor, NULL), TR_OK);
    CHECK_INT(tr_stage_order(f->stage, actor, &order, TR_ORDER_QUEUE, NULL, NULL), TR_OK);
    return actor;
}

static void check_arrived(const flight *f, tr_actor_id actor, uint32_t order) {
    tr_order_report report = {0};
    tr_actor_view view = {0};
    CHECK_INT(tr_stage_order_report(f->stage, actor, order, &report), TR_OK);
    CHECK_INT(tr_stage_look(f->stage, actor, &view), TR_OK);
    CHECK_TEXT(report.reason, "");
    CHECK_INT(report.state, TR_ORDER_DONE);
    CHECK_NEAR(view.position.x, report.order.goal.x, 0.15);
    CHECK_NEAR(view.position.z, report.order.goal.z, 0.15);
    CHECK_NEAR(view.position.y, report.order.goal.y, 0.02);
}

// Nothing slides, sinks or goes into walls.
static void check_body(const flight *f, tr_actor_id actor) {
    tr_clip *clip = NULL;
    CHECK_INT(tr_stage_clip(f->stage, actor, NULL, &clip, NULL), TR_OK);
    tr_audit_params params = tr_audit_params_default();
    params.scene = f->scene;
    params.body = f->character->body;
    params.ground = 0;
    tr_audit audit = {0};
    CHECK_INT(tr_audit_measure(NULL, f->character->skeleton, clip, &params, &audit, NULL), TR_OK);
    CHECK(audit.slide_mm_max < 2);
    CHECK(audit.penetration_mm_max < 2);
    CHECK_INT(audit.collisions, 0);
    tr_clip_destroy(clip);
}

static bool is_between(tr_stage *stage, tr_actor_id actor, float low, float high) {
    tr_actor_view view = {0};
    tr_stage_look(stage, actor, &view);
    return view.position.y > low + 0.25f && view.position.y < high - 0.25f;
}

// The way turns into the stairs there: the stretch that two actors share begins for one where it ends for the
// other.
TEST(two_actors_that_reach_the_stairs_at_the_same_time_go_one_after_the_other) {
    tr_sample_def def = {.name = "house"};
    tr_sample house = {0};
    flight f = {0};
    tr_character_def kind = {.detail = 1, .height = 1.75f};
    CHECK_INT(tr_sample_make(&def, &house, NULL), TR_OK);
    CHECK_INT(tr_character_create(&kind, &f.character, NULL), TR_OK);
    f.scene = house.scene;
    for (int i = 0; i < 4 && f.scene && f.character; i++) {
        tr_stage_def stage = tr_stage_def_default(f.scene);
        stage.record = true;
        CHECK_INT(tr_stage_create(&stage, &f.stage, NULL), TR_OK);
        const float low = 0.05f, high = 2.85f;
        tr_actor_id up = send(&f, tr_vec3_make(8, low, 6.8f), tr_vec3_make(17.4f, high, 6.5f), -1.57f),
                    down = send(&f, tr_vec3_make(9 + 0.4f * (float)i, high, 6.2f), tr_vec3_make(4, low, 6.2f),
                                -1.57f);
        tr_status status = TR_OK;
        uint32_t both = 0;
        while (status == TR_OK && tr_stage_time(f.stage) < 60) {
            status = tr_stage_step(f.stage, TR_STAGE_TICK, NULL);
            both += is_between(f.stage, up, low, high) && is_between(f.stage, down, low, high);
        }
        CHECK_INT(status, TR_DONE);
        CHECK_INT(both, 0);
        check_arrived(&f, up, 0);
        check_arrived(&f, down, 0);
        check_body(&f, up);
        check_body(&f, down);
        tr_stage_destroy(f.stage);
    }
    tr_character_destroy(f.character);
    tr_scene_destroy(house.scene);
}

TEST(an_actor_called_back_on_a_flight_of_stairs_turns_where_it_fits) {
    static const float widths[] = {0.9f, 1.2f};
    for (int i = 0; i < 28; i++) {
        flight f;
        if (open_flight(&f, widths[i % 2])) {
            tr_vec3 low = {0.5f, 0, -2.5f}, high = {0.4f, TOP, LAST + 3};
            bool down = i / 2 % 2;
            uint32_t called = (down ? 150 : 120) + 26 * (uint32_t)(i / 4);
            tr_order back = {.kind = TR_ORDER_GO, .goal = down ? high : low};
            tr_actor_id who = send(&f, down ? high : low, down ? low : high, 0);
            tr_status status = TR_OK;
            for (uint32_t tick = 0; status == TR_OK && tick < 2400; tick++) {
                if (tick == called)
                    CHECK_INT(tr_stage_order(f.stage, who, &back, TR_ORDER_REPLACE, NULL, NULL), TR_OK);
                status = tr_stage_step(f.stage, TR_STAGE_TICK, NULL);
            }
            CHECK_INT(status, TR_DONE);
            check_arrived(&f, who, 1);
            check_body(&f, who);
        }
        close_flight(&f);
    }
}

// On the way to a landing both feet come to stand on it, wherever they were stopped.
TEST(an_actor_stopped_on_the_last_step_does_not_walk_below_the_floor) {
    for (uint32_t called = 146; called < 182; called += 9) {
        flight f;
        if (open_flight(&f, 0.8f)) {
            tr_vec3 low = {0.5f, 0, -2.5f}, high = {0.4f, TOP, LAST + 3};
            tr_order back = {.kind = TR_ORDER_GO, .goal = high};
            tr_actor_id who = send(&f, high, low, 0);
            tr_status status = TR_OK;
            for (uint32_t tick = 0; status == TR_OK && tick < 2400; tick++) {
                if (tick == called)
                    CHECK_INT(tr_stage_order(f.stage, who, &back, TR_ORDER_REPLACE, NULL, NULL), TR_OK);
                status = tr_stage_step(f.stage, TR_STAGE_TICK, NULL);
                tr_actor_view view = {0};
                tr_stage_look(f.stage, who, &view);
                if (view.position.z > LAST + 0.5f)
                    CHECK_NEAR(view.position.y, TOP, 0.03);
            }
            CHECK_INT(status, TR_DONE);
            check_arrived(&f, who, 1);
        }
        close_flight(&f);
    }
}

TEST(five_up_and_five_down_the_stairs_all_arrive) {
    static const uint64_t seeds[] = {6, 13, 14};
    for (size_t i = 0; i < sizeof seeds / sizeof *seeds; i++) {
        crowd_stage all;
        tr_sample_crowd_def def = {.kind = "stairs", .people = 10, .seed = seeds[i]};
        if (!crowd_stage_open(&all, &def, NULL))
            continue;
        tr_status status = TR_OK;
        while (status == TR_OK && tr_stage_time(all.stage) < 240)
            status = tr_stage_step(all.stage, TR_STAGE_TICK, NULL);
        CHECK_INT(status, TR_DONE);
        for (uint32_t k = 0; k < all.count; k++) {
            tr_order_report report = {0};
            CHECK_INT(tr_stage_order_report(all.stage, all.actors[k], 0, &report), TR_OK);
            CHECK_TEXT(report.reason, "");
            CHECK_INT(report.state, TR_ORDER_DONE);
        }
        crowd_stage_close(&all);
    }
}
