// The goals of an order at this moment: places of equal value.
#include "stage_data.h"

#define REGION_GOALS 49 // places that are considered in a region
#define OBJECT_GOALS 16 // places around an object

static uint32_t goals_in(const tr_box *box, tr_vec3 *goals) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < REGION_GOALS; i++) {
        // From the middle outwards, so that the first of equal places is the middle.
        static const float shares[7] = {0.5f, 0.35f, 0.65f, 0.2f, 0.8f, 0.05f, 0.95f};
        tr_vec3 size = tr_vec3_subtract(box->max, box->min);
        goals[count++] = tr_vec3_make(box->min.x + shares[i % 7] * size.x, box->max.y,
                                      box->min.z + shares[i / 7] * size.z);
    }
    return count;
}

// Places around a box, as near as the body may come.
static uint32_t goals_around(const tr_box *box, float off, float height, tr_vec3 *goals) {
    float x0 = box->min.x - off, x1 = box->max.x + off, z0 = box->min.z - off, z1 = box->max.z + off;
    for (uint32_t i = 0; i < OBJECT_GOALS; i++) {
        float t = ((float)(i % 4) + 0.5f) / 4;
        uint32_t side = i / 4;
        goals[i] = tr_vec3_make(side == 0   ? x0
                                : side == 1 ? x1
                                            : x0 + t * (x1 - x0),
                                height,
                                side == 2   ? z0
                                : side == 3 ? z1
                                            : z0 + t * (z1 - z0));
    }
    return OBJECT_GOALS;
}

uint32_t tr_stage_goals(const tr_stage *stage, const stage_actor *who, const tr_order *order,
                        tr_vec3 *goals) {
    tr_vec3 at = tr_stage_place_of(who);
    if (order->goal_kind == TR_GOAL_REGION)
        return goals_in(&order->region, goals);
    if (order->goal_kind == TR_GOAL_OBJECT) {
        tr_box box = tr_scene_object(stage->def.scene, order->object).bounds;
        return goals_around(&box, who->radius + TUNE_CORRIDOR + 0.1f + order->near, at.y, goals);
    }
    if (order->goal_kind == TR_GOAL_ACTOR) {
        const stage_actor *other = tr_stage_find_actor(stage, order->target);
        tr_vec3 there = other ? tr_stage_place_of(other) : at, apart = tr_vec3_subtract(at, there);
        float length = sqrtf(apart.x * apart.x + apart.z * apart.z);
        float off = who->radius + (other ? other->radius : 0) + TUNE_FOLLOW_GAP + order->near;
        float t = length > off ? off / length : 1;
        goals[0] = tr_vec3_make(there.x + t * apart.x, there.y, there.z + t * apart.z);
        return 1;
    }
    goals[0] = order->goal;
    if (order->any_floor) {
        goals[0].y = at.y;
        tr_ground_place place = tr_ground_level(stage->ground, who->sizes[0], goals[0]);
        goals[0].y = place.cell != TR_NONE ? place.position.y : at.y;
    }
    return 1;
}
