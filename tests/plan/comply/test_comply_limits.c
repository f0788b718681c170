// What is refused, what runs out of memory, what moves, and that the bits are the same everywhere.
#include "comply_judge.h"
#include "troupe/base/hash.h"
#include "troupe/world/sample.h"

typedef struct stand {
    tr_scene *scene;
    tr_solid *solid;
    tr_comply *comply;
    tr_comply_def def;
    judge_walk walk;
} stand;

static bool stand_begin(stand *s, const char *name) {
    tr_sample sample = {.scene = NULL};
    s->solid = NULL, s->comply = NULL, s->scene = NULL;
    if (name && tr_sample_make(&(tr_sample_def){.name = name}, &sample, NULL) != TR_OK)
        return false;
    s->scene = sample.scene;
    if (!name && tr_scene_create(NULL, &s->scene) != TR_OK)
        return false;
    tr_solid_def solid = tr_solid_def_default(s->scene);
    s->def = tr_comply_def_default();
    s->def.nodes_max = 1u << 17;
    judge_walk_make(&s->walk, 1.75f, sample.start.z, name ? 9 : 4, 1.3f);
    return tr_solid_create(&solid, &s->solid, NULL) == TR_OK &&
           tr_comply_create(&s->def, &s->comply, NULL) == TR_OK;
}

static void stand_end(stand *s) {
    tr_comply_destroy(s->comply);
    tr_solid_destroy(s->solid);
    tr_scene_destroy(s->scene);
}

static stand shared;

TEST(the_same_input_gives_the_same_bits_everywhere) {
    static const struct {
        const char *name;
        uint64_t hash;
    } scenes[] = {
        {"passage", 0x2f786ce5f2ade565}, {"slide", 0xc31351e63cc3c234}, {"tables", 0x78060ea225bf53b8}};
    for (int i = 0; i < 3; i++) {
        REQUIRE(stand_begin(&shared, scenes[i].name));
        tr_comply_query query = judge_walk_query(&shared.walk, shared.solid);
        uint64_t hash[2];
        for (int k = 0; k < 2; k++) { // also when asked again
            CHECK_INT(tr_comply_plan(shared.comply, &query, NULL), TR_OK);
            const tr_comply_result *result = tr_comply_last(shared.comply);
            hash[k] = tr_hash(TR_HASH_START, result->poses, result->frame_count * sizeof *result->poses);
            hash[k] = tr_hash(hash[k], result->velocities, result->frame_count * sizeof *result->velocities);
        }
        CHECK_HASH(hash[0], scenes[i].hash);
        CHECK_HASH(hash[1], hash[0]);
        stand_end(&shared);
    }
}

static bool create_once(const tr_allocator *allocator) {
    tr_comply_def def = tr_comply_def_default();
    def.allocator = allocator;
    def.nodes_max = 256;
    tr_comply *comply = NULL;
    tr_error error = {0};
    tr_status status = tr_comply_create(&def, &comply, &error);
    if (status != TR_OK)
        CHECK_INT(status, TR_OUT_OF_MEMORY);
    tr_comply_destroy(comply);
    return status == TR_OK;
}

TEST(every_allocation_may_fail_and_planning_makes_none) {
    CHECK_EVERY_ALLOCATION_FAILURE(create_once);
    REQUIRE(stand_begin(&shared, "slide"));
    test_memory memory = {0};
    tr_allocator allocator = test_memory_allocator(&memory);
    tr_comply_def def = shared.def;
    def.allocator = &allocator;
    tr_comply *comply = NULL;
    REQUIRE(tr_comply_create(&def, &comply, NULL) == TR_OK);
    uint64_t calls = memory.calls;
    tr_comply_query query = judge_walk_query(&shared.walk, shared.solid);
    CHECK_INT(tr_comply_plan(comply, &query, NULL), TR_OK);
    CHECK_INT(memory.calls, calls);
    tr_comply_destroy(comply);
    CHECK_INT(memory.live_bytes, 0);
    stand_end(&shared);
}

static void check_def(const tr_comply_def *def, const char *part) {
    tr_comply *comply = NULL;
    tr_error error = {0};
    CHECK_INT(tr_comply_create(def, &comply, &error), TR_INVALID);
    CHECK_CONTAINS(error.message, part);
    CHECK(comply == NULL);
}

