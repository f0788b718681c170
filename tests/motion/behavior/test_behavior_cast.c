#include "cast_cover.h"
#include "test.h"
#include "troupe/base/random.h"
#include "troupe/base/scalar.h"
#include "troupe/motion/behavior_cast.h"
#include "troupe/motion/behavior_clip.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------- a plain body

// A leg and a trunk, 1.8 m high: root at 0.9 m.
static tr_skeleton *make_stick(const tr_allocator *allocator, tr_body **body) {
    tr_joint_def joints[3] = {{.name = "root", .parent = TR_NONE, .rest = tr_transform_identity()},
                              {.name = "head", .parent = 0, .rest = tr_transform_identity(), .is_end = true},
                              {
                                  .name = "foot",
                                  .parent = 0,
                                  .rest = tr_transform_identity(),
                              }};
    joints[0].rest.position.y = 0.9f;
    joints[1].rest.position.y = 0.9f;
    joints[2].rest.position.y = -0.9f;
    tr_skeleton_def def = {.allocator = allocator, .joints = joints, .joint_count = 3};
    tr_skeleton *skeleton = NULL;
    *body = NULL;
    if (tr_skeleton_create(&def, &skeleton, NULL) != TR_OK)
        return NULL;
    tr_capsule capsules[2] = {{2, {0, .05f, 0}, {0, .85f, 0}, .05f}, {0, {0, 0, 0}, {0, .8f, 0}, .1f}};
    tr_affine rest[3] = {tr_affine_place(tr_vec3_make(0, -.9f, 0), 0),
                         tr_affine_place(tr_vec3_make(0, -1.8f, 0), 0),
                         tr_affine_place(tr_vec3_make(0, 0, 0), 0)};
    tr_body_def shape = {.allocator = allocator,
                         .joint_count = 3,
                         .capsules = capsules,
                         .capsule_count = 2,
                         .inverse_rest = rest};
    if (tr_body_create(&shape, body, NULL) != TR_OK) {
        tr_skeleton_destroy(skeleton);
        return NULL;
    }
    return skeleton;
}

// Goes ahead by `way` and to the left by a quarter of it, in a straight line. Around the middle it rises by
// `hop`, and its trunk bows by `bow`; at the ends it stands upright on the floor.
static tr_clip *make_slide(const tr_allocator *allocator, const tr_skeleton *skeleton, float way, float hop,
                           double bow, uint32_t frames) {
    const uint32_t extra = 4;
    const uint8_t both = TR_CHANNEL_TURNS | TR_CHANNEL_MOVES, channels[3] = {both, 0, both};
    tr_clip_def def = {.allocator = allocator,
                       .skeleton = skeleton,
                       .channels = channels,
                       .frame_count = frames + 1 + 2 * extra,
                       .frames_per_second = 30};
    tr_clip *clip = NULL;
    tr_pose pose = {0};
    tr_base bases[200];
    if (tr_clip_create(&def, &clip, NULL) != TR_OK)
        return NULL;
    bool done = tr_pose_create(allocator, 3, &pose, NULL) == TR_OK;
    for (uint32_t i = 0; i < def.frame_count && done; i++) {
        float t = ((float)i - (float)extra) / (float)frames, bell = 4 * t * (1 - t) > 0 ? 4 * t * (1 - t) : 0;
        double bowed = bow * tr_ease(5 * (double)t - .5) * tr_ease(4.5 - 5 * (double)t);
        tr_pose_set_rest(&pose, skeleton);
        tr_transform root = tr_pose_get(&pose, 0);
        root.position.y += hop * bell;
        root.rotation = tr_quat_about(tr_vec3_make(1, 0, 0), bowed);
        tr_pose_set(&pose, 0, root);
        tr_transform foot = tr_pose_get(&pose, 2); // the leg stays upright
        foot.position = tr_quat_rotate(tr_quat_conjugate(root.rotation), foot.position);
        foot.rotation = tr_quat_conjugate(root.rotation);
        tr_pose_set(&pose, 2, foot);
        done = tr_clip_set_frame(clip, i, &pose) == TR_OK;
        bases[i] = (tr_base){.25f * way * t, way * t, 0};
    }
    tr_pose_destroy(&pose);
    done = done && tr_clip_set_base(clip, bases, (tr_base){0, 0, 0}) == TR_OK;
    if (!done) {
        tr_clip_destroy(clip);
        clip = NULL;
    }
    return clip;
}

