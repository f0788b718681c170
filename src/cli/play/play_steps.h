// Pictures of how dragged actors plan their steps: the steps that they took, the swings that they examined,
// and the places that they rejected.
#pragma once
#include "troupe/stage/stage.h"

typedef struct play_steps play_steps;

// Watches the stage from now on. Close it after the stage, also after a failure.
tr_status play_steps_open(tr_stage *stage, play_steps **steps, tr_error *error);
// Writes a PNG for each actor that was dragged; creates the folder. TR_NOT_FOUND: there is none.
tr_status play_steps_write(const play_steps *steps, const tr_stage *stage, tr_scene *scene,
                           const char *folder, tr_error *error);
void play_steps_close(play_steps *steps); // NULL is allowed
