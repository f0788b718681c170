#include "troupe/io/obj.h"
#include "troupe/base/hash.h"
#include "number.h"
#include "polygon.h"
#include "scene_parts.h"

#include <string.h>

typedef struct obj_face {
    uint32_t first; // first of its corners; they end at the first of the next face
    uint32_t line;
} obj_face;

// Faces between two `o` or `g` lines.
typedef struct obj_run {
    const char *name;
    size_t name_length;
    uint32_t first_face;
    uint32_t next; // run of the same object, TR_NONE for the last
    char keyword;  // 'o', 'g', or 0 for faces before the first
} obj_run;

// Skipped input is counted and reported once at the end.
typedef struct obj_skipped {
    uint32_t lines_and_points, first_line_or_point;
    uint32_t unknown, first_unknown;
    uint32_t fans, first_fan;
} obj_skipped;

typedef struct obj_reader {
    const char *at, *end;
    uint32_t line;
    tr_scene_reading reading;
    tr_error *error;
    tr_vec3 *vertices;
    uint32_t *corners; // vertex numbers from 0
    obj_face *faces;
    obj_run *runs;
    uint32_t vertex_count, vertex_capacity, corner_count, corner_capacity, face_count, face_capacity,
        run_count, run_capacity;
    uint64_t triangle_count;
    obj_skipped skipped;
    // For building objects: the number of a vertex in the object that used it last.
    uint32_t *local, *owner;
    tr_polygon_cutter cutter;
    tr_scene_parts parts;
} obj_reader;

static tr_status at_line(const obj_reader *reader, uint32_t line, tr_status status) {
    if (reader->error)
        reader->error->line = line;
    return status;
}

static bool is_line_end(const obj_reader *reader) {
    return reader->at == reader->end || *reader->at == '\n' || *reader->at == '\r';
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\v' || c == '\f';
}

// A line feed, a carriage return, or both together count as one end of line.
static void skip_line_end(obj_reader *reader) {
    if (reader->at == reader->end)
        return;
    bool both = *reader->at == '\r' && reader->at + 1 < reader->end && reader->at[1] == '\n';
    reader->at += both ? 2 : 1;
    reader->line++;
}

// Skips blanks, and a backslash that joins the next line to this one.
static void skip_blanks(obj_reader *reader) {
    for (;;) {
        while (reader->at < reader->end && is_blank(*reader->at))
            reader->at++;
        bool joined = reader->at + 1 < reader->end && *reader->at == '\\' &&
                      (reader->at[1] == '\n' || reader->at[1] == '\r');
        if (!joined)
            return;
        reader->at++;
        skip_line_end(reader);
    }
}

static void skip_line(obj_reader *reader) {
    while (!is_line_end(reader))
        reader->at++;
    skip_line_end(reader);
}

static bool is_token_end(const obj_reader *reader, const char *at) {
    return at == reader->end || is_blank(*at) || *at == '\n' || *at == '\r' || *at == '\\' || *at == '#';
}

static bool is_statement_end(obj_reader *reader) {
    skip_blanks(reader);
    return is_line_end(reader) || *reader->at == '#';
}

// The length of the word at `at`, for an error.
static int token_length(const obj_reader *reader) {
    const char *at = reader->at;
    while (!is_token_end(reader, at) && at - reader->at < 40)
        at++;
    return (int)(at - reader->at);
}

static tr_status read_coordinate(obj_reader *reader, char axis, double *value) {
    if (is_statement_end(reader)) {
        tr_fail(reader->error, TR_BAD_FILE, "a vertex has no %c, it must have x, y and z", axis);
        return at_line(reader, reader->line, TR_BAD_FILE);
    }
    const char *after;
    if (!tr_number_read(reader->at, reader->end, &after, value) || !is_token_end(reader, after)) {
        tr_fail(reader->error, TR_BAD_FILE, "%c of a vertex is \"%.*s\", it must be a number", axis,
                token_length(reader), reader->at);
        return at_line(reader, reader->line, TR_BAD_FILE);
    }
    if (!(fabs(*value) * (double)reader->reading.options.metres_per_unit <= (double)TR_SCENE_EXTENT_MAX)) {
        tr_fail(reader->error, TR_BAD_FILE, "%c of a vertex is %.*s, it must be within %g m of 0", axis,
                token_length(reader), reader->at, (double)TR_SCENE_EXTENT_MAX);
        return at_line(reader, reader->line, TR_BAD_FILE);
    }
    reader->at = after;
    return TR_OK;
}