#define STICK_STATES 5
typedef struct stick {
    tr_skeleton *skeleton;
    tr_body *body;
    tr_behavior_cast_clip clips[STICK_STATES][3];
    tr_behavior_cast_state states[STICK_STATES];
    tr_behavior_cast_def def;
} stick;

// Slides, hops, bows, hops a little less high, and hops as far as wanted.
static bool make_plain(const tr_allocator *allocator, stick *made) {
    static const char *const names[STICK_STATES] = {"slide", "hop", "bow", "other_hop", "far_hop"};
    static const struct {
        float way, hop;
        double bow;
        uint32_t frames;
    } rows[STICK_STATES] = {
        {1.2f, 0, 0, 15}, {2, .6f, 0, 24}, {3, 0, 1.4, 40}, {2, .58f, 0, 24}, {1.5f, .9f, 0, 24}};
    static const char *const labels[] = {"upright"};
    memset(made, 0, sizeof *made);
    made->skeleton = make_stick(allocator, &made->body);
    bool done = made->skeleton != NULL;
    for (uint32_t i = 0; i < STICK_STATES; i++) {
        uint32_t count = i == STICK_STATES - 1 ? 3 : 1;
        made->states[i] = (tr_behavior_cast_state){.name = names[i],
                                                   .clips = made->clips[i],
                                                   .clip_count = count,
                                                   .weight = 1 + (float)i,
                                                   .serves = i ? TR_BEHAVIOR_CAST_MEASURE : 0,
                                                   .parametrised = count > 1};
        for (uint32_t k = 0; k < count; k++) {
            uint32_t frames = rows[i].frames + 5 * k;
            float more = (float)k;
            if (done)
                made->clips[i][k] = (tr_behavior_cast_clip){
                    .motion = make_slide(allocator, made->skeleton, rows[i].way + more,
                                         rows[i].hop + .2f * more, rows[i].bow, frames),
                    .first = 4,
                    .last = 4 + frames,
                    .action = -1,
                    .parameter = rows[i].way + more};
            done = done && made->clips[i][k].motion;
        }
    }
    made->def = (tr_behavior_cast_def){.allocator = allocator,
                                       .name = "stick",
                                       .skeleton = made->skeleton,
                                       .body = made->body,
                                       .labels = labels,
                                       .label_count = 1,
                                       .states = made->states,
                                       .state_count = STICK_STATES};
    return done;
}

static void destroy_plain(stick *made) {
    for (uint32_t i = 0; i < STICK_STATES; i++)
        for (uint32_t k = 0; k < 3; k++)
            tr_clip_destroy((tr_clip *)made->clips[i][k].motion);
    tr_body_destroy(made->body);
    tr_skeleton_destroy(made->skeleton);
}

TEST(numbers_are_those_of_the_clips) {
    stick made;
    tr_behavior_cast *cast = NULL;
    tr_error error = {0};
    REQUIRE(make_plain(NULL, &made));
    if (tr_behavior_cast_create(&made.def, &cast, &error) != TR_OK)
        test_failed(__FILE__, __LINE__, "%s", error.message);
    REQUIRE(cast);
    const tr_behavior_def *def = tr_behavior_def_of(cast->machine);
    CHECK_TEXT(cast->name, "stick");
    CHECK_INT(def->state_count, STICK_STATES);
    CHECK_INT(cast->clip_count, STICK_STATES + 2);
    const tr_behavior_move *hop = &def->states[1].moves[0];
    CHECK_INT(hop->clip, 1);
    CHECK_INT(hop->frames, 24);
    CHECK_INT(hop->action, 12);
    CHECK_NEAR((double)hop->z, 2, 1e-5);
    CHECK_NEAR((double)hop->x, .5, 1e-5);
    CHECK_NEAR((double)def->states[4].moves[2].parameter, 3.5, 1e-6);
    CHECK(def->frames_per_second == 30);
    tr_behavior_cast_destroy(cast);
    destroy_plain(&made);
}

