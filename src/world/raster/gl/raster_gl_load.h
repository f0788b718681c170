// Finds EGL and OpenGL 4.5 at run time, and holds a context without a window. Internal to world/.
//
// Nothing is linked: the program also starts on a machine that has neither library.
#pragma once
#ifdef TROUPE_HAVE_GL
#include "troupe/base/status.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/glcorearb.h>

#define EGL_FUNCTIONS(X)                                                                                     \
    X(PFNEGLGETPROCADDRESSPROC, GetProcAddress)                                                              \
    X(PFNEGLQUERYSTRINGPROC, QueryString)                                                                    \
    X(PFNEGLGETDISPLAYPROC, GetDisplay)                                                                      \
    X(PFNEGLINITIALIZEPROC, Initialize)                                                                      \
    X(PFNEGLBINDAPIPROC, BindAPI)                                                                            \
    X(PFNEGLQUERYAPIPROC, QueryAPI)                                                                          \
    X(PFNEGLCHOOSECONFIGPROC, ChooseConfig)                                                                  \
    X(PFNEGLCREATECONTEXTPROC, CreateContext)                                                                \
    X(PFNEGLDESTROYCONTEXTPROC, DestroyContext)                                                              \
    X(PFNEGLMAKECURRENTPROC, MakeCurrent)                                                                    \
    X(PFNEGLGETCURRENTCONTEXTPROC, GetCurrentContext)                                                        \
    X(PFNEGLGETCURRENTDISPLAYPROC, GetCurrentDisplay)                                                        \
    X(PFNEGLGETCURRENTSURFACEPROC, GetCurrentSurface)                                                        \
    X(PFNEGLGETERRORPROC, GetError)

