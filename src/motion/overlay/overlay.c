#include "base/ahead.h"
#include "overlay_ahead.h"
#include "overlay_parts.h"

#define TRANSITION 0.3f   // duration of a transition between kinds of motion [s]
#define SHORT_MAX 0.0008f // a leg that stays this far from its foot lock takes a step instead [m]
#define ON_FLOOR 0.004f   // a foot that is higher does not touch the floor [m]
#define JOIN_FROM 0.023f  // of the height: feet of a body at rest that are further off take a step
#define JOIN_LEVEL 0.02f  // feet of a greater difference in height stay where they are [m]
#define LEVEL 0.03f       // feet that are no further from the height of the root stand on its floor [m]
#define HIPS_DEPTH 16     // most joints above the hips

tr_status tr_overlay_create(const tr_overlay_def *def, tr_overlay **overlay, tr_error *error) {
    *overlay = NULL;
    tr_allocator allocator = tr_allocator_or_default(def->allocator);
    tr_overlay *made = tr_allocate_zero(&allocator, 1, sizeof *made);
    if (!made)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for an overlay");
    made->allocator = allocator;
    made->cast = def->cast;
    made->foot_lock_params = tr_foot_lock_params_default();
    made->foot_lock_params.ground = def->ground;
    made->foot_lock_params.short_max = SHORT_MAX;
    made->floor = (overlay_ground){def->rise, def->rise_user, def->rise_most, def->floor};
    uint32_t joints = tr_skeleton_joint_count(def->cast->skeleton);
    tr_status status = tr_inertia_create(&allocator, joints, &made->inertia, error);
    for (uint32_t i = 0; i < 2 && status == TR_OK; i++)
        status = tr_pose_create(&allocator, joints, &made->shown[i], error);
    if (status != TR_OK) {
        tr_overlay_destroy(made);
        return status;
    }
    *overlay = made;
    return TR_OK;
}

void tr_overlay_destroy(tr_overlay *overlay) {
    if (!overlay)
        return;
    tr_allocator allocator = overlay->allocator;
    tr_overlay_release_arms(overlay);
    tr_overlay_release_comply(overlay);
    tr_pose_destroy(&overlay->shown[0]);
    tr_pose_destroy(&overlay->shown[1]);
    tr_inertia_destroy(overlay->inertia);
    tr_release(&allocator, overlay, 1, sizeof *overlay);
}

void tr_overlay_ahead(const tr_overlay *overlay) {
    tr_ahead(overlay, offsetof(tr_overlay, walls));
}

void tr_overlay_parts_ahead(const tr_overlay *overlay) {
    const tr_pose *oldest = &overlay->shown[1];
    tr_ahead(oldest->position[0], (size_t)oldest->stride * 7 * sizeof(float));
}

// ---------------------------------------------------------------- transitions

// All kinds of motion begin at rest, so the new one has no speed yet. The exception is one that continues at
// the same pace: its pose before the tick is known as well. The caller applies the difference after the time
// returned.
static float begin_transition(tr_overlay *overlay, const overlay_frame *frame) {
    const tr_driver_body *body = frame->body;
    float dt = frame->nature->dt;
    bool own_legs = frame->driver->legs != NULL;
    if (body->changes && overlay->has_shown) {
        tr_inertia_begin(overlay->inertia, &overlay->shown[1], &overlay->shown[0],
                         body->goes_on ? &body->scratch[0] : body->pose, body->pose, dt, TRANSITION);
        overlay->in_transition = true;
    }
    return body->changes && !body->goes_on && !own_legs ? 0 : dt;
}

// The difference to the earlier motion dies away over the new one. The hips of a driver that bends legs
// itself, and their ancestors, are continuous without it.
static void apply_transition(tr_overlay *overlay, const overlay_frame *frame) {
    const uint32_t *parents = tr_skeleton_parents(overlay->cast->skeleton);
    tr_pose *pose = frame->body->pose;
    tr_transform kept[HIPS_DEPTH];
    float since = begin_transition(overlay, frame);
    if (!overlay->in_transition)
        return;
    uint32_t count = 0, joint = frame->driver->legs ? overlay->cast->legs.hips : TR_NONE;
    for (; joint != TR_NONE && count < HIPS_DEPTH; joint = parents[joint])
        kept[count++] = tr_pose_get(pose, joint);
    tr_inertia_apply(overlay->inertia, since, pose);
    overlay->in_transition = !tr_inertia_is_over(overlay->inertia);
    joint = overlay->cast->legs.hips;
    for (uint32_t i = 0; i < count; i++, joint = parents[joint])
        tr_pose_set(pose, joint, kept[i]);
}

