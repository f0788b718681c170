// The builds of the mannequin: child, woman, man, old, heavy.
#include "test.h"
#include "troupe/motion/mannequin.h"

#include <math.h>
#include <string.h>

typedef struct person {
    tr_skeleton *skeleton;
    tr_body *body;
    const tr_body_def *view;
    float height;
} person;

static bool begin(person *made, tr_mannequin_shape shape, float height, uint32_t detail) {
    *made = (person){0};
    tr_error error = {0};
    tr_mannequin_def def = {.shape = shape, .height = height, .detail = detail};
    CHECK_INT(tr_mannequin_make(&def, &made->skeleton, &made->body, &error), TR_OK);
    CHECK_TEXT(error.message, "");
    if (!made->body)
        return false;
    made->view = tr_body_view(made->body);
    made->height = tr_skeleton_height(made->skeleton);
    return true;
}

static void end(person *made) {
    tr_body_destroy(made->body);
    tr_skeleton_destroy(made->skeleton);
}

// As a share of the height.
static tr_vec3 joint_of(const person *made, tr_role role) {
    uint32_t joint = tr_skeleton_with_role(made->skeleton, role);
    tr_vec3 place = tr_affine_position(&tr_skeleton_rest_model(made->skeleton)[joint]);
    return tr_vec3_scale(place, 1 / made->height);
}

static double volume_of(const person *made) {
    double volume = 0;
    for (uint32_t i = 0; i < made->view->triangle_count; i++) {
        const uint32_t *corner = &made->view->indices[3 * i];
        tr_vec3 a = made->view->positions[corner[0]], b = made->view->positions[corner[1]];
        volume += (double)tr_vec3_dot(a, tr_vec3_cross(b, made->view->positions[corner[2]])) / 6;
    }
    return volume;
}

// Half the width of the skin of trunk and legs at a share of the height.
static float half_width(const person *made, float low, float high) {
    float most = 0;
    uint32_t hips = tr_skeleton_with_role(made->skeleton, TR_ROLE_HIPS);
    uint32_t neck = tr_skeleton_with_role(made->skeleton, TR_ROLE_NECK);
    for (uint32_t i = 0; i < made->view->vertex_count; i++) {
        tr_vec3 p = tr_vec3_scale(made->view->positions[i], 1 / made->height);
        bool trunk = made->view->joints[i][0] >= hips && made->view->joints[i][0] <= neck;
        if (trunk && p.y > low && p.y < high)
            most = fmaxf(most, p.x);
    }
    return most;
}

TEST(every_build_has_its_usual_height_and_stands_on_its_soles) {
    for (int shape = 0; shape < TR_SHAPES; shape++)
        for (uint32_t detail = 0; detail < 2; detail++) {
            person made;
            if (begin(&made, (tr_mannequin_shape)shape, 0, detail)) {
                float low = 1, high = 0;
                for (uint32_t i = 0; i < made.view->vertex_count; i++) {
                    low = fminf(low, made.view->positions[i].y);
                    high = fmaxf(high, made.view->positions[i].y);
                }
                CHECK_NEAR(made.height, tr_mannequin_shape_height((tr_mannequin_shape)shape), 1e-5);
                CHECK_NEAR(low, 0, 1e-6);
                CHECK_NEAR(high, made.height, 1e-5);
                CHECK(volume_of(&made) > 0);
            }
            end(&made);
        }
}

TEST(a_child_is_not_a_small_adult) {
    person child, adult;
    if (begin(&child, TR_SHAPE_CHILD, 0, 0) && begin(&adult, TR_SHAPE_ADULT, child.height, 0)) {
        // From the chin up: a sixth of the height instead of an eighth.
        CHECK_NEAR(1 - (double)joint_of(&child, TR_ROLE_HEAD).y, 0.166 * 0.887, 0.01);
        CHECK(joint_of(&child, TR_ROLE_LEFT_THIGH).y < joint_of(&adult, TR_ROLE_LEFT_THIGH).y - 0.03f);
        CHECK_NEAR(child.height, adult.height, 1e-5);
    }
    end(&child);
    end(&adult);
}

