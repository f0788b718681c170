// Lanes. In corridors people keep to one side, so that oncoming people find theirs free: if there is room for
// two but not for many, a path is moved into the right half.
#include "go_data.h"

#include <math.h>
#include <string.h>

#define SAMPLE 0.5f          // distance between the samples of a path [m]
#define SIGHT 5.0f           // walls are searched this far to both sides [m]
#define WIDE 5.0f            // anything wider is no corridor: from wall to wall, for the middle of a body [m]
#define WALL 0.15f           // least distance of a lane from where a body would touch the wall [m],
#define WALL_MOST 0.3f       // and the greatest one, unless the lane is
#define ASIDE 1.4f           // this far from the middle line [m]
#define PASSING 0.2f         // additional room for passing each other, where there is room [m]
#define EASE 3               // samples before and after stairs and slopes that have no lane
#define STRAIGHT 0.06f       // points nearer to the line between others are left out [m],
#define LEVEL_STRAIGHT 0.01f // unless they are higher or lower than it by this [m]
#define REPAIRS 4
#define EVEN 4           // samples before and after one whose room is averaged with its own
#define RUN 5            // least length of a corridor in samples,
#define ALIKE 0.4f       // with equal width to within this share,
#define ALONG 0.94f      // in which the path bends by at most this cosine,
#define PARALLEL 0.5f    // and leads away from the wall by at most this tangent
#define LEVEL 0.03f      // a corridor rises by less from one sample to the next [m]
#define LONGER 0.1f      // a lane may make the path longer by this share of it,
#define LONGER_LANE 0.3f // by this share of the lane,
#define LONGER_MORE 0.4f // and by this [m]
#define WORTH 2.5f   // least length of a lane, between coming to it and leaving it, if it has to do both [m]
#define LEAD 1.5f    // a lane is extended this far out of its corridor [m]
#define LEAD_SIGHT 6 // samples away that show where the path outside a corridor leads
#define MOST 384

typedef struct lane {
    tr_vec3 point[MOST];
    tr_vec2 right[MOST];
    float shift[MOST], width[MOST], room[MOST]; // `room`: on the right
    float near[MOST];                           // a smaller shift: to the middle of the right half
    bool steep[MOST];
    float along[MOST];      // distance from the beginning of the path [m]
    uint32_t stretch[MOST]; // of the path that begins at the sample
    uint32_t run[MOST];     // of samples in one corridor, as the number of the first
    float ends[MOST];       // distance to where the path has to be in its own place: see bind_ends [m]
    uint32_t count;
    bool passes;                                   // the lane goes on at the goal
    float merge;                                   // of the query
    tr_vec3 moved[MOST];                           // position according to the lanes,
    bool kept[MOST];                               // whether it is in a lane,
    bool eased[MOST];                              // and whether that is the middle of the right half
    uint32_t corners[GO_POINTS_MAX], corner_count; // of the resulting path
} lane;

// How far a point has to move to the right to be at most `most` from the wall [m]; 0: no corridor.
static float shift_to(float room, float most, float share) {
    float least = WALL < most ? WALL : most, off = room < least ? least : room > most ? most : room;
    float shift = (room - off) * share;
    return shift == 0 ? -1e-4f : shift; // it is there already
}

static void look_aside(const tr_ground *ground, const tr_go_query *query, lane *made, uint32_t n) {
    uint32_t size = query->sizes[0];
    tr_vec3 at = made->point[n];
    tr_vec2 right = made->right[n], left = {-right.x, -right.z};
    float a = tr_ground_room(ground, size, at, right, SIGHT),
          b = a < SIGHT ? tr_ground_room(ground, size, at, left, SIGHT) : 0;
    // Along the right wall, but not close to it, and so far from the left half that two bodies can pass.
    // Lanes that are farther apart leave room between them for crossing or stepping aside.
    float width = a + b, apart = 2 * tr_ground_size(ground, size)->radius;
    float half = 0.5f * (width - apart - PASSING) > 0 ? 0.5f * (width - apart - PASSING) : 0;
    float wall = 0.5f * width - ASIDE > WALL_MOST ? 0.5f * width - ASIDE : WALL_MOST;
    float most = wall < half ? wall : half;
    made->width[n] = width;
    made->room[n] = a;
    if (width < apart || width > WIDE || a >= SIGHT || b >= SIGHT)
        return;
    made->shift[n] = shift_to(a, most, query->lane);
    made->near[n] = shift_to(a, 0.25f * width < half ? 0.25f * width : half, query->lane);
}

