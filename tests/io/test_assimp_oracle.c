// Every sample file, read by us and by assimp: the same triangles in the same places.
#include "reading.h"
#include "troupe/io/scene_file.h"

#if defined(__has_include) && !defined(__wasm__)
#if __has_include(<assimp/cimport.h>) && __has_include(<dlfcn.h>)
#define HAVE_ASSIMP
#endif
#endif

#ifdef HAVE_ASSIMP
#include <assimp/cimport.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <dlfcn.h>

typedef struct oracle {
    void *handle;
    const struct aiScene *(*import)(const char *, unsigned);
    void (*release)(const struct aiScene *);
} oracle;

static bool open_oracle(oracle *made) {
    made->handle = dlopen("libassimp.so.5", RTLD_NOW | RTLD_LOCAL);
    if (!made->handle)
        return false;
    void *import = dlsym(made->handle, "aiImportFile"), *release = dlsym(made->handle, "aiReleaseImport");
    memcpy(&made->import, &import, sizeof import);
    memcpy(&made->release, &release, sizeof release);
    return import && release;
}

// One mesh of one node of assimp's tree.
typedef struct instance {
    const struct aiMesh *mesh;
    tr_affine placement;
    bool taken;
} instance;

static tr_affine from_assimp(const struct aiMatrix4x4 *m) {
    tr_affine a = {
        {{m->a1, m->a2, m->a3, m->a4}, {m->b1, m->b2, m->b3, m->b4}, {m->c1, m->c2, m->c3, m->c4}}};
    return a;
}

static uint32_t list_instances(const struct aiScene *scene, const struct aiNode *node,
                               const tr_affine *parent, instance *list, uint32_t count, uint32_t capacity) {
    tr_affine local = from_assimp(&node->mTransformation), world = tr_affine_multiply(parent, &local);
    for (unsigned i = 0; i < node->mNumMeshes && count < capacity; i++, count++)
        list[count] = (instance){scene->mMeshes[node->mMeshes[i]], world, false};
    for (unsigned i = 0; i < node->mNumChildren; i++)
        count = list_instances(scene, node->mChildren[i], &world, list, count, capacity);
    return count;
}

static bool is_near(tr_vec3 p, tr_vec3 q) {
    float size = 1 + fabsf(p.x) + fabsf(p.y) + fabsf(p.z);
    return tr_vec3_length(tr_vec3_subtract(p, q)) <= 2e-5f * size;
}

static void our_triangle(const tr_scene *scene, uint32_t number, uint32_t triangle, tr_vec3 p[3]) {
    tr_object_view object = tr_scene_object(scene, number);
    tr_mesh_view mesh = tr_scene_mesh(scene, object.mesh);
    for (int k = 0; k < 3; k++)
        p[k] = tr_affine_apply(&object.placement, mesh.positions[mesh.indices[triangle * 3 + (uint32_t)k]]);
}

static void their_triangle(const instance *other, uint32_t triangle, tr_vec3 q[3]) {
    const struct aiFace *face = &other->mesh->mFaces[triangle];
    for (unsigned k = 0; k < 3 && face->mNumIndices == 3; k++) {
        struct aiVector3D v = other->mesh->mVertices[face->mIndices[k]];
        q[k] = tr_affine_apply(&other->placement, tr_vec3_make(v.x, v.y, v.z));
    }
}

// The same triangle, whichever corner comes first.
static bool is_same_triangle(const tr_vec3 p[3], const tr_vec3 q[3]) {
    bool same = false;
    for (int turn = 0; turn < 3; turn++)
        same |=
            is_near(p[0], q[turn]) && is_near(p[1], q[(turn + 1) % 3]) && is_near(p[2], q[(turn + 2) % 3]);
    return same;
}

// The same triangles in the same order.
static bool is_same(const tr_scene *scene, uint32_t number, const instance *other) {
    tr_mesh_view mesh = tr_scene_mesh(scene, tr_scene_object(scene, number).mesh);
    if (mesh.triangle_count != other->mesh->mNumFaces)
        return false;
    for (uint32_t i = 0; i < mesh.triangle_count; i++) {
        tr_vec3 p[3], q[3] = {{NAN, NAN, NAN}};
        our_triangle(scene, number, i, p);
        their_triangle(other, i, q);
        if (!is_same_triangle(p, q))
            return false;
    }
    return true;
}

static double area_of(const tr_vec3 p[3]) {
    return (double)tr_vec3_length(tr_vec3_cross(tr_vec3_subtract(p[1], p[0]), tr_vec3_subtract(p[2], p[0])));
}

