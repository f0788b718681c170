#include "assimp_reader.h"

#if defined(TROUPE_HAVE_ASSIMP) && !defined(__wasm__)

#include <assimp/cexport.h>
#include <assimp/cimport.h>
#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <dlfcn.h>
#include <string.h>

typedef struct assimp_library {
    void *handle;
    const struct aiScene *(*import)(const char *, unsigned, unsigned, const char *);
    void (*release)(const struct aiScene *);
    const char *(*why)(void);
    // For tr_assimp_to_glb.
    struct aiPropertyStore *(*create_properties)(void);
    void (*release_properties)(struct aiPropertyStore *);
    void (*set_integer)(struct aiPropertyStore *, const char *, int);
    void (*set_float)(struct aiPropertyStore *, const char *, float);
    const struct aiScene *(*import_with)(const char *, unsigned, unsigned, const char *,
                                         const struct aiPropertyStore *);
    const struct aiExportDataBlob *(*export)(const struct aiScene *, const char *, unsigned);
    void (*release_blob)(const struct aiExportDataBlob *);
} assimp_library;

// POSIX lets dlsym return functions as data pointers; ISO C has no cast for that.
static bool find_function(void *handle, const char *name, void *function) {
    void *symbol = dlsym(handle, name);
    memcpy(function, &symbol, sizeof symbol);
    return symbol != NULL;
}

static tr_status open_library(assimp_library *library, tr_error *error) {
    library->handle = dlopen("libassimp.so.5", RTLD_NOW | RTLD_LOCAL);
    if (!library->handle)
        return tr_fail(
            error, TR_UNAVAILABLE,
            "this format is read through assimp, which is not installed (Debian package libassimp5)");
    if (find_function(library->handle, "aiImportFileFromMemory", &library->import) &&
        find_function(library->handle, "aiReleaseImport", &library->release) &&
        find_function(library->handle, "aiGetErrorString", &library->why) &&
        find_function(library->handle, "aiCreatePropertyStore", &library->create_properties) &&
        find_function(library->handle, "aiReleasePropertyStore", &library->release_properties) &&
        find_function(library->handle, "aiSetImportPropertyInteger", &library->set_integer) &&
        find_function(library->handle, "aiSetImportPropertyFloat", &library->set_float) &&
        find_function(library->handle, "aiImportFileFromMemoryWithProperties", &library->import_with) &&
        find_function(library->handle, "aiExportSceneToBlob", &library->export) &&
        find_function(library->handle, "aiReleaseExportBlob", &library->release_blob))
        return TR_OK;
    dlclose(library->handle);
    return tr_fail(error, TR_UNAVAILABLE, "the installed assimp lacks the functions of version 5");
}

static tr_status add_mesh(tr_scene_parts *parts, const struct aiMesh *mesh, tr_error *error) {
    tr_part_mesh *part = tr_scene_parts_add_mesh(parts, mesh->mName.data, mesh->mName.length);
    if (!part)
        return tr_scene_parts_no_memory(error);
    for (unsigned i = 0; i < mesh->mNumVertices; i++) {
        struct aiVector3D p = mesh->mVertices[i];
        tr_vec3 position = {p.x, p.y, p.z};
        const float most = TR_SCENE_EXTENT_MAX;
        if (!(fabsf(p.x) <= most && fabsf(p.y) <= most && fabsf(p.z) <= most))
            return tr_fail(error, TR_BAD_FILE,
                           "vertex %u of mesh \"%.80s\" is (%g, %g, %g), it must be within %g of 0", i,
                           part->name, (double)p.x, (double)p.y, (double)p.z, (double)most);
        if (!tr_scene_parts_add_position(parts, part, position))
            return tr_scene_parts_no_memory(error);
    }
    for (unsigned i = 0; i < mesh->mNumFaces; i++) {
        const struct aiFace *face = &mesh->mFaces[i];
        if (face->mNumIndices != 3)
            continue; // points and lines, which assimp has sorted into separate meshes
        const unsigned *corner = face->mIndices;
        for (int k = 0; k < 3; k++)
            if (corner[k] >= mesh->mNumVertices)
                return tr_fail(error, TR_BAD_FILE,
                               "a face of mesh \"%.80s\" uses vertex %u, but there are only %u", part->name,
                               corner[k], mesh->mNumVertices);
        if (!tr_scene_parts_add_triangle(parts, part, corner[0], corner[1], corner[2]))
            return tr_scene_parts_no_memory(error);
    }
    return TR_OK;
}

