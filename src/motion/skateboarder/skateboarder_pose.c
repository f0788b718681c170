// Turns the state of a skateboarder into a pose: the board where it rolls or flies, feet on it or on the
// ground, and hips where the centre of mass has to be.
#include "skateboarder_parts.h"

#define SOLVE_STEPS 16
#define SOLVE_EXACT 1e-6 // [m]
#define DRIFT 0.16       // how long a foot that leaves the ground, or nears it, goes with it [s]
#define CLAMP_STEPS 6
#define LOWER_STEPS 8
#define LOWER_EXACT 2e-5 // [m]

static tr_quat about(int axis, double angle) {
    tr_vec3 along = {axis == 0, axis == 1, axis == 2};
    return tr_quat_about(along, angle);
}

// ----------------------------------------------------------------------------------------- centre of mass

// Masses of segments and where their centres are between two joints (de Leva 1996, men); the board weighs a
// thirtieth of the body.
static const struct {
    tr_role from, to;
    double mass, share;
} segments[] = {
    {TR_ROLE_HIPS, TR_ROLE_SPINE, .1117, .3},
    {TR_ROLE_SPINE, TR_ROLE_UPPER_CHEST, .1633, .5},
    {TR_ROLE_UPPER_CHEST, TR_ROLE_NECK, .1596, .5},
    {TR_ROLE_NECK, TR_ROLE_HEAD, .0694, 1.6},
    {TR_ROLE_LEFT_UPPER_ARM, TR_ROLE_LEFT_FOREARM, .0271, .5772},
    {TR_ROLE_RIGHT_UPPER_ARM, TR_ROLE_RIGHT_FOREARM, .0271, .5772},
    {TR_ROLE_LEFT_FOREARM, TR_ROLE_LEFT_HAND, .0162, .4574},
    {TR_ROLE_RIGHT_FOREARM, TR_ROLE_RIGHT_HAND, .0162, .4574},
    {TR_ROLE_LEFT_FOREARM, TR_ROLE_LEFT_HAND, .0061, 1.3},
    {TR_ROLE_RIGHT_FOREARM, TR_ROLE_RIGHT_HAND, .0061, 1.3},
    {TR_ROLE_LEFT_THIGH, TR_ROLE_LEFT_SHANK, .1416, .4095},
    {TR_ROLE_RIGHT_THIGH, TR_ROLE_RIGHT_SHANK, .1416, .4095},
    {TR_ROLE_LEFT_SHANK, TR_ROLE_LEFT_FOOT, .0433, .4459},
    {TR_ROLE_RIGHT_SHANK, TR_ROLE_RIGHT_FOOT, .0433, .4459},
    {TR_ROLE_LEFT_FOOT, TR_ROLE_LEFT_TOES, .0137, .5},
    {TR_ROLE_RIGHT_FOOT, TR_ROLE_RIGHT_TOES, .0137, .5},
};
#define BOARD_MASS .033

static tr_vec3 place_of(const tr_skater_rig *rig, tr_role role) {
    return tr_affine_position(&rig->gait.model[tr_skeleton_with_role(rig->gait.skeleton, role)]);
}

static void find_centre(const tr_skater_rig *rig, double centre[3]) {
    double mass = BOARD_MASS;
    tr_vec3 board = tr_affine_position(&rig->gait.model[TR_SKATER_BOARD]);
    centre[0] = mass * (double)board.x, centre[1] = mass * (double)board.y,
    centre[2] = mass * (double)board.z;
    for (uint32_t i = 0; i < sizeof segments / sizeof *segments; i++) {
        tr_vec3 from = place_of(rig, segments[i].from), to = place_of(rig, segments[i].to);
        double m = segments[i].mass, share = segments[i].share;
        centre[0] += m * ((double)from.x + share * ((double)to.x - (double)from.x));
        centre[1] += m * ((double)from.y + share * ((double)to.y - (double)from.y));
        centre[2] += m * ((double)from.z + share * ((double)to.z - (double)from.z));
        mass += m;
    }
    for (int i = 0; i < 3; i++)
        centre[i] /= mass;
}

// ------------------------------------------------------------------------------------------------------- rig

