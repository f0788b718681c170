// Upper bodies of mannequins and of random humanoids: what is written is read again, feet stay, and the
// fitted capsules cover the body in poses that depart from those of the window.
#include "../humanoid.h"
#include "motion/upper/upper.h"
#include "troupe/motion/mannequin.h"
#include "troupe/world/distance.h"

#include <math.h>

#define JOINTS 80
#define KINDS 7

typedef struct person {
    tr_skeleton *skeleton;
    tr_body *body;
    tr_cast *cast;
    tr_upper upper;
    tr_pose pose;
    tr_affine model[JOINTS], place;
} person;

static bool open_person(person *p, uint32_t kind) {
    static const float heights[] = {1.1f, 1.75f, 2.0f};
    tr_error error = {0};
    memset(p, 0, sizeof *p);
    if (kind < 3)
        CHECK_INT(tr_mannequin_make(&(tr_mannequin_def){.height = heights[kind], .detail = 1}, &p->skeleton,
                                    &p->body, &error),
                  TR_OK);
    else
        p->skeleton = humanoid_make(NULL,
                                    (humanoid_def){.size = 0.6f + 0.2f * (float)kind,
                                                   .arms = (humanoid_arms)(kind % 3),
                                                   .spine_bones = kind - 2,
                                                   .odd_axes = kind > 4},
                                    kind);
    bool good =
        p->skeleton &&
        tr_cast_create(&(tr_cast_def){.skeleton = p->skeleton, .body = p->body}, &p->cast, &error) == TR_OK &&
        tr_upper_measure(p->cast, &p->upper, &error) == TR_OK &&
        tr_pose_create(NULL, tr_skeleton_joint_count(p->skeleton), &p->pose, &error) == TR_OK &&
        tr_skeleton_joint_count(p->skeleton) <= JOINTS;
    if (!good)
        test_failed(__FILE__, __LINE__, "person %u: %s", kind, error.message);
    return good;
}

static void close_person(person *p) {
    tr_pose_destroy(&p->pose);
    tr_cast_destroy(p->cast);
    tr_body_destroy(p->body);
    tr_skeleton_destroy(p->skeleton);
}

// A moment of a walk somewhere.
static tr_upper_frame take_moment(person *p, double time, float heading) {
    p->place = tr_affine_place(tr_vec3_make(3, 0.5f, -7), (double)heading);
    tr_clip_sample(p->cast->cycles[0], time, &p->pose);
    tr_pose_to_model(p->skeleton, &p->pose, &p->place, p->model);
    tr_upper_frame frame;
    tr_upper_read(&p->upper, p->cast, p->model, heading, &frame);
    return frame;
}

static float between(float value, float low, float high) {
    return value < low ? low : value > high ? high : value;
}

static tr_comply_pose depart(const person *p, const tr_comply_pose *from, tr_random *random) {
    const tr_comply_body *body = &p->upper.body;
    tr_comply_pose to = *from;
    to.waist[0] = between(from->waist[0] + tr_random_between(random, -0.1f, 1), body->waist_low[0],
                          body->waist_high[0]);
    to.waist[2] = between(from->waist[2] + tr_random_between(random, -0.5f, 0.5f), body->waist_low[2],
                          body->waist_high[2]);
    for (int side = 0; side < 2; side++)
        for (int k = 0; k < TR_COMPLY_ARM_ANGLES; k++) {
            const tr_arm *arm = &body->arms[side];
            float low = k == TR_ELBOW_FLEXION ? 0.2f : arm->low.q[k]; // a straight elbow bends to any side
            to.arms[side][k] =
                between(from->arms[side][k] + tr_random_between(random, -0.5f, 0.5f), low, arm->high.q[k]);
        }
    return to;
}

