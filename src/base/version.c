#include "troupe/base/version.h"

#define TEXT(value) #value
#define JOIN(major, minor, patch) TEXT(major) "." TEXT(minor) "." TEXT(patch)

const char *tr_version(void) {
    return JOIN(TR_VERSION_MAJOR, TR_VERSION_MINOR, TR_VERSION_PATCH);
}
