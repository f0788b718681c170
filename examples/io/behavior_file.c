// Reads a machine of behaviors from a text, makes its turns dearer and writes it back; then reads one with a
// mistake.
#include <stdio.h>
#include <string.h>
#include <troupe/io/behavior_file.h>

static const char text[] =
    "{\"name\": \"a walker\", \"frames_per_second\": 30, \"radius\": 0.3,\n"
    " \"bands\": [{\"name\": \"upright\", \"high\": 1.8}],\n"
    " \"labels\": [\"stands\", \"jogs\"], \"rest\": \"stands\",\n"
    " \"states\": [\n"
    "  {\"name\": \"start\", \"begin\": \"stands\", \"end\": \"jogs\", \"moves\": [{\"frames\": 20, \"z\": "
    "1.1}]},\n"
    "  {\"name\": \"end\", \"begin\": \"jogs\", \"end\": \"stands\", \"moves\": [{\"frames\": 20, \"z\": "
    "1.1}]},\n"
    "  {\"name\": \"jog\", \"begin\": \"jogs\", \"end\": \"jogs\", \"moves\": [{\"frames\": 22, \"z\": "
    "1.8}]},\n"
    "  {\"name\": \"left\", \"begin\": \"jogs\", \"end\": \"jogs\", \"weight\": 1.1,\n"
    "   \"moves\": [{\"frames\": 22, \"x\": 0.4, \"z\": 1.6, \"turn_degrees\": 30}]}]}\n";
static const char wrong[] =
    "{\"frames_per_second\": 30, \"radius\": 0.3, \"bands\": [{\"name\": \"upright\", \"high\": 1.8}],\n"
    " \"labels\": [\"stands\", \"jogs\"], \"rest\": \"stands\", \"states\": [\n"
    "  {\"name\": \"start\", \"begin\": \"stands\", \"end\": \"jgos\", \"moves\": [{\"frames\": 20}]}]}\n";

static int run(tr_behavior_file *file, tr_error *error) {
    tr_behavior *machine = NULL;
    tr_bytes written;
    if (tr_behavior_create(&file->def, &machine, error) != TR_OK)
        return 1;
    for (uint32_t i = 0; i < file->def.state_count; i++) {
        const tr_behavior_state *state = &file->def.states[i];
        printf("%-6s from %s to %s, %u frames\n", state->name, file->def.labels[state->begin],
               file->def.labels[state->end], state->moves[0].frames);
    }
    // A user's preference is changed in the machine; the file gets the machine's definition.
    int status = tr_behavior_set_weight(machine, 3, 2.5f, error);
    tr_behavior_file changed = *file;
    changed.def = *tr_behavior_def_of(machine);
    if (status == TR_OK)
        status = tr_behavior_file_write(&changed, NULL, &written, error);
    if (status == TR_OK) {
        printf("%.*s", (int)written.size, (const char *)written.data);
        tr_bytes_free(NULL, &written);
    }
    tr_behavior_destroy(machine);
    return status != TR_OK;
}

int main(void) {
    tr_behavior_file file;
    tr_error error = {0};
    if (tr_behavior_file_read(text, strlen(text), "walker.json", NULL, &file, &error) != TR_OK ||
        run(&file, &error) != 0) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    tr_behavior_file_destroy(&file);

    tr_status status = tr_behavior_file_read(wrong, strlen(wrong), "wrong.json", NULL, &file, &error);
    char line[800];
    printf("%s\n", tr_error_format(&error, line, sizeof line));
    return status == TR_BAD_FILE ? 0 : 1;
}