// assimp makes a mesh of each material: then the triangles are compared one by one, wherever they are.
// Polygons of more than four corners may be cut in another way; the area is the same then.
static void compare_triangles(const tr_scene *scene, const instance *list, uint32_t count, const char *path) {
    static bool taken[20000];
    uint32_t theirs = 0, missing = 0;
    double our_area = 0, their_area = 0;
    memset(taken, 0, sizeof taken);
    for (uint32_t k = 0; k < count; k++)
        for (uint32_t face = 0; face < list[k].mesh->mNumFaces; face++, theirs++) {
            tr_vec3 q[3] = {{NAN, NAN, NAN}};
            their_triangle(&list[k], face, q);
            their_area += area_of(q);
        }
    CHECK_INT(tr_scene_triangle_count(scene), theirs);
    REQUIRE(theirs <= 20000);
    for (uint32_t number = 0; number < tr_scene_object_count(scene); number++)
        for (uint32_t i = 0; i < tr_scene_mesh(scene, tr_scene_object(scene, number).mesh).triangle_count;
             i++) {
            tr_vec3 p[3], q[3] = {{NAN, NAN, NAN}};
            our_triangle(scene, number, i, p);
            our_area += area_of(p);
            bool found = false;
            for (uint32_t k = 0, place = 0; k < count && !found; k++)
                for (uint32_t face = 0; face < list[k].mesh->mNumFaces && !found; face++, place++) {
                    if (taken[place])
                        continue;
                    their_triangle(&list[k], face, q);
                    found = taken[place] = is_same_triangle(p, q);
                }
            missing += !found;
        }
    if (missing * 50 > theirs)
        test_failed(__FILE__, __LINE__, "%s: %u triangles have no equal in assimp's", path, missing);
    CHECK_NEAR(our_area, their_area, 1e-6 * their_area);
}

static void compare_objects(const tr_scene *scene, instance *list, uint32_t count, const char *path) {
    for (uint32_t i = 0; i < tr_scene_object_count(scene); i++) {
        uint32_t k = 0;
        while (k < count && (list[k].taken || !is_same(scene, i, &list[k])))
            k++;
        if (k < count)
            list[k].taken = true;
        else
            test_failed(__FILE__, __LINE__, "%s: object %u \"%s\" has no equal in assimp's", path, i,
                        tr_scene_object(scene, i).name);
    }
}

static void compare(const oracle *with, const char *path) {
    static instance list[1000];
    tr_scene *scene = NULL;
    tr_error error = {0};
    REQUIRE(tr_scene_create(NULL, &scene) == TR_OK);
    const struct aiScene *theirs = with->import(path, aiProcess_Triangulate);
    if (tr_scene_file_read(path, NULL, scene, &error) != TR_OK || !theirs) {
        test_failed(__FILE__, __LINE__, "%s: %s", path, theirs ? error.message : "assimp cannot read it");
        return;
    }
    tr_affine identity = tr_affine_identity();
    uint32_t count = list_instances(theirs, theirs->mRootNode, &identity, list, 0, 1000);
    if (count == tr_scene_object_count(scene))
        compare_objects(scene, list, count, path);
    else
        compare_triangles(scene, list, count, path);
    with->release(theirs);
    tr_scene_destroy(scene);
}

TEST(sample_files_have_the_triangles_that_assimp_finds) {
    static const char *const files[] = {"gltf/Fox.glb",
                                        "gltf/InterpolationTest.glb",
                                        "gltf/Knight.glb",
                                        "gltf/RiggedFigure.glb",
                                        "gltf/RiggedSimple.glb",
                                        "gltf/RobotExpressive.glb",
                                        "gltf/SimpleSkin/SimpleSkin.gltf",
                                        "gltf/SimpleSparse/SimpleSparseAccessor.gltf",
                                        "scenes/nav_test.obj",
                                        "scenes/undulating.obj",
                                        "scenes/collision-world.glb",
                                        "scenes/kaykit-dungeon/barrel_large.glb",
                                        "scenes/kaykit-dungeon/box_large.glb",
                                        "scenes/kaykit-dungeon/crates_stacked.glb",
                                        "scenes/kaykit-dungeon/floor_tile_large.glb",
                                        "scenes/kaykit-dungeon/pillar.glb",
                                        "scenes/kaykit-dungeon/stairs.glb",
                                        "scenes/kaykit-dungeon/stairs_walled.glb",
                                        "scenes/kaykit-dungeon/stairs_wide.glb",
                                        "scenes/kaykit-dungeon/stairs_wood.glb",
                                        "scenes/kaykit-dungeon/table_long.glb",
                                        "scenes/kaykit-dungeon/table_medium.glb",
                                        "scenes/kaykit-dungeon/wall.glb",
                                        "scenes/kaykit-dungeon/wall_arched.glb",
                                        "scenes/kaykit-dungeon/wall_corner.glb"};
    const char *folder = test_data_folder();
    oracle with = {0};
    if (!folder || !open_oracle(&with)) {
        test_skip(folder ? "assimp is not installed" : "the sample files are not here");
        return;
    }
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        char path[500];
        snprintf(path, sizeof path, "%s/%s", folder, files[i]);
        compare(&with, path);
    }
    dlclose(with.handle);
}
#else
TEST(sample_files_have_the_triangles_that_assimp_finds) {
    test_skip("built without the headers of assimp");
}
#endif
