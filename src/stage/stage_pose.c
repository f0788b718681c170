// Bodies for engines: matrices of all actors in one buffer; and debug drawing of a stage as lines and discs.
#include "stage_data.h"

#include "troupe/base/scalar.h"

uint32_t tr_stage_matrix_count(const tr_stage *stage) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < stage->actor_count; i++)
        count += tr_actor_look(stage->actors[i]->actor).pose->joint_count;
    return count;
}

static void write_matrix(const tr_affine *m, float *floats) {
    for (int column = 0; column < 4; column++) {
        for (int row = 0; row < 3; row++)
            floats[4 * column + row] = m->m[row][column];
        floats[4 * column + 3] = column == 3 ? 1.0f : 0.0f;
    }
}

static tr_quat mix_turns(tr_quat a, tr_quat b, float t) {
    float dot = a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w, u = dot < 0 ? -t : t, s = 1 - t;
    tr_quat mixed = {s * a.x + u * b.x, s * a.y + u * b.y, s * a.z + u * b.z, s * a.w + u * b.w};
    return tr_quat_normalize(mixed);
}

tr_transform tr_stage_mix_joints(tr_transform a, tr_transform b, float t) {
    tr_transform mixed = b;
    mixed.position = tr_vec3_add(a.position, tr_vec3_scale(tr_vec3_subtract(b.position, a.position), t));
    mixed.rotation = mix_turns(a.rotation, b.rotation, t);
    return mixed;
}

tr_affine tr_stage_place_between(const tr_affine *a, const tr_affine *b, float t) {
    return tr_affine_from_transform(
        tr_stage_mix_joints(tr_affine_to_transform(a), tr_affine_to_transform(b), t));
}

tr_status tr_stage_write_matrices(const tr_stage *stage, tr_matrices kind, float *floats,
                                  uint32_t float_max) {
    if (float_max / 16 < tr_stage_matrix_count(stage))
        return TR_LIMIT;
    float t = (float)(stage->ahead / TR_STAGE_TICK);
    for (uint32_t i = 0; i < stage->actor_count; i++) {
        const stage_actor *who = stage->actors[i];
        actor_look view = tr_actor_look(who->actor);
        const tr_skeleton *skeleton = view.character->skeleton;
        const uint32_t *parents = tr_skeleton_parents(skeleton);
        tr_affine place = tr_stage_place_between(&who->before_place, &view.place, t);
        float *first = floats;
        for (uint32_t j = 0; j < view.pose->joint_count; j++, floats += 16) {
            tr_affine local = tr_affine_from_transform(
                          tr_stage_mix_joints(tr_pose_get(&who->before, j), tr_pose_get(view.pose, j), t)),
                      parent = place;
            if (parents[j] != TR_NONE)
                for (int row = 0; row < 3; row++)
                    for (int column = 0; column < 4; column++)
                        parent.m[row][column] = first[16 * parents[j] + 4 * (uint32_t)column + (uint32_t)row];
            tr_affine world = tr_affine_multiply(&parent, &local);
            write_matrix(&world, floats);
        }
        if (kind == TR_MATRICES_SKIN)
            for (uint32_t j = 0; j < view.pose->joint_count; j++) {
                tr_affine world, unrest = tr_affine_identity();
                tr_affine_invert(&tr_skeleton_rest_model(skeleton)[j], &unrest);
                for (int row = 0; row < 3; row++)
                    for (int column = 0; column < 4; column++)
                        world.m[row][column] = first[16 * j + 4 * (uint32_t)column + (uint32_t)row];
                world = tr_affine_multiply(&world, &unrest);
                write_matrix(&world, first + 16 * j);
            }
    }
    return TR_OK;
}

static void draw_actor(const tr_stage *stage, const tr_draw *draw, const stage_actor *who) {
    tr_vec3 at = tr_stage_place_of(who);
    if (draw->disc)
        draw->disc(draw->user, TR_DRAW_BODY, who->id, at, who->radius);
    if (!draw->line)
        return;
    for (uint32_t i = 1; who->errand != STAGE_IDLE && i < who->way.point_count; i++)
        draw->line(draw->user, TR_DRAW_WAY, who->id, who->way.points[i - 1].position,
                   who->way.points[i].position);
    tr_timeline_track track = tr_timeline_track_of(stage->timeline, who->body);
    for (uint32_t i = 1; i < track.count; i++)
        draw->line(draw->user, TR_DRAW_COMMITMENT, who->id,
                   tr_timeline_at(stage->timeline, who->body, (double)(track.begin + i - 1)),
                   tr_timeline_at(stage->timeline, who->body, (double)(track.begin + i)));
    if (who->blocker != TR_NONE && stage->bodies[who->blocker])
        draw->line(draw->user, TR_DRAW_BLOCKED_BY, who->id, at,
                   tr_stage_place_of(stage->bodies[who->blocker]));
    if (who->claims)
        draw->line(draw->user, TR_DRAW_CLAIM, who->id, at, tr_way_at(&who->way, who->claim_end));
}

void tr_stage_draw(const tr_stage *stage, const tr_draw *draw) {
    for (uint32_t i = 0; i < stage->actor_count; i++)
        draw_actor(stage, draw, stage->actors[i]);
}