TEST(women_have_narrower_shoulders_and_wider_hips_than_men) {
    person woman, man;
    if (begin(&woman, TR_SHAPE_WOMAN, 1.7f, 0) && begin(&man, TR_SHAPE_MAN, 1.7f, 0)) {
        CHECK(joint_of(&woman, TR_ROLE_LEFT_UPPER_ARM).x < joint_of(&man, TR_ROLE_LEFT_UPPER_ARM).x - 0.005f);
        CHECK(joint_of(&woman, TR_ROLE_LEFT_THIGH).x > joint_of(&man, TR_ROLE_LEFT_THIGH).x);
        CHECK(half_width(&woman, .50f, .55f) > half_width(&man, .50f, .55f) + 0.005f);
        CHECK(half_width(&woman, .76f, .80f) < half_width(&man, .76f, .80f) - 0.01f);
    }
    end(&woman);
    end(&man);
}

// A body mass index of 35 instead of 23.
TEST(heavy_people_have_half_as_much_mass_again) {
    person heavy, adult;
    if (begin(&heavy, TR_SHAPE_HEAVY, 1.75f, 0) && begin(&adult, TR_SHAPE_ADULT, 1.75f, 0)) {
        double ratio = volume_of(&heavy) / volume_of(&adult);
        CHECK(ratio > 1.4 && ratio < 1.8);
    }
    end(&heavy);
    end(&adult);
}

static float distance_to(tr_vec3 p, tr_vec3 a, tr_vec3 b) {
    tr_vec3 line = tr_vec3_subtract(b, a), off = tr_vec3_subtract(p, a);
    float length = tr_vec3_dot(line, line), t = length > 0 ? tr_vec3_dot(off, line) / length : 0;
    t = fminf(fmaxf(t, 0), 1);
    return tr_vec3_length(tr_vec3_subtract(off, tr_vec3_scale(line, t)));
}

// How far the skin sticks out of the capsules at most, as a share of the height.
static float uncovered(const person *made) {
    const tr_affine *rest = tr_skeleton_rest_model(made->skeleton);
    float worst = 0;
    for (uint32_t i = 0; i < made->view->vertex_count; i++) {
        float nearest = INFINITY;
        for (uint32_t k = 0; k < made->view->capsule_count; k++) {
            const tr_capsule *c = &made->view->capsules[k];
            tr_vec3 a = tr_affine_apply(&rest[c->joint], c->a), b = tr_affine_apply(&rest[c->joint], c->b);
            nearest = fminf(nearest, distance_to(made->view->positions[i], a, b) - c->radius);
        }
        worst = fmaxf(worst, nearest);
    }
    return worst / made->height;
}

TEST(capsules_cover_every_build_as_well_as_the_adult) {
    for (int shape = 0; shape < TR_SHAPES; shape++) {
        person made;
        if (begin(&made, (tr_mannequin_shape)shape, 0, 0))
            CHECK(uncovered(&made) < 0.03f);
        end(&made);
    }
}

TEST(people_of_each_build_move_as_published) {
    tr_manner adult = tr_mannequin_shape_manner(TR_SHAPE_ADULT), zero = {0};
    CHECK(memcmp(&adult, &zero, sizeof zero) == 0);
    for (int shape = 0; shape < TR_SHAPES; shape++) {
        tr_manner manner = tr_mannequin_shape_manner((tr_mannequin_shape)shape);
        CHECK_INT(tr_manner_check(&manner, NULL), TR_OK);
    }
    tr_manner old = tr_mannequin_shape_manner(TR_SHAPE_OLD),
              heavy = tr_mannequin_shape_manner(TR_SHAPE_HEAVY);
    CHECK(old.speed < -0.1f && old.cadence > 0 && old.stoop > 0 && old.width > 0 && old.arm_swing[0] < 0);
    CHECK(heavy.speed < 0 && heavy.width > old.width);
}

TEST(shapes_have_names_and_others_are_refused) {
    CHECK_TEXT(tr_mannequin_shape_name(TR_SHAPE_ADULT), "adult");
    CHECK_TEXT(tr_mannequin_shape_name(TR_SHAPE_HEAVY), "heavy");
    CHECK(tr_mannequin_shape_name(TR_SHAPES) == NULL);
    CHECK_NEAR(tr_mannequin_shape_height(TR_SHAPES), 1.75, 1e-6);
    tr_mannequin_def def = {.shape = TR_SHAPES};
    tr_skeleton *skeleton = NULL;
    tr_error error = {0};
    CHECK_INT(tr_mannequin_make(&def, &skeleton, NULL, &error), TR_INVALID);
    CHECK_CONTAINS(error.message, "the mannequin's shape is 6, it must be 0 to 5");
}
