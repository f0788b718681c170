#include "raster_gl_load.h"
#include "world/raster/raster_backend.h"

#ifdef TROUPE_HAVE_GL
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#define DEVICES_MAX 32

typedef void (*any_function)(void);

// One pass through the candidates: the data that is known before a display is chosen, and why the last
// candidate failed.
typedef struct egl_search {
    gl_context *context;
    PFNEGLGETPLATFORMDISPLAYEXTPROC get_platform_display; // NULL when there are no platforms
    char reason[256];
} egl_search;

static bool has_word(const char *list, const char *word) {
    size_t length = strlen(word);
    for (const char *at = list ? strstr(list, word) : NULL; at; at = strstr(at + 1, word))
        if ((at == list || at[-1] == ' ') && (at[length] == ' ' || at[length] == 0))
            return true;
    return false;
}

// ISO C has no cast from an object pointer, as dlsym returns it, to a function pointer.
static any_function find_symbol(void *library, const char *name) {
    void *symbol = dlsym(library, name);
    any_function function;
    memcpy(&function, &symbol, sizeof function);
    return function;
}

static tr_status load_egl(egl_functions *egl, tr_error *error) {
    // Never closed: drivers keep threads and exit handlers that must not lose their code.
    void *library = dlopen("libEGL.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        const char *reason = dlerror();
        return tr_fail(error, TR_UNAVAILABLE, "cannot load libEGL.so.1: %s",
                       reason ? reason : "no reason given");
    }
#define LOAD(type, name)                                                                                     \
    egl->name = (type)find_symbol(library, "egl" #name);                                                     \
    if (!egl->name)                                                                                          \
        return tr_fail(error, TR_UNAVAILABLE, "libEGL.so.1 has no egl" #name);
    EGL_FUNCTIONS(LOAD)
#undef LOAD
    return TR_OK;
}

static bool load_gl(egl_search *search) {
    gl_context *context = search->context;
#define LOAD(type, name)                                                                                     \
    context->gl.name = (type)context->egl.GetProcAddress("gl" #name);                                        \
    if (!context->gl.name) {                                                                                 \
        snprintf(search->reason, sizeof search->reason, "the driver has no gl" #name);                       \
        return false;                                                                                        \
    }
    GL_FUNCTIONS(LOAD)
#undef LOAD
    return true;
}

static bool create_context(egl_search *search) {
    gl_context *context = search->context;
    const char *extensions = context->egl.QueryString(context->display, EGL_EXTENSIONS);
    if (!has_word(extensions, "EGL_KHR_surfaceless_context")) {
        snprintf(search->reason, sizeof search->reason,
                 "the display does not support contexts without a surface");
        return false;
    }
    EGLConfig config = EGL_NO_CONFIG_KHR;
    if (!has_word(extensions, "EGL_KHR_no_config_context")) {
        const EGLint wanted[] = {EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_SURFACE_TYPE, 0, EGL_NONE};
        EGLint count = 0;
        if (!context->egl.ChooseConfig(context->display, wanted, &config, 1, &count) || count < 1) {
            snprintf(search->reason, sizeof search->reason, "the display has no configuration for OpenGL");
            return false;
        }
    }
    const EGLint attributes[] = {EGL_CONTEXT_MAJOR_VERSION,
                                 4,
                                 EGL_CONTEXT_MINOR_VERSION,
                                 5,
                                 EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                 EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                 EGL_NONE};
    context->context = context->egl.CreateContext(context->display, config, EGL_NO_CONTEXT, attributes);
    if (context->context == EGL_NO_CONTEXT) {
        snprintf(search->reason, sizeof search->reason, "no OpenGL 4.5 context: EGL error 0x%x",
                 (unsigned)context->egl.GetError());
        return false;
    }
    return true;
}

// A context that was created may still fail to become current (for example on a device node without
// permission), so that is tried too.
static bool try_context(egl_search *search) {
    gl_context *context = search->context;
    gl_visit visit;
    tr_error error;
    if (tr_gl_context_enter(context, &visit, &error) != TR_OK) {
        snprintf(search->reason, sizeof search->reason, "%.200s", error.message);
        return false;
    }
    bool loaded = load_gl(search);
    tr_gl_context_leave(context, &visit);
    return loaded;
}

static bool try_display(egl_search *search, EGLDisplay display) {
    gl_context *context = search->context;
    if (display == EGL_NO_DISPLAY || !context->egl.Initialize(display, NULL, NULL)) {
        snprintf(search->reason, sizeof search->reason, "cannot initialise the display: EGL error 0x%x",
                 (unsigned)context->egl.GetError());
        return false;
    }
    // All users of EGL in the process share a display, so it is never terminated: that would end theirs too.
    context->display = display;
    EGLenum api = context->egl.QueryAPI();
    bool found = false;
    if (context->egl.BindAPI(EGL_OPENGL_API))
        found = create_context(search);
    else
        snprintf(search->reason, sizeof search->reason, "EGL does not offer OpenGL");
    context->egl.BindAPI(api);
    if (found && try_context(search))
        return true;
    tr_gl_context_close(context);
    return false;
}

static bool try_platform(egl_search *search, EGLenum platform, void *native) {
    return search->get_platform_display &&
           try_display(search, search->get_platform_display(platform, native, NULL));
}

typedef struct egl_devices {
    EGLDeviceEXT device[DEVICES_MAX];
    bool software[DEVICES_MAX];
    EGLint count;
} egl_devices;

static void list_devices(const egl_functions *egl, const char *extensions, egl_devices *devices) {
    devices->count = 0;
    bool listed =
        has_word(extensions, "EGL_EXT_platform_device") &&
        (has_word(extensions, "EGL_EXT_device_enumeration") || has_word(extensions, "EGL_EXT_device_base"));
    PFNEGLQUERYDEVICESEXTPROC query_devices =
        listed ? (PFNEGLQUERYDEVICESEXTPROC)egl->GetProcAddress("eglQueryDevicesEXT") : NULL;
    if (!query_devices || !query_devices(DEVICES_MAX, devices->device, &devices->count))
        devices->count = 0;
    PFNEGLQUERYDEVICESTRINGEXTPROC query_string =
        (PFNEGLQUERYDEVICESTRINGEXTPROC)egl->GetProcAddress("eglQueryDeviceStringEXT");
    for (EGLint i = 0; i < devices->count; i++)
        devices->software[i] = query_string && has_word(query_string(devices->device[i], EGL_EXTENSIONS),
                                                        "EGL_MESA_device_software");
}

static bool try_devices(egl_search *search, const egl_devices *devices, bool software) {
    for (EGLint i = 0; i < devices->count; i++)
        if (devices->software[i] == software &&
            try_platform(search, EGL_PLATFORM_DEVICE_EXT, devices->device[i]))
            return true;
    return false;
}

tr_status tr_gl_context_open(gl_context *context, tr_error *error) {
    memset(context, 0, sizeof *context);
    context->display = EGL_NO_DISPLAY;
    context->context = EGL_NO_CONTEXT;
    tr_status status = load_egl(&context->egl, error);
    if (status != TR_OK)
        return status;
    egl_search search = {.context = context, .reason = "no display"};
    const char *extensions = context->egl.QueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
    if (has_word(extensions, "EGL_EXT_platform_base"))
        search.get_platform_display =
            (PFNEGLGETPLATFORMDISPLAYEXTPROC)context->egl.GetProcAddress("eglGetPlatformDisplayEXT");
    egl_devices devices;
    list_devices(&context->egl, extensions, &devices);
    bool surfaceless = has_word(extensions, "EGL_MESA_platform_surfaceless");
    if (try_devices(&search, &devices, false) ||
        (surfaceless && try_platform(&search, EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY)) ||
        try_display(&search, context->egl.GetDisplay(EGL_DEFAULT_DISPLAY)) ||
        try_devices(&search, &devices, true))
        return TR_OK;
    return tr_fail(error, TR_UNAVAILABLE, "OpenGL 4.5 is not available through EGL: %s", search.reason);
}

void tr_gl_context_close(gl_context *context) {
    if (context->context != EGL_NO_CONTEXT)
        context->egl.DestroyContext(context->display, context->context);
    context->context = EGL_NO_CONTEXT;
    context->display = EGL_NO_DISPLAY;
}

tr_status tr_gl_context_enter(const gl_context *context, gl_visit *visit, tr_error *error) {
    const egl_functions *egl = &context->egl;
    visit->api = egl->QueryAPI();
    visit->display = egl->GetCurrentDisplay();
    visit->context = egl->GetCurrentContext();
    visit->draw = egl->GetCurrentSurface(EGL_DRAW);
    visit->read = egl->GetCurrentSurface(EGL_READ);
    egl->BindAPI(EGL_OPENGL_API);
    if (egl->MakeCurrent(context->display, EGL_NO_SURFACE, EGL_NO_SURFACE, context->context))
        return TR_OK;
    unsigned reason = (unsigned)egl->GetError();
    egl->BindAPI(visit->api);
    return tr_fail(error, TR_UNAVAILABLE, "cannot make the OpenGL context current: EGL error 0x%x", reason);
}

void tr_gl_context_leave(const gl_context *context, const gl_visit *visit) {
    const egl_functions *egl = &context->egl;
    if (visit->context == EGL_NO_CONTEXT)
        egl->MakeCurrent(context->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    egl->BindAPI(visit->api);
    if (visit->context != EGL_NO_CONTEXT)
        egl->MakeCurrent(visit->display, visit->draw, visit->read, visit->context);
}
#endif