// Moves a point onto the floor: between two corners it may be higher or lower than the line.
static void settle(const tr_ground *ground, const tr_go_query *query, tr_vec3 before, tr_vec3 *at) {
    float rise = tr_ground_size(ground, query->sizes[0])->foot_rise,
          height = tr_ground_height(ground, tr_vec3_make(at->x, before.y, at->z), rise);
    at->y = height == height ? height : at->y;
}

// A path that goes on from its goal need not come back out of its lane there.
static void look_at_goal(const tr_ground *ground, const tr_go_query *query, lane *made) {
    uint32_t n = made->count - 1;
    made->width[n] = made->room[n] = made->near[n] = 0;
    made->right[n] = made->right[n - 1];
    if (made->right[n].x != 0 || made->right[n].z != 0)
        look_aside(ground, query, made, n);
}

static bool sample(const tr_go *go, const tr_ground *ground, const tr_go_query *query, lane *made) {
    made->count = 0;
    made->merge = query->merge;
    for (uint32_t i = 0; i + 1 < go->point_count; i++) {
        tr_vec3 a = go->points[i].position, b = go->points[i + 1].position, apart = tr_vec3_subtract(b, a);
        float length = sqrtf(apart.x * apart.x + apart.z * apart.z);
        bool walks = go->points[i + 1].move == TR_PATH_WALK && length > 1e-3f;
        uint32_t steps = walks ? 1 + (uint32_t)(length / SAMPLE) : 1;
        tr_vec2 right = {walks ? -apart.z / length : 0, walks ? apart.x / length : 0};
        for (uint32_t k = 0; k < steps; k++) {
            if (made->count + 2 > MOST)
                return false;
            tr_vec3 at = tr_vec3_add(a, tr_vec3_scale(apart, (float)k / (float)steps));
            uint32_t n = made->count++;
            if (k > 0)
                settle(ground, query, made->point[n - 1], &at);
            made->point[n] = at;
            made->right[n] = right;
            made->steep[n] = false;
            made->width[n] = made->room[n] = made->shift[n] = made->near[n] = 0;
            made->stretch[n] = i;
            if (walks)
                look_aside(ground, query, made, n);
        }
    }
    made->steep[made->count] = false;
    made->stretch[made->count] = go->point_count;
    made->point[made->count] = go->points[go->point_count - 1].position;
    made->right[made->count] = (tr_vec2){0, 0};
    made->shift[made->count++] = 0;
    made->passes = query->passes && made->count > 2;
    if (made->passes)
        look_at_goal(ground, query, made);
    made->shift[0] = made->along[0] = 0;
    for (uint32_t i = 1; i < made->count; i++)
        made->along[i] = made->along[i - 1] + tr_vec3_distance_from_above(made->point[i - 1], made->point[i]);
    return true;
}

static bool is_same_corridor(const lane *made, uint32_t first, uint32_t n) {
    float cosine = made->right[first].x * made->right[n].x + made->right[first].z * made->right[n].z;
    return made->shift[n] != 0 && !made->steep[n] && cosine > ALONG &&
           fabsf(made->width[n] - made->width[first]) <= ALIKE * made->width[first] &&
           (n == first || fabsf(made->room[n] - made->room[n - 1]) <= PARALLEL * SAMPLE);
}

// The path begins and ends in its own place, and is there on stairs and slopes. If both ends of a corridor
// are such places, and are so close that the path would only swing out and back, it has no lane.
static void bind_ends(lane *made, uint32_t begin, uint32_t end) {
    bool front = begin == 1 || made->steep[begin - 1],
         back = end < made->count && (made->steep[end] || (end + 1 == made->count && !made->passes));
    float from = made->along[begin - 1], to = made->along[back ? end : end - 1], most = 0;
    for (uint32_t k = begin; k < end; k++) {
        float before = front ? made->along[k] - from : INFINITY,
              after = back ? to - made->along[k] : INFINITY;
        made->ends[k] = before < after ? before : after;
        most = fabsf(made->shift[k]) > most ? fabsf(made->shift[k]) : most;
    }
    for (uint32_t k = begin; k < end && front && back; k++)
        made->shift[k] = to - from < 2 * most / made->merge + WORTH ? 0 : made->shift[k];
}

