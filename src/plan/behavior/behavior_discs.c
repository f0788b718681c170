// The discs of moves: those that a move has by default, and the samples that a search tests.
#include "behavior_data.h"

static uint32_t pieces(double length, double most) {
    double count = length / most;
    uint32_t whole = count < TR_BEHAVIOR_FRAMES_MAX ? (uint32_t)count : TR_BEHAVIOR_FRAMES_MAX;
    return whole < count ? whole + 1 : whole;
}

uint32_t tr_behavior_default_discs(const tr_behavior_def *def, const tr_behavior_move *move,
                                   tr_behavior_disc *discs) {
    double way = behavior_way(move);
    uint32_t by_time = pieces(move->frames, def->frames_per_second / 10);
    uint32_t by_way = pieces(way, def->radius);
    uint32_t count = by_time > by_way ? by_time : by_way;
    count = count < 1 ? 1 : count > move->frames ? move->frames : count;
    for (uint32_t i = 0; discs && i <= count; i++) {
        uint32_t frame = (uint32_t)((uint64_t)move->frames * i / count);
        float t = (float)frame / (float)move->frames;
        discs[i] = (tr_behavior_disc){move->x * t, move->z * t, (uint16_t)frame, 0};
    }
    return count + 1;
}

double tr_behavior_distance(const tr_behavior_def *def, const tr_behavior_move *move) {
    double way = behavior_way(move);
    double idle =
        (double)(def->idle > 0 ? def->idle : TR_BEHAVIOR_IDLE) * move->frames / def->frames_per_second;
    return way > idle ? way : idle;
}

static float squared(const tr_behavior_disc *a, const tr_behavior_disc *b) {
    float x = a->x - b->x, z = a->z - b->z;
    return x * x + z * z;
}

// The greatest distance from a disc of one group to the nearest disc of another, squared.
static float furthest(const tr_behavior_disc *group, uint32_t count, const tr_behavior_disc *other,
                      uint32_t other_count) {
    float most = 0;
    for (uint32_t i = 0; i < count; i++) {
        float least = INFINITY;
        for (uint32_t k = 0; k < other_count; k++) {
            float distance = squared(&group[i], &other[k]);
            least = distance < least ? distance : least;
        }
        most = least > most ? least : most;
    }
    return most;
}

float tr_behavior_sample(const tr_behavior_disc *discs, uint32_t count, uint32_t frames, bool hold,
                         behavior_sample *samples) {
    float most = 0;
    for (uint32_t begin = 0, end, before = 0; begin < count; before = begin, begin = end) {
        for (end = begin + 1; end < count && discs[end].frame == discs[begin].frame;)
            end++;
        uint32_t from = hold        ? discs[begin].frame
                        : begin > 0 ? discs[begin - 1].frame
                                    : 0,
                 to = end < count ? discs[end].frame : frames;
        for (uint32_t i = begin; samples && i < end; i++)
            samples[i] = (behavior_sample){discs[i].x,     discs[i].z,   (uint16_t)from,
                                           discs[i].frame, (uint16_t)to, discs[i].band};
        if (begin == 0)
            continue;
        float there = furthest(discs + begin, end - begin, discs + before, begin - before);
        float back = furthest(discs + before, begin - before, discs + begin, end - begin);
        most = there > most ? there : most;
        most = back > most ? back : most;
    }
    return sqrtf(most);
}

float tr_behavior_gap(const tr_behavior_move *move) {
    const tr_behavior_disc begin = {.x = 0, .z = 0}, end = {.x = move->x, .z = move->z};
    const tr_behavior_disc *first = move->discs, *last = first + move->disc_count - 1;
    uint32_t first_count = 1, last_count = 1;
    while (first_count < move->disc_count && first[first_count].frame == first->frame)
        first_count++;
    for (; last > first && last[-1].frame == last->frame; last--)
        last_count++;
    return sqrtf(furthest(&begin, 1, first, first_count)) + sqrtf(furthest(&end, 1, last, last_count));
}

tr_vec2 tr_behavior_disc_place(const tr_behavior_disc *discs, uint32_t count, uint32_t frame) {
    uint32_t end = 0;
    while (end < count && discs[end].frame <= frame)
        end++;
    if (end == 0)
        return tr_vec2_make(0, 0);
    uint32_t begin = end;
    tr_vec2 sum = {0, 0};
    for (; begin > 0 && discs[begin - 1].frame == discs[end - 1].frame; begin--)
        sum = tr_vec2_add(sum, tr_vec2_make(discs[begin - 1].x, discs[begin - 1].z));
    return tr_vec2_scale(sum, 1 / (float)(end - begin));
}
