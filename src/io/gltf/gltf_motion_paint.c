#include "gltf_motion_data.h"
#include "troupe/base/scalar.h"

#include <stdio.h>
#include <string.h>

enum { WRAP_CLAMP = 33071, WRAP_MIRROR = 33648 };

// From sRGB to linear light, within 1 % of the sRGB curve.
static double to_linear(uint8_t value) {
    double c = value / 255.0;
    return c * (c * (c * 0.305306011 + 0.682171111) + 0.012522878);
}

static tr_status find_lists(gltf_document *document, gltf_paints *paints) {
    const struct {
        const char *key;
        uint32_t *list;
    } lists[] = {{"images", &paints->image_list},
                 {"textures", &paints->texture_list},
                 {"samplers", &paints->sampler_list}};
    tr_status status = TR_OK;
    for (int i = 0; i < 3 && status == TR_OK; i++) {
        *lists[i].list = TR_NONE;
        status = tr_json_get_array(document->json, document->root, lists[i].key, TR_JSON_OPTIONAL,
                                   lists[i].list, document->error);
    }
    return status;
}

static tr_status begin(gltf_motion_reading *reading, gltf_paints *paints) {
    gltf_document *document = reading->document;
    const tr_allocator *allocator = &document->reading.allocator;
    paints->image_list = paints->texture_list = paints->sampler_list = TR_NONE;
    tr_status status = reading->options.textures ? find_lists(document, paints) : TR_OK;
    if (status != TR_OK)
        return status;
    paints->material_count = tr_json_count(document->json, document->material_list);
    paints->picture_count = tr_json_count(document->json, paints->image_list);
    paints->materials = tr_allocate_zero(allocator, paints->material_count, sizeof *paints->materials);
    paints->pictures = tr_allocate_zero(allocator, paints->picture_count, sizeof *paints->pictures);
    paints->tried = tr_allocate_zero(allocator, paints->picture_count, sizeof *paints->tried);
    return paints->materials && paints->pictures && paints->tried ? TR_OK : tr_gltf_motion_no_memory(reading);
}

void tr_gltf_paints_free(gltf_motion_reading *reading, gltf_paints *paints) {
    const tr_allocator *allocator = &reading->document->reading.allocator;
    for (uint32_t i = 0; paints->pictures && i < paints->picture_count; i++)
        tr_picture_destroy(&paints->pictures[i]);
    tr_release(allocator, paints->materials, paints->material_count, sizeof *paints->materials);
    tr_release(allocator, paints->pictures, paints->picture_count, sizeof *paints->pictures);
    tr_release(allocator, paints->tried, paints->picture_count, sizeof *paints->tried);
}

// The bytes of an image: a view, or a file of its own (`owned`).
static tr_status find_image(gltf_motion_reading *reading, uint32_t image, gltf_view *view, tr_bytes *owned,
                            tr_error *why) {
    gltf_document *document = reading->document;
    uint32_t number = TR_NONE;
    const char *uri = NULL;
    tr_status status = tr_gltf_get_index(document, image, "bufferView", TR_JSON_OPTIONAL, document->view_list,
                                         "bufferViews", &number);
    if (status == TR_OK && number != TR_NONE)
        return tr_gltf_open_view(document, number, view);
    if (status == TR_OK)
        status = tr_json_get_text(document->json, image, "uri", TR_JSON_OPTIONAL, &uri, document->error);
    if (status != TR_OK)
        return status;
    if (!uri || !document->load || strncmp(uri, "data:", 5) == 0)
        return TR_OK; // without bytes
    status = document->load(document->load_user, uri, &document->reading.allocator, owned, why);
    view->data = owned->data;
    view->size = owned->size;
    return status == TR_OUT_OF_MEMORY ? tr_gltf_motion_no_memory(reading) : TR_OK;
}

// How many pixels a PNG has, by its header.
static uint64_t pixels_of(const uint8_t *data, uint64_t size) {
    uint64_t sides[2] = {0, 0};
    for (uint32_t i = 0; size >= 24 && i < 8; i++)
        sides[i / 4] = sides[i / 4] << 8 | data[16 + i];
    return sides[0] * sides[1];
}

static tr_status read_picture(gltf_motion_reading *reading, gltf_paints *paints, uint32_t number) {
    const tr_allocator *allocator = &reading->document->reading.allocator;
    if (paints->tried[number])
        return TR_OK;
    paints->tried[number] = true;
    gltf_view view = {0};
    tr_bytes owned = {0};
    tr_error why = {0};
    uint32_t image = tr_json_item(reading->document->json, paints->image_list, number);
    tr_status status = find_image(reading, image, &view, &owned, &why);
    if (status != TR_OK)
        return status;
    const char *type = view.data ? tr_gltf_image_type(view.data, (size_t)view.size) : NULL;
    if (!type)
        tr_fail(&why, TR_UNAVAILABLE, "its bytes cannot be read");
    else if (strcmp(type, "image/png") != 0)
        tr_fail(&why, TR_UNAVAILABLE, "it is %s, pictures show only PNG", type);
    else if (pixels_of(view.data, view.size) > reading->options.max_values)
        tr_fail(&why, TR_LIMIT, "it has too many pixels");
    else
        status =
            tr_picture_decode_png(allocator, view.data, (size_t)view.size, &paints->pictures[number], &why);
    if (owned.data)
        tr_bytes_free(allocator, &owned);
    if (status == TR_OUT_OF_MEMORY)
        return tr_gltf_motion_no_memory(reading);
    if (!paints->pictures[number].pixels)
        tr_scene_note(&reading->document->reading,
                      "images[%u] is not shown in pictures, its materials have their plain colour: %s",
                      number, why.message);
    return TR_OK;
}

