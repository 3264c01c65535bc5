/* plugin.c: a device with memory of its own for GCC's libgomp, in place of its plugin for nvptx:
 * see offload.go.
 *
 * As with a processor on a card, the program's data reach the device only through these functions.
 * Memory comes from mappings that hold nothing else, each followed by a page without access. An
 * address outside that memory ends the program. Kernels run on threads of their own. They belong to
 * the image's own copy of the program's target regions, which has its own variables.
 * OPARI_DEVICE_LOG names a file that gets a line for each call.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define EXPORTED __attribute__((visibility("default")))

enum {
    CAN_OPENMP = 1 << 2,
    TYPE_NVPTX = 5,
    DEVICES = 4,
    RANGES = 1 << 16,
    PAGE = 4096,
    VERSION = 1
};

struct addr_pair {
    uintptr_t start, end;
};
struct image {
    const char *begin, *end;
}; /* the argument of GOMP_offload_register_ver: a shared object */

extern void *GOMP_PLUGIN_malloc(size_t);
extern void GOMP_PLUGIN_target_task_completion(void *);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct range {
    uintptr_t start, end;
    int device;
} range[RANGES]; /* accessible memory */
static int ranges, logged = -1;
static struct {
    const void *image;
    void *handle;
    int device;
} loaded[DEVICES * 64];
static int loads;

/* The runtime's own fatal function would wait for locks that it holds. */
__attribute__((noreturn, format(printf, 1, 2))) static void fatal(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    (void)vfprintf(stderr, format, list);
    va_end(list);
    (void)fputc('\n', stderr);
    abort();
}

