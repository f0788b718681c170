// Characters of three sizes: how fast they walk, and what the table mixes for a stroll.
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
        printf("%.2f m: %u joints, cycles at", character->height,
               tr_skeleton_joint_count(character->skeleton));
        for (uint32_t j = 0; j < character->cycle_count; j++)
            printf(" %.2f", tr_clip_speed(character->cycles[j]));
        tr_locomotion_mix stroll = tr_locomotion_at(character->locomotion, 0.9f);
        printf(" m/s; 0.9 m/s is %.2f strides a second\n", stroll.rate);
        tr_character_destroy(character);
    }
    return 0;
}
