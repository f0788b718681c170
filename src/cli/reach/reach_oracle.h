// Is there a path at all? Two random trees in plain code, without any of the planner's short cuts: slow, but
// they find what is there, given time.
#pragma once
#include "troupe/io/reach_file.h"

typedef struct reach_oracle reach_oracle;
tr_status reach_oracle_create(uint32_t nodes_max, reach_oracle **oracle, tr_error *error);
void reach_oracle_destroy(reach_oracle *oracle);

// RRT-Connect (Kuffner & LaValle 2000) from the start to postures at the goal: the task's example, and others
// drawn at random. true: a path was found, every edge of which `reach` certifies. false: not with this many
// iterations and nodes. `wrist` (may be NULL) receives the length of the wrist's path after short cuts [m].
bool reach_oracle_solves(reach_oracle *oracle, tr_reach *reach, const tr_reach_task *task, bool pose,
                         uint64_t seed, uint64_t iterations, double *wrist);
