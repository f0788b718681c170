// troupe/base/version.h - the one place the version is written; the build reads it from here.
#pragma once
#include "troupe/base/api.h"

TR_BEGIN_DECLARATIONS

#define TR_VERSION_MAJOR 0
#define TR_VERSION_MINOR 1
#define TR_VERSION_PATCH 0

// The version of the library that is linked, "major.minor.patch": compare it with the macros above,
// which are those of the headers that were compiled. Static storage, any thread.
TR_API const char *tr_version(void);

TR_END_DECLARATIONS