static tr_status find_joints(const tr_skeleton *skeleton, tr_error *error) {
    uint32_t count = tr_skeleton_joint_count(skeleton);
    if (count != TR_SKATER_JOINTS)
        return tr_fail(error, TR_INVALID, "the skeleton has %u joints, that of a skateboarder has %u", count,
                       (uint32_t)TR_SKATER_JOINTS);
    for (uint32_t i = TR_SKATER_BOARD; i < count; i++)
        if (tr_skeleton_find(skeleton, tr_skater_board_name(i)) != i)
            return tr_fail(error, TR_INVALID,
                           "joint %u of the skeleton is \"%s\", that of a skateboarder is \"%s\"", i,
                           tr_skeleton_joint(skeleton, i).name, tr_skater_board_name(i));
    for (uint32_t i = 0; i < sizeof segments / sizeof *segments; i++) {
        const tr_role roles[2] = {segments[i].from, segments[i].to};
        for (int k = 0; k < 2; k++)
            if (tr_skeleton_with_role(skeleton, roles[k]) == TR_NONE)
                return tr_fail(error, TR_INVALID, "the skeleton has no joint with the role %s",
                               tr_role_name(roles[k]));
    }
    return TR_OK;
}

tr_status tr_skater_rig_create(const tr_allocator *allocator, const tr_skeleton *skeleton, tr_skater_rig *rig,
                               tr_error *error) {
    *rig = (tr_skater_rig){.size = 0};
    tr_gait_def def = {.allocator = allocator, .skeleton = skeleton};
    tr_status status = find_joints(skeleton, error);
    if (status == TR_OK)
        status = tr_gait_rig_create(&def, &rig->gait, error);
    if (status != TR_OK)
        return status;
    const tr_affine *rest = tr_skeleton_rest_model(skeleton);
    rig->size = (double)(tr_affine_position(&rest[TR_SKATER_BOARD]).y / TR_SKATER_DECK);
    // The standing skateboarder glides with its hips this much lower than with straight legs.
    tr_skateboarder_clip_def glide = {.kind = TR_SKATEBOARDER_GLIDE};
    tr_skater_plan plan;
    tr_skater_state state;
    tr_skater_foot feet[2];
    tr_skater_make_plan(&glide, &plan);
    tr_skater_state_at(&plan, 0, &state);
    tr_skater_feet_at(rig, &plan, 0, &state, feet);
    state.flies = true; // it is not to come down by itself
    double low = 0, high = 2 * rig->gait.leg_length;
    for (int i = 0; i < 40; i++) { // the height at which the straighter leg is as long as wanted
        rig->com_glide = 0.5 * (low + high);
        tr_skater_pose(rig, &state, feet);
        double longest = 0;
        for (int side = 0; side < 2; side++) {
            const tr_foot *foot = &rig->gait.feet[side];
            double length =
                (double)tr_vec3_distance(tr_affine_position(&rig->gait.model[foot->thigh]), feet[side].ankle);
            longest = length > longest ? length : longest;
        }
        if (longest > TR_SKATER_GLIDE_LEG * rig->gait.leg_length || rig->worst_miss > 1e-4)
            high = rig->com_glide;
        else
            low = rig->com_glide;
        rig->worst_miss = 0;
    }
    rig->com_glide = low;
    return TR_OK;
}

void tr_skater_rig_destroy(tr_skater_rig *rig) {
    tr_gait_rig_destroy(&rig->gait);
}

// ------------------------------------------------------------------------------------------------------ feet

// From the ankle of a flat foot to the middle of its sole.
static tr_vec3 middle_of(const tr_skater_rig *rig, uint32_t side) {
    return tr_vec3_scale(tr_vec3_add(rig->gait.heel[side], rig->gait.ball[side]), 0.5f);
}

static tr_skater_foot on_board(const tr_skater_rig *rig, uint32_t side, const tr_skater_state *state,
                               double along, double yaw) {
    tr_vec3 spot = {0, 0, (float)(along * rig->size)};
    tr_skater_foot foot = {.turn = tr_quat_multiply(state->board_turn, about(1, yaw))};
    tr_vec3 middle =
        tr_vec3_add(tr_vec3_scale(state->board, (float)rig->size), tr_quat_rotate(state->board_turn, spot));
    foot.ankle = tr_vec3_subtract(middle, tr_quat_rotate(foot.turn, middle_of(rig, side)));
    return foot;
}

