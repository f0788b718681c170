// Reads the options of one sub-command in order. An error is reported on stderr with the option's name and
// value, and ends the reading.
#pragma once
#include "troupe/base/api.h"

typedef struct argument_option {
    const char *name;  // "--cells"
    char letter;       // 'o' for -o; 0 for none
    const char *value; // what the help calls its value; NULL for a switch
    const char *help;
} argument_option;

typedef struct argument_reader {
    int count;
    char **arguments; // the first is the command's name
    int next;
    const argument_option *options;
    uint32_t option_count;
    bool plain_only; // after "--"
} argument_reader;

// What arguments_next found: the number of an option, or one of these.
enum { ARGUMENT_END = -1, ARGUMENT_PLAIN = -2, ARGUMENT_HELP = -3, ARGUMENT_BAD = -4 };

argument_reader arguments_begin(int count, char **arguments, const argument_option *options,
                                uint32_t option_count);
// `value` gets the option's value, or the plain argument. "--name value" and "--name=value" are the same.
int arguments_next(argument_reader *reader, const char **value);
// Prints the help text of a command: usage, options and notes.
void arguments_print_help(const char *usage, const argument_option *options, uint32_t option_count,
                          const char *notes);

// Each reads a complete value, or reports an error and returns false.
bool arguments_number(const char *option, const char *text, double low, double high, double *number);
bool arguments_integer(const char *option, const char *text, uint64_t low, uint64_t high, uint64_t *number);
// "1.8,0.3,0.4,45": `least` to `most` finite numbers, separated by commas.
bool arguments_list(const char *option, const char *text, uint32_t least, uint32_t most, double *numbers,
                    uint32_t *count);
// One of `count` words; gives its number.
bool arguments_word(const char *option, const char *text, const char *const *words, uint32_t count,
                    uint32_t *index);
// Does the text, a file name, end with `end`?
bool arguments_ends_with(const char *text, const char *end);