// On stairs and slopes the path stays unchanged, and a short stretch between two obstacles is no corridor.
static void leave_corridors(lane *made) {
    for (uint32_t i = 0; i + 1 < made->count; i++)
        if (fabsf(made->point[i + 1].y - made->point[i].y) > LEVEL)
            for (int k = -EASE; k <= EASE + 1; k++)
                if ((int)i + k >= 0 && (int)i + k < (int)made->count)
                    made->steep[(int)i + k] = true;
    for (uint32_t i = 0; i < made->count;) {
        uint32_t end = i;
        while (end < made->count && is_same_corridor(made, i, end))
            end++;
        for (uint32_t k = i; k < end; k++) {
            made->run[k] = i;
            made->shift[k] = end - i < RUN ? 0 : made->shift[k];
        }
        if (end > i)
            bind_ends(made, i, end);
        if (end == i) {
            made->run[end] = TR_NONE;
            made->shift[end++] = 0;
        }
        i = end;
    }
}

static bool is_same_lane(const lane *made, const float *shift, uint32_t a, uint32_t b) {
    return made->run[a] == made->run[b] && made->run[b] != TR_NONE && shift[a] != 0 && shift[b] != 0 &&
           made->right[a].x == made->right[b].x && made->right[a].z == made->right[b].z;
}

// Walls with posts and the cells of the ground make the room beside a path uneven, and a lane that follows
// every dent slows down a runner: the lane lies at the mean of the room along each stretch of the path.
static void smooth_shifts(lane *made, float *shift) {
    float means[MOST];
    for (uint32_t i = 0; i < made->count; i++) {
        uint32_t n = 0; // as many samples before as after it, so that a path across a corridor stays straight
        means[i] = shift[i];
        while (n < EVEN && n < i && i + n + 1 < made->count && is_same_lane(made, shift, i - n - 1, i) &&
               is_same_lane(made, shift, i + n + 1, i)) {
            n++;
            means[i] += shift[i - n] + shift[i + n];
        }
        means[i] /= (float)(2 * n + 1);
    }
    for (uint32_t i = 0; i < made->count; i++)
        shift[i] = shift[i] != 0 && means[i] == 0 ? -1e-4f : means[i];
}

static float off_line(tr_vec3 p, tr_vec3 a, tr_vec3 b) {
    float x = b.x - a.x, z = b.z - a.z, square = x * x + z * z;
    float t = square > 0 ? ((p.x - a.x) * x + (p.z - a.z) * z) / square : 0;
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    float dx = p.x - a.x - t * x, dz = p.z - a.z - t * z;
    return sqrtf(dx * dx + dz * dz);
}

// May all points between two be left out? Those of a lane only if it is straight there.
static bool is_straight(const lane *made, uint32_t from, uint32_t to) {
    const tr_vec3 *points = made->moved;
    for (uint32_t i = from + 1; i < to; i++)
        if ((made->kept[i] && off_line(points[i], points[from], points[to]) > STRAIGHT) ||
            fabsf(points[i].y - points[from].y) > LEVEL_STRAIGHT)
            return false;
    return true;
}

// How far one level stretch of the path, outside the lanes, continues from a point: there it is straight and
// free.
static uint32_t end_of_stretch(const lane *made, uint32_t from) {
    uint32_t end = from;
    while (end + 1 < made->count && made->stretch[end] == made->stretch[from] && !made->kept[end] &&
           !made->kept[end + 1] && fabsf(made->moved[end + 1].y - made->moved[from].y) <= LEVEL_STRAIGHT)
        end++;
    return end;
}

