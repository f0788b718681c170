// Any text: it is accepted or refused with a sentence, what was accepted is an arm with finite tasks, and
// nothing is left of it.
#include "target.h"
#include "troupe/io/reach_file.h"

static void check_file(const tr_reach_file *file) {
    TARGET_CHECK(tr_arm_check(&file->arm, NULL) == TR_OK);
    TARGET_CHECK(file->body_count <= TR_REACH_BODIES_MAX && file->task_count <= TR_REACH_FILE_TASKS_MAX);
    for (uint32_t i = 0; i < file->task_count; i++) {
        const tr_reach_task *task = &file->tasks[i];
        TARGET_CHECK(tr_vec3_is_finite(task->position.wrist) && tr_vec3_is_finite(task->pose.direction));
        for (int k = 0; k < TR_ARM_ANGLES; k++)
            TARGET_CHECK(isfinite(task->start.q[k]) && isfinite(task->example.q[k]));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    target_memory memory;
    tr_allocator allocator = target_allocator(&memory, size);
    tr_error error = {0};
    tr_reach_file file;
    tr_reach_file_options options = {.allocator = &allocator};
    tr_status status = tr_reach_file_read(data, size, "tasks.json", &options, &file, &error);
    if (status == TR_OK)
        check_file(&file);
    else
        TARGET_CHECK(error.status == status && error.message[0] && error.file[0] && !file.tasks);
    TARGET_CHECK(status == TR_OK || status == TR_BAD_FILE || status == TR_LIMIT);
    tr_reach_file_destroy(&file);
    TARGET_CHECK(memory.live == 0);
    return 0;
}