// Keeps the pose as shown, before feet are locked: the next transition begins with it.
void tr_overlay_show(tr_overlay *overlay, const tr_pose *pose) {
    tr_pose oldest = overlay->shown[1];
    overlay->shown[1] = overlay->shown[0];
    overlay->shown[0] = oldest;
    tr_pose_copy(&overlay->shown[0], pose);
    if (!overlay->has_shown)
        tr_pose_copy(&overlay->shown[1], pose);
    overlay->has_shown = true;
}

// The posture is added to what a transition begins with: it continues by itself.
static void apply_legs(tr_overlay *overlay, const overlay_frame *frame) {
    tr_driver_body *body = frame->body;
    const tr_skeleton *skeleton = overlay->cast->skeleton;
    if (frame->driver->legs) {
        frame->driver->legs(frame->state, frame->nature, body);
        tr_overlay_show(overlay, body->pose);
        if (tr_overlay_apply_posture(overlay, frame))
            tr_pose_update_model(skeleton, body->pose, &body->place, overlay->cast->legs.hips, body->model);
        return;
    }
    tr_overlay_show(overlay, body->pose);
    tr_overlay_apply_posture(overlay, frame);
    tr_pose_to_model(skeleton, body->pose, &body->place, body->model);
}

// ---------------------------------------------------------------- feet

// Bends a leg until no part of its foot is below the floor.
static void lift_foot(const tr_overlay *overlay, uint32_t side, tr_driver_body *body) {
    const tr_cast *cast = overlay->cast;
    const tr_foot *foot = &cast->legs.feet[side];
    const tr_vec3 points[3] = {tr_foot_heel(foot, body->model), tr_foot_ball(foot, body->model),
                               tr_foot_tip(foot, body->model)};
    float depth = 0;
    for (int i = 0; i < 3; i++) {
        float height = tr_foot_lock_height(&overlay->foot_lock, &overlay->foot_lock_params, side, points[i]);
        depth = -height > depth ? -height : depth;
    }
    if (!(depth > 0))
        return;
    tr_quat turn = tr_quat_normalize(tr_affine_rotation(&body->model[foot->ankle]));
    tr_vec3 ankle = tr_affine_position(&body->model[foot->ankle]);
    ankle.y += depth;
    tr_limb_goal goal = {ankle, &turn, 1, 0};
    tr_limb_reach(&cast->legs.limbs[side], cast->skeleton, &goal, body->pose, &body->place, body->model);
}

// A leg in the air on its way back to the animation stays within its limits; one that stands must reach its
// foot.
static void keep_limits(const tr_overlay *overlay, tr_driver_body *body) {
    const tr_cast *cast = overlay->cast;
    for (uint32_t side = 0; side < 2; side++) {
        uint32_t thigh = cast->legs.feet[side].thigh;
        if (body->contacts >> (2 * side) & 3)
            continue;
        tr_quat turn = tr_pose_rotation(body->pose, thigh);
        if (!(tr_skeleton_limit_excess(cast->skeleton, thigh, turn) > 0))
            continue;
        tr_pose_set_rotation(body->pose, thigh, tr_skeleton_limit_clamp(cast->skeleton, thigh, turn));
        tr_pose_update_model(cast->skeleton, body->pose, &body->place, thigh, body->model);
        lift_foot(overlay, side, body);
    }
}

// A locked foot that came down from a height where it was caught is still in the air.
static uint32_t on_floor(const tr_overlay *overlay, const tr_driver_body *body) {
    uint32_t standing = 0;
    for (uint32_t side = 0; side < 2; side++) {
        const tr_foot *foot = &overlay->cast->legs.feet[side];
        const tr_affine *ankle = &body->model[foot->ankle];
        uint32_t heel = tr_foot_lock_height(&overlay->foot_lock, &overlay->foot_lock_params, side,
                                            tr_affine_apply(ankle, foot->heel)) < ON_FLOOR;
        uint32_t toes = tr_foot_lock_height(&overlay->foot_lock, &overlay->foot_lock_params, side,
                                            tr_affine_apply(ankle, foot->ball)) < ON_FLOOR;
        standing |= (heel | toes << 1) << (2 * side);
    }
    return standing;
}

