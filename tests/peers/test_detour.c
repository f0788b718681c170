// Beside Detour on other people's scenes: 200 random pairs of places on which both can stand. Whatever one of
// them reaches the other reaches, but for the pairs that are listed here with the reason.
#include "ground.h"
#include "troupe/base/random.h"

#include <stdlib.h>

#define PAIRS 200
#define TRIES 20000
// How far a place may be moved onto either of the two grounds: Recast's outlines are simplified by 1.3 cells.
static const tr_vec3 snap = {0.45f, 0.9f, 0.45f};

// Ways that we find and Detour does not, with the reason.
typedef struct exception {
    tr_vec3 start, goal;
    const char *reason;
} exception;

// A step at the upper end of a ramp: from a cell of the ramp one neighbour lies 0.7 m higher and another 0.1
// to 0.3 m lower. Recast's ledge filter asks for all neighbours within one climb of each other, and takes the
// end of the ramp away; we ask for each step alone. Without that filter, or with a climb of 1.1 m, Detour
// finds all of them.
static const char ledge[] = "Recast's ledge filter cuts the ramp off the round platform";
static const exception nav_test_exceptions[] = {
    {{1.05f, 15.241f, 8.55f}, {-3.45f, 8.237f, -9.45f}, ledge},
    {{0.75f, 15.241f, 12.15f}, {3.45f, 12.276f, 2.25f}, ledge},
    {{7.65f, 8.237f, -7.95f}, {-3.75f, 15.241f, 11.25f}, ledge},
    {{2.55f, 9.099f, -6.45f}, {-4.05f, 15.241f, 12.15f}, ledge},
};

typedef struct comparison {
    const char *scene;
    const exception *exceptions;
    uint32_t exception_count;
    uint32_t both_least; // pairs with a way for both, so that lengths are compared
} comparison;

typedef struct outcome {
    uint32_t both, neither, ours_only, theirs_only;
    uint32_t dropped_ours, dropped_theirs; // places that only we, or only they, can stand on
    double ratios[PAIRS];
} outcome;

// The nearest cell around a place that is free of the border.
static bool snap_to_ours(const ground *g, tr_vec3 *point) {
    const tr_grid *grid = &tr_surface_grid(g->surface)->grid;
    uint32_t column, row, reach = 2;
    tr_vec2 seen = {point->x, point->z};
    if (!tr_grid_find(grid, seen, &column, &row))
        return false;
    float best = INFINITY;
    tr_vec3 nearest = *point;
    for (uint32_t r = row > reach ? row - reach : 0; r <= row + reach && r < grid->rows; r++)
        for (uint32_t c = column > reach ? column - reach : 0; c <= column + reach && c < grid->columns;
             c++) {
            uint32_t count = tr_surface_at(g->surface, c, r).count;
            for (uint32_t i = 0; i < count; i++) {
                tr_surface_place place = tr_surface_place_of(g->surface, c, r, i);
                tr_vec3 centre = tr_surface_centre(g->surface, &place),
                        off = tr_vec3_subtract(centre, *point);
                if (tr_surface_route_state_of(g->route, place.cell) != TR_SURFACE_ROUTE_FREE ||
                    fabsf(off.x) > snap.x || fabsf(off.y) > snap.y || fabsf(off.z) > snap.z ||
                    tr_vec3_dot(off, off) >= best)
                    continue;
                best = tr_vec3_dot(off, off);
                nearest = centre;
            }
        }
    *point = nearest;
    return best < INFINITY;
}

typedef struct place {
    tr_vec3 ours, theirs;
} place;

static tr_vec3 draw_ours(const ground *g, tr_random *random) {
    for (;;) {
        uint32_t cell = tr_random_below(random, tr_surface_cell_count(g->surface));
        if (tr_surface_route_state_of(g->route, cell) != TR_SURFACE_ROUTE_FREE)
            continue;
        tr_surface_place found = tr_surface_find(g->surface, cell);
        return tr_surface_centre(g->surface, &found);
    }
}

// A place for both, drawn from the mesh or from our surface.
static bool draw_place(const ground *g, const bench_detour *detour, bool from_mesh, tr_random *random,
                       outcome *out, place *drawn) {
    float share = tr_random_unit(random), u = tr_random_unit(random), v = tr_random_unit(random);
    tr_vec3 point = from_mesh ? bench_detour_point(detour, share, u, v) : draw_ours(g, random);
    drawn->ours = drawn->theirs = point;
    bool we = snap_to_ours(g, &drawn->ours), they = bench_detour_snap(detour, snap, &drawn->theirs);
    out->dropped_ours += we && !they;
    out->dropped_theirs += they && !we;
    return we && they;
}

