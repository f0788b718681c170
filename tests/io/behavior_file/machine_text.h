// A machine file with every key there is, and how the tests change it.
#pragma once
#include "test.h"
#include "troupe/io/behavior_file.h"

#include <stdlib.h>
#include <string.h>

static const char machine_sample[] =
    "{\n"                                                                                         // 1
    "  \"$schema\": \"behaviors.schema.json\", \"comment\": [\"whatever\", 1],\n"                 // 2
    "  \"name\": \"a walker\", \"frames_per_second\": 30, \"radius\": 0.3,\n"                     // 3
    "  \"up\": 0.75, \"down\": 0.25, \"idle\": 0.2, \"discs_hold\": true,\n"                      // 4
    "  \"motion\": {\"body\": \"sub/hero.glb\", \"height\": 1.8, \"comment\": 1},\n"              // 5
    "  \"bands\": [{\"name\": \"upright\", \"high\": 1.8},\n"                                     // 6
    "            {\"name\": \"over\", \"low\": 0.4, \"high\": 2.1, \"$note\": null}],\n"          // 7
    "  \"labels\": [\"stands\", \"jogs\"], \"rest\": \"stands\",\n"                               // 8
    "  \"states\": [\n"                                                                           // 9
    "    {\"name\": \"start\", \"begin\": \"stands\", \"end\": \"jogs\",\n"                       // 10
    "     \"moves\": [{\"frames\": 20, \"z\": 1.25}]},\n"                                         // 11
    "    {\"name\": \"end\", \"begin\": \"jogs\", \"end\": \"stands\", \"weight\": 1.5,\n"        // 12
    "     \"moves\": [{\"file\": \"stop.bvh\", \"last\": 24}]},\n"                                // 13
    "    {\"name\": \"turn\", \"begin\": \"jogs\", \"end\": \"jogs\", \"parametrised\": true,\n"  // 14
    "     \"successors\": [\"turn\", \"end\", \"jump\"],\n"                                       // 15
    "     \"moves\": [{\"parameter\": -30, \"frames\": 25, \"x\": -0.5, \"z\": 2.1,\n"            // 16
    "                \"turn_degrees\": -30, \"discs\": [[0, 0, 0], [25, -0.5, 2.1]]},\n"          // 17
    "               {\"parameter\": 30, \"frames\": 26, \"x\": 0.5, \"z\": 2.2, \"rise\": 0.1,\n" // 18
    "                \"turn_degrees\": 30, \"discs\": [[0, 0, 0], [26, 0.5, 2.2]]}]},\n"          // 19
    "    {\"name\": \"jump\", \"begin\": \"jogs\", \"end\": \"jogs\", \"weight\": 3,\n"           // 20
    "     \"serves\": \"over\", \"comment\": \"\",\n"                                             // 21
    "     \"moves\": [{\"name\": \"low\", \"action\": 15, \"frames\": 30, \"z\": 3,\n"            // 22
    "                \"discs\": [[0, 0, 0], [10, 0.01, 1, 1], [20, 0.01, 2, 1], [30, 0, 3]]},\n"  // 23
    "               {\"file\": \"sub/jumps.glb\", \"figure\": \"Ada\", \"clip\": \"high\",\n"     // 24
    "                \"first\": 8, \"last\": 40, \"extra\": 8, \"mirrored\": true,\n"             // 25
    "                \"action\": 12}]}]}\n";                                                      // 26

// The sample with the first `from` replaced by `to`; valid until the next call.
static inline const char *machine_with(const char *from, const char *to) {
    static char text[sizeof machine_sample + 4000];
    const char *at = strstr(machine_sample, from);
    if (!at) {
        test_failed(__FILE__, __LINE__, "the sample has no \"%s\"", from);
        return machine_sample;
    }
    snprintf(text, sizeof text, "%.*s%s%s", (int)(at - machine_sample), machine_sample, to,
             at + strlen(from));
    return text;
}

// Reads the text from a block that ends where it ends.
static inline tr_status machine_read(const char *text, size_t size, const tr_allocator *allocator,
                                     tr_behavior_file *file, tr_error *error) {
    char *copy = malloc(size ? size : 1);
    memcpy(copy, text, size);
    tr_status status = tr_behavior_file_read(copy, size, "folder/machine.json", allocator, file, error);
    free(copy);
    if (status != TR_OK && (file->memory || file->clips || file->def.states))
        test_failed(__FILE__, __LINE__, "something is left of a file that could not be read");
    return status;
}

static inline bool machine_same_discs(const tr_behavior_disc *a, const tr_behavior_disc *b) {
    return a->x == b->x && a->z == b->z && a->frame == b->frame && a->band == b->band;
}
