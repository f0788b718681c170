#include "commands.h"
#include "troupe/base/version.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef struct command {
    const char *name, *summary;
    int (*run)(int count, char **arguments);
} command;

static const command commands[] = {
    {"play", "plan, move and record the characters of a stage file (the main command)", command_play},
    {"map", "project a scene into an occupancy map of a body, draw and measure it", command_map},
    {"route", "find the shortest path of a body through a scene or over a grid map", command_route},
    {"reach", "plan collision-free arm motions through clutter, task by task", command_reach},
    {"behaviors", "check, draw and write a machine of behaviors", command_behaviors},
    {"convert", "convert a motion between BVH, glTF and GLB, or put it on another body", command_convert},
    {"audit", "measure a motion: feet, joint limits, smoothness, collisions", command_audit},
    {"gen", "write a sample scene of a given size to a file", command_gen},
    {"bench", "run benchmarks: the tables of the papers, and other libraries", command_bench},
};
#define COMMAND_COUNT (sizeof commands / sizeof commands[0])

int command_complain(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fputs("troupe: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    return COMMAND_BAD;
}

int command_complain_of(const tr_error *error) {
    char text[sizeof error->file + sizeof error->message + 32];
    return command_complain("%s", tr_error_format(error, text, sizeof text));
}

void command_note(void *path, const char *sentence) {
    fprintf(stderr, "troupe: %s: %s\n", (const char *)path, sentence);
}

void command_print_name(const char *name, int columns) {
    int used = 0;
    for (; *name; name++) {
        unsigned char byte = (unsigned char)*name;
        bool begins = (byte & 0xc0) != 0x80;
        if (begins && used == columns)
            break;
        used += begins;
        putchar(byte < ' ' || byte == 0x7f ? ' ' : byte);
    }
    printf("%*s", columns - used, "");
}

static void print_usage(FILE *file) {
    fprintf(file, "usage: troupe COMMAND [OPTIONS]\n\nPlans the motion of animated human characters.\n\n");
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        fprintf(file, "  %-9s %s\n", commands[i].name, commands[i].summary);
    fprintf(file, "\nSee troupe COMMAND --help. Exit status: 0 done, 1 no plan exists or a check failed,\n"
                  "2 bad usage or input.\n");
}

static const command *find_command(const char *name) {
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        if (strcmp(name, commands[i].name) == 0)
            return &commands[i];
    command_complain("there is no command \"%s\"; see troupe --help", name);
    return NULL;
}

// "troupe help map" is "troupe map --help".
static int run_help(int count, char **arguments) {
    if (count < 3) {
        print_usage(stdout);
        return COMMAND_DONE;
    }
    const command *found = find_command(arguments[2]);
    char help[] = "--help", *asked[] = {arguments[2], help, NULL};
    return found ? found->run(2, asked) : COMMAND_BAD;
}

int main(int count, char **arguments) {
    if (count < 2) {
        print_usage(stderr);
        return COMMAND_BAD;
    }
    if (strcmp(arguments[1], "--version") == 0 || strcmp(arguments[1], "version") == 0) {
        printf("troupe %s\n", tr_version());
        return COMMAND_DONE;
    }
    if (strcmp(arguments[1], "--help") == 0 || strcmp(arguments[1], "-h") == 0) {
        print_usage(stdout);
        return COMMAND_DONE;
    }
    if (strcmp(arguments[1], "help") == 0)
        return run_help(count, arguments);
    const command *found = find_command(arguments[1]);
    if (!found)
        return COMMAND_BAD;
    int status = found->run(count - 1, arguments + 1);
    // A full disk or a closed pipe shows only when the last bytes are written.
    if (status == COMMAND_DONE && (fflush(stdout) != 0 || ferror(stdout)))
        return command_complain("cannot write to the standard output");
    return status;
}
