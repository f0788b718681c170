// Steps to a side, through passages that are too narrow to walk through.
#include "theatre.h"

// Two rooms, and a passage with a corner between them.
static const float walls[3][4] = {{-6, -2, -0.26f, 6}, {-0.26f, 0.26f, 2, 6}, {0.26f, -2, 6, -0.26f}};

static float nearest_wall(tr_vec2 at) {
    float nearest = INFINITY;
    for (int i = 0; i < 3; i++) {
        const float *w = walls[i];
        float x = fmaxf(fmaxf(w[0] - at.x, at.x - w[2]), 0), z = fmaxf(fmaxf(w[1] - at.z, at.z - w[3]), 0);
        nearest = fminf(nearest, sqrtf(x * x + z * z));
    }
    return nearest;
}

// Goes through the passage, or turns back after this many ticks of side-steps. Returns the least distance to
// a wall.
#define STILL 0.03f // slower hips stand still [m/s]

static float go_or_return(int after, bool *returned) {
    theatre t;
    float nearest = INFINITY;
    int ticks_aside = 0;
    if (open_theatre(&t, NULL)) {
        for (int i = 0; i < 3; i++)
            add_box(t.scene, "wall", walls[i][0], walls[i][1], walls[i][2], walls[i][3]);
        tr_actor_id a = add_walker(&t, 0, -4, 4, 2);
        tr_order back = {.kind = TR_ORDER_GO, .goal = {0, 0, -4}};
        for (tr_status status = TR_OK; status == TR_OK && tr_stage_time(t.stage) < 120;) {
            status = tick(&t);
            nearest = fminf(nearest, nearest_wall(place_of(&t, a)));
            if (view_of(&t, a).doing == TR_ACTOR_SIDE_STEPS && ++ticks_aside == after)
                give_order(&t, a, back, TR_ORDER_REPLACE);
        }
        *returned = ticks_aside >= after;
        tr_order_report report = report_of(&t, a, *returned);
        CHECK_TEXT(report.reason, "");
        CHECK_INT(report.state, TR_ORDER_DONE);
    }
    close_theatre(&t);
    return nearest;
}

// At any tick of a step, also just behind the corner: the step is finished, and the way back leads from where
// it ends.
TEST(an_actor_sent_back_during_a_side_step_comes_no_nearer_to_walls) {
    bool returned = true;
    float nearest = INFINITY, through = INFINITY;
    int after = 1;
    for (; returned && after < 1000; after += 3) {
        through = go_or_return(after, &returned);
        nearest = returned ? fminf(nearest, through) : nearest;
    }
    CHECK(after > 100 && after < 1000); // the last one went through
    CHECK(nearest > through - 0.02f);
}

// The longest time for which the hips hardly move between the first turn and the walk behind the gap [s].
static float longest_pause(void) {
    theatre t;
    float longest = 0, pause = 0;
    if (open_theatre(&t, NULL)) {
        for (int i = 0; i < 3; i++)
            add_box(t.scene, "wall", walls[i][0], walls[i][1], walls[i][2], walls[i][3]);
        tr_actor_id a = add_walker(&t, 0, -4, 4, 2);
        bool turned = false, stepped = false, over = false;
        tr_vec3 before = {0, 0, 0};
        for (tr_status status = TR_OK; status == TR_OK && tr_stage_time(t.stage) < 120;) {
            status = tick(&t);
            tr_actor_view view = view_of(&t, a);
            tr_vec3 hips = tr_affine_position(
                &view.model[tr_skeleton_with_role(tr_character_skeleton(view.character), TR_ROLE_HIPS)]);
            turned = turned || view.doing == TR_ACTOR_TURNS;
            stepped = stepped || view.doing == TR_ACTOR_SIDE_STEPS;
            over = over || (stepped && view.doing == TR_ACTOR_WALKS);
            bool still = tr_vec3_length(tr_vec3_subtract(hips, before)) < STILL * (float)TR_STAGE_TICK;
            pause = turned && !over && still ? pause + (float)TR_STAGE_TICK : 0;
            longest = fmaxf(longest, pause);
            before = hips;
        }
        CHECK(over);
    }
    close_theatre(&t);
    return longest;
}

TEST(turns_and_side_steps_follow_each_other_without_a_pause) {
    float pause = longest_pause();
    if (!(pause < 0.17f))
        test_failed(__FILE__, __LINE__, "the hips stand still for %g s", (double)pause);
}
