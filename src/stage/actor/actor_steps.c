// The feet of an actor, and its footsteps.
#include "actor_data.h"

#include "troupe/base/scalar.h"

#define FEET_APART 0.08f // feet that stand farther apart along the way are in mid-stride [m]
#define WALK_LEAST 0.2f  // a slower actor is not striding [m/s]
#define LAND_SOON 0.1f   // in which a foot lands that the walk does not mean to be in the air [s]
#define LAND_SHARE 0.25f // of a step: a foot that lands later than this is led by the body alone
#define LAND_TIGHT 0.02f // the cost of landing elsewhere falls with the square of the time left and this
#define STOP_WAY 0.5f    // of speed times time: the way of a foot that comes to rest

// A foot on a slope stands on its plane.
static void lay_footstep(const tr_actor *actor, tr_footstep *foot) {
    tr_foot_lock_ground plane;
    if (!tr_overlay_foot_plane(actor->overlay, foot->side, &plane))
        return;
    double sine, cosine;
    tr_sin_cos((double)foot->heading, &sine, &cosine);
    foot->position.y = plane.at.y + plane.slope_x * (foot->position.x - plane.at.x) +
                       plane.slope_z * (foot->position.z - plane.at.z);
    foot->pitch = plane.slope_x * (float)sine + plane.slope_z * (float)cosine;
    foot->roll = plane.slope_x * (float)cosine - plane.slope_z * (float)sine;
}

static tr_vec3 velocity_of(const tr_driver_root *root, double turned) {
    double s, c;
    tr_sin_cos(root->state.heading + turned, &s, &c);
    return tr_vec3_make((float)(root->state.speed * s), 0, (float)(root->state.speed * c));
}

// The time in which each foot of a walking actor lands next, and that of a step; 0: it does not walk.
static float time_of_landings(const tr_actor *actor, float land_in[2]) {
    const tr_locomotion_state *walk = &actor->body.locomotion;
    const tr_driver_root *root = &actor->driver.root;
    land_in[0] = land_in[1] = 0;
    bool walks = root->kind == TR_DRIVER_GAIT && root->doing == TR_DRIVER_WALKS && walk->speed > WALK_LEAST;
    const tr_locomotion *locomotion = actor->nature.cast->locomotion;
    float rate = walks ? tr_locomotion_at(locomotion, walk->speed).rate : 0;
    if (!(rate > 0))
        return 0;
    land_in[0] = tr_locomotion_time_to(locomotion, walk, 0);
    land_in[1] = tr_locomotion_time_to(locomotion, walk, 0.5);
    return 0.5f / rate;
}

// The foot in the air that lands next; 2: none. If neither touches the floor, the other one has just left it,
// or the actor has just been placed.
static uint32_t side_in_air(const tr_actor *actor, const float land_in[2], float walk_time) {
    bool left = actor->body.contacts & 3, right = actor->body.contacts >> 2 & 3;
    if (left != right)
        return left ? 1 : 0;
    return left || !(walk_time > 0) ? 2 : land_in[1] < land_in[0] ? 1 : 0;
}

// Where a foot in the air is about to land. The base point will be in the middle between the feet then. The
// nearer the landing, the more it is a matter of the foot alone.
static tr_footstep landing_of(const tr_actor *actor, uint32_t side, const tr_footstep *stand,
                              const tr_footstep *below, float land_in, float walk_time) {
    const tr_driver_root *root = &actor->driver.root;
    const tr_legs *legs = &actor->nature.cast->legs;
    float time = land_in > 0 && land_in < walk_time ? land_in : LAND_SOON;
    tr_vec3 ankle = tr_affine_position(&actor->body.model[legs->feet[side].ankle]);
    tr_vec3 way = tr_vec3_scale(tr_vec3_subtract(ankle, tr_affine_position(&actor->before.ankles[side])),
                                STOP_WAY * time / actor->nature.dt);
    tr_footstep landing = *below;
    landing.position.x += way.x;
    landing.position.z += way.z;
    if (!(walk_time > 0))
        return landing;
    float turned = root->state.turn_rate * time, share = time / (LAND_SHARE * walk_time);
    tr_vec3 at = tr_vec3_scale(velocity_of(root, 0.5 * (double)turned), time);
    at = tr_vec3_add(at, tr_vec3_make(root->state.position.x, root->ground, root->state.position.z));
    tr_footstep meant = tr_footstep_motion_opposite(legs, &actor->nature.cast->footstep_motion_stand, stand,
                                                    at, root->state.heading + turned, root->state.speed);
    share = share < 1 ? share : 1;
    tr_vec3 off = tr_vec3_subtract(meant.position, landing.position);
    landing.position.x += share * off.x;
    landing.position.z += share * off.z;
    landing.position.y = root->ground;
    return landing;
}

// The less time is left, the nearer to its landing the foot comes down.
static float landing_cost(float land_in, float walk_time) {
    float left = walk_time > 0 && land_in < walk_time ? land_in / walk_time : 0;
    return 1 / ((left + LAND_TIGHT) * (left + LAND_TIGHT));
}

