// Crowds: a judge that shares no code with the planner looks at every frame of every pair. Impasses are
// resolved, results do not depend on threads, and who gets no plan learns why.
#include "behavior_room.h"
#include "troupe/base/random.h"
#include "troupe/plan/behavior_crowd.h"

#include <stdlib.h>

#define PEOPLE 48
#define FRAMES 1800 // that are judged: a minute

typedef struct crowd_room {
    room r;
    tr_behavior_crowd *crowd;
    tr_behavior_person people[PEOPLE];
    tr_vec2 goals[PEOPLE];
    uint32_t count;
} crowd_room;

static bool open_crowd(crowd_room *c, tr_tasks *tasks, bool prioritised, float width, float depth) {
    memset(c, 0, sizeof *c);
    room_begin(&c->r);
    tr_behavior_crowd_def def = {.tasks = tasks, .prioritised = prioritised};
    bool good =
        room_open(&c->r, NULL, width, depth) && tr_behavior_crowd_create(&def, &c->crowd, NULL) == TR_OK;
    CHECK(good);
    return good;
}

static void close_crowd(crowd_room *c) {
    tr_behavior_crowd_destroy(c->crowd);
    room_close(&c->r);
}

static void add(crowd_room *c, tr_vec2 start, float heading, tr_vec2 goal) {
    c->goals[c->count] = goal;
    tr_behavior_query query = room_query(start, &c->goals[c->count]);
    query.heading = heading;
    query.inflation = 1.5f;
    query.heuristic = TR_BEHAVIOR_FIELD;
    c->people[c->count++] = (tr_behavior_person){.query = query};
}

static tr_status find(crowd_room *c) {
    return tr_behavior_crowd_find(c->crowd, c->r.map, c->people, c->count, NULL, &c->r.error);
}

static tr_behavior_crowd_view look(const crowd_room *c, uint32_t person) {
    tr_behavior_crowd_view view = {0};
    CHECK(tr_behavior_crowd_look(c->crowd, person, &view));
    return view;
}

// Where the root of somebody is in every frame, by the moves of the plan alone. Moves of this machine go
// straight from their beginning to their end.
static void trace(const crowd_room *c, uint32_t person, double (*at)[2]) {
    tr_behavior_crowd_view view = look(c, person);
    const tr_behavior_def *def = tr_behavior_def_of(c->r.behavior);
    double x = (double)c->people[person].query.start.x, z = (double)c->people[person].query.start.z;
    double heading = (double)c->people[person].query.heading;
    uint32_t frame = 0;
    for (uint32_t i = 0; i < view.plan->action_count; i++) {
        const tr_behavior_action *action = &view.plan->actions[i];
        const tr_behavior_move *move = &def->states[action->state].moves[action->move];
        double to_x = x + (double)move->x * cos(heading) + (double)move->z * sin(heading),
               to_z = z + (double)move->z * cos(heading) - (double)move->x * sin(heading);
        for (; frame < action->frame && frame < FRAMES; frame++)
            at[frame][0] = x, at[frame][1] = z;
        for (; frame < action->frame + move->frames && frame < FRAMES; frame++) {
            double t = (double)(frame - action->frame) / move->frames;
            at[frame][0] = x + t * (to_x - x), at[frame][1] = z + t * (to_z - z);
        }
        x = to_x, z = to_z, heading += (double)move->turn;
    }
    for (; frame < FRAMES; frame++)
        at[frame][0] = x, at[frame][1] = z;
}

// The least distance between two of them at any time.
static double judge(const crowd_room *c) {
    double(*at)[FRAMES][2] = malloc(sizeof *at * c->count), least = INFINITY;
    for (uint32_t i = 0; i < c->count; i++)
        trace(c, i, at[i]);
    for (uint32_t i = 0; i < c->count; i++)
        for (uint32_t k = i + 1; k < c->count; k++)
            for (uint32_t f = 0; f < FRAMES; f++) {
                double x = at[i][f][0] - at[k][f][0], z = at[i][f][1] - at[k][f][1];
                least = fmin(least, sqrt(x * x + z * z));
            }
    for (uint32_t i = 0; i < c->count; i++) {
        tr_behavior_crowd_view view = look(c, i);
        double x = at[i][FRAMES - 1][0] - (double)c->goals[i].x,
               z = at[i][FRAMES - 1][1] - (double)c->goals[i].z;
        if (view.by != TR_BEHAVIOR_BY_NONE)
            CHECK(sqrt(x * x + z * z) <= 0.5 + 1e-3 + (view.beside ? 3 : 0));
        CHECK((view.reason[0] != 0) == (view.by == TR_BEHAVIOR_BY_NONE));
    }
    free(at);
    return least;
}

