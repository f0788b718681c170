// The sub-commands of the tool. Each gets its own name as the first argument and returns the exit status.
#pragma once
#include "troupe/base/status.h"

enum {
    COMMAND_DONE = 0,
    COMMAND_FAILED = 1 /* no plan, or a check failed */,
    COMMAND_BAD = 2 /* usage or input */
};

int command_audit(int count, char **arguments);
int command_behaviors(int count, char **arguments);
int command_bench(int count, char **arguments);
int command_convert(int count, char **arguments);
int command_gen(int count, char **arguments);
int command_map(int count, char **arguments);
int command_play(int count, char **arguments);
int command_reach(int count, char **arguments);
int command_route(int count, char **arguments);

// Print "troupe: " and a sentence to stderr and return COMMAND_BAD.
int command_complain(const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 1, 2)))
#endif
    ;
int command_complain_of(const tr_error *error);
// Reports something unusual in a file on stderr: a note callback whose user is the name of the file.
void command_note(void *path, const char *sentence);
// Prints a name from a file as a cell of a table: truncated or padded to this many UTF-8 characters, with
// spaces for characters that would break the line.
void command_print_name(const char *name, int columns);