static float to_axis(const double row[3], const double point[3]) {
    return (float)(row[0] * point[0] + row[1] * point[1] + row[2] * point[2]);
}

// `v x y z`; anything after it (a weight, a colour) is ignored.
static tr_status read_vertex(obj_reader *reader) {
    double point[3];
    for (int axis = 0; axis < 3; axis++) {
        tr_status status = read_coordinate(reader, "xyz"[axis], &point[axis]);
        if (status != TR_OK)
            return status;
    }
    const tr_scene_reading *reading = &reader->reading;
    if (!tr_reserve(&reading->allocator, (void **)&reader->vertices, &reader->vertex_capacity,
                    (uint64_t)reader->vertex_count + 1, sizeof *reader->vertices))
        return tr_scene_parts_no_memory(reader->error);
    reader->vertices[reader->vertex_count++] = tr_vec3_make(
        to_axis(reading->axes[0], point), to_axis(reading->axes[1], point), to_axis(reading->axes[2], point));
    return TR_OK;
}

static bool is_digit(const obj_reader *reader, const char *at) {
    return at < reader->end && *at >= '0' && *at <= '9';
}

// A whole number with an optional sign; NULL if there is none. Saturates far beyond any number of vertices.
static const char *read_whole(const obj_reader *reader, const char *at, int64_t *value) {
    bool negative = at < reader->end && *at == '-';
    if (at < reader->end && (*at == '-' || *at == '+'))
        at++;
    if (!is_digit(reader, at))
        return NULL;
    *value = 0;
    for (; is_digit(reader, at); at++)
        if (*value < (int64_t)1 << 40)
            *value = *value * 10 + (*at - '0');
    if (negative)
        *value = -*value;
    return at;
}

// `7`, `7/1`, `7//3` or `7/1/3`; each number may be negative. Only the first is used; the others must be
// numbers.
static const char *read_corner(const obj_reader *reader, int64_t *vertex) {
    const char *at = read_whole(reader, reader->at, vertex);
    for (int slash = 0; at && slash < 2 && at < reader->end && *at == '/'; slash++) {
        int64_t unused;
        const char *number = read_whole(reader, at + 1, &unused);
        at = number ? number : at + 1;
    }
    return at && is_token_end(reader, at) ? at : NULL;
}

static tr_status add_corner(obj_reader *reader) {
    int64_t vertex;
    const char *after = read_corner(reader, &vertex);
    if (!after) {
        tr_fail(reader->error, TR_BAD_FILE,
                "a corner of a face is \"%.*s\", it must be a vertex number (v, v/t, v//n or v/t/n)",
                token_length(reader), reader->at);
        return at_line(reader, reader->line, TR_BAD_FILE);
    }
    int64_t index = vertex < 0 ? (int64_t)reader->vertex_count + vertex : vertex - 1;
    if (index < 0 || index >= (int64_t)TR_NONE) {
        tr_fail(reader->error, TR_BAD_FILE, "a face uses vertex %.*s, but %u vertices come before it",
                token_length(reader), reader->at, reader->vertex_count);
        return at_line(reader, reader->line, TR_BAD_FILE);
    }
    if (!tr_reserve(&reader->reading.allocator, (void **)&reader->corners, &reader->corner_capacity,
                    (uint64_t)reader->corner_count + 1, sizeof *reader->corners))
        return tr_scene_parts_no_memory(reader->error);
    reader->corners[reader->corner_count++] = (uint32_t)index;
    reader->at = after;
    return TR_OK;
}

static tr_status fail_triangles(const obj_reader *reader) {
    tr_fail(reader->error, TR_LIMIT, "there are more than %llu triangles, the maximum",
            (unsigned long long)reader->reading.options.max_triangles);
    return at_line(reader, reader->line, TR_LIMIT);
}

static void count_skipped(uint32_t *count, uint32_t *first, uint32_t line) {
    if ((*count)++ == 0)
        *first = line;
}

