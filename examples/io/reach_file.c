// Read a task file with Z up, see where its arm and its goals are in the world, write a place back in the
// axes of the file, and see a mistake named.
#include "troupe/io/reach_file.h"

#include <stdio.h>
#include <string.h>

static const char text[] =
    "{\n"
    "  \"up\": \"z\",\n"
    "  \"arm\": {\"side\": \"right\", \"height\": 1.75},\n"
    "  \"body_capsules\": [{\"a\": [0, 0, 0.9], \"b\": [0, 0, 1.35], \"r\": 0.13}],\n"
    "  \"tasks\": [\n"
    "    {\"id\": 1, \"name\": \"cup\", \"goal_wrist\": [0.4, -0.1, 1.1], \"goal_hand_dir\": [1, 0, 0]},\n"
    "    {\"id\": 2, \"name\": \"shelf\", \"goal_wrist\": [0.3, -0.4, 1.6]}\n"
    "  ]\n"
    "}\n";
static const char wrong[] = "{\"arm\": {\"forearm\": 0},\n \"tasks\": []}";

int main(void) {
    tr_reach_file file;
    tr_error error = {0};
    if (tr_reach_file_read(text, strlen(text), "cup.json", NULL, &file, &error) != TR_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    printf("an arm of %.2f m, %u capsules of the body, %u tasks\n",
           (double)(file.arm.length[0] + file.arm.length[1] + file.arm.length[2]), file.body_count,
           file.task_count);
    for (uint32_t i = 0; i < file.task_count; i++) {
        const tr_reach_task *task = &file.tasks[i];
        tr_vec3 points[4];
        tr_arm_points(&file.arm, &task->start, points);
        tr_vec3 way = tr_vec3_subtract(task->position.wrist, points[2]);
        printf("task %lld, %s: the wrist goes %.2f m, %s\n", (long long)task->id, task->name,
               (double)tr_vec3_length(way), task->has_pose ? "and the hand points somewhere" : "no more");
        // What a program adds to the file or reports to its author is in the file's own axes.
        tr_vec3 world = task->position.wrist, own = tr_reach_file_point(&file, world);
        printf("  to (%g, %g, %g) in the world, [%g, %g, %g] in the file\n", (double)world.x, (double)world.y,
               (double)world.z, (double)own.x, (double)own.y, (double)own.z);
    }
    tr_reach_file_destroy(&file);

    tr_status status = tr_reach_file_read(wrong, strlen(wrong), "wrong.json", NULL, &file, &error);
    char line[800];
    printf("%s\n", tr_error_format(&error, line, sizeof line));
    return status == TR_BAD_FILE ? 0 : 1;
}