TEST(defs_out_of_range_are_named) {
    const tr_comply_def fine = tr_comply_def_default();
    tr_comply_def def = fine;
    def.stride = 0;
    check_def(&def, "stride is 0");
    def = fine, def.frames_per_second = NAN;
    check_def(&def, "frames per second is nan");
    def = fine, def.body.parts[1].radius = -1;
    check_def(&def, "part 1");
    def = fine, def.body.waist_low[2] = 1;
    check_def(&def, "turn");
    def = fine, def.body.arms[0].length[1] = NAN;
    check_def(&def, "forearm");
    def = fine, def.body.arms[1] = def.body.arms[0];
    check_def(&def, "other side");
    def = fine, def.margin = 0;
    check_def(&def, "margin is 0");
    def = fine, def.body.arm_speed = -2;
    check_def(&def, "speed of the arms is -2");
    def = fine, def.body.part_count = 13;
    check_def(&def, "parts is 13");
    def = fine, def.arm_step = 0.01f;
    tr_comply *comply = NULL;
    tr_error error = {0};
    CHECK_INT(tr_comply_create(&def, &comply, &error), TR_LIMIT);
    CHECK_CONTAINS(error.message, "2^22 nodes");
    CHECK_INT(tr_comply_create(NULL, &comply, &error), TR_INVALID);
    CHECK_INT(tr_comply_create(&fine, NULL, &error), TR_INVALID);
    CHECK_INT(tr_comply_plan(NULL, NULL, &error), TR_INVALID);
    tr_comply_destroy(NULL);
}

static void check_query(const tr_comply_query *query, const char *part) {
    tr_error error = {0};
    CHECK_INT(tr_comply_plan(shared.comply, query, &error), TR_INVALID);
    CHECK_CONTAINS(error.message, part);
}

TEST(queries_that_are_not_finite_are_refused) {
    REQUIRE(stand_begin(&shared, NULL));
    const tr_comply_query fine = judge_walk_query(&shared.walk, shared.solid);
    tr_comply_query query = fine;
    query.frame_count = 1;
    check_query(&query, "1 frames");
    query.frame_count = 257;
    check_query(&query, "257 frames");
    query = fine, query.places = NULL;
    check_query(&query, "NULL");
    shared.walk.places[7].position.y = NAN;
    check_query(&fine, "frame 7");
    shared.walk.places[7].position.y = 0.9f;
    shared.walk.places[8].heading = INFINITY;
    check_query(&fine, "frame 8");
    shared.walk.places[8].heading = 0;
    shared.walk.preferred[9].arms[1][2] = NAN;
    check_query(&fine, "frame 9");
    shared.walk.preferred[9].arms[1][2] = 0;
    tr_comply_pose pose = {{NAN, 0, 0}, {{0}}};
    query = fine, query.velocity = &pose;
    check_query(&query, "velocity");
    query = fine, query.other_count = 1;
    check_query(&query, "1 others");
    query.other_count = 33;
    check_query(&query, "33 others");
    static tr_solid_capsule capsules[JUDGE_FRAMES_MAX];
    for (int i = 0; i < JUDGE_FRAMES_MAX; i++)
        capsules[i] = (tr_solid_capsule){{9, 1, 9}, {9, 2, 9}, 0.2f};
    capsules[5].radius = NAN;
    query.other_count = 1, query.others = capsules;
    check_query(&query, "frame 5");
    tr_transform places[JUDGE_FRAMES_MAX];
    for (int i = 0; i < JUDGE_FRAMES_MAX; i++)
        places[i] = tr_transform_identity();
    places[3].scale.x = 2;
    tr_comply_mover mover = {shared.solid, places, 4};
    query = fine, query.movers = &mover, query.mover_count = 1;
    check_query(&query, "mover 0");
    CHECK_INT(tr_comply_plan(shared.comply, &fine, NULL), TR_OK); // and nothing was spoilt
    stand_end(&shared);
}

