// One function writes and reads a struct: a door of a game goes into bytes and comes back.
#include "troupe/base/archive.h"

#include <stdio.h>

typedef enum door_kind { WOOD, GLASS, DOOR_KINDS } door_kind;
typedef struct door {
    door_kind kind;
    tr_vec3 hinge;
    float angle;
    bool locked;
} door;

static void archive_door(tr_archive *archive, door *d) {
    d->kind = (door_kind)tr_archive_choice(archive, d->kind, DOOR_KINDS);
    tr_archive_vec3(archive, &d->hinge);
    tr_archive_float(archive, &d->angle);
    tr_archive_bool(archive, &d->locked);
}

int main(void) {
    door front = {GLASS, {1, 0, -2}, 0.5f, true}, again = {WOOD, {0, 0, 0}, 0, false};
    uint8_t bytes[64];
    tr_archive writer = tr_archive_write(bytes, sizeof bytes);
    archive_door(&writer, &front);
    printf("a door takes %d bytes\n", (int)writer.at);

    tr_error error = {0};
    tr_archive reader = tr_archive_read(bytes, writer.at, &error);
    archive_door(&reader, &again);
    printf("it is %s, at %g rad, %s\n", again.kind == GLASS ? "of glass" : "of wood", (double)again.angle,
           again.locked ? "locked" : "open");

    tr_archive cut = tr_archive_read(bytes, 9, &error); // a file that was cut off
    archive_door(&cut, &again);
    printf("cut off: %s\n", error.message);
    return tr_archive_is_good(&reader) && !tr_archive_is_good(&cut) ? 0 : 1;
}
