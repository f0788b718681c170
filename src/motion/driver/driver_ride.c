// Being carried, as by a lift: the body stands, and the floor under it moves.
#include "driver_parts.h"

#include "troupe/base/scalar.h"

#include <math.h>

tr_status tr_driver_set_ride(tr_driver_state *state, tr_vec3 to, float seconds, tr_error *error) {
    tr_driver_root *root = &state->root;
    if (!tr_vec3_is_finite(to) || !(seconds > 0 && isfinite(seconds)))
        return tr_fail(error, TR_INVALID,
                       "a ride to (%g, %g, %g) in %g s, both must be finite and the time above 0",
                       (double)to.x, (double)to.y, (double)to.z, (double)seconds);
    bool moves = root->move && root->move_time < root->move->end;
    if (root->kind != TR_DRIVER_GAIT || moves || root->state.speed != 0)
        return tr_fail(error, TR_INVALID, "only a body that stands can be carried");
    tr_vec2 at = root->state.position;
    state->ride = (tr_driver_ride){
        .from = tr_vec3_make(at.x, root->ground, at.z), .to = to, .seconds = seconds, .time = 0};
    root->kind = TR_DRIVER_RIDE;
    root->has_route = root->has_final = false;
    root->move = NULL;
    root->state.progress = root->state.side_speed = root->state.turn_rate = 0;
    return TR_OK;
}

static float between(float from, float to, double share) {
    return (float)((double)from + share * ((double)to - (double)from));
}

// Ignores the speed limit: a body does not get off on the way.
static tr_status predict(tr_driver_state *state, const tr_driver_task *task, const tr_driver_nature *nature,
                         float speed_limit) {
    (void)task, (void)speed_limit;
    tr_driver_root *root = &state->root;
    tr_driver_ride *ride = &state->ride;
    ride->time += (double)nature->dt;
    double share = ride->time / (double)ride->seconds;
    bool ends = share >= 1;
    tr_vec3 at = ride->to;
    if (!ends) {
        double gone = tr_ease(share);
        at = tr_vec3_make(between(ride->from.x, ride->to.x, gone), between(ride->from.y, ride->to.y, gone),
                          between(ride->from.z, ride->to.z, gone));
    }
    root->doing = TR_DRIVER_RIDES;
    root->state.position = (tr_vec2){at.x, at.z};
    root->ground = at.y;
    if (!root->has_route) // otherwise it is that of the route, which begins at the end of the ride
        root->state.progress = ends ? 1 : (float)share;
    if (!ends)
        return TR_OK;
    root->kind = TR_DRIVER_GAIT;
    return root->has_route ? TR_OK : TR_DONE;
}

static tr_status step(tr_driver_state *state, const tr_driver_task *task, const tr_driver_nature *nature,
                      float speed_limit, tr_driver_body *body) {
    const tr_driver_root *root = &state->root;
    tr_driver_doing before = root->doing;
    tr_vec3 from = tr_vec3_make(root->state.position.x, root->ground, root->state.position.z);
    tr_status status = predict(state, task, nature, speed_limit);
    tr_vec3 to = tr_vec3_make(root->state.position.x, root->ground, root->state.position.z);
    body->carried = tr_vec3_subtract(to, from);
    body->changes = before != TR_DRIVER_RIDES && before != TR_DRIVER_STANDS && before != TR_DRIVER_WALKS;
    body->goes_on = false;
    tr_driver_stand(nature, body);
    body->place = tr_affine_place(to, root->state.heading);
    return status;
}

static bool rests(const tr_driver_state *state) {
    return state->ride.time >= (double)state->ride.seconds;
}

static bool may_leave(const tr_driver_state *state) {
    (void)state;
    return false;
}

const tr_driver tr_driver_rides = {"ride", predict, step, NULL, rests, may_leave};
