// How near a forearm, as a capsule, comes to the corner of a table, and where.
#include "troupe/world/distance.h"

#include <stdio.h>

int main(void) {
    // The top of a table, 1.2 m x 0.8 m, as two triangles.
    const tr_vec3 left_back = {-0.6f, 0.72f, 0}, right_back = {0.6f, 0.72f, 0};
    const tr_vec3 left_front = {-0.6f, 0.72f, 0.8f}, right_front = {0.6f, 0.72f, 0.8f};
    const tr_vec3 table[2][3] = {{left_back, left_front, right_back}, {right_back, left_front, right_front}};

    const tr_vec3 elbow = {0.75f, 1.05f, 1.0f};
    const float radius = 0.045f; // of the forearm
    printf("the hand goes down beside the table:\n");
    for (int i = 0; i <= 4; i++) {
        tr_vec3 hand = {0.55f, 1.0f - 0.1f * (float)i, 0.75f};
        float nearest = INFINITY;
        tr_vec3 at = {0, 0, 0};
        for (int triangle = 0; triangle < 2; triangle++) {
            tr_vec3 on_arm, on_table;
            float squared = tr_distance_segment_triangle(elbow, hand, table[triangle], &on_arm, &on_table);
            if (squared < nearest) {
                nearest = squared;
                at = on_table;
            }
        }
        float gap = sqrtf(nearest) - radius;
        printf("  hand at %.2f m: %s by %.0f mm, at (%.2f, %.2f, %.2f)\n", hand.y,
               gap > 0 ? "clear" : "inside", fabsf(gap) * 1000, at.x, at.y, at.z);
    }
    const tr_vec3 eye = {0.5f, 1.55f, 1.1f}, lamp = {-0.4f, 0.9f, 0.3f};
    tr_vec3 on_arm, on_table;
    float to_arm = sqrtf(tr_distance_point_segment(eye, elbow, (tr_vec3){0.55f, 0.8f, 0.75f}, &on_arm));
    float to_table = sqrtf(tr_distance_point_triangle(lamp, table[0], &on_table));
    printf("the eye is %.2f m from the arm, the lamp %.2f m above the table\n", to_arm, to_table);
    return 0;
}
