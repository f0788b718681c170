// Standing: feet under the hips, a breath every four seconds, a slow sway.
#include "gait_parts.h"

#define LOOP_SECONDS 8.0
#define BREATHS 2.0
#define TOE_OUT (7 * TR_GAIT_DEGREE)

tr_gait_plant tr_gait_stand_plant(const tr_gait_rig *rig, uint32_t side, double x, double z, double heading) {
    double yaw = heading + (side ? -TOE_OUT : TOE_OUT), sine, cosine;
    tr_sin_cos(heading, &sine, &cosine);
    // The ankle under the hip, the heel behind it.
    double ankle_x = (double)(rig->hips_rest.x + rig->hip_offset[side].x);
    double ankle_z = (double)(rig->hips_rest.z + rig->hip_offset[side].z);
    tr_vec3 heel = tr_quat_rotate(tr_quat_about(tr_vec3_make(0, 1, 0), yaw), rig->heel[side]);
    tr_gait_plant plant = {.yaw = yaw, .begin = -1e9, .end = 1e9, .push_time = 1, .strike_time = 1};
    plant.x = x + cosine * ankle_x + sine * ankle_z + (double)heel.x;
    plant.z = z + cosine * ankle_z - sine * ankle_x + (double)heel.z;
    return plant;
}

void tr_gait_stand_state(const tr_gait_rig *rig, double breath, double sway, tr_gait_state *state) {
    double in = 0.5 - 0.5 * tr_gait_cosine(breath), aside = tr_gait_sine(sway);
    *state = (tr_gait_state){0};
    // The cube is at rest at both ends of the loop, so that other motions can begin and end here.
    state->left = 0.010 * rig->scale * aside * aside * aside;
    state->ahead = 0.004 * rig->scale * (0.5 - 0.5 * tr_gait_cosine(2 * sway));
    state->chest_lean = (0.4 - 1.0 * in) * TR_GAIT_DEGREE;
    state->chest_side = -0.6 * aside * aside * aside * TR_GAIT_DEGREE;
    state->head_nod = 0.3 * in * TR_GAIT_DEGREE;
    state->shrug = 1.2 * in * TR_GAIT_DEGREE;
    for (uint32_t side = 0; side < 2; side++) {
        state->arms[side] = (tr_gait_arm){.flexion = (1.5 + 0.8 * in) * TR_GAIT_DEGREE,
                                          .abduction = (5 + 0.5 * in) * TR_GAIT_DEGREE,
                                          .elbow = 9 * TR_GAIT_DEGREE};
        tr_gait_plant plant = tr_gait_stand_plant(rig, side, 0, 0, 0);
        tr_gait_foot *foot = &state->feet[side];
        *foot = (tr_gait_foot){.yaw = plant.yaw, .contacts = TR_CONTACT_LEFT_HEEL | TR_CONTACT_LEFT_TOES};
        tr_gait_stand_on(rig, side, TR_GAIT_ON_HEEL, plant.x, plant.z, foot);
    }
    double excess = tr_gait_excess(rig, state);
    state->up = -excess;
}

void tr_gait_plan_stand(tr_gait_plan *plan) {
    plan->duration = LOOP_SECONDS;
    plan->loop = true;
}

void tr_gait_stand_at(const tr_gait_plan *plan, double time, tr_gait_state *state) {
    double share = time / LOOP_SECONDS;
    tr_gait_stand_state(plan->rig, BREATHS * share, share, state);
}
