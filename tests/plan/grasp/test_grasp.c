#include "grasp_objects.h"

#include "troupe/world/distance.h"

// The gap between a capsule and the nearest triangle, by trying every triangle.
static double gap_of(const thing *t, const tr_solid_capsule *capsule) {
    double least = 9;
    for (uint32_t i = 0; i < t->triangles; i++) {
        double square =
            (double)tr_distance_segment_triangle(capsule->a, capsule->b, t->corners + 3 * i, NULL, NULL);
        double gap = sqrt(square) - (double)capsule->radius;
        least = gap < least ? gap : least;
    }
    return least;
}

static double least_gap(const thing *t, const tr_hand_shape *hand, const tr_grasp *grasp,
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

static void check_contacts(const thing *t, const tr_hand_shape *hand, const tr_grasp *grasp) {
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
    int found = 0, small = 0;
    for (int round = 0; round < 40; round++) {
        thing_kind kind;
        tr_vec3 half;
        thing t = thing_random(&random, &kind, &half);
        float height = tr_random_between(&random, 1.4f, 2.0f);
        tr_hand_shape hand = tr_hand_default(round % 2 ? TR_ARM_LEFT : TR_ARM_RIGHT, height);
        tr_grasp_def def = tr_grasp_def_default(&hand, t.solid, t.bounds);
        tr_grasp grasps[8];
        uint32_t count;
        tr_status status = tr_grasp_find(&def, grasps, 8, &count, NULL);
        // A hand opens to 10 cm, and its finger tips are too round for peas.
        bool is_small =
            fminf(half.x, fminf(half.y, half.z)) < 0.03f && (kind != THING_BALL || half.x > 0.006f);
        small += is_small;
        found += is_small && status == TR_OK;
        CHECK(status == TR_OK ? count > 0 : status == TR_NOT_FOUND && count == 0);
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
    CHECK(small > 20 && found == small);
}

// The bends at which the bones of a finger come to rest, in steps so small that nothing can be missed.
static void close_slowly(const thing *t, const tr_hand_shape *hand, const tr_grasp *grasp, uint32_t finger,
                         tr_hand_posture *closed) {
    tr_transform at = {grasp->wrist, grasp->rotation, {1, 1, 1}};
    tr_affine place = tr_affine_from_transform(at);
    tr_hand_posture most = tr_grip_posture(hand, grasp->grip, 0);
    uint32_t first = 0;
    const int steps = 1500;
    for (int step = 0; step <= steps && first < TR_FINGER_BONES; step++) {
        for (uint32_t b = first; b < TR_FINGER_BONES; b++) {
            float from = grasp->open.bend[finger][b], to = most.bend[finger][b];
            closed->bend[finger][b] = from + (to - from) * (float)step / (float)steps;
        }
        tr_finger_place bones = tr_hand_put(hand, closed, finger);
        for (uint32_t b = TR_FINGER_BONES; b-- > first;) {
            tr_solid_capsule bone = {tr_affine_apply(&place, bones.joints[b]),
                                     tr_affine_apply(&place, bones.joints[b + 1]),
                                     hand->fingers[finger].radius[b]};
            if (gap_of(t, &bone) <= 0.0003)
                first = b + 1;
        }
    }
}

TEST(fingers_come_to_rest_where_they_do_when_they_close_in_the_smallest_steps) {
    tr_random random = tr_random_seed(2);
    int compared = 0;
    double worst = 0;
    for (int round = 0; round < 12; round++) {
        thing_kind kind;
        tr_vec3 half;
        thing t = thing_random(&random, &kind, &half);
        tr_hand_shape hand = tr_hand_default(TR_ARM_RIGHT, 1.75f);
        tr_grasp_def def = tr_grasp_def_default(&hand, t.solid, t.bounds);
        tr_grasp grasp;
        uint32_t count = 0;
        tr_grasp_find(&def, &grasp, 1, &count, NULL);
        for (uint32_t f = TR_INDEX; count && f < TR_FINGERS; f++) {
            tr_hand_posture slow = grasp.open;
            close_slowly(&t, &hand, &grasp, f, &slow);
            for (uint32_t b = 0; b < TR_FINGER_BONES; b++)
                worst = fmax(worst, fabs((double)slow.bend[f][b] - (double)grasp.closed.bend[f][b]));
            compared++;
        }
        thing_release(&t);
    }
    CHECK(compared > 20);
    CHECK(worst < 0.03); // the last third of a millimetre
}

TEST(a_left_hand_grasps_as_the_mirror_image_of_a_right_one) {
    tr_hand_shape hands[2] = {tr_hand_default(TR_ARM_RIGHT, 1.7f), tr_hand_default(TR_ARM_LEFT, 1.7f)};
    thing ball = thing_make(THING_BALL, tr_vec3_make(.03f, .03f, .03f), tr_affine_identity());
    for (uint32_t g = 0; g < TR_GRIPS; g++) {
        tr_hand_posture posture[2];
        for (int k = 0; k < 2; k++)
            posture[k] = tr_grip_posture(&hands[k], (tr_grip)g, 0.4f);
        for (uint32_t f = 0; f < TR_FINGERS; f++) {
            tr_finger_place right = tr_hand_put(&hands[0], &posture[0], f),
                            left = tr_hand_put(&hands[1], &posture[1], f);
            for (int b = 0; b <= TR_FINGER_BONES; b++) {
                tr_vec3 mirrored = {-right.joints[b].x, right.joints[b].y, right.joints[b].z};
                CHECK(tr_vec3_distance(mirrored, left.joints[b]) < 1e-6f);
            }
        }
    }
    thing_release(&ball);
}

TEST(a_hand_stays_clear_of_the_table_under_the_thing) {
    tr_transform up = {{0, .06f, 0}, tr_quat_identity(), {1, 1, 1}};
    thing cup = thing_make(THING_PRISM, tr_vec3_make(.035f, .05f, .035f), tr_affine_from_transform(up));
    thing table = thing_make(THING_BOX, tr_vec3_make(.4f, .01f, .4f), tr_affine_identity());
    tr_hand_shape hand = tr_hand_default(TR_ARM_RIGHT, 1.75f);
    tr_grasp_def def = tr_grasp_def_default(&hand, cup.solid, cup.bounds);
    def.others = table.solid;
    tr_grasp grasps[32];
    uint32_t count;
    REQUIRE(tr_grasp_find(&def, grasps, 32, &count, NULL) == TR_OK);
    CHECK(count > 4);
    for (uint32_t i = 0; i < count; i++) {
        CHECK(least_gap(&table, &hand, &grasps[i], &grasps[i].open) >= (double)def.margin - 1e-5);
        CHECK(least_gap(&table, &hand, &grasps[i], &grasps[i].closed) >= (double)def.margin - 1e-5);
        CHECK(grasps[i].approach.y < 0.95f); // not from below
    }
    thing_release(&cup);
    thing_release(&table);
}

TEST(a_tray_is_carried_from_below_and_a_bag_by_its_handle) {
    thing tray = thing_make(THING_BOX, tr_vec3_make(.2f, .01f, .15f), tr_affine_identity());
    tr_hand_shape hand = tr_hand_default(TR_ARM_LEFT, 1.75f);
    tr_grasp_def def = tr_grasp_def_default(&hand, tray.solid, tray.bounds);
    tr_grasp grasp;
    uint32_t count;
    def.grips = 1u << TR_GRIP_FLAT;
    REQUIRE(tr_grasp_find(&def, &grasp, 1, &count, NULL) == TR_OK);
    CHECK(grasp.approach.y > 0.9f && grasp.wrist.y < -0.01f);
    thing_release(&tray);
    tr_quat lying = tr_quat_about(tr_vec3_make(0, 0, 1), TR_PI / 2);
    tr_transform place = {{0, 1, 0}, lying, {1, 1, 1}};
    thing handle = thing_make(THING_PRISM, tr_vec3_make(.012f, .06f, .012f), tr_affine_from_transform(place));
    tr_grasp_def hook = tr_grasp_def_default(&hand, handle.solid, handle.bounds);
    hook.grips = 1u << TR_GRIP_HOOK;
    REQUIRE(tr_grasp_find(&hook, &grasp, 1, &count, NULL) == TR_OK);
    for (uint32_t i = 0, under = 0; i < grasp.contact_count; i++) {
        under += grasp.contacts[i].inwards.y > 0.5f;
        CHECK(i + 1 < grasp.contact_count || under >= 2);
    }
    thing_release(&handle);
}

TEST(what_is_too_large_for_a_hand_is_told) {
    thing wall = thing_make(THING_BOX, tr_vec3_make(.5f, .5f, .5f), tr_affine_identity());
    tr_hand_shape hand = tr_hand_default(TR_ARM_RIGHT, 1.75f);
    tr_grasp_def def = tr_grasp_def_default(&hand, wall.solid, wall.bounds);
    tr_grasp grasp;
    uint32_t count = 7;
    tr_error error;
    CHECK(tr_grasp_find(&def, &grasp, 1, &count, &error) == TR_NOT_FOUND);
    CHECK_INT(count, 0);
    CHECK_CONTAINS(error.message, "1 m thick");
    thing_release(&wall);
}

TEST(impossible_hands_and_numbers_are_refused) {
    thing ball = thing_make(THING_BALL, tr_vec3_make(.03f, .03f, .03f), tr_affine_identity());
    tr_hand_shape hand = tr_hand_default(TR_ARM_RIGHT, 1.75f);
    const tr_grasp_def good = tr_grasp_def_default(&hand, ball.solid, ball.bounds);
    tr_grasp grasp = {0};
    uint32_t count;
    tr_error error;
    tr_grasp_def def = good;
    def.friction = NAN;
    CHECK(tr_grasp_find(&def, &grasp, 1, &count, &error) == TR_INVALID);
    CHECK_CONTAINS(error.message, "friction");
    def = good;
    def.rolls = 0;
    CHECK(tr_grasp_find(&def, &grasp, 1, &count, &error) == TR_INVALID);
    def = good;
    def.bounds = tr_box_empty();
    CHECK(tr_grasp_find(&def, &grasp, 1, &count, &error) == TR_INVALID);
    def = good;
    def.margin = -1;
    CHECK(tr_grasp_find(&def, &grasp, 1, &count, &error) == TR_INVALID);
    CHECK_CONTAINS(error.message, "margin");
    grasp.wrist.x = INFINITY;
    CHECK(tr_grasp_close(&good, &grasp, &error) == TR_INVALID);
    grasp = (tr_grasp){.grip = TR_GRIPS};
    CHECK(tr_grasp_close(&good, &grasp, &error) == TR_INVALID);
    // Far away there is nothing to hold.
    grasp = (tr_grasp){.wrist = {3, 0, 0}, .open = tr_grip_posture(&hand, TR_GRIP_POWER, 1)};
    CHECK(tr_grasp_close(&good, &grasp, &error) == TR_NOT_FOUND);
    CHECK(!tr_grip_name(TR_GRIPS) && tr_grip_name(TR_GRIP_HOOK));
    thing_release(&ball);
}
