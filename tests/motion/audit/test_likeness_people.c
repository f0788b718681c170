// The figures of people, and the comparison of a curve with them.
#include "test.h"

#include "motion/audit/likeness_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void fill_people(tr_likeness_curve curve, float speed, tr_likeness_people *people,
                        tr_likeness_match *match, float sds) {
    memset(match, 0, sizeof *match);
    for (int i = 0; i < TR_LIKENESS_POINTS; i++) {
        people[i] = tr_likeness_of_people(curve, speed, 2.0f * (float)i);
        match->values[i] = people[i].mean + sds * people[i].sd;
    }
}

TEST(the_mean_of_people_is_like_people) {
    for (int c = 0; c < TR_LIKENESS_CURVES; c++)
        for (float speed = 0.8f; speed < 2.1f; speed += 0.2f) {
            tr_likeness_people people[TR_LIKENESS_POINTS];
            tr_likeness_match match;
            fill_people((tr_likeness_curve)c, speed, people, &match, 0);
            tr_likeness_compare(people, &match);
            CHECK_NEAR(match.within_2sd, 1, 0);
            CHECK_NEAR(match.correlation, 1, 1e-6);
            CHECK_NEAR(match.shift, 0, 1e-3);
            CHECK_NEAR(match.range, match.people_range, 0);
            CHECK_NEAR(match.worst_sd, 0, 0);
            CHECK(match.people_range > 0);
        }
}

TEST(the_share_within_two_deviations_counts_the_points_within_them) {
    tr_likeness_people people[TR_LIKENESS_POINTS];
    tr_likeness_match match;
    const float offsets[] = {1.9f, -1.9f, 2.1f, -2.1f};
    const double shares[] = {1, 1, 0, 0};
    for (int i = 0; i < 4; i++) {
        fill_people(TR_LIKENESS_KNEE, 1.4f, people, &match, offsets[i]);
        tr_likeness_compare(people, &match);
        CHECK_NEAR(match.within_2sd, shares[i], 0);
        CHECK_NEAR(match.worst_sd, offsets[i], 1e-4);
    }
    fill_people(TR_LIKENESS_KNEE, 1.4f, people, &match, 0);
    match.values[20] += 5 * people[20].sd;
    match.values[21] = people[21].most + 1;
    tr_likeness_compare(people, &match);
    CHECK_NEAR(match.within_2sd, 50 / 51.0, 0.02 + 1e-6);
    CHECK_NEAR(match.within_people, 49 / 51.0, 1e-6);
    CHECK_NEAR(match.worst_percent, 40, 0);
    CHECK_NEAR(match.worst_sd, 5, 1e-4);
}

TEST(a_curve_that_is_late_has_that_shift) {
    tr_likeness_people people[TR_LIKENESS_POINTS];
    tr_likeness_match match;
    for (int late = -10; late <= 10; late++) {
        fill_people(TR_LIKENESS_THIGH, 1.2f, people, &match, 0);
        for (int i = 0; i < TR_LIKENESS_POINTS; i++)
            match.values[i] = people[(i - late + 50) % 50].mean;
        tr_likeness_compare(people, &match);
        CHECK_NEAR(match.shift, 2 * late, 0.2);
        CHECK(late == 0 || match.correlation < 1);
    }
}

TEST(a_still_curve_has_no_correlation) {
    tr_likeness_people people[TR_LIKENESS_POINTS];
    tr_likeness_match match;
    fill_people(TR_LIKENESS_THIGH, 1.2f, people, &match, 0);
    for (int i = 0; i < TR_LIKENESS_POINTS; i++)
        match.values[i] = 10;
    tr_likeness_compare(people, &match);
    CHECK(isnan(match.correlation) && isnan(match.shift));
    CHECK_NEAR(match.range, 0, 0);
    CHECK(match.within_2sd < 0.5f);
}

