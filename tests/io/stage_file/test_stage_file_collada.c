// A whole human as a Collada file, in centimetres or metres, walks on the stage where assimp is installed.
#include "foreign.h"
#include "stage_text.h"
#include "troupe/io/motion_file.h"

#include <math.h>
#include <stdarg.h>
#include <sys/stat.h>

#define FOLDER "test_stage_file_collada_folder"
#define XYZ                                                                                                  \
    "<param name=\"X\" type=\"float\"/><param name=\"Y\" type=\"float\"/><param name=\"Z\" type=\"float\"/>"
#define MATRIX "<param name=\"TRANSFORM\" type=\"float4x4\"/>"

// Text that grows.
typedef struct collada_page {
    char *text;
    size_t length, room;
} collada_page;

static void put(collada_page *page, const char *format, ...) {
    va_list values;
    if (page->room < page->length + 2000) {
        page->room = 2 * page->room + 4000;
        page->text = realloc(page->text, page->room);
        REQUIRE(page->text);
    }
    va_start(values, format);
    page->length += (size_t)vsnprintf(page->text + page->length, 2000, format, values);
    va_end(values);
}

static void begin_source(collada_page *page, const char *id, const char *type, size_t count) {
    put(page, "<source id=\"%s\"><%s id=\"%s-array\" count=\"%zu\">", id, type, id, count);
}

static void end_source(collada_page *page, const char *id, const char *type, size_t count, uint32_t stride,
                       const char *params) {
    put(page,
        "</%s><technique_common><accessor source=\"#%s-array\" count=\"%zu\" stride=\"%u\">%s</accessor>"
        "</technique_common></source>\n",
        type, id, count / stride, stride, params);
}

static void put_matrix(collada_page *page, const tr_affine *m, float unit) {
    for (int row = 0; row < 3; row++)
        put(page, "%.6f %.6f %.6f %.6f ", (double)m->m[row][0], (double)m->m[row][1], (double)m->m[row][2],
            (double)(m->m[row][3] / unit));
    put(page, "0 0 0 1 ");
}

static void put_points(collada_page *page, const char *id, const tr_vec3 *points, uint32_t count,
                       float unit) {
    begin_source(page, id, "float_array", 3 * (size_t)count);
    for (uint32_t i = 0; i < count; i++)
        put(page, "%.6f %.6f %.6f ", (double)(points[i].x / unit), (double)(points[i].y / unit),
            (double)(points[i].z / unit));
    end_source(page, id, "float_array", 3 * (size_t)count, 3, XYZ);
}

static void put_geometry(collada_page *page, const tr_body_def *body, float unit) {
    put(page, "<library_geometries><geometry id=\"g\"><mesh>");
    put_points(page, "g-p", body->positions, body->vertex_count, unit);
    put_points(page, "g-n", body->normals, body->vertex_count, 1);
    put(page,
        "<vertices id=\"g-v\"><input semantic=\"POSITION\" source=\"#g-p\"/></vertices><triangles "
        "count=\"%u\"><input semantic=\"VERTEX\" source=\"#g-v\" offset=\"0\"/><input semantic=\"NORMAL\" "
        "source=\"#g-n\" offset=\"0\"/><p>",
        body->triangle_count);
    for (uint32_t i = 0; i < 3 * body->triangle_count; i++)
        put(page, "%u ", body->indices[i]);
    put(page, "</p></triangles></mesh></geometry></library_geometries>\n");
}

