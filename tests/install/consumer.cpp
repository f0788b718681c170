// The headers are C++ as well, and troupe.hpp owns what is created.
#include <troupe/troupe.hpp>

#include <cstdio>
#include <utility>

// A stage with one person, walked for a second. The handles are destroyed in the right order by themselves.
static double walk() {
    tr_error error = {};
    tr_sample_def sample = {};
    sample.name = "office";
    tr_sample office = {};
    troupe::check(tr_sample_make(&sample, &office, &error), error);
    troupe::scene scene(office.scene);

    tr_character_def kind = {};
    troupe::character adult;
    troupe::check(tr_character_create(&kind, troupe::out(adult), &error), error);
    tr_stage_def def = tr_stage_def_default(scene.get());
    troupe::stage stage, moved;
    troupe::check(tr_stage_create(&def, troupe::out(stage), &error), error);
    tr_stage_actor_def who = {};
    who.name = "Ada";
    who.character = adult.get();
    who.position = tr_vec3_make(-8.5f, 0, -6);
    tr_actor_id actor;
    troupe::check(tr_stage_add_actor(stage.get(), &who, &actor, &error), error);
    moved = std::move(stage);
    troupe::check(tr_stage_step(moved.get(), 1.0, &error), error);
    return tr_stage_time(moved.get());
}

// A bad scene is told by an exception with the sentence of the library.
static bool is_told() {
    tr_error error = {};
    tr_sample_def sample = {};
    sample.name = "no such sample";
    tr_sample none = {};
    try {
        troupe::check(tr_sample_make(&sample, &none, &error), error);
    } catch (const troupe::failure &told) {
        std::printf("%s\n", told.what());
        return told.status() != TR_OK && told.what()[0] != 0;
    }
    return false;
}

int main() {
    tr_affine place = tr_affine_place(tr_vec3_make(1, 0, 2), TR_PI / 2);
    tr_vec3 ahead = tr_affine_apply(&place, tr_vec3_make(0, 0, 1));
    double time = walk();
    std::printf("troupe %s: %.1f s, ahead is x = %.1f\n", tr_version(), time, ahead.x);
    return ahead.x > 1.99f && ahead.x < 2.01f && time > 0.9 && is_told() ? 0 : 1;
}
