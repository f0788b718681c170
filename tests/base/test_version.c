#include "test.h"
#include "troupe/base/version.h"

#include <stdio.h>

TEST(the_library_and_the_headers_are_of_the_same_version) {
    char text[32];
    snprintf(text, sizeof text, "%d.%d.%d", TR_VERSION_MAJOR, TR_VERSION_MINOR, TR_VERSION_PATCH);
    CHECK_TEXT(tr_version(), text);
}
