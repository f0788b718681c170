// A video through the ffmpeg command: frames are sent to its standard input as they are drawn.
#define _POSIX_C_SOURCE 200809L // posix_spawn and sockets
#include "film_set.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define PATH_MOST 4000
extern char **environ;

// A running ffmpeg.
typedef struct video_pipe {
    pid_t process;
    int frames;                // where pixels are written
    FILE *messages;            // its error output
    char part[PATH_MOST + 16]; // the file while it is incomplete, with the prefix "file:"
} video_pipe;

// "walk.mp4" is written as "walk.part.mp4", because the extension selects the format.
static tr_status name_part(const char *path, video_pipe *video, tr_error *error) {
    size_t length = strlen(path);
    if (length == 0 || length > PATH_MOST)
        return tr_fail(error, TR_INVALID, "the name of a video has %zu characters, it must have 1 to %d",
                       length, PATH_MOST);
    const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');
    if (!dot || (slash && dot < slash) || !dot[1])
        return tr_fail(error, TR_INVALID,
                       "a video needs a file name with an extension, as in walk.mp4, not \"%s\"", path);
    snprintf(video->part, sizeof video->part, "file:%.*s.part%s", (int)(dot - path), path, dot);
    return TR_OK;
}

static const char *part_file(const video_pipe *video) {
    return video->part + strlen("file:");
}

static bool ends_with(const char *text, const char *ending) {
    size_t length = strlen(text), size = strlen(ending);
    return length >= size && strcmp(text + length - size, ending) == 0;
}

static int spawn(video_pipe *video, int input, uint32_t width, uint32_t height, double rate) {
    char size[32], frames[32];
    snprintf(size, sizeof size, "%ux%u", width, height);
    snprintf(frames, sizeof frames, "%.6f", rate);
    // Players need colours at half resolution, but animated pictures cannot have them.
    const char *format =
        ends_with(video->part, ".gif") || ends_with(video->part, ".webp") ? NULL : "-pix_fmt";
    const char *arguments[] = {"ffmpeg",
                               "-y",
                               "-nostdin",
                               "-loglevel",
                               "error",
                               "-f",
                               "rawvideo",
                               "-pix_fmt",
                               "rgb24",
                               "-s",
                               size,
                               "-r",
                               frames,
                               "-i",
                               "pipe:0",
                               "-an",
                               format ? format : video->part,
                               format ? "yuv420p" : NULL,
                               format ? video->part : NULL,
                               NULL};
    char *vector[sizeof arguments / sizeof *arguments]; // the type of execvp, which changes none of them
    memcpy(vector, arguments, sizeof vector);
    posix_spawn_file_actions_t actions;
    if (posix_spawn_file_actions_init(&actions) != 0)
        return ENOMEM;
    int failed = posix_spawn_file_actions_adddup2(&actions, input, 0);
    failed = failed ? failed : posix_spawn_file_actions_adddup2(&actions, fileno(video->messages), 2);
    failed = failed ? failed : posix_spawn_file_actions_adddup2(&actions, fileno(video->messages), 1);
    failed = failed ? failed : posix_spawnp(&video->process, vector[0], &actions, NULL, vector, environ);
    posix_spawn_file_actions_destroy(&actions);
    return failed;
}

static tr_status start(video_pipe *video, uint32_t width, uint32_t height, double rate, tr_error *error) {
    int ends[2];
    // A socket instead of a pipe: writing after the reader has exited gives an error, not a signal.
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0)
        return tr_fail(error, TR_NO_FILE, "no socket to ffmpeg: %s", strerror(errno));
    video->frames = ends[0];
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    video->messages = tmpfile();
    int failed = video->messages ? spawn(video, ends[1], width, height, rate) : errno;
    close(ends[1]);
    if (failed == 0)
        return TR_OK;
    close(ends[0]);
    if (video->messages)
        fclose(video->messages);
    if (failed == ENOENT)
        return tr_fail(
            error, TR_UNAVAILABLE,
            "a video needs the ffmpeg command, which was not found: install ffmpeg, or ask for a film "
            "strip instead");
    return tr_fail(error, TR_UNAVAILABLE, "ffmpeg cannot be started: %s", strerror(failed));
}

