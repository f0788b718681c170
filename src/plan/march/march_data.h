// What the sources of march's checks share. Internal.
#pragma once
#include "troupe/plan/march.h"

struct tr_march_depth {
    tr_allocator allocator;
    tr_march_depth_def def;
    tr_depth_map links[TR_ARM_LINKS];
    tr_status status;
    tr_error error;
};
