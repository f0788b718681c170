// Arms stay within the room that the body has. They are drawn in towards hanging straight down, each only as
// far as necessary.
//
// The share is found twice. For walls that are near now or soon, with some distance to spare: the arm moves
// to this share smoothly and keeps it for a while, so that it does not swing out between two steps. For the
// walls that are there now, with none to spare: this share holds in every tick.
#include "overlay_parts.h"
#include "overlay_pull.h"

#include <math.h>

#define SPARE 0.03f  // distance kept from walls where that is smoothly possible [m]
#define PULL 10.0f   // of the spring [1/s]
#define RELEASE 0.8f // the rate at which arms are let go [1/s]
#define LEAST 1e-4f  // a smaller share counts as 0
#define TRIES 5      // to find the share
#define NEAR 1e-3f   // a point that is this close behind a wall is at it [m]

// One arm as the body holds it, and the data that moves it.
typedef struct room_arm {
    const tr_overlay *overlay;
    const overlay_frame *frame;
    uint32_t side;
    tr_quat own[2]; // upper arm and forearm, as the body holds them
} room_arm;

// How far the arm is beyond the walls; negative: the distance left. -INFINITY without walls.
static float beyond(const room_arm *arm, bool soon, float spare) {
    const tr_overlay *overlay = arm->overlay;
    const tr_driver_body *body = arm->frame->body;
    tr_vec3 root = tr_affine_position(&body->place);
    float worst = -INFINITY;
    for (uint32_t i = 0; i < 3; i++) {
        const tr_cast_ball *ball = &overlay->cast->arm_balls[arm->side][i];
        tr_vec3 at = tr_vec3_subtract(tr_affine_apply(&body->model[ball->joint], ball->at), root);
        for (uint32_t k = 0; k < overlay->wall_count; k++) {
            const tr_overlay_wall *wall = &overlay->walls[k];
            float off = at.x * wall->away.x + at.z * wall->away.z + ball->radius + spare - wall->room;
            if ((soon || !wall->soon) && off > worst)
                worst = off;
        }
    }
    return worst;
}

// From the body's own pose (0) to hanging (1).
static void draw_in(const room_arm *arm, float share) {
    const tr_cast *cast = arm->overlay->cast;
    tr_driver_body *body = arm->frame->body;
    for (uint32_t part = 0; part < 2; part++) {
        uint32_t joint = cast->arms[arm->side][part];
        tr_quat turn = tr_overlay_mix(arm->own[part], cast->arms_hang[arm->side][part], share);
        turn = share > 0 ? tr_skeleton_limit_clamp(cast->skeleton, joint, turn) : arm->own[part];
        tr_pose_set_rotation(body->pose, joint, turn);
    }
    tr_pose_update_model(cast->skeleton, body->pose, &body->place, cast->arms[arm->side][0], body->model);
}

// The smallest share from `low` on at which the arm is behind the walls; 1 if there is none. `off` is how far
// it is beyond them at `low`. This is regula falsi: the next share is where a line between the ends would
// meet the walls, and an end that stays counts half, so that both close in.
static float least_share(const room_arm *arm, float low, float off, bool soon, float spare) {
    float high = 1;
    draw_in(arm, high);
    float inside = beyond(arm, soon, spare);
    if (inside > 0)
        return 1;
    for (uint32_t i = 0; i < TRIES; i++) {
        float part = (off + 0.5f * NEAR) / (off - inside);
        if (!(part < 1))
            break;
        float middle = low + (high - low) * part;
        draw_in(arm, middle);
        float now = beyond(arm, soon, spare);
        if (now <= 0 && now > -NEAR)
            return middle;
        if (now > 0)
            low = middle, off = now, inside *= 0.5f;
        else
            high = middle, inside = now, off *= 0.5f;
    }
    return high;
}

static void keep_room(tr_overlay *overlay, const overlay_frame *frame, uint32_t side) {
    const uint32_t *joints = overlay->cast->arms[side];
    overlay_draw *draw = &overlay->draws[side];
    if (joints[0] == TR_NONE)
        return;
    room_arm arm = {overlay, frame, side, {{0, 0, 0, 1}, {0, 0, 0, 1}}};
    for (uint32_t part = 0; part < 2; part++)
        arm.own[part] = tr_pose_rotation(frame->body->pose, joints[part]);
    float off = beyond(&arm, true, SPARE), held = draw->held - RELEASE * frame->nature->dt;
    float needed = off > 0 ? least_share(&arm, 0, off, true, SPARE) : 0;
    draw->held = needed > held ? needed : held > 0 ? held : 0;
    if (draw->held == 0 && draw->share < LEAST) {
        *draw = (overlay_draw){0, 0, 0};
        return;
    }
    tr_overlay_pull(PULL, draw->held, frame->nature->dt, &draw->share, &draw->rate);
    draw->share = draw->share < 0 ? 0 : draw->share > 1 ? 1 : draw->share;
    draw_in(&arm, draw->share);
    off = beyond(&arm, false, 0);
    if (off > 0 && draw->share < 1) {
        draw->share = least_share(&arm, draw->share, off, false, 0);
        draw_in(&arm, draw->share);
    }
}

float tr_overlay_beyond_walls(const tr_overlay *overlay, const overlay_frame *frame, uint32_t side) {
    return beyond(&(room_arm){.overlay = overlay, .frame = frame, .side = side}, false, 0);
}

void tr_overlay_apply_room(tr_overlay *overlay, const overlay_frame *frame) {
    for (uint32_t side = 0; side < 2; side++)
        if (overlay->wall_count > 0 || overlay->draws[side].share > 0)
            keep_room(overlay, frame, side);
    tr_overlay_clear_arms(overlay, frame);
    tr_overlay_lift_hands(overlay, frame);
}

void tr_overlay_set_walls(tr_overlay *overlay, const tr_overlay_wall *walls, uint32_t count) {
    overlay->wall_count = count < TR_OVERLAY_WALLS_MAX ? count : TR_OVERLAY_WALLS_MAX;
    for (uint32_t i = 0; i < overlay->wall_count; i++)
        overlay->walls[i] = walls[i];
}

void tr_overlay_set_bars(tr_overlay *overlay, const tr_foot_lock_bar *bars, uint32_t count) {
    overlay->foot_lock_params.bars = bars;
    overlay->foot_lock_params.bar_count = count;
}

tr_vec3 tr_overlay_bar(const tr_overlay *overlay, const tr_affine *model, uint32_t side,
                       tr_foot_lock_bar *bar) {
    return tr_foot_lock_bar_of(&overlay->foot_lock, &overlay->cast->legs, side, model, bar);
}
