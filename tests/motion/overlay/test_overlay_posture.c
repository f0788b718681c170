// Posture: leaning, and where the head looks.
#include "motion/driver/driven_body.h"

#define DEGREE ((float)TR_PI / 180)
#define TICKS 900

typedef struct posture_seen {
    float heading, head; // about the vertical [rad]
    float lean, bank;    // of the chest, forwards and to the left [rad]
    float nod;           // of the head, down [rad]
    float ahead, aside;  // acceleration of the root [m/s^2]
    float arms;          // how far the left hand is ahead of the right one [m]
} posture_seen;

// A direction in the axes of a joint as it is at rest, in the axes of the body as it is shown.
static tr_vec3 shown(const driven *d, uint32_t joint, tr_vec3 direction) {
    tr_quat rest = tr_affine_rotation(&tr_skeleton_rest_model(d->skeleton)[joint]);
    tr_quat turn = tr_quat_multiply(tr_affine_rotation(&d->model[joint]), tr_quat_conjugate(rest));
    tr_quat place = tr_affine_rotation(&d->body.place);
    return tr_quat_rotate(tr_quat_conjugate(place), tr_quat_rotate(turn, direction));
}

static posture_seen see(const driven *d, float speed_before) {
    uint32_t head = tr_skeleton_with_role(d->skeleton, TR_ROLE_HEAD),
             chest = tr_skeleton_with_role(d->skeleton, TR_ROLE_UPPER_CHEST),
             hands[2] = {tr_skeleton_with_role(d->skeleton, TR_ROLE_LEFT_HAND),
                         tr_skeleton_with_role(d->skeleton, TR_ROLE_RIGHT_HAND)};
    const tr_follow_state *root = &d->state.root.state;
    tr_vec3 face = shown(d, head, tr_vec3_make(0, 0, 1)), up = shown(d, chest, tr_vec3_make(0, 1, 0));
    tr_affine inverse;
    tr_affine_invert(&d->body.place, &inverse);
    tr_vec3 apart = tr_affine_turn(&inverse, tr_vec3_subtract(tr_affine_position(&d->model[hands[0]]),
                                                              tr_affine_position(&d->model[hands[1]])));
    return (posture_seen){.heading = root->heading,
                          .head = root->heading + (float)tr_arc_tangent((double)face.x, (double)face.z),
                          .lean = (float)tr_arc_tangent((double)up.z, (double)up.y),
                          .bank = (float)tr_arc_tangent((double)up.x, (double)up.y),
                          .nod = (float)tr_arc_tangent(-(double)face.y, (double)face.z),
                          .ahead = (root->speed - speed_before) / d->nature.dt,
                          .aside = root->speed * root->turn_rate,
                          .arms = apart.z};
}

static uint32_t watch(driven *d, uint32_t ticks, float limit, posture_seen *seen) {
    uint32_t count = 0;
    for (tr_status status = TR_OK; count < ticks && status == TR_OK; count++) {
        float before = d->state.root.state.speed;
        status = driven_step(d, limit);
        seen[count] = see(d, before);
    }
    return count;
}

// The shift in time at which the heading follows the head best [ticks].
static int lead_of(const posture_seen *seen, int count, int most) {
    int best = 0;
    double least = INFINITY;
    for (int shift = 0; shift <= most; shift++) {
        double sum = 0;
        for (int i = most; i + most < count; i++) {
            double off = (double)(seen[i].head - seen[i + shift].heading);
            sum += off * off;
        }
        best = sum < least ? shift : best;
        least = sum < least ? sum : least;
    }
    return best;
}

static posture_seen film[TICKS];