static tr_status add_meshes(tr_scene_parts *parts, const struct aiScene *scene, tr_error *error) {
    uint64_t triangles = 0, most = parts->reading->options.max_triangles;
    for (unsigned i = 0; i < scene->mNumMeshes; i++)
        triangles += scene->mMeshes[i]->mNumFaces;
    if (triangles > most)
        return tr_fail(error, TR_LIMIT, "there are %llu triangles, at most %llu are read",
                       (unsigned long long)triangles, (unsigned long long)most);
    tr_status status = TR_OK;
    for (unsigned i = 0; i < scene->mNumMeshes && status == TR_OK; i++)
        status = add_mesh(parts, scene->mMeshes[i], error);
    return status;
}

typedef struct placed_node {
    const struct aiNode *node;
    double world[3][4];
} placed_node;

static void place_child(const placed_node *parent, placed_node *child) {
    const struct aiMatrix4x4 *t = &child->node->mTransformation;
    const double local[3][4] = {{(double)t->a1, (double)t->a2, (double)t->a3, (double)t->a4},
                                {(double)t->b1, (double)t->b2, (double)t->b3, (double)t->b4},
                                {(double)t->c1, (double)t->c2, (double)t->c3, (double)t->c4}};
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 4; column++) {
            const double *p = parent->world[row];
            double sum = p[0] * local[0][column] + p[1] * local[1][column] + p[2] * local[2][column];
            child->world[row][column] = column == 3 ? sum + p[3] : sum;
        }
}

static tr_status add_objects(tr_scene_parts *parts, const placed_node *placed, tr_error *error) {
    const struct aiNode *node = placed->node;
    tr_affine placement;
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 4; column++)
            placement.m[row][column] = (float)placed->world[row][column];
    for (unsigned i = 0; i < node->mNumMeshes; i++) {
        unsigned mesh = node->mMeshes[i];
        if (mesh >= parts->mesh_count || parts->meshes[mesh].index_count == 0)
            continue;
        tr_status status =
            tr_scene_parts_add_object(parts, node->mName.data, node->mName.length, mesh, &placement, error);
        if (status != TR_OK)
            return status;
    }
    return TR_OK;
}

// Depth first with an explicit list: a file may nest its nodes deeper than the C stack allows.
static tr_status add_nodes(tr_scene_parts *parts, const struct aiNode *root, tr_error *error) {
    const tr_allocator *allocator = &parts->reading->allocator;
    placed_node *waiting = NULL, world = {0};
    uint32_t count = 0, capacity = 0;
    for (int row = 0; row < 3; row++)
        memcpy(world.world[row], parts->reading->axes[row], sizeof parts->reading->axes[row]);
    tr_status status = TR_OK;
    if (!tr_reserve(allocator, (void **)&waiting, &capacity, 1, sizeof *waiting))
        return tr_scene_parts_no_memory(error);
    waiting[count++].node = root;
    place_child(&world, &waiting[0]);
    while (count > 0 && status == TR_OK) {
        placed_node now = waiting[--count];
        status = add_objects(parts, &now, error);
        uint32_t children = now.node->mNumChildren;
        if (status == TR_OK &&
            !tr_reserve(allocator, (void **)&waiting, &capacity, (uint64_t)count + children, sizeof *waiting))
            status = tr_scene_parts_no_memory(error);
        for (uint32_t i = children; i > 0 && status == TR_OK; i--) {
            waiting[count].node = now.node->mChildren[i - 1];
            place_child(&now, &waiting[count++]);
        }
    }
    tr_release(allocator, waiting, capacity, sizeof *waiting);
    return status;
}

// assimp reports an invented file name for content from memory, which would not help a user.
static tr_status fail_import(const char *why, const char *format, tr_error *error) {
    if (strstr(why, "No suitable reader found"))
        return tr_fail(error, TR_UNAVAILABLE, "neither Troupe nor assimp can read \".%s\" files", format);
    return tr_fail(error, TR_BAD_FILE, "assimp cannot read the file: %.300s", why);
}

