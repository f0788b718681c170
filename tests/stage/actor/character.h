// The character that the tests of a stage play with.
#pragma once
#include "test.h"
#include "troupe/stage/character.h"

// Made once, because that takes longer than most tests.
static inline const tr_character *some_character(void) {
    static tr_character *made;
    tr_character_def def = {.detail = 1};
    if (!made)
        CHECK_INT(tr_character_create(&def, &made, NULL), TR_OK);
    return made;
}
