// Buffers on the card.
#include "raster_gl.h"

#ifdef TROUPE_HAVE_GL

tr_status tr_gl_check(const gl_functions *gl, const char *what, tr_error *error) {
    GLenum first = gl->GetError();
    if (first == GL_NO_ERROR)
        return TR_OK;
    // Each kind of error is kept until it is queried; a lost context reports one for ever.
    for (int i = 0; i < 8 && gl->GetError() != GL_NO_ERROR; i++)
        continue;
    if (first == GL_OUT_OF_MEMORY)
        return tr_fail(error, TR_OUT_OF_MEMORY, "OpenGL has no memory for %s", what);
    return tr_fail(error, TR_UNAVAILABLE, "OpenGL reports error 0x%x: %s", (unsigned)first, what);
}

tr_status tr_gl_buffer_reserve(gl_raster *raster, gl_buffer *buffer, size_t size, GLbitfield flags,
                               tr_error *error) {
    if (buffer->name && buffer->size >= size)
        return TR_OK;
    if ((uint64_t)size > (uint64_t)raster->storage_max)
        return tr_fail(error, TR_LIMIT,
                       "a buffer of %zu bytes is needed, the maximum of this OpenGL driver is %lld", size,
                       (long long)raster->storage_max);
    const gl_functions *gl = &raster->context.gl;
    tr_gl_buffer_destroy(gl, buffer);
    size = size < 256 ? 256 : size;
    gl->CreateBuffers(1, &buffer->name);
    gl->NamedBufferStorage(buffer->name, (GLsizeiptr)size, NULL, flags);
    tr_status status = tr_gl_check(gl, "a buffer", error);
    if (status == TR_OK && (flags & GL_MAP_PERSISTENT_BIT)) {
        GLbitfield access =
            flags & (GL_MAP_READ_BIT | GL_MAP_WRITE_BIT | GL_MAP_PERSISTENT_BIT | GL_MAP_COHERENT_BIT);
        buffer->map = gl->MapNamedBufferRange(buffer->name, 0, (GLsizeiptr)size, access);
        status = buffer->map ? TR_OK : tr_gl_check(gl, "mapping a buffer", error);
        if (!buffer->map && status == TR_OK)
            status = tr_fail(error, TR_OUT_OF_MEMORY, "OpenGL cannot map a buffer of %zu bytes", size);
    }
    buffer->size = size;
    if (status != TR_OK)
        tr_gl_buffer_destroy(gl, buffer);
    return status;
}

void tr_gl_buffer_destroy(const gl_functions *gl, gl_buffer *buffer) {
    gl->DeleteBuffers(1, &buffer->name); // unmaps it, without waiting
    gl_buffer none = {0};
    *buffer = none;
}
#else
typedef int raster_gl_buffer_is_empty; // ISO C requires a declaration
#endif
