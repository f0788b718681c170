// Floors in steps, footsteps on them, and measurements of a body that walks over them: for the tests of
// `footstep_motion`.
#pragma once
#include "test.h"
#include "motion/cast/cast.h"

#include "troupe/base/hash.h"
#include "troupe/base/random.h"
#include "troupe/base/scalar.h"
#include "motion/foot/footstep_motion.h"
#include "troupe/stage/character.h"
#include "troupe/world/scene.h"

#include <math.h>
#include <string.h>

#define WALK_BLOCKS 32
#define WALK_FOOTSTEPS 64
#define WALK_RATE 60.0f
#define WALK_JOINTS 64
#define NO_FLOOR -5.0f // at the bottom of a gap

// A floor made of strips across the way, which goes along +Z from 0 on.
typedef struct walk_block {
    float end;    // where it ends [m]; it begins where the one before does
    float height; // at its begin [m]
    float slope;
} walk_block;

typedef struct footstep_walk {
    walk_block blocks[WALK_BLOCKS];
    uint32_t block_count;
    tr_footstep footsteps[WALK_FOOTSTEPS];
    uint32_t footstep_count;
    tr_footstep feet[2];
} footstep_walk;

static inline const walk_block *block_at(const footstep_walk *walk, float z, float *begin) {
    *begin = -10;
    for (uint32_t i = 0; i + 1 < walk->block_count; i++) {
        if (z < walk->blocks[i].end)
            return &walk->blocks[i];
        *begin = walk->blocks[i].end;
    }
    return &walk->blocks[walk->block_count - 1];
}

static inline float height_at(const footstep_walk *walk, float z) {
    float begin;
    const walk_block *block = block_at(walk, z, &begin);
    return block->height + block->slope * (z - begin);
}

static inline float walk_floor(void *user, tr_vec3 point) {
    float height = height_at(user, point.z);
    return height <= NO_FLOOR ? NAN : height;
}

static inline void add_block(footstep_walk *walk, float end, float height, float slope) {
    walk->blocks[walk->block_count++] = (walk_block){end, height, slope};
}

static inline tr_footstep footstep_on(const footstep_walk *walk, uint32_t side, float x, float z,
                                      float heading) {
    float begin;
    const walk_block *block = block_at(walk, z, &begin);
    tr_footstep footstep = {
        .side = side, .position = {x, height_at(walk, z), z}, .heading = heading, .support = 1};
    footstep.pitch = block->slope * cosf(heading), footstep.roll = -block->slope * sinf(heading);
    return footstep;
}

// Feet beside each other at z = 0, for a body of that height: where it stands by itself.
static inline float half_width(float height) {
    return 0.052f * height;
}

static inline void add_footstep(footstep_walk *walk, uint32_t side, float height, float z) {
    float x = half_width(height) * (side ? -1.0f : 1.0f);
    walk->footsteps[walk->footstep_count++] = footstep_on(walk, side, x, z, side ? -0.1f : 0.1f);
}

// Straight ahead in even steps from z = 0 to `end`, on the floor that is there.
static inline void walk_to(footstep_walk *walk, float height, float from, float end, float stride) {
    uint32_t steps = (uint32_t)ceilf((end - from) / stride - 1e-3f);
    for (uint32_t i = 1; i <= steps; i++)
        add_footstep(walk, walk->footstep_count % 2, height, from + (end - from) * (float)i / (float)steps);
}

static inline void finish_walk(footstep_walk *walk, float height) {
    tr_footstep last = walk->footsteps[walk->footstep_count - 1];
    add_footstep(walk, 1 - last.side, height, last.position.z);
}

static inline footstep_walk level_walk(float height, float stride, float distance) {
    footstep_walk walk = {0};
    add_block(&walk, 100, 0, 0);
    walk_to(&walk, height, 0, distance, stride);
    finish_walk(&walk, height);
    return walk;
}

