// Scenes to reach into. Internal.
#pragma once
#include "sample_round.h"
#include "sample_storey.h"

// A stool beside the person, the floor, and where the hand goes.
void sample_reach_finish(sample_builder *builder, tr_box hand);

void sample_shelves_make(sample_builder *builder);
void sample_box_make(sample_builder *builder);
void sample_window_make(sample_builder *builder);
void sample_under_table_make(sample_builder *builder);
void sample_ring_make(sample_builder *builder);
void sample_parts_make(sample_builder *builder);
void sample_engine_make(sample_builder *builder);
