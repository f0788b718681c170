#include "gltf_write_data.h"
#include "troupe/base/scalar.h"

#include <stdio.h>
#include <string.h>

// Values closer than this are the same: rounding, not motion.
#define SAME 2e-7f
// Skipped keys between two others are checked again and again: at most this many in a row.
#define GAP_MAX 120

#define MOVER_RATE 30.0            // frames per second at which trajectories are sampled
#define MOVER_FRAMES_MAX (1 << 20) // at most this many

#define ACCESSOR_FLOATS 32 // size of an accessor in the JSON, in floats

// One clip while it is written: the motion of every joint, one joint after the other.
typedef struct gltf_motion {
    gltf_out *out;
    const tr_skeleton *skeleton; // NULL: an object of the scene, treated as one joint
    const tr_clip *clip;
    uint32_t joint_count;
    uint32_t first_joint;    // its node
    uint32_t frame_count;    // including a copy of the first frame at the end if the clip loops
    double rate;             // frames per second
    double unit;             // of positions [m]
    bool root_motion;        // the base moves a node of its own
    tr_transform *joints;    // frame_count for each joint
    float (*values)[4];      // of the current track, one for each frame
    uint32_t *keys;          // the frames of the track that are written
    uint32_t spanning_count; // tracks from the first frame to the last
} gltf_motion;

static void turn_by_base(tr_transform *root, tr_base base) {
    tr_quat turn = tr_quat_about(tr_vec3_make(0, 1, 0), (double)base.heading);
    root->position = tr_quat_rotate(turn, root->position);
    root->position.x += base.x;
    root->position.z += base.z;
    root->rotation = tr_quat_multiply(turn, root->rotation);
}

static void load_frame(gltf_motion *motion, uint32_t frame, tr_pose *pose) {
    uint32_t count = tr_skeleton_joint_count(motion->skeleton);
    const uint32_t *parents = tr_skeleton_parents(motion->skeleton);
    bool again = frame == tr_clip_frame_count(motion->clip);
    tr_clip_get_frame(motion->clip, again ? 0 : frame, pose);
    if (motion->out->loose)
        tr_gltf_loose_free(motion->out->loose, motion->skeleton, pose);
    tr_base base =
        again ? tr_clip_base(motion->clip, frame / motion->rate) : tr_clip_frame_base(motion->clip, frame);
    for (uint32_t i = 0; i < count; i++) {
        tr_transform joint = tr_pose_get(pose, i);
        if (parents[i] == TR_NONE && tr_clip_has_base(motion->clip) && !motion->root_motion)
            turn_by_base(&joint, base);
        if (motion->unit != 1)
            joint.position = tr_vec3_scale(joint.position, (float)(1 / motion->unit));
        joint.rotation = tr_quat_normalize(joint.rotation);
        motion->joints[(size_t)i * motion->frame_count + frame] = joint;
    }
}

static void load_values(gltf_motion *motion, uint32_t joint, gltf_path path) {
    const tr_transform *frames = motion->joints + (size_t)joint * motion->frame_count;
    for (uint32_t i = 0; i < motion->frame_count; i++) {
        const float *from = path == GLTF_ROTATION      ? &frames[i].rotation.x
                            : path == GLTF_TRANSLATION ? &frames[i].position.x
                                                       : &frames[i].scale.x;
        float *to = motion->values[i];
        memcpy(to, from, (path == GLTF_ROTATION ? 4 : 3) * sizeof *to);
        if (path != GLTF_ROTATION) {
            to[3] = 0;
            continue;
        }
        // q and -q are the same rotation; programs that blend components need neighbours of the same sign.
        const float *before = i > 0 ? to - 4 : (const float[4]){0, 0, 0, 1};
        if (to[0] * before[0] + to[1] * before[1] + to[2] * before[2] + to[3] * before[3] < 0)
            for (int k = 0; k < 4; k++)
                to[k] = -to[k];
    }
}

