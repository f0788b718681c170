#include "troupe/motion/manner.h"

#include "motion/motion_archive.h"
#include "troupe/base/random.h"

#include <math.h>
#include <stddef.h>

// Every number with its limits; `person` is the largest difference between a person and the clips.
typedef struct manner_row {
    const char *name;
    size_t at;
    float low, high, person;
} manner_row;

#define AT(member) #member, offsetof(tr_manner, member)
// People differ at the same speed by some 4 % in the length of their steps, by 2 degrees in the lean of the
// trunk and by a third in the swing of their arms.
static const manner_row rows[] = {
    {AT(speed), -0.6f, 0.6f, 0},     {AT(cadence), -0.2f, 0.25f, 0.09f}, {AT(uneven), -0.1f, 0.1f, 0.024f},
    {AT(variation), 0, 0.06f, 0},    {AT(arm_swing[0]), -1, 1, 0.4f},    {AT(arm_swing[1]), -1, 1, 0},
    {AT(elbows), -0.3f, 1.8f, 0.2f}, {AT(arms_out), -0.1f, 0.5f, 0.03f}, {AT(lean), -0.3f, 0.4f, 0.045f},
    {AT(stoop), -0.3f, 0.6f, 0.07f}, {AT(tilt), -0.1f, 0.1f, 0.018f},    {AT(head_down), -0.4f, 0.5f, 0.09f},
    {AT(crouch), 0, 0.12f, 0},       {AT(width), -0.02f, 0.1f, 0.012f},  {AT(phase), 0, 1, 0},
};
#define ROWS (sizeof rows / sizeof *rows)
#define SUMMED (ROWS - 1) // phases do not add up

#define VARIATION_LEAST 0.014f // of a person; published values for healthy adults are 0.01 to 0.03
#define VARIATION_MORE 0.010f
#define ARMS_DIFFER 0.15f // between the swings of both arms

static float *number_at(tr_manner *manner, const manner_row *row) {
    return (float *)((char *)manner + row->at);
}

static float clamp(float value, float low, float high) {
    return value > low ? (value < high ? value : high) : low; // NaN: low
}

static float share_of(float value) {
    return value > 0 ? clamp(value, 0, 1) : 0;
}

// In [-1, 1), the middle more often than the ends.
static float draw(tr_random *random) {
    float a = tr_random_unit(random);
    return a + tr_random_unit(random) - 1;
}

tr_manner tr_manner_of_person(uint64_t seed, float amount) {
    tr_manner manner = {0};
    tr_random random = tr_random_seed(seed);
    float share = share_of(amount);
    if (share == 0)
        return manner;
    for (size_t i = 0; i < ROWS; i++)
        *number_at(&manner, &rows[i]) = share * rows[i].person * draw(&random) + 0; // no negative zeros
    float differ = 0.5f * ARMS_DIFFER * share * draw(&random);
    manner.arm_swing[1] = manner.arm_swing[0] - differ;
    manner.arm_swing[0] += differ;
    manner.variation = share * (VARIATION_LEAST + VARIATION_MORE * tr_random_unit(&random));
    // Feet never come closer than in the clips, arms never closer to the body, and elbows never get
    // straighter.
    manner.elbows = fabsf(manner.elbows);
    manner.width = fabsf(manner.width);
    manner.arms_out = fabsf(manner.arms_out);
    manner.phase = share * tr_random_unit(&random);
    manner.seed = tr_random_bits(&random);
    return manner;
}

typedef struct style_row {
    size_t at; // in tr_style
    tr_manner manner;
} style_row;

static const style_row styles[] = {
    {offsetof(tr_style, brisk),
     {.speed = 0.25f,
      .cadence = 0.03f,
      .arm_swing = {0.35f, 0.35f},
      .elbows = 0.25f,
      .lean = 0.05f,
      .head_down = -0.03f}},
    {offsetof(tr_style, tired),
     {.speed = -0.3f,
      .cadence = -0.02f,
      .variation = 0.008f,
      .arm_swing = {-0.5f, -0.5f},
      .elbows = -0.08f,
      .lean = 0.08f,
      .stoop = 0.2f,
      .head_down = 0.28f,
      .crouch = 0.015f}},
    {offsetof(tr_style, cautious),
     {.speed = -0.35f,
      .cadence = 0.12f,
      .variation = 0.006f,
      .arm_swing = {-0.5f, -0.5f},
      .elbows = 0.45f,
      .arms_out = 0.12f,
      .lean = 0.08f,
      .stoop = 0.06f,
      .head_down = 0.22f,
      .crouch = 0.03f,
      .width = 0.04f}},
    {offsetof(tr_style, carrying),
     {.speed = -0.12f,
      .cadence = 0.05f,
      .arm_swing = {-0.9f, -0.9f},
      .elbows = 1.35f,
      .arms_out = 0.06f,
      .lean = -0.1f,
      .head_down = 0.02f,
      .crouch = 0.008f,
      .width = 0.015f}},
    {offsetof(tr_style, proud),
     {.speed = 0.02f,
      .cadence = -0.04f,
      .arm_swing = {0.2f, 0.2f},
      .arms_out = 0.06f,
      .lean = -0.05f,
      .stoop = -0.1f,
      .head_down = -0.12f}},
};

tr_manner tr_manner_of_style(const tr_style *style) {
    tr_manner sum = {0};
    for (size_t i = 0; i < sizeof styles / sizeof *styles; i++) {
        float share = share_of(*(const float *)((const char *)style + styles[i].at));
        tr_manner part = styles[i].manner;
        for (size_t k = 0; k < SUMMED; k++)
            *number_at(&part, &rows[k]) *= share;
        sum = tr_manner_add(&sum, &part);
    }
    return sum;
}

tr_manner tr_manner_add(const tr_manner *a, const tr_manner *b) {
    tr_manner sum = *a, more = *b;
    for (size_t i = 0; i < SUMMED; i++) {
        float *number = number_at(&sum, &rows[i]);
        *number = clamp(*number + *number_at(&more, &rows[i]), rows[i].low, rows[i].high);
    }
    sum.phase = b->phase != 0 ? b->phase : a->phase;
    sum.seed = b->seed != 0 ? b->seed : a->seed;
    return sum;
}

tr_status tr_manner_check(const tr_manner *manner, tr_error *error) {
    tr_manner copy = *manner;
    for (size_t i = 0; i < ROWS; i++) {
        float value = *number_at(&copy, &rows[i]);
        if (!(value >= rows[i].low && value <= rows[i].high))
            return tr_fail(error, TR_INVALID, "%s of the manner is %g, it must be %g to %g", rows[i].name,
                           (double)value, (double)rows[i].low, (double)rows[i].high);
    }
    return TR_OK;
}

void tr_manner_archive(tr_manner *manner, tr_archive *archive) {
    for (size_t i = 0; i < ROWS; i++)
        tr_archive_float(archive, number_at(manner, &rows[i]));
    tr_archive_u32(archive, &manner->seed);
}