TEST(bands_are_measured_at_the_action) {
    stick made;
    tr_behavior_cast *cast = NULL;
    REQUIRE(make_plain(NULL, &made) && tr_behavior_cast_create(&made.def, &cast, NULL) == TR_OK);
    const tr_behavior_def *def = tr_behavior_def_of(cast->machine);
    // Two hops that hardly differ have one band; the far hop has another.
    REQUIRE(def->band_count == 4);
    CHECK_NEAR((double)def->bands[0].low, 0, 0);
    CHECK_NEAR((double)def->bands[0].high, 1.8, .02);
    CHECK_INT(def->states[0].serves, 0);
    CHECK_INT(def->states[1].serves, def->states[3].serves);
    CHECK(def->states[1].serves && def->states[2].serves && def->states[4].serves);
    // The lower of two hops by 0.58 m: over an obstacle as deep as a quarter of the height, whose edges are
    // 0.22 m and the radius of the foot away from its highest place.
    double edge = (.225 + .05) / (2 * sqrt(1 + 1 / 16.)), low = .58 * (1 - 4 * edge * edge);
    const tr_behavior_band *over = &def->bands[def->states[1].serves];
    CHECK_NEAR((double)over->low, low, .02);
    CHECK_NEAR((double)over->high, 2.4, .02);
    const tr_behavior_band *under = &def->bands[def->states[2].serves];
    CHECK(under->low == 0 && under->high > 1 && under->high < 1.65f);
    CHECK_TEXT(over->name, "hop");
    tr_behavior_cast_destroy(cast);
    destroy_plain(&made);
}

TEST(discs_hold_a_plain_body_at_every_time) {
    for (int i = 0; i < 4; i++) {
        stick made;
        tr_behavior_cast *cast = NULL;
        tr_error error = {0};
        REQUIRE(make_plain(NULL, &made));
        made.def.margin = i == 1 ? .05f : 0;
        made.def.radius = i == 2 ? .3f : i == 3 ? .5f : 0;
        made.def.slot = i == 3 ? .3f : 0;
        if (tr_behavior_cast_create(&made.def, &cast, &error) != TR_OK)
            test_failed(__FILE__, __LINE__, "%s", error.message);
        REQUIRE(cast);
        check_cover(cast, made.def.margin);
        tr_behavior_cast_destroy(cast);
        destroy_plain(&made);
    }
}

// In the middle of a hop nothing of the body is in the upright band, where the obstacle is.
TEST(a_special_behavior_is_clear_of_its_obstacle) {
    stick made;
    tr_behavior_cast *cast = NULL;
    REQUIRE(make_plain(NULL, &made) && tr_behavior_cast_create(&made.def, &cast, NULL) == TR_OK);
    const tr_behavior_def *def = tr_behavior_def_of(cast->machine);
    for (uint32_t i = 1; i < STICK_STATES; i++) {
        const tr_behavior_state *state = &def->states[i];
        const tr_behavior_move *move = &state->moves[0];
        if (state->parametrised)
            continue; // the other clips hold its discs back
        double half = .5 * .25 * 1.8, served = 0;
        for (uint32_t k = 0; k < move->disc_count; k++) {
            const tr_behavior_disc *disc = &move->discs[k];
            double ahead = (double)disc->z - .5 * (double)move->z; // the base goes almost along Z
            if (disc->band == 0 && !(fabs(ahead) - (double)def->radius > half - .06))
                test_failed(__FILE__, __LINE__, "%s: a disc %g m from the action is upright", state->name,
                            ahead);
            served += disc->band == state->serves;
        }
        CHECK(served > 0);
    }
    tr_behavior_cast_destroy(cast);
    destroy_plain(&made);
}