// On the ground: flat, and at last rolling over the ball. In the axes of the base at `time`.
static tr_skater_foot on_ground(const tr_skater_rig *rig, const tr_skater_plan *plan, uint32_t side,
                                const tr_skater_plant *plant, double time) {
    tr_base anchor = tr_skater_plan_base(plan, plant->anchor), base = tr_skater_plan_base(plan, time);
    tr_base place = {(float)plant->x, (float)plant->z, (float)plant->yaw};
    tr_base at = tr_base_difference(base, tr_base_move(anchor, place));
    double roll = 0.8 * (plant->end - plant->begin), begin = plant->end - (roll < 0.46 ? roll : 0.46);
    double share = time > begin ? (time - begin) / (plant->end - begin) : 0;
    share = share > 1 ? 1 : share;
    double pitch = plant->push * share * share * (3 - 2 * share) * (plant->push > 0);
    tr_quat flat = about(1, (double)at.heading);
    tr_vec3 middle = tr_vec3_make((float)((double)at.x * rig->size), 0, (float)((double)at.z * rig->size));
    tr_vec3 ankle = tr_vec3_subtract(middle, tr_quat_rotate(flat, middle_of(rig, side)));
    tr_vec3 ball = tr_vec3_add(ankle, tr_quat_rotate(flat, rig->gait.ball[side]));
    tr_skater_foot foot = {.turn = tr_quat_multiply(flat, about(0, pitch)), .toes = pitch};
    foot.ankle = tr_vec3_subtract(ball, tr_quat_rotate(foot.turn, rig->gait.ball[side]));
    foot.contacts = TR_CONTACT_LEFT_TOES | (pitch > 0 ? 0 : TR_CONTACT_LEFT_HEEL);
    return foot;
}

static tr_skater_foot planted(const tr_skater_rig *rig, const tr_skater_plan *plan, uint32_t number,
                              double time, const tr_skater_state *state) {
    const tr_skater_plant *plant = &plan->plants[number];
    if (plant->on_board)
        return on_board(rig, 1, state, TR_SKATER_BACK_ALONG, TR_SKATER_BACK_YAW);
    return on_ground(rig, plan, 1, plant, time);
}

// A foot swings from where it would be if it had stayed to where it would be if it had already come down.
static tr_skater_foot swung(tr_skater_foot from, tr_skater_foot to, double x, double lift, double aside) {
    double e = tr_ease(x), bump = 16 * x * x * (1 - x) * (1 - x);
    tr_skater_foot foot = {.turn = tr_quat_normalize(tr_quat_blend(from.turn, to.turn, (float)e)),
                           .toes = from.toes + (to.toes - from.toes) * e};
    foot.ankle = tr_vec3_add(from.ankle, tr_vec3_scale(tr_vec3_subtract(to.ankle, from.ankle), (float)e));
    foot.ankle.x -= (float)(bump * aside);
    foot.ankle.y += (float)(bump * lift);
    return foot;
}

// The place on the ground of a foot that has left it since `since` seconds, or will come down in so many: the
// base goes away from it at first, and less and less.
static void drift(const tr_skater_rig *rig, const tr_skater_plan *plan, double time, double since,
                  tr_skater_foot *foot) {
    double t = fabs(since) < DRIFT ? fabs(since) : DRIFT, shown = t - t * t / (2 * DRIFT);
    double way = tr_skater_plan_way(plan, time + 1e-3) - tr_skater_plan_way(plan, time - 1e-3);
    foot->ankle.z -= (float)((since < 0 ? -shown : shown) * way / 2e-3 * rig->size);
    foot->contacts = 0;
}