__attribute__((format(printf, 1, 2))) static void line(const char *format, ...)
{
    char text[256];
    va_list list;
    const char *name = getenv("OPARI_DEVICE_LOG");
    if (name == NULL)
        return;
    va_start(list, format);
    int n = vsnprintf(text, sizeof text, format, list);
    va_end(list);
    pthread_mutex_lock(&lock);
    if (logged < 0)
        logged = open(name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (n > 0 && write(logged, text, (size_t)n) < 0)
        abort();
    pthread_mutex_unlock(&lock);
}

static void range_add(int device, uintptr_t start, size_t bytes)
{
    pthread_mutex_lock(&lock);
    if (ranges == RANGES)
        fatal("test device: too much is allocated");
    range[ranges++] = (struct range){start, start + bytes, device};
    pthread_mutex_unlock(&lock);
}

/* Ends the program if the bytes are outside the device's memory. */
static void range_check(int device, const void *at, size_t bytes, const char *what)
{
    const uintptr_t start = (uintptr_t)at;
    int found = 0;
    pthread_mutex_lock(&lock);
    for (int i = ranges; i-- > 0 && !found;)
        found =
            range[i].device == device && start >= range[i].start && start + bytes <= range[i].end;
    pthread_mutex_unlock(&lock);
    if (!found)
        fatal("test device: %s: %p, %zu bytes: no memory of device %d", what, at, bytes, device);
}

EXPORTED const char *GOMP_OFFLOAD_get_name(void) { return "nvptx"; }
EXPORTED unsigned GOMP_OFFLOAD_get_caps(void) { return CAN_OPENMP; }
EXPORTED int GOMP_OFFLOAD_get_type(void) { return TYPE_NVPTX; }
EXPORTED unsigned GOMP_OFFLOAD_version(void) { return VERSION; }

EXPORTED int GOMP_OFFLOAD_get_num_devices(void)
{
    const char *number = getenv("OPARI_DEVICES");
    const int n = number != NULL ? atoi(number) : 1;
    return n > DEVICES ? DEVICES : n;
}

EXPORTED bool GOMP_OFFLOAD_init_device(int device)
{
    line("init %d\n", device);
    return true;
}

EXPORTED bool GOMP_OFFLOAD_fini_device(int device)
{
    line("fini %d\n", device);
    return true;
}

/* Opens a copy of the image for each device, so that each has its own variables. */
static void *image_open(const struct image *image)
{
    char path[64];
    const int file = memfd_create("image", MFD_CLOEXEC);
    const size_t size = (size_t)(image->end - image->begin);
    if (file < 0 || write(file, image->begin, size) != (ssize_t)size)
        fatal("test device: no room for an image");
    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
    if (handle == NULL)
        fatal("test device: %s", dlerror());
    /* The file stays open, or a later one could get the same name, which the loader takes for the
     * same file. */
    return handle;
}

EXPORTED int GOMP_OFFLOAD_load_image(int device, unsigned version, const void *data,
                                     struct addr_pair **table)
{
    (void)version;
    void *handle = image_open(data);
    void ***tables = dlsym(handle, "opari_device_table");
    int *number = dlsym(handle, "opari_device_number");
    if (tables == NULL || number == NULL)
        fatal("test device: %s", dlerror());
    const size_t functions = (size_t)(tables[1] - tables[0]),
                 variables = (size_t)(tables[3] - tables[2]) / 2;
    struct addr_pair *pair = *table =
        GOMP_PLUGIN_malloc((functions + variables + 1) * sizeof *pair);
    for (size_t i = 0; i < functions; i++, pair++)
        *pair = (struct addr_pair){(uintptr_t)tables[0][i], (uintptr_t)tables[0][i] + 1};
    for (size_t i = 0; i < variables; i++, pair++) {
        const uintptr_t size = (uintptr_t)tables[2][2 * i + 1] & (UINTPTR_MAX >> 1);
        *pair = (struct addr_pair){(uintptr_t)tables[2][2 * i], (uintptr_t)tables[2][2 * i] + size};
        range_add(device, pair->start, size);
    }
    *pair = (struct addr_pair){(uintptr_t)number, (uintptr_t)(number + 1)};
    range_add(device, pair->start, sizeof *number);
    pthread_mutex_lock(&lock);
    if (loads == (int)(sizeof loaded / sizeof *loaded))
        fatal("test device: too many images");
    loaded[loads].image = data;
    loaded[loads].handle = handle;
    loaded[loads++].device = device;
    pthread_mutex_unlock(&lock);
    line("load %d %zu %zu\n", device, functions, variables);
    return (int)(functions + variables + 1);
}

EXPORTED bool GOMP_OFFLOAD_unload_image(int device, unsigned version, const void *data)
{
    (void)version;
    (void)data;
    line("unload %d\n", device);
    return true;
}

/* The bytes end at the page without access, except for what alignment takes. */
EXPORTED void *GOMP_OFFLOAD_alloc(int device, size_t bytes)
{
    const size_t rounded = (bytes + PAGE - 1) / PAGE * PAGE;
    char *at =
        mmap(NULL, rounded + PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED)
        return NULL;
    (void)mprotect(at + rounded, PAGE, PROT_NONE);
    memset(at, 0xa5, rounded);
    range_add(device, (uintptr_t)at, bytes);
    line("alloc %d %p %zu\n", device, (void *)at, bytes);
    return at;
}

EXPORTED bool GOMP_OFFLOAD_free(int device, void *at)
{
    size_t bytes = 0;
    pthread_mutex_lock(&lock);
    int i = 0;
    while (i < ranges && (range[i].start != (uintptr_t)at || range[i].device != device))
        i++;
    if (i < ranges) {
        bytes = range[i].end - range[i].start;
        range[i] = range[--ranges];
    }
    pthread_mutex_unlock(&lock);
    if (bytes == 0)
        fatal("test device: free: %p: no memory of device %d", at, device);
    (void)munmap(at, (bytes + PAGE - 1) / PAGE * PAGE + PAGE);
    line("free %d %p %zu\n", device, at, bytes);
    return true;
}

EXPORTED bool GOMP_OFFLOAD_host2dev(int device, void *to, const void *from, size_t bytes)
{
    range_check(device, to, bytes, "host to device");
    memcpy(to, from, bytes);
    line("to %d %p %p %zu\n", device, to, from, bytes);
    return true;
}

EXPORTED bool GOMP_OFFLOAD_dev2host(int device, void *to, const void *from, size_t bytes)
{
    range_check(device, from, bytes, "device to host");
    memcpy(to, from, bytes);
    line("from %d %p %p %zu\n", device, to, from, bytes);
    return true;
}

EXPORTED bool GOMP_OFFLOAD_dev2dev(int device, void *to, const void *from, size_t bytes)
{
    range_check(device, from, bytes, "device to device");
    range_check(device, to, bytes, "device to device");
    memmove(to, from, bytes);
    line("within %d %p %p %zu\n", device, to, from, bytes);
    return true;
}

struct kernel {
    void (*function)(void *);
    void *data, *task;
    int device;
};

static void *kernel_execute(void *argument)
{
    struct kernel *k = argument;
    line("run %d %p\n", k->device, (void *)(uintptr_t)k->function);
    k->function(k->data);
    line("ran %d %p\n", k->device, (void *)(uintptr_t)k->function);
    if (k->task == NULL)
        return NULL;
    void *task = k->task;
    free(k);
    GOMP_PLUGIN_target_task_completion(task);
    return NULL;
}

EXPORTED bool GOMP_OFFLOAD_can_run(void *function) { return function != NULL; }

EXPORTED void GOMP_OFFLOAD_run(int device, void *function, void *data, void **arguments)
{
    struct kernel k = {(void (*)(void *))(uintptr_t)function, data, NULL, device};
    pthread_t thread;
    (void)arguments;
    if (pthread_create(&thread, NULL, kernel_execute, &k) != 0 || pthread_join(thread, NULL) != 0)
        fatal("test device: no thread for a kernel");
}

EXPORTED void GOMP_OFFLOAD_async_run(int device, void *function, void *data, void **arguments,
                                     void *task)
{
    struct kernel *k = GOMP_PLUGIN_malloc(sizeof *k);
    pthread_t thread;
    (void)arguments;
    *k = (struct kernel){(void (*)(void *))(uintptr_t)function, data, task, device};
    if (pthread_create(&thread, NULL, kernel_execute, k) != 0 || pthread_detach(thread) != 0)
        fatal("test device: no thread for a kernel");
}