TEST(a_wall_across_the_way_is_named_with_limb_and_frame) {
    REQUIRE(stand_begin(&shared, NULL));
    tr_scene *scene = NULL;
    tr_solid *solid = NULL;
    REQUIRE(tr_scene_create(NULL, &scene) == TR_OK);
    judge_box(scene, tr_vec3_make(5, 0, 0), tr_vec3_make(6, 1, 1));
    judge_box(scene, tr_vec3_make(-3, 0.8f, 2), tr_vec3_make(3, 2.5f, 2.1f));
    tr_solid_def def = tr_solid_def_default(scene);
    REQUIRE(tr_solid_create(&def, &solid, NULL) == TR_OK);
    tr_comply_query query = judge_walk_query(&shared.walk, solid);
    query.checks_max = 0;
    tr_error error = {0};
    CHECK_INT(tr_comply_plan(shared.comply, &query, &error), TR_NOT_FOUND);
    const tr_comply_result *result = tr_comply_last(shared.comply);
    CHECK_INT(result->limb, TR_COMPLY_WAIST);
    CHECK_INT(result->kind, TR_COMPLY_SCENE);
    CHECK_INT(result->id, 1);
    CHECK_INT(result->frame_count, 0);
    CHECK(result->frame > 30 && result->frame < 60); // it is 2 m away
    CHECK_CONTAINS(error.message, "the waist has no motion: object 1 is in its way in frame");
    query.checks_max = 300;
    CHECK_INT(tr_comply_plan(shared.comply, &query, &error), TR_PARTIAL);
    tr_solid_destroy(solid);
    tr_scene_destroy(scene);
    stand_end(&shared);
}

TEST(other_people_who_pass_close_by_are_given_room) {
    static tr_solid_capsule others[JUDGE_FRAMES_MAX];
    REQUIRE(stand_begin(&shared, NULL));
    for (uint32_t f = 0; f < shared.walk.frames; f++) { // towards her, shoulder to shoulder
        float z = 4 - 1.2f * (float)f / 30;
        others[f] = (tr_solid_capsule){{0.42f, 0.6f, z}, {0.42f, 1.5f, z}, 0.2f};
    }
    CHECK(judge_to_capsule(&shared.def.body, shared.walk.places, shared.walk.preferred, others,
                           shared.walk.frames) < 0);
    tr_comply_query query = judge_walk_query(&shared.walk, shared.solid);
    query.others = others, query.other_count = 1;
    tr_error error = {0};
    CHECK_INT(tr_comply_plan(shared.comply, &query, &error), TR_OK);
    const tr_comply_result *result = tr_comply_last(shared.comply);
    if (result->frame_count)
        CHECK(judge_to_capsule(&shared.def.body, shared.walk.places, result->poses, others,
                               shared.walk.frames) >= 0.004 - 2e-5);
    for (uint32_t f = 0; f < shared.walk.frames; f++) // nobody can pass through her
        others[f].a.x = others[f].b.x = 0;
    CHECK(tr_comply_plan(shared.comply, &query, &error) != TR_OK); // more nodes than it may make
    CHECK_INT(result->kind, TR_COMPLY_OTHER);
    CHECK_INT(result->id, 0);
    stand_end(&shared);
}

