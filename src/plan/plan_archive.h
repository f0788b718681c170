// Arms, footsteps and ways in a saved stage. Each function writes its argument to the archive or reads it
// from there, whichever the archive is for.
#pragma once
#include "base/archive.h"
#include "troupe/plan/arm.h"
#include "troupe/plan/footstep.h"
#include "troupe/plan/way.h"

void tr_arm_archive(tr_arm *arm, tr_archive *archive);
void tr_arm_archive_goal(tr_arm_goal *goal, tr_archive *archive);
void tr_arm_archive_posture(tr_posture *posture, tr_archive *archive);
void tr_footstep_archive(tr_footstep *footstep, tr_archive *archive);
// Reading needs room for all points and pieces (TR_BAD_FILE).
void tr_way_archive(tr_way *way, tr_archive *archive);
