// Objects that move: never met later than they really are, hardly earlier, and known for what they are.
#include "timeline_oracle.h"
#include "troupe/base/hash.h"
#include "troupe/base/scalar.h"

#define TICK (1.0 / 30)

typedef struct moving_thing {
    tr_box local;
    double times[12];
    tr_transform transforms[12];
    uint32_t count, object;
    bool loop;
} moving_thing;

static tr_transform random_transform(tr_random *random, float size, bool tilted) {
    float x = tr_random_between(random, -1, 1), z = tr_random_between(random, -1, 1);
    tr_transform t = tr_transform_identity();
    t.rotation =
        tr_quat_about(tr_vec3_make(tilted ? x : 0, 1, tilted ? z : 0), tr_random_between(random, -3, 3));
    t.position = oracle_point(random, size);
    t.position.y = tr_random_between(random, -0.5f, 0.5f);
    if (tr_random_below(random, 4) == 0) {
        t.scale.x = tr_random_between(random, 0.5f, 2);
        t.scale.z = tr_random_between(random, 0.5f, 2);
    }
    return t;
}

// A box about somewhere near its pivot; keys from 10 ms to a second apart.
static moving_thing make_thing(tr_scene *scene, tr_random *random, float size) {
    bool tilted = tr_random_below(random, 3) == 0;
    moving_thing made = {.count = 1 + tr_random_below(random, 12)};
    made.loop = tr_random_below(random, 3) == 0;
    float x = tr_random_between(random, -1, 0.5f), z = tr_random_between(random, -1, 0.5f);
    float wide = tr_random_between(random, 0.05f, 1), high = tr_random_between(random, 0.1f, 2),
          deep = tr_random_between(random, 0.05f, 1);
    made.local = little_make_box(x, 0, z, x + wide, high, z + deep);
    double time = tr_random_between(random, -1, 3);
    tr_transform at = random_transform(random, size, tilted);
    for (uint32_t i = 0; i < made.count; i++) {
        made.times[i] = time;
        made.transforms[i] = at;
        double gap = tr_random_below(random, 3) ? tr_random_between(random, 0.1f, 1) : 0.01;
        tr_transform next = random_transform(random, size, tilted);
        if (tr_random_below(random, 5))
            at = tr_transform_blend(at, next, (float)(gap * 0.5));
        time += gap;
    }
    made.object = little_object(scene, little_box_mesh(scene, made.local), tr_affine_identity(), 0);
    tr_trajectory_def def = {made.times, made.transforms, made.count, made.loop};
    CHECK_INT(tr_scene_set_trajectory(scene, made.object, &def, NULL), TR_OK);
    return made;
}

// How far a point is from the shadow of the placed box, and its heights.
static double shadow_distance(const tr_affine *m, tr_box local, double x, double z, double *low,
                              double *high) {
    tr_vec3 corners[8];
    double px[8], pz[8], least = INFINITY;
    little_box_corners(local, corners);
    *low = INFINITY, *high = -INFINITY;
    for (int i = 0; i < 8; i++) {
        tr_vec3 p = tr_affine_apply(m, corners[i]);
        px[i] = p.x - x, pz[i] = p.z - z;
        *low = fmin(*low, p.y), *high = fmax(*high, p.y);
    }
    bool inside = true; // no line through the point has all corners on one side
    for (int i = 0; i < 8; i++)
        for (int k = 0; k < 8; k++) {
            double dx = px[k] - px[i], dz = pz[k] - pz[i], square = dx * dx + dz * dz;
            double share = square > 0 ? -(px[i] * dx + pz[i] * dz) / square : 0;
            share = fmin(fmax(share, 0), 1);
            double ex = px[i] + share * dx, ez = pz[i] + share * dz;
            least = fmin(least, sqrt(ex * ex + ez * ez));
        }
    for (int k = 0; k < 64 && inside; k++) {
        double s, c, most = -INFINITY;
        tr_sin_cos(k * TR_PI / 32, &s, &c);
        for (int i = 0; i < 8; i++)
            most = fmax(most, px[i] * c + pz[i] * s);
        inside = most >= 0;
    }
    return inside ? 0 : least;
}

typedef struct shadow {
    double distance, overlap; // [m]; of heights
} shadow;

