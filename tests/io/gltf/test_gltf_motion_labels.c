// Contacts and events travel in the extras of a glTF file, and extras may hold anything.
#include "gltf_rig.h"
#include "gltf_shot.h"

// Stretches of random length with random contacts (often none), and a few events.
static void label_clip(tr_clip *clip, uint64_t seed) {
    tr_random random = tr_random_seed(seed);
    uint32_t contacts = 0, left = 0;
    for (uint32_t i = 0; i < tr_clip_frame_count(clip); i++) {
        if (left-- == 0) {
            left = tr_random_below(&random, 6);
            contacts = tr_random_below(&random, 3) ? tr_random_below(&random, 16) : 0;
        }
        tr_clip_set_contacts(clip, i, contacts);
    }
    for (uint32_t i = 0; i < 5; i++) {
        char name[32];
        double share = (double)tr_random_below(&random, 1001) / 1000;
        snprintf(name, sizeof name, "step \"%u\"\n", i);
        CHECK_INT(tr_clip_add_event(clip, share * tr_clip_duration(clip), name), TR_OK);
    }
}

static void check_same_labels(const tr_clip *is, const tr_clip *was) {
    CHECK_INT(tr_clip_frame_count(is), tr_clip_frame_count(was));
    for (uint32_t i = 0; i < tr_clip_frame_count(was); i++)
        CHECK_INT(tr_clip_frame_contacts(is, i), tr_clip_frame_contacts(was, i));
    REQUIRE(tr_clip_event_count(is) == tr_clip_event_count(was));
    for (uint32_t i = 0; i < tr_clip_event_count(was); i++) {
        CHECK_NEAR(tr_clip_get_event(is, i).time, tr_clip_get_event(was, i).time, 1e-9);
        CHECK_TEXT(tr_clip_get_event(is, i).name, tr_clip_get_event(was, i).name);
    }
}

TEST(labels_read_back_as_they_were) {
    for (uint64_t seed = 1; seed <= 20; seed++) {
        shot_actor actor = shot_make_actor(seed, false);
        for (int i = 0; i < SHOT_CLIPS; i++)
            label_clip(actor.clips[i], seed * 10 + (uint64_t)i);
        tr_gltf_shot shot = {.actors = &actor.view,
                             .actor_count = 1,
                             .form = TR_GLTF_BONES,
                             .text = seed % 2,
                             .apart = seed % 3 == 0,
                             .tolerance = seed % 5 == 0 ? 0.001f : 0};
        tr_figures figures = shot_read_back(&shot);
        REQUIRE(figures.count == 1 && figures.items[0].clip_count == SHOT_CLIPS);
        for (int i = 0; i < SHOT_CLIPS; i++)
            check_same_labels(figures.items[0].clips[i], actor.clips[i]);
        tr_figures_destroy(&figures);
        shot_destroy_actor(&actor);
    }
}

TEST(everybody_gets_their_own_labels_whatever_the_names) {
    shot_actor actors[3];
    tr_gltf_actor views[3];
    for (uint64_t i = 0; i < 3; i++) {
        actors[i] = shot_make_actor(30, false); // the same skeleton, motion and name
        views[i] = actors[i].view;
        for (uint64_t k = 0; i != 1 && k < SHOT_CLIPS; k++) // the one in the middle has none
            label_clip(actors[i].clips[k], 40 + i * 2 + k);
    }
    for (int apart = 0; apart < 2; apart++) {
        tr_gltf_shot shot = {
            .actors = views, .actor_count = 3, .form = TR_GLTF_BONES, .apart = apart, .text = true};
        tr_figures figures = shot_read_back(&shot);
        REQUIRE(figures.count == 3);
        for (int i = 0; i < 3; i++) {
            REQUIRE(figures.items[i].clip_count == SHOT_CLIPS);
            for (int k = 0; k < SHOT_CLIPS; k++)
                check_same_labels(figures.items[i].clips[k], actors[i].clips[k]);
        }
        tr_figures_destroy(&figures);
    }
    for (int i = 0; i < 3; i++)
        shot_destroy_actor(&actors[i]);
}