// People at random places, so far apart and from the walls that they can set out; the goals as well.
static void add_random(crowd_room *c, tr_random *random, uint32_t count, float side) {
    for (uint32_t i = 0; i < count; i++) {
        tr_vec2 ends[2];
        for (int e = 0; e < 2; e++)
            for (bool good = false; !good;) {
                ends[e] =
                    (tr_vec2){tr_random_between(random, 2, side - 2), tr_random_between(random, 2, side - 2)};
                good = true;
                for (uint32_t k = 0; k < c->count; k++) {
                    tr_vec2 other = e ? c->goals[k] : c->people[k].query.start;
                    tr_vec2 end = e ? c->people[k].query.start : c->goals[k];
                    good = good && hypot((double)(end.x - ends[e].x), (double)(end.z - ends[e].z)) > 1.6;
                    good = good && hypot((double)(other.x - ends[e].x), (double)(other.z - ends[e].z)) > 2.4;
                }
            }
        double to_x = (double)(side / 2 - ends[0].x), to_z = (double)(side / 2 - ends[0].z);
        add(c, ends[0], (float)tr_arc_tangent(to_x, to_z), ends[1]); // looks at the middle
    }
}

static double distance_to(tr_vec2 point, tr_vec2 from, tr_vec2 to) {
    double x = (double)to.x - (double)from.x, z = (double)to.z - (double)from.z, length = x * x + z * z;
    double px = (double)point.x - (double)from.x, pz = (double)point.z - (double)from.z;
    double t = length > 0 ? fmin(fmax((px * x + pz * z) / length, 0), 1) : 0;
    return hypot(px - t * x, pz - t * z);
}

TEST(nobody_meets_anybody) {
    uint32_t failed = 0, all = 0;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        static crowd_room c;
        tr_random random = tr_random_seed(seed);
        if (!open_crowd(&c, NULL, false, 24, 24))
            return;
        add_random(&c, &random, 36, 24); // 0.06 people a square metre
        tr_status status = find(&c);
        CHECK(status == TR_OK || status == TR_PARTIAL);
        CHECK(judge(&c) >= 0.7);
        for (uint32_t i = 0; i < c.count; i++)
            failed += look(&c, i).by == TR_BEHAVIOR_BY_NONE;
        all += c.count;
        close_crowd(&c);
    }
    CHECK(failed * 50 <= all); // two in a hundred
}

static uint64_t hash_of(const crowd_room *c) {
    uint64_t hash = 1;
    for (uint32_t i = 0; i < c->count; i++) {
        tr_behavior_crowd_view view = look(c, i);
        for (uint32_t k = 0; k < view.plan->action_count; k++) {
            const tr_behavior_action *action = &view.plan->actions[k];
            hash = hash * 1000003 + action->state * 31 + action->frame;
            hash = hash * 1000003 + (uint64_t)(int64_t)(action->position.x * 4096);
        }
        hash = hash * 1000003 + view.by;
    }
    return hash;
}

TEST(plans_do_not_depend_on_the_number_of_threads) {
    uint64_t first = 0;
    for (uint32_t members = 1; members <= 4; members++) {
        static crowd_room c;
        tr_random random = tr_random_seed(11);
        tr_tasks *tasks = NULL;
        CHECK_INT(tr_tasks_create(NULL, members, &tasks, NULL), TR_OK);
        if (!open_crowd(&c, tasks, false, 20, 20))
            return;
        add_random(&c, &random, 18, 20);
        find(&c);
        first = members == 1 ? hash_of(&c) : first;
        CHECK(hash_of(&c) == first);
        close_crowd(&c);
        tr_tasks_destroy(tasks);
    }
}

// Two halls that are joined by a tunnel 1.5 m wide and 6 m long, along z: nobody passes anybody there.
static void dig_tunnel(crowd_room *c) {
    room_box(&c->r, 7, 0, 8, 5.25f, 14);
    room_box(&c->r, 7, 6.75f, 8, 12.25f, 14);
    CHECK(room_walls(&c->r));
}