// The body at one time, the thing as it is at another.
static shadow look_apart(const tr_scene *scene, const moving_thing *thing, const oracle_body *body,
                         double tick, double thing_tick) {
    tr_affine m = tr_affine_from_transform(
        tr_trajectory_sample(tr_scene_trajectory(scene, thing->object), thing_tick * TICK));
    oracle_place at = oracle_at(body, tick);
    double low, high;
    shadow seen = {.distance = shadow_distance(&m, thing->local, at.x, at.z, &low, &high)};
    seen.overlap = fmin(at.y + body->height - low, high - at.y);
    return seen;
}

static shadow look(const tr_scene *scene, const moving_thing *thing, const oracle_body *body, double tick) {
    return look_apart(scene, thing, body, tick, tick);
}

// How deep a body that needs so much room is in it; 0: not at all.
static double depth_of(shadow seen, double reach) {
    return seen.overlap > 1e-4 && seen.distance < reach ? reach - seen.distance : 0;
}

// Has it yet to begin to move?
static bool rests_at(const tr_scene *scene, const moving_thing *thing, uint64_t tick) {
    const tr_trajectory *way = tr_scene_trajectory(scene, thing->object);
    tr_transform a = tr_trajectory_sample(way, (double)tick * TICK),
                 b = tr_trajectory_sample(way, (double)tick * TICK + 1e-4);
    return memcmp(&a, &b, sizeof a) == 0;
}

// The farthest that a corner goes in a tick around this time, from one thirty-second of it to the next.
static double corner_speed(const tr_scene *scene, const moving_thing *thing, double tick) {
    const tr_trajectory *way = tr_scene_trajectory(scene, thing->object);
    tr_vec3 corners[8];
    little_box_corners(thing->local, corners);
    double sum = 0;
    for (int k = -32; k < 32; k++) {
        tr_affine a = tr_affine_from_transform(tr_trajectory_sample(way, (tick + k / 32.0) * TICK)),
                  b = tr_affine_from_transform(tr_trajectory_sample(way, (tick + (k + 1) / 32.0) * TICK));
        double most = 0;
        for (int i = 0; i < 8; i++)
            most = fmax(most, tr_vec3_length(tr_vec3_subtract(tr_affine_apply(&a, corners[i]),
                                                              tr_affine_apply(&b, corners[i]))));
        sum += most;
    }
    return sum;
}

static bool is_upright(const moving_thing *thing) {
    for (uint32_t i = 0; i < thing->count; i++)
        if (fabsf(thing->transforms[i].rotation.x) + fabsf(thing->transforms[i].rotation.z) > 1e-6f)
            return false;
    return true;
}

// Now and then, up to about a tick.
static void watch_until(tr_timeline *timeline, tr_scene *scene, tr_random *random, uint64_t now) {
    for (uint64_t tick = now > 20 ? now - 20 : 0; tick <= now; tick += 1 + tr_random_below(random, 3)) {
        tr_timeline_set_now(timeline, tick);
        tr_scene_set_time(scene, (double)tick * TICK);
        CHECK_INT(tr_timeline_watch(timeline, scene, NULL), TR_OK);
    }
}