TEST(people_are_interpolated_between_speeds_and_clamped_beyond_them) {
    for (int c = 0; c < TR_LIKENESS_CURVES; c++)
        for (float percent = 0; percent <= 100; percent += 7) {
            tr_likeness_curve curve = (tr_likeness_curve)c;
            tr_likeness_people slow = tr_likeness_of_people(curve, 1.0f, percent),
                               fast = tr_likeness_of_people(curve, 1.4f, percent),
                               between = tr_likeness_of_people(curve, 1.1f, percent),
                               slower = tr_likeness_of_people(curve, 0.5f, percent),
                               fastest = tr_likeness_of_people(curve, 1.8f, percent),
                               beyond = tr_likeness_of_people(curve, 3.0f, percent);
            CHECK_NEAR(between.mean, 0.75 * (double)slow.mean + 0.25 * (double)fast.mean, 1e-4);
            CHECK_NEAR(between.sd, 0.75 * (double)slow.sd + 0.25 * (double)fast.sd, 1e-4);
            CHECK_NEAR(slower.most, slow.most, 0);
            CHECK_NEAR(beyond.least, fastest.least, 0);
            CHECK(slow.sd > 0 && fast.sd > 0 && fastest.sd > 0);
            CHECK(slow.least < slow.most && fast.least < fast.most && fastest.least < fastest.most);
        }
    CHECK(isnan(tr_likeness_of_people(TR_LIKENESS_CURVES, 1, 0).mean));
    CHECK(isnan(tr_likeness_of_people(TR_LIKENESS_KNEE, NAN, 0).mean));
    CHECK(isnan(tr_likeness_of_people(TR_LIKENESS_KNEE, 1, NAN).mean));
    CHECK(tr_likeness_name(TR_LIKENESS_CURVES) == NULL);
    CHECK_TEXT(tr_likeness_name(TR_LIKENESS_HEAD_ROLL), "head_roll");
}

// The names of the curves in the file that the figures are from.
static const char *const source_names[TR_LIKENESS_CURVES] = {"thigh",
                                                             "hip",
                                                             "knee",
                                                             "ankle",
                                                             "toe",
                                                             "footpitch",
                                                             "arm",
                                                             "armw",
                                                             "elbow",
                                                             "pelv_y",
                                                             "pelv_lat",
                                                             "hips_yaw",
                                                             "hips_pitch",
                                                             "hips_roll",
                                                             "upper_chest_yaw",
                                                             "upper_chest_pitch",
                                                             "upper_chest_roll",
                                                             "head_yaw",
                                                             "head_pitch",
                                                             "head_roll"};

// The figures are kept every 4 percent, which rounds off peaks. Toes are the noisiest.
TEST(the_figures_are_those_of_the_captures) {
    char path[1024], line[256];
    const char *folder = test_data_folder();
    snprintf(path, sizeof path, "%s/gait/people_walk_curves.csv", folder ? folder : "");
    FILE *file = folder ? fopen(path, "r") : NULL;
    if (!file) {
        test_skip("no shared data");
        return;
    }
    uint32_t rows = 0;
    double squares[2] = {0, 0};
    while (fgets(line, sizeof line, file)) {
        float speed, percent, mean, sd, least, most;
        char name[64];
        if (sscanf(line, "%f,%63[^,],%f,%f,%f,%f,%f", &speed, name, &percent, &mean, &sd, &least, &most) != 7)
            continue; // the head
        int c = 0;
        while (c < TR_LIKENESS_CURVES && strcmp(name, source_names[c]) != 0)
            c++;
        REQUIRE(c < TR_LIKENESS_CURVES);
        tr_likeness_people people = tr_likeness_of_people((tr_likeness_curve)c, speed, percent);
        bool toe = c == TR_LIKENESS_TOE;
        CHECK_NEAR(people.mean, mean, toe ? 2 : 1.6);
        CHECK_NEAR(people.mean, mean, 0.62 * (double)sd);
        CHECK_NEAR(people.sd, sd, toe ? 2.5 : 1);
        CHECK_NEAR(people.least, least, toe ? 6.6 : 3);
        CHECK_NEAR(people.most, most, toe ? 3.7 : 3);
        squares[0] += pow((double)(people.mean - mean), 2);
        squares[1] += pow((double)(people.sd - sd), 2);
        rows++;
    }
    fclose(file);
    CHECK_INT(rows, 3 * TR_LIKENESS_CURVES * TR_LIKENESS_POINTS);
    CHECK(sqrt(squares[0] / rows) < 0.15);
    CHECK(sqrt(squares[1] / rows) < 0.15);
}