static bool is_same(const float a[4], const float b[4]) {
    for (int k = 0; k < 4; k++) {
        float size = fabsf(a[k]) > 1 ? fabsf(a[k]) : 1;
        if (!(fabsf(a[k] - b[k]) <= SAME * size))
            return false;
    }
    return true;
}

static bool is_at_rest(const gltf_motion *motion, uint32_t joint, gltf_path path) {
    tr_transform rest = motion->out->nodes[motion->first_joint + joint].local;
    float value[4] = {rest.rotation.x, rest.rotation.y, rest.rotation.z, rest.rotation.w};
    if (path != GLTF_ROTATION) {
        memcpy(value, path == GLTF_TRANSLATION ? &rest.position.x : &rest.scale.x, 3 * sizeof *value);
        value[3] = 0;
        return is_same(motion->values[0], value);
    }
    const float opposite[4] = {-value[0], -value[1], -value[2], -value[3]};
    return is_same(motion->values[0], value) || is_same(motion->values[0], opposite);
}

static bool is_constant(const gltf_motion *motion) {
    for (uint32_t i = 1; i < motion->frame_count; i++)
        if (!is_same(motion->values[i], motion->values[0]))
            return false;
    return true;
}

// Between two keys a viewer shows from[k] * x + across[k] * y: a straight line for translations and scales,
// an arc for rotations. Each step from frame to frame adds to x and y, or rotates them.
typedef struct gltf_way {
    double across[4];
    double x, y, step_x, step_y;
    bool is_arc;
} gltf_way;

static gltf_way begin_way(gltf_path path, const float from[4], const float to[4], uint32_t steps) {
    gltf_way way = {.x = 1};
    if (path != GLTF_ROTATION) {
        for (int k = 0; k < 4; k++)
            way.across[k] = (double)to[k] - (double)from[k];
        way.step_y = 1.0 / steps;
        return way;
    }
    double cosine = 0, sine = 0;
    for (int k = 0; k < 4; k++)
        cosine += (double)from[k] * (double)to[k];
    for (int k = 0; k < 4; k++) {
        way.across[k] = (double)to[k] - (double)from[k] * cosine;
        sine += way.across[k] * way.across[k];
    }
    sine = sqrt(sine);
    for (int k = 0; k < 4 && sine > 0; k++)
        way.across[k] /= sine;
    tr_sin_cos(tr_arc_tangent(sine, cosine) / steps, &way.step_y, &way.step_x);
    way.is_arc = true;
    return way;
}

static void go_on(gltf_way *way) {
    if (!way->is_arc) {
        way->y += way->step_y;
        return;
    }
    double x = way->x * way->step_x - way->y * way->step_y;
    way->y = way->x * way->step_y + way->y * way->step_x;
    way->x = x;
}

static bool fits_between(const gltf_motion *motion, gltf_path path, uint32_t begin, uint32_t end,
                         float tolerance) {
    const float *from = motion->values[begin];
    gltf_way way = begin_way(path, from, motion->values[end], end - begin);
    // The angle of a small rotation is twice the distance between its quaternions.
    double limit = (double)tolerance * (path == GLTF_ROTATION ? 0.5 : 1);
    for (uint32_t i = begin + 1; i < end; i++) {
        double sum = 0;
        go_on(&way);
        for (int k = 0; k < 4; k++) {
            double off = (double)from[k] * way.x + way.across[k] * way.y - (double)motion->values[i][k];
            sum += off * off;
        }
        if (!(sum <= limit * limit))
            return false;
    }
    return true;
}

