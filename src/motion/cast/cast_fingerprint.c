// A fingerprint that tells one cast from another.
#include "cast_fingerprint.h"
#include "motion/clip/clip_data.h"
#include "troupe/base/hash.h"

static uint64_t hash_number(uint64_t hash, uint64_t number) {
    return tr_hash(hash, &number, sizeof number);
}

static uint64_t hash_floats(uint64_t hash, const float *values, size_t count) {
    return tr_hash(hash, values, count * sizeof *values);
}

static uint64_t hash_vector(uint64_t hash, tr_vec3 v) {
    const float values[3] = {v.x, v.y, v.z};
    return hash_floats(hash, values, 3);
}

static uint64_t hash_skeleton(uint64_t hash, const tr_skeleton *skeleton) {
    uint32_t count = tr_skeleton_joint_count(skeleton);
    hash = hash_number(hash, count);
    for (uint32_t i = 0; i < count; i++) {
        tr_joint_def joint = tr_skeleton_joint(skeleton, i);
        const float turn[4] = {joint.rest.rotation.x, joint.rest.rotation.y, joint.rest.rotation.z,
                               joint.rest.rotation.w};
        hash = hash_number(hash, joint.parent);
        hash = hash_number(hash, (uint64_t)joint.role);
        hash = hash_vector(hash, joint.rest.position);
        hash = hash_floats(hash, turn, 4);
        hash = hash_vector(hash, joint.rest.scale);
        hash = hash_number(hash, joint.limit.active);
        hash = hash_number(hash, joint.limit.twist_axis);
        hash = hash_vector(hash, joint.limit.low);
        hash = hash_vector(hash, joint.limit.high);
    }
    for (uint32_t side = 0; side < 2; side++) {
        tr_sole sole = tr_skeleton_sole(skeleton, side);
        if (sole.known)
            hash = hash_vector(hash_vector(hash, sole.heel), sole.tip);
    }
    return hash;
}

static uint64_t hash_clip(uint64_t hash, const tr_clip *clip) {
    hash = hash_number(hash, clip->frame_count);
    hash = tr_hash(hash, &clip->rate, sizeof clip->rate);
    hash = hash_number(hash, clip->loop);
    for (uint32_t i = 0; i < clip->frame_count; i++)
        for (uint32_t k = 0; k < 4; k++) // without the padding of the row
            hash = hash_floats(hash, clip->rotations + ((size_t)i * 4 + k) * clip->stride, clip->joint_count);
    hash = hash_floats(hash, clip->positions, (size_t)clip->frame_count * 3 * clip->moving_count);
    hash = hash_floats(hash, clip->scales, (size_t)clip->frame_count * 3 * clip->scaling_count);
    if (clip->contacts)
        hash = tr_hash(hash, clip->contacts, clip->frame_count);
    if (clip->base)
        hash = tr_hash(hash, clip->base, clip->frame_count * sizeof *clip->base);
    return hash;
}

uint64_t tr_cast_hash_color(uint64_t hash, const tr_body *body) {
    return body ? hash_floats(hash, tr_body_view(body)->color, 3) : hash;
}

uint64_t tr_cast_fingerprint(const tr_cast *cast) {
    uint64_t hash = hash_skeleton(TR_HASH_START, cast->skeleton);
    hash = hash_clip(hash, cast->stand);
    for (uint32_t i = 0; i < cast->cycle_count; i++)
        hash = hash_clip(hash, cast->cycles[i]);
    for (uint32_t i = 0; i < cast->move_count; i++)
        hash = hash_clip(hash, cast->moves[i].clip);
    for (uint32_t i = 0; i < 6; i++) { // the measures that depend on the capsules
        const tr_cast_ball *ball = &cast->arm_balls[i / 3][i % 3];
        hash = hash_floats(hash_vector(hash_number(hash, ball->joint), ball->at), &ball->radius, 1);
    }
    for (uint32_t side = 0; side < 2; side++)
        if (cast->long_arms[side].upper_length > 0)
            hash = hash_number(hash, cast->long_arms[side].upper);
    hash = hash_floats(hash, cast->arm_apart[0], 8);
    hash = hash_vector(hash_vector(hash, cast->hips_line[0]), cast->hips_line[1]);
    return tr_cast_hash_color(hash, cast->body);
}