TEST(an_object_is_never_met_later_than_it_really_is) {
    tr_random random = tr_random_seed(21);
    uint32_t met_count = 0, begun_near = 0, rested = 0;
    for (uint32_t number = 0; number < 2500; number++) {
        tr_scene *scene = NULL;
        tr_timeline *timeline = NULL;
        REQUIRE(tr_scene_create(NULL, &scene) == TR_OK);
        REQUIRE(tr_timeline_create(&(tr_timeline_def){.object_sight = 8}, &timeline, NULL) == TR_OK);
        moving_thing thing = make_thing(scene, &random, 4);
        uint64_t now = tr_random_below(&random, 40);
        watch_until(timeline, scene, &random, now);
        now = tr_timeline_now(timeline);
        oracle_body own = oracle_wander(&random, 4, now);
        uint32_t count;
        bool is_watched = tr_timeline_moving(timeline, &count)[0] & 1;
        float clear = tr_random_between(&random, 0, 0.3f);
        bool rest = tr_random_below(&random, 2);
        tr_timeline_motion motion = oracle_motion(&own, 0, rest);
        motion.clear = clear;
        tr_timeline_meeting meeting;
        bool met = tr_timeline_meets(timeline, &motion, &meeting);
        CHECK(is_watched || !met);
        CHECK(!met || (meeting.object == thing.object && meeting.body == TR_NONE));
        double reach = (double)own.radius + clear, from = (double)own.begin, end = from + own.count - 1;
        shadow first = look(scene, &thing, &own, from);
        double until = met ? meeting.tick : rest ? (double)now + 8 * 30 : end;
        double wider =
            is_upright(&thing) ? 0 : 1; // a box around one that is tilted is larger than its shadow
        bool is_near =
            first.distance < reach + wider + corner_speed(scene, &thing, from) && first.overlap > -0.2;
        bool rests = rests_at(scene, &thing, now);
        shadow where = look_apart(scene, &thing, &own, from, (double)now);
        is_near = is_near || (rests && where.distance < reach + wider && where.overlap > -0.2);
        begun_near += is_near;
        rested += rests && is_watched;
        for (double tick = from; is_watched && !is_near && tick < until; tick += 1.0 / 16) {
            double depth = depth_of(look(scene, &thing, &own, tick), reach);
            if (rests && tick <= end) // it may not leave at all
                depth = fmax(depth, depth_of(look_apart(scene, &thing, &own, tick, (double)now), reach));
            if (depth > 1e-4) {
                test_failed(__FILE__, __LINE__, "case %u: met at %g, but is %g m deep at %g", number,
                            met ? meeting.tick : NAN, depth, tick);
                break;
            }
        }
        if (met && !is_near && is_upright(&thing)) {
            double nearest = INFINITY, speed = corner_speed(scene, &thing, meeting.tick);
            for (double tick = meeting.tick - 1; tick <= meeting.tick + 1; tick += 1.0 / 32)
                nearest = fmin(nearest, look(scene, &thing, &own, tick).distance);
            if (rests)
                nearest = fmin(nearest, look_apart(scene, &thing, &own, meeting.tick, (double)now).distance);
            if (nearest - reach > speed + 1e-3)
                test_failed(__FILE__, __LINE__, "case %u: met at %g, %g m away, corners go %g m", number,
                            meeting.tick, nearest - reach, speed);
        }
        met_count += met;
        tr_timeline_destroy(timeline);
        tr_scene_destroy(scene);
    }
    CHECK(met_count > 500 && begun_near < 1000 && rested > 100);
}

typedef struct stand {
    tr_scene *scene;
    tr_timeline *timeline;
    uint32_t cart;
} stand;

// A cart of 1 x 1 m on z = 0.
static stand stand_begin(void) {
    stand s = {NULL, NULL, TR_NONE};
    CHECK_INT(tr_scene_create(NULL, &s.scene), TR_OK);
    little_box(s.scene, little_make_box(-20, -0.2f, -20, 20, 0, 20), 0);
    s.cart = little_object(s.scene, little_box_mesh(s.scene, little_make_box(-0.5f, 0, -0.5f, 0.5f, 1, 0.5f)),
                           tr_affine_identity(), 0);
    CHECK_INT(tr_timeline_create(&(tr_timeline_def){.tick = 0.1}, &s.timeline, NULL), TR_OK);
    return s;
}

static void stand_end(stand *s) {
    tr_timeline_destroy(s->timeline);
    tr_scene_destroy(s->scene);
}

static void stand_drive(stand *s, double begin, float from, double end, float to) {
    double times[2] = {begin, end};
    tr_transform ways[2] = {tr_transform_identity(), tr_transform_identity()};
    ways[0].position.x = from, ways[1].position.x = to;
    tr_trajectory_def def = {times, ways, 2, false};
    CHECK_INT(tr_scene_set_trajectory(s->scene, s->cart, &def, NULL), TR_OK);
}

static void stand_look(stand *s, uint64_t tick) {
    tr_timeline_set_now(s->timeline, tick);
    CHECK_INT(tr_scene_set_time(s->scene, (double)tick * 0.1), TR_OK);
    CHECK_INT(tr_timeline_watch(s->timeline, s->scene, NULL), TR_OK);
}

static bool cart_moves(const stand *s) {
    uint32_t count;
    const uint64_t *bits = tr_timeline_moving(s->timeline, &count);
    CHECK_INT(count, 2);
    CHECK(!(bits[0] & 1)); // the floor
    return bits[0] >> s->cart & 1;
}

