// Machine files with motion: generated and from files, with numbers that are measured or written, and what is
// wrong with either.
#include "machine_text.h"
#include "troupe/base/scalar.h"
#include "troupe/io/gltf_write.h"
#include "troupe/motion/behavior_clip.h"

#include <math.h>

static void check_status(int line, tr_status status, const tr_error *error) {
    if (status != TR_OK)
        test_failed(__FILE__, line, "%s:%u: %s", error->file, error->line, error->message);
}

// Reads and opens; the caller destroys the cast.
static tr_status open_text(const char *text, const tr_behavior_file_options *options, tr_behavior_cast **cast,
                           tr_error *error) {
    tr_behavior_file file;
    const tr_allocator *allocator = options ? options->allocator : NULL;
    *cast = NULL;
    tr_status status = machine_read(text, strlen(text), allocator, &file, error);
    if (status == TR_OK)
        status = tr_behavior_file_open(&file, "folder/machine.json", options, cast, error);
    tr_behavior_file_destroy(&file);
    return status;
}

static bool same_moves(const tr_behavior_move *a, const tr_behavior_move *b) {
    bool same = a->x == b->x && a->z == b->z && a->turn == b->turn && a->rise == b->rise &&
                a->frames == b->frames && a->action == b->action && a->disc_count == b->disc_count;
    for (uint32_t i = 0; i < a->disc_count && same; i++)
        same = machine_same_discs(&a->discs[i], &b->discs[i]);
    return same;
}

// --- Generated clips ---

// The machine of the horse as a text, with its numbers or without.
static char *write_horse(tr_behavior_cast *horse, bool with_numbers) {
    tr_behavior_file_clip *clips = calloc(horse->clip_count, sizeof *clips);
    for (uint32_t i = 0; i < horse->clip_count; i++)
        clips[i].is_measured = !with_numbers;
    tr_behavior_file file = {.def = *tr_behavior_def_of(horse->machine),
                             .cast = "horse",
                             .clips = clips,
                             .clip_count = horse->clip_count};
    tr_bytes text;
    tr_error error = {0};
    check_status(__LINE__, tr_behavior_file_write(&file, NULL, &text, &error), &error);
    char *copy = calloc(text.size + 1, 1);
    if (text.size)
        memcpy(copy, text.data, text.size);
    tr_bytes_free(NULL, &text);
    free(clips);
    return copy;
}

static tr_behavior_cast *make_horse(void) {
    tr_horse_def def = {.detail = 1};
    tr_behavior_cast *horse = NULL;
    tr_error error = {0};
    check_status(__LINE__, tr_behavior_cast_horse(&def, &horse, &error), &error);
    return horse;
}

TEST(a_cast_that_is_written_opens_as_the_same_machine) {
    tr_behavior_cast *horse = make_horse(), *cast;
    REQUIRE(horse);
    for (int with_numbers = 0; with_numbers < 2; with_numbers++) {
        char *text = write_horse(horse, with_numbers);
        CHECK((strstr(text, "\"discs\"") != NULL) == with_numbers);
        tr_error error = {0};
        check_status(__LINE__, open_text(text, NULL, &cast, &error), &error);
        REQUIRE(cast);
        const tr_behavior_def *a = tr_behavior_def_of(horse->machine), *b = tr_behavior_def_of(cast->machine);
        REQUIRE(a->state_count == b->state_count);
        for (uint32_t i = 0; i < a->state_count; i++) {
            CHECK_TEXT(a->states[i].name, b->states[i].name);
            CHECK(a->states[i].weight == b->states[i].weight);
            CHECK(same_moves(a->states[i].moves, b->states[i].moves));
            const tr_behavior_cast_clip *clip = &cast->clips[b->states[i].moves->clip];
            CHECK_INT(clip->last - clip->first, b->states[i].moves->frames);
        }
        CHECK(cast->skeleton && cast->body);
        tr_behavior_cast_destroy(cast);
        free(text);
    }
    tr_behavior_cast_destroy(horse);
}

