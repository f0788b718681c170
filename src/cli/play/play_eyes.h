// Pictures of what the actors with eyes see and believe, at the moments at which that changes.
#pragma once
#include "troupe/stage/stage.h"

typedef struct play_eyes play_eyes;

// TR_NOT_FOUND: no actor of the stage has eyes. Close it also after a failure.
tr_status play_eyes_open(const tr_stage *stage, play_eyes **eyes, tr_error *error);
void play_eyes_look(play_eyes *eyes, const tr_stage *stage); // after every tick
// Writes a PNG for each of these actors; creates the folder.
tr_status play_eyes_write(const play_eyes *eyes, const char *folder, tr_error *error);
void play_eyes_close(play_eyes *eyes); // NULL is allowed