// The corners of the path with its lanes, pulled tight between them. false: it leads nowhere.
static bool pull_tight(const tr_ground *ground, uint32_t size, lane *made) {
    made->corner_count = 0;
    made->corners[made->corner_count++] = 0;
    for (uint32_t i = 0; i + 1 < made->count;) {
        uint32_t next = i + 1, sure = end_of_stretch(made, i);
        if (next > sure && !tr_ground_sees(ground, size, made->moved[i], made->moved[next]))
            return false;
        while (next + 1 < made->count &&
               (next < sure || (is_straight(made, i, next + 1) &&
                                tr_ground_sees(ground, size, made->moved[i], made->moved[next + 1]))))
            next++;
        if (made->corner_count == GO_POINTS_MAX)
            return false;
        made->corners[made->corner_count++] = next;
        i = next;
    }
    return true;
}

// How much longer a lane makes the path, from the corner before it to the corner after it. `along`: the
// length of the path itself.
static float detour_of(const lane *made, uint32_t begin, uint32_t end, float *along) {
    uint32_t first = 0, last;
    while (first + 1 < made->corner_count && made->corners[first + 1] < begin)
        first++;
    for (last = first; last + 1 < made->corner_count && made->corners[last] < end; last++)
        ;
    float length = 0;
    *along = 0;
    for (uint32_t i = first; i < last; i++)
        length +=
            tr_vec3_distance_from_above(made->moved[made->corners[i]], made->moved[made->corners[i + 1]]);
    for (uint32_t i = made->corners[first]; i < made->corners[last]; i++)
        *along += tr_vec3_distance_from_above(made->point[i], made->point[i + 1]);
    return length - *along;
}

static void leave(lane *made, uint32_t begin, uint32_t end) {
    for (uint32_t k = begin; k < end; k++) {
        made->moved[k] = made->point[k];
        made->kept[k] = false;
    }
}

// The shift of a sample. Nobody who sets out in a corridor, or whose goal is there, walks across it.
static float shift_of(const lane *made, uint32_t i) {
    float shift = made->shift[i], most = made->merge * made->ends[i];
    return shift > most ? most : shift < -most ? -most : shift;
}

// Moves every sample of a corridor to its lane.
static void move_over(const tr_ground *ground, uint32_t size, lane *made, uint32_t begin, uint32_t end) {
    leave(made, begin, end);
    for (uint32_t i = begin; i < end; i++) {
        if (i == 0 || (i + 1 == made->count && !made->passes) || made->steep[i] || made->shift[i] == 0)
            continue;
        float height, shift = shift_of(made, i);
        tr_vec3 at = tr_vec3_make(made->point[i].x + shift * made->right[i].x, made->point[i].y,
                                  made->point[i].z + shift * made->right[i].z);
        // A lane does not lead up or down across a slope.
        made->kept[i] =
            tr_ground_is_free(ground, size, at, &height) && fabsf(height - made->point[i].y) <= LEVEL;
        if (made->kept[i])
            made->moved[i] = tr_vec3_make(at.x, height, at.z);
    }
}

// A body that enters a corridor from the left, or leaves it to the left, crosses the oncoming lane: it should
// do so before the mouth of the corridor, where there is room, and not inside. `end`: the last sample of the
// lane at that mouth; `step` leads away from it.
static void lead_out(const tr_ground *ground, uint32_t size, lane *made, uint32_t end, int step) {
    int next = (int)end + step, far = (int)end + step * LEAD_SIGHT, last = (int)made->count - 1;
    if (next <= 0 || next >= last || made->kept[next] || made->steep[next])
        return;
    far = far < 0 ? 0 : far > last ? last : far;
    tr_vec2 right = made->right[end], out = {(float)step * right.z, -(float)step * right.x};
    tr_vec3 from = made->moved[end], off = tr_vec3_subtract(made->point[far], from), at;
    float height;
    if (off.x * out.x + off.z * out.z < LEAD || off.x * right.x + off.z * right.z > 0)
        return;
    at = tr_vec3_make(from.x + LEAD * out.x, from.y, from.z + LEAD * out.z);
    if (tr_ground_is_free(ground, size, at, &height) && fabsf(height - from.y) <= LEVEL_STRAIGHT &&
        tr_ground_sees(ground, size, from, at)) {
        made->moved[next] = at;
        made->kept[next] = true;
        made->run[next] = made->run[end];
    }
}

