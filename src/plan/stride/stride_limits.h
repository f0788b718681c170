// Sines of the limits of a body, computed once for many steps. Internal to plan/stride and its callers.
#pragma once
#include "stride_columns.h"

typedef struct stride_limits {
    float fold;               // the least distance from hip to ankle [m]
    float back;               // sine of hip_back
    float front;              // cosine of hip_front
    float toes_up, toes_down; // sines
} stride_limits;
stride_limits tr_stride_limits_of(const tr_stride_body *body);

// As tr_stride_between and tr_stride_plan. `end`: tr_stride_between(stance, to), which callers that plan many
// steps know already. `ranges`: of both lanes, swinging and standing; NULL: lanes are searched.
tr_stride_stand tr_stride_between_within(const tr_stride_body *body, const stride_limits *limits,
                                         float facing, uint32_t side, const tr_stride_foot *rear,
                                         const tr_stride_foot *front);
tr_stride_reason tr_stride_plan_within(const tr_stride_query *query, const stride_limits *limits,
                                       const stride_ranges *ranges, const tr_stride_stand *end,
                                       tr_stride *stride);
// The rest of the plan of a step in which a foot or the pelvis is turned; `stride` has its ends.
tr_stride_reason tr_stride_plan_turned(const tr_stride_query *query, const stride_limits *limits,
                                       tr_stride *stride);