// What lies between two clips of a parametrised state is covered by the discs in between.
TEST(interpolated_discs_hold_what_is_interpolated) {
    stick made;
    tr_behavior_cast *cast = NULL;
    REQUIRE(make_plain(NULL, &made) && tr_behavior_cast_create(&made.def, &cast, NULL) == TR_OK);
    const tr_behavior_def *def = tr_behavior_def_of(cast->machine);
    const tr_behavior_state *state = &def->states[4];
    REQUIRE(state->move_count == 3 && state->parametrised);
    for (uint32_t k = 1; k < 3; k++) {
        CHECK_INT(state->moves[k].disc_count, state->moves[0].disc_count);
        for (uint32_t i = 0; i < state->moves[k].disc_count; i++)
            CHECK_INT(state->moves[k].discs[i].band, state->moves[0].discs[i].band);
    }
    // The foot of a clip between the first two: in each slot, at places between those of the clips.
    const tr_behavior_disc *a = state->moves[0].discs, *b = state->moves[1].discs;
    for (uint32_t begin = 0, end; begin < state->moves[0].disc_count; begin = end) {
        for (end = begin; end < state->moves[0].disc_count && a[end].frame == a[begin].frame;)
            end++;
        float from = (float)a[begin].frame / 24, other = (float)b[begin].frame / 29;
        double best = INFINITY, way = .5 * (1.5 * (double)from + 2.5 * (double)other);
        for (uint32_t i = begin; i < end; i++) {
            double x = .5 * (double)(a[i].x + b[i].x) - .25 * way, z = .5 * (double)(a[i].z + b[i].z) - way;
            best = fmin(best, sqrt(x * x + z * z));
        }
        CHECK(best + .05 < (double)def->radius + 1e-3);
    }
    tr_behavior_cast_destroy(cast);
    destroy_plain(&made);
}

TEST(a_body_without_capsules_has_bones) {
    stick made;
    tr_behavior_cast *cast = NULL;
    REQUIRE(make_plain(NULL, &made));
    made.def.body = NULL;
    REQUIRE(tr_behavior_cast_create(&made.def, &cast, NULL) == TR_OK);
    const tr_behavior_def *def = tr_behavior_def_of(cast->machine);
    CHECK_NEAR((double)def->bands[0].high, 1.8 + .04 * 1.8, .02);
    tr_behavior_cast_destroy(cast);
    destroy_plain(&made);
}

// -------------------------------------------------------------------------------------------------- the
// kinds

TEST(the_human_has_every_state_of_the_repertoire_and_its_discs_hold_it) {
    tr_behavior_cast_human_def def = {.clips_max = 1};
    tr_behavior_cast *cast = NULL;
    tr_error error = {0};
    if (tr_behavior_cast_human(&def, &cast, &error) != TR_OK)
        test_failed(__FILE__, __LINE__, "%s", error.message);
    REQUIRE(cast);
    tr_behavior_clip_state states[TR_BEHAVIOR_CLIP_STATES_MAX];
    uint32_t count = 0;
    REQUIRE(tr_behavior_clip_repertoire(cast->skeleton, TR_BEHAVIOR_CLIPS_JOGGER, states, &count, NULL) ==
            TR_OK);
    const tr_behavior_def *machine = tr_behavior_def_of(cast->machine);
    CHECK_INT(machine->state_count, count);
    uint32_t clips = 0;
    for (uint32_t i = 0; i < count; i++)
        clips += states[i].heights[0] > 0 ? states[i].clip_count : 1;
    CHECK_INT(cast->clip_count, clips);
    for (uint32_t i = 0; i < count; i++) {
        CHECK_TEXT(machine->states[i].name, states[i].name);
        CHECK(machine->states[i].weight == states[i].weight);
        bool ordinary = states[i].def.kind <= TR_BEHAVIOR_CLIP_WAIT;
        CHECK(!ordinary || machine->states[i].serves == 0);
    }
    CHECK(machine->radius > .25f && machine->radius < .5f);
    CHECK(machine->bands[0].high > 1.7f && machine->bands[0].high < 1.9f);
    CHECK(cast->stand && tr_clip_loops(cast->stand));
    check_cover(cast, .02f);
    tr_behavior_cast_destroy(cast);
}

