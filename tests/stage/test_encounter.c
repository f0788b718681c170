// An actor meets carts and doors: see tests/soak/encounter.h. `make soak` runs a hundred seeds of each.
#include "block.h"
#include "encounter.h"
#include "test.h"
#include <math.h>

#define TOUCH -1e-3f // for rounding [m]

static void check_seeds(encounter_kind kind, uint64_t first, uint64_t last) {
    for (uint64_t seed = first; seed <= last; seed++) {
        encounter_result result;
        REQUIRE(encounter_run(kind, seed, &result));
        if (result.nearest < TOUCH && !result.was_in_the_way)
            test_failed(__FILE__, __LINE__, "%s, seed %u: the thing came %g m into the disc at %g s",
                        encounter_name(kind), (unsigned)seed, (double)-result.nearest, result.time);
        if (!encounter_ended_well(kind, &result))
            test_failed(__FILE__, __LINE__, "%s, seed %u: the order is in state %d: %s", encounter_name(kind),
                        (unsigned)seed, (int)result.state, result.reason);
    }
}

TEST(a_cart_that_crosses_the_way_on_level_ground_touches_nobody) {
    check_seeds(ENCOUNTER_CART_LEVEL, 1, 6);
}

TEST(a_cart_that_comes_over_a_bridge_touches_nobody) {
    check_seeds(ENCOUNTER_CART_BRIDGE, 1, 6);
}

TEST(an_actor_at_a_shut_door_stops_before_it_and_reports_why) {
    check_seeds(ENCOUNTER_DOOR_SHUTS, 1, 6);
}

TEST(an_actor_at_a_shut_door_goes_through_when_it_opens) {
    check_seeds(ENCOUNTER_DOOR_OPENS, 1, 6);
}

TEST(an_actor_at_a_shut_door_takes_another_door) {
    check_seeds(ENCOUNTER_DOOR_DETOUR, 1, 6);
}

// --- One pace on any ground ---

typedef struct ground_kind {
    const char *name;
    float floor;         // that they walk on [m]
    bool above, beneath; // there are other storeys
    bool stairs;         // and steps that lead up from it
    float cell;
} ground_kind;

// The time that an actor takes for 10 m at 3 m/s while another one crosses its way [s].
static double cross(const tr_character *character, const ground_kind *kind) {
    tr_scene *scene = NULL;
    CHECK_INT(tr_scene_create(NULL, &scene), TR_OK);
    float y = kind->floor;
    add_block(scene, NULL, tr_vec3_make(-6, y - 0.2f, -6), tr_vec3_make(6, y, 6));
    if (kind->beneath)
        add_block(scene, NULL, tr_vec3_make(-6, y - 3.2f, -6), tr_vec3_make(6, y - 3, 6));
    if (kind->above)
        add_block(scene, NULL, tr_vec3_make(-6, y + 3, -6), tr_vec3_make(6, y + 3.2f, 6));
    for (int i = 0; i < 10 && kind->stairs; i++)
        add_block(scene, NULL, tr_vec3_make(-5 + 0.3f * (float)i, y, 4.5f),
                  tr_vec3_make(-4.7f + 0.3f * (float)i, y + 0.17f * (float)(i + 1), 6));
    tr_stage_def def = tr_stage_def_default(scene);
    def.cell = kind->cell;
    tr_stage *stage = NULL;
    CHECK_INT(tr_stage_create(&def, &stage, NULL), TR_OK);
    const tr_vec3 ends[2][2] = {{{-5, y, 0}, {5, y, 0}}, {{0.5f, y, -2.4f}, {0.5f, y, 3}}};
    tr_actor_id actors[2];
    for (int i = 0; i < 2; i++) {
        tr_stage_actor_def who = {
            .character = character, .position = ends[i][0], .heading = i ? 0 : 1.5707963f};
        tr_order go = {.kind = TR_ORDER_GO, .goal = ends[i][1], .speed = i ? 0 : 3};
        CHECK_INT(tr_stage_add_actor(stage, &who, &actors[i], NULL), TR_OK);
        CHECK_INT(tr_stage_order(stage, actors[i], &go, TR_ORDER_QUEUE, NULL, NULL), TR_OK);
    }
    while (tr_stage_step(stage, TR_STAGE_TICK, NULL) == TR_OK && tr_stage_time(stage) < 60)
        continue;
    tr_order_report report = {0};
    CHECK_INT(tr_stage_order_report(stage, actors[0], 0, &report), TR_OK);
    CHECK_INT(report.state, TR_ORDER_DONE);
    CHECK(tr_stage_counters_of(stage, actors[0]).nearest < 2.5f); // they did meet
    tr_stage_destroy(stage);
    tr_scene_destroy(scene);
    return report.end - report.begin;
}

TEST(an_actor_whose_way_is_crossed_takes_the_same_time_on_any_ground) {
    static const ground_kind kinds[] = {{"one floor", 0, false, false, false, 0.05f},
                                        {"a floor with one above", 0, true, false, false, 0.05f},
                                        {"an upper floor", 3, false, true, false, 0.05f},
                                        {"a floor between two", 3, true, true, true, 0.05f},
                                        {"a floor with steps beside", 0, false, false, true, 0.05f},
                                        {"large cells", 0, false, false, false, 0.1f}};
    tr_character *character = NULL;
    tr_character_def def = {.detail = 1};
    REQUIRE(tr_character_create(&def, &character, NULL) == TR_OK);
    double first = 0;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        double seconds = cross(character, &kinds[i]);
        first = i ? first : seconds;
        if (!(fabs(seconds - first) < 0.2) || !(seconds < 7))
            test_failed(__FILE__, __LINE__, "%s: %g s, on one floor %g s", kinds[i].name, seconds, first);
    }
    tr_character_destroy(character);
}
