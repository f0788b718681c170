// Actors that know only what they have seen: a door that shut while nobody looked, strangers, and what is
// felt.
#include "theatre.h"
#include "troupe/base/random.h"
#include "troupe/base/scalar.h"

// A wall along x with a near gap at x = -4 and a far one at x = 4.5. The door stands open beside the near
// one.
typedef struct hall {
    theatre t;
    uint32_t door;
    tr_actor_id walker;
} hall;

static const tr_stage_eyes open_eyes = {.open = true};

static bool open_hall(hall *h, tr_stage_eyes eyes, float heading) {
    if (!open_theatre(&h->t, NULL))
        return false;
    add_box(h->t.scene, "west", -6, -0.1f, -4.6f, 0.1f);
    add_box(h->t.scene, "middle", -3.4f, -0.1f, 3.9f, 0.1f);
    add_box(h->t.scene, "east", 5.1f, -0.1f, 6, 0.1f);
    h->door = add_box(h->t.scene, "door", -3.2f, 0.15f, -2, 0.2f); // behind the wall
    tr_stage_actor_def def = {
        .character = h->t.character, .position = {-4, 0, -4}, .heading = heading, .eyes = eyes};
    CHECK_INT(tr_stage_add_actor(h->t.stage, &def, &h->walker, NULL), TR_OK);
    return true;
}

static void shut_door(hall *h) {
    tr_affine shut = tr_affine_identity();
    shut.m[0][3] = -1.4f;
    shut.m[2][3] = -0.15f;
    CHECK_INT(tr_scene_place(h->t.scene, h->door, &shut), TR_OK);
}

// Where the actor's way crosses the wall.
static float crossing(const hall *h) {
    const tr_way *way = tr_stage_way(h->t.stage, h->walker);
    for (float along = 0; way && along < tr_way_length(way); along += 0.05f)
        if (tr_way_at(way, along).z >= 0)
            return tr_way_at(way, along).x;
    return NAN;
}

// How far the actor is from the nearest box on the floor.
static double room_of(const hall *h) {
    tr_vec2 at = place_of(&h->t, h->walker);
    double least = INFINITY;
    for (uint32_t i = 0; i < tr_scene_object_count(h->t.scene); i++) {
        tr_box box = tr_scene_object(h->t.scene, i).bounds;
        if (i == h->t.floor)
            continue;
        double x = fmax(fmax((double)(box.min.x - at.x), (double)(at.x - box.max.x)), 0),
               z = fmax(fmax((double)(box.min.z - at.z), (double)(at.z - box.max.z)), 0);
        least = fmin(least, sqrt(x * x + z * z));
    }
    return least;
}

// Plays until the orders have ended, and looks in every tick whether the actor touches a box: its body is 0.2
// m from its middle.
static void play_on_free_ground(hall *h, double seconds) {
    for (int i = 0; i < (int)(30 * seconds) && tr_stage_step(h->t.stage, TR_STAGE_TICK, NULL) == TR_OK; i++)
        REQUIRE(room_of(h) > 0.2);
}

TEST(an_actor_with_eyes_goes_to_a_door_that_it_remembers_open) {
    for (int eyes = 0; eyes < 2; eyes++) {
        hall h;
        if (open_hall(&h, eyes ? open_eyes : (tr_stage_eyes){0}, (float)TR_PI)) {
            ticks(&h.t, 10);
            shut_door(&h);
            send_to(&h.t, h.walker, -4, 4);
            ticks(&h.t, 2);
            CHECK_NEAR(crossing(&h), eyes ? -4 : 4.5, 0.4); // who sees everything knows that it is shut
            CHECK((tr_stage_sight(h.t.stage, h.walker) != NULL) == eyes);
            play_on_free_ground(&h, 60);
            check_arrived(&h.t, h.walker);
        }
        close_theatre(&h.t);
    }
}

