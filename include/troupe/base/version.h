// troupe/base/version.h - the only place where the version is written; the build reads it from here.
#pragma once
#include "troupe/base/api.h"

TR_BEGIN_DECLARATIONS

#define TR_VERSION_MAJOR 0
#define TR_VERSION_MINOR 1
#define TR_VERSION_PATCH 0

// Returns the version of the linked library, "major.minor.patch". Compare it with the macros above, which
// give the version of the headers that were compiled. Static storage; any thread may call it.
TR_API const char *tr_version(void);

TR_END_DECLARATIONS