// The text with the first `from` after `after` replaced.
static char *change(const char *text, const char *after, const char *from, const char *to) {
    const char *at = strstr(text, after);
    at = at ? strstr(at, from) : NULL;
    if (!at) {
        test_failed(__FILE__, __LINE__, "there is no %s after %s", from, after);
        return calloc(1, 1);
    }
    size_t size = strlen(text) + strlen(to) + 1;
    char *changed = malloc(size);
    snprintf(changed, size, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    return changed;
}

TEST(a_user_changes_weights_and_leaves_states_out) {
    tr_behavior_cast *horse = make_horse(), *cast;
    REQUIRE(horse);
    char *text = write_horse(horse, true),
         *changed = change(text, "\"sharp_left\"", "\"weight\": ", "\"weight\": 7");
    tr_error error = {0};
    check_status(__LINE__, open_text(changed, NULL, &cast, &error), &error);
    REQUIRE(cast);
    const tr_behavior_def *def = tr_behavior_def_of(cast->machine);
    for (uint32_t i = 0; i < def->state_count; i++)
        if (strcmp(def->states[i].name, "sharp_left") == 0)
            CHECK(def->states[i].weight >= 7);
    tr_behavior_cast_destroy(cast);
    free(changed);
    free(text);

    // Two states, one with a clip of another name.
    text = write_horse(horse, false);
    char *rests = change(text, "\"labels\"", "\"rest\": \"stands\"", "\"rest\": \"gallops\"");
    free(text);
    text = rests;
    char *at = strstr(text, "\"states\""), head[4000], two[5000];
    snprintf(head, sizeof head, "%.*s", (int)(at - text), text);
    snprintf(two, sizeof two,
             "%s \"states\": [{\"name\": \"on\", \"begin\": \"gallops\", \"end\": \"gallops\", \"moves\": "
             "[{\"clip\": "
             "\"forward/1\"}]},\n{\"name\": \"left\", \"begin\": \"gallops\", \"end\": \"gallops\", "
             "\"moves\": [{}]}]}",
             head);
    check_status(__LINE__, open_text(two, NULL, &cast, &error), &error);
    REQUIRE(cast);
    const tr_behavior_def *all = tr_behavior_def_of(horse->machine);
    def = tr_behavior_def_of(cast->machine);
    CHECK_INT(def->state_count, 2);
    uint32_t forward = 0;
    while (forward < all->state_count && strcmp(all->states[forward].name, "forward") != 0)
        forward++;
    REQUIRE(forward < all->state_count);
    CHECK(same_moves(def->states[0].moves, all->states[forward].moves));
    tr_behavior_cast_destroy(cast);
    free(text);
    tr_behavior_cast_destroy(horse);
}

static void check_refused(int where, const char *text, const char *sentence) {
    tr_behavior_cast *cast;
    tr_error error = {0};
    tr_status status = open_text(text, NULL, &cast, &error);
    if (status != TR_BAD_FILE || !strstr(error.message, sentence) || error.line == 0 || !error.file[0])
        test_failed(__FILE__, where, "%s, %s:%u: %s; expected %s", tr_status_name(status), error.file,
                    error.line, error.message, sentence);
    CHECK(!cast);
    tr_behavior_cast_destroy(cast);
}

TEST(numbers_that_are_not_those_of_the_motion_are_refused) {
    tr_behavior_cast *horse = make_horse();
    REQUIRE(horse);
    char *text = write_horse(horse, true), *without = write_horse(horse, false), *changed;
    const struct {
        bool with_numbers;
        const char *after, *from, *to, *sentence;
    } wrong[] = {
        {true, "\"moves\"", "\"z\": ", "\"z\": 9", "x, z and turn_degrees are"},
        {true, "\"moves\"", "\"frames\": 20", "\"frames\": 60", "frames is 60, but its motion has 20"},
        {false, "\"frames_per_second\"", "30", "25", "at 30 frames per second, and not at 25"},
        {false, "\"radius\"", "\"radius\": 0", "\"radius\": 1", "it is to be measured, but with discs of"},
        {false, "\"bands\"", "\"high\": ", "\"high\": 1", "the bands of the file are not those of the cast"},
        {false, "\"moves\"", "{", "{\"clip\": \"fly\", ", "the cast has no state \"fly\""},
        {false, "\"moves\"", "{", "{\"clip\": \"left/3\", ", "there is no number 3"},
        {false, "\"name\": \"left\"", "left", "west", "the cast has no state \"west\""},
        {false, "\"moves\"", "\"action\": 10", "\"action\": 900", "action is after its end"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        changed = change(wrong[i].with_numbers ? text : without, wrong[i].after, wrong[i].from, wrong[i].to);
        check_refused(__LINE__, changed, wrong[i].sentence);
        free(changed);
    }
    free(text);
    free(without);
    tr_behavior_cast_destroy(horse);
}

// --- Motion files ---

#define CLIPS 4
static const struct {
    const char *name;
    tr_behavior_clip_def def;
} made_clips[CLIPS] = {
    {"start", {.kind = TR_BEHAVIOR_CLIP_START, .extra = 8}},
    {"end", {.kind = TR_BEHAVIOR_CLIP_END, .extra = 8}},
    {"jog", {.kind = TR_BEHAVIOR_CLIP_JOG, .extra = 8}},
    {"left", {.kind = TR_BEHAVIOR_CLIP_JOG, .turn = 0.5f, .extra = 8}},
};

// A file with clips of a mannequin, as an animator would have it beside the machine file.
typedef struct clip_file {
    tr_behavior_clip_info infos[CLIPS];
    tr_bytes bytes;
    tr_memory_file entries[2];
    tr_memory_files memory;
    tr_files files;
} clip_file;

static bool make_file(clip_file *made) {
    tr_skeleton *skeleton = NULL;
    tr_clip *clips[CLIPS] = {NULL};
    tr_mannequin_def mannequin = {.detail = 1};
    tr_error error = {0};
    tr_status status = tr_mannequin_make(&mannequin, &skeleton, NULL, &error);
    for (int i = 0; i < CLIPS && status == TR_OK; i++) {
        tr_behavior_clip_def def = made_clips[i].def;
        def.skeleton = skeleton;
        status = tr_behavior_clip_make(&def, &clips[i], &made->infos[i], &error);
        if (status == TR_OK)
            status = tr_clip_set_name(clips[i], made_clips[i].name);
    }
    tr_gltf_actor actor = {.skeleton = skeleton, .clips = (const tr_clip *const *)clips, .clip_count = CLIPS};
    tr_gltf_shot shot = {.actors = &actor, .actor_count = 1, .form = TR_GLTF_BONES, .apart = true};
    if (status == TR_OK)
        status = tr_gltf_write(&shot, &made->bytes, &error);
    check_status(__LINE__, status, &error);
    for (int i = 0; i < CLIPS; i++)
        tr_clip_destroy(clips[i]);
    tr_skeleton_destroy(skeleton);
    made->entries[0] = (tr_memory_file){"folder/clips/jogs.glb", made->bytes.data, made->bytes.size};
    made->entries[1] = (tr_memory_file){"folder/text.bvh", "HIERARCHY\n", 10};
    made->memory = (tr_memory_files){made->entries, 2};
    made->files = tr_files_in_memory(&made->memory);
    return status == TR_OK;
}

// A machine of these clips. `jog` has %s in its move.
static void write_machine(const clip_file *made, const char *motion, const char *jog, char *text,
                          size_t size) {
    const tr_behavior_clip_info *i = made->infos;
    snprintf(text, size,
             "{\"name\": \"jogger\", \"frames_per_second\": 30, \"radius\": 0.35, \"discs_hold\": true,%s\n"
             " \"bands\": [{\"name\": \"upright\", \"high\": 2}],\n"
             " \"labels\": [\"stands\", \"jogs\"], \"rest\": \"stands\", \"states\": [\n"
             " {\"name\": \"start\", \"begin\": \"stands\", \"end\": \"jogs\", \"moves\": [\n"
             "  {\"file\": \"clips/jogs.glb\", \"clip\": \"start\", \"first\": %u, \"last\": %u}]},\n"
             " {\"name\": \"end\", \"begin\": \"jogs\", \"end\": \"stands\", \"moves\": [\n"
             "  {\"file\": \"clips/jogs.glb\", \"clip\": \"end\", \"first\": %u, \"last\": %u}]},\n"
             " {\"name\": \"jog\", \"begin\": \"jogs\", \"end\": \"jogs\", \"moves\": [\n"
             "  {\"file\": \"clips/jogs.glb\", \"clip\": \"jog\", \"first\": %u, \"last\": %u, \"extra\": "
             "5%s}]},\n"
             " {\"name\": \"left\", \"begin\": \"jogs\", \"end\": \"jogs\", \"moves\": [\n"
             "  {\"file\": \"clips/jogs.glb\", \"clip\": \"left\", \"first\": %u, \"last\": %u},\n"
             "  {\"file\": \"clips/jogs.glb\", \"clip\": \"left\", \"first\": %u, \"last\": %u, "
             "\"mirrored\": true}]}]}",
             motion, i[0].first, i[0].last, i[1].first, i[1].last, i[2].first, i[2].last, jog, i[3].first,
             i[3].last, i[3].first, i[3].last);
}

static void check_jogger(const clip_file *made, const tr_behavior_cast *cast, float scale) {
    const tr_behavior_def *def = tr_behavior_def_of(cast->machine);
    for (int i = 0; i < CLIPS; i++) {
        const tr_behavior_move *move = &def->states[i].moves[0];
        const tr_behavior_clip_info *info = &made->infos[i];
        // A base that is found again in the file is smoothed: near the ends it differs.
        CHECK_NEAR(hypot((double)move->x, (double)move->z),
                   (double)scale * hypot((double)info->advance.x, (double)info->advance.z),
                   0.12 * (double)scale);
        CHECK_NEAR(move->turn, info->advance.heading, 0.25);
        CHECK_INT(move->frames, info->last - info->first);
        CHECK(move->disc_count > 0);
    }
    const tr_behavior_move *mirrored = &def->states[3].moves[1], *turn = &def->states[3].moves[0];
    CHECK_NEAR(mirrored->x, -turn->x, 1e-3);
    CHECK_NEAR(mirrored->z, turn->z, 1e-3);
    CHECK_NEAR(mirrored->turn, -turn->turn, 1e-3);
    const tr_behavior_cast_clip *jog = &cast->clips[def->states[2].moves[0].clip];
    CHECK_INT(jog->first, 5);
    CHECK_INT(tr_clip_frame_count(jog->motion), def->states[2].moves[0].frames + 11);
    CHECK(tr_clip_has_base(jog->motion));
}

TEST(clips_of_a_file_become_a_cast) {
    static clip_file made;
    char text[4000];
    REQUIRE(make_file(&made));
    tr_behavior_file_options options = {.files = &made.files};
    tr_behavior_cast *cast;
    tr_error error = {0};
    write_machine(&made, "", "", text, sizeof text);
    check_status(__LINE__, open_text(text, &options, &cast, &error), &error);
    REQUIRE(cast);
    check_jogger(&made, cast, 1);
    tr_behavior_cast_destroy(cast);
    // On a mannequin of another height, and at twice the rate of the body: steps shrink with the legs.
    write_machine(&made, " \"motion\": {\"body\": \"mannequin\", \"height\": 1.4},", "", text, sizeof text);
    check_status(__LINE__, open_text(text, &options, &cast, &error), &error);
    REQUIRE(cast);
    check_jogger(&made, cast, 1.4f / 1.75f);
    CHECK_NEAR(tr_skeleton_height(cast->skeleton), 1.4, 0.1);
    tr_behavior_cast_destroy(cast);
    tr_bytes_free(NULL, &made.bytes);
}

TEST(wrong_clips_of_files_are_named_with_the_line_of_their_move) {
    static clip_file made;
    char text[4000], wrong[4200];
    REQUIRE(make_file(&made));
    tr_behavior_file_options options = {.files = &made.files};
    const struct {
        const char *from, *to, *sentence;
    } cases[] = {
        {"clips/jogs.glb", "clips/none.glb", "states[0].moves[0] (start): "},
        {"clips/jogs.glb", "text.bvh", "states[0].moves[0] (start): "},
        {"clips/jogs.glb", "../jogs.glb", "must not contain \"..\""},
        {"\"clip\": \"start\"", "\"clip\": \"stop\"", "has no clip \"stop\""},
        {"\"clip\": \"start\"", "\"clip\": \"start\", \"figure\": \"Ben\"", "has no figure \"Ben\""},
        {"\"last\": ", "\"last\": 9", "but its motion has"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tr_behavior_cast *cast;
        tr_error error = {0};
        write_machine(&made, "", "", text, sizeof text);
        char *at = strstr(text, cases[i].from);
        snprintf(wrong, sizeof wrong, "%.*s%s%s", (int)(at - text), text, cases[i].to,
                 at + strlen(cases[i].from));
        CHECK(open_text(wrong, &options, &cast, &error) == TR_BAD_FILE);
        CHECK_CONTAINS(error.message, cases[i].sentence);
        CHECK_INT(error.line, 5);
        CHECK(!cast);
    }
    // Numbers that are written have to be those of the motion, and of one kind with those that are measured.
    tr_behavior_cast *cast;
    tr_error error = {0};
    write_machine(&made, "", ", \"frames\": 22, \"z\": 4", text, sizeof text);
    CHECK(open_text(text, &options, &cast, &error) == TR_BAD_FILE);
    CHECK_CONTAINS(error.message,
                   "states[2].moves[0] (jog): x, z and turn_degrees are 0, 4 and 0, but its motion");
    CHECK_INT(error.line, 9);
    char *hold = strstr(text, "true");
    memcpy(hold, "null", 4);
    CHECK(open_text(text, &options, &cast, &error) == TR_BAD_FILE);
    CHECK_CONTAINS(error.message, "needs \"discs_hold\": true");
    tr_bytes_free(NULL, &made.bytes);
}

TEST(a_machine_without_motion_cannot_be_opened) {
    static const char text[] =
        "{\"frames_per_second\": 30, \"radius\": 1, \"bands\": [{\"name\": \"b\", \"high\": 1}],"
        " \"labels\": [\"l\"], \"rest\": \"l\", \"states\": [{\"name\": \"s\", \"begin\": \"l\","
        " \"end\": \"l\", \"moves\": [{\"frames\": 3}]}]}";
    check_refused(__LINE__, text, "it has no motion");
}

static const clip_file *failing_file;

static bool open_jogger(const tr_allocator *allocator) {
    char text[4000];
    tr_behavior_file_options options = {.allocator = allocator, .files = &failing_file->files};
    tr_behavior_cast *cast;
    tr_error error = {0};
    // Two states are enough.
    const tr_behavior_clip_info *info = &failing_file->infos[2];
    snprintf(
        text, sizeof text,
        "{\"frames_per_second\": 30, \"radius\": 0.4, \"bands\": [{\"name\": \"upright\", \"high\": 2}], "
        "\"labels\": [\"jogs\"], \"rest\": \"jogs\", \"states\": [{\"name\": \"jog\", \"begin\": \"jogs\", "
        "\"end\": \"jogs\", \"moves\": [{\"file\": \"clips/jogs.glb\", \"clip\": \"jog\", \"first\": %u, "
        "\"last\": %u, \"mirrored\": true}]}]}",
        info->first, info->last);
    tr_status status = open_text(text, &options, &cast, &error);
    if (status != TR_OK) {
        CHECK_INT(status, TR_OUT_OF_MEMORY);
        CHECK(!cast && error.message[0]);
    }
    tr_behavior_cast_destroy(cast);
    return status == TR_OK;
}

TEST(every_allocation_may_fail) {
    static clip_file made;
    REQUIRE(make_file(&made));
    failing_file = &made;
    CHECK(CHECK_EVERY_ALLOCATION_FAILURE(open_jogger) > 20);
    tr_bytes_free(NULL, &made.bytes);
}
