// Saves and restores a solid. Internal; the stage uses it.
#pragma once
#include "solid_data.h"
#include "base/archive.h"

// Stores where objects were when the trees were built and when they were last updated. From this the same
// trees are rebuilt, with the same answers to the last bit. The triangles of drawn objects are not stored.
void tr_solid_archive(tr_solid *solid, tr_archive *archive);
// The solid that was saved, of the same scene, without its grid of clearances.
tr_status tr_solid_restore(const tr_solid_def *def, tr_archive *archive, tr_solid **solid, tr_error *error);