// Somebody who stands at (x, z) for ever.
static bool stands(const stand *s, float x, float z, float clear, tr_timeline_meeting *meeting) {
    tr_vec3 at = {x, 0, z};
    tr_timeline_motion motion = {.begin = tr_timeline_now(s->timeline),
                                 .positions = &at,
                                 .count = 1,
                                 .radius = 0.25f,
                                 .height = 1.8f,
                                 .self = TR_NONE,
                                 .rest = true,
                                 .clear = clear};
    return tr_timeline_meets(s->timeline, &motion, meeting);
}

TEST(a_known_cart_is_met_exactly_when_it_comes) {
    stand s = stand_begin();
    tr_timeline_meeting meeting;
    stand_drive(&s, 2, -10, 12, 10); // 2 m/s
    stand_look(&s, 0);
    CHECK(cart_moves(&s));
    CHECK(stands(&s, 0, 0, 0.25f, &meeting) && meeting.object == s.cart && !meeting.at_rest);
    CHECK_NEAR(meeting.tick, 10 * (2 + (10 - 1) / 2.0), 1e-3);
    CHECK(stands(&s, 9.9f, 0, 0.25f, &meeting));
    CHECK(!stands(&s, 0, 1.01f, 0.25f, &meeting)); // beside it: 0.5 + 0.25 + 0.25
    CHECK(stands(&s, 0, 0.99f, 0.25f, &meeting));
    CHECK(!stands(&s, 11.01f, 0, 0.25f, &meeting)); // it stops before
    for (uint64_t tick = 1; tick < 130; tick++) {
        stand_look(&s, tick);
        CHECK(cart_moves(&s) == (tick < 120));
        CHECK(stands(&s, 5, 0, 0, &meeting) == (tick < 20 + 15 * 5)); // from then on it goes away
    }
    stand_end(&s);
}

// The nearest point of the cart at a tick is as near as the cart itself in the tick that follows, to within
// the way that it goes in it.
TEST(the_nearest_point_of_a_cart_is_found_wherever_it_is) {
    tr_random random = tr_random_seed(77);
    uint32_t found = 0, none = 0;
    for (int round = 0; round < 200; round++) {
        tr_scene *scene = NULL;
        REQUIRE(tr_scene_create(NULL, &scene) == TR_OK);
        float wide = tr_random_between(&random, 0.2f, 1), deep = tr_random_between(&random, 0.2f, 1);
        tr_box local = little_make_box(-wide, 0, -deep, wide, 1, deep);
        uint32_t cart = little_object(scene, little_box_mesh(scene, local), tr_affine_identity(), 0);
        float turn = tr_random_between(&random, -3, 3);
        float x = tr_random_between(&random, -2, 2);
        float z = tr_random_between(&random, -2, 2);
        tr_transform from = tr_transform_identity(), to;
        from.rotation = tr_quat_about(tr_vec3_make(0, 1, 0), turn);
        to = from;
        to.position = tr_vec3_make(x, 0, z);
        double times[2] = {0, 2};
        tr_transform keys[2] = {from, to};
        tr_trajectory_def def = {times, keys, 2, false};
        REQUIRE(tr_scene_set_trajectory(scene, cart, &def, NULL) == TR_OK);
        tr_timeline *timeline = NULL;
        REQUIRE(tr_timeline_create(&(tr_timeline_def){.object_sight = 8}, &timeline, NULL) == TR_OK);
        REQUIRE(tr_timeline_watch(timeline, scene, NULL) == TR_OK);
        for (int i = 0; i < 20; i++) {
            uint32_t tick = tr_random_below(&random, 59);
            tr_vec3 point = oracle_point(&random, 3);
            tr_vec2 nearest[3] = {{0}};
            point.y = tr_random_between(&random, -2, 2);
            uint32_t count = tr_timeline_beside(timeline, point, 1.5f, 1, tick, nearest, 3);
            double least = INFINITY;
            for (int part = 0; part <= 8; part++) {
                double low, high;
                tr_transform at = tr_transform_blend(from, to, (float)((tick + part / 8.0) * TICK / 2));
                tr_affine m = tr_affine_from_transform(at);
                double off = shadow_distance(&m, local, point.x, point.z, &low, &high);
                least = off < least ? off : least;
            }
            double step = hypot((double)x, (double)z) * TICK / 2;
            bool level = point.y < 1 && point.y > -1.5f;
            double off = hypot((double)(nearest[0].x - point.x), (double)(nearest[0].z - point.z));
            if (!level || least > 1 + step + 1e-4)
                CHECK_INT(count, 0);
            else if (least > 1e-3 + step && least < 1 - step - 1e-4)
                CHECK(count == 1 && off <= least + step + 1e-4 && off >= least - step - 1e-4);
            found += count;
            none += count == 0;
        }
        tr_timeline_destroy(timeline);
        tr_scene_destroy(scene);
    }
    CHECK(found > 300 && none > 300);
}

