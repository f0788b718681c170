// Saves a play, and continues a saved one.
#include "play.h"
#include "troupe/io/file.h"
#include "troupe/stage/save.h"

#include <stdlib.h>

tr_status play_save(const play_request *request, const play_shot *shot, tr_error *error) {
    uint64_t size = 0, needed = 0;
    tr_stage_save(shot->play.stage, NULL, 0, &size, NULL);
    void *bytes = malloc((size_t)size);
    if (!bytes)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for a save of %llu bytes",
                       (unsigned long long)size);
    tr_status status = tr_stage_save(shot->play.stage, bytes, size, &needed, error);
    if (status == TR_OK)
        status = tr_file_write(request->save, bytes, (size_t)size, error);
    free(bytes);
    return status;
}

// The stage file has created the scene and the characters; the save restores their state.
tr_status play_load(const play_request *request, tr_tasks *tasks, play_shot *shot, tr_error *error) {
    tr_stage *stage = shot->play.stage;
    uint32_t count = tr_stage_actor_count(stage);
    const tr_character **characters = calloc(count + 1, sizeof *characters);
    tr_bytes bytes = {0};
    if (!characters)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for %u characters", count);
    tr_status status = tr_file_read(NULL, request->load, &bytes, error);
    for (uint32_t i = 0; i < count; i++) {
        tr_actor_view view = {0};
        tr_stage_look(stage, tr_stage_actor(stage, i), &view);
        characters[i] = view.character;
    }
    tr_stage_load_def def = {.tasks = tasks,
                             .scene = shot->play.scene,
                             .characters = characters,
                             .character_count = count,
                             .instead = stage};
    if (status == TR_OK) {
        tr_stage *made = NULL;
        status = tr_stage_load(&def, bytes.data, bytes.size, &made, error);
        shot->play.stage = status == TR_OK ? made : stage;
        if (status != TR_OK)
            tr_error_set_file(error, request->load);
    }
    tr_bytes_free(NULL, &bytes);
    free(characters);
    return status;
}