void tr_skater_feet_at(const tr_skater_rig *rig, const tr_skater_plan *plan, double time,
                       const tr_skater_state *state, tr_skater_foot feet[2]) {
    const double *numbers = state->numbers;
    feet[0] = on_board(rig, 0, state, numbers[TR_SKATER_FRONT_ALONG], numbers[TR_SKATER_FRONT_YAW]);
    uint32_t i = 0;
    while (i + 1 < plan->plant_count && time >= plan->plants[i + 1].begin)
        i++;
    const tr_skater_plant *plant = &plan->plants[i], *next = plant + 1;
    bool stands = i + 1 == plan->plant_count || time <= plant->end;
    feet[1] = planted(rig, plan, i, stands || plant->on_board ? time : plant->end, state);
    if (stands)
        return;
    tr_skater_foot to = planted(rig, plan, i + 1, next->on_board ? time : next->begin, state);
    if (!plant->on_board)
        drift(rig, plan, plant->end, time - plant->end, &feet[1]);
    if (!next->on_board)
        drift(rig, plan, next->begin, time - next->begin, &to);
    feet[1] = swung(feet[1], to, (time - plant->end) / (next->begin - plant->end), plant->lift * rig->size,
                    plant->aside * rig->size);
}

// ------------------------------------------------------------------------------------------------------ pose

// Leaning is a turn about the ground in the axes of the base: split into forwards and to the side of a body
// that looks aside by `yaw`.
static void lean_with(const tr_skater_state *state, double yaw, double *forwards, double *side) {
    double sine, cosine, left = state->lean[0], back = state->lean[1];
    tr_sin_cos(yaw, &sine, &cosine);
    *forwards += left * sine - back * cosine;
    *side += -left * cosine - back * sine;
}

static void fill_gait(const tr_skater_rig *rig, const tr_skater_state *state, const tr_skater_foot feet[2],
                      tr_gait_state *gait) {
    const double *n = state->numbers;
    *gait = (tr_gait_state){.yaw = n[TR_SKATER_YAW],
                            .tilt = n[TR_SKATER_TILT],
                            .chest_yaw = n[TR_SKATER_CHEST_YAW],
                            .chest_lean = n[TR_SKATER_LEAN],
                            .head_yaw = n[TR_SKATER_HEAD_YAW],
                            .head_nod = n[TR_SKATER_NOD]};
    lean_with(state, gait->yaw, &gait->tilt, &gait->list);
    lean_with(state, gait->chest_yaw, &gait->chest_lean, &gait->chest_side);
    for (uint32_t side = 0; side < 2; side++) {
        const double *arm = &n[side ? TR_SKATER_RIGHT_FLEXION : TR_SKATER_LEFT_FLEXION];
        gait->arms[side] = (tr_gait_arm){arm[0], arm[1], arm[2]};
        tr_vec3 ahead = tr_quat_rotate(feet[side].turn, tr_vec3_make(0, 0, 1));
        gait->feet[side] = (tr_gait_foot){.x = (double)feet[side].ankle.x,
                                          .y = (double)feet[side].ankle.y - rig->gait.ground,
                                          .z = (double)feet[side].ankle.z,
                                          .yaw = tr_arc_tangent((double)ahead.x, (double)ahead.z)};
    }
}

static void pose_board(tr_skater_rig *rig, const tr_skater_state *state) {
    tr_pose *pose = &rig->gait.pose;
    tr_transform board = tr_pose_get(pose, TR_SKATER_BOARD);
    board.position = tr_vec3_scale(state->board, (float)rig->size);
    board.rotation = tr_quat_normalize(state->board_turn);
    tr_pose_set(pose, TR_SKATER_BOARD, board);
    // The deck leans, and the trucks stay on the ground.
    tr_quat level = about(2, state->roll);
    tr_pose_set_rotation(pose, TR_SKATER_FRONT_TRUCK,
                         tr_quat_normalize(tr_quat_multiply(level, about(1, state->steer))));
    tr_pose_set_rotation(pose, TR_SKATER_BACK_TRUCK,
                         tr_quat_normalize(tr_quat_multiply(level, about(1, -state->steer))));
    for (uint32_t truck = TR_SKATER_FRONT_TRUCK; truck <= TR_SKATER_BACK_TRUCK; truck += 3)
        for (uint32_t wheel = truck + 1; wheel <= truck + 2; wheel++)
            tr_pose_set_rotation(pose, wheel, about(0, state->spin));
}

