// Write a file, read it back, and see what happens when a file is not there.
#include "troupe/io/file.h"

#include <stdio.h>

int main(void) {
    static const char path[] = "example_file.txt", text[] = "Whole files, in and out.\n";
    tr_error error = {0};
    tr_bytes bytes;
    char line[700];
    // The file appears under its name only when it is complete.
    if (tr_file_write(path, text, sizeof text - 1, &error) != TR_OK) {
        fprintf(stderr, "%s\n", tr_error_format(&error, line, sizeof line));
        return 1;
    }
    if (tr_file_read(NULL, path, &bytes, &error) != TR_OK) {
        fprintf(stderr, "%s\n", tr_error_format(&error, line, sizeof line));
        return 1;
    }
    printf("%s has %zu bytes: %.*s", path, bytes.size, (int)bytes.size, (const char *)bytes.data);
    tr_bytes_free(NULL, &bytes);
    remove(path);

    tr_status status = tr_file_read(NULL, "no/such/file", &bytes, &error);
    printf("%s: %s\n", tr_status_name(status), tr_error_format(&error, line, sizeof line));
    return status == TR_NO_FILE ? 0 : 1;
}
