// troupe/base/tasks.h - a fixed team of threads for work that splits into independent parts.
//
// The result of a part may depend on its number, never on the thread that runs it or on the order: with that,
// every call gives the same bits for any team. Where there are no threads (WASM) a team of one does all the
// work.
#pragma once
#include "troupe/base/allocator.h"
#include "troupe/base/status.h"

TR_BEGIN_DECLARATIONS

#define TR_TASKS_MAX 64 // members of one team

typedef struct tr_tasks tr_tasks;

// One part of the work. `member` [0, team size) says whose scratch may be used.
typedef void (*tr_task_function)(void *user, uint32_t part, uint32_t member);

// A team of `members` [1, TR_TASKS_MAX], the caller of tr_tasks_run among them; 0 means one for each
// processor.
TR_API tr_status tr_tasks_create(const tr_allocator *allocator, uint32_t members, tr_tasks **tasks,
                                 tr_error *error);
TR_API void tr_tasks_destroy(tr_tasks *tasks);           // NULL is allowed
TR_API uint32_t tr_tasks_members(const tr_tasks *tasks); // 1 for NULL

// Run all `parts` and return when the last is done. tasks == NULL runs them here, one after the other. No
// allocation. One call at a time on one team; a part must not call it on its own team.
TR_API void tr_tasks_run(tr_tasks *tasks, uint32_t parts, tr_task_function function, void *user);

TR_END_DECLARATIONS