static tr_status read_face(obj_reader *reader) {
    uint32_t line = reader->line, first = reader->corner_count;
    while (!is_statement_end(reader)) {
        tr_status status = add_corner(reader);
        if (status != TR_OK)
            return status;
    }
    uint32_t count = reader->corner_count - first;
    if (count == 0) {
        tr_fail(reader->error, TR_BAD_FILE, "a face has no corners, it must have at least 3");
        return at_line(reader, line, TR_BAD_FILE);
    }
    if (count < 3) {
        reader->corner_count = first;
        count_skipped(&reader->skipped.lines_and_points, &reader->skipped.first_line_or_point, line);
        return TR_OK;
    }
    reader->triangle_count += count - 2;
    if (reader->triangle_count > reader->reading.options.max_triangles)
        return fail_triangles(reader);
    if (!tr_reserve(&reader->reading.allocator, (void **)&reader->faces, &reader->face_capacity,
                    (uint64_t)reader->face_count + 1, sizeof *reader->faces))
        return tr_scene_parts_no_memory(reader->error);
    obj_face face = {first, line};
    reader->faces[reader->face_count++] = face;
    return TR_OK;
}

static tr_status begin_run(obj_reader *reader, char keyword, const char *name, size_t name_length) {
    if (!tr_reserve(&reader->reading.allocator, (void **)&reader->runs, &reader->run_capacity,
                    (uint64_t)reader->run_count + 1, sizeof *reader->runs))
        return tr_scene_parts_no_memory(reader->error);
    obj_run run = {name, name_length, reader->face_count, TR_NONE, keyword};
    reader->runs[reader->run_count++] = run;
    return TR_OK;
}

// The rest of the line is the name, including inner spaces.
static tr_status read_name(obj_reader *reader, char keyword) {
    skip_blanks(reader);
    const char *name = reader->at;
    while (!is_line_end(reader))
        reader->at++;
    const char *end = reader->at;
    while (end > name && is_blank(end[-1]))
        end--;
    return begin_run(reader, keyword, name, (size_t)(end - name));
}

static bool is_known(const char *word, size_t length) {
    static const char *const known[] = {
        "vt",         "vn",        "vp",    "s",     "mtllib",   "usemtl",   "deg",  "bmat",   "step",
        "cstype",     "curv",      "curv2", "surf",  "parm",     "trim",     "hole", "scrv",   "sp",
        "end",        "con",       "mg",    "bevel", "c_interp", "d_interp", "lod",  "maplib", "usemap",
        "shadow_obj", "trace_obj", "ctech", "stech", "call",     "csh"};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strlen(known[i]) == length && memcmp(known[i], word, length) == 0)
            return true;
    return false;
}

static tr_status read_statement(obj_reader *reader) {
    if (is_statement_end(reader))
        return TR_OK;
    const char *word = reader->at;
    while (!is_token_end(reader, reader->at))
        reader->at++;
    size_t length = (size_t)(reader->at - word);
    char keyword = length == 1 ? *word : 0;
    switch (keyword) {
    case 'v':
        return read_vertex(reader);
    case 'f':
        return read_face(reader);
    case 'o':
    case 'g':
        return read_name(reader, keyword);
    case 'l':
    case 'p':
        count_skipped(&reader->skipped.lines_and_points, &reader->skipped.first_line_or_point, reader->line);
        return TR_OK;
    default:
        if (!is_known(word, length))
            count_skipped(&reader->skipped.unknown, &reader->skipped.first_unknown, reader->line);
        return TR_OK;
    }
}

static tr_status read_text(obj_reader *reader) {
    if (reader->end - reader->at >= 3 && memcmp(reader->at, "\xef\xbb\xbf", 3) == 0)
        reader->at += 3;
    tr_status status = begin_run(reader, 0, "", 0);
    while (status == TR_OK && reader->at < reader->end) {
        status = read_statement(reader);
        if (status == TR_OK)
            skip_line(reader);
    }
    return status;
}

static tr_status find_local(obj_reader *reader, tr_part_mesh *mesh, uint32_t part, uint32_t vertex,
                            uint32_t *local) {
    if (reader->owner[vertex] != part) {
        reader->owner[vertex] = part;
        reader->local[vertex] = mesh->position_count;
        if (!tr_scene_parts_add_position(&reader->parts, mesh, reader->vertices[vertex]))
            return tr_scene_parts_no_memory(reader->error);
    }
    *local = reader->local[vertex];
    return TR_OK;
}

static tr_status cut_face(obj_reader *reader, const uint32_t *corners, uint32_t count, uint32_t line) {
    if (!tr_polygon_reserve(&reader->reading.allocator, &reader->cutter, count))
        return tr_scene_parts_no_memory(reader->error);
    for (uint32_t i = 0; i < count; i++)
        reader->cutter.points[i] = reader->vertices[corners[i]];
    if (count <= TR_OBJ_CORNERS_MAX) {
        tr_polygon_cut(&reader->cutter, count);
    } else {
        tr_polygon_cut_fan(&reader->cutter, count);
        count_skipped(&reader->skipped.fans, &reader->skipped.first_fan, line);
    }
    return TR_OK;
}

