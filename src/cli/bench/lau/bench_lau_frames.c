// Replays the plans of a crowd with the characters' real bodies, limb by limb: which frames have two bodies
// in each other, or a body in the scene?
#include "bench_lau_figures.h"
#include "troupe/motion/pose.h"
#include "troupe/world/solid.h"

#include <math.h>
#include <stdlib.h>

#define FAR 2.0f       // bodies whose roots are further apart do not meet [m]
#define SCENE_EVERY 3  // frames in which bodies are compared with the scene
#define ROUNDING 1e-3f // [m]

// The bodies of all characters in one frame.
typedef struct frames_job {
    const tr_behavior_cast *cast;
    const tr_behavior_crowd *crowd;
    const tr_behavior_person *people;
    uint32_t count, capsule_count;
    uint32_t *at; // actions
    tr_vec2 *places;
    tr_solid_capsule *capsules; // capsule_count each
    tr_affine *model;
    tr_pose pose;
    tr_solid *solid;
} frames_job;

static void close_job(frames_job *job) {
    free(job->at);
    free(job->places);
    free(job->capsules);
    free(job->model);
    tr_pose_destroy(&job->pose);
    tr_solid_destroy(job->solid);
}

static bool open_job(frames_job *job, tr_scene *scene) {
    uint32_t joints = tr_skeleton_joint_count(job->cast->skeleton);
    tr_solid_def solid = tr_solid_def_default(scene);
    solid.exclude_tags = TR_TAG_WALKABLE; // feet stand on it
    job->capsule_count = tr_body_view(job->cast->body)->capsule_count;
    job->at = calloc(job->count, sizeof *job->at);
    job->places = calloc(job->count, sizeof *job->places);
    job->capsules = calloc((size_t)job->count * job->capsule_count, sizeof *job->capsules);
    job->model = calloc(joints, sizeof *job->model);
    return job->at && job->places && job->capsules && job->model &&
           tr_pose_create(NULL, joints, &job->pose, NULL) == TR_OK &&
           tr_solid_create(&solid, &job->solid, NULL) == TR_OK;
}

// Where somebody is, and in which frame of which clip.
static tr_base find_place(const frames_job *job, uint32_t person, uint32_t frame, const tr_clip **motion,
                          double *seconds) {
    const tr_behavior_def *machine = tr_behavior_def_of(job->cast->machine);
    const tr_behavior_query *query = &job->people[person].query;
    tr_behavior_crowd_view view;
    tr_base place = {query->start.x, query->start.z, query->heading};
    *motion = job->cast->stand;
    *seconds = 0;
    tr_behavior_crowd_look(job->crowd, person, &view);
    const tr_behavior_plan *plan = view.plan;
    uint32_t *at = &job->at[person];
    while (*at + 1 < plan->action_count && plan->actions[*at + 1].frame <= frame)
        ++*at;
    if (plan->action_count == 0 || frame < plan->actions[*at].frame)
        return place;
    const tr_behavior_action *action = &plan->actions[*at];
    const tr_behavior_move *move = &machine->states[action->state].moves[action->move];
    const tr_behavior_cast_clip *clip = &job->cast->clips[move->clip];
    bool is_under_way = frame < action->frame + move->frames;
    double within = is_under_way ? frame - action->frame : move->frames;
    tr_base way =
        tr_base_difference(tr_clip_frame_base(clip->motion, clip->first),
                           tr_clip_base(clip->motion, (clip->first + within) / machine->frames_per_second));
    place = (tr_base){action->position.x, action->position.z, action->heading};
    if (is_under_way) {
        *motion = clip->motion;
        *seconds = (clip->first + within) / machine->frames_per_second;
    }
    return tr_base_move(place, way);
}

