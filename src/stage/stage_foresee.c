// About where a motion leads, before a ghost goes it. Whoever brakes, or walks more slowly, stays on the line
// that it would walk at full pace, and its speed nears the one it is told as tr_follow has it: where it will
// be is known to within centimetres for a few instructions a tick. That is enough to tell most motions that
// are of no use from those that are worth a ghost.
#include "stage_trial.h"

#define STANDS 0.05f // whoever is slower turns on the spot before it walks [m/s]
#define SAME 1e-3f   // places nearer to each other than this are one [m]
#define RESTS 0.01f  // below this it stands [m/s]

stage_line tr_stage_line(const stage_actor *who, const tr_vec3 *points, uint32_t count) {
    tr_follow_params params = tr_follow_params_default(who->speed, (float)TR_STAGE_TICK, TUNE_CORRIDOR);
    float x = params.speed_gain * (float)TR_STAGE_TICK;
    stage_line line = {.points = points,
                       .count = count,
                       .share = x * (1 - x * (0.5f - x * (1.0f / 6 - x * (1.0f / 24)))),
                       .most = params.acceleration_max * (float)TR_STAGE_TICK};
    return line;
}

static float distance(tr_vec3 a, tr_vec3 b) {
    float x = b.x - a.x, z = b.z - a.z;
    return sqrtf(x * x + z * z);
}

// Further along the line, straight on behind its end. `from` is the last of its points that was passed.
static tr_vec3 go_on(const stage_line *line, uint32_t *from, tr_vec3 at, float way) {
    while (*from + 1 < line->count) {
        tr_vec3 next = line->points[*from + 1];
        float left = distance(at, next);
        if (way <= left)
            return left > 0 ? tr_vec3_add(at, tr_vec3_scale(tr_vec3_subtract(next, at), way / left)) : at;
        way -= left;
        at = next;
        ++*from;
    }
    for (uint32_t i = line->count; i-- > 1;) {
        tr_vec3 by = tr_vec3_subtract(line->points[line->count - 1], line->points[i - 1]);
        float length = sqrtf(by.x * by.x + by.z * by.z);
        if (length > SAME)
            return tr_vec3_add(at, tr_vec3_scale(by, way / length));
    }
    return at;
}

stage_foreseen tr_stage_foresee(const stage_line *line, uint32_t first, float speed, float limit,
                                uint32_t ticks) {
    stage_foreseen seen = {.count = 0, .way = 0};
    tr_vec3 at = line->points[first];
    for (; speed < STANDS && ticks > 0 && first + 1 < line->count && seen.count < TUNE_HORIZON &&
           distance(at, line->points[first + 1]) < SAME;
         first++)
        seen.places[seen.count++] = at;
    for (; seen.count < TUNE_FORESEEN && (seen.count < ticks || speed > RESTS); seen.count++) {
        float change = line->share * ((seen.count < ticks ? limit : 0) - speed), before = speed;
        speed += change > line->most ? line->most : change < -line->most ? -line->most : change;
        float way = 0.5f * (before + speed) * (float)TR_STAGE_TICK;
        at = go_on(line, &first, at, way);
        seen.way += way;
        seen.places[seen.count] = at;
    }
    seen.rest = at;
    return seen;
}