TEST(a_cart_that_has_yet_to_leave_is_not_relied_on) {
    stand s = stand_begin();
    tr_timeline_meeting meeting;
    stand_drive(&s, 2, 0, 7, 10);
    stand_look(&s, 0);
    tr_vec3 line[60];
    for (int i = 0; i < 60; i++) // it comes to where the cart stands a second after that has left
        line[i] = tr_vec3_make(0, 0, -0.1f * (float)(60 - i));
    tr_timeline_motion motion = {
        .positions = line, .count = 60, .radius = 0.25f, .height = 1.8f, .self = TR_NONE};
    for (uint64_t tick = 0; tick < 20; tick++) {
        stand_look(&s, tick);
        CHECK(tr_timeline_meets(s.timeline, &motion, &meeting) && meeting.object == s.cart);
        CHECK_NEAR(meeting.tick, 60 - 7.5, 1e-3);
        CHECK(!stands(&s, 0, 1, 0, &meeting)); // beside it
    }
    stand_look(&s, 21);
    CHECK(!tr_timeline_meets(s.timeline, &motion, &meeting)); // it has left
    stand_end(&s);
}

TEST(a_trajectory_is_known_as_far_as_the_sight) {
    stand s = stand_begin();
    tr_timeline_meeting meeting;
    stand_drive(&s, 100, -10, 110, 10); // sight: 60 s
    stand_look(&s, 0);
    CHECK(!cart_moves(&s) && !stands(&s, 0, 0, 0, &meeting));
    stand_look(&s, 410);
    CHECK(cart_moves(&s) && !stands(&s, 0, 0, 0, &meeting)); // it begins to move within sight, no more
    stand_look(&s, 500);
    CHECK(stands(&s, 0, 0, 0, &meeting));
    CHECK_NEAR(meeting.tick, 1000 + (10 - 0.75) * 5, 1e-3);
    // another trajectory, the scene's time set back, and none
    stand_drive(&s, 50, 0, 60, -10);
    stand_look(&s, 501);
    CHECK(cart_moves(&s) && !stands(&s, 2, 0, 0, &meeting) && stands(&s, -5, 0, 0, &meeting));
    tr_timeline_set_now(s.timeline, 502);
    tr_scene_set_time(s.scene, 55.2);
    CHECK_INT(tr_timeline_watch(s.timeline, s.scene, NULL), TR_OK);
    CHECK(stands(&s, -8, 0, 0, &meeting));
    CHECK_NEAR(meeting.tick, 502 + (8 - 0.75 - 5.2) * 10, 1e-2);
    CHECK_INT(tr_scene_set_trajectory(s.scene, s.cart, NULL, NULL), TR_OK);
    stand_look(&s, 503);
    CHECK(!cart_moves(&s));
    stand_end(&s);
}

TEST(what_is_moved_by_hand_is_expected_to_go_on) {
    stand s = stand_begin();
    tr_timeline_meeting meeting;
    stand_look(&s, 0);
    CHECK(!cart_moves(&s));
    tr_affine at = little_move(0.1f, 0, 0);
    tr_scene_place(s.scene, s.cart, &at);
    stand_look(&s, 1);
    CHECK(cart_moves(&s)); // 1 m/s along x, for 2 s, with a doubt of 0.3 m/s
    CHECK(stands(&s, 1.6f, 0, 0, &meeting) && meeting.object == s.cart);
    CHECK(meeting.tick > 1 + 5 && meeting.tick < 1 + 7.5);
    CHECK(stands(&s, 2.7f, 0, 0, &meeting) && stands(&s, 3.2f, 0, 0, &meeting) &&
          !stands(&s, 3.8f, 0, 0, &meeting));
    // behind it, coming up to where it is now
    tr_vec3 way[40];
    for (int i = 0; i < 40; i++)
        way[i] = tr_vec3_make(-4 + 0.1f * (float)i, 0, 0);
    tr_timeline_motion motion = {
        .begin = 1, .positions = way, .count = 40, .radius = 0.25f, .height = 1, .self = TR_NONE};
    CHECK(tr_timeline_meets(s.timeline, &motion, &meeting));
    CHECK_NEAR(meeting.tick, 1 + (4 + 0.1 - 0.75) * 10, 0.01);
    stand_look(&s, 2); // it was not moved: at rest
    CHECK(!cart_moves(&s) && !stands(&s, 1.6f, 0, 0, &meeting));
    at = little_move(15, 0, 0); // put somewhere else
    tr_scene_place(s.scene, s.cart, &at);
    stand_look(&s, 3);
    CHECK(!cart_moves(&s));
    at = little_move(15.1f, 0, 0); // a character is none of ours
    tr_scene_place(s.scene, s.cart, &at);
    tr_scene_set_tags(s.scene, s.cart, TR_TAG_CHARACTER);
    stand_look(&s, 4);
    CHECK(!cart_moves(&s));
    stand_end(&s);
}