static bool is_held(const tr_foot_lock_foot *foot) {
    return (foot->held_heel || foot->held_toes) && !foot->strayed;
}

// The foot that a body at rest stands on alone; TR_NONE: on both, or on none.
uint32_t tr_overlay_one_foot(const tr_overlay *overlay) {
    bool left = is_held(&overlay->foot_lock.feet[0]), right = is_held(&overlay->foot_lock.feet[1]);
    return left == right ? TR_NONE : right;
}

// A body that has come to rest with one foot ahead takes a last small step, which brings its feet together:
// the foot that is further from its place in the standing pose leaves the ground.
static void join_feet(tr_overlay *overlay, const overlay_frame *frame) {
    tr_foot_lock_foot *feet = overlay->foot_lock.feet;
    if (!tr_overlay_at_rest(frame) || overlay->in_transition || !is_held(&feet[0]) || !is_held(&feet[1]))
        return;
    float far = JOIN_FROM * overlay->cast->height, off[2];
    for (uint32_t side = 0; side < 2; side++) {
        const tr_foot_lock_past *now = &feet[side].past[0];
        float x = now->shown.x - now->meant.x, z = now->shown.z - now->meant.z;
        off[side] = sqrtf(x * x + z * z);
    }
    uint32_t side = off[1] > off[0];
    if (off[side] > far && fabsf(feet[0].past[0].shown.y - feet[1].past[0].shown.y) < JOIN_LEVEL)
        feet[side].strayed = true;
}

// Feet that stand on slopes keep to them until the floor is level again, at the height of the root.
static bool is_on_slopes(const tr_overlay *overlay, const tr_driver_root *root) {
    if (root->slopes || !overlay->foot_lock.slopes)
        return root->slopes && overlay->floor.floor;
    for (uint32_t side = 0; side < 2; side++) {
        const tr_foot_lock_ground *ground = &overlay->foot_lock.feet[side].ground;
        float above = ground->at.y - root->ground;
        if (ground->slope_x != 0 || ground->slope_z != 0 || !(above > -LEVEL && above < LEVEL))
            return true;
    }
    return false;
}

// What the feet stand on, or will.
static void find_floor(tr_overlay *overlay, const tr_driver_root *root, bool shown,
                       const tr_driver_body *body) {
    tr_foot_lock_params *params = &overlay->foot_lock_params;
    params->slopes = is_on_slopes(overlay, root);
    params->shown = shown;
    if (params->slopes)
        tr_overlay_ask_planes(&overlay->floor, &overlay->cast->legs, &overlay->foot_lock, body->model,
                              root->ground, shown, params->planes);
}

static void apply_foot_lock(tr_overlay *overlay, const overlay_frame *frame) {
    if (frame->driver->legs)
        return;
    const tr_cast *cast = overlay->cast;
    tr_driver_body *body = frame->body;
    float dt = frame->nature->dt;
    overlay->foot_lock_params.ground = frame->state->root.ground;
    join_feet(overlay, frame);
    find_floor(overlay, &frame->state->root, false, body);
    if (overlay->floor.rise && !overlay->foot_lock_params.slopes)
        tr_overlay_ask_rise(&overlay->floor, &cast->legs, &overlay->foot_lock, body->model, body->contacts,
                            dt, overlay->foot_lock_params.rise);
    tr_foot_lock_step(&overlay->foot_lock, &overlay->foot_lock_params, &cast->legs, cast->skeleton,
                      body->contacts, dt, body->pose, &body->place, body->model);
    body->contacts = tr_foot_lock_standing(&overlay->foot_lock, body->contacts) & on_floor(overlay, body);
    keep_limits(overlay, body);
}

static void apply_carry(tr_overlay *overlay, const overlay_frame *frame) {
    tr_vec3 by = frame->body->carried;
    if (by.x != 0 || by.y != 0 || by.z != 0)
        tr_foot_lock_carry(&overlay->foot_lock, by);
}

