// stage/save/save_fields.h - the saved fields of a stage. Internal to save*.c.
#pragma once
#include "stage/stage_data.h"
#include "base/archive.h"
#include "troupe/stage/save.h"

// What a reader knows that is not in the bytes.
typedef struct save_context {
    tr_archive *archive;
    const tr_stage_load_def *def; // NULL while writing
} save_context;

void tr_save_settings(tr_stage_def *def, tr_archive *archive);
void tr_save_drag(tr_drag *drag, tr_archive *archive);
void tr_save_order(tr_order *order, tr_archive *archive);
// Values of the caller that may be unused and NaN: NaN is written as 0.
void tr_save_loose(tr_archive *archive, float *values, uint32_t count);
// The fields of the stage itself; all actors; events. In this order, after ground and timeline.
void tr_save_stage(tr_stage *stage, tr_archive *archive);
void tr_save_actors(tr_stage *stage, const save_context *context);
void tr_save_events(tr_stage *stage, tr_archive *archive);