// The next key after `begin`: searches forward in doubling steps, then bisects.
static uint32_t next_key(const gltf_motion *motion, gltf_path path, uint32_t begin, float tolerance) {
    uint32_t last = motion->frame_count - 1, most = last - begin < GAP_MAX ? last - begin : GAP_MAX, good = 1,
             bad = most + 1;
    for (uint32_t leap = 2; leap <= most && bad > most;
         leap = leap * 2 < most || leap == most ? leap * 2 : most)
        if (fits_between(motion, path, begin, begin + leap, tolerance))
            good = leap;
        else
            bad = leap;
    while (bad - good > 1) {
        uint32_t middle = good + (bad - good) / 2;
        if (fits_between(motion, path, begin, begin + middle, tolerance))
            good = middle;
        else
            bad = middle;
    }
    return begin + good;
}

// A rotation moves the joints attached to this one: the tolerance applies to them as well.
static float tolerance_of(const gltf_motion *motion, uint32_t joint, gltf_path path) {
    float tolerance = motion->out->shot->tolerance, longest = 1;
    if (path != GLTF_ROTATION || !motion->skeleton)
        return path == GLTF_TRANSLATION && motion->unit != 1 ? tolerance / (float)motion->unit : tolerance;
    const uint32_t *parents = tr_skeleton_parents(motion->skeleton);
    for (uint32_t i = joint + 1; i < tr_skeleton_joint_count(motion->skeleton); i++)
        if (parents[i] == joint) {
            float length = tr_vec3_length(tr_skeleton_joint(motion->skeleton, i).rest.position);
            longest = length > longest ? length : longest;
        }
    return tolerance / longest;
}

// The frames to write: all of them, or as few as keep the others within the tolerance. A separate choice of
// keys needs a separate list of times: if that takes more bytes than it saves, all frames are written.
static uint32_t choose_keys(gltf_motion *motion, uint32_t joint, gltf_path path) {
    float tolerance = tolerance_of(motion, joint, path);
    uint32_t count = 0, last = motion->frame_count - 1, width = path == GLTF_ROTATION ? 4 : 3;
    motion->keys[count++] = 0;
    for (uint32_t begin = 0; begin < last;) {
        uint32_t end = tolerance > 0 ? next_key(motion, path, begin, tolerance) : begin + 1;
        motion->keys[count++] = end;
        begin = end;
    }
    if (count * (uint64_t)(width + 1) + ACCESSOR_FLOATS < motion->frame_count * (uint64_t)width)
        return count;
    for (uint32_t i = 0; i <= last; i++)
        motion->keys[i] = i;
    return motion->frame_count;
}

static uint32_t write_key_times(gltf_motion *motion, uint32_t count) {
    gltf_out *out = motion->out;
    if (count == motion->frame_count || count == 1)
        return tr_gltf_write_times(out, motion->rate, count);
    uint32_t accessor = tr_gltf_write_accessor(out, GLTF_FLOAT, GLTF_SCALAR, count);
    for (uint32_t i = 0; i < count && out->status == TR_OK; i++)
        tr_gltf_write_float(out, (float)(motion->keys[i] / motion->rate));
    float low = 0, high = (float)(motion->keys[count - 1] / motion->rate);
    tr_gltf_write_bounds(out, accessor, 1, &low, &high);
    return accessor;
}

static void write_keys(gltf_motion *motion, uint32_t joint, gltf_path path, uint32_t count) {
    gltf_out *out = motion->out;
    uint32_t input = write_key_times(motion, count);
    uint32_t output =
        tr_gltf_write_accessor(out, GLTF_FLOAT, path == GLTF_ROTATION ? GLTF_VEC4 : GLTF_VEC3, count);
    for (uint32_t i = 0; i < count && out->status == TR_OK; i++)
        for (int k = 0; k < (path == GLTF_ROTATION ? 4 : 3); k++)
            tr_gltf_write_float(out, motion->values[motion->keys[i]][k]);
    tr_gltf_write_channel(out, motion->first_joint + joint, path, input, output);
    motion->spanning_count += count > 1 || motion->frame_count == 1;
}