static tr_status check_size(size_t size, tr_error *error) {
    if (size == 0)
        return tr_fail(error, TR_BAD_FILE, "the file is empty"); // assimp ends the process on an empty file
    if (size > UINT32_MAX)
        return tr_fail(error, TR_LIMIT, "the file has %zu bytes, assimp reads at most %u", size, UINT32_MAX);
    return TR_OK;
}

// assimp writes no transform for a node that differs from its parent by less than 0.01 in all numbers. FBX of
// Blender have bones in units of 100 m, and straight ones would be lost. So lengths are this many times as
// long below the root, which makes up for it.
#define FINE 1000.0f

// Bones keep their nodes: without the extra nodes that assimp makes for pivots, and in metres.
static const struct aiScene *import_figures(const assimp_library *library, const void *data, size_t size,
                                            const char *format) {
    unsigned steps = aiProcess_Triangulate | aiProcess_JoinIdenticalVertices | aiProcess_SortByPType |
                     aiProcess_LimitBoneWeights | aiProcess_GlobalScale;
    struct aiPropertyStore *properties = library->create_properties();
    if (!properties)
        return NULL;
    library->set_integer(properties, AI_CONFIG_IMPORT_FBX_PRESERVE_PIVOTS, 0);
    library->set_float(properties, AI_CONFIG_GLOBAL_SCALE_FACTOR_KEY, FINE);
    const struct aiScene *scene = library->import_with(data, (unsigned)size, steps, format, properties);
    library->release_properties(properties);
    if (scene && scene->mRootNode) {
        struct aiMatrix4x4 *root = &scene->mRootNode->mTransformation;
        float *rows[3] = {&root->a1, &root->b1, &root->c1};
        for (int row = 0; row < 3; row++)
            for (int column = 0; column < 4; column++)
                rows[row][column] /= FINE;
    }
    return scene;
}

// An image inside a text FBX: assimp 5.2 frees it twice, which ends the program.
static tr_status check_content(const void *data, size_t size, tr_error *error) {
    static const char word[] = "Content:";
    const char *text = data, *end = text + size, *at = text;
    if (size < 5 || memcmp(text, "; FBX", 5) != 0)
        return TR_OK;
    while ((at = memchr(at, 'C', (size_t)(end - at))) != NULL) {
        size_t left = (size_t)(end - at);
        const char *value = at + sizeof word - 1;
        at++;
        if (left < sizeof word || memcmp(at - 1, word, sizeof word - 1) != 0)
            continue;
        while (value < end && (*value == ' ' || *value == '\t' || *value == ','))
            value++;
        if (value + 1 < end && value[0] == '"' && value[1] != '"')
            return tr_fail(error, TR_BAD_FILE,
                           "the file is a text FBX with images inside, which assimp cannot read: save it as "
                           "binary FBX, or without embedded media");
    }
    return TR_OK;
}

// --- Names ---

// A bone and a mesh of an FBX may have the same name, and clips and skins know what they move by its name. A
// mesh with the name of a bone gets another one: otherwise assimp moves the mesh and leaves the bone.
static const char suffix[] = "_mesh";

typedef struct node_list {
    struct aiNode **nodes;
    uint32_t count, capacity;
} node_list;

static bool list_nodes(const tr_allocator *allocator, struct aiNode *root, node_list *list) {
    if (!tr_reserve(allocator, (void **)&list->nodes, &list->capacity, 1, sizeof(struct aiNode *)))
        return false;
    list->nodes[list->count++] = root;
    for (uint32_t i = 0; i < list->count; i++) {
        const struct aiNode *node = list->nodes[i];
        if (!tr_reserve(allocator, (void **)&list->nodes, &list->capacity,
                        (uint64_t)list->count + node->mNumChildren, sizeof(struct aiNode *)))
            return false;
        for (unsigned k = 0; k < node->mNumChildren; k++)
            list->nodes[list->count++] = node->mChildren[k];
    }
    return true;
}

