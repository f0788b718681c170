// What the waist will have to do: for each control point the departure nearest to the preferred motion that
// is free where the body then is, and before and after it what leads there in time. The search looks along
// these first. Where the preferred motion is free they are zero, and the search is as it would be without
// them.
#include "comply_data.h"

#include <string.h>

#define CHOICES_MAX 256
#define PACE 0.9f  // steps of the lattice from one control point to the next
#define ASIDE 0.3f // how far before and behind a place the same posture is meant to be free [m]
#define LESS 0.85f
#define ROUNDS 4
#define SECOND 3.0f // how much more an angle costs beside a greater one
#define COARSE 2.0f // steps of the lattice between two departures that are tried

typedef struct aim_choice {
    float c[TR_COMPLY_WAIST_ANGLES], cost;
} aim_choice;

// People rather change one angle than a little of each.
static float cost_of(const comply_lattice *lattice, const float *c) {
    float most = 0, sum = 0;
    for (int k = 0; k < TR_COMPLY_WAIST_ANGLES; k++) {
        float part = lattice->weight[k] * fabsf(c[k]);
        most = comply_greater(most, part);
        sum += part;
    }
    return most + SECOND * (sum - most);
}

// All departures within the limits around a usual pose, the nearest first.
static uint32_t list_choices(const comply_lattice *lattice, const float *usual, aim_choice *list) {
    float step = COARSE * lattice->step;
    int32_t low[TR_COMPLY_WAIST_ANGLES] = {0}, high[TR_COMPLY_WAIST_ANGLES] = {0};
    for (uint32_t d = 0; d < lattice->dimensions; d++) {
        uint32_t k = lattice->axis[d];
        low[k] = (int32_t)((lattice->low[k] - usual[k]) / step);
        high[k] = (int32_t)((lattice->high[k] - usual[k]) / step);
    }
    uint32_t count = 0;
    for (int32_t x = low[0]; x <= high[0]; x++)
        for (int32_t y = low[1]; y <= high[1]; y++)
            for (int32_t z = low[2]; z <= high[2]; z++) {
                aim_choice choice = {{step * (float)x, step * (float)y, step * (float)z}, 0};
                choice.cost = cost_of(lattice, choice.c);
                uint32_t at = count < CHOICES_MAX ? count++ : CHOICES_MAX;
                for (; at > 0 && choice.cost < list[at - 1].cost; at--)
                    if (at < CHOICES_MAX)
                        list[at] = list[at - 1];
                if (at < CHOICES_MAX)
                    list[at] = choice;
            }
    return count;
}

// The segments around one in which the body gets this far to both sides: one posture has to be free in all of
// them, or it might be free before an obstacle in the one, and behind it in the next.
typedef struct aim_span {
    uint32_t first, last;
} aim_span;

static aim_span span_around(const tr_comply *comply, uint32_t segment) {
    aim_span span = {segment, segment};
    const float *ways = comply->ways;
    float begin = ways[comply_frame_of(comply, segment)], end = ways[comply_frame_of(comply, segment + 1)];
    while (span.first > 0 && begin - ways[comply_frame_of(comply, span.first)] < ASIDE)
        span.first--;
    while (span.last + 1 < comply->segments && ways[comply_frame_of(comply, span.last + 1)] - end < ASIDE)
        span.last++;
    return span;
}

// Is the trunk free throughout these segments while it departs by this share of a departure?
static bool holds(tr_comply *comply, const aim_span *span, const float *c, float share) {
    float held[TR_COMPLY_ARM_ANGLES] = {share * c[0], share * c[1], share * c[2], 0};
    const float *const control[3] = {held, held, held};
    comply_block block;
    for (uint32_t j = span->first; j <= span->last; j++)
        if (!tr_comply_try(comply, TR_COMPLY_WAIST, j, control, &block))
            return false;
    return true;
}

// A motion on the lattice does not depart by exactly that: somewhat less has to be free, too.
static bool is_free(tr_comply *comply, const aim_span *span, const float *c) {
    return holds(comply, span, c, 1) &&
           ((c[0] == 0 && c[1] == 0 && c[2] == 0) || holds(comply, span, c, LESS));
}

// Raises `to`, which is one control point away, to what leads to `from` at this pace.
static void lead(const float *from, float pace, float *to) {
    for (int k = 0; k < TR_COMPLY_WAIST_ANGLES; k++) {
        float least = from[k] > pace ? from[k] - pace : from[k] < -pace ? from[k] + pace : 0;
        bool more = least > 0 ? to[k] < least : to[k] > least;
        to[k] = more && least != 0 ? least : to[k];
    }
}

// Finds what is needed in each segment in which the aim is not free. false: the aims are.
static bool find_needed(tr_comply *comply) {
    const comply_lattice *lattice = &comply->lattices[TR_COMPLY_WAIST];
    aim_choice list[CHOICES_MAX];
    bool any = false;
    for (uint32_t j = 1; j <= comply->segments; j++) { // the control point in the middle of segment j - 1
        aim_span only = {j - 1, j - 1}, span = span_around(comply, j - 1);
        if ((comply->quiet[j - 1] && !comply_is_aimed(comply, j)) || is_free(comply, &only, comply->aims[j]))
            continue;
        uint32_t choices = list_choices(lattice, comply->usual[TR_COMPLY_WAIST][j], list), i = 0;
        while (i < choices && !is_free(comply, &span, list[i].c))
            i++;
        for (uint32_t near = j - 1; i < choices && near <= j + 1; near++)
            lead(list[i].c, 0, comply->aims[near]);
        any = any || i < choices;
    }
    return any;
}

void tr_comply_clear_aims(tr_comply *comply) {
    memset(comply->aims, 0, (comply->segments + 2) * sizeof *comply->aims);
}

bool tr_comply_find_aims(tr_comply *comply) {
    uint32_t count = comply->segments + 2;
    float pace = PACE * comply->lattices[TR_COMPLY_WAIST].step;
    bool any = false;
    // A body that bends reaches farther ahead: it has to be down before it would touch anything upright.
    for (int round = 0; round < ROUNDS && find_needed(comply); round++) {
        any = true;
        for (uint32_t j = count - 1; j-- > 0;)
            lead(comply->aims[j + 1], pace, comply->aims[j]);
        for (uint32_t j = 0; j + 1 < count; j++)
            lead(comply->aims[j], pace, comply->aims[j + 1]);
    }
    return any;
}
