// Hands of bodies with long arms stay off the floor: elbows bend.
#include "overlay_parts.h"

#define CLEAR 0.015f // hands stay this far off the floor, as a share of the body's height
#define SOFT 0.03f   // and elbows begin to bend when they are this much higher

// How much too low the hand is, smoothly from a little above [m].
static float lacking(const overlay_frame *frame, const tr_cast *cast, uint32_t side) {
    const tr_driver_body *body = frame->body;
    float floor = tr_affine_position(&body->place).y + CLEAR * cast->height, low = INFINITY;
    for (uint32_t i = 1; i < 3; i++) {
        const tr_cast_ball *ball = &cast->arm_balls[side][i];
        float bottom = tr_affine_apply(&body->model[ball->joint], ball->at).y - ball->radius;
        low = bottom < low ? bottom : low;
    }
    float deep = floor - low, soft = SOFT * cast->height;
    return deep <= -soft ? 0 : deep < soft ? (deep + soft) * (deep + soft) / (4 * soft) : deep;
}

void tr_overlay_lift_hands(const tr_overlay *overlay, const overlay_frame *frame) {
    const tr_cast *cast = overlay->cast;
    tr_driver_body *body = frame->body;
    for (uint32_t side = 0; side < 2; side++) {
        const tr_limb *arm = &cast->long_arms[side];
        if (cast->arms[side][0] == TR_NONE || arm->upper_length == 0)
            continue;
        float up = lacking(frame, cast, side);
        if (up == 0)
            continue;
        tr_limb_goal goal = {.position = tr_affine_position(&body->model[arm->end]), .weight = 1};
        goal.position.y += up;
        tr_limb_reach(arm, cast->skeleton, &goal, body->pose, &body->place, body->model);
    }
}
