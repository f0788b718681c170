// A player steers somebody around the sample office; the journal of that plays it again on a new stage.
#include "troupe/stage/journal.h"
#include "troupe/world/sample.h"

#include <stdio.h>

static tr_stage *open_stage(tr_scene *scene, tr_box area) {
    tr_stage *stage = NULL;
    tr_stage_def def = tr_stage_def_default(scene);
    def.area = area;
    tr_stage_create(&def, &stage, NULL);
    return stage;
}

static tr_vec2 place_of(const tr_stage *stage, tr_actor_id actor) {
    tr_actor_view view;
    tr_stage_look(stage, actor, &view);
    return tr_vec3_from_above(view.position);
}

int main(void) {
    tr_sample office;
    tr_character *adult = NULL;
    tr_journal *journal = NULL;
    tr_error error = {0};
    tr_sample_def sample = {.name = "office"};
    tr_character_def kind = {.detail = 1};
    if (tr_sample_make(&sample, &office, &error) != TR_OK ||
        tr_character_create(&kind, &adult, &error) != TR_OK ||
        tr_journal_create(NULL, &journal, &error) != TR_OK)
        return 1;

    tr_stage *stage = open_stage(office.scene, office.ground);
    tr_stage_set_journal(stage, journal);
    tr_actor_id actor;
    tr_stage_actor_def who = {.name = "Ada", .character = adult, .position = {-8.5f, 0, -6}};
    tr_stage_add_actor(stage, &who, &actor, &error);
    for (int frame = 0; frame < 600; frame++) { // ten seconds at the stick
        tr_vec2 velocity = {frame < 300 ? 1.2f : 0, frame < 300 ? 0 : 1.2f};
        tr_stage_steer(stage, actor, velocity, &error);
        tr_stage_step(stage, 1.0 / 60, &error);
    }
    tr_vec2 there = place_of(stage, actor);
    tr_stage_set_journal(stage, NULL);
    tr_stage_destroy(stage);
    // Recording never disturbs the game: ask at the end whether everything is in it, before it is kept.
    tr_status complete = tr_journal_status(journal);
    if (complete != TR_OK)
        fprintf(stderr, "the journal ends early: %s\n", tr_status_name(complete));

    const tr_character *const characters[] = {adult};
    tr_journal_reader reader = {.characters = characters, .character_count = 1};
    reader.bytes = tr_journal_bytes(journal, &reader.size);
    stage = open_stage(office.scene, office.ground);
    tr_status status = TR_OK;
    while (status == TR_OK)
        status = tr_journal_play(&reader, stage, &error);
    tr_vec2 again = place_of(stage, actor);
    printf("%llu steps in %llu bytes: at (%.3f, %.3f), and again at (%.3f, %.3f)\n",
           (unsigned long long)reader.steps, (unsigned long long)reader.size, (double)there.x,
           (double)there.z, (double)again.x, (double)again.z);
    if (status != TR_DONE)
        fprintf(stderr, "%s\n", error.message);
    tr_stage_destroy(stage);
    tr_journal_destroy(journal);
    tr_character_destroy(adult);
    tr_scene_destroy(office.scene);
    return complete == TR_OK && status == TR_DONE && there.x == again.x && there.z == again.z ? 0 : 1;
}