TEST(the_head_leads_a_turn_and_the_trunk_leans_into_it) {
    const float rates[] = {30, 60, 24}, speeds[] = {1.3f, 1.0f, 1.7f}, radii[] = {1.2f, 1.0f, 2.0f};
    for (int run = 0; run < 6; run++) {
        driven d;
        if (driven_begin(&d)) {
            float rate = rates[run % 3], side = run < 3 ? 1.0f : -1.0f, radius = radii[run % 3];
            d.nature.dt = 1 / rate;
            d.nature.speed = speeds[run % 3];
            d.nature.corridor = 0.3f;
            tr_vec2 way[14] = {{0, 0}};
            for (int i = 0; i <= 11; i++) {
                double sine, cosine;
                tr_sin_cos(TR_PI / 2 * i / 11, &sine, &cosine);
                way[i + 1] = (tr_vec2){side * radius * (float)(1 - cosine), 3 + radius * (float)sine};
            }
            way[13] = (tr_vec2){side * (radius + 3), 3 + radius};
            CHECK_INT(driven_route(&d, way, 14, NULL), TR_OK);
            uint32_t count = watch(&d, TICKS, INFINITY, film);
            CHECK(count < TICKS);
            double lead = lead_of(film, (int)count, (int)(0.7f * rate)) / (double)rate;
            CHECK(lead >= 0.2 && lead <= 0.4);
            double both = 0, own = 0;
            for (uint32_t i = 0; i < count; i++) {
                both += (double)(film[i].bank * film[i].aside / 9.81f);
                own += (double)(film[i].aside / 9.81f * (film[i].aside / 9.81f));
            }
            CHECK(both / own > 0.7 && both / own < 1.2); // a rigid body in balance: 1
        }
        driven_end(&d);
    }
}

TEST(the_trunk_leans_forwards_when_a_body_sets_off_and_back_when_it_brakes) {
    driven d;
    if (driven_begin(&d)) {
        const tr_vec2 way[] = {{0, 0}, {0, 60}};
        watch(&d, 1, INFINITY, film);
        float stands = film[0].lean;
        CHECK_INT(driven_route(&d, way, 2, NULL), TR_OK);
        watch(&d, 150, INFINITY, film);
        float most = -1, walks = 0;
        for (int i = 0; i < 30; i++)
            most = fmaxf(most, film[i].lean);
        for (int i = 84; i < 150; i++)
            walks += film[i].lean / 66;
        CHECK(most - stands > 4 * DEGREE);
        CHECK(most - walks > 2 * DEGREE && most - walks < 12 * DEGREE);
        watch(&d, 60, 0, film);
        float least = 1;
        for (int i = 0; i < 30; i++)
            least = fminf(least, film[i].lean);
        CHECK(walks - least > 3 * DEGREE);
        CHECK_NEAR(film[59].lean, stands, 1.5 * (double)DEGREE);
    }
    driven_end(&d);
}

// Twice the range of the hands against each other, and the mean nod, over eight footsteps.
static void climb(float rise, float *swing, float *nod) {
    driven d;
    *swing = *nod = 0;
    if (driven_begin(&d)) {
        tr_footstep footsteps[8];
        watch(&d, 2, INFINITY, film);
        driven_begin_steps(&d);
        uint32_t count = driven_footsteps(&d, rise, footsteps);
        tr_status status =
            tr_driver_set_footsteps(&d.state, &d.task, &d.nature, footsteps, count, 0, NULL, NULL, NULL);
        CHECK_INT(status, TR_OK);
        count = watch(&d, 90, INFINITY, film);
        CHECK_INT(count, 90);
        float least = 1, most = -1;
        for (uint32_t i = 30; i < count; i++) {
            least = fminf(least, film[i].arms);
            most = fmaxf(most, film[i].arms);
            *nod += film[i].nod / (float)(count - 30);
        }
        *swing = most - least;
    }
    driven_end(&d);
}

TEST(on_stairs_a_body_looks_at_the_steps_and_its_arms_swing) {
    const float rises[] = {0.15f, -0.15f};
    for (int i = 0; i < 2; i++) {
        float swing, nod;
        climb(rises[i], &swing, &nod);
        CHECK(swing > 0.3f); // [m]
        CHECK(nod > 18 * DEGREE && nod < 50 * DEGREE);
    }
}