static void pose_all(frames_job *job, uint32_t frame) {
    const tr_capsule *shape = tr_body_view(job->cast->body)->capsules;
    for (uint32_t i = 0; i < job->count; i++) {
        const tr_clip *motion;
        double seconds;
        tr_base place = find_place(job, i, frame, &motion, &seconds);
        tr_affine root = tr_base_place(place, 0);
        job->places[i] = (tr_vec2){place.x, place.z};
        tr_clip_sample(motion, seconds, &job->pose);
        tr_pose_to_model(job->cast->skeleton, &job->pose, &root, job->model);
        for (uint32_t k = 0; k < job->capsule_count; k++)
            job->capsules[(size_t)i * job->capsule_count + k] =
                (tr_solid_capsule){tr_affine_apply(&job->model[shape[k].joint], shape[k].a),
                                   tr_affine_apply(&job->model[shape[k].joint], shape[k].b), shape[k].radius};
    }
}

static float clamp(float x) {
    return x < 0 ? 0 : x > 1 ? 1 : x;
}

// The distance between two lines (Ericson 2005, 5.1.9).
static float between(const tr_solid_capsule *a, const tr_solid_capsule *b) {
    tr_vec3 u = tr_vec3_subtract(a->b, a->a), v = tr_vec3_subtract(b->b, b->a),
            w = tr_vec3_subtract(a->a, b->a);
    float uu = tr_vec3_dot(u, u), vv = tr_vec3_dot(v, v), uv = tr_vec3_dot(u, v), uw = tr_vec3_dot(u, w),
          vw = tr_vec3_dot(v, w), cross = uu * vv - uv * uv;
    float s = cross > 1e-9f ? clamp((uv * vw - uw * vv) / cross) : 0;
    float t = vv > 1e-9f ? (uv * s + vw) / vv : 0;
    if (t < 0 || t > 1 || !(vv > 1e-9f)) {
        t = clamp(t);
        s = uu > 1e-9f ? clamp((uv * t - uw) / uu) : 0;
    }
    return tr_vec3_length(tr_vec3_subtract(tr_vec3_add(w, tr_vec3_scale(u, s)), tr_vec3_scale(v, t)));
}

static bool touch(const frames_job *job, uint32_t i, uint32_t k) {
    const tr_solid_capsule *a = job->capsules + (size_t)i * job->capsule_count,
                           *b = job->capsules + (size_t)k * job->capsule_count;
    if (hypotf(job->places[i].x - job->places[k].x, job->places[i].z - job->places[k].z) > FAR)
        return false;
    for (uint32_t p = 0; p < job->capsule_count; p++)
        for (uint32_t q = 0; q < job->capsule_count; q++)
            if (between(&a[p], &b[q]) < a[p].radius + b[q].radius - ROUNDING)
                return true;
    return false;
}

static bool hits_scene(const frames_job *job, uint32_t person) {
    const tr_solid_capsule *capsules = job->capsules + (size_t)person * job->capsule_count;
    for (uint32_t k = 0; k < job->capsule_count; k++) {
        tr_solid_capsule capsule = capsules[k];
        capsule.radius -= ROUNDING;
        if (tr_solid_touches(job->solid, &capsule))
            return true;
    }
    return false;
}

bool lau_check_frames(const tr_behavior_cast *cast, const tr_behavior_crowd *crowd,
                      const tr_behavior_person *people, uint32_t count, tr_scene *scene, lau_frames *frames) {
    frames_job job = {.cast = cast, .crowd = crowd, .people = people, .count = count};
    bool fine = open_job(&job, scene);
    tr_behavior_crowd_view view;
    uint32_t last = 0;
    double rate = tr_behavior_def_of(cast->machine)->frames_per_second, before = tr_scene_time(scene);
    *frames = (lau_frames){0};
    for (uint32_t i = 0; tr_behavior_crowd_look(crowd, i, &view); i++)
        last = view.plan->end_frame > last ? view.plan->end_frame : last;
    for (uint32_t frame = 0; fine && frame <= last; frame++) {
        bool with_scene = frame % SCENE_EVERY == 0;
        pose_all(&job, frame);
        if (with_scene)
            fine = tr_scene_set_time(scene, frame / rate) == TR_OK &&
                   tr_solid_update(job.solid, NULL, NULL) == TR_OK;
        for (uint32_t i = 0; i < count && fine; i++) {
            frames->scene += with_scene && hits_scene(&job, i);
            for (uint32_t k = i + 1; k < count; k++)
                frames->pairs += touch(&job, i, k);
        }
    }
    tr_scene_set_time(scene, before);
    close_job(&job);
    return fine;
}