// Some steps of a stair, up or down (rise < 0), with a landing before and behind.
static inline footstep_walk stair_walk(float height, float rise, float going, uint32_t steps) {
    footstep_walk walk = {0};
    float first = 0.5f * going + 0.1f;
    add_block(&walk, first, 0, 0);
    for (uint32_t i = 1; i <= steps; i++)
        add_block(&walk, first + going * (float)i, rise * (float)i, 0);
    walk.blocks[walk.block_count - 1].end = 100;
    for (uint32_t i = 1; i <= steps; i++)
        add_footstep(&walk, walk.footstep_count % 2, height, first + going * ((float)i - 0.5f));
    float top = first + going * ((float)steps - 0.5f);
    walk_to(&walk, height, top, top + 1.0f, 0.5f);
    finish_walk(&walk, height);
    return walk;
}

// Level ground with a gap that a long step goes over.
static inline footstep_walk gap_walk(float height, float stride) {
    footstep_walk walk = {0};
    float edge = 1.2f + 0.2f, far = 1.2f + stride - 0.2f;
    add_block(&walk, edge, 0, 0);
    add_block(&walk, far, NO_FLOOR, 0);
    add_block(&walk, 100, 0, 0);
    walk_to(&walk, height, 0, 1.2f, 0.4f);
    add_footstep(&walk, walk.footstep_count % 2, height, 1.2f + stride);
    walk_to(&walk, height, 1.2f + stride, 2.2f + stride, 0.5f);
    finish_walk(&walk, height);
    return walk;
}

static inline footstep_walk ramp_walk(float height, float slope) {
    footstep_walk walk = {0};
    add_block(&walk, 0.7f, 0, 0);
    add_block(&walk, 3.7f, 0, slope);
    add_block(&walk, 100, 3 * slope, 0);
    float foot = 0.08f * height + 0.02f; // soles stay off the bends
    float stride = 0.3f * height, first = 0.7f - foot, second = 0.7f + foot, third = 3.7f - foot;
    walk_to(&walk, height, 0, first, stride);
    add_footstep(&walk, walk.footstep_count % 2, height, second);
    walk_to(&walk, height, second, third, stride);
    add_footstep(&walk, walk.footstep_count % 2, height, 3.7f + foot);
    walk_to(&walk, height, 3.7f + foot, 5, stride);
    finish_walk(&walk, height);
    return walk;
}

// Level ground, turning by `turn` from one footstep to the next.
static inline footstep_walk turning_walk(float height, float stride, float turn, uint32_t steps) {
    footstep_walk walk = {0};
    add_block(&walk, 100, 0, 0);
    float x = 0, z = 0, heading = 0;
    for (uint32_t i = 0; i <= steps; i++) {
        uint32_t side = i % 2;
        heading += i < steps ? turn : 0;
        float step = i < steps ? stride : 0, wide = half_width(height) * (side ? -1.0f : 1.0f);
        x += step * sinf(heading), z += step * cosf(heading);
        walk.footsteps[walk.footstep_count++] =
            footstep_on(&walk, side, x + wide * cosf(heading), z - wide * sinf(heading), heading);
    }
    return walk;
}

// ------------------------------------------------------------------------------------------ a body on its
// way

typedef struct footstep_walker {
    tr_character *character;
    tr_pose pose, scratch[2];
    tr_affine place, model[WALK_JOINTS];
    tr_footstep_motion_state state;
    tr_footstep_motion_params params;
    const footstep_walk *walk;
    uint32_t next, contacts; // footstep, and contacts
    tr_status status;
} footstep_walker;

static inline bool walker_take(footstep_walker *walker, const tr_character_def *def) {
    memset(walker, 0, sizeof *walker);
    if (tr_character_create(def, &walker->character, NULL) != TR_OK)
        return false;
    uint32_t joints = tr_skeleton_joint_count(walker->character->skeleton);
    return joints <= WALK_JOINTS && tr_pose_create(NULL, joints, &walker->pose, NULL) == TR_OK &&
           tr_pose_create(NULL, joints, &walker->scratch[0], NULL) == TR_OK &&
           tr_pose_create(NULL, joints, &walker->scratch[1], NULL) == TR_OK;
}