TEST(the_walker_stands_in_one_disc_and_its_discs_hold_it) {
    tr_behavior_cast_human_def def = {.set = TR_BEHAVIOR_CLIPS_WALKER, .radius = 0.35f};
    tr_behavior_cast *cast = NULL;
    tr_error error = {0};
    if (tr_behavior_cast_human(&def, &cast, &error) != TR_OK)
        test_failed(__FILE__, __LINE__, "%s", error.message);
    REQUIRE(cast);
    const tr_behavior_def *machine = tr_behavior_def_of(cast->machine);
    CHECK_TEXT(cast->name, "walker");
    CHECK(machine->core > 0.28f && machine->core < 0.35f);
    CHECK_INT(machine->band_count, 1);
    for (uint32_t i = 0; i < machine->state_count; i++) {
        const tr_behavior_move *move = machine->states[i].moves;
        CHECK_INT(machine->states[i].serves, 0);
        CHECK(move->core_count >= (move->frames + 2) / 3 && move->core_count <= 2 * ((move->frames + 2) / 3));
        for (uint32_t k = 0; k < move->core_count; k++) { // on the way of the base, or ahead of it
            tr_vec2 way = {move->core[k].x, move->core[k].z};
            CHECK(tr_vec2_length(way) < 0.25f + sqrtf(move->x * move->x + move->z * move->z));
        }
        if (strcmp(machine->states[i].name, "stand") == 0)
            CHECK_INT(move->disc_count, (move->frames + 2) / 3); // one for each tenth of a second
    }
    check_cover(cast, .02f);
    tr_behavior_cast_destroy(cast);
}

TEST(humans_of_all_builds_have_a_machine) {
    static const tr_mannequin_def bodies[] = {{.shape = TR_SHAPE_CHILD},
                                              {.shape = TR_SHAPE_HEAVY, .height = 2}};
    for (uint32_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        tr_behavior_cast_human_def def = {
            .mannequin = bodies[i], .clips_max = 1, .seed = i, .frames_per_second = 24};
        tr_behavior_cast *cast = NULL;
        tr_error error = {0};
        if (tr_behavior_cast_human(&def, &cast, &error) != TR_OK)
            test_failed(__FILE__, __LINE__, "%s", error.message);
        REQUIRE(cast);
        check_cover(cast, .02f);
        tr_behavior_cast_destroy(cast);
    }
}

TEST(horses_of_all_heights_have_a_machine_and_their_discs_hold_them) {
    for (float height = 1; height < 2.2f; height += .6f) {
        tr_horse_def def = {.height = height, .detail = 1};
        tr_behavior_cast *cast = NULL;
        tr_error error = {0};
        if (tr_behavior_cast_horse(&def, &cast, &error) != TR_OK)
            test_failed(__FILE__, __LINE__, "%s", error.message);
        REQUIRE(cast);
        const tr_behavior_def *machine = tr_behavior_def_of(cast->machine);
        CHECK_INT(machine->state_count, TR_HORSE_BEHAVIORS + 3); // start, end, stand
        for (uint32_t i = 0; i < TR_HORSE_BEHAVIORS; i++) {
            const tr_behavior_state *state = &machine->states[i];
            CHECK_TEXT(state->name, tr_horse_get_behavior(i).name);
            CHECK_NEAR((double)state->moves[0].turn, (double)tr_horse_get_behavior(i).turn, 1e-5);
        }
        const tr_behavior_state *stand = &machine->states[TR_HORSE_BEHAVIORS + 2];
        CHECK_TEXT(stand->name, "stand");
        CHECK(stand->moves[0].z == 0 && stand->begin == machine->rest && stand->end == machine->rest);
        CHECK_INT(cast->limb_count, 4);
        CHECK(cast->stand && tr_clip_loops(cast->stand));
        check_cover(cast, .02f);
        tr_behavior_cast_destroy(cast);
    }
}