static void put_skin(collada_page *page, const tr_body_def *body, float unit) {
    put(page, "<library_controllers><controller id=\"c\"><skin source=\"#g\"><bind_shape_matrix>1 0 0 0 0 1 "
              "0 0 0 0 1 0 0 0 0 1</bind_shape_matrix>\n");
    begin_source(page, "c-j", "Name_array", body->joint_count);
    for (uint32_t i = 0; i < body->joint_count; i++)
        put(page, "j%u ", i);
    end_source(page, "c-j", "Name_array", body->joint_count, 1, "<param name=\"JOINT\" type=\"name\"/>");
    begin_source(page, "c-b", "float_array", 16 * (size_t)body->joint_count);
    for (uint32_t i = 0; i < body->joint_count; i++)
        put_matrix(page, &body->inverse_rest[i], unit);
    end_source(page, "c-b", "float_array", 16 * (size_t)body->joint_count, 16, MATRIX);
    size_t weights = (size_t)body->vertex_count * TR_BODY_INFLUENCES;
    begin_source(page, "c-w", "float_array", weights);
    for (uint32_t i = 0; i < body->vertex_count; i++)
        for (int k = 0; k < TR_BODY_INFLUENCES; k++)
            put(page, "%.6f ", (double)body->weights[i][k]);
    end_source(page, "c-w", "float_array", weights, 1, "<param name=\"WEIGHT\" type=\"float\"/>");
    put(page,
        "<joints><input semantic=\"JOINT\" source=\"#c-j\"/><input semantic=\"INV_BIND_MATRIX\" "
        "source=\"#c-b\"/></joints><vertex_weights count=\"%u\"><input semantic=\"JOINT\" source=\"#c-j\" "
        "offset=\"0\"/><input semantic=\"WEIGHT\" source=\"#c-w\" offset=\"1\"/><vcount>",
        body->vertex_count);
    for (uint32_t i = 0; i < body->vertex_count; i++)
        put(page, "%d ", TR_BODY_INFLUENCES);
    put(page, "</vcount><v>");
    for (uint32_t i = 0; i < body->vertex_count; i++)
        for (uint32_t k = 0; k < TR_BODY_INFLUENCES; k++)
            put(page, "%u %u ", body->joints[i][k], i * TR_BODY_INFLUENCES + k);
    put(page, "</v></vertex_weights></skin></controller></library_controllers>\n");
}

static void put_motion(collada_page *page, const tr_clip *clip, tr_pose *pose, float unit) {
    uint32_t frames = tr_clip_frame_count(clip);
    put(page, "<library_animations>");
    for (uint32_t i = 0; i < tr_clip_joint_count(clip); i++) {
        char in[20], out[20], kind[20];
        snprintf(in, sizeof in, "a%u-in", i);
        snprintf(out, sizeof out, "a%u-out", i);
        snprintf(kind, sizeof kind, "a%u-kind", i);
        put(page, "<animation id=\"a%u\">", i);
        begin_source(page, in, "float_array", frames);
        for (uint32_t frame = 0; frame < frames; frame++)
            put(page, "%.6f ", frame / tr_clip_rate(clip));
        end_source(page, in, "float_array", frames, 1, "<param name=\"TIME\" type=\"float\"/>");
        begin_source(page, out, "float_array", 16 * (size_t)frames);
        for (uint32_t frame = 0; frame < frames; frame++) {
            tr_clip_get_frame(clip, frame, pose);
            tr_affine local = tr_affine_from_transform(tr_pose_get(pose, i));
            put_matrix(page, &local, unit);
        }
        end_source(page, out, "float_array", 16 * (size_t)frames, 16, MATRIX);
        begin_source(page, kind, "Name_array", frames);
        for (uint32_t frame = 0; frame < frames; frame++)
            put(page, "LINEAR ");
        end_source(page, kind, "Name_array", frames, 1, "<param name=\"INTERPOLATION\" type=\"name\"/>");
        put(page,
            "<sampler id=\"a%u-s\"><input semantic=\"INPUT\" source=\"#%s\"/><input semantic=\"OUTPUT\" "
            "source=\"#%s\"/><input semantic=\"INTERPOLATION\" source=\"#%s\"/></sampler><channel "
            "source=\"#a%u-s\" target=\"j%u/transform\"/></animation>\n",
            i, in, out, kind, i, i);
    }
    put(page, "</library_animations>\n");
}

static void put_node(collada_page *page, const tr_skeleton *skeleton, uint32_t joint, float unit) {
    tr_joint_def def = tr_skeleton_joint(skeleton, joint);
    tr_affine local = tr_affine_from_transform(def.rest);
    put(page, "<node id=\"j%u\" sid=\"j%u\" name=\"%s\" type=\"JOINT\"><matrix sid=\"transform\">", joint,
        joint, def.name);
    put_matrix(page, &local, unit);
    put(page, "</matrix>");
    for (uint32_t i = joint + 1; i < tr_skeleton_joint_count(skeleton); i++)
        if (tr_skeleton_parents(skeleton)[i] == joint)
            put_node(page, skeleton, i, unit);
    put(page, "</node>\n");
}

