// What the sources of march's checks share. Internal.
#pragma once
#include "march.h"

struct march_depth {
    tr_allocator allocator;
    march_depth_def def;
    tr_depth_map links[TR_ARM_LINKS];
    tr_status status;
    tr_error error;
};
