// A solid into bytes and back. Internal; the stage uses it.
#pragma once
#include "solid_data.h"
#include "base/archive.h"

// Where things were when the trees were built and when they were taken over: from that the same trees are
// made again, with the same answers in the last bit. What a drawn object emits is not in it.
void tr_solid_archive(tr_solid *solid, tr_archive *archive);
// The solid that was written, of the same scene; its grid of clearances is not made again.
tr_status tr_solid_restore(const tr_solid_def *def, tr_archive *archive, tr_solid **solid, tr_error *error);