TEST(it_finds_another_way_once_it_sees_the_door) {
    hall h;
    if (open_hall(&h, open_eyes, 0)) { // looks at the wall
        ticks(&h.t, 10);
        shut_door(&h);
        ticks(&h.t, 10); // it looks four times a second
        send_to(&h.t, h.walker, -4, 4);
        ticks(&h.t, 2);
        CHECK_NEAR(crossing(&h), 4.5, 0.4);
        CHECK(tr_sight_recall(tr_stage_sight(h.t.stage, h.walker), h.door).seen);
        play_on_free_ground(&h, 60);
        check_arrived(&h.t, h.walker);
    }
    close_theatre(&h.t);
}

TEST(the_dark_is_felt) {
    hall h;
    tr_stage_eyes blind = open_eyes;
    blind.range = 0.2f;
    if (open_hall(&h, blind, 0)) {
        ticks(&h.t, 10);
        shut_door(&h);
        send_to(&h.t, h.walker, -4, 4);
        ticks(&h.t, 10);
        CHECK_NEAR(crossing(&h), -4, 0.4);
        play_on_free_ground(&h, 60);
        check_arrived(&h.t, h.walker);
        CHECK(tr_sight_recall(tr_stage_sight(h.t.stage, h.walker), h.door).seen);
    }
    close_theatre(&h.t);
}

TEST(who_remembers_no_way_says_so) {
    hall h;
    if (open_hall(&h, open_eyes, 0)) {
        uint32_t bar = add_box(h.t.scene, "bar", 3.8f, -0.05f, 5.2f, 0.05f); // the far gap is shut, too
        ticks(&h.t, 10);
        shut_door(&h);
        ticks(&h.t, 10);
        uint32_t order = send_to(&h.t, h.walker, -4, 4);
        ticks(&h.t, 60);
        CHECK(tr_sight_recall(tr_stage_sight(h.t.stage, h.walker), bar).known);
        tr_order_report report;
        CHECK_INT(tr_stage_order_report(h.t.stage, h.walker, order, &report), TR_OK);
        CHECK_INT(report.state, TR_ORDER_FAILED);
        CHECK(report.reason[0]);
    }
    close_theatre(&h.t);
}

// Random pillars, all unknown: strangers get through them without touching one.
TEST(strangers_find_their_way) {
    tr_random random = tr_random_seed(91);
    uint32_t done = 0;
    for (int trial = 0; trial < 12; trial++) {
        hall h;
        tr_stage_eyes stranger = {.open = true, .stranger = true};
        if (!open_hall(&h, stranger, tr_random_between(&random, -3, 3)))
            return;
        for (int i = 0; i < 6; i++) {
            float x = tr_random_between(&random, -5, 4.5f), z = tr_random_between(&random, 0.8f, 5);
            add_box(h.t.scene, "pillar", x, z, x + 0.6f, z + 0.6f);
        }
        send_to(&h.t, h.walker, tr_random_between(&random, -5, 5), tr_random_between(&random, 1, 5));
        play_on_free_ground(&h, 90);
        tr_order_report report;
        CHECK_INT(tr_stage_order_report(h.t.stage, h.walker, 0, &report), TR_OK);
        CHECK(report.state == TR_ORDER_DONE || report.state == TR_ORDER_FAILED);
        done += report.state == TR_ORDER_DONE;
        close_theatre(&h.t);
    }
    CHECK(done >= 10);
}

TEST(bad_eyes_are_refused) {
    hall h;
    if (open_hall(&h, open_eyes, 0)) {
        static const tr_stage_eyes bad[] = {{.open = true, .per_second = -1},
                                            {.open = true, .per_second = 31},
                                            {.open = true, .half_angle = 2},
                                            {.open = true, .range = -3}};
        for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
            tr_stage_actor_def def = {.character = h.t.character, .position = {3, 0, -3}, .eyes = bad[i]};
            tr_actor_id actor;
            tr_error error = {0};
            CHECK_INT(tr_stage_add_actor(h.t.stage, &def, &actor, &error), TR_INVALID);
            CHECK(error.message[0]);
        }
        CHECK_INT(tr_stage_actor_count(h.t.stage), 1);
        CHECK(tr_stage_sight(h.t.stage, 99) == NULL && tr_stage_known_ground(h.t.stage, 99) == NULL);
    }
    close_theatre(&h.t);
}
