#include "motion/cast/cast_fingerprint.h"
#include "motion/cast/cast.h"
#include "troupe/stage/character.h"

#include "troupe/motion/mannequin.h"

_Static_assert(TR_CHARACTER_CYCLES_MAX == TR_LOCOMOTION_CLIPS_MAX,
               "a character may have as many cycles as a walker");

static tr_status check_def(const tr_character_def *def, tr_error *error) {
    if (!def->skeleton && (def->stand || def->cycles))
        return tr_fail(error, TR_INVALID, "custom clips need the skeleton they were made for");
    return TR_OK;
}

static tr_status make_mannequin(const tr_character_def *def, const tr_allocator *allocator,
                                tr_skeleton **skeleton, tr_body **body, tr_error *error) {
    tr_mannequin_def mannequin = {.allocator = allocator,
                                  .shape = def->shape,
                                  .height = def->height,
                                  .color = {def->color[0], def->color[1], def->color[2]},
                                  .detail = def->detail};
    return tr_mannequin_make(&mannequin, skeleton, body, error);
}

// The same character in another colour: only the body is created.
static tr_status make_like(const tr_character_def *def, const tr_allocator *allocator,
                           tr_character **character, tr_error *error) {
    tr_character *made = tr_allocate_zero(allocator, 1, sizeof *made);
    if (!made)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for a character");
    *made = *def->like;
    made->allocator = *allocator;
    made->own_skeleton = NULL;
    made->own_body = NULL;
    made->own_stand = made->own_cycles = made->own_moves = made->own_locomotion = false;
    bool colored = def->color[0] != 0 || def->color[1] != 0 || def->color[2] != 0;
    if (made->body && colored) {
        tr_body_def body = *tr_body_view(made->body);
        body.allocator = allocator;
        for (int i = 0; i < 3; i++)
            body.color[i] = def->color[i];
        tr_status status = tr_body_create(&body, &made->own_body, error);
        if (status != TR_OK) {
            tr_release(allocator, made, 1, sizeof *made);
            return status;
        }
        made->body = made->own_body;
        made->fingerprint = tr_cast_hash_color(made->fingerprint, made->body);
    }
    *character = made;
    return TR_OK;
}

// The character of a behavior cast, which moves by behaviors alone.
static tr_status make_performer(const tr_character_def *def, const tr_allocator *allocator,
                                tr_character **character, tr_error *error) {
    const tr_behavior_cast *performs = def->performs;
    tr_cast_def cast = {.allocator = allocator,
                        .skeleton = performs->skeleton,
                        .body = performs->body,
                        .stand = performs->stand,
                        .performs = true};
    if (!performs->stand)
        return tr_fail(error, TR_INVALID, "the behaviors \"%.60s\" have no clip for standing",
                       performs->name ? performs->name : "");
    tr_status status = tr_cast_create(&cast, character, error);
    if (status == TR_OK)
        (*character)->radius = tr_behavior_def_of(performs->machine)->radius;
    return status;
}

tr_status tr_character_create(const tr_character_def *def, tr_character **character, tr_error *error) {
    *character = NULL;
    tr_allocator allocator = tr_allocator_or_default(def->allocator);
    if (def->like)
        return make_like(def, &allocator, character, error);
    if (def->performs)
        return make_performer(def, &allocator, character, error);
    tr_status status = check_def(def, error);
    if (status != TR_OK)
        return status;
    tr_skeleton *skeleton = NULL;
    tr_body *body = NULL;
    if (!def->skeleton)
        status = make_mannequin(def, &allocator, &skeleton, &body, error);
    tr_cast_def cast = {.allocator = &allocator,
                        .skeleton = def->skeleton ? def->skeleton : skeleton,
                        .body = def->skeleton ? def->body : body,
                        .stand = def->stand,
                        .cycles = def->cycles,
                        .cycle_count = def->cycle_count,
                        .note = def->note,
                        .note_user = def->note_user};
    if (status == TR_OK)
        status = tr_cast_create(&cast, character, error);
    if (status != TR_OK) {
        tr_body_destroy(body);
        tr_skeleton_destroy(skeleton);
        return status;
    }
    if (!def->skeleton) {
        (*character)->manner = tr_mannequin_shape_manner(def->shape);
        (*character)->own_skeleton = skeleton;
        (*character)->own_body = body;
    }
    return TR_OK;
}

void tr_character_destroy(tr_character *character) {
    tr_cast_destroy(character);
}

const tr_skeleton *tr_character_skeleton(const tr_character *character) {
    return character->skeleton;
}

const tr_body *tr_character_body(const tr_character *character) {
    return character->body;
}

float tr_character_height(const tr_character *character) {
    return character->height;
}

float tr_character_radius(const tr_character *character) {
    return character->radius;
}

bool tr_character_walks(const tr_character *character) {
    return tr_cast_walks(character);
}

float tr_character_speed_max(const tr_character *character) {
    if (!tr_cast_walks(character))
        return 0;
    return tr_locomotion_speed_max(character->locomotion);
}