TEST(objects_that_move_and_turn_are_minded_while_they_move) {
    static tr_transform places[JUDGE_FRAMES_MAX];
    static judge_world world;
    REQUIRE(stand_begin(&shared, NULL));
    tr_scene *scene = NULL;
    tr_solid *solid = NULL;
    REQUIRE(tr_scene_create(NULL, &scene) == TR_OK);
    judge_box(scene, tr_vec3_make(-0.5f, -0.05f, -0.1f),
              tr_vec3_make(0.5f, 0.05f, 0.1f)); // a plank in its own axes
    judge_take(&world, scene);
    tr_solid_def def = tr_solid_def_default(scene);
    REQUIRE(tr_solid_create(&def, &solid, NULL) == TR_OK);
    for (uint32_t f = 0; f < shared.walk.frames; f++) { // it turns above the way and sinks
        places[f] = tr_transform_identity();
        places[f].position = tr_vec3_make(0, 1.95f - 0.006f * (float)f, 1.8f);
        places[f].rotation = tr_quat_about(tr_vec3_make(0, 1, 0), 0.08 * f);
    }
    tr_comply_mover mover = {solid, places, 77};
    tr_comply_query query = judge_walk_query(&shared.walk, shared.solid);
    query.movers = &mover, query.mover_count = 1;
    tr_error error = {0};
    CHECK_INT(tr_comply_plan(shared.comply, &query, &error), TR_OK);
    const tr_comply_result *result = tr_comply_last(shared.comply);
    double least = INFINITY, before = INFINITY;
    for (uint32_t f = 0; f + 1 < result->frame_count; f++)
        for (int s = 0; s < 8; s++) {
            judge_capsule capsules[TR_COMPLY_CAPSULES_MAX];
            double share = s / 8.0, turn = 0.08 * (f + share), y = 1.95 - 0.006 * (f + share);
            for (int k = 0; k < 2; k++) {
                uint32_t count = judge_at(&shared.def.body, shared.walk.places,
                                          k ? shared.walk.preferred : result->poses, f, share, capsules);
                for (uint32_t i = 0; i < count; i++) { // into the axes of the plank
                    const judge_vector there = {{0, y, (double)1.8f}};
                    capsules[i].a = judge_turn(judge_about(1, -turn), judge_add(capsules[i].a, there, -1));
                    capsules[i].b = judge_turn(judge_about(1, -turn), judge_add(capsules[i].b, there, -1));
                }
                double room = judge_room(&shared.def.body, &world, capsules, count);
                if (k)
                    before = fmin(before, room);
                else
                    least = fmin(least, room);
            }
        }
    CHECK(before < 0);
    CHECK(least >= 0.004 - 5e-5);
    for (uint32_t f = 0; f < shared.walk.frames; f++)
        places[f].position.y = 1.0f;
    CHECK(tr_comply_plan(shared.comply, &query, &error) != TR_OK);
    CHECK_INT(result->kind, TR_COMPLY_MOVER);
    CHECK_INT(result->id, 77);
    tr_solid_destroy(solid);
    tr_scene_destroy(scene);
    stand_end(&shared);
}

TEST(arms_mind_the_own_legs) {
    static tr_solid_capsule legs[JUDGE_FRAMES_MAX];
    REQUIRE(stand_begin(&shared, NULL));
    for (uint32_t f = 0; f < shared.walk.frames;
         f++) { // the left knee rises beside the hand, in the axes of the pelvis
        float rise = f > 30 && f < 70   ? 1
                     : f > 20 && f < 80 ? (f <= 30 ? (float)(f - 20) : (float)(80 - f)) / 10
                                        : 0;
        legs[f] = (tr_solid_capsule){{0.1f, 0, 0}, {0.2f, -0.4f + 0.4f * rise, 0.4f * rise}, 0.09f};
    }
    tr_comply_query query = judge_walk_query(&shared.walk, shared.solid);
    query.legs = legs, query.leg_count = 1;
    tr_error error = {0};
    CHECK_INT(tr_comply_plan(shared.comply, &query, &error), TR_OK);
    const tr_comply_result *result = tr_comply_last(shared.comply);
    double least = INFINITY, before = INFINITY;
    static const tr_comply_place still[JUDGE_FRAMES_MAX];
    for (uint32_t f = 0; f + 1 < result->frame_count; f++)
        for (int s = 0; s < 8; s++)
            for (int k = 0; k < 2; k++) {
                judge_capsule capsules[TR_COMPLY_CAPSULES_MAX], leg;
                double share = s / 8.0;
                uint32_t count = judge_at(&shared.def.body, still, k ? shared.walk.preferred : result->poses,
                                          f, share, capsules);
                leg.a = judge_add(judge_from(legs[f].a),
                                  judge_add(judge_from(legs[f + 1].a), judge_from(legs[f].a), -1), share);
                leg.b = judge_add(judge_from(legs[f].b),
                                  judge_add(judge_from(legs[f + 1].b), judge_from(legs[f].b), -1), share);
                leg.radius = (double)legs[f].radius;
                for (uint32_t i = shared.def.body.part_count; i < count; i++) {
                    double room = judge_capsules(&capsules[i], &leg);
                    if (k)
                        before = fmin(before, room);
                    else
                        least = fmin(least, room);
                }
            }
    CHECK(before < 0);
    CHECK(least >= -1e-5);
    stand_end(&shared);
}

