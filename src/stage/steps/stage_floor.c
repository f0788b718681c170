// Heights of the triangles of a scene, for feet that swing over them. The ground of a stage knows a floor
// only by the highest point of each cell.
#include "stage/stage_data.h"
#include "world/solid/solid_near.h"

#define HALF 0.012f   // half the side of the square in which the highest point counts [m]
#define ABOVE 0.4f    // what begins higher over a point is an overhang [m]
#define BELOW 0.6f    // and what is lower is another floor [m]
#define CORNERS_MAX 8 // of a triangle that is cut by four planes

typedef struct floor_square {
    tr_vec3 at;
    float high;
} floor_square;

// Keeps the part of a polygon on one side of a plane across axis 0 or 2. Returns the number of its corners.
static int cut(tr_vec3 *corners, int count, int axis, float border, float side) {
    tr_vec3 kept[CORNERS_MAX];
    int number = 0;
    for (int i = 0; i < count; i++) {
        tr_vec3 a = corners[i], b = corners[(i + 1) % count];
        float from = side * ((&a.x)[axis] - border), to = side * ((&b.x)[axis] - border);
        if (from >= 0)
            kept[number++] = a;
        if ((from < 0) != (to < 0)) {
            float share = from / (from - to);
            kept[number++] = tr_vec3_add(a, tr_vec3_scale(tr_vec3_subtract(b, a), share));
        }
    }
    for (int i = 0; i < number; i++)
        corners[i] = kept[i];
    return number;
}

static void take(void *user, const tr_vec3 triangle[3]) {
    floor_square *square = user;
    tr_vec3 corners[CORNERS_MAX] = {triangle[0], triangle[1], triangle[2]};
    int count = 3;
    const float centre[3] = {square->at.x, 0, square->at.z};
    for (int axis = 0; axis < 3 && count > 0; axis += 2) {
        count = cut(corners, count, axis, centre[axis] - HALF, 1);
        count = cut(corners, count, axis, centre[axis] + HALF, -1);
    }
    float low = INFINITY, high = -INFINITY;
    for (int i = 0; i < count; i++) {
        low = corners[i].y < low ? corners[i].y : low;
        high = corners[i].y > high ? corners[i].y : high;
    }
    if (low > square->at.y + ABOVE || high < square->at.y - BELOW)
        return;
    square->high = high > square->high ? high : square->high;
}

float tr_stage_triangle_near(void *user, tr_vec3 point) {
    const stage_actor *who = user;
    floor_square square = {point, -INFINITY};
    tr_box box = {tr_vec3_make(point.x - HALF, point.y - BELOW, point.z - HALF),
                  tr_vec3_make(point.x + HALF, point.y + ABOVE, point.z + HALF)};
    tr_solid_triangles_in(who->stage->solid, box, take, &square);
    return square.high > -INFINITY ? square.high : NAN;
}
