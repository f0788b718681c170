#include "troupe/io/picture.h"

#ifdef TROUPE_HAVE_PNG
#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

// libpng frees blocks without the size that tr_allocator needs, so each block stores it in front.
typedef union block_head {
    size_t size;
    char room[16]; // keeps the block itself aligned
} block_head;

typedef struct png_encoder {
    tr_allocator allocator;
    const tr_picture *picture;
    uint8_t *data;
    size_t size, capacity;
    bool out_of_memory;
    char sentence[128]; // message of libpng
} png_encoder;

static png_voidp allocate_block(png_structp png, png_alloc_size_t size) {
    png_encoder *encoder = png_get_mem_ptr(png);
    block_head *head =
        size <= SIZE_MAX - sizeof *head ? tr_allocate(&encoder->allocator, 1, size + sizeof *head) : NULL;
    if (!head) {
        encoder->out_of_memory = true;
        return NULL;
    }
    head->size = size;
    return head + 1;
}

static void release_block(png_structp png, png_voidp block) {
    png_encoder *encoder = png_get_mem_ptr(png);
    if (block) {
        block_head *head = (block_head *)block - 1;
        tr_release(&encoder->allocator, head, 1, head->size + sizeof *head);
    }
}

static void on_error(png_structp png, png_const_charp sentence) {
    png_encoder *encoder = png_get_error_ptr(png);
    strncpy(encoder->sentence, sentence, sizeof encoder->sentence - 1);
    png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp sentence) {
    (void)png;
    (void)sentence;
}

static void append(png_structp png, png_bytep bytes, size_t count) {
    png_encoder *encoder = png_get_io_ptr(png);
    if (encoder->capacity - encoder->size < count) {
        size_t wanted = 2 * encoder->capacity + count + 4096;
        void *moved =
            encoder->allocator.resize(encoder->allocator.user, encoder->data, encoder->capacity, wanted);
        if (!moved) {
            encoder->out_of_memory = true;
            png_error(png, "no memory");
        }
        encoder->data = moved;
        encoder->capacity = wanted;
    }
    memcpy(encoder->data + encoder->size, bytes, count);
    encoder->size += count;
}

static void flush_nothing(png_structp png) {
    (void)png;
}

