// Characters of three sizes: their joints and how fast they run.
#include "troupe/stage/character.h"

#include <stdio.h>

int main(void) {
    const float heights[] = {1.2f, 1.6f, 1.9f};
    for (int i = 0; i < 3; i++) {
        tr_character *character = NULL;
        tr_error error;
        if (tr_character_create(&(tr_character_def){.height = heights[i], .detail = 1}, &character, &error) !=
            TR_OK) {
            fprintf(stderr, "%s\n", error.message);
            return 1;
        }
        printf("%.2f m: %u joints, %u triangles, runs at %.1f m/s\n", tr_character_height(character),
               tr_skeleton_joint_count(tr_character_skeleton(character)),
               tr_body_view(tr_character_body(character))->triangle_count, tr_character_speed_max(character));
        tr_character_destroy(character);
    }
    return 0;
}
