// The fingers of a hand that makes a fist: where the tips are while it closes.
#include <stdio.h>
#include <troupe/troupe.h>

int main(void) {
    tr_hand_shape hand = tr_hand_default(TR_ARM_RIGHT, 1.75f);
    tr_error error;
    if (tr_hand_check(&hand, &error) != TR_OK) {
        fprintf(stderr, "hand: %s\n", error.message);
        return 1;
    }
    tr_hand_posture open = {0}, fist = tr_grip_posture(&hand, TR_GRIP_POWER, 0);
    fist.bend[TR_LITTLE][0] = 9; // more than a finger can
    fist = tr_hand_clamp(&hand, fist);
    for (int step = 0; step <= 4; step++) {
        tr_hand_posture now = tr_hand_blend(&open, &fist, 0.25f * (float)step);
        tr_vec3 thumb = tr_hand_put(&hand, &now, TR_THUMB).joints[3];
        tr_vec3 tip = tr_hand_put(&hand, &now, TR_MIDDLE).joints[3];
        printf("%3d %%: tip of the middle finger %4.0f mm from the palm, of the thumb %4.0f mm\n", 25 * step,
               1000 * (double)tr_vec3_distance(tip, hand.palm),
               1000 * (double)tr_vec3_distance(thumb, hand.palm));
    }
    tr_solid_capsule capsules[TR_HAND_CAPSULES];
    tr_affine place = tr_affine_identity();
    printf("the hand as %u capsules\n", tr_hand_capsules(&hand, &fist, &place, capsules, NULL));
    return 0;
}