static void write_track(gltf_motion *motion, uint32_t joint, gltf_path path) {
    load_values(motion, joint, path);
    motion->keys[0] = 0;
    if (!is_constant(motion))
        write_keys(motion, joint, path, choose_keys(motion, joint, path));
    else if (!is_at_rest(motion, joint, path))
        write_keys(motion, joint, path, 1);
}

// The first joint's rotation comes last: if nothing else moves, it defines the duration.
static void write_root_turn(gltf_motion *motion) {
    load_values(motion, 0, GLTF_ROTATION);
    if (motion->spanning_count > 0 || !is_constant(motion)) {
        write_track(motion, 0, GLTF_ROTATION);
        return;
    }
    motion->keys[0] = 0;
    motion->keys[1] = motion->frame_count - 1;
    write_keys(motion, 0, GLTF_ROTATION, motion->frame_count > 1 ? 2 : 1);
}

// A foot that hangs on another node in the file moves against it, whatever its channels are.
static bool is_loose(const gltf_motion *motion, uint32_t joint) {
    const gltf_loose_list *loose = motion->out->loose;
    for (uint32_t i = 0; loose && i < loose->count; i++)
        if (loose->items[i].joint == joint)
            return true;
    return false;
}

// A file whose nodes hold another pose than the one in which its meshes were bound.
static bool is_elsewhere(const gltf_motion *motion, uint32_t joint) {
    tr_transform node = motion->out->nodes[motion->first_joint + joint].local;
    tr_transform rest = tr_skeleton_joint(motion->skeleton, joint).rest;
    return memcmp(&node, &rest, sizeof rest) != 0;
}

static void write_tracks(gltf_motion *motion) {
    const uint8_t *channels = tr_clip_channels(motion->clip);
    const uint32_t *parents = tr_skeleton_parents(motion->skeleton);
    uint32_t count = tr_skeleton_joint_count(motion->skeleton);
    for (uint32_t i = 0; i < count && motion->out->status == TR_OK; i++) {
        bool carried = parents[i] == TR_NONE && tr_clip_has_base(motion->clip) && !motion->root_motion;
        bool elsewhere = is_elsewhere(motion, i);
        carried = carried || elsewhere || is_loose(motion, i);
        if (i > 0 && (carried || (channels[i] & TR_CHANNEL_TURNS)))
            write_track(motion, i, GLTF_ROTATION);
        if (carried || (channels[i] & TR_CHANNEL_MOVES))
            write_track(motion, i, GLTF_TRANSLATION);
        if (elsewhere || (channels[i] & TR_CHANNEL_SCALES))
            write_track(motion, i, GLTF_SCALE);
    }
    write_root_turn(motion);
}

static bool motion_begin(gltf_motion *motion) {
    const tr_allocator *allocator = &motion->out->allocator;
    size_t joints = motion->joint_count;
    motion->joints = tr_allocate(allocator, joints * motion->frame_count, sizeof *motion->joints);
    motion->values = tr_allocate(allocator, motion->frame_count, sizeof *motion->values);
    motion->keys = tr_allocate(allocator, (size_t)motion->frame_count + 1, sizeof *motion->keys);
    return motion->joints && motion->values && motion->keys;
}

static void motion_end(gltf_motion *motion) {
    const tr_allocator *allocator = &motion->out->allocator;
    size_t joints = motion->joint_count;
    tr_release(allocator, motion->joints, joints * motion->frame_count, sizeof *motion->joints);
    tr_release(allocator, motion->values, motion->frame_count, sizeof *motion->values);
    tr_release(allocator, motion->keys, (size_t)motion->frame_count + 1, sizeof *motion->keys);
}

