// Manners: how people who walk with the same clips differ, and how styles mix.
#include <troupe/motion/manner.h>

#include <stdio.h>

static void print(const char *name, const tr_manner *m) {
    printf(
        "%-18s speed %+4.0f %%, cadence %+5.1f %%, arms %+4.0f %% and %+4.0f %%, lean %+5.1f, stoop %+5.1f, "
        "head %+5.1f degrees\n",
        name, (double)m->speed * 100, (double)m->cadence * 100, (double)m->arm_swing[0] * 100,
        (double)m->arm_swing[1] * 100, (double)m->lean * 57.3, (double)m->stoop * 57.3,
        (double)m->head_down * 57.3);
}

int main(void) {
    for (uint64_t seed = 1; seed <= 4; seed++) {
        tr_manner person = tr_manner_of_person(seed, 1);
        char name[32];
        snprintf(name, sizeof name, "person %u", (unsigned)seed);
        print(name, &person);
    }
    tr_manner tired = tr_manner_of_style(&(tr_style){.tired = 0.7f});
    tr_manner mixed = tr_manner_of_style(&(tr_style){.tired = 0.7f, .carrying = 1});
    print("tired", &tired);
    print("tired, carrying", &mixed);

    // A stage adds both: tr_stage_actor_def has a `manner` and a `seed`.
    tr_manner person = tr_manner_of_person(4, 1), both = tr_manner_add(&mixed, &person);
    print("person 4, the same", &both);

    tr_error error = {0};
    both.crouch = 0.5f;
    if (tr_manner_check(&both, &error) == TR_INVALID)
        printf("refused: %s\n", error.message);
    return 0;
}