static inline bool walker_make(footstep_walker *walker, float height) {
    tr_character_def def = {.height = height, .detail = 1};
    return walker_take(walker, &def);
}

static inline void walker_destroy(footstep_walker *walker) {
    tr_pose_destroy(&walker->pose);
    tr_pose_destroy(&walker->scratch[0]);
    tr_pose_destroy(&walker->scratch[1]);
    tr_character_destroy(walker->character);
}

// Characters take a while to make: one of each height serves all tests of a program.
static inline footstep_walker *walker_of(float height) {
    static struct {
        float height;
        footstep_walker walker;
    } made[8];
    for (uint32_t i = 0; i < 8; i++) {
        if (made[i].height == height)
            return &made[i].walker;
        if (made[i].height == 0) {
            made[i].height = walker_make(&made[i].walker, height) ? height : 0;
            return made[i].height == height ? &made[i].walker : NULL;
        }
    }
    return NULL;
}

// The footstep under a foot as it is shown.
static inline tr_footstep footstep_under(const footstep_walker *walker, uint32_t side, float ground) {
    const tr_foot *foot = &walker->character->legs.feet[side];
    tr_vec3 heel = tr_foot_heel(foot, walker->model), tip = tr_foot_tip(foot, walker->model);
    tr_vec3 middle = tr_vec3_scale(tr_vec3_add(heel, tip), 0.5f);
    tr_footstep footstep = {.side = side, .position = {middle.x, ground, middle.z}, .support = 1};
    footstep.heading = atan2f(tip.x - heel.x, tip.z - heel.z);
    return footstep;
}

// Standing so that the middles of the soles are beside z = 0.
static inline void walker_begin(footstep_walker *walker, const footstep_walk *walk) {
    tr_locomotion_state stand = {0};
    walker->walk = walk, walker->next = 0, walker->status = TR_OK;
    walker->params = tr_footstep_motion_params_default();
    walker->params.floor = walk_floor;
    walker->params.floor_user = (void *)(uintptr_t)walk;
    tr_locomotion_step(walker->character->locomotion, &stand, 0, 0, &walker->pose, walker->scratch,
                       &walker->contacts);
    tr_affine at = tr_affine_place(tr_vec3_make(0, 0, 0), 0);
    tr_pose_to_model(walker->character->skeleton, &walker->pose, &at, walker->model);
    float ahead = footstep_under(walker, 0, 0).position.z;
    walker->place = tr_affine_place(tr_vec3_make(0, height_at(walk, 0), -ahead), 0);
    tr_pose_to_model(walker->character->skeleton, &walker->pose, &walker->place, walker->model);
    tr_vec3 hips = tr_affine_position(&walker->model[walker->character->legs.hips]);
    tr_footstep_motion_start start = {.model = walker->model,
                                      .feet = {footstep_under(walker, 0, height_at(walk, 0)),
                                               footstep_under(walker, 1, height_at(walk, 0))},
                                      .in_air = 2,
                                      .base = {hips.x, height_at(walk, 0), hips.z}};
    tr_footstep_motion_begin(&walker->state, &walker->character->legs, &start);
}

static inline tr_status walker_step(footstep_walker *walker, float dt) {
    uint32_t used = 0;
    const tr_character *character = walker->character;
    tr_footstep_motion_view view = {&walker->params,       &character->legs, character->skeleton,
                                    character->locomotion, &walker->pose,    walker->scratch,
                                    &walker->place,        walker->model};
    walker->status = tr_footstep_motion_body(&walker->state, &view, walker->walk->footsteps + walker->next,
                                             walker->walk->footstep_count - walker->next, &used, dt);
    if (walker->status != TR_INVALID)
        tr_footstep_motion_legs(&walker->state, &view, dt, &walker->contacts);
    walker->next += used;
    return walker->status;
}

// ------------------------------------------------------------------------------------------------- watching

