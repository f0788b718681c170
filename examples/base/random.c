// Seeded random numbers: a die, a position, the same again, and a generator for each of several people.
#include "troupe/base/random.h"

#include <stdio.h>

int main(void) {
    tr_random random = tr_random_seed(2024);
    tr_random copy = random; // the state is a plain value: keep it to come back

    int faces[6] = {0};
    for (int i = 0; i < 60000; i++)
        faces[tr_random_below(&random, 6)]++;
    printf("60000 throws of a die:");
    for (int face = 0; face < 6; face++)
        printf(" %d", faces[face]);

    float x = tr_random_between(&random, -5, 5), z = tr_random_between(&random, -5, 5);
    printf("\na place in the room: %.3f %.3f\n", x, z);

    int again[6] = {0};
    for (int i = 0; i < 60000; i++)
        again[tr_random_below(&copy, 6)]++;
    printf("the first face came up %d times, and again %d times\n", faces[0], again[0]);

    // One seed for the whole crowd, 32 of its bits for each person: what one of them draws later, more or
    // less often, changes nothing for the others.
    tr_random crowd = tr_random_seed(7);
    for (int i = 0; i < 3; i++) {
        tr_random person = tr_random_seed(tr_random_bits(&crowd));
        float height = tr_random_between(&person, 1.55f, 1.95f);
        float speed = tr_random_between(&person, 1.1f, 1.5f);
        printf("person %d: %.2f m tall, walks at %.2f m/s\n", i, height, speed);
    }
    return faces[0] == again[0] ? 0 : 1;
}
