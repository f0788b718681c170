// What a kind of character can do from standing to standing, and which move turns it by a given angle.
#include "troupe/motion/cast.h"
#include "troupe/motion/mannequin.h"

#include <stdio.h>

int main(void) {
    tr_skeleton *skeleton = NULL;
    tr_cast *cast = NULL;
    tr_error error = {0};
    if (tr_mannequin_make(&(tr_mannequin_def){.height = 1.7f}, &skeleton, NULL, &error) != TR_OK ||
        tr_cast_create(&(tr_cast_def){.skeleton = skeleton}, &cast, &error) != TR_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    for (uint32_t i = 0; i < cast->move_count; i++) {
        const tr_cast_move *move = &cast->moves[i];
        printf("%-10s turns by %5.2f rad, goes %5.2f m aside, in %.2f s\n", tr_clip_name(move->clip),
               (double)move->turn, (double)move->aside, tr_clip_duration(move->clip) / move->pace);
    }
    float part;
    const tr_cast_move *move = tr_cast_turn(cast, -1.2f, &part);
    printf("to turn by -1.2 rad: %.0f %% of a turn by %.2f\n", 100 * (double)part, (double)move->turn);
    tr_cast_destroy(cast);
    tr_skeleton_destroy(skeleton);
    return 0;
}