// The base of a clip on the node of its character: where its place is moved to, over the ground.
static void write_root_motion(const gltf_motion *clip, const tr_affine *place) {
    gltf_motion motion = *clip;
    motion.skeleton = NULL;
    motion.joint_count = 1;
    motion.first_joint = clip->first_joint - 1;
    tr_transform own = motion.out->nodes[motion.first_joint].local;
    if (!motion_begin(&motion)) {
        tr_gltf_write_failed(motion.out, TR_OUT_OF_MEMORY);
        motion_end(&motion);
        return;
    }
    for (uint32_t i = 0; i < motion.frame_count; i++) {
        bool again = i == tr_clip_frame_count(clip->clip);
        tr_transform root = tr_transform_identity();
        turn_by_base(&root,
                     again ? tr_clip_base(clip->clip, i / clip->rate) : tr_clip_frame_base(clip->clip, i));
        root.position = place ? tr_affine_apply(place, root.position) : root.position;
        root.rotation = tr_quat_normalize(tr_quat_multiply(own.rotation, root.rotation));
        motion.joints[i] = root;
    }
    write_track(&motion, 0, GLTF_TRANSLATION);
    write_track(&motion, 0, GLTF_ROTATION);
    motion_end(&motion);
}

static void write_clip(gltf_out *out, uint32_t actor, uint32_t number) {
    if (out->status != TR_OK)
        return;
    const tr_gltf_actor *shown = &out->shot->actors[actor];
    const tr_clip *clip = shown->clips[number];
    gltf_motion motion = {.out = out,
                          .skeleton = shown->skeleton,
                          .clip = clip,
                          .joint_count = tr_skeleton_joint_count(shown->skeleton),
                          .first_joint = out->first_joint[actor],
                          .frame_count = tr_clip_frame_count(clip) + tr_clip_loops(clip),
                          .rate = tr_clip_rate(clip),
                          .unit = tr_gltf_write_unit(out, actor),
                          .root_motion = out->shot->root_motion && tr_clip_has_base(clip)};
    tr_pose pose = {0};
    if (motion_begin(&motion) &&
        tr_pose_create(&out->allocator, tr_skeleton_joint_count(shown->skeleton), &pose, NULL) == TR_OK) {
        for (uint32_t frame = 0; frame < motion.frame_count; frame++)
            load_frame(&motion, frame, &pose);
        write_tracks(&motion);
        tr_pose_destroy(&pose);
    } else {
        tr_gltf_write_failed(out, TR_OUT_OF_MEMORY);
    }
    if (motion.root_motion && out->status == TR_OK)
        write_root_motion(&motion, shown->place);
    motion_end(&motion);
}

// Writes an object with a trajectory, for as long as the characters move.
static void write_mover(gltf_out *out, const gltf_out_mover *mover, double seconds) {
    const tr_trajectory *trajectory = tr_scene_trajectory(out->shot->scene, mover->object);
    double frames = ceil(seconds * MOVER_RATE) + 1;
    gltf_motion motion = {.out = out,
                          .joint_count = 1,
                          .first_joint = mover->node,
                          .frame_count = frames < MOVER_FRAMES_MAX ? (uint32_t)frames : MOVER_FRAMES_MAX,
                          .rate = MOVER_RATE,
                          .unit = 1};
    if (motion_begin(&motion)) {
        for (uint32_t i = 0; i < motion.frame_count; i++) {
            motion.joints[i] = tr_trajectory_sample(trajectory, i / motion.rate);
            motion.joints[i].rotation = tr_quat_normalize(motion.joints[i].rotation);
        }
        write_track(&motion, 0, GLTF_TRANSLATION);
        write_track(&motion, 0, GLTF_ROTATION);
        write_track(&motion, 0, GLTF_SCALE);
    } else {
        tr_gltf_write_failed(out, TR_OUT_OF_MEMORY);
    }
    motion_end(&motion);
}

static void write_movers(gltf_out *out) {
    double seconds = 0;
    for (uint32_t i = 0; i < out->shot->actor_count; i++)
        for (uint32_t k = 0; k < out->shot->actors[i].clip_count; k++) {
            double duration = tr_clip_duration(out->shot->actors[i].clips[k]);
            bool counts = (k == 0 || out->shot->apart) && duration > seconds;
            seconds = counts ? duration : seconds;
        }
    for (uint32_t i = 0; i < out->mover_count && seconds == 0; i++) {
        double end = tr_trajectory_end(tr_scene_trajectory(out->shot->scene, out->movers[i].object));
        seconds = end > seconds ? end : seconds;
    }
    for (uint32_t i = 0; i < out->mover_count && out->status == TR_OK; i++)
        write_mover(out, &out->movers[i], seconds);
}