// The worst of a whole walk.
typedef struct walk_watch {
    uint32_t frames;
    float seconds;
    float slide;       // of a heel or ball that is said to stand, in any direction [m]
    float depth;       // of heel, ball or tip below the floor [m]
    float limit;       // beyond a joint's limit [rad]
    float miss;        // of the sole from its footstep when it is flat [m]
    float speed, jump; // of the hips [m/s]; of their velocity from frame to frame [m/s]
    float sunk;        // hips beyond the plan [m]
    float knee;        // the deepest bend of a standing leg's knee [rad]
    float straightest; // knee in a stance [rad]
    bool finite;
    uint64_t hash;
} walk_watch;

typedef struct walk_past {
    tr_vec3 held[2][2];
    uint32_t contacts;
    tr_vec3 hips, velocity;
    uint32_t frames;
} walk_past;

static inline float knee_of(const footstep_walker *walker, uint32_t side) {
    uint32_t shank = walker->character->legs.feet[side].shank;
    return tr_skeleton_limit_angles(walker->character->skeleton, shank,
                                    tr_pose_rotation(&walker->pose, shank))
        .x;
}

static inline void watch_feet(const footstep_walker *walker, walk_past *past, walk_watch *watch) {
    for (uint32_t side = 0; side < 2; side++) {
        const tr_foot *foot = &walker->character->legs.feet[side];
        tr_vec3 points[3] = {tr_foot_heel(foot, walker->model), tr_foot_ball(foot, walker->model),
                             tr_foot_tip(foot, walker->model)};
        for (uint32_t i = 0; i < 3; i++) {
            float depth = height_at(walker->walk, points[i].z) - points[i].y;
            watch->depth = depth > watch->depth ? depth : watch->depth;
        }
        for (uint32_t i = 0; i < 2; i++) {
            uint32_t bit = 1u << (2 * side + i);
            if (!(walker->contacts & bit))
                continue;
            if (!(past->contacts & bit))
                past->held[side][i] = points[i];
            float slide = tr_vec3_length(tr_vec3_subtract(points[i], past->held[side][i]));
            watch->slide = slide > watch->slide ? slide : watch->slide;
        }
        uint32_t flat = 3u << (2 * side);
        if ((walker->contacts & flat) == flat && walker->next > 1) {
            tr_vec3 middle = tr_vec3_scale(tr_vec3_add(points[0], points[2]), 0.5f);
            tr_vec3 off = tr_vec3_subtract(middle, walker->state.feet[side].footstep.position);
            float miss = tr_vec3_length(off);
            watch->miss = miss > watch->miss ? miss : watch->miss;
            float knee = knee_of(walker, side);
            watch->knee = knee > watch->knee ? knee : watch->knee;
            watch->straightest = knee < watch->straightest ? knee : watch->straightest;
        }
    }
    past->contacts = walker->contacts;
}

static inline void watch_frame(const footstep_walker *walker, walk_past *past, walk_watch *watch) {
    const tr_character *character = walker->character;
    watch_feet(walker, past, watch);
    uint32_t joints = walker->pose.joint_count;
    for (uint32_t i = 0; i < joints; i++) {
        float excess = tr_skeleton_limit_excess(character->skeleton, i, tr_pose_rotation(&walker->pose, i));
        watch->limit = excess > watch->limit ? excess : watch->limit;
        watch->finite &= tr_affine_is_finite(&walker->model[i]);
    }
    tr_vec3 hips = tr_affine_position(&walker->model[character->legs.hips]);
    tr_vec3 velocity = tr_vec3_scale(tr_vec3_subtract(hips, past->hips), WALK_RATE);
    float jump = tr_vec3_length(tr_vec3_subtract(velocity, past->velocity)), speed = tr_vec3_length(velocity);
    if (past->frames > 0)
        watch->speed = speed > watch->speed ? speed : watch->speed;
    if (past->frames > 1)
        watch->jump = jump > watch->jump ? jump : watch->jump;
    past->hips = hips, past->velocity = velocity, past->frames++;
    watch->sunk = walker->state.sunk > watch->sunk ? walker->state.sunk : watch->sunk;
    watch->hash = tr_hash(watch->hash, walker->model, joints * sizeof *walker->model);
    watch->frames++;
}

