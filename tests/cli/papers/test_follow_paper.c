#include "motion/driver/follow_routes.h"
#include "cli/papers/follow_paper.h"

// The setting of Kuffner 1998, and the two integrators.

typedef struct paper_state {
    double x, z, heading, speed, turn_rate;
    uint32_t piece;
} paper_state;

// 7.1 and 7.3, written down as they stand. The body is at its nearest point of the present piece; it goes on
// to the next piece past the line that halves the bend.
static void paper_step(paper_state *s, const tr_vec2 *p, uint32_t count, double canonical, double dt) {
    double look_ahead = 0.5 * canonical, near_goal = canonical, left = 0;
    double ux, uz, length, along;
    for (;; s->piece++) {
        const tr_vec2 *a = p + s->piece;
        ux = (double)a[1].x - a[0].x, uz = (double)a[1].z - a[0].z, length = hypot(ux, uz);
        ux /= length, uz /= length;
        along = (s->x - a[0].x) * ux + (s->z - a[0].z) * uz;
        if (s->piece + 2 == count)
            break;
        double vx = (double)a[2].x - a[1].x, vz = (double)a[2].z - a[1].z, next = hypot(vx, vz);
        if ((s->x - a[1].x) * (ux + vx / next) + (s->z - a[1].z) * (uz + vz / next) < 0)
            break;
    }
    along = along < 0 ? 0 : along > length ? length : along;
    double aim_x = p[count - 1].x, aim_z = p[count - 1].z, wanted = along + look_ahead;
    for (uint32_t i = s->piece; i + 1 < count; i++) {
        double dx = (double)p[i + 1].x - p[i].x, dz = (double)p[i + 1].z - p[i].z, size = hypot(dx, dz);
        if (wanted >= 0 && wanted < size)
            aim_x = p[i].x + dx / size * wanted, aim_z = p[i].z + dz / size * wanted;
        wanted -= size;
        left += size;
    }
    left -= along;
    double error = remainder(atan2(aim_x - s->x, aim_z - s->z) - s->heading, 2 * TR_PI);
    double wanted_rate = 5.0 * error;
    double wanted_speed = fabs(error) <= TR_PI / 4 ? canonical : 0.1 * canonical;
    if (left < near_goal)
        wanted_speed = 1.0 * hypot(p[count - 1].x - s->x, p[count - 1].z - s->z);
    double acceleration = 5.0 * (wanted_speed - s->speed), alpha = 10.0 * (wanted_rate - s->turn_rate);
    s->x += s->speed * sin(s->heading) * dt;
    s->z += s->speed * cos(s->heading) * dt;
    s->heading += s->turn_rate * dt;
    s->speed += acceleration * dt;
    s->turn_rate += alpha * dt;
}

TEST(the_paper_s_parameters_follow_its_equations_step_for_step) {
    tr_follow_route *route = new_route();
    tr_vec2 points[POINTS];
    uint32_t steps = 0;
    for (uint32_t seed = 0; seed < 60; seed++) {
        tr_random random = tr_random_seed(seed);
        uint32_t count = make_route(&random, seed % 2 ? LONG_PIECES : BOWS, points);
        float speed = tr_random_between(&random, 0.5f, 3);
        tr_follow_params params = paper_follow_params(speed);
        CHECK(params.position_gain == 1 && params.heading_gain == 5 && params.speed_gain == 5 &&
              params.turn_gain == 10 && params.integrator == TR_FOLLOW_EULER);
        REQUIRE(set_route(route, points, count, &params));
        tr_follow_state state = {.heading = tr_random_between(&random, -3, 3)};
        paper_state paper = {0};
        float dt = 1 / 30.0f;
        for (uint32_t i = 0; i < 3000; i++, steps++) {
            paper_state next = {(double)state.position.x + state.remainder.x,
                                (double)state.position.z + state.remainder.z,
                                state.heading,
                                state.speed,
                                state.turn_rate,
                                paper.piece};
            if (hypot(points[count - 1].x - next.x, points[count - 1].z - next.z) <= 0.05)
                break;
            paper_step(&next, points, count, speed, dt);
            tr_follow_step(&state, route, &params, INFINITY, dt);
            CHECK_NEAR(state.position.x + state.remainder.x, next.x, 1e-5);
            CHECK_NEAR(state.position.z + state.remainder.z, next.z, 1e-5);
            CHECK_NEAR(state.heading, next.heading, 1e-5 + 1e-7 * fabs(next.heading));
            CHECK_NEAR(state.speed, next.speed, 1e-5);
            CHECK_NEAR(state.turn_rate, next.turn_rate, 1e-4);
            paper.piece = next.piece;
        }
    }
    CHECK(steps > 10000);
    tr_follow_route_destroy(route);
}

// The largest distance from a run in steps a thousand times finer, over three seconds.
static double integration_error(tr_follow_integrator integrator, float look_ahead) {
    tr_follow_route *route = new_route();
    tr_vec2 line[2] = {{0, 0}, {0, 900000}};
    tr_follow_params params = paper_follow_params(1.4f);
    params.look_ahead = look_ahead;
    double worst = 0;
    if (set_route(route, line, 2, &params)) {
        tr_follow_state coarse = {.heading = 0.7f, .turn_rate = -0.5f};
        double x = 0, z = 0, heading = coarse.heading, speed = 0, rate = coarse.turn_rate, dt = 1 / 30000.0;
        for (int i = 0; i < 90; i++) {
            params.integrator = integrator;
            tr_follow_step(&coarse, route, &params, INFINITY, 1 / 30.0f);
            for (int j = 0; j < 1000; j++) { // the paper's laws again, on this one line
                double error = atan2(-x, (double)look_ahead) - heading;
                double a = 5 * (1.4 - speed), alpha = 10 * (5 * error - rate);
                x += speed * sin(heading) * dt, z += speed * cos(heading) * dt;
                heading += rate * dt, speed += a * dt, rate += alpha * dt;
            }
            double off = hypot((double)coarse.position.x - x, (double)coarse.position.z - z);
            worst = off > worst ? off : worst;
        }
    }
    tr_follow_route_destroy(route);
    return worst;
}

TEST(exact_integration_is_far_more_exact_than_euler_s) {
    double euler = integration_error(TR_FOLLOW_EULER, 100000),
           exact = integration_error(TR_FOLLOW_EXACT, 100000);
    CHECK(euler > 0.005);
    CHECK(exact < 0.01 * euler);
    // With the aim so close that holding it for a step matters, it is still several times better.
    euler = integration_error(TR_FOLLOW_EULER, 2), exact = integration_error(TR_FOLLOW_EXACT, 2);
    CHECK(exact < 0.5 * euler);
}
