// Any text: it is accepted or refused with a sentence, what was accepted is a machine that is written and
// reads back as the same, and nothing is left of it.
#include "target.h"
#include "troupe/io/behavior_file.h"

#include <string.h>

static void check_file(const tr_behavior_file *file, const tr_allocator *allocator) {
    tr_error error = {0};
    tr_bytes text, again;
    tr_behavior_file read;
    TARGET_CHECK(tr_behavior_file_write(file, allocator, &text, &error) == TR_OK);
    TARGET_CHECK(tr_behavior_file_read(text.data, text.size, NULL, allocator, &read, &error) == TR_OK);
    TARGET_CHECK(read.def.state_count == file->def.state_count && read.clip_count == file->clip_count);
    TARGET_CHECK(read.measured_count == file->measured_count);
    TARGET_CHECK(tr_behavior_file_write(&read, allocator, &again, &error) == TR_OK);
    TARGET_CHECK(again.size == text.size && memcmp(again.data, text.data, text.size) == 0);
    tr_bytes_free(allocator, &text);
    tr_bytes_free(allocator, &again);
    tr_behavior_file_destroy(&read);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    target_memory memory;
    tr_allocator allocator = target_allocator(&memory, size);
    tr_error error = {0};
    tr_behavior_file file;
    tr_status status = tr_behavior_file_read(data, size, "machine.json", &allocator, &file, &error);
    if (status == TR_OK)
        check_file(&file, &allocator);
    else
        TARGET_CHECK(error.status == status && error.message[0] && error.file[0] && !file.memory);
    TARGET_CHECK(status == TR_OK || status == TR_BAD_FILE || status == TR_LIMIT);
    tr_behavior_file_destroy(&file);
    TARGET_CHECK(memory.live == 0);
    return 0;
}
