// The depth-buffer check compared with the exact one, on random postures of an arm around the desk. The
// person stands anywhere, even inside the desk: at the usual working position only one posture in twenty
// collides.
#include "bench_liu.h"
#include "cli/commands.h"
#include "troupe/base/random.h"

#include <math.h>
#include <stdio.h>

#define POSTURES 10000

typedef struct liu_counts {
    uint32_t agree, both_hit, exact_only, depth_only;
    uint32_t zones[MARCH_ZONE_COUNT]; // of what only the exact check finds
} liu_counts;

// The points of the arm for a random posture at a random place.
static void draw_points(const tr_arm *arm, tr_random *random, tr_vec3 points[4]) {
    tr_posture posture = {{0}};
    tr_arm placed = *arm;
    for (int i = 0; i < TR_ARM_JOINTS; i++)
        posture.q[i] = tr_random_between(random, arm->low.q[i], arm->high.q[i]);
    float x = tr_random_between(random, -0.6f, 0.6f), z = tr_random_between(random, -0.1f, 0.9f);
    float heading = tr_random_between(random, -3.14f, 3.14f);
    placed.base = tr_affine_place(tr_vec3_make(x, arm->base.m[1][3], z), (double)heading);
    tr_arm_points(&placed, &posture, points);
}

static bool touches_exactly(const liu_stand *stand, const tr_vec3 points[4]) {
    for (uint32_t link = 0; link < TR_ARM_LINKS; link++) {
        tr_solid_capsule capsule = {points[link], points[link + 1], stand->arm.radius[link]};
        if (tr_solid_touches(stand->solid, &capsule))
            return true;
    }
    return false;
}

static tr_status touches_in_maps(march_depth *depth, const tr_vec3 points[4], bool *touches,
                                 tr_error *error) {
    tr_status status = TR_OK;
    *touches = false;
    for (uint32_t link = 0; link < TR_ARM_LINKS && status == TR_OK && !*touches; link++)
        status = march_depth_hits(depth, points, link, touches, error);
    return status;
}

// The best-seen zone among those the arm touches: what hides it from all three cameras.
static march_zone zone_of_arm(const march_depth *depth, const tr_vec3 points[4]) {
    march_zone best = MARCH_TOUCHES_NOTHING;
    for (uint32_t link = 0; link < TR_ARM_LINKS; link++) {
        march_zone zone = march_depth_zone(depth, points, link);
        if (zone != MARCH_TOUCHES_NOTHING && (best == MARCH_TOUCHES_NOTHING || zone < best))
            best = zone;
    }
    return best;
}

static tr_status count(bench_report *bench, const liu_stand *stand, march_depth *depth, const char *name,
                       liu_counts *counts, tr_error *error) {
    tr_random random = tr_random_seed(bench_seed(bench, 2003));
    tr_status status = TR_OK;
    for (uint32_t i = 0; i < POSTURES && status == TR_OK; i++) {
        tr_vec3 points[4];
        bool by_depth;
        draw_points(&stand->arm, &random, points);
        bool by_exact = touches_exactly(stand, points);
        status = touches_in_maps(depth, points, &by_depth, error);
        counts->agree += by_exact == by_depth;
        counts->both_hit += by_exact && by_depth;
        counts->depth_only += by_depth && !by_exact;
        counts->exact_only += by_exact && !by_depth;
        if (by_exact && !by_depth)
            counts->zones[zone_of_arm(depth, points)]++;
        if (i % 100 == 0)
            bench_progress(bench, name, (double)i / POSTURES);
    }
    return status;
}

static void report(bench_report *bench, const char *name, const char *what, const liu_counts *counts) {
    const struct {
        const char *name, *what;
        uint32_t value;
    } figures[] = {
        {"agree", "both checks agree", counts->agree},
        {"both_hit", "both report a collision", counts->both_hit},
        {"depth_only", "only the depth maps report a collision", counts->depth_only},
        {"exact_only", "only the exact check reports a collision", counts->exact_only},
        {"exact_only.between_pixels", "of these: in view, between pixels", counts->zones[MARCH_IN_VIEW]},
        {"exact_only.beside", "outside the view (Z1, Z2)", counts->zones[MARCH_BESIDE]},
        {"exact_only.behind", "behind the near plane", counts->zones[MARCH_BEHIND]},
        {"exact_only.unexplained", "none of these", counts->zones[MARCH_TOUCHES_NOTHING]},
    };
    for (uint32_t i = 0; i < sizeof figures / sizeof figures[0]; i++) {
        char id[64], words[160];
        snprintf(id, sizeof id, "liu.compare.%s.%s", name, figures[i].name);
        snprintf(words, sizeof words, "%s: %s", what, figures[i].what);
        liu_add(bench, id, words, figures[i].value, "of 10000", NAN);
    }
}

bool liu_compare(bench_report *bench, const liu_stand *stand) {
    static const struct {
        const char *name, *what;
        uint32_t size;
        float pull_back;
    } settings[] = {
        {"paper100", "the paper's camera, 100 x 100", 100, 0},
        {"back100", "camera pulled back, 100 x 100", 100, 1},
        {"paper600", "the paper's camera, 600 x 600", 600, 0},
        {"back600", "camera pulled back, 600 x 600", 600, 1},
    };
    for (uint32_t i = 0; i < sizeof settings / sizeof settings[0]; i++) {
        march_depth_def def = march_depth_def_default(stand->soft, stand->sample.scene, &stand->arm);
        def.size = settings[i].size;
        def.pull_back = settings[i].pull_back;
        march_depth *depth = NULL;
        tr_error error = {0};
        tr_status status = march_depth_create(&def, &depth, &error);
        if (status == TR_OK) {
            liu_counts counts = {.agree = 0};
            status = count(bench, stand, depth, settings[i].what, &counts, &error);
            report(bench, settings[i].name, settings[i].what, &counts);
        }
        march_depth_destroy(depth);
        if (status != TR_OK) {
            command_complain_of(&error);
            return false;
        }
    }
    return true;
}
