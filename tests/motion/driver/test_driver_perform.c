// The driver that plays chains of behaviors: its root is foretold, and it begins and ends at rest.
#include "../behavior_motion/behavior_chain.h"
#include "driven_body.h"
#include "motion/motion_archive.h"

static bool same_root(const tr_driver_state *a, const tr_driver_state *b) {
    return memcmp(&a->root.state, &b->root.state, sizeof a->root.state) == 0 &&
           a->root.ground == b->root.ground && a->root.doing == b->root.doing &&
           a->root.kind == b->root.kind && a->perform.time == b->perform.time;
}

// A chain from where the body stands.
static chain chain_here(const driven *d, const chain_cast *cast, uint64_t seed) {
    chain c = chain_random(cast, seed, 5);
    const tr_follow_state *state = &d->state.root.state;
    c.end = (tr_base){state->position.x, state->position.z, state->heading};
    for (uint32_t i = 0; i < c.count; i++) {
        c.steps[i].begin = c.end;
        c.end = tr_base_move(c.end, cast->infos[c.steps[i].clips[0]].advance);
    }
    return c;
}

static tr_status perform(driven *d, tr_behavior_motion *motion, const chain *c) {
    tr_behavior_motion_chain is = {
        .steps = c->steps, .step_count = c->count, .end = c->end, .stands = d->model};
    tr_status status = tr_behavior_motion_set(motion, &is, NULL);
    return status == TR_OK ? tr_driver_set_perform(&d->state, &d->task, motion, 0, NULL) : status;
}

typedef struct watched {
    float jump;  // of the turn of a joint in a tick [rad]
    float slide; // of a foot that stands, in a tick [m]
    tr_pose before;
    tr_vec3 feet[4];
    uint32_t contacts;
} watched;

static tr_vec3 foot_point(const driven *d, uint32_t k) {
    const tr_foot *foot = &d->cast->legs.feet[k / 2];
    return k % 2 ? tr_foot_ball(foot, d->model) : tr_foot_heel(foot, d->model);
}

// Joints of clips turn fast: only what comes in the first moments of a chain counts, and after it.
static void watch(driven *d, watched *w) {
    bool performs = d->state.root.doing == TR_DRIVER_PERFORMS,
         stands = d->state.root.doing == TR_DRIVER_STANDS;
    bool begins = stands || (performs && d->state.perform.time < 0.4);
    for (uint32_t i = 0; i < w->before.joint_count; i++) {
        tr_quat a = tr_pose_rotation(&w->before, i), b = tr_pose_rotation(d->body.pose, i);
        float turn = tr_vec3_length(tr_quat_to_vector(tr_quat_multiply(b, tr_quat_conjugate(a))));
        w->jump = begins && turn > w->jump ? turn : w->jump;
    }
    for (uint32_t k = 0; k < 4; k++) {
        tr_vec3 at = foot_point(d, k);
        float moved = tr_vec3_distance(at, w->feet[k]);
        if ((performs || stands) && d->body.contacts & w->contacts & (1u << k))
            w->slide = moved > w->slide ? moved : w->slide;
        w->feet[k] = at;
    }
    w->contacts = d->body.contacts;
    tr_pose_copy(&w->before, d->body.pose);
}

static void end_performance(driven *d) {
    if (d->state.root.doing != TR_DRIVER_PERFORMS || d->state.root.kind != TR_DRIVER_GAIT)
        return;
    d->body.locomotion = (tr_locomotion_state){0};
    tr_overlay_hold_feet(d->overlay, &d->state.root, &d->body);
}

TEST(a_predicted_root_goes_where_the_body_performs) {
    driven d;
    chain_cast cast;
    REQUIRE(driven_begin(&d) && chain_cast_make(&cast, 0));
    tr_behavior_motion *motion = chain_motion(&cast, TR_BEHAVIOR_MOTION_DEFAULT);
    driven_step(&d, INFINITY);
    for (uint64_t seed = 1; seed < 8; seed++) {
        chain c = chain_here(&d, &cast, seed);
        CHECK_INT(perform(&d, motion, &c), TR_OK);
        CHECK_TEXT(tr_driver_of(&d.state)->name, "perform");
        tr_driver_state foretold = d.state;
        bool done = false;
        for (uint32_t k = 0; k < 900 && !done; k++) {
            float limit = k % 3 ? INFINITY : 0; // it is always finished
            CHECK(!tr_driver_of(&d.state)->rests(&d.state) && !tr_driver_of(&d.state)->may_leave(&d.state));
            tr_status status = tr_driver_of(&foretold)->predict(&foretold, &d.task, &d.nature, limit);
            CHECK_INT(driven_step(&d, limit), status);
            CHECK(same_root(&foretold, &d.state));
            done = status == TR_DONE;
        }
        CHECK(done && d.state.root.state.speed == 0);
        CHECK_NEAR(d.state.root.state.position.x, c.end.x, 1e-4);
        CHECK_NEAR(d.state.root.state.position.z, c.end.z, 1e-4);
        end_performance(&d);
        for (int k = 0; k < 30; k++)
            driven_step(&d, INFINITY);
    }
    tr_behavior_motion_destroy(motion);
    chain_cast_end(&cast);
    driven_end(&d);
}