TEST(characters_that_read_back_as_one_figure_have_no_labels) {
    shot_actor actors[2] = {shot_make_actor(50, false), shot_make_actor(50, false)};
    tr_gltf_actor views[2] = {actors[0].view, actors[1].view};
    label_clip(actors[0].clips[0], 1);
    label_clip(actors[1].clips[0], 2);
    tr_gltf_shot shot = {.actors = views, .actor_count = 2, .form = TR_GLTF_SEGMENTS};
    tr_bytes bytes = {0};
    REQUIRE(tr_gltf_write(&shot, &bytes, NULL) == TR_OK);
    reading_notes notes = {0};
    tr_gltf_motion_options options = tr_gltf_motion_options_default();
    options.note = reading_note, options.note_user = &notes;
    tr_figures figures = tr_figures_begin(NULL);
    REQUIRE(tr_gltf_read_figures(bytes.data, bytes.size, &options, NULL, NULL, &figures, NULL) == TR_OK);
    REQUIRE(figures.count == 1);
    CHECK_INT(tr_clip_event_count(figures.items[0].clips[0]), 0);
    CHECK_CONTAINS(notes.text,
                   "the labels of 2 characters are left out: the characters were read as one figure");
    tr_figures_destroy(&figures);
    tr_bytes_free(NULL, &bytes);
    shot_destroy_actor(&actors[0]);
    shot_destroy_actor(&actors[1]);
}

TEST(a_loop_ends_with_the_labels_of_its_first_frame) {
    shot_actor actor = shot_make_actor(60, false);
    tr_clip_def def = {.skeleton = actor.skeleton, .frame_count = 10, .frames_per_second = 30, .loop = true};
    tr_clip *loop = NULL;
    REQUIRE(tr_clip_create(&def, &loop, NULL) == TR_OK);
    for (uint32_t i = 0; i < 10; i++)
        tr_clip_set_contacts(loop, i, i < 3 ? 5 : i < 7 ? 0 : 5);
    const tr_clip *clips[] = {loop};
    actor.view.clips = clips, actor.view.clip_count = 1;
    tr_gltf_shot shot = {.actors = &actor.view, .actor_count = 1, .form = TR_GLTF_BONES};
    tr_figures figures = shot_read_back(&shot);
    REQUIRE(figures.count == 1 && figures.items[0].clip_count == 1);
    const tr_clip *back = figures.items[0].clips[0];
    REQUIRE(tr_clip_frame_count(back) == 11);
    for (uint32_t i = 0; i < 11; i++)
        CHECK_INT(tr_clip_frame_contacts(back, i), i < 3 || i >= 7 ? 5 : 0);
    tr_figures_destroy(&figures);
    tr_clip_destroy(loop);
    shot_destroy_actor(&actor);
}

TEST(at_another_rate_frames_have_the_labels_of_their_time) {
    shot_actor actor = shot_make_actor(70, false);
    label_clip(actor.clips[0], 71);
    actor.view.clip_count = 1;
    tr_gltf_shot shot = {.actors = &actor.view, .actor_count = 1, .form = TR_GLTF_BONES};
    tr_bytes bytes = {0};
    REQUIRE(tr_gltf_write(&shot, &bytes, NULL) == TR_OK);
    const double rates[] = {7, 24, 60, 240, 1000};
    for (int k = 0; k < 5; k++) {
        tr_gltf_motion_options options = tr_gltf_motion_options_default();
        options.frames_per_second = rates[k];
        tr_figures figures = tr_figures_begin(NULL);
        REQUIRE(tr_gltf_read_figures(bytes.data, bytes.size, &options, NULL, NULL, &figures, NULL) == TR_OK);
        const tr_clip *clip = figures.items[0].clips[0];
        for (uint32_t i = 0; i < tr_clip_frame_count(clip) && i / rates[k] < tr_clip_duration(actor.clips[0]);
             i++)
            CHECK_INT(tr_clip_frame_contacts(clip, i), tr_clip_contacts(actor.clips[0], i / rates[k] + 1e-9));
        CHECK_INT(tr_clip_event_count(clip), 5);
        tr_figures_destroy(&figures);
    }
    tr_bytes_free(NULL, &bytes);
    shot_destroy_actor(&actor);
}

// ---- damage ----

// A node that goes one metre in ten frames, with these extras.
static void put_extras(gltf_rig *rig, const char *extras) {
    static const double times[2] = {0, 1}, points[6] = {0, 0, 0, 1, 2, 3};
    char rest[1000];
    memset(rig, 0, sizeof *rig);
    rig_floats(rig, 1, 2, times);
    rig_floats(rig, 3, 2, points);
    snprintf(rest, sizeof rest,
             "'nodes': [{'name': 'Ann', 'children': [1]}, {'name': 'hips'}], 'skins': [{'joints': [1]}], "
             "'animations': [{'name': 'walk', 'extras': %s, 'channels': [{'sampler': 0, 'target': {'node': "
             "1, 'path': 'translation'}}], 'samplers': [{'input': 0, 'output': 1}]}]",
             extras);
    rig_finish(rig, rest);
}

static tr_figures read_extras(const char *extras, reading_notes *notes) {
    static gltf_rig rig;
    memset(notes, 0, sizeof *notes);
    tr_gltf_motion_options options = tr_gltf_motion_options_default();
    options.note = reading_note, options.note_user = notes;
    put_extras(&rig, extras);
    return rig_read(&rig, &options);
}

