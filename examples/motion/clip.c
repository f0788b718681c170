// A pendulum recorded as a clip that loops, with an event, and a base point that goes round in a circle:
// sampled, and played by a game that carries somebody along.
#include "troupe/base/scalar.h"
#include "troupe/motion/clip.h"

#include <stdio.h>

static void hear(void *user, const char *name, double time) {
    (void)user;
    printf("  %s at %.2f s\n", name, time);
}

static void record(tr_clip *clip, tr_pose *pose) {
    tr_base base[20];
    for (uint32_t i = 0; i < 20; i++) {
        double s, c;
        tr_sin_cos(2 * TR_PI * i / 20, &s, &c);
        tr_pose_set_rotation(pose, 0, tr_quat_about(tr_vec3_make(1, 0, 0), 0.5 * s));
        tr_clip_set_frame(clip, i, pose);
        base[i] = (tr_base){0, 0.05f * (float)i, 0};
    }
    tr_clip_set_base(clip, base,
                     (tr_base){0, 1, (float)TR_PI / 3}); // a metre and a sixth of a turn each round
    tr_clip_add_event(clip, 0.5, "middle");
}

int main(void) {
    tr_joint_def joint = {.name = "bob", .parent = TR_NONE, .rest = tr_transform_identity()};
    tr_skeleton *skeleton = NULL;
    tr_clip *clip = NULL;
    tr_pose pose;
    if (tr_skeleton_create(&(tr_skeleton_def){.joints = &joint, .joint_count = 1}, &skeleton, NULL) !=
            TR_OK ||
        tr_pose_create(NULL, 1, &pose, NULL) != TR_OK)
        return 1;
    tr_clip_def def = {
        .name = "swing", .skeleton = skeleton, .frame_count = 20, .frames_per_second = 20, .loop = true};
    tr_error error;
    if (tr_clip_create(&def, &clip, &error) != TR_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    record(clip, &pose);
    printf("%s: %u frames, %.2f s a round, %.2f m/s, %llu bytes\n", tr_clip_name(clip),
           tr_clip_frame_count(clip), tr_clip_duration(clip), tr_clip_speed(clip),
           (unsigned long long)tr_clip_bytes(clip));
    for (double time = 0; time < 6; time += 1.25) {
        tr_clip_sample(clip, time, &pose);
        tr_base base = tr_clip_base(clip, time);
        printf("%.2f s: turned by %+.2f rad, base at (%+.2f, %+.2f) heading %.2f\n", time,
               tr_quat_to_vector(tr_pose_rotation(&pose, 0)).x, base.x, base.z, base.heading);
    }
    puts("events from 0 to 2 s:");
    tr_clip_events_between(clip, 0, 2, hear, NULL);

    // A game keeps its own place, wherever that is, and moves it by what the clip does in each frame.
    tr_base place = {5, -2, (float)TR_PI / 2};
    for (int frame = 0; frame < 120; frame++) {
        if (frame % 30 == 0)
            printf("frame %3d: at (%.2f, %.2f) heading %.2f\n", frame, place.x, place.z, place.heading);
        place = tr_clip_travel(clip, frame / 60.0, (frame + 1) / 60.0, place);
    }
    tr_pose_destroy(&pose);
    tr_clip_destroy(clip);
    tr_skeleton_destroy(skeleton);
    return 0;
}