static bool has_bone_named(const node_list *list, const struct aiString *name) {
    for (uint32_t i = 0; i < list->count; i++) {
        const struct aiNode *node = list->nodes[i];
        if (node->mNumMeshes == 0 && node->mName.length == name->length &&
            memcmp(node->mName.data, name->data, name->length) == 0)
            return true;
    }
    return false;
}

static bool name_meshes(const tr_allocator *allocator, const struct aiScene *scene) {
    node_list list = {NULL, 0, 0};
    bool listed = list_nodes(allocator, scene->mRootNode, &list);
    for (uint32_t i = 0; i < list.count && listed; i++) {
        struct aiString *name = &list.nodes[i]->mName;
        if (list.nodes[i]->mNumMeshes == 0 || name->length + sizeof suffix > sizeof name->data ||
            !has_bone_named(&list, name))
            continue;
        memcpy(name->data + name->length, suffix, sizeof suffix);
        name->length += sizeof suffix - 1;
    }
    tr_release(allocator, list.nodes, list.capacity, sizeof(struct aiNode *));
    return listed;
}

static tr_status copy_blob(const tr_allocator *allocator, const struct aiExportDataBlob *blob, tr_bytes *glb,
                           tr_error *error) {
    glb->data = tr_allocate(allocator, blob->size, 1);
    if (!glb->data)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for a file of %zu bytes", blob->size);
    memcpy(glb->data, blob->data, blob->size);
    glb->size = blob->size;
    return TR_OK;
}

tr_status tr_assimp_to_glb(const tr_allocator *allocator, const void *data, size_t size, const char *format,
                           tr_bytes *glb, tr_error *error) {
    *glb = (tr_bytes){NULL, 0};
    tr_status status = check_size(size, error);
    assimp_library library = {0};
    if (status == TR_OK)
        status = check_content(data, size, error);
    if (status == TR_OK)
        status = open_library(&library, error);
    if (status != TR_OK)
        return status;
    const struct aiScene *scene = import_figures(&library, data, size, format);
    if (!scene || !scene->mRootNode) {
        status = fail_import(library.why(), format, error);
    } else if (!name_meshes(allocator, scene)) {
        status = tr_fail(error, TR_OUT_OF_MEMORY, "no memory for the nodes of the file");
    } else {
        const struct aiExportDataBlob *blob = library.export(scene, "glb2", 0);
        if (blob && blob->size > 0)
            status = copy_blob(allocator, blob, glb, error);
        else
            status = tr_fail(error, TR_BAD_FILE, "assimp cannot turn the file into glTF");
        if (blob)
            library.release_blob(blob);
    }
    if (scene)
        library.release(scene);
    dlclose(library.handle);
    return status;
}

tr_status tr_assimp_read(const void *data, size_t size, const char *format, tr_scene_parts *parts,
                         tr_error *error) {
    tr_status status = check_size(size, error);
    assimp_library library = {0};
    if (status == TR_OK)
        status = check_content(data, size, error);
    if (status == TR_OK)
        status = open_library(&library, error);
    if (status != TR_OK)
        return status;
    unsigned steps = aiProcess_Triangulate | aiProcess_JoinIdenticalVertices | aiProcess_SortByPType;
    const struct aiScene *scene = library.import(data, (unsigned)size, steps, format);
    if (!scene || !scene->mRootNode) {
        status = fail_import(library.why(), format, error);
    } else {
        status = add_meshes(parts, scene, error);
        if (status == TR_OK)
            status = add_nodes(parts, scene->mRootNode, error);
    }
    if (scene)
        library.release(scene);
    dlclose(library.handle);
    return status;
}

#else

tr_status tr_assimp_to_glb(const tr_allocator *allocator, const void *data, size_t size, const char *format,
                           tr_bytes *glb, tr_error *error) {
    *glb = (tr_bytes){NULL, 0};
    (void)allocator;
    return tr_assimp_read(data, size, format, NULL, error);
}

tr_status tr_assimp_read(const void *data, size_t size, const char *format, tr_scene_parts *parts,
                         tr_error *error) {
    (void)data;
    (void)size;
    (void)parts;
    return tr_fail(error, TR_UNAVAILABLE,
                   "this format (%.20s) is read through assimp, which this build lacks (Debian package "
                   "libassimp-dev)",
                   format[0] ? format : "unknown");
}

#endif
