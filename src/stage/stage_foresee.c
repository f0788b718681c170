// An estimate of where a motion leads, before a ghost carries it out. An actor that brakes, or walks more
// slowly, stays on the line that it would walk at full pace, and its speed approaches the limit as in
// tr_follow: its place is known to within centimetres for a few instructions a tick. That is enough to tell
// most useless motions from those that are worth a ghost.
#include "stage_trial.h"

#define STANDS 0.05f // a slower actor turns on the spot before it walks [m/s]
#define SAME 1e-3f   // places nearer to each other are the same place [m]
#define RESTS 0.01f  // a slower actor stands [m/s]

stage_line tr_stage_line(const stage_actor *who, const tr_vec3 *points, uint32_t count) {
    tr_follow_params params = tr_follow_params_default(who->speed, (float)TR_STAGE_TICK, TUNE_CORRIDOR);
    float x = params.speed_gain * (float)TR_STAGE_TICK;
    stage_line line = {.points = points,
                       .count = count,
                       .share = x * (1 - x * (0.5f - x * (1.0f / 6 - x * (1.0f / 24)))),
                       .most = params.acceleration_max * (float)TR_STAGE_TICK};
    return line;
}

// An actor on its way along a line.
typedef struct line_walk {
    const stage_line *line;
    uint32_t next; // the next point ahead; none after the end
    tr_vec3 at, ahead;
    float left; // to the next point [m]
} line_walk;

static float length_of(tr_vec3 v) { // seen from above
    return sqrtf(v.x * v.x + v.z * v.z);
}

// Turns to the next point; after the end of the line it goes straight on.
static void face_next(line_walk *walk) {
    const tr_vec3 *points = walk->line->points;
    uint32_t count = walk->line->count;
    for (; walk->next < count; walk->next++) {
        tr_vec3 by = tr_vec3_subtract(points[walk->next], walk->at);
        walk->left = length_of(by);
        if (walk->left > 0) {
            walk->ahead = tr_vec3_scale(by, 1 / walk->left);
            return;
        }
    }
    walk->left = INFINITY;
    walk->ahead = tr_vec3_make(0, 0, 0);
    for (uint32_t i = count; i-- > 1;) {
        tr_vec3 by = tr_vec3_subtract(points[count - 1], points[i - 1]);
        float length = length_of(by);
        if (length > SAME) {
            walk->ahead = tr_vec3_scale(by, 1 / length);
            return;
        }
    }
}

static void walk_on(line_walk *walk, float way) {
    while (way > walk->left) {
        way -= walk->left;
        walk->at = walk->line->points[walk->next++];
        face_next(walk);
    }
    walk->at = tr_vec3_add(walk->at, tr_vec3_scale(walk->ahead, way));
    walk->left -= way;
}

void tr_stage_foresee(const stage_line *line, uint32_t first, float speed, float limit, uint32_t ticks,
                      stage_foreseen *seen) {
    line_walk walk = {.line = line, .at = line->points[first]};
    seen->count = 0;
    seen->way = 0;
    for (; speed < STANDS && ticks > 0 && first + 1 < line->count && seen->count < TUNE_HORIZON &&
           length_of(tr_vec3_subtract(walk.at, line->points[first + 1])) < SAME;
         first++)
        seen->places[seen->count++] = walk.at;
    walk.next = first + 1;
    face_next(&walk);
    for (; seen->count < TUNE_FORESEEN && (seen->count < ticks || speed > RESTS); seen->count++) {
        float change = line->share * ((seen->count < ticks ? limit : 0) - speed), before = speed;
        speed += change > line->most ? line->most : change < -line->most ? -line->most : change;
        float way = 0.5f * (before + speed) * (float)TR_STAGE_TICK;
        walk_on(&walk, way);
        seen->way += way;
        seen->places[seen->count] = walk.at;
    }
    seen->rest = walk.at;
}
