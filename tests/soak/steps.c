#include "steps.h"
#include "plan/footstep_window/window_world.h"

bool steps_run(uint64_t seed, int rate, steps_result *result) {
    window_world world;
    if (!open_sample(&world, "rough", seed, 1.2f + 0.01f * (float)(seed % 80)))
        return false;
    lane_walker walker = stand_at(&world, -0.5f, 0);
    walk_result walked = walk(&world, &walker, rate);
    *result = (steps_result){.steps = walked.steps,
                             .arrived = walked.arrived,
                             .reasoned = walked.arrived ||
                                         (walked.status == TR_NOT_FOUND && walked.reason > TR_STRIDE_OUTSIDE),
                             .sole = walked.verdict.sole,
                             .leg = walked.verdict.leg / (double)world.body.radius,
                             .reason = tr_stride_reason_text(walked.reason)};
    close_world(&world);
    return true;
}
