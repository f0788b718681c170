#include "sample_crowd_zones.h"
#include "troupe/world/sample_crowd.h"

#include <string.h>

#define ROOM 10.0f // depth of halls, rooms and banks along x: see sample_passage.c
#define WALL 0.2f
#define BEHIND 2.5f // from the door to the zone of goals [m]
#define EDGE 0.4f   // least distance of people from the end of the floor [m]

crowd_trip crowd_trip_of(const crowd_plan *plan, uint32_t person) {
    crowd_trip trip = {0, 0};
    uint32_t count = plan->zone_count;
    switch (plan->pattern) {
    case CROWD_ONE_WAY:
        trip.to = 1;
        break;
    case CROWD_OPPOSITE:
        trip.from = person % count;
        trip.to = (trip.from + count / 2) % count;
        break;
    case CROWD_TO_LAST:
        trip.from = person % (count - 1);
        trip.to = count - 1;
        break;
    case CROWD_MIXED:
        trip.from = person % count;
        trip.to = person / count % count;
        break;
    }
    return trip;
}

static tr_box zone(float x0, float z0, float x1, float z1, float y) {
    tr_box box = {{x0, y, z0}, {x1, y, z1}};
    return box;
}

// The rooms to the west and east; `rim` is the outer wall.
static void plan_sides(const tr_sample *scene, float rim, crowd_plan *plan) {
    tr_box all = scene->ground;
    plan->zone_count = 2;
    plan->pattern = CROWD_OPPOSITE;
    plan->zones[0] = zone(all.min.x + rim, all.min.z + rim, all.min.x + rim + ROOM, all.max.z - rim, 0);
    plan->zones[1] = zone(all.max.x - rim - ROOM, all.min.z + rim, all.max.x - rim, all.max.z - rim, 0);
}

static void plan_corridor(const tr_sample *scene, crowd_plan *plan) {
    plan_sides(scene, WALL, plan);
}

// Goals are not directly behind the door.
static void plan_door(const tr_sample *scene, crowd_plan *plan) {
    plan_sides(scene, WALL, plan);
    plan->zones[1].min.x += BEHIND;
    plan->pattern = CROWD_ONE_WAY;
}

// Banks end at edges, which keep people away like walls but are not found like walls.
static void plan_bridge(const tr_sample *scene, crowd_plan *plan) {
    plan_sides(scene, 0, plan);
    for (uint32_t i = 0; i < plan->zone_count; i++) {
        tr_box *bank = &plan->zones[i];
        bank->min.x += EDGE, bank->min.z += EDGE;
        bank->max.x -= EDGE, bank->max.z -= EDGE;
    }
}

static void plan_crossing(const tr_sample *scene, crowd_plan *plan) {
    float side = scene->width / 2, end = side + scene->length;
    plan->zone_count = 4;
    plan->pattern = CROWD_OPPOSITE;
    plan->zones[0] = zone(side, -side, end, side, 0);
    plan->zones[1] = zone(-side, side, side, end, 0);
    plan->zones[2] = zone(-end, -side, -side, side, 0);
    plan->zones[3] = zone(-side, -end, side, -side, 0);
}

// Anywhere on level ground, a little away from its border.
static void plan_anywhere(const tr_sample *scene, crowd_plan *plan) {
    tr_box all = scene->ground;
    float rim = (all.max.x - all.min.x) / 4 < 0.5f ? (all.max.x - all.min.x) / 4 : 0.5f;
    plan->zone_count = 1;
    plan->pattern = CROWD_MIXED;
    plan->zones[0] = zone(all.min.x + rim, all.min.z + rim, all.max.x - rim, all.max.z - rim, all.min.y);
}

// Those who jog need more room to set out than those who walk.
static void plan_crowd_field(const tr_sample *scene, crowd_plan *plan) {
    plan_anywhere(scene, plan);
    plan->off_tracks = true;
    plan->clear = 0.9f;
    plan->apart = 1.8f;
}

