#include "arguments.h"
#include "commands.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

argument_reader arguments_begin(int count, char **arguments, const argument_option *options,
                                uint32_t option_count) {
    argument_reader reader = {count, arguments, 1, options, option_count, false};
    return reader;
}

// Does the argument name this option? `value` gets what follows an "=", or NULL.
static bool names_option(const argument_option *option, const char *argument, const char **value) {
    size_t length = strlen(option->name);
    *value = NULL;
    if (option->letter && argument[0] == '-' && argument[1] == option->letter && argument[2] == 0)
        return true;
    if (strncmp(argument, option->name, length) != 0)
        return false;
    if (argument[length] == '=')
        *value = argument + length + 1;
    return argument[length] == 0 || argument[length] == '=';
}

static int take_value(argument_reader *reader, int index, const char *attached, const char **value) {
    const argument_option *option = &reader->options[index];
    if (!option->value && attached) {
        command_complain("%s takes no value, but \"%s\" was given", option->name, attached);
        return ARGUMENT_BAD;
    }
    *value = attached;
    if (option->value && !attached) {
        if (reader->next >= reader->count) {
            command_complain("%s needs a value: %s", option->name, option->value);
            return ARGUMENT_BAD;
        }
        *value = reader->arguments[reader->next++];
    }
    return index;
}

int arguments_next(argument_reader *reader, const char **value) {
    *value = NULL;
    if (reader->next >= reader->count)
        return ARGUMENT_END;
    const char *argument = reader->arguments[reader->next++];
    if (!reader->plain_only && strcmp(argument, "--") == 0) {
        reader->plain_only = true;
        return arguments_next(reader, value);
    }
    if (reader->plain_only || argument[0] != '-' || argument[1] == 0) {
        *value = argument;
        return ARGUMENT_PLAIN;
    }
    if (strcmp(argument, "--help") == 0 || strcmp(argument, "-h") == 0)
        return ARGUMENT_HELP;
    for (uint32_t i = 0; i < reader->option_count; i++) {
        const char *attached;
        if (names_option(&reader->options[i], argument, &attached))
            return take_value(reader, (int)i, attached, value);
    }
    command_complain("%s has no option \"%s\"; see troupe %s --help", reader->arguments[0], argument,
                     reader->arguments[0]);
    return ARGUMENT_BAD;
}

void arguments_print_help(const char *usage, const argument_option *options, uint32_t option_count,
                          const char *notes) {
    printf("usage: %s\n\n", usage);
    for (uint32_t i = 0; i < option_count; i++) {
        char left[64];
        snprintf(left, sizeof left, "%s%s%s", options[i].name, options[i].value ? " " : "",
                 options[i].value ? options[i].value : "");
        if (options[i].letter)
            printf("  -%c, %-26s %s\n", options[i].letter, left, options[i].help);
        else
            printf("  %-30s %s\n", left, options[i].help);
    }
    if (notes)
        printf("\n%s\n", notes);
}

bool arguments_number(const char *option, const char *text, double low, double high, double *number) {
    char *end;
    double value = strtod(text, &end);
    if (end == text || *end || !isfinite(value)) {
        command_complain("%s: \"%s\" is not a number", option, text);
        return false;
    }
    if (value < low || value > high) {
        command_complain("%s is %s, it must be %g to %g", option, text, low, high);
        return false;
    }
    *number = value;
    return true;
}

bool arguments_integer(const char *option, const char *text, uint64_t low, uint64_t high, uint64_t *number) {
    char *end;
    errno = 0;
    uint64_t value = strtoull(text, &end, 10);
    // strtoull accepts a sign and blanks before the digits; a count has neither.
    if (text[0] < '0' || text[0] > '9' || *end || errno == ERANGE) {
        command_complain("%s: \"%s\" is not a whole number of at least 0", option, text);
        return false;
    }
    if (value < low || value > high) {
        command_complain("%s is %s, it must be %" PRIu64 " to %" PRIu64, option, text, low, high);
        return false;
    }
    *number = value;
    return true;
}

bool arguments_list(const char *option, const char *text, uint32_t least, uint32_t most, double *numbers,
                    uint32_t *count) {
    uint32_t found = 0;
    const char *here = text;
    for (;;) {
        char *end;
        double value = strtod(here, &end);
        if (end == here || (*end && *end != ',') || !isfinite(value)) {
            command_complain("%s: \"%s\" is not a list of numbers separated by commas", option, text);
            return false;
        }
        if (found < most)
            numbers[found] = value;
        found++;
        if (!*end)
            break;
        here = end + 1;
    }
    if (found < least || found > most) {
        char wanted[32];
        snprintf(wanted, sizeof wanted, least == most ? "%u" : "%u to %u", least, most);
        command_complain("%s: \"%s\" has %u numbers, it must have %s", option, text, found, wanted);
        return false;
    }
    *count = found;
    return true;
}

bool arguments_word(const char *option, const char *text, const char *const *words, uint32_t count,
                    uint32_t *index) {
    char known[256] = "";
    for (uint32_t i = 0; i < count; i++) {
        if (strcmp(text, words[i]) == 0) {
            *index = i;
            return true;
        }
        size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, "%s%s",
                 i == 0           ? ""
                 : i + 1 == count ? " or "
                                  : ", ",
                 words[i]);
    }
    command_complain("%s is \"%s\", it must be %s", option, text, known);
    return false;
}

bool arguments_ends_with(const char *text, const char *end) {
    size_t length = strlen(text), tail = strlen(end);
    return length >= tail && strcmp(text + length - tail, end) == 0;
}