// Of two random places those count as listed that lie near the ends of an exception, either way round.
static bool is_excepted(const comparison *c, tr_vec3 from, tr_vec3 to) {
    for (uint32_t i = 0; i < c->exception_count; i++) {
        const exception *e = &c->exceptions[i];
        float there = tr_vec3_length(tr_vec3_subtract(e->start, from)) +
                      tr_vec3_length(tr_vec3_subtract(e->goal, to)),
              back = tr_vec3_length(tr_vec3_subtract(e->start, to)) +
                     tr_vec3_length(tr_vec3_subtract(e->goal, from));
        if (fminf(there, back) < 0.5f)
            return true;
    }
    return false;
}

static void compare_pair(const comparison *c, ground *g, bench_detour *detour, uint32_t pair, place from,
                         place to, outcome *out) {
    bench_detour_length theirs;
    double ours = ground_length(g, from.ours, to.ours, 0);
    bool we = !isnan(ours), they = bench_detour_query(detour, from.theirs, to.theirs, &theirs) == NULL;
    if (we && they)
        out->ratios[out->both++] = theirs.whole > 0 ? ours / theirs.whole : 1;
    out->neither += !we && !they;
    out->ours_only += we && !they;
    out->theirs_only += they && !we;
    if (they && !we)
        test_failed(__FILE__, __LINE__,
                    "%s, pair %u: Detour goes from %g,%g,%g to %g,%g,%g in %.2f m, we do not", c->scene, pair,
                    (double)from.ours.x, (double)from.ours.y, (double)from.ours.z, (double)to.ours.x,
                    (double)to.ours.y, (double)to.ours.z, theirs.whole);
    if (we && !they && !is_excepted(c, from.ours, to.ours))
        test_failed(__FILE__, __LINE__,
                    "%s, pair %u: we go from %g,%g,%g to %g,%g,%g in %.2f m, Detour does not", c->scene, pair,
                    (double)from.ours.x, (double)from.ours.y, (double)from.ours.z, (double)to.ours.x,
                    (double)to.ours.y, (double)to.ours.z, ours);
}

static void compare_all(const comparison *c, ground *g, bench_detour *detour, outcome *out) {
    tr_random random = tr_random_seed(1998);
    uint32_t pairs = 0;
    for (uint32_t i = 0; pairs < PAIRS && i < TRIES; i++) {
        place from, to;
        bool start = draw_place(g, detour, pairs % 2 == 0, &random, out, &from);
        bool goal = draw_place(g, detour, pairs / 2 % 2 == 0, &random, out, &to);
        if (start && goal)
            compare_pair(c, g, detour, pairs++, from, to, out);
    }
    CHECK_INT(pairs, PAIRS);
}

// What is listed must be so, or the list is out of date.
static void check_exceptions(const comparison *c, ground *g, bench_detour *detour) {
    for (uint32_t i = 0; i < c->exception_count; i++) {
        const exception *e = &c->exceptions[i];
        bench_detour_length theirs;
        if (isnan(ground_length(g, e->start, e->goal, 1)) ||
            bench_detour_query(detour, e->start, e->goal, &theirs) == NULL)
            test_failed(__FILE__, __LINE__, "%s, exception %u is none: %s", c->scene, i, e->reason);
    }
}

static void compare(const comparison *c) {
    static ground g; // its list of points is too long for the stack
    bench_detour *detour = NULL;
    if (!ground_create(&g, c->scene)) {
        ground_destroy(&g);
        return;
    }
    const char *refusal =
        bench_detour_build(g.scene, &tr_surface_grid(g.surface)->grid, &ground_agent, &detour);
    if (refusal) {
        test_skip(refusal);
        ground_destroy(&g);
        return;
    }
    outcome out = {0};
    compare_all(c, &g, detour, &out);
    check_exceptions(c, &g, detour);
    CHECK(out.both >= c->both_least);
    qsort(out.ratios, out.both, sizeof out.ratios[0], ground_compare);
    double median = out.both > 0 ? out.ratios[out.both / 2] : 0;
    CHECK_NEAR(median, 1, 0.03);
    printf("%s: both %u, neither %u, only we %u, only Detour %u; length over Detour's: least %.4f, median "
           "%.4f, most %.4f; "
           "places on which only we stand %u, only Detour %u\n",
           c->scene, out.both, out.neither, out.ours_only, out.theirs_only, out.ratios[0], median,
           out.both ? out.ratios[out.both - 1] : 0, out.dropped_ours, out.dropped_theirs);
    bench_detour_destroy(detour);
    ground_destroy(&g);
}

TEST(on_nav_test_we_reach_what_detour_reaches) {
    static const comparison c = {"nav_test", nav_test_exceptions, 4, 40};
    compare(&c);
}

TEST(on_undulating_ground_we_reach_what_detour_reaches) {
    static const comparison c = {"undulating", NULL, 0, 190};
    compare(&c);
}
