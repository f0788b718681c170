// troupe/base/tasks.h - a fixed team of threads for work that splits into independent parts.
//
// The result of a part may depend on its number, but must not depend on the thread that runs it or on the
// order of the parts. Then every call gives the same bits for any team. Where there are no threads (WASM), a
// team of one does all the work.
#pragma once
#include "troupe/base/allocator.h"
#include "troupe/base/status.h"

TR_BEGIN_DECLARATIONS

#define TR_TASKS_MAX 64 // largest number of members of a team

typedef struct tr_tasks tr_tasks;

// Does one part of the work. `member` [0, team size) says whose scratch memory the part may use.
typedef void (*tr_task_function)(void *user, uint32_t part, uint32_t member);

// Creates a team of `members` [1, TR_TASKS_MAX], including the caller of tr_tasks_run; 0 means one for each
// processor.
TR_API tr_status tr_tasks_create(const tr_allocator *allocator, uint32_t members, tr_tasks **tasks,
                                 tr_error *error);
TR_API void tr_tasks_destroy(tr_tasks *tasks);           // NULL is allowed
TR_API uint32_t tr_tasks_members(const tr_tasks *tasks); // 1 for NULL

// Runs all `parts` and returns when the last is done. tasks == NULL runs them on the calling thread, one
// after the other. Allocates nothing. Only one call at a time may run on a team; a part must not call it on
// its own team.
TR_API void tr_tasks_run(tr_tasks *tasks, uint32_t parts, tr_task_function function, void *user);

TR_END_DECLARATIONS