static tr_status add_face(obj_reader *reader, tr_part_mesh *mesh, uint32_t part, uint32_t face) {
    uint32_t first = reader->faces[face].first, line = reader->faces[face].line;
    uint32_t end = face + 1 < reader->face_count ? reader->faces[face + 1].first : reader->corner_count;
    uint32_t *corners = reader->corners + first, count = end - first;
    for (uint32_t i = 0; i < count; i++)
        if (corners[i] >= reader->vertex_count) {
            tr_fail(reader->error, TR_BAD_FILE, "a face uses vertex %u, but the file has only %u",
                    corners[i] + 1, reader->vertex_count);
            return at_line(reader, line, TR_BAD_FILE);
        }
    tr_status status = cut_face(reader, corners, count, line);
    if (status != TR_OK)
        return status;
    for (uint32_t i = 0; i < count; i++) {
        status = find_local(reader, mesh, part, corners[i], &corners[i]);
        if (status != TR_OK)
            return status;
    }
    const uint32_t *triangle = reader->cutter.triangles;
    for (uint32_t i = 0; i < count - 2; i++, triangle += 3)
        if (!tr_scene_parts_add_triangle(&reader->parts, mesh, corners[triangle[0]], corners[triangle[1]],
                                         corners[triangle[2]]))
            return tr_scene_parts_no_memory(reader->error);
    return TR_OK;
}

static uint32_t run_end(const obj_reader *reader, uint32_t run) {
    return run + 1 < reader->run_count ? reader->runs[run + 1].first_face : reader->face_count;
}

// One object from a chain of runs.
static tr_status add_part(obj_reader *reader, uint32_t first_run) {
    const obj_run *named = &reader->runs[first_run];
    uint32_t part = reader->parts.mesh_count;
    tr_part_mesh *mesh = tr_scene_parts_add_mesh(&reader->parts, named->name, named->name_length);
    if (!mesh)
        return tr_scene_parts_no_memory(reader->error);
    for (uint32_t run = first_run; run != TR_NONE; run = reader->runs[run].next)
        for (uint32_t face = reader->runs[run].first_face; face < run_end(reader, run); face++) {
            tr_status status = add_face(reader, mesh, part, face);
            if (status != TR_OK)
                return status;
        }
    tr_affine identity = tr_affine_identity();
    return tr_scene_parts_add_object(&reader->parts, named->name, named->name_length, part, &identity,
                                     reader->error);
}

static bool is_same_name(const obj_run *a, const obj_run *b) {
    return a->name_length == b->name_length && memcmp(a->name, b->name, a->name_length) == 0;
}

// Chains the runs of groups with the same name: a file may return to a group. `table` has `size` places, a
// power of two above the number of runs; `last` is the end of each chain. The first run of a chain is marked
// in `table`.
static void chain_groups(obj_reader *reader, uint32_t *table, uint32_t size, uint32_t *last) {
    for (uint32_t i = 0; i < size; i++)
        table[i] = TR_NONE;
    for (uint32_t run = 0; run < reader->run_count; run++) {
        last[run] = TR_NONE;
        if (reader->runs[run].first_face == run_end(reader, run))
            continue;
        obj_run *now = &reader->runs[run];
        uint32_t place = (uint32_t)tr_hash(TR_HASH_START, now->name, now->name_length) & (size - 1);
        while (table[place] != TR_NONE && !is_same_name(&reader->runs[table[place]], now))
            place = (place + 1) & (size - 1);
        uint32_t head = table[place];
        if (head == TR_NONE)
            head = table[place] = run;
        else
            reader->runs[last[head]].next = run;
        last[head] = run;
    }
}

static tr_status add_groups(obj_reader *reader) {
    uint32_t size = 8;
    while (size < 0x80000000u && size < (uint64_t)reader->run_count * 2)
        size *= 2;
    const tr_allocator *allocator = &reader->reading.allocator;
    uint32_t *table = tr_allocate(allocator, size, sizeof *table);
    uint32_t *last = tr_allocate(allocator, reader->run_count, sizeof *last);
    tr_status status = table && last ? TR_OK : tr_scene_parts_no_memory(reader->error);
    if (status == TR_OK)
        chain_groups(reader, table, size, last);
    // Only the first run of a chain has the last one in `last`.
    for (uint32_t run = 0; run < reader->run_count && status == TR_OK; run++)
        if (last[run] != TR_NONE)
            status = add_part(reader, run);
    tr_release(allocator, table, size, sizeof *table);
    tr_release(allocator, last, reader->run_count, sizeof *last);
    return status;
}