uint32_t tr_actor_feet(const tr_actor *actor, tr_footstep feet[2], float *landing) {
    if (landing)
        *landing = 0;
    if (actor->driver.root.kind == TR_DRIVER_STEPS) {
        feet[0] = actor->driver.steps.feet[0].footstep;
        feet[1] = actor->driver.steps.feet[1].footstep;
        return actor->driver.steps.side;
    }
    const tr_legs *legs = &actor->nature.cast->legs;
    float land_in[2], walk_time = time_of_landings(actor, land_in);
    uint32_t lands = side_in_air(actor, land_in, walk_time);
    for (uint32_t side = 0; side < 2; side++) {
        float rise = side == lands ? 0 : tr_overlay_foot_rise(actor->overlay, side);
        feet[side] =
            tr_footstep_motion_under(legs, side, actor->body.model, actor->driver.root.ground + rise);
        lay_footstep(actor, &feet[side]);
    }
    if (lands < 2) {
        feet[lands] = landing_of(actor, lands, &feet[1 - lands], &feet[lands], land_in[lands], walk_time);
        lay_footstep(actor, &feet[lands]);
        if (landing)
            *landing = landing_cost(land_in[lands], walk_time);
        return lands;
    }
    // If both feet stand, the rear one is about to leave the ground.
    double s, c;
    tr_sin_cos(actor->driver.root.state.heading, &s, &c);
    tr_vec3 apart = tr_vec3_subtract(feet[0].position, feet[1].position);
    double ahead = apart.x * s + apart.z * c;
    return ahead > FEET_APART ? 1 : ahead < -FEET_APART ? 0 : 2;
}

uint32_t tr_actor_landed_feet(const tr_actor *actor, tr_footstep feet[2]) {
    uint32_t first = tr_actor_feet(actor, feet, NULL);
    const tr_footstep_motion_state *steps = &actor->driver.steps;
    if (actor->driver.root.kind == TR_DRIVER_STEPS) {
        if (!steps->steps)
            return 2;
        feet[steps->side] = steps->next.footstep;
        return 1 - steps->side;
    }
    float land_in[2], walk_time = time_of_landings(actor, land_in);
    uint32_t lands = side_in_air(actor, land_in, walk_time);
    return lands < 2 ? 1 - lands : first;
}

bool tr_actor_runs(const tr_actor *actor) {
    const tr_locomotion_state *gait = &actor->body.locomotion;
    bool legs = gait->run[0] > 0 || gait->run[1] > 0;
    return actor->driver.root.doing == TR_DRIVER_WALKS && (gait->gait == TR_LOCOMOTION_RUNS || legs);
}

bool tr_actor_may_walk_on(const tr_actor *actor) {
    return actor->driver.root.kind == TR_DRIVER_STEPS &&
           tr_driver_of(&actor->driver)->may_leave(&actor->driver);
}

const tr_footstep *tr_actor_footsteps(const tr_actor *actor, uint32_t *footstep_count) {
    const tr_driver_root *root = &actor->driver.root;
    bool steps = root->kind == TR_DRIVER_STEPS;
    *footstep_count = steps ? root->footstep_count - root->footstep_next : 0;
    return steps ? actor->task.footsteps + root->footstep_next : NULL;
}

void tr_actor_begin_steps(const tr_actor *actor, tr_footstep_motion_state *steps) {
    const tr_driver_root *root = &actor->driver.root;
    // An upper body that departs from the motion turns the hips: the steps begin without that.
    tr_affine *hips = &actor->body.model[actor->nature.cast->legs.hips], shown = *hips;
    tr_overlay_plain_hips(actor->overlay, hips);
    tr_footstep_motion_start start = {
        .model = actor->body.model,
        .before = &actor->before,
        .since = actor->nature.dt,
        .base = {root->state.position.x, root->ground, root->state.position.z},
        .velocity = velocity_of(root, 0),
        .heading = root->state.heading,
        .turn_rate = root->state.turn_rate,
    };
    start.walk_time = time_of_landings(actor, start.land_in);
    start.in_air = side_in_air(actor, start.land_in, start.walk_time);
    tr_actor_feet(actor, start.feet, NULL);
    tr_footstep_motion_begin(steps, &actor->nature.cast->legs, &start);
    *hips = shown;
}

tr_status tr_actor_set_footsteps(tr_actor *actor, const tr_footstep *footsteps, uint32_t footstep_count,
                                 float speed, float (*floor)(void *user, tr_vec3 point), void *floor_user,
                                 tr_error *error) {
    if (footstep_count > TR_ACTOR_FOOTSTEPS_MAX)
        return tr_fail(error, TR_LIMIT, "%u footsteps are too many, the limit is %d", footstep_count,
                       TR_ACTOR_FOOTSTEPS_MAX);
    tr_status status = tr_driver_task_reserve(&actor->allocator, 0, footstep_count, &actor->task, error);
    bool begins = actor->driver.root.kind != TR_DRIVER_STEPS;
    tr_footstep_motion_state steps;
    if (begins)
        tr_actor_begin_steps(actor, &steps);
    if (status == TR_OK)
        status = tr_driver_set_footsteps(&actor->driver, &actor->task, &actor->nature, footsteps,
                                         footstep_count, speed, floor, floor_user, error);
    if (status == TR_OK)
        tr_actor_trail_forget(actor);
    if (status == TR_OK && begins)
        actor->driver.steps = steps;
    return status;
}

void tr_actor_leave_footsteps(tr_actor *actor) {
    if (actor->driver.root.kind != TR_DRIVER_STEPS)
        return;
    bool walks_on = tr_actor_may_walk_on(actor);
    double phase = walks_on ? tr_footstep_motion_phase(&actor->driver.steps) : 0;
    float speed = walks_on ? actor->driver.root.state.speed : 0;
    tr_driver_leave_footsteps(&actor->driver);
    tr_overlay_hold_feet(actor->overlay, &actor->driver.root, &actor->body);
    tr_locomotion_state *gait = &actor->body.locomotion;
    *gait = (tr_locomotion_state){.phase = phase,
                                  .speed = speed,
                                  .manner = gait->manner,
                                  .pace_before = gait->pace_before,
                                  .pace = gait->pace,
                                  .steps = gait->steps};
}
