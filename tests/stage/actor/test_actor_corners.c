// Corners: a walker alone keeps its speed around them, and hardly loses time on its way.
#include "test.h"
#include "troupe/base/random.h"
#include "troupe/stage/stage.h"
#include "troupe/world/sample.h"

#include <math.h>

#define SPEED 1.3f // of an actor, unless it is told otherwise [m/s]
#define START 4.2  // to turn, to set out and to stop [s]
#define TICKS 6000 // of a walk, at most
#define ENDS 1.6f  // before its end a walker brakes [m]
#define WALKS 12   // on each sample

// Positions of one walk, a tick apart.
typedef struct track {
    tr_vec2 at[TICKS];
    uint32_t count, turns; // turns on the spot after it has set out
} track;

typedef struct corner_stage {
    tr_sample sample;
    tr_character *character;
    tr_stage *stage;
    tr_actor_id actor;
} corner_stage;

static bool open_stage(corner_stage *s, const char *name, uint64_t seed, tr_vec3 at) {
    tr_sample_def sample = {.name = name, .seed = seed};
    tr_character_def kind = {0};
    tr_error error = {.message = ""};
    *s = (corner_stage){0};
    if (tr_sample_make(&sample, &s->sample, &error) == TR_OK &&
        tr_character_create(&kind, &s->character, &error) == TR_OK) {
        tr_stage_def def = tr_stage_def_default(s->sample.scene);
        tr_stage_actor_def who = {.name = "Ada", .character = s->character, .position = at};
        if (tr_stage_create(&def, &s->stage, &error) == TR_OK &&
            tr_stage_add_actor(s->stage, &who, &s->actor, &error) == TR_OK)
            return true;
    }
    test_failed(__FILE__, __LINE__, "%s", error.message);
    return false;
}

static void close_stage(corner_stage *s) {
    tr_stage_destroy(s->stage);
    tr_character_destroy(s->character);
    tr_scene_destroy(s->sample.scene);
}

// Walks to a point. false: there is no way.
static bool walk_to(corner_stage *s, tr_vec3 goal, track *walk) {
    tr_order go = {.kind = TR_ORDER_GO, .goal = goal};
    tr_actor_view view = {0};
    bool walked = false, turned = false;
    tr_status status = tr_stage_order(s->stage, s->actor, &go, TR_ORDER_REPLACE, NULL, NULL);
    walk->count = walk->turns = 0;
    while (status == TR_OK && walk->count < TICKS) {
        status = tr_stage_step(s->stage, TR_STAGE_TICK, NULL);
        tr_stage_look(s->stage, s->actor, &view);
        walk->at[walk->count++] = (tr_vec2){view.position.x, view.position.z};
        walked = walked || view.speed > 0.5f * SPEED;
        walk->turns += walked && view.doing == TR_ACTOR_TURNS && !turned;
        turned = view.doing == TR_ACTOR_TURNS;
    }
    return status == TR_DONE && hypotf(view.position.x - goal.x, view.position.z - goal.z) < 0.3f;
}

static float gone(const track *walk, uint32_t tick) {
    return hypotf(walk->at[tick].x - walk->at[tick - 1].x, walk->at[tick].z - walk->at[tick - 1].z);
}

// The least speed between setting out and braking at the end, and the length of the walk.
static float least_speed(const track *walk, float *length) {
    float whole = 0, along = 0, least = INFINITY;
    bool fast = false;
    for (uint32_t i = 1; i < walk->count; i++)
        whole += gone(walk, i);
    for (uint32_t i = 1; i < walk->count; i++) {
        float step = gone(walk, i), speed = step / (float)TR_STAGE_TICK;
        along += step;
        fast = fast || speed > 0.9f * SPEED;
        if (fast && along < whole - ENDS)
            least = fminf(least, speed);
    }
    *length = whole;
    return least;
}

static void check_walks(const char *name, uint64_t seed, tr_vec3 start) {
    static track walk;
    corner_stage s;
    tr_random random = tr_random_seed(seed);
    uint32_t done = 0;
    for (uint32_t i = 0; i < 4 * WALKS && done < WALKS && (i || open_stage(&s, name, seed, start)); i++) {
        tr_box floor = s.sample.ground;
        tr_vec3 goal = {tr_random_between(&random, floor.min.x + 0.6f, floor.max.x - 0.6f), 0,
                        tr_random_between(&random, floor.min.z + 0.6f, floor.max.z - 0.6f)};
        float length;
        if (!walk_to(&s, goal, &walk))
            continue;
        float least = least_speed(&walk, &length);
        if (length < 4)
            continue;
        done++;
        double seconds = walk.count * TR_STAGE_TICK;
        if (walk.turns || least < 0.45f || seconds > 1.1 * (double)(length / SPEED) + START)
            test_failed(__FILE__, __LINE__,
                        "%s, walk %u: %g m in %g s, %g m/s at least, %u turns on the spot", name, i,
                        (double)length, seconds, (double)least, walk.turns);
    }
    CHECK_INT(done, WALKS);
    close_stage(&s);
}

TEST(a_walk_through_an_office_takes_little_longer_than_a_straight_one) {
    check_walks("office", 1, tr_vec3_make(-8.5f, 0, -6));
    check_walks("office", 2, tr_vec3_make(-8.5f, 0, -6));
}

TEST(a_walk_through_a_maze_takes_little_longer_than_a_straight_one) {
    check_walks("maze", 0, tr_vec3_make(-9, 0, -9));
    check_walks("maze", 5, tr_vec3_make(-9, 0, -9));
}

TEST(the_office_is_crossed_without_slowing_down_at_its_corners) {
    static track walk;
    const tr_vec3 ends[2] = {{-8.5f, 0, -6}, {8.5f, 0, 8}};
    for (int way = 0; way < 2; way++) {
        corner_stage s;
        float length;
        if (open_stage(&s, "office", 0, ends[way])) {
            CHECK(walk_to(&s, ends[1 - way], &walk));
            CHECK(least_speed(&walk, &length) > 0.8f * SPEED);
            CHECK(walk.count * TR_STAGE_TICK < 22.5);
            CHECK_INT(walk.turns, 0);
        }
        close_stage(&s);
    }
}