static void read_transform(const gltf_document *document, uint32_t info, gltf_paint *paint) {
    const tr_json *json = document->json;
    uint32_t transform =
        tr_json_member(json, tr_json_member(json, info, "extensions"), "KHR_texture_transform");
    double angle = tr_json_number(json, tr_json_member(json, transform, "rotation"));
    paint->cosine = 1;
    if (angle != 0 && isfinite(angle))
        tr_sin_cos(angle, &paint->sine, &paint->cosine);
    uint32_t offset = tr_json_member(json, transform, "offset"),
             scale = tr_json_member(json, transform, "scale");
    for (uint32_t i = 0; i < 2; i++) {
        paint->offset[i] = tr_json_number(json, tr_json_item(json, offset, i));
        paint->scale[i] = scale == TR_NONE ? 1 : tr_json_number(json, tr_json_item(json, scale, i));
    }
    uint32_t set = tr_json_member(json, transform, "texCoord");
    if (set != TR_NONE)
        paint->set = (uint32_t)fmin(fmax(tr_json_number(json, set), 0), 1000);
}

static tr_status read_texture(gltf_motion_reading *reading, gltf_paints *paints, uint32_t info,
                              gltf_paint *paint) {
    gltf_document *document = reading->document;
    const tr_json *json = document->json;
    uint32_t texture = TR_NONE, sampler = TR_NONE;
    int64_t set = 0;
    tr_status status = tr_gltf_get_index(document, info, "index", TR_JSON_REQUIRED, paints->texture_list,
                                         "textures", &texture);
    if (status == TR_OK)
        status =
            tr_json_get_integer(json, info, "texCoord", TR_JSON_OPTIONAL, 0, 1000, &set, document->error);
    if (status != TR_OK)
        return status;
    uint32_t value = tr_json_item(json, paints->texture_list, texture);
    status = tr_gltf_get_index(document, value, "source", TR_JSON_OPTIONAL, paints->image_list, "images",
                               &paint->image);
    if (status == TR_OK)
        status = tr_gltf_get_index(document, value, "sampler", TR_JSON_OPTIONAL, paints->sampler_list,
                                   "samplers", &sampler);
    if (status != TR_OK)
        return status;
    static const char *const wraps[] = {"wrapS", "wrapT"};
    for (int i = 0; i < 2; i++) {
        double wrap = tr_json_number(
            json, tr_json_member(json, tr_json_item(json, paints->sampler_list, sampler), wraps[i]));
        paint->clamps[i] = wrap == WRAP_CLAMP;
        paint->mirrors[i] = wrap == WRAP_MIRROR;
    }
    paint->set = (uint32_t)set;
    read_transform(document, info, paint);
    return paint->image == TR_NONE ? TR_OK : read_picture(reading, paints, paint->image);
}

static tr_status read_paint(gltf_motion_reading *reading, gltf_paints *paints, uint32_t material) {
    gltf_document *document = reading->document;
    gltf_paint *paint = &paints->materials[material];
    uint32_t look = TR_NONE, info = TR_NONE;
    double color[4] = {1, 1, 1, 1};
    if (paint->read)
        return TR_OK;
    *paint = (gltf_paint){.read = true, .image = TR_NONE};
    tr_status status =
        tr_json_get_object(document->json, tr_json_item(document->json, document->material_list, material),
                           "pbrMetallicRoughness", TR_JSON_OPTIONAL, &look, document->error);
    if (status == TR_OK && look != TR_NONE)
        status = tr_json_get_numbers(document->json, look, "baseColorFactor", TR_JSON_OPTIONAL, color, 4,
                                     document->error);
    if (status == TR_OK && look != TR_NONE && reading->options.textures)
        status = tr_json_get_object(document->json, look, "baseColorTexture", TR_JSON_OPTIONAL, &info,
                                    document->error);
    for (int i = 0; i < 3; i++)
        paint->factor[i] = (float)(color[i] > 0 ? color[i] < 1 ? color[i] : 1 : 0);
    return status == TR_OK && info != TR_NONE ? read_texture(reading, paints, info, paint) : status;
}