TEST(a_start_that_does_not_follow_the_plan_begins_anew_from_its_pose) {
    REQUIRE(stand_begin(&shared, "slide"));
    tr_comply_query query = judge_walk_query(&shared.walk, shared.solid);
    REQUIRE(tr_comply_plan(shared.comply, &query, NULL) == TR_OK);
    tr_comply_pose pose = shared.walk.preferred[20], velocity = {{0.3f, 0, -0.2f}, {{0.1f, 0, 0, 0.2f}, {0}}};
    pose.waist[0] = 0.2f, pose.waist[2] = 0.15f, pose.arms[1][3] += 0.3f;
    query.places += 20, query.preferred += 20, query.frame_count -= 20;
    query.pose = &pose, query.velocity = &velocity, query.passed = 20;
    CHECK_INT(tr_comply_plan(shared.comply, &query, NULL), TR_OK);
    const tr_comply_result *result = tr_comply_last(shared.comply);
    for (int k = 0; k < 11; k++) {
        CHECK_NEAR(((const float *)&result->poses[0])[k], ((const float *)&pose)[k], 1e-5);
        CHECK_NEAR(((const float *)&result->velocities[0])[k], ((const float *)&velocity)[k], 1e-3);
    }
    velocity.waist[0] = 40; // faster than it may change
    CHECK_INT(tr_comply_plan(shared.comply, &query, NULL), TR_NOT_FOUND);
    CHECK_INT(result->kind, TR_COMPLY_RATE);
    stand_end(&shared);
}

TEST(after_a_refusal_the_plan_before_it_is_continued) {
    static tr_comply_pose first[JUDGE_FRAMES_MAX];
    static tr_solid_capsule others[JUDGE_FRAMES_MAX];
    REQUIRE(stand_begin(&shared, "slide"));
    const tr_comply_query whole = judge_walk_query(&shared.walk, shared.solid);
    REQUIRE(tr_comply_plan(shared.comply, &whole, NULL) == TR_OK);
    const tr_comply_result *result = tr_comply_last(shared.comply);
    for (uint32_t f = 0; f < whole.frame_count; f++)
        first[f] = result->poses[f];
    const tr_comply_pose velocity_14 = result->velocities[14], velocity_61 = result->velocities[61];
    tr_comply_query query = whole;
    query.places += 14, query.preferred += 14, query.frame_count -= 14, query.passed = 14;
    query.pose = &first[14], query.velocity = &velocity_14;
    for (uint32_t f = 0; f < query.frame_count; f++) // somebody stands where she goes
        others[f] = (tr_solid_capsule){{0, 0.5f, 1}, {0, 1.7f, 1}, 0.25f};
    query.others = others, query.other_count = 1, query.checks_max = 20000;
    CHECK(tr_comply_plan(shared.comply, &query, NULL) != TR_OK);
    CHECK_INT(result->kind, TR_COMPLY_OTHER);
    query = whole; // and is gone again
    query.places += 61, query.preferred += 61, query.frame_count -= 61, query.passed = 61;
    query.pose = &first[61], query.velocity = &velocity_61;
    REQUIRE(tr_comply_plan(shared.comply, &query, NULL) == TR_OK);
    for (uint32_t f = 0; f < query.frame_count; f++)
        for (int k = 0; k < 11; k++)
            CHECK_NEAR(((const float *)&result->poses[f])[k], ((const float *)&first[61 + f])[k], 0.12);
    stand_end(&shared);
}

TEST(the_roadmap_can_be_looked_at) {
    REQUIRE(stand_begin(&shared, "slide"));
    tr_comply_query query = judge_walk_query(&shared.walk, shared.solid);
    REQUIRE(tr_comply_plan(shared.comply, &query, NULL) == TR_OK);
    tr_comply_edge edge;
    uint32_t count = 0, blocked = 0, on_path[TR_COMPLY_LIMBS] = {0};
    for (; tr_comply_edge_at(shared.comply, count, &edge); count++) {
        blocked += edge.tried && !edge.free;
        on_path[edge.limb] += edge.on_path;
        CHECK(edge.frame_from <= edge.frame_to);
    }
    CHECK(blocked > 0);
    for (int limb = 0; limb < TR_COMPLY_LIMBS; limb++)
        CHECK_INT(on_path[limb], (shared.walk.frames - 2) / shared.def.stride + 1);
    CHECK(!tr_comply_edge_at(shared.comply, UINT32_MAX, &edge));
    CHECK_TEXT(tr_comply_limb_name(TR_COMPLY_LEFT_ARM), "left arm");
    stand_end(&shared);
}
