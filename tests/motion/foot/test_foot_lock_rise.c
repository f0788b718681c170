// The foot lock on a floor that is higher than the ground: each foot at a height of its own.
#include "foot_lock_walker.h"
#include "foot_lock_watch.h"

#define RISE_TIME 0.1 // in which a foot in the air gets above its floor, see foot_lock.h
#define SETTLE_TIME 0.12

// A walk in which each foot, as soon as it is released, is given the height of the floor where it will come
// down.
typedef struct stepping {
    walker_faults faults;
    float most[2];  // the floor under each foot is up to this high [m]
    float same;     // or this high under both, all the time; NAN: not
    double rate;    // steps per second
    double seconds; // that it lasts
    bool toes;      // feet have toes
    bool lies;      // while a foot is held, another height of its floor is given in every step
} stepping;

typedef struct stepping_result {
    foot_lock_watch watch;
    double sunk;    // of a held foot below its floor, or of one in the air that knew it long enough [m]
    double hovers;  // of the held point of a foot above its floor, after it has settled [m]
    double ground;  // of any point below the ground
    double change;  // of the height of a foot that stands flat, from one step to the next
    uint32_t steps; // contacts at 1 cm or higher
} stepping_result;

typedef struct stepping_foot {
    float told;
    double since; // the floor was given, or the foot was held
    bool held, flat;
    double height;
} stepping_foot;

static double lowest_point(const tr_foot *foot, const tr_affine *model) {
    tr_vec3 points[3];
    foot_points(foot, model, points);
    return fmin(points[0].y, fmin(points[1].y, points[2].y));
}

static void tell(const stepping *what, stepping_foot *foot, uint32_t side, const tr_foot_lock_foot *state,
                 uint32_t contacts, tr_random *random, tr_foot_lock_params *params) {
    bool held = state->held_heel || state->held_toes;
    if (foot->held && !(held && contacts >> (2 * side) & 3)) { // is let go now
        float share = tr_random_between(random, 0, 1);
        foot->told = what->most[side] * share;
        foot->since = 0;
        foot->held = false;
    }
    float lie = what->lies && foot->held ? tr_random_between(random, 0, 0.1f) : foot->told;
    params->rise[side] = isnan(what->same) ? lie : what->same;
}

static void look_at_foot(stepping_result *result, stepping_foot *foot, const tr_foot_lock_foot *state,
                         const tr_foot *shape, const tr_affine *model, double dt) {
    bool held = state->held_heel || state->held_toes, flat = state->held_heel && state->held_toes;
    if (held != foot->held)
        foot->since = 0;
    if (held && !foot->held)
        result->steps += foot->told >= 0.01f;
    double lowest = lowest_point(shape, model);
    result->ground = worst_of(result->ground, -lowest);
    if (held || foot->since > RISE_TIME)
        result->sunk = worst_of(result->sunk, foot->told - lowest);
    if (held && foot->since > SETTLE_TIME + 2 * dt)
        result->hovers = worst_of(result->hovers, lowest - foot->told);
    double height = tr_affine_position(&model[shape->ankle]).y;
    if (flat && foot->flat && foot->since > 0.3)
        result->change = worst_of(result->change, fabs(height - foot->height));
    foot->since += dt, foot->held = held, foot->flat = flat, foot->height = height;
}

static stepping_result step_along(const stepping *what) {
    stepping_result result = {.watch = {.drift = NAN}};
    foot_lock_view view = {.rate = what->rate};
    walker at;
    if (!walker_make(&at, what->toes))
        return result;
    tr_random random = tr_random_seed(21);
    tr_foot_lock_params params = tr_foot_lock_params_default();
    stepping_foot feet[2] = {{0}};
    for (int step = 0; step < (int)(what->seconds * what->rate); step++) {
        tr_affine place;
        uint32_t contacts = walker_pose(&at, &what->faults, step / what->rate, &random, &place);
        for (uint32_t side = 0; side < 2; side++)
            tell(what, &feet[side], side, &view.state.feet[side], contacts, &random, &params);
        CHECK_INT(watch_step(&view, &params, &at.legs, at.skeleton, contacts, &at.pose, &place, at.model),
                  TR_OK);
        for (uint32_t side = 0; side < 2; side++)
            look_at_foot(&result, &feet[side], &view.state.feet[side], &at.legs.feet[side], at.model,
                         1 / what->rate);
        view.watch.model_off = worst_of(view.watch.model_off, walker_model_off(&at, &place));
    }
    walker_destroy(&at);
    result.watch = view.watch;
    return result;
}

static const walker_faults walks[] = {{0}, {.curve = 0.5}, {.curve = -0.8}, {.slide = 0.15, .curve = 0.4}};
static const float heights[][2] = {{0.01f, 0}, {0, 0.03f}, {0.05f, 0.05f}, {0.05f, 0.02f}};

TEST(feet_come_down_on_the_floor_that_is_under_each_of_them_and_stay) {
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            for (double rate = 30; rate < 200; rate *= 2) {
                stepping what = {walks[i], {heights[j][0], heights[j][1]}, NAN, rate, 10, (i + j) % 2, false};
                stepping_result result = step_along(&what);
                CHECK(result.sunk < 0.5e-3);
                CHECK(result.hovers < 0.5e-3);
                CHECK(result.ground < 2e-5);
                CHECK_NEAR(result.watch.drift, 0, 1e-5);
                CHECK_NEAR(result.watch.model_off, 0, 1e-5);
                CHECK(result.watch.plants > 25);
                CHECK(j == 0 || result.steps > 5);
                CHECK_INT(result.watch.strayed, 0);
            }
}