TEST(who_is_too_near_to_an_object_may_go_away) {
    stand s = stand_begin();
    tr_timeline_meeting meeting;
    stand_drive(&s, 1000, 0, 1001, 1);
    stand_look(&s, 9500); // it stands at the origin, and is watched
    CHECK(cart_moves(&s));
    const float from[4] = {0.8f, 0.6f, 0.2f, 0.9f}, to[4] = {1.4f, 1.4f, 1.4f, 0.7f};
    for (int i = 0; i < 4; i++) {
        tr_vec3 way[2] = {{from[i], 0, 0}, {to[i], 0, 0}};
        tr_timeline_motion motion = {.begin = 9500,
                                     .positions = way,
                                     .count = 2,
                                     .radius = 0.25f,
                                     .height = 1,
                                     .self = TR_NONE,
                                     .clear = 0.25f};
        CHECK(tr_timeline_meets(s.timeline, &motion, &meeting) == (i == 3));
        motion.strict = true;
        CHECK(tr_timeline_meets(s.timeline, &motion, &meeting) && meeting.tick == 9500);
        motion.strict = false;
        tr_vec3 turned = way[0];
        way[0] = way[1];
        way[1] = turned;
        CHECK(tr_timeline_meets(s.timeline, &motion, &meeting) == (i != 3));
    }
    CHECK(!stands(&s, -0.6f, 0, 0.25f, &meeting)); // it goes the other way
    CHECK(stands(&s, 0.6f, 0, 0.25f, &meeting));   // towards
    CHECK_NEAR(meeting.tick, 10000, 0.1);
    stand_end(&s);
}

static bool watch_some(const tr_allocator *allocator) {
    tr_scene *scene = NULL;
    tr_timeline *timeline = NULL;
    if (tr_scene_create(NULL, &scene) != TR_OK)
        return false;
    tr_random random = tr_random_seed(23);
    for (uint32_t i = 0; i < 70; i++)
        make_thing(scene, &random, 10);
    bool done = tr_timeline_create(&(tr_timeline_def){.allocator = allocator, .object_sight = 2}, &timeline,
                                   NULL) == TR_OK;
    for (uint64_t tick = 0; tick < 60 && done; tick += 7) {
        tr_timeline_set_now(timeline, tick);
        tr_scene_set_time(scene, (double)tick * TICK);
        done = tr_timeline_watch(timeline, scene, NULL) == TR_OK;
    }
    tr_timeline_destroy(timeline);
    tr_scene_destroy(scene);
    return done;
}

TEST(no_memory_to_watch_is_reported) {
    CHECK(CHECK_EVERY_ALLOCATION_FAILURE(watch_some) > 20);
}

// An allocator that refuses one request.
typedef struct refusing {
    uint64_t calls, fail_at;
} refusing;
static void *resize_or_refuse(void *user, void *old, size_t old_size, size_t new_size) {
    refusing *r = user;
    if (new_size > 0 && ++r->calls == r->fail_at)
        return NULL;
    tr_allocator plain = tr_allocator_default();
    return plain.resize(plain.user, old, old_size, new_size);
}

