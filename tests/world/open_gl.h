// A `gl` rasteriser for a test program, which includes this in one source.
#pragma once
#include "test.h"
#include "troupe/world/raster.h"

// Mesa keeps what it loads until the process ends, and some of it out of sight of LeakSanitizer.
const char *__lsan_default_suppressions(void);
__attribute__((visibility("default"), used)) const char *__lsan_default_suppressions(void) {
    return "leak:libEGL\nleak:libGLX\nleak:libGLdispatch\nleak:swrast_dri\nleak:libLLVM\nleak:libgallium\n"
           "leak:libnvidia\nleak:libglapi\n";
}

// The rasteriser of the test, or NULL: it has then been skipped, or has failed.
static inline tr_raster *open_gl(const tr_allocator *allocator) {
    static tr_error error;
    tr_raster_def def = {.backend = TR_RASTER_GL, .allocator = allocator};
    tr_raster *raster = NULL;
    tr_status status = tr_raster_create(&def, &raster, &error);
    if (status == TR_UNAVAILABLE)
        test_skip(error.message);
    else
        CHECK_INT(status, TR_OK);
    return raster;
}