#define LABELS(rest) "{'frames_per_second': 10, 'labels': [{'node': 0, 'name': 'Ann', " rest "}]}"
#define RATE "'frames_per_second': 10, "

TEST(good_extras_are_taken) {
    reading_notes notes;
    tr_figures figures = read_extras(
        LABELS(RATE "'contacts': [[3, 0, 2], [12, 4, 900]], 'events': [[0.5, 'look'], [1, '']]"), &notes);
    REQUIRE(figures.count == 1 && figures.items[0].clip_count == 1);
    const tr_clip *clip = figures.items[0].clips[0];
    REQUIRE(tr_clip_frame_count(clip) == 11);
    for (uint32_t i = 0; i < 11; i++)
        CHECK_INT(tr_clip_frame_contacts(clip, i), i < 2 ? 3 : i < 4 ? 0 : 12);
    CHECK_INT(tr_clip_event_count(clip), 2);
    CHECK_TEXT(tr_clip_get_event(clip, 0).name, "look");
    CHECK_INT(notes.count, 0);
    tr_figures_destroy(&figures);
}

TEST(extras_that_make_no_sense_are_left_out_with_a_note) {
    static const char *const bad[] = {
        LABELS("'contacts': [[3, 0, 2]]"),                                    // no rate
        LABELS("'frames_per_second': 0, 'contacts': [[3, 0, 2]]"),            // none at all
        LABELS("'frames_per_second': 1e300, 'contacts': [[3, 0, 2]]"),        // too many
        LABELS("'frames_per_second': 'ten', 'contacts': [[3, 0, 2]]"),        // a word
        LABELS(RATE "'contacts': {'a': 1}"),                                  // no list
        LABELS(RATE "'contacts': 7"),                                         // a number
        LABELS(RATE "'contacts': [3, 0, 2]"),                                 // not in stretches
        LABELS(RATE "'contacts': [[3, 0]]"),                                  // without an end
        LABELS(RATE "'contacts': [[3, 0, 2, 9]]"),                            // with two
        LABELS(RATE "'contacts': [[3, 0, 'two']]"),                           // a word
        LABELS(RATE "'contacts': [[0, 0, 2]]"),                               // no contacts
        LABELS(RATE "'contacts': [[256, 0, 2]]"),                             // beyond all
        LABELS(RATE "'contacts': [[1.5, 0, 2]]"),                             // half a contact
        LABELS(RATE "'contacts': [[3, -1, 2]]"),                              // before the beginning
        LABELS(RATE "'contacts': [[3, 2, 2]]"),                               // empty
        LABELS(RATE "'contacts': [[3, 5, 2]]"),                               // backwards
        LABELS(RATE "'contacts': [[3, 0, 1e18]]"),                            // for ever
        LABELS(RATE "'contacts': [[3, 0, 5], [3, 4, 6]]"),                    // one over the other
        LABELS(RATE "'contacts': [[3, 0, 5]], 'events': 1"),                  // no list
        LABELS(RATE "'events': [0.5, 'look']"),                               // no pairs
        LABELS(RATE "'events': [[0.5]]"),                                     // without a name
        LABELS(RATE "'events': [['look', 0.5]]"),                             // the wrong way round
        LABELS(RATE "'events': [[-1, 'look']]"),                              // before the beginning
        LABELS(RATE "'events': [[0.5, 'look'], [0.4, 'see']]"),               // out of order
        LABELS(RATE "'events': [[0.5, 'lo\\u0000ok']]"),                      // a zero inside
        "{'labels': [{'node': 7, 'name': 'Ann', 'contacts': [[3, 0, 2]]}]}",  // no such node
        "{'labels': [{'node': -1, 'name': 'Ann', 'contacts': [[3, 0, 2]]}]}", // nor this
        "{'labels': [{'node': 0.5, 'contacts': [[3, 0, 2]]}]}",               // nor that
        "{'labels': [{'node': 0, 'name': 'Ben', 'contacts': [[3, 0, 2]]}]}",  // somebody else's
        "{'labels': [{'name': 'Ann', 'contacts': [[3, 0, 2]]}, 4, null, []]}" // nobody's
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        reading_notes notes;
        tr_figures figures = read_extras(bad[i], &notes);
        REQUIRE(figures.count == 1 && figures.items[0].clip_count == 1);
        for (uint32_t k = 0; k < tr_clip_frame_count(figures.items[0].clips[0]); k++)
            CHECK_INT(tr_clip_frame_contacts(figures.items[0].clips[0], k), 0);
        CHECK_INT(tr_clip_event_count(figures.items[0].clips[0]), 0);
        if (notes.count != 1)
            test_failed(__FILE__, __LINE__, "%d notes on %s: %s", notes.count, bad[i], notes.text);
        CHECK_CONTAINS(notes.text, "left out");
        tr_figures_destroy(&figures);
    }
    // Extras of other programs are none of ours.
    static const char *const others[] = {"null", "7", "[]", "'labels'", "{'labels': 1}", "{'labels': {}}"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        reading_notes notes;
        tr_figures figures = read_extras(others[i], &notes);
        CHECK_INT(figures.count, 1);
        CHECK_INT(notes.count, 0);
        tr_figures_destroy(&figures);
    }
}

