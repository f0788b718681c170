#include "troupe/stage/character.h"

#include "troupe/motion/mannequin.h"

static tr_status check_def(const tr_character_def *def, tr_error *error) {
    if (!def->skeleton && (def->stand || def->cycles))
        return tr_fail(error, TR_INVALID, "clips of your own need the skeleton they were made for");
    if (def->like && (def->skeleton || def->stand || def->cycles))
        return tr_fail(error, TR_INVALID, "a character like another has its skeleton and clips");
    return TR_OK;
}

static tr_status make_mannequin(const tr_character_def *def, const tr_allocator *allocator, float height,
                                tr_skeleton **skeleton, tr_body **body, tr_error *error) {
    tr_mannequin_def mannequin = {.allocator = allocator,
                                  .height = height,
                                  .color = {def->color[0], def->color[1], def->color[2]},
                                  .detail = def->detail};
    return tr_mannequin_make(&mannequin, skeleton, body, error);
}

// Another look, and all else shared.
static tr_status make_like(const tr_character_def *def, const tr_allocator *allocator,
                           tr_character **character, tr_error *error) {
    tr_skeleton *skeleton = NULL;
    tr_body *body = NULL;
    tr_status status = make_mannequin(def, allocator, def->like->height, &skeleton, &body, error);
    uint32_t joints = skeleton ? tr_skeleton_joint_count(skeleton) : 0;
    tr_skeleton_destroy(skeleton);
    if (status != TR_OK)
        return status;
    tr_character *made = tr_allocate_zero(allocator, 1, sizeof *made);
    if (!made || joints != tr_skeleton_joint_count(def->like->skeleton)) {
        tr_release(allocator, made, 1, sizeof *made);
        tr_body_destroy(body);
        return made ? tr_fail(error, TR_INVALID, "only a mannequin can be like another")
                    : tr_fail(error, TR_OUT_OF_MEMORY, "no memory for a character");
    }
    *made = *def->like;
    made->allocator = *allocator;
    made->body = made->own_body = body;
    made->own_skeleton = NULL;
    made->own_stand = made->own_cycles = made->own_moves = made->own_locomotion = false;
    *character = made;
    return TR_OK;
}

tr_status tr_character_create(const tr_character_def *def, tr_character **character, tr_error *error) {
    *character = NULL;
    tr_status status = check_def(def, error);
    if (status != TR_OK)
        return status;
    tr_allocator allocator = tr_allocator_or_default(def->allocator);
    if (def->like)
        return make_like(def, &allocator, character, error);
    tr_skeleton *skeleton = NULL;
    tr_body *body = NULL;
    if (!def->skeleton)
        status = make_mannequin(def, &allocator, def->height, &skeleton, &body, error);
    tr_cast_def cast = {.allocator = &allocator,
                        .skeleton = def->skeleton ? def->skeleton : skeleton,
                        .body = def->skeleton ? def->body : body,
                        .stand = def->stand,
                        .cycles = def->cycles,
                        .cycle_count = def->cycle_count};
    if (status == TR_OK)
        status = tr_cast_create(&cast, character, error);
    if (status != TR_OK) {
        tr_body_destroy(body);
        tr_skeleton_destroy(skeleton);
        return status;
    }
    (*character)->own_skeleton = skeleton;
    (*character)->own_body = body;
    return TR_OK;
}

void tr_character_destroy(tr_character *character) {
    tr_cast_destroy(character);
}