static void begin_animation(gltf_out *out, const char *name, double rate, uint32_t actor, uint32_t clip) {
    const char *unique = tr_gltf_write_unique(out, &out->animation_names, name);
    if (out->status == TR_OK &&
        !tr_reserve(&out->allocator, (void **)&out->animations, &out->animation_capacity,
                    (uint64_t)out->animation_count + 1, sizeof *out->animations))
        out->status = TR_OUT_OF_MEMORY;
    if (out->status != TR_OK)
        return;
    gltf_out_animation animation = {
        .name = unique, .first_channel = out->channel_count, .rate = rate, .actor = actor, .clip = clip};
    out->animations[out->animation_count++] = animation;
    tr_gltf_write_view(out, GLTF_NO_TARGET);
}

// An animation without channels is not written.
static void end_animation(gltf_out *out) {
    if (out->status != TR_OK)
        return;
    gltf_out_animation *animation = &out->animations[out->animation_count - 1];
    animation->channel_count = out->channel_count - animation->first_channel;
    if (animation->channel_count == 0) {
        out->animation_count--;
        out->view_count--;
    }
}

// Named after the clip, and after its character if there are several.
static void write_apart(gltf_out *out, uint32_t actor, uint32_t number) {
    const tr_gltf_actor *shown = &out->shot->actors[actor];
    const char *name = tr_clip_name(shown->clips[number]);
    char label[256], own[32];
    snprintf(own, sizeof own, "clip_%u", number + 1);
    name = name[0] ? name : own;
    if (out->shot->actor_count > 1) {
        snprintf(label, sizeof label, "%.120s/%.120s", out->nodes[out->first_joint[actor] - 1].name, name);
        name = label;
    }
    begin_animation(out, name, tr_clip_rate(shown->clips[number]), actor, number);
    write_clip(out, actor, number);
    end_animation(out);
}

// Writes the first clips of all characters as one animation.
static void write_together(gltf_out *out) {
    const tr_gltf_shot *shot = out->shot;
    const char *name = NULL;
    double rate = 0;
    bool same_name = true, same_rate = true;
    for (uint32_t i = 0; i < shot->actor_count; i++) {
        if (shot->actors[i].clip_count == 0)
            continue;
        const tr_clip *clip = shot->actors[i].clips[0];
        same_name = same_name && (!name || strcmp(name, tr_clip_name(clip)) == 0);
        same_rate = same_rate && (rate == 0 || rate == tr_clip_rate(clip));
        name = tr_clip_name(clip);
        rate = tr_clip_rate(clip);
    }
    if (!name && out->mover_count == 0)
        return;
    begin_animation(out, same_name && name && name[0] ? name : "shot", same_rate ? rate : 0, TR_NONE, 0);
    for (uint32_t i = 0; i < shot->actor_count; i++)
        if (shot->actors[i].clip_count > 0)
            write_clip(out, i, 0);
    write_movers(out);
    end_animation(out);
}

void tr_gltf_write_animations(gltf_out *out) {
    const tr_gltf_shot *shot = out->shot;
    if (!shot->apart) {
        write_together(out);
    } else if (out->mover_count > 0) {
        begin_animation(out, "scene", MOVER_RATE, TR_NONE, TR_NONE);
        write_movers(out);
        end_animation(out);
    }
    for (uint32_t i = 0; i < shot->actor_count; i++)
        for (uint32_t k = shot->apart ? 0 : 1; k < shot->actors[i].clip_count && out->status == TR_OK; k++)
            write_apart(out, i, k);
}