// A thousand figures on one node would each get a copy of its events: a small file must not become a large
// memory.
TEST(events_take_no_more_than_the_file) {
    enum { FIGURES = 200, EVENTS = 200 };
    size_t room = 100000, length;
    char *text = calloc(room, 1);
    REQUIRE(text);
    rig_append(
        text, room,
        "{'asset': {'version': '2.0'}, 'buffers': [{'byteLength': 16, 'uri': "
        "'data:application/octet-stream;base64,AAAAAAAAgD8AAAAAAAAAAA=='}], 'bufferViews': [{'buffer': "
        "0, 'byteLength': 8}], 'accessors': [{'bufferView': 0, 'componentType': 5126, 'count': 2, "
        "'type': 'SCALAR'}, {'componentType': 5126, 'count': 2, 'type': 'VEC3'}], 'nodes': [{'name': "
        "'all', 'children': [1");
    for (int i = 1; i < FIGURES; i++)
        rig_append(text, room, ", %d", i + 1);
    rig_append(text, room, "]}");
    for (int i = 0; i < FIGURES; i++)
        rig_append(text, room, ", {}");
    rig_append(text, room, "], 'skins': [{'joints': [1]}");
    for (int i = 1; i < FIGURES; i++)
        rig_append(text, room, ", {'joints': [%d]}", i + 1);
    rig_append(text, room, "], 'animations': [{'samplers': [{'input': 0, 'output': 1}], 'channels': [");
    for (int i = 0; i < FIGURES; i++)
        rig_append(text, room, "%s{'sampler': 0, 'target': {'node': %d, 'path': 'translation'}}",
                   i ? ", " : "", i + 1);
    rig_append(text, room, "], 'extras': {'labels': [{'node': 0, 'name': 'all', " RATE "'events': [[0, 'a']");
    for (int i = 1; i < EVENTS; i++)
        rig_append(text, room, ", [0, 'a']");
    rig_append(text, room, "]}]}}]}");
    length = strlen(text);
    for (size_t i = 0; i < length; i++)
        text[i] = text[i] == '\'' ? '"' : text[i];
    tr_figures figures = tr_figures_begin(NULL);
    tr_error error = {0};
    if (tr_gltf_read_figures(text, length, NULL, NULL, NULL, &figures, &error) != TR_OK)
        test_failed(__FILE__, __LINE__, "%s", error.message);
    CHECK_INT(figures.count, FIGURES);
    size_t taken = 0;
    for (uint32_t i = 0; i < figures.count; i++)
        taken += tr_clip_event_count(figures.items[i].clips[0]);
    CHECK(taken >= EVENTS && taken * 8 <= length + 16);
    tr_figures_destroy(&figures);
    free(text);
}

static bool copy_with(const tr_allocator *allocator) {
    static gltf_rig rig;
    put_extras(&rig, LABELS(RATE "'contacts': [[3, 0, 2]], 'events': [[0.1, 'a'], [0.2, 'b'], [0.3, 'c']]"));
    tr_gltf_motion_options options = tr_gltf_motion_options_default();
    options.allocator = allocator;
    tr_figures figures = tr_figures_begin(allocator);
    tr_error error = {0};
    tr_status status = rig_try(&rig, &options, &figures, &error);
    CHECK(status == TR_OK ? figures.count == 1 : status == TR_OUT_OF_MEMORY && figures.count == 0);
    tr_bytes bytes = {0};
    if (status == TR_OK) {
        tr_gltf_actor actor = {.skeleton = figures.items[0].skeleton,
                               .clips = (const tr_clip *const *)figures.items[0].clips,
                               .clip_count = figures.items[0].clip_count};
        tr_gltf_shot shot = {.allocator = allocator, .actors = &actor, .actor_count = 1};
        status = tr_gltf_write(&shot, &bytes, &error);
        CHECK(status == TR_OK || (status == TR_OUT_OF_MEMORY && error.message[0]));
    }
    tr_bytes_free(allocator, &bytes);
    tr_figures_destroy(&figures);
    return status == TR_OK;
}

TEST(labels_survive_every_failed_allocation) {
    CHECK(CHECK_EVERY_ALLOCATION_FAILURE(copy_with) > 20);
}
