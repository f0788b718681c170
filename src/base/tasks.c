#define _POSIX_C_SOURCE 200809L
#include "troupe/base/tasks.h"

#if defined(__wasm__)
#define HAVE_THREADS 0
#else
#define HAVE_THREADS 1
#include <pthread.h>
#include <unistd.h>
#endif

struct tr_tasks {
    tr_allocator allocator;
    uint32_t members;
#if HAVE_THREADS
    pthread_t threads[TR_TASKS_MAX];
    pthread_mutex_t mutex; // guards everything below
    pthread_cond_t work_ready, work_done;
    uint64_t round; // counts calls of tr_tasks_run, so that a member joins each call once
    uint32_t next_part, parts, busy;
    bool stopping;
    tr_task_function function;
    void *user;
#endif
};

#if HAVE_THREADS

typedef struct member_start {
    tr_tasks *tasks;
    uint32_t member;
    bool taken;
} member_start;

// Takes parts until none is left. The mutex is held on entry and on return.
static void work(tr_tasks *tasks, uint32_t member) {
    while (tasks->next_part < tasks->parts) {
        uint32_t part = tasks->next_part++;
        tr_task_function function = tasks->function;
        void *user = tasks->user;
        pthread_mutex_unlock(&tasks->mutex);
        function(user, part, member);
        pthread_mutex_lock(&tasks->mutex);
    }
}

static void *member_main(void *argument) {
    member_start *start = argument;
    tr_tasks *tasks = start->tasks;
    uint32_t member = start->member;
    pthread_mutex_lock(&tasks->mutex);
    start->taken = true; // `start` is invalid once the creator sees this
    pthread_cond_signal(&tasks->work_done);
    uint64_t seen = 0;
    for (;;) {
        while (!tasks->stopping && tasks->round == seen)
            pthread_cond_wait(&tasks->work_ready, &tasks->mutex);
        if (tasks->stopping)
            break;
        seen = tasks->round;
        tasks->busy++;
        work(tasks, member);
        tasks->busy--;
        if (tasks->busy == 0)
            pthread_cond_signal(&tasks->work_done);
    }
    pthread_mutex_unlock(&tasks->mutex);
    return NULL;
}

static uint32_t processor_count(void) {
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count < 1 ? 1 : count > TR_TASKS_MAX ? TR_TASKS_MAX : (uint32_t)count;
}

static bool start_member(tr_tasks *tasks, uint32_t member) {
    member_start start = {tasks, member, false};
    if (pthread_create(&tasks->threads[member], NULL, member_main, &start) != 0)
        return false;
    pthread_mutex_lock(&tasks->mutex);
    while (!start.taken)
        pthread_cond_wait(&tasks->work_done, &tasks->mutex);
    pthread_mutex_unlock(&tasks->mutex);
    return true;
}

static tr_status start_team(tr_tasks *tasks, uint32_t wanted, tr_error *error) {
    pthread_mutex_init(&tasks->mutex, NULL);
    pthread_cond_init(&tasks->work_ready, NULL);
    pthread_cond_init(&tasks->work_done, NULL);
    for (tasks->members = 1; tasks->members < wanted; tasks->members++)
        if (!start_member(tasks, tasks->members))
            return tr_fail(error, TR_UNAVAILABLE, "only %u of %u threads could be started", tasks->members,
                           wanted);
    return TR_OK;
}

static void stop_team(tr_tasks *tasks) {
    pthread_mutex_lock(&tasks->mutex);
    tasks->stopping = true;
    pthread_cond_broadcast(&tasks->work_ready);
    pthread_mutex_unlock(&tasks->mutex);
    for (uint32_t member = 1; member < tasks->members; member++)
        pthread_join(tasks->threads[member], NULL);
    pthread_cond_destroy(&tasks->work_done);
    pthread_cond_destroy(&tasks->work_ready);
    pthread_mutex_destroy(&tasks->mutex);
}

static void run_team(tr_tasks *tasks, uint32_t parts, tr_task_function function, void *user) {
    pthread_mutex_lock(&tasks->mutex);
    tasks->function = function;
    tasks->user = user;
    tasks->parts = parts;
    tasks->next_part = 0;
    tasks->round++;
    pthread_cond_broadcast(&tasks->work_ready);
    work(tasks, 0);
    while (tasks->busy > 0)
        pthread_cond_wait(&tasks->work_done, &tasks->mutex);
    pthread_mutex_unlock(&tasks->mutex);
}

#else

static uint32_t processor_count(void) {
    return 1;
}
static tr_status start_team(tr_tasks *tasks, uint32_t wanted, tr_error *error) {
    (void)wanted, (void)error;
    tasks->members = 1;
    return TR_OK;
}
static void stop_team(tr_tasks *tasks) {
    (void)tasks;
}
static void run_team(tr_tasks *tasks, uint32_t parts, tr_task_function function, void *user) {
    (void)tasks;
    for (uint32_t part = 0; part < parts; part++)
        function(user, part, 0);
}

#endif

tr_status tr_tasks_create(const tr_allocator *allocator, uint32_t members, tr_tasks **tasks,
                          tr_error *error) {
    *tasks = NULL;
    if (members > TR_TASKS_MAX)
        return tr_fail(error, TR_LIMIT, "%u threads requested, the maximum is %u", members, TR_TASKS_MAX);
    if (members == 0)
        members = processor_count();
    tr_allocator own = tr_allocator_or_default(allocator);
    tr_tasks *made = tr_allocate_zero(&own, 1, sizeof *made);
    if (!made)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for a team of %u threads", members);
    made->allocator = own;
    tr_status status = start_team(made, members, error);
    if (status != TR_OK) {
        tr_tasks_destroy(made);
        return status;
    }
    *tasks = made;
    return TR_OK;
}

void tr_tasks_destroy(tr_tasks *tasks) {
    if (!tasks)
        return;
    stop_team(tasks);
    tr_allocator allocator = tasks->allocator;
    tr_release(&allocator, tasks, 1, sizeof *tasks);
}

uint32_t tr_tasks_members(const tr_tasks *tasks) {
    return tasks ? tasks->members : 1;
}

void tr_tasks_run(tr_tasks *tasks, uint32_t parts, tr_task_function function, void *user) {
    if (tasks && tasks->members > 1 && parts > 1) {
        run_team(tasks, parts, function, user);
        return;
    }
    for (uint32_t part = 0; part < parts; part++)
        function(user, part, 0);
}
