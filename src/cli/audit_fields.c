#include "audit_fields.h"
#include "json_fields.h"

#include <math.h>
#include <stdio.h>

static float larger(float a, float b) {
    return b > a || a != a ? b : a;
}

static float smaller(float a, float b) {
    return b < a || a != a ? b : a;
}

void audit_merge(tr_audit *worst, const tr_audit *one) {
    uint32_t plants = worst->plants + one->plants;
    if (plants)
        worst->slide_mm_mean =
            (worst->slide_mm_mean * (float)worst->plants + one->slide_mm_mean * (float)one->plants) /
            (float)plants;
    worst->frames = one->frames > worst->frames ? one->frames : worst->frames;
    worst->fps = one->fps;
    worst->plants = plants;
    worst->slide_mm_max = larger(worst->slide_mm_max, one->slide_mm_max);
    worst->plant_speed_max = larger(worst->plant_speed_max, one->plant_speed_max);
    worst->skate_mm = larger(worst->skate_mm, one->skate_mm);
    worst->penetration_mm_max = larger(worst->penetration_mm_max, one->penetration_mm_max);
    worst->clearance_mm_min = smaller(worst->clearance_mm_min, one->clearance_mm_min);
    worst->joint_limit_violations += one->joint_limit_violations;
    worst->joint_limit_worst = larger(worst->joint_limit_worst, one->joint_limit_worst);
    worst->jerk_30hz = larger(worst->jerk_30hz, one->jerk_30hz);
    worst->ldlj = smaller(worst->ldlj, one->ldlj);
    worst->seam_mps = larger(worst->seam_mps, one->seam_mps);
    worst->collisions += one->collisions;
    worst->collision_mm_max = larger(worst->collision_mm_max, one->collision_mm_max);
    worst->self_collisions += one->self_collisions;
    worst->self_collision_mm_max = larger(worst->self_collision_mm_max, one->self_collision_mm_max);
}

void audit_write_fields(tr_json_writer *writer, const tr_audit *audit) {
    json_field_count(writer, "frames", audit->frames);
    json_field_number(writer, "fps", audit->fps);
    json_field_count(writer, "plants", audit->plants);
    json_field_float(writer, "slide_mm_max", audit->slide_mm_max);
    json_field_float(writer, "slide_mm_mean", audit->slide_mm_mean);
    json_field_float(writer, "plant_speed_max_mps", audit->plant_speed_max);
    json_field_float(writer, "skate_mm", audit->skate_mm);
    json_field_float(writer, "penetration_mm_max", audit->penetration_mm_max);
    json_field_float(writer, "clearance_mm_min", audit->clearance_mm_min);
    json_field_count(writer, "joint_limit_violations", audit->joint_limit_violations);
    json_field_float(writer, "joint_limit_worst_rad", audit->joint_limit_worst);
    json_field_float(writer, "jerk_30hz", audit->jerk_30hz);
    json_field_float(writer, "ldlj", audit->ldlj);
    json_field_float(writer, "seam_mps", audit->seam_mps);
    json_field_count(writer, "collisions", audit->collisions);
    json_field_float(writer, "collision_mm_max", audit->collision_mm_max);
    json_field_count(writer, "self_collisions", audit->self_collisions);
    json_field_float(writer, "self_collision_mm_max", audit->self_collision_mm_max);
}

// One line of the table.
typedef struct audit_row {
    const char *name, *unit;
    int digits;
    double (*value)(const tr_audit *audit);
} audit_row;

#define VALUE(field)                                                                                         \
    static double value_of_##field(const tr_audit *audit) {                                                  \
        return (double)audit->field;                                                                         \
    }
VALUE(frames)
VALUE(fps)
VALUE(plants)
VALUE(slide_mm_max)
VALUE(slide_mm_mean)
VALUE(plant_speed_max)
VALUE(skate_mm)
VALUE(penetration_mm_max)
VALUE(clearance_mm_min)
VALUE(joint_limit_violations)
VALUE(joint_limit_worst)
VALUE(jerk_30hz)
VALUE(ldlj)
VALUE(seam_mps)
VALUE(collisions)
VALUE(collision_mm_max)
VALUE(self_collisions)
VALUE(self_collision_mm_max)

