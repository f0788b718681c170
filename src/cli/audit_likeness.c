#include "audit_likeness.h"
#include "json_fields.h"

#include <stdio.h>

static bool is_path(tr_likeness_curve curve) {
    return curve == TR_LIKENESS_PELVIS_HEIGHT || curve == TR_LIKENESS_PELVIS_SIDE;
}

static void print_number(const char *format, float number, int width) {
    if (number == number)
        printf(format, (double)number);
    else
        printf("%*s", width, "-");
}

static void print_curve(tr_likeness_curve curve, const tr_likeness_match *match) {
    printf("%-14s %-4s", tr_likeness_name(curve), is_path(curve) ? "mm" : "deg");
    if (!match->measured) {
        printf("      the skeleton lacks a joint\n");
        return;
    }
    printf(" %9.0f %% %9.0f %%", (double)match->within_2sd * 100, (double)match->within_people * 100);
    printf(" %7.1f %7.1f", (double)match->range, (double)match->people_range);
    print_number(" %11.2f", match->correlation, 12);
    print_number(" %+6.1f %%", match->shift, 9);
    printf("   %+.1f SD at %.0f %%\n", (double)match->worst_sd, (double)match->worst_percent);
}

void audit_likeness_print(const tr_likeness *likeness, const char *name) {
    printf("%s: strides: %u left, %u right, %u found; %.2f m/s\n", name, likeness->strides[0],
           likeness->strides[1], likeness->found, (double)likeness->speed);
    printf("%-14s %-4s %11s %11s %7s %7s %11s %8s   %s\n", "", "", "within 2 SD", "among them", "range",
           "people", "correlation", "late", "worst");
    for (int i = 0; i < TR_LIKENESS_CURVES; i++)
        print_curve((tr_likeness_curve)i, &likeness->curves[i]);
    printf("%-14s %-4s %9.0f %%\n", "mean", "", (double)likeness->likeness * 100);
    printf("%-28s %9.2f m    people %.2f +- %.2f\n", "stride", (double)likeness->stride_length,
           (double)likeness->people_stride_length,
           (double)(likeness->people_stride_length * TR_LIKENESS_STRIDE_SD));
    printf("%-28s %9.0f /min people %.0f +- %.0f\n", "cadence", (double)likeness->cadence,
           (double)likeness->people_cadence, (double)(likeness->people_cadence * TR_LIKENESS_STRIDE_SD));
    printf("%-28s", "log dimensionless jerk");
    print_number(" %9.2f", likeness->ldlj, 10);
    printf("      people %.1f to %.1f\n", (double)TR_LIKENESS_LDLJ_LOW, (double)TR_LIKENESS_LDLJ_HIGH);
    printf("%-28s %9.2f m/s  in 1/30 s\n", "change of hip velocity", (double)likeness->hip_jump);
}

static void write_curve(tr_json_writer *writer, tr_likeness_curve curve, const tr_likeness_match *match,
                        float speed) {
    tr_json_write_object(writer);
    json_field_text(writer, "curve", tr_likeness_name(curve));
    json_field_text(writer, "unit", is_path(curve) ? "mm" : "deg");
    json_field_boolean(writer, "measured", match->measured);
    if (match->measured) {
        json_field_float(writer, "within_2sd", match->within_2sd);
        json_field_float(writer, "within_people", match->within_people);
        json_field_float(writer, "range", match->range);
        json_field_float(writer, "people_range", match->people_range);
        json_field_float(writer, "correlation", match->correlation);
        json_field_float(writer, "late_percent", match->shift);
        json_field_float(writer, "worst_percent", match->worst_percent);
        json_field_float(writer, "worst_sd", match->worst_sd);
        tr_json_write_key(writer, "values");
        tr_json_write_array(writer);
        for (int i = 0; i < TR_LIKENESS_POINTS; i++)
            tr_json_write_float(writer, match->values[i]);
        tr_json_write_end(writer);
        tr_json_write_key(writer, "people");
        tr_json_write_array(writer);
        for (int i = 0; i < TR_LIKENESS_POINTS; i++)
            tr_json_write_float(writer, tr_likeness_of_people(curve, speed, 2.0f * (float)i).mean);
        tr_json_write_end(writer);
    }
    tr_json_write_end(writer);
}

void audit_likeness_write(tr_json_writer *writer, const tr_likeness *likeness) {
    json_field_float(writer, "likeness", likeness->likeness);
    json_field_count(writer, "strides_found", likeness->found);
    json_field_count(writer, "strides_left", likeness->strides[0]);
    json_field_count(writer, "strides_right", likeness->strides[1]);
    json_field_float(writer, "speed_mps", likeness->speed);
    json_field_float(writer, "stride_m", likeness->stride_length);
    json_field_float(writer, "people_stride_m", likeness->people_stride_length);
    json_field_float(writer, "cadence_per_min", likeness->cadence);
    json_field_float(writer, "people_cadence_per_min", likeness->people_cadence);
    json_field_float(writer, "ldlj", likeness->ldlj);
    json_field_float(writer, "hip_jump_mps", likeness->hip_jump);
    tr_json_write_key(writer, "curves");
    tr_json_write_array(writer);
    for (int i = 0; i < TR_LIKENESS_CURVES; i++)
        write_curve(writer, (tr_likeness_curve)i, &likeness->curves[i], likeness->speed);
    tr_json_write_end(writer);
}
