// The whole chain from orders to joint angles, as one number: gaits, tables, followers, transitions, feet.
#include "test.h"
#include "troupe/base/hash.h"
#include "troupe/stage/stage.h"
#include "troupe/world/sample.h"

#include <string.h>

static void check_done(const tr_stage *stage, tr_actor_id actor, uint32_t order) {
    tr_order_report report = {0};
    CHECK_INT(tr_stage_order_report(stage, actor, order, &report), TR_OK);
    CHECK_TEXT(report.reason, "");
    CHECK_INT(report.state, TR_ORDER_DONE);
}

static uint64_t hash_clip(uint64_t hash, const tr_stage *stage, tr_actor_id actor) {
    tr_clip *clip = NULL;
    tr_pose pose;
    CHECK_INT(tr_stage_clip(stage, actor, NULL, &clip, NULL), TR_OK);
    CHECK_INT(tr_pose_create(NULL, tr_clip_joint_count(clip), &pose, NULL), TR_OK);
    for (uint32_t frame = 0; frame < tr_clip_frame_count(clip); frame++) {
        tr_clip_get_frame(clip, frame, &pose);
        for (uint32_t joint = 0; joint < pose.joint_count; joint++) {
            tr_transform t = tr_pose_get(&pose, joint);
            hash = tr_hash(hash, &t.position, sizeof t.position);
            hash = tr_hash(hash, &t.rotation, sizeof t.rotation);
        }
        uint32_t contacts = tr_clip_frame_contacts(clip, frame);
        hash = tr_hash(hash, &contacts, sizeof contacts);
    }
    tr_pose_destroy(&pose);
    tr_clip_destroy(clip);
    return hash;
}

// A floor with a plank on it that is stepped onto, and a post in the way.
static bool build_scene(tr_scene *scene) {
    const struct {
        float x0, z0, x1, z1, top;
    } boxes[] = {{-4, 1, 4, 1.3f, 0.03f}, {-0.3f, -0.3f, 0.3f, 0.3f, 2}, {-4, -4, 4, 4, 0}};
    bool fine = true;
    for (int i = 0; i < 3; i++) {
        float x0 = boxes[i].x0, x1 = boxes[i].x1, z0 = boxes[i].z0, z1 = boxes[i].z1, y = boxes[i].top;
        float y0 = y > 0 ? 0 : -0.2f;
        const tr_vec3 p[8] = {{x0, y0, z0}, {x1, y0, z0}, {x1, y0, z1}, {x0, y0, z1},
                              {x0, y, z0},  {x1, y, z0},  {x1, y, z1},  {x0, y, z1}};
        const uint32_t indices[] = {0, 1, 5, 0, 5, 4, 1, 2, 6, 1, 6, 5, 2, 3, 7,
                                    2, 7, 6, 3, 0, 4, 3, 4, 7, 4, 6, 5, 4, 7, 6};
        tr_mesh_def mesh = {.positions = p, .position_count = 8, .indices = indices, .triangle_count = 10};
        tr_object_def object = {.placement = tr_affine_identity()};
        uint32_t number;
        fine = fine && tr_scene_add_mesh(scene, &mesh, &object.mesh, NULL) == TR_OK &&
               tr_scene_add_object(scene, &object, &number, NULL) == TR_OK;
    }
    return fine;
}

TEST(people_of_two_sizes_move_the_same_on_every_machine) {
    tr_scene *scene = NULL;
    tr_character *characters[2] = {NULL, NULL};
    tr_stage *stage = NULL;
    REQUIRE(tr_scene_create(NULL, &scene) == TR_OK && build_scene(scene));
    const float heights[2] = {1.75f, 1.3f};
    for (int i = 0; i < 2; i++)
        REQUIRE(tr_character_create(&(tr_character_def){.height = heights[i], .detail = 1}, &characters[i],
                                    NULL) == TR_OK);
    tr_stage_def def = tr_stage_def_default(scene);
    def.record = true;
    REQUIRE(tr_stage_create(&def, &stage, NULL) == TR_OK);
    const float starts[3][3] = {{0, -3, 0}, {0.2f, 3, 1.3f}, {-3, 0.1f, 2.6f}},
                goals[3][2] = {{0.3f, 3}, {0, -3}, {3, 0}};
    for (uint32_t i = 0; i < 3; i++) {
        tr_actor_id actor;
        tr_stage_actor_def who = {.character = characters[i % 2],
                                  .position = {starts[i][0], 0, starts[i][1]},
                                  .speed = i == 0 ? 2.4f : 0,
                                  .heading = starts[i][2]};
        tr_order order = {
            .kind = TR_ORDER_GO, .goal = {goals[i][0], 0, goals[i][1]}, .has_heading = true, .heading = 1};
        REQUIRE(tr_stage_add_actor(stage, &who, &actor, NULL) == TR_OK);
        REQUIRE(tr_stage_order(stage, actor, &order, TR_ORDER_QUEUE, NULL, NULL) == TR_OK);
    }
    tr_status status = TR_OK;
    while (status == TR_OK && tr_stage_time(stage) < 30)
        status = tr_stage_step(stage, TR_STAGE_TICK, NULL);
    CHECK_INT(status, TR_DONE);
    uint64_t hash = TR_HASH_START;
    for (uint32_t i = 0; i < 3; i++)
        hash = hash_clip(hash, stage, tr_stage_actor(stage, i));
    CHECK_HASH(hash, 0xc03f9c8692c8fea6);
    tr_stage_destroy(stage);
    tr_character_destroy(characters[0]);
    tr_character_destroy(characters[1]);
    tr_scene_destroy(scene);
}