// The mannequin with a walk on the spot, as Collada 1.4.1.
static void write_collada(const char *path, float unit) {
    tr_skeleton *skeleton = NULL;
    tr_body *body = NULL;
    tr_clip *walk = NULL;
    tr_pose pose;
    REQUIRE(tr_mannequin_make(&(tr_mannequin_def){.height = 1.7f, .detail = 1}, &skeleton, &body, NULL) ==
            TR_OK);
    tr_gait_def gait = {.skeleton = skeleton, .kind = TR_GAIT_WALK, .frames_per_second = 30};
    REQUIRE(tr_gait_make(&gait, &walk, NULL) == TR_OK);
    REQUIRE(tr_pose_create(NULL, tr_skeleton_joint_count(skeleton), &pose, NULL) == TR_OK);
    collada_page page = {0};
    put(&page,
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<COLLADA "
        "xmlns=\"http://www.collada.org/2005/11/COLLADASchema\" version=\"1.4.1\"><asset><created>"
        "2026-01-01T00:00:00</created><modified>2026-01-01T00:00:00</modified><unit name=\"u\" "
        "meter=\"%g\"/><up_axis>Y_UP</up_axis></asset>\n",
        (double)unit);
    put_geometry(&page, tr_body_view(body), unit);
    put_skin(&page, tr_body_view(body), unit);
    put_motion(&page, walk, &pose, unit);
    put(&page, "<library_visual_scenes><visual_scene id=\"s\"><node id=\"Armature\" name=\"Armature\">");
    put_node(&page, skeleton, 0, unit);
    put(&page, "</node><node id=\"skin\" name=\"skin\"><instance_controller url=\"#c\"><skeleton>#j0"
               "</skeleton></instance_controller></node></visual_scene></library_visual_scenes><scene>"
               "<instance_visual_scene url=\"#s\"/></scene></COLLADA>\n");
    REQUIRE(tr_file_write(path, page.text, page.length, NULL) == TR_OK);
    free(page.text);
    tr_pose_destroy(&pose);
    tr_clip_destroy(walk);
    tr_body_destroy(body);
    tr_skeleton_destroy(skeleton);
}

TEST(a_human_of_a_collada_file_walks_with_its_own_clip) {
    static const float units[] = {1, 0.01f};
    mkdir(FOLDER, 0777);
    for (size_t i = 0; i < 2; i++) {
        static const char text[] =
            "{\"scene\": {\"sample\": \"plaza\", \"people\": 100}, \"characters\": [{\"character\": "
            "\"human.dae\", \"clips\": {\"walk\": \"animation\"}, \"start\": [-8, -4], \"goal\": [-4, -4]}]}";
        tr_stage_play play;
        tr_error error = {0};
        write_collada(FOLDER "/human.dae", units[i]);
        tr_status status = tr_stage_file_read(text, strlen(text), FOLDER "/s.json", NULL, &play, &error);
        if (status == TR_UNAVAILABLE) {
            CHECK_CONTAINS(error.message, "assimp");
            test_skip("assimp is not installed");
            return;
        }
        CHECK_TEXT(error.message, "");
        REQUIRE(status == TR_OK);
        CHECK_NEAR(play.kinds[0].height, 1.7, 0.03);
        CHECK_NEAR(play.kinds[0].speeds[0], 1.3, 0.08); // from its feet
        float lowest = 0;
        uint32_t vertices = tr_body_view(play.kinds[0].body)->vertex_count;
        CHECK(vertices > 1000);
        tr_vec3 *skin = calloc(vertices, sizeof *skin);
        for (int tick = 0; tick < 900 && status == TR_OK; tick++) {
            status = tr_stage_step(play.stage, TR_STAGE_TICK, &error);
            tr_body_skin(play.kinds[0].body, stage_view(&play, 0).model, skin, NULL);
            for (uint32_t k = 0; k < vertices; k++)
                lowest = fminf(lowest, skin[k].y);
        }
        CHECK_INT(status, TR_DONE);
        CHECK_NEAR(stage_view(&play, 0).position.x, -4, 0.15);
        CHECK(lowest > -0.004f);
        free(skin);
        tr_stage_play_destroy(&play);
    }
}
