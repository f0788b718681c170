// Is the library that is linked the one whose headers were compiled?
#include "troupe/base/version.h"

#include <stdio.h>
#include <string.h>

int main(void) {
    char compiled[32];
    snprintf(compiled, sizeof compiled, "%d.%d.%d", TR_VERSION_MAJOR, TR_VERSION_MINOR, TR_VERSION_PATCH);
    printf("compiled with %s, linked with %s\n", compiled, tr_version());
    return strcmp(compiled, tr_version()) == 0 ? 0 : 1;
}