TEST(a_tunnel_is_no_impasse) {
    static crowd_room c;
    for (int each = 1; each <= 3; each++) {
        if (!open_crowd(&c, NULL, false, 12.25f, 22))
            return;
        dig_tunnel(&c);
        for (int i = 0; i < each; i++) {
            float back = 1.6f * (float)i, x = 1.5f + 2 * (float)i; // one behind the other
            add(&c, (tr_vec2){6.1f, 5 - back}, 0, (tr_vec2){x, 20});
            add(&c, (tr_vec2){6.1f, 17 + back}, (float)TR_PI, (tr_vec2){12.25f - x, 2});
        }
        CHECK_INT(find(&c), TR_OK);
        CHECK(judge(&c) >= 0.7);
        close_crowd(&c);
    }
}

// The first one's goal is in the tunnel that the second one has to pass.
TEST(who_rests_in_the_way_lets_others_pass) {
    static crowd_room c;
    for (int prioritised = 0; prioritised < 2; prioritised++) {
        if (!open_crowd(&c, NULL, prioritised, 12.25f, 22))
            return;
        dig_tunnel(&c);
        add(&c, (tr_vec2){6.1f, 4}, 0, (tr_vec2){6.1f, 11});
        add(&c, (tr_vec2){6.1f, 2}, 0, (tr_vec2){6.1f, 19});
        CHECK_INT(find(&c), prioritised ? TR_PARTIAL : TR_OK);
        CHECK(judge(&c) >= 0.7);
        if (prioritised) {
            CHECK_INT(look(&c, 1).by, TR_BEHAVIOR_BY_NONE);
            CHECK(look(&c, 1).reason[0]);
        }
        close_crowd(&c);
    }
}

// Everybody's goal is the start of somebody else.
TEST(a_circle_changes_sides) {
    static crowd_room c;
    if (!open_crowd(&c, NULL, false, 24, 24))
        return;
    for (int i = 0; i < 12; i++) {
        double angle = 2 * TR_PI * i / 12;
        float x = (float)(9 * sin(angle)), z = (float)(9 * cos(angle));
        add(&c, (tr_vec2){12 + x, 12 + z}, (float)(angle + TR_PI), (tr_vec2){12 - x, 12 - z});
    }
    CHECK_INT(find(&c), TR_OK);
    CHECK(judge(&c) >= 0.7);
    close_crowd(&c);
}

TEST(who_finds_the_goal_taken_stops_beside_it) {
    static crowd_room c;
    if (!open_crowd(&c, NULL, false, 16, 16))
        return;
    add(&c, (tr_vec2){4, 3}, 0, (tr_vec2){8, 12});
    add(&c, (tr_vec2){8, 3}, 0, (tr_vec2){8, 12}); // the shorter way
    CHECK_INT(find(&c), TR_OK);
    CHECK(look(&c, 0).beside);
    CHECK(!look(&c, 1).beside);
    CHECK(judge(&c) >= 0.7);
    close_crowd(&c);
}

// Whoever has the shortest way is planned first, so it rests before the other comes by.
TEST(who_rests_early_is_known_to_those_who_come_by_later) {
    static crowd_room c;
    if (!open_crowd(&c, NULL, false, 12.25f, 22))
        return;
    add(&c, (tr_vec2){6.1f, 2}, 0, (tr_vec2){6.1f, 19});
    add(&c, (tr_vec2){6.1f, 5}, 0, (tr_vec2){6.1f, 10}); // in the way of the first
    CHECK_INT(find(&c), TR_OK);
    CHECK_INT(look(&c, 1).plan->actions[0].frame, 0);
    CHECK(look(&c, 1).plan->end_frame < look(&c, 0).plan->end_frame);
    CHECK(judge(&c) >= 0.7);
    close_crowd(&c);
}

