// The states of the human character of Lau & Kuffner (2005, 3.1): jogging, turning, short steps, starting,
// stopping, waiting and the special behaviors, with the weights of 3.3. And those of a walker: a crowd needs
// people who take little room to set out, to halt and to turn, and who wait where they stand.
#include "behavior_parts.h"

#define DEGREE ((float)TR_GAIT_DEGREE)
#define EXTRA 8

typedef struct state_row {
    const char *name;
    tr_behavior_clip_kind kind;
    float turn; // [degrees]
    float seconds;
    float height, length; // of the obstacle, for a body of 1.75 m
    bool mirrored;
    uint32_t clips;
    float weight;
    float heights[TR_BEHAVIOR_CLIP_CLIPS_MAX];
} state_row;

static const state_row jogger[] = {
    // More than going on: nobody stops on the way for nothing.
    {"start", TR_BEHAVIOR_CLIP_START, .clips = 2, .weight = 1.5f},
    {"end", TR_BEHAVIOR_CLIP_END, .clips = 2, .weight = 1.5f},
    {"jog", TR_BEHAVIOR_CLIP_JOG, .clips = 4, .weight = 1},
    {"jog_left_1", TR_BEHAVIOR_CLIP_JOG, .turn = 15, .clips = 2, .weight = 1.05f},
    {"jog_left_2", TR_BEHAVIOR_CLIP_JOG, .turn = 30, .clips = 2, .weight = 1.1f},
    {"jog_left_3", TR_BEHAVIOR_CLIP_JOG, .turn = 50, .clips = 2, .weight = 1.2f},
    {"jog_right_1", TR_BEHAVIOR_CLIP_JOG, .turn = -15, .clips = 2, .weight = 1.05f},
    {"jog_right_2", TR_BEHAVIOR_CLIP_JOG, .turn = -30, .clips = 2, .weight = 1.1f},
    {"jog_right_3", TR_BEHAVIOR_CLIP_JOG, .turn = -50, .clips = 2, .weight = 1.2f},
    {"short", TR_BEHAVIOR_CLIP_SHORT, .clips = 1, .weight = 1},
    {"short_left", TR_BEHAVIOR_CLIP_SHORT, .turn = 12, .clips = 1, .weight = 1.1f},
    {"short_right", TR_BEHAVIOR_CLIP_SHORT, .turn = -12, .clips = 1, .weight = 1.1f},
    {"mirrored_short", TR_BEHAVIOR_CLIP_SHORT, .mirrored = true, .clips = 1, .weight = 1},
    {"mirrored_short_left", TR_BEHAVIOR_CLIP_SHORT, .turn = 12, .mirrored = true, .clips = 1, .weight = 1.1f},
    {"mirrored_short_right", TR_BEHAVIOR_CLIP_SHORT, .turn = -12, .mirrored = true, .clips = 1,
     .weight = 1.1f},
    {"wait", TR_BEHAVIOR_CLIP_WAIT, .seconds = 0.5f, .clips = 2, .weight = 6},
    {"long_wait", TR_BEHAVIOR_CLIP_WAIT, .seconds = 2, .clips = 1, .weight = 8},
    {"jump", TR_BEHAVIOR_CLIP_JUMP, .height = 0.4f, .length = 0.35f, .clips = 2, .weight = 2},
    {"jump_low", TR_BEHAVIOR_CLIP_JUMP, .height = 0.2f, .length = 0.35f, .clips = 2, .weight = 1.6f},
    {"jump_high", TR_BEHAVIOR_CLIP_JUMP, .height = 0.7f, .length = 0.3f, .clips = 1, .weight = 3},
    {"duck", TR_BEHAVIOR_CLIP_DUCK, .height = 1.15f, .length = 0.5f, .clips = 2, .weight = 1.8f},
    {"duck_low", TR_BEHAVIOR_CLIP_DUCK, .height = 1.03f, .length = 0.5f, .clips = 1, .weight = 2.5f},
    {"jump_wide", TR_BEHAVIOR_CLIP_JUMP, .height = 0.5f, .length = 0.7f, .clips = 1, .weight = 2.5f},
    {"crawl", TR_BEHAVIOR_CLIP_CRAWL, .height = 0.85f, .length = 0.6f, .clips = 1, .weight = 5},
    {"turn_left", TR_BEHAVIOR_CLIP_TURN, .turn = 45, .clips = 1, .weight = 12},
    {"turn_right", TR_BEHAVIOR_CLIP_TURN, .turn = -45, .clips = 1, .weight = 12},
    {"turn_left_90", TR_BEHAVIOR_CLIP_TURN, .turn = 90, .clips = 1, .weight = 12},
    {"turn_right_90", TR_BEHAVIOR_CLIP_TURN, .turn = -90, .clips = 1, .weight = 12},
    {"jump_long", TR_BEHAVIOR_CLIP_JUMP, .height = 0.3f, .length = 1.2f, .clips = 1, .weight = 2.5f},
    {"jump_ditch", TR_BEHAVIOR_CLIP_JUMP, .height = 0.2f, .length = 1.55f, .clips = 1, .weight = 3},
    {"step_up", TR_BEHAVIOR_CLIP_STEP_UP, .clips = 3, .weight = 2.5f, .heights = {0.2f, 0.325f, 0.45f}},
    {"climb", TR_BEHAVIOR_CLIP_CLIMB, .clips = 6, .weight = 4,
     .heights = {0.45f, 0.54f, 0.63f, 0.73f, 0.84f, 0.95f}},
    {"step_down", TR_BEHAVIOR_CLIP_STEP_DOWN, .clips = 3, .weight = 2.5f, .heights = {0.2f, 0.325f, 0.45f}},
    {"leap_down", TR_BEHAVIOR_CLIP_LEAP_DOWN, .clips = 4, .weight = 4,
     .heights = {0.45f, 0.6f, 0.775f, 0.95f}},
};
#define JOGGER_STATES (sizeof jogger / sizeof *jogger)
_Static_assert(JOGGER_STATES <= TR_BEHAVIOR_CLIP_STATES_MAX, "the number of states");