TEST(people_on_the_stairs_of_a_house_move_the_same_on_every_machine) {
    tr_sample house;
    tr_character *characters[2] = {NULL, NULL};
    tr_stage *stage = NULL;
    REQUIRE(tr_sample_make(&(tr_sample_def){.name = "house"}, &house, NULL) == TR_OK);
    const float heights[2] = {1.74f, 1.84f};
    tr_stage_def def = tr_stage_def_default(house.scene);
    def.area = house.ground;
    def.record = true;
    REQUIRE(tr_stage_create(&def, &stage, NULL) == TR_OK);
    const tr_vec3 starts[2] = {{8, 0.05f, 6.8f}, {9.4f, 2.85f, 6.2f}},
                  goals[2] = {{14.8f, 2.85f, 6.5f}, {4, 0.05f, 6.2f}};
    for (uint32_t i = 0; i < 2; i++) {
        tr_actor_id actor;
        REQUIRE(tr_character_create(&(tr_character_def){.height = heights[i], .detail = 1}, &characters[i],
                                    NULL) == TR_OK);
        tr_stage_actor_def who = {.character = characters[i], .position = starts[i]};
        tr_order order = {.kind = TR_ORDER_GO, .goal = goals[i]};
        REQUIRE(tr_stage_add_actor(stage, &who, &actor, NULL) == TR_OK);
        REQUIRE(tr_stage_order(stage, actor, &order, TR_ORDER_QUEUE, NULL, NULL) == TR_OK);
    }
    tr_status status = TR_OK;
    while (status == TR_OK && tr_stage_time(stage) < 60)
        status = tr_stage_step(stage, TR_STAGE_TICK, NULL);
    CHECK_INT(status, TR_DONE);
    uint64_t hash = TR_HASH_START;
    for (uint32_t i = 0; i < 2; i++) {
        check_done(stage, tr_stage_actor(stage, i), 0);
        hash = hash_clip(hash, stage, tr_stage_actor(stage, i));
    }
    CHECK_HASH(hash, 0x98720171f5f9414a);
    tr_stage_destroy(stage);
    tr_character_destroy(characters[0]);
    tr_character_destroy(characters[1]);
    tr_scene_destroy(house.scene);
}

TEST(a_hand_at_a_desk_moves_the_same_on_every_machine) {
    tr_sample desk;
    tr_character *character = NULL;
    tr_stage *stage = NULL;
    tr_actor_id actor;
    REQUIRE(tr_sample_make(&(tr_sample_def){.name = "desk"}, &desk, NULL) == TR_OK);
    tr_stage_def def = tr_stage_def_default(desk.scene);
    def.area = desk.ground;
    def.record = true;
    REQUIRE(tr_stage_create(&def, &stage, NULL) == TR_OK);
    REQUIRE(tr_character_create(&(tr_character_def){.height = 1.75f, .detail = 1}, &character, NULL) ==
            TR_OK);
    REQUIRE(tr_stage_add_actor(stage, &(tr_stage_actor_def){.character = character, .radius = 0.15f}, &actor,
                               NULL) == TR_OK);
    const tr_order orders[] = {
        {.kind = TR_ORDER_REACH,
         .has_object = true,
         .object = tr_scene_find(desk.scene, "thermos"),
         .hands = TR_HAND_RIGHT},
        {.kind = TR_ORDER_REACH,
         .has_object = true,
         .object = tr_scene_find(desk.scene, "teacup"),
         .hands = TR_HAND_RIGHT},
        {.kind = TR_ORDER_LOWER, .hands = TR_HAND_RIGHT},
    };
    for (int i = 0; i < 3; i++)
        REQUIRE(tr_stage_order(stage, actor, &orders[i], TR_ORDER_QUEUE, NULL, NULL) == TR_OK);
    tr_status status = TR_OK;
    while (status == TR_OK && tr_stage_time(stage) < 20)
        status = tr_stage_step(stage, TR_STAGE_TICK, NULL);
    CHECK_INT(status, TR_DONE);
    for (uint32_t i = 0; i < 3; i++)
        check_done(stage, actor, i);
    CHECK_HASH(hash_clip(TR_HASH_START, stage, actor), 0x6a2bcdfe6f2b803c);
    tr_stage_destroy(stage);
    tr_character_destroy(character);
    tr_scene_destroy(desk.scene);
}