TEST(the_skateboarder_jumps_over_and_ducks_under_and_its_discs_hold_it) {
    tr_mannequin_def def = {.detail = 1};
    tr_behavior_cast *cast = NULL;
    tr_error error = {0};
    if (tr_behavior_cast_skateboarder(&def, &cast, &error) != TR_OK)
        test_failed(__FILE__, __LINE__, "%s", error.message);
    REQUIRE(cast);
    const tr_behavior_def *machine = tr_behavior_def_of(cast->machine);
    CHECK_INT(machine->state_count, TR_SKATEBOARDER_BEHAVIORS);
    REQUIRE(machine->band_count == 3);
    uint32_t over = 0, under = 0;
    for (uint32_t i = 0; i < machine->state_count; i++) {
        const tr_behavior_state *state = &machine->states[i];
        over = strcmp(state->name, "jump") ? over : state->serves;
        under = strcmp(state->name, "duck") ? under : state->serves;
        CHECK_INT(state->moves[0].frames, tr_skateboarder_get_behavior(i).frames);
    }
    REQUIRE(over && under && over != under);
    CHECK(machine->bands[over].low > .2f && machine->bands[over].low < .43f);
    CHECK(machine->bands[under].high > 1 && machine->bands[under].high < 1.6f);
    CHECK(cast->stand && tr_clip_loops(cast->stand));
    check_cover(cast, .02f);
    tr_behavior_cast_destroy(cast);
}

// --------------------------------------------------------------------------------------------------- errors

TEST(casts_that_cannot_be_are_refused) {
    static const char *const words[] = {"skeleton", "states",   "no clips", "no motion",
                                        "frames",   "4 joints", "band 3",   "too small",
                                        "radius",   "serves",   "margin"};
    for (uint32_t i = 0; i < sizeof words / sizeof *words; i++) {
        stick made;
        tr_behavior_cast *cast = NULL;
        tr_error error = {0};
        tr_skeleton *other = NULL;
        const tr_behavior_band band = {.name = "upright", .low = 0, .high = 1.9f};
        REQUIRE(make_plain(NULL, &made));
        tr_behavior_cast_clip *first = &made.clips[0][0], kept = *first;
        switch (i) {
        case 0:
            made.def.skeleton = NULL;
            break;
        case 1:
            made.def.state_count = 0;
            break;
        case 2:
            made.states[1].clip_count = 0;
            break;
        case 3:
            first->motion = NULL;
            break;
        case 4:
            first->last = 1000;
            break;
        case 5: {
            tr_joint_def joints[4] = {{.parent = TR_NONE}, {.parent = 0}, {.parent = 1}, {.parent = 2}};
            for (int k = 0; k < 4; k++)
                joints[k].rest = tr_transform_identity(), joints[k].rest.position.y = 1;
            tr_skeleton_def four = {.joints = joints, .joint_count = 4};
            REQUIRE(tr_skeleton_create(&four, &other, NULL) == TR_OK);
            made.def.skeleton = other, made.def.body = NULL;
            break;
        }
        case 6:
            made.states[1].serves = 3;
            break;
        case 7:
            made.def.radius = .06f;
            break;
        case 8:
            made.def.radius = NAN;
            break;
        case 9:
            made.def.bands = &band, made.def.band_count = 1;
            break;
        default:
            made.def.margin = -1;
            break;
        }
        CHECK(tr_behavior_cast_create(&made.def, &cast, &error) == TR_INVALID);
        CHECK_CONTAINS(error.message, i == 5 ? "skeleton has 4" : words[i]);
        CHECK(!cast);
        *first = kept;
        tr_skeleton_destroy(other);
        destroy_plain(&made);
    }
}

