#include "grasp_objects.h"

#include "troupe/base/clock.h"
#include "troupe/world/distance.h"

#include <stdio.h>

// The gap between a capsule and the nearest triangle, by trying every triangle.
static double gap_of(const thing *t, const tr_solid_capsule *capsule) {
    double least = 9;
    for (uint32_t i = 0; i < t->triangles; i++) {
        double square = (double)tr_distance_segment_triangle(capsule->a, capsule->b, t->corners + 3 * i, NULL, NULL);
        double gap = sqrt(square) - (double)capsule->radius;
        least = gap < least ? gap : least;
    }
    return least;
}

static double least_gap(const thing *t, const tr_hand *hand, const tr_grasp *grasp,
                        const tr_hand_posture *posture) {
    tr_transform at = {grasp->wrist, grasp->rotation, {1, 1, 1}};
    tr_affine place = tr_affine_from_transform(at);
    tr_solid_capsule capsules[TR_HAND_CAPSULES];
    uint32_t count = tr_hand_capsules(hand, posture, &place, capsules, NULL);
    double least = 9;
    for (uint32_t i = 0; i < count; i++)
        least = fmin(least, gap_of(t, &capsules[i]));
    return least;
}

// Is there a pair of contacts whose cones of friction hold each other, one of them of the thumb or the palm?
static bool holds_by_friction(const tr_grasp *grasp, double friction) {
    double cone = cos(atan(friction)) - 1e-4;
    for (uint32_t i = 0; i < grasp->contact_count; i++)
        for (uint32_t k = 0; k < grasp->contact_count; k++) {
            const tr_grasp_contact *a = &grasp->contacts[i], *b = &grasp->contacts[k];
            bool opposed = (a->finger == TR_THUMB || a->finger == TR_FINGERS) && b->finger != TR_THUMB &&
                           b->finger != TR_FINGERS;
            double x = (double)b->point.x - a->point.x, y = (double)b->point.y - a->point.y,
                   z = (double)b->point.z - a->point.z, length = sqrt(x * x + y * y + z * z);
            double first = (a->inwards.x * x + a->inwards.y * y + a->inwards.z * z) / length;
            double second = -(b->inwards.x * x + b->inwards.y * y + b->inwards.z * z) / length;
            if (opposed && ((first >= cone && second >= cone) || length < 0.0011))
                return true;
        }
    return false;
}

static void check_contacts(const thing *t, const tr_hand *hand, const tr_grasp *grasp) {
    tr_transform at = {grasp->wrist, grasp->rotation, {1, 1, 1}};
    tr_affine place = tr_affine_from_transform(at);
    tr_solid_capsule capsules[TR_HAND_CAPSULES];
    uint32_t fingers[TR_HAND_CAPSULES];
    uint32_t count = tr_hand_capsules(hand, &grasp->closed, &place, capsules, fingers);
    for (uint32_t i = 0; i < grasp->contact_count; i++) {
        const tr_grasp_contact *contact = &grasp->contacts[i];
        tr_solid_capsule point = {contact->point, contact->point, 0};
        CHECK_NEAR(gap_of(t, &point), 0, 1e-5);
        CHECK_NEAR((double)tr_vec3_length(contact->inwards), 1, 1e-4);
        double nearest = 9;
        for (uint32_t k = 0; k < count; k++)
            if (fingers[k] == contact->finger)
                nearest = fmin(nearest, sqrt((double)tr_distance_point_segment(contact->point, capsules[k].a,
                                                                             capsules[k].b, NULL)) -
                                            (double)capsules[k].radius);
        CHECK(nearest > -1e-5 && nearest < 0.0016);
    }
}

TEST(grasps_of_random_things_touch_them_from_opposite_sides_and_enter_nothing) {
    tr_random random = tr_random_seed(1);
    int found = 0, small = 0, tried = 120;
    uint64_t begin = tr_clock_nanoseconds();
    for (int round = 0; round < tried; round++) {
        thing_kind kind;
        tr_vec3 half;
        thing t = thing_random(&random, &kind, &half);
        float height = tr_random_between(&random, 1.4f, 2.0f);
        tr_hand hand = tr_hand_default(round % 2 ? TR_ARM_LEFT : TR_ARM_RIGHT, height);
        tr_grasp_def def = tr_grasp_def_default(&hand, t.solid, t.bounds);
        tr_grasp grasps[8];
        uint32_t count;
        tr_error error;
        tr_status status = tr_grasp_find(&def, grasps, 8, &count, &error);
        float thin = fminf(half.x, fminf(half.y, half.z));
        small += thin < 0.03f;
        found += status == TR_OK;
        if (status != TR_OK)
            printf("# round %d kind %d half %.3f %.3f %.3f: %s\n", round, kind, (double)half.x, (double)half.y, (double)half.z, error.message);
        for (uint32_t i = 0; i < count; i++) {
            CHECK(i == 0 || grasps[i].quality <= grasps[i - 1].quality);
            double open = least_gap(&t, &hand, &grasps[i], &grasps[i].open);
            double closed = least_gap(&t, &hand, &grasps[i], &grasps[i].closed);
            CHECK(open > -1e-5);
            CHECK(closed > -1e-5 && closed < 0.0004);
            CHECK(holds_by_friction(&grasps[i], (double)def.friction));
            check_contacts(&t, &hand, &grasps[i]);
        }
        thing_release(&t);
    }
    printf("# %d of %d, %d small, %g ms each\n", found, tried, small, (double)(tr_clock_nanoseconds() - begin) / 1e6 / tried);
    CHECK(found >= small * 95 / 100);
}
