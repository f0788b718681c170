// Bodies for engines: matrices of all actors in one buffer; and the debug drawing of a stage's plans.
#include "theatre.h"
#include "motion/cast/cast.h"

#include <stdlib.h>

// The greatest difference between a matrix of 16 floats, column by column, and an affine.
static float differs(const float *floats, const tr_affine *m) {
    float most = 0;
    for (int column = 0; column < 4; column++) {
        for (int row = 0; row < 3; row++)
            most = fmaxf(most, fabsf(floats[4 * column + row] - m->m[row][column]));
        most = fmaxf(most, fabsf(floats[4 * column + 3] - (column == 3 ? 1.0f : 0.0f)));
    }
    return most;
}

// The joints of all actors, as tr_stage_look shows them; one after the other, for the caller to free.
static tr_affine *joints_now(const theatre *t) {
    tr_affine *all = calloc(tr_stage_matrix_count(t->stage) + 1, sizeof *all), *next = all;
    for (uint32_t i = 0; i < tr_stage_actor_count(t->stage); i++) {
        tr_actor_view view = view_of(t, tr_stage_actor(t->stage, i));
        memcpy(next, view.model, view.pose->joint_count * sizeof *next);
        next += view.pose->joint_count;
    }
    CHECK_INT(next - all, tr_stage_matrix_count(t->stage));
    return all;
}

static float *matrices_now(const theatre *t, tr_matrices kind) {
    uint32_t count = 16 * tr_stage_matrix_count(t->stage);
    float *floats = calloc(count + 1, sizeof *floats);
    floats[count] = 12345;
    CHECK_INT(tr_stage_write_matrices(t->stage, kind, floats, count), TR_OK);
    CHECK(floats[count] == 12345);
    return floats;
}

// Bodies are shown one tick late, so that poses between two ticks can be interpolated.
TEST(matrices_are_those_of_the_tick_before_and_interpolated_between) {
    theatre t;
    if (open_theatre(&t, NULL)) {
        add_walker(&t, 0, -5, 0, 3);
        add_actor(&t, 2, 2);
        ticks(&t, 60);
        uint32_t count = tr_stage_matrix_count(t.stage);
        tr_affine *from = joints_now(&t);
        tick(&t);
        tr_affine *to = joints_now(&t);
        for (int part = 0; part < 4; part++) {
            float *floats = matrices_now(&t, TR_MATRICES_WORLD), most = 0, off = 0, moved = 0;
            for (uint32_t i = 0; i < count; i++) {
                tr_vec3 a = tr_affine_position(&from[i]), b = tr_affine_position(&to[i]);
                tr_vec3 there = {floats[16 * i + 12], floats[16 * i + 13], floats[16 * i + 14]};
                tr_vec3 mean = tr_vec3_add(a, tr_vec3_scale(tr_vec3_subtract(b, a), (float)part / 4));
                most = fmaxf(most, differs(floats + 16 * i, &from[i]));
                off = fmaxf(off, tr_vec3_length(tr_vec3_subtract(there, mean)));
                moved = fmaxf(moved, tr_vec3_length(tr_vec3_subtract(b, a)));
            }
            CHECK(moved > 0.03f);
            CHECK(off < 0.01f);
            CHECK(part > 0 || most < 1e-4f);
            free(floats);
            CHECK_INT(tr_stage_step(t.stage, TR_STAGE_TICK / 4 - 1e-6, NULL), TR_OK);
        }
        free(from);
        free(to);
    }
    close_theatre(&t);
}

static tr_affine matrix_at(const float *floats, uint32_t joint) {
    tr_affine m;
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 4; column++)
            m.m[row][column] = floats[16 * joint + 4 * (uint32_t)column + (uint32_t)row];
    return m;
}

// How far a point is from where it would be on the straight line between two others [m].
static float off_line(tr_vec3 from, tr_vec3 to, float t, tr_vec3 point) {
    tr_vec3 mean = tr_vec3_add(from, tr_vec3_scale(tr_vec3_subtract(to, from), t));
    return tr_vec3_length(tr_vec3_subtract(point, mean));
}

// A heel or a ball that stands at two ticks stands between them, and no sole is below the floor.
TEST(matrices_between_ticks_leave_feet_where_they_stand) {
    for (int part = 1; part < 4; part++) {
        theatre t;
        if (!open_theatre(&t, NULL))
            continue;
        tr_actor_id a = add_walker(&t, 0, -5, 0, 3);
        tr_foot feet[2];
        for (uint32_t side = 0; side < 2; side++)
            REQUIRE(tr_foot_measure(view_of(&t, a).character->skeleton, side, &feet[side]) == TR_OK);
        CHECK_INT(tr_stage_step(t.stage, TR_STAGE_TICK * part / 4, NULL), TR_OK); // less than a tick
        uint32_t seen = 0;
        float lowest = 0, strayed = 0;
        for (int i = 0; i < 120; i++) {
            tr_affine *from = joints_now(&t);
            uint32_t stood = view_of(&t, a).contacts;
            tick(&t);
            tr_affine *to = joints_now(&t);
            uint32_t stands = stood & view_of(&t, a).contacts;
            float *floats = matrices_now(&t, TR_MATRICES_WORLD);
            for (uint32_t side = 0; side < 2; side++, stands >>= 2) {
                tr_affine ankle = matrix_at(floats, feet[side].ankle);
                tr_vec3 heel = tr_affine_apply(&ankle, feet[side].heel),
                        ball = tr_affine_apply(&ankle, feet[side].ball);
                float heel_off = off_line(tr_foot_heel(&feet[side], from), tr_foot_heel(&feet[side], to),
                                          (float)part / 4, heel),
                      ball_off = off_line(tr_foot_ball(&feet[side], from), tr_foot_ball(&feet[side], to),
                                          (float)part / 4, ball);
                lowest = fminf(lowest, fminf(heel.y, ball.y));
                strayed = stands & 1 ? fmaxf(strayed, heel_off) : strayed;
                strayed = stands & 2 ? fmaxf(strayed, ball_off) : strayed;
                seen += (stands & 3) != 0;
            }
            free(floats);
            free(from);
            free(to);
        }
        CHECK(seen > 100);
        CHECK(lowest > -1e-4f);
        CHECK(strayed < 1e-4f);
        close_theatre(&t);
    }
}