// Both storeys, without the stairs and the floor under them.
static void plan_house(const tr_sample *scene, crowd_plan *plan) {
    plan->zone_count = 2;
    plan->pattern = CROWD_MIXED;
    plan->zones[0] = zone(1.2f, 1.2f, 10.8f, 7.5f, scene->start.y);
    plan->zones[1] = zone(1.2f, 1.2f, 10.8f, 7.5f, scene->goal.y);
}

// Below, before the trench; above, beside the well.
static void plan_stairs(const tr_sample *scene, crowd_plan *plan) {
    plan->zone_count = 2;
    plan->pattern = CROWD_OPPOSITE;
    plan->zones[0] = zone(0.6f, 14.8f, 10.2f, 17.9f, scene->start.y);
    plan->zones[1] = zone(0.5f, 0.5f, 4.1f, 6.1f, scene->goal.y);
}

// Three rows on the near side of the wall, each for every third person, so that they come to the tree one
// after the other; all of them go to the far side.
static void plan_falling_tree(const tr_sample *scene, crowd_plan *plan) {
    tr_box all = scene->ground;
    float side = all.max.x - 3;
    plan->zone_count = 4;
    plan->pattern = CROWD_TO_LAST;
    plan->zones[0] = zone(-2, -6, 2, -4.5f, 0);
    plan->zones[1] = zone(-side, -10, side, -8, 0);
    plan->zones[2] = zone(-side, all.min.z + 1, side, all.min.z + 3, 0);
    plan->zones[3] = zone(-side, 6, side, all.max.z - 1.5f, 0);
}

// From the western end of the field to the eastern.
static void plan_stampede(const tr_sample *scene, crowd_plan *plan) {
    tr_box all = scene->ground;
    plan->zone_count = 2;
    plan->pattern = CROWD_ONE_WAY;
    plan->zones[0] = zone(all.min.x + 2, -7, all.min.x + 5, 7, 0);
    plan->zones[1] = zone(all.max.x - 8, all.min.z + 5, all.max.x - 4, all.max.z - 5, 0);
}

static const crowd_kind kinds[] = {
    {"corridor", "half against half through a corridor", "corridor", 40, false, plan_corridor},
    {"door", "all people from one room through a door into the other", "door", 60, false, plan_door},
    {"swap", "the people of two rooms change places through a door", "door", 8, false, plan_corridor},
    {"crossing", "four arms of a crossing, each to the opposite one", "crossing", 60, false, plan_crossing},
    {"bridge", "half against half over a bridge", "bridge", 10, false, plan_bridge},
    {"plaza", "anywhere to anywhere on a square sized for them", "plaza", 100, true, plan_anywhere},
    {"office", "anywhere to anywhere in the office", "office", 40, false, plan_anywhere},
    {"maze", "anywhere to anywhere in the maze", "maze", 20, false, plan_anywhere},
    {"house", "within and between the storeys of the house", "house", 10, false, plan_house},
    {"stairs", "half of them up the stairs, half of them down", "stairs", 10, false, plan_stairs},
    {"falling_tree", "one after the other through the gap that the tree falls across", "falling_tree", 3,
     false, plan_falling_tree},
    {"stampede", "from one end of the field to the other, for horses", "stampede", 3, false, plan_stampede},
    {"crowd_field", "anywhere to anywhere on a field sized for them", "crowd_field", 100, true,
     plan_crowd_field},
};
#define KIND_COUNT (sizeof kinds / sizeof kinds[0])

const crowd_kind *crowd_kind_find(const char *name) {
    for (uint32_t i = 0; i < KIND_COUNT; i++)
        if (strcmp(kinds[i].name, name) == 0)
            return &kinds[i];
    return NULL;
}

uint32_t tr_sample_crowd_kind_count(void) {
    return KIND_COUNT;
}

const char *tr_sample_crowd_kind(uint32_t index) {
    return index < KIND_COUNT ? kinds[index].name : NULL;
}

const char *tr_sample_crowd_summary(uint32_t index) {
    return index < KIND_COUNT ? kinds[index].summary : NULL;
}
