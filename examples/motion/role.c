// Names of bones from two schools, and a body without any: what each bone is; and a user who knows better.
#include "troupe/motion/role.h"

#include <stdio.h>
#include <string.h>

// A body in a T-pose, in the order of the names below.
static const tr_role_joint body[] = {
    {NULL, TR_NONE, {0, 0.95f, 0}}, {NULL, 0, {0, 1.1f, 0}},         {NULL, 1, {0, 1.3f, 0}},
    {NULL, 2, {0, 1.6f, 0}},        {NULL, 2, {0.2f, 1.4f, 0}},      {NULL, 4, {0.5f, 1.4f, 0}},
    {NULL, 5, {0.75f, 1.4f, 0}},    {NULL, 2, {-0.2f, 1.4f, 0}},     {NULL, 7, {-0.5f, 1.4f, 0}},
    {NULL, 8, {-0.75f, 1.4f, 0}},   {NULL, 0, {0.1f, 0.9f, 0}},      {NULL, 10, {0.1f, 0.5f, 0}},
    {NULL, 11, {0.1f, 0.1f, 0}},    {NULL, 12, {0.1f, 0.0f, 0.15f}}, {NULL, 0, {-0.1f, 0.9f, 0}},
    {NULL, 14, {-0.1f, 0.5f, 0}},   {NULL, 15, {-0.1f, 0.1f, 0}},    {NULL, 16, {-0.1f, 0.0f, 0.15f}},
};
#define JOINTS (sizeof body / sizeof body[0])

static const char *const capture[JOINTS] = {
    "Hips",     "Spine",       "Spine1",       "Head",      "LeftArm",   "LeftForeArm",
    "LeftHand", "RightArm",    "RightForeArm", "RightHand", "LeftUpLeg", "LeftLeg",
    "LeftFoot", "LeftToeBase", "RightUpLeg",   "RightLeg",  "RightFoot", "RightToeBase"};
static const char *const game[JOINTS] = {"pelvis",     "spine_01", "spine_02",   "head",       "upperarm_l",
                                         "lowerarm_l", "hand_l",   "upperarm_r", "lowerarm_r", "hand_r",
                                         "thigh_l",    "calf_l",   "foot_l",     "ball_l",     "thigh_r",
                                         "calf_r",     "foot_r",   "ball_r"};

static uint32_t guess(const char *const *names, tr_role *roles) {
    tr_role_joint joints[JOINTS];
    for (uint32_t i = 0; i < JOINTS; i++) {
        joints[i] = body[i];
        joints[i].name = names ? names[i] : NULL;
    }
    return tr_role_guess(joints, JOINTS, roles);
}

// What a user says of single bones, in a file or on a command line, overrules the guess.
static const char *const said[][2] = {{"Spine1", "upper_chest"}, {"LeftToeBase", "left_toe"}};

static void overrule(tr_role *roles) {
    for (uint32_t k = 0; k < 2; k++) {
        tr_role role = tr_role_find(said[k][1]);
        if (role == TR_ROLE_NONE) {
            printf("%s: there is no role \"%s\"; it stays as it is\n", said[k][0], said[k][1]);
            continue;
        }
        for (uint32_t i = 0; i < JOINTS; i++)
            if (strcmp(capture[i], said[k][0]) == 0) {
                printf("%s: %s, no longer %s\n", said[k][0], tr_role_name(role), tr_role_name(roles[i]));
                roles[i] = role;
            }
    }
}

int main(void) {
    tr_role by_capture[JOINTS], by_game[JOINTS], by_places[JOINTS];
    uint32_t first = guess(capture, by_capture), second = guess(game, by_game),
             third = guess(NULL, by_places);
    for (uint32_t i = 0; i < JOINTS; i++)
        printf("%-14s %-12s %-16s without names: %s\n", capture[i], game[i], tr_role_name(by_capture[i]),
               tr_role_name(by_places[i]));
    printf("%u, %u and %u of the %d roles that a body cannot do without\n", first, second, third,
           TR_ROLE_NEEDED);
    overrule(by_capture);
    return first == TR_ROLE_NEEDED && second == TR_ROLE_NEEDED && third == TR_ROLE_NEEDED ? 0 : 1;
}
