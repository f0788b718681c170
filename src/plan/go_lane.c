// Lanes. In corridors people keep to one side, so that those who come the other way find theirs free: where
// there is room for two but not for many, a path is moved into the right half.
#include "go_data.h"

#include <string.h>

#define SAMPLE 0.5f          // how finely a path is looked at [m]
#define SIGHT 2.5f           // so far to both sides [m]
#define WIDE 4.2f            // wider is no corridor: from wall to wall, for the middle of a body [m]
#define NARROW 0.75f         // and here two do not pass [m]
#define EASE 3               // samples before and behind that a change of side is spread over
#define STRAIGHT 0.06f       // points nearer to the line between others are left out [m]
#define LEVEL_STRAIGHT 0.01f // and where they are so much higher or lower they are not [m]
#define REPAIRS 4
#define RUN 5            // samples that a corridor is long at least,
#define ALIKE 0.4f       // as wide everywhere, to within this share,
#define ALONG 0.94f      // and gone along: cosine of the most that the path bends in it
#define SHIFT 2.0f       // nobody is moved further [m]
#define LEVEL 0.03f      // what rises more from one sample to the next is no corridor [m]
#define LONGER 1.1f      // a stretch in its lane that is longer than this times the path,
#define LONGER_MORE 0.4f // and so much more, is left [m]
#define MOST 384

typedef struct lane {
    tr_vec3 point[MOST];
    tr_vec2 right[MOST];
    float shift[MOST], width[MOST];
    bool steep[MOST];
    uint32_t stretch[MOST]; // of the path, that leads on from it
    uint32_t count;
} lane;

// How far to the right a point is to be moved [m].
static float wanted_shift(const tr_ground *ground, const tr_go_query *query, tr_vec3 at, tr_vec2 right,
                          float *wide) {
    uint32_t size = query->sizes[0];
    tr_vec2 left = {-right.x, -right.z};
    float a = tr_ground_room(ground, size, at, right, SIGHT),
          b = a < SIGHT ? tr_ground_room(ground, size, at, left, SIGHT) : 0;
    float width = a + b, shift = (a - 0.25f * width) * query->lane;
    *wide = width;
    if (width < NARROW || width > WIDE || a >= SIGHT || b >= SIGHT)
        return 0;
    return shift > SHIFT ? SHIFT : shift < -SHIFT ? -SHIFT : shift == 0 ? 1e-3f : shift;
}

// Onto the floor: between two corners it may be higher or lower than the line.
static void settle(const tr_ground *ground, const tr_go_query *query, tr_vec3 before, tr_vec3 *at) {
    float rise = tr_ground_size(ground, query->sizes[0])->foot_rise,
          height = tr_ground_height(ground, tr_vec3_make(at->x, before.y, at->z), rise);
    at->y = height == height ? height : at->y;
}

static bool sample(const tr_go *go, const tr_ground *ground, const tr_go_query *query, lane *made) {
    made->count = 0;
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
            made->width[n] = 0;
            made->stretch[n] = i;
            made->shift[n] = walks ? wanted_shift(ground, query, at, right, &made->width[n]) : 0;
        }
    }
    made->steep[made->count] = false;
    made->stretch[made->count] = go->point_count;
    made->point[made->count] = go->points[go->point_count - 1].position;
    made->right[made->count] = (tr_vec2){0, 0};
    made->shift[made->count++] = 0;
    made->shift[0] = 0;
    return true;
}

static bool is_same_corridor(const lane *made, uint32_t first, uint32_t n) {
    float cosine = made->right[first].x * made->right[n].x + made->right[first].z * made->right[n].z;
    return made->shift[n] != 0 && !made->steep[n] && cosine > ALONG &&
           fabsf(made->width[n] - made->width[first]) <= ALIKE * made->width[first];
}

// Stairs and slopes are gone as the path leads, and a short stretch between two things is no corridor.
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
        for (uint32_t k = i; k < end && end - i < RUN; k++)
            made->shift[k] = 0;
        if (end == i)
            made->shift[end++] = 0;
        i = end;
    }
}

// In a corridor its lane; beside one part of the way to it, so that nobody enters on the wrong side.
static float eased(const lane *made, uint32_t n) {
    if (made->shift[n] != 0)
        return made->shift[n];
    for (uint32_t k = 1; k < EASE; k++) {
        float share = 1 - (float)k / EASE;
        if (n + k < made->count && made->shift[n + k] != 0)
            return share * made->shift[n + k];
        if (n >= k && made->shift[n - k] != 0)
            return share * made->shift[n - k];
    }
    return 0;
}

static float off_line(tr_vec3 p, tr_vec3 a, tr_vec3 b) {
    float x = b.x - a.x, z = b.z - a.z, square = x * x + z * z;
    float t = square > 0 ? ((p.x - a.x) * x + (p.z - a.z) * z) / square : 0;
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    float dx = p.x - a.x - t * x, dz = p.z - a.z - t * z;
    return sqrtf(dx * dx + dz * dz);
}