TEST(skin_matrices_bring_the_rest_pose_to_the_present_one) {
    theatre t;
    if (open_theatre(&t, NULL)) {
        tr_actor_id a = add_walker(&t, 0, -5, 0, 3);
        ticks(&t, 50);
        float *world = matrices_now(&t, TR_MATRICES_WORLD), *skin = matrices_now(&t, TR_MATRICES_SKIN);
        const tr_affine *rest = tr_skeleton_rest_model(view_of(&t, a).character->skeleton);
        for (uint32_t i = 0; i < tr_stage_matrix_count(t.stage); i++) {
            tr_affine m;
            for (int row = 0; row < 3; row++)
                for (int column = 0; column < 4; column++)
                    m.m[row][column] = skin[16 * i + 4 * (uint32_t)column + (uint32_t)row];
            tr_affine back = tr_affine_multiply(&m, &rest[i]);
            CHECK(differs(world + 16 * i, &back) < 1e-3f);
        }
        free(world);
        free(skin);
    }
    close_theatre(&t);
}

TEST(a_buffer_that_is_too_small_is_refused_and_left_alone) {
    theatre t;
    if (open_theatre(&t, NULL)) {
        add_actor(&t, 0, 0);
        tick(&t);
        uint32_t count = 16 * tr_stage_matrix_count(t.stage);
        float *floats = calloc(count, sizeof *floats);
        CHECK_INT(tr_stage_write_matrices(t.stage, TR_MATRICES_WORLD, floats, count - 1), TR_LIMIT);
        for (uint32_t i = 0; i < count; i++)
            CHECK(floats[i] == 0);
        free(floats);
    }
    close_theatre(&t);
}

TEST(matrices_of_new_or_moved_bodies_are_where_the_bodies_are) {
    theatre t;
    if (open_theatre(&t, NULL)) {
        tr_actor_id a = add_walker(&t, 0, -5, 0, 5);
        for (int i = 0; i < 3; i++) {
            if (i == 1)
                ticks(&t, 60);
            if (i == 2)
                CHECK_INT(tr_stage_place_actor(t.stage, a, tr_vec3_make(4, 0, 4), 0, NULL), TR_OK);
            float *floats = matrices_now(&t, TR_MATRICES_WORLD);
            tr_vec2 at = place_of(&t, a);
            for (uint32_t k = 0; k < tr_stage_matrix_count(t.stage); k++) {
                CHECK_NEAR(floats[16 * k + 12], at.x, 1.2);
                CHECK_NEAR(floats[16 * k + 14], at.z, 1.2);
            }
            free(floats);
        }
    }
    close_theatre(&t);
}

// --- Drawing ---

typedef struct drawn {
    uint32_t lines[8], discs[8];
    tr_actor_id last;
    bool finite;
} drawn;

static void note_line(void *user, tr_draw_kind kind, tr_actor_id actor, tr_vec3 from, tr_vec3 to) {
    drawn *d = user;
    d->lines[kind]++;
    d->last = actor;
    d->finite &= tr_vec3_is_finite(from) && tr_vec3_is_finite(to);
}

static void note_disc(void *user, tr_draw_kind kind, tr_actor_id actor, tr_vec3 centre, float radius) {
    drawn *d = user;
    d->discs[kind]++;
    d->last = actor;
    d->finite &= tr_vec3_is_finite(centre) && radius > 0;
}

TEST(a_stage_draws_bodies_ways_and_commitments) {
    theatre t;
    if (open_theatre(&t, NULL)) {
        add_box(t.scene, "left", -6, -3, -0.45f, 3);
        add_box(t.scene, "right", 0.45f, -3, 6, 3);
        tick(&t);
        add_walker(&t, 0, -4, 0, 4);
        add_walker(&t, 0, 4, 0, -4);
        drawn all = {.finite = true};
        tr_draw draw = {note_line, note_disc, &all};
        for (int i = 0; i < 300; i++) {
            tick(&t);
            drawn now = {.finite = true};
            tr_draw once = {note_line, note_disc, &now};
            tr_stage_draw(t.stage, &once);
            CHECK_INT(now.discs[TR_DRAW_BODY], 2);
            tr_stage_draw(t.stage, &draw);
        }
        CHECK(all.finite);
        CHECK(all.lines[TR_DRAW_WAY] > 100);
        CHECK(all.lines[TR_DRAW_COMMITMENT] > 100);
        CHECK(all.lines[TR_DRAW_BLOCKED_BY] > 0);
        tr_draw nothing = {0}, lines = {.line = note_line, .user = &all},
                discs = {.disc = note_disc, .user = &all};
        tr_stage_draw(t.stage, &nothing);
        tr_stage_draw(t.stage, &lines);
        tr_stage_draw(t.stage, &discs);
    }
    close_theatre(&t);
}