// What is pushed without a trajectory moves on as it did: a look that is made in two parts must not forget
// that, nor see it standing still.
static void push_things(tr_scene *scene, const uint32_t *pushed, uint64_t tick) {
    for (int i = 0; i < 10; i++) {
        tr_affine place = tr_affine_identity();
        place.m[0][3] = 0.02f * (float)(i + 1) * (float)tick;
        CHECK_INT(tr_scene_place(scene, pushed[i], &place), TR_OK);
    }
}

static uint64_t hash_meetings(const tr_timeline *timeline, uint64_t tick) {
    tr_random random = tr_random_seed(tick);
    uint64_t hash = TR_HASH_START;
    for (int i = 0; i < 60; i++) {
        tr_vec3 at = oracle_point(&random, 10);
        tr_timeline_motion motion = {.begin = tick,
                                     .positions = &at,
                                     .count = 1,
                                     .radius = 0.3f,
                                     .height = 2,
                                     .self = TR_NONE,
                                     .rest = true};
        tr_timeline_meeting meeting;
        bool meets = tr_timeline_meets(timeline, &motion, &meeting);
        hash = tr_hash(hash, &meets, sizeof meets);
        if (meets) {
            hash = tr_hash(hash, &meeting.tick, sizeof meeting.tick);
            hash = tr_hash(hash, &meeting.object, sizeof meeting.object);
        }
    }
    return hash;
}

// Every allocation of every look fails once where `fails`.
static uint64_t watch_all(bool fails, uint64_t *failures) {
    tr_scene *scene = NULL;
    tr_timeline *timeline = NULL;
    refusing memory = {0};
    tr_allocator allocator = {resize_or_refuse, &memory};
    uint64_t hash = TR_HASH_START;
    uint32_t pushed[10];
    CHECK_INT(tr_scene_create(NULL, &scene), TR_OK);
    tr_random random = tr_random_seed(31);
    for (uint32_t i = 0; i < 40; i++) {
        make_thing(scene, &random, 10);
        float x = (float)i - 20;
        if (i % 4 == 0)
            pushed[i / 4] =
                little_object(scene, little_box_mesh(scene, little_make_box(x, 0, x, x + 1, 1, x + 1)),
                              tr_affine_identity(), 0);
    }
    CHECK_INT(
        tr_timeline_create(&(tr_timeline_def){.allocator = &allocator, .object_sight = 2}, &timeline, NULL),
        TR_OK);
    *failures = 0;
    for (uint64_t tick = 0; tick < 90; tick++) {
        tr_timeline_set_now(timeline, tick);
        tr_scene_set_time(scene, (double)tick * TICK);
        push_things(scene, pushed, tick < 50 ? tick : 50);
        tr_status status;
        uint64_t attempt = 0;
        do {
            memory = (refusing){0, fails ? ++attempt : 0};
            status = tr_timeline_watch(timeline, scene, NULL);
            *failures += status == TR_OUT_OF_MEMORY;
        } while (status == TR_OUT_OF_MEMORY);
        CHECK_INT(status, TR_OK);
        uint64_t here = hash_meetings(timeline, tick);
        hash = tr_hash(hash, &here, sizeof here);
    }
    tr_timeline_destroy(timeline);
    tr_scene_destroy(scene);
    return hash;
}

TEST(a_look_that_ran_out_of_memory_goes_on_and_knows_the_same) {
    uint64_t failures, expected = watch_all(false, &failures);
    CHECK_INT(failures, 0);
    CHECK_HASH(watch_all(true, &failures), expected);
    CHECK(failures > 15);
}

TEST(another_scene_is_looked_at_anew) {
    stand s = stand_begin();
    stand_drive(&s, 0, 0, 10, 10);
    stand_look(&s, 0);
    CHECK(cart_moves(&s));
    tr_scene *empty = NULL;
    CHECK_INT(tr_scene_create(NULL, &empty), TR_OK);
    CHECK_INT(tr_timeline_watch(s.timeline, empty, NULL), TR_OK);
    uint32_t count;
    tr_timeline_moving(s.timeline, &count);
    CHECK_INT(count, 0);
    tr_timeline_meeting meeting;
    CHECK(!stands(&s, 5, 0, 0, &meeting));
    stand_look(&s, 1);
    CHECK(cart_moves(&s) && stands(&s, 5, 0, 0, &meeting));
    tr_scene_remove_object(s.scene, s.cart);
    stand_look(&s, 2);
    CHECK(!cart_moves(&s));
    tr_scene_destroy(empty);
    stand_end(&s);
}