// May all points between two be left out?
static bool is_straight(const tr_vec3 *points, uint32_t from, uint32_t to) {
    for (uint32_t i = from + 1; i < to; i++)
        if (off_line(points[i], points[from], points[to]) > STRAIGHT ||
            fabsf(points[i].y - points[from].y) > LEVEL_STRAIGHT)
            return false;
    return true;
}

static float length_of(const tr_vec3 *points, uint32_t from, uint32_t to) {
    float length = 0;
    for (uint32_t i = from; i < to; i++) {
        float x = points[i + 1].x - points[i].x, z = points[i + 1].z - points[i].z;
        length += sqrtf(x * x + z * z);
    }
    return length;
}

// A lane that is a long way round is none: that stretch is gone as the path leads.
static void leave_detours(const lane *made, tr_vec3 *moved) {
    for (uint32_t i = 1; i < made->count;) {
        uint32_t end = i;
        while (end < made->count &&
               (moved[end].x != made->point[end].x || moved[end].z != made->point[end].z))
            end++;
        if (end == i) {
            i++;
            continue;
        }
        uint32_t last = end < made->count ? end : made->count - 1;
        if (length_of(moved, i - 1, last) > LONGER * length_of(made->point, i - 1, last) + LONGER_MORE)
            for (uint32_t k = i; k < end; k++)
                moved[k] = made->point[k];
        i = end;
    }
}

// Does the lane leave the path at a point?
static bool is_left(const lane *made, const tr_vec3 *moved, uint32_t n) {
    return memcmp(&moved[n], &made->point[n], sizeof *moved) != 0;
}

// How far the lane is on one level stretch of the path, from a point on: there it is straight and free.
static uint32_t end_of_stretch(const lane *made, const tr_vec3 *moved, uint32_t from) {
    uint32_t end = from;
    while (end + 1 < made->count && made->stretch[end] == made->stretch[from] && !is_left(made, moved, end) &&
           !is_left(made, moved, end + 1) && fabsf(moved[end + 1].y - moved[from].y) <= LEVEL_STRAIGHT)
        end++;
    return end;
}

// The lane becomes the path, with the corners that it needs. Where it leads nowhere the path is as it was.
static void take_over(tr_go *go, const tr_ground *ground, uint32_t size, const lane *made,
                      const tr_vec3 *moved) {
    uint32_t count = 0;
    tr_path_point kept[GO_POINTS_MAX];
    kept[count++] = (tr_path_point){.position = moved[0], .link = TR_NONE};
    for (uint32_t i = 0; i + 1 < made->count;) {
        uint32_t next = i + 1, sure = end_of_stretch(made, moved, i);
        if (next > sure && !tr_ground_sees(ground, size, moved[i], moved[next]))
            return;
        while (next + 1 < made->count &&
               (next < sure ||
                (is_straight(moved, i, next + 1) && tr_ground_sees(ground, size, moved[i], moved[next + 1]))))
            next++;
        if (count == GO_POINTS_MAX)
            return;
        kept[count++] = (tr_path_point){.position = moved[next], .link = TR_NONE};
        i = next;
    }
    memcpy(go->points, kept, count * sizeof *kept);
    go->point_count = count;
}

void tr_go_keep_lane(tr_go *go, const tr_ground *ground, const tr_go_query *query) {
    lane made;
    for (uint32_t i = 1; i < go->point_count; i++)
        if (go->points[i].move != TR_PATH_WALK)
            return; // leaps and links are kept as they are
    if (go->point_count < 2 || !sample(go, ground, query, &made))
        return;
    leave_corridors(&made);
    tr_vec3 moved[MOST];
    for (uint32_t i = 0; i < made.count; i++) {
        bool end = i == 0 || i + 1 == made.count || made.steep[i];
        float shift = end ? 0 : eased(&made, i);
        moved[i] = tr_vec3_make(made.point[i].x + shift * made.right[i].x, made.point[i].y,
                                made.point[i].z + shift * made.right[i].z);
        float height;
        if (end || !tr_ground_is_free(ground, query->sizes[0], moved[i], &height))
            moved[i] = made.point[i];
        else
            moved[i].y = height;
    }
    leave_detours(&made, moved);
    // Where the lane does not lead on, the path is as it was.
    bool repairs = true;
    for (uint32_t pass = 0; pass < REPAIRS && repairs; pass++) {
        repairs = false;
        for (uint32_t i = 0; i + 1 < made.count; i++) {
            bool left = is_left(&made, moved, i) || is_left(&made, moved, i + 1);
            if (!left || tr_ground_sees(ground, query->sizes[0], moved[i], moved[i + 1]))
                continue;
            moved[i] = made.point[i];
            moved[i + 1] = made.point[i + 1];
            repairs = true;
        }
    }
    take_over(go, ground, query->sizes[0], &made, moved);
}
