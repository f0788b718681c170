// Smoothing: the path of the roadmap is drawn towards the preferred motion and towards even motion.
//
// One control point after the other moves towards the least of the sum of the squares of the offsets and of
// their first and second differences. Each move keeps limits, speed and acceleration, and is kept only if the
// three segments that depend on it are certified again. So the motion is free at any time, and smoothing can
// end anywhere.
#include "comply_data.h"

#define SWEEPS 4
#define SLOW_WEIGHT 4.0f // of squares of first differences
#define EVEN_WEIGHT 2.0f // of squares of second differences
#define LEAST 0.05f      // change worth a test [steps]

static float best_at(float (*control)[TR_COMPLY_ARM_ANGLES], uint32_t count, uint32_t i, uint32_t k) {
    // Each difference that contains the point: its share of the sum, and what it pulls towards.
    float weight = 1 + SLOW_WEIGHT + EVEN_WEIGHT;
    float pull = SLOW_WEIGHT * control[i - 1][k] + EVEN_WEIGHT * (2 * control[i - 1][k] - control[i - 2][k]);
    if (i + 1 < count) {
        weight += SLOW_WEIGHT + 4 * EVEN_WEIGHT;
        pull += SLOW_WEIGHT * control[i + 1][k] + 2 * EVEN_WEIGHT * (control[i - 1][k] + control[i + 1][k]);
    }
    if (i + 2 < count) {
        weight += EVEN_WEIGHT;
        pull += EVEN_WEIGHT * (2 * control[i + 1][k] - control[i + 2][k]);
    }
    return pull / weight;
}

// Are the segments and the rates that depend on control point i as they must be? `*first` is the segment to
// look at first; it becomes the one that is blocked.
static bool holds(tr_comply *comply, tr_comply_limb limb, uint32_t i, uint32_t *first) {
    float(*control)[TR_COMPLY_ARM_ANGLES] = comply->control[limb];
    uint32_t count = comply->segments + 2;
    if (!tr_comply_within(comply, limb, i, control[i]))
        return false;
    for (uint32_t j = i - 2; j <= i && j + 2 < count; j++)
        if (!tr_comply_gentle(comply, limb, control[j], control[j + 1], control[j + 2]))
            return false;
    for (uint32_t k = 0, begin = *first; k < 3; k++) {
        uint32_t j = i - 2 + (begin - (i - 2) + k) % 3;
        if (j >= comply->segments)
            continue;
        const float *const three[3] = {control[j], control[j + 1], control[j + 2]};
        comply_block block;
        *first = j;
        if (!tr_comply_try(comply, limb, j, three, &block))
            return false;
    }
    return true;
}

// Moves one control point, by less if it cannot move as far. Returns whether it moved.
static bool move_point(tr_comply *comply, tr_comply_limb limb, uint32_t i) {
    const comply_lattice *lattice = &comply->lattices[limb];
    float(*control)[TR_COMPLY_ARM_ANGLES] = comply->control[limb];
    float from[TR_COMPLY_ARM_ANGLES], to[TR_COMPLY_ARM_ANGLES] = {0}, most = 0;
    uint32_t first = i - 1;
    for (uint32_t d = 0; d < lattice->dimensions; d++) {
        uint32_t k = lattice->axis[d];
        to[k] = best_at(control, comply->segments + 2, i, k);
        if (fabsf(to[k]) < LEAST * lattice->step)
            to[k] = 0;
        most = comply_greater(most, fabsf(to[k] - control[i][k]));
    }
    for (int k = 0; k < TR_COMPLY_ARM_ANGLES; k++)
        from[k] = control[i][k];
    for (float share = 1; share * most > LEAST * lattice->step; share *= 0.25f) {
        for (int k = 0; k < TR_COMPLY_ARM_ANGLES; k++)
            control[i][k] = share == 1 ? to[k] : from[k] + share * (to[k] - from[k]);
        if (holds(comply, limb, i, &first))
            return true;
    }
    for (int k = 0; k < TR_COMPLY_ARM_ANGLES; k++)
        control[i][k] = from[k];
    return false;
}

static bool is_kept(const tr_comply *comply, tr_comply_limb limb, uint32_t i) {
    if (comply->shift == TR_NONE || comply->shift + i > comply->kept_segments + 1)
        return false;
    for (int k = 0; k < TR_COMPLY_ARM_ANGLES; k++)
        if (comply->control[limb][i][k] != comply->kept[limb][comply->shift + i][k])
            return false;
    return true;
}

// What the last plan left at rest, and what nothing pulls at, needs no second look.
static void find_rests(tr_comply *comply, tr_comply_limb limb) {
    const uint32_t count = comply->segments + 2;
    uint32_t kept = 0; // successive points up to here that are those of the last plan
    for (uint32_t i = 0; i < count; i++)
        comply->rests[limb][i] = false;
    for (uint32_t i = 0; i < count; i++) {
        kept = is_kept(comply, limb, i) ? kept + 1 : 0;
        if (kept >= 5 || (kept == i + 1 && kept >= 3)) // the point and two on each side
            comply->rests[limb][i - 2] = comply->kept_rests[limb][comply->shift + i - 2];
    }
}

void tr_comply_smooth(tr_comply *comply, tr_comply_limb limb) {
    const uint32_t first = comply->lead > 0 ? 3 : 2, count = comply->segments + 2;
    uint8_t *rests = comply->rests[limb];
    find_rests(comply, limb);
    for (uint32_t sweep = 0; sweep < SWEEPS; sweep++)
        for (uint32_t step = first; step < count; step++) {
            uint32_t i = sweep & 1 ? count + first - 1 - step : step;
            if (rests[i])
                continue;
            if (move_point(comply, limb, i))
                for (uint32_t j = i - 2; j <= i + 2 && j < count; j++)
                    rests[j] = false;
            rests[i] = true;
        }
}
