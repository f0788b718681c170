// Joints beyond their limits.
#include "audit_parts.h"

#include "troupe/base/scalar.h"

#define TOLERANCE (float)(0.5 * TR_PI / 180) // error from the rounding in files and blends

void tr_audit_limits(audit_job *job) {
    for (uint32_t i = 0; i < job->count; i++) {
        tr_clip_get_frame(job->clip, job->first + i, &job->pose);
        for (uint32_t joint = 0; joint < job->joint_count; joint++) {
            float excess =
                tr_skeleton_limit_excess(job->skeleton, joint, tr_pose_rotation(&job->pose, joint));
            job->audit.joint_limit_violations += excess > TOLERANCE;
            if (excess > job->audit.joint_limit_worst)
                job->audit.joint_limit_worst = excess;
        }
    }
}
