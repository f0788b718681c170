// How a call says what came of it, and where the sentence for the user comes from.
#include "troupe/base/status.h"

#include <stdio.h>

// A check in the manner of the library: the rule and the value that broke it, in one sentence.
static tr_status set_radius(float radius, float *kept, tr_error *error) {
    if (!(radius >= 0))
        return tr_fail(error, TR_INVALID, "the radius is %g, it must be at least 0", radius);
    *kept = radius;
    return TR_OK;
}

int main(void) {
    tr_error error;
    float radius = 0.3f;
    if (set_radius(-1, &radius, &error) != TR_OK) {
        char text[512];
        tr_error_set_file(&error, "stage.json");
        error.line = 12;
        printf("%s: %s\n", tr_status_name(error.status), tr_error_format(&error, text, sizeof text));
        printf("the radius is still %g\n", radius);
    }
    return radius == 0.3f ? 0 : 1;
}