static void reach_for(tr_skater_rig *rig, uint32_t side, const tr_skater_foot *foot) {
    tr_gait_rig *gait = &rig->gait;
    uint32_t toes = gait->feet[side].toes;
    tr_limb_goal goal = {.position = foot->ankle, .rotation = &foot->turn, .weight = 1};
    float miss = tr_limb_reach(&gait->legs[side], gait->skeleton, &goal, &gait->pose, NULL, gait->model);
    rig->miss[side] = (double)miss;
    tr_pose_set_rotation(&gait->pose, toes, about(0, -foot->toes));
    tr_pose_update_model(gait->skeleton, &gait->pose, NULL, toes, gait->model);
}

// A foot stays flat as far as its ankle allows; then it turns about its ball, and its toes stay as they are.
static void reach(tr_skater_rig *rig, uint32_t side, tr_skater_foot foot) {
    tr_gait_rig *gait = &rig->gait;
    uint32_t ankle = gait->feet[side].ankle;
    tr_quat flat = foot.turn;
    tr_vec3 arm = gait->ball[side], ball = tr_vec3_add(foot.ankle, tr_quat_rotate(flat, arm));
    double toes = foot.toes;
    reach_for(rig, side, &foot);
    rig->heel_up[side] = false;
    for (int step = 0; step < CLAMP_STEPS; step++) {
        tr_quat local = tr_pose_rotation(&gait->pose, ankle);
        tr_quat shank = tr_quat_multiply(foot.turn, tr_quat_conjugate(local));
        tr_quat kept = tr_skeleton_limit_clamp(gait->skeleton, ankle, local);
        if (!(tr_skeleton_limit_excess(gait->skeleton, ankle, local) > 1e-5f))
            break;
        foot.turn = tr_quat_normalize(tr_quat_multiply(shank, kept));
        foot.ankle = tr_vec3_subtract(ball, tr_quat_rotate(foot.turn, arm));
        tr_vec3 bent = tr_quat_to_vector(tr_quat_multiply(tr_quat_conjugate(foot.turn), flat));
        foot.toes = toes + (bent.x < 0 ? -(double)bent.x : 0);
        rig->heel_up[side] = true;
        reach_for(rig, side, &foot);
    }
}

// Moves the hips until the centre of mass is where it is wanted.
static void solve(tr_skater_rig *rig, const tr_skater_state *state, const tr_skater_foot feet[2],
                  const double wanted[3], tr_gait_state *gait) {
    for (int step = 0; step < SOLVE_STEPS; step++) {
        double centre[3], off = 0, *moved[3] = {&gait->left, &gait->up, &gait->ahead};
        tr_gait_pose(&rig->gait, gait);
        pose_board(rig, state);
        tr_pose_to_model(rig->gait.skeleton, &rig->gait.pose, NULL, rig->gait.model);
        for (uint32_t side = 0; side < 2; side++)
            reach(rig, side, feet[side]);
        find_centre(rig, centre);
        for (int i = 0; i < 3; i++) {
            double lack = wanted[i] - centre[i];
            *moved[i] += lack;
            off = fabs(lack) > off ? fabs(lack) : off;
        }
        if (off < SOLVE_EXACT)
            break;
    }
}

void tr_skater_pose(tr_skater_rig *rig, const tr_skater_state *state, const tr_skater_foot feet[2]) {
    tr_gait_state gait;
    fill_gait(rig, state, feet, &gait);
    double wanted[3] = {state->com[0] * rig->size, rig->com_glide + state->com[1] * rig->size,
                        state->com[2] * rig->size};
    gait.up = wanted[1] - (double)rig->gait.hips_rest.y;
    double miss = 0;
    for (int i = 0; i <= LOWER_STEPS; i++) {
        solve(rig, state, feet, wanted, &gait);
        miss = rig->miss[0] > rig->miss[1] ? rig->miss[0] : rig->miss[1];
        if (state->flies || !(miss > LOWER_EXACT))
            break;
        wanted[1] -= 1.5 * miss; // legs that are too short for the plan: the body comes down
    }
    rig->worst_miss = miss <= rig->worst_miss ? rig->worst_miss : miss;
}
