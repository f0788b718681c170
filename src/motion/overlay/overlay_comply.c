// Waist and arms depart from the motion of the body as a plan says that knows what is near (plan/comply).
//
// The departures are those of angles, tick by tick. Where the plan was made for exactly this motion of the
// body, the pose that is shown is the one that was planned. After its last tick the body keeps the last
// departure: it has come to rest by then. Departures without a plan die away.
#include "overlay_parts.h"
#include "overlay_pull.h"

#include <string.h>

#define PULL 8.0f   // strength of the spring by which departures die away [1/s]
#define LEAST 1e-4f // what is smaller has died away [rad]
#define ANGLES (sizeof(tr_comply_pose) / sizeof(float))

tr_status tr_overlay_prepare_comply(tr_overlay *overlay, const tr_upper *upper, tr_error *error) {
    if (overlay->comply)
        return TR_OK;
    overlay_comply *made = tr_allocate_zero(&overlay->allocator, 1, sizeof *made);
    if (!made)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for the upper body of an actor");
    made->upper = upper;
    overlay->comply = made;
    return TR_OK;
}

void tr_overlay_release_comply(tr_overlay *overlay) {
    tr_release(&overlay->allocator, overlay->comply, 1, sizeof *overlay->comply);
    overlay->comply = NULL;
}

static bool is_zero(const tr_comply_pose *pose) {
    const float *angles = (const float *)pose;
    for (size_t k = 0; k < ANGLES; k++)
        if (angles[k] != 0)
            return false;
    return true;
}

void tr_overlay_set_departures(tr_overlay *overlay, const tr_comply_pose *departures, uint32_t count) {
    overlay_comply *comply = overlay->comply;
    if (!comply)
        return;
    comply->count = count < TR_OVERLAY_DEPARTURES_MAX ? count : TR_OVERLAY_DEPARTURES_MAX;
    comply->next = 0;
    if (comply->count > 0)
        memcpy(comply->plan, departures, comply->count * sizeof *departures);
}

bool tr_overlay_departs(const tr_overlay *overlay) {
    const overlay_comply *comply = overlay->comply;
    return comply && (comply->count > 0 || !is_zero(&comply->now) || !is_zero(&comply->rate));
}

bool tr_overlay_has_departures(const tr_overlay *overlay) {
    return overlay->comply && overlay->comply->count > 0;
}

bool tr_overlay_departure(const tr_overlay *overlay, tr_overlay_departure_view *view) {
    const overlay_comply *comply = overlay->comply;
    *view = (tr_overlay_departure_view){.usual = NULL};
    if (!comply || !comply->shown)
        return false;
    *view = (tr_overlay_departure_view){&comply->now, &comply->rate, &comply->usual};
    return true;
}

void tr_overlay_plain_hips(const tr_overlay *overlay, tr_affine *hips) {
    if (overlay->comply && overlay->comply->shown)
        *hips = overlay->comply->hips;
}

// The departures of this tick.
static void advance(overlay_comply *comply, float dt) {
    tr_comply_pose before = comply->now;
    if (comply->count > 0) {
        uint32_t at = comply->next < comply->count ? comply->next++ : comply->count - 1;
        comply->now = comply->plan[at];
        float *rate = (float *)&comply->rate;
        for (size_t k = 0; k < ANGLES; k++)
            rate[k] = (((const float *)&comply->now)[k] - ((const float *)&before)[k]) / dt;
        if (comply->next == comply->count && is_zero(&comply->now) && is_zero(&comply->rate))
            comply->count = 0;
        return;
    }
    float *now = (float *)&comply->now, *rate = (float *)&comply->rate, most = 0;
    for (size_t k = 0; k < ANGLES; k++) {
        tr_overlay_pull(PULL, 0, dt, &now[k], &rate[k]);
        float size = fabsf(now[k]) + fabsf(rate[k]) * dt;
        most = size > most ? size : most;
    }
    if (most < LEAST)
        comply->now = comply->rate = (tr_comply_pose){{0}, {{0}}};
}

void tr_overlay_apply_comply(tr_overlay *overlay, const overlay_frame *frame) {
    overlay_comply *comply = overlay->comply;
    if (!comply)
        return;
    comply->shown = false;
    if (!tr_overlay_departs(overlay))
        return;
    bool taken = overlay->arms && (overlay->arms[0].taken > 0 || overlay->arms[1].taken > 0);
    if (taken || frame->state->root.doing == TR_DRIVER_PERFORMS)
        comply->count = 0; // something else moves the limbs
    advance(comply, frame->nature->dt);
    tr_driver_body *body = frame->body;
    const tr_cast *cast = overlay->cast;
    tr_upper_read(comply->upper, cast, body->model, frame->state->root.state.heading, &comply->usual);
    comply->hips = body->model[cast->legs.hips];
    comply->shown = true;
    tr_comply_pose to = comply->usual.pose;
    for (size_t k = 0; k < ANGLES; k++)
        ((float *)&to)[k] += ((const float *)&comply->now)[k];
    tr_upper_write(comply->upper, cast, &comply->usual, &to, body->pose, &body->place, body->model);
}
