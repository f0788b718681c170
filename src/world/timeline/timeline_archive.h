// A timeline in a saved stage.
#pragma once
#include "base/archive.h"
#include "troupe/world/timeline.h"

// Writes or reads the bodies with their numbers and motions, and the state of moving objects. Read into a new
// timeline of the same definition, with a scene that has the same objects in the same places: queries then
// return the same bits. If reading fails, the timeline can only be destroyed.
void tr_timeline_archive(tr_timeline *timeline, const tr_scene *scene, tr_archive *archive);
