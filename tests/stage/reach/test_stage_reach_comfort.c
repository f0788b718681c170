// Hands that reach for objects anywhere within reach arrive with wrists that are hardly bent.
#include "reach_theatre.h"
#include "troupe/base/random.h"

#define ROUNDS 80

// How far the wrist is bent at the end [rad]; NAN: the cup was not reached.
static double bend_at(float x, float y, float z) {
    reach_theatre t;
    double bend = NAN;
    if (open_reach_theatre(&t, NULL, NULL, false)) {
        // The cup is 8 cm wide around (-0.3, 0.6).
        tr_affine place = tr_affine_place(tr_vec3_make(x + 0.3f, y, z - 0.6f), 0);
        CHECK_INT(tr_scene_place(t.scene, t.cup, &place), TR_OK);
        give(&t,
             (tr_order){.kind = TR_ORDER_REACH, .has_object = true, .object = t.cup, .hands = TR_HAND_RIGHT});
        play_on(&t, 8);
        tr_order_report report = report_of(&t, 0);
        const float *q = report.reach.posture.q;
        if (report.state == TR_ORDER_DONE)
            bend = acos(cos((double)q[TR_WRIST_FLEXION]) * cos((double)q[TR_WRIST_DEVIATION]));
    }
    close_reach_theatre(&t);
    return bend;
}

TEST(hands_reach_for_objects_with_wrists_hardly_bent) {
    tr_random random = tr_random_seed(5);
    uint32_t done = 0, bent = 0;
    for (int i = 0; i < ROUNDS; i++) {
        float x = tr_random_between(&random, -0.5f, 0.1f), y = tr_random_between(&random, 0, 0.6f),
              z = tr_random_between(&random, 0.42f, 0.65f);
        double bend = bend_at(x, y, z);
        done += bend == bend;
        bent += bend > 40 * 3.14159265 / 180;
    }
    if (done < ROUNDS * 3 / 4 || bent > done / 5)
        test_failed(__FILE__, __LINE__, "%u of %d cups reached, %u wrists bent", done, ROUNDS, bent);
}