// Everything that libpng may jump out of. After setjmp, changes are made only through the pointers, so that
// no local variable is lost.
static bool encode(png_encoder *encoder, png_structp png, png_infop info) {
    if (setjmp(png_jmpbuf(png)))
        return false;
    const tr_picture *picture = encoder->picture;
    png_set_write_fn(png, encoder, append, flush_nothing);
    png_set_IHDR(png, info, picture->width, picture->height, 8, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_sRGB(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
    png_write_info(png, info);
    for (uint32_t y = 0; y < picture->height; y++)
        png_write_row(png, picture->pixels + 3 * (size_t)y * picture->width);
    png_write_end(png, info);
    return true;
}

// The block must be as large as its content, for tr_bytes_free.
static bool trim(png_encoder *encoder) {
    void *moved =
        encoder->allocator.resize(encoder->allocator.user, encoder->data, encoder->capacity, encoder->size);
    if (!moved)
        return false;
    encoder->data = moved;
    encoder->capacity = encoder->size;
    return true;
}

tr_status tr_picture_encode_png(const tr_allocator *allocator, const tr_picture *picture, tr_bytes *png_bytes,
                                tr_error *error) {
    if (!picture || !picture->pixels)
        return tr_fail(error, TR_INVALID, "the picture to encode is NULL");
    png_encoder encoder = {.allocator = tr_allocator_or_default(allocator), .picture = picture};
    png_structp png = png_create_write_struct_2(PNG_LIBPNG_VER_STRING, &encoder, on_error, on_warning,
                                                &encoder, allocate_block, release_block);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    bool done = info && encode(&encoder, png, info);
    if (png)
        png_destroy_write_struct(&png, info ? &info : NULL);
    if (done && trim(&encoder)) {
        png_bytes->data = encoder.data;
        png_bytes->size = encoder.size;
        return TR_OK;
    }
    tr_release(&encoder.allocator, encoder.data, encoder.capacity, 1);
    if (done || encoder.out_of_memory || !info)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory to encode a picture of %u x %u pixels",
                       picture->width, picture->height);
    return tr_fail(error, TR_INVALID, "libpng: %s", encoder.sentence);
}

#define PIXELS_MAX (1u << 26)

typedef struct png_decoder {
    png_encoder memory; // the first member: what libpng's callbacks find
    const uint8_t *data;
    size_t size, at;
    tr_picture *picture;
    tr_status status;
} png_decoder;

static void take(png_structp png, png_bytep bytes, size_t count) {
    png_decoder *decoder = png_get_io_ptr(png);
    if (decoder->size - decoder->at < count)
        png_error(png, "the file ends early");
    memcpy(bytes, decoder->data + decoder->at, count);
    decoder->at += count;
}

// Everything that libpng may jump out of; changes are made only through the pointers.
static bool decode(png_decoder *decoder, png_structp png, png_infop info) {
    if (setjmp(png_jmpbuf(png)))
        return false;
    png_set_read_fn(png, decoder, take);
    png_read_info(png, info);
    uint32_t width = png_get_image_width(png, info), height = png_get_image_height(png, info);
    if (width > TR_PICTURE_SIDE_MAX || height > TR_PICTURE_SIDE_MAX || width > PIXELS_MAX / height) {
        decoder->status = TR_LIMIT;
        png_error(png, "the picture has too many pixels");
    }
    png_set_expand(png);
    png_set_scale_16(png);
    png_set_gray_to_rgb(png);
    png_set_strip_alpha(png);
    int passes = png_set_interlace_handling(png);
    png_read_update_info(png, info);
    if (png_get_rowbytes(png, info) != 3 * (size_t)width)
        png_error(png, "its pixels have an unknown form");
    tr_color black = {0, 0, 0};
    decoder->status =
        tr_picture_create(&decoder->memory.allocator, width, height, black, decoder->picture, NULL);
    if (decoder->status != TR_OK)
        png_error(png, "no memory for the picture");
    for (; passes > 0; passes--)
        for (uint32_t y = 0; y < height; y++)
            png_read_row(png, decoder->picture->pixels + 3 * (size_t)y * width, NULL);
    return true;
}

tr_status tr_picture_decode_png(const tr_allocator *allocator, const void *data, size_t size,
                                tr_picture *picture, tr_error *error) {
    *picture = (tr_picture){0};
    png_decoder decoder = {.memory = {.allocator = tr_allocator_or_default(allocator)},
                           .data = data,
                           .size = data ? size : 0,
                           .picture = picture};
    png_structp png = png_create_read_struct_2(PNG_LIBPNG_VER_STRING, &decoder.memory, on_error, on_warning,
                                               &decoder.memory, allocate_block, release_block);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    bool done = info && decode(&decoder, png, info);
    if (png)
        png_destroy_read_struct(&png, info ? &info : NULL, NULL);
    if (done)
        return TR_OK;
    tr_picture_destroy(picture);
    if (decoder.memory.out_of_memory || decoder.status == TR_OUT_OF_MEMORY || !info)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory to read a PNG picture");
    return tr_fail(error, decoder.status == TR_LIMIT ? TR_LIMIT : TR_BAD_FILE, "the PNG picture cannot be read: %s",
                   decoder.memory.sentence);
}
#else
tr_status tr_picture_decode_png(const tr_allocator *allocator, const void *data, size_t size,
                                tr_picture *picture, tr_error *error) {
    (void)allocator;
    (void)data;
    (void)size;
    *picture = (tr_picture){0};
    return tr_fail(error, TR_UNAVAILABLE, "this build of Troupe has no libpng and cannot read PNG pictures");
}

tr_status tr_picture_encode_png(const tr_allocator *allocator, const tr_picture *picture, tr_bytes *png_bytes,
                                tr_error *error) {
    (void)allocator;
    (void)picture;
    (void)png_bytes;
    return tr_fail(error, TR_UNAVAILABLE, "this build of Troupe has no libpng and cannot write PNG files");
}
#endif

tr_status tr_picture_write_png(const tr_picture *picture, const char *path, tr_error *error) {
    tr_bytes png = {NULL, 0};
    const tr_allocator *allocator = picture ? &picture->allocator : NULL;
    tr_status status = tr_picture_encode_png(allocator, picture, &png, error);
    if (status != TR_OK) {
        tr_error_set_file(error, path);
        return status;
    }
    status = tr_file_write(path, png.data, png.size, error);
    tr_bytes_free(allocator, &png);
    return status;
}