// The whole walk; `see` (may be NULL) is called after each frame.
static inline walk_watch watch_walk(footstep_walker *walker, const footstep_walk *walk,
                                    void (*see)(void *user), void *user) {
    walk_watch watch = {.finite = true, .straightest = 9, .hash = TR_HASH_START};
    walk_past past = {0};
    walker_begin(walker, walk);
    for (uint32_t i = 0; i < 6000; i++) {
        tr_status status = walker_step(walker, i ? 1 / WALK_RATE : 0);
        if (status != TR_OK && status != TR_DONE)
            break;
        watch_frame(walker, &past, &watch);
        if (see)
            see(user);
        if (status == TR_DONE)
            break;
    }
    watch.seconds = (float)watch.frames / WALK_RATE;
    return watch;
}

// The floor as triangles: strips, and the faces between them.
static inline void add_quad(tr_vec3 *corners, uint32_t *count, tr_vec3 a, tr_vec3 b, tr_vec3 c, tr_vec3 d) {
    const tr_vec3 six[6] = {a, b, c, a, c, d};
    memcpy(corners + *count, six, sizeof six);
    *count += 6;
}

static inline tr_scene *scene_of(const footstep_walk *walk) {
    tr_vec3 corners[12 * WALK_BLOCKS];
    uint32_t indices[12 * WALK_BLOCKS], count = 0, mesh, object;
    float begin = -1.5f;
    for (uint32_t i = 0; i < walk->block_count; i++) {
        const walk_block *block = &walk->blocks[i];
        float end = i + 1 < walk->block_count ? block->end : begin + 2.5f,
              z = i ? walk->blocks[i - 1].end : -10;
        float low = block->height + block->slope * (begin - z),
              high = block->height + block->slope * (end - z);
        add_quad(corners, &count, tr_vec3_make(-1, low, begin), tr_vec3_make(-1, high, end),
                 tr_vec3_make(1, high, end), tr_vec3_make(1, low, begin));
        if (i + 1 < walk->block_count) {
            float next = walk->blocks[i + 1].height;
            add_quad(corners, &count, tr_vec3_make(-1, high, end), tr_vec3_make(-1, next, end),
                     tr_vec3_make(1, next, end), tr_vec3_make(1, high, end));
        }
        begin = end;
    }
    for (uint32_t i = 0; i < count; i++)
        indices[i] = i;
    tr_scene *scene = NULL;
    if (tr_scene_create(NULL, &scene) != TR_OK)
        return NULL;
    tr_mesh_def def = {
        .positions = corners, .position_count = count, .indices = indices, .triangle_count = count / 3};
    tr_object_def place = {.placement = tr_affine_identity(), .tags = TR_TAG_WALKABLE};
    if (tr_scene_add_mesh(scene, &def, &mesh, NULL) == TR_OK) {
        place.mesh = mesh;
        tr_scene_add_object(scene, &place, &object, NULL);
    }
    return scene;
}

// A clip of the walk: hand `record_frame` to watch_walk.
typedef struct walk_record {
    footstep_walker *walker;
    tr_clip *clip;
    uint32_t frame;
} walk_record;

static inline void record_frame(void *user) {
    walk_record *record = user;
    const footstep_walker *walker = record->walker;
    tr_pose *pose = &record->walker->scratch[0];
    tr_pose_copy(pose, &walker->pose);
    tr_pose_set(pose, 0, tr_affine_to_transform(&walker->model[0]));
    if (record->frame < tr_clip_frame_count(record->clip)) {
        tr_clip_set_frame(record->clip, record->frame, pose);
        tr_clip_set_contacts(record->clip, record->frame, walker->contacts);
    }
    record->frame++;
}