static void lead_out_of_all(const tr_ground *ground, uint32_t size, lane *made, uint32_t begin,
                            uint32_t last) {
    for (uint32_t i = begin; i < last;) {
        uint32_t end = i;
        while (end < last && made->kept[end])
            end++;
        if (end > i) {
            lead_out(ground, size, made, i, -1);
            lead_out(ground, size, made, end - 1, 1);
            end += end < made->count && made->kept[end]; // the part that leads out of it
        }
        i = end > i ? end : i + 1;
    }
}

// Where a lane is interrupted, the path stays unchanged.
static void leave_gaps(const tr_ground *ground, uint32_t size, lane *made, uint32_t begin, uint32_t end) {
    bool repairs = true;
    for (uint32_t pass = 0; pass < REPAIRS && repairs; pass++) {
        repairs = false;
        for (uint32_t i = begin; i + 1 < end; i++) {
            if (!made->kept[i] || !made->kept[i + 1] ||
                tr_ground_sees(ground, size, made->moved[i], made->moved[i + 1]))
                continue;
            leave(made, i, i + 2);
            repairs = true;
        }
    }
}

// Lays the lanes of a range of samples, with the parts that lead to them and out of them.
static void lay(const tr_ground *ground, uint32_t size, lane *made, uint32_t begin, uint32_t end) {
    move_over(ground, size, made, begin, end);
    leave_gaps(ground, size, made, begin, end);
    lead_out_of_all(ground, size, made, begin, end);
}

// A lane along the wall that is a long detour is laid along the middle of the right half.
static void ease(const tr_ground *ground, uint32_t size, lane *made, uint32_t begin, uint32_t end) {
    for (uint32_t k = begin; k < end; k++) {
        made->shift[k] = made->near[k] != 0 && made->shift[k] != 0 ? made->near[k] : 0;
        made->eased[k] = true;
    }
    lay(ground, size, made, begin, end);
}

// A lane that is a long detour even so is removed: the path stays unchanged in that corridor. Eases or
// removes the worst lane, if there is one: it may be the reason why others are long.
static bool leave_detour(const tr_ground *ground, uint32_t size, lane *made) {
    float worst = 0;
    uint32_t begin = 0, end = 0;
    for (uint32_t i = 0; i < made->count;) {
        uint32_t last = i;
        while (last < made->count && made->kept[last] && made->run[last] == made->run[i])
            last++;
        if (last == i) {
            i++;
            continue;
        }
        float along, more = detour_of(made, i, last, &along);
        more -= LONGER_MORE + LONGER * along + LONGER_LANE * SAMPLE * (float)(last - i);
        if (more > worst) {
            worst = more;
            begin = i;
            end = last;
        }
        i = last;
    }
    if (end > begin && !made->eased[begin])
        ease(ground, size, made, begin, end);
    else
        leave(made, begin, end);
    return end > begin;
}

static void add_point(tr_go *go, tr_vec3 at) {
    go->points[go->point_count++] = (tr_path_point){.position = at, .link = TR_NONE};
}

static void write_path(const lane *made, tr_go *go) {
    go->point_count = 0;
    for (uint32_t i = 0; i < made->corner_count; i++)
        add_point(go, made->moved[made->corners[i]]);
}

void tr_go_keep_lane(tr_go *go, const tr_ground *ground, const tr_go_query *query) {
    lane made;
    uint32_t size = query->sizes[0];
    for (uint32_t i = 1; i < go->point_count; i++)
        if (go->points[i].move != TR_PATH_WALK)
            return; // leaps and links stay unchanged
    if (go->point_count < 2 || !sample(go, ground, query, &made))
        return;
    leave_corridors(&made);
    smooth_shifts(&made, made.shift);
    smooth_shifts(&made, made.near);
    memset(made.eased, 0, made.count * sizeof *made.eased);
    lay(ground, size, &made, 0, made.count);
    do {
        if (!pull_tight(ground, size, &made))
            return;
    } while (leave_detour(ground, size, &made));
    write_path(&made, go);
}
