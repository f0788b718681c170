// The clips of a machine as strips of frames.
#include "behaviors.h"
#include "cli/play/film.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

// What stands in names of states and not in those of files becomes a line.
static void write_name(const char *folder, const char *state, char *path, size_t size) {
    snprintf(path, size, "%s/%.100s.png", folder, state);
    for (char *at = path + strlen(folder) + 1; *at; at++)
        if (*at == '/' || *at == '\\' || iscntrl((unsigned char)*at))
            *at = '_';
}

static tr_status film_state(const behaviors_job *job, const tr_behavior_state *state, const char *folder,
                            tr_error *error) {
    const tr_behavior_cast_clip *clip = &job->cast->clips[state->moves[0].clip];
    double rate = tr_clip_rate(clip->motion);
    film_actor actor = {.skeleton = job->cast->skeleton, .body = job->cast->body, .clip = clip->motion};
    const tr_body_def *body = job->cast->body ? tr_body_view(job->cast->body) : NULL;
    for (int i = 0; i < 3 && body; i++)
        actor.color[i] = body->color[i];
    film_def film = {.actors = &actor,
                     .actor_count = 1,
                     .begin = (double)clip->first / rate,
                     .end = (double)clip->last / rate,
                     .elevation = 0.25f};
    char path[1200];
    if (strlen(folder) > 1000)
        return tr_fail(error, TR_NO_FILE, "the name of the folder is too long: %.80s...", folder);
    write_name(folder, state->name, path, sizeof path);
    return film_strip(&film, path, error);
}

tr_status behaviors_film(const behaviors_job *job, const char *state, const char *folder, tr_error *error) {
    const tr_behavior_def *def = tr_behavior_def_of(job->machine);
    struct stat found;
    if (!job->cast)
        return tr_fail(error, TR_INVALID, "--film: the machine has no motion, its moves are numbers alone");
    if (mkdir(folder, 0777) != 0 && !(errno == EEXIST && stat(folder, &found) == 0 && S_ISDIR(found.st_mode)))
        return tr_fail(error, TR_NO_FILE, "--film: the folder %.200s cannot be made: %s", folder,
                       strerror(errno));
    tr_status status = TR_OK;
    uint32_t drawn = 0;
    for (uint32_t i = 0; i < def->state_count && status == TR_OK; i++) {
        if (state && strcmp(def->states[i].name, state) != 0)
            continue;
        status = film_state(job, &def->states[i], folder, error);
        drawn++;
    }
    return drawn ? status
                 : tr_fail(error, TR_NOT_FOUND, "--state: the machine has no state \"%.80s\"", state);
}
