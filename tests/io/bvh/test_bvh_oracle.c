// Every capture in the data folder, read by us and by others: joints must be in the same places, to 1e-4 of
// the file's units.
#include "bvh_sample.h"
#include "troupe/io/file.h"

#include <ctype.h>
#include <dirent.h>
#include <math.h>
#include <stdlib.h>

#if defined(__has_include) && !defined(__wasm__)
#if __has_include(<assimp/cimport.h>) && __has_include(<dlfcn.h>)
#define HAVE_ASSIMP
#include <assimp/cimport.h>
#include <assimp/scene.h>
#include <dlfcn.h>
#endif
#endif

#define JOINTS_MAX 64
#define TOLERANCE 1e-4 // [file units]

// A second reader, as plain as can be: words by strtok, angles by libm, matrices of 3 by 3.
typedef struct plain_joint {
    int parent;
    double offset[3];
    char channels[6]; // 'x', 'y', 'z' positions; 'X', 'Y', 'Z' rotations
    int channel_count;
    double turn[3][3], at[3];
} plain_joint;

typedef struct plain_file {
    plain_joint joints[JOINTS_MAX];
    int joint_count, frame_count;
} plain_file;

static char *next_word(void) {
    return strtok(NULL, " \t\r\n");
}

static bool read_plain_hierarchy(plain_file *file) {
    int current = -1;
    file->joint_count = 0;
    for (char *word; (word = next_word()) != NULL && strcmp(word, "MOTION") != 0;) {
        if (strcmp(word, "ROOT") == 0 || strcmp(word, "JOINT") == 0 || strcmp(word, "End") == 0) {
            if (file->joint_count == JOINTS_MAX)
                return false;
            plain_joint *joint = &file->joints[file->joint_count];
            memset(joint, 0, sizeof *joint);
            joint->parent = current;
            current = file->joint_count++;
            next_word();
        } else if (strcmp(word, "}") == 0) {
            current = file->joints[current].parent;
        } else if (strcmp(word, "OFFSET") == 0) {
            for (int axis = 0; axis < 3; axis++)
                file->joints[current].offset[axis] = strtod(next_word(), NULL);
        } else if (strcmp(word, "CHANNELS") == 0) {
            plain_joint *joint = &file->joints[current];
            joint->channel_count = atoi(next_word());
            for (int i = 0; i < joint->channel_count && i < 6; i++) {
                word = next_word();
                joint->channels[i] = (char)(strstr(word, "rot") ? word[0] : tolower(word[0]));
            }
        }
    }
    for (char *word; (word = next_word()) != NULL && strcmp(word, "Time:") != 0;)
        if (strcmp(word, "Frames:") == 0)
            file->frame_count = atoi(next_word());
    next_word();
    return file->joint_count > 0 && file->frame_count > 0;
}

static void plain_turn(double m[3][3], int axis, double degrees) {
    double angle = degrees * acos(-1.0) / 180, turn[3][3] = {{0}}, result[3][3];
    int a = (axis + 1) % 3, b = (axis + 2) % 3;
    turn[axis][axis] = 1;
    turn[a][a] = turn[b][b] = cos(angle);
    turn[a][b] = -sin(angle);
    turn[b][a] = sin(angle);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            result[i][j] = m[i][0] * turn[0][j] + m[i][1] * turn[1][j] + m[i][2] * turn[2][j];
    memcpy(m, result, sizeof result);
}

