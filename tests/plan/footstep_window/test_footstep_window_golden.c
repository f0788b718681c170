// The same bits from every compiler, at every level of optimisation.
#include "troupe/base/hash.h"
#include "window_world.h"

static uint64_t add_number(uint64_t hash, float value) {
    value = value == 0 ? 0 : value; // one zero
    return tr_hash(hash, &value, sizeof value);
}

static uint64_t hash_walk(const char *name, uint64_t seed, tr_footstep_window_method method) {
    window_world world;
    uint64_t hash = TR_HASH_START;
    if (!open_sample(&world, name, seed, 1.7f))
        return 0;
    lane_walker walker = stand_at(&world, -0.4f, 0);
    world.params.method = method;
    for (int step = 0; step < 12; step++) {
        tr_footstep_window_plan plan;
        cut_around(&world, &walker);
        tr_footstep_window_query query = query_of(&world, &walker);
        tr_status status = tr_footstep_window_find(world.window, &query, &plan, NULL);
        hash = add_number(hash, (float)status + 10 * (float)plan.reason);
        if (status != TR_OK && status != TR_PARTIAL)
            break;
        hash = add_number(hash, plan.cost);
        for (int i = 0; i <= 8; i++) {
            tr_stride_pose pose;
            tr_stride_pose_at(&world.body, &plan.strides[0], (float)i / 8, &pose);
            hash = add_number(add_number(hash, pose.knees[0].z), pose.knees[1].y);
            hash = add_number(add_number(hash, pose.bend[0]), pose.pelvis.y);
        }
        take_step(&walker, &plan);
    }
    close_world(&world);
    return hash;
}

// Around, to the side, and on along the path.
static uint64_t hash_turned(uint64_t seed) {
    tr_sample_def def = {.name = "rough", .seed = seed};
    tr_sample sample;
    window_world world;
    uint64_t hash = TR_HASH_START;
    if (tr_sample_make(&def, &sample, NULL) != TR_OK || !open_wide_world(&world, sample.scene, 1.7f, 64))
        return 0;
    lane_walker walker = stand_at(&world, -0.4f, 0);
    for (int step = 0; step < 16; step++) {
        tr_footstep_window_plan plan;
        for (int look = 0; look < 2; look++) {
            tr_footstep_window_query query = query_of(&world, &walker);
            query.kind = step < 5 ? TR_FOOTSTEP_WINDOW_TURN : TR_FOOTSTEP_WINDOW_ALONG;
            query.turn = step < 11 ? 1.5f : 0;
            walker.side = query.side = tr_footstep_window_side(&query);
            if (look == 0) {
                cut_around(&world, &walker);
                continue;
            }
            tr_status status = tr_footstep_window_find(world.window, &query, &plan, NULL);
            hash = add_number(hash, (float)status + 10 * (float)plan.reason);
            if (status != TR_OK && status != TR_PARTIAL)
                continue;
            hash = add_number(hash, plan.cost);
            for (int i = 0; i <= 8; i++) {
                tr_stride_pose pose;
                tr_stride_pose_at(&world.body, &plan.strides[0], (float)i / 8, &pose);
                hash = add_number(add_number(hash, pose.knees[0].z), pose.knees[1].x);
                hash = add_number(add_number(hash, pose.bend[0]), pose.turn);
            }
            take_step(&walker, &plan);
        }
    }
    close_world(&world);
    return hash;
}

TEST(windows_have_the_same_bits_everywhere) {
    CHECK_HASH(hash_walk("uneven", 3, TR_FOOTSTEP_WINDOW_BEST), 0x2f2c940bb982e9ff);
    CHECK_HASH(hash_walk("rough", 7, TR_FOOTSTEP_WINDOW_BEST), 0x822bec893d78c9f2);
    CHECK_HASH(hash_walk("rough", 12, TR_FOOTSTEP_WINDOW_DESCENT), 0xe07a388d23a0843c);
    CHECK_HASH(hash_turned(7), 0xfea4eae5f9652caf);
}