static const audit_row rows[] = {
    {"frames", "", 0, value_of_frames},
    {"rate", "1/s", 1, value_of_fps},
    {"plants of a heel or toes", "", 0, value_of_plants},
    {"slide in a plant, worst", "mm", 2, value_of_slide_mm_max},
    {"slide in a plant, mean", "mm", 2, value_of_slide_mm_mean},
    {"speed in a plant, worst", "m/s", 3, value_of_plant_speed_max},
    {"skate (MANN)", "mm", 2, value_of_skate_mm},
    {"below the floor, worst", "mm", 2, value_of_penetration_mm_max},
    {"clearance in swing, least", "mm", 1, value_of_clearance_mm_min},
    {"joint limits exceeded", "", 0, value_of_joint_limit_violations},
    {"  by at most", "rad", 3, value_of_joint_limit_worst},
    {"jerk at 30 Hz, mean", "m/s3", 0, value_of_jerk_30hz},
    {"log dimensionless jerk", "", 2, value_of_ldlj},
    {"velocity jump at seams", "m/s", 3, value_of_seam_mps},
    {"frames in collision", "", 0, value_of_collisions},
    {"  by at most", "mm", 1, value_of_collision_mm_max},
    {"frames in self-collision", "", 0, value_of_self_collisions},
    {"  by at most", "mm", 1, value_of_self_collision_mm_max},
};

void audit_print(const tr_audit *audits, const char *const *names, uint32_t count) {
    printf("%-28s %-5s", "", "");
    for (uint32_t i = 0; i < count; i++)
        printf(" %12.12s", names[i]);
    printf("\n");
    for (size_t row = 0; row < sizeof rows / sizeof rows[0]; row++) {
        printf("%-28s %-5s", rows[row].name, rows[row].unit);
        for (uint32_t i = 0; i < count; i++) {
            double value = rows[row].value(&audits[i]);
            if (value == value)
                printf(" %12.*f", rows[row].digits, value);
            else
                printf(" %12s", "-");
        }
        printf("\n");
    }
}

audit_limits audit_limits_none(void) {
    audit_limits none = {NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
    return none;
}

static uint32_t check(const char *what, double value, double most, const char *unit) {
    if (!(value > most))
        return 0;
    fprintf(stderr, "troupe: %s is %g%s, at most %g is allowed\n", what, value, unit, most);
    return 1;
}

uint32_t audit_check(const tr_audit *audit, const audit_limits *limits) {
    uint32_t beyond = check("the slide in a plant", audit->slide_mm_max, limits->slide_mm, " mm");
    if (audit->plants == 0 && limits->slide_mm >= 0) {
        fprintf(stderr, "troupe: no foot is ever planted, so the slide cannot be checked\n");
        beyond++;
    }
    beyond += check("the skate measure", audit->skate_mm, limits->skate_mm, " mm");
    beyond += check("the penetration of the floor", audit->penetration_mm_max, limits->penetration_mm, " mm");
    beyond +=
        check("the number of joint limits exceeded", audit->joint_limit_violations, limits->joint_limits, "");
    beyond += check("the velocity jump at a seam", audit->seam_mps, limits->seam_mps, " m/s");
    beyond += check("the number of frames in collision", audit->collisions, limits->collisions, "");
    beyond +=
        check("the number of frames in self-collision", audit->self_collisions, limits->self_collisions, "");
    beyond += check("the jerk at 30 Hz", audit->jerk_30hz, limits->jerk, " m/s3");
    if (audit->clearance_mm_min < limits->clearance_mm) {
        fprintf(stderr, "troupe: the clearance in swing is %g mm, at least %g is required\n",
                (double)audit->clearance_mm_min, limits->clearance_mm);
        beyond++;
    }
    return beyond;
}
