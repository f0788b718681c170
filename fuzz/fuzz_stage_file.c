// Any text: it is accepted or refused with a sentence, nothing is left of it, and the answer is the same
// again.
#include "target.h"
#include "troupe/io/stage_file.h"

#include <string.h>

static tr_status check(const tr_allocator *allocator, const uint8_t *data, size_t size, tr_error *error) {
    tr_stage_file_options options = {.allocator = allocator, .check_only = true};
    tr_stage_play play;
    tr_status status = tr_stage_file_read(data, size, "folder/stage.json", &options, &play, error);
    TARGET_CHECK(!play.scene && !play.stage && !play.kinds && !play.title);
    TARGET_CHECK(status == TR_OK || (error->status == status && error->message[0] && error->file[0]));
    tr_stage_play_destroy(&play);
    return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    target_memory memory;
    tr_allocator allocator = target_allocator(&memory, size);
    tr_error first, second;
    tr_status status = check(&allocator, data, size, &first);
    TARGET_CHECK(check(&allocator, data, size, &second) == status);
    TARGET_CHECK(status == TR_OK || strcmp(first.message, second.message) == 0);
    TARGET_CHECK(status == TR_OK || status == TR_BAD_FILE || status == TR_LIMIT);
    TARGET_CHECK(memory.live == 0);
    return 0;
}