// false: ffmpeg has exited.
static bool write_frame(const video_pipe *video, const tr_picture *picture) {
    size_t size = 3 * (size_t)picture->width * picture->height, done = 0;
    while (done < size) {
        ssize_t written = send(video->frames, picture->pixels + done, size - done, MSG_NOSIGNAL);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        done += (size_t)written;
    }
    return true;
}

// Waits for ffmpeg and reads its messages. `status` is the result of drawing.
static tr_status finish(video_pipe *video, const char *path, tr_status status, tr_error *error) {
    int result = 0;
    char line[256] = "";
    close(video->frames);
    while (waitpid(video->process, &result, 0) < 0 && errno == EINTR)
        ;
    bool is_good = WIFEXITED(result) && WEXITSTATUS(result) == 0;
    rewind(video->messages);
    if (!fgets(line, sizeof line, video->messages))
        line[0] = 0;
    line[strcspn(line, "\n")] = 0;
    fclose(video->messages);
    if (status == TR_OK && !is_good)
        status = tr_fail(error, TR_NO_FILE, "ffmpeg did not write %s: %s", path,
                         line[0] ? line : "it gave no reason");
    if (status == TR_OK && rename(part_file(video), path) != 0)
        status = tr_fail(error, TR_NO_FILE, "%s cannot be written: %s", path, strerror(errno));
    if (status != TR_OK)
        remove(part_file(video));
    return status;
}

static tr_status send_frames(film_set *set, const video_pipe *video, double rate, tr_error *error) {
    const film_def *def = set->def;
    uint32_t total = (uint32_t)((set->end - set->begin) * rate + 1.0001);
    tr_camera camera = film_set_camera(set, set->path);
    tr_status status = TR_OK;
    for (uint32_t i = 0; status == TR_OK && i < total; i++) {
        double time = set->begin + i / rate;
        if (def->follow)
            camera = film_follow_camera(set, time);
        status = film_set_draw(set, &camera, &time, 1, error);
        if (status == TR_OK && !write_frame(video, &set->picture))
            break; // finish() finds the reason
        if (status == TR_OK && def->progress && !def->progress(def->user, i + 1, total))
            status = tr_fail(error, TR_PARTIAL, "stopped after %u of %u frames", i + 1, total);
    }
    return status;
}

static tr_status check_video(const film_def *def, double rate, tr_error *error) {
    if (!(rate > 0 && rate <= 240))
        return tr_fail(error, TR_INVALID,
                       "the frame rate is %g per second, it must be above 0 and at most 240", rate);
    if (def->width == 1 || def->height == 1 || def->width > 8192 || def->height > 8192)
        return tr_fail(error, TR_INVALID, "a video has %u x %u pixels, it must have 2 to 8192 on a side",
                       def->width, def->height);
    return TR_OK;
}

tr_status film_video(const film_def *def, const char *path, tr_error *error) {
    double rate = def->frames_per_second != 0 ? def->frames_per_second : 30;
    // Colours at half resolution need even sides.
    uint32_t width = (def->width ? def->width : 1280) & ~1u, height = (def->height ? def->height : 720) & ~1u;
    video_pipe video;
    film_set set;
    tr_status status = check_video(def, rate, error);
    if (status == TR_OK)
        status = name_part(path, &video, error);
    if (status != TR_OK)
        return status;
    status = film_set_open(def, &set, error);
    if (status == TR_OK && (set.end - set.begin) * rate > 1e6)
        status =
            tr_fail(error, TR_LIMIT, "a video of %.0f frames is longer than the maximum of a million frames",
                    (set.end - set.begin) * rate);
    if (status == TR_OK)
        status = film_set_size(&set, width, height, 2, error);
    if (status == TR_OK)
        status = start(&video, width, height, rate, error);
    if (status == TR_OK)
        status = finish(&video, path, send_frames(&set, &video, rate, error), error);
    film_set_close(&set);
    return status;
}
