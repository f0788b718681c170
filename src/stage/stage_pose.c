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

stage_body tr_stage_body_between(const tr_stage *stage, const stage_actor *who, float t) {
    const struct stage_scratch *scratch = &stage->scratches[who->scratch];
    actor_look view = tr_actor_look(who->actor);
    tr_pose *pose = &scratch->members[0].poses[0];
    tr_legs_moment before = {&who->before, who->before_place}, now = {view.pose, view.place};
    tr_legs_between(&view.character->legs, view.character->skeleton, &before, &now, t, pose, scratch->model);
    return (stage_body){pose, scratch->model};
}

tr_status tr_stage_write_matrices(const tr_stage *stage, tr_matrices kind, float *floats,
                                  uint32_t float_max) {
    if (float_max / 16 < tr_stage_matrix_count(stage))
        return TR_LIMIT;
    float t = (float)(stage->ahead / TR_STAGE_TICK);
    for (uint32_t i = 0; i < stage->actor_count; i++) {
        const stage_actor *who = stage->actors[i];
        const tr_affine *rest = tr_skeleton_rest_model(tr_actor_look(who->actor).character->skeleton);
        stage_body body = tr_stage_body_between(stage, who, t);
        for (uint32_t j = 0; j < body.pose->joint_count; j++, floats += 16) {
            tr_affine matrix = body.model[j], unrest = tr_affine_identity();
            if (kind == TR_MATRICES_SKIN) {
                tr_affine_invert(&rest[j], &unrest);
                matrix = tr_affine_multiply(&matrix, &unrest);
            }
            write_matrix(&matrix, floats);
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
