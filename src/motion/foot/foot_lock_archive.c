// Writes the state of foot locks into bytes and reads it back.
#include "motion/foot/foot_lock.h"

static void archive_past(tr_foot_lock_past *past, tr_archive *archive) {
    tr_archive_vec3(archive, &past->hip);
    tr_archive_vec3(archive, &past->meant);
    tr_archive_vec3(archive, &past->shown);
    tr_archive_quat(archive, &past->meant_rotation);
    tr_archive_quat(archive, &past->shown_rotation);
}

static void archive_foot(tr_foot_lock_foot *foot, tr_archive *archive) {
    tr_archive_bool(archive, &foot->held_heel);
    tr_archive_bool(archive, &foot->held_toes);
    tr_archive_bool(archive, &foot->on_toes);
    tr_archive_bool(archive, &foot->strayed);
    tr_archive_bool(archive, &foot->heel_risen);
    tr_archive_floats(archive, foot->lowest, 2);
    tr_archive_float(archive, &foot->rise);
    tr_archive_float(archive, &foot->rise_speed);
    tr_archive_float(archive, &foot->rise_pull);
    tr_archive_float(archive, &foot->rise_left);
    tr_archive_float(archive, &foot->rise_goal);
    tr_archive_vec3(archive, &foot->heel);
    tr_archive_vec3(archive, &foot->toes);
    tr_archive_quat(archive, &foot->heading);
    tr_archive_quat(archive, &foot->flat);
    tr_archive_vec3(archive, &foot->offset);
    tr_archive_vec3(archive, &foot->offset_rate);
    tr_archive_vec3(archive, &foot->turn);
    tr_archive_vec3(archive, &foot->turn_rate);
    tr_archive_float(archive, &foot->stretch);
    tr_archive_float(archive, &foot->stretch_rate);
    tr_archive_float(archive, &foot->offset_time);
    tr_archive_float(archive, &foot->turn_time);
    tr_archive_float(archive, &foot->offset_since);
    tr_archive_float(archive, &foot->turn_since);
    tr_archive_float(archive, &foot->push.x);
    tr_archive_float(archive, &foot->push.z);
    tr_archive_float(archive, &foot->push_rate.x);
    tr_archive_float(archive, &foot->push_rate.z);
    tr_archive_float(archive, &foot->near);
    tr_archive_bool(archive, &foot->near_known);
    tr_archive_float(archive, &foot->aside);
    tr_archive_float(archive, &foot->knee);
    tr_archive_float(archive, &foot->knee_rate);
    tr_archive_float(archive, &foot->roll);
    tr_archive_float(archive, &foot->roll_rate);
    tr_archive_quat(archive, &foot->thigh);
    tr_archive_vec3(archive, &foot->ground.at);
    tr_archive_float(archive, &foot->ground.slope_x);
    tr_archive_float(archive, &foot->ground.slope_z);
    archive_past(&foot->past[0], archive);
    archive_past(&foot->past[1], archive);
    tr_archive_float(archive, &foot->past_time);
}

void tr_foot_lock_archive(tr_foot_lock_state *state, tr_archive *archive) {
    archive_foot(&state->feet[0], archive);
    archive_foot(&state->feet[1], archive);
    tr_archive_float(archive, &state->hip_drop);
    tr_archive_float(archive, &state->hip_speed);
    tr_archive_bool(archive, &state->begun);
    tr_archive_bool(archive, &state->slopes);
}