TEST(kinds_that_cannot_be_are_refused) {
    tr_behavior_cast_human_def tall = {.mannequin = {.height = 9}}, body = {.seed = UINT32_MAX};
    tr_horse_def small = {.height = .1f};
    tr_behavior_cast *cast = NULL;
    tr_error error = {0};
    CHECK(tr_behavior_cast_human(&tall, &cast, &error) == TR_INVALID && !cast);
    CHECK_CONTAINS(error.message, "height");
    CHECK(tr_behavior_cast_human(&body, &cast, &error) == TR_INVALID && !cast);
    CHECK_CONTAINS(error.message, "seed");
    CHECK(tr_behavior_cast_horse(&small, &cast, &error) == TR_INVALID && !cast);
    CHECK_CONTAINS(error.message, "height");
}

static bool make_taken(const tr_allocator *allocator) {
    stick made;
    tr_behavior_cast *cast = NULL;
    if (!make_plain(allocator, &made)) {
        destroy_plain(&made);
        return false;
    }
    made.def.take_skeleton = made.def.take_motions = true;
    made.def.radius = .4f;
    tr_status status = tr_behavior_cast_create(&made.def, &cast, NULL);
    CHECK((status == TR_OK) == (cast != NULL));
    if (cast)
        tr_behavior_cast_destroy(cast);
    else
        destroy_plain(&made);
    return status == TR_OK;
}

TEST(a_cast_without_memory_leaves_nothing_behind_and_takes_nothing) {
    CHECK(CHECK_EVERY_ALLOCATION_FAILURE(make_taken) >= 20);
}

// Kinds make many clips: some of their allocations stand for all.
static void check_kind_memory(bool (*make)(const tr_allocator *allocator)) {
    test_memory memory = {0};
    tr_allocator allocator = test_memory_allocator(&memory);
    CHECK(make(&allocator));
    uint64_t calls = memory.calls, tries = 4;
    CHECK_INT(memory.live_bytes, 0);
    for (uint64_t i = 0; i < tries; i++) {
        memory = (test_memory){.fail_at = 1 + (calls - 1) * i / (tries - 1)};
        CHECK(!make(&allocator));
        CHECK_INT(memory.live_bytes, 0);
    }
}
static bool make_horse(const tr_allocator *allocator) {
    tr_horse_def def = {.allocator = allocator, .detail = 1};
    tr_behavior_cast *cast = NULL;
    tr_status status = tr_behavior_cast_horse(&def, &cast, NULL);
    tr_behavior_cast_destroy(cast);
    return status == TR_OK;
}
static bool make_human(const tr_allocator *allocator) {
    tr_behavior_cast_human_def def = {.allocator = allocator, .clips_max = 1, .radius = .6f};
    tr_behavior_cast *cast = NULL;
    tr_status status = tr_behavior_cast_human(&def, &cast, NULL);
    tr_behavior_cast_destroy(cast);
    return status == TR_OK;
}
static bool make_skateboarder(const tr_allocator *allocator) {
    tr_mannequin_def def = {.allocator = allocator, .detail = 1};
    tr_behavior_cast *cast = NULL;
    tr_status status = tr_behavior_cast_skateboarder(&def, &cast, NULL);
    tr_behavior_cast_destroy(cast);
    return status == TR_OK;
}
TEST(kinds_without_memory_leave_nothing_behind) {
    check_kind_memory(make_horse);
    check_kind_memory(make_skateboarder);
    check_kind_memory(make_human);
}