#define GL_FUNCTIONS(X)                                                                                      \
    X(PFNGLGETSTRINGPROC, GetString)                                                                         \
    X(PFNGLGETERRORPROC, GetError)                                                                           \
    X(PFNGLGETINTEGER64VPROC, GetInteger64v)                                                                 \
    X(PFNGLENABLEPROC, Enable)                                                                               \
    X(PFNGLDISABLEPROC, Disable)                                                                             \
    X(PFNGLPOLYGONMODEPROC, PolygonMode)                                                                     \
    X(PFNGLVIEWPORTPROC, Viewport)                                                                           \
    X(PFNGLCREATESHADERPROC, CreateShader)                                                                   \
    X(PFNGLSHADERSOURCEPROC, ShaderSource)                                                                   \
    X(PFNGLCOMPILESHADERPROC, CompileShader)                                                                 \
    X(PFNGLGETSHADERIVPROC, GetShaderiv)                                                                     \
    X(PFNGLGETSHADERINFOLOGPROC, GetShaderInfoLog)                                                           \
    X(PFNGLDELETESHADERPROC, DeleteShader)                                                                   \
    X(PFNGLCREATEPROGRAMPROC, CreateProgram)                                                                 \
    X(PFNGLATTACHSHADERPROC, AttachShader)                                                                   \
    X(PFNGLLINKPROGRAMPROC, LinkProgram)                                                                     \
    X(PFNGLGETPROGRAMIVPROC, GetProgramiv)                                                                   \
    X(PFNGLGETPROGRAMINFOLOGPROC, GetProgramInfoLog)                                                         \
    X(PFNGLDELETEPROGRAMPROC, DeleteProgram)                                                                 \
    X(PFNGLUSEPROGRAMPROC, UseProgram)                                                                       \
    X(PFNGLPROGRAMUNIFORM1UIPROC, ProgramUniform1ui)                                                         \
    X(PFNGLPROGRAMUNIFORMMATRIX4FVPROC, ProgramUniformMatrix4fv)                                             \
    X(PFNGLCREATEBUFFERSPROC, CreateBuffers)                                                                 \
    X(PFNGLDELETEBUFFERSPROC, DeleteBuffers)                                                                 \
    X(PFNGLNAMEDBUFFERSTORAGEPROC, NamedBufferStorage)                                                       \
    X(PFNGLMAPNAMEDBUFFERRANGEPROC, MapNamedBufferRange)                                                     \
    X(PFNGLUNMAPNAMEDBUFFERPROC, UnmapNamedBuffer)                                                           \
    X(PFNGLCLEARNAMEDBUFFERSUBDATAPROC, ClearNamedBufferSubData)                                             \
    X(PFNGLCOPYNAMEDBUFFERSUBDATAPROC, CopyNamedBufferSubData)                                               \
    X(PFNGLBINDBUFFERPROC, BindBuffer)                                                                       \
    X(PFNGLDISPATCHCOMPUTEINDIRECTPROC, DispatchComputeIndirect)                                             \
    X(PFNGLBINDBUFFERBASEPROC, BindBufferBase)                                                               \
    X(PFNGLBINDBUFFERRANGEPROC, BindBufferRange)                                                             \
    X(PFNGLDISPATCHCOMPUTEPROC, DispatchCompute)                                                             \
    X(PFNGLMEMORYBARRIERPROC, MemoryBarrier)                                                                 \
    X(PFNGLFENCESYNCPROC, FenceSync)                                                                         \
    X(PFNGLCLIENTWAITSYNCPROC, ClientWaitSync)                                                               \
    X(PFNGLDELETESYNCPROC, DeleteSync)                                                                       \
    X(PFNGLCREATEFRAMEBUFFERSPROC, CreateFramebuffers)                                                       \
    X(PFNGLDELETEFRAMEBUFFERSPROC, DeleteFramebuffers)                                                       \
    X(PFNGLNAMEDFRAMEBUFFERPARAMETERIPROC, NamedFramebufferParameteri)                                       \
    X(PFNGLBINDFRAMEBUFFERPROC, BindFramebuffer)                                                             \
    X(PFNGLNAMEDFRAMEBUFFERTEXTUREPROC, NamedFramebufferTexture)                                             \
    X(PFNGLCHECKNAMEDFRAMEBUFFERSTATUSPROC, CheckNamedFramebufferStatus)                                     \
    X(PFNGLCLEARNAMEDFRAMEBUFFERFVPROC, ClearNamedFramebufferfv)                                             \
    X(PFNGLCREATETEXTURESPROC, CreateTextures)                                                               \
    X(PFNGLDELETETEXTURESPROC, DeleteTextures)                                                               \
    X(PFNGLTEXTURESTORAGE2DPROC, TextureStorage2D)                                                           \
    X(PFNGLTEXTURESUBIMAGE2DPROC, TextureSubImage2D)                                                         \
    X(PFNGLBINDTEXTUREUNITPROC, BindTextureUnit)                                                             \
    X(PFNGLREADPIXELSPROC, ReadPixels)                                                                       \
    X(PFNGLPIXELSTOREIPROC, PixelStorei)                                                                     \
    X(PFNGLCREATEVERTEXARRAYSPROC, CreateVertexArrays)                                                       \
    X(PFNGLDELETEVERTEXARRAYSPROC, DeleteVertexArrays)                                                       \
    X(PFNGLBINDVERTEXARRAYPROC, BindVertexArray)                                                             \
    X(PFNGLDRAWARRAYSPROC, DrawArrays)                                                                       \
    X(PFNGLDEPTHFUNCPROC, DepthFunc)                                                                         \
    X(PFNGLDEPTHMASKPROC, DepthMask)                                                                         \
    X(PFNGLDEPTHRANGEFPROC, DepthRangef)                                                                     \
    X(PFNGLCLIPCONTROLPROC, ClipControl)                                                                     \
    X(PFNGLCREATEQUERIESPROC, CreateQueries)                                                                 \
    X(PFNGLDELETEQUERIESPROC, DeleteQueries)                                                                 \
    X(PFNGLBEGINQUERYPROC, BeginQuery)                                                                       \
    X(PFNGLENDQUERYPROC, EndQuery)                                                                           \
    X(PFNGLGETQUERYOBJECTUIVPROC, GetQueryObjectuiv)

#define GL_MEMBER(type, name) type name;
typedef struct egl_functions {
    EGL_FUNCTIONS(GL_MEMBER)
} egl_functions;
typedef struct gl_functions {
    GL_FUNCTIONS(GL_MEMBER)
} gl_functions;
#undef GL_MEMBER

typedef struct gl_context {
    egl_functions egl;
    gl_functions gl;
    EGLDisplay display;
    EGLContext context;
} gl_context;

// The context that was current in the calling thread before: tr_gl_context_leave restores it.
typedef struct gl_visit {
    EGLenum api;
    EGLDisplay display;
    EGLSurface draw, read;
    EGLContext context;
} gl_visit;

// Tries graphics hardware first, then the system's default, software last. TR_UNAVAILABLE names the step that
// failed.
tr_status tr_gl_context_open(gl_context *context, tr_error *error);
void tr_gl_context_close(gl_context *context); // not while it is current
tr_status tr_gl_context_enter(const gl_context *context, gl_visit *visit, tr_error *error);
void tr_gl_context_leave(const gl_context *context, const gl_visit *visit);
#endif