// An attribute with enough values of 2, 3 or 4 numbers; others are not used.
static tr_status open_numbers(gltf_document *document, const gltf_primitive *primitive, const char *name,
                              uint32_t least, uint32_t most, const gltf_accessor **accessor) {
    uint32_t attributes = tr_json_member(document->json, primitive->value, "attributes"), index = TR_NONE;
    *accessor = NULL;
    tr_status status = tr_gltf_get_index(document, attributes, name, TR_JSON_OPTIONAL,
                                         document->accessor_list, "accessors", &index);
    if (status == TR_OK && index != TR_NONE)
        status = tr_gltf_open_accessor(document, index, accessor);
    if (status == TR_OK && *accessor &&
        ((*accessor)->columns != 1 || (*accessor)->rows < least || (*accessor)->rows > most ||
         (*accessor)->count < primitive->positions->count))
        *accessor = NULL;
    return status;
}

tr_status tr_gltf_brush_open(gltf_motion_reading *reading, gltf_paints *paints,
                             const gltf_primitive *primitive, gltf_brush *brush) {
    gltf_document *document = reading->document;
    uint32_t material = TR_NONE;
    *brush = (gltf_brush){0};
    tr_status status = paints->materials ? TR_OK : begin(reading, paints);
    if (status == TR_OK)
        status = tr_gltf_get_index(document, primitive->value, "material", TR_JSON_OPTIONAL,
                                   document->material_list, "materials", &material);
    if (status == TR_OK)
        status = open_numbers(document, primitive, "COLOR_0", 3, 4, &brush->colors);
    if (status != TR_OK || material == TR_NONE)
        return status;
    status = read_paint(reading, paints, material);
    const gltf_paint *paint = &paints->materials[material];
    brush->paint = paint;
    if (status != TR_OK || paint->image == TR_NONE || !paints->pictures[paint->image].pixels)
        return status;
    char name[32];
    snprintf(name, sizeof name, "TEXCOORD_%u", paint->set);
    brush->picture = &paints->pictures[paint->image];
    return open_numbers(document, primitive, name, 2, 2, &brush->uv);
}

static double wrap(const gltf_paint *paint, int axis, double value) {
    if (!isfinite(value))
        return 0;
    if (paint->clamps[axis])
        return value < 0 ? 0 : value > 1 ? 1 : value;
    double round = floor(value), part = value - round;
    bool odd = round - 2 * floor(round * 0.5) != 0;
    return paint->mirrors[axis] && odd ? 1 - part : part;
}

static void add_texel(const gltf_brush *brush, double u, double v, double sum[3]) {
    const gltf_paint *paint = brush->paint;
    const tr_picture *picture = brush->picture;
    double x = u * paint->scale[0], y = v * paint->scale[1];
    u = wrap(paint, 0, paint->cosine * x + paint->sine * y + paint->offset[0]);
    v = wrap(paint, 1, paint->cosine * y - paint->sine * x + paint->offset[1]);
    uint32_t column = (uint32_t)(u * picture->width), row = (uint32_t)(v * picture->height);
    column = column < picture->width ? column : picture->width - 1;
    row = row < picture->height ? row : picture->height - 1;
    const uint8_t *pixel = picture->pixels + 3 * ((size_t)row * picture->width + column);
    for (int k = 0; k < 3; k++)
        sum[k] += to_linear(pixel[k]);
}

// The mean of the texture at a few points inside the triangle.
static void read_texels(const gltf_brush *brush, const uint32_t points[3], double color[3]) {
    static const double inside[][3] = {
        {1 / 3.0, 1 / 3.0, 1 / 3.0}, {0.8, 0.1, 0.1},   {0.1, 0.8, 0.1},  {0.1, 0.1, 0.8},
        {0.45, 0.45, 0.1},           {0.45, 0.1, 0.45}, {0.1, 0.45, 0.45}};
    double uv[3][2], sum[3] = {0, 0, 0};
    const uint32_t count = sizeof inside / sizeof *inside;
    for (int k = 0; k < 3; k++)
        tr_gltf_read_numbers(brush->uv, points[k], uv[k]);
    for (uint32_t i = 0; i < count; i++)
        add_texel(brush, inside[i][0] * uv[0][0] + inside[i][1] * uv[1][0] + inside[i][2] * uv[2][0],
                  inside[i][0] * uv[0][1] + inside[i][1] * uv[1][1] + inside[i][2] * uv[2][1], sum);
    for (int k = 0; k < 3; k++)
        color[k] *= sum[k] / count;
}

void tr_gltf_brush_color(const gltf_brush *brush, const uint32_t points[3], float color[3]) {
    double mixed[3] = {1, 1, 1}, corner[4];
    for (int k = 0; k < 3 && brush->paint; k++)
        mixed[k] = brush->paint->factor[k];
    if (brush->picture && brush->uv)
        read_texels(brush, points, mixed);
    double vertex[3] = {0, 0, 0};
    for (int i = 0; i < 3 && brush->colors; i++) {
        tr_gltf_read_numbers(brush->colors, points[i], corner);
        for (int k = 0; k < 3; k++)
            vertex[k] += corner[k] / 3;
    }
    for (int k = 0; k < 3; k++) {
        double value = brush->colors ? mixed[k] * vertex[k] : mixed[k];
        color[k] = (float)(value > 0 ? value < 1 ? value : 1 : 0);
    }
}