void tr_overlay_hold_feet(tr_overlay *overlay, const tr_driver_root *root, tr_driver_body *body) {
    overlay->foot_lock = (tr_foot_lock_state){0};
    overlay->foot_lock_params.rise[0] = overlay->foot_lock_params.rise[1] = 0;
    overlay->foot_lock_params.ground = root->ground;
    find_floor(overlay, root, true, body);
    tr_foot_lock_step(&overlay->foot_lock, &overlay->foot_lock_params, &overlay->cast->legs,
                      overlay->cast->skeleton, body->contacts, 0, body->pose, &body->place, body->model);
}

void tr_overlay_forget(tr_overlay *overlay, float ground) {
    overlay->foot_lock = (tr_foot_lock_state){0};
    overlay->foot_lock_params.rise[0] = overlay->foot_lock_params.rise[1] = 0;
    overlay->foot_lock_params.ground = ground;
    overlay->has_shown = false;
    overlay->posture = (overlay_posture){0};
    overlay->tuck = overlay->tuck_rate = 0;
    overlay->slope = overlay->slope_rate = overlay->lower = overlay->lower_rate = 0;
    overlay->draws[0] = overlay->draws[1] = (overlay_draw){0, 0, 0};
    overlay->wall_count = 0;
    if (overlay->comply) {
        overlay->comply->count = overlay->comply->next = 0;
        overlay->comply->shown = false;
        overlay->comply->now = overlay->comply->rate = (tr_comply_pose){{0}, {{0}}};
    }
}

void tr_overlay_mimic(tr_overlay *to, const tr_overlay *from) {
    const tr_overlay own = *to;
    *to = *from;
    to->allocator = own.allocator;
    to->inertia = own.inertia;
    to->arms = NULL;
    to->comply = NULL;
    to->wall_count = 0;
    tr_inertia_copy(to->inertia, from->inertia);
    for (uint32_t i = 0; i < 2; i++) {
        to->shown[i] = own.shown[i];
        if (from->has_shown)
            tr_pose_copy(&to->shown[i], &from->shown[i]);
    }
}

void tr_overlay_set_rise(tr_overlay *overlay, float (*rise)(void *user, tr_vec2 point), void *user) {
    overlay->floor = (overlay_ground){rise, user, NULL, NULL};
    overlay->foot_lock_params.rise[0] = overlay->foot_lock_params.rise[1] = 0;
}

bool tr_overlay_foot_plane(const tr_overlay *overlay, uint32_t side, tr_foot_lock_ground *plane) {
    *plane = overlay->foot_lock.feet[side & 1].ground;
    return overlay->foot_lock.slopes;
}

float tr_overlay_foot_rise(const tr_overlay *overlay, uint32_t side) {
    return overlay->foot_lock.feet[side & 1].rise;
}

// ---------------------------------------------------------------- the order

static void (*const pipeline[])(tr_overlay *overlay,
                                const overlay_frame *frame) = {apply_carry,
                                                               tr_overlay_apply_manner,
                                                               apply_transition,
                                                               apply_legs,
                                                               tr_overlay_apply_slope,
                                                               tr_overlay_apply_shoulders,
                                                               apply_foot_lock,
                                                               tr_overlay_apply_room,
                                                               tr_overlay_apply_arms,
                                                               tr_overlay_apply_gaze,
                                                               tr_overlay_apply_comply};

void tr_overlay_apply(tr_overlay *overlay, const tr_driver *driver, tr_driver_state *state,
                      const tr_driver_task *task, const tr_driver_nature *nature, tr_driver_body *body) {
    overlay_frame frame = {driver, state, task, nature, body};
    bool walks = tr_cast_walks(overlay->cast), performs = state->root.doing == TR_DRIVER_PERFORMS;
    if (performs)
        tr_overlay_perform(overlay, &frame);
    if (performs && walks) {
        tr_overlay_apply_gaze(overlay, &frame);
        tr_overlay_apply_comply(overlay, &frame);
    }
    for (size_t i = 0; i < sizeof pipeline / sizeof pipeline[0] && walks && !performs; i++)
        pipeline[i](overlay, &frame);
    if (!performs && !walks)
        tr_overlay_stand(overlay, &frame);
    tr_overlay_set_bars(overlay, NULL, 0);
}