// The weights of standing and turning are those of a tenth of a metre for each second: waiting is cheaper
// than walking, so that nobody walks in circles until the way is free.
static const state_row walker[] = {
    {"set_out", TR_BEHAVIOR_CLIP_SET_OUT, .clips = 1, .weight = 1.3f},
    {"halt", TR_BEHAVIOR_CLIP_HALT, .clips = 1, .weight = 1.3f},
    {"mirrored_halt", TR_BEHAVIOR_CLIP_HALT, .mirrored = true, .clips = 1, .weight = 1.3f},
    {"walk", TR_BEHAVIOR_CLIP_WALK, .clips = 4, .weight = 1},
    {"walk_left_1", TR_BEHAVIOR_CLIP_WALK, .turn = 12, .clips = 1, .weight = 1.03f},
    {"walk_left_2", TR_BEHAVIOR_CLIP_WALK, .turn = 28, .clips = 1, .weight = 1.06f},
    {"walk_left_3", TR_BEHAVIOR_CLIP_WALK, .turn = 50, .clips = 1, .weight = 1.15f},
    {"walk_right_1", TR_BEHAVIOR_CLIP_WALK, .turn = -12, .clips = 1, .weight = 1.03f},
    {"walk_right_2", TR_BEHAVIOR_CLIP_WALK, .turn = -28, .clips = 1, .weight = 1.06f},
    {"walk_right_3", TR_BEHAVIOR_CLIP_WALK, .turn = -50, .clips = 1, .weight = 1.15f},
    {"pace", TR_BEHAVIOR_CLIP_PACE, .clips = 1, .weight = 1},
    {"mirrored_pace", TR_BEHAVIOR_CLIP_PACE, .mirrored = true, .clips = 1, .weight = 1},
    {"stand", TR_BEHAVIOR_CLIP_STAND, .seconds = 0.5f, .clips = 1, .weight = 6},
    {"long_stand", TR_BEHAVIOR_CLIP_STAND, .seconds = 2, .clips = 1, .weight = 6},
    {"turn_left_20", TR_BEHAVIOR_CLIP_TURN, .turn = 20, .clips = 1, .weight = 6},
    {"turn_right_20", TR_BEHAVIOR_CLIP_TURN, .turn = -20, .clips = 1, .weight = 6},
    {"turn_left", TR_BEHAVIOR_CLIP_TURN, .turn = 45, .clips = 1, .weight = 6},
    {"turn_right", TR_BEHAVIOR_CLIP_TURN, .turn = -45, .clips = 1, .weight = 6},
    {"turn_left_90", TR_BEHAVIOR_CLIP_TURN, .turn = 90, .clips = 1, .weight = 6},
    {"turn_right_90", TR_BEHAVIOR_CLIP_TURN, .turn = -90, .clips = 1, .weight = 6},
    {"turn_back", TR_BEHAVIOR_CLIP_TURN, .turn = 180, .clips = 1, .weight = 6},
};
#define WALKER_STATES (sizeof walker / sizeof *walker)
_Static_assert(WALKER_STATES <= TR_BEHAVIOR_CLIP_STATES_MAX, "the number of states");

tr_status tr_behavior_clip_repertoire(const tr_skeleton *skeleton, tr_behavior_clip_set set,
                                      tr_behavior_clip_state *states, uint32_t *count, tr_error *error) {
    tr_gait_rig rig;
    tr_gait_def gait = {.skeleton = skeleton};
    if (!skeleton)
        return tr_fail(error, TR_INVALID, "a repertoire needs a skeleton");
    if ((uint32_t)set > TR_BEHAVIOR_CLIPS_WALKER)
        return tr_fail(error, TR_INVALID, "there is no repertoire %d", (int)set);
    const state_row *rows = set == TR_BEHAVIOR_CLIPS_WALKER ? walker : jogger;
    *count = set == TR_BEHAVIOR_CLIPS_WALKER ? WALKER_STATES : JOGGER_STATES;
    tr_status status = tr_gait_rig_need_all(skeleton, "a behavior", error);
    if (status == TR_OK)
        status = tr_gait_rig_measure(&gait, &rig, error);
    if (status != TR_OK)
        return status;
    for (uint32_t i = 0; i < *count; i++) {
        const state_row *row = &rows[i];
        tr_behavior_clip_def def = {.skeleton = skeleton,
                                    .kind = row->kind,
                                    .turn = row->turn * DEGREE,
                                    .seconds = (double)row->seconds,
                                    .height = (row->heights[0] > 0 ? row->heights[0] : row->height) *
                                              (float)rig.scale,
                                    .length = row->length * (float)rig.scale,
                                    .mirrored = row->mirrored,
                                    .seed = row->clips > 1 && row->heights[0] == 0 ? 100 * i + 1 : 0,
                                    .extra = EXTRA};
        states[i] = (tr_behavior_clip_state){row->name, def, row->clips, row->weight, {0}};
        for (uint32_t k = 0; k < row->clips; k++)
            states[i].heights[k] = row->heights[k] * (float)rig.scale;
    }
    return TR_OK;
}