// Goals in a row: each of them is passed, and the last one is rested at, among others who do the same.
TEST(several_goals_are_passed_in_their_order) {
    for (uint64_t seed = 1; seed <= 3; seed++) {
        static crowd_room c;
        static tr_vec2 rows[PEOPLE][3];
        tr_random random = tr_random_seed(seed);
        uint32_t besides = 0;
        if (!open_crowd(&c, NULL, false, 28, 28))
            return;
        add_random(&c, &random, 10, 28);
        for (uint32_t i = 0; i < c.count; i++) {
            rows[i][0] = (tr_vec2){tr_random_between(&random, 3, 25), tr_random_between(&random, 3, 25)};
            rows[i][1] = (tr_vec2){tr_random_between(&random, 3, 25), tr_random_between(&random, 3, 25)};
            rows[i][2] = c.goals[i];
            c.people[i].query.goals = rows[i];
            c.people[i].query.goal_count = 3;
        }
        tr_status status = find(&c);
        CHECK(status == TR_OK || status == TR_PARTIAL);
        CHECK(judge(&c) >= 0.7);
        for (uint32_t i = 0; i < c.count; i++) {
            tr_behavior_crowd_view view = look(&c, i);
            uint32_t leg = 0;
            for (uint32_t k = 0; k < view.plan->action_count && leg < 2;) {
                tr_vec2 from = view.plan->actions[k].position;
                tr_vec2 to =
                    k + 1 < view.plan->action_count ? view.plan->actions[k + 1].position : view.plan->end;
                bool passes = distance_to(rows[i][leg], from, to) <= 0.5 + 1e-3;
                leg += passes;
                k += !passes;
            }
            CHECK(view.by == TR_BEHAVIOR_BY_NONE || leg == 2 || view.beside); // somebody rests at a goal
            besides += view.by != TR_BEHAVIOR_BY_NONE && leg < 2;
        }
        CHECK(besides <= 2);
        close_crowd(&c);
    }
}

TEST(who_is_walled_in_is_told_and_the_others_go) {
    static crowd_room c;
    if (!open_crowd(&c, NULL, false, 16, 16))
        return;
    room_box(&c.r, 7, 6, 6, 10, 6.5f);
    room_box(&c.r, 7, 6, 9.5f, 10, 10);
    room_box(&c.r, 7, 6, 6, 6.5f, 10);
    room_box(&c.r, 7, 9.5f, 6, 10, 10);
    CHECK(room_walls(&c.r));
    add(&c, (tr_vec2){2, 2}, 0, (tr_vec2){8, 8});
    add(&c, (tr_vec2){2, 5}, 0, (tr_vec2){2, 13});
    CHECK_INT(find(&c), TR_PARTIAL);
    CHECK_INT(look(&c, 0).by, TR_BEHAVIOR_BY_NONE);
    CHECK(look(&c, 0).reason[0]);
    CHECK_INT(look(&c, 1).by, TR_BEHAVIOR_BY_ORDER);
    CHECK(judge(&c) >= 0.7);
    close_crowd(&c);
}

TEST(bad_crowds_are_refused) {
    static crowd_room c;
    tr_behavior_crowd_def bad = {.radius = NAN};
    tr_behavior_crowd *none = NULL;
    CHECK_INT(tr_behavior_crowd_create(&bad, &none, NULL), TR_INVALID);
    CHECK(none == NULL);
    if (!open_crowd(&c, NULL, false, 16, 16))
        return;
    add(&c, (tr_vec2){5, 5}, 0, (tr_vec2){10, 10});
    add(&c, (tr_vec2){5.3f, 5}, 0, (tr_vec2){3, 10});
    CHECK_INT(find(&c), TR_INVALID);
    CHECK_CONTAINS(c.r.error.message, "character 1");
    c.people[1].query.start = (tr_vec2){12, 5};
    c.people[1].query.inflation = 0;
    CHECK_INT(find(&c), TR_INVALID);
    CHECK_CONTAINS(c.r.error.message, "character 1");
    c.people[1].query.inflation = 1;
    CHECK_INT(find(&c), TR_OK);
    tr_behavior_crowd_view view;
    CHECK(!tr_behavior_crowd_look(c.crowd, 2, &view));
    c.count = 0;
    tr_behavior_map_withdraw_all(c.r.map);
    CHECK_INT(find(&c), TR_OK);
    close_crowd(&c);
}

static bool make_and_plan(const tr_allocator *allocator) {
    static crowd_room c;
    memset(&c, 0, sizeof c);
    room_begin(&c.r);
    tr_behavior_crowd_def def = {.allocator = allocator, .node_max = 1u << 12};
    bool done = room_open(&c.r, allocator, 12, 12) && tr_behavior_crowd_create(&def, &c.crowd, NULL) == TR_OK;
    if (done) {
        add(&c, (tr_vec2){2, 2}, 0, (tr_vec2){2, 9});
        add(&c, (tr_vec2){4, 9}, (float)TR_PI, (tr_vec2){4, 2});
        tr_status status = find(&c);
        CHECK(status == TR_OK || status == TR_OUT_OF_MEMORY);
        done = status == TR_OK;
    }
    close_crowd(&c);
    return done;
}

TEST(running_out_of_memory_is_a_status) {
    CHECK(CHECK_EVERY_ALLOCATION_FAILURE(make_and_plan) > 10);
}
