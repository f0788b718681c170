// stage/upper/stage_upper.h - upper bodies that mind what is near. Internal to stage*.c.
#pragma once
#include "stage/stage_trial.h"
#include "motion/upper/upper.h"

#define STAGE_UPPER_FRAMES TR_OVERLAY_DEPARTURES_MAX

// What actors of one character share.
typedef struct stage_upper {
    const tr_character *character;
    bool able; // the skeleton has what it takes; otherwise the rest is NULL
    tr_upper upper;
    tr_comply *comply;
    tr_actor *understudy; // rehearses the motion of the body
} stage_upper;

// The plans of all upper bodies are made one after the other.
struct stage_uppers {
    stage_upper **each;
    uint32_t count, capacity;
    tr_upper_frame frames[STAGE_UPPER_FRAMES];
    tr_comply_place places[STAGE_UPPER_FRAMES];
    tr_comply_pose preferred[STAGE_UPPER_FRAMES], departures[STAGE_UPPER_FRAMES];
    // The plan that was made last: of this actor, after this many commitments, for a motion until this tick.
    tr_actor_id actor;
    uint64_t tick, commits, rest;
    uint32_t departure_count; // 0: none
};