static void read_plain_frame(plain_file *file) {
    for (int i = 0; i < file->joint_count; i++) {
        plain_joint *joint = &file->joints[i];
        const plain_joint *parent = joint->parent < 0 ? NULL : &file->joints[joint->parent];
        double offset[3] = {joint->offset[0], joint->offset[1], joint->offset[2]};
        static const double identity[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
        memcpy(joint->turn, parent ? parent->turn : identity, sizeof joint->turn);
        for (int k = 0; k < joint->channel_count; k++) {
            double value = strtod(next_word(), NULL);
            char kind = joint->channels[k];
            if (kind >= 'x')
                offset[kind - 'x'] = value;
            else
                plain_turn(joint->turn, kind - 'X', value);
        }
        for (int row = 0; row < 3; row++) {
            joint->at[row] = parent ? parent->at[row] : 0;
            for (int column = 0; column < 3; column++)
                joint->at[row] += (parent ? parent->turn : identity)[row][column] * offset[column];
        }
    }
}

// The largest difference of any joint in any frame, in file units; the text is taken apart.
static double compare_plain(char *text, const tr_figure *figure) {
    static plain_file file;
    strtok(text, " \t\r\n");
    if (!read_plain_hierarchy(&file) || (int)tr_skeleton_joint_count(figure->skeleton) != file.joint_count ||
        (int)tr_clip_frame_count(figure->clips[0]) != file.frame_count)
        return INFINITY;
    double worst = 0;
    for (int frame = 0; frame < file.frame_count; frame++) {
        tr_affine model[JOINTS_MAX];
        bvh_place(figure->skeleton, figure->clips[0], (uint32_t)frame, model);
        read_plain_frame(&file);
        for (int i = 0; i < file.joint_count; i++)
            for (int axis = 0; axis < 3; axis++) {
                double off = fabs((double)model[i].m[axis][3] - file.joints[i].at[axis]);
                worst = off > worst || isnan(off) ? off : worst;
            }
    }
    return worst;
}

typedef struct totals {
    int files;
    uint32_t frames;
    double worst;
} totals;

// Every file is read with a unit of 1, so that metres are file units.
static totals for_every_capture(const char *folder,
                                double (*compare)(const char *path, char *text, const tr_figure *figure)) {
    totals sum = {0, 0, 0};
    char path[600];
    snprintf(path, sizeof path, "%s/mocap", folder);
    DIR *list = opendir(path);
    for (struct dirent *entry; list && (entry = readdir(list)) != NULL;) {
        if (!strstr(entry->d_name, ".bvh"))
            continue;
        snprintf(path, sizeof path, "%s/mocap/%s", folder, entry->d_name);
        tr_bytes bytes = {NULL, 0};
        tr_figure figure = {0};
        tr_error error = {0};
        tr_bvh_options options = {.metres_per_unit = 1};
        tr_allocator heap = tr_allocator_default();
        if (tr_file_read(NULL, path, &bytes, &error) != TR_OK ||
            tr_bvh_read(bytes.data, bytes.size, &options, &figure, &error) != TR_OK) {
            test_failed(__FILE__, __LINE__, "%s:%u: %s", path, error.line, error.message);
        } else {
            char *text = tr_allocate(&heap, bytes.size + 1, 1);
            memcpy(text, bytes.data, bytes.size);
            text[bytes.size] = 0;
            double worst = compare(path, text, &figure);
            if (!(worst <= TOLERANCE))
                test_failed(__FILE__, __LINE__, "%s: a joint is off by %g file units", path, worst);
            sum.worst = worst > sum.worst ? worst : sum.worst;
            sum.files++;
            sum.frames += tr_clip_frame_count(figure.clips[0]);
            tr_release(&heap, text, bytes.size + 1, 1);
        }
        tr_figure_destroy(&figure);
        tr_bytes_free(NULL, &bytes);
    }
    if (list)
        closedir(list);
    return sum;
}

static double compare_with_plain(const char *path, char *text, const tr_figure *figure) {
    (void)path;
    for (int role = TR_ROLE_HIPS; role < TR_ROLE_COUNT; role++)
        CHECK(tr_skeleton_with_role(figure->skeleton, (tr_role)role) != TR_NONE);
    return compare_plain(text, figure);
}

TEST(captures_agree_with_plain_forward_kinematics) {
    const char *folder = test_data_folder();
    if (!folder) {
        test_skip("no data folder");
        return;
    }
    totals sum = for_every_capture(folder, compare_with_plain);
    CHECK(sum.files >= 27);
    printf("        %d files, %u frames, worst %.2e file units\n", sum.files, sum.frames, sum.worst);
}

#ifdef HAVE_ASSIMP
static const struct aiNodeAnim *find_track(const struct aiAnimation *animation, const struct aiNode *node) {
    for (unsigned i = 0; i < animation->mNumChannels; i++)
        if (strcmp(animation->mChannels[i]->mNodeName.data, node->mName.data) == 0)
            return animation->mChannels[i];
    return NULL;
}

// Walks assimp's tree; nodes come in the order of the file, as ours do.
static void compare_node(const struct aiAnimation *animation, const struct aiNode *node, unsigned frame,
                         tr_affine above, const tr_affine *model, uint32_t *number, double *worst) {
    const struct aiMatrix4x4 *m = &node->mTransformation;
    tr_affine local = {
        {{m->a1, m->a2, m->a3, m->a4}, {m->b1, m->b2, m->b3, m->b4}, {m->c1, m->c2, m->c3, m->c4}}};
    const struct aiNodeAnim *track = find_track(animation, node);
    if (track) {
        const struct aiQuaternion q =
            track->mRotationKeys[frame < track->mNumRotationKeys ? frame : track->mNumRotationKeys - 1]
                .mValue;
        const struct aiVector3D p =
            track->mPositionKeys[frame < track->mNumPositionKeys ? frame : track->mNumPositionKeys - 1]
                .mValue;
        local = tr_affine_from_transform(
            (tr_transform){{p.x, p.y, p.z}, tr_quat_normalize((tr_quat){q.x, q.y, q.z, q.w}), {1, 1, 1}});
    }
    tr_affine here = tr_affine_multiply(&above, &local);
    for (int axis = 0; axis < 3; axis++) {
        double off = fabs((double)here.m[axis][3] - (double)model[*number].m[axis][3]);
        *worst = off > *worst || isnan(off) ? off : *worst;
    }
    ++*number;
    for (unsigned i = 0; i < node->mNumChildren; i++)
        compare_node(animation, node->mChildren[i], frame, here, model, number, worst);
}

static const struct aiScene *(*import_file)(const char *, unsigned);
static void (*release_import)(const struct aiScene *);

static double compare_with_assimp(const char *path, char *text, const tr_figure *figure) {
    (void)text;
    const struct aiScene *scene = import_file(path, 0);
    if (!scene || scene->mNumAnimations != 1)
        return INFINITY;
    double worst = 0;
    uint32_t number = 0, count = tr_clip_frame_count(figure->clips[0]);
    for (uint32_t frame = 0; frame < count; frame += 7) {
        tr_affine model[JOINTS_MAX];
        bvh_place(figure->skeleton, figure->clips[0], frame, model);
        number = 0;
        compare_node(scene->mAnimations[0], scene->mRootNode, frame, tr_affine_identity(), model, &number,
                     &worst);
    }
    CHECK_INT(number, tr_skeleton_joint_count(figure->skeleton));
    CHECK_NEAR(scene->mAnimations[0]->mTicksPerSecond, tr_clip_rate(figure->clips[0]), 0.5);
    release_import(scene);
    return worst;
}
#endif

TEST(captures_agree_with_assimp) {
    const char *folder = test_data_folder();
    if (!folder) {
        test_skip("no data folder");
        return;
    }
#ifdef HAVE_ASSIMP
    void *handle = dlopen("libassimp.so.5", RTLD_NOW | RTLD_LOCAL);
    void *import = handle ? dlsym(handle, "aiImportFile") : NULL;
    void *release = handle ? dlsym(handle, "aiReleaseImport") : NULL;
    memcpy(&import_file, &import, sizeof import);
    memcpy(&release_import, &release, sizeof release);
    if (import && release) {
        totals sum = for_every_capture(folder, compare_with_assimp);
        printf("        %d files, worst %.2e file units\n", sum.files, sum.worst);
    } else {
        test_skip("assimp is not installed");
    }
#else
    test_skip("the headers of assimp are not installed");
#endif
}