TEST(a_held_foot_ignores_changes_of_its_floor) {
    stepping what = {{.curve = 0.5}, {0.05f, 0.05f}, NAN, 60, 10, true, false};
    stepping_result honest = step_along(&what);
    what.lies = true;
    stepping_result lies = step_along(&what);
    CHECK(honest.change < 1e-6);
    CHECK(lies.change < 1e-6);
    CHECK(lies.sunk < 0.5e-3);
    CHECK(lies.hovers < 0.5e-3);
    CHECK_NEAR(lies.watch.drift, 0, 1e-5);
}

// The floor moves up by 5 cm on a curve without a jump: 0.05 m in 0.1 s is 29 m/s^2 at most, added to what a
// walk has.
TEST(going_up_and_down_is_smooth) {
    for (int i = 0; i < 4; i++) {
        stepping level = {walks[i], {0, 0}, NAN, 240, 10, true, false};
        stepping steps = {walks[i], {0.05f, 0.05f}, NAN, 240, 10, true, false};
        stepping fine = {walks[i], {0.05f, 0.05f}, NAN, 960, 5, true, false};
        stepping_result before = step_along(&level), after = step_along(&steps);
        CHECK(after.watch.acceleration < before.watch.acceleration + 30);
        CHECK(step_along(&fine).watch.jolt < 0.1);
    }
}

TEST(knees_bend_more_on_steps_but_do_not_snap) {
    for (int i = 0; i < 4; i++) {
        stepping level = {walks[i], {0, 0}, NAN, 120, 10, true, false};
        stepping steps = {walks[i], {0.05f, 0.05f}, NAN, 120, 10, true, false};
        double before = step_along(&level).watch.knee, after = step_along(&steps).watch.knee;
        CHECK(after < 1.8 * before);
    }
}

// A floor that is higher everywhere: feet do the same as on the ground, only higher.
TEST(on_a_floor_that_is_higher_everywhere_feet_go_as_on_the_ground) {
    walker at;
    REQUIRE(walker_make(&at, true));
    tr_foot_lock_state states[2];
    memset(states, 0, sizeof states);
    tr_foot_lock_params params[2] = {tr_foot_lock_params_default(), tr_foot_lock_params_default()};
    params[1].rise[0] = params[1].rise[1] = 0.03f;
    tr_random random = tr_random_seed(22);
    double worst = 0;
    for (int step = 0; step < 600; step++) {
        tr_vec3 ankles[2][2];
        for (int i = 0; i < 2; i++) {
            tr_affine place;
            uint32_t contacts = walker_pose(&at, &walks[1], step / 60.0, &random, &place);
            REQUIRE(tr_foot_lock_step(&states[i], &params[i], &at.legs, at.skeleton, contacts, 1 / 60.f,
                                      &at.pose, &place, at.model) == TR_OK);
            for (int side = 0; side < 2; side++)
                ankles[i][side] = tr_affine_position(&at.model[at.legs.feet[side].ankle]);
        }
        for (int side = 0; side < 2; side++)
            worst = fmax(worst, fabs(ankles[1][side].y - ankles[0][side].y - 0.03));
    }
    CHECK(worst < 2e-3); // where a leg is let go, its length is counted from another height
    walker_destroy(&at);
}

// A foot that is given its floor too late still rises to it smoothly.
TEST(a_foot_rises_to_a_floor_that_is_given_too_late) {
    walker at;
    REQUIRE(walker_make(&at, true));
    tr_foot_lock_params params = tr_foot_lock_params_default();
    tr_foot_lock_state state = {0};
    tr_random random = tr_random_seed(23);
    const walker_faults none = {0};
    double last = 0, fastest = 0, worst = 0;
    uint32_t held_steps = 0;
    for (int step = 0; step < 2400; step++) {
        tr_affine place;
        uint32_t contacts = walker_pose(&at, &none, step / 240.0, &random, &place);
        bool late = step > 900; // from here on the floor is given when the foot comes down
        params.rise[0] = late && contacts & 1 ? 0.04f : 0;
        REQUIRE(tr_foot_lock_step(&state, &params, &at.legs, at.skeleton, contacts, 1 / 240.f, &at.pose,
                                  &place, at.model) == TR_OK);
        double height = tr_foot_heel(&at.legs.feet[0], at.model).y;
        held_steps = late && state.feet[0].held_heel ? held_steps + 1 : 0;
        if (held_steps > 1)
            fastest = fmax(fastest, fabs(height - last) * 240);
        if (held_steps > SETTLE_TIME * 240 + 2)
            worst = fmax(worst, fabs(height - 0.04));
        last = height;
    }
    CHECK(fastest > 0.1 && fastest < 1.3); // 4 cm in 0.12 s, at most twice the mean speed, and a step's own
    CHECK(worst < 1e-4);
    walker_destroy(&at);
}

TEST(impossible_floors_are_refused) {
    walker at;
    REQUIRE(walker_make(&at, true));
    tr_random random = tr_random_seed(24);
    const walker_faults none = {0};
    tr_affine place;
    walker_pose(&at, &none, 0, &random, &place);
    const float odd[] = {NAN, INFINITY, -INFINITY, -0.01f};
    tr_foot_lock_state state = {0}, untouched = {0};
    for (int i = 0; i < 8; i++) {
        tr_foot_lock_params params = tr_foot_lock_params_default();
        params.rise[i % 2] = odd[i / 2];
        CHECK_INT(
            tr_foot_lock_step(&state, &params, &at.legs, at.skeleton, 15, 0.01f, &at.pose, &place, at.model),
            TR_INVALID);
    }
    CHECK(memcmp(&state, &untouched, sizeof state) == 0);
    CHECK_NEAR(tr_foot_lock_params_default().rise[0], 0, 0);
    CHECK_NEAR(tr_foot_lock_params_default().rise[1], 0, 0);
    walker_destroy(&at);
}