// Runs that begin with `g` belong to the preceding `o`.
static tr_status add_objects(obj_reader *reader) {
    for (uint32_t run = 0; run < reader->run_count;) {
        uint32_t begin = run, first_face = reader->runs[run].first_face;
        for (run++; run < reader->run_count && reader->runs[run].keyword != 'o'; run++)
            reader->runs[run - 1].next = run;
        if (first_face == run_end(reader, run - 1))
            continue;
        tr_status status = add_part(reader, begin);
        if (status != TR_OK)
            return status;
    }
    return TR_OK;
}

static tr_status assemble(obj_reader *reader) {
    const tr_allocator *allocator = &reader->reading.allocator;
    reader->local = tr_allocate(allocator, reader->vertex_count, sizeof *reader->local);
    reader->owner = tr_allocate(allocator, reader->vertex_count, sizeof *reader->owner);
    if (!reader->local || !reader->owner)
        return tr_scene_parts_no_memory(reader->error);
    for (uint32_t i = 0; i < reader->vertex_count; i++)
        reader->owner[i] = TR_NONE;
    for (uint32_t run = 0; run < reader->run_count; run++)
        if (reader->runs[run].keyword == 'o')
            return add_objects(reader);
    return add_groups(reader);
}

static void tell_skipped(const obj_reader *reader) {
    const obj_skipped *skipped = &reader->skipped;
    if (skipped->lines_and_points)
        tr_scene_note(&reader->reading, "%u points and lines are left out, the first on line %u",
                      skipped->lines_and_points, skipped->first_line_or_point);
    if (skipped->unknown)
        tr_scene_note(&reader->reading, "%u lines begin with a keyword unknown to OBJ, the first is line %u",
                      skipped->unknown, skipped->first_unknown);
    if (skipped->fans)
        tr_scene_note(&reader->reading,
                      "%u faces with more than %d corners are assumed to be convex, the first on line %u",
                      skipped->fans, TR_OBJ_CORNERS_MAX, skipped->first_fan);
    if (reader->face_count == 0)
        tr_scene_note(&reader->reading, "the file has no faces");
}

static void release(obj_reader *reader) {
    const tr_allocator *allocator = &reader->reading.allocator;
    tr_release(allocator, reader->vertices, reader->vertex_capacity, sizeof *reader->vertices);
    tr_release(allocator, reader->corners, reader->corner_capacity, sizeof *reader->corners);
    tr_release(allocator, reader->faces, reader->face_capacity, sizeof *reader->faces);
    tr_release(allocator, reader->runs, reader->run_capacity, sizeof *reader->runs);
    tr_release(allocator, reader->local, reader->vertex_count, sizeof *reader->local);
    tr_release(allocator, reader->owner, reader->vertex_count, sizeof *reader->owner);
    tr_polygon_release(allocator, &reader->cutter);
    tr_scene_parts_end(&reader->parts);
}

// A zero byte means UTF-16 or binary data, which deserves an error rather than an empty scene.
static tr_status check_text(const char *text, size_t size, tr_error *error) {
    if (!text && size)
        return tr_fail(error, TR_INVALID, "the OBJ text is NULL");
    const char *zero = size ? memchr(text, 0, size) : NULL;
    if (!zero)
        return TR_OK;
    tr_fail(error, TR_BAD_FILE, "the text contains a zero byte: it is not OBJ in ASCII or UTF-8");
    if (error)
        error->offset = (uint64_t)(zero - text);
    return TR_BAD_FILE;
}

tr_status tr_obj_read(const void *text, size_t size, const tr_scene_read_options *options, tr_scene *scene,
                      tr_error *error) {
    obj_reader reader = {.at = text && size ? text : "", .line = 1, .error = error};
    tr_status status = tr_scene_reading_begin(options, &reader.reading, error);
    if (status == TR_OK)
        status = check_text(text, size, error);
    if (status != TR_OK)
        return status;
    reader.end = reader.at + size;
    reader.parts = tr_scene_parts_begin(&reader.reading);
    status = read_text(&reader);
    if (status == TR_OK)
        status = assemble(&reader);
    if (status == TR_OK)
        status = tr_scene_parts_commit(&reader.parts, scene, error);
    if (status == TR_OK)
        tell_skipped(&reader);
    release(&reader);
    return status;
}