TEST(a_body_begins_from_its_stand_and_ends_in_it_without_a_jump) {
    driven d;
    chain_cast cast;
    REQUIRE(driven_begin(&d) && chain_cast_make(&cast, 0));
    tr_behavior_motion *motion = chain_motion(&cast, TR_BEHAVIOR_MOTION_DEFAULT);
    watched w = {0};
    for (uint32_t i = 0; i < 60; i++)
        driven_step(&d, INFINITY);
    REQUIRE(tr_pose_create(NULL, tr_skeleton_joint_count(d.skeleton), &w.before, NULL) == TR_OK);
    tr_pose_copy(&w.before, d.body.pose);
    watch(&d, &w);
    for (uint64_t seed = 1; seed < 12; seed++) {
        // It comes to rest from a walk first: its feet are not where the chain has them.
        tr_vec2 at = d.state.root.state.position;
        tr_vec2 way[2] = {at, {at.x + 0.6f, at.z + 0.4f}};
        CHECK_INT(driven_route(&d, way, 2, NULL), TR_OK);
        for (int k = 0; k < 240; k++) {
            driven_step(&d, INFINITY);
            watch(&d, &w);
        }
        chain c = chain_here(&d, &cast, seed);
        CHECK_INT(perform(&d, motion, &c), TR_OK);
        for (bool done = false; !done;) {
            done = driven_step(&d, INFINITY) == TR_DONE;
            end_performance(&d);
            watch(&d, &w);
        }
        for (int k = 0; k < 45; k++) {
            driven_step(&d, INFINITY);
            watch(&d, &w);
        }
    }
    CHECK(w.jump < 0.2f);     // in a tick [rad]
    CHECK(w.slide < 0.0016f); // [m]

    tr_pose_destroy(&w.before);
    tr_behavior_motion_destroy(motion);
    chain_cast_end(&cast);
    driven_end(&d);
}

TEST(only_a_body_that_stands_where_a_chain_begins_plays_it) {
    driven d;
    chain_cast cast;
    REQUIRE(driven_begin(&d) && chain_cast_make(&cast, 0));
    tr_behavior_motion *motion = chain_motion(&cast, TR_BEHAVIOR_MOTION_DEFAULT);
    driven_step(&d, INFINITY);
    CHECK_INT(tr_driver_set_perform(&d.state, &d.task, motion, 0, NULL), TR_INVALID); // no chain
    chain c = chain_here(&d, &cast, 1);
    for (uint32_t i = 0; i < c.count; i++)
        c.steps[i].begin.x += 1;
    CHECK_INT(perform(&d, motion, &c), TR_INVALID);
    tr_vec2 way[2] = {{0, 0}, {0, 5}};
    CHECK_INT(driven_route(&d, way, 2, NULL), TR_OK);
    for (int i = 0; i < 40; i++)
        driven_step(&d, INFINITY);
    c = chain_here(&d, &cast, 1);
    CHECK_INT(perform(&d, motion, &c), TR_INVALID); // it walks
    CHECK_INT(d.state.root.kind, TR_DRIVER_GAIT);
    tr_behavior_motion_destroy(motion);
    chain_cast_end(&cast);
    driven_end(&d);
}

TEST(a_chain_is_read_back_as_it_was_written) {
    driven d;
    chain_cast cast;
    REQUIRE(driven_begin(&d) && chain_cast_make(&cast, 0));
    tr_behavior_motion *motion = chain_motion(&cast, TR_BEHAVIOR_MOTION_DEFAULT);
    tr_behavior_motion *other = chain_motion(&cast, TR_BEHAVIOR_MOTION_DEFAULT);
    static uint8_t bytes[1 << 20];
    chain c = chain_random(&cast, 4, 9);
    tr_base goal = {c.end.x + 0.2f, c.end.z, c.end.heading};
    REQUIRE(chain_set(motion, &c, &goal) == TR_OK);
    tr_archive archive = tr_archive_write(bytes, sizeof bytes);
    tr_behavior_motion_archive(motion, &archive);
    uint64_t size = archive.at;
    REQUIRE(size < sizeof bytes);
    archive = tr_archive_read(bytes, size, NULL);
    tr_behavior_motion_archive(other, &archive);
    CHECK(tr_archive_is_good(&archive));
    for (double time = 0; time < tr_behavior_motion_duration(motion); time += 0.07) {
        tr_affine places[2], models[2][DRIVEN_JOINTS];
        uint32_t contacts[2];
        for (int i = 0; i < 2; i++)
            contacts[i] = tr_behavior_motion_sample(i ? other : motion, time, &d.poses[0], &d.poses[1],
                                                    &places[i], models[i]);
        CHECK_INT(contacts[0], contacts[1]);
        CHECK(memcmp(models[0], models[1], d.poses[0].joint_count * sizeof models[0][0]) == 0);
    }
    for (uint64_t cut = 0; cut < size; cut += 1 + size / 97) { // whatever is missing, nothing is read beyond
        archive = tr_archive_read(bytes, cut, NULL);
        tr_behavior_motion_archive(other, &archive);
        CHECK(!tr_archive_is_good(&archive) && tr_behavior_motion_duration(other) == 0);
    }
    tr_behavior_motion_destroy(motion);
    tr_behavior_motion_destroy(other);
    chain_cast_end(&cast);
    driven_end(&d);
}