TEST(what_is_written_is_read_again_and_feet_stay) {
    for (uint32_t kind = 0; kind < KINDS; kind++) {
        person p;
        tr_random random = tr_random_seed(kind + 1);
        for (int i = 0; (i == 0 ? open_person(&p, kind) : true) && i < 60; i++) {
            double time = (double)tr_random_unit(&random);
            float heading = tr_random_between(&random, -3, 3);
            tr_upper_frame from = take_moment(&p, time, heading), found;
            tr_comply_pose to = depart(&p, &from.pose, &random);
            tr_vec3 ankles[2];
            for (int side = 0; side < 2; side++)
                ankles[side] = tr_affine_position(&p.model[p.cast->legs.feet[side].ankle]);
            tr_upper_write(&p.upper, p.cast, &from, &to, &p.pose, &p.place, p.model);
            tr_upper_read(&p.upper, p.cast, p.model, heading, &found);
            for (int k = 0; k < 3; k++)
                CHECK_NEAR(found.pose.waist[k], to.waist[k], 2e-3);
            for (int k = 0; k < 8; k++)
                CHECK_NEAR(found.pose.arms[k / 4][k % 4], to.arms[k / 4][k % 4], 0.02);
            for (int side = 0; side < 2; side++)
                CHECK(tr_vec3_distance(ankles[side],
                                       tr_affine_position(&p.model[p.cast->legs.feet[side].ankle])) <
                      5e-3f * p.cast->height);
        }
        close_person(&p);
    }
}

TEST(a_pose_that_does_not_depart_keeps_its_bits) {
    person p;
    if (open_person(&p, 1)) {
        tr_upper_frame frame = take_moment(&p, 0.3, 1);
        tr_affine before[JOINTS];
        memcpy(before, p.model, sizeof before);
        tr_upper_write(&p.upper, p.cast, &frame, &frame.pose, &p.pose, &p.place, p.model);
        CHECK(memcmp(before, p.model, sizeof before) == 0);
    }
    close_person(&p);
}

// How far a capsule of the body is outside a capsule of plan/comply.
static float outside(tr_vec3 a, tr_vec3 b, float radius, const tr_solid_capsule *cover) {
    float at_a = sqrtf(tr_distance_point_segment(a, cover->a, cover->b, NULL)),
          at_b = sqrtf(tr_distance_point_segment(b, cover->a, cover->b, NULL));
    return (at_a > at_b ? at_a : at_b) + radius - cover->radius;
}

TEST(fitted_capsules_cover_the_body_wherever_it_departs) {
    for (uint32_t kind = 0; kind < 3; kind++) {
        person p;
        tr_random random = tr_random_seed(100 + kind);
        tr_upper_frame frames[16];
        if (!open_person(&p, kind)) {
            close_person(&p);
            continue;
        }
        for (int i = 0; i < 16; i++)
            frames[i] = take_moment(&p, i / 16.0, 0.4f);
        tr_comply_body body;
        tr_upper_fit(&p.upper, p.cast, frames, 16, 0, &body);
        const tr_body_def *view = tr_body_view(p.body);
        float grown = 0;
        for (int i = 0; i < 64; i++) {
            tr_upper_frame frame = take_moment(&p, i % 16 / 16.0, 0.4f);
            tr_comply_pose to = depart(&p, &frame.pose, &random);
            tr_upper_write(&p.upper, p.cast, &frame, &to, &p.pose, &p.place, p.model);
            tr_solid_capsule cover[TR_COMPLY_CAPSULES_MAX];
            tr_comply_capsules(&body, &frame.place, &to, cover);
            for (uint32_t k = 0; k < p.upper.trunk_count; k++) {
                const tr_capsule *own = &view->capsules[p.upper.trunk[k]];
                const tr_affine *joint = &p.model[own->joint];
                CHECK(outside(tr_affine_apply(joint, own->a), tr_affine_apply(joint, own->b), own->radius,
                              &cover[k]) < 1e-3f);
                grown = cover[k].radius - own->radius > grown ? cover[k].radius - own->radius : grown;
            }
            for (int side = 0; side < 2; side++)
                for (int link = 0; link < 2; link++) {
                    const tr_arm_rig *rig = &p.upper.arms[side];
                    tr_vec3 a = tr_affine_position(&p.model[link ? rig->forearm : rig->upper]),
                            b = tr_affine_position(&p.model[link ? rig->hand : rig->forearm]);
                    CHECK(outside(a, b, rig->arm.radius[link],
                                  &cover[body.part_count + (uint32_t)(3 * side + link)]) < 2e-3f);
                }
        }
        CHECK(grown < 0.02f * p.cast->height);
        close_person(&p);
    }
}
